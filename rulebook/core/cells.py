"""Cells of tables -> values that expressions reckon with, and the kinds of those values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.model.axes import Axis, humanise
from rulebook.model.cells import Cell, CellType
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import Grid, RecordTable


@dataclass(frozen=True, slots=True)
class Empty:
    """What stands in a cell that has no value: reckoning with it is a fault."""

    address: Address
    missing: bool


CellValue = value_types.Value | Empty


@dataclass(frozen=True, slots=True)
class Column:
    """Cells of one type: the kind of their values, and the values by key."""

    kind: value_types.Kind
    values: Mapping[object, CellValue]


def kind_of_cells(
    ruleset: Ruleset, cell_type: CellType, cells: Iterable[Cell]
) -> value_types.Kind | None:
    """The kind of the values of some cells; None for bands and angles."""
    simple: dict[str, value_types.Kind] = {
        "count": value_types.Number(),
        "ratio": value_types.Number(),
        "modifier": value_types.Number(),
        "target": value_types.Target(),
        "dice": value_types.DiceKind(),
        "flag": value_types.Flag(),
        "text": value_types.Words(),
        "faces": value_types.Faces(),
    }
    if cell_type.table:
        table = ruleset.tables.get(cell_type.table)
        return rows_of(cell_type.table, table) if isinstance(table, RecordTable) else None
    if cell_type.name == "length":
        units = (cell.value.unit for cell in cells if isinstance(cell.value, quantities.Length))
        return value_types.Length(next(units, "in"))
    return simple.get(cell_type.name)


def rows_of(table_id: str, table: RecordTable) -> value_types.Word:
    """The rows of a record table, one of which something is."""
    titles = {key: row.title or humanise(key) for key, row in table.data.items()}
    return value_types.Word(tuple(table.data), table_id, titles)


def value_of(value: quantities.Value, kind: value_types.Kind) -> value_types.Value | None:
    """A quantity of the model as expressions reckon with it; None if its unit is another."""
    if isinstance(value, quantities.Modifier):
        return value.amount
    if isinstance(value, quantities.Faces):
        return value.scores
    if isinstance(value, quantities.Length):
        return (
            value_types.in_unit(value, kind.unit) if isinstance(kind, value_types.Length) else None
        )
    if isinstance(value, Fraction):
        return value_types.whole(value)
    return (
        None
        if isinstance(value, quantities.Band | quantities.Angle | quantities.Reckoned)
        else value
    )


def kind_of_value(value: object) -> value_types.Kind | None:
    """The kind of a quantity that a path names."""
    if isinstance(value, bool):
        return value_types.Flag()
    if isinstance(value, int | Fraction | quantities.Modifier):
        return value_types.Number()
    if isinstance(value, quantities.Length):
        return value_types.Length(value.unit)
    known: dict[type, value_types.Kind] = {
        quantities.RollTarget: value_types.Target(),
        quantities.Faces: value_types.Faces(),
        quantities.Dice: value_types.DiceKind(),
        str: value_types.Words(),
    }
    return known.get(type(value))


def _cell(cell: Cell, kind: value_types.Kind, address: Address) -> CellValue:
    value = None if cell.value is None else value_of(cell.value, kind)
    if value is None:
        return Empty(address, cell.status is Status.MISSING)
    return value


def grid_column(ruleset: Ruleset, table_id: str, grid: Grid) -> Column | None:
    """All cells of a grid by the positions along its axes, rows first."""
    cells = [cell for line in grid.data for cell in line]
    kind = kind_of_cells(ruleset, grid.cells, cells)
    if kind is None:
        return None
    wide = len(grid.data[0])
    places = _places([len(axis.choices) for axis in grid.axes])
    values: dict[object, CellValue] = {}
    for number, (place, cell) in enumerate(zip(places, cells, strict=True)):
        address: Address = ("tables", table_id, "data", *divmod(number, wide))
        values[place if len(place) > 1 else place[0]] = _cell(cell, kind, address)
    return Column(kind, values)


def _places(sizes: list[int]) -> list[tuple[int, ...]]:
    places: list[tuple[int, ...]] = [()]
    for size in sizes:
        places = [(*place, index) for place in places for index in range(size)]
    return places


def field_column(ruleset: Ruleset, table_id: str, table: RecordTable, name: str) -> Column | None:
    """A field of a record table by the keys of its rows."""
    cells = {key: row.cells[name] for key, row in table.data.items()}
    kind = kind_of_cells(ruleset, table.fields[name].type, cells.values())
    if kind is None:
        return None
    values: dict[object, CellValue] = {
        key: _cell(cell, kind, ("tables", table_id, "data", key, name))
        for key, cell in cells.items()
    }
    return Column(kind, values)


#: From the value of a key to its position on an axis; None where it stands on none.
Locate = Callable[[object], int | None]


def locate_on(axis: Axis, kind: value_types.Kind) -> Locate | None:
    """How values of a kind find their place on an axis; None if they never can."""
    positions = {choice.key: index for index, choice in enumerate(axis.choices)}
    if isinstance(kind, value_types.Word):
        return positions.get if set(kind.keys) <= positions.keys() else None  # type: ignore[return-value]
    if isinstance(kind, value_types.Number) and axis.die:
        faces = {
            score: index
            for index, choice in enumerate(axis.choices)
            for score in (choice.faces.scores if choice.faces else ())
        }
        return faces.get  # type: ignore[return-value]
    if isinstance(kind, value_types.Number) and axis.kind == "numbers":
        numbers = {choice.number: index for index, choice in enumerate(axis.choices)}
        return numbers.get  # type: ignore[return-value]
    bands = [choice.band for choice in axis.choices]
    first = bands[0]
    if axis.kind != "bands" or first is None:
        return None
    ends = _ends(bands)
    if isinstance(kind, value_types.Number) and first.unit is None:
        return lambda value: _in_bands(ends, value)
    if isinstance(kind, value_types.Length) and first.unit is not None:
        one = value_types.in_unit(quantities.Length(Fraction(1), kind.unit), first.unit)
        return (lambda value: _in_bands(ends, value * one)) if one is not None else None  # type: ignore[operator]
    return None


#: Where a band begins and ends if it does, and whether its lower end is in the band before.
_Ends = tuple[int, Any, Any, bool]


def _ends(bands: Iterable[quantities.Band | None]) -> list[_Ends]:
    """Bands of lengths are half-open, the lower end in the band before; others hold both ends."""
    return [
        (
            index,
            None if band.low is None else value_types.whole(band.low),
            None if band.high is None else value_types.whole(band.high),
            band.unit is not None and index > 0,
        )
        for index, band in enumerate(bands)
        if band is not None
    ]


def _in_bands(ends: Iterable[_Ends], number: Any) -> int | None:
    for index, low, high, open_low in ends:
        above = low is None or number > low or (number == low and not open_low)
        if above and (high is None or number <= high):
            return index
    return None
