"""What one change between two editions is, and whether some changes account for all that differs.

A change has the path of the part that it is about, as the new edition calls what leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rulebook.revisions.keyed import IN_ORDER, Branch, Tree

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


def unaccounted(old: Tree, new: Tree, changes: Iterable[Change]) -> tuple[Path, ...]:
    """Paths of what a list of changes leaves out, and of what it lists though nothing differs.

    The editions are laid beside each other value by value, without a thought of what is a change.
    The list is whole if each value that is not the same stands inside one of them, and honest if
    each of them holds such a value. Anything else is a fault of the program, not of an author.
    """
    listed = list(changes)
    names = {(*one.path[:-1], one.old): one.path for one in listed if isinstance(one, Renamed)}
    before = {_renamed(path, names): value for path, value in _values(old, ())}
    after = dict(_values(new, ()))
    differing = {
        path
        for path in before.keys() | after.keys()
        if path not in before or path not in after or before[path] != after[path]
    }
    differing |= {(*path, _NAME) for path in names.values()}
    differing |= set(_in_another_order(old, new, names))
    told = {_place(one) for one in listed}
    used: set[Path] = set()
    missed: list[Path] = []
    for path in sorted(differing, key=str):
        covers = [path[:depth] for depth in range(len(path) + 1) if path[:depth] in told]
        used |= set(covers)
        missed += [] if covers else [path]
    return (*missed, *(one.path for one in listed if _place(one) not in used))


#: Stands for the key of a part, beside what is inside it.
_NAME = "\N{LEFTWARDS ARROW}"
#: Stands for the order of parts among the values of a branch.
_ORDER = "\N{DOWNWARDS ARROW}"
#: Stands for the kind of a branch among its values.
_KIND = "\N{RIGHTWARDS ARROW}"


def _place(change: Change) -> Path:
    """Below which path the values of a change stand."""
    if isinstance(change, Ordered):
        return (*change.path, _ORDER)
    return (*change.path, _NAME) if isinstance(change, Renamed) else change.path


def _values(tree: Tree, path: Path) -> Iterator[tuple[Path, object]]:
    """Every text of a tree, and of what kind each branch is."""
    if not isinstance(tree, Branch):
        yield path, (tree,)
    else:
        yield (*path, _KIND), tree.kind
        for key, part in tree.parts.items():
            yield from _values(part, (*path, key))


def _in_another_order(old: Tree, new: Tree, names: Mapping[Path, Path]) -> Iterator[Path]:
    """Where parts of both editions have another order, or new ones do not stand at the end."""
    orders = dict(_orders(new, ()))
    for path, keys in _orders(old, ()):
        at = _renamed(path, names)
        if at in orders:
            now = orders[at]
            kept = [key for one in keys if (key := _renamed((*path, one), names)[-1]) in now]
            if kept + [key for key in now if key not in kept] != now:
                yield (*at, _ORDER)


def _orders(tree: Tree, path: Path) -> Iterator[tuple[Path, list[str]]]:
    if isinstance(tree, Branch):
        if tree.kind in IN_ORDER:
            yield path, list(tree.parts)
        for key, part in tree.parts.items():
            yield from _orders(part, (*path, key))


def _renamed(path: Path, names: Mapping[Path, Path]) -> Path:
    """A path of the old edition as the new one calls it."""
    at: Path = ()
    for key in path:
        at = names.get((*at, key), (*at, key))
    return at
