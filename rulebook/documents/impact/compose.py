"""Two editions of a ruleset and their changes -> what the changes do in play.

Here revisions meet the rules core and the cutouts: for each procedure that a change reaches the
odds in both editions side by side, for each cutout both outlines.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import quantities
from rulebook.documents.impact.cutouts import cutout_impacts
from rulebook.documents.impact.odds import MOST_MOVES_IN_ALL
from rulebook.documents.impact.procedures import procedure_impacts
from rulebook.documents.impact.touched import Editions
from rulebook.documents.impact.views import Impact, OptionImpact, ProcedureImpact
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.comparison import Comparison, compare


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
    options = tuple(_options(editions, called, procedures))
    return Impact(*called, procedures, options, cutout_impacts(editions, called))


def _called(old: Ruleset, new: Ruleset) -> tuple[str, str]:
    """1.0 and 2.0, or the titles of two rulesets."""
    if new.chosen != old.chosen:
        return "the rules", quantities.join_words(
            (new.options[one].title for one in new.chosen), "and"
        )
    if old.id != new.id and old.header.title != new.header.title:
        return old.header.title, new.header.title
    if old.header.edition != new.header.edition:
        return old.header.edition, new.header.edition
    return "before", "now"


def _options(
    editions: Editions, names: tuple[str, str], told: tuple[ProcedureImpact, ...]
) -> Iterator[OptionImpact]:
    """What options do that are new or that changed, each alone."""
    old, new = editions.old, editions.new
    if new.chosen or new.variants is None:
        return
    were = {name: editions.was("options", name) for name in new.options}
    changed = {
        one.path[1]
        for one in editions.comparison.changes
        if one.path[:1] == ("options",) and len(one.path) > 1
    }
    reached = [name for name in new.options if name in changed]
    for name in reached:
        title = new.options[name].title
        known = were[name] in old.options and old.variants is not None
        before = old.with_options([were[name]]).ruleset if known else new
        after = new.with_options([name]).ruleset
        if before is None or after is None:
            continue
        both = Editions(before, after, compare(plain_ruleset(before), plain_ruleset(after)))
        called = names if known else ("The rules", title)
        share = MOST_MOVES_IN_ALL // len(reached)
        found = (one for one in procedure_impacts(both, called, share) if one not in told)
        procedures = tuple(found)
        if procedures:
            yield OptionImpact(name, title, "changed" if known else "new", procedures)
