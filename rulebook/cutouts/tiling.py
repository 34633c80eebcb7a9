"""A drawing larger than a sheet -> the windows of it that sheets of one paper show, at true scale.

Printers shrink or clip what comes near the edge, so 6 mm stay clear; check bars and footer have
a strip of their own at the left and below, on every sheet in the same place, so that they never
lie on the drawing. Neighbouring windows overlap by 10 mm and share registration marks there.
All lengths are in mm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rulebook.drawing.shapes import Number, Point
from rulebook.paper import PaperName, paper_size
from rulebook.quantities import QuantityError
from rulebook.translation import gettext

#: How long each bar is in truth, in mm.
TRUE_LENGTH = Fraction(100)
#: A reading farther off is a slip of the ruler, or a page that was fitted to the paper.
LEAST, MOST = Fraction(90), Fraction(110)
_AXES = ("x", "y")


@dataclass(frozen=True, slots=True)
class Correction:
    """What was read on the bars of 100 mm along the short (x) and the long (y) edge, in mm.

    Raises QuantityError for a reading that no printer gives.
    """

    x: Fraction = TRUE_LENGTH
    y: Fraction = TRUE_LENGTH

    def __post_init__(self) -> None:
        for axis, read in zip(_AXES, (self.x, self.y), strict=True):
            if not LEAST <= read <= MOST:
                raise QuantityError(
                    f"{axis} is {_decimals(read)} mm",
                    expected=f"what a ruler reads on the bar of 100 mm, from {LEAST} to {MOST} mm",
                    hint="print at 100 %, actual size, and measure the bar again",
                )

    def factors(self, *, landscape: bool) -> tuple[Fraction, Fraction]:
        """By how much all is drawn larger across a sheet and up it."""
        x, y = TRUE_LENGTH / self.x, TRUE_LENGTH / self.y
        return (y, x) if landscape else (x, y)

    @property
    def told(self) -> str:
        """What the sheet says of it; nothing where there is nothing to correct."""
        if self == PRINTS_TRUE:
            return ""
        x, y = (_decimals(read) for read in (self.x, self.y))
        return gettext("Corrected: bar x read %(x)s mm, y %(y)s mm.", x=x, y=y)


def _decimals(read: Fraction) -> str:
    """As a ruler is read: 99.2, not in quarters."""
    return f"{float(read):g}"


PRINTS_TRUE = Correction()


def bar_names(*, landscape: bool) -> tuple[str, str]:
    """The names of the bars across a sheet and up it."""
    return ("y", "x") if landscape else ("x", "y")


OVERLAP = Fraction(10)
#: Clear at all edges of the sheet.
CLEAR = Fraction(6)
#: The footer line at the bottom.
FOOTER = Fraction(9, 2)
#: Half the width of the strip of a check bar, which stands in its middle.
BAR_SIDE = Fraction(5)
#: Room around a window for the words that say which sheet joins there.
SEAM_ROOM = Fraction(4)
#: From the end of a seam to its outermost registration marks.
MARK_INSET = Fraction(5)


@dataclass(frozen=True, slots=True)
class Tile:
    """A window (x, y, width, height) of the drawing, and where on the sheet its top left corner is.

    Row and column count from 1.
    """

    row: int
    column: int
    x: Fraction
    y: Fraction
    width: Fraction
    height: Fraction
    left: Fraction
    top: Fraction


@dataclass(frozen=True, slots=True)
class Tiles:
    """The sheets of one drawing; `turned`: the drawing is laid on them a quarter turn clockwise.

    `marks` are the registration marks, in coordinates of the drawing (turned, where it is).
    """

    sheet_width: Fraction
    sheet_height: Fraction
    turned: bool
    rows: int
    columns: int
    tiles: tuple[Tile, ...]
    marks: tuple[tuple[Fraction, Fraction], ...]

    @property
    def landscape(self) -> bool:
        return self.sheet_width > self.sheet_height

    def label(self, tile: Tile) -> str:
        """`1 of 3`; where there are both rows and columns, also in which the tile is."""
        number = (tile.row - 1) * self.columns + tile.column
        told = gettext("%(number)s of %(count)s", number=number, count=len(self.tiles))
        if self.rows > 1 and self.columns > 1:
            told += gettext(", row %(row)s, column %(column)s", row=tile.row, column=tile.column)
        return told

    def marks_of(self, tile: Tile) -> list[tuple[Fraction, Fraction]]:
        """The registration marks that stand in the window of a tile."""
        return [
            (x, y)
            for x, y in self.marks
            if tile.x <= x <= tile.x + tile.width and tile.y <= y <= tile.y + tile.height
        ]


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on a sheet."""

    left: Fraction
    top: Fraction
    right: Fraction
    bottom: Fraction

    @property
    def width(self) -> Fraction:
        return self.right - self.left

    @property
    def height(self) -> Fraction:
        return self.bottom - self.top


