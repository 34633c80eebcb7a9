"""The table -> the edge of its map: a grid, a border in feet, letters and figures; scale and north.

Letters run along the upper and lower edge, figures up both sides, so that every square of the grid
has a name: C4. Along the border light and dark change by half a square. Hexes have their names in
them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

from rulebook.drawing.elements import Box, Drawn, Point
from rulebook.maps.canvas import Canvas, centred, joined, lines_path, segments_path, words
from rulebook.maps.geometry import Quad, Segment, is_inside, quad_of, turned
from rulebook.model.maps import Table, TableScale
from rulebook.quantities import METRIC, MILLIMETRES, Length
from rulebook.text_fitting import text_width
from rulebook.translation import gettext, gettext_noop
from rulebook.typefaces import SERIF, SERIF_BOLD

FOOT = MILLIMETRES["ft"]
#: The most squares along an edge that are still easy to tell from each other.
MOST_SQUARES = 24
#: The band around a map, mm times the grain: the border, and all with the letters; and beyond it
#: the names of entries, at the edges that have any.
BORDER, MARGIN, ENTRIES = 0.95, 4.4, 3.6
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """The squares of a table, counted from its south-west corner; `pitch` is their side in mm."""

    pitch: Fraction
    width: Fraction
    depth: Fraction
    metric: bool

    words: ClassVar[str] = gettext_noop("Squares of %(length)s")
    of_table: ClassVar[str] = gettext_noop(
        "Map of a table %(width)s by %(depth)s, squares of %(length)s"
    )

    @property
    def columns(self) -> int:
        return math.ceil(self.width / self.pitch)

    @property
    def rows(self) -> int:
        return math.ceil(self.depth / self.pitch)

    @property
    def in_words(self) -> str:
        """The side of a square in words: 1 ft, 25 cm."""
        if self.metric:
            return str(Length(self.pitch / 10, "cm"))
        feet = self.pitch / FOOT
        whole = feet.denominator == 1
        return str(Length(feet, "ft") if whole else Length(feet * 12, "in"))

    def column(self, index: int) -> str:
        return _LETTERS[index % len(_LETTERS)]

    def middles(self) -> Iterator[tuple[str, Point]]:
        """Yields each square's name and middle, in mm from the west and the south edge.

        The squares are listed column by column, each from the south.
        """
        pitch = float(self.pitch)
        for across in range(self.columns):
            for up in range(self.rows):
                yield f"{self.column(across)}{up + 1}", ((across + 0.5) * pitch, (up + 0.5) * pitch)

    def within(self, outline: Sequence[Point]) -> list[str]:
        """Lists the squares or hexes whose middles lie in an outline on the table, in mm."""
        return [name for name, middle in self.middles() if is_inside(middle, (outline,))]

    def square(self, x: Fraction, y: Fraction) -> str:
        """Returns the name of the square that contains a point of the table.

        A point on the east or north edge belongs to the last square.
        """
        across = min(max(int(x / self.pitch), 0), self.columns - 1)
        up = min(max(int(y / self.pitch), 0), self.rows - 1)
        return f"{self.column(across)}{up + 1}"


#: Middles and corners of hexes lie on a net: its mesh, where a hex is 1 from side to side, and the
#: corners about a middle.
_MESH = (1 / math.sqrt(12), 0.5)
_CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
#: What may be lacking of the room for one more hex, for a width is typed in round figures.
_LACKING = 0.05
#: The name of a hex and the line around it, as parts of its width; names of less mm do not print.
_OF_NAME, _OF_LINE, LEAST_NAME = 0.2, 0.008, 2.0
#: Where in a hex its name can stand, from the middle and in parts of the width: a corner each.
_IN_HEX = ((-0.16, -0.38), (0.16, -0.38), (-0.16, 0.38), (0.16, 0.38), (0.4, 0.0), (-0.4, 0.0))


@dataclass(frozen=True, slots=True)
class Hexes(SquareGrid):
    """Hexes in columns, `pitch` mm from side to side; every second column is half a hex higher."""

    words: ClassVar[str] = gettext_noop("Hexes of %(length)s")
    of_table: ClassVar[str] = gettext_noop(
        "Map of a table %(width)s by %(depth)s, hexes of %(length)s"
    )

    @property
    def columns(self) -> int:
        meshes = (float(self.width / self.pitch) + _LACKING) / _MESH[0]
        return max(1, math.floor((meshes - 1) / 3))

    @property
    def rows(self) -> int:
        return max(1, math.floor(float(self.depth / self.pitch) - 0.5 + _LACKING))

    def column(self, index: int) -> str:
        return _LETTERS[index % len(_LETTERS)] * (1 + index // len(_LETTERS))

    def on_net(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yields each hex's name and the point of the net at which its middle lies.

        The net contains the middles and corners of all hexes.
        """
        for column in range(self.columns):
            for row in range(self.rows):
                yield f"{self.column(column)}{row + 1}", (2 + 3 * column, 1 + 2 * row + column % 2)

    def place(self, of_net: tuple[int, int]) -> Point:
        """Converts a point of the net of hexes to mm from the west and south edges of the table."""
        pitch = float(self.pitch)
        return of_net[0] * _MESH[0] * pitch, of_net[1] * _MESH[1] * pitch

    def middles(self) -> Iterator[tuple[str, Point]]:
        """Yields each hex's name and middle, in mm from the west and the south edge."""
        return ((name, self.place(of_net)) for name, of_net in self.on_net())

    def square(self, x: Fraction, y: Fraction) -> str:
        """Returns the name of the hex whose middle is nearest to a point of the table."""
        return min(self.middles(), key=lambda named: math.dist(named[1], (float(x), float(y))))[0]


