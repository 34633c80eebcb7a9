"""`rulebook check`: rulesets -> every fault in them, and all that is not stated by their source."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook.build.report import counted, tally
from rulebook.build.stale import EDITION, edition_key, program_key, templates_key
from rulebook.cache import digest_of
from rulebook.commands.arguments import (
    choose_editions,
    length_options,
    read_lengths,
    remembered,
    verbosity_options,
    with_option,
)
from rulebook.loading.folder import name_of
from rulebook.problems import Format, Problem, Report, format_report

if TYPE_CHECKING:
    from rulebook.cache import Cache
    from rulebook.model.lengths import Lengths


@dataclass(frozen=True, slots=True)
class _Checked:
    """What was found in an edition.

    `edition` is None where it could not be read for faults. `held` has the numbers of its tables
    and so on, `unstated` the entries of the JSON form, and `unprinted` by document the faults and
    warnings of the last build of the same content.
    """

    name: str
    edition: str | None
    held: Mapping[str, int]
    report: Report
    unstated: Sequence[Mapping[str, str | None]]
    unprinted: Mapping[str, Report]

    @property
    def sound(self) -> bool:
        return all(report.ok for report in (self.report, *self.unprinted.values()))


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "short", "json"]),
    default="text",
    help="With excerpts, a line for each fault, or for programs.  [default: text]",
)
@with_option
@length_options
@verbosity_options
@click.pass_context
def check(
    ctx: click.Context,
    *,
    rulesets: tuple[str, ...],
    form: Format,
    options: tuple[str, ...],
    scale: str | None,
    read: tuple[str, ...],
    steps: tuple[str, ...],
) -> None:
    """Tell every fault of the rulesets, and what their source does not state.

    \b
    The JSON form is stable:
      {"rulesets": [{"id": "mygame", "edition": "1.0",
        "problems": [{"code", "severity", "message", "place", "expected", "hint", "also"}],
        "unprinted": [{"document", "problems"}],
        "unstated": [{"status", "title", "note", "source", "section"}]}]}
    `edition` is null where the faults are too many to tell it; `place` is null or holds
    path, line, column, end_line and end_column, lines and columns from 1, and `cell`, such as
    B4, where it is in a spreadsheet. `unprinted` is what the last build of the same
    content could not print or warned of; check itself lays out nothing.

    Every option is checked by itself as it is; --with, --scale, --read and --round check what
    'rulebook build' prints with the same.
    """
    lengths = read_lengths(scale, read, steps)
    cache = ctx.obj["cache"]
    templates = templates_key(ctx.obj["templates"].resolve())
    checked = []
    for source in choose_editions(ctx, rulesets, options, every=not rulesets):
        find = partial(_check, source, options, lengths, cache)
        key = edition_key(source, cache, options, lengths)
        found = remembered(cache, "check", key, find)
        # Nothing is laid out here; a build may have laid out the same content.
        built = cache.get_json(EDITION, digest_of([key, templates])) if key else None
        unprinted = sorted(built["unprinted"].items()) if built else ()
        reports = {name: Report.of_data(problems) for name, problems in unprinted}
        report = Report.of_data(found.pop("problems"))
        checked.append(_Checked(**found, report=report, unprinted=reports))
    if form == "json":
        click.echo(json.dumps({"rulesets": [_as_json(found) for found in checked]}, indent=1))
    else:
        _tell(checked, form, ctx.obj["verbosity"])
    ctx.exit(0 if all(found.sound for found in checked) else 1)


def _check(
    folder: Path, options: tuple[str, ...], lengths: Lengths | None, cache: Cache
) -> dict[str, Any]:
    """Checks a ruleset or released edition; returns what a `_Checked` holds as JSON data."""
    from rulebook.checking.all_checks import check as check_sense
    from rulebook.documents.before import wrong_former_ids
    from rulebook.loading.editions import load_standing
    from rulebook.model.not_in_source import unstated, unstated_of_scenario

    loaded = load_standing(folder, options, lengths)
    report, ruleset = Report(list(loaded.report.problems)), loaded.ruleset
    found: dict[str, Any] = {"name": name_of(folder), "edition": None, "held": {}, "unstated": []}
    if ruleset is not None:
        report.extend(check_sense(ruleset, cache=cache.salted(program_key())))
        former = wrong_former_ids(folder, ruleset)
        report.extend(replace(problem, severity="warning") for problem in former)
        of_scenarios = (
            thing for name in ruleset.scenarios for thing in unstated_of_scenario(ruleset, name)
        )
        # What two scenarios share is reported once.
        listed = {thing.address: thing for thing in (*unstated(ruleset), *of_scenarios)}
        found["edition"] = ruleset.header.edition
        found["held"] = {
            "table": len(ruleset.all_tables),
            "cutout": len(ruleset.cutouts),
            "example": len(ruleset.examples),
            "chapter": len(ruleset.chapters),
            **({"scenario": len(ruleset.scenarios)} if ruleset.scenarios else {}),
        }
        found["unstated"] = [
            {
                "status": str(thing.status),
                "title": thing.title,
                "note": None if thing.note is None else str(thing.note),
                "source": thing.source,
                "section": thing.section_id,
            }
            for thing in listed.values()
        ]
    return {**found, "problems": [asdict(problem) for problem in report]}


def _tell(checked: Sequence[_Checked], form: Format, verbosity: int) -> None:
    reported: set[Problem] = set()  # what is amiss with revisions.yaml is found with every edition
    for found in checked:
        if new := [problem for problem in found.report if problem not in reported]:
            click.echo(format_report(Report(new), form) + ("\n" if form == "text" else ""))
            reported.update(new)
        for name, faults in found.unprinted.items():
            how = "was printed with warnings" if faults.ok else "could not be printed"
            click.echo(f"{found.name}: {name} {how} of this content:")
            click.echo(format_report(faults, form) + ("\n" if form == "text" else ""))
        if found.sound and found.edition is not None and verbosity >= 0:
            click.echo(_praise(found, verbosity))
    every = [problem for found in checked for problem in found.report]
    if not all(found.report.ok for found in checked):
        click.echo(f"{tally(every)}; nothing was built")


def _praise(found: _Checked, verbosity: int) -> str:
    """Returns a summary of a sound edition: `mygame 1.0: 14 tables, 2 cutouts, no faults`.

    Another line counts what the source does not state; more verbosity lists it.
    """
    held = ", ".join(counted(number, noun) for noun, number in found.held.items())
    lines = [f"{found.name} {found.edition}: {held}, {tally(found.report)}"]
    if found.unstated:
        by_status = Counter(item["status"] for item in found.unstated)
        listed = ", ".join(f"{number} {status}" for status, number in sorted(by_status.items()))
        more = "" if verbosity > 0 else " (-v lists them)"
        lines.append(f"not stated by the source: {listed}{more}")
    if verbosity > 0:
        lines += [
            f"  {item['status']}: {item['title']}" + (f" - {item['note']}" if item["note"] else "")
            for item in found.unstated
        ]
    return "\n".join(lines)


def _as_json(found: _Checked) -> dict[str, Any]:
    return {
        "id": found.name,
        "edition": found.edition,
        "problems": json.loads(format_report(found.report, "json")),
        "unprinted": [
            {"document": name, "problems": json.loads(format_report(faults, "json"))}
            for name, faults in found.unprinted.items()
        ],
        "unstated": list(found.unstated),
    }
