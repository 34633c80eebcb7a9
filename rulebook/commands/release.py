"""`rulebook release`: the working copy of a ruleset -> an edition that never changes again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.problems import Problem, Report, Span, format_report

if TYPE_CHECKING:
    from rulebook.loading.snapshots import Snapshot
    from rulebook.model.revisions import Revisions
    from rulebook.model.ruleset import Address, Ruleset


@click.command()
@click.argument("ruleset")
@click.pass_context
def release(ctx: click.Context, ruleset: str) -> None:
    """Freeze the edition that ruleset.yaml names.

    The edition is checked, compared with the one before it, and written to releases/ in the
    ruleset's folder. Each change of a rule since then needs an entry in revisions.yaml that says
    how grave it is and why it was made; where entries are lacking, they are printed to be filled
    in, and nothing is released.

    A released edition never changes. One that is faulty is withdrawn in revisions.yaml:

    \b
      withdrawn:
        "1.1": {date: 2010-08-01, reason: The cone is drawn too short.}
    """
    from rulebook.build.publish import write_once
    from rulebook.commands.choosing import choose_rulesets
    from rulebook.commands.running import fail
    from rulebook.loading.releases import AT, is_release, release_path
    from rulebook.loading.snapshots import Snapshot
    from rulebook.model.plain import frozen_ruleset

    (folder,) = choose_rulesets(ctx.obj["content"], [ruleset])
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
    _expect_readable(ctx, snapshot, path)
    try:
        write_once(path, snapshot.text().encode())
    except OSError as error:
        if _is_taken(path):  # released by another meanwhile
            _tell_same(ctx, path, snapshot, loaded)
            return
        why = (error.strerror or str(error)).lower()
        fail(ctx, [Problem("R702", f"{path.as_posix()} cannot be written: {why}")])
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
        from rulebook.commands.running import fail
        from rulebook.loading.folder import REVISIONS_FILE
        from rulebook.loading.releases import find_releases
        from rulebook.loading.revision_notes import read_revisions
        from rulebook.loading.standing import withdrawal_faults

        revisions, places, problems = read_revisions(folder)
        problems += withdrawal_faults(folder, revisions, places, find_releases(folder))
        if revisions is None or problems:
            fail(ctx, problems)
        return cls((folder / REVISIONS_FILE).as_posix(), revisions, places)

    def place(self, *address: str) -> Span:
        return self.places.get(address, Span(self.file))


def _checked(ctx: click.Context, folder: Path) -> Ruleset:
    """The ruleset of a folder, without a fault; faults are told, and this ends with 1."""
    from rulebook.checking.sense import check
    from rulebook.commands.running import fail
    from rulebook.loading.rulesets import load

    loaded = load(folder)
    report = Report(list(loaded.report.problems))
    if loaded.ruleset is not None:
        report.extend(check(loaded.ruleset))
    if loaded.ruleset is None or not report.ok:
        fail(ctx, report)
    return loaded.ruleset


def _expect_readable(ctx: click.Context, snapshot: Snapshot, path: Path) -> None:
    """That the edition can be read again, since it can never be mended; else this ends with 1."""
    from rulebook.build.jobs import fault_of_program
    from rulebook.commands.running import fail
    from rulebook.loading.snapshots import read_again

    if faults := read_again(snapshot, path).errors:
        fault = AssertionError(f"what was to be released cannot be read: {faults[0].message}")
        fail(ctx, [fault_of_program(fault)])


def _is_taken(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _tell_same(ctx: click.Context, path: Path, snapshot: Snapshot, ruleset: Ruleset) -> None:
    """That what was released says what is to be released; else this ends with 1."""
    from rulebook.build.reporter import counted
    from rulebook.commands.running import fail
    from rulebook.revisions.comparison import compare

    released = _released(ctx, path)
    if released.sha256 == snapshot.sha256:
        click.echo(f"{snapshot.ruleset} {snapshot.edition} is released already, as it stands")
        return
    changes = compare(released.content, snapshot.content).changes
    different = counted(len(changes), "change") if changes else "other spaces or line ends"
    message = f"edition {snapshot.edition} was released already with other content: {different}"
    hint = (
        "give ruleset.yaml the number of a new edition; "
        f"'rulebook diff {snapshot.ruleset} {snapshot.edition}' tells what differs"
    )
    expected = "a released edition that never changes"
    also = (Span(path.as_posix()), "the released edition")
    at = ruleset.place("header", "edition")
    fail(ctx, [Problem("R803", message, at, expected, hint, also=also)])


def _released(ctx: click.Context, path: Path) -> Snapshot:
    """A released edition that holds a ruleset; where it does not it is told, and this ends with 1.

    One that was made by hand may hold anything, and is not to be compared with.
    """
    from rulebook.commands.running import fail
    from rulebook.loading.snapshots import load_snapshot, read_snapshot

    snapshot, problems = read_snapshot(path)
    loaded = load_snapshot(path)
    if snapshot is None or loaded.ruleset is None:
        fail(ctx, problems or loaded.report)
    return snapshot


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
    from rulebook.commands.running import fail
    from rulebook.loading.releases import find_releases
    from rulebook.loading.revision_notes import edition_before
    from rulebook.publications.release import NotWhole, notes_of, refusals, revised, stub

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
        fail(ctx, [Problem("R805", f"edition {after} was not released", at, expected=listed)])
    before = _released(ctx, releases[after])
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
    click.echo(format_report(Report(refused)), err=True)
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
    return Problem(
        "R805",
        f"edition {last} is withdrawn, and nothing says what comes before edition {edition}",
        notes.place("editions", edition),
        expected=f'after: "{after}", whose owners are told what changed, or after: "{last}"',
        hint=f"write it below \"{edition}\" under 'editions'",
    )


def _nothing_before(edition: str, notes: _Notes) -> Problem:
    return Problem(
        "R805",
        f"changes are told of edition {edition}, and none was released before it",
        notes.place("editions", edition, "changes"),
        expected="changes since an edition that was released",
        hint="release the edition before first, or delete the changes",
    )
