"""Modifier tables: conditions, each with what it adds to a score, a target, a length or dice.

A condition may also forbid: `never` in the place of an amount says that the thing is not allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, Field, ValidationInfo, field_validator

from rulebook import quantities
from rulebook.model.axes import humanise
from rulebook.model.cell_types import CellType
from rulebook.model.cells import (
    Cell,
    OrSpreadsheet,
    PrintedTable,
    WrittenCell,
    expect_mapping,
    read_cells,
    read_rows,
    with_types,
)
from rulebook.model.provenance import Entity, Status
from rulebook.model.scalars import Count, FrozenModel, Id, Line, ProseText, ReadBy
from rulebook.suggestions import nearest

#: What a modifier may change: the score of a die, a total, the target, how many dice are thrown,
#: or a length.
CHANGED = ("score", "total", "target", "count", "length")


def _parse_changed(value: object) -> str:
    if value not in CHANGED:
        what, hint = f"a modifier changes no '{value!s:.40}'", nearest(str(value), CHANGED)
        raise quantities.QuantityError(what, expected=quantities.join_words(CHANGED), hint=hint)
    return str(value)


ChangedName = Annotated[str, ReadBy(_parse_changed, {"enum": list(CHANGED)})]

_ROW_KEYS = ("when", "up_to", "status", "note", "source", "was")
#: Times that one condition may hold; what may hold more often is an input of counts.
MOST_TIMES = 100
Times = Annotated[Count, Field(ge=2, le=MOST_TIMES)]

#: The types of an amount: of a number, and of a length.
AMOUNT = CellType("modifier")
AMOUNT_OF_LENGTH = CellType("length modifier")


class Change(FrozenModel):
    """What a column of a modifier table changes."""

    type: ChangedName
    """what is changed: score, target, count, dice or length"""
    title: Line | None = None
    """how the column is headed; else by its name"""

    @property
    def amount(self) -> CellType:
        """The type of the amounts in this column."""
        return AMOUNT_OF_LENGTH if self.type == "length" else AMOUNT


class ModifierRow(Entity):
    """A condition and, for each thing changed, the modifier that it brings.

    What it does not change has no amount, and prints as nothing; an amount of `~` prints as a dash,
    and no rule may add it up. `never` forbids what is modified. A condition that may hold more than
    once, such as a company lost, counts as often as it does.
    """

    when: ProseText
    up_to: Times | None = None
    """how often the condition may hold at once"""
    amounts: dict[str, Cell]


class WrittenModifier(BaseModel, extra="allow"):
    """A condition, with an amount for each of the things that it changes."""

    __pydantic_extra__: dict[str, WrittenCell]
    when: ProseText
    """the condition, as players read it"""
    up_to: Times | None = None
    """how often it may count, where it may more than once"""


_WrittenRows = Annotated[dict[Id, WrittenModifier], Field(min_length=1), OrSpreadsheet()]


class ModifierTable(PrintedTable):
    """All modifiers of one roll."""

    changes: Annotated[dict[Id, Change], Field(min_length=1)]
    """what the conditions change, each a column with its type"""
    rows: dict[Id, ModifierRow]
    """conditions by their ids: when, and what is added"""

    @field_validator(
        "changes", mode="before", json_schema_input_type=dict[Id, Change | ChangedName]
    )
    @classmethod
    def _short_changes(cls, value: object) -> object:
        return with_types(value, _ROW_KEYS)

    @field_validator("rows", mode="plain", json_schema_input_type=_WrittenRows)
    @classmethod
    def _read_rows(cls, value: object, info: ValidationInfo) -> dict[str, ModifierRow]:
        changes: dict[str, Change] | None = info.data.get("changes")
        if changes is None:
            return {}
        rows = expect_mapping(value, "an id, 'when' and an amount for each modifier")
        status = info.data.get("status", Status.STATED)
        types = {name: change.amount for name, change in changes.items()}
        return read_rows(rows, lambda raw: _read_row(raw, types, status))

    def title_of(self, name: str) -> str:
        """What the column of a change is called in print."""
        return self.changes[name].title or humanise(name)


def _read_row(raw: object, changed: Mapping[str, CellType], status: Status) -> ModifierRow:
    """`{when: ..., to_hit: +1}`: every key that is no attribute is a name from `changes`.

    `status` is that of the table. Of a row that is missing the amounts may be left out.
    """
    row = expect_mapping(raw, "'when' and an amount")
    missing = row.get("status", status) == Status.MISSING
    hint = "" if "when" in row else "write 'when' before the condition"
    amounts, faults = read_cells(row, changed, _ROW_KEYS, missing=missing, hint=hint)
    faults.raise_any()
    if not amounts:
        amount = f"an amount for {quantities.join_words(changed)}"
        raise quantities.QuantityError("a modifier that changes nothing", expected=amount)
    own = {name: value for name, value in row.items() if name in _ROW_KEYS}
    return ModifierRow.model_validate({**own, "amounts": amounts})
