"""Two editions and what their author says of the changes -> the comparison that all documents read.

Bars, notes, errata, `rulebook diff` and what changes do in play ask it: what changed, which part
was which, and whether a change is one that is marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rulebook.model.lookup import LookupFault, parse_path
from rulebook.model.plain_data import Plain
from rulebook.model.revisions import CLASSES, ChangedPlace, EditionNotes, Revision, part_name
from rulebook.revisions.changes import EditionChange, Path, by_thing, depth_of, names_of
from rulebook.revisions.classes import Classed, classify
from rulebook.revisions.comparison import Comparison, compare


@dataclass(frozen=True)
class Revised:
    """An edition beside the one before it: all changes, and what their author says of them.

    `unclassed` are changes that he has to class, `idle` places of revisions that have not changed.
    """

    comparison: Comparison
    notes: EditionNotes
    classed: tuple[Classed, ...]
    unclassed: tuple[EditionChange, ...]
    idle: tuple[tuple[Revision, ChangedPlace], ...]

    @cached_property
    def _marked(self) -> set[Path]:
        """The paths of changes that bars mark, of those of more than an order."""
        marked = [one for one in self.classed if CLASSES[one.class_].marked]
        return {change.path for one in marked for change in one.changes} | {
            change.path for change in self.unclassed
        }

    @cached_property
    def _of_things(self) -> Mapping[Path, list[EditionChange]]:
        listed = [change for one in self.classed for change in one.changes]
        return by_thing(one for one in (*listed, *self.unclassed) if one.kind != "moved")

    @cached_property
    def _of_values(self) -> Mapping[str, list[tuple[Path, Path]]]:
        """The names with which bindings call what changed, and its path, by the first name."""
        found: dict[str, list[tuple[Path, Path]]] = {}
        for change in (one for listed in self._of_things.values() for one in listed):
            if change.path[0] in ("collections", "header") and len(change.path) > 1:
                names = tuple(names_of(change.path))
                found.setdefault(names[0], []).append((names, change.path))
        return found

    def was(self, *path: str) -> str:
        """What the last key of a path was called in the edition before."""
        return self.comparison.was(*path)

    def unmarked(self, *path: str) -> bool:
        """Whether all that changed here, inside of it or around it is of a class without bars.

        What changed without a change of its own follows from that of a value.
        """
        thing = self._of_things.get(path[: depth_of(path)], ())
        found = [one.path not in self._marked for one in thing if _meet(one.path, path)]
        found += [
            self.unmarked_value(source)
            for changed, source in self.comparison.follows.items()
            if _meet(changed, path)
        ]
        return bool(found) and all(found)

    def unmarked_value(self, target: str) -> bool:
        """The same of the value that a binding names."""
        try:
            path = parse_path(target)
        except LookupFault:
            return False
        keys = (path.name, *(path.keys or ()), *path.parts)
        names = tuple(part_name(key.text) for key in keys)
        near = self._of_values.get(names[0], ())
        found = [at not in self._marked for called, at in near if _meet(called, names)]
        return bool(found) and all(found)


def _meet(changed: Path, path: Path) -> bool:
    """Whether one of two paths leads to the other."""
    return changed[: len(path)] == path[: len(changed)]


def revised(
    old: Mapping[str, Plain], new: Mapping[str, Plain], notes: EditionNotes | None
) -> Revised:
    """Compare two editions and give each change its class."""
    comparison = compare(old, new)
    known = notes or EditionNotes()
    return Revised(comparison, known, *classify(comparison.own, known.changes))
