"""Computed tables -> grids: the odds of a procedure at every place, and what cells show of them.

A place whose inputs the procedure does not admit is a cell where nothing applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.input_domains import Domain, InputFault
from rulebook.core.odds import (
    MOST_IN_ALL,
    MOST_ODDS,
    FaultyProcedure,
    OddsCalculator,
    ResultOdds,
    problems_while_computing,
    values_along,
)
from rulebook.core.procedure_faults import Findings, Spot
from rulebook.core.programs import Program
from rulebook.core.value_types import (
    TEXT,
    FlagKind,
    Kind,
    LengthKind,
    MixedKind,
    More,
    NumberKind,
    Value,
    WordKind,
    in_order,
    outcome_text,
    outcomes_of,
    parse_outcome,
    written_outcome,
)
from rulebook.limits import MOST_ITEMS
from rulebook.model.cells import Cell, CellType
from rulebook.model.grids import Axis, Case, Choice, ComputedTable, Grid, humanise
from rulebook.model.lookup import no_procedure
from rulebook.model.ruleset import Address
from rulebook.suggestions import nearest


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A place on an axis: what it sets, or the outcome whose chance it shows."""

    choice: Choice
    sets: Mapping[str, Value] = field(default_factory=dict)
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class TableSide:
    """An axis of a computed table; `result` where outcomes stand along it."""

    axis: Axis
    positions: tuple[Position, ...]
    result: bool = False


def compute_table(table_id: str, table: ComputedTable, calculator: OddsCalculator) -> Grid | None:
    """The grid of a computed table; None after problems, which the calculator's findings hold."""
    return _Computing(table_id, table, calculator).grid()


@dataclass(frozen=True, slots=True)
class _CellSource:
    """What cells show of a result: `cell` makes it of the odds, and of the outcome on an axis."""

    kind: Kind
    cell_type: CellType
    cell: Callable[[ResultOdds, Any], quantities.Value]


