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
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from rulebook import quantities as q
from rulebook.model.axes import Axes, Axis, Choice
from rulebook.model.cells import (
    CELL_SCHEMA,
    ID,
    MISSING,
    Cell,
    CellType,
    CellTypeName,
    fault_at,
    moved,
    nearest,
    read_cell,
    some_words,
)
from rulebook.model.fields import FieldSpec, expect_parts, expect_typed, parts_of
from rulebook.model.printed import PrintedTable
from rulebook.model.provenance import Entity, Status
from rulebook.model.scalars import Id, Line
from rulebook.problems import MOST_FAULTS

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
            raise q.QuantityError(
                f"a table of {tall * wide} cells", expected=f"up to {LARGEST_TABLE} cells"
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
            raise q.QuantityError("the data is no list", expected=f"a list of {tall} rows")
        if len(value) != tall:
            raise q.QuantityError(
                f"{len(value)} rows of data",
                expected=f"{tall} rows, one for each place on the row axes",
            )
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
        raise q.QuantityError(
            f"{what} without their keys", expected=some_words(quoted), at=at, code="R203"
        )
    for key in (*value, *keys):
        if key not in value or key not in keys:
            stray = key in value
            told = "is no place on the axes" if stray else "is not there"
            raise q.QuantityError(
                f"'{key[:40]}' {told}",
                expected=some_words(quoted),
                hint=nearest(key, keys) if stray else f"add '{key[:40]}:'",
                at=(*at, key) if stray else at,
            )
    return [value[key] for key in keys]


def _read_grid(
    rows: list[object], wide: int, cell_type: CellType, missing: bool
) -> tuple[tuple[Cell, ...], ...]:
    adapter = cell_type.adapter()
    grid: list[tuple[Cell, ...]] = []
    errors: list[InitErrorDetails] = []
    for index, raw in enumerate(rows):
        if len(errors) > MOST_FAULTS:
            break
        row = raw if isinstance(raw, list) else [raw]
        if len(row) != wide:
            fault = q.QuantityError(
                f"{len(row)} cell{'' if len(row) == 1 else 's'} in this row",
                expected=f"{wide} cells, one for each column",
            )
            errors.append(fault_at(fault, (index,)))
            continue
        cells: list[Cell] = []
        for column, cell in enumerate(row):
            loc = (index, column) if isinstance(raw, list) else (index,)
            try:
                cells.append(read_cell(cell, cell_type, adapter, missing=missing))
            except q.QuantityError as error:
                errors.append(fault_at(error, loc))
            except ValidationError as error:
                errors += moved(error, loc)
        grid.append(tuple(cells))
    if errors:
        raise ValidationError.from_exception_data("data", errors)
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
            raise q.QuantityError(
                f"a field cannot be called '{clash[0]}'",
                expected=f"any name but {q.join_words(sorted(_RESERVED))}",
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
            raise q.QuantityError(
                "no rows stand here", expected="an id and its fields for each row"
            )
        adapters = {name: spec.type.adapter() for name, spec in fields.items()}
        status = info.data.get("status", Status.STATED)
        rows: dict[str, Row] = {}
        errors: list[InitErrorDetails] = []
        for key, raw in value.items():
            if len(errors) > MOST_FAULTS:
                break
            try:
                ID.validate_python(key)
                rows[key] = _read_row(raw, fields, adapters, status)
            except ValidationError as error:
                errors += moved(error, (key,))
            except q.QuantityError as error:
                errors.append(fault_at(error, (key,)))
        if errors:
            raise ValidationError.from_exception_data("data", errors)
        return rows


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
        raise q.QuantityError(
            "no row stands here", expected=f"a value for each of {some_words(list(fields))}"
        )
    known = (*fields, *_ROW_KEYS)
    missing = raw.get("status", status) == Status.MISSING
    errors: list[InitErrorDetails] = []
    cells = dict.fromkeys(fields, MISSING) if missing else {}
    for name, value in raw.items():
        if name in _RESERVED:
            continue
        if name not in fields:
            fault = q.QuantityError(f"no field '{name[:40]}'", choices=known)
            errors.append(fault_at(fault, (name,), "unknown_key"))
            continue
        try:
            expect_typed(name, fields[name])
            cells[name] = read_cell(value, fields[name].type, adapters[name], missing=missing)
        except q.QuantityError as error:
            errors.append(fault_at(error, (name,)))
        except ValidationError as error:
            errors += moved(error, (name,))
    for name, spec in fields.items():
        if name not in raw and name not in cells and spec.of is None:
            fault = q.QuantityError(
                f"the field '{name}' is not there",
                expected="every field in every row",
                hint=f"add '{name}:', with ~ where nothing applies",
                choices=known,
            )
            errors.append(fault_at(fault, (name,), "missing_key"))
    if errors:
        raise ValidationError.from_exception_data("row", errors)
    cells |= parts_of(cells, fields)
    own = {name: value for name, value in raw.items() if name in _RESERVED}
    return Row.model_validate({**own, "cells": {name: cells[name] for name in fields}})
