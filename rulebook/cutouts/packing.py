"""The pieces of cutouts -> parts, and where each stands on sheets; larger drawings in windows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rulebook.drawing.shapes import Circle, Drawing, Label, Line, Number, Point, Shape
from rulebook.paper_and_ink import PaperName, paper_size
from rulebook.quantities import QuantityError
from rulebook.text_fitting import largest_size, text_width
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
    width, xs = overlapping(size[0], area.width)
    height, ys = overlapping(size[1], area.height)
    left = area.left + (area.width - width) / 2
    top = area.top + (area.height - height) / 2
    tiles = tuple(
        Tile(row, column, x, y, width, height, left, top)
        for row, y in enumerate(ys, 1)
        for column, x in enumerate(xs, 1)
    )
    return Tiles(*sheet, turned, len(ys), len(xs), tiles, seam_marks(size, xs, ys))


def overlapping(length: Fraction, room: Fraction) -> tuple[Fraction, list[Fraction]]:
    """Equal windows along one direction: how long each is, and where each begins."""
    count = 1 if length <= room else math.ceil((length - OVERLAP) / (room - OVERLAP))
    window = (length + (count - 1) * OVERLAP) / count
    return window, [index * (window - OVERLAP) for index in range(count)]


def seam_marks(
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


#: Width and height, in mm.
Size = tuple[Fraction, Fraction]
#: A size, and left, top, right and bottom of a rectangle, in micrometres.
_Whole = tuple[int, int]
_Free = tuple[int, int, int, int]


class _Laid(NamedTuple):
    """A rectangle by its number, and where it lies, in micrometres."""

    number: int
    x: int
    y: int
    turned: bool


#: Which of the areas a sheet has, and what lies there.
_Sheet = tuple[int, list[_Laid]]

_UNITS = 1000
#: Ways to turn: as it is where it can be, where that saves height, turned where it can be.
_TURNS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the top left corner of a rectangle is in its area, in mm; turned: by a quarter."""

    index: int
    x: Fraction
    y: Fraction
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Packed:
    """One sheet: which of the areas it has, and what stands there, in the order given."""

    area: int
    placed: tuple[Placed, ...]


def pack(sizes: Sequence[Size], areas: Sequence[Size], *, gap: Fraction) -> list[Packed]:
    """Every rectangle once, inside an area, `gap` from its neighbours; sheets by their first.

    A sheet may have any of the `areas`; the first is preferred. Raises ValueError where a rectangle
    fits none of them.
    """
    spare = math.ceil(gap * _UNITS)
    wholes = [(_up(width) + spare, _up(height) + spare) for width, height in sizes]
    rooms = [(_down(width) + spare, _down(height) + spare) for width, height in areas]
    for size, whole in zip(sizes, wholes, strict=True):
        if not any(_fits(whole, room) for room in rooms):
            raise ValueError(f"a rectangle of {size} fits none of the areas")
    if not wholes:
        return []
    best = min(_attempts(wholes, rooms), key=_cost)
    packed = [Packed(area, tuple(map(_placed, laid))) for area, laid in best]
    return sorted(packed, key=lambda sheet: sheet.placed[0].index)


def _placed(laid: _Laid) -> Placed:
    return Placed(laid.number, Fraction(laid.x, _UNITS), Fraction(laid.y, _UNITS), laid.turned)


def fits(size: Size, area: Size) -> bool:
    """Whether `pack` can place a rectangle in an area, turned or not."""
    return _fits((_up(size[0]), _up(size[1])), (_down(area[0]), _down(area[1])))


def _up(length: Fraction) -> int:
    return math.ceil(length * _UNITS)


def _down(length: Fraction) -> int:
    return math.floor(length * _UNITS)


def _fits(size: _Whole, room: _Whole) -> bool:
    width, height = size
    return (width <= room[0] and height <= room[1]) or (height <= room[0] and width <= room[1])


def _cost(sheets: list[_Sheet]) -> tuple[int, int]:
    return len(sheets), sum(one.turned for _, laid in sheets for one in laid)


