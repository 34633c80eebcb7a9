"""Two editions of some things -> those that have exchanged their keys.

A key that both editions have is the same thing as a rule. But where an author calls two tables by
each other's ids, the reader, who sees no ids, would be told of every cell in them that it is
another. Things have exchanged their keys where `was` says so of each of them, or where each is
called in print what the one before it was called. What is found so holds only if nothing that
names them has stayed as it was: then the things themselves were exchanged, which is a change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rulebook.revisions.changes import Path
from rulebook.revisions.keyed import LISTED, Branch, Tree


def exchanged_parts(
    old: Branch, new: Branch, path: Path, stated: Mapping[Path, str], editions: tuple[Tree, Tree]
) -> dict[str, str]:
    """Old key -> new key, of parts of a branch that have exchanged theirs, two or in a ring.

    `path` leads to the branch in both `editions`.
    """
    both = [key for key in old.parts if key in new.parts]
    told = {was: key for key in both if (was := stated.get((*path, key))) in both and was != key}
    told = _rings(told)
    titles = _titles(old, both), _titles(new, both)
    called = {title: key for key, title in titles[1].items()}
    found = {
        was: called[title]
        for was, title in titles[0].items()
        if title in called and called[title] != was and was not in told
    }
    found = _rings({was: now for was, now in found.items() if now not in told})
    if found and _is_named_still(*editions, found, path):
        found = {}
    return told | found


def _rings(names: Mapping[str, str]) -> dict[str, str]:
    """The keys that go to each other's places; one whose place is not taken is left out."""
    kept = dict(names)
    while open_ends := {*kept} ^ {*kept.values()}:
        kept = {
            was: now for was, now in kept.items() if was not in open_ends and now not in open_ends
        }
    return kept


def _titles(branch: Branch, keys: Iterable[str]) -> dict[str, str]:
    """What parts are called in print, where no other is called so."""
    found = {
        key: part.parts.get("title")
        for key in keys
        if isinstance(part := branch.parts[key], Branch)
    }
    many = Counter(found.values())
    return {key: one for key, one in found.items() if isinstance(one, str) and many[one] == 1}


def _is_named_still(old: Tree, new: Tree, keys: Iterable[str], path: Path) -> bool:
    """Whether a text of both editions, which is the same, names one of the keys."""
    beside = {(*path, key) for key in keys}
    one = f"(?:{'|'.join(map(re.escape, sorted(keys)))})"
    # As a whole text, in a binding, before or behind a point, before a bracket, in quotes; the same
    # word in a sentence names nothing.
    named = re.compile(
        rf"^{one}$|\{{[^{{}}]*\b{one}\b[^{{}}]*\}}|\.{one}\b|\b{one}(?:\.\w|\[)|'{one}'"
    )
    return any(named.search(text) for text in _unchanged(old, new, (), beside))


def _unchanged(old: Tree, new: Tree, path: Path, beside: set[Path]) -> Iterator[str]:
    """Every text that stands in both editions in one place, but for some parts."""
    if path in beside:
        return
    if isinstance(old, Branch) and isinstance(new, Branch):
        orders = (
            [one for one in old.parts if one in new.parts],
            [one for one in new.parts if one in old.parts],
        )
        for key, other in zip(*orders, strict=True):
            # What stands elsewhere in a list is no longer what it was, though it says the same.
            if key == other or old.kind != LISTED:
                yield from _unchanged(old.parts[key], new.parts[key], (*path, key), beside)
    elif isinstance(old, str) and old == new:
        yield old
