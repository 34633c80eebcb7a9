"""`x=99.2mm,y=100.4mm` -> two exact lengths: what a player measured of a printer, as an option.

`rulebook printer-test` prints what is measured.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn

import click

from rulebook.quantities import MILLIMETRES, parse_number

#: Across and up, in millimetres.
Pair = tuple[Fraction, Fraction]
AXES = ("x", "y")


class PairType(click.ParamType):
    """A length for x and one for y, in any order, each once and within bounds in millimetres.

    `example` is told where something else stands, `reason` says why the bounds are where they are.
    """

    name = "x=..,y=.."

    def __init__(self, *, least: Fraction, most: Fraction, example: str, reason: str) -> None:
        self.least = least
        self.most = most
        self.example = example
        self.reason = reason

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Pair:
        """Raises click's BadParameter, which says what is wrong and what to write."""
        if isinstance(value, tuple):
            return value
        found: dict[str, Fraction] = {}
        for part in str(value).split(","):
            axis, equals, text = (word.strip() for word in part.partition("="))
            if not equals or axis.lower() not in AXES:
                self._refuse(f"'{part.strip()[:40]}' is neither x=... nor y=...", param, ctx)
            if axis.lower() in found:
                self._refuse(f"'{axis}' stands twice", param, ctx)
            found[axis.lower()] = self._length(axis, text, param, ctx)
        for axis in AXES:
            if axis not in found:
                self._refuse(f"'{axis}' is not there", param, ctx)
        return found["x"], found["y"]

    def _length(
        self, axis: str, text: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        match = re.fullmatch(r"(?P<sign>[-+−]?)(?P<number>[0-9./ ]+?) ?(?P<unit>mm|cm|in)", text)
        number = parse_number(match["number"].strip()) if match else None
        if match is None or number is None:
            self._refuse(f"'{text[:40]}' is no length", param, ctx)
        length = number * MILLIMETRES[match["unit"]]
        length = -length if match["sign"] in ("-", "−") else length
        if not self.least <= length <= self.most:
            bounds = f"{float(self.least):g} mm to {float(self.most):g} mm"
            self._refuse(f"{axis} is {text}, not {bounds}: {self.reason}", param, ctx)
        return length

    def _refuse(
        self, said: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> NoReturn:
        self.fail(f"{said}\nwrite it as {self.example}", param, ctx)


#: What a ruler read on the two bars of 100 mm.
CALIBRATION = PairType(
    least=Fraction(90),
    most=Fraction(110),
    example="x=99.2mm,y=100.4mm",
    reason="a printer that is so far off scales to fit; print at 100 % and measure again",
)
#: How far what stands on a back is moved to lie behind its front.
OFFSET = PairType(
    least=Fraction(-10),
    most=Fraction(10),
    example="x=1mm,y=-0.5mm",
    reason="more than any printer errs; look whether both sides were printed at 100 %",
)
