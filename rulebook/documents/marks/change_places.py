"""The path of a change -> where it is, in a reader's words: "8-16″, first volley, cover".

Also the titles of things, and the heading under which each stands in an edition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulebook.documents.marks.change_words import RulePlace, Thing
from rulebook.documents.parts.edition_parts import Step
from rulebook.documents.parts.printed_parts import Printed
from rulebook.model.axes import Axis, Choice, humanise
from rulebook.model.examples_and_terms import ExampleStep
from rulebook.model.fields import FieldSpec
from rulebook.model.inputs import Input
from rulebook.model.modifiers import Change as ChangedAmount
from rulebook.model.modifiers import ModifierRow
from rulebook.model.procedures import ProcedureStep
from rulebook.model.prose import Remark, Text, placements, rule_numbers
from rulebook.model.ruleset import Credit, Ruleset
from rulebook.model.tables import Grid, Row
from rulebook.model.units import TrackMark
from rulebook.revisions.changes import Path
from rulebook.revisions.classes import depth_of
from rulebook.translation import gettext, gettext_noop

#: Collections and what one of them is called.
THINGS: Mapping[str, Thing] = {
    "header": "ruleset",
    "cover": "ruleset",
    "chapters": "chapter",
    "sections": "section",
    "options": "option",
    "tables": "table",
    "modifiers": "modifiers",
    "procedures": "procedure",
    "examples": "example",
    "sequence": "phase",
    "units": "unit",
    "cards": "cards",
    "cutouts": "cutout",
    "terms": "term",
}
#: Keys that only lead to parts, or to the one text of a thing.
_LEADING = {
    *("data", "value", "rows", "columns", "fields", "changes", "inputs", "steps", "tracks"),
    *("cards", "marks", "parts", "say", "meaning", "text", "zones", "rings", "faces"),
    *("credits", "adds", "name", "procedures", "tables", "examples", "cutouts", "rules"),
}
#: Keys under which stands what tells itself: sentences, words, titles of things.
_SENTENCES = (
    *("parts", "say", "forms", "tables", "procedures", "examples", "cutouts", "rules"),
    *("chapters", "annexes", "appendices"),
)
#: Keys that readers would not understand.
_CALLED = {
    "about": gettext_noop("line below the title"),
    "use": gettext_noop("how it is used"),
    "when": gettext_noop("condition"),
    "kind": gettext_noop("kind"),
    "qrs": gettext_noop("on the quick-reference sheet"),
    "booklet": gettext_noop("in the booklet"),
    "made_from": gettext_noop("made from"),
    "from": gettext_noop("from"),
    "to": gettext_noop("to"),
    "rule": gettext_noop("heading of its rule"),
    "gives": gettext_noop("results"),
    "given": gettext_noop("inputs"),
    "one_of": gettext_noop("choices"),
    "any_of": gettext_noop("conditions"),
}
#: Collections -> how prose places what is in them.
_PLACED = {
    "tables": "table",
    "modifiers": "table",
    "cutouts": "cutout",
    "examples": "example",
    "procedures": "steps",
}


#: What the head of a ruleset is called, which has no title that says so.
TITLE_PAGE = gettext_noop("Title page")
_OF_TITLE_PAGE = ("header", "cover")


def title_of(ruleset: Ruleset, path: Path) -> str:
    """The title of the thing at a path; its id made readable where it has none."""
    if path[0] in _OF_TITLE_PAGE:
        return gettext(TITLE_PAGE)
    return getattr(_thing_at(ruleset, path), "title", None) or humanise(path[-1])


def has(ruleset: Ruleset, path: Path) -> bool:
    """Whether an edition has the thing at a path."""
    return path[0] in _OF_TITLE_PAGE or _thing_at(ruleset, path) is not None


def _thing_at(ruleset: Ruleset, path: Path) -> object:
    """An option, a section or an entity by the keys that lead to it; None where there is none."""
    if path[0] == "options":
        return ruleset.options.get(path[1])
    if path[0] in ("sections", "chapters"):
        sections = (one for chapter in ruleset.chapters for one in chapter.sections)
        return next((one for one in sections if one.id == path[1]), None)
    return getattr(ruleset.collections, path[1], {}).get(path[2])


def where(printed: Printed, path: Path) -> str:
    """The place of a part in its thing; nothing for the thing itself."""
    steps = printed.parts.walk(path)[depth_of(path) :]
    return ", ".join(word for step in steps if (word := _word(printed, step)))


def _word(printed: Printed, step: Step) -> str:
    """What one step adds to a place, if it leads to anything that has a name."""
    value, key = step.value, humanise(step.key)
    title = getattr(value, "title", None)
    place = _place_on(step)
    if place is not None:
        return place
    match value:
        case ModifierRow():
            return printed.prose(value.when)
        case FieldSpec() | ChangedAmount():
            return gettext("column “%(title)s”", title=title or key)
        case ProcedureStep() | ExampleStep():
            return gettext("step %(number)s", number=step.index + 1)
        case TrackMark():
            return gettext("box %(name)s", name=value.at or key)
        case Choice(title=name) | Row(title=name) | Credit(role=name) | Input(label=name):
            return name or key
        case Remark():
            return gettext("note “%(title)s”", title=title or key)
    if isinstance(step.parent, Row | ModifierRow) and step.cell_type is not None:
        return printed.column_title(step.table, step.key)
    title = title or getattr(value, "name", None)
    if isinstance(title, str) and not isinstance(value, str):
        return title
    if step.key in _LEADING or step.under in _SENTENCES:
        return ""
    if step.key == "title" and isinstance(step.parent, Row):
        return gettext("name of the row")
    return gettext(_CALLED[step.key]) if step.key in _CALLED else key.lower()


def _place_on(step: Step) -> str | None:
    """A row or a column of a grid's data, by the places at which it stands; None for other keys."""
    grid = step.table
    if not isinstance(grid, Grid):
        return None
    if step.under == "data":
        return _titles(grid.rows, grid.positions("rows")[step.index])
    if grid.columns and isinstance(step.parent, tuple) and step.parent in grid.data:
        return _titles(grid.columns, grid.positions("columns")[step.index])
    return None


