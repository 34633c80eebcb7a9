"""A scenario -> its order of battle, who is there turn by turn, and how the sides compare.

All is added up from the forces: nothing here has been typed by anyone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.model.axes import humanise
from rulebook.model.forces import formation_of, tally, title_of, units_known, units_of
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import ANYWHERE, Commander, Force, Scenario

#: What a side counts: by the ids of `muster`, None where the rules leave the number open.
Counts = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class UnitCount:
    """So many units of a kind, with the names that the scenario gives them."""

    id: str
    title: str
    number: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A formation or unit as it stands in a force, and what it is made of in its turn."""

    title: str
    number: int
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class ForceInBattle:
    """A force: what it is of, as it was written and in units, what it counts, when it comes."""

    id: str
    title: str
    commander: Commander | None
    parts: tuple[Part, ...]
    units: tuple[UnitCount, ...]
    counts: Counts
    turn: int
    at: str
    place: str

    @property
    def units_in_all(self) -> int:
        return sum(one.number for one in self.units)


@dataclass(frozen=True, slots=True)
class SideInBattle:
    """A side: its forces in the order in which they come, and what they make together."""

    id: str
    title: str
    colour: str
    commander: Commander | None
    forces: tuple[ForceInBattle, ...]
    units: tuple[UnitCount, ...]
    counts: Counts

    @property
    def units_in_all(self) -> int:
        return sum(one.number for one in self.units)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A force that comes, and what its side has with it from then on."""

    turn: int
    side: str
    force: ForceInBattle
    units: int
    counts: Counts


@dataclass(frozen=True, slots=True)
class Strengths:
    """What is on the table at the end of each turn if nothing is lost, by side: turns from 0.

    `units` are counted in units; `counts` by what `muster` counts, the first of which is that by
    which sides are compared.
    """

    turns: tuple[int, ...]
    units: Mapping[str, tuple[int, ...]]
    counts: Mapping[str, Mapping[str, tuple[int | None, ...]]]

    @property
    def compared(self) -> Mapping[str, tuple[int | None, ...]]:
        """By side what the sides are compared by: the first count, or units where none is known."""
        for by_side in self.counts.values():
            if all(None not in numbers for numbers in by_side.values()):
                return by_side
        return self.units


def played(ruleset: Ruleset, name: str) -> Ruleset:
    """The ruleset with the options that a scenario is played with; itself if it has them all.

    Raises ValueError if they do not make one, which the check tells before.
    """
    options = ruleset.scenarios[name].options
    if set(options) <= set(ruleset.chosen):
        return ruleset
    variant = ruleset.with_options({*ruleset.chosen, *options})
    if variant.ruleset is None:
        raise ValueError(f"the options of {name} make no ruleset")
    return variant.ruleset


def count_titles(ruleset: Ruleset) -> dict[str, str]:
    """How columns of counts are headed: {"figures": "Figures"}."""
    return {key: humanise(key) for key in ruleset.header.muster.counts}


def order_of_battle(ruleset: Ruleset, name: str) -> tuple[SideInBattle, ...]:
    """The sides of a scenario, added up; `ruleset` is that with the options in force."""
    scenario = ruleset.scenarios[name]
    sides = []
    for side_id, side in scenario.sides.items():
        forces = [_force(ruleset, scenario, key, force) for key, force in side.forces.items()]
        units: Counter[str] = Counter()
        for force in side.forces.values():
            units += units_of(ruleset, scenario, force)
        sides.append(
            SideInBattle(
                id=side_id,
                title=side.title,
                colour=side.colour,
                commander=side.commander,
                forces=tuple(sorted(forces, key=lambda force: force.turn)),
                units=_listed(ruleset, scenario, units, {}),
                counts=tally(ruleset, scenario, units),
            )
        )
    return tuple(sides)


def _force(ruleset: Ruleset, scenario: Scenario, key: str, force: Force) -> ForceInBattle:
    units = units_of(ruleset, scenario, force)
    return ForceInBattle(
        id=key,
        title=force.title,
        commander=force.commander,
        parts=tuple(_part(ruleset, scenario, one, number) for one, number in force.of.items()),
        units=_listed(ruleset, scenario, units, force.names),
        counts=tally(ruleset, scenario, units),
        turn=force.turn,
        at=force.at,
        place=place_title(scenario, force.at),
    )


def place_title(scenario: Scenario, at: str) -> str:
    """What the place of a force is called."""
    return "Anywhere" if at == ANYWHERE else scenario.places[at].title


def _part(ruleset: Ruleset, scenario: Scenario, name: str, number: int) -> Part:
    formation = (
        None if name in units_known(ruleset, scenario) else formation_of(ruleset, scenario, name)
    )
    inner = formation.of if formation else {}
    parts = tuple(_part(ruleset, scenario, one, count) for one, count in inner.items())
    return Part(title_of(ruleset, scenario, name), number, parts)


def _listed(
    ruleset: Ruleset,
    scenario: Scenario,
    units: Mapping[str, int],
    names: Mapping[str, Sequence[str]],
) -> tuple[UnitCount, ...]:
    """Units in the order of the ruleset."""
    return tuple(
        UnitCount(unit, title_of(ruleset, scenario, unit), units[unit], tuple(names.get(unit, ())))
        for unit in units_known(ruleset, scenario)
        if units.get(unit)
    )


def arrivals(sides: Sequence[SideInBattle]) -> tuple[Arrival, ...]:
    """All forces in the order in which they come, with the sums of their side."""
    found = []
    coming = [
        (force.turn, number, force) for number, side in enumerate(sides) for force in side.forces
    ]
    units = dict.fromkeys(range(len(sides)), 0)
    counts: dict[int, Counts] = {
        number: dict.fromkeys(side.counts, 0) for number, side in enumerate(sides)
    }
    for turn, number, force in sorted(coming, key=lambda one: one[:2]):
        units[number] += force.units_in_all
        counts[number] = _together(counts[number], force.counts)
        found.append(Arrival(turn, sides[number].id, force, units[number], counts[number]))
    return tuple(found)


def _together(one: Counts, other: Counts) -> Counts:
    return {key: _sum(one[key], other[key]) for key in one}


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def strengths(scenario: Scenario, sides: Sequence[SideInBattle]) -> Strengths:
    """What each side has on the table, turn by turn; to the last arrival if no end is stated."""
    last = scenario.length.turns or max(force.turn for side in sides for force in side.forces)
    turns = tuple(range(last + 1))
    units: dict[str, tuple[int, ...]] = {}
    counts: dict[str, dict[str, tuple[int | None, ...]]] = {}
    for side in sides:
        there = [[force for force in side.forces if force.turn <= turn] for turn in turns]
        units[side.id] = tuple(sum(force.units_in_all for force in forces) for forces in there)
        for key in side.counts:
            summed = tuple(_added([force.counts[key] for force in forces]) for forces in there)
            counts.setdefault(key, {})[side.id] = summed
    return Strengths(turns, units, counts)


def _added(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def ratios(found: Strengths, one: str, other: str) -> tuple[Fraction | None, ...]:
    """How many times as strong one side is as another, turn by turn; None where there is none."""
    compared = found.compared
    return tuple(
        None if mine is None or not theirs else Fraction(mine, theirs)
        for mine, theirs in zip(compared[one], compared[other], strict=True)
    )
