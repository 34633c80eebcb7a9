"""An id and what it is to name -> the fault of one that names nothing, or another kind of thing.

A scenario's own things come before those of its ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulebook.loading.nodes import unknown
from rulebook.model.lookup import KINDS, find_entity
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Ref
from rulebook.model.scenarios import Scenario
from rulebook.problems import Problem, Span, second_place
from rulebook.quantities import join_words
from rulebook.suggestions import nearest, nearest_word

#: What the parts of a scenario are called that a ruleset has none of.
_PARTS_OF_SCENARIOS = {"sides": "side", "places": "place", "features": "feature of the map"}


@dataclass(frozen=True, slots=True)
class Namespace:
    """Where ids are looked up: in a ruleset, or in a scenario that is played by it."""

    ruleset: Ruleset
    scenario: Scenario | None = None

    def _own(self, collection: str) -> Iterable[str]:
        """The ids in a collection of the scenario."""
        if collection == "features":
            return self.scenario.map.features if self.scenario else ()
        own = getattr(self.scenario, collection, ())
        return own if isinstance(own, Mapping) else ()  # what is a list names other things

    def _ids(self, collection: str) -> list[str]:
        return [*self._own(collection), *getattr(self.ruleset.collections, collection, ())]

    def fault(self, name: str, ref: Ref, span: Span | None) -> Problem | None:
        """Why an id does not name what it is to name, or None."""
        ids = [known for collection in ref.collections for known in self._ids(collection)]
        ids += ref.also
        if name in ids:
            return None
        if ref.collections[0] in _PARTS_OF_SCENARIOS:
            what = join_words(_PARTS_OF_SCENARIOS[collection] for collection in ref.collections)
            otherwise = "an id of the scenario, which has none of this kind"
            return unknown("R302", f"{what} of it", name, ids, span, otherwise=otherwise)
        kinds = join_words(KINDS[collection] for collection in ref.collections)
        expected = f"the id of {kinds} of this ruleset"
        if name in self._own("formations"):
            return other_kind(self.ruleset, name, span, expected)
        if find_entity(self.ruleset, name):
            return other_kind(self.ruleset, name, span, expected, hint=nearest(name, ids))
        option = self.ruleset.adding(name)
        near = "" if option else nearest_word(name, ids)
        hint = f"write '{near}'" if near else ""
        if option:
            hint = f"the option '{option}' adds it; refer to it in that option"
        found = find_entity(self.ruleset, near)
        there = self.ruleset.place(found[0], near) if found else None
        also = second_place(there, "it stands here")
        return Problem("R301", f"nothing is called '{name:.60}'", span, expected, hint, also)


def other_kind(
    ruleset: Ruleset,
    name: str,
    span: Span | None,
    expected: str,
    *,
    which: str = "",
    hint: str = "",
) -> Problem:
    """The fault of a name of something else than belongs at a place; `which` says of what kind.

    A name of nothing in the ruleset is that of a formation of a scenario.
    """
    known = find_entity(ruleset, name)
    there = ruleset.place(known[0], name) if known else None
    message = f"'{name:.60}' is {KINDS[known[0] if known else 'formations']}{which}"
    return Problem("R305", message, span, expected, hint, second_place(there, "it stands here"))
