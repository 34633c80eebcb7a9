"""Cells of tables -> columns of values, each of one kind; axes -> the positions along them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.value_types import (
    CellValue,
    DiceKind,
    Empty,
    FacesKind,
    FlagKind,
    Forbidden,
    Kind,
    LengthKind,
    NumberKind,
    TargetKind,
    TextKind,
    WordKind,
    json_value,
)
from rulebook.model.cells import CELL_KINDS, CalculatedAs, Cell, CellType
from rulebook.model.entities import Status
from rulebook.model.grids import Axis, Grid, humanise
from rulebook.model.record_tables import ModifierTable, RecordTable
from rulebook.model.ruleset import Address, Ruleset
from rulebook.suggestions import some_words


@dataclass(frozen=True, slots=True)
class Column:
    """Cells of one type: the kind of their values, and the values by key."""

    kind: Kind
    values: Mapping[object, CellValue]


#: What expressions take cells for, but for lengths and rows, whose kinds depend on their table.
_KINDS: dict[CalculatedAs | None, Kind] = {
    "number": NumberKind(),
    "target": TargetKind(),
    "dice": DiceKind(),
    "flag": FlagKind(),
    "text": TextKind(),
    "faces": FacesKind(),
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


def _kind_of(ruleset: Ruleset, cell_type: CellType, cells: Mapping[Any, Cell]) -> Kind | None:
    """The kind of the values of some cells; None for bands and angles."""
    if cell_type.table:
        table = ruleset.tables.get(cell_type.table)
        return rows_of(cell_type.table, table) if isinstance(table, RecordTable) else None
    calculated_as = cell_type.kind.calculated_as
    if calculated_as == "length":
        lengths = (length_in(cell.value) for cell in cells.values())
        return LengthKind(next((length.unit for length in lengths if length), "in"))
    return _KINDS.get(calculated_as)


def _calculated(value: object) -> Any:
    """A quantity of the model as expressions calculate with it, a length still with its unit."""
    kind = _CELL_KINDS_BY_CLASS.get(type(value))
    return kind.calculate(value) if kind else None


def length_in(value: object) -> quantities.Length | None:
    """The length of a value that is one, or is added to one; None of any other."""
    found = _calculated(value)
    return found if isinstance(found, quantities.Length) else None


def rows_of(table_id: str, table: RecordTable | ModifierTable) -> WordKind:
    """The rows of a table, one of which something is."""
    if isinstance(table, ModifierTable):
        return WordKind(tuple(table.data), table_id)
    titles = {key: row.title or humanise(key) for key, row in table.data.items()}
    return WordKind(tuple(table.data), table_id, titles)


def value_of(value: object, kind: Kind) -> Any:
    """A quantity of the model as expressions calculate with it; None if its unit is another."""
    found = _calculated(value)
    if isinstance(found, quantities.Length):
        return value_types.in_unit(found, kind.unit) if isinstance(kind, LengthKind) else None
    return value_types.whole(found) if isinstance(found, Fraction) else found


def column_of(
    ruleset: Ruleset,
    cell_type: CellType,
    cells: Mapping[Any, Cell],
    address: Callable[..., Address],
) -> Column | None:
    """Cells by their keys, with the address of each; None for bands and angles."""
    kind = _kind_of(ruleset, cell_type, cells)
    if kind is None:
        return None

    def value(key: object, cell: Cell) -> CellValue:
        if isinstance(cell.value, quantities.Never):
            return Forbidden(ruleset.place(*address(key)))
        found: CellValue | None = value_of(cell.value, kind)
        if found is not None:
            return found
        return Empty(ruleset.place(*address(key)), cell.status is Status.MISSING)

    return Column(kind, {key: value(key, cell) for key, cell in cells.items()})


def grid_column(ruleset: Ruleset, table_id: str, grid: Grid) -> Column | None:
    """All cells of a grid by the positions along its axes, rows first."""
    wide = len(grid.data[0])
    places = list(product(*(range(len(axis.choices)) for axis in grid.axes)))
    keys = [place if len(place) > 1 else place[0] for place in places]
    at = {key: divmod(number, wide) for number, key in enumerate(keys)}
    cells = dict(zip(keys, (cell for line in grid.data for cell in line), strict=True))
    return column_of(ruleset, grid.cells, cells, lambda key: ("tables", table_id, "data", *at[key]))


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """The positions along an axis: of values, or of bands and by what numbers are multiplied.

    `at` gives the position of the value of a key, None where it stands on none. Of a band there are
    its position, its ends if it has them, and whether the lower one is in the band before.
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
        """The positions for a page."""
        if not self.bands:
            return {"at": {str(key): place for key, place in self.values.items()}}
        ends = [
            [place, *(None if end is None else json_value(end) for end in (low, high)), open_low]
            for place, low, high, open_low in self.bands
        ]
        return {"bands": ends, "unit": json_value(self.unit)}


def places_on(axis: Axis) -> str:
    """The places on an axis, as a message lists them."""
    return f"a place on the axis '{axis.name}': {some_words(axis.keys)}"


def locate_on(axis: Axis, kind: Kind) -> Positions | None:
    """How values of a kind find their place on an axis; None if they never can."""
    places = list(enumerate(axis.choices))
    on = partial(Positions, axis.name, places_on(axis))
    if isinstance(kind, WordKind):
        positions = {choice.key: index for index, choice in places}
        return on(positions) if set(kind.keys) <= positions.keys() else None
    if isinstance(kind, NumberKind) and axis.die:
        scores = ((score, i) for i, one in places if one.faces for score in one.faces.scores)
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
        one = value_types.in_unit(quantities.Length(Fraction(1), kind.unit), unit)
        return None if one is None else on(bands=ends, unit=one)
    return None