def bar_corner(sheet_height: Fraction) -> Point:
    """Where the two check bars meet on a sheet: their common zero, at the lower left."""
    return (CLEAR + BAR_SIDE, sheet_height - CLEAR - FOOTER - BAR_SIDE)


def drawing_area(sheet_width: Fraction, sheet_height: Fraction) -> Area:
    """What the drawing may use: the sheet less its clear edges, bars, footer and room at seams."""
    return Area(
        CLEAR + 2 * BAR_SIDE + SEAM_ROOM,
        CLEAR + SEAM_ROOM,
        sheet_width - CLEAR - SEAM_ROOM,
        sheet_height - CLEAR - FOOTER - 2 * BAR_SIDE - SEAM_ROOM,
    )


def packing_area(
    paper: PaperName, correction: Correction = PRINTS_TRUE, *, landscape: bool
) -> Area:
    """What parts with their room for seams may use: a drawing area and the room around it."""
    area = drawing_area(*sheet_size(paper, correction, landscape=landscape))
    return Area(
        area.left - SEAM_ROOM, area.top - SEAM_ROOM, area.right + SEAM_ROOM, area.bottom + SEAM_ROOM
    )


@lru_cache(maxsize=64)
def sheet_size(
    paper: PaperName, correction: Correction = PRINTS_TRUE, *, landscape: bool
) -> tuple[Fraction, Fraction]:
    """Width and height of a sheet, in the millimetres that the corrected printer prints.

    Where it prints too small all is drawn larger, and a sheet has room for less. The clear edges
    stay as wide as they are.
    """
    sizes = paper_size(paper, landscape=landscape)
    factors = correction.factors(landscape=landscape)
    # 215.9 as a float is not 215.9; as it is written, it is
    lengths = (Fraction(str(size)) for size in sizes)
    width, height = (
        (length - 2 * CLEAR) / factor + 2 * CLEAR
        for length, factor in zip(lengths, factors, strict=True)
    )
    return width, height


def tile(
    width: Number, height: Number, paper: PaperName, correction: Correction = PRINTS_TRUE
) -> Tiles:
    """The fewest sheets that show a drawing of this size, a window of it on each.

    Of arrangements with as many sheets the one that leaves the drawing as it is comes first, then
    the one whose sheets lie as the drawing lies.
    """
    size = (Fraction(width), Fraction(height))
    wide = size[0] > size[1]
    choices = []
    for turned in (False, True):
        for landscape in (True, False):
            sheet = sheet_size(paper, correction, landscape=landscape)
            lying = size[::-1] if turned else size
            tiles = _arrange(lying, sheet, turned=turned)
            choices.append((len(tiles.tiles), turned, landscape != wide, tiles))
    return min(choices, key=lambda choice: choice[:3])[3]


def _arrange(
    size: tuple[Fraction, Fraction], sheet: tuple[Fraction, Fraction], *, turned: bool
) -> Tiles:
    area = drawing_area(*sheet)
    width, xs = _windows(size[0], area.width)
    height, ys = _windows(size[1], area.height)
    left = area.left + (area.width - width) / 2
    top = area.top + (area.height - height) / 2
    tiles = tuple(
        Tile(row, column, x, y, width, height, left, top)
        for row, y in enumerate(ys, 1)
        for column, x in enumerate(xs, 1)
    )
    return Tiles(*sheet, turned, len(ys), len(xs), tiles, _marks(size, xs, ys))


def _windows(length: Fraction, room: Fraction) -> tuple[Fraction, list[Fraction]]:
    """Equal windows along one direction: how long each is, and where each begins."""
    count = 1 if length <= room else math.ceil((length - OVERLAP) / (room - OVERLAP))
    window = (length + (count - 1) * OVERLAP) / count
    return window, [index * (window - OVERLAP) for index in range(count)]


def _marks(
    size: tuple[Fraction, Fraction], xs: list[Fraction], ys: list[Fraction]
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Marks in the middle of every seam: near both its ends and where it crosses another."""
    seams_x = [x + OVERLAP / 2 for x in xs[1:]]
    seams_y = [y + OVERLAP / 2 for y in ys[1:]]
    ends_x, ends_y = (
        (min(MARK_INSET, length / 2), max(length - MARK_INSET, length / 2)) for length in size
    )
    down = {(x, y) for x in seams_x for y in (*seams_y, *ends_y)}
    across = {(x, y) for y in seams_y for x in (*seams_x, *ends_x)}
    return tuple(sorted(down | across))
