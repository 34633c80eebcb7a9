"""`rulebook release`: the working copy of a ruleset -> an edition that never changes again."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import click

from rulebook.build import publish
from rulebook.build.building import build_rulesets
from rulebook.build.plan import BuildRequest
from rulebook.build.report import Reporter, counted
from rulebook.build.run import fault_of_program
from rulebook.checking.all_checks import check
from rulebook.commands.arguments import choose_rulesets, output_option
from rulebook.commands.schema import ENDING, FOLDER
from rulebook.commands.terminal import fail, tell
from rulebook.loading.editions import EditionHistory, read_history
from rulebook.loading.folder import AT, header_file, is_release, release_path, strays
from rulebook.loading.rulesets import load
from rulebook.loading.snapshots import Snapshot, load_snapshot, read_snapshot
from rulebook.model.plain_data import frozen_ruleset
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem, Report, Span
from rulebook.revisions.changes import by_thing
from rulebook.revisions.comparison import Comparison, compare
from rulebook.revisions.revised import gone_and_new, refusals, revised, stub


@click.command()
@click.argument("ruleset")
@output_option("Where to print it.")
@click.pass_context
def release(ctx: click.Context, *, ruleset: str, out: Path) -> None:
    """Freeze the edition that ruleset.yaml names.

    The edition is checked, compared with the one before it, and written to releases/ in the
    ruleset's folder. Each change of a rule since then needs an entry in revisions.yaml that says
    how grave it is and why it was made; where entries are lacking, they are printed to be filled
    in, and nothing is released. What went and what came is listed: a thing that only has another
    id says so itself, with 'was: old_id'.

    The edition is printed as 'rulebook build' does it, and nothing is released that cannot be
    printed.

    A released edition never changes. One that is faulty is withdrawn in revisions.yaml:

    \b
      withdrawn:
        "1.1": {date: 2010-08-01, reason: The cone is drawn too short.}
    """
    (folder,) = choose_rulesets(ctx.obj["content"], [ruleset])
    if is_release(folder):
        raise click.UsageError(f"'{ruleset}' is released already")
    loaded = _checked(ctx, folder)
    edition = loaded.header.edition
    snapshot = Snapshot(folder.name, edition, frozen_ruleset(loaded))
    path = release_path(folder, edition)
    history = read_history(folder)
    if faults := [*history.problems, *history.withdrawal_faults()]:
        fail(ctx, faults)
    if path.parent.is_symlink():
        fail(ctx, list(strays(folder)))
    if _is_taken(path):
        _tell_same(ctx, path, snapshot, loaded)
        return
    _expect_classed(ctx, snapshot, history, loaded.places)
    _expect_readable(ctx, snapshot, path)
    try:
        publish.sweep([path.parent])
        publish.write_once(path, snapshot.text().encode())
    except OSError as error:
        if _is_taken(path):  # released by another meanwhile
            _tell_same(ctx, path, snapshot, loaded)
            return
        fail(ctx, [replace(publish.unwritten(path, error), hint="")])
    _expect_printed(ctx, folder, path, out)
    click.echo(f"released {folder.name} {edition}: {path.as_posix()}")
    click.echo(f"sha256 {snapshot.sha256}")
    header = header_file(folder) or path
    click.echo(f"give {header.name} the number of the next edition before you change anything")
    base = loaded.header.based_on
    if base is not None and AT not in base:
        click.echo(f"it names no edition of {base}, so no bars tell what differs from that")
    own = history.notes(edition)
    if loaded.header.date is None and not (own and own.released):
        click.echo("it has no date, so no feed tells of it; you can say the day of its release")
        click.echo(f"in {history.file}, below \"{edition}\" under 'editions':\n")
        click.echo("    released: 2010-07-16")


def _checked(ctx: click.Context, folder: Path) -> Ruleset:
    """Loads and checks the ruleset in a folder; if it has faults, prints them and exits with 1."""
    loaded = load(folder)
    report = Report(list(loaded.report.problems))
    if loaded.ruleset is not None:
        report.extend(check(loaded.ruleset))
    if loaded.ruleset is None or not report.ok:
        fail(ctx, report)
    return loaded.ruleset


def _expect_readable(ctx: click.Context, snapshot: Snapshot, path: Path) -> None:
    """Exits with status 1 if a release could not be read back, since it could never be mended.

    `path` is where the snapshot would be written.
    """
    loaded = load_snapshot(path, unwritten=snapshot)
    if loaded.ruleset is None or not loaded.report.ok:
        found = loaded.report.errors[0].message
        fault = AssertionError(f"what was to be released cannot be read: {found}")
        fail(ctx, [fault_of_program(fault)])


def _expect_printed(ctx: click.Context, folder: Path, path: Path, out: Path) -> None:
    """Prints an edition that was just released, with the file `path`, into the folder `out`.

    If not all of it can be printed, or if it is interrupted, removes the release again; in the
    former case exits with status 1.
    """
    request = BuildRequest((folder,), ctx.obj["templates"].resolve(), out, cache=ctx.obj["cache"])
    printed = False
    try:
        with closing(Reporter(verbosity=ctx.obj["verbosity"], out=out)) as reporter:
            printed = build_rulesets(request, reporter).ok
    finally:
        if not printed:
            path.unlink(missing_ok=True)
            with suppress(OSError):
                path.parent.rmdir()
    if not printed:
        # What was written says that it was released.
        build_rulesets(replace(request, targets=frozenset()))
        said = f"{folder.name} {path.stem} is not released: not all of it could be printed"
        click.echo(said, err=True)
        ctx.exit(1)


def _is_taken(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _tell_same(ctx: click.Context, path: Path, snapshot: Snapshot, ruleset: Ruleset) -> None:
    """Prints that the edition is released already; if the content differs, prints a fault instead.

    In that case exits with status 1. `path` is the file of the existing release, `snapshot` the
    content that was to be released.
    """
    released = _released(ctx, path)
    if released.sha256 == snapshot.sha256:
        click.echo(f"{snapshot.ruleset} {snapshot.edition} is released already, as it stands")
        return
    things = by_thing(compare(released.content, snapshot.content).own)
    number = counted(len(things), "thing")
    different = f"{number} changed" if things else "other spaces or line ends"
    edition = snapshot.edition
    problem = Problem(
        "R803",
        f"edition {edition} was released already with other content: {different}",
        ruleset.place("header", "edition"),
        expected="the number of an edition that was not released yet",
        hint=f"see 'rulebook diff {snapshot.ruleset} {edition}'",
        also=(Span(path.as_posix()), "the released edition"),
    )
    fail(ctx, [problem])


def _released(ctx: click.Context, path: Path) -> Snapshot:
    """Reads the file of a released edition and returns its snapshot.

    If the file holds no valid ruleset, prints what is wrong and exits with status 1.
    """
    snapshot, problems = read_snapshot(path)
    loaded = load_snapshot(path)
    if snapshot is None or loaded.ruleset is None:
        fail(ctx, problems or loaded.report)
    return snapshot


def _tell_gone_and_new(comparison: Comparison, after: str) -> None:
    """Prints the ids that are gone or new since edition `after`, and how to state a renaming."""
    found = list(gone_and_new(comparison))
    for place, gone, new in found:
        went, came = ", ".join(gone), ", ".join(new)
        click.echo(f"since {after}, {place}: gone are {went}; new are {came}", err=True)
    if found:
        (_, (old, *_), (new_id, *_)), *_ = found
        click.echo(f"if '{new_id}' is '{old}' under another id, write below it:\n", err=True)
        click.echo(f"    was: {old}\n", err=True)


def _expect_classed(
    ctx: click.Context, snapshot: Snapshot, history: EditionHistory, content: Mapping[Address, Span]
) -> None:
    """Exits with status 1 unless every change since the edition before has a class in the notes.

    Prints the faults and, for changes without a class, notes to be filled in. `content` has the
    source positions of the ruleset's parts by address.
    """
    edition, releases = snapshot.edition, history.releases
    own, after = history.notes(edition), history.before(edition)

    def fault(message: str, expected: str, *part: str) -> Problem:
        return Problem("R805", message, history.place("editions", edition, *part), expected)

    if after is None:
        if own and own.changes:
            message = f"changes are noted of edition {edition}, and none was released before it"
            fail(ctx, [fault(message, "changes since a released edition", "changes")])
        return
    if after not in releases:
        expected = ", ".join(releases) or "no edition: nothing has been released"
        fail(ctx, [fault(f"edition {after} was not released", expected, "after")])
    before = _released(ctx, releases[after])
    revision = revised(before.content, snapshot.content, own)
    _tell_gone_and_new(revision.comparison, after)
    refused = list(refusals(revision, edition, history.file, history.places, content))
    last = replace(history, revisions=None).before(edition)
    if last != after and (own.after is None if own else not revision.unclassed):
        # Which edition is before another is settled for ever when it is released.
        message = f"edition {last} is withdrawn, and nothing says what comes before {edition}"
        expected = f'after: "{after}", whose owners read what changed, or after: "{last}"'
        refused.append(fault(message, expected))
    if not refused:
        return
    tell(refused)
    if revision.unclassed and history.revisions:
        where, lines = stub(revision.unclassed, edition, after, history.revisions)
        click.echo(f"\nto be filled in, and put into {history.file} {where}:\n", err=True)
        # The first line of the notes leads an editor to what may stand in them.
        schema = f"# yaml-language-server: $schema=../{FOLDER}/revisions{ENDING}\n"
        click.echo(lines if history.places else f"{schema}{lines}")
    ctx.exit(1)
