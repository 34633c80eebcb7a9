"""A scenario's entries and objectives -> tables of the marches between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulebook import quantities
from rulebook.documents.scenario.forces import place_title
from rulebook.documents.scenario.travel_times import Earliest, March, earliest, marches
from rulebook.documents.scenario.views import (
    EarliestRow,
    EarliestTable,
    MarchesView,
    MarchRow,
    MarchTable,
)
from rulebook.model.forces import paces, units_known, units_of
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario

#: Objectives side by side in a table of the earliest turns.
MOST_SIDE_BY_SIDE = 4
#: Paces side by side in a table of the ways.
MOST_PACES = 4


def marches_view(ruleset: Ruleset, name: str) -> MarchesView | None:
    """The marches of a scenario; None where there is nowhere to march from, or to."""
    scenario = ruleset.scenarios[name]
    found = marches(ruleset, name)
    if not found:
        return None
    known = paces(ruleset, scenario)
    there = _kinds(ruleset, scenario)
    units = [unit for unit in there if any(unit in march.turns for march in found)]
    titles = units_known(ruleset, scenario)
    tables, late = _earliest(scenario, earliest(ruleset, name, found) if units else ())
    return MarchesView(
        units=tuple(titles[unit].title for unit in units),
        unknown=tuple(titles[unit].title for unit in there if unit not in known),
        tables=tuple(_tables(ruleset, scenario, found, units)),
        earliest=tables,
        late=late,
    )


def _kinds(ruleset: Ruleset, scenario: Scenario) -> list[str]:
    """The kinds of units in the scenario, in the order of the ruleset."""
    there: set[str] = set()
    for side in scenario.sides.values():
        for force in side.forces.values():
            there |= units_of(ruleset, scenario, force).keys()
    return [unit for unit in units_known(ruleset, scenario) if unit in there]


def _tables(
    ruleset: Ruleset, scenario: Scenario, found: Sequence[March], units: Sequence[str]
) -> Iterator[MarchTable]:
    """One table with a column for each pace, or more where there are many; always at least one."""
    known, titles = paces(ruleset, scenario), units_known(ruleset, scenario)
    columns: dict[Fraction, list[str]] = {}
    for unit in units:
        columns.setdefault(known[unit].mm, []).append(unit)
    listed = list(columns.values())
    for start in range(0, max(len(listed), 1), MOST_PACES):
        chosen = listed[start : start + MOST_PACES]
        heads = tuple(", ".join(titles[unit].title for unit in column) for column in chosen)
        yield MarchTable(heads, tuple(_row(scenario, march, chosen) for march in found))


def _row(scenario: Scenario, march: March, columns: Sequence[Sequence[str]]) -> MarchRow:
    way = march.way
    return MarchRow(
        place=place_title(scenario, march.place),
        objective=scenario.objectives[march.objective].title,
        distance=told_distance(scenario, way.length),
        off_road=told_distance(scenario, way.off_road),
        turns=tuple(_turns(march, column) for column in columns),
    )


def _turns(march: March, units: Sequence[str]) -> str:
    """The turns of units of one pace; a dash where none of them comes this way."""
    return next(
        (str(march.turns[unit]) for unit in units if unit in march.turns), quantities.EN_DASH
    )


def told_distance(scenario: Scenario, millimetres: float) -> str:
    """Whole inches, or centimetres on a table that is measured in metres."""
    metric = scenario.table.width.unit in ("mm", "cm", "m")
    number = round(millimetres / (10 if metric else 25.4))
    return str(quantities.Length(Fraction(number), "cm" if metric else "in"))


def _earliest(
    scenario: Scenario, found: Sequence[Earliest]
) -> tuple[tuple[EarliestTable, ...], bool]:
    turns = {(one.side, one.force, one.objective): one.turn for one in found}
    forces = list(dict.fromkeys((one.side, one.force) for one in found))
    numbers = {side: number for number, side in enumerate(scenario.sides)}
    names = list(scenario.objectives)
    last = scenario.length.turns
    tables = []
    for start in range(0, len(names) if forces else 0, MOST_SIDE_BY_SIDE):
        chosen = names[start : start + MOST_SIDE_BY_SIDE]
        rows = [
            EarliestRow(
                numbers[side],
                scenario.sides[side].forces[force].title,
                tuple(_turn(turns.get((side, force, one)), last) for one in chosen),
            )
            for side, force in forces
        ]
        titles = tuple(scenario.objectives[one].title for one in chosen)
        tables.append(EarliestTable(titles, tuple(rows)))
    late = last is not None and any(turn is not None and turn > last for turn in turns.values())
    return tuple(tables), late


def _turn(turn: int | None, last: int | None) -> str:
    """With a dagger where it is after the end."""
    if turn is None:
        return quantities.EN_DASH
    return f"{turn} †" if last is not None and turn > last else str(turn)
