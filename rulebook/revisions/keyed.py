"""Plain data -> the same with a key for each part, so that nothing is identified by its position.

Items of a list get their keys from their id, name or title; the key of a text is the text itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rulebook.model.canonical import canonical
from rulebook.model.plain_data import Named, Plain

#: What an item of a list is called by, the first that it has and that none beside it shares.
_NAMES = ("id", "name", "title", "that", "at", "text", "role")


class Sorted(Named):
    """Things by their ids whose order means nothing: they stand sorted."""


@dataclass(frozen=True, slots=True)
class Branch:
    """Parts by their keys.

    `kind` says what the branch was: fields, named things in the author's order or sorted, or a
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
    """Plain data with keys for the items of its lists."""
    if isinstance(value, list):
        keys = _keys(value)
        return Branch(LISTED, {key: keyed(one) for key, one in zip(keys, value, strict=True)})
    if isinstance(value, dict):
        return Branch(_kind(value), {key: keyed(one) for key, one in value.items()})
    return value


def part_at(tree: Tree, path: Sequence[str]) -> Tree:
    """The part to which some keys lead; None where there is none."""
    for key in path:
        tree = tree.parts.get(key) if isinstance(tree, Branch) else None
    return tree


def unkeyed(tree: Tree) -> Plain:
    """Plain data again: what `keyed` was given."""
    if not isinstance(tree, Branch):
        return tree
    if tree.kind == LISTED:
        return [unkeyed(one) for one in tree.parts.values()]
    parts = {key: unkeyed(one) for key, one in tree.parts.items()}
    if tree.kind == SORTED:
        return Sorted(sorted(parts.items()))
    return Named(parts) if tree.kind == NAMED else parts


def _kind(value: dict[str, Plain]) -> str:
    if isinstance(value, Sorted):
        return SORTED
    return NAMED if isinstance(value, Named) else FIELDS


def _keys(items: list[Plain]) -> list[str]:
    """A key for each item, each once: what an author would call it by."""
    called = [_called(item, items) for item in items]
    seen: dict[str, int] = {}
    keys: list[str] = []
    for name in called:
        seen[name] = seen.get(name, 0) + 1
        keys.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return keys if len(set(keys)) == len(keys) else [str(number) for number in range(len(items))]


def _called(item: Plain, beside: list[Plain]) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, dict):
        for name in _NAMES:
            value = item.get(name)
            if isinstance(value, str) and _shared(name, value, beside) == 1:
                return value
    return canonical(item).strip()


def _shared(name: str, value: str, items: list[Plain]) -> int:
    return sum(isinstance(item, dict) and item.get(name) == value for item in items)
