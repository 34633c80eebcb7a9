"""What two editions say, as plain data -> their changes, and which of them follow from another.

Where a value is taken from another place in both editions, its change follows from the change of
that place: it is told there, once. That a value is typed here and taken from there now changes
nothing, and neither do line ends in a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulebook.model.plain import Named, Plain
from rulebook.revisions.accounting import Account, account
from rulebook.revisions.changes import Change, Changed, Path
from rulebook.revisions.differences import differences
from rulebook.revisions.keyed import Branch, Tree, keyed

#: Parts of a snapshot that say where values come from, not what they are.
_BESIDE = ("taken",)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two editions as trees, and all changes between them.

    `follows` are the paths of changes that follow from another, each with the path, as bindings
    write it, of the value that both editions take.
    """

    old: Tree
    new: Tree
    changes: tuple[Change, ...]
    follows: Mapping[Path, str] = field(default_factory=dict)

    @property
    def own(self) -> tuple[Change, ...]:
        """The changes that follow from no other."""
        return tuple(change for change in self.changes if change.path not in self.follows)

    def account(self) -> Account:
        """What a comparison value by value finds that the changes do not tell."""
        return account(self.old, self.new, self.changes)


def compare(old: Mapping[str, Plain], new: Mapping[str, Plain]) -> Comparison:
    """Compare what two snapshots hold."""
    before, after = tree_of(old), tree_of(new)
    changes = differences(before, after)
    sources = [_sources(content) for content in (old, new)]
    follows = {
        change.path: sources[1][change.path]
        for change in changes
        if isinstance(change, Changed) and _same_source(change.path, *sources)
    }
    return Comparison(before, after, changes, follows)


def tree_of(content: Mapping[str, Plain]) -> Tree:
    """What a snapshot says, with keys for everything and one space between words."""
    return keyed({key: _in_one_line(part) for key, part in content.items() if key not in _BESIDE})


def _in_one_line(value: Plain) -> Plain:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        return [_in_one_line(one) for one in value]
    if isinstance(value, dict):
        parts = {key: _in_one_line(one) for key, one in value.items()}
        return Named(parts) if isinstance(value, Named) else parts
    return value


def _same_source(path: Path, old: Mapping[Path, str], new: Mapping[Path, str]) -> bool:
    return path in new and old.get(path) == new[path]


def _sources(content: Mapping[str, Plain]) -> dict[Path, str]:
    """Paths of values in the tree that are taken from elsewhere, with where they are taken from."""
    taken = content.get("taken")
    tree = keyed(_in_one_line(content.get("collections")))
    found: dict[Path, str] = {}
    for at, source in taken.items() if isinstance(taken, dict) else ():
        path = _path_of(at.split("/"), tree)
        if path is not None:
            found[("collections", *path)] = str(source)
    return found


def _path_of(address: list[str], tree: Tree) -> Path | None:
    """The path of an address in the data, in which the items of lists have numbers."""
    path: list[str] = []
    for part in address:
        if not isinstance(tree, Branch):
            return tuple(path) if part == "value" else None
        keys = list(tree.parts)
        numbered = part not in tree.parts and part.isdecimal() and int(part) < len(keys)
        key = keys[int(part)] if numbered else part
        if key not in tree.parts:
            return None
        path.append(key)
        tree = tree.parts[key]
    return tuple(path)
