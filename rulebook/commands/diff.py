"""`rulebook diff`: two editions of a ruleset, or two rulesets -> what changed between them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.choosing_rulesets import choose_options, choose_rulesets
from rulebook.commands.columns import terminal
from rulebook.commands.faults import fail, unknown, write_file, wrong
from rulebook.problems import printable

if TYPE_CHECKING:
    from rulebook.documents.changes.summary import Telling
    from rulebook.documents.impact.views import Impact
    from rulebook.documents.marks.change_words import ToldChanges
    from rulebook.model.revisions import EditionNotes
    from rulebook.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Source:
    """The folder of a working copy, or the file of a released edition, with options in force."""

    path: Path
    folder: Path
    working: bool
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """The two that are compared."""

    old: Source
    new: Source


def chosen(
    content: Path, name: str, old: str | None, new: str | None, options: Sequence[str] = ()
) -> Pair:
    """RULESET [OLD] [NEW], options -> the two. Raises click.UsageError, which tells the choices."""
    from rulebook.loading.releases import AT, find_releases

    if options:
        return _with_options(content, name, old, options)
    if AT in name:
        first = _source(choose_rulesets(content, [name])[0])
        if old is None:
            return Pair(first, _working(content, first.folder.name))
        if new is None:
            return Pair(first, _named(content, first.folder, old))
        raise wrong(f"'{name}' and two more", "one more: an edition or a ruleset")
    folder = _folder(content, name)
    if old is None:
        released = list(find_releases(folder).values())
        if not released:
            raise wrong(
                f"no edition of '{folder.name}' has been released",
                "an edition to compare the working copy with",
                f"run 'rulebook release {folder.name}', or name another ruleset",
            )
        return Pair(_source(released[-1]), _working(content, folder.name))
    before = _named(content, folder, old)
    if new is not None:
        return Pair(before, _named(content, folder, new))
    if before.folder != folder:
        return Pair(_working(content, folder.name), before)
    return Pair(before, _working(content, folder.name))


def _with_options(content: Path, name: str, old: str | None, options: Sequence[str]) -> Pair:
    """An edition as it is, and with some options in force."""

    if old is not None:
        raise wrong(
            f"--with and another edition, '{printable(old)}'",
            "one or the other",
            "with --with a ruleset is compared with itself, without the options and with them",
        )
    plain = _source(choose_rulesets(content, [name])[0])
    return Pair(plain, replace(plain, options=choose_options(plain.path, options)))


def _folder(content: Path, name: str) -> Path:
    """The folder of a ruleset, which may hold released editions only. Raises click.UsageError."""
    from rulebook.loading.releases import with_releases

    wanted = name.rstrip("/").replace("_", "-")
    for folder in with_releases(content) if content.is_dir() else ():
        if folder.name.replace("_", "-") == wanted:
            return folder
    return choose_rulesets(content, [name])[0]


def _working(content: Path, name: str) -> Source:

    (folder,) = choose_rulesets(content, [name])
    return Source(folder, folder, working=True)


def _source(path: Path) -> Source:
    from rulebook.loading.releases import is_release

    if is_release(path):
        return Source(path, path.parent.parent, working=False)
    return Source(path, path, working=True)


def _named(content: Path, folder: Path, name: str) -> Source:
    """An edition of a ruleset, or another ruleset. Raises click.UsageError."""
    from rulebook.loading.folder import find_rulesets
    from rulebook.loading.releases import AT, find_releases

    releases = find_releases(folder)
    if name in releases:
        return _source(releases[name])
    others = {one.name: one for one in find_rulesets(content)}
    known = name.split(AT, maxsplit=1)[0].rstrip("/").replace("_", "-")
    if known in {one.replace("_", "-") for one in others} or AT in name:
        return _source(choose_rulesets(content, [name])[0])
    raise click.UsageError(unknown("edition or ruleset", name, [*releases, *others]))


HELP = """Tell what changed between two editions of a ruleset, by name and never by place.

OLD and NEW are released editions, or other rulesets. Without NEW the working copy is the new
one, without OLD the edition released last is the old one.

\b
rulebook diff mygame                 since the last release
rulebook diff mygame 1.0             since 1.0
rulebook diff mygame 1.0 2.0 --format html -o changes.html
rulebook diff mygame my-variant      another ruleset beside this one
rulebook diff mygame --with rain     what an option changes in it

It ends with 0 whether or not anything changed, with 1 where content has faults.

\b
The JSON form is stable; "format" counts up if a name in it goes or changes:
  {"format": 1,
   "old": {"ruleset", "title", "edition", "date", "working", "options"},
   "new": {"ruleset", "title", "edition", "date", "working", "options"},
   "summary",
   "counts": {"rule change", "correction", "clarification", "editorial"},
   "changes": [{"path", "kind", "where", "before", "after", "old", "new",
     "thing", "id", "title", "rule", "chapter",
     "class", "revision", "why", "follows"}]}

There is an entry for each change. `path` are the keys that lead to it, as the new edition calls
its parts; what has no name of its own is called by what it says. `kind` is added, removed,
changed, renamed (the keys are before and after), moved (`new` are the keys of parts that stand
elsewhere) or reworded. `before` and `after` are as printed, `old` and `new` as they are kept;
null where an edition has nothing there. `thing` is the sort of thing it is a change of, `rule`
and `chapter` are those of the new edition, or of the old one if the new has it no longer.
`class` is rule change, correction, clarification, editorial, or null for one that has none
yet, or that follows from the value or name in `follows`. `counts` are of revisions, which hold
several changes each.

