"""Two editions and their changes -> the procedures that a change affects, and how.

A procedure is affected by a change of its own steps, of a table, a modifier table or a cutout that
it looks up, of the ruleset's natural scores, and of a procedure that it runs. What it looks up is
taken from the rules core, so changed words alone affect nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from rulebook.core.procedures import Programs
from rulebook.core.programs import Run, all_steps
from rulebook.documents.impact.views import Reason, ReasonKind
from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.classes import in_play
from rulebook.revisions.comparison import Comparison
from rulebook.revisions.keyed import part_at
from rulebook.translation import gettext, gettext_noop

#: Collections that procedures look up, and what one of them is called as a reason.
_KINDS: Mapping[str, ReasonKind] = {
    "tables": "table",
    "modifiers": "modifiers",
    "cutouts": "cutout",
    "header": "natural scores",
}
#: What is told of a reason of each kind.
_TOLD: Mapping[ReasonKind, str] = {
    "table": gettext_noop("the table “%(title)s”"),
    "modifiers": gettext_noop("the modifiers “%(title)s”"),
    "cutout": gettext_noop("the cutout “%(title)s”"),
    "procedure": gettext_noop("the procedure “%(title)s”"),
}


class Pair(NamedTuple):
    """An entity in both editions by its ids; None in one that has it not."""

    old: str | None
    new: str | None

    @property
    def id(self) -> str:
        return self.new or self.old or ""

    @property
    def was(self) -> str:
        """The old id, if it is another than the new one."""
        return self.old if self.old and self.new and self.old != self.new else ""


@dataclass(frozen=True, slots=True)
class Touched:
    """A procedure that a change reaches, with the reasons."""

    pair: Pair
    state: Literal["touched", "new", "gone"]
    reasons: tuple[Reason, ...] = ()


@dataclass
class Editions:
    """Two editions beside each other: what is the same thing in both, and what plays alike.

    Whatever is of both stands in pairs, first that of the old edition, so that a flag which tells
    whether the new one is meant chooses one of them.
    """

    old: Ruleset
    new: Ruleset
    comparison: Comparison

    def __post_init__(self) -> None:
        #: Of each collection the ids, old and new, of what differs in play.
        self._differing: dict[str, tuple[set[str | None], set[str | None]]] = {}

    @cached_property
    def programs(self) -> tuple[Programs, Programs]:
        return Programs(self.old), Programs(self.new)

    def pairs(self, collection: str) -> list[Pair]:
        """All entities of a collection: those of the new edition in its order, then the gone."""
        old, new = (getattr(one.collections, collection) for one in (self.old, self.new))
        were = {name: self.comparison.was("collections", collection, name) for name in new}
        kept = [Pair(was if was in old else None, name) for name, was in were.items()]
        return kept + [Pair(name, None) for name in old if name not in were.values()]

    def pair(self, collection: str, name: str, *, now: bool) -> Pair:
        """The pair of an entity that the new edition, or the old one, calls so."""
        return next(one for one in self.pairs(collection) if one[now] == name)

    def entity(self, collection: str, pair: Pair) -> Entity:
        """That of the new edition, or of the old one where the new has it no longer."""
        ruleset = self.new if pair.new else self.old
        found: Entity = getattr(ruleset.collections, collection)[pair.id]
        return found

    def plays_alike(self, collection: str, pair: Pair) -> bool:
        """Whether an entity that both editions have differs in words at most."""
        if pair.old is None or pair.new is None:
            return False
        old = part_at(self.comparison.old, ("collections", collection, pair.old))
        new = part_at(self.comparison.new, ("collections", collection, pair.new))
        return in_play(collection, old) == in_play(collection, new)

    def differs(self, collection: str, name: str, *, now: bool) -> bool:
        """Whether a thing, by its id in one edition, differs in the other or is not there."""
        if collection == "header":
            at = ("header", name)
            return part_at(self.comparison.old, at) != part_at(self.comparison.new, at)
        if collection not in self._differing:
            pairs = [one for one in self.pairs(collection) if not self.plays_alike(collection, one)]
            self._differing[collection] = {one.old for one in pairs}, {one.new for one in pairs}
        return name in self._differing[collection][now]


def touched(editions: Editions) -> list[Touched]:
    """The procedures that changes reach, in the order of the new edition, then those gone."""
    found: dict[Pair, Touched] = {}
    pairs = editions.pairs("procedures")
    for pair in pairs:
        _follow(editions, pair, found)
    return [found[pair] for pair in pairs if pair in found]


def _follow(editions: Editions, pair: Pair, found: dict[Pair, Touched]) -> None:
    """Reach a procedure after those that it runs; procedures never run in a circle."""
    if pair in found:
        return
    if pair.old is None or pair.new is None:
        found[pair] = Touched(pair, "new" if pair.old is None else "gone")
        return
    reasons: dict[Reason, None] = {}
    if not editions.plays_alike("procedures", pair):
        reasons[Reason("own", pair.id, "", gettext("its own steps"))] = None
    for now, name in ((True, pair.new), (False, pair.old)):
        reasons |= dict.fromkeys(_looked_up(editions, name, now=now))
        program = editions.programs[now].get(name)
        for step in all_steps(program.steps) if program else ():
            if isinstance(step, Run):
                inner = editions.pair("procedures", step.program.id, now=now)
                _follow(editions, inner, found)
                if inner in found:
                    reasons[_reason(editions, "procedures", inner)] = None
    if reasons:
        found[pair] = Touched(pair, "touched", tuple(reasons))


def _looked_up(editions: Editions, procedure: str, *, now: bool) -> Iterator[Reason]:
    for collection, name in editions.programs[now].looked_up(procedure):
        if collection in _KINDS and editions.differs(collection, name, now=now):
            if collection == "header":
                yield Reason("natural scores", name, "", gettext("natural scores"))
            else:
                yield _reason(editions, collection, editions.pair(collection, name, now=now))


def _reason(editions: Editions, collection: str, pair: Pair) -> Reason:
    """What reaches a procedure; a thing of both editions is called as the new one calls it."""
    kind = _KINDS.get(collection, "procedure")
    title = str(getattr(editions.entity(collection, pair), "title", ""))
    return Reason(kind, pair.id, title, gettext(_TOLD[kind], title=title))