def _titles(axes: Sequence[Axis], place: Sequence[Choice]) -> str:
    """Places as they are printed; a bare number or face with the name of its axis."""
    return ", ".join(
        f"{axis.title} {choice.title}" if axis.die or axis.headed else choice.title
        for axis, choice in zip(axes, place, strict=True)
    )


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
    def _on_sheet(self) -> Mapping[str, str]:
        """Tables and the like on the quick-reference sheet -> the heading of their rule."""
        found: dict[str, str] = {}
        for phase in self.ruleset.sequence.values():
            for step in phase.steps.values():
                for name in (*step.tables, *step.procedures, *step.examples, *step.cutouts):
                    found.setdefault(name, step.rule)
        return found

    @cached_property
    def _bound(self) -> Mapping[str, str]:
        """Things whose values stand in sentences -> the first heading under which they do."""
        found: dict[str, str] = {}
        for chapter in self.ruleset.chapters:
            for section in chapter.sections:
                for part in section.parts:
                    text = part.text if isinstance(part, Remark) else part
                    for binding in text.bindings if isinstance(text, Text) else ():
                        found.setdefault(re.split(r"[.\[]", binding.target)[0], section.id)
        return found

    @cached_property
    def _of_headings(self) -> Mapping[str, RulePlace]:
        return {
            section.id: RulePlace(self.numbers[section.id], section.id, chapter.title)
            for chapter in self.ruleset.chapters
            for section in chapter.sections
        }

    def of_heading(self, heading: str) -> RulePlace:
        """Under a heading; nowhere if the edition has no such heading."""
        return self._of_headings.get(heading, RulePlace())

    def of(self, collection: str, id_: str) -> RulePlace:
        """Of a section, or of an entity where the booklet has it or its rule."""
        if collection in ("sections", "chapters"):
            return self.of_heading(id_)
        if collection == "options":
            option = self.ruleset.options.get(id_)
            return self.of_heading((option.rule if option else None) or "")
        entity = getattr(self.ruleset.collections, collection, {}).get(id_)
        placed = self._placed.get((_PLACED.get(collection, ""), id_))
        rules = getattr(entity, "rules", ()) or ("",)
        ruled = placed or getattr(entity, "rule", None) or rules[0]
        return self.of_heading(ruled or self._on_sheet.get(id_) or self._bound.get(id_) or "")

    def position(self, heading: str, before: RulePlaces) -> float:
        """Where a heading is in the order of the booklet; what stands under none comes last.

        One that went stands where it stood in the edition `before`: behind the last one before it
        that is still there.
        """
        if heading in self.order or heading not in before.order:
            return self.order.get(heading, len(self.order))
        stood = list(before.order)[: before.order[heading]]
        return next((self.order[one] + 0.5 for one in reversed(stood) if one in self.order), -1)
