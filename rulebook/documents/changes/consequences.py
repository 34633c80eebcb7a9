"""Changed values -> what reads otherwise elsewhere because of them: boxes on cards, sentences.

A value that is taken from a table in both editions, and a sentence that binds one, are told with
the value: they have not changed by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rulebook.documents.changes.thing_changes import Editions, paragraph
from rulebook.documents.marks.change_places import THINGS, Standings, depth_of, title_of
from rulebook.documents.marks.change_words import Consequence
from rulebook.documents.marks.word_runs import word_runs
from rulebook.model.revisions import part_name
from rulebook.revisions.changes import Ordered, Path, Renamed
from rulebook.revisions.classes import names_of
from rulebook.revisions.comparison import Comparison
from rulebook.revisions.keyed import Branch, Tree

#: A binding of a value: {establishments.battery.rank_and_file}, {musketry[8-16in, first, open]}.
_BINDING = re.compile(r"\{([a-z][a-z0-9_]*[.\[][^{}:]*)\}")
#: Where sentences are the author's for printing, and not a list of what is where.
_READ = ("collections", "sections", "header")


@dataclass(frozen=True)
class Consequences:
    """All consequences of one comparison, by the values that they follow from."""

    comparison: Comparison
    editions: Editions
    standings: Standings

    def of(self, paths: Iterable[Path]) -> tuple[Consequence, ...]:
        """What follows from the changes at some paths."""
        found: dict[Path, Consequence] = {}
        for path in paths:
            for at in self._following.get(_value_names(path), ()):
                one = self._told(at)
                if one is not None:
                    found.setdefault(at, one)
        return tuple(found.values())

    @cached_property
    def _following(self) -> dict[tuple[str, ...], list[Path]]:
        """Names of changed values -> paths of what takes or binds them."""
        changed = {_value_names(one.path) for one in self.comparison.own}
        found: dict[tuple[str, ...], list[Path]] = {}
        for path, source in self.comparison.follows.items():
            if (names := _names(source)) in changed:
                found.setdefault(names, []).append(path)
        told = {
            one.path for one in self.comparison.changes if not isinstance(one, Renamed | Ordered)
        }
        for path, text in _sentences(self.comparison.new, (), told):
            for binding in _BINDING.finditer(text):
                if (names := _names(binding[1])) in changed:
                    found.setdefault(names, []).append(path)
        return found

    def _told(self, path: Path) -> Consequence | None:
        before, after = self.editions.texts(path)
        if before == after or path[0] not in _READ:
            return None
        collection = path[1] if path[0] == "collections" else path[0]
        thing = path[: depth_of(path)]
        return Consequence(
            path=path,
            thing=THINGS[collection],
            title=title_of(self.editions.new.parts.ruleset, thing),
            standing=self.standings.of(collection, thing[-1]),
            where=self.editions.where(path),
            before=before,
            after=after,
            runs=word_runs(before, after) if " " in before and " " in after else (),
            at=paragraph(self.editions, path),
        )


def _value_names(path: Path) -> tuple[str, ...]:
    """The keys of a value as bindings name them; that of a cell written out has one key more."""
    return tuple(names_of(path[:-1] if path[-1] == "value" else path))


def _names(binding: str) -> tuple[str, ...]:
    """musketry[8-16in, first, open] -> its keys; those of a title go on to no value."""
    return tuple(part_name(key) for key in re.split(r"[.\[\],]\s*", binding) if key.strip())


def _sentences(tree: Tree, path: Path, told: set[Path]) -> Iterator[tuple[Path, str]]:
    """Every text that is not told as a change of its own, with its path."""
    if path in told:
        return
    if isinstance(tree, Branch):
        for key, part in tree.parts.items():
            yield from _sentences(part, (*path, key), told)
    elif tree is not None and "{" in tree and path[0] in _READ:
        yield path, tree
