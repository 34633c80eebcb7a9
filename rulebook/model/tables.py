"""Tables: grids of one type of cell over named axes, records with a row for each thing, odds.

The declared types of cells and fields read the data, so a table is checked cell by cell as it is
read. A computed table names a procedure, what varies along the axes and what is shown: the rules
core makes a grid of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    PlainValidator,
    PrivateAttr,
    TypeAdapter,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from rulebook import quantities
from rulebook.model.axes import Axes, Axis, Choice
from rulebook.model.cells import (
    CELL_SCHEMA,
    MISSING,
    MOST_LISTED,
    SPREADSHEET_SCHEMA,
    Cell,
    CellType,
    CellTypeName,
    Faults,
    PrintedTable,
    Sought,
    or_spreadsheet,
    read_cell,
    read_rows,
    some_words,
)
from rulebook.model.fields import FieldSpec, expect_parts, expect_typed, parts_of
from rulebook.model.provenance import Entity, Status
from rulebook.model.scalars import FrozenModel, Id, Line

#: Cells of one table; beyond it a table is no page of a rulebook.
LARGEST_TABLE = 5000

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
    cells: CellTypeName = Field(description="the type of each cell, such as target")
    data: tuple[tuple[Cell, ...], ...] = Field(
        None, validate_default=True, description="rows of cells; none where all are missing"
    )

    @field_validator("data", mode="plain", json_schema_input_type=GridData)
    @classmethod
    def _read_data(cls, value: object, info: ValidationInfo) -> tuple[tuple[Cell, ...], ...]:
        missing = info.data.get("status") is Status.MISSING
        if value is None and not missing:
            raise PydanticCustomError("missing", "no data")
        if not {"rows", "columns", "cells"} <= info.data.keys():
            return ()  # the faulty axis or type is told already
        sides = info.data["rows"], info.data["columns"]
        tall, wide = (prod(len(axis.choices) for axis in side) for side in sides)
        if tall * wide > LARGEST_TABLE:
            raise quantities.QuantityError.of(
                "R204 large table", cells=tall * wide, most=LARGEST_TABLE
            )
        if value is None:
            return ((MISSING,) * wide,) * tall
        if isinstance(value, dict):
            value = in_axis_order(value, *sides)
        if not isinstance(value, list):
            raise quantities.QuantityError.of("R204 data is no list", tall=tall)
        if len(value) != tall:
            rows = f"{len(value)} row{'' if len(value) == 1 else 's'}"
            keys = keys_along(info.data["rows"])
            places = ", ".join(f"'{key}'" for key in keys) if len(keys) <= MOST_LISTED else ""
            write = "delete a row of cells, or add its place to 'rows'"
            if len(value) < tall:
                write = "write a row of cells for each, in brackets"
            raise quantities.QuantityError.of(
                "R204 rows of data", rows=rows, tall=tall, places=places, write=write
            )
        columns = keys_along(info.data["columns"])
        return _read_grid(value, columns, info.data["cells"], missing)

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
    cells = zip(down, _in_order(value, down, "rows"), strict=True)
    return [_in_order(row, across, "cells", key) if across else row for key, row in cells]


def _in_order(value: object, keys: list[str], what: str, *at: str) -> list[object]:
    """Rows, or the cells of a row, by their keys -> the same in the order of the axes.

    `at` is the key of the row. Raises QuantityError.
    """
    quoted = [f"'{key}'" for key in keys]
    if not isinstance(value, dict):
        raise quantities.QuantityError.of(
            "R203 without their keys", at=at, what=what, known=some_words(quoted)
        )
    for key in (*value, *keys):
        if key not in value or key not in keys:
            if key in value:
                name = Sought(key, keys)
                known = some_words(quoted)
                raise quantities.QuantityError.of(
                    "R204 no place", at=(*at, key), name=name, known=known
                )
            raise quantities.QuantityError.of(
                "R204 place left out", at=at, name=key, known=some_words(quoted)
            )
    return [value[key] for key in keys]


def _read_grid(
    rows: list[object], columns: list[str], cell_type: CellType, missing: bool
) -> tuple[tuple[Cell, ...], ...]:
    wide = len(columns) or 1
    adapter = cell_type.adapter()
    grid: list[tuple[Cell, ...]] = []
    faults = Faults()
    for index, raw in enumerate(rows):
        if faults.too_many:
            break
        row = raw if isinstance(raw, list) else [raw]
        with faults.at(index):
            if len(row) != wide:
                raise quantities.QuantityError.of(
                    "R204 one cell in a row" if len(row) == 1 else "R204 cells in a row",
                    count=len(row),
                    wide=wide,
                    columns=", ".join(f"'{key}'" for key in columns[:MOST_LISTED]),
                    more="put a text with a comma in quotes, or add a place to the columns"
                    if len(row) > wide
                    else "",
                )
        cells: list[Cell] = []
        for column, cell in enumerate(row if len(row) == wide else ()):
            with faults.at(*((index, column) if isinstance(raw, list) else (index,))):
                cells.append(read_cell(cell, cell_type, adapter, missing=missing))
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
_RESERVED = set(_ROW_KEYS)


class RecordTable(PrintedTable):
    """A row for each thing, with typed fields.

    Without fields it is a table of outcomes: words with titles, to be used as cells (`row fates`),
    as results (`fates.routs`), as choices (`one_of: fates`) and as an axis (`=fates`).
    """

    fields: dict[Id, FieldSpec] = Field(
        {}, description="typed columns; a table without any lists outcomes by their titles"
    )
    data: Annotated[dict[Id, Row], Field(min_length=1)] = Field(
        description="rows by their ids, each with a title and a value for each field"
    )

    @field_validator(
        "fields", mode="before", json_schema_input_type=dict[Id, FieldSpec | CellTypeName]
    )
    @classmethod
    def _short_fields(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        clash = sorted(_RESERVED & value.keys())
        if clash:
            raise quantities.QuantityError.of(
                "R204 name of a field",
                name=clash[0],
                known=quantities.join_words(sorted(_RESERVED)),
            )
        return {
            name: {"type": spec} if isinstance(spec, str) else spec for name, spec in value.items()
        }

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
        if not isinstance(value, dict) or not value:
            raise quantities.QuantityError.of("R203 no rows")
        adapters = {name: spec.type.adapter() for name, spec in fields.items()}
        status = info.data.get("status", Status.STATED)
        return read_rows(value, lambda raw: _read_row(raw, fields, adapters, status))


def _read_row(
    raw: object,
    fields: dict[str, FieldSpec],
    adapters: dict[str, TypeAdapter[Any]],
    status: Status,
) -> Row:
    """The row; `status` is that of the table, which a row without one takes for its cells."""
    if raw is None and status is Status.MISSING:
        raw = {}
    if not isinstance(raw, dict):
        raise quantities.QuantityError.of("R203 no row", known=some_words(list(fields)))
    known = (*fields, *_ROW_KEYS)
    missing = raw.get("status", status) == Status.MISSING
    cells = dict.fromkeys(fields, MISSING) if missing else {}
    faults = Faults()
    for name, value in raw.items():
        if name not in _RESERVED:
            with faults.at(name):
                if not fields:
                    raise quantities.QuantityError.of(
                        "R201 field of outcomes", name=name, choices=("fields",)
                    )
                if name not in fields:
                    raise quantities.QuantityError.of("R201 field", name=Sought(name, known))
                expect_typed(name, fields[name])
                cells[name] = read_cell(value, fields[name].type, adapters[name], missing=missing)
    for name, spec in fields.items():
        if name not in raw and name not in cells and spec.of is None:
            with faults.at(name):
                raise quantities.QuantityError.of("R202 field", choices=known, name=name)
    faults.raise_any()
    cells |= parts_of(cells, fields)
    own = {name: value for name, value in raw.items() if name in _RESERVED}
    return Row.model_validate({**own, "cells": {name: cells[name] for name in fields}})


ShownAs = Literal["mean", "median", "chance"]


def _parse_given(value: object) -> str:
    """A value of an input as text; conditions in a list are joined as they are typed."""
    items = value if isinstance(value, list) else [value]
    words = [item.strip() for item in items if isinstance(item, str)]
    if len(words) < len(items) or not all(words):
        raise quantities.QuantityError.of("R203 no value of a case")
    return "+".join(words) or "none"


Given = Annotated[
    str,
    PlainValidator(_parse_given),
    WithJsonSchema({"type": ["string", "integer", "boolean", "array"]}),
]


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
    if not isinstance(value, list) or not value:
        raise quantities.QuantityError.of("R203 no places")
    faults = Faults()
    for index, item in enumerate(value):
        with faults.at(index):
            if not isinstance(item, str) or not item.strip():
                raise quantities.QuantityError.of("R203 no value on an axis")
    faults.raise_any()
    twice = next((item for item in value if value.count(item) > 1), None)
    if twice is not None:
        raise quantities.QuantityError.of("R204 twice on an axis", twice=twice)
    return tuple(item.strip() for item in value)


#: What goes along an axis: `all` or a sweep, values one by one, or cases with titles.
Places = Annotated[
    str | tuple[str, ...] | dict[str, Case],
    PlainValidator(_parse_places),
    WithJsonSchema(
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
        }
    ),
]


class Show(FrozenModel):
    """What a cell shows of one result: its mean, its median, or the chance of something.

    The chance is that of `is`, of `at_least` so many, of true, or that of each outcome where the
    result stands on an axis.
    """

    mean: Id | None = Field(None, description="a result whose mean is shown")
    median: Id | None = Field(None, description="a result whose median is shown")
    chance: Id | None = Field(None, description="a result, or one that stands on an axis")
    equals: Given | None = Field(None, alias="is", description="the outcome whose chance is shown")
    at_least: Given | None = Field(None, description="so many or more")

    @property
    def shown_as(self) -> ShownAs:
        names: tuple[ShownAs, ...] = ("mean", "median", "chance")
        return next(name for name in names if getattr(self, name) is not None)

    @property
    def result(self) -> str:
        return str(getattr(self, self.shown_as))

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        given = [name for name in ("mean", "median", "chance") if getattr(self, name) is not None]
        if len(given) != 1:
            raise quantities.QuantityError.of(
                "R204 shown together" if given else "R204 nothing shown",
                at=(given[1],) if given else (),
                given=quantities.join_words(given, "and"),
            )
        outcomes = [
            key
            for key, name in (("is", "equals"), ("at_least", "at_least"))
            if getattr(self, name) is not None
        ]
        if outcomes and (self.chance is None or len(outcomes) > 1):
            at = (outcomes[-1],)
            other = given[0] if self.chance is None else outcomes[0]
            raise quantities.QuantityError.of(
                "R204 is beside", at=at, name=outcomes[-1], other=other
            )
        return self


class ComputedTable(PrintedTable):
    """A grid whose cells the rules core reckons from a procedure."""

    computed: Id = Field(description="id of the procedure")
    rows: Annotated[dict[Id, Places], Field(min_length=1)] = Field(
        description="inputs along the rows, each with its values: all, 6..24..6 or a list"
    )
    columns: dict[Id, Places] = Field({}, description="axes across the table")
    given: dict[Id, Given] = Field({}, description="inputs that are the same in every cell")
    show: Show = Field(description="what stands in the cells: mean, median or chance of a result")

    @model_validator(mode="after")
    def _axes_once(self) -> Self:
        for name in self.columns:
            if name in self.rows:
                raise quantities.QuantityError.of(
                    "R204 on rows and columns", at=("columns", name), name=name
                )
        for name in self.given:
            if name in self.axes:
                side = "rows" if name in self.rows else "columns"
                raise quantities.QuantityError.of(
                    "R204 given and varied", at=("given", name), name=name, side=side
                )
        return self

    @property
    def axes(self) -> dict[str, Any]:
        """The places along each axis, rows first."""
        return {**self.rows, **self.columns}
