"""Inputs of a procedure: what the players bring to it, and how an author writes it.

A count, a length, one of some choices, any of some conditions, or yes or no.
"""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from typing import Annotated, Self

from pydantic import Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.scalars import ID_PATTERN, FrozenModel, Id, Line, ReadBy

#: Of one input; more of them is a table of a game of another kind.
MOST_VALUES = 1000


_PATH = re.compile(rf"{ID_PATTERN}\.{ID_PATTERN}")


def _refused(value: object, what: str, expected: str) -> quantities.QuantityError:
    """A value that does not give what the players choose from."""
    shown = f"'{value:.40}'" if isinstance(value, str) else "this"
    code = "R204" if isinstance(value, str | list) else "R203"
    return quantities.QuantityError(f"{shown} gives no {what}", expected=expected, code=code)


def _parse_whole(value: object) -> tuple[int, ...] | str:
    """`1-60`, `-3 to 3`, `[10, 20]` or `table.field`."""
    numbers: list[int] = []
    if isinstance(value, list) and all(re.fullmatch(r"-?[0-9]{1,6}", str(one)) for one in value):
        numbers = [int(one) for one in value]
    elif isinstance(value, str) and _PATH.fullmatch(value):
        return value
    elif isinstance(value, str):
        ends = re.fullmatch(r"(-?[0-9]{1,6})(?:-|\s+to\s+)(-?[0-9]{1,6})", value.strip())
        low, high = (int(ends[1]), int(ends[2])) if ends else (0, 0)
        numbers = [*range(low, high + 1)][: MOST_VALUES + 1] if low < high else []
    if not numbers or len(numbers) > MOST_VALUES or sorted(set(numbers)) != numbers:
        such = "such as 1-60 or [10, 20], rising; or a column of counts such as damage.total"
        raise _refused(value, "counts", f"up to {MOST_VALUES} counts, {such}")
    return tuple(numbers)


def _parse_choices(value: object) -> dict[str, str] | str:
    """`table.axis`, `table` (its rows), `[a, b]` or `{a: Title, b: Title}`."""
    if isinstance(value, str) and re.fullmatch(rf"{ID_PATTERN}(\.{ID_PATTERN})?", value):
        return value
    keys = list(value) if isinstance(value, list | dict) else []
    words = all(isinstance(key, str) and key.strip() and len(key) <= 64 for key in keys)
    if not keys or not words or len(set(keys)) < len(keys) or len(keys) > MOST_VALUES:
        such = "each once, an axis such as musketry.range, or a table whose rows they are"
        raise _refused(value, "choices", f"up to {MOST_VALUES} choices in a list, {such}")
    titles = value if isinstance(value, dict) else {}
    shown = {key: _title_of(key) if titles.get(key) is None else str(titles[key]) for key in keys}
    return {key: scalars.parse_line(title) for key, title in shown.items()}


def _title_of(key: str) -> str:
    """The title of a choice that was given none."""
    if re.fullmatch(ID_PATTERN, key):
        return key.replace("_", " ").capitalize()
    try:
        return str(quantities.parse_band(key))
    except quantities.QuantityError:
        return key


