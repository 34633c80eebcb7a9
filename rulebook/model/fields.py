"""The data of a record table's fields -> their types and titles, and which are parts of others.

A field that is half of another is never typed in: `half: {type: length, of: range, times: 1/2}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Self

from pydantic import AfterValidator, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cell_types import CELL_KINDS, CellKind, CellTypeName
from rulebook.model.cells import MISSING, Cell
from rulebook.model.provenance import Status
from rulebook.model.scalars import FrozenModel, Id, Line, ProseText
from rulebook.suggestions import nearest, some_words

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
            known = [other for other in fields if other != name]
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


def expect_typed(name: str, spec: FieldSpec) -> None:
    """Raises QuantityError for a value that stands in a row although it is computed."""
    if spec.of is not None and spec.times is not None:
        raise quantities.QuantityError(
            f"a value for '{name}', which is a part of '{spec.of}'",
            expected=f"the value of '{spec.of}' alone",
            hint="delete it",
        )


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
