"""What happens in a build -> whoever wants to know: the terminal, a test, or nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulebook.build.ledger import Entry
from rulebook.build.targets import Target
from rulebook.problems import Problem, Report


@dataclass(frozen=True, slots=True)
class Stale:
    """A target that has to be rendered, and why, in words."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why something was not built; `trace` is for those who can mend the program.

    `nothing_built` where a whole ruleset was given up before rendering.
    """

    name: str
    problems: tuple[Problem, ...]
    trace: str = ""
    nothing_built: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a build: paths relative to the output folder, failures in content order."""

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
    """Hears of each event of a build; this one does nothing with it."""

    def checked(self, ruleset: str, report: Report) -> None:
        """A ruleset was read and checked; where the report has errors, nothing of it is built."""

    def opened(self, source: Path, targets: Sequence[Target]) -> None:
        """An edition was opened; these are all the files that may be asked for of it."""

    def planned(self, files: int) -> None:
        """So many files are wanted so far; each turns out to be stale or as it should be."""

    def stale(self, one: Stale) -> None:
        """A file will be rendered."""

    def fresh(self, path: str) -> None:
        """A file is as it should be, or is none of this edition after all."""

    def wrote(self, path: str, entry: Entry, told: str = "") -> None:
        """A file is in its place; `told` is how it came out, of what is fitted to its paper."""

    def told(self, text: str) -> None:
        """Something is otherwise than was asked for, and the build goes on."""

    def failed(self, paths: Sequence[str]) -> None:
        """Files that will not be written; the reasons come at the end."""

    def stopped(self, fault: Exception) -> None:
        """A build of a watch did not begin; the watch goes on."""

    def ended(self, outcome: Outcome) -> None:
        """The build is over."""
