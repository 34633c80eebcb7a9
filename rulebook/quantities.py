"""Text of a scalar -> an exact quantity of the game, and back to the characters that print it.

Lengths, throws, faces, modifiers and bands are the values of which rules are made. All arithmetic
is exact (`Fraction`, `int`); `str()` of a quantity is what a player reads: 7½″, 4+, 3–6, −1.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil
from typing import Literal

from rulebook.problems import Fault
from rulebook.translation import gettext, gettext_noop, ngettext
from rulebook.typed_forms import VULGAR, as_books_print, plainly

LengthUnit = Literal["in", "ft", "yd", "mm", "cm", "m", "base"]

#: Millimetres of one length unit; a base is as wide as the figures of the game, of no fixed size.
MILLIMETRES: dict[str, Fraction] = {
    "in": Fraction(127, 5),
    "ft": Fraction(1524, 5),
    "yd": Fraction(4572, 5),
    "mm": Fraction(1),
    "cm": Fraction(10),
    "m": Fraction(1000),
}
MM_PER_INCH = float(MILLIMETRES["in"])
#: Of the points in which type and PDF are measured.
MM_PER_POINT, POINTS_PER_MM = MM_PER_INCH / 72, 72 / MM_PER_INCH
#: The length units of a metric ruler; those of the other are in, ft and yd.
METRIC = ("mm", "cm", "m")
_PRINTED_UNIT = {"in": "″", "ft": "′", "yd": " yd", "mm": " mm", "cm": " cm", "m": " m"}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
#: What a ruler shows: parts of a length that are no decimals print exactly down to sixteenths,
#: anything finer to a hundredth.
FINEST_PART = 16
_HUNDREDTHS = 2
#: No table, count or die of a game comes near these; beyond them a number is a slip or an attack.
MOST_DIGITS = 6
MOST_SIDES = 100
MOST_DICE = 100

MINUS = "−"
EN_DASH = "–"

_NUMBER = re.compile(
    rf"(?P<whole>[0-9]{{1,{MOST_DIGITS}}})(?:\.(?P<decimals>[0-9]{{1,{MOST_DIGITS}}})"
    rf"|/(?P<below>[0-9]{{1,{MOST_DIGITS}}})"
    rf"|\ (?P<above>[0-9]{{1,{MOST_DIGITS}}})/(?P<under>[0-9]{{1,{MOST_DIGITS}}}))?"
)


class QuantityError(Fault, ValueError):
    """A value that does not fit its field; `expected` and `hint` go into the report.

    `at` is the path from the value to the part of it that is at fault, such as ("zones", 0, "to").
    `choices` are the words that are allowed, where `expected` is empty. `code` is the code of the
    fault, empty for a value of the wrong type.
    """

    def __init__(
        self,
        message: str,
        *,
        expected: str = "",
        hint: str = "",
        at: tuple[str | int, ...] = (),
        choices: Sequence[str] = (),
        code: str = "",
    ) -> None:
        super().__init__(code, message, expected, hint)
        self.at = at
        self.choices = choices

    def inside(self, *at: str | int) -> QuantityError:
        """Returns a copy of this fault that is located at the path `at` within a larger value."""
        return QuantityError(
            self.message, expected=self.expected, hint=self.hint, at=at, code=self.code
        )


def not_a(kind: str, text: str, expected: str, hint: str = "") -> QuantityError:
    """Returns the fault that a text is not of a `kind`, such as `not_a("a length", "12", ...)`."""
    shown = text if len(text) <= 40 else text[:37] + "..."
    return QuantityError(f"'{shown}' is not {kind}", expected=expected, hint=hint)


def out_of_bounds(
    what: str, value: object, expected: str, at: tuple[str | int, ...] = ()
) -> QuantityError:
    """Returns the fault that the value of `what` is out of bounds, which `expected` states."""
    return QuantityError(f"the {what} is {value}", expected=expected, at=at)


def too_many(
    count: int,
    what: str,
    most: int,
    *,
    hint: str = "",
    at: tuple[str | int, ...] = (),
    code: str = "",
) -> QuantityError:
    """Returns the fault that a list or text has more than `most` items or characters.

    `count` is how many it has, `what` names them.
    """
    expected = f"up to {most}"
    return QuantityError(f"{count} {what}", expected=expected, hint=hint, at=at, code=code)


def wrong_keys(
    code: str, what: str, given: Iterable[str], expected: str, at: tuple[str | int, ...] = ()
) -> QuantityError:
    """Returns the fault that a mapping has keys that do not go together, or lacks a key.

    `given` are its keys, `what` names the mapping.
    """
    keys = join_words((f"'{key}'" for key in given), "and")
    message = f"{what} with {keys}" if keys else f"{what} that lacks a key"
    return QuantityError(message, expected=expected, at=at, code=code)


def stands_twice(name: object, at: tuple[str | int, ...] = (), code: str = "") -> QuantityError:
    """Returns the fault that an item, called `name`, is in a list twice."""
    return QuantityError(f"'{name}' stands twice", expected="each once", at=at, code=code)


def as_meant(text: str, parse: Callable[[str], object]) -> str:
    """Returns a hint how to write a value that is typed as in books, such as 9,5″.

    `parse` is the parser that has to accept what the hint says. Returns "" if no such form is
    accepted.
    """
    meant = as_books_print(text.strip()[:40])
    if meant == text:
        return ""
    try:
        parse(meant)
    except QuantityError:
        return ""
    return f"write {meant}"


def parse_number(text: str) -> Fraction | None:
    """Parses a number such as `12`, `7.5`, `1/2` or `7 1/2`; returns None for any other text.

    None also for a number with too many digits, or with 0 below the line.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    whole = Fraction(int(match["whole"]))
    if match["decimals"]:
        return whole + Fraction(int(match["decimals"]), 10 ** len(match["decimals"]))
    if match["below"]:
        return whole / int(match["below"]) if int(match["below"]) else None
    if match["under"]:
        return (
            whole + Fraction(int(match["above"]), int(match["under"]))
            if int(match["under"])
            else None
        )
    return whole


