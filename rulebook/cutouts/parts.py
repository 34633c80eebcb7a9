"""The pieces of cutouts -> parts: the rectangles with which sheets of one paper are packed.

A piece that fits a sheet is one part, which may be laid a quarter turned. A larger one is cut into
windows, each a part with room around it for its seams. Where several cutouts share the sheets,
their parts carry their names; many small pieces of one cutout are then a block with one name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from rulebook.cutouts.packing import Packed, Size, pack
from rulebook.cutouts.tiling import (
    MARK_INSET,
    SEAM_ROOM,
    Correction,
    Tile,
    Tiles,
    packing_area,
    tile,
)
from rulebook.drawing.shapes import Circle, Drawing, Label, Line, Shape
from rulebook.paper import PaperName
from rulebook.quantities import QuantityError
from rulebook.text_fitting import largest_size, text_width

#: More windows than this are not glued together for one piece.
MOST_WINDOWS = 60
#: The largest paper that sheets are made for.
LARGEST_PAPER: PaperName = "a3"
#: Half the length of the arms of a registration mark.
MARK_ARM = Fraction(4)
#: Between the cut lines of two pieces on a sheet a knife has room: this around each, and the gap.
PIECE_ROOM = Fraction(1)
PART_GAP = Fraction(1)
#: The line above a part that names it, and its type.
CAPTION_ROOM = Fraction(4)
CAPTION_SIZE, SMALLEST = 2.9, 2.1
#: The name of a part that is narrower makes it as wide as this at most.
CAPTION_WIDTH = 60.0


@dataclass(frozen=True, slots=True)
class Pieces:
    """A cutout as it is packed: its title and all that is cut out."""

    title: str
    drawings: tuple[Drawing, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """What is kept free at both sides of a window, and above and below it, in mm."""

    across: Fraction
    down: Fraction


@dataclass(frozen=True, slots=True)
class View:
    """A window of a drawing, or all of it; the drawing lies turned where its tiles say so."""

    drawing: Drawing
    tiles: Tiles
    tile: Tile

    @property
    def whole(self) -> bool:
        return len(self.tiles.tiles) == 1

    @property
    def room(self) -> Room:
        """For the words of the seams, for the arms of marks on a thin piece, for a knife.

        The first and the last window keep as much as those between, so that all are alike.
        """
        part, tiles = self.tile, self.tiles
        across = down = PIECE_ROOM
        if tiles.columns > 1:
            down = max(down, MARK_ARM - min(MARK_INSET, part.height / 2))
            across = SEAM_ROOM
        if tiles.rows > 1:
            across = max(across, MARK_ARM - min(MARK_INSET, part.width / 2))
            down = SEAM_ROOM
        return Room(across, down)

    @property
    def size(self) -> Size:
        """Width and height of the window with its room."""
        room = self.room
        return self.tile.width + 2 * room.across, self.tile.height + 2 * room.down

    def standing(self, left: Fraction, top: Fraction) -> View:
        """The same window with its top left corner elsewhere."""
        return replace(self, tile=replace(self.tile, left=left, top=top))


@dataclass(frozen=True, slots=True)
class Standing:
    """A view in a part: where the rectangle of its window and room is; turned by a quarter."""

    view: View
    x: Fraction
    y: Fraction
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle of a sheet and what stands in it, below the line that names it, if any.

    `number` is that of a window among those of its piece: `2 of 3`.
    """

    title: str
    number: str
    captioned: bool
    width: Fraction
    height: Fraction
    views: tuple[Standing, ...]

    @property
    def size(self) -> Size:
        return (self.width, self.height)


def parts_of(cutouts: Sequence[Pieces], paper: PaperName, correction: Correction) -> list[Part]:
    """All parts of the cutouts, in their order.

    Raises QuantityError where a piece takes more than MOST_WINDOWS.
    """
    named = len(cutouts) > 1
    parts: list[Part] = []
    for cutout in cutouts:
        whole: list[View] = []
        windows: list[Part] = []
        large = 0
        for drawing in cutout.drawings:
            tiles = _tiles(Fraction(drawing.width), Fraction(drawing.height), paper, correction)
            if len(tiles.tiles) == 1:
                whole.append(whole_view(drawing, tiles))
                continue
            large += 1
            windows += _windows(drawing, tiles, f", piece {large}" if large > 1 else "")
            if len(tiles.tiles) > MOST_WINDOWS:
                raise _too_many(drawing, paper, len(tiles.tiles))
        if named and len(whole) > 1:
            parts += _blocks(cutout.title, whole, paper, correction)
        else:
            parts += (_part(view.drawing.title, "", view, captioned=named) for view in whole)
        parts += windows
    return parts


@lru_cache(maxsize=256)
def _tiles(width: Fraction, height: Fraction, paper: PaperName, correction: Correction) -> Tiles:
    return tile(width, height, paper, correction)


