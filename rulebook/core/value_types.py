"""The kinds of values in a procedure, and values as authors, players, messages and JSON have them.

At run time a number is an int or Fraction, a choice or row its key, a length a number of its unit,
a target a RollTarget, faces a set of scores, conditions a tuple of row ids. Outcomes of a result
are written as `2`, `5 1/2`, `dispersed`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal

from rulebook import quantities
from rulebook.problems import Span
from rulebook.suggestions import some_words
from rulebook.translation import gettext

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
class NoValue:
    """Stands for a cell without a value; using it in a calculation is a fault.

    The cell is "missing", "empty" (nothing applies) or "never" (it forbids what it would modify).
    """

    why: Literal["missing", "empty", "never"]
    place: Span | None


CellValue = Value | NoValue


@dataclass(frozen=True, slots=True)
class More:
    """An outcome: more passes than those that are listed one by one."""

    listed: int

    def __str__(self) -> str:
        return "more"


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a value, with its name in messages and an example."""

    called: ClassVar[str] = "unknown"
    example: ClassVar[str] = ""
    #: Whether its values are numbers, with or without a unit.
    numeric: ClassVar[bool] = False

    def __str__(self) -> str:
        return self.called

    @property
    def wanted(self) -> str:
        """The name of the kind with an example, as messages say what is expected."""
        return f"{self}, such as {self.example}" if self.example else str(self)

    def like(self, wanted: Kind) -> bool:
        """Tells whether a value of this kind may be used where the kind `wanted` is expected.

        By default, both must be of the same class of kinds.
        """
        return type(self) is type(wanted)

    def quoted(self, text: str) -> Value | None:
        """Reads a text literal, such as `'4+'` next to a target, as a value of this kind.

        Returns None if it is no such value, as always where the kind has no text literals. May
        raise QuantityError.
        """
        return None


@dataclass(frozen=True, slots=True)
class NumberKind(Kind):
    """A count, ratio, amount or score; `die` is the number of sides if it is a single die alone."""

    called: ClassVar[str] = "a number"
    numeric: ClassVar[bool] = True

    die: int = 0


@dataclass(frozen=True, slots=True)
class FlagKind(Kind):
    """True or false."""

    called: ClassVar[str] = "true or false"
    example: ClassVar[str] = "die > 3"


@dataclass(frozen=True, slots=True)
class WordKind(Kind):
    """One of the keys of an axis, a list or a table; `table` is set for a row that has fields.

    `titles` are the printed titles of keys that have one.
    """

    keys: tuple[str, ...]
    table: str = ""
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        if self.table:
            return f"a row of '{self.table}'"
        several = len(self.keys) > 1
        return f"one of {some_words(self.keys)}" if several else f"the word '{self.keys[0]}'"

    def quoted(self, text: str) -> Value | None:
        return text if text in self.keys else None


@dataclass(frozen=True, slots=True)
class QuotedKind(Kind):
    """A kind whose values are written in quotes, without further properties."""

    title: str
    sample: str
    reads: Callable[[str], Value]

    def __str__(self) -> str:
        return self.title

    @property
    def wanted(self) -> str:
        return f"{self.title}, such as {self.sample}" if self.sample else self.title

    def like(self, wanted: Kind) -> bool:
        return self == wanted

    def quoted(self, text: str) -> Value | None:
        return self.reads(text)


def _faces(text: str) -> frozenset[int]:
    return frozenset() if text == "none" else quantities.parse_faces(text).scores


#: A text of a table, of which nothing is known but that it is one.
TEXT = QuotedKind("a text", "", str)
TARGET = QuotedKind("a roll target", "'4+'", quantities.parse_roll_target)
FACES = QuotedKind("faces of a die", "", _faces)
DICE = QuotedKind("dice", "2d6", quantities.parse_dice)


@dataclass(frozen=True, slots=True)
class LengthKind(Kind):
    """A distance, held as a number of the length unit `unit`."""

    example: ClassVar[str] = "'6in'"
    numeric: ClassVar[bool] = True

    unit: quantities.LengthUnit

    def __str__(self) -> str:
        return f"a length ({self.unit})"

    def quoted(self, text: str) -> Value | None:
        return in_unit(quantities.parse_length(text), self.unit)


@dataclass(frozen=True, slots=True)
class ConditionsKind(Kind):
    """Any number of conditions: rows of a table."""

    called: ClassVar[str] = "conditions"

    table: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MixedKind(Kind):
    """A number in some cases and a word in others; it can only be a result or be compared."""

    called: ClassVar[str] = "a number or a word"

    titles: Mapping[str, str] = field(default_factory=dict, compare=False)

    def quoted(self, text: str) -> Value | None:
        return text


#: Of a name whose value has a fault, which has been reported: nothing more is said of it.
UNKNOWN = Kind()
#: What is expected where kinds do not meet.
ONE_KIND = (
    "one kind of value; words are listed as the rows of a table, fates, and then named: fates.flees"
)


def joined(first: Kind, second: Kind) -> Kind | None:
    """Returns the kind of a value that has either of two kinds; None if they cannot be joined.

    If one is unknown, returns the other. Words and numbers together are of a mixed kind.
    """
    if second in (first, UNKNOWN):
        return first
    if first == UNKNOWN:
        return second
    if isinstance(first, NumberKind) and isinstance(second, NumberKind):
        return NumberKind()
    if isinstance(first, WordKind) and isinstance(second, WordKind):
        keys = tuple(dict.fromkeys((*first.keys, *second.keys)))
        titles = titles_of(first) | titles_of(second)
        return WordKind(keys, first.table if first.table == second.table else "", titles)
    if isinstance(first, NumberKind | WordKind | MixedKind) and isinstance(
        second, NumberKind | WordKind | MixedKind
    ):
        return MixedKind(titles_of(first) | titles_of(second))
    return None


