"""What a value in a procedure can be: the types by which expressions are checked before they run.

At run time a number is an int or Fraction, a choice or row its key, a length a number of its unit,
a target a RollTarget, faces a set of scores, conditions a tuple of row ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulebook import quantities
from rulebook.model.cells import some_words

Value = (
    int
    | Fraction
    | bool
    | str
    | quantities.RollTarget
    | quantities.Dice
    | frozenset[int]
    | tuple[str, ...]
)


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a value."""

    def __str__(self) -> str:
        return _NAMES[type(self)]


@dataclass(frozen=True, slots=True)
class NumberKind(Kind):
    """A count, ratio, modifier or score; `die` is the number of sides where it is one bare die."""

    die: int = 0


@dataclass(frozen=True, slots=True)
class FlagKind(Kind):
    """True or false."""


@dataclass(frozen=True, slots=True)
class WordKind(Kind):
    """One of the keys of an axis, a list or a table; `table` where it is a row with fields.

    `titles` are what keys are called in print where that is more than the words of the key.
    """

    keys: tuple[str, ...]
    table: str = ""
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        if self.table:
            return f"a row of '{self.table}'"
        several = len(self.keys) > 1
        return f"one of {some_words(self.keys)}" if several else f"the word '{self.keys[0]}'"


@dataclass(frozen=True, slots=True)
class TextKind(Kind):
    """A text of a table, of which nothing is known but that it is one."""


@dataclass(frozen=True, slots=True)
class TargetKind(Kind):
    """A roll target."""


@dataclass(frozen=True, slots=True)
class FacesKind(Kind):
    """A set of faces of a die."""


@dataclass(frozen=True, slots=True)
class DiceKind(Kind):
    """Dice to be thrown."""


@dataclass(frozen=True, slots=True)
class LengthKind(Kind):
    """A distance, as a number of this length unit."""

    unit: quantities.LengthUnit


@dataclass(frozen=True, slots=True)
class ConditionsKind(Kind):
    """Any of some rows of a modifier table."""

    table: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MixedKind(Kind):
    """A number in some cases and a word in others: only a result, or compared for equality."""

    titles: Mapping[str, str] = field(default_factory=dict, compare=False)


_NAMES: dict[type[Kind], str] = {
    NumberKind: "a number",
    FlagKind: "true or false",
    TextKind: "a text",
    TargetKind: "a roll target",
    FacesKind: "faces of a die",
    DiceKind: "dice",
    LengthKind: "a length",
    ConditionsKind: "conditions",
    MixedKind: "a number or a word",
}


def joined(one: Kind, other: Kind) -> Kind | None:
    """The kind of a value that is of one kind in some cases and of another in others, if any."""
    if one == other:
        return one
    if isinstance(one, NumberKind) and isinstance(other, NumberKind):
        return NumberKind()
    if isinstance(one, WordKind) and isinstance(other, WordKind):
        keys = tuple(dict.fromkeys((*one.keys, *other.keys)))
        titles = titles_of(one) | titles_of(other)
        return WordKind(keys, one.table if one.table == other.table else "", titles)
    if isinstance(one, NumberKind | WordKind | MixedKind) and isinstance(
        other, NumberKind | WordKind | MixedKind
    ):
        return MixedKind(titles_of(one) | titles_of(other))
    return None


def titles_of(kind: Kind) -> dict[str, str]:
    """What words of a kind are called in print, as far as they have titles."""
    return dict(kind.titles) if isinstance(kind, WordKind | MixedKind) else {}


def adapted(text: str, kind: Kind) -> Value | None:
    """A text in quotes as a value of the kind that is wanted where it stands; None if it is none.

    `'4+'` is a roll target beside a target, `'12in'` a length beside a length.
    """
    try:
        if isinstance(kind, TargetKind):
            return quantities.parse_roll_target(text)
        if isinstance(kind, LengthKind):
            length = quantities.parse_length(text)
            return in_unit(length, kind.unit)
        if isinstance(kind, FacesKind):
            return frozenset() if text == "none" else quantities.parse_faces(text).scores
        if isinstance(kind, DiceKind):
            return quantities.parse_dice(text)
    except quantities.QuantityError:
        return None
    if isinstance(kind, WordKind):
        return text if text in kind.keys else None
    return text if isinstance(kind, TextKind | MixedKind) else None


def length_of(text: str) -> quantities.Length | None:
    """A text in quotes that reads as a length, such as '6in', as that length."""
    try:
        return quantities.parse_length(text)
    except quantities.QuantityError:
        return None


def in_unit(length: quantities.Length, unit: quantities.LengthUnit) -> int | Fraction | None:
    """A length as a number of another unit; None between bases and all others."""
    if length.unit == unit:
        return whole(length.number)
    if "base" in (length.unit, unit):
        return None
    return whole(length.mm / quantities.MILLIMETRES[unit])


def whole(number: int | Fraction) -> int | Fraction:
    """A fraction that is whole as an int: ints are faster, and equal."""
    return int(number) if number.denominator == 1 else number


def normal(value: Any) -> Any:
    """A value as it is compared and printed: fractions that are whole are ints."""
    # Not isinstance(): it is slow to say no of an abstract number, and is asked of every value.
    return whole(value) if type(value) is Fraction else value


def told(value: Any) -> str:
    """A value in words of a report."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return quantities.format_number(value)
    return str(value)