def format_number(number: Fraction | int) -> str:
    """Formats a number exactly and as shortly as possible, such as 12, 7½, 0.35 or ¹⁄₆.

    Negative numbers have a true minus sign.
    """
    number = Fraction(number)
    if number < 0:
        return MINUS + format_number(-number)
    whole, rest = divmod(number, 1)
    if rest == 0:
        return str(whole)
    if rest in VULGAR:
        return (str(whole) if whole else "") + VULGAR[rest]
    for digits in (1, 2, 3):
        if (rest * 10**digits).denominator == 1:
            return f"{whole}.{int(rest * 10**digits):0{digits}}"
    return _stacked(number)


def _stacked(number: Fraction) -> str:
    """Formats a number as a fraction with raised and lowered figures, such as ¹⁄₆."""
    raised = str(number.numerator).translate(_RAISED)
    return f"{raised}\N{FRACTION SLASH}{str(number.denominator).translate(_LOWERED)}"


@dataclass(frozen=True, slots=True)
class Length:
    """A distance with the length unit it was written in."""

    number: Fraction
    unit: LengthUnit

    @property
    def mm(self) -> Fraction:
        """The exact length in millimetres; raises ValueError for a length in bases."""
        if self.unit == "base":
            raise ValueError("a length in bases has no millimetres")
        return self.number * MILLIMETRES[self.unit]

    def __str__(self) -> str:
        if self.number < 0:
            return f"{MINUS}{Length(-self.number, self.unit)}"
        of = format_number if self.unit == "base" else _printed_length
        return _in_unit(of(self.number), self.unit, ceil(self.number))


def in_feet(length: Length) -> str:
    """Formats the side of a table: in feet and inches, such as 6′8″, if it is a foot or more.

    Lengths in other units, and those that are not whole inches, are formatted as usual.
    """
    inches = length.mm / MILLIMETRES["in"]
    if length.unit not in ("in", "ft") or inches.denominator != 1 or inches < 12:
        return str(length)
    feet, rest = divmod(int(inches), 12)
    return str(Length(Fraction(feet), "ft")) + (str(Length(Fraction(rest), "in")) if rest else "")


def _in_unit(number: str, unit: LengthUnit | None, count: int) -> str:
    """Returns a formatted number with its length unit.

    Without a unit it is returned unchanged; `count` decides between base and bases.
    """
    if unit == "base":
        return ngettext("%(length)s base", "%(length)s bases", count, length=number)
    return number + _PRINTED_UNIT[unit] if unit else number


def _printed_length(number: Fraction) -> str:
    """Formats the number of a length, such as 24, 7½ or 1⁵⁄₆.

    Fractions that no ruler shows are rounded to hundredths.
    """
    whole, rest = divmod(number, 1)
    if rest.denominator > FINEST_PART and (rest * 1000).denominator != 1:
        return format_number(round(number, _HUNDREDTHS) or number)
    shown = format_number(number)
    return shown if "\N{FRACTION SLASH}" not in shown or not whole else f"{whole}{_stacked(rest)}"