def titles_of(kind: Kind) -> dict[str, str]:
    """Returns the printed titles of the words of a kind; empty for kinds without words."""
    return dict(kind.titles) if isinstance(kind, WordKind | MixedKind) else {}


def in_unit(length: quantities.Length, unit: quantities.LengthUnit) -> int | Fraction | None:
    """Converts a length to a number in another unit.

    Returns None if only one of the two units is bases, which have no fixed length.
    """
    if length.unit == unit:
        return whole(length.number)
    if "base" in (length.unit, unit):
        return None
    return whole(length.mm / quantities.MILLIMETRES[unit])


def whole(number: int | Fraction) -> int | Fraction:
    """Converts a fraction that is a whole number to an int, which is equal and faster."""
    return int(number) if number.denominator == 1 else number


def normal(value: Any) -> Any:
    """Converts a fraction that is a whole number to an int; leaves other values unchanged."""
    # Not isinstance(): it is slow to say no of an abstract number, and is asked of every value.
    return whole(value) if type(value) is Fraction else value


def value_text(value: Any) -> str:
    """Returns a value as text for a message; numbers are formatted as in the rules."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return quantities.format_number(value)
    return str(value)


#: Whole numbers that every reader of JSON takes exactly.
_EXACT = 2**53 - 1


def json_value(value: Any) -> object:
    """Converts a value to JSON data for a page.

    Words, flags and whole numbers stay as they are; fractions, very large numbers and all other
    values become objects. Raises TypeError for what is no value of a program.
    """
    match value:
        case bool() | str():
            return value
        case int() if abs(value) <= _EXACT:
            return value
        case int() | Fraction():
            return {"ratio": f"{value.numerator}/{value.denominator}"}
        case tuple():
            return {"rows": list(value)}
        case frozenset():
            return {"faces": sorted(value)}
        case quantities.RollTarget():
            return {"scores": list(value.scores), "text": str(value)}
        case quantities.Dice():
            return {"dice": value.count, "sides": value.sides}
        case NoValue(why="never"):
            return {"forbidden": True}
        case NoValue():
            return {"empty": "missing" if value.why == "missing" else "nothing"}
    raise TypeError(f"no value of a program: {value!r}")


_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


def parse_outcome(kind: Kind, text: str) -> Any:
    """Reads a text as an outcome of a kind; returns None if it is no such outcome."""
    text = text.strip()
    if isinstance(kind, FlagKind):
        return _FLAGS.get(text.lower())
    if isinstance(kind, NumberKind):
        return _number(text)
    if isinstance(kind, WordKind):
        word = text if text in kind.keys else text.replace("-", "_")
        return word if word in kind.keys else None
    if isinstance(kind, LengthKind):
        length = quantities.read_length(text)
        return in_unit(length, kind.unit) if length else None
    number = _number(text) if isinstance(kind, MixedKind) else None
    return text if number is None else number


def _number(text: str) -> int | Fraction | None:
    negative = text.startswith(("-", quantities.MINUS))
    number = quantities.parse_number(_spelt_out(text[1:] if negative else text))
    if number is None:
        return None
    return whole(-number if negative else number)


def written_outcome(value: Any) -> str:
    """Returns an outcome in the form in which an author types it: flags in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def outcomes_of(kind: Kind, known: Iterable[Any] = ()) -> str:
    """Describes the possible outcomes of a kind in words, for a message.

    `known` are outcomes to list; without any, the name of the kind is returned.
    """
    if isinstance(kind, FlagKind):
        return "true or false"
    words = [written_outcome(value) for value in known]
    return some_words(words) or str(kind)


def outcome_text(value: Any, kind: Kind) -> str:
    """Returns a value of any kind in the form in which players read it, with units and titles.

    Flags are yes or no, and several values are joined by commas.
    """
    if isinstance(value, tuple | frozenset):
        return ", ".join(outcome_text(part, kind) for part in sorted(value)) or gettext("none")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, More):
        return gettext("more than %(number)s", number=value.listed)
    if isinstance(value, str):
        return titles_of(kind).get(value) or value.replace("_", " ")
    if isinstance(kind, LengthKind):
        return str(quantities.Length(Fraction(value), kind.unit))
    return value_text(value)


def in_order(kind: Kind, values: Mapping[Any, object]) -> list[Any]:
    """Returns outcomes in order: numbers, then words in the order of their choices, then `More`.

    For flags, True comes before False.
    """
    if isinstance(kind, FlagKind):
        return [value for value in (True, False) if value in values]
    keys = kind.keys if isinstance(kind, WordKind) else ()
    return sorted(values, key=lambda value: rank_of(value, keys))


def rank_of(value: Any, keys: Sequence[str] = ()) -> tuple[int, Any, str]:
    """Returns the sort key of an outcome: numbers come first, then words, then `More`.

    `keys` is the order of words.
    """
    if isinstance(value, More):
        return (2, 0, "")
    if isinstance(value, str):
        return (1, keys.index(value) if value in keys else 0, value)
    return (0, value, "")


def _spelt_out(text: str) -> str:
    """Replaces fractions that are one character by digits: 5½ becomes 5 1/2."""
    letters = (
        f" {unicodedata.normalize('NFKC', letter)}"
        if unicodedata.category(letter) == "No"
        else letter
        for letter in text
    )
    return "".join(letters).replace("\N{FRACTION SLASH}", "/").strip()
