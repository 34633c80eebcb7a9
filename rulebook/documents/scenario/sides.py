"""The sides of a scenario -> its order of battle as it is printed: forces resolved to units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebook import quantities
from rulebook.documents.scenario.forces import (
    Counts,
    ForceInBattle,
    Part,
    SideInBattle,
    UnitCount,
    count_titles,
)
from rulebook.documents.scenario.notes import ScenarioNotes
from rulebook.documents.scenario.views import CommanderView, ForceView, SideView, UnitLine
from rulebook.model.forces import tally, title_of
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Commander, Scenario, Side

#: Of a count that the rules leave open, and of what a unit does not have.
OPEN, NONE = "?", quantities.EN_DASH


def when(scenario: Scenario, turn: int) -> str:
    """`Start`, `Move 6`."""
    return "Start" if turn == 0 else f"{word(scenario.turn)} {turn}"


def word(text: str) -> str:
    """With a capital."""
    return text[:1].upper() + text[1:]


def side_views(
    ruleset: Ruleset, name: str, sides: Sequence[SideInBattle], notes: ScenarioNotes
) -> tuple[SideView, ...]:
    """All sides in their order."""
    composer = _Composer(ruleset, ruleset.scenarios[name], notes)
    return tuple(composer.side(place, side) for place, side in enumerate(sides))


def counts_told(counts: Counts) -> tuple[str, ...]:
    """Counts as they print."""
    return tuple(OPEN if one is None else str(one) if one else NONE for one in counts.values())


@dataclass(frozen=True, slots=True)
class _Composer:
    ruleset: Ruleset
    scenario: Scenario
    notes: ScenarioNotes

    def side(self, place: int, side: SideInBattle) -> SideView:
        stated = self.scenario.sides[side.id]
        at = ("sides", side.id)
        return SideView(
            id=side.id,
            place=place,
            title=side.title,
            colour=side.colour,
            note=self.notes.of(*at),
            commander=self._commander(side.commander, *at),
            columns=tuple(count_titles(self.ruleset).values()),
            forces=tuple(self._force(force, *at) for force in side.forces),
            units=tuple(self._unit(unit) for unit in side.units),
            number=side.units_in_all,
            counts=counts_told(side.counts),
            stated=self._stated(stated, side),
            opens=None in side.counts.values(),
        )

    def _commander(self, one: Commander | None, *at: str) -> CommanderView | None:
        if one is None:
            return None
        return CommanderView(one.title or "", self.notes.of(*at, "commander"))

    def _force(self, force: ForceInBattle, *at: str) -> ForceView:
        at = (*at, "forces", force.id)
        return ForceView(
            id=force.id,
            title=force.title,
            note=self.notes.of(*at),
            commander=self._commander(force.commander, *at),
            comes=f"{when(self.scenario, force.turn)}: {force.place}",
            made_of=tuple(self._made_of(at[1], force)),
            units=tuple(self._unit(unit) for unit in force.units),
            number=force.units_in_all,
            counts=counts_told(force.counts),
        )

    def _made_of(self, side: str, force: ForceInBattle) -> Iterator[tuple[str, int | None]]:
        """The formations of a force, with what they are made of."""
        of = self.scenario.sides[side].forces[force.id].of
        for name, part in zip(of, force.parts, strict=True):
            if part.parts:
                yield _part_told(part), self.notes.of_formation(name)

    def _unit(self, unit: UnitCount) -> UnitLine:
        counts = tally(self.ruleset, self.scenario, {unit.id: unit.number})
        note = self.notes.of("units", unit.id)
        return UnitLine(unit.number, unit.title, unit.names, counts_told(counts), note)

    def _stated(self, side: Side, found: SideInBattle) -> str:
        """What the source states in sum, where the forces make just that."""
        units: Mapping[str, int] = {unit.id: unit.number for unit in found.units}
        if not side.stated or any(units.get(one, 0) != count for one, count in side.stated.items()):
            return ""
        titles = [
            f"{count} × {title_of(self.ruleset, self.scenario, one)}"
            for one, count in side.stated.items()
        ]
        return quantities.join_words(titles, "and")


def _part_told(part: Part) -> str:
    """`1 × Infantry division, each of 2 × Infantry brigade, each of 2 × Infantry regiment`."""
    told = f"{part.number} × {part.title}"
    if not part.parts:
        return told
    inner = " and ".join(map(_part_told, part.parts))
    return f"{told}, {'each ' if part.number > 1 else ''}of {inner}"
