"""What one change between two editions is, and how its place is called.

A change has the path of the part that it is about, as the new edition calls what leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rulebook.model.revisions import part_name
from rulebook.revisions.keyed import Tree

#: Keys that lead to a part: ("tables", "musketry", "data", "8-16in", "first, cover").
Path: TypeAlias = tuple[str, ...]
#: Keys that lead to a part and that its author does not write.
UNWRITTEN = ("collections", "data", "rows")


@dataclass(frozen=True, slots=True)
class EditionChange:
    """What became of the part at a path, and what each edition has there.

    What was removed has the path of the old edition. Of what was renamed `old` and `new` are its
    keys; what changed inside it has changes of its own. Parts that `moved` stand in another
    `order`: those named changed places, the others stayed.
    """

    path: Path
    kind: Literal["added", "removed", "changed", "renamed", "moved"]
    old: Tree = None
    new: Tree = None
    moved: Path = ()
    order: Path = ()

    @property
    def is_only_order(self) -> bool:
        """Whether it says no more than where among the others new parts stand."""
        return self.kind == "moved" and not self.moved


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


def by_thing(changes: Iterable[EditionChange]) -> dict[Path, list[EditionChange]]:
    """Changes by the things that they are of: tables, headings, phases and so on, by their paths.

    So they are listed and counted. A new order is one of each thing that moved.
    """
    things: dict[Path, list[EditionChange]] = {}
    for change in changes:
        path, depth = change.path, depth_of(change.path)
        moved = change.kind == "moved" and len(path) < depth
        for thing in [(*path, key) for key in change.moved] if moved else [path[:depth]]:
            things.setdefault(thing, []).append(change)
    return things
