"""What happens in a build -> whoever wants to know: above all lines and a bar on the terminal.

On a terminal a bar shows how far it is; elsewhere, in a log for one, there are plain lines only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.problems import Problem, Report, format_report, printable
from rulebook.quantities import join_words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from rulebook.build.plan import Target
    from rulebook.build.publish import PrintedFile


@dataclass(frozen=True, slots=True)
class Failure:
    """What could not be built (`name`), and why; `trace` is a traceback for developers.

    `nothing_built` is set if a whole ruleset was given up before rendering.
    """

    name: str
    problems: tuple[Problem, ...]
    trace: str = ""
    nothing_built: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a build; paths are relative to the output folder.

    Failures are in the order of the content.
    """

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    failed: tuple[str, ...]
    removed: tuple[str, ...]
    failures: tuple[Failure, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.failures


class Listener:
    """Receives the events of a build; the methods of this base class do nothing."""

    def checked(self, ruleset: str, report: Report) -> None:
        """Called when a ruleset was read and checked; it is not built if the report has errors."""

    def opened(self, source: Path, targets: Sequence[Target]) -> None:
        """Called when an edition was opened; `targets` are all its files, wanted or not."""

    def planned(self, files: int) -> None:
        """Called with the number of wanted files so far; each is later reported stale or fresh."""

    def stale(self, path: str, reason: str) -> None:
        """Called when a file has to be rendered; `reason` says in words why."""

    def fresh(self, path: str) -> None:
        """Called when a file is up to date, or its document has nothing to print."""

    def wrote(self, path: str, entry: PrintedFile, remark: str = "") -> None:
        """Called when a file was written.

        `remark` says how the content was fitted to the paper; empty if it was not.
        """

    def noted(self, text: str) -> None:
        """Called with a message for the user; the build goes on."""

    def failed(self, paths: Sequence[str]) -> None:
        """Called with paths of files that will not be written; the reasons are in the outcome."""

    def stopped(self, fault: Exception) -> None:
        """Called when `fault` prevented a build of a watch; the watch goes on."""

    def ended(self, outcome: Outcome) -> None:
        """Called at the end of a build with its outcome."""


def tally(problems: Iterable[Problem]) -> str:
    """Returns the numbers of faults and warnings as text: `3 faults in 2 files, 1 warning`."""
    listed = list(problems)
    errors = [problem for problem in listed if problem.severity == "error"]
    files = {problem.span.path for problem in errors if problem.span}
    text = counted(len(errors), "fault") if errors else "no faults"
    if files:
        text += f" in {counted(len(files), 'file')}"
    warnings = len(listed) - len(errors)
    return text + (f", {counted(warnings, 'warning')}" if warnings else "")


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun, in the plural if needed: `1 table`, `14 tables`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Reporter(Listener):
    """Prints the events of a build.

    With `verbosity` below 0 it prints faults only, above 0 also tracebacks and unchanged files.
    `explain` prints why each file is stale. With an output folder, `out`, the first page or sheet
    that is written is offered to be opened if more is to come.
    """

    def __init__(
        self,
        *,
        verbosity: int = 0,
        explain: bool = False,
        out: Path | None = None,
        console: Console | None = None,
        faults: Console | None = None,
    ) -> None:
        from rich.console import Console

        self._verbosity = verbosity
        self._explain = explain
        self._out = out
        self._console = console or Console(soft_wrap=True)
        self._faults = faults or Console(stderr=True, soft_wrap=True)
        self._progress: Progress | None = None
        self._files = self._passed = 0
        self._reported: set[Problem] = set()

    def checked(self, ruleset: str, report: Report) -> None:
        warnings = [problem for problem in report if problem.severity == "warning"]
        new = [problem for problem in warnings if problem not in self._reported]
        if new and report.ok:
            self._tell_faults(format_report(Report(new), "short"))
            self._reported.update(new)  # of one ruleset the same may be found with every edition
        self._tell(f"checked {ruleset}: {tally(report)}", least=1)

    def planned(self, files: int) -> None:
        self._files = files
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], total=files)

    def stale(self, path: str, reason: str) -> None:
        if self._explain:
            self._tell(f"{path}: {reason}")
        if self._progress is None and self._console.is_terminal and self._verbosity >= 0:
            self._begin()

    def _begin(self) -> None:
        """Shows a progress bar with the number of files to build and of those that are done."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress

        columns = ("building", BarColumn(), MofNCompleteColumn())
        self._progress = Progress(*columns, console=self._console, transient=True)
        self._progress.add_task("building", total=self._files, completed=self._passed)
        self._progress.start()

    def fresh(self, path: str) -> None:
        self._tell(f"unchanged {path}", least=1)
        self._advance(1)

    def wrote(self, path: str, entry: PrintedFile, remark: str = "") -> None:
        pages = f"{counted(entry.pages, 'page')}, " if entry.pages is not None else ""
        size = f"{pages}{max(1, round(entry.bytes / 1000))} kB"
        least = 1 if entry.format == "png" else 0
        self._tell(f"wrote {path} ({size}{'; ' if remark else ''}{remark})", least=least)
        self._advance(1)
        if self._out and entry.format in ("pdf", "html") and self._passed < self._files:
            self._tell(f"open {(self._out / path).as_posix()}")
            self._out = None

    def failed(self, paths: Sequence[str]) -> None:
        for path in paths:
            self._tell(f"failed {path}")
        self._advance(len(paths))

    def noted(self, text: str) -> None:
        self._tell_faults(text)

    def stopped(self, fault: Exception) -> None:
        self.close()
        self._tell_faults(f"nothing was built: {fault}")

    def close(self) -> None:
        """Removes the progress bar, also after a build that was interrupted."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
        self._passed = 0

    def ended(self, outcome: Outcome) -> None:
        self.close()
        self._reported.clear()  # a watch tells them again
        for path in outcome.removed:
            self._tell(f"removed {path}, which the ruleset no longer asks for")
        for failures in _alike(outcome.failures):
            self._tell_failures(failures)
        self._tell(summary(outcome))

    def _tell_failures(self, failures: Sequence[Failure]) -> None:
        """Prints failures; documents that failed for the same reason are reported together."""
        first = failures[0]
        if not first.nothing_built:
            were = "was" if len(failures) == 1 else "were"
            names = join_words((failure.name for failure in failures), "and")
            self._tell_faults(f"{names} {were} not built:")
        self._tell_faults(format_report(Report(list(first.problems))))
        if first.trace and self._verbosity > 0:
            self._tell_faults(first.trace.rstrip())
        if first.nothing_built:
            last = f"{tally(first.problems)}; nothing was built of {first.name}"
            self._tell_faults(last + "\n")
        else:
            self._tell_faults("")

    def _advance(self, steps: int) -> None:
        self._passed += steps
        if self._progress is not None:
            self._progress.advance(self._progress.task_ids[0], steps)

    def _tell(self, line: str, *, least: int = 0) -> None:
        if self._verbosity >= least:
            _print(self._console, line)

    def _tell_faults(self, text: str) -> None:
        _print(self._faults, text)


def _print(console: Console, text: str) -> None:
    """Prints text to a console as it is, without interpreting markup or emoji names in it.

    Control characters for terminals, as a folder's name may have, are replaced.
    """
    lines = "\n".join(map(printable, text.split("\n")))
    console.print(lines, markup=False, highlight=False, emoji=False)


def _alike(failures: Iterable[Failure]) -> list[list[Failure]]:
    """Groups failures with equal problems, in the order of the first failure of each group.

    Failures of whole rulesets are grouped by name instead.
    """
    groups: dict[object, list[Failure]] = {}
    for failure in failures:
        key = failure.name if failure.nothing_built else failure.problems
        groups.setdefault(key, []).append(failure)
    return list(groups.values())


def summary(outcome: Outcome) -> str:
    """Returns a line about an outcome: `12 written, 3 unchanged, 1 failed in 4.2 s`."""
    counts = [f"{len(outcome.written)} written", f"{len(outcome.unchanged)} unchanged"]
    if outcome.failed:
        counts.append(f"{len(outcome.failed)} failed")
    if outcome.removed:
        counts.append(f"{len(outcome.removed)} removed")
    return f"{', '.join(counts)} in {outcome.seconds:.1f} s"
