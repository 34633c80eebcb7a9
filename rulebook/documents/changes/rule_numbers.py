"""Two editions -> where their things stand, and the numbers by which rules are cited.

Rules are cited to those who have the former edition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rulebook.documents.changes.things import THINGS
from rulebook.model.lookup import name_in
from rulebook.model.prose import Remark, Text, placements, rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class RulePlace:
    """Where a thing stands in an edition: rule number, id of the heading, title of the chapter.

    All are empty for what no chapter holds: the title page, cards, terms.
    """

    rule: str = ""
    heading: str = ""
    chapter: str = ""


@dataclass(frozen=True)
class RulePlaces:
    """Where the things of one edition stand in its booklet."""

    ruleset: Ruleset

    @cached_property
    def numbers(self) -> Mapping[str, str]:
        return rule_numbers(self.ruleset.chapters)

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The headings in the order of the booklet."""
        return {heading: index for index, heading in enumerate(self.numbers)}

    @cached_property
    def _placed(self) -> Mapping[tuple[str, str], str]:
        return placements(self.ruleset.chapters)

    @cached_property
    def _headings(self) -> Mapping[str, RulePlace]:
        return {
            section.id: RulePlace(self.numbers[section.id], section.id, chapter.title)
            for chapter in self.ruleset.chapters
            for section in chapter.sections
        }

    @cached_property
    def _bound(self) -> Mapping[str, str]:
        """Things whose values stand in sentences -> the first heading under which they do."""
        found: dict[str, str] = {}
        for section in (
            section for chapter in self.ruleset.chapters for section in chapter.sections
        ):
            for part in section.parts:
                text = part.text if isinstance(part, Remark) else part
                for binding in text.bindings if isinstance(text, Text) else ():
                    found.setdefault(name_in(binding.target), section.id)
        return found

    def place_of(self, collection: str, id_: str) -> RulePlace:
        """Where a section stands, or an entity where the booklet has it or its rule."""
        if collection in ("sections", "chapters"):
            return self._headings.get(id_, RulePlace())
        beside = self.ruleset if collection == "options" else self.ruleset.collections
        entity = getattr(beside, collection, {}).get(id_)
        placed = self._placed.get((THINGS[collection].placed, id_))
        rules = getattr(entity, "rules", ()) or ("",)
        heading = placed or getattr(entity, "rule", None) or rules[0] or self._bound.get(id_)
        return self._headings.get(heading or "", RulePlace())

    def position(self, heading: str, before: RulePlaces) -> float:
        """Where a heading is in the order of the booklet; what stands under none comes last.

        One that went stands where it stood in the edition `before`: behind the last one before it
        that is still there.
        """
        if heading in self.order or heading not in before.order:
            return self.order.get(heading, len(self.order))
        stood = list(before.order)[: before.order[heading]]
        return next((self.order[one] + 0.5 for one in reversed(stood) if one in self.order), -1)


@dataclass(frozen=True, slots=True)
class RuleNumbers:
    """The numbers of the headings of both editions, and the old id of each new heading."""

    old: Mapping[str, str]
    new: Mapping[str, str]
    former: Mapping[str, str]

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
