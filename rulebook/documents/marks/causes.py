"""All changes between two editions, each with its class -> what of an edition has really changed.

A text may read differently because a rule changed, because its author put it better, or because a
value that it binds is another. What is only editorial is not marked, so for each part of the new
edition it must be known what changed it; and what its words would be had only the rules changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from rulebook.documents.parts.binding import Binder, escape_markdown
from rulebook.model.lookup import LookupFault, find, parse_path, printed
from rulebook.model.prose import Binding, rule_numbers
from rulebook.model.revisions import part_name
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.changes import Change, Ordered, Path, Renamed
from rulebook.revisions.classes import names_of
from rulebook.revisions.release import Revised


@dataclass(frozen=True)
class Causes:
    """Of each part of the new edition, whether it changed, and whether that was only editorial."""

    revised: Revised

    @cached_property
    def _changes(self) -> list[tuple[Change, bool]]:
        """All changes that have a class, and whether it is editorial."""
        classing = self.revised.classing
        found = [
            (change, one.class_ == "editorial")
            for one in classing.classed
            for change in one.changes
        ]
        found += [(change, False) for change in classing.unclassed]
        return [one for one in found if not isinstance(one[0], Ordered)]

    @cached_property
    def _by_entity(self) -> dict[Path, list[tuple[Path, bool]]]:
        grouped: dict[Path, list[tuple[Path, bool]]] = {}
        for change, editorial in self._changes:
            grouped.setdefault(_entity(change.path), []).append((change.path, editorial))
        return grouped

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[tuple[str, ...], bool]]]:
        grouped: dict[str, list[tuple[tuple[str, ...], bool]]] = {}
        for change, editorial in self._changes:
            if change.path[0] in ("collections", "header") and len(change.path) > 1:
                names = tuple(names_of(change.path))
                grouped.setdefault(names[0] if names else "", []).append((names, editorial))
        return grouped

    @cached_property
    def _renamed(self) -> dict[Path, str]:
        listed = self.revised.comparison.changes
        return {one.path: one.old for one in listed if isinstance(one, Renamed)}

    def was(self, *path: str) -> str:
        """What the last key of a path was called in the edition before."""
        return self._renamed.get(path, path[-1])

    def editorial(self, *path: str) -> bool:
        """Whether what changed here, inside of it or around it is editorial and nothing else.

        What changed without a change of its own follows from a rule.
        """
        found = [
            editorial
            for other, editorial in self._by_entity.get(_entity(path), ())
            if _one_in_other(other, path)
        ]
        follows = self.revised.comparison.follows
        found += [
            self.editorial_value(source)
            for other, source in follows.items()
            if _one_in_other(other, path)
        ]
        return bool(found) and all(found)

    def editorial_value(self, target: str) -> bool:
        """The same of the value that a binding names."""
        try:
            path = parse_path(target)
        except LookupFault:
            return False
        keys = [key.text for key in (*(path.keys or ()), *path.parts)]
        names = tuple(map(part_name, (path.name.text, *keys)))
        found = [
            editorial
            for other, editorial in self._by_name.get(names[0], ())
            if _one_in_other(other, names)
        ]
        return bool(found) and all(found)


def _entity(path: Path) -> Path:
    return path[: 3 if path[0] == "collections" else 2]


def _one_in_other(one: Path, other: Path) -> bool:
    depth = min(len(one), len(other))
    return one[:depth] == other[:depth]


@dataclass(frozen=True)
class EarlierBinder(Binder):
    """Binds the values of the edition before, `then`, except where only words of them changed.

    `ruleset` is the one whose texts are bound. Rules have the numbers of the new edition, `now`,
    as far as it has them, since a number that moved is no change of a rule.
    """

    then: Ruleset = field(kw_only=True)
    now: Ruleset = field(kw_only=True)
    causes: Causes = field(kw_only=True)

    @cached_property
    def _numbers(self) -> dict[str, str]:
        return {**rule_numbers(self.then.chapters), **rule_numbers(self.now.chapters)}

    def numbers(self) -> dict[str, str]:
        return self._numbers

    def _value(self, binding: Binding) -> str:
        if binding.kind == "rule":
            return self._reference(binding.target)
        found = list(self._found(binding.target))
        return escape_markdown(found[0]) if found else ""

    def _found(self, target: str) -> Iterator[str]:
        """The value as it prints in either edition, first that which is wanted."""
        editions = [self.then, self.now]
        if self.causes.editorial_value(target):
            editions.reverse()
        for ruleset in editions:
            try:
                yield printed(find(ruleset, target))
            except (LookupFault, KeyError):
                continue

    def _reference(self, heading: str) -> str:
        number = self.numbers().get(heading, "")
        if self.references == "number":
            return f"§\u00a0{number}"
        sections = [
            section
            for ruleset in (self.now, self.then)
            for chapter in ruleset.chapters
            for section in chapter.sections
            if section.id == heading
        ]
        title = escape_markdown(sections[0].title) if sections else ""
        return f"[{number} {title}](#{heading})"
