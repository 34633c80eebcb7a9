"""The data of a record table's fields -> their types and titles, and which are parts of others.

A field that is half of another is never typed in: `half: {type: length, of: range, times: 1/2}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cells import MISSING, Cell, CellTypeName, nearest, some_words
from rulebook.model.provenance import Status
from rulebook.model.scalars import Id, Line, ProseText

#: Of values of these types a part can be reckoned.
DIVISIBLE: dict[str, Callable[[str], q.Value]] = {
    "length": q.parse_length,
    "count": q.parse_count,
    "ratio": q.parse_ratio,
}


def _more_than_nothing(times: Fraction) -> Fraction:
    if times <= 0:
        raise q.QuantityError("nothing of a field", expected="a part of it, such as 1/2, or 2")
    return times


class FieldSpec(BaseModel):
    """A column of a record table; with `of` its cells are so many `times` those of another."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: CellTypeName
    title: Line | None = None
    about: ProseText | None = None
    of: Id | None = Field(None, description="a field of which this one is a part")
    times: Annotated[scalars.Ratio, AfterValidator(_more_than_nothing)] | None = Field(
        None, description="which part of it, such as 1/2, or how many times it"
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.of is None) != (self.times is None):
            given, other = ("of", "times") if self.times is None else ("times", "of")
            raise q.QuantityError(
                f"'{given}' without '{other}'",
                expected="both: {type: length, of: range, times: 1/2}",
                hint=f"add '{other}:'",
                at=(given,),
            )
        return self


def expect_parts(fields: Mapping[str, FieldSpec]) -> None:
    """Raises QuantityError where a field cannot be a part of what it says it is a part of."""
    for name, spec in fields.items():
        if spec.of is None:
            continue
        whole = fields.get(spec.of)
        if whole is None:
            known = [other for other in fields if other != name]
            raise q.QuantityError(
                f"no field '{spec.of}' in this table",
                expected=some_words(known),
                hint=nearest(spec.of, known),
                at=(name, "of"),
                code="R302",
            )
        if str(spec.type) not in DIVISIBLE or spec.type != whole.type:
            raise q.QuantityError(
                f"a {spec.type} that is a part of a {whole.type}",
                expected=f"two fields of one type: {q.join_words(DIVISIBLE)}",
                at=(name, "type"),
            )
    try:
        in_order(fields)
    except CycleError as error:
        circle = error.args[1]
        raise q.QuantityError(
            f"fields that are parts of each other: {' -> '.join(circle[:7])}",
            expected="one of them typed in the rows",
            at=(circle[0], "of"),
            code="R303",
        ) from error


def in_order(fields: Mapping[str, FieldSpec]) -> list[str]:
    """The fields that are parts of others, each after that of which it is a part."""
    parts = {name: [spec.of] for name, spec in fields.items() if spec.of is not None}
    return [name for name in TopologicalSorter(parts).static_order() if name in parts]


def expect_typed(name: str, spec: FieldSpec) -> None:
    """Raises QuantityError for a value that stands in a row although it is reckoned."""
    if spec.of is not None and spec.times is not None:
        raise q.QuantityError(
            f"a value for '{name}', which is reckoned: {q.format_number(spec.times)} of "
            f"'{spec.of}'",
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
            found[name] = Cell(_multiplied(cell.value, times))
        except q.QuantityError as fault:
            raise q.QuantityError(
                f"{fault.message} for '{name}'",
                expected=fault.expected,
                hint=fault.hint,
                at=(str(spec.of),),
            ) from fault
    return found


def written_part(text: str, cell_type: str, times: str) -> str:
    """The same of a cell as it is written, for those that refer to it. Raises QuantityError."""
    if cell_type not in DIVISIBLE:
        raise q.QuantityError(f"no part of a {cell_type}", expected=q.join_words(DIVISIBLE))
    value = _multiplied(DIVISIBLE[cell_type](text), q.parse_ratio(times))
    if isinstance(value, q.Length):
        return f"{value.number}{value.unit}"  # a Fraction is written 15/2
    return str(value)


def _multiplied(value: q.Value, times: Fraction) -> q.Value:
    if isinstance(value, q.Length):
        return q.Length(value.number * times, value.unit)
    if isinstance(value, int):
        product = value * times
        if product.denominator != 1:
            raise q.QuantityError(
                f"{q.format_number(times)} of {value} is {q.format_number(product)}, no count",
                expected="a count that can be so divided",
                hint="make both fields ratios, or type both in the rows",
            )
        return int(product)
    if isinstance(value, Fraction):
        return value * times
    raise TypeError(f"no part of {value}")
