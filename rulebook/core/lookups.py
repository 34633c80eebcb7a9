"""Cells of tables -> columns of values, each of one kind; axes -> the positions along them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Literal

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.value_types import (
    DICE,
    FACES,
    TARGET,
    TEXT,
    CellValue,
    FlagKind,
    Kind,
    LengthKind,
    NoValue,
    NumberKind,
    WordKind,
    json_value,
)
from rulebook.model.cells import CELL_KINDS, CalculatedAs, Cell, CellType
from rulebook.model.entities import Status
from rulebook.model.grids import Axis, Grid
from rulebook.model.lookup import LookupFault, find, printed
from rulebook.model.record_tables import Row, TableOfRows
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import ROWS_AT
from rulebook.suggestions import some_words


@dataclass(frozen=True, slots=True)
class Column:
    """Cells of one type: the kind of their values, and the values by key."""

    kind: Kind
    values: Mapping[Any, CellValue]


#: What expressions take cells for, but for lengths and rows, whose kinds depend on their table.
_KINDS: dict[CalculatedAs | None, Kind] = {
    "number": NumberKind(),
    "target": TARGET,
    "dice": DICE,
    "flag": FlagKind(),
    "text": TEXT,
    "faces": FACES,
}
#: The types of the values that paths lead to, by their classes.
_CELL_KINDS_BY_CLASS = {
    kind.holds: kind for kind in reversed(CELL_KINDS.values()) if kind.calculated_as
}
KINDS_OF_VALUES: dict[type, Kind] = {
    held: _KINDS[kind.calculated_as]
    for held, kind in _CELL_KINDS_BY_CLASS.items()
    if held and kind.calculated_as in _KINDS
}


def _kind_of(ruleset: Ruleset, cell_type: CellType, cells: list[Cell]) -> Kind | None:
    """Returns the kind of the values in cells of a type; None for bands and angles.

    Lengths have the unit of the first length in `cells`.
    """
    if cell_type.table:
        rows = rows_of(ruleset, cell_type.table)
        return rows.kind if rows else None
    calculated_as = cell_type.kind.calculated_as
    if calculated_as == "length":
        lengths = (length_in(cell.value) for cell in cells)
        return LengthKind(next((length.unit for length in lengths if length), "in"))
    return _KINDS.get(calculated_as)


def _calculated(value: object) -> Any:
    """Converts a value of the model for use in expressions; lengths keep their unit.

    Returns None for values that cannot be calculated with.
    """
    kind = _CELL_KINDS_BY_CLASS.get(type(value))
    return kind.calculate(value) if kind else None


def length_in(value: object) -> quantities.Length | None:
    """Returns the length that a value is, or that a modifier adds; None for other values."""
    found = _calculated(value)
    return found if isinstance(found, quantities.Length) else None


def value_of(value: object, kind: Kind) -> Any:
    """Converts a value of the model to a value of a kind, for use in expressions.

    Lengths become numbers in the unit of the kind. Returns None for values that cannot be
    calculated with, and for lengths that cannot be converted to that unit.
    """
    found = _calculated(value)
    if isinstance(found, quantities.Length):
        return value_types.in_unit(found, kind.unit) if isinstance(kind, LengthKind) else None
    return value_types.whole(found) if isinstance(found, Fraction) else found


def _column_of(
    ruleset: Ruleset, cell_type: CellType, cells: Mapping[Any, tuple[Cell, Address]]
) -> Column | None:
    """Makes a column from cells, given by key with their addresses; None for bands and angles."""
    kind = _kind_of(ruleset, cell_type, [cell for cell, _ in cells.values()])
    if kind is None:
        return None

    def value(cell: Cell, address: Address) -> CellValue:
        if isinstance(cell.value, quantities.Never):
            return NoValue("never", ruleset.place(*address))
        found: CellValue | None = value_of(cell.value, kind)
        if found is not None:
            return found
        why: Literal["missing", "empty"] = "missing" if cell.status is Status.MISSING else "empty"
        return NoValue(why, ruleset.place(*address))

    return Column(kind, {key: value(*placed) for key, placed in cells.items()})


def grid_column(ruleset: Ruleset, table_id: str, grid: Grid) -> Column | None:
    """Makes a column of all cells of a grid, keyed by their positions along the axes, rows first.

    Returns None for cells that are bands or angles.
    """
    wide = len(grid.data[0])
    places = product(*(range(len(axis.choices)) for axis in grid.axes))
    keys = [place if len(place) > 1 else place[0] for place in places]
    cells: dict[Any, tuple[Cell, Address]] = {}
    for number, key in enumerate(keys):
        down, across = divmod(number, wide)
        cells[key] = grid.data[down][across], ("tables", table_id, "data", down, across)
    return _column_of(ruleset, grid.cells, cells)


#: Collections whose entities expressions name.
LOOKED_INTO = (*ROWS_AT, "cutouts")
#: A value of the ruleset within words; references to rules stay as they are.
_BOUND = re.compile(r"(?<!\\)\{([^{}:]+)\}")


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of rows, as expressions and inputs use it."""

    ruleset: Ruleset
    id: str
    table: TableOfRows

    @property
    def titles(self) -> Mapping[str, str]:
        """The title of each row by key; for modifiers their conditions, with values filled in."""
        conditions = self.table.conditions.items()
        titles = {key: self._bound(row.when.markdown) for key, row in conditions}
        return titles or self.kind.titles

    def _bound(self, text: str) -> str:
        """Replaces the references in braces in a text by the values that they refer to.

        References that cannot be found stay as they are; the loader reports them.
        """

        def value(match: re.Match[str]) -> str:
            try:
                return printed(find(self.ruleset, match[1]))
            except LookupFault:
                return match[0]

        return _BOUND.sub(value, text)

    @property
    def limits(self) -> dict[str, int]:
        """How often each condition may hold, by key, for those with a limit of their own."""
        return {key: row.up_to for key, row in self.table.conditions.items() if row.up_to}

    @property
    def kind(self) -> WordKind:
        """The kind of values that are rows of this table, with the keys and titles of the rows."""
        rows = self.table.data.items()
        titles = {key: row.heading(key) for key, row in rows if isinstance(row, Row)}
        return WordKind(tuple(self.table.data), self.id, titles)

    def gap(self, name: str) -> tuple[str, str] | None:
        """Finds the first condition whose amount in a column is missing or empty.

        Returns its key and 'missing' or 'empty', or None if there is no such condition.
        """
        for key, row in self.table.conditions.items():
            cell = row.cells.get(name)
            if cell and cell.status is Status.MISSING:
                return key, "missing"
            # Before an empty amount was refused it counted for nothing.
            if cell and cell.value is None and not self.ruleset.frozen:
                return key, "empty"
        return None

    def column(self, name: str) -> Column | None:
        """Makes a column of the cells of the field with this name, keyed by row.

        An amount that a condition leaves out is 0. Returns None for bands and angles.
        """
        cells = {
            key: (row.cells[name], self.ruleset.address_of_row(self.id, key, name))
            for key, row in self.table.data.items()
            if name in row.cells and not (self.table.conditions and row.cells[name].value is None)
        }
        found = _column_of(self.ruleset, self.table.fields[name].type, cells)
        return found and Column(found.kind, {**dict.fromkeys(self.table.data, 0), **found.values})