\b
With --impact there is as well
  {"impact": {"old", "new",
     "procedures": [{"id", "title", "state", "told", "was",
       "reasons": [{"kind", "id", "title", "told"}],
       "differences": [{"told", "inputs",
         "given": [{"name", "before", "after"}],
         "result", "result_title", "asked", "measure", "outcome",
         "before", "after", "exact_before", "exact_after"}],
       "compared", "differing", "usual", "notes"}],
     "options": [{"id", "title", "state", "procedures"}],
     "cutouts": [{"id", "title", "state", "told", "was",
       "parameters": [{"name", "before", "after"}]}]}}

The largest difference is first. `compared` and `differing` are numbers of sets of inputs, `given`
the inputs as `rulebook odds` takes them, exact odds are "n/d"; `options` are those that are new or
that changed, each with its procedures in the same form.
"""


@click.command(help=HELP)
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
@click.option(
    "--with",
    "options",
    multiple=True,
    metavar="OPTION",
    help="The ruleset as it is beside itself with this optional rule, as often as wanted.",
)
@click.option("--impact", "with_impact", is_flag=True, help="Also what the changes do in play.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    default="-",
    metavar="FILE",
    help="Where to write.  [default: standard output]",
)
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
    """Tell what changed; `HELP` is what a user is told of it."""
    from rulebook.build.jobs import fault_of_program
    from rulebook.revisions.release import NotWhole, expect_whole

    pair = chosen(ctx.obj["content"], ruleset, old, new, options)
    telling = _compared(ctx, pair)
    told = telling.told()
    told = replace(
        told,
        old=replace(told.old, working=pair.old.working),
        new=replace(told.new, working=pair.new.working),
    )
    impact = _impact(telling) if with_impact else None
    colours = form == "text" and out == Path("-") and _shows_colours()
    text = _written(ctx, form, telling, told, impact, colours=colours)
    write_file(ctx, out, text.encode())
    try:
        expect_whole(telling.revised.comparison)
    except NotWhole as fault:
        fail(ctx, [fault_of_program(fault)])


def _compared(ctx: click.Context, pair: Pair) -> Telling:
    """Both read; faults are told, and this ends with 1."""
    from rulebook.documents.changes.compared import compared

    old, new = (_read(ctx, one) for one in (pair.old, pair.new))
    return compared(old, new, _notes(ctx, pair, old, new))


def _read(ctx: click.Context, source: Source) -> Ruleset:
    from rulebook.loading.editions import load_edition

    loaded = load_edition(source.path, source.options)
    if loaded.ruleset is None:
        fail(ctx, loaded.report)
    return loaded.ruleset


def _notes(ctx: click.Context, pair: Pair, old: Ruleset, new: Ruleset) -> list[EditionNotes]:
    """What the author says of each edition from the old to the new one, the oldest first."""
    from rulebook.loading.revision_notes import edition_before, read_revisions
    from rulebook.revisions.release import notes_of

    if pair.old.folder != pair.new.folder or pair.new.options:
        return []
    revisions, _, problems = read_revisions(pair.new.folder)
    if revisions is None:
        fail(ctx, problems)
    found: list[EditionNotes] = []
    seen: set[str] = set()
    edition: str | None = new.header.edition
    while edition is not None and edition != old.header.edition and edition not in seen:
        seen.add(edition)
        notes = notes_of(revisions, edition)
        found += [notes] if notes else []
        edition = edition_before(pair.new.folder, edition, revisions)
    return found[::-1] if edition == old.header.edition else []


def _impact(telling: Telling) -> Impact:
    from rulebook.documents.impact.compose import impact_of

    return impact_of(telling.old, telling.new, telling.revised.comparison)


def _written(
    ctx: click.Context,
    form: str,
    telling: Telling,
    told: ToldChanges,
    impact: Impact | None,
    *,
    colours: bool,
) -> str:
    """The changes in one of the forms, with a line end."""
    if form == "json":
        return _as_json(telling, told, impact)
    if form == "md":
        from rulebook.documents.changes.markdown import change_markdown
        from rulebook.documents.impact.text import impact_markdown

        return change_markdown(told) + (f"\n{impact_markdown(impact)}" if impact else "")
    if form == "html":
        from rulebook.documents.changes.page import changes_view
        from rulebook.documents.changes.screen import changes_page

        header = telling.new.header
        view = changes_view(told, header.language, impact)
        return changes_page(view, header.accent, ctx.obj["templates"])
    return "\n".join(_lines(told, impact, colours=colours)) + "\n"


def _as_json(telling: Telling, told: ToldChanges, impact: Impact | None) -> str:
    from rulebook.documents.changes.json import change_json
    from rulebook.documents.impact.text import impact_json

    found = change_json(telling, told)
    if impact is not None:
        found["impact"] = impact_json(impact)
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _lines(told: ToldChanges, impact: Impact | None, *, colours: bool) -> Iterator[str]:
    from rulebook.documents.changes.text import Terminal, change_lines
    from rulebook.documents.impact.text import impact_lines

    yield from change_lines(told, Terminal(terminal().width, colours))
    if impact is not None:
        yield ""
        yield from impact_lines(impact, terminal().width)


def _shows_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
