"""Two rulesets -> what reckons otherwise in the one than in the other.

So that a ruleset with an option need not be reckoned anew where the option changes nothing.
"""

from __future__ import annotations

import re

from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Ruleset

#: Collections whose entities procedures name, and procedures themselves.
_READ = ("tables", "modifiers", "cutouts", "procedures")
_WORD = re.compile(r"[a-z][a-z0-9_]*")


def affected(ruleset: Ruleset, before: Ruleset) -> frozenset[str]:
    """The ids of all that differs from what it was before, or names anything that does.

    Any word of an entity that is the id of another counts as its name: so there may be too many
    ids, never too few.
    """
    now, then = _entities(ruleset), _entities(before)
    found = {name for name in now | then if now.get(name) != then.get(name)}
    words = {name: set(_WORD.findall(repr(entity))) for name, entity in now.items()}
    more = set(found)
    while more:
        more = {name for name, used in words.items() if name not in found and used & more}
        found |= more
    return frozenset(found)


def _entities(ruleset: Ruleset) -> dict[str, Entity]:
    found: dict[str, Entity] = {}
    for collection in _READ:
        found |= getattr(ruleset.collections, collection)
    return found
