"""Two rulesets -> the entities by which odds may differ between them.

So that a ruleset with an option need not be computed anew where the option changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rulebook.cache import digest_of
from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Ruleset

#: Collections whose entities procedures name, and procedures themselves.
_READ = ("tables", "modifiers", "cutouts", "procedures")
_WORD = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(slots=True)
class Affected:
    """Finds these entities for rulesets that share most of theirs.

    An entity is looked through once: it is known by its identity, and kept so that no other can
    have the same. What is found are its words, and a digest of all that it says.
    """

    _words: dict[int, tuple[Entity, frozenset[str], str]] = field(default_factory=dict)

    def __call__(self, ruleset: Ruleset, before: Ruleset) -> frozenset[str]:
        """The ids of all that differs from what it was before, or names anything that does.

        Any word of an entity that is the id of another counts as its name: so there may be too many
        ids, never too few.
        """
        now, then = _entities(ruleset), _entities(before)
        found = {name for name in now | then if differ(now.get(name), then.get(name))}
        words = {name: self._of(entity) for name, entity in now.items()}
        more = set(found)
        while more:
            more = {
                name
                for name, used in words.items()
                if name not in found and not used.isdisjoint(more)
            }
            found |= more
        return frozenset(found)

    def read_by(self, ruleset: Ruleset, procedure: str) -> frozenset[str]:
        """The ids of all that a procedure can look up: its own, what it names, and so on."""
        entities = _entities(ruleset)
        found = more = frozenset([procedure])
        while more:
            named = frozenset[str]().union(*(self._of(entities[name]) for name in more))
            more = (named & entities.keys()) - found
            found |= more
        return found

    def reading(self, ruleset: Ruleset, procedure: str) -> str:
        """A digest of all that a procedure can look up."""
        entities, names = _entities(ruleset), self.read_by(ruleset, procedure)
        digests = [(name, self._known(entities[name])[2]) for name in sorted(names)]
        return digest_of([digests, sorted(ruleset.header.natural.items())])

    def _of(self, entity: Entity) -> frozenset[str]:
        return self._known(entity)[1]

    def _known(self, entity: Entity) -> tuple[Entity, frozenset[str], str]:
        if id(entity) not in self._words:
            text = repr(entity)
            self._words[id(entity)] = entity, frozenset(_WORD.findall(text)), digest_of(text)
        return self._words[id(entity)]


def differ(now: object, before: object) -> bool:
    """Whether two things are not alike; most are one and the same, which need not be compared."""
    return now is not before and now != before


def _entities(ruleset: Ruleset) -> dict[str, Entity]:
    found: dict[str, Entity] = {}
    for collection in _READ:
        found |= getattr(ruleset.collections, collection)
    return found
