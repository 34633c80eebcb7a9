"""Words, arrows and flags -> the four-cornered places they take, and which of them meet.

Two convex figures are apart if a line along a side of one of them parts them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulebook.maps.geometry import Box, Point, box_of, sides

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
    x1, y1 = quad[-1]
    left = right = False
    for x2, y2 in quad:
        turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        left, right = left or turn < 0, right or turn > 0
        x1, y1 = x2, y2
    return not (left and right)


@dataclass(frozen=True, slots=True)
class Plate:
    """A quad with what is asked of it again and again: its box, and whether it is that box."""

    quad: Quad
    box: Box
    upright: bool

    @classmethod
    def of(cls, quad: Quad) -> Plate:
        box = box_of(quad)
        return cls(quad, box, quad == quad_of(box))

    def meets(self, other: Plate) -> bool:
        """Whether two of them overlap; those that only touch do not."""
        one, two = self.box, other.box
        if one[0] >= two[2] or two[0] >= one[2] or one[1] >= two[3] or two[1] >= one[3]:
            return False
        if self.upright and other.upright:
            return True
        return not (_parted(self.quad, other.quad) or _parted(other.quad, self.quad))


class PlateIndex:
    """Plates by the squares of a net that they reach into, each with the number of its owner."""

    def __init__(self, mesh: float) -> None:
        self._mesh = mesh
        self._squares: dict[Square, dict[int, list[Plate]]] = {}

    def _reached(self, plate: Plate) -> list[Square]:
        left, top, right, bottom = (math.floor(edge / self._mesh) for edge in plate.box)
        return [
            (column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)
        ]

    def add(self, owner: int, plates: Iterable[Plate]) -> None:
        for plate in plates:
            for square in self._reached(plate):
                self._squares.setdefault(square, {}).setdefault(owner, []).append(plate)

    def remove(self, owner: int, plates: Iterable[Plate]) -> None:
        for plate in plates:
            for square in self._reached(plate):
                self._squares[square].pop(owner, None)

    def _near(self, plates: Iterable[Plate]) -> Iterator[tuple[int, Plate, Plate]]:
        """All that shares a square with some plates, with its owner."""
        for plate in plates:
            for square in self._reached(plate):
                for owner, there in self._squares.get(square, {}).items():
                    for other in there:
                        yield owner, plate, other

    def is_free(self, plates: Iterable[Plate], but: int | None = None) -> bool:
        """Whether nothing is met, or only what one owner has."""
        return not any(
            owner != but and plate.meets(other) for owner, plate, other in self._near(plates)
        )

    def met(self, plates: Iterable[Plate], most: int) -> set[int]:
        """The owners of all that some plates overlap; no more are looked for than one too many."""
        found: set[int] = set()
        for owner, plate, other in self._near(plates):
            if owner not in found and plate.meets(other):
                found.add(owner)
                if len(found) > most:
                    break
        return found