class _Computing:
    """One table on its way to a grid."""

    def __init__(self, table_id: str, table: ComputedTable, calculator: OddsCalculator) -> None:
        self.table = table
        self.calculator = calculator
        self.findings: Findings = calculator.findings
        self.address: Address = ("tables", table_id)

    def _at(self, *at: str | int) -> Spot:
        return Spot((*self.address, *at))

    def grid(self) -> Grid | None:
        before = len(self.findings.problems)
        name, ruleset = self.table.computed, self.calculator.ruleset
        if name not in ruleset.procedures:
            self.findings.pass_on(no_procedure(ruleset, name), self._at("computed"))
            return None
        program = self.calculator.program(name)
        if program is None:
            return None
        fixed = self._given(program, self.table.given, "given")
        shown = self._shown(program)
        sides = [
            self._side(program, places, side, name)
            for side in ("rows", "columns")
            for name, places in getattr(self.table, side).items()
        ]
        if len(self.findings.problems) > before or shown is None:
            return None
        known = [side for side in sides if side is not None]
        return self._filled(program, fixed, known, shown)

    def _given(
        self, program: Program, given: Mapping[str, str], *at: str | int
    ) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for name, text in given.items():
            spot, domain = self._at(*at, name), program.domains.get(name)
            if domain is None:
                inputs = f"the inputs of the procedure '{program.id}'"
                self.findings.unknown(spot, name, program.domains, inputs)
                continue
            try:
                values[name] = domain.read(text)
            except InputFault as fault:
                self.findings.pass_on(fault, spot)
        return values

    def _shown(self, program: Program) -> _CellSource | None:
        """How a cell is made of the odds of its place."""
        show = self.table.show
        result = program.results.get(show.result)
        if result is None:
            results = f"the results of the procedure '{program.id}'"
            self.findings.unknown(
                self._at("show", show.shown_as), show.result, program.results, results
            )
            return None
        kind, alone = result.kind, show.equals is None and show.at_least is None
        along = next((name for name in self.table.axes if self._is_result(program, name)), None)
        if along is not None:
            if show.chance != along or not alone:
                self._unshown(kind, f"the chance of each outcome: show: {{chance: {along}}}")
                return None
            return self._chance(kind, ResultOdds.chance)
        number = isinstance(kind, NumberKind | LengthKind)
        if show.chance and not alone:
            return self._of_outcome(kind)
        if show.chance and isinstance(kind, FlagKind):
            return self._chance(kind, lambda odds, _: odds.chance(True))
        if show.mean and number:
            unit = kind.unit if isinstance(kind, LengthKind) else None
            return _CellSource(kind, CellType("mean"), lambda odds, _: _mean(odds, unit))
        if show.median and (number or isinstance(kind, MixedKind)):
            cell_type = CellType("count")
            return _CellSource(kind, cell_type, lambda odds, _: _quantity(odds.median(), kind))
        beside = f"'is' or 'at_least' beside it, or its outcomes on an axis: {show.result}: all"
        self._unshown(kind, beside if show.chance else "a result that is a number, or its chance")
        return None

    def _chance(self, kind: Kind, chance: Callable[[ResultOdds, Any], Fraction]) -> _CellSource:
        return _CellSource(
            kind,
            CellType("chance"),
            lambda odds, at: quantities.Chance(chance(odds, at)),
        )

    def _unshown(self, kind: Kind, wanted: str, key: str = "") -> None:
        show = self.table.show
        what = f"the {show.shown_as} of '{show.result}', which is {kind}, cannot be shown so"
        self.findings.add("R435", what, self._at("show", key or show.shown_as), wanted)

    def _is_result(self, program: Program, name: str) -> bool:
        places = self.table.axes[name]
        return (
            name in program.results and name not in program.domains and not isinstance(places, dict)
        )

    def _of_outcome(self, kind: Kind) -> _CellSource | None:
        show = self.table.show
        key = "is" if show.equals is not None else "at_least"
        outcome = parse_outcome(kind, show.equals or show.at_least or "")
        if key == "at_least" and not isinstance(kind, NumberKind | LengthKind):
            self._unshown(kind, "a result that is a number", key)
        elif outcome is None:
            self._unshown(kind, outcomes_of(kind), key)
        elif key == "is":
            return self._chance(kind, lambda odds, _: odds.chance(outcome))
        else:
            return self._chance(kind, lambda odds, _: odds.at_least(outcome))
        return None

    def _side(self, program: Program, places: Any, side: str, name: str) -> TableSide | None:
        if isinstance(places, dict):
            return self._of_cases(program, side, name, places)
        if self._is_result(program, name):
            return TableSide(Axis(name, ()), (), result=True)  # filled when its outcomes are known
        domain = program.domains.get(name)
        if domain is None:
            known = [*program.domains, *program.results]
            inside = f"the inputs and results of the procedure '{program.id}'"
            self.findings.unknown(self._at(side, name), name, known, inside)
            return None
        values: list[Value] = []
        for at, text in _texts(places):
            try:
                values += values_along(domain, text)
            except InputFault as fault:
                self.findings.pass_on(fault, self._at(side, name, *at))
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            self._set_twice(domain.written(twice), side, name)
        positions = [Position(_choice_of(domain, value), {name: value}) for value in values]
        return _side_of(name, positions, domain.label, domain.kind)

    def _set_twice(self, what: str, *at: str | int) -> None:
        self.findings.add("R434", f"'{what}' is set twice", self._at(*at), "each once")

    def _of_cases(
        self, program: Program, side: str, name: str, cases: Mapping[str, Case]
    ) -> TableSide:
        positions = []
        for key, case in cases.items():
            sets = self._given(program, case.given, side, name, key, "given")
            for given in case.given:
                others = [axis for axis in self.table.axes if axis != name]
                if given in self.table.given or given in others:
                    self._set_twice(given, side, name, key, "given", given)
            positions.append(Position(Choice(key, case.title or humanise(key)), sets))
        return TableSide(
            Axis(name, tuple(position.choice for position in positions)), tuple(positions)
        )

    def _filled(
        self,
        program: Program,
        fixed: Mapping[str, Value],
        sides: list[TableSide],
        shown: _CellSource,
    ) -> Grid | None:
        if not self._bounded(side for side in sides if not side.result):
            return None
        try:
            odds = self._odds(program, fixed, sides)
        except FaultyProcedure as fault:
            place = self.calculator.ruleset.place(*self.address, "computed")
            self.findings.problems += problems_while_computing(fault, place, "table")
            return None
        before = len(self.findings.problems)
        sides = [
            self._outcomes(program, side.axis.name, shown.kind, odds.values())
            if side.result
            else side
            for side in sides
        ]
        if len(self.findings.problems) > before or not self._bounded(sides):
            return None
        return self._grid(odds, sides, shown)

    def _bounded(self, sides: Iterable[TableSide]) -> bool:
        cells = prod(len(side.positions) for side in sides)
        if cells <= min(MOST_ODDS, MOST_ITEMS) and not self.calculator.spent:
            return True
        most = f"up to {MOST_ODDS:,} in one table and {MOST_IN_ALL:,} in all tables and charts"
        hint = "give fewer values along its axes, such as 6..24..6"
        self.findings.add("R436", f"a table of {cells:,} odds", self._at(), most, hint)
        return False

    def _odds(
        self,
        program: Program,
        fixed: Mapping[str, Value],
        sides: list[TableSide],
    ) -> dict[tuple[Position, ...], ResultOdds | None]:
        """The odds at each place along the axes of inputs."""
        found = {}
        along = [side.positions for side in sides if not side.result]
        for places in product(*along):
            inputs = {**program.defaults(), **fixed}
            for place in places:
                inputs.update(place.sets)
            found[places] = self.calculator.odds(program, self.table.show.result, inputs)
        return found

    def _outcomes(
        self, program: Program, name: str, kind: Kind, odds: Iterable[ResultOdds | None]
    ) -> TableSide:
        """The axis of the outcomes of a result: all that there are, or those that are asked for."""
        met = {value: None for one in odds if one for value, _ in one.outcomes}
        known = in_order(kind, met)
        places = self.table.axes[name]
        side = "rows" if name in self.table.rows else "columns"
        values = known if places == "all" else list(self._asked_for(kind, known, side, name))
        positions = [
            Position(Choice(written_outcome(value), _heading(value, kind)), outcome=value)
            for value in values
        ]
        return _side_of(name, positions, program.results[name].title, kind, result=True)

    def _asked_for(self, kind: Kind, known: list[Any], side: str, name: str) -> Iterator[Any]:
        by_text = {written_outcome(value): value for value in known}
        for at, text in _texts(self.table.axes[name]):
            outcome = by_text.get(text, by_text.get(text.replace("-", "_")))
            if outcome is None and kind != TEXT and not isinstance(kind, MixedKind):
                outcome = parse_outcome(kind, text)
            if outcome is not None:
                yield outcome
                continue
            what = f"'{text:.40}' is no outcome of '{name}'"
            expected = f"all, or a list of {outcomes_of(kind, known)}"
            hint = nearest(text, [*by_text])
            self.findings.add("R434", what, self._at(side, name, *at), expected, hint)

    def _grid(
        self,
        odds: Mapping[tuple[Position, ...], ResultOdds | None],
        sides: list[TableSide],
        shown: _CellSource,
    ) -> Grid:
        tall = len(self.table.rows)

        def cell(places: tuple[Position, ...]) -> Cell:
            found = odds[tuple([place for place in places if place.outcome is None])]
            outcome = next((place.outcome for place in places if place.outcome is not None), None)
            return Cell(None if found is None else shown.cell(found, outcome))

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


