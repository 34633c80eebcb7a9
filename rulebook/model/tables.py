"""Tables: grids of one type of cell over named axes, records with a row for each thing, odds.

The declared types of cells and fields read the data, so a table is checked cell by cell as it is
read. A computed table names a procedure, what varies along the axes and what is shown: the rules
core makes a grid of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, product
from math import prod
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    PlainValidator,
    PrivateAttr,
    TypeAdapter,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from rulebook import quantities
from rulebook.limits import MOST_ITEMS
from rulebook.model import scalars
from rulebook.model.axes import Axes, Axis, Choice
from rulebook.model.cell_types import CELL_KINDS, CellKind, CellType, CellTypeName
from rulebook.model.cells import (
    MISSING,
    Cell,
    Faults,
    OrSpreadsheet,
    PrintedTable,
    WrittenCell,
    expect_mapping,
    read_cell,
    read_cells,
    read_rows,
    with_types,
)
from rulebook.model.provenance import Entity, Status
from rulebook.model.scalars import FrozenModel, Given, Id, Line, ProseText, TypedValue
from rulebook.suggestions import nearest, some_words

_GridData = Annotated[
    list[list[WrittenCell] | WrittenCell]
    | Annotated[dict[str, Any], Field(description="rows by their keys, in them cells by theirs")],
    OrSpreadsheet(),
]
_RecordData = Annotated[
    dict[str, dict[str, WrittenCell] | str | None], Field(min_length=1), OrSpreadsheet()
]


def number_of(text: str) -> int | quantities.Length | None:
    """What is typed as a whole number or as a length; None for anything else."""
    if text.isdecimal():
        return int(text)
    try:
        return quantities.parse_length(text)
    except quantities.QuantityError:
        return None


class Grid(PrintedTable):
    """Cells of one type over the product of its row axes and the product of its column axes.

    One that was computed keeps the inputs that are the same in every cell, for its texts.
    """

    _given: dict[str, str] = PrivateAttr({})

    rows: Axes
    columns: Axes = ()
    cells: CellTypeName
    """the type of each cell, such as target"""
    data: tuple[tuple[Cell, ...], ...] = Field(None, validate_default=True)
    """rows of cells; none where all are missing"""

    @field_validator("data", mode="plain", json_schema_input_type=_GridData)
    @classmethod
    def _read_data(cls, value: object, info: ValidationInfo) -> tuple[tuple[Cell, ...], ...]:
        missing = info.data.get("status") is Status.MISSING
        if value is None and not missing:
            raise PydanticCustomError("missing", "no data")
        if not {"rows", "columns", "cells"} <= info.data.keys():
            return ()  # the faulty axis or type is reported already
        sides = info.data["rows"], info.data["columns"]
        tall, wide = (size_of(side) for side in sides)
        if tall * wide > MOST_ITEMS:
            what = f"a table of {tall * wide} cells"
            raise quantities.QuantityError(what, expected=f"up to {MOST_ITEMS} cells")
        if value is None:
            return ((MISSING,) * wide,) * tall
        rows = in_axis_order(value, *sides) if isinstance(value, dict) else value
        if not isinstance(rows, list) or len(rows) != tall:
            raise _miscounted(rows, "rows of cells", keys_along(sides[0]))
        return _read_grid(rows, keys_along(sides[1]), info.data["cells"], missing)

    @property
    def given(self) -> dict[str, str]:
        """The inputs that are the same in every cell, where it was computed."""
        return self._given

    def computed_with(self, given: dict[str, str]) -> Self:
        """The grid, which was computed with these inputs."""
        self._given = given
        return self

    def positions(self, side: Literal["rows", "columns"]) -> list[tuple[Choice, ...]]:
        """The places along a side, in the order of the data."""
        return list(product(*(axis.choices for axis in getattr(self, side))))

    def keys_along(self, side: Literal["rows", "columns"]) -> list[str]:
        """The places along a side as data by key names them: `8-16in`, or `first, cover`."""
        return keys_along(getattr(self, side))

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.rows + self.columns


def types_of(table: PrintedTable) -> Iterator[tuple[tuple[str, ...], CellType]]:
    """Where the types of a table's cells stand in it, with these; none of one to be computed."""
    if isinstance(table, Grid):
        yield ("cells",), table.cells
    elif isinstance(table, RecordTable):
        yield from ((("fields", key), spec.type) for key, spec in table.fields.items())


def typed_cells(table: PrintedTable) -> Iterator[tuple[tuple[str | int, ...], CellType, Cell]]:
    """Where the cells of a table stand in it, with their types; none of a table to be computed."""
    if isinstance(table, Grid):
        for down, line in enumerate(table.data):
            for across, cell in enumerate(line):
                yield ("data", down, across), table.cells, cell
    elif isinstance(table, RecordTable):
        for key, row in table.data.items():
            for field, cell in row.cells.items():
                yield ("data", key, field), table.fields[field].type, cell


