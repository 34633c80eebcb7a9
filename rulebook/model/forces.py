"""Formations and forces of a scenario -> the units that they hold, and what these count.

A division is so many brigades and a brigade so many regiments, by the scenario or by its ruleset;
in the end all are units. A unit is counted by fields of its rows or by its tracks, as the header
of the ruleset says under `muster`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from operator import mul

from rulebook import quantities
from rulebook.model.cells import Cell
from rulebook.model.grids import humanise
from rulebook.model.lookup import fields_of, find
from rulebook.model.record_tables import RecordTable
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import RowName
from rulebook.model.scenarios import Force, Formation, OwnUnit, Pace, Paces, Scenario, Side
from rulebook.model.units import Unit
from rulebook.problems import Fault


def units_known(ruleset: Ruleset, scenario: Scenario | None) -> Mapping[str, Unit]:
    """Returns all units that a scenario may use, by id.

    Its own units replace units of the ruleset with the same id.
    """
    return {**ruleset.units, **(scenario.units if scenario else {})}


def formation_of(ruleset: Ruleset, scenario: Scenario | None, name: str) -> Formation | None:
    """Returns the formation with this id: the scenario's own if it has one, else the ruleset's."""
    own = scenario.formations.get(name) if scenario else None
    return own or ruleset.formations.get(name)


def title_of(ruleset: Ruleset, scenario: Scenario | None, name: str) -> str:
    """Returns the title of a unit or a formation, or one made from its id if there is none."""
    entity = units_known(ruleset, scenario).get(name) or formation_of(ruleset, scenario, name)
    return entity.title if entity else humanise(name)


def formations_of(ruleset: Ruleset, scenario: Scenario | None) -> dict[str, Formation]:
    """Returns all formations that a scenario may use, by id.

    Its own formations replace formations of the ruleset with the same id.
    """
    return {**ruleset.formations, **(scenario.formations if scenario else {})}


def formations_mustered(ruleset: Ruleset, scenario: Scenario) -> dict[str, Formation]:
    """Returns, by id, the formations that forces of a scenario name, and all those inside them."""
    named = {
        name: 1 for side in scenario.sides.values() for f in side.forces.values() for name in f.of
    }
    known = formations_of(ruleset, scenario)
    held = _held_by(named, known)
    return {name: known[name] for name in known if name in held}


def circle_in(formations: Mapping[str, Formation]) -> tuple[str, ...]:
    """Returns the ids of formations that contain each other in a circle; empty if there are none.

    The first of them is repeated at the end.
    """
    try:
        _in_order(formations)
    except CycleError as error:
        circle: list[str] = error.args[1][::-1]
        start = circle.index(min(circle))
        return (*circle[start:-1], *circle[:start], circle[start])
    return ()


def _in_order(formations: Mapping[str, Formation]) -> list[str]:
    """Returns the ids of formations so that each follows those that it contains.

    Raises CycleError if formations contain each other.
    """
    held = {name: formation.of.keys() & formations.keys() for name, formation in formations.items()}
    return [
        *TopologicalSorter({name: sorted(inner) for name, inner in held.items()}).static_order()
    ]


def units_in(ruleset: Ruleset, scenario: Scenario | None, of: Mapping[str, int]) -> Counter[str]:
    """Counts the units in some units and formations; `of` maps the ids of these to their numbers.

    Raises KeyError for an unknown id, and CycleError where formations contain each other.
    """
    formations = formations_of(ruleset, scenario)
    inside: dict[str, Counter[str]] = {
        name: Counter({name: 1}) for name in units_known(ruleset, scenario)
    }
    for name in _in_order(_held_by(of, formations)):
        inside[name] = _added_up(formations[name].of, inside)
    return _added_up(of, inside)


def _held_by(of: Mapping[str, int], formations: Mapping[str, Formation]) -> dict[str, Formation]:
    """Returns, by id, the formations among some ids, and all formations inside these.

    Other ids are ignored.
    """
    found: dict[str, Formation] = {}
    waiting = list(of)
    while waiting:
        name = waiting.pop()
        if name in formations and name not in found:
            found[name] = formations[name]
            waiting += formations[name].of
    return found


def _added_up(of: Mapping[str, int], inside: Mapping[str, Counter[str]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, number in of.items():
        for unit, count in inside[name].items():
            found[unit] += number * count
    return found


def units_of(ruleset: Ruleset, scenario: Scenario, force: Force) -> Counter[str]:
    """Counts the units of a force by id, those inside its formations included.

    Raises KeyError for an unknown id, and CycleError where formations contain each other.
    """
    return units_in(ruleset, scenario, force.of)


def units_of_side(ruleset: Ruleset, scenario: Scenario, side: Side) -> Counter[str]:
    """Counts the units of all forces of a side by id, those inside their formations included.

    Raises KeyError for an unknown id, and CycleError where formations contain each other.
    """
    found: Counter[str] = Counter()
    for force in side.forces.values():
        found += units_of(ruleset, scenario, force)
    return found


def counted(ruleset: Ruleset, unit: Unit) -> dict[str, int | None]:
    """Returns how much one unit counts under each heading of `muster`: figures, officers, guns.

    It is the count that a unit of a scenario states, or else the sum of its fields for the heading:
    0 if it has none, None if the rules leave a number open.
    """
    own = unit.counts if isinstance(unit, OwnUnit) else {}
    return {
        key: own[key] if key in own else _sum(_number(ruleset, unit, field) for field in fields)
        for key, fields in ruleset.header.muster.counts.items()
    }


def bases_of(ruleset: Ruleset, unit: Unit) -> int:
    """Returns the number of bases of one unit; 0 if the rules do not give it.

    It is the number stated, or else the count under the first heading of `muster`.
    """
    if unit.base is None:
        return 0
    return unit.base.number or next(iter(counted(ruleset, unit).values()), None) or 0


def tally(
    ruleset: Ruleset, scenario: Scenario | None, units: Mapping[str, int]
) -> dict[str, int | None]:
    """Returns how much some units count in all under each heading of `muster`.

    `units` maps their ids to their numbers. None where the number of a part is not known.
    """
    known = units_known(ruleset, scenario)
    each = {name: counted(ruleset, known[name]) for name in units}
    return {
        key: _sum(
            None if (count := each[name][key]) is None else number * count
            for name, number in units.items()
        )
        for key in ruleset.header.muster.counts
    }


def _sum(numbers: Iterator[int | None]) -> int | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total


def _number(ruleset: Ruleset, unit: Unit, name: str) -> int | None:
    """Returns the number in a field of a unit's rows, or else of boxes in its track of this name.

    0 if the unit has neither or the field holds no count, None if the cell is missing.
    """
    row = fields_of(ruleset, unit).get(name)
    table = ruleset.tables.get(row.table) if row else None
    if row is not None and isinstance(table, RecordTable):
        cell = table.data[row.row].cells[name]
        if cell.value is None and cell.status == "missing":
            return None
        return cell.value if isinstance(cell.value, int) else 0
    track = unit.tracks.get(name)
    return track.boxes * track.times if track else 0


def pace_of(ruleset: Ruleset, pace: Pace) -> quantities.Length:
    """Computes how far a unit moves in a turn: adds up the terms of its pace.

    Raises Fault if the result is no length above 0 in one unit that a ruler measures.
    """
    lengths = [_product(ruleset, paths) for paths in pace.terms]
    units = {length.unit for length in lengths}
    whole = quantities.Length(
        sum((length.number for length in lengths), Fraction(0)), lengths[0].unit
    )
    if len(units) > 1 or whole.unit == "base" or not whole.number:
        sum_ = " + ".join(map(str, lengths))
        expected = "lengths in one length unit that a ruler measures, together more than 0"
        raise Fault("R305", f"{sum_} is no pace", expected)
    return whole


def _product(ruleset: Ruleset, paths: tuple[str, ...]) -> quantities.Length:
    values = [_value(ruleset, path) for path in paths]
    lengths = [value for value in values if isinstance(value, quantities.Length)]
    rest = [value for value in values if isinstance(value, int | Fraction)]
    if len(lengths) != 1 or len(rest) != len(values) - 1:
        message = f"'{' * '.join(paths)}' is no length"
        raise Fault("R305", message, "one length, alone or times numbers, each with a value")
    times = reduce(mul, map(Fraction, rest), Fraction(1))
    return quantities.Length(lengths[0].number * times, lengths[0].unit)


def _value(ruleset: Ruleset, path: str) -> object:
    found = find(ruleset, path)
    return found.value if isinstance(found, Cell) else found


@dataclass(frozen=True, slots=True)
class Speeds:
    """How far a unit marches in a turn: along roads, off roads, and over the grounds in `over`."""

    road: quantities.Length
    off: quantities.Length
    over: tuple[tuple[RowName, quantities.Length], ...] = ()


def paces_in(paces: Paces) -> Iterator[tuple[tuple[str, ...], Pace]]:
    """Yields the paces of a unit, each as (keys that lead to it, pace)."""
    yield ("road",), paces.road
    if paces.off is not None:
        yield ("off",), paces.off
    yield from ((("over", str(ground)), pace) for ground, pace in paces.over.items())


def _speeds(ruleset: Ruleset, paces: Paces) -> Speeds:
    over = ((ground, pace_of(ruleset, pace)) for ground, pace in paces.over.items())
    return Speeds(
        pace_of(ruleset, paces.road), pace_of(ruleset, paces.off or paces.road), tuple(over)
    )


def paces(ruleset: Ruleset, scenario: Scenario | None) -> dict[str, Speeds]:
    """Returns how far each unit with a stated pace marches in a turn, by its id.

    Units of the scenario replace units of the ruleset with the same id.
    """
    stated = dict(ruleset.header.muster.paces)
    for name, unit in (scenario.units if scenario else {}).items():
        stated.pop(name, None)
        if unit.pace is not None:
            stated[name] = unit.pace
    return {name: _speeds(ruleset, pace) for name, pace in stated.items()}
