"""Two trees -> the changes that make the new one of the old one, by keys and never by position."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from rulebook.revisions.axes import other_axes
from rulebook.revisions.called import another_kind
from rulebook.revisions.changes import Added, Change, Changed, Ordered, Path, Removed, Renamed
from rulebook.revisions.keyed import FIELDS, IN_ORDER, Branch, Tree
from rulebook.revisions.renames import Renames, renamed_parts


def differences(old: Tree, new: Tree, renames: Renames | None = None) -> tuple[Change, ...]:
    """All changes, parts before what is inside them, in the order of the new edition.

    Under each part renames come first, since all that follows calls things by their new names.
    """
    return tuple(_between(old, new, (), renames or Renames()))


def _between(old: Tree, new: Tree, path: Path, renames: Renames) -> Iterator[Change]:
    if _same(old, new):
        return
    if not isinstance(old, Branch) or not isinstance(new, Branch) or old.kind != new.kind:
        yield Changed(path, old, new)
        return
    if another_kind(old, new, path):
        yield Changed(path, old, new)
        return
    names = _names(old, new, path, renames)
    whole = ("data",) if other_axes(old, new) else ()
    before = {names.get(key, key): key for key in old.parts}
    yield from (Renamed((*path, now), was) for was, now in names.items())
    for key, part in old.parts.items():
        if names.get(key, key) not in new.parts:
            yield Removed((*path, key), part)
    for key, part in new.parts.items():
        if key not in before:
            yield Added((*path, key), part)
        elif key in whole:
            if not _same(old.parts[key], part):
                yield Changed((*path, key), old.parts[key], part)
        else:
            yield from _between(old.parts[before[key]], part, (*path, key), renames)
    if old.kind in IN_ORDER:
        yield from _reordered(old.parts, new.parts, names, path)


def _names(old: Branch, new: Branch, path: Path, renames: Renames) -> dict[str, str]:
    """Old key -> new key; fields keep their names, but for those that are columns of a table."""
    if old.kind != FIELDS:
        return renamed_parts(old, new, path, renames)
    known = renames.keys.get(path, {})
    return {
        was: now
        for was, now in known.items()
        if was in old.parts and was not in new.parts and now in new.parts and now not in old.parts
    }


def _reordered(
    old: Mapping[str, Tree], new: Mapping[str, Tree], names: Mapping[str, str], path: Path
) -> Iterator[Change]:
    """The new order, if the old one with what is added at its end is another."""
    stayed = [names.get(key, key) for key in old if names.get(key, key) in new]
    grown = [*stayed, *(key for key in new if key not in stayed)]
    if grown != list(new):
        moved = _moved(stayed, [key for key in new if key in stayed])
        yield Ordered(path, tuple(new), tuple(moved))


def _moved(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The fewest keys that must change places for one order to become the other.

    The others are a longest increasing run of places (patience sorting).
    """
    places = {key: index for index, key in enumerate(old)}
    ends: list[int] = []
    last: list[str] = []
    before: dict[str, str | None] = {}
    for key in new:
        length = bisect_left(ends, places[key])
        before[key] = last[length - 1] if length else None
        ends[length : length + 1] = [places[key]]
        last[length : length + 1] = [key]
    kept: set[str] = set()
    at: str | None = last[-1] if last else None
    while at is not None:
        kept.add(at)
        at = before[at]
    return [key for key in new if key not in kept]


def _same(old: Tree, new: Tree) -> bool:
    return old == new and _order(old) == _order(new)


def _order(tree: Tree) -> tuple[object, ...]:
    """The order of all keys in a tree where it means something; equal trees may differ in it."""
    if not isinstance(tree, Branch):
        return ()
    own = tuple(tree.parts) if tree.kind in IN_ORDER else ()
    items = sorted(tree.parts.items())
    return (own, *(_order(part) for _, part in items))