_LENGTH = re.compile(r"(?P<number>[0-9./ ]*[0-9]) ?(?P<unit>in|ft|yd|mm|cm|m|bases?)")


def parse_length(text: str) -> Length:
    match = _LENGTH.fullmatch(plainly(text))
    number = parse_number(match["number"]) if match else None
    if match is None or number is None:
        hint = f"write {text}in" if parse_number(text) is not None else as_meant(text, parse_length)
        if moves := re.fullmatch(r"([0-9.]+) ?(?:mu|um)", text.lower()):
            hint = f"write {moves[1]}in, if a unit of movement is an inch"
        raise not_a("a length", text, "a number with its unit, such as 24in, 7.5in, 60cm", hint)
    unit = match["unit"]
    return Length(number, "base" if unit.startswith("base") else unit)  # type: ignore[arg-type]


def read_length(text: str) -> Length | None:
    """Parses a length such as 24in; returns None if the text is not a length."""
    if not re.match(r"\s*[0-9]", text):
        return None  # most are none, and a fault takes longer
    try:
        return parse_length(text.strip())
    except QuantityError:
        return None


#: Degrees.
FULL_TURN = 360


@dataclass(frozen=True, slots=True)
class Angle:
    """How far something turns or opens, in degrees."""

    degrees: Fraction

    def __str__(self) -> str:
        return f"{format_number(self.degrees)}°"


def parse_angle(text: str) -> Angle:
    """Parses an angle from 1 to 360 degrees: `45°`, `45deg` or `45`.

    Raises QuantityError for anything else.
    """
    number = parse_number(text.strip().removesuffix("°").removesuffix("deg").rstrip())
    if number is None or not 1 <= number <= FULL_TURN:
        expected = f"degrees from 1 to {FULL_TURN}, such as 45° or 45deg"
        raise not_a("an angle", text, expected)
    return Angle(number)


@dataclass(frozen=True, slots=True)
class RollTarget:
    """What a die must reach; a chain such as 6/4+ needs a 6 and then, thrown again, 4 or more.

    `scores` is empty where no throw does it (`never`).
    """

    scores: tuple[int, ...]

    def __str__(self) -> str:
        return "/".join(map(str, self.scores)) + "+" if self.scores else EN_DASH


def parse_roll_target(text: str) -> RollTarget:
    if text == "never":
        return RollTarget(())
    match = re.fullmatch(r"([0-9]{1,2}(?:/[0-9]{1,2})*)\+", plainly(text))
    scores = tuple(int(score) for score in match[1].split("/")) if match else ()
    if not scores or not all(1 <= score <= MOST_SIDES for score in scores):
        least = re.fullmatch(r"\+? ?([1-9][0-9]?)(?: ?[-–] ?[0-9]+|\+*)", text)
        hint = as_meant(text, parse_roll_target) or "write the least score with a plus, or never"
        hint = f"write {least[1]}+" if least else hint
        raise not_a("a roll target", text, "a score and a plus: 4+, or 6/4+; or never", hint)
    return RollTarget(scores)


#: Throws of so many six-sided dice, read one behind the other: d66 shows 11 to 16, 21 to 26 ...
_DIGITS = {66: 2, 666: 3}
#: More sides than _EVERY_SIDE are on these alone.
_EVERY_SIDE, _SIDES = 20, (24, 30, 34, 48, 50, 60, MOST_SIDES, *_DIGITS)


@cache
def faces_of(sides: int) -> tuple[int, ...]:
    """Returns what a die may show, every face as likely as the others: 1 to 6 for a d6.

    A d66 shows two figures from 1 to 6, a d666 three.
    """
    if sides not in _DIGITS:
        return tuple(range(1, sides + 1))
    return tuple(int("".join(each)) for each in product("123456", repeat=_DIGITS[sides]))


def shown_faces(sides: int) -> str:
    """Says what a die may show, for a report."""
    faces = faces_of(sides)
    figures = ", each figure from 1 to 6" if sides in _DIGITS else ""
    return f"{faces[0]} to {faces[-1]}{figures}"