def _parse_lengths(value: object) -> tuple[quantities.Length, ...] | quantities.Band | str:
    """`1-80in`, `[3in, 6in, 12in]` or `table.field`."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        lengths = tuple(map(quantities.parse_length, value))
        numbers = [length.number for length in lengths]
        rising = sorted(set(numbers)) == numbers and len({one.unit for one in lengths}) == 1
        if rising and len(lengths) <= MOST_VALUES:
            return lengths
    elif isinstance(value, str) and _PATH.fullmatch(value):
        return value
    elif isinstance(value, str):
        with suppress(quantities.QuantityError):
            band = quantities.parse_band(value)
            if band.unit and None not in (band.low, band.high) and band.low != band.high:
                return band
    such = "rising, such as 1-80in or [3in, 6in], or a column of lengths such as weapons.range"
    raise _refused(value, "lengths", f"up to {MOST_VALUES} lengths of one unit, {such}")


_WORDS = {"type": ["string", "integer"]}
Lengths = Annotated[
    tuple[quantities.Length, ...] | quantities.Band | str,
    ReadBy(
        _parse_lengths,
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    ),
]
Wholes = Annotated[
    tuple[int, ...] | str,
    ReadBy(_parse_whole, {"anyOf": [_WORDS, {"type": "array", "items": _WORDS}]}),
]
Choices = Annotated[
    dict[str, str] | str,
    ReadBy(
        _parse_choices, {"anyOf": [_WORDS, {"type": "array", "items": _WORDS}, {"type": "object"}]}
    ),
]


def _parse_default(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in items):
        raise _refused(value, "default", "a value of the input")
    return tuple(map(scalars.TypedValue, items))


Default = Annotated[
    tuple[str, ...],
    ReadBy(_parse_default, {"type": ["string", "integer", "boolean", "array"]}),
]

_KINDS = ("count", "length", "one_of", "any_of", "flag")


class Input(FrozenModel):
    """What the players bring: a count, a length, one of some choices, conditions, or a flag.

    Exactly one of `count`, `length`, `one_of`, `any_of` and `flag` is given; the value of `flag` is
    its default. `only` names those rows of a table or places on an axis that count.
    """

    count: Wholes | None = None
    """1-60, -3 to 3, [10, 20] or damage.total"""
    length: Lengths | None = None
    """1-80in, [3in, 6in] or weapons.range"""
    step: scalars.Length | None = None
    """between lengths; 1 of their unit"""
    one_of: Choices | None = None
    """an axis, a record or modifier table, or a list"""
    any_of: Id | None = None
    """a modifier table, any rows of which may hold"""
    only: Annotated[tuple[Line, ...], Field(min_length=1)] | None = None
    """the rows or places of one_of or any_of that count"""
    flag: scalars.Flag | None = None
    """whether it holds unless said otherwise"""
    default: Default = ()
    """its value where none is named; else the first"""
    label: Line | None = None
    """what players read for it"""

    @model_validator(mode="before")
    @classmethod
    def _in_braces(cls, value: object) -> object:
        """A list, a number or a path alone is refused with how it is written as an input."""
        if isinstance(value, str | list):
            kinds = quantities.join_words(_KINDS)
            raise _refused(value, "kind of input", f"{kinds}, each with its value: {{count: 1-24}}")
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            what = f"an input of {quantities.join_words(given, 'and') or 'no kind'}"
            one = f"one of {quantities.join_words(_KINDS)}"
            raise quantities.QuantityError(what, expected=one)
        ranged = isinstance(self.length, quantities.Band)
        takes_some = self.any_of is not None or isinstance(self.one_of, str)
        for name, goes, beside in (
            ("default", self.flag is None, "an input that is no flag"),
            ("only", takes_some, "'one_of' or 'any_of' with the name of a table or axis"),
            ("step", ranged, "'length' from one end to the other, such as 1-80in"),
        ):
            if getattr(self, name) and not goes:
                what, where = f"'{name}' does not go with this", f"'{name}' beside {beside}"
                raise quantities.QuantityError(what, code="R224", expected=where, at=(name,))
        self._check_steps()
        return self

    def _check_steps(self) -> None:
        """The lengths of a range are not too many, and steps lead to its upper end."""
        if not isinstance(self.length, quantities.Band):
            return
        whole, unit = self.length, self.length.unit
        step = self.step or quantities.Length(Fraction(1), unit or "in")
        steps = ((whole.high or 0) - (whole.low or 0)) / (step.number or Fraction(1))
        fits = step.unit == unit and step.number and steps.denominator == 1
        if not fits or steps >= MOST_VALUES:
            at = ("step" if self.step else "length",)
            what = f"steps of {step} do not lead from end to end of {whole}"
            wanted = f"up to {MOST_VALUES} lengths, in its unit, the last its upper end"
            raise quantities.QuantityError(what, expected=wanted, at=at)

    @property
    def lengths(self) -> tuple[quantities.Length, ...]:
        """The lengths of a range or a list, rising."""
        if not isinstance(self.length, quantities.Band):
            return self.length if isinstance(self.length, tuple) else ()
        low, high = self.length.low or Fraction(0), self.length.high or Fraction(0)
        unit = self.length.unit or "in"
        step = self.step.number if self.step else Fraction(1)
        return tuple(
            quantities.Length(low + number * step, unit)
            for number in range(int((high - low) / step) + 1)
        )
