"""Two editions -> the numbers by which a rule is cited to those who have the former one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.documents.marks.change_words import RulePlace
from rulebook.model.prose import rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.comparison import Comparison
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class RuleNumbers:
    """The numbers of the headings of both editions, and the old id of each new heading."""

    old: Mapping[str, str]
    new: Mapping[str, str]
    former: Mapping[str, str]

    @classmethod
    def between(cls, old: Ruleset, new: Ruleset, comparison: Comparison) -> RuleNumbers:
        """The numbers of two editions."""
        numbers = rule_numbers(new.chapters)
        former = {heading: comparison.was("sections", heading) for heading in numbers}
        return cls(rule_numbers(old.chapters), numbers, former)

    def now(self, heading: str) -> str:
        """The new number of a heading of the former edition; empty where it is gone."""
        return next((self.new[one] for one, was in self.former.items() if was == heading), "")

    def cite(self, standing: RulePlace, stood: RulePlace | None = None) -> str:
        """The number of a rule in the former edition, with the new one where it differs.

        `stood` is where the thing stood in the former edition, which may be another rule.
        """
        heading = standing.heading
        was = (stood.rule if stood else "") or self.old.get(self.former.get(heading, heading), "")
        return cited(was, self.new.get(heading, was))


def cited(was: str, now: str) -> str:
    """A number, or a run of them, as it was, with what it is now where that differs."""
    if not was:
        return gettext("%(rule)s (new)", rule=now) if now else ""
    return was if now in ("", was) else gettext("%(was)s (now %(now)s)", was=was, now=now)