@dataclass(frozen=True, slots=True)
class Dice:
    """A number of like dice, whose total is taken: 1d6, 2d6, d3.

    If `keep` is not 0, only the highest or lowest `keep` of them count: highest of 3d6.
    """

    count: int
    sides: int
    keep: int = 0
    highest: bool = True

    def __str__(self) -> str:
        dice = f"{'' if self.count == 1 else self.count}d{self.sides}"
        if not self.keep:
            return dice
        which = "highest" if self.highest else "lowest"
        return f"{which}{f' {self.keep}' if self.keep > 1 else ''} of {dice}"


def parse_dice(text: str) -> Dice:
    match = re.fullmatch(r"([0-9]{0,3})d([0-9]{1,3})", text.lower())
    dice = Dice(int(match[1] or 1), int(match[2])) if match else None
    expected = f"such as d6, 2d6 or d10; up to {MOST_DICE} dice of {MOST_SIDES} sides"
    if dice is None or not (1 <= dice.count <= MOST_DICE and dice.sides >= 2):
        raise not_a("a throw of dice", text, expected)
    if dice.sides in _DIGITS and dice.count > 1:
        hint = f"throw d{dice.sides} once for each, under a name of its own"
        message = f"'{text}' throws a d{dice.sides} several times"
        raise QuantityError(message, expected=f"one d{dice.sides}", hint=hint)
    if dice.sides > _EVERY_SIDE and dice.sides not in _SIDES:
        one = f"d{dice.sides // 11}"
        hint = f"throw two, {{tens: {one}, ones: {one}}}, and set {{score: tens * 10 + ones}}"
        hint = hint * (dice.sides % 11 == 0) or "write the dice that are thrown for it, such as 2d6"
        raise QuantityError(f"there is no d{dice.sides}", expected=expected, hint=hint)
    return dice


@dataclass(frozen=True, slots=True)
class Faces:
    """A set of faces of a die, printed as runs: 3–6, or 1, 3; a dash where there is none.

    Those of a die with `sides` are known, so that on a d66 nothing is between 16 and 21.
    """

    scores: frozenset[int]
    sides: int = MOST_SIDES

    def __str__(self) -> str:
        return EN_DASH * (not self.scores) + ", ".join(
            str(first) if first == last else f"{first}{EN_DASH}{last}"
            for first, last in _runs(self.scores, faces_of(self.sides))
        )

    def of_die(self, die: Dice) -> Faces:
        """Returns these faces on a die; a run such as 11 to 36 has only those that a d66 has."""
        known = frozenset(faces_of(die.sides))
        if die.sides not in _DIGITS or not {min(self.scores), max(self.scores)} <= known:
            return self
        return Faces(self.scores & known, die.sides)


def _runs(scores: Collection[int], known: Iterable[int]) -> list[tuple[int, int]]:
    """Returns the first and the last of each run of scores without one of the known between."""
    runs: list[tuple[int, int]] = []
    before = None
    for score in sorted({*known, *scores}):
        if score in scores:
            if runs and runs[-1][1] == before:
                runs[-1] = (runs[-1][0], score)
            else:
                runs.append((score, score))
        before = score
    return runs


def parse_faces(text: str) -> Faces:
    scores: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,3})(?:\s*-\s*([0-9]{1,3}))?\s*", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not 1 <= first <= last <= max(_SIDES):
            hint = as_meant(text, parse_faces)
            if least := re.fullmatch(r"([1-6])\+", text.strip()):
                hint = f"write {least[1]}-6 for a d6" if least[1] < "6" else "write 6 for a d6"
            raise not_a("a set of faces", text, "faces of a die, such as 6, 3-6 or 1, 2", hint)
        scores.update(range(first, last + 1))
    return Faces(frozenset(scores))


@dataclass(frozen=True, slots=True)
class Modifier:
    """What is added to a score, a target or a number of dice; printed with its sign."""

    amount: int

    def __str__(self) -> str:
        if self.amount == 0:
            return "0"
        return f"{'+' if self.amount > 0 else MINUS}{abs(self.amount)}"


@dataclass(frozen=True, slots=True)
class LengthModifier:
    """A length that is added to another or taken from it; printed with its sign: +4 cm, −2 cm."""

    length: Length

    def __str__(self) -> str:
        return f"{'+' if self.length.number > 0 else ''}{self.length}"


@dataclass(frozen=True, slots=True)
class Never:
    """What stands in the place of a modifier where a thing is not allowed at all."""

    def __str__(self) -> str:
        return gettext("no")


NEVER = Never()
_WITH_SIGN = "a number with its sign, such as +1 or -2, or 0; never where it is not allowed"


