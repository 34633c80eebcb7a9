"""The outline of a hill or a lake -> the lines at some distances inside it, all the way round.

The distance to the outline is reckoned at the knots of a net, and the lines of equal distance are
followed through its meshes. So a hill of any shape has contours that never cross, and one with a
narrow waist falls into two tops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rulebook.maps.geometry import (
    Point,
    Ring,
    Segment,
    box_of,
    distance,
    sides,
    signed_area,
    to_segment,
)

#: Meshes along the longer side of a shape; across one that is thin, on the mean; and at most.
_MESHES, _ACROSS, _MOST_MESHES = 36, 5, 144
#: The edge of the net from a knot: to the right, or up.
_Edge = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Depths:
    """How deep inside its outline each knot of a net lies; outside it is less than nothing."""

    left: float
    low: float
    mesh: float
    columns: int
    rows: int
    values: tuple[float, ...]

    @classmethod
    def of(cls, ring: Ring) -> Depths:
        left, low, right, high = box_of(ring)
        mesh = _mesh_for(ring)
        columns = math.ceil((right - left) / mesh) + 3
        rows = math.ceil((high - low) / mesh) + 3
        left, low = left - mesh, low - mesh
        inside = _rows_inside(ring, low, mesh, rows)
        values: list[float] = []
        for row in range(rows):
            sides_by = _sides_from(ring, low + row * mesh)
            for column in range(columns):
                point = (left + column * mesh, low + row * mesh)
                odd = sum(x > point[0] for x in inside[row]) % 2
                # from knot to knot it gets no deeper than by the way between them
                most = values[-1] + 1.01 * mesh if column and values[-1] >= 0 else math.inf
                values.append(_depth(point, sides_by, most) if odd else -mesh)
        return cls(left, low, mesh, columns, rows, tuple(values))

    @property
    def deepest(self) -> float:
        return max(0.0, *self.values)

    def deepest_point(self) -> Point:
        index = self.values.index(max(self.values))
        row, column = divmod(index, self.columns)
        return self.left + column * self.mesh, self.low + row * self.mesh

    def value(self, column: int, row: int) -> float:
        return self.values[row * self.columns + column]

    def lines(self, depth: float) -> list[list[Point]]:
        """The closed lines at a depth, the longest first."""
        follow = self._steps(depth)
        found: list[list[Point]] = []
        while follow:
            first = edge = next(iter(follow))
            ring: list[Point] = []
            while edge in follow:
                ring.append(self._crossed(edge, depth))
                edge = follow.pop(edge)
            if edge == first and len(ring) >= 3:
                found.append(ring)
        return sorted(found, key=lambda ring: -sum(distance(*side) for side in sides(ring)))

    def _crossed(self, edge: _Edge, depth: float) -> Point:
        column, row, up = edge
        here = self.value(column, row)
        there = self.value(column + 1 - up, row + up)
        part = (depth - here) / (there - here)
        x, y = self.left + column * self.mesh, self.low + row * self.mesh
        return (x, y + part * self.mesh) if up else (x + part * self.mesh, y)

    def _steps(self, depth: float) -> dict[_Edge, _Edge]:
        """From each edge that the lines cross to the next, what is deeper on the left.

        These are marching squares: a line is in a mesh of whose knots some are deep and some not.
        """
        steps: dict[_Edge, _Edge] = {}
        deep = [value > depth for value in self.values]
        for row in range(self.rows - 1):
            low = row * self.columns
            high = low + self.columns
            for column in range(self.columns - 1):
                left, right = low + column, high + column
                knots = (deep[left], deep[left + 1], deep[right + 1], deep[right])
                if True in knots and False in knots:
                    steps.update(self._in_mesh(column, row, knots))
        return steps

    @staticmethod
    def _in_mesh(column: int, row: int, deep: Sequence[bool]) -> list[tuple[_Edge, _Edge]]:
        """Where lines come into a mesh and leave it, by which knots around it are deep enough."""
        edges: tuple[_Edge, ...] = (
            (column, row, 0),
            (column + 1, row, 1),
            (column, row + 1, 0),
            (column, row, 1),
        )
        # going round against the clock, a line comes in where it gets deep and leaves after it
        enters = [i for i in range(4) if not deep[i] and deep[(i + 1) % 4]]
        leaves = [i for i in range(4) if deep[i] and not deep[(i + 1) % 4]]
        pairs = []
        for start in leaves:
            ends = sorted(enters, key=lambda end: (end - start) % 4)
            pairs.append((edges[start], edges[ends[0]]))
        return pairs


def _mesh_for(ring: Ring) -> float:
    """How wide the meshes are: finer for a ridge or a bank than for a shape that is round."""
    left, low, right, high = box_of(ring)
    long = max(right - left, high - low)
    around = sum(distance(*side) for side in sides(ring))
    wide = 2 * abs(signed_area(ring)) / around if around else 0.0
    return max(min(long / _MESHES, wide / _ACROSS), long / _MOST_MESHES) or 1.0


#: The least a level is away from a side, from where to where the side goes, and the side.
_SideFrom = tuple[float, float, float, Segment]


def _sides_from(ring: Ring, y: float) -> list[_SideFrom]:
    """The sides of an outline as they are from a level, the nearest first."""
    found = []
    for side in sides(ring):
        (x1, y1), (x2, y2) = side
        away = max(0.0, min(y1, y2) - y, y - max(y1, y2))
        found.append((away, min(x1, x2), max(x1, x2), side))
    return sorted(found)


def _depth(point: Point, sides_by: list[_SideFrom], most: float) -> float:
    """How far a point is from an outline, which is known to be less than `most`."""
    best = most
    for away, left, right, side in sides_by:
        if away >= best:
            break
        if left - best < point[0] < right + best:
            best = min(best, to_segment(point, *side)[0])
    return best


def _rows_inside(ring: Ring, low: float, mesh: float, rows: int) -> list[list[float]]:
    """Where the outline crosses each row of the net."""
    crossed: list[list[float]] = [[] for _ in range(rows)]
    for (x1, y1), (x2, y2) in sides(ring):
        if y1 == y2:
            continue
        under, over = min(y1, y2), max(y1, y2)
        for row in range(
            # one more at each end, for a corner may lie on a row but for its last digit
            max(0, math.floor((under - low) / mesh)),
            min(rows - 1, math.ceil((over - low) / mesh)) + 1,
        ):
            y = low + row * mesh
            if (y1 > y) != (y2 > y):
                crossed[row].append(x1 + (y - y1) / (y2 - y1) * (x2 - x1))
    return crossed


def thinned(ring: Ring, apart: float) -> list[Point]:
    """A ring with points no nearer to each other than `apart`, at least three of them."""
    kept: list[Point] = []
    for point in ring:
        if not kept or distance(kept[-1], point) >= apart:
            kept.append(point)
    if len(kept) > 3 and distance(kept[0], kept[-1]) < apart / 2:
        kept.pop()
    return kept if len(kept) >= 3 else list(ring)


@lru_cache(maxsize=256)
def net_of(ring: tuple[Point, ...]) -> Depths:
    """The depths of a ring, reckoned once for its colours and for its lines."""
    return Depths.of(ring)
