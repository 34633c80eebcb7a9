"""Computed tables -> grids: a procedure is reckoned at every place, and each cell shows what of it.

A place whose inputs the procedure does not admit is a cell where nothing applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import prod
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.input_domains import Domain, InputFault
from rulebook.core.loops import More
from rulebook.core.odds import (
    MOST_IN_ALL,
    MOST_ODDS,
    FaultyProcedure,
    Reckoner,
    ResultOdds,
    in_order,
    told_outcome,
    values_along,
    while_reckoning,
)
from rulebook.core.outcomes import outcomes_of, parse_outcome, written_outcome
from rulebook.core.procedure_faults import Findings, Spot
from rulebook.core.programs import Program
from rulebook.core.value_types import (
    FlagKind,
    Kind,
    LengthKind,
    MixedKind,
    NumberKind,
    TextKind,
    Value,
    WordKind,
)
from rulebook.model.axes import Axis, Choice, humanise
from rulebook.model.cells import Cell, CellType, Sought
from rulebook.model.lookup import no_procedure
from rulebook.model.ruleset import Address
from rulebook.model.tables import LARGEST_TABLE, Case, ComputedTable, Grid


@dataclass(frozen=True, slots=True)
class Position:
    """A place on an axis: what it sets, or the outcome of which it tells the chance."""

    choice: Choice
    sets: Mapping[str, Value] = field(default_factory=dict)
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class Side:
    """An axis of a computed table; `result` where outcomes stand along it."""

    axis: Axis
    positions: tuple[Position, ...]
    result: bool = False


def compute_table(table_id: str, table: ComputedTable, reckoner: Reckoner) -> Grid | None:
    """The grid of a computed table; None after problems, which the reckoner's findings hold."""
    return _Computing(table_id, table, reckoner).grid()


