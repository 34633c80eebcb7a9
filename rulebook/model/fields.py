"""The data of a record table's fields -> their types and titles, and which are parts of others.

A field that is half of another is never typed in: `half: {type: length, of: range, times: 1/2}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cells import MISSING, Cell, CellTypeName, Sought
from rulebook.model.lengths import written
from rulebook.model.provenance import Status
from rulebook.model.scalars import FrozenModel, Id, Line, ProseText

#: Of values of these types a part can be reckoned.
DIVISIBLE: dict[str, Callable[[str], quantities.Value]] = {
    "length": quantities.parse_length,
    "count": quantities.parse_count,
    "ratio": quantities.parse_ratio,
}


def _more_than_nothing(times: Fraction) -> Fraction:
    if times <= 0:
        raise quantities.QuantityError.of("R204 nothing of a field")
    return times


class FieldSpec(FrozenModel):
    """A column of a record table; with `of` its cells are so many `times` those of another."""

    type: CellTypeName = Field(description="the type of its cells, such as length")
    title: Line | None = Field(None, description="how the column is headed; else by its name")
    about: ProseText | None = Field(None, description="what the field is, below the table")
    of: Id | None = Field(None, description="a field of which this one is a part")
    times: Annotated[scalars.Ratio, AfterValidator(_more_than_nothing)] | None = Field(
        None, description="which part of it, such as 1/2, or how many times it"
    )
    was: Id | None = Field(None, description="its name in the edition before, if it had another")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.of is None) != (self.times is None):
            given, other = ("of", "times") if self.times is None else ("times", "of")
            raise quantities.QuantityError.of(
                "R204 of without times", at=(given,), given=given, other=other
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
            raise quantities.QuantityError.of(
                "R302 no field", at=(name, "of"), field=Sought(spec.of, known)
            )
        if str(spec.type) not in DIVISIBLE or spec.type != whole.type:
            raise quantities.QuantityError.of(
                "R204 field of another type",
                at=(name, "type"),
                type=spec.type,
                other=whole.type,
                types=quantities.join_words(DIVISIBLE),
            )
    try:
        in_order(fields)
    except CycleError as error:
        circle = error.args[1]
        raise quantities.QuantityError.of(
            "R303 circle of fields", at=(circle[0], "of"), circle=" -> ".join(circle[:7])
        ) from error


def in_order(fields: Mapping[str, FieldSpec]) -> list[str]:
    """The fields that are parts of others, each after that of which it is a part."""
    parts = {name: [spec.of] for name, spec in fields.items() if spec.of is not None}
    return [name for name in TopologicalSorter(parts).static_order() if name in parts]


def expect_typed(name: str, spec: FieldSpec) -> None:
    """Raises QuantityError for a value that stands in a row although it is reckoned."""
    if spec.of is not None and spec.times is not None:
        raise quantities.QuantityError.of(
            "R204 value that is reckoned",
            name=name,
            times=quantities.format_number(spec.times),
            of=spec.of,
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
        except quantities.QuantityError as fault:
            raise quantities.QuantityError.of(
                "R204 reckoned",
                at=(str(spec.of),),
                told=fault.message,
                name=name,
                expected=fault.expected,
                hint=fault.hint,
            ) from fault
    return found


def written_part(text: str, cell_type: str, times: str) -> str:
    """The same of a cell as it is written, for those that refer to it. Raises QuantityError."""
    if cell_type not in DIVISIBLE:
        raise quantities.QuantityError.of(
            "R204 no part of a type", type=cell_type, types=quantities.join_words(DIVISIBLE)
        )
    value = _multiplied(DIVISIBLE[cell_type](text), quantities.parse_ratio(times))
    return written(value) if isinstance(value, quantities.Length) else str(value)


def _multiplied(value: quantities.Value, times: Fraction) -> quantities.Value:
    if isinstance(value, quantities.Length):
        return quantities.Length(value.number * times, value.unit)
    if isinstance(value, int):
        product = value * times
        if product.denominator != 1:
            raise quantities.QuantityError.of(
                "R204 no count of it",
                times=quantities.format_number(times),
                value=value,
                product=quantities.format_number(product),
            )
        return int(product)
    if isinstance(value, Fraction):
        return value * times
    raise TypeError(f"no part of {value}")
