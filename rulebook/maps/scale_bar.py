"""The scale and the north of a map -> a bar of lengths on the table, and an arrow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from rulebook.maps.canvas import Canvas
from rulebook.maps.elements import lines_path, path, words
from rulebook.maps.geometry import Point
from rulebook.maps.letters import text_width
from rulebook.model.maps import Table
from rulebook.quantities import Length

#: Lengths of which a bar is a whole one, by the unit of the table.
_NICE: dict[str, tuple[int, ...]] = {
    "in": (1, 2, 4, 6, 12, 24, 36, 48, 72, 96),
    "cm": (1, 2, 5, 10, 20, 50, 100, 200),
}
_STEPS = (1, 2, 5)
BAR_HIGH, BAR_LINE, _SIZE = 1.1, 4.9, 2.5
NORTH_HIGH = 9.0


@dataclass(frozen=True, slots=True)
class GroundScale:
    """What a length on the table stands for on the ground: 1 in for 50 yd."""

    table: Length
    ground: Length

    @classmethod
    def of(cls, table: Table) -> Self | None:
        """That of a table, if it stands for any ground."""
        return None if table.scale is None else cls(table.scale.length, table.scale.ground)

    @property
    def ratio(self) -> Fraction:
        return self.ground.mm / self.table.mm


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar that stands for a length: how long it is on the page, and its words."""

    length: float
    parts: int
    middle: str
    end: str


def strip_height(bars: int) -> float:
    """What so many bars and the north take below a map, mm times the grain."""
    return max(NORTH_HIGH, BAR_LINE * bars + 1.5) + 1.5


def bars_for(
    scale: Fraction, room: float, *, metric: bool, ground: GroundScale | None = None
) -> list[Bar]:
    """The longest bar of a whole length of the table that has room; one of the ground below."""
    unit = "cm" if metric else "in"
    one = scale * Length(Fraction(1), "cm" if metric else "in").mm
    longest = max([nice for nice in _NICE[unit] if nice * one <= room], default=1)
    bars = [_bar(longest, float(longest * one), unit, " of table")]
    if ground is not None:
        step = scale * Length(Fraction(1), ground.ground.unit).mm / ground.ratio
        nice = _longest(room, float(step))
        bars.append(_bar(nice, float(nice * step), ground.ground.unit, " of ground"))
    return bars


def _longest(room: float, step: float) -> int:
    """The largest of 1, 2, 5, 10, ... of which a bar has room."""
    found, power = 1, 1
    while power * step <= room:
        found = max(found, *(power * nice for nice in _STEPS if power * nice * step <= room))
        power *= 10
    return found


def _bar(number: int, length: float, unit: str, of: str) -> Bar:
    def told(value: Fraction) -> str:
        return str(Length(value, unit))  # type: ignore[arg-type]

    half = Fraction(number, 2)
    middle = told(half) if half.denominator == 1 or number == 1 else ""
    parts = 4 if number % 4 == 0 or number == 2 else 5 if number % 5 == 0 else 2
    return Bar(length, parts, middle, told(Fraction(number)) + of)


def draw_bars(bars: Sequence[Bar], at: Point, canvas: Canvas) -> str:
    """Bars below each other from a point: their lower left ends stand at it."""
    look, drawn = canvas.look, []
    ink, size, high = look.dark("ink"), canvas.mm(_SIZE), canvas.mm(BAR_HIGH)
    for number, bar in enumerate(bars):
        x, y = at[0], at[1] + canvas.mm(BAR_LINE) * number
        for part in range(bar.parts):
            left, right = (x + bar.length * (part + side) / bar.parts for side in (0, 1))
            corners = [(left, y - high), (right, y - high), (right, y), (left, y)]
            fill = ink if part % 2 == 0 else "#ffffff"
            drawn.append(
                path(lines_path(corners, closed=True), fill=fill, stroke=ink, width=canvas.mm(0.18))
            )
        above = y - high - canvas.mm(0.6)
        for text, way in (("0", 0.0), (bar.middle, 0.5)):
            start = x + way * bar.length - text_width(text, "roman", size) / 2
            drawn.append(words(text, (start, above), size, colour=ink) if text else "")
        first = text_width(bar.end.split(" of ")[0], "roman", size) / 2
        drawn.append(words(bar.end, (x + bar.length - first, above), size, colour=ink))
    return "".join(drawn)


def draw_north(centre: Point, bearing: float, canvas: Canvas) -> str:
    """An arrow to the north, one half dark, with its letter at the point."""
    ink = canvas.look.dark("ink")
    turn = math.radians(bearing)
    long, half = canvas.mm(NORTH_HIGH / 2 - 1.6), canvas.mm(1.15)

    def place(x: float, y: float) -> Point:
        return (
            centre[0] + x * math.cos(turn) - y * math.sin(turn),
            centre[1] + x * math.sin(turn) + y * math.cos(turn),
        )

    point, foot, notch = place(0, -long), place(half, long), place(0, 0.55 * long)
    dark, light = [point, foot, notch], [point, place(-half, long), notch]
    size = canvas.mm(2.6)
    x, y = place(0, -long - canvas.mm(1.5))
    at = (x - text_width("N", "semibold", size) / 2, y + 0.33 * size)
    return (
        path(lines_path(dark, closed=True), fill=ink, stroke=ink, width=canvas.mm(0.2))
        + path(lines_path(light, closed=True), fill="#ffffff", stroke=ink, width=canvas.mm(0.2))
        + words("N", at, size, face="semibold", colour=ink)
    )
