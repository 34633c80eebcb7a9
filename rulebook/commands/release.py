"""`rulebook release`: the working copy of a ruleset -> an edition that never changes again.

Beside it stands a record of how it was printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import NoReturn

import click

from rulebook.build import print_recording, publish
from rulebook.build.cache_keys import templates_key
from rulebook.build.jobs import fault_of_program
from rulebook.build.stages import stages_of_rulebook
from rulebook.build.unprinted import Unprinted, edition_key, keep_unprinted, recall_unprinted
from rulebook.checking.all_checks import check
from rulebook.commands.choosing_rulesets import choose_rulesets
from rulebook.commands.schema import ENDING, FOLDER
from rulebook.commands.usage_faults import fail, tell
from rulebook.loading.edition_history import EditionHistory, read_history
from rulebook.loading.editions import edition_of
from rulebook.loading.print_records import (
    PrintRecord,
    read_print_record,
    record_of,
    record_of_bytes,
)
from rulebook.loading.releases import AT, is_release, record_path, release_path
from rulebook.loading.rulesets import load
from rulebook.loading.snapshots import Snapshot, load_snapshot, read_again, read_snapshot
from rulebook.model.plain_data import frozen_ruleset
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem, Report, Span
from rulebook.quantities import join_words
from rulebook.revisions.classes import by_thing
from rulebook.revisions.comparison import compare
from rulebook.revisions.release import NotWhole, refusals, revised, stub

_UNREADABLE = "what was to be released cannot be read"


@click.command()
@click.argument("ruleset")
@click.option(
    "--record",
    is_flag=True,
    help="Of an edition that is released already (mygame@1.0) and has no record of its pages, "
    "write it as the edition prints today.",
)
@click.pass_context
def release(ctx: click.Context, ruleset: str, *, record: bool) -> None:
    """Freeze the edition that ruleset.yaml names.

    The edition is checked, compared with the one before it, and written to releases/ in the
    ruleset's folder. Each change of a rule since then needs an entry in revisions.yaml that says
    how grave it is and why it was made; where entries are lacking, they are printed to be filled
    in, and nothing is released.

    All of the edition is printed to record, in a file beside it, on which page everything stands:
    errata cite these pages to those who own the print. Where a document cannot be printed nothing
    is released.

    A released edition never changes. One that is faulty is withdrawn in revisions.yaml:

    \b
      withdrawn:
        "1.1": {date: 2010-08-01, reason: The cone is drawn too short.}
    """
    (folder,) = choose_rulesets(ctx.obj["content"], [ruleset])
    if record:
        _record(ctx, folder)
        return
    if is_release(folder):
        raise click.UsageError(f"'{ruleset}' is released already")
    loaded = _checked(ctx, folder)
    edition = loaded.header.edition
    snapshot = Snapshot(folder.name, edition, frozen_ruleset(loaded))
    path = release_path(folder, edition)
    history = read_history(folder)
    if faults := [*history.problems, *history.withdrawal_faults()]:
        fail(ctx, faults)
    if _is_taken(path):
        _tell_same(ctx, path, snapshot, loaded)
        return
    _expect_classed(ctx, snapshot, history, loaded.places)
    frozen = _expect_readable(ctx, snapshot, path)
    printed = _printed(ctx, snapshot, frozen, path, folder)
    try:
        _write(path, snapshot, printed)
    except OSError as error:
        if _is_taken(path):  # released by another meanwhile
            _tell_same(ctx, path, snapshot, loaded)
            return
        fail(ctx, [_unwritten(path, error)])
    click.echo(f"released {folder.name} {edition}: {path.as_posix()}")
    click.echo(f"sha256 {snapshot.sha256}")
    click.echo("give ruleset.yaml the number of the next edition before you change anything")
    base = loaded.header.based_on
    if base is not None and AT not in base:
        click.echo(f"it names no edition of {base}, so no bars tell what differs from that")
    own = history.notes(edition)
    if loaded.header.date is None and not (own and own.released):
        click.echo("it has no date, so no feed tells of it; you can say the day of its release")
        click.echo(f"in {history.file}, below \"{edition}\" under 'editions':\n")
        click.echo("    released: 2010-07-16")


def _checked(ctx: click.Context, folder: Path) -> Ruleset:
    """The ruleset of a folder, without a fault; faults are told, and this ends with 1."""
    loaded = load(folder)
    report = Report(list(loaded.report.problems))
    if loaded.ruleset is not None:
        report.extend(check(loaded.ruleset))
    if loaded.ruleset is None or not report.ok:
        fail(ctx, report)
    return loaded.ruleset


def _expect_readable(ctx: click.Context, snapshot: Snapshot, path: Path) -> Ruleset:
    """The edition as it is read again, since it can never be mended; else this ends with 1."""
    loaded = read_again(snapshot, path)
    if loaded.ruleset is None or not loaded.report.ok:
        told = loaded.report.errors[0].message
        fail(ctx, [fault_of_program(AssertionError(f"{_UNREADABLE}: {told}"))])
    return loaded.ruleset


def _printed(
    ctx: click.Context, snapshot: Snapshot, ruleset: Ruleset, path: Path, source: Path
) -> PrintRecord:
    """The record of the edition as it prints now; faults of printing are told, and end with 1.

    `source` is the folder or file that has what `check` is to know of them.
    """
    from rulebook.build.reporter import counted

    named = f"{snapshot.ruleset} {snapshot.edition}"
    templates, cache = ctx.obj["templates"].resolve(), ctx.obj["cache"]
    key, of_templates = edition_key(source, cache, (), None), templates_key(templates)
    if key and (known := recall_unprinted(cache, key, of_templates)):
        _unprintable(ctx, named, dict(known))
    click.echo(f"printing {named} to record its pages")
    started = monotonic()
    record, unprinted = print_recording.print_and_record(
        snapshot, ruleset, path, templates, stages_of_rulebook(), cache=cache
    )
    if record is None:
        if key:
            keep_unprinted(cache, key, of_templates, unprinted)
        _unprintable(ctx, named, unprinted)
    again, faults = record_of_bytes(record.text().encode(), path, record_of(snapshot, ruleset))
    if again != record:
        told = faults[0].message if faults else "other pages"
        fail(ctx, [fault_of_program(AssertionError(f"{_UNREADABLE}: {told}"))])
    files = counted(len(record.files), "file")
    click.echo(f"printed {files} in {monotonic() - started:.0f} s")
    return record


def _unprintable(ctx: click.Context, named: str, unprinted: Unprinted) -> NoReturn:
    """Tell what cannot be printed, and end with 1."""
    names = join_words(sorted(filter(None, unprinted)), "and")
    why = f": {names} cannot be printed" if names else ""
    click.echo(f"{named} is not released{why}", err=True)
    fail(ctx, [problem for faults in unprinted.values() for problem in faults])


def _write(path: Path, snapshot: Snapshot, record: PrintRecord) -> None:
    """The record and then the edition, so that none is released without; raises OSError.

    A record that a release left behind which was stopped between the two is written over, and none
    is left beside an edition that another released meanwhile.
    """
    data, beside = snapshot.text().encode(), record_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with publish.alone_in(path.parent):
        publish.sweep([path.parent])
        if _is_taken(path):
            raise FileExistsError(path)
        publish.write_whole(beside, record.text().encode())
        try:
            publish.write_once(path, data)
        except OSError:
            if not path.is_file() or path.read_bytes() != data:
                beside.unlink(missing_ok=True)
            raise


def _record(ctx: click.Context, source: Path) -> None:
    """Write the record of an edition that was released without, as it prints now."""
    path = source if is_release(source) else release_path(source, str(edition_of(source)))
    if not _is_taken(path):
        told = f"{source.name} has not released edition {path.stem}: a release records its pages"
        raise click.UsageError(told)
    snapshot, ruleset = _released(ctx, path)
    at = record_path(path)
    known, problems = read_print_record(at, record_of(snapshot, ruleset))
    if problems:
        fail(ctx, problems)
    if known is not None:
        click.echo(f"how {snapshot.ruleset} {snapshot.edition} was printed is recorded already")
        return
    record = _printed(ctx, snapshot, ruleset, path, path)
    try:
        publish.write_once(at, record.text().encode())
    except OSError as error:
        fail(ctx, [_unwritten(at, error)])
    click.echo(f"recorded {snapshot.ruleset} {snapshot.edition}: {at.as_posix()}")


def _unwritten(path: Path, error: OSError) -> Problem:
    why = (error.strerror or str(error)).lower()
    return Problem.of("R702 not released", path=path.as_posix(), why=why)


def _is_taken(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _tell_same(ctx: click.Context, path: Path, snapshot: Snapshot, ruleset: Ruleset) -> None:
    """That what was released says what is to be released; else this ends with 1."""
    from rulebook.build.reporter import counted

    released, _ = _released(ctx, path)
    if released.sha256 == snapshot.sha256:
        click.echo(f"{snapshot.ruleset} {snapshot.edition} is released already, as it stands")
        return
    things = by_thing(compare(released.content, snapshot.content).own)
    number = counted(len(things), "thing")
    different = f"{number} changed" if things else "other spaces or line ends"
    problem = Problem.of(
        "R803 other content",
        ruleset.place("header", "edition"),
        also=Span(path.as_posix()),
        edition=snapshot.edition,
        different=different,
        ruleset=snapshot.ruleset,
    )
    fail(ctx, [problem])


def _released(ctx: click.Context, path: Path) -> tuple[Snapshot, Ruleset]:
    """A released edition and the ruleset it holds; where it has none this is told, and ends with 1.

    One that was made by hand may hold anything, and is not to be compared with.
    """
    snapshot, problems = read_snapshot(path)
    loaded = load_snapshot(path)
    if snapshot is None or loaded.ruleset is None:
        fail(ctx, problems or loaded.report)
    return snapshot, loaded.ruleset


def _expect_classed(
    ctx: click.Context, snapshot: Snapshot, history: EditionHistory, content: Mapping[Address, Span]
) -> None:
    """Tell what keeps the edition from being released, and print the stub to be filled in.

    `content` is where the parts of the ruleset stand.
    """
    edition, releases = snapshot.edition, history.releases
    own, after = history.notes(edition), history.before(edition)
    if after is None:
        if own and own.changes:
            at = history.place("editions", edition, "changes")
            fail(ctx, [Problem.of("R805 none before", at, edition=edition)])
        return
    if after not in releases:
        at = history.place("editions", edition, "after")
        listed = ", ".join(releases) or "no edition: nothing has been released"
        fail(ctx, [Problem.of("R805 after is not released", at, after=after, known=listed)])
    before, _ = _released(ctx, releases[after])
    revision = revised(before.content, snapshot.content, own)
    try:
        refused = list(refusals(revision, edition, history.file, history.places, content))
    except NotWhole as fault:
        fail(ctx, [fault_of_program(fault)])
    last = replace(history, revisions=None).before(edition)
    if last != after and (own.after is None if own else not revision.classing.unclassed):
        # Which edition is before another is settled for ever when it is released.
        at = history.place("editions", edition)
        refused.append(
            Problem.of("R805 before is withdrawn", at, last=last, edition=edition, after=after)
        )
    if not refused:
        return
    tell(refused)
    if revision.classing.unclassed and history.revisions:
        where, lines = stub(revision.classing.unclassed, edition, after, history.revisions)
        click.echo(f"\nto be filled in, and put into {history.file} {where}:\n", err=True)
        # The first line of the notes leads an editor to what may stand in them.
        schema = f"# yaml-language-server: $schema=../{FOLDER}/revisions{ENDING}\n"
        click.echo(lines if history.places else f"{schema}{lines}")
    ctx.exit(1)