def _texts(places: str | tuple[str, ...]) -> list[tuple[tuple[int, ...], str]]:
    """What stands along an axis: where, behind its name, and the text."""
    if isinstance(places, str):
        return [((), places)]
    return [((index,), text) for index, text in enumerate(places)]


def _side_of(
    name: str, positions: list[Position], label: str, kind: Kind, *, result: bool = False
) -> TableSide:
    headed = isinstance(kind, NumberKind | FlagKind)
    axis = Axis(name, tuple(position.choice for position in positions), None, label, headed)
    return TableSide(axis, tuple(positions), result)


def _mean(odds: ResultOdds, unit: quantities.LengthUnit | None) -> quantities.Mean:
    if odds.mean is None:
        raise TypeError("the mean of a result that is no number")
    return quantities.Mean(odds.mean, unit)


def _quantity(value: Any, kind: Kind) -> quantities.Value:
    if isinstance(value, str | More) or isinstance(kind, LengthKind):
        return outcome_text(value, kind)
    number: quantities.Value = value
    return number


def _heading(value: Any, kind: Kind) -> str:
    if isinstance(value, str):
        return value_types.titles_of(kind).get(value) or humanise(value)
    return outcome_text(value, kind).capitalize()


def _choice_of(domain: Domain, value: Value) -> Choice:
    key = domain.written(value)
    try:
        band = quantities.parse_band(key) if isinstance(domain.kind, WordKind) else None
    except quantities.QuantityError:
        band = None
    return Choice(key, domain.title_of(value), band)
