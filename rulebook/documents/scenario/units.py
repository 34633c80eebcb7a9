"""The forces of a scenario -> each of their units by itself: its name, its formation, its side.

Whoever plays wants a line on a sheet and a card for every regiment, not for every kind of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulebook.documents.scenario.forces import place_title
from rulebook.documents.scenario.views import SideLook
from rulebook.maps.marks import side_colour
from rulebook.model.forces import formations_of, units_known
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Commander, Force, Scenario


@dataclass(frozen=True, slots=True)
class UnitInForce:
    """A unit by its id and the title of its kind; a `name` of its own if the scenario gives one."""

    id: str
    title: str
    name: str


@dataclass(frozen=True, slots=True)
class Group:
    """Units that stand together in a force; `title` is that of their formation, or empty.

    It is empty too where the force is a single formation, of which its own title is enough.
    """

    title: str
    units: tuple[UnitInForce, ...]


def side_looks(scenario: Scenario) -> dict[str, SideLook]:
    """The sides by their ids, in their order."""
    return {
        key: SideLook(number, side.title, side_colour(side.colour))
        for number, (key, side) in enumerate(scenario.sides.items())
    }


def where_told(scenario: Scenario, force: Force) -> str:
    """Where a force stands or comes in: `anywhere`, `Baltimore Road`."""
    title = place_title(scenario, force.at)
    return title if force.at in scenario.places else title.lower()


def leader_told(commander: Commander | None) -> str:
    """The name of a commander, or nothing where players are to write one in."""
    return (commander.title or "") if commander else ""


def groups_of(ruleset: Ruleset, scenario: Scenario, force: Force) -> tuple[Group, ...]:
    """The units of a force one by one, those of a formation together.

    Names go to the units of a kind in the order in which these stand here.
    """
    groups = [(title, units) for title, units in _walked(ruleset, scenario, "", force.of) if units]
    formed = Counter(title for title, _ in groups if title)
    known = units_known(ruleset, scenario)
    names = {key: iter(given) for key, given in force.names.items()}
    seen: Counter[str] = Counter()
    found = []
    for title, units in groups:
        seen[title] += 1
        numbered = f"{title} {seen[title]}" if formed[title] > 1 else title
        inside = tuple(
            UnitInForce(key, known[key].title, next(names.get(key, iter(())), "")) for key in units
        )
        found.append(Group(numbered if formed.total() > 1 else "", inside))
    return tuple(found)


def _walked(
    ruleset: Ruleset, scenario: Scenario, title: str, of: Mapping[str, int]
) -> Iterator[tuple[str, list[str]]]:
    """Formations in their order, each with the ids of the units that are no part of another."""
    formations = formations_of(ruleset, scenario)
    known = units_known(ruleset, scenario)
    own = [name for name, number in of.items() if name in known for _ in range(number)]
    inner = [name for name, number in of.items() if name not in known for _ in range(number)]
    if title:
        yield title, own
    for name in inner:
        yield from _walked(ruleset, scenario, formations[name].title, formations[name].of)
    if not title:
        yield "", own
