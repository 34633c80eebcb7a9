"""Record tables and modifier tables: a row for each thing or condition, with typed columns.

The declared types of columns read the data, so a table is checked cell by cell as it is read.
A modifier table has conditions, each with what it adds to a score, a target, a length or dice; or
`never`, which says that the thing is not allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cells import (
    CELL_KINDS,
    MISSING,
    Cell,
    CellKind,
    CellType,
    CellTypeName,
    Faults,
    OrSpreadsheet,
    PrintedTable,
    WrittenCell,
    expect_mapping,
    read_cells,
    with_types,
)
from rulebook.model.entities import Entity, FrozenModel, Status
from rulebook.model.grids import Grid, humanise
from rulebook.model.scalars import Count, Id, Line, LineOrNone, Prose, ProseText, ReadBy, parse_id
from rulebook.suggestions import nearest, some_words

RowT = TypeVar("RowT")
_RecordData = Annotated[
    dict[str, dict[str, WrittenCell] | str | None], Field(min_length=1), OrSpreadsheet()
]


def types_of(table: PrintedTable) -> Iterator[tuple[tuple[str, ...], CellType]]:
    """Yields the types of a table's cells, each as (address in the table, type).

    Computed tables and modifier tables have none.
    """
    if isinstance(table, Grid):
        yield ("cells",), table.cells
    elif isinstance(table, RecordTable):
        yield from ((("fields", key), spec.type) for key, spec in table.fields.items())


def typed_cells(table: PrintedTable) -> Iterator[tuple[tuple[str | int, ...], CellType, Cell]]:
    """Yields the cells of a table, each as (address in the table, type, cell).

    Computed tables and modifier tables have none.
    """
    if isinstance(table, Grid):
        for down, line in enumerate(table.data):
            for across, cell in enumerate(line):
                yield ("data", down, across), table.cells, cell
    elif isinstance(table, RecordTable):
        for key, row in table.data.items():
            for field, cell in row.cells.items():
                yield ("data", key, field), table.fields[field].type, cell


#: The types of values that have parts.
_DIVISIBLE = {name: kind for name, kind in CELL_KINDS.items() if kind.multiply}


class FieldSpec(FrozenModel):
    """A column of a record table; with `of` its cells are so many `times` those of another."""

    type: CellTypeName
    """the type of its cells, such as length"""
    title: LineOrNone | None = None
    """how the column is headed; else by its name"""
    about: ProseText | None = None
    """what the field is, below the table"""
    of: Id | None = None
    """a field of which this one is a part"""
    times: Annotated[scalars.Ratio, Field(gt=0)] | None = None
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
    """Raises QuantityError for a field that cannot be a part of the field that its `of` names.

    That field may be unknown, of another type or one that cannot be multiplied, or a part of the
    first.
    """
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
    """Returns the names of the fields that are parts of others, each after the field it is part of.

    Other fields are left out. Raises CycleError.
    """
    parts = {name: [spec.of] for name, spec in fields.items() if spec.of is not None}
    return [name for name in TopologicalSorter(parts).static_order() if name in parts]


def parts_of(cells: Mapping[str, Cell], fields: Mapping[str, FieldSpec]) -> dict[str, Cell]:
    """Returns the cells of a row, with those added that are computed as parts of others.

    A part of an empty cell is empty. Raises QuantityError where a part of a count is not whole.
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
    """Multiplies the value of a cell, given as text, by `times`; returns the product as text.

    It is used where cells are still references. Raises QuantityError.
    """
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

    title: LineOrNone | None = None
    cells: dict[str, Cell]

    def heading(self, key: str) -> str:
        """Returns the heading of the row: its title, or one made from `key`, its id."""
        return humanise(key) if self.title is None else self.title


#: What a modifier may change: the score of a die, a total, the target, how many dice are thrown,
#: or a length.
CHANGED = ("score", "total", "target", "count", "length")


def _parse_changed(value: object) -> str:
    if value not in CHANGED:
        what, hint = f"a modifier changes no '{value!s:.40}'", nearest(str(value), CHANGED)
        raise quantities.QuantityError(what, expected=quantities.join_words(CHANGED), hint=hint)
    return str(value)


