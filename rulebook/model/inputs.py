"""Inputs of a procedure: what the players bring to it, and how an author writes it.

A count, a length, one of some choices, any of some conditions, or yes or no.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.scalars import ID_PATTERN, FrozenModel, Id, Line

#: Of one input; more of them is a table of a game of another kind.
MOST_VALUES = 1000


def _parse_whole(value: object) -> tuple[int, ...] | str:
    """`1-60`, `-3 to 3`, `[10, 20]` or `table.field`."""
    if isinstance(value, list):
        numbers = [_whole(item) for item in value]
        if not numbers or len(numbers) > MOST_VALUES or sorted(set(numbers)) != numbers:
            raise quantities.QuantityError.of("R204 counts of an input")
        return tuple(numbers)
    if not isinstance(value, str):
        raise quantities.QuantityError.of("R203 no counts")
    if re.fullmatch(rf"{ID_PATTERN}\.{ID_PATTERN}", value):
        return value
    match = re.fullmatch(r"(-?[0-9]{1,6})(?:-|\s+to\s+)(-?[0-9]{1,6})", value.strip())
    if match is None:
        raise quantities.QuantityError.of(
            "R204 range of counts", value=value, hint=_range_hint(value)
        )
    low, high = int(match[1]), int(match[2])
    if not low < high:
        raise quantities.QuantityError.of("R204 one count or none", value=value)
    if high - low >= MOST_VALUES:
        raise quantities.QuantityError.of(
            "R204 many counts", value=value, count=high - low + 1, most=MOST_VALUES
        )
    return tuple(range(low, high + 1))


def _range_hint(text: str) -> str:
    """`1..60`, `1–60`, `1 - 60` or `60` as a range."""
    ends = re.findall(r"[0-9]{1,3}", text)
    if len(ends) > 2 or not ends or re.search(r"[^\W\d]", text):
        return ""
    return f"write {ends[0]}-{ends[1]}" if len(ends) == 2 else f"write 1-{ends[0]}"


def _whole(value: object) -> int:
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,6}", value):
        raise quantities.QuantityError.of("R204 no count", value=str(value))
    return int(value)


def _parse_choices(value: object) -> dict[str, str] | str:
    """`table.axis`, `table` (its rows), `[a, b]` or `{a: Title, b: Title}`."""
    if isinstance(value, str):
        if not re.fullmatch(rf"{ID_PATTERN}(\.{ID_PATTERN})?", value):
            hint = f"write [{value}]" if "," in value and len(value) <= 40 else ""
            raise quantities.QuantityError.of("R204 choices", value=value, hint=hint)
        return value
    if not isinstance(value, list | dict) or not value:
        raise quantities.QuantityError.of("R203 no choices")
    titles: dict[str, str] = {}
    for key in value:
        if not isinstance(key, str) or len(key) > 64 or not key.strip():
            raise quantities.QuantityError.of("R204 choice is no word")
        if key in titles:
            raise quantities.QuantityError.of("R204 choice twice", key=key)
        title = value[key] if isinstance(value, dict) else None
        titles[key] = (
            scalars.parse_line(str(title)) if title is not None else scalars.parse_line(_told(key))
        )
    if len(titles) > MOST_VALUES:
        raise quantities.QuantityError.of("R204 many choices", count=len(titles), most=MOST_VALUES)
    return titles


def _told(key: str) -> str:
    """The title of a choice that was given none."""
    if re.fullmatch(ID_PATTERN, key):
        return key.replace("_", " ").capitalize()
    try:
        return str(quantities.parse_band(key))
    except quantities.QuantityError:
        return key


def _parse_lengths(value: object) -> tuple[quantities.Length, ...] | quantities.Band | str:
    """`1-80in`, `[3in, 6in, 12in]` or `table.field`."""
    if isinstance(value, list):
        lengths = tuple(_length(item) for item in value)
        units = {length.unit for length in lengths}
        numbers = [length.number for length in lengths]
        rising = sorted(set(numbers)) == numbers and len(units) == 1
        if not rising or len(lengths) > MOST_VALUES:
            raise quantities.QuantityError.of("R204 lengths of an input")
        return lengths
    if not isinstance(value, str):
        raise quantities.QuantityError.of("R203 no lengths")
    if re.fullmatch(rf"{ID_PATTERN}\.{ID_PATTERN}", value):
        return value
    try:
        band = quantities.parse_band(value)
    except quantities.QuantityError:
        band = None
    if band is None or band.unit is None or band.low is None or band.high is None:
        bare = re.fullmatch(r"[0-9.]+\s*-\s*[0-9.]+", value)
        hint = f"write {value}in, or count: {value} for a number" if bare else ""
        raise quantities.QuantityError.of("R204 range of lengths", value=value, hint=hint)
    if band.low == band.high:
        raise quantities.QuantityError.of("R204 one length", value=value)
    return band


def _length(value: object) -> quantities.Length:
    if not isinstance(value, str):
        raise quantities.QuantityError.of("R203 no length")
    return quantities.parse_length(value)


_WORDS = {"type": ["string", "integer"]}
Lengths = Annotated[
    tuple[quantities.Length, ...] | quantities.Band | str,
    PlainValidator(_parse_lengths),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
Wholes = Annotated[
    tuple[int, ...] | str,
    PlainValidator(_parse_whole),
    WithJsonSchema({"anyOf": [_WORDS, {"type": "array", "items": _WORDS}]}),
]
Choices = Annotated[
    dict[str, str] | str,
    PlainValidator(_parse_choices),
    WithJsonSchema({"anyOf": [_WORDS, {"type": "array", "items": _WORDS}, {"type": "object"}]}),
]


def _parse_default(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in items):
        raise quantities.QuantityError.of("R203 no default")
    return tuple(items)


Default = Annotated[
    tuple[str, ...],
    PlainValidator(_parse_default),
    WithJsonSchema({"type": ["string", "integer", "boolean", "array"]}),
]

_KINDS = ("count", "length", "one_of", "any_of", "flag")


class Input(FrozenModel):
    """What the players bring: a count, a length, one of some choices, conditions, or a flag.

    Exactly one of `count`, `length`, `one_of`, `any_of` and `flag` is given; the value of `flag` is
    its default. `only` names those rows of a table or places on an axis that count.
    """

    count: Wholes | None = Field(None, description="1-60, -3 to 3, [10, 20] or damage.total")
    length: Lengths | None = Field(None, description="1-80in, [3in, 6in] or weapons.range")
    step: scalars.Length | None = Field(None, description="between lengths; 1 of their unit")
    one_of: Choices | None = Field(
        None, description="an axis, a record or modifier table, or a list"
    )
    any_of: Id | None = Field(None, description="a modifier table, any rows of which may hold")
    only: Annotated[tuple[Line, ...], Field(min_length=1)] | None = Field(
        None, description="the rows or places of one_of or any_of that count"
    )
    flag: scalars.Flag | None = Field(None, description="whether it holds unless said otherwise")
    default: Default = Field((), description="its value where none is named; else the first")
    label: Line | None = Field(None, description="what players read for it")

    @model_validator(mode="before")
    @classmethod
    def _in_braces(cls, value: object) -> object:
        """A list, a number or a path alone is told how it is written as an input."""
        if isinstance(value, str | list):
            raise quantities.QuantityError.of(
                "R203 kind of an input",
                kinds=quantities.join_words(_KINDS),
                hint=_input_hint(value),
            )
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise quantities.QuantityError.of(
                "R204 input of two kinds" if given else "R204 input of no kind",
                given=quantities.join_words(given, "and"),
                kinds=quantities.join_words(_KINDS),
            )
        if self.flag is not None and self.default:
            raise quantities.QuantityError.of("R204 default of a flag", at=("default",))
        if self.only is not None and self.any_of is None and not isinstance(self.one_of, str):
            raise quantities.QuantityError.of("R224 only", at=("only",))
        self._check_steps()
        return self

    def _check_steps(self) -> None:
        """The lengths of a range are not too many, and steps lead to its upper end."""
        if self.step is not None and not isinstance(self.length, quantities.Band):
            raise quantities.QuantityError.of("R224 step without a range", at=("step",))
        if not isinstance(self.length, quantities.Band):
            return
        whole, unit = self.length, self.length.unit
        step = self.step or quantities.Length(Fraction(1), unit or "in")
        steps = ((whole.high or 0) - (whole.low or 0)) / (step.number or Fraction(1))
        if step.unit != unit or not step.number or steps.denominator != 1:
            at = ("step" if self.step else "length",)
            raise quantities.QuantityError.of(
                "R204 steps from end to end", at=at, step=step, whole=whole
            )
        if steps >= MOST_VALUES:
            raise quantities.QuantityError.of(
                "R204 many lengths", at=("length",), count=steps + 1, most=MOST_VALUES
            )

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


def _input_hint(value: str | list[object]) -> str:
    if isinstance(value, list):
        words = [word for word in value if isinstance(word, str) and re.fullmatch(ID_PATTERN, word)]
        return f"write {{one_of: [{', '.join(words[:5])}]}}"
    if value in ("flag", "true", "false"):
        return f"write {{flag: {value if value != 'flag' else 'false'}}}"
    if re.fullmatch(r"[0-9.]+\s*-\s*[0-9.]+ ?(in|ft|yd|mm|cm|m|bases?)", value):
        return f"write {{length: {value}}}"
    if re.match(r"[0-9]", value):
        return _range_hint(value).replace("write ", "write {count: ") + "}"
    return f"write {{one_of: {value[:40]}}}" if "." in value else ""
