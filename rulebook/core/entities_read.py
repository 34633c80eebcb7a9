"""A procedure -> the entities that it can look up, and a digest of all that they say.

So that a procedure need not be run anew where nothing that it reads has changed.
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
class EntitiesRead:
    """Finds these entities for rulesets that share most of theirs.

    Any word of an entity that is the id of another counts as its name: so there may be too many,
    never too few. An entity is looked through once: it is known by its identity, and kept so that
    no other can have the same. What is found are its words, and a digest of all that it says.
    """

    _words: dict[int, tuple[Entity, frozenset[str], str]] = field(default_factory=dict)

    def by_procedure(self, ruleset: Ruleset, procedure: str) -> frozenset[str]:
        """The ids of all that a procedure can look up: its own, what it names, and so on."""
        entities = _entities(ruleset)
        found = more = frozenset([procedure])
        while more:
            named = frozenset[str]().union(*(self._known(entities[name])[1] for name in more))
            more = (named & entities.keys()) - found
            found |= more
        return found

    def digest(self, ruleset: Ruleset, procedure: str) -> str:
        """A digest of all that a procedure can look up."""
        entities, names = _entities(ruleset), self.by_procedure(ruleset, procedure)
        digests = [(name, self._known(entities[name])[2]) for name in sorted(names)]
        return digest_of([digests, sorted(ruleset.header.natural.items())])

    def _known(self, entity: Entity) -> tuple[Entity, frozenset[str], str]:
        if id(entity) not in self._words:
            text = repr(entity)
            self._words[id(entity)] = entity, frozenset(_WORD.findall(text)), digest_of(text)
        return self._words[id(entity)]


def _entities(ruleset: Ruleset) -> dict[str, Entity]:
    found: dict[str, Entity] = {}
    for collection in _READ:
        found |= getattr(ruleset.collections, collection)
    return found
