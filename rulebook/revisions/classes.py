"""Changes and what an author says of them -> each change with its class, and those left to class.

A change of what the rules reckon with, or of their words, is to be classed by its author. What
only concerns how they are told (titles, notes, cards, examples) is editorial unless he says more,
and so are another order of things that have none in play, and another id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulebook.model.revisions import ChangeClass, Place, Revision, part_name
from rulebook.model.scalars import ID_PATTERN
from rulebook.revisions.changes import Change, Changed, Ordered, Path, Renamed
from rulebook.revisions.keyed import FIELDS, Branch, Tree

#: Collections whose changes are rules unless the part that changed is only words.
_OF_RULES = ("tables", "modifiers", "procedures", "cutouts", "units", "sequence")
_OF_RULES_IN_HEADER = (("header", "natural"), ("header", "lengths"))
#: Fields that tell of a rule without being one.
_TOLD = ("title", "note", "source", "status", "about", "notes", "label", "tab", "use")
_OF_WORDS = frozenset((*_TOLD, "qrs", "booklet", "wide", "examples", "cutouts"))
#: What a row says of itself, and a cell beside its value.
_OF_ROW = frozenset(("title", "note", "source", "status"))
_OF_A_CELL = frozenset(("value", "note", "source", "status"))
#: Where the order of things is one of play, or of what is told: of steps, phases and sentences.
_IN_ORDER = ("procedures", "sequence")
#: A paragraph that stands for a table, a cutout or the like, and one that is a designer's note.
_NO_SENTENCE = re.compile(r"\{[a-z]+: [^{}]*\}(?:$| )")
#: What an edition changes of itself.
OF_EDITION = (("header", "edition"), ("header", "date"))
#: Keys that lead to a part and that its author does not write.
_UNWRITTEN = ("collections", "data", "rows")


@dataclass(frozen=True, slots=True)
class Classed:
    """Changes with what their author says of them; without a revision they are editorial."""

    revision: Revision | None
    changes: tuple[Change, ...]

    @property
    def class_(self) -> ChangeClass:
        return self.revision.class_ if self.revision else "editorial"


@dataclass(frozen=True, slots=True)
class Classing:
    """All changes by revisions, those left to class, and places of revisions that changed not."""

    classed: tuple[Classed, ...]
    unclassed: tuple[Change, ...]
    idle: tuple[tuple[Revision, Place], ...]


def classify(changes: Iterable[Change], revisions: Iterable[Revision]) -> Classing:
    """Give each change to the revision that names the nearest part of it."""
    listed = list(revisions)
    places = [(place, index) for index, one in enumerate(listed) for place in one.of]
    sorted_out = _SortedOut({}, [], [])
    used: set[tuple[int, Place]] = set()
    for change in _with_their_renames(changes):
        if change.path[:2] in OF_EDITION or _is_only_order(change):
            continue
        names, heading = tuple(names_of(change.path)), change.path[0] == "sections"
        fitting = [
            (place, index)
            for place, index in places
            if heading == place.heading and names[: len(place.parts)] == place.parts
        ]
        used |= {(number, other) for other, number in fitting}
        sorted_out.add(change, max(fitting, key=lambda one: len(one[0].parts), default=None))
    found, editorial, unclassed = sorted_out.found, sorted_out.editorial, sorted_out.unclassed
    classed = [Classed(listed[index], tuple(found[index])) for index in sorted(found)]
    if editorial:
        classed.append(Classed(None, tuple(editorial)))
    idle = tuple((listed[i], place) for place, i in places if (i, place) not in used)
    return Classing(tuple(classed), tuple(unclassed), idle)


@dataclass(slots=True)
class _SortedOut:
    """Changes by the numbers of their revisions, those that need none, and those that lack one."""

    found: dict[int, list[Change]]
    editorial: list[Change]
    unclassed: list[Change]

    def add(self, change: Change, named: tuple[Place, int] | None) -> None:
        if named is not None:
            self.found.setdefault(named[1], []).append(change)
        elif isinstance(change, Renamed):
            self._beside(change).append(change)
        else:
            (self.unclassed if is_rule(change) else self.editorial).append(change)

    def _beside(self, renamed: Renamed) -> list[Change]:
        """A new name goes with what changed under it; alone nobody sees it in play."""
        depth = len(renamed.path)
        listed = any(one.path[:depth] == renamed.path for one in self.unclassed)
        return self.unclassed if listed else self.editorial


def _with_their_renames(changes: Iterable[Change]) -> list[Change]:
    """Renames after all others, so that it is known by then where those went."""
    return sorted(changes, key=lambda change: isinstance(change, Renamed))


def is_rule(change: Change) -> bool:
    """Whether a change may be one of the rules, so that its author is asked."""
    path = change.path
    if isinstance(change, Renamed) or _is_only_order(change):
        return False
    if isinstance(change, Ordered):
        return path[:1] == ("sections",) or path[1:2] in {(name,) for name in _IN_ORDER}
    if path[0] == "sections":
        return path[2:3] not in {("title",), ("level",)} and not _NO_SENTENCE.match(path[-1])
    if path[0] == "collections" and len(path) > 1:
        of_words = isinstance(change, Changed) and _reckoned(change.old) == _reckoned(change.new)
        return path[1] in _OF_RULES and not _is_of_words(path[3:]) and not of_words
    return path[:2] in _OF_RULES_IN_HEADER or (
        path[0] == "options" and path[2:3] not in {(name,) for name in _OF_WORDS}
    )


def _is_of_words(inside: Path) -> bool:
    """Whether a part of an entity only tells of it; ids and fields alternate in its path."""
    if inside[:1] in {("data",), ("rows",)}:
        return not _OF_ROW.isdisjoint(inside[2:])
    return not _OF_WORDS.isdisjoint(inside[::2])


def _reckoned(tree: Tree) -> Tree:
    """Of a cell with a note, a status or a source its value, with which alone the rules reckon."""
    if not isinstance(tree, Branch) or tree.kind != FIELDS or not tree.parts.keys() <= _OF_A_CELL:
        return tree
    missing = Branch(FIELDS, {"status": tree.parts.get("status")})
    return tree.parts.get("value", missing)


def _is_only_order(change: Change) -> bool:
    """Whether a change tells no more than where among the others new parts stand."""
    return isinstance(change, Ordered) and not change.moved


def names_of(path: Path) -> Iterator[str]:
    """The keys of a path as places name them."""
    if path[0] == "header":
        yield "ruleset"
        path = path[1:]
    elif path[0] == "collections":
        path = path[2:]
    else:
        path = path[1:]
    for key in path:
        if key not in _UNWRITTEN:
            yield from map(part_name, key.split(", ") if len(key) < 80 else (key,))


def place_of(change: Change) -> str:
    """How an author names the entity, row or heading of a change: for the stub to fill in."""
    path = change.path
    if path[0] == "sections":
        return f"#{path[1]}"
    if path[0] == "header":
        return ".".join(("ruleset", *path[1:2]))
    if path[0] == "options":
        return path[1]
    row = path[4] if len(path) > 4 and path[3] in _UNWRITTEN else ""
    return f"{path[2]}.{row}" if re.fullmatch(ID_PATTERN, row) else path[2]
