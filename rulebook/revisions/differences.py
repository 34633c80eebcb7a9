"""Two trees -> the changes that make the new one of the old one, by keys and never by position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from rulebook.revisions.changes import Added, Change, Changed, Ordered, Path, Removed, Renamed
from rulebook.revisions.keyed import FIELDS, Branch, Tree
from rulebook.revisions.renames import renamed_parts


def differences(old: Tree, new: Tree) -> tuple[Change, ...]:
    """All changes, parts before what is inside them, in the order of the new edition."""
    return tuple(_between(old, new, ()))


def _between(old: Tree, new: Tree, path: Path) -> Iterator[Change]:
    if old == new and _order(old) == _order(new):
        return
    alike = isinstance(old, Branch) and isinstance(new, Branch) and old.kind == new.kind
    if not alike or not isinstance(old, Branch) or not isinstance(new, Branch):
        yield Changed(path, old, new)
        return
    names = {} if old.kind == FIELDS else renamed_parts(old.parts, new.parts)
    before = {names.get(key, key): key for key in old.parts}
    for key, part in old.parts.items():
        if names.get(key, key) not in new.parts:
            yield Removed((*path, key), part)
    for key, part in new.parts.items():
        if key not in before:
            yield Added((*path, key), part)
            continue
        if before[key] != key:
            yield Renamed((*path, key), before[key])
        yield from _between(old.parts[before[key]], part, (*path, key))
    if old.kind != FIELDS:
        yield from _reordered(old.parts, new.parts, names, path)


def _reordered(
    old: Mapping[str, Tree], new: Mapping[str, Tree], names: Mapping[str, str], path: Path
) -> Iterator[Change]:
    """The new order, if the old one with what is added at its end is another."""
    stayed = [names.get(key, key) for key in old if names.get(key, key) in new]
    grown = [*stayed, *(key for key in new if key not in stayed)]
    if grown != list(new):
        yield Ordered(
            path, tuple(new), tuple(_moved(stayed, [key for key in new if key in stayed]))
        )


def _moved(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The fewest keys that must change places for one order to become the other."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    kept = {
        key
        for block in matcher.get_matching_blocks()
        for key in old[block.a : block.a + block.size]
    }
    return [key for key in new if key not in kept]


def _order(tree: Tree) -> tuple[object, ...]:
    """The order of all keys in a tree, that of fields excepted; equal trees may differ in it."""
    if not isinstance(tree, Branch):
        return ()
    own = () if tree.kind == FIELDS else tuple(tree.parts)
    items = sorted(tree.parts.items())
    return (own, *(_order(part) for _, part in items))
