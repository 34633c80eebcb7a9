"""Words, arrows and flags -> the four-cornered places they take, and which of them meet.

Two convex figures are apart if a line along a side of one of them parts them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from rulebook.maps.geometry import Box, Point, box_of, boxes_meet, sides

Quad = tuple[Point, Point, Point, Point]
Square = tuple[int, int]


def quad_of(box: Box) -> Quad:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def turned_quad(at: Point, box: Box, angle: float) -> Quad:
    """A box about a point, turned about it; the angle in degrees, clockwise where y runs down."""
    across, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    one, two, three, four = (
        (at[0] + x * across - y * down, at[1] + x * down + y * across) for x, y in quad_of(box)
    )
    return (one, two, three, four)


def quads_meet(one: Quad, other: Quad) -> bool:
    """Whether two of them overlap; those that only touch do not."""
    if not boxes_meet(box_of(one), box_of(other)):
        return False
    return not (_parted(one, other) or _parted(other, one))


def _parted(one: Quad, other: Quad) -> bool:
    for (x1, y1), (x2, y2) in sides(one):
        across, down = y2 - y1, x1 - x2
        own = [x * across + y * down for x, y in one]
        others = [x * across + y * down for x, y in other]
        slack = 1e-9 * (abs(across) + abs(down))
        if max(own) <= min(others) + slack or max(others) <= min(own) + slack:
            return True
    return False


def in_box(quad: Quad, box: Box) -> bool:
    left, top, right, bottom = box_of(quad)
    return box[0] <= left and right <= box[2] and box[1] <= top and bottom <= box[3]


def holds(quad: Quad, point: Point) -> bool:
    """Whether a point lies in a quad or on its edge, whichever way round its corners go."""
    x, y = point
    turns = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for (x1, y1), (x2, y2) in sides(quad)]
    return min(turns) >= 0 or max(turns) <= 0


class QuadIndex:
    """Quads by the squares of a net that they reach into, each with the number of its owner."""

    def __init__(self, mesh: float) -> None:
        self._mesh = mesh
        self._squares: dict[Square, dict[int, list[Quad]]] = {}

    def _reached(self, quad: Quad) -> Iterator[Square]:
        left, top, right, bottom = (math.floor(edge / self._mesh) for edge in box_of(quad))
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                yield column, row

    def add(self, owner: int, quads: Iterable[Quad]) -> None:
        for quad in quads:
            for square in self._reached(quad):
                self._squares.setdefault(square, {}).setdefault(owner, []).append(quad)

    def remove(self, owner: int, quads: Iterable[Quad]) -> None:
        for quad in quads:
            for square in self._reached(quad):
                self._squares[square].pop(owner, None)

    def met(self, quads: Iterable[Quad]) -> set[int]:
        """The owners of all that some quads overlap."""
        found: set[int] = set()
        for quad in quads:
            for square in self._reached(quad):
                for owner, there in self._squares.get(square, {}).items():
                    if owner not in found and any(quads_meet(quad, other) for other in there):
                        found.add(owner)
        return found
