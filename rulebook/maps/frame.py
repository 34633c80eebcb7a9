"""The table -> the edge of its map: a grid, a border in feet, letters and figures; scale and north.

Letters run along the upper and lower edge, figures up both sides, so that every square of the grid
has a name: C4. Along the border light and dark change by half a square.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rulebook.maps.canvas import Canvas
from rulebook.maps.elements import lines_path, path, segments_path, words
from rulebook.maps.geometry import Box, Point, Segment
from rulebook.maps.letters import text_width
from rulebook.model.maps import Table
from rulebook.quantities import METRIC, MILLIMETRES, Length

FOOT = MILLIMETRES["ft"]
#: More squares along an edge are not told apart.
MOST_SQUARES = 24
#: The band around a map, mm times the grain: the border, and all with the letters.
BORDER, MARGIN = 0.95, 4.4
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares of a table from its south-west corner, `pitch` mm of the table each."""

    pitch: Fraction
    width: Fraction
    depth: Fraction
    metric: bool

    @property
    def columns(self) -> int:
        return math.ceil(self.width / self.pitch)

    @property
    def rows(self) -> int:
        return math.ceil(self.depth / self.pitch)

    @property
    def told(self) -> str:
        """How large a square is: 1 ft, 25 cm."""
        if self.metric:
            return str(Length(self.pitch / 10, "cm"))
        feet = self.pitch / FOOT
        whole = feet.denominator == 1
        return str(Length(feet, "ft") if whole else Length(feet * 12, "in"))

    def column(self, index: int) -> str:
        return _LETTERS[index % len(_LETTERS)]

    def square(self, x: Fraction, y: Fraction) -> str:
        """The name of the square of a point of the table; points on the edge are in the last."""
        across = min(max(int(x / self.pitch), 0), self.columns - 1)
        up = min(max(int(y / self.pitch), 0), self.rows - 1)
        return f"{self.column(across)}{up + 1}"


def grid_of(table: Table, pitch: Length | None = None) -> Grid:
    """The squares that the table has, or of another pitch; twice as large if too many."""
    square = pitch or table.square
    side, metric = square.mm, square.unit in METRIC
    width, depth = table.width.mm, table.depth.mm
    while max(width, depth) / side > MOST_SQUARES:
        side *= 2
    return Grid(side, width, depth, metric)


def _cuts(length: Fraction, pitch: Fraction, scale: Fraction) -> list[float]:
    """Where lines stand along an edge, on the page, with both its ends."""
    count = math.ceil(length / pitch)
    return [*(float(scale * pitch * index) for index in range(count)), float(scale * length)]


def draw_grid(grid: Grid, scale: Fraction, room: Box, canvas: Canvas) -> str:
    """Hairlines over the map, broken at names."""
    left, top, right, bottom = room
    lines: list[Segment] = [
        ((left + x, top), (left + x, bottom)) for x in _cuts(grid.width, grid.pitch, scale)[1:-1]
    ]
    lines += [
        ((left, bottom - y), (right, bottom - y))
        for y in _cuts(grid.depth, grid.pitch, scale)[1:-1]
    ]
    return path(
        segments_path(canvas.off_names(lines), places=4),
        stroke=canvas.look.dark("grid"),
        width=canvas.mm(0.13),
        dash=(canvas.mm(0.4), canvas.mm(0.8)) if canvas.look.ink == "low" else (),
    )


def draw_frame(grid: Grid, scale: Fraction, room: Box, canvas: Canvas, beyond: float = 0.0) -> str:
    """What reaches `beyond` the table is covered; then the border, its letters and figures."""
    look = canvas.look
    border, margin = canvas.mm(BORDER), canvas.mm(MARGIN)
    hidden = _ring(room, 0.0) + _ring(room, max(margin, beyond))
    dark = [lines_path(one, closed=True) for one in _halves(grid, scale, room, border)]
    ink = look.dark("ink")
    return (
        path(hidden, fill="#ffffff")
        + path("".join(dark), fill=ink)
        + path(_ring(room, 0.0), stroke=ink, width=canvas.mm(0.22))
        + path(_ring(room, border), stroke=ink, width=canvas.mm(0.3))
        + "".join(_names(grid, scale, room, canvas))
    )


def _ring(room: Box, away: float) -> str:
    left, top, right, bottom = room
    return lines_path(_corners((left - away, top - away, right + away, bottom + away)), closed=True)


def _corners(box: Box) -> list[Point]:
    left, top, right, bottom = box
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _halves(grid: Grid, scale: Fraction, room: Box, border: float) -> Iterator[list[Point]]:
    """Every second half of a square along all four edges."""
    left, top, right, bottom = room
    xs, ys = (_cuts(length, grid.pitch / 2, scale) for length in (grid.width, grid.depth))
    for start, end in list(pairwise(xs))[::2]:
        for y in (top - border, bottom):
            yield _corners((left + start, y, left + end, y + border))
    for start, end in list(pairwise(ys))[::2]:
        for x in (left - border, right):
            yield _corners((x, bottom - end, x + border, bottom - start))


def _names(grid: Grid, scale: Fraction, room: Box, canvas: Canvas) -> Iterator[str]:
    left, top, right, bottom = room
    size = canvas.mm(2.5)
    away = canvas.mm((BORDER + MARGIN) / 2)
    colour = canvas.look.dark("ink")

    def name(text: str, x: float, y: float) -> str:
        start = x - text_width(text, "roman", size) / 2
        return words(text, (start, y + 0.33 * size), size, colour=colour)

    xs = _cuts(grid.width, grid.pitch, scale)
    for index, (start, end) in enumerate(pairwise(xs)):
        if end - start > size:
            for y in (top - away, bottom + away):
                yield name(grid.column(index), left + (start + end) / 2, y)
    ys = _cuts(grid.depth, grid.pitch, scale)
    for index, (start, end) in enumerate(pairwise(ys)):
        if end - start > size:
            for x in (left - away, right + away):
                yield name(str(index + 1), x, bottom - (start + end) / 2)