def _too_many(drawing: Drawing, paper: PaperName, count: int) -> QuantityError:
    larger = len(tile(drawing.width, drawing.height, LARGEST_PAPER).tiles)
    advice = (
        f"choose a larger paper ({LARGEST_PAPER} takes {larger})"
        if larger <= MOST_WINDOWS
        else "make it smaller, or have its SVG plotted in one piece"
    )
    return QuantityError.of(
        "R606 cutout takes many sheets",
        title=drawing.title,
        count=count,
        paper=paper,
        most=MOST_WINDOWS,
        advice=advice,
    )


def whole_view(drawing: Drawing, tiles: Tiles) -> View:
    """All of a drawing as it is, not turned."""
    width, height = Fraction(drawing.width), Fraction(drawing.height)
    zero = Fraction(0)
    there = Tile(1, 1, zero, zero, width, height, zero, zero)
    return View(drawing, replace(tiles, turned=False, tiles=(there,)), there)


def _windows(drawing: Drawing, tiles: Tiles, which: str) -> Iterator[Part]:
    laid = drawing.turned() if tiles.turned else drawing
    for one in tiles.tiles:
        view = View(laid, tiles, one)
        yield _part(drawing.title + which, tiles.label(one), view, captioned=True)


def _part(title: str, number: str, view: View, *, captioned: bool) -> Part:
    """A part with one view; wide enough for the number of a window."""
    width, height = view.size
    if captioned:
        height += CAPTION_ROOM
        wanted = min(CAPTION_WIDTH, text_width(f"{title}, {number}", SMALLEST))
        width = max(width, Fraction(wanted).limit_denominator(100))
    below = CAPTION_ROOM if captioned else Fraction(0)
    return Part(title, number, captioned, width, height, (Standing(view, Fraction(0), below),))


def _blocks(
    title: str, views: Sequence[View], paper: PaperName, correction: Correction
) -> Iterator[Part]:
    """The small pieces of a cutout, packed by themselves, with its name above each block."""
    sizes = [view.size for view in views]
    areas = [
        (area.width, area.height - CAPTION_ROOM)
        for area in (packing_area(paper, correction, landscape=lies) for lies in (False, True))
    ]
    for block in pack(sizes, areas, gap=PART_GAP):
        standing = tuple(
            Standing(views[one.index], one.x, one.y + CAPTION_ROOM, one.turned)
            for one in block.placed
        )
        width, height = extent(block, sizes)
        wanted = min(CAPTION_WIDTH, text_width(title, SMALLEST))
        width = max(width, Fraction(wanted).limit_denominator(100))
        yield Part(title, "", True, width, height + CAPTION_ROOM, standing)


def extent(sheet: Packed, sizes: Sequence[Size]) -> Size:
    """How far from the top left corner of its area the rectangles of a sheet reach."""
    ends = []
    for one in sheet.placed:
        width, height = sizes[one.index][::-1] if one.turned else sizes[one.index]
        ends.append((one.x + width, one.y + height))
    return max(x for x, _ in ends), max(y for _, y in ends)


SEAM_SIZE = 3.2
#: The radius of the circle of a registration mark.
MARK_RADIUS = Fraction(3, 2)


def marks(view: View) -> Iterator[Shape]:
    """A cross in a circle wherever two windows show the same point."""
    part = view.tile
    for mark_x, mark_y in view.tiles.marks_of(part):
        x, y = part.left + mark_x - part.x, part.top + mark_y - part.y
        yield Line("engrave", x - MARK_ARM, y, x + MARK_ARM, y)
        yield Line("engrave", x, y - MARK_ARM, x, y + MARK_ARM)
        yield Circle("engrave", x, y, MARK_RADIUS)


def seams(view: View) -> Iterator[Shape]:
    """A dashed line where the window ends within the drawing, and the window that goes on there."""
    part, tiles = view.tile, view.tiles
    left, top = part.left, part.top
    right, bottom = left + part.width, top + part.height
    number = (part.row - 1) * tiles.columns + part.column
    away = SEAM_ROOM / 2
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    wide, high = view.size
    if part.column > 1:
        yield Line("engrave", left, top, left, bottom, dashed=True)
        yield from _joins(tiles, number - 1, high, (left - away, middle_y), -90)
    if part.column < tiles.columns:
        yield Line("engrave", right, top, right, bottom, dashed=True)
        yield from _joins(tiles, number + 1, high, (right + away, middle_y), 90)
    if part.row > 1:
        yield Line("engrave", left, top, right, top, dashed=True)
        yield from _joins(tiles, number - tiles.columns, wide, (middle_x, top - away), 0)
    if part.row < tiles.rows:
        yield Line("engrave", left, bottom, right, bottom, dashed=True)
        yield from _joins(tiles, number + tiles.columns, wide, (middle_x, bottom + away), 180)


def _joins(
    tiles: Tiles, number: int, room: Fraction, at: tuple[Fraction, Fraction], rotation: int
) -> Iterator[Label]:
    """Words with their feet to the seam, as many as the seam is long."""
    told = f"{number} of {len(tiles.tiles)}"
    for words in (f"joins {told}, cross on cross", f"joins {told}", told, str(number)):
        size = largest_size([words], float(room), most=SEAM_SIZE)
        if size >= SMALLEST:
            yield Label(words, *at, size, rotation=rotation)
            return
