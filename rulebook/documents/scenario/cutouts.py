"""A scenario -> the cutouts that its forces need, together on as few sheets as they take.

A scenario may say which these are. Where it does not, they are told by the rules: a cutout belongs
to the chapter in which its rule stands, and a chapter to the units that name a heading of it among
their rules. What belongs to units none of which is there is left out; what belongs to no unit, such
as the stick with which all measure, is needed by all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulebook.documents.cutouts.compose import some_cutouts_view
from rulebook.documents.parts.document import File, Planned
from rulebook.documents.scenario.played import PlayedScenario
from rulebook.model.forces import units_known, units_of_side
from rulebook.model.prose import placements
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario


def cutout_documents(scenario: PlayedScenario) -> Iterator[Planned]:
    """The sheets of the cutouts on each paper, if any are needed."""
    needed = cutouts_needed(scenario.ruleset, scenario.scenario)
    title = f"Cutouts for {scenario.scenario.title}"
    for paper in scenario.spec.sheets or () if needed else ():
        view = partial(some_cutouts_view, scenario.ruleset, needed, paper, title)
        file = File(f"{scenario.stem}-cutouts-{paper}.pdf", "pdf", paper, "full")
        yield scenario.planned("cutout", f"-cutouts-{paper}", "Cutouts", view, file)


def cutouts_needed(ruleset: Ruleset, scenario: Scenario) -> tuple[str, ...]:
    """The ids of the cutouts in the order of the ruleset."""
    if scenario.cutouts is not None:
        return tuple(name for name in ruleset.cutouts if name in scenario.cutouts)
    chapters = {
        section.id: chapter.id for chapter in ruleset.chapters for section in chapter.sections
    }
    owners: dict[str, set[str]] = {}
    for name, unit in units_known(ruleset, scenario).items():
        for rule in unit.rules:
            owners.setdefault(chapters[_heading(rule)], set()).add(name)
    there = {
        name for side in scenario.sides.values() for name in units_of_side(ruleset, scenario, side)
    }
    placed = placements(ruleset.chapters)
    found = []
    for name, cutout in ruleset.cutouts.items():
        heading = _heading(cutout.rule) if cutout.rule else placed["cutout", name]
        owned = owners.get(chapters[heading])
        if owned is None or owned & there:
            found.append(name)
    return tuple(found)


def _heading(rule: str) -> str:
    """The id of a heading as chapters have it."""
    return rule.replace("-", "_")
