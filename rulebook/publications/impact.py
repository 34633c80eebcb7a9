"""Two editions of a ruleset and their changes -> what the changes do in play.

Here revisions meet the rules core and the cutouts: for each procedure that a change reaches the
odds in both editions side by side, for each cutout both outlines.
"""

from __future__ import annotations

from rulebook.model.ruleset import Ruleset
from rulebook.publications.impact_cutouts import cutout_impacts
from rulebook.publications.impact_procedures import procedure_impacts
from rulebook.publications.impact_touched import Editions
from rulebook.publications.impact_views import Impact
from rulebook.revisions.comparison import Comparison


def impact_of(
    old: Ruleset, new: Ruleset, comparison: Comparison, names: tuple[str, str] | None = None
) -> Impact:
    """What the changes from one edition to another do in play; `names` are what these are called.

    `comparison` is that of the plain data of the two, neither of which has faults. Whatever takes
    too long to reckon is told as such: the work is bounded, and the same for the same editions.
    """
    called = names or _called(old, new)
    editions = Editions(old, new, comparison)
    procedures = procedure_impacts(editions, called)
    return Impact(*called, procedures, cutout_impacts(editions, called))


def _called(old: Ruleset, new: Ruleset) -> tuple[str, str]:
    """1.0 and 2.0, or the titles of two rulesets."""
    if old.id != new.id and old.header.title != new.header.title:
        return old.header.title, new.header.title
    if old.header.edition != new.header.edition:
        return old.header.edition, new.header.edition
    return "before", "now"
