"""Changes as they are told (`change_words`) -> the phrases that text and Markdown share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebook.documents.marks.change_words import (
    ChangedTable,
    Consequence,
    PartChange,
    Run,
    Side,
    Standing,
    Thing,
    ThingChange,
    ToldChanges,
)
from rulebook.quantities import join_words

ARROW = "→"
#: Kept words on each side of a change; what lies between is left out where there is more.
CONTEXT = 6
#: Things that are told with what they are, since a title alone does not say it.
_NOUNS: Mapping[Thing, str] = {
    "table": "table",
    "modifiers": "table",
    "procedure": "steps",
    "example": "example",
    "phase": "quick reference",
    "unit": "unit",
    "cards": "cards",
    "cutout": "cutout",
    "term": "glossary",
    "option": "option",
    "chapter": "chapter",
}
_STATES = {"added": "new", "removed": "gone", "moved": "moved"}


@dataclass(frozen=True, slots=True)
class Group:
    """Changes under one heading: what an author says of them, and the things that they are of."""

    title: str
    why: str
    standing: Standing
    things: tuple[ThingChange, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the list: all changes of one class, or those that have none."""

    title: str
    groups: tuple[Group, ...]


def chapters_of(told: ToldChanges) -> Iterator[Chapter]:
    """The changes by class, the gravest first; those that nobody has classed before all others."""
    if told.unclassed:
        title = "Changes of the rules without a class" if told.revised else "Changes of the rules"
        yield Chapter(title, _groups(told.unclassed))
    for class_, number in told.counts().items():
        if number:
            of_class = told.of_class(class_)
            groups = [Group(one.title, one.why, one.standing, one.things) for one in of_class]
            if class_ == "editorial":
                groups += _groups(told.editorial)
            yield Chapter(_title(class_), tuple(groups))
    if told.editorial and not told.counts()["editorial"]:
        title = _title("editorial") if told.revised else "Told otherwise"
        yield Chapter(title, _groups(told.editorial))


def _title(class_: str) -> str:
    return {"editorial": "Editorial changes"}.get(class_, f"{class_.capitalize()}s")


def _groups(things: Sequence[ThingChange]) -> tuple[Group, ...]:
    """Each thing by itself, but those of which only the source is another together."""
    told = [one for one in things if not only_sources(one)]
    groups = [Group("", "", one.standing, (one,)) for one in told]
    rest = len(things) - len(told)
    if rest:
        what = "one thing" if rest == 1 else f"{rest} things"
        groups.append(Group(f"Another source is noted of {what}.", "", Standing(), ()))
    return tuple(groups)


def only_sources(thing: ThingChange) -> bool:
    """Whether no more of a thing is another than where in the source it stands."""
    return bool(thing.parts) and all(part.path[-1] == "source" for part in thing.parts)


def heading(told: ToldChanges) -> str:
    """My Game, 1.0 (17 June 2024) → 2.0 (16 July 2025, working copy)."""
    old, new = told.old, told.new
    if old.ruleset == new.ruleset:
        return f"{new.title}, {_edition(old)} {ARROW} {_edition(new)}"
    return f"{old.title}, {_edition(old)} {ARROW} {new.title}, {_edition(new)}"


def _edition(side: Side) -> str:
    beside = [side.date] if side.date else []
    beside += ["working copy"] if side.working else []
    beside += [f"with {join_words(side.options, 'and')}"] if side.options else []
    return f"{side.edition} ({', '.join(beside)})" if beside else side.edition


def summed(told: ToldChanges) -> str:
    """17 rule changes, 3 clarifications and 3 editorial changes."""
    counts = {class_: number for class_, number in told.counts().items() if number}
    words = [
        f"{number} {'editorial change' if class_ == 'editorial' else class_}{'s' * (number > 1)}"
        for class_, number in counts.items()
    ]
    if told.unclassed:
        number = len(told.unclassed)
        without = " without a class" if told.revised else ""
        words.append(f"{number} thing{'s' * (number > 1)} changed{without}")
    if told.editorial and "editorial" not in counts:
        number = len(told.editorial)
        words.append(f"{number} thing{'s' * (number > 1)} told otherwise")
    return join_words(words, "and") if words else "Nothing changed."


def name_of(thing: ThingChange) -> str:
    """4.1 Ranges (table), new."""
    noun = _NOUNS.get(thing.thing)
    name = f"{thing.title} ({noun})" if noun else thing.title
    number = f"{thing.standing.rule} " if thing.standing.rule else ""
    if thing.kind == "renamed":
        return f"{number}{name}, whose id was {thing.was}"
    state = _STATES.get(thing.kind)
    return f"{number}{name}, {state}" if state else f"{number}{name}"


def also_of(one: Consequence) -> str:
    """Where something reads otherwise because of a change."""
    number = f"{one.standing.rule} " if one.standing.rule and one.thing == "section" else ""
    noun = _NOUNS.get(one.thing)
    name = f"{number}{one.title}" + (f" ({noun})" if noun else "")
    return ", ".join(word for word in (name, one.where) if word)


def told_parts(thing: ThingChange) -> tuple[PartChange, ...]:
    """The parts that are told one by one: another source is no matter of play or print."""
    return tuple(part for part in thing.parts if part.path[-1] != "source")


def is_in_table(part: PartChange, thing: ThingChange) -> bool:
    """Whether a cell, a row or a column stands in a table that is printed as well."""
    inside = part.path[3:]
    of_cells = len(inside) <= 3 and inside[:1] in {("data",), ("rows",), ("fields",), ("changes",)}
    noted = inside[2:3] in {("title",), ("note",), ("source",), ("status",)}
    return bool(thing.tables) and of_cells and not noted and part.kind != "renamed"


def is_whole(thing: ThingChange) -> bool:
    """Whether the tables of a thing are told row by row, since its parts do not tell them."""
    return thing.kind in ("added", "removed") or len(thing.tables) > 1


def rows_of(table: ChangedTable) -> Iterator[tuple[str, str]]:
    """The rows of a table that only one edition has, in words: its label, and its cells."""
    heads = [cell.text for cell in table.head[-1]] if table.head else []
    labels: list[str] = []
    for row in table.rows:
        own = [cell.text for cell in row.labels]
        labels = labels[: len(table.stub_heads) - len(own)] + own
        cells = [cell.after if cell.after is not None else cell.before or "" for cell in row.cells]
        named = (
            f"{head} {text}" if head else text
            for head, text in zip(heads or [""] * len(cells), cells, strict=False)
        )
        yield ", ".join(labels), ", ".join(named)


def elided(runs: Sequence[Run], words: int = CONTEXT) -> tuple[Run, ...]:
    """The words about each change; others that are kept are left out."""
    found: list[Run] = []
    for index, run in enumerate(runs):
        if run.kind != "kept":
            found.append(run)
            continue
        kept = run.text.split()
        first, last = index == 0, index == len(runs) - 1
        room = words * (1 if first or last else 2)
        if len(kept) <= room + 1 or len(runs) == 1:
            found.append(run)
            continue
        start = [] if first else kept[:words]
        end = [] if last else kept[-words:]
        lead = " " if run.text[:1].isspace() and start else ""
        trail = " " if run.text[-1:].isspace() and end else ""
        found.append(Run(f"{lead}{' '.join([*start, '…', *end])}{trail}"))
    return tuple(found)
