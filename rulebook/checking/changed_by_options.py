"""Runs of procedures that were without a fault, and which option brings a fault.

A run is known by a digest of all that the procedure can look up, and is not made again while that
stays the same: in the next check, or with an option that leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulebook import quantities
from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.core.programs import Program
from rulebook.core.steps import all_read
from rulebook.model.entities import Entity
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Span


def in_option(problem: Problem, ruleset: Ruleset, options: Sequence[str]) -> Problem:
    """A fault outside the options' own files names the options without which it is none."""
    files = {place.path for name in options if (place := ruleset.place("options", name, "title"))}
    if not options or (problem.span and problem.span.path in files):
        return problem
    names = quantities.join_words([f"'{name}'" for name in options], "and")
    called = "option" if len(options) == 1 else "options"
    return replace(problem, message=f"with the {called} {names}: {problem.message}")


def adding(ruleset: Ruleset, span: Span) -> str | None:
    """The option, of those chosen, in whose file something stands."""
    for name in ruleset.chosen:
        place = ruleset.place("options", name, "title")
        if place is not None and place.path == span.path:
            return name
    return None


_STAGE = "sound"


@dataclass(slots=True)
class Sound:
    """What is known to be sound, from one check of a ruleset to the next of the same name.

    Only what was asked for or found in a check is kept after it, so that nothing old piles up.
    """

    cache: Cache = NOTHING_KEPT
    _known: dict[str, int] = field(default_factory=dict)
    _now: dict[str, int] = field(default_factory=dict)
    #: Digests of entities by identity; these are kept, so that no other can have the same.
    _digests: dict[int, tuple[Entity, str]] = field(default_factory=dict)

    def recall(self, name: str) -> None:
        """What the last check found."""
        kept = self.cache.get_json(_STAGE, digest_of(name))
        self._known = kept if isinstance(kept, dict) else {}
        self._now = {}

    def remember(self, name: str) -> None:
        """Keep what this check found."""
        if self._now != self._known:
            self.cache.put_json(_STAGE, digest_of(name), self._now)

    def key(self, ruleset: Ruleset, program: Program, run: str) -> str:
        """Of a program, all that it can look up, and how it is `run`."""
        natural = sorted(ruleset.header.natural.items())
        read = sorted(all_read(program) - {("header", "natural")})
        said = [self._digest(getattr(ruleset.collections, at)[name]) for at, name in read]
        return digest_of([read, said, natural, run])

    def _digest(self, entity: Entity) -> str:
        if id(entity) not in self._digests:
            self._digests[id(entity)] = entity, digest_of(repr(entity))
        return self._digests[id(entity)][1]

    def moves(self, key: str) -> int | None:
        """How many moves a sound run took; None where it is not known to be sound."""
        found = self._now.get(key, self._known.get(key))
        if found is not None:
            self._now[key] = found
        return found

    def add(self, key: str, moves: int = 0) -> None:
        self._now[key] = moves
