"""Names and the places where each could stand -> where each stands, so that none covers another.

The method. Every name brings its candidates: the quads its letters would take, and what that place
costs, for it is far from its thing, bends sharply or lies on lines. A candidate that leaves the map
or covers what is fixed there is struck out. Then

1. names are taken by their weight, of equal ones first that with the fewest candidates, and each
   has the cheapest candidate that is still free;
2. in rounds, each name moves to a cheaper candidate that has become free, and each that has found
   no place takes one from up to two others of no more weight that can go elsewhere;
3. this ends when a round changes nothing, after MOST_ROUNDS at the latest; on a crowded map the
   others are moved so many times in all and no more, so that time grows with the names.

There is no chance in it: the same names have the same places. What finds none is told apart; the
map gives it a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rulebook.maps.geometry import (
    Box,
    Point,
    Quad,
    Ring,
    Track,
    between,
    box_of,
    distance,
    holds,
    in_box,
    quad_of,
    ribbon,
    sides,
    signed_area,
)

Square = tuple[int, int]
MOST_ROUNDS = 5
#: Of each name the cheapest that are free of what is fixed; and of those, how many it tries to
#: have cleared by moving so many others.
MOST_CANDIDATES, MOST_TRIED, MOST_MOVED = 80, 24, 2
#: How often others are moved in all, on a map of few names, and for each name on one of many.
_MOVES, _MOVES_EACH = 500, 4
_FIXED = -1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place for a name: what it takes of the map, and what is bad about it."""

    quads: tuple[Quad, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """A name by its candidates; the heavier is placed first."""

    candidates: tuple[Candidate, ...]
    weight: float = 1.0


def place(
    wanted: Sequence[Wanted], room: Box, fixed: Sequence[Quad] = (), *, mesh: float = 8.0
) -> list[int | None]:
    """For each name the number of its candidate, or None.

    `fixed` is what no name may cover; `mesh` is about the size of a name and matters for speed
    alone.
    """
    return _Placing(wanted, room, fixed, mesh).result()


class _Placing:
    def __init__(
        self, wanted: Sequence[Wanted], room: Box, fixed: Sequence[Quad], mesh: float
    ) -> None:
        self._wanted = wanted
        self._taken = PlateIndex(mesh)
        self._taken.add(_FIXED, map(Plate.of, fixed))
        self._chosen: list[int | None] = [None] * len(wanted)
        self._moves = max(_MOVES, _MOVES_EACH * len(wanted))
        self._plates: list[dict[int, tuple[Plate, ...]]] = []
        self._open: list[list[int]] = []
        for one in wanted:
            plates = {
                number: tuple(map(Plate.of, candidate.quads))
                for number, candidate in enumerate(one.candidates)
                if all(in_box(quad, room) for quad in candidate.quads)
            }
            costs = [candidate.cost for candidate in one.candidates]
            free = [number for number, there in plates.items() if self._taken.is_free(there)]
            self._open.append(sorted(free, key=costs.__getitem__)[:MOST_CANDIDATES])
            self._plates.append(plates)

    def result(self) -> list[int | None]:
        order = sorted(
            range(len(self._wanted)),
            key=lambda name: (-self._wanted[name].weight, len(self._open[name]), name),
        )
        for name in order:
            self._settle(name)
        for _ in range(MOST_ROUNDS):
            moved = [name for name in order if self._better(name)]
            freed = [name for name in order if self._chosen[name] is None and self._make_room(name)]
            if not moved and not freed:
                break
        return self._chosen

    def _put(self, name: int, number: int) -> None:
        self._chosen[name] = number
        self._taken.add(name, self._plates[name][number])

    def _lift(self, name: int) -> int | None:
        number = self._chosen[name]
        if number is not None:
            self._taken.remove(name, self._plates[name][number])
            self._chosen[name] = None
        return number

    def _settle(self, name: int) -> bool:
        """Puts a name to its cheapest candidate that is free."""
        for number in self._open[name]:
            if self._taken.is_free(self._plates[name][number]):
                self._put(name, number)
                return True
        return False

    def _better(self, name: int) -> bool:
        """Moves a name to a cheaper candidate than it has, if one has become free."""
        for number in self._open[name]:
            if number == self._chosen[name]:
                return False
            if self._taken.is_free(self._plates[name][number], but=name):
                self._lift(name)
                self._put(name, number)
                return True
        return False

    def _make_room(self, name: int) -> bool:
        weight = self._wanted[name].weight
        for number in self._open[name][:MOST_TRIED]:
            if self._moves == 0:
                return False
            others = sorted(self._taken.met(self._plates[name][number], MOST_MOVED))
            if len(others) > MOST_MOVED or any(self._wanted[o].weight > weight for o in others):
                continue
            if self._moved_away(name, number, others):
                return True
        return False

    def _moved_away(self, name: int, number: int, others: Sequence[int]) -> bool:
        """Puts a name to a candidate and those that are there elsewhere, or all as it was."""
        self._moves -= 1
        before = [(other, self._lift(other)) for other in others]
        self._put(name, number)
        if all(self._settle(other) for other in others):
            return True
        for other in (name, *others):
            self._lift(other)
        for other, where in before:
            if where is not None:
                self._put(other, where)
        return False


def _parted(one: Quad, other: Quad) -> bool:
    for (x1, y1), (x2, y2) in sides(one):
        across, down = y2 - y1, x1 - x2
        own = [x * across + y * down for x, y in one]
        others = [x * across + y * down for x, y in other]
        slack = 1e-9 * (abs(across) + abs(down))
        if max(own) <= min(others) + slack or max(others) <= min(own) + slack:
            return True
    return False


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