def size_of(*sides: tuple[Axis, ...]) -> int:
    """How many cells there are at all places of some axes."""
    return prod(len(axis.choices) for side in sides for axis in side)


def keys_along(axes: tuple[Axis, ...]) -> list[str]:
    """The places along a side as data by key names them: `8-16in`, or `first, cover`."""
    places = product(*(axis.keys for axis in axes))
    return [", ".join(place) for place in places] if axes else []


def in_axis_order(
    value: Mapping[str, Any], rows: tuple[Axis, ...], columns: tuple[Axis, ...]
) -> list[Any]:
    """Data by the keys of rows and columns -> rows of cells in the order of the axes.

    Without columns a row is its one cell. Raises QuantityError where keys are not those of the
    axes.
    """
    down, across = keys_along(rows), keys_along(columns)
    cells = zip(down, _in_order(value, down), strict=True)
    return [_in_order(row, across, key) if across else row for key, row in cells]


def _miscounted(listed: object, what: str, keys: list[str]) -> quantities.QuantityError:
    """Too many or too few rows or cells for the places of the axes."""
    count = len(listed) if isinstance(listed, list) else 0
    each = f"{len(keys)}, one for each of {_quoted(keys)}" if keys else "1, without columns"
    hint = "write ~ where nothing applies"
    if count > len(keys):
        hint = "put a text with a comma in quotes"
    return quantities.QuantityError(f"{count} {what}", expected=each, hint=hint)


def _quoted(keys: list[str]) -> str:
    return some_words([f"'{key}'" for key in keys])


def _in_order(value: object, keys: list[str], *at: str) -> list[object]:
    """Rows, or the cells of a row, by their keys -> the same in the order of the axes.

    `at` is the key of the row. Raises QuantityError.
    """
    given = value if isinstance(value, dict) else {}
    known = _quoted(keys)
    for key in given:
        if key not in keys:
            what, hint = f"'{key:.40}' is no place on the axes", nearest(key, keys)
            raise quantities.QuantityError(what, expected=known, hint=hint, at=(*at, key))
    for key in keys:
        if key not in given:
            what = f"'{key:.40}' is not there"
            raise quantities.QuantityError(what, expected=known, at=at)
    return [given[key] for key in keys]


def _read_grid(
    rows: list[object], columns: list[str], cell_type: CellType, missing: bool
) -> tuple[tuple[Cell, ...], ...]:
    wide = len(columns) or 1
    grid: list[tuple[Cell, ...]] = []
    faults = Faults()
    for index, raw in enumerate(rows):
        if faults.too_many:
            break
        row = raw if isinstance(raw, list) else [raw]
        with faults.at(index):
            if len(row) != wide:
                raise _miscounted(row, "cells in this row", columns)
        cells: list[Cell] = []
        for column, cell in enumerate(row if len(row) == wide else ()):
            with faults.at(*((index, column) if isinstance(raw, list) else (index,))):
                cells.append(read_cell(cell, cell_type, missing=missing))
        grid.append(tuple(cells))
    faults.raise_any()
    return tuple(grid)


#: The types of values that have parts.
_DIVISIBLE = {name: kind for name, kind in CELL_KINDS.items() if kind.multiply}


def _more_than_nothing(times: Fraction) -> Fraction:
    if times <= 0:
        raise quantities.out_of_bounds("part", times, "more than 0, such as 1/2, or 2")
    return times


class FieldSpec(FrozenModel):
    """A column of a record table; with `of` its cells are so many `times` those of another."""

    type: CellTypeName
    """the type of its cells, such as length"""
    title: Line | None = None
    """how the column is headed; else by its name"""
    about: ProseText | None = None
    """what the field is, below the table"""
    of: Id | None = None
    """a field of which this one is a part"""
    times: Annotated[scalars.Ratio, AfterValidator(_more_than_nothing)] | None = None
    """which part of it, such as 1/2, or how many times it"""
    was: Id | None = None
    """its name in the edition before, if it had another"""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.of is None) != (self.times is None):
            given = "of" if self.times is None else "times"
            expected = "both: {type: length, of: range, times: 1/2}"
            raise quantities.QuantityError(f"'{given}' by itself", expected=expected, at=(given,))
        return self


