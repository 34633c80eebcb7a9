"""`x=99.2mm,y=100.4mm` -> two exact lengths: what a player measured of a printer, as an option.

`rulebook printer-test` prints what is measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import click

from rulebook.quantities import MILLIMETRES, parse_number

#: Across and up, in millimetres.
Pair = tuple[Fraction, Fraction]
AXES = ("x", "y")
METAVAR = "x=..,y=.."


@dataclass(frozen=True, slots=True)
class PairOption:
    """The callback of an option with a length for x and one for y, each once and within bounds.

    Bounds are in millimetres, `reason` says why they are where they are; `example` is told where
    something else stands.
    """

    least: Fraction
    most: Fraction
    example: str
    reason: str

    def __call__(
        self, ctx: click.Context, param: click.Parameter, value: str | None
    ) -> Pair | None:
        """None for an option that is not given; raises click's BadParameter."""
        return None if value is None else self.read(value)

    def read(self, text: str) -> Pair:
        """The two lengths; raises click's BadParameter, which says what is wrong and what to do."""
        found: dict[str, Fraction] = {}
        for part in text.split(","):
            axis, equals, length = (word.strip() for word in part.partition("="))
            if not equals or axis.lower() not in AXES:
                raise self._refusal(f"'{part.strip()[:40]}' is neither x=... nor y=...")
            if axis.lower() in found:
                raise self._refusal(f"'{axis}' stands twice")
            found[axis.lower()] = self._length(axis, length)
        for axis in AXES:
            if axis not in found:
                raise self._refusal(f"'{axis}' is not there")
        return found["x"], found["y"]

    def _length(self, axis: str, text: str) -> Fraction:
        match = re.fullmatch(r"(?P<sign>[-+−]?)(?P<number>[0-9./ ]+?) ?(?P<unit>mm|cm|in)", text)
        number = parse_number(match["number"].strip()) if match else None
        if match is None or number is None:
            raise self._refusal(f"'{text[:40]}' is no length")
        length = number * MILLIMETRES[match["unit"]]
        length = -length if match["sign"] in ("-", "−") else length
        if not self.least <= length <= self.most:
            bounds = f"{float(self.least):g} mm to {float(self.most):g} mm"
            raise self._refusal(f"{axis} is {text}, not {bounds}: {self.reason}")
        return length

    def _refusal(self, said: str) -> click.BadParameter:
        return click.BadParameter(f"{said}\nwrite it as {self.example}")


#: What a ruler read on the two bars of 100 mm.
CALIBRATION = PairOption(
    least=Fraction(90),
    most=Fraction(110),
    example="x=99.2mm,y=100.4mm",
    reason="a printer that is so far off scales to fit; print at 100 % and measure again",
)
#: How far what stands on a back is moved to the right and up to lie behind its front.
OFFSET = PairOption(
    least=Fraction(-10),
    most=Fraction(10),
    example="x=1mm,y=-0.5mm",
    reason="more than any printer errs; look whether both sides were printed at 100 %",
)
