"""Tables: a grid has one type of cell over named axes, a record table a row for each thing.

The declared types of cells and fields read the data, so a table is checked cell by cell as it is
read.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    TypeAdapter,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import PydanticCustomError

from rulebook import quantities
from rulebook.model.axes import Axes, Axis, Choice
from rulebook.model.cells import (
    CELL_SCHEMA,
    MISSING,
    Cell,
    CellType,
    CellTypeName,
    Faults,
    PrintedTable,
    Sought,
    read_cell,
    read_rows,
    some_words,
)
from rulebook.model.fields import FieldSpec, expect_parts, expect_typed, parts_of
from rulebook.model.provenance import Entity, Status
from rulebook.model.scalars import Id, Line

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
            ]
        }
    ),
]
RecordData = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "type": ["object", "null"],
                "additionalProperties": CELL_SCHEMA,
            },
        }
    ),
]


class Grid(PrintedTable):
    """Cells of one type over the product of its row axes and the product of its column axes."""

    rows: Axes
    columns: Axes = ()
    cells: CellTypeName
    data: tuple[tuple[Cell, ...], ...] = Field(
        None, validate_default=True, description="may be left out where all cells are missing"
    )

    @field_validator("data", mode="plain", json_schema_input_type=GridData)
    @classmethod
    def _read_data(cls, value: object, info: ValidationInfo) -> tuple[tuple[Cell, ...], ...]:
        missing = info.data.get("status") is Status.MISSING
        if value is None and not missing:
            raise PydanticCustomError("missing", "no data")
        if not {"rows", "columns", "cells"} <= info.data.keys():
            return ()  # the faulty axis or type is told already
        tall, wide = (
            prod(len(axis.choices) for axis in info.data[side]) for side in ("rows", "columns")
        )
        if tall * wide > LARGEST_TABLE:
            raise quantities.QuantityError.of(
                "R204 large table", cells=tall * wide, most=LARGEST_TABLE
            )
        if value is None:
            return ((MISSING,) * wide,) * tall
        if isinstance(value, dict):
            down, across = (_keys_along(info.data[side]) for side in ("rows", "columns"))
            cells = _in_order(value, down, "rows")
            value = [
                _in_order(row, across, "cells", key) if across else row
                for key, row in zip(down, cells, strict=True)
            ]
        if not isinstance(value, list):
            raise quantities.QuantityError.of("R204 data is no list", tall=tall)
        if len(value) != tall:
            raise quantities.QuantityError.of("R204 rows of data", count=len(value), tall=tall)
        return _read_grid(value, wide, info.data["cells"], missing)

    def positions(self, side: Literal["rows", "columns"]) -> list[tuple[Choice, ...]]:
        """The places along a side, in the order of the data."""
        return list(product(*(axis.choices for axis in getattr(self, side))))

    def keys_along(self, side: Literal["rows", "columns"]) -> list[str]:
        """The places along a side as data by key names them: `8-16in`, or `first, cover`."""
        return _keys_along(getattr(self, side))

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.rows + self.columns


def _keys_along(axes: tuple[Axis, ...]) -> list[str]:
    places = product(*(axis.keys for axis in axes))
    return [", ".join(place) for place in places] if axes else []


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
    rows: list[object], wide: int, cell_type: CellType, missing: bool
) -> tuple[tuple[Cell, ...], ...]:
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
    """A row for each thing, with typed fields."""

    fields: Annotated[dict[Id, FieldSpec], Field(min_length=1)]
    data: Annotated[dict[Id, Row], Field(min_length=1)]

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