class _Computing:
    """One table on its way to a grid."""

    def __init__(self, table_id: str, table: ComputedTable, reckoner: Reckoner) -> None:
        self.table = table
        self.reckoner = reckoner
        self.findings: Findings = reckoner.findings
        self.address: Address = ("tables", table_id)
        self.sound = True

    def _fault(self, key: str, /, *at: str | int, **values: Any) -> None:
        self.sound = False
        self.findings.add(key, Spot((*self.address, *at)), **values)

    def grid(self) -> Grid | None:
        program = self._program()
        if program is None:
            return None
        fixed = self._given(program, self.table.given, "given")
        shown = self._shown(program)
        sides = {
            name: self._side(program, side, name)
            for side in ("rows", "columns")
            for name in getattr(self.table, side)
        }
        if not self.sound or shown is None:
            return None
        known = [one for one in sides.values() if one is not None]
        return self._filled(program, fixed, known, shown)

    def _program(self) -> Program | None:
        name, ruleset = self.table.computed, self.reckoner.ruleset
        if name in ruleset.procedures:
            return self.reckoner.program(name)
        self.sound = False
        self.findings.pass_on(no_procedure(ruleset, name), Spot((*self.address, "computed")))
        return None

    def _domain(self, program: Program, name: str, *at: str | int) -> Domain | None:
        domain = program.domains.get(name)
        if domain is None:
            known = list(program.domains)
            self._fault(
                "R302 input of a procedure", *at, procedure=program.id, name=Sought(name, known)
            )
        return domain

    def _given(
        self, program: Program, given: Mapping[str, str], *at: str | int
    ) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for name, text in given.items():
            domain = self._domain(program, name, *at, name)
            if domain is not None:
                value = domain.parse(text)
                if value is None:
                    self._no_value(domain, text, *at, name)
                else:
                    values[name] = value
        return values

    def _no_value(self, domain: Domain, text: str, *at: str | int) -> None:
        self._fault(
            "R434 no value of an input",
            *at,
            text=text,
            name=domain.name,
            choices=domain.choices(),
            hint=domain.hint(text),
        )

    def _shown(self, program: Program) -> _Shown | None:
        """How a cell is made of the odds of its place."""
        show = self.table.show
        result = program.results.get(show.result)
        if result is None:
            self._fault(
                "R302 result of a procedure",
                "show",
                show.shown_as,
                procedure=program.id,
                result=Sought(show.result, list(program.results)),
            )
            return None
        along = next((name for name in self.table.axes if self._is_result(program, name)), None)
        if along is not None:
            return self._shown_along(show.result, along, result.kind)
        return self._shown_alone(result.kind)

    def _is_result(self, program: Program, name: str) -> bool:
        places = self.table.axes[name]
        return (
            name in program.results and name not in program.domains and not isinstance(places, dict)
        )

    def _shown_along(self, shown: str, along: str, kind: Kind) -> _Shown | None:
        show = self.table.show
        if show.chance != along or show.equals is not None or show.at_least is not None:
            self._fault("R435 outcomes on an axis", "show", show.shown_as, result=along)
            return None
        return _Shown(
            shown, kind, CellType("chance"), lambda odds, at: quantities.Chance(odds.chance(at))
        )

    def _shown_alone(self, kind: Kind) -> _Shown | None:
        show = self.table.show
        shown = partial(_Shown, show.result, kind)
        unit = kind.unit if isinstance(kind, LengthKind) else None
        if show.mean and isinstance(kind, NumberKind | LengthKind):
            return shown(CellType("mean"), lambda odds, _: _mean(odds, unit))
        if show.median and isinstance(kind, NumberKind | LengthKind | MixedKind):
            return shown(CellType("count"), lambda odds, _: _quantity(odds.median(), kind))
        if show.chance and (show.equals or show.at_least):
            return self._of_outcome(kind, shown)
        if show.chance and isinstance(kind, FlagKind):
            return shown(CellType("chance"), lambda odds, _: quantities.Chance(odds.chance(True)))
        wanted = {
            "mean": "a result that is a number",
            "median": "a result that is a number",
            "chance": "'is' or 'at_least' beside it, or its outcomes on an axis: "
            f"columns: {{{show.result}: all}}",
        }
        self._fault(
            "R435 shown as",
            "show",
            show.shown_as,
            shown_as=show.shown_as,
            result=show.result,
            kind=kind,
            wanted=wanted[show.shown_as],
            example=_example(kind) if show.chance else "",
        )
        return None

    def _of_outcome(self, kind: Kind, shown: Any) -> _Shown | None:
        show = self.table.show
        key = "is" if show.equals is not None else "at_least"
        text = show.equals or show.at_least or ""
        outcome = parse_outcome(kind, text)
        ordered = isinstance(kind, NumberKind | LengthKind)
        if outcome is None or (key == "at_least" and not ordered):
            self._fault(
                "R435 no outcome" if outcome is None else "R435 at least",
                "show",
                key,
                text=text,
                result=show.result,
                outcomes=outcomes_of(kind),
                kind=kind,
            )
            return None
        if key == "is":
            found: _Shown = shown(
                CellType("chance"), lambda odds, _: quantities.Chance(odds.chance(outcome))
            )
        else:
            found = shown(
                CellType("chance"), lambda odds, _: quantities.Chance(odds.at_least(outcome))
            )
        return found

    def _side(self, program: Program, side: str, name: str) -> Side | None:
        places = getattr(self.table, side)[name]
        if isinstance(places, dict):
            return self._of_cases(program, side, name, places)
        if self._is_result(program, name):
            return Side(Axis(name, ()), (), result=True)  # filled when its outcomes are known
        domain = program.domains.get(name)
        if domain is None:
            known = [*program.domains, *program.results]
            self._fault(
                "R302 along an axis", side, name, procedure=program.id, name=Sought(name, known)
            )
            return None
        values = list(self._values(domain, places, side, name))
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            self._fault("R434 value twice", side, name, value=domain.written(twice))
        positions = [Position(_choice_of(domain, value), {name: value}) for value in values]
        headed = isinstance(domain.kind, NumberKind | FlagKind)
        axis = Axis(name, tuple(one.choice for one in positions), None, domain.label, headed)
        return Side(axis, tuple(positions))

    def _values(
        self, domain: Domain, places: str | tuple[str, ...], side: str, name: str
    ) -> Iterator[Value]:
        texts = [places] if isinstance(places, str) else places
        for index, text in enumerate(texts):
            at = (side, name) if isinstance(places, str) else (side, name, index)
            try:
                yield from values_along(domain, text)
            except InputFault as fault:
                self.sound = False
                here = Spot((*self.address, *at))
                self.findings.pass_on(fault, here)

    def _of_cases(
        self, program: Program, side: str, name: str, cases: Mapping[str, Case]
    ) -> Side | None:
        positions = []
        for key, case in cases.items():
            sets = self._given(program, case.given, side, name, key, "given")
            for given in case.given:
                others = [one for one in self.table.axes if one != name]
                if given in self.table.given or given in others:
                    self._fault("R434 set twice", side, name, key, "given", given, given=given)
            positions.append(Position(Choice(key, case.title or humanise(key)), sets))
        return Side(Axis(name, tuple(one.choice for one in positions)), tuple(positions))

    def _filled(
        self,
        program: Program,
        fixed: Mapping[str, Value],
        sides: list[Side],
        shown: _Shown,
    ) -> Grid | None:
        if not self._bounded(prod(len(side.positions) for side in sides if not side.result)):
            return None
        try:
            odds = self._odds(program, fixed, sides, shown)
        except FaultyProcedure as fault:
            place = self.reckoner.ruleset.place(*self.address, "computed")
            self.findings.problems += while_reckoning(fault, place, "table")
            return None
        sides = [
            self._outcomes(program, side.axis.name, shown.kind, odds.values())
            if side.result
            else side
            for side in sides
        ]
        if not self.sound or not self._bounded(prod(len(side.positions) for side in sides)):
            return None
        return self._grid(odds, sides, shown)

    def _bounded(self, cells: int) -> bool:
        if cells <= min(MOST_ODDS, LARGEST_TABLE) and not self.reckoner.spent:
            return True
        self._fault(
            "R436 large table" if cells > MOST_ODDS else "R436 many odds",
            cells=cells,
            most=MOST_ODDS,
            in_all=MOST_IN_ALL,
        )
        return False

    def _odds(
        self,
        program: Program,
        fixed: Mapping[str, Value],
        sides: list[Side],
        shown: _Shown,
    ) -> dict[tuple[str, ...], ResultOdds | None]:
        """The odds at each place, by the keys of its inputs."""
        found = {}
        along = [side.positions for side in sides if not side.result]
        for places in product(*along):
            inputs = {**program.defaults(), **fixed}
            for place in places:
                inputs.update(place.sets)
            key = tuple(place.choice.key for place in places)
            found[key] = self.reckoner.odds(program, shown.result, inputs)
        return found

    def _outcomes(
        self, program: Program, name: str, kind: Kind, odds: Iterable[ResultOdds | None]
    ) -> Side:
        """The axis of the outcomes of a result: all that there are, or those that are asked for."""
        title = program.results[name].title
        met = {value: None for one in odds if one for value, _ in one.outcomes}
        known = in_order(kind, met)
        places = self.table.axes[name]
        side = "rows" if name in self.table.rows else "columns"
        values = known if places == "all" else list(self._asked_for(kind, known, side, name))
        positions = [
            Position(Choice(written_outcome(value), _heading(value, kind)), outcome=value)
            for value in values
        ]
        headed = isinstance(kind, NumberKind | FlagKind)
        axis = Axis(name, tuple(one.choice for one in positions), None, title, headed)
        return Side(axis, tuple(positions), result=True)

    def _asked_for(self, kind: Kind, known: list[Any], side: str, name: str) -> Iterator[Any]:
        places = self.table.axes[name]
        by_text = {written_outcome(value): value for value in known}
        for index, text in enumerate([places] if isinstance(places, str) else places):
            outcome = by_text.get(text, by_text.get(text.replace("-", "_")))
            if outcome is None:
                outcome = parse_outcome(kind, text)
            if outcome is None or (isinstance(kind, MixedKind | TextKind) and text not in by_text):
                at = (side, name) if isinstance(places, str) else (side, name, index)
                self._fault(
                    "R434 no outcome in cases",
                    *at,
                    text=Sought(text, list(by_text)),
                    name=name,
                    outcomes=outcomes_of(kind, known),
                )
                continue
            yield outcome

    def _grid(
        self,
        odds: Mapping[tuple[str, ...], ResultOdds | None],
        sides: list[Side],
        shown: _Shown,
    ) -> Grid:
        tall = len(self.table.rows)

        def cell(places: tuple[Position, ...]) -> Cell:
            inputs = [place for place, side in zip(places, sides, strict=True) if not side.result]
            found = odds[tuple(place.choice.key for place in inputs)]
            if found is None:
                return Cell(None)
            outcome = next((p.outcome for p, s in zip(places, sides, strict=True) if s.result), 0)
            return Cell(shown.cell(found, outcome))

        rows = list(product(*(side.positions for side in sides[:tall])))
        columns = list(product(*(side.positions for side in sides[tall:])))
        table = self.table
        own = {name: getattr(table, name) for name in Grid.model_fields if hasattr(table, name)}
        made = Grid.model_construct(
            **{
                **own,
                "rows": tuple(side.axis for side in sides[:tall]),
                "columns": tuple(side.axis for side in sides[tall:]),
                "cells": shown.cell_type,
                "data": tuple(tuple(cell((*row, *column)) for column in columns) for row in rows),
            }
        )
        return made.computed_with(table.given)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What cells show of a result: `cell` makes it of the odds, and of the outcome on an axis."""

    result: str
    kind: Kind
    cell_type: CellType
    cell: Any


def _mean(odds: ResultOdds, unit: quantities.LengthUnit | None) -> quantities.Mean:
    if odds.mean is None:
        raise TypeError("the mean of a result that is no number")
    return quantities.Mean(odds.mean, unit)


def _quantity(value: Any, kind: Kind) -> quantities.Value:
    if isinstance(value, str | More) or isinstance(kind, LengthKind):
        return told_outcome(value, kind)
    number: quantities.Value = value
    return number


def _heading(value: Any, kind: Kind) -> str:
    if isinstance(value, str):
        return value_types.titles_of(kind).get(value) or humanise(value)
    return told_outcome(value, kind).capitalize()


def _choice_of(domain: Domain, value: Value) -> Choice:
    key = domain.written(value)
    try:
        band = quantities.parse_band(key) if isinstance(domain.kind, WordKind) else None
    except quantities.QuantityError:
        band = None
    return Choice(key, domain.told(value), band)


def _example(kind: Kind) -> str:
    if isinstance(kind, WordKind):
        return kind.keys[0]
    return {FlagKind: "true", NumberKind: "3", LengthKind: "6in"}.get(type(kind), "a word")
