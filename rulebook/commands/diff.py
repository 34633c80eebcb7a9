"""`rulebook diff`: two editions of a ruleset, or two rulesets -> what changed between them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from rulebook.commands.arguments import (
    choose_folders,
    choose_options,
    choose_rulesets,
    file_option,
    found,
    several_option,
)
from rulebook.commands.terminal import fail, terminal, write_file, wrong
from rulebook.documents.changes.describing import ChangeDescriber, compared
from rulebook.documents.impact.compose import impact_of
from rulebook.loading.editions import load_edition, read_history
from rulebook.loading.folder import (
    AT,
    SHEET_ENDING,
    find_releases,
    find_rulesets,
    folder_of,
    header_file,
    is_release,
)
from rulebook.model.revisions import EditionNotes
from rulebook.model.ruleset import Ruleset
from rulebook.problems import printable
from rulebook.translation import in_language


def _chosen(content: Path, name: str, old: str | None, new: str | None) -> tuple[Path, Path]:
    """Returns the old and the new edition that the arguments RULESET [OLD] [NEW] name.

    Each is the folder of a working copy or the file of a release. Raises click.UsageError.
    """
    if AT in name:
        (first,) = choose_rulesets(content, [name])
        if new is not None:
            raise wrong(f"'{name}' and two more", "one more: an edition or a ruleset")
        return first, _named(content, folder_of(first), old)
    (folder,) = choose_folders(content, [name])
    before = _named(content, folder, old) if old is not None else _last_released(folder)
    after = _named(content, folder, new)
    # Another ruleset beside the working copy is the new one of the two.
    return (after, before) if new is None and folder_of(before) != folder else (before, after)


def _last_released(folder: Path) -> Path:
    """Returns the file of the edition released last. Raises click.UsageError if there is none."""
    released = list(find_releases(folder).values())
    if not released:
        raise wrong(
            f"no edition of '{folder.name}' has been released",
            "an edition to compare the working copy with",
            f"run 'rulebook release {folder.name}', or name another ruleset",
        )
    return released[-1]


def _named(content: Path, folder: Path, name: str | None) -> Path:
    """Returns the file or folder that OLD or NEW names: an edition, or another ruleset.

    `folder` is that of this ruleset; its working copy is returned if there is no name. Raises
    click.UsageError.
    """
    if name is None and header_file(folder):
        return folder
    if name is None or AT in name or name.endswith(SHEET_ENDING):
        return choose_rulesets(content, [name or folder.name])[0]
    releases, rulesets = find_releases(folder), [path.name for path in find_rulesets(content)]
    called = found("edition or ruleset", name.rstrip("/"), [*releases, *rulesets])
    return releases.get(called) or choose_rulesets(content, [called])[0]


@click.command()
@click.argument("ruleset")
@click.argument("old", required=False, metavar="[OLD]")
@click.argument("new", required=False, metavar="[NEW]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "json", "html"]),
    default="text",
    help="For the terminal, Markdown, for programs, or a page.  [default: text]",
)
@several_option(
    *("--with", "options"),
    metavar="OPTION",
    help="The ruleset as it is beside itself with this optional rule, as often as wanted.",
)
@click.option("--impact", "with_impact", is_flag=True, help="Also what the changes do in play.")
@file_option("Where to write.  [default: standard output]", default="-")
@click.pass_context
def diff(
    ctx: click.Context,
    *,
    ruleset: str,
    old: str | None,
    new: str | None,
    form: str,
    options: tuple[str, ...],
    with_impact: bool,
    out: Path,
) -> None:
    """Tell what changed between two editions of a ruleset, by name and never by place.

    OLD and NEW are released editions, or other rulesets. Without NEW the working copy is the new
    one, without OLD the edition released last is the old one.

    \b
    rulebook diff mygame                 since the last release
    rulebook diff mygame 1.0             since 1.0
    rulebook diff mygame 1.0 2.0 --format html -o changes.html
    rulebook diff mygame my-variant      another ruleset beside this one
    rulebook diff mygame --with rain     what an option changes in it

    It ends with 0 whether or not anything changed, with 1 where content has faults.

    The chapter on editions of the manual describes the JSON: rulebook help json_of_diff.
    """
    content = ctx.obj["content"]
    if options and old is not None:
        raise wrong(
            f"--with and another edition, '{printable(old)}'",
            "one or the other",
            "with --with a ruleset is compared with itself, without the options and with them",
        )
    if options:
        (path,) = choose_rulesets(content, [ruleset])
        sources, chosen = (path, path), choose_options(path, options)
    else:
        sources, chosen = _chosen(content, ruleset, old, new), ()
    before, after = _read(ctx, sources[0]), _read(ctx, sources[1], chosen)
    of_one = folder_of(sources[0]) == folder_of(sources[1]) and not chosen
    notes = _notes(ctx, folder_of(sources[1]), before, after) if of_one else ()
    describer = compared(before, after, notes)
    with in_language(describer.ruleset.header.language):
        text = _written(ctx, describer, sources, form, with_impact=with_impact)
    write_file(ctx, out, text.encode())


def _read(ctx: click.Context, source: Path, options: Sequence[str] = ()) -> Ruleset:
    loaded = load_edition(source, options)
    if loaded.ruleset is None:
        fail(ctx, loaded.report)
    return loaded.ruleset


def _notes(ctx: click.Context, folder: Path, old: Ruleset, new: Ruleset) -> list[EditionNotes]:
    """Returns the author's notes on each edition after the old up to the new one, oldest first.

    Returns none if no chain of editions leads from the new one back to the old one. If the notes
    have faults, prints these and exits with status 1.
    """
    history = read_history(folder)
    if history.revisions is None:
        fail(ctx, history.problems)
    notes: list[EditionNotes] = []
    seen: set[str] = set()
    edition: str | None = new.header.edition
    while edition is not None and edition != old.header.edition and edition not in seen:
        seen.add(edition)
        notes += filter(None, [history.notes(edition)])
        edition = history.before(edition)
    return notes[::-1] if edition == old.header.edition else []


def _written(
    ctx: click.Context,
    describer: ChangeDescriber,
    sources: tuple[Path, Path],
    form: str,
    *,
    with_impact: bool,
) -> str:
    """Returns the text of the changes in one of the forms: "text", "md", "html" or "json".

    `sources` are the old and the new edition; `with_impact` adds what the changes affect.
    """
    from rulebook.documents.changes import diff as changes

    old, new = (not is_release(source) for source in sources)
    made = describer.described()
    made = replace(made, old=replace(made.old, working=old), new=replace(made.new, working=new))
    impact = None
    if with_impact:
        impact = impact_of(describer.former, describer.ruleset, describer.comparison)
    if form == "json":
        plain = changes.diff_json(made, describer, impact)
        return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
    header, templates = describer.ruleset.header, ctx.obj["templates"]
    view = changes.diff_view(made, impact, header.language)
    if form == "md":
        return changes.diff_markdown(view, templates)
    if form == "html":
        return changes.diff_page(view, templates, header.accent)
    return changes.diff_text(view, templates, width=terminal().width)