def parse_modifier(text: str) -> Modifier | Never:
    if text == "never":
        return NEVER
    match = re.fullmatch(rf"([+-])([0-9]{{1,{MOST_DIGITS}}})|0", plainly(text))
    if match is None:
        hint = f"write +{text} or -{text}" if text.isdecimal() else as_meant(text, parse_modifier)
        raise not_a("a modifier", text, _WITH_SIGN, hint)
    amount = int(match[2] or 0)
    return Modifier(-amount if match[1] == "-" else amount)


def parse_length_modifier(text: str) -> LengthModifier | Never:
    """Parses `+4cm`, `-2cm`, `0cm` or `never`; raises QuantityError for anything else."""
    if text == "never":
        return NEVER
    plain = plainly(text)
    sign = plain[:1]
    length = read_length(plain[1:] if sign in ("+", "-") else plain)
    if length is None or (sign not in ("+", "-") and length.number):
        expected = "a length with its sign, such as +4cm or -2in, or 0in; never where not allowed"
        hint = f"write +{text} or -{text}" if length else as_meant(text, parse_length_modifier)
        raise not_a("a length modifier", text, expected, hint)
    return LengthModifier(Length(-length.number if sign == "-" else length.number, length.unit))


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of distances or of whole numbers.

    With a length unit it is half-open: the lower end belongs to the band before it (8–16″ is more
    than 8 and up to 16), but for the first band, which holds its lower end. Without one it is a
    run of whole numbers with both ends in it. `low` or `high` is None where the band has no such
    end.
    """

    low: Fraction | None
    high: Fraction | None
    unit: LengthUnit | None = None

    def __str__(self) -> str:
        ends = [end for end in (self.low, self.high) if end is not None]
        run = EN_DASH.join(dict.fromkeys(map(format_number, ends)))
        shown = _in_unit(run, self.unit, ceil(max(ends)))
        if self.low is None:
            return f"≤ {shown}"
        return f"{shown}+" if self.high is None else shown

    def touches(self, after: Band) -> bool:
        """Whether the band `after` begins where this one ends, with neither gap nor overlap."""
        if self.high is None or after.low is None:
            return False
        return after.low == (self.high if self.unit else self.high + 1)


def parse_band(text: str) -> Band:
    match = re.fullmatch(
        r"(?:(?P<most><=)\s*)?(?P<low>[0-9./]*[0-9])(?:\s*-\s*(?P<high>[0-9./]*[0-9]))?"
        r"\s?(?P<unit>in|ft|yd|mm|cm|m|bases?)?(?P<open>\+)?",
        plainly(text),
    )
    low = parse_number(match["low"]) if match else None
    high = parse_number(match["high"] or match["low"]) if match else None
    whole = match and (match["unit"] or not any(n and n.denominator > 1 for n in (low, high)))
    if (
        match is None
        or sum(bool(match[name]) for name in ("most", "high", "open")) > 1
        or low is None
        or high is None
        or high < low
        or not whole
    ):
        expected = "a band, such as 0-8in, 8-16in, 48in+, 5-9, 10+ or <=4, its lower end first"
        raise not_a("a band", text, expected, as_meant(text, parse_band))
    unit: LengthUnit | None = match["unit"]  # type: ignore[assignment]
    if unit and unit.startswith("base"):
        unit = "base"
    if match["most"]:
        return Band(None, low, unit)
    return Band(low, None if match["open"] else high, unit)


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability; printed in whole per cent, 0% and 100% only where it is exactly so."""

    share: Fraction

    def __str__(self) -> str:
        return f"{per_cent(self.share)}%"