def expect_parts(fields: Mapping[str, FieldSpec]) -> None:
    """Raises QuantityError where a field cannot be a part of what it says it is a part of."""
    for name, spec in fields.items():
        if spec.of is None:
            continue
        whole = fields.get(spec.of)
        if whole is None:
            known = [field for field in fields if field != name]
            raise quantities.QuantityError(
                f"no field '{spec.of}' in this table",
                code="R302",
                expected=some_words(known),
                hint=nearest(spec.of, known),
                at=(name, "of"),
            )
        if spec.type.kind.multiply is None or spec.type != whole.type:
            expected = f"two fields of one type: {quantities.join_words(_DIVISIBLE)}"
            message = f"a {spec.type} that is a part of a {whole.type}"
            raise quantities.QuantityError(message, expected=expected, at=(name, "type"))
    try:
        in_order(fields)
    except CycleError as error:
        circle = error.args[1]
        raise quantities.QuantityError(
            f"fields that are parts of each other: {' -> '.join(circle[:7])}",
            code="R303",
            expected="values in one of them",
            at=(circle[0], "of"),
        ) from error


def in_order(fields: Mapping[str, FieldSpec]) -> list[str]:
    """The fields that are parts of others, each after that of which it is a part."""
    parts = {name: [spec.of] for name, spec in fields.items() if spec.of is not None}
    return [name for name in TopologicalSorter(parts).static_order() if name in parts]


def parts_of(cells: Mapping[str, Cell], fields: Mapping[str, FieldSpec]) -> dict[str, Cell]:
    """The cells of a row that are parts of others, exactly; of `~` or a missing cell what that is.

    Raises QuantityError where a count does not come out whole.
    """
    found = dict(cells)
    for name in in_order(fields):
        spec = fields[name]
        cell, times = found[str(spec.of)], spec.times or Fraction(1)
        if cell.value is None:
            found[name] = MISSING if cell.status is Status.MISSING else Cell(None)
            continue
        try:
            found[name] = Cell(_multiplied(cell.value, spec.type.kind, times))
        except quantities.QuantityError as fault:
            raise fault.inside(str(spec.of)) from fault
    return found


def written_part(text: str, cell_type: str, times: str) -> str:
    """The same of a cell as it is written, for those that refer to it. Raises QuantityError."""
    if cell_type not in _DIVISIBLE:
        expected = quantities.join_words(_DIVISIBLE)
        raise quantities.QuantityError(f"no part of a {cell_type}", expected=expected)
    kind = _DIVISIBLE[cell_type]
    return kind.write(_multiplied(kind.read(text), kind, quantities.parse_ratio(times)))


def _multiplied(value: quantities.Value, kind: CellKind, times: Fraction) -> quantities.Value:
    assert kind.multiply is not None
    product: quantities.Value = kind.multiply(value, times)
    return product


class Row(Entity):
    """A thing in a record table: its title and a cell for each field.

    Of a row that is `missing`, or of a table, cells may be left out, and are missing.
    """

    title: Line | None = None
    cells: dict[str, Cell]


_ROW_KEYS = ("title", "status", "note", "source", "was")


class RecordTable(PrintedTable):
    """A row for each thing, with typed fields.

    Without fields it is a table of outcomes: words with titles, to be used as cells (`row fates`),
    as results (`fates.routs`), as choices (`one_of: fates`) and as an axis (`=fates`).
    """

    fields: dict[Id, FieldSpec] = Field({})
    """typed columns; a table without any lists outcomes by their titles"""
    data: Annotated[dict[Id, Row], Field(min_length=1)]
    """rows by their ids, each with a title and a value for each field; in a table without fields
    the title alone
    """

    @field_validator(
        "fields", mode="before", json_schema_input_type=dict[Id, FieldSpec | CellTypeName]
    )
    @classmethod
    def _short_fields(cls, value: object) -> object:
        return with_types(value, _ROW_KEYS)

    @field_validator("fields")
    @classmethod
    def _parts_of_fields(cls, fields: dict[str, FieldSpec]) -> dict[str, FieldSpec]:
        expect_parts(fields)
        return fields

    @field_validator("data", mode="plain", json_schema_input_type=_RecordData)
    @classmethod
    def _read_data(cls, value: object, info: ValidationInfo) -> dict[str, Row]:
        fields: dict[str, FieldSpec] | None = info.data.get("fields")
        if fields is None:
            return {}
        rows = expect_mapping(value, "an id and its fields for each row")
        status = info.data.get("status", Status.STATED)
        return read_rows(rows, lambda raw: _read_row(raw, fields, status))


