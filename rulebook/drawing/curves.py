"""A piece of a circle -> curves of Bezier that run along it, for page makers that draw rough arcs.

WeasyPrint 70 draws a circle whose radius is 0.6 % too large between its quarters, half a millimetre
on a shell burst of six inches, and half a circle as one curve. These curves, an eighth of a circle
each, are off by 4 millionths of the radius (Goldapp, Approximation of circular arcs by cubic
polynomials, 1991).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

Point = tuple[float, float]

#: Degrees of one curve.
MOST_TURN = 45.0


def curves(start: Point, end: Point, turn: float) -> Iterator[tuple[Point, Point, Point]]:
    """Two control points and the end of each curve of an arc from `start` to `end`.

    `turn` is the angle of the arc in degrees, positive clockwise as y runs down; it is not 0, and
    not a whole turn.
    """
    half = math.radians(turn) / 2
    across, down = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2
    slant = math.cos(half) / math.sin(half)
    middle = (start[0] + across - down * slant, start[1] + down + across * slant)
    count = math.ceil(abs(turn) / MOST_TURN - 1e-9)
    step = 2 * half / count
    handle = 4 / 3 * math.tan(step / 4)
    x, y = start[0] - middle[0], start[1] - middle[1]
    for number in range(1, count + 1):
        after = (x * math.cos(step) - y * math.sin(step), x * math.sin(step) + y * math.cos(step))
        one = (middle[0] + x - handle * y, middle[1] + y + handle * x)
        other = (
            middle[0] + after[0] + handle * after[1],
            middle[1] + after[1] - handle * after[0],
        )
        yield one, other, end if number == count else (middle[0] + after[0], middle[1] + after[1])
        x, y = after
