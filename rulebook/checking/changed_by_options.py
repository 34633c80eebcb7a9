"""A ruleset with options beside the same without them -> what a check need not look at again.

Where a check found nothing in the plain ruleset, it finds nothing in what the options leave as it
is. Where it found something all is looked at again, since a fault may be told in other words.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.core.compute import Computed
from rulebook.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Beside:
    """The plain ruleset and what was computed of it, and the ids of all that the options affect.

    `faulty` are the names of the checks that found something in the plain ruleset.
    """

    plain: Ruleset
    computed: Computed
    affected: frozenset[str]
    faulty: frozenset[str]

    def unless_faulty(self, check: str) -> Beside | None:
        """Itself where a check found nothing in the plain ruleset."""
        return None if check in self.faulty else self
