"""What one change between two editions is.

A change has the path of the part that it is about, as the new edition calls what leads to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rulebook.model.revisions import part_name
from rulebook.revisions.keyed import Tree

#: Keys that lead to a part: ("tables", "musketry", "data", "8-16in", "first, cover").
Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Added:
    """A part that the old edition has not."""

    path: Path
    new: Tree


@dataclass(frozen=True, slots=True)
class Removed:
    """A part that the new edition has no longer; the path is that of the old edition."""

    path: Path
    old: Tree


@dataclass(frozen=True, slots=True)
class Changed:
    """A text, or a part of one shape, for another."""

    path: Path
    old: Tree
    new: Tree


@dataclass(frozen=True, slots=True)
class Renamed:
    """A part under another key; what changed inside it has changes of its own."""

    path: Path
    old: str

    @property
    def new(self) -> str:
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class Ordered:
    """Parts in another order; `moved` are those that changed places, the others stayed."""

    path: Path
    order: tuple[str, ...]
    moved: tuple[str, ...]


Change: TypeAlias = Added | Removed | Changed | Renamed | Ordered
#: Keys that lead to a part and that its author does not write.
UNWRITTEN = ("collections", "data", "rows")


def names_of(path: Path) -> Iterator[str]:
    """The keys of a path as places name them."""
    if path[0] == "header":
        yield "ruleset"
    for key in path[2 if path[0] == "collections" else 1 :]:
        if key not in UNWRITTEN:
            yield from map(part_name, key.split(", ") if len(key) < 80 else (key,))


def depth_of(path: Path) -> int:
    """How many keys of a path lead to the thing in which it stands."""
    return {"collections": 3, "header": 1, "cover": 1}.get(path[0], 2)