def grid_of(table: Table) -> SquareGrid:
    """Returns the grid of a table: its hexes if it has any, otherwise its squares.

    The side of squares is doubled until there are at most `MOST_SQUARES` of them along an edge.
    """
    side, metric = table.square.mm, table.square.unit in METRIC
    width, depth = table.width.mm, table.depth.mm
    if table.hexes is not None:
        return Hexes(side, width, depth, metric)
    while max(width, depth) / side > MOST_SQUARES:
        side *= 2
    return SquareGrid(side, width, depth, metric)


@dataclass(frozen=True, slots=True)
class Margins:
    """The widths of the margins around the table on its map, in mm of the page."""

    left: Fraction
    top: Fraction
    right: Fraction
    bottom: Fraction

    @property
    def wide(self) -> Fraction:
        return self.left + self.right

    @property
    def high(self) -> Fraction:
        return self.top + self.bottom


def margins(angles: Collection[float], mm: Callable[[float], float]) -> Margins:
    """Computes the margins around a map, which are wider at edges where troops enter.

    `angles` are those of the entries' arrows, in degrees; `mm` scales a length by the map's grain.
    """

    def of(angle: float) -> Fraction:
        return Fraction(str(round(mm(MARGIN + (ENTRIES if angle in angles else 0.0)), 4)))

    return Margins(of(0.0), of(90.0), of(180.0), of(270.0))


def _cuts(length: Fraction, pitch: Fraction, scale: Fraction) -> list[float]:
    """Returns the positions of grid lines along an edge, in mm of the page, both ends included."""
    count = math.ceil(length / pitch)
    return [*(float(scale * pitch * index) for index in range(count)), float(scale * length)]


def draw_grid(grid: SquareGrid, scale: Fraction, room: Box, canvas: Canvas) -> Drawn:
    """Draws the grid, broken at names: the sides of hexes, or hairlines between squares."""
    if isinstance(grid, Hexes):
        return draw_hexes(grid, scale, room, canvas)
    lines = canvas.off_names(grid_lines(grid, scale, room))
    return canvas.path(
        segments_path(lines, places=4),
        stroke="grid",
        width=0.13,
        dash=(0.4, 0.8) if canvas.look.ink == "low" else (),
    )


def grid_lines(grid: SquareGrid, scale: Fraction, room: Box) -> list[Segment]:
    """Returns the lines between squares on the page, without the edges of the table."""
    left, top, right, bottom = room
    xs, ys = (_cuts(length, grid.pitch, scale)[1:-1] for length in (grid.width, grid.depth))
    return [
        *(((left + x, top), (left + x, bottom)) for x in xs),
        *(((left, bottom - y), (right, bottom - y)) for y in ys),
    ]


@dataclass(frozen=True, slots=True)
class HexName:
    """The name of a hex, its middle on the page and the size of its type, mm."""

    name: str
    at: Point
    size: float

    @property
    def quad(self) -> Quad:
        """The quad that the name covers, with a little room around it."""
        half = text_width(self.name, self.size, SERIF) / 2 + 0.15 * self.size
        (x, y), high = self.at, 0.55 * self.size
        return quad_of((x - half, y - high, x + half, y + high))


