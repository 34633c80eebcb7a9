"""Tables: grids of one type of cell over named axes, records with a row for each thing, odds.

The declared types of cells and fields read the data, so a table is checked cell by cell as it is
read. A computed table names a procedure, what varies along the axes and what is shown: the rules
core makes a grid of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from math import prod
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    PrivateAttr,
    TypeAdapter,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from rulebook import quantities
from rulebook.limits import MOST_ITEMS
from rulebook.model.axes import Axes, Axis, Choice
from rulebook.model.cell_types import CellType, CellTypeName
from rulebook.model.cells import (
    CELL_SCHEMA,
    MISSING,
    SPREADSHEET_SCHEMA,
    Cell,
    Faults,
    PrintedTable,
    expect_mapping,
    or_spreadsheet,
    read_cell,
    read_rows,
    with_types,
)
from rulebook.model.fields import FieldSpec, expect_parts, expect_typed, parts_of
from rulebook.model.provenance import Entity, Status
from rulebook.model.scalars import FrozenModel, Given, Id, Line, ReadBy
from rulebook.suggestions import nearest, some_words

GridData = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {
                    "type": "array",
                    "items": {"anyOf": [{"type": "array", "items": CELL_SCHEMA}, CELL_SCHEMA]},
                },
                {"type": "object", "description": "rows by their keys, in them cells by theirs"},
                SPREADSHEET_SCHEMA,
            ]
        }
    ),
]
RecordData = Annotated[
    Any,
    WithJsonSchema(
        or_spreadsheet(
            {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {
                    "type": ["object", "string", "null"],
                    "description": "the cells of a row; its title alone in a table without fields",
                    "additionalProperties": CELL_SCHEMA,
                },
            }
        )
    ),
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

    @field_validator("data", mode="plain", json_schema_input_type=GridData)
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
    """rows by their ids, each with a title and a value for each field"""

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

    @field_validator("data", mode="plain", json_schema_input_type=RecordData)
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
    known = (*fields, *_ROW_KEYS)
    row = {}
    if raw is not None or status is not Status.MISSING:
        row = (
            {}
            if raw == {}
            else expect_mapping(raw, f"a value for each of {some_words(list(fields))}")
        )
    missing = row.get("status", status) == Status.MISSING
    cells = dict.fromkeys(fields, MISSING) if missing else {}
    faults = Faults()
    for name, value in row.items():
        if name not in _ROW_KEYS:
            with faults.at(name):
                if name not in fields:
                    raise quantities.QuantityError(
                        f"no field '{name:.40}'",
                        code="R201",
                        expected=some_words(known),
                        hint=nearest(name, known),
                        choices=() if fields else ("fields",),
                    )
                expect_typed(name, fields[name])
                cells[name] = read_cell(value, fields[name].type, missing=missing)
    for name, spec in fields.items():
        if name not in row and name not in cells and spec.of is None:
            with faults.at(name):
                what, every = f"the field '{name}' is not there", "every field in every row"
                hint = f"add '{name}:', with ~ where nothing applies"
                raise quantities.QuantityError(
                    what, code="R202", expected=every, hint=hint, choices=known
                )
    faults.raise_any()
    cells |= parts_of(cells, fields)
    own = {name: value for name, value in row.items() if name in _ROW_KEYS}
    return Row.model_validate({**own, "cells": {name: cells[name] for name in fields}})


ShownAs = Literal["mean", "median", "chance"]


_TITLE_OF_A_CASE = "what stands on the axis; else its name"
_GIVEN_IN_A_CASE = "the inputs that are set in it, each with its value"


class Case(FrozenModel):
    """A place on an axis that sets several inputs at once."""

    title: Line | None = Field(None, description=_TITLE_OF_A_CASE)
    given: Annotated[dict[Id, Given], Field(min_length=1, description=_GIVEN_IN_A_CASE)]


_CASES: TypeAdapter[dict[str, Case]] = TypeAdapter(dict[Id, Case])


def _parse_places(value: object) -> str | tuple[str, ...] | dict[str, Case]:
    if isinstance(value, dict) and value:
        return _CASES.validate_python(value)
    if isinstance(value, str) and value.strip():
        return value.strip()
    places = value if isinstance(value, list) else []
    words = [item.strip() for item in places if isinstance(item, str)]
    if not all(words) or not words or not len(words) == len(set(words)) == len(places):
        such = "'all', such as 6..24..6, values in a list, each once, or cases with what is given"
        raise quantities.QuantityError("no places stand here", code="R203", expected=such)
    return tuple(words)


#: What goes along an axis: `all` or a sweep, values one by one, or cases with titles.
Places = Annotated[
    str | tuple[str, ...] | dict[str, Case],
    ReadBy(
        _parse_places,
        {
            "anyOf": [
                {"type": "string", "description": "all, or a sweep such as 6..24..6"},
                {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 1},
                {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {
                            "title": {"type": "string", "description": _TITLE_OF_A_CASE},
                            "given": {"type": "object", "description": _GIVEN_IN_A_CASE},
                        },
                        "required": ["given"],
                        "additionalProperties": False,
                    },
                },
            ]
        },
    ),
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
