"""What is drawn on a map -> how much of it lies under a name.

A net of small squares holds how dark the map is there: names are kept off lines by it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from rulebook.maps.geometry import (
    Box,
    Point,
    Ring,
    Track,
    between,
    box_of,
    distance,
    ribbon,
    sides,
    signed_area,
)
from rulebook.maps.setting import Quad, Square, holds, quad_of


class Darkness:
    """How much is drawn in each square of a net, from 0 up: lines, and the ground of areas.

    The net begins at (0, 0); all is drawn before the first is asked.
    """

    def __init__(self, mesh: float, width: float, height: float) -> None:
        self.mesh = mesh
        self.columns, self.rows = (math.ceil(side / mesh) for side in (width, height))
        self._lines: dict[Square, float] = {}
        self._areas: dict[Square, float] = {}

    def _squares(self, left: float, top: float, right: float, bottom: float) -> Iterator[Square]:
        mesh = self.mesh
        for column in range(math.floor(left / mesh), math.floor(right / mesh) + 1):
            for row in range(math.floor(top / mesh), math.floor(bottom / mesh) + 1):
                yield column, row

    def add_line(self, points: Sequence[Point], weight: float, width: float = 0.0) -> None:
        # no square that the line only grazes: names run along lines
        wide = width - self.mesh
        for one, other in pairwise(points):
            if wide > 2 * self.mesh:
                strip = ribbon(Track.of((one, other)), [wide, wide]) if one != other else []
                self._darken(self._lines, self._filled(strip), weight)
                continue
            steps = max(1, math.ceil(distance(one, other) / (self.mesh / 2)))
            reach = max(0.0, wide / 2)
            for step in range(steps + 1):
                x, y = between(one, other, step / steps)
                reached = self._squares(x - reach, y - reach, x + reach, y + reach)
                self._darken(self._lines, reached, weight)

    def add_area(self, ring: Ring, weight: float) -> None:
        self._darken(self._areas, self._filled(ring), weight)

    def _filled(self, ring: Ring) -> Iterator[Square]:
        """The squares of the net whose middles are in a ring, row by row."""
        crossed: dict[int, list[float]] = {}
        for (x1, y1), (x2, y2) in sides(ring):
            low, high = sorted((y1, y2))
            first = max(0, math.ceil(low / self.mesh - 0.5))
            for row in range(first, min(self.rows, math.ceil(high / self.mesh - 0.5))):
                y = (row + 0.5) * self.mesh
                crossed.setdefault(row, []).append(x1 + (y - y1) / (y2 - y1) * (x2 - x1))
        for row, xs in crossed.items():
            xs.sort()
            for left, right in zip(xs[::2], xs[1::2], strict=False):
                start = max(0, math.ceil(left / self.mesh - 0.5))
                end = min(self.columns, math.ceil(right / self.mesh - 0.5))
                yield from ((column, row) for column in range(start, end))

    @staticmethod
    def _darken(net: dict[Square, float], squares: Iterable[Square], weight: float) -> None:
        for square in squares:
            net[square] = max(net.get(square, 0.0), weight)

    def _middle(self, square: Square) -> Point:
        return (square[0] + 0.5) * self.mesh, (square[1] + 0.5) * self.mesh

    def under(self, quads: Iterable[Quad]) -> tuple[float, float]:
        """Under some quads, the darkness of lines added up, and the mean of that of areas."""
        lines = areas = size = 0.0
        for quad in quads:
            left, top, right, bottom = box = box_of(quad)
            if quad == quad_of(box):
                lines += self._sum(self._sums[0], box)
                areas += self._sum(self._sums[1], box)
                size += (right - left) * (bottom - top)
                continue
            for square in self._squares(*box):
                line, area = self._lines.get(square), self._areas.get(square)
                if (line or area) and holds(quad, self._middle(square)):
                    lines += line or 0.0
                    areas += area or 0.0
            size += abs(signed_area(quad))
        return lines, areas * self.mesh**2 / size if size else 0.0

    @cached_property
    def _sums(self) -> tuple[list[list[float]], list[list[float]]]:
        """For lines and for areas, what lies above and left of each corner of the net."""
        return self._summed(self._lines), self._summed(self._areas)

    def _summed(self, squares: Mapping[Square, float]) -> list[list[float]]:
        table = [[0.0] * (self.columns + 1)]
        for row in range(self.rows):
            line, gone = [0.0], 0.0
            for column in range(self.columns):
                gone += squares.get((column, row), 0.0)
                line.append(table[-1][column + 1] + gone)
            table.append(line)
        return table

    def _sum(self, table: list[list[float]], box: Box) -> float:
        """All squares whose middles are in a box."""
        left, top, right, bottom = (math.floor(edge / self.mesh + 0.5) for edge in box)
        left, right = (min(max(edge, 0), self.columns) for edge in (left, right))
        top, bottom = (min(max(edge, 0), self.rows) for edge in (top, bottom))
        return table[bottom][right] - table[top][right] - table[bottom][left] + table[top][left]
