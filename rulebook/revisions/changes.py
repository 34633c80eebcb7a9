"""What one change between two editions is, and the old edition with the changes in it.

A change has the path of the part that it is about, as the new edition calls what leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rulebook.revisions.keyed import SORTED, Branch, Tree

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
    """A part under another key; what changed inside it is told by changes of its own."""

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


def apply(changes: Iterable[Change], old: Tree) -> Tree:
    """The old edition with all changes in it. Raises KeyError where they do not fit."""
    grown: dict[Path, list[Change]] = {}
    for change in changes:
        parent = change.path if isinstance(change, Ordered) or not change.path else change.path[:-1]
        grown.setdefault(parent, []).append(change)
    below = {path[:depth] for path in grown for depth in range(len(path) + 1)}
    return _applied(old, (), grown, below)


def _applied(
    tree: Tree, path: Path, changes: Mapping[Path, list[Change]], below: set[Path]
) -> Tree:
    if path not in below:
        return tree
    mine = changes.get(path, [])
    for change in mine:
        if isinstance(change, Changed) and change.path == path:
            return change.new
    if not isinstance(tree, Branch):
        raise KeyError(path)
    names = {change.old: change.new for change in mine if isinstance(change, Renamed)}
    gone = {change.path[-1] for change in mine if isinstance(change, Removed)}
    whole = {change.path[-1]: change.new for change in mine if isinstance(change, Changed)}
    parts: dict[str, Tree] = {}
    for key, part in tree.parts.items():
        if key in gone:
            continue
        name = names.get(key, key)
        inner = whole[name] if name in whole else _applied(part, (*path, name), changes, below)
        parts[name] = inner
    for change in mine:
        if isinstance(change, Added):
            parts[change.path[-1]] = change.new
    for change in mine:
        if isinstance(change, Ordered):
            parts = {key: parts[key] for key in change.order}
    if tree.kind == SORTED:
        parts = dict(sorted(parts.items()))
    return Branch(tree.kind, parts)