ChangedName = Annotated[str, ReadBy(_parse_changed, enum=list(CHANGED))]

_MODIFIER_KEYS = ("when", "up_to", "status", "note", "source", "was")
#: Times that one condition may hold; what may hold more often is an input of counts.
MOST_TIMES = 100
Times = Annotated[Count, Field(ge=2, le=MOST_TIMES)]

#: The types of an amount: of a number, and of a length.
AMOUNT = CellType("modifier")
AMOUNT_OF_LENGTH = CellType("length modifier")


class Change(FrozenModel):
    """What a column of a modifier table changes."""

    changed: ChangedName = Field(alias="type")
    """what is changed: score, target, count, dice or length"""
    title: Line | None = None
    """how the column is headed; else by its name"""

    @property
    def type(self) -> CellType:
        """The type of the amounts in this column: lengths if a length is changed, else numbers."""
        return AMOUNT_OF_LENGTH if self.changed == "length" else AMOUNT


class ModifierRow(Entity):
    """A condition and, for each thing changed, the modifier that it brings.

    What it does not change has no amount, and prints as nothing; an amount of `~` prints as a dash,
    and no rule may add it up. `never` forbids what is modified. A condition that may hold more than
    once, such as a company lost, counts as often as it does.
    """

    when: ProseText
    up_to: Times | None = None
    """how often the condition may hold at once"""
    cells: dict[str, Cell]

    def heading(self, _key: str) -> Prose:
        """Returns the heading of the row, which is its condition."""
        return self.when


class WrittenModifier(BaseModel, extra="allow"):
    """A condition, with an amount for each of the things that it changes."""

    __pydantic_extra__: dict[str, WrittenCell]
    when: ProseText
    """the condition, as players read it"""
    up_to: Times | None = None
    """how often it may count, where it may more than once"""


TableRow = Row | ModifierRow


class TableOfRows(PrintedTable):
    """A table with columns and a row for each thing or condition, all by their ids.

    `written_keys` are those under which its rows, its columns and the head of a row are written.
    """

    printed_as: ClassVar[Literal["record", "modifiers"]] = "record"
    written_keys: ClassVar[tuple[str, str, str]] = ("data", "fields", "title")
    fields: Mapping[str, FieldSpec | Change]
    data: Mapping[str, TableRow]

    @property
    def types(self) -> dict[str, CellType]:
        """The type of the cells of each column."""
        return {name: spec.type for name, spec in self.fields.items()}

    @property
    def conditions(self) -> Mapping[str, ModifierRow]:
        """The rows of the table by id if they are conditions; here empty."""
        return {}

    def title_of(self, name: str) -> str:
        """Returns the printed title of a column, or one made from its name if it has none."""
        title = self.fields[name].title
        return humanise(name) if title is None else title


def _read_rows(
    value: object, info: ValidationInfo, expected: str, read: Callable[[object, Any, Status], RowT]
) -> dict[str, RowT]:
    """Reads the rows of a table, by their ids. Raises ValidationError with the faults of all.

    `read` makes a row from what is written, the columns and the status of the table. If the columns
    have a fault, no row is read.
    """
    rows, faults = {}, Faults()
    if "fields" not in info.data:
        return {}  # a column is faulty, which is reported already
    status = info.data.get("status", Status.STATED)
    for key, raw in expect_mapping(value, expected).items():
        if faults.too_many:
            break
        with faults.at(key):
            rows[parse_id(key)] = read(raw, info.data["fields"], status)
    faults.raise_any()
    return rows


ROW_KEYS = ("title", "status", "note", "source", "was")


