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
from rulebook.core.procedure_faults import Spot
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
    """A place on an axis: the inputs that it sets, or the outcome whose chance it shows."""

    choice: Choice
    sets: Mapping[str, Value] = field(default_factory=dict)
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class TableSide:
    """An axis of a computed table, with the inputs or the outcome of each of its places."""

    axis: Axis
    positions: tuple[Position, ...]


#: What cells show: their type, and the value of each, from the odds of its place and the outcome.
_Shown = tuple[CellType, Callable[[ResultOdds, Any], quantities.Value]]


def compute_table(table_id: str, table: ComputedTable, calculator: OddsCalculator) -> Grid | None:
    """Computes the odds of a computed table, and returns them as a grid.

    Returns None after problems, which the calculator collects.
    """
    name, findings = table.computed, calculator.findings
    if name not in calculator.ruleset.procedures:
        spot = Spot(("tables", table_id, "computed"))
        findings.pass_on(no_procedure(calculator.ruleset, name), spot)
        return None
    program = calculator.programs.get(name)
    if program is None:
        return None
    return _Computing(("tables", table_id), table, calculator, program).grid()


@dataclass(frozen=True, slots=True)
class _Computing:
    """Computes the grid of one table."""

    address: Address
    table: ComputedTable
    calculator: OddsCalculator
    program: Program

    def _report(
        self, code: str, what: str, at: Address, expected: str = "", hint: str = ""
    ) -> None:
        """Reports a fault of the table to the findings; `at` is the address within the table."""
        self.calculator.findings.add(code, what, Spot((*self.address, *at)), expected, hint)

    def _unknown(self, name: str, known: Iterable[str], kind: str, at: Address) -> None:
        """Reports a name that is not in `known`, which are the inputs or results of the procedure.

        `kind` says which of these, and `at` is the address within the table.
        """
        inside = f"the {kind} of the procedure '{self.program.id}'"
        self.calculator.findings.unknown(Spot((*self.address, *at)), name, known, inside)

    @property
    def kind(self) -> Kind:
        """The kind of the result that the table shows."""
        return self.program.results[self.table.show.result].kind

    def grid(self) -> Grid | None:
        problems = self.calculator.findings.problems
        before = len(problems)
        fixed, shown = self._given(self.table.given, "given"), self._shown()
        sides = {name: self._side(name) for name in self.table.axes if not self._is_result(name)}
        if len(problems) > before or shown is None or not self._bounded(sides):
            return None
        try:
            odds = self._odds(fixed, sides)
        except FaultyProcedure as fault:
            place = self.calculator.ruleset.place(*self.address, "computed")
            problems += problems_while_computing(fault, place, "table")
            return None
        full = {name: sides.get(name) or self._outcomes(name, odds) for name in self.table.axes}
        if len(problems) > before or not self._bounded(full):
            return None
        return self._filled(odds, full, shown)

    def _given(self, given: Mapping[str, str], *at: str | int) -> dict[str, Value]:
        """Reads the inputs that an author sets at an address of the table; returns their values.

        Unknown inputs and values that cannot be read are reported, and left out.
        """
        values: dict[str, Value] = {}
        for name, text in given.items():
            domain = self.program.domains.get(name)
            if domain is None:
                self._unknown(name, self.program.domains, "inputs", (*at, name))
                continue
            try:
                values[name] = domain.read(text)
            except InputFault as fault:
                self.calculator.findings.pass_on(fault, Spot((*self.address, *at, name)))
        return values

    def _shown(self) -> _Shown | None:
        """Returns the type of the table's cells, and a function that computes the value of a cell.

        The function takes the odds and the outcome of the cell's place on an axis, if any. Reports
        a result that is unknown or cannot be shown in this way, and then returns None.
        """
        show, results = self.table.show, self.program.results
        if show.result not in results:
            self._unknown(show.result, results, "results", ("show", show.shown_as))
            return None
        kind, alone = self.kind, show.equals is None and show.at_least is None
        number = kind.numeric
        along = next(filter(self._is_result, self.table.axes), None)
        if along is not None:
            if show.chance == along and alone:
                return _chance(ResultOdds.chance)
            wanted = f"the chance of each outcome: show: {{chance: {along}}}"
        elif show.chance and not alone:
            return self._of_outcome()
        elif show.chance and isinstance(kind, FlagKind):
            return _chance(lambda odds, _: odds.chance(True))
        elif show.mean and number:
            unit = kind.unit if isinstance(kind, LengthKind) else None
            return CellType("mean"), lambda odds, _: _mean(odds, unit)
        elif show.median and (number or isinstance(kind, MixedKind)):
            return CellType("count"), lambda odds, _: _quantity(odds.median(), kind)
        elif show.chance:
            wanted = f"'is' or 'at_least' beside it, or its outcomes on an axis: {show.result}: all"
        else:
            wanted = "a result that is a number, or its chance"
        self._unshown(wanted, show.shown_as)
        return None

    def _unshown(self, wanted: str, key: str) -> None:
        show = self.table.show
        what = f"the {show.shown_as} of '{show.result}', which is {self.kind}, cannot be shown so"
        self._report("R435", what, ("show", key), wanted)

    def _is_result(self, name: str) -> bool:
        """Tells whether an axis, given by its name, lists the outcomes of a result."""
        program, cases = self.program, isinstance(self.table.axes[name], dict)
        return name in program.results and name not in program.domains and not cases

    def _of_outcome(self) -> _Shown | None:
        """Returns the type and the function of cells that show the chance of one outcome.

        It is the outcome under `is`, or any number of at least that under `at_least`. Reports an
        outcome that cannot be read or is no number where one is needed, and then returns None.
        """
        show = self.table.show
        outcome = parse_outcome(self.kind, show.equals or show.at_least or "")
        if show.equals is None and not self.kind.numeric:
            self._unshown("a result that is a number", "at_least")
        elif outcome is None:
            self._unshown(outcomes_of(self.kind), "at_least" if show.equals is None else "is")
        elif show.equals is None:
            return _chance(lambda odds, _: odds.at_least(outcome))
        else:
            return _chance(lambda odds, _: odds.chance(outcome))
        return None

    def _axis_at(self, name: str) -> Address:
        """Returns the address of an axis within the table."""
        return ("rows" if name in self.table.rows else "columns", name)

    def _side(self, name: str) -> TableSide | None:
        """Reads the places along an axis whose places set inputs: values of an input, or cases.

        Returns None if no input has the name of the axis. Faults are reported, and faulty values
        left out.
        """
        places, at, program = self.table.axes[name], self._axis_at(name), self.program
        if isinstance(places, dict):
            return self._of_cases(name, places)
        domain = program.domains.get(name)
        if domain is None:
            self._unknown(name, [*program.domains, *program.results], "inputs and results", at)
            return None
        values: list[Value] = []
        for index, text in _texts(places):
            try:
                values += values_along(domain, text)
            except InputFault as fault:
                self.calculator.findings.pass_on(fault, Spot((*self.address, *at, *index)))
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            self._set_twice(domain.written(twice), at)
        positions = [Position(_choice_of(domain, value), {name: value}) for value in values]
        return _side_of(name, positions, domain.label, domain.kind)

    def _set_twice(self, what: str, at: Address) -> None:
        self._report("R434", f"'{what}' is set twice", at, "each once")

    def _of_cases(self, name: str, cases: Mapping[str, Case]) -> TableSide:
        """Reads the places along an axis of cases, each of which sets several inputs; returns them.

        Reports inputs that are unknown, cannot be read, or are set by the table or another axis
        too.
        """
        positions = []
        for key, case in cases.items():
            at = (*self._axis_at(name), key, "given")
            sets = self._given(case.given, *at)
            for given in case.given:
                if given in self.table.given or given in self.table.axes.keys() - {name}:
                    self._set_twice(given, (*at, given))
            positions.append(Position(Choice(key, case.title or humanise(key)), sets))
        return _side_of(name, positions)

    def _bounded(self, sides: Mapping[str, TableSide | None]) -> bool:
        """Tells whether the table has few enough cells to be computed; reports a fault if not."""
        cells = prod(len(side.positions) for side in sides.values() if side)
        if cells <= min(MOST_ODDS, MOST_ITEMS) and not self.calculator.spent:
            return True
        most = f"up to {MOST_ODDS:,} in one table and {MOST_IN_ALL:,} in all tables and charts"
        hint = "give fewer values along its axes, such as 6..24..6"
        self._report("R436", f"a table of {cells:,} odds", (), most, hint)
        return False

    def _odds(
        self, fixed: Mapping[str, Value], sides: Mapping[str, TableSide | None]
    ) -> dict[tuple[Position, ...], ResultOdds | None]:
        """Computes the odds for each combination of places along the axes of inputs.

        `fixed` are the inputs that are the same in all cells. Raises FaultyProcedure.
        """
        found = {}
        for places in product(*(side.positions for side in sides.values() if side)):
            inputs = {**self.program.defaults(), **fixed}
            for place in places:
                inputs.update(place.sets)
            found[places] = self.calculator.odds(self.program, self.table.show.result, inputs)
        return found

    def _outcomes(self, name: str, odds: Mapping[Any, ResultOdds | None]) -> TableSide:
        """Makes the axis of a result: of all outcomes that occur in `odds`, or of those listed."""
        met = {value: None for found in odds.values() if found for value, _ in found.outcomes}
        known = in_order(self.kind, met)
        values = known if self.table.axes[name] == "all" else list(self._asked_for(known, name))
        positions = [
            Position(Choice(written_outcome(value), _heading(value, self.kind)), outcome=value)
            for value in values
        ]
        return _side_of(name, positions, self.program.results[name].title, self.kind)

    def _asked_for(self, known: list[Any], name: str) -> Iterator[Any]:
        kind, by_text = self.kind, {written_outcome(value): value for value in known}
        for index, text in _texts(self.table.axes[name]):
            outcome = by_text.get(text, by_text.get(text.replace("-", "_")))
            if outcome is None and kind != TEXT and not isinstance(kind, MixedKind):
                outcome = parse_outcome(kind, text)
            if outcome is not None:
                yield outcome
                continue
            what = f"'{text:.40}' is no outcome of '{name}'"
            expected = f"all, or a list of {outcomes_of(kind, known)}"
            at, hint = (*self._axis_at(name), *index), nearest(text, [*by_text])
            self._report("R434", what, at, expected, hint)

    def _filled(
        self,
        odds: Mapping[tuple[Position, ...], ResultOdds | None],
        sides: Mapping[str, TableSide],
        shown: _Shown,
    ) -> Grid:
        """Builds the grid from the odds, its axes, and the way in which cells are shown.

        A cell is empty where there are no odds.
        """
        cell_type, value = shown

        def cell(places: tuple[Position, ...]) -> Cell:
            found = odds[tuple([place for place in places if place.outcome is None])]
            outcome = next((place.outcome for place in places if place.outcome is not None), None)
            return Cell(None if found is None else value(found, outcome))

        table = self.table
        down, across = ([sides[name] for name in axes] for axes in (table.rows, table.columns))
        columns = list(product(*(side.positions for side in across)))
        own = {name: getattr(table, name) for name in Grid.model_fields if hasattr(table, name)}
        own |= {"rows": tuple(side.axis for side in down), "cells": cell_type}
        own |= {"columns": tuple(side.axis for side in across)}
        rows = product(*(side.positions for side in down))
        own["data"] = tuple(tuple(cell((*row, *column)) for column in columns) for row in rows)
        return Grid.model_construct(**own).computed_with(table.given)


