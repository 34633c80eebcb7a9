"""Two editions and their changes -> the procedures that a change reaches, and by which way.

A procedure is reached by its own steps, by a table, a modifier table or a cutout that it looks up,
by the ruleset's natural scores, and by a procedure that it runs and that is reached itself. What it
looks up is taken from the rules core, so nothing is reached by words alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from rulebook.core.procedures import Programs
from rulebook.core.programs import Run, all_steps
from rulebook.documents.impact.views import Reason, ReasonKind
from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.changes import Path, Renamed
from rulebook.revisions.comparison import Comparison
from rulebook.revisions.in_play import in_play
from rulebook.revisions.keyed import Branch, Tree

#: Collections that procedures look up, and what one of them is called as a reason.
_KINDS: Mapping[str, ReasonKind] = {
    "tables": "table",
    "modifiers": "modifiers",
    "cutouts": "cutout",
    "header": "natural scores",
}


@dataclass(frozen=True, slots=True)
class Pair:
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


@dataclass(slots=True)
class Editions:
    """Two editions beside each other: what is called otherwise in the new one, what plays alike."""

    old: Ruleset
    new: Ruleset
    comparison: Comparison
    old_programs: Programs = field(init=False)
    new_programs: Programs = field(init=False)
    _names: dict[Path, str] = field(init=False)
    #: Of each collection the ids, old and new, of what differs in play.
    _differing: dict[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.old_programs, self.new_programs = Programs(self.old), Programs(self.new)
        changes = self.comparison.changes
        self._names = {one.path: one.old for one in changes if isinstance(one, Renamed)}

    def was(self, *path: str) -> str:
        """What the last part of a path of the new edition was called in the old one."""
        return self._names.get(path, path[-1])

    def pairs(self, collection: str) -> list[Pair]:
        """All entities of a collection: those of the new edition in its order, then the gone."""
        old: Mapping[str, Entity] = getattr(self.old.collections, collection)
        new: Mapping[str, Entity] = getattr(self.new.collections, collection)
        were = {name: self.was("collections", collection, name) for name in new}
        kept = [Pair(was if was in old else None, name) for name, was in were.items()]
        gone = [Pair(name, None) for name in old if name not in were.values()]
        return kept + gone

    def pair(self, collection: str, name: str, *, now: bool) -> Pair:
        """The pair of an entity that the new edition, or the old one, calls so."""
        pairs = self.pairs(collection)
        return next(one for one in pairs if (one.new if now else one.old) == name)

    def entity(self, collection: str, pair: Pair) -> tuple[Tree, Tree]:
        """The data of an entity in both editions."""
        return (
            _part(self.comparison.old, "collections", collection, pair.old),
            _part(self.comparison.new, "collections", collection, pair.new),
        )

    def plays_alike(self, collection: str, pair: Pair) -> bool:
        """Whether an entity that both editions have differs in words at most."""
        old, new = (in_play(collection, tree) for tree in self.entity(collection, pair))
        return old == new

    def differs(self, collection: str, name: str, *, now: bool) -> bool:
        """Whether what an edition calls so is otherwise in the other, or not there."""
        if collection == "header":
            old, new = (_part(one, "header", name) for one in self._both())
            return old != new
        if collection not in self._differing:
            pairs = [p for p in self.pairs(collection) if not self._alike(collection, p)]
            self._differing[collection] = (
                frozenset(pair.old for pair in pairs if pair.old),
                frozenset(pair.new for pair in pairs if pair.new),
            )
        return name in self._differing[collection][now]

    def _alike(self, collection: str, pair: Pair) -> bool:
        return None not in (pair.old, pair.new) and self.plays_alike(collection, pair)

    def _both(self) -> tuple[Tree, Tree]:
        return self.comparison.old, self.comparison.new


def _part(tree: Tree, *path: str | None) -> Tree:
    """A part of a tree; None where there is none."""
    for key in path:
        if not isinstance(tree, Branch) or key is None:
            return None
        tree = tree.parts.get(key)
    return tree


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
        reasons[Reason("own", pair.id, "", "its own steps")] = None
    for now in (True, False):
        reasons |= dict.fromkeys(_looked_up(editions, pair, now=now))
        for run in _run_by(editions, pair, now=now):
            inner = editions.pair("procedures", run, now=now)
            _follow(editions, inner, found)
            if inner in found:
                reasons[_reason(editions, "procedures", run, now=now)] = None
    if reasons:
        found[pair] = Touched(pair, "touched", tuple(reasons))


def _looked_up(editions: Editions, pair: Pair, *, now: bool) -> Iterator[Reason]:
    programs = editions.new_programs if now else editions.old_programs
    for collection, name in programs.looked_up(cast(str, pair.new if now else pair.old)):
        if collection in _KINDS and editions.differs(collection, name, now=now):
            yield _reason(editions, collection, name, now=now)


def _run_by(editions: Editions, pair: Pair, *, now: bool) -> Iterator[str]:
    """The ids of the procedures that one runs."""
    programs = editions.new_programs if now else editions.old_programs
    program = programs.get(cast(str, pair.new if now else pair.old))
    for step in all_steps(program.steps) if program else ():
        if isinstance(step, Run):
            yield step.program.id


def _reason(editions: Editions, collection: str, name: str, *, now: bool) -> Reason:
    """What reaches a procedure; a thing of both editions is called as the new one calls it."""
    if collection == "header":
        return Reason("natural scores", name, "", "natural scores")
    pair = editions.pair(collection, name, now=now)
    ruleset = editions.new if pair.new else editions.old
    entity: Entity = getattr(ruleset.collections, collection)[pair.id]
    kind, title = _KINDS.get(collection, "procedure"), str(getattr(entity, "title", ""))
    return Reason(kind, pair.id, title, f"the {kind} “{title}”")