class RecordTable(TableOfRows):
    """A row for each thing, with typed fields.

    Without fields it is a table of outcomes: words with titles, to be used as cells (`row fates`),
    as results (`fates.routs`), as choices (`one_of: fates`) and as an axis (`=fates`).
    """

    fields: dict[Id, FieldSpec] = Field({})
    """typed columns; a table without any lists outcomes by their titles"""
    rows: LineOrNone | None = None
    """what stands over the titles of the rows"""
    data: Annotated[dict[Id, Row], Field(min_length=1)]
    """rows by their ids, each with a title and a value for each field; in a table without fields
    the title alone
    """

    @field_validator(
        "fields", mode="before", json_schema_input_type=dict[Id, FieldSpec | CellTypeName]
    )
    @classmethod
    def _short_fields(cls, value: object) -> object:
        return with_types(value, ROW_KEYS)

    @field_validator("fields")
    @classmethod
    def _parts_of_fields(cls, fields: dict[str, FieldSpec]) -> dict[str, FieldSpec]:
        expect_parts(fields)
        return fields

    @field_validator("data", mode="plain", json_schema_input_type=_RecordData)
    @classmethod
    def _read_data(cls, value: object, info: ValidationInfo) -> dict[str, Row]:
        return _read_rows(value, info, "an id and its fields for each row", _read_row)


def _read_row(raw: object, fields: dict[str, FieldSpec], status: Status) -> Row:
    """Reads a row of a record table, and computes the cells that are parts of others.

    `status` is that of the table, which applies to a row without its own. Raises ValidationError or
    QuantityError.
    """
    values = f"a value for each of {some_words(list(fields))}"
    empty = raw == {} or (raw is None and status is Status.MISSING)
    row = {} if empty else expect_mapping(raw, values)
    missing = row.get("status", status) == Status.MISSING
    types = {name: spec.type for name, spec in fields.items()}
    choices = () if fields else ("fields",)
    cells, faults = read_cells(row, types, ROW_KEYS, missing=missing, choices=choices)
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
                    choices=(*fields, *ROW_KEYS),
                )
    faults.raise_any()
    cells |= parts_of(cells, fields)
    own = {name: value for name, value in row.items() if name in ROW_KEYS}
    return Row.model_validate({**own, "cells": {name: cells[name] for name in fields}})


_WrittenRows = Annotated[dict[Id, WrittenModifier], Field(min_length=1), OrSpreadsheet()]


class ModifierTable(TableOfRows):
    """All modifiers of one roll."""

    printed_as = "modifiers"
    written_keys = ("rows", "changes", "when")

    fields: Annotated[dict[Id, Change], Field(min_length=1, alias="changes")]
    """what the conditions change, each a column with its type"""
    data: dict[Id, ModifierRow] = Field(alias="rows")
    """conditions by their ids: when, and what is added"""

    @property
    def conditions(self) -> Mapping[str, ModifierRow]:
        """The rows of the table by id, all of which are conditions."""
        return self.data

    @field_validator("fields", mode="before", json_schema_input_type=dict[Id, Change | ChangedName])
    @classmethod
    def _short_changes(cls, value: object) -> object:
        return with_types(value, _MODIFIER_KEYS)

    @field_validator("data", mode="plain", json_schema_input_type=_WrittenRows)
    @classmethod
    def _read_rows(cls, value: object, info: ValidationInfo) -> dict[str, ModifierRow]:
        expected = "an id, 'when' and an amount for each modifier"
        return _read_rows(value, info, expected, _read_modifier)


def _read_modifier(raw: object, changes: Mapping[str, Change], status: Status) -> ModifierRow:
    """Reads a row of a modifier table, such as `{when: ..., to_hit: +1}`.

    Keys other than those of every row must be names from `changes`. `status` is that of the table.
    A row that is missing may leave out its amounts. Raises ValidationError or QuantityError.
    """
    types = {name: change.type for name, change in changes.items()}
    row = expect_mapping(raw, "'when' and an amount")
    missing = row.get("status", status) == Status.MISSING
    hint = "" if "when" in row else "write 'when' before the condition"
    amounts, faults = read_cells(row, types, _MODIFIER_KEYS, missing=missing, hint=hint)
    faults.raise_any()
    if not amounts:
        amount = f"an amount for {quantities.join_words(changes)}"
        raise quantities.QuantityError("a modifier that changes nothing", expected=amount)
    own = {name: value for name, value in row.items() if name in _MODIFIER_KEYS}
    return ModifierRow.model_validate({**own, "cells": amounts})