def hex_names(grid: Hexes, scale: Fraction, room: Box, canvas: Canvas) -> Iterator[list[HexName]]:
    """Yields for each hex a list of the possible places for its name, the usual place first.

    Yields nothing if the names would be too small to print.
    """
    pitch = float(scale * grid.pitch)
    size = min(canvas.mm(2.5), _OF_NAME * pitch)
    for name, (x, y) in grid.middles() if size > LEAST_NAME else ():
        left, top = room[0] + float(scale) * x, room[3] - float(scale) * y
        yield [HexName(name, (left + dx * pitch, top + dy * pitch), size) for dx, dy in _IN_HEX]


def draw_hexes(grid: Hexes, scale: Fraction, room: Box, canvas: Canvas) -> Drawn:
    """Draws the sides of all hexes, each side once and broken at names."""

    def on_page(of_net: tuple[int, int]) -> Point:
        x, y = grid.place(of_net)
        return room[0] + float(scale) * x, room[3] - float(scale) * y

    rings = ([(x + dx, y + dy) for dx, dy in _CORNERS] for _, (x, y) in grid.on_net())
    sides = {(min(two), max(two)) for ring in rings for two in pairwise([*ring, ring[0]])}
    lines = [(on_page(start), on_page(end)) for start, end in sorted(sides)]
    width = min(0.16, _OF_LINE * float(scale * grid.pitch) / canvas.mm(1))
    return canvas.path(segments_path(canvas.off_names(lines), places=4), stroke="ink", width=width)


def draw_frame(
    grid: SquareGrid, scale: Fraction, room: Box, canvas: Canvas, beyond: float = 0.0
) -> Drawn:
    """Draws the border around the table, with letters and figures, and covers what lies outside it.

    `beyond` is how far lines of the map may extend over the edges, in mm. Around hexes the border
    is only a line.
    """
    border, margin = canvas.mm(BORDER), canvas.mm(MARGIN)
    hidden = _ring(room, 0.0) + _ring(room, max(margin, beyond))
    if isinstance(grid, Hexes):
        edge = canvas.path(_ring(room, 0.0), stroke="ink", width=0.3)
        return canvas.path(hidden, fill="white") + edge
    dark = [lines_path(half, closed=True) for half in _halves(grid, scale, room, border)]
    return (
        canvas.path(hidden, fill="white")
        + canvas.path("".join(dark), fill="ink")
        + canvas.path(_ring(room, 0.0), stroke="ink", width=0.22)
        + canvas.path(_ring(room, border), stroke="ink", width=0.3)
        + joined(_names(grid, scale, room, canvas))
    )


def _ring(room: Box, away: float) -> str:
    left, top, right, bottom = room
    return lines_path(quad_of((left - away, top - away, right + away, bottom + away)), closed=True)


def _halves(grid: SquareGrid, scale: Fraction, room: Box, border: float) -> Iterator[Quad]:
    """Yields the dark fields of the border, each half as long as a square, along all four edges.

    Between them are light fields of the same length.
    """
    left, top, right, bottom = room
    xs, ys = (_cuts(length, grid.pitch / 2, scale) for length in (grid.width, grid.depth))
    for start, end in list(pairwise(xs))[::2]:
        for y in (top - border, bottom):
            yield quad_of((left + start, y, left + end, y + border))
    for start, end in list(pairwise(ys))[::2]:
        for x in (left - border, right):
            yield quad_of((x, bottom - end, x + border, bottom - start))


def _names(grid: SquareGrid, scale: Fraction, room: Box, canvas: Canvas) -> Iterator[Drawn]:
    left, top, right, bottom = room
    size = canvas.mm(2.5)
    away = canvas.mm((BORDER + MARGIN) / 2)
    colour = canvas.look.colour("ink")

    xs = _cuts(grid.width, grid.pitch, scale)
    for index, (start, end) in enumerate(pairwise(xs)):
        if end - start > size:
            for y in (top - away, bottom + away):
                yield centred(
                    grid.column(index), (left + (start + end) / 2, y), size, colour=colour
                )
    ys = _cuts(grid.depth, grid.pitch, scale)
    for index, (start, end) in enumerate(pairwise(ys)):
        if end - start > size:
            for x in (left - away, right + away):
                yield centred(str(index + 1), (x, bottom - (start + end) / 2), size, colour=colour)


#: Lengths of which a bar is a whole one, by the unit of the table.
_NICE: dict[str, tuple[int, ...]] = {
    "in": (1, 2, 4, 6, 12, 24, 36, 48, 72, 96),
    "cm": (1, 2, 5, 10, 20, 50, 100, 200),
}
_STEPS = (1, 2, 5)
BAR_HIGH, BAR_LINE, _SIZE = 1.1, 4.9, 2.5
NORTH_HIGH = 9.0


