"""A case -> what rulebook should not have done with it: checked, listed, compared and printed.

Faults of content are what the case is for. Found are tracebacks, faults that are told without a
place or as those of the program, and what `check` accepts and cannot be printed.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from click.testing import CliRunner, Result
from grown_content import KINDS, SMALL, Case
from guarded_runs import Run, guarded

from rulebook.cli import COMMANDS, cli, module_of
from rulebook.documents.catalogue import warm_up
from rulebook.imposing.layouts import read_layout
from rulebook.packaged import templates_folder
from rulebook.problems import Report, format_report

#: Checking, listing and comparing a case may take so long, printing of it so long besides; one
#: that hangs is ended later.
MOST_SECONDS = 2.0
MOST_SECONDS_PRINTING = 6.0
MOST_MEBIBYTES = 500
_CAP_SECONDS = 20
_CAP_MEBIBYTES = 2000
#: Faults of printing that `check` cannot foresee: only the page maker knows what room there is.
OF_ROOM = ("R601", "R604", "R606", "R607", "R608")
#: Files of different makers, of which a case that passes the check prints one group.
_PRINTED = (
    ("*/booklet-a5.pdf", "*/booklet.html"),
    ("*/qrs-a4.pdf", "*/qrs.html"),
    ("*/cards*a4.pdf", "*/cards.html"),
    ("*/cutouts/*.svg", "*/cutouts/all-a4.pdf"),
    ("*/scenarios/*-a5.pdf", "*/scenarios/*-map.svg"),
    ("*/scenarios/*-sheets-a4.pdf", "*/scenarios/*-cards-a4.pdf"),
    ("*/changes-*", "*/errata-*"),
)


def prepare() -> None:
    """Import everything, and do once what every case does again, before cases are forked."""
    from importlib import import_module

    warm_up(templates_folder())
    for command in COMMANDS:
        import_module(module_of(command))
    kinds = dict.fromkeys(KINDS)
    files = tuple((p.relative_to(SMALL).as_posix(), p.read_bytes()) for p in SMALL.rglob("*.*"))
    for number, _ in enumerate(_PRINTED[:4]):
        assert not list(_complaints(Case(f"prepare {[*kinds][number]}", files), number))


def tried(case: Case, number: int) -> tuple[list[str], Run]:
    """What was found, and what it cost; `number` chooses what is printed of a case that passes."""
    run = guarded(
        lambda: list(_complaints(case, number)), seconds=_CAP_SECONDS, mebibytes=_CAP_MEBIBYTES
    )
    found = [run.fault] if run.fault else list(run.value)
    if run.mebibytes > MOST_MEBIBYTES:
        found.append(f"took {run.mebibytes:.0f} MiB")
    return found, run


def _complaints(case: Case, number: int) -> Iterator[str]:
    with TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        case.put(folder)
        if case.layouts:
            yield from _of_layouts(case, folder)
            return
        started = process_time()
        sound = yield from _of_commands(case, folder)
        if (seconds := process_time() - started) > MOST_SECONDS:
            yield f"took {seconds:.1f} s"
        if sound:
            started = process_time()
            yield from _unprinted(folder, number)
            if (seconds := process_time() - started) > MOST_SECONDS_PRINTING:
                yield f"took {seconds:.1f} s to print"


def _of_commands(case: Case, folder: Path) -> Generator[str, None, bool]:
    """Whether the check accepts the case; what commands should not have said comes on the way."""
    checked = _rulebook(folder, "check", "--format", "json")
    yield from _slips(checked)
    if checked.exit_code not in (0, 1):
        yield f"check ended with {checked.exit_code}: {checked.output[-500:]}"
        return False
    for ruleset in json.loads(checked.stdout)["rulesets"]:
        for problem in ruleset["problems"]:
            if problem["place"] is None:
                yield f"told without a place: {problem['code']} {problem['message']}"
    yield from _slips(_rulebook(folder, "check"))
    if case.kind == "revisions":
        yield from _slips(_rulebook(folder, "diff", "game"))
    if checked.exit_code == 0:
        yield from _slips(_rulebook(folder, "list", "--json"))
    return not checked.exit_code


def _unprinted(folder: Path, number: int) -> Iterator[str]:
    """What `check` accepts is printed."""
    wanted = [part for glob in _PRINTED[number % len(_PRINTED)] for part in ("--only", glob)]
    built = _rulebook(folder, "build", "--jobs", "1", "--out", str(folder / "out"), *wanted)
    yield from _slips(built)
    if built.exit_code == 1 and not any(f"[{code}]" in built.output for code in OF_ROOM):
        yield f"passes the check and is not printed: {built.output[-1500:]}"


def _of_layouts(case: Case, folder: Path) -> Iterator[str]:
    for name, _ in case.layouts:
        layout, problems = read_layout(folder / name)
        if (layout is None) != bool(problems):
            yield "a layout that is neither read nor at fault"
        format_report(Report(problems))
        for problem in problems:
            if problem.span is None:
                yield f"told without a place: {problem.code} {problem.message}"


def _rulebook(folder: Path, *arguments: str) -> Result:
    options = ("--content", str(folder), "--cache", str(folder / ".cache"))
    return CliRunner().invoke(cli, [*options, *arguments])


def _slips(result: Result) -> Iterator[str]:
    fault = result.exception
    if fault is not None and not isinstance(fault, SystemExit):
        yield "".join(traceback.format_exception(fault))
    elif "rulebook itself failed" in result.output or "Traceback" in result.output:
        yield f"rulebook itself failed: {result.output[-1500:]}"
    if any(sign in result.output for sign in "\x1b\x07\x9b"):
        yield f"an escape code reaches the terminal: {result.output[:500]!r}"