def _attempts(wholes: list[_Whole], rooms: list[_Whole]) -> Iterator[list[_Sheet]]:
    """One packing after the other, until none can be better."""
    least = math.ceil(
        sum(width * height for width, height in wholes)
        / max(width * height for width, height in rooms)
    )
    order = sorted(range(len(wholes)), key=lambda i: (-max(wholes[i]), -min(wholes[i]), i))
    choices = [[index] for index in range(len(rooms))]
    choices += [list(range(len(rooms)))] if len(rooms) > 1 else []
    for choice in choices:
        if not all(any(_fits(whole, rooms[index]) for index in choice) for whole in wholes):
            continue
        for turn in _TURNS:
            sheets = _sheets(order, wholes, rooms, choice, turn)
            yield sheets
            if _cost(sheets) == (least, 0):
                return


def _sheets(
    order: list[int], wholes: list[_Whole], rooms: list[_Whole], choice: list[int], turn: int
) -> list[_Sheet]:
    """Sheet after sheet, each of that area of the choice of which most is filled."""
    sheets = []
    while order:
        filled = [(index, _fill(order, wholes, rooms[index], turn)) for index in choice]
        area, laid = max(
            filled, key=lambda one: sum(wholes[p.number][0] * wholes[p.number][1] for p in one[1])
        )
        there = {one.number for one in laid}
        order = [index for index in order if index not in there]
        sheets.append((area, sorted(laid)))
    return sheets


def _fill(order: list[int], wholes: list[_Whole], room: _Whole, turn: int) -> list[_Laid]:
    """As many of the rectangles, in their order, as one sheet takes."""
    free: list[_Free] = [(0, 0, *room)]
    too_large: set[_Whole] = set()
    placed = []
    for index in order:
        whole = wholes[index]
        if whole in too_large:
            continue
        found = _best_place(whole, free, turn)
        if found is None:
            too_large.add(whole)
            if not free:
                break
            continue
        x, y, turned = found
        width, height = whole[::-1] if turned else whole
        free = _without(free, (x, y, x + width, y + height))
        placed.append(_Laid(index, x, y, turned))
    return placed


def _best_place(whole: _Whole, free: list[_Free], turn: int) -> tuple[int, int, bool] | None:
    best: tuple[tuple[int, ...], int, int, bool] | None = None
    for turned in (False, True) if whole[0] != whole[1] else (False,):
        width, height = whole[::-1] if turned else whole
        unwanted = 0 if turn == 1 else int(turned) if turn == 0 else int(not turned)
        for left, top, right, bottom in free:
            if right - left < width or bottom - top < height:
                continue
            key = (unwanted, top + height, left, int(turned))
            if best is None or key < best[0]:
                best = (key, left, top, turned)
    return best[1:] if best else None


def _without(free: list[_Free], taken: _Free) -> list[_Free]:
    """The largest rectangles that are still free; none of them lies within another."""
    left, top, right, bottom = taken
    kept: list[_Free] = []
    parts: list[_Free] = []
    for one in free:
        x1, y1, x2, y2 = one
        if left >= x2 or right <= x1 or top >= y2 or bottom <= y1:
            kept.append(one)
            continue
        if x1 < left:
            parts.append((x1, y1, left, y2))
        if right < x2:
            parts.append((right, y1, x2, y2))
        if y1 < top:
            parts.append((x1, y1, x2, top))
        if bottom < y2:
            parts.append((x1, bottom, x2, y2))
    # what was free stays largest: only the new parts can lie within another
    for index, part in enumerate(parts):
        if not any(_within(part, other) for other in (*kept, *parts[index + 1 :])):
            kept.append(part)
    return kept


def _within(part: _Free, whole: _Free) -> bool:
    return (
        whole[0] <= part[0] and whole[1] <= part[1] and part[2] <= whole[2] and part[3] <= whole[3]
    )


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
            windows += _parts_of_windows(
                drawing, tiles, gettext(", piece %(number)s", number=large) if large > 1 else ""
            )
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


def _parts_of_windows(drawing: Drawing, tiles: Tiles, which: str) -> Iterator[Part]:
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
    told = gettext("%(number)s of %(count)s", number=number, count=len(tiles.tiles))
    for words in (
        gettext("joins %(sheet)s, cross on cross", sheet=told),
        gettext("joins %(sheet)s", sheet=told),
        told,
        str(number),
    ):
        size = largest_size([words], float(room), most=SEAM_SIZE)
        if size >= SMALLEST:
            yield Label(words, *at, size, rotation=rotation)
            return
