"""All changes between two editions, with their classes -> what is more than editorial.

A text may read differently because a rule changed, because its author worded it better, or because
a value in it is another. Editorial changes are not marked, so for each part of the new edition it
must be known what changed it, and what it would say had only the rules changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulebook.documents.parts.binding import Binder, escape_markdown
from rulebook.model.lookup import LookupFault, find, parse_path, printed
from rulebook.model.prose import Binding, rule_numbers
from rulebook.model.revisions import part_name
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.changes import Ordered, Path
from rulebook.revisions.classes import names_of
from rulebook.revisions.release import Revised


@dataclass(frozen=True)
class Causes:
    """Of each part of the new edition, whether it changed, and whether that was only editorial."""

    revised: Revised

    @cached_property
    def _changes(self) -> list[tuple[Path, bool]]:
        """The paths of all changes that have a class, and whether that is editorial."""
        classing = self.revised.classing
        found = [
            (change, one.class_ == "editorial")
            for one in classing.classed
            for change in one.changes
        ]
        found += [(change, False) for change in classing.unclassed]
        return [(one.path, editorial) for one, editorial in found if not isinstance(one, Ordered)]

    @cached_property
    def _by_entity(self) -> Mapping[Path, list[tuple[Path, bool]]]:
        return _grouped((_entity(path), path, editorial) for path, editorial in self._changes)

    @cached_property
    def _by_name(self) -> Mapping[Path, list[tuple[Path, bool]]]:
        """The same of values, by the keys with which bindings name them."""
        named = (
            (tuple(names_of(path)), editorial)
            for path, editorial in self._changes
            if path[0] in ("collections", "header") and len(path) > 1
        )
        return _grouped((names[:1], names, editorial) for names, editorial in named)

    def was(self, *path: str) -> str:
        """What the last key of a path was called in the edition before."""
        return self.revised.comparison.was(*path)

    def editorial(self, *path: str) -> bool:
        """Whether what changed here, inside of it or around it is editorial and nothing else.

        What changed without a change of its own follows from a rule.
        """
        follows = (
            self.editorial_value(source)
            for other, source in self.revised.comparison.follows.items()
            if _one_in_other(other, path)
        )
        return _all_editorial([*_about(path, self._by_entity[_entity(path)]), *follows])

    def editorial_value(self, target: str) -> bool:
        """The same of the value that a binding names."""
        try:
            path = parse_path(target)
        except LookupFault:
            return False
        keys = [key.text for key in (*(path.keys or ()), *path.parts)]
        names = tuple(map(part_name, (path.name.text, *keys)))
        return _all_editorial(list(_about(names, self._by_name[names[:1]])))


def _grouped(found: Iterable[tuple[Path, Path, bool]]) -> Mapping[Path, list[tuple[Path, bool]]]:
    """Changes by what they are of."""
    grouped: dict[Path, list[tuple[Path, bool]]] = defaultdict(list)
    for of, path, editorial in found:
        grouped[of].append((path, editorial))
    return grouped


def _about(path: Path, changes: Iterable[tuple[Path, bool]]) -> Iterator[bool]:
    """Of the changes of a part, of what is inside it or around it, whether each is editorial."""
    return (editorial for other, editorial in changes if _one_in_other(other, path))


def _all_editorial(found: Sequence[bool]) -> bool:
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

    def numbers(self) -> dict[str, str]:
        return self._numbers

    @cached_property
    def _numbers(self) -> dict[str, str]:
        return {**rule_numbers(self.then.chapters), **rule_numbers(self.now.chapters)}

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
        titles = (
            section.title
            for ruleset in (self.now, self.then)
            for chapter in ruleset.chapters
            for section in chapter.sections
            if section.id == heading
        )
        return f"[{number} {escape_markdown(next(titles, ''))}](#{heading})"
