"""Plain data -> the same with a key for each part; and what one change of a part is.

So nothing is identified by its position. Items of a list get their keys from their id, name or
title; the key of a text is the text itself. A change has the path of the part that it is about, as
the new edition calls what leads to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rulebook.model.plain_data import Named, Plain, canonical
from rulebook.model.revisions import part_name
from rulebook.model.scalars import ROWS_AT

#: What an item of a list is called by, the first that it has and that none beside it shares.
_NAMES = ("id", "name", "title", "that", "at", "text", "role")


class Sorted(Named):
    """A mapping by ids, sorted, as the author's order has no meaning."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A part of a tree with parts of its own, each under a key.

    `kind` says what it was: fields of a thing, named things in the author's order or sorted, or a
    list.
    """

    kind: str
    parts: Mapping[str, Tree]


#: A text, nothing (~), or a branch.
Tree: TypeAlias = "str | Branch | None"

FIELDS, NAMED, SORTED, LISTED = "fields", "named", "sorted", "listed"
#: Branches whose parts stand in an order that means something.
IN_ORDER = (NAMED, LISTED)


def keyed(value: Plain) -> Tree:
    """Converts plain data to a tree, in which items of a list have keys instead of positions."""
    if isinstance(value, list):
        keys = _keys(value)
        return Branch(LISTED, {key: keyed(part) for key, part in zip(keys, value, strict=True)})
    if isinstance(value, dict):
        kinds = (Sorted, SORTED), (Named, NAMED), (dict, FIELDS)
        kind = next(kind for type_, kind in kinds if isinstance(value, type_))
        return Branch(kind, {key: keyed(part) for key, part in value.items()})
    return value


def part_at(tree: Tree, path: Sequence[str]) -> Tree:
    """Returns the part of a tree at a path, or None if there is none."""
    for key in path:
        tree = tree.parts.get(key) if isinstance(tree, Branch) else None
    return tree


def unkeyed(tree: Tree) -> Plain:
    """Converts a tree back to the plain data that `keyed` was given."""
    if not isinstance(tree, Branch):
        return tree
    if tree.kind == LISTED:
        return [unkeyed(part) for part in tree.parts.values()]
    parts = {key: unkeyed(part) for key, part in tree.parts.items()}
    if tree.kind == SORTED:
        return Sorted(sorted(parts.items()))
    return Named(parts) if tree.kind == NAMED else parts


def _keys(items: list[Plain]) -> list[str]:
    """Returns a unique key for each item of a list, such as its id, name or title.

    If several items have the same name, numbers are added to all but the first. If the keys are
    still not unique, they are the indices of the items.
    """
    seen: Counter[str] = Counter()
    keys: list[str] = []
    for name in (_called(item, items) for item in items):
        seen[name] += 1
        keys.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return keys if len(set(keys)) == len(keys) else [str(number) for number in range(len(items))]


def _called(item: Plain, beside: list[Plain]) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, dict):
        for name in _NAMES:
            value = item.get(name)
            named = [sibling.get(name) for sibling in beside if isinstance(sibling, dict)]
            if isinstance(value, str) and named.count(value) == 1:
                return value
    return canonical(item).strip()


#: Keys that lead to a part: ("tables", "musketry", "data", "8-16in", "first, cover").
Path: TypeAlias = tuple[str, ...]
#: Keys that lead to a part and that its author does not write.
UNWRITTEN = ("collections", *ROWS_AT.values())


@dataclass(frozen=True, slots=True)
class EditionChange:
    """A change of the part at a path, with what each edition has there (`old`, `new`).

    Paths are those of the new edition, except for a removed part. For a renamed part, `old` and
    `new` are its keys, and changes inside it are listed by themselves. For parts in another order,
    `order` is the new one and `moved` are the keys that changed places.
    """

    path: Path
    kind: Literal["added", "removed", "changed", "renamed", "moved"]
    old: Tree = None
    new: Tree = None
    moved: Path = ()
    order: Path = ()

    @property
    def is_only_order(self) -> bool:
        """Whether this is a change of order in which no old part has moved.

        The order differs only because new parts are between others.
        """
        return self.kind == "moved" and not self.moved


def names_of(path: Path) -> Iterator[str]:
    """Yields the names that an author can use for the part at a path in revisions.yaml.

    Keys that are not written there are left out, and a key made of several parts with commas gives
    several names.
    """
    if path[0] == "header":
        yield "ruleset"
    for key in path[2 if path[0] == "collections" else 1 :]:
        if key not in UNWRITTEN:
            yield from map(part_name, key.split(", ") if len(key) < 80 else (key,))


def depth_of(path: Path) -> int:
    """Returns how many keys at the start of a path lead to a thing, such as a table or section."""
    return {"collections": 3, "header": 1, "cover": 1}.get(path[0], 2)


def collection_of(path: Path) -> str:
    """Returns the name of the collection that a path leads into.

    For a path that leads into none, such as one of the header or the sections, returns its first
    key.
    """
    return path[1] if path[0] == "collections" and len(path) > 1 else path[0]


def is_of_table(path: Path) -> bool:
    """Tells whether a path leads to a table or into one."""
    return collection_of(path) in ROWS_AT


def in_rows(path: Path) -> Path:
    """Returns the end of a path into the rows of a table: the key of a row, then of a cell in it.

    Returns an empty path if the path does not lead into the rows of a table.
    """
    return path[4:] if is_of_table(path) and path[3:4] == (ROWS_AT[path[1]],) else ()


#: What a cell says beside its value, and a row beside its cells.
OF_CELL = ("note", "source", "status")
OF_ROW = ("title", *OF_CELL)


def is_cell(tree: Tree) -> bool:
    """Tells whether a part is a table cell, or a similar value, that has fields.

    Such a part has no other fields than value, note, source and status.
    """
    if not isinstance(tree, Branch) or tree.kind != FIELDS:
        return False
    return bool(tree.parts) and tree.parts.keys() <= {"value", *OF_CELL}


def by_thing(changes: Iterable[EditionChange]) -> dict[Path, list[EditionChange]]:
    """Groups changes by the path of the thing that they change, such as a table or a section.

    A change in the order of things, such as of sections, is listed for each thing that moved.
    """
    things: dict[Path, list[EditionChange]] = {}
    for change in changes:
        path, depth = change.path, depth_of(change.path)
        moved = change.kind == "moved" and len(path) < depth
        for thing in [(*path, key) for key in change.moved] if moved else [path[:depth]]:
            things.setdefault(thing, []).append(change)
    return things