def per_cent(share: Fraction, *, tenths: bool = False) -> str:
    """Formats a share of 1 in per cent, without the sign: 42 or, with `tenths`, 41.7.

    Halves are rounded up. 0 and 100 are printed only for shares of exactly 0 and 1; else <1 or >99,
    or with tenths <0.1 or >99.9.
    """
    if share in (0, 1):
        return str(int(share) * 100)
    parts = 10 if tenths else 1
    rounded = int((share * 200 * parts + 1) // 2)
    sign = "<" if rounded == 0 else ">" if rounded == 100 * parts else ""
    rounded = min(max(rounded, 1), 100 * parts - 1)
    return sign + (f"{rounded // 10}.{rounded % 10}" if tenths else str(rounded))


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of many plays; printed with two decimals, in its length unit if it has one."""

    number: Fraction
    unit: LengthUnit | None = None

    def __str__(self) -> str:
        hundredths = (abs(self.number) * 200 + 1) // 2
        sign = MINUS if self.number < 0 and hundredths else ""
        shown = f"{sign}{hundredths // 100}.{hundredths % 100:02d}"
        return _in_unit(shown, self.unit, hundredths)


_IN_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "none",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}


def parse_count(text: str) -> int:
    """Parses a whole number: `12`, also `12.0` and `1,200`; raises QuantityError for all else."""
    whole = re.sub(r"\.0{1,2}$", "", text.strip())
    whole = whole.replace(",", "") if re.fullmatch("[0-9]{1,3}(,[0-9]{3})+", whole) else whole
    if re.fullmatch("0+[0-9]+", whole) or whole.lower() in _IN_WORDS:
        number = _IN_WORDS.get(whole.lower(), whole.lstrip("0") or "0")
        raise not_a("a count", text, "a whole number, such as 12", f"write {number}")
    if not re.fullmatch(rf"[0-9]{{1,{MOST_DIGITS}}}", whole):
        counted = re.match(rf"([0-9]{{1,{MOST_DIGITS}}})(?: [a-z]|[*†+]$)", text)
        hint = f"write {counted[1]}" if counted else ""
        if re.fullmatch(r"[0-9]*d[0-9]+(?: ?[+-] ?[0-9]+)?", text.lower()):
            hint = "give what is thrown the type dice, or text"
        elif text[:-1].isdecimal() and text[-1] in "kK":
            hint = f"write {text[:-1]}000"
        expected = f"a whole number of up to {MOST_DIGITS} digits, such as 12"
        raise not_a("a count", text, expected, hint)
    return int(whole)


def parse_ratio(text: str) -> Fraction:
    """Parses `1/2`, `1.5`, `2` or `50%`; raises QuantityError for anything else."""
    number = parse_number(text.removesuffix("%").rstrip())
    if number is None:
        raise not_a("a ratio", text, "such as 1/2, 1.5 or 50%")
    return number / 100 if text.endswith("%") else number


_TRUE = {"yes", "y", "x", "1", "on", "✓", "✔", "oui", "ja", "si", "sí", "sì", "sim", "wahr", "vrai"}
_FALSE = {"no", "n", "0", "off", "✗", "non", "nein", "nee", "falsch", "faux", "falso"}


def parse_flag(text: str) -> bool:
    if text not in ("true", "false"):
        known = {"true": _TRUE, "false": _FALSE}
        meant = next((word for word, others in known.items() if text.lower() in others), "")
        hint = f"write {meant}" if meant else ""
        raise not_a("true or false", text, "true or false", hint)
    return text == "true"


#: What is computed from rules and printed, and no rule calculates with.
Statistic = Chance | Mean
Value = (
    Length
    | Angle
    | RollTarget
    | Faces
    | Dice
    | Modifier
    | LengthModifier
    | Never
    | Band
    | Statistic
    | Fraction
    | int
    | bool
    | str
)


def format_value(value: Value | None) -> str:
    """Formats a value of any type for print.

    True is a check mark; False and None are an en dash.
    """
    if value is None:
        return EN_DASH
    if isinstance(value, bool):
        return "✓" if value else EN_DASH
    if isinstance(value, Fraction | int):
        return format_number(value)
    return str(value)


_MONTHS = (
    gettext_noop("January"),
    gettext_noop("February"),
    gettext_noop("March"),
    gettext_noop("April"),
    gettext_noop("May"),
    gettext_noop("June"),
    gettext_noop("July"),
    gettext_noop("August"),
    gettext_noop("September"),
    gettext_noop("October"),
    gettext_noop("November"),
    gettext_noop("December"),
)


def format_date(date: datetime.date) -> str:
    """Formats a date in the current language: 16 July 2010."""
    month = gettext(_MONTHS[date.month - 1])
    return gettext("%(day)s %(month)s %(year)s", day=date.day, month=month, year=date.year)


_JOINED = {
    "and": gettext_noop("%(words)s and %(last)s"),
    "or": gettext_noop("%(words)s or %(last)s"),
}


def join_words(words: Iterable[str], last: Literal["and", "or"] = "or") -> str:
    """Joins words: `a`, `a or b`, `a, b or c`. `last` is the conjunction before the last word."""
    listed = list(words)
    if len(listed) < 2:
        return "".join(listed)
    return gettext(_JOINED[last], words=", ".join(listed[:-1]), last=listed[-1])
