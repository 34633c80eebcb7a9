"""`rulebook release`: the working copy of a ruleset -> an edition that never changes again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.problems import Problem, Report, Span, format_report

if TYPE_CHECKING:
    from rulebook.loading.snapshots import Snapshot
    from rulebook.model.ruleset import Ruleset


@click.command()
@click.argument("ruleset")
@click.pass_context
def release(ctx: click.Context, ruleset: str) -> None:
    """Freeze the edition that ruleset.yaml names.

    The edition is checked, compared with the one before it, and written to releases/ in the
    ruleset's folder. Each change of a rule since then needs an entry in revisions.yaml that says
    how grave it is and why it was made; where entries are lacking, they are printed to be filled
    in, and nothing is released.
    """
    from rulebook.build.publish import write_whole
    from rulebook.commands.choosing import choose_rulesets
    from rulebook.commands.running import fail
    from rulebook.loading.editions import is_release
    from rulebook.loading.releases import release_path
    from rulebook.loading.snapshots import Snapshot
    from rulebook.model.plain import frozen_ruleset

    (folder,) = choose_rulesets(ctx.obj["content"], [ruleset])
    if is_release(folder):
        raise click.UsageError(f"'{ruleset}' is released already")
    loaded = _checked(ctx, folder)
    edition = loaded.header.edition
    snapshot = Snapshot(folder.name, edition, frozen_ruleset(loaded))
    path = release_path(folder, edition)
    if path.exists():
        _expect_same(ctx, path, snapshot)
        click.echo(f"{folder.name} {edition} is released already, as it stands")
        return
    _expect_classed(ctx, folder, snapshot)
    try:
        write_whole(path, snapshot.text().encode())
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        fail(ctx, [Problem("R702", f"{path.as_posix()} cannot be written: {why}")])
    click.echo(f"released {folder.name} {edition}: {path.as_posix()}")
    click.echo(f"sha256 {snapshot.sha256}")


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


def _expect_same(ctx: click.Context, path: Path, snapshot: Snapshot) -> None:
    from rulebook.commands.running import fail
    from rulebook.loading.snapshots import read_snapshot
    from rulebook.revisions.comparison import compare

    released, problems = read_snapshot(path)
    if released is None:
        fail(ctx, problems)
    if released.sha256 == snapshot.sha256:
        return
    changes = compare(released.content, snapshot.content).changes
    number = f"{len(changes)} change{'s' if len(changes) > 1 else ''}" if changes else "line ends"
    fail(
        ctx,
        [
            Problem(
                "R803",
                f"edition {snapshot.edition} was released already, and {number} differ",
                Span(path.as_posix()),
                expected="an edition that never changes",
                hint="give the ruleset the number of a new edition in ruleset.yaml, "
                f"or see 'rulebook diff {snapshot.ruleset} {snapshot.edition}'",
            )
        ],
    )


def _expect_classed(ctx: click.Context, folder: Path, snapshot: Snapshot) -> None:
    """Tell what keeps the edition from being released, and print the stub to be filled in."""
    from rulebook.commands.running import fail
    from rulebook.loading.releases import edition_before, find_releases
    from rulebook.loading.revision_notes import REVISIONS_FILE, read_revisions
    from rulebook.loading.snapshots import read_snapshot
    from rulebook.publications.release import notes_of, refusals, revised, stub

    revisions, places, problems = read_revisions(folder)
    if revisions is None:
        fail(ctx, problems)
    notes = notes_of(revisions, snapshot.edition)
    after = (notes.after if notes else None) or edition_before(folder, snapshot.edition)
    releases = find_releases(folder)
    file = (folder / REVISIONS_FILE).as_posix()
    if after is None:
        return
    if after not in releases:
        at = places.get(("editions", snapshot.edition, "after"), Span(file))
        listed = ", ".join(releases) or "no edition has been"
        fail(ctx, [Problem("R805", f"edition {after} was not released", at, expected=listed)])
    before, problems = read_snapshot(releases[after])
    if before is None:
        fail(ctx, problems)
    revision = revised(before.content, snapshot.content, notes)
    refused = list(refusals(revision, snapshot.edition, file, places))
    if refused:
        click.echo(format_report(Report(refused)), err=True)
        if revision.classing.unclassed:
            click.echo(stub(revision.classing.unclassed, snapshot.edition, after))
        ctx.exit(1)
