"""Modifier tables: conditions, each with what it adds to a score, a target or a number of dice."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import InitErrorDetails

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cells import ID, fault_at, moved, nearest
from rulebook.model.printed import PrintedTable
from rulebook.model.provenance import Entity
from rulebook.model.scalars import Id, ProseText
from rulebook.problems import MOST_FAULTS

#: What a modifier may change: the score of a die, a total, the target, or how many dice are thrown.
CHANGED = ("score", "total", "target", "count")


def _parse_changed(value: object) -> str:
    if value not in CHANGED:
        raise q.QuantityError(
            f"'{str(value)[:40]}' is nothing that a modifier changes",
            expected=q.join_words(CHANGED),
            hint=nearest(str(value), CHANGED),
        )
    return str(value)


Changed = Annotated[str, PlainValidator(_parse_changed), WithJsonSchema({"enum": list(CHANGED)})]

_ROWS_SCHEMA = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {
        "type": "object",
        "properties": {"when": {"type": "string"}},
        "required": ["when"],
        "additionalProperties": {"type": ["integer", "string"]},
    },
}
_ROW_KEYS = ("when", "status", "note", "source")
_OWN = set(_ROW_KEYS)


_MODIFIER: TypeAdapter[q.Modifier] = TypeAdapter(scalars.Modifier)


class ModifierRow(Entity):
    """A condition and, for each thing changed, the modifier that it brings."""

    when: ProseText
    amounts: dict[str, q.Modifier]


class ModifierTable(PrintedTable):
    """All modifiers of one roll."""

    changes: Annotated[dict[Id, Changed], Field(min_length=1)]
    rows: dict[Id, ModifierRow]

    @field_validator("changes", mode="before")
    @classmethod
    def _free_names(cls, value: object) -> object:
        clash = sorted(_OWN & value.keys()) if isinstance(value, dict) else []
        if clash:
            raise q.QuantityError(
                f"'{clash[0]}' cannot be the name of a change",
                expected=f"any name but {q.join_words(sorted(_OWN))}",
            )
        return value

    @field_validator(
        "rows", mode="plain", json_schema_input_type=Annotated[Any, WithJsonSchema(_ROWS_SCHEMA)]
    )
    @classmethod
    def _read_rows(cls, value: object, info: ValidationInfo) -> dict[str, ModifierRow]:
        changes: dict[str, str] | None = info.data.get("changes")
        if changes is None:
            return {}
        if not isinstance(value, dict) or not value:
            raise q.QuantityError(
                "no modifiers stand here", expected="an id, 'when' and an amount for each modifier"
            )
        rows: dict[str, ModifierRow] = {}
        errors: list[InitErrorDetails] = []
        for key, raw in value.items():
            if len(errors) > MOST_FAULTS:
                break
            try:
                ID.validate_python(key)
                rows[key] = _read_row(raw, list(changes))
            except ValidationError as error:
                errors += moved(error, (key,))
            except q.QuantityError as error:
                errors.append(fault_at(error, (key,)))
        if errors:
            raise ValidationError.from_exception_data("rows", errors)
        return rows


def _read_row(raw: object, changed: list[str]) -> ModifierRow:
    """`{when: ..., to_hit: +1}`: every key that is no attribute is a name from `changes`."""
    if not isinstance(raw, dict):
        raise q.QuantityError("no modifier stands here", expected="'when' and an amount")
    known = (*changed, *_ROW_KEYS)
    amounts: dict[str, q.Modifier] = {}
    errors: list[InitErrorDetails] = []
    for name, value in raw.items():
        if name in _OWN:
            continue
        if name not in changed:
            fault = q.QuantityError(
                f"no '{name[:40]}' among the changes of this table", choices=known
            )
            errors.append(fault_at(fault, (name,), "unknown_key"))
            continue
        try:
            amounts[name] = _MODIFIER.validate_python(value)
        except ValidationError as error:
            errors += moved(error, (name,))
    if not amounts and not errors:
        fault = q.QuantityError(
            "a modifier that changes nothing", expected=f"an amount for {q.join_words(changed)}"
        )
        errors.append(fault_at(fault, ()))
    if errors:
        raise ValidationError.from_exception_data("row", errors)
    own = {name: value for name, value in raw.items() if name in _OWN}
    return ModifierRow.model_validate({**own, "amounts": amounts})
