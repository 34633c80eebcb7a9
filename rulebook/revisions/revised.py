"""Two editions and what their author says of the changes -> the comparison that all documents read.

Bars, notes, errata, `rulebook diff` and what changes do in play ask it: what changed, which part
was which, and whether a change is one that is marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulebook.model.lookup import LookupFault, parse_path
from rulebook.model.plain_data import Plain
from rulebook.model.revisions import CLASSES, EditionNotes, part_name
from rulebook.revisions.changes import Ordered, Path, names_of
from rulebook.revisions.classes import Classing, classify
from rulebook.revisions.comparison import Comparison, compare


@dataclass(frozen=True)
class Revised:
    """An edition beside the one before it: all changes, and what their author says of them."""

    comparison: Comparison
    notes: EditionNotes
    classing: Classing

    @cached_property
    def _unmarked_paths(self) -> Callable[[Path], list[bool]]:
        return _index(self._changes)

    @cached_property
    def _unmarked_values(self) -> Callable[[Path], list[bool]]:
        """The same of values, by the keys with which bindings name them."""
        return _index(
            (tuple(names_of(path)), unmarked)
            for path, unmarked in self._changes
            if path[0] in ("collections", "header") and len(path) > 1
        )

    @cached_property
    def _changes(self) -> list[tuple[Path, bool]]:
        """The paths of all changes of more than an order, and whether bars leave them out."""
        found = [
            (change, not CLASSES[classed.class_].marked)
            for classed in self.classing.classed
            for change in classed.changes
        ]
        found += [(change, False) for change in self.classing.unclassed]
        return [(change.path, it) for change, it in found if not isinstance(change, Ordered)]

    def was(self, *path: str) -> str:
        """What the last key of a path was called in the edition before."""
        return self.comparison.was(*path)

    def unmarked(self, *path: str) -> bool:
        """Whether all that changed here, inside of it or around it is of a class without bars.

        What changed without a change of its own follows from that of a value.
        """
        follows = (
            self.unmarked_value(source)
            for changed, source in self.comparison.follows.items()
            if changed[: len(path)] == path[: len(changed)]
        )
        found = [*self._unmarked_paths(path), *follows]
        return bool(found) and all(found)

    def unmarked_value(self, target: str) -> bool:
        """The same of the value that a binding names."""
        try:
            path = parse_path(target)
        except LookupFault:
            return False
        keys = (path.name, *(path.keys or ()), *path.parts)
        found = self._unmarked_values(tuple(part_name(key.text) for key in keys))
        return bool(found) and all(found)


def _index(changes: Iterable[tuple[Path, bool]]) -> Callable[[Path], list[bool]]:
    """What is known of changes at a path, inside of what it leads to and around that."""
    at: dict[Path, list[bool]] = defaultdict(list)
    inside: dict[Path, list[bool]] = defaultdict(list)
    for path, unmarked in changes:
        at[path].append(unmarked)
        for depth in range(len(path)):
            inside[path[:depth]].append(unmarked)

    def about(path: Path) -> list[bool]:
        around = [one for depth in range(len(path) + 1) for one in at.get(path[:depth], ())]
        return around + inside.get(path, [])

    return about


def revised(
    old: Mapping[str, Plain], new: Mapping[str, Plain], notes: EditionNotes | None
) -> Revised:
    """Compare two editions and give each change its class."""
    comparison = compare(old, new)
    known = notes or EditionNotes()
    return Revised(comparison, known, classify(comparison.own, known.changes))