def _chance(chance: Callable[[ResultOdds, Any], Fraction]) -> _Shown:
    return CellType("chance"), lambda odds, outcome: quantities.Chance(chance(odds, outcome))


def _texts(places: str | tuple[str, ...]) -> list[tuple[tuple[int, ...], str]]:
    """Lists the texts that an author gives for an axis, as (address, text).

    The address is that below the axis: the index in a list, or nothing for a single text.
    """
    if isinstance(places, str):
        return [((), places)]
    return [((index,), text) for index, text in enumerate(places)]


def _side_of(
    name: str, positions: list[Position], label: str = "", kind: Kind | None = None
) -> TableSide:
    headed = isinstance(kind, NumberKind | FlagKind)
    axis = Axis(name, tuple(position.choice for position in positions), None, label, headed)
    return TableSide(axis, tuple(positions))


def _mean(odds: ResultOdds, unit: quantities.LengthUnit | None) -> quantities.Mean:
    assert odds.mean is not None, "a number has a mean"
    return quantities.Mean(odds.mean, unit)


def _quantity(value: Any, kind: Kind) -> quantities.Value:
    if isinstance(value, str | More) or isinstance(kind, LengthKind):
        return outcome_text(value, kind)
    number: quantities.Value = value
    return number


def _heading(value: Any, kind: Kind) -> str:
    """Returns an outcome as the heading of a column or row: its title, or its text capitalised."""
    if isinstance(value, str):
        return value_types.titles_of(kind).get(value) or humanise(value)
    return outcome_text(value, kind).capitalize()


def _choice_of(domain: Domain, value: Value) -> Choice:
    """Converts a value of an input to a place on an axis, as a band if it is written as one."""
    key = domain.written(value)
    try:
        band = quantities.parse_band(key) if isinstance(domain.kind, WordKind) else None
    except quantities.QuantityError:
        band = None
    return Choice(key, domain.title_of(value), band)
