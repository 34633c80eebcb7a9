"""All changes in the words of a reader (`change_words`) -> what `rulebook diff` writes of them.

Text for a terminal, Markdown and a page for a screen are templates over one view, so that all
three say the same. JSON, for programs, has an entry for each change: nothing is gathered there and
nothing left out. Its form is a contract, which the help of `rulebook diff` describes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from rulebook.documents.changes.summary import ChangeDescriber
from rulebook.documents.impact.views import Impact
from rulebook.documents.marks import change_words
from rulebook.documents.marks.change_places import THINGS, title_of
from rulebook.frozen_view import canonical
from rulebook.model.axes import humanise
from rulebook.model.revisions import CLASSES, EDITORIAL
from rulebook.quantities import join_words
from rulebook.revisions.changes import Added, Change, Changed, Ordered, Removed, Renamed
from rulebook.revisions.classes import OF_EDITION, depth_of
from rulebook.revisions.keyed import unkeyed
from rulebook.translation import gettext, gettext_noop, ngettext
from rulebook.typeset.environment import render_template, screen_styles

ARROW = "→"
#: The format of the JSON: it counts up whenever a name in it goes, or means something else.
FORMAT = 1
STYLES = ("tables", "matter", "changes")
#: Things that are named with what they are, since a title alone does not say it.
_NOUNS: Mapping[change_words.Thing, str] = {
    "table": gettext_noop("table"),
    "modifiers": gettext_noop("table"),
    "procedure": gettext_noop("steps"),
    "example": gettext_noop("example"),
    "phase": gettext_noop("quick reference"),
    "unit": gettext_noop("unit"),
    "cards": gettext_noop("cards"),
    "cutout": gettext_noop("cutout"),
    "figure": gettext_noop("figure"),
    "term": gettext_noop("glossary"),
    "option": gettext_noop("option"),
    "chapter": gettext_noop("chapter"),
}
_STATES = {
    "added": gettext_noop("%(name)s, new"),
    "removed": gettext_noop("%(name)s, gone"),
    "moved": gettext_noop("%(name)s, moved"),
}


@dataclass(frozen=True, slots=True)
class DiffThing:
    """A thing by its name, with all differences in it.

    `parts` are the differences one by one, `beside` those of them that none of its `tables` shows.
    `rows` are the rows of its tables in words, where its parts do not tell them. `also` is what
    follows elsewhere, by the name of what it follows in.
    """

    name: str
    kind: str
    parts: tuple[change_words.PartChange, ...]
    beside: tuple[change_words.PartChange, ...]
    rows: tuple[str, ...]
    tables: tuple[change_words.ChangedTable, ...]
    also: tuple[tuple[str, change_words.Consequence], ...]


@dataclass(frozen=True, slots=True)
class DiffGroup:
    """Changes under one heading: what an author says of them, and the things that they are of."""

    number: str
    title: str
    why: str
    things: tuple[DiffThing, ...]


@dataclass(frozen=True, slots=True)
class DiffClass:
    """A part of the list: all changes of one class, or those that have none."""

    title: str
    groups: tuple[DiffGroup, ...]


@dataclass(frozen=True, slots=True)
class DiffView:
    """All changes from one edition to another, and what they do in play, if that is asked."""

    language: str
    heading: str
    summed: str
    summary: str
    classes: tuple[DiffClass, ...]
    impact: Impact | None


def diff_view(
    told: change_words.DescribedChanges, impact: Impact | None = None, language: str = "en"
) -> DiffView:
    """The view of all changes; `language` is that of the new edition."""
    classes = tuple(_classes(told))
    return DiffView(language, _heading(told), summed(told), told.summary, classes, impact)


def _classes(told: change_words.DescribedChanges) -> Iterator[DiffClass]:
    """The changes by class, the gravest first; those that nobody has classed before all others."""
    if told.unclassed:
        title = gettext("Changes of the rules")
        if told.revised:
            title = gettext("Changes of the rules without a class")
        yield DiffClass(title, _groups(told.unclassed))
    editorial = _groups(told.editorial)
    for class_, number in told.counts().items():
        if number:
            groups = tuple(
                DiffGroup(one.standing.rule, one.title, one.why, tuple(map(_thing, one.things)))
                for one in told.of_class(class_)
            )
            more = editorial if class_ == EDITORIAL else ()
            yield DiffClass(CLASSES[class_].name(2).capitalize(), groups + more)
    if editorial and not told.counts()[EDITORIAL]:
        title = gettext("Told otherwise")
        if told.revised:
            title = CLASSES[EDITORIAL].name(2).capitalize()
        yield DiffClass(title, editorial)


def _groups(things: Sequence[change_words.ThingChange]) -> tuple[DiffGroup, ...]:
    """Each thing by itself, but those of which only the source is another together."""
    told = [one for one in things if not one.parts or _parts(one)]
    groups = [DiffGroup("", "", "", (_thing(one),)) for one in told]
    rest = len(things) - len(told)
    if rest:
        what = ngettext(
            "Another source is noted of one thing.",
            "Another source is noted of %(number)s things.",
            rest,
        )
        groups.append(DiffGroup("", what, "", ()))
    return tuple(groups)


def _heading(told: change_words.DescribedChanges) -> str:
    """My Game, 1.0 (17 June 2024) → 2.0 (16 July 2025, working copy)."""
    old, new = told.old, told.new
    titled = "" if old.ruleset == new.ruleset else f"{new.title}, "
    return f"{old.title}, {_edition(old)} {ARROW} {titled}{_edition(new)}"


def _edition(side: change_words.ComparedEdition) -> str:
    beside = [side.date] if side.date else []
    beside += [gettext("working copy")] if side.working else []
    if side.options:
        beside.append(gettext("with %(options)s", options=join_words(side.options, "and")))
    return f"{side.edition} ({', '.join(beside)})" if beside else side.edition


def summed(told: change_words.DescribedChanges) -> str:
    """17 rule changes, 3 clarifications and 3 editorial changes."""
    counts = {class_: number for class_, number in told.counts().items() if number}
    words = [f"{number} {CLASSES[class_].name(number)}" for class_, number in counts.items()]
    if told.unclassed:
        number = len(told.unclassed)
        words.append(
            ngettext(
                "%(number)s thing changed without a class",
                "%(number)s things changed without a class",
                number,
            )
            if told.revised
            else ngettext("%(number)s thing changed", "%(number)s things changed", number)
        )
    if told.editorial and EDITORIAL not in counts:
        number = len(told.editorial)
        words.append(
            ngettext("%(number)s thing told otherwise", "%(number)s things told otherwise", number)
        )
    return join_words(words, "and") if words else gettext("Nothing changed.")


def _thing(thing: change_words.ThingChange) -> DiffThing:
    """A thing by its name: 4.1 Ranges (table), new."""
    name = _named(thing.standing.rule, thing.title, thing.thing)
    if thing.kind == "renamed":
        name = gettext("%(name)s, whose id was %(was)s", name=name, was=thing.was)
    elif thing.kind in _STATES:
        name = gettext(_STATES[thing.kind], name=name)
    parts = _parts(thing)
    whole = thing.kind in ("added", "removed") or len(thing.tables) > 1
    return DiffThing(
        name=name,
        kind=thing.kind,
        parts=parts,
        beside=tuple(part for part in parts if not _is_in_table(part, thing)),
        rows=tuple(row for table in thing.tables if whole for row in _rows_of(table)),
        tables=thing.tables,
        also=tuple((_also_in(one), one) for one in thing.also),
    )


def _named(number: str, title: str, thing: change_words.Thing) -> str:
    noun = f" ({gettext(_NOUNS[thing])})" if thing in _NOUNS else ""
    return (f"{number} " if number else "") + title + noun


def _parts(thing: change_words.ThingChange) -> tuple[change_words.PartChange, ...]:
    """The differences in a thing but for its source, which is no matter of play or print."""
    return tuple(part for part in thing.parts if part.path[-1] != "source")


def _also_in(one: change_words.Consequence) -> str:
    """Where something else reads differently because of a change."""
    number = one.standing.rule if one.thing == "section" else ""
    return ", ".join(filter(None, (_named(number, one.title, one.thing), one.change.where)))


def _is_in_table(part: change_words.PartChange, thing: change_words.ThingChange) -> bool:
    """Whether a cell, a row or a column stands in a table that is printed as well."""
    inside = part.path[3:]
    noted = inside[2:3] in {("title",), ("note",), ("source",), ("status",)}
    in_table = len(inside) <= 3 and change_words.is_of_table(part) and not noted
    return bool(thing.tables) and in_table and part.kind != "renamed"


def _rows_of(table: change_words.ChangedTable) -> Iterator[str]:
    """The rows of a table that only one edition has, in words: + Guard: Move 8″, Men 24."""
    sign = "- " if all(row.kind == "removed" for row in table.rows) else "+ "
    heads = [cell.text for cell in table.head[-1]] if table.head else []
    for labels, row in table.labelled:
        cells = [cell.after if cell.after is not None else cell.before or "" for cell in row.cells]
        named = (
            f"{head} {text}" if head else text
            for head, text in zip(heads or [""] * len(cells), cells, strict=False)
        )
        yield sign + ": ".join(filter(None, (", ".join(labels), ", ".join(named))))


def _marked(text: str, start: str, end: str, written: Callable[[str], str] = str) -> str:
    """Words, `written` as a form has them, between marks that touch them; spaces stand outside."""
    inner = text.strip()
    if not inner:
        return written(text)
    lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{lead}{start}{written(inner)}{end}{trail}"


_TEXT_MARKS = {"deleted": ("[-", "-]"), "inserted": ("{+", "+}")}


def diff_text(view: DiffView, templates: Path, *, width: int = 80) -> str:
    """Lines for a terminal of some columns.

    Words that went and came have marks: [-so-] and {+so+}.
    """
    columns = max(width, 40)

    def paragraph(text: str, indent: str = "", hanging: str = "  ") -> str:
        """Lines, those after the first set in further."""
        lines = wrap(
            " ".join(text.split()),
            columns,
            initial_indent=indent,
            subsequent_indent=indent + hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "".join(f"{one}\n" for one in lines)

    def runs(listed: Sequence[change_words.Run]) -> str:
        return "".join(
            _marked(run.text, *_TEXT_MARKS[run.kind]) if run.kind in _TEXT_MARKS else run.text
            for run in change_words.elided(listed)
        )

    functions = {"paragraph": paragraph, "runs": runs}
    return render_template("diff.txt.j2", view, templates, **functions).rstrip("\n") + "\n"


_MARKUP = re.compile(r"([\\`*_\[\]<>|~]|&(?=#?\w{1,40};))")
#: At the start of a line these begin a list or a heading.
_LEADING = re.compile(r"^([^\S\n]*+)([-+#>]|\d++[.)])(\s)", re.MULTILINE)
_MARKDOWN_MARKS = {"kept": "", **dict.fromkeys(("deleted", "removed"), "~~")}
_MARKDOWN_MARKS |= dict.fromkeys(("inserted", "added"), "**")


def diff_markdown(view: DiffView, templates: Path) -> str:
    """Markdown as a document of its own: ~~what went~~ and **what came**."""

    def mark(text: str, kind: str) -> str:
        sign = _MARKDOWN_MARKS[kind]
        return _marked(text, sign, sign, _escaped) if sign else _escaped(text)

    functions = {"escaped": _escaped, "mark": mark}
    return render_template("diff.md.j2", view, templates, **functions).rstrip() + "\n"


def _escaped(text: str) -> str:
    """Text that Markdown prints as it stands, in one line."""
    line = " ".join(_LEADING.sub(r"\1\\\2\3", _MARKUP.sub(r"\\\1", text)).split("\n"))
    return re.sub(r" ++", " ", line)


def diff_page(view: DiffView, templates: Path, accent: str) -> str:
    """One self-contained page for a screen, which prints well too, without colours as well."""
    css = screen_styles(STYLES, accent, templates)
    return render_template("diff.html.j2", view, templates, css=css)


def diff_json(
    describer: ChangeDescriber, told: change_words.DescribedChanges, impact: Impact | None = None
) -> dict[str, Any]:
    """The two that are compared, how many revisions there are of each class, and every change.

    With what the changes do in play, but for pictures, if that is asked.
    """
    plain: dict[str, Any] = {
        "format": FORMAT,
        "old": asdict(told.old),
        "new": asdict(told.new),
        "summary": told.summary,
        "counts": told.counts(),
        "changes": list(_entries(describer)),
    }
    if impact is not None:
        plain["impact"] = json.loads(canonical(impact))
        for cutout in plain["impact"]["cutouts"]:
            del cutout["svg"], cutout["width"]
    return plain


def _entries(describer: ChangeDescriber) -> Iterator[dict[str, Any]]:
    classed = {
        id(change): one.revision
        for one in describer.revised.classing.classed
        for change in one.changes
    }
    for change in describer.revised.comparison.changes:
        if isinstance(change, Ordered) and not change.moved:
            continue  # where new parts stand among the others, which these tell
        revision = classed.get(id(change))
        editorial = id(change) in classed or change.path[:2] in OF_EDITION
        yield {
            "path": list(change.path),
            **_of_change(describer, change),
            **_of_thing(describer, change),
            "class": revision.class_ if revision else EDITORIAL if editorial else None,
            "revision": revision.title if revision else None,
            "why": describer.editions.new.prose(revision.why) if revision else None,
            "follows": describer.revised.comparison.follows.get(change.path),
        }


def _of_change(describer: ChangeDescriber, change: Change) -> dict[str, Any]:
    """What kind of change it is, and both values: as they print, and exactly as they are kept."""
    editions, path = describer.editions, change.path
    old = unkeyed(change.old) if isinstance(change, Changed | Removed) else None
    new = unkeyed(change.new) if isinstance(change, Changed | Added) else None
    side = editions.gone if isinstance(change, Removed) else editions.old
    before: str | None = None if isinstance(change, Added) else side.text(path)
    after: str | None = None if isinstance(change, Removed) else editions.new.text(path)
    if path[0] == "cover":
        old = new = None  # a picture is no value to be read
    kind = {Added: "added", Removed: "removed", Changed: "changed"}.get(type(change), "moved")
    if isinstance(change, Renamed):
        kind, before, after = "renamed", change.old, change.new
    elif isinstance(change, Ordered):
        before, after, new = None, None, list(change.moved)
    elif isinstance(change, Changed) and editions.is_worded(path):
        kind = "reworded"
    told = {"kind": kind, "where": editions.where(path), "before": before, "after": after}
    return {**told, "old": old, "new": new}


def _of_thing(describer: ChangeDescriber, change: Change) -> dict[str, Any]:
    """What it is a change of, and where that stands."""
    path = change.path[: depth_of(change.path)]
    collection = path[1] if path[0] == "collections" and len(path) > 1 else path[0]
    if len(path) < depth_of(change.path):
        standing, title, id_ = change_words.RulePlace(), humanise(collection), None
    else:
        standing, title = describer.standing_of(path), title_of(describer.ruleset_with(path), path)
        id_ = path[-1] if len(path) > 1 else None
    return {
        "thing": THINGS.get(collection, "ruleset"),
        "id": id_,
        "title": title,
        "rule": standing.rule or None,
        "chapter": standing.chapter or None,
    }
