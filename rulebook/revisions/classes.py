"""Changes and what the author says of them -> each change with its class, and those still to class.

The author has to class each change of what is played, or of the wording of a rule. What only
concerns how rules are presented (titles, notes, cards, examples) is editorial unless the author
says more. So is a new order of things whose order plays no part, and a new id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rulebook.model.revisions import EDITORIAL, ChangeClass, ChangedPlace, Revision
from rulebook.model.scalars import ID_PATTERN
from rulebook.revisions.changes import (
    UNWRITTEN,
    Change,
    Changed,
    Ordered,
    Path,
    Renamed,
    depth_of,
    names_of,
)
from rulebook.revisions.keyed import FIELDS, NAMED, Branch, Tree

#: Collections whose changes are rules unless the part that changed is only words.
_OF_RULES = ("tables", "modifiers", "procedures", "cutouts", "units", "sequence")
_OF_RULES_IN_HEADER = (("header", "natural"), ("header", "lengths"))
#: What a thing, a row or a cell says of itself.
_OF_ITSELF = frozenset(("title", "note", "source", "status"))
#: Fields that tell of a rule without being one, or say where it prints.
_OF_WORDS = _OF_ITSELF | {"about", "notes", "label", "tab", "use"}
_OF_WORDS |= {"qrs", "booklet", "wide", "examples", "cutouts"}
_OF_A_CELL = frozenset(("value", "note", "source", "status"))
#: The value of a cell that has none.
_MISSING = "missing"
#: Where the order of things is one of play, or of what is said: of steps, phases and sentences.
_IN_ORDER = ("procedures", "sequence")
#: A paragraph that stands for a table, a cutout or the like.
BLOCK = re.compile(r"\{(?:table|cutout|figure|example|steps|chart): [^{}]*\}$")
#: The beginning of a paragraph that is a designer's note.
_REMARK = re.compile(r"\{(?:read|house|missing): [^{}]*\}(?:$| )")
#: What an edition changes of itself, or says in no document.
OF_EDITION = (("header", "edition"), ("header", "date"), ("header", "players"))


@dataclass(frozen=True, slots=True)
class Classed:
    """Changes with what their author says of them; without a revision they are editorial."""

    revision: Revision | None
    changes: tuple[Change, ...]

    @property
    def class_(self) -> ChangeClass:
        return self.revision.class_ if self.revision else EDITORIAL


@dataclass(frozen=True, slots=True)
class Classing:
    """All changes by revisions, those left to class, and places of revisions that changed not."""

    classed: tuple[Classed, ...]
    unclassed: tuple[Change, ...]
    idle: tuple[tuple[Revision, ChangedPlace], ...]


def classify(changes: Iterable[Change], revisions: Iterable[Revision]) -> Classing:
    """Give each change to the revision that names the nearest part of it."""
    listed = list(revisions)
    places = [(place, index) for index, one in enumerate(listed) for place in one.of]
    found: dict[int, list[Change]] = {}
    editorial: list[Change] = []
    unclassed: list[Change] = []
    used: set[tuple[ChangedPlace, int]] = set()
    # Renames come after all others, so that it is known by then where those went.
    for change in sorted(changes, key=lambda change: isinstance(change, Renamed)):
        if change.path[:2] in OF_EDITION or _is_only_order(change):
            continue
        names, heading = tuple(names_of(change.path)), change.path[0] == "sections"
        fitting = [
            (place, index)
            for place, index in places
            if heading == place.heading and names[: len(place.parts)] == place.parts
        ]
        used |= set(fitting)
        if fitting:
            _, nearest = max(fitting, key=lambda one: len(one[0].parts))
            found.setdefault(nearest, []).append(change)
        elif isinstance(change, Renamed):
            # A new name goes with what changed under it; alone nobody sees it in play.
            depth = len(change.path)
            inside = any(one.path[:depth] == change.path for one in unclassed)
            (unclassed if inside else editorial).append(change)
        else:
            (unclassed if is_rule(change) else editorial).append(change)
    classed = [Classed(listed[index], tuple(found[index])) for index in sorted(found)]
    if editorial:
        classed.append(Classed(None, tuple(editorial)))
    idle = tuple((listed[index], place) for place, index in places if (place, index) not in used)
    return Classing(tuple(classed), tuple(unclassed), idle)


def is_rule(change: Change) -> bool:
    """Whether a change may be one of the rules, so that its author is asked."""
    path = change.path
    if isinstance(change, Renamed) or _is_only_order(change):
        return False
    if isinstance(change, Ordered):
        return path[:1] == ("sections",) or path[1:2] in {(name,) for name in _IN_ORDER}
    if path[0] == "sections":
        named = path[2:3] in {("title",), ("level",)}
        return not (named or BLOCK.match(path[-1]) or _REMARK.match(path[-1]))
    if path[0] == "collections" and len(path) > 1:
        of_words = isinstance(change, Changed) and _computed(change.old) == _computed(change.new)
        return path[1] in _OF_RULES and not _is_of_words(path[3:]) and not of_words
    return path[:2] in _OF_RULES_IN_HEADER or (
        path[0] == "options" and path[2:3] not in {(name,) for name in _OF_WORDS}
    )


def _is_of_words(inside: Path) -> bool:
    """Whether a part of an entity only tells of it; ids and fields alternate in its path."""
    if inside[:1] in {("data",), ("rows",)}:
        return not _OF_ITSELF.isdisjoint(inside[2:])
    return not _OF_WORDS.isdisjoint(inside[::2])


def _computed(tree: Tree) -> Tree:
    """Of a cell with a note, a status or a source its value, with which alone the rules reckon."""
    if not isinstance(tree, Branch) or tree.kind != FIELDS or not tree.parts:
        return tree
    return tree.parts.get("value", _MISSING) if tree.parts.keys() <= _OF_A_CELL else tree


def _is_only_order(change: Change) -> bool:
    """Whether a change tells no more than where among the others new parts stand."""
    return isinstance(change, Ordered) and not change.moved


def by_thing(changes: Iterable[Change]) -> dict[Path, list[Change]]:
    """Changes by the things that they are of: tables, headings, phases and so on, by their paths.

    So they are listed and counted. A new order is one of each thing that moved.
    """
    things: dict[Path, list[Change]] = {}
    for change in changes:
        depth = depth_of(change.path)
        if isinstance(change, Ordered) and len(change.path) < depth:
            for key in change.moved:
                things.setdefault((*change.path, key), []).append(change)
        else:
            things.setdefault(change.path[:depth], []).append(change)
    return things


def places_of(thing: Path, changes: Iterable[Change]) -> list[str]:
    """How an author names what changed of a thing, as shortly as may be: one row, or all of it."""
    places = list(dict.fromkeys(map(place_of, changes)))
    return [thing[2]] if thing[0] == "collections" and len(places) > 1 else places


def place_of(change: Change) -> str:
    """How an author names the entity, row or heading of a change: for the stub to fill in."""
    path = change.path
    if path[0] == "sections":
        return f"#{path[1]}"
    if path[0] == "header":
        return ".".join(("ruleset", *path[1:2]))
    if path[0] == "options":
        return path[1]
    row = path[4] if len(path) > 4 and path[3] in UNWRITTEN else ""
    return f"{path[2]}.{row}" if re.fullmatch(ID_PATTERN, row) else path[2]


#: Plain, comparable: texts, nothing, and tuples of these.
InPlay: TypeAlias = "str | tuple[InPlay, ...] | None"


def in_play(collection: str, entity: Tree) -> InPlay:
    """What of an entity (of tables, modifiers, procedures, cutouts) is played, without words on it.

    Two editions of an entity that are equal here play alike, whatever else is said of them: titles,
    notes, sources, labels, the sentences of a procedure. What is not equal may still play alike.

    The order of choices, rows and steps counts, since it decides what is usual and what comes
    first; that of fields does not.
    """
    return _played(collection, entity, ())


def _played(collection: str, tree: Tree, at: Path) -> InPlay:
    if collection == "tables" and at[:1] == ("data",) and (value := _computed(tree)) is not tree:
        return _played(collection, value, (*at, "value"))
    if not isinstance(tree, Branch):
        return tree
    if _are_choices(collection, tree, at):
        return tuple(tree.parts)
    parts = [(key, _played(collection, part, (*at, key))) for key, part in tree.parts.items()]
    if tree.kind != FIELDS:
        # The keys of steps are made of their words; those of rows and inputs are ids.
        # A step that only says something is empty here, and does nothing.
        return tuple(parts) if tree.kind == NAMED else tuple(part for _, part in parts if part)
    # Of a row only some fields are its own; beside them stand its cells, which may have any name.
    of_row = len(at) == 2 and at[0] in ("data", "rows")
    words = (_OF_ITSELF | {"when"} if of_row else _OF_WORDS | {"say", "rule"}) | {"was"}
    return tuple(sorted((part for part in parts if part[0] not in words), key=lambda one: one[0]))


def _are_choices(collection: str, tree: Branch, at: Path) -> bool:
    """Whether these are choices with their titles: places of an axis, choices of an input."""
    if tree.kind != NAMED or not at:
        return False
    axis = collection == "tables" and len(at) == 2 and at[0] in ("rows", "columns")
    return axis or (collection == "procedures" and at[-1] == "one_of")
