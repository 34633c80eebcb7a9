"""How the lengths of a ruleset are converted for other figures or another ruler, each the same way.

A length is multiplied by the scale, its unit is read as another length, and what comes of it goes
to the nearest step of its new unit: so that `24in` is 12in at half scale, and 30cm where an inch is
read as 2.5cm.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from rulebook import quantities
from rulebook.model.entities import FrozenModel
from rulebook.model.scalars import ReadBy, expect_text, scalar
from rulebook.translation import gettext

#: No figures are so much smaller or larger than those of the rules.
LEAST, MOST = Fraction(1, 10), Fraction(10)
UNITS = ("in", "ft", "yd", "mm", "cm", "m", "base")
#: The length units of both rulers; of those read otherwise the first decides for a table.
_IMPERIAL, _METRIC = ("in", "ft", "yd"), ("cm", "mm", "m")
#: A base is as wide as the figures are, whatever their size.
_OF_THE_FIGURES = "base"


_SCALE = f"from {LEAST} to {MOST}, such as 1/2 for figures half as high"
_AS_LENGTH = "a length unit and what it is read as, such as in: cm or in: 2.5cm"


def parse_scale(text: str) -> Fraction:
    """Reads a scale: `1/2`, `1.5` or `50%`.

    Raises QuantityError, also if the scale is not between LEAST and MOST.
    """
    scale = quantities.parse_ratio(text.strip())
    if not LEAST <= scale <= MOST:
        raise quantities.out_of_bounds("scale", text.strip(), _SCALE)
    return scale


def parse_read(unit: object, text: object) -> tuple[str, quantities.Length]:
    """Reads a unit and the length that one of it is read as: `in` and `cm`, `in` and `2.5cm`.

    Raises QuantityError.
    """
    if unit not in UNITS or not isinstance(text, str):
        raise quantities.not_a("a length unit", str(unit), _AS_LENGTH)
    text = text.strip()
    length = quantities.parse_length(f"1{text}" if text in UNITS else text)
    if length.unit == _OF_THE_FIGURES or not LEAST <= length.number <= MOST * 100:
        raise quantities.out_of_bounds(f"length of {unit}", text, _AS_LENGTH)
    return str(unit), length


def parse_step(text: str) -> quantities.Length:
    """Reads a step, `0.5cm`, to which lengths of its unit are rounded. Raises QuantityError."""
    step = quantities.parse_length(text.strip())
    if step.number <= 0:
        raise quantities.out_of_bounds("step", step, "more than 0, such as 0.5cm")
    return step


def _read(value: object) -> dict[str, quantities.Length]:
    if not isinstance(value, dict) or not value:
        raise quantities.QuantityError("no length units", code="R203", expected=_AS_LENGTH)
    found: dict[str, quantities.Length] = {}
    for key, text in value.items():
        try:
            unit, length = parse_read(key, text)
        except quantities.QuantityError as fault:
            raise fault.inside(str(key)) from fault
        found[unit] = length
    return found


def _steps(value: object) -> tuple[quantities.Length, ...]:
    listed = value if isinstance(value, list) else [value]
    steps = [parse_step(expect_text(text, "a step such as 0.5cm")) for text in listed]
    units = [step.unit for step in steps]
    for unit in units:
        if units.count(unit) > 1:
            raise quantities.stands_twice(unit)
    return tuple(steps)


_LENGTH: dict[str, Any] = {"type": "string"}


class Lengths(FrozenModel, populate_by_name=True):
    """`{scale: 1/2, read: {in: cm}, round: 0.5cm}`, each of which may be left out."""

    scale: Annotated[Fraction, scalar(parse_scale, _SCALE, type=["string", "number"])] = Fraction(1)
    """all lengths times this, such as 1/2; bases stay"""
    read: Annotated[
        dict[str, quantities.Length],
        ReadBy(_read, type="object", additionalProperties=_LENGTH),
    ] = Field({})
    """length units, and what each is read as: {in: cm}, {in: 2.5cm}"""
    steps: Annotated[
        tuple[quantities.Length, ...],
        ReadBy(_steps, anyOf=[_LENGTH, {"type": "array", "items": _LENGTH}]),
    ] = Field((), alias="round")
    """steps to the nearest of which lengths of their units go: 0.5cm"""

    @property
    def idle(self) -> bool:
        """Whether the conversion leaves every length as it is."""
        same = all(
            length == quantities.Length(Fraction(1), unit)  # type: ignore[arg-type]
            for unit, length in self.read.items()
        )
        return self.scale == 1 and same and not self.steps

    def converted(self, length: quantities.Length) -> quantities.Length:
        """Converts a length of the rules: scales it, reads it in its other unit, and rounds it.

        Lengths in bases are not scaled, and those of a unit without a step are not rounded.
        """
        number = length.number * (1 if length.unit == _OF_THE_FIGURES else self.scale)
        read = self.read.get(length.unit)
        unit = read.unit if read else length.unit
        return quantities.Length(self._rounded(number * (read.number if read else 1), unit), unit)

    def _rounded(self, number: Fraction, unit: quantities.LengthUnit) -> Fraction:
        """Rounds a number to the nearest step of a unit, halves up, but never to 0.

        A negative number is rounded as if it were positive.
        """
        step = next((step.number for step in self.steps if step.unit == unit), None)
        if step is None or not number:
            return number
        if number < 0:
            return -self._rounded(-number, unit)
        return max(step, (number / step + Fraction(1, 2)) // 1 * step)

    def on_table(
        self, unit: quantities.LengthUnit
    ) -> Callable[[quantities.Length], quantities.Length]:
        """Makes a function that converts all lengths of a table measured in `unit` by one factor.

        Nothing is rounded, so what lies on an edge, a road or in a zone still lies there. The
        factor is that of the first unit of the table's ruler that is converted: of inches, feet and
        yards, in this order, or of the metric units.
        """
        ruler = _METRIC if unit in quantities.METRIC else _IMPERIAL
        known = next((name for name in ruler if name in self.read), None)
        if known is None:
            return partial(_by_factor, factor=self.scale, unit=None)
        length = self.read[known]
        factor = self.scale * length.mm / quantities.MILLIMETRES[known]
        return partial(_by_factor, factor=factor, unit=length.unit)

    def band(self, band: quantities.Band) -> quantities.Band:
        """Converts both ends of a band of lengths; returns a band of plain numbers unchanged.

        An open end stays open.
        """
        if band.unit is None:
            return band
        ends = [
            None if end is None else self.converted(quantities.Length(end, band.unit))
            for end in (band.low, band.high)
        ]
        unit = next((end.unit for end in ends if end is not None), band.unit)
        low, high = (None if end is None else end.number for end in ends)
        return quantities.Band(low, high, unit)

    def text(self, text: str) -> str:
        """Converts a text that is a length, or a range of lengths such as `6in..24in`.

        Returns any other text unchanged.
        """
        parts = text.split("..")
        lengths = [quantities.read_length(part) for part in parts]
        if not all(lengths):
            return text
        return "..".join(written(self.converted(length)) for length in lengths if length)

    @property
    def in_words(self) -> str:
        """The conversion in words: `at ½ of the lengths, 1″ read as 2½ cm`."""
        words = []
        if self.scale != 1:
            scale = quantities.format_number(self.scale)
            words.append(gettext("at %(scale)s of the lengths", scale=scale))
        for unit, length in self.read.items():
            single = str(quantities.Length(Fraction(1), unit))  # type: ignore[arg-type]
            if unit == _OF_THE_FIGURES:
                single = gettext("a base")
            words.append(gettext("%(length)s read as %(other)s", length=single, other=length))
        if self.steps:
            steps = quantities.join_words(map(str, self.steps), "or")
            words.append(gettext("to the nearest %(steps)s", steps=steps))
        return ", ".join(words)

    @property
    def briefly(self) -> str:
        """The conversion in few words: `at ½, 1″ = 2½ cm`."""
        scale = quantities.format_number(self.scale)
        words = [gettext("at %(scale)s", scale=scale)] if self.scale != 1 else []
        for unit, length in self.read.items():
            words.append(f"{quantities.Length(Fraction(1), unit)} = {length}")  # type: ignore[arg-type]
        return ", ".join(words) or self.in_words

    @property
    def slug(self) -> str:
        """The conversion as part of a folder's name: scale-1-2+in-cm+round-0.5cm."""
        parts = [f"scale-{self.scale}".replace("/", "-")] if self.scale != 1 else []
        parts += [f"{unit}-{_bare(length)}" for unit, length in sorted(self.read.items())]
        parts += [f"round-{_bare(step)}" for step in self.steps]
        return "+".join(parts)


def _by_factor(
    length: quantities.Length, factor: Fraction, unit: quantities.LengthUnit | None
) -> quantities.Length:
    """Multiplies a length exactly, and converts it to `unit`, or to its own unit if that is None.

    Feet and yards that are no longer whole become inches.
    """
    mm, unit = length.mm * factor, unit or length.unit
    if unit in ("ft", "yd") and (mm / quantities.MILLIMETRES[unit]).denominator > 1:
        unit = "in"
    return quantities.Length(mm / quantities.MILLIMETRES[unit], unit)


def _bare(length: quantities.Length) -> str:
    """Returns a length as part of a folder's name: `2.5cm`, or `cm` for 1 cm."""
    return length.unit if length.number == 1 else written(length).replace("/", "-")


def written_number(number: int | Fraction) -> str:
    """Returns the shortest exact text of a number: 7.5, or 1/3 where decimals do not end."""
    for places in range(quantities.MOST_DIGITS + 1):
        if (number * 10**places).denominator == 1:
            digits = str(int(number * 10**places)).rjust(places + 1, "0")
            return f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return str(number)


def written(length: quantities.Length) -> str:
    """Returns a length as an author writes it, exactly: 7.5in, 1/3cm."""
    return f"{written_number(length.number)}{length.unit}"