def rows_of(ruleset: Ruleset, table_id: str) -> Rows | None:
    """Returns the table with this id, if it is a table of rows, as `Rows`; else None."""
    table = ruleset.all_tables.get(table_id)
    return Rows(ruleset, table_id, table) if isinstance(table, TableOfRows) else None


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Finds the position of a value along an axis; `at` returns None if it has none.

    The axis has single values, or bands. Each band is (position, lower end, upper end, whether the
    lower end belongs to the band before); ends may be None. A value is multiplied by `unit` before
    it is compared with bands.
    """

    axis: str
    expected: str
    values: Mapping[Any, int] = field(default_factory=dict)
    bands: tuple[tuple[int, Any, Any, bool], ...] = ()
    unit: int | Fraction = 1

    def at(self, value: Any) -> int | None:
        if not self.bands:
            return self.values.get(value)
        number = value * self.unit
        for index, low, high, open_low in self.bands:
            above = low is None or number > low or (number == low and not open_low)
            if above and (high is None or number <= high):
                return index
        return None

    def plain(self) -> dict[str, object]:
        """Returns, as JSON data for a page, how to find the position of a value on the axis."""
        if not self.bands:
            return {"at": {str(key): place for key, place in self.values.items()}}
        ends = [
            [place, *(None if end is None else json_value(end) for end in (low, high)), open_low]
            for place, low, high, open_low in self.bands
        ]
        return {"bands": ends, "unit": json_value(self.unit)}


def places_on(axis: Axis) -> str:
    """Describes the places on an axis in a message."""
    return f"a place on the axis '{axis.name}': {some_words(axis.keys)}"


def locate_on(axis: Axis, kind: Kind) -> Positions | None:
    """Returns the rule that finds the position on an axis of a value of this kind.

    It goes by keys, numbers, faces of a die or bands. Returns None if values of the kind can have
    no position on the axis.
    """
    places = list(enumerate(axis.choices))
    on = partial(Positions, axis.name, places_on(axis))
    if isinstance(kind, WordKind):
        positions = {choice.key: index for index, choice in places}
        return on(positions) if set(kind.keys) <= positions.keys() else None
    if isinstance(kind, NumberKind) and axis.die:
        scores = (
            (score, i) for i, choice in places if choice.faces for score in choice.faces.scores
        )
        return on(dict(scores))
    if isinstance(kind, NumberKind) and axis.kind == "numbers":
        return on({choice.number: index for index, choice in places})
    bands = [(index, choice.band) for index, choice in places if choice.band]
    if axis.kind != "bands" or not bands:
        return None
    # Bands of lengths are half-open, the lower end in the band before; others hold both ends.
    ends = tuple(
        (
            index,
            None if band.low is None else value_types.whole(band.low),
            None if band.high is None else value_types.whole(band.high),
            band.unit is not None and index > 0,
        )
        for index, band in bands
    )
    unit = bands[0][1].unit
    if isinstance(kind, NumberKind) and unit is None:
        return on(bands=ends)
    if isinstance(kind, LengthKind) and unit is not None:
        length = value_types.in_unit(quantities.Length(Fraction(1), kind.unit), unit)
        return None if length is None else on(bands=ends, unit=length)
    return None