def _read_row(raw: object, fields: dict[str, FieldSpec], status: Status) -> Row:
    """The row; `status` is that of the table, which a row without one takes for its cells."""
    values = f"a value for each of {some_words(list(fields))}"
    empty = raw == {} or (raw is None and status is Status.MISSING)
    row = {} if empty else expect_mapping(raw, values)
    missing = row.get("status", status) == Status.MISSING
    types = {name: spec.type for name, spec in fields.items()}
    choices = () if fields else ("fields",)
    cells, faults = read_cells(row, types, _ROW_KEYS, missing=missing, choices=choices)
    for name, spec in fields.items():
        with faults.at(name):
            if name in row and spec.of is not None:
                what, whole = f"a value for '{name}'", f"a part of '{spec.of}'"
                expected = f"the value of '{spec.of}' alone"
                raise quantities.QuantityError(
                    f"{what}, which is {whole}", expected=expected, hint="delete it"
                )
            if name not in row and not missing and spec.of is None:
                raise quantities.QuantityError(
                    f"the field '{name}' is not there",
                    code="R202",
                    expected="every field in every row",
                    hint=f"add '{name}:', with ~ where nothing applies",
                    choices=(*fields, *_ROW_KEYS),
                )
    faults.raise_any()
    cells |= parts_of(cells, fields)
    own = {name: value for name, value in row.items() if name in _ROW_KEYS}
    return Row.model_validate({**own, "cells": {name: cells[name] for name in fields}})


ShownAs = Literal["mean", "median", "chance"]


class Case(FrozenModel):
    """A place on an axis that sets several inputs at once."""

    title: Line | None = None
    """what stands on the axis; else its name"""
    given: Annotated[dict[Id, Given], Field(min_length=1)]
    """the inputs that are set in it, each with its value"""


_CASES: TypeAdapter[dict[str, Case]] = TypeAdapter(dict[Id, Case])


def _parse_places(value: object) -> str | tuple[str, ...] | dict[str, Case]:
    if isinstance(value, dict) and value:
        return _CASES.validate_python(value)
    if isinstance(value, str) and value.strip():
        return TypedValue(value.strip())
    places = value if isinstance(value, list) else []
    words = [TypedValue(item.strip()) for item in places if isinstance(item, str)]
    if not all(words) or not words or not len(words) == len(set(words)) == len(places):
        such = "'all', such as 6..24..6, values in a list, each once, or cases with what is given"
        raise quantities.QuantityError("no places stand here", code="R203", expected=such)
    return tuple(words)


_Sweep = Annotated[str, Field(description="all, or a sweep such as 6..24..6")]
#: What goes along an axis: `all` or a sweep, values one by one, or cases with titles.
Places = Annotated[
    str | tuple[str, ...] | dict[str, Case],
    PlainValidator(_parse_places, json_schema_input_type=_Sweep | list[str | int] | dict[Id, Case]),
]


class Show(FrozenModel):
    """What a cell shows of one result: its mean, its median, or the chance of something.

    The chance is that of `is`, of `at_least` so many, of true, or that of each outcome where the
    result stands on an axis.
    """

    mean: Id | None = None
    """a result whose mean is shown"""
    median: Id | None = None
    """a result whose median is shown"""
    chance: Id | None = None
    """a result, or one that stands on an axis"""
    equals: Given | None = Field(None, alias="is")
    """the outcome whose chance is shown"""
    at_least: Given | None = None
    """so many or more"""

    @property
    def shown_as(self) -> ShownAs:
        names: tuple[ShownAs, ...] = ("mean", "median", "chance")
        return next(name for name in names if getattr(self, name) is not None)

    @property
    def result(self) -> str:
        return str(getattr(self, self.shown_as))

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        given = [key for key in ("mean", "median", "chance") if getattr(self, key) is not None]
        outcomes = {"is": self.equals, "at_least": self.at_least}
        beside = [key for key, value in outcomes.items() if value is not None]
        if len(given) == 1 and len(beside) <= (self.chance is not None):
            return self
        shown = [*given, *beside]
        raise quantities.QuantityError(
            f"the cells show {quantities.join_words(shown, 'and') or 'nothing'}",
            expected="one of mean, median and chance, and beside chance 'is' or 'at_least'",
            at=(shown[-1],) if len(shown) > 1 else (),
        )


class ComputedTable(PrintedTable):
    """A grid whose cells are computed from a procedure."""

    computed: Id
    """id of the procedure"""
    rows: Annotated[dict[Id, Places], Field(min_length=1)]
    """inputs along the rows, each with its values: all, 6..24..6 or a list"""
    columns: dict[Id, Places] = Field({})
    """axes across the table"""
    given: dict[Id, Given] = Field({})
    """inputs that are the same in every cell"""
    show: Show
    """what stands in the cells: mean, median or chance of a result"""

    @model_validator(mode="after")
    def _axes_once(self) -> Self:
        sides: dict[str, dict[str, Any]] = {
            "rows": self.rows,
            "columns": self.columns,
            "given": self.given,
        }
        for (first, ones), (second, others) in combinations(sides.items(), 2):
            for name in ones.keys() & others.keys():
                what = f"'{name}' stands in '{first}' and in '{second}'"
                raise quantities.QuantityError(what, expected="each once", at=(second, name))
        return self

    @property
    def axes(self) -> dict[str, Any]:
        """The places along each axis, rows first."""
        return {**self.rows, **self.columns}
