"""Runs of procedures that were without a fault -> not run again while they look up the same.

A run is known by a digest of all that it can look up, so what is kept of it is no more than that
digest and how many moves it took. Faults are not kept: what has one is run again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.core.affected import Affected
from rulebook.model.ruleset import Ruleset

_STAGE = "sound"


@dataclass(slots=True)
class Sound:
    """What is known to be sound, from one check of a ruleset to the next of the same name.

    Only what was asked for or found in a check is kept after it, so that nothing old piles up.
    """

    cache: Cache = NOTHING_KEPT
    affected: Affected = field(default_factory=Affected)
    _known: dict[str, int] = field(default_factory=dict)
    _now: dict[str, int] = field(default_factory=dict)

    def recall(self, name: str) -> None:
        """What the last check found."""
        kept = self.cache.get_json(_STAGE, digest_of(name))
        self._known = kept if isinstance(kept, dict) else {}
        self._now = {}

    def remember(self, name: str) -> None:
        """Keep what this check found."""
        if self._now != self._known:
            self.cache.put_json(_STAGE, digest_of(name), self._now)

    def key(self, ruleset: Ruleset, procedure: str, told: str) -> str:
        """Of a procedure, what it reads, and what is `told` besides of how it is run."""
        return digest_of([self.affected.reading(ruleset, procedure), told])

    def moves(self, key: str) -> int | None:
        """How many moves a sound run took; None where it is not known to be sound."""
        found = self._known.get(key)
        if found is not None:
            self._now[key] = found
        return found

    def add(self, key: str, moves: int = 0) -> None:
        self._now[key] = moves
