"""`rulebook release`: the working copy of a ruleset -> an edition that never changes again.

Beside it stands a record of how it was printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from rulebook.commands.choosing_rulesets import choose_rulesets
from rulebook.commands.faults import fail, tell
from rulebook.problems import Problem, Report, Span

if TYPE_CHECKING:
    from rulebook.loading.print_records import PrintRecord, RecordOf
    from rulebook.loading.snapshots import Snapshot
    from rulebook.model.revisions import Revisions
    from rulebook.model.ruleset import Address, Ruleset


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
    from rulebook.loading.releases import AT, is_release, release_path
    from rulebook.loading.snapshots import Snapshot
    from rulebook.model.plain_data import frozen_ruleset

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
    notes = _Notes.read(ctx, folder)
    if _is_taken(path):
        _tell_same(ctx, path, snapshot, loaded)
        return
    _expect_classed(ctx, folder, snapshot, notes, loaded.places)
    frozen = _expect_readable(ctx, snapshot, path)
    printed = _printed(ctx, snapshot, frozen, path)
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
    own = notes.revisions.editions.get(edition)
    if loaded.header.date is None and not (own and own.released):
        click.echo("it has no date, so no feed tells of it; you can say the day of its release")
        click.echo(f"in {notes.file}, below \"{edition}\" under 'editions':\n")
        click.echo("    released: 2010-07-16")


@dataclass(frozen=True, slots=True)
class _Notes:
    """What the author says of editions, and where each part of it stands."""

    file: str
    revisions: Revisions
    places: Mapping[Address, Span]

    @classmethod
    def read(cls, ctx: click.Context, folder: Path) -> _Notes:
        """The notes of a folder; where they have faults these are told, and this ends with 1."""
        from rulebook.loading.edition_standing import withdrawal_faults
        from rulebook.loading.folder import REVISIONS_FILE
        from rulebook.loading.releases import find_releases
        from rulebook.loading.revision_notes import read_revisions

        revisions, places, problems = read_revisions(folder)
        problems += withdrawal_faults(folder, revisions, places, find_releases(folder))
        if revisions is None or problems:
            fail(ctx, problems)
        return cls((folder / REVISIONS_FILE).as_posix(), revisions, places)

    def place(self, *address: str) -> Span:
        return self.places.get(address, Span(self.file))


def _checked(ctx: click.Context, folder: Path) -> Ruleset:
    """The ruleset of a folder, without a fault; faults are told, and this ends with 1."""
    from rulebook.checking.all_checks import check
    from rulebook.loading.rulesets import load

    loaded = load(folder)
    report = Report(list(loaded.report.problems))
    if loaded.ruleset is not None:
        report.extend(check(loaded.ruleset))
    if loaded.ruleset is None or not report.ok:
        fail(ctx, report)
    return loaded.ruleset


def _expect_readable(ctx: click.Context, snapshot: Snapshot, path: Path) -> Ruleset:
    """The edition as it is read again, since it can never be mended; else this ends with 1."""
    from rulebook.build.jobs import fault_of_program
    from rulebook.loading.snapshots import read_again

    loaded = read_again(snapshot, path)
    if loaded.ruleset is None or not loaded.report.ok:
        told = loaded.report.errors[0].message
        fail(ctx, [fault_of_program(AssertionError(f"{_UNREADABLE}: {told}"))])
    return loaded.ruleset


_UNREADABLE = "what was to be released cannot be read"


def _printed(ctx: click.Context, snapshot: Snapshot, ruleset: Ruleset, path: Path) -> PrintRecord:
    """The record of the edition as it prints now; faults of printing are told, and end with 1."""
    from rulebook.build.jobs import fault_of_program
    from rulebook.build.print_recording import print_and_record
    from rulebook.build.reporter import counted
    from rulebook.build.stages import stages_of_rulebook
    from rulebook.loading.print_records import record_of_bytes

    named = f"{snapshot.ruleset} {snapshot.edition}"
    click.echo(f"printing {named} to record its pages")
    started = monotonic()
    templates = ctx.obj["templates"].resolve()
    record, problems = print_and_record(snapshot, ruleset, path, templates, stages_of_rulebook())
    if record is None:
        fail(ctx, problems)
    again, faults = record_of_bytes(record.text().encode(), path, _record_of(snapshot, ruleset))
    if again != record:
        told = faults[0].message if faults else "other pages"
        fail(ctx, [fault_of_program(AssertionError(f"{_UNREADABLE}: {told}"))])
    files = counted(len(record.files), "file")
    click.echo(f"printed {files} in {monotonic() - started:.0f} s")
    return record


def _record_of(snapshot: Snapshot, ruleset: Ruleset) -> RecordOf:
    from rulebook.loading.print_records import RecordOf
    from rulebook.model.prose import rule_numbers

    headings = rule_numbers(ruleset.chapters)
    return RecordOf(snapshot.ruleset, snapshot.edition, snapshot.sha256, headings)


def _write(path: Path, snapshot: Snapshot, record: PrintRecord) -> None:
    """The record and then the edition, so that none is released without; raises OSError.

    A record that a release left behind which was stopped between the two is written over, and none
    is left beside an edition that another released meanwhile.
    """
    from rulebook.build.publish import alone_in, write_once, write_whole
    from rulebook.loading.releases import record_path

    data, beside = snapshot.text().encode(), record_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with alone_in(path.parent):
        if _is_taken(path):
            raise FileExistsError(path)
        write_whole(beside, record.text().encode())
        try:
            write_once(path, data)
        except OSError:
            if not path.is_file() or path.read_bytes() != data:
                beside.unlink(missing_ok=True)
            raise


def _record(ctx: click.Context, source: Path) -> None:
    """Write the record of an edition that was released without, as it prints now."""
    from rulebook.build.publish import write_once
    from rulebook.loading.editions import edition_of
    from rulebook.loading.print_records import read_print_record
    from rulebook.loading.releases import is_release, record_path, release_path

    path = source if is_release(source) else release_path(source, str(edition_of(source)))
    if not _is_taken(path):
        told = f"{source.name} has not released edition {path.stem}: a release records its pages"
        raise click.UsageError(told)
    snapshot, ruleset = _released(ctx, path)
    at = record_path(path)
    known, problems = read_print_record(at, _record_of(snapshot, ruleset))
    if problems:
        fail(ctx, problems)
    if known is not None:
        click.echo(f"how {snapshot.ruleset} {snapshot.edition} was printed is recorded already")
        return
    record = _printed(ctx, snapshot, ruleset, path)
    try:
        write_once(at, record.text().encode())
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
    from rulebook.revisions.comparison import compare

    released, _ = _released(ctx, path)
    if released.sha256 == snapshot.sha256:
        click.echo(f"{snapshot.ruleset} {snapshot.edition} is released already, as it stands")
        return
    changes = compare(released.content, snapshot.content).changes
    different = counted(len(changes), "change") if changes else "other spaces or line ends"
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
    from rulebook.loading.snapshots import load_snapshot, read_snapshot

    snapshot, problems = read_snapshot(path)
    loaded = load_snapshot(path)
    if snapshot is None or loaded.ruleset is None:
        fail(ctx, problems or loaded.report)
    return snapshot, loaded.ruleset


def _expect_classed(
    ctx: click.Context,
    folder: Path,
    snapshot: Snapshot,
    notes: _Notes,
    content: Mapping[Address, Span],
) -> None:
    """Tell what keeps the edition from being released, and print the stub to be filled in.

    `content` is where the parts of the ruleset stand.
    """
    from rulebook.build.jobs import fault_of_program
    from rulebook.loading.releases import find_releases
    from rulebook.loading.revision_notes import edition_before
    from rulebook.revisions.release import NotWhole, notes_of, refusals, revised, stub

    edition = snapshot.edition
    own = notes_of(notes.revisions, edition)
    after = edition_before(folder, edition, notes.revisions)
    releases = find_releases(folder)
    if after is None:
        if own and own.changes:
            fail(ctx, [_nothing_before(edition, notes)])
        return
    if after not in releases:
        at = notes.place("editions", edition, "after")
        listed = ", ".join(releases) or "no edition: nothing has been released"
        fail(ctx, [Problem.of("R805 after is not released", at, after=after, known=listed)])
    before, _ = _released(ctx, releases[after])
    revision = revised(before.content, snapshot.content, own)
    try:
        refused = list(refusals(revision, edition, notes.file, notes.places, content))
    except NotWhole as fault:
        fail(ctx, [fault_of_program(fault)])
    last = edition_before(folder, edition, None)
    if last != after and (own.after is None if own else not revision.classing.unclassed):
        refused.append(_after_unsaid(edition, after, last, notes))
    if not refused:
        return
    tell(refused)
    if revision.classing.unclassed:
        where, lines = stub(revision.classing.unclassed, edition, after, notes.revisions)
        click.echo(f"\nto be filled in, and put into {notes.file} {where}:\n", err=True)
        click.echo(lines if notes.places else f"{_schema_line()}\n{lines}")
    ctx.exit(1)


def _schema_line() -> str:
    """The first line of the notes, which leads an editor to what may stand in them."""
    from rulebook.commands.schema import FOLDER
    from rulebook.model.schemas import REVISIONS_FILE

    return f"# yaml-language-server: $schema=../{FOLDER}/{REVISIONS_FILE}"


def _after_unsaid(edition: str, after: str, last: str | None, notes: _Notes) -> Problem:
    """Which edition is before another is settled for ever when it is released."""
    here = notes.place("editions", edition)
    return Problem.of("R805 before is withdrawn", here, last=last, edition=edition, after=after)


def _nothing_before(edition: str, notes: _Notes) -> Problem:
    return Problem.of(
        "R805 none before", notes.place("editions", edition, "changes"), edition=edition
    )
