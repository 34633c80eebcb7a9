"""What is drawn on a map -> how much of it lies under a name, and whether a symbol stands free.

A net of small squares holds how dark the map is there: names are kept off lines by it. What is
drawn last, names and roads, is told to the symbols before, so that no tree is cut in two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rulebook.maps.geometry import (
    Point,
    Ring,
    between,
    box_of,
    distance,
    is_inside,
    sides,
    signed_area,
    to_segment,
)
from rulebook.maps.quads import Quad, Square, holds, quad_of


class Darkness:
    """How much is drawn in each square of a net, from 0 up: lines, and the ground of areas."""

    def __init__(self, mesh: float) -> None:
        self.mesh = mesh
        self._lines: dict[Square, float] = {}
        self._areas: dict[Square, float] = {}

    def _squares(self, left: float, top: float, right: float, bottom: float) -> Iterator[Square]:
        mesh = self.mesh
        for column in range(math.floor(left / mesh), math.floor(right / mesh) + 1):
            for row in range(math.floor(top / mesh), math.floor(bottom / mesh) + 1):
                yield column, row

    def add_line(self, points: Sequence[Point], weight: float, width: float = 0.0) -> None:
        # no square that the line only grazes: names run along lines
        reach = max(0.0, width / 2 - self.mesh / 2)
        for one, other in pairwise(points):
            steps = max(1, math.ceil(distance(one, other) / (self.mesh / 2)))
            for step in range(steps + 1):
                x, y = between(one, other, step / steps)
                for square in self._squares(x - reach, y - reach, x + reach, y + reach):
                    self._lines[square] = max(self._lines.get(square, 0.0), weight)

    def add_area(self, ring: Ring, weight: float) -> None:
        for square in self._squares(*box_of(ring)):
            if is_inside(self._middle(square), [ring]):
                self._areas[square] = max(self._areas.get(square, 0.0), weight)

    def _middle(self, square: Square) -> Point:
        return (square[0] + 0.5) * self.mesh, (square[1] + 0.5) * self.mesh

    def under(self, quads: Iterable[Quad]) -> tuple[float, float]:
        """Under some quads, the darkness of lines added up, and the mean of that of areas."""
        lines = areas = size = 0.0
        for quad in quads:
            left, top, right, bottom = box = box_of(quad)
            upright = quad == quad_of(box)
            for square in self._squares(*box):
                line, area = self._lines.get(square), self._areas.get(square)
                if (line or area) and (upright or holds(quad, self._middle(square))):
                    lines += line or 0.0
                    areas += area or 0.0
            size += (right - left) * (bottom - top) if upright else abs(signed_area(quad))
        return lines, areas * self.mesh**2 / size if size else 0.0


class Clearing:
    """Where no symbol may stand: names, strips along lines, and areas."""

    def __init__(self, mesh: float) -> None:
        self._mesh = mesh
        self._quads: dict[Square, list[Quad]] = {}
        self._strips: dict[Square, list[tuple[Point, Point, float]]] = {}
        self._areas: list[tuple[Ring, tuple[float, float, float, float]]] = []

    def _reached(self, box: tuple[float, float, float, float], more: float) -> Iterator[Square]:
        left, top, right, bottom = box
        for column in range(
            math.floor((left - more) / self._mesh), math.floor((right + more) / self._mesh) + 1
        ):
            for row in range(
                math.floor((top - more) / self._mesh), math.floor((bottom + more) / self._mesh) + 1
            ):
                yield column, row

    def add_quads(self, quads: Iterable[Quad]) -> None:
        for quad in quads:
            for square in self._reached(box_of(quad), self._mesh / 2):
                self._quads.setdefault(square, []).append(quad)

    def add_strip(self, points: Sequence[Point], width: float) -> None:
        for one, other in pairwise(points):
            for square in self._reached(box_of((one, other)), width / 2 + self._mesh / 2):
                self._strips.setdefault(square, []).append((one, other, width / 2))

    def add_area(self, ring: Ring) -> None:
        self._areas.append((ring, box_of(ring)))

    def is_free(self, point: Point, reach: float) -> bool:
        """Whether a symbol about a point stands free; `reach` is less than half of the mesh."""
        square = (math.floor(point[0] / self._mesh), math.floor(point[1] / self._mesh))
        for one, other, half in self._strips.get(square, ()):
            if to_segment(point, one, other)[0] < half + reach:
                return False
        for quad in self._quads.get(square, ()):
            if holds(quad, point) or _edge_near(quad, point, reach):
                return False
        x, y = point
        return not any(
            box[0] <= x <= box[2] and box[1] <= y <= box[3] and is_inside(point, [ring])
            for ring, box in self._areas
        )


def _edge_near(quad: Quad, point: Point, reach: float) -> bool:
    return any(to_segment(point, *side)[0] < reach for side in sides(quad))