@dataclass(frozen=True, slots=True)
class ScaleBar:
    """A scale bar: its length on the page in mm, in how many parts it is divided, and its texts.

    `end` is the text at its end and begins with the `figure`, which is centred there.
    """

    length: float
    parts: int
    middle: str
    figure: str
    end: str


def strip_height(bars: int) -> float:
    """Computes the height of the strip with scale bars and the north arrow below a map.

    `bars` is the number of scale bars; the height is in mm times the grain.
    """
    return max(NORTH_HIGH, BAR_LINE * bars + 1.5) + 1.5


def bars_for(
    scale: Fraction, room: float, *, metric: bool, ground: TableScale | None = None
) -> list[ScaleBar]:
    """Makes the scale bars of a map: one for the table and, with `ground`, one for the ground.

    Each is the longest round length that fits into `room` mm. `ground` is the scale of the table to
    the ground that it represents.
    """
    unit = "cm" if metric else "in"
    step = scale * Length(Fraction(1), "cm" if metric else "in").mm
    longest = max([nice for nice in _NICE[unit] if nice * step <= room], default=1)
    bars = [_bar(longest, float(longest * step), unit, gettext_noop("%(length)s of table"))]
    if ground is not None:
        ratio = ground.ground.mm / ground.length.mm
        step = scale * Length(Fraction(1), ground.ground.unit).mm / ratio
        nice = _longest(room, float(step))
        bars.append(
            _bar(nice, float(nice * step), ground.ground.unit, gettext_noop("%(length)s of ground"))
        )
    return bars


def _longest(room: float, step: float) -> int:
    """Returns the largest of the numbers 1, 2, 5, 10, 20, ... of steps that fit into `room`.

    `room` and the length of a `step` are in mm. Returns 1 if no step fits.
    """
    found, power = 1, 1
    while power * step <= room:
        found = max(found, *(power * nice for nice in _STEPS if power * nice * step <= room))
        power *= 10
    return found


def _bar(number: int, length: float, unit: str, of: str) -> ScaleBar:
    def length_text(value: Fraction) -> str:
        return str(Length(value, unit))  # type: ignore[arg-type]

    half = Fraction(number, 2)
    middle = length_text(half) if half.denominator == 1 or number == 1 else ""
    parts = 4 if number % 4 == 0 or number == 2 else 5 if number % 5 == 0 else 2
    return ScaleBar(
        length,
        parts,
        middle,
        length_text(Fraction(number)),
        gettext(of, length=length_text(Fraction(number))),
    )


def draw_bars(bars: Sequence[ScaleBar], at: Point, canvas: Canvas) -> Drawn:
    """Draws scale bars below each other; `at` is the lower left end of the first."""
    drawn, ink = [], canvas.look.colour("ink")
    size, high = canvas.mm(_SIZE), canvas.mm(BAR_HIGH)
    for number, bar in enumerate(bars):
        x, y = at[0], at[1] + canvas.mm(BAR_LINE) * number
        for part in range(bar.parts):
            left, right = (x + bar.length * (part + side) / bar.parts for side in (0, 1))
            d = lines_path(quad_of((left, y - high, right, y)), closed=True)
            fill = "white" if part % 2 else "ink"
            drawn.append(canvas.path(d, fill=fill, stroke="ink", width=0.18))
        above = y - high - canvas.mm(0.6)
        for text, way in (("0", 0.0), (bar.middle, 0.5)):
            start = x + way * bar.length - text_width(text, size, SERIF) / 2
            drawn.append(words(text, (start, above), size, colour=ink) if text else ())
        first = text_width(bar.figure, size, SERIF) / 2
        drawn.append(words(bar.end, (x + bar.length - first, above), size, colour=ink))
    return joined(drawn)


def draw_north(centre: Point, bearing: float, canvas: Canvas) -> Drawn:
    """Draws an arrow to the north, one half dark, with the letter N at its point.

    `bearing` is its direction in degrees clockwise from upward.
    """
    long, half = canvas.mm(NORTH_HIGH / 2 - 1.6), canvas.mm(1.15)
    above = (0.0, -long - canvas.mm(1.5))
    shape = ((0.0, -long), (half, long), (0.0, 0.55 * long), (-half, long), above)
    point, right, notch, left, letter = turned(shape, bearing, centre)
    size, ink = canvas.mm(2.6), canvas.look.colour("ink")
    drawn = [
        canvas.path(
            lines_path((point, foot, notch), closed=True), fill=fill, stroke="ink", width=0.2
        )
        for foot, fill in ((right, "ink"), (left, "white"))
    ]
    return joined(drawn) + centred("N", letter, size, face=SERIF_BOLD, colour=ink)
