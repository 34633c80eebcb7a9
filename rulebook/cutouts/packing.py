"""The pieces of cutouts -> groups of views, whole or in windows, and the words at their joints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from rulebook.drawing.elements import Contour, ExactBox, ExactPoint, Line, Number
from rulebook.drawing.shapes import Drawing, Label, Rectangle, Shape, bounds, circle, lines_down
from rulebook.paper_and_ink import PaperName, paper_size
from rulebook.quantities import QuantityError
from rulebook.text_fitting import SIX_POINTS, largest_size, room_for, text_width, wrapped
from rulebook.translation import gettext


def bar_names(*, landscape: bool) -> tuple[str, str]:
    """Returns the names of two check bars: that of the horizontal and that of the vertical one.

    They are exchanged if the sheet is in landscape.
    """
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
class SheetWindow:
    """A window of a drawing: x, y, width and height; left and top are its place on the sheet.

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
    """The sheets of one drawing, with the window of the drawing that each shows.

    If `turned`, the drawing lies on them a quarter turn clockwise. `marks` are the registration
    marks, in coordinates of the drawing as it lies.
    """

    sheet_width: Fraction
    sheet_height: Fraction
    turned: bool
    rows: int
    columns: int
    tiles: tuple[SheetWindow, ...]
    marks: tuple[tuple[Fraction, Fraction], ...]

    @property
    def landscape(self) -> bool:
        return self.sheet_width > self.sheet_height

    def number(self, tile: SheetWindow) -> int:
        """Returns the number of a window, from 1, row by row."""
        return (tile.row - 1) * self.columns + tile.column

    def label(self, tile: SheetWindow) -> str:
        """Returns a label such as `1 of 3` for a window of the drawing.

        Row and column are added if there are several of both.
        """
        label = gettext("%(number)s of %(count)s", number=self.number(tile), count=len(self.tiles))
        if self.rows > 1 and self.columns > 1:
            label += gettext(", row %(row)s, column %(column)s", row=tile.row, column=tile.column)
        return label

    def marks_of(self, tile: SheetWindow) -> list[tuple[Fraction, Fraction]]:
        """Returns the positions of the registration marks that lie in a window."""
        return [
            (x, y)
            for x, y in self.marks
            if tile.x <= x <= tile.x + tile.width and tile.y <= y <= tile.y + tile.height
        ]


def bar_corner(sheet_height: Fraction) -> ExactPoint:
    """Returns where the two check bars of a sheet meet: their common zero, at the lower left."""
    return (CLEAR + BAR_SIDE, sheet_height - CLEAR - FOOTER - BAR_SIDE)


def drawing_area(sheet_width: Fraction, sheet_height: Fraction) -> Rectangle[Fraction]:
    """Returns the rectangle of a sheet in which a drawing may lie, in mm.

    Left out are the clear edges, the check bars, the footer, and room for the words at seams.
    """
    return Rectangle(
        CLEAR + 2 * BAR_SIDE + SEAM_ROOM,
        CLEAR + SEAM_ROOM,
        sheet_width - CLEAR - SEAM_ROOM,
        sheet_height - CLEAR - FOOTER - 2 * BAR_SIDE - SEAM_ROOM,
    )


def packing_area(paper: PaperName, *, landscape: bool) -> Rectangle[Fraction]:
    """Returns the area of a sheet for parts that include room for seams themselves.

    It is larger than the drawing area by that room on all sides.
    """
    area = drawing_area(*sheet_size(paper, landscape=landscape))
    return Rectangle(
        area.left - SEAM_ROOM, area.top - SEAM_ROOM, area.right + SEAM_ROOM, area.bottom + SEAM_ROOM
    )


@lru_cache(maxsize=64)
def sheet_size(paper: PaperName, *, landscape: bool) -> tuple[Fraction, Fraction]:
    """Returns the exact width and height of a sheet in millimetres."""
    width, height = paper_size(paper, landscape=landscape)
    # 215.9 as a float is not 215.9; as it is written, it is
    return Fraction(str(width)), Fraction(str(height))


def tile(
    width: Number,
    height: Number,
    paper: PaperName,
    words: Sequence[ExactBox] = (),
) -> Tiles:
    """Cuts a drawing of this size, in mm, into windows on the fewest sheets of a paper.

    No joint comes near `words`, the boxes of the labels, if another place can be found. Of
    arrangements with as many sheets, one in which the drawing is not turned is preferred, then one
    whose sheets have the orientation of the drawing.
    """
    size = (Fraction(width), Fraction(height))
    wide = size[0] > size[1]
    choices = []
    for turned in (False, True):
        for landscape in (True, False):
            sheet = sheet_size(paper, landscape=landscape)
            lying = size[::-1] if turned else size
            boxes = words
            if turned:
                boxes = [(height - box[3], box[0], height - box[1], box[2]) for box in words]
            tiles = _arrange(lying, sheet, boxes, turned=turned)
            choices.append((len(tiles.tiles), turned, landscape != wide, tiles))
    return min(choices, key=lambda choice: choice[:3])[3]


def _arrange(
    size: tuple[Fraction, Fraction],
    sheet: tuple[Fraction, Fraction],
    words: Sequence[ExactBox],
    *,
    turned: bool,
) -> Tiles:
    """Cuts a drawing of a size into windows on sheets of a size; returns the arrangement.

    Joints avoid the boxes `words`. `turned` says whether the drawing lies turned, and goes into the
    result.
    """
    area = drawing_area(*sheet)
    xs = windows(size[0], area.width, [(box[0], box[2]) for box in words])
    ys = windows(size[1], area.height, [(box[1], box[3]) for box in words])
    tiles = tuple(
        SheetWindow(
            row,
            column,
            x,
            y,
            width,
            height,
            area.left + (area.width - width) / 2,
            area.top + (area.height - height) / 2,
        )
        for row, (y, height) in enumerate(ys, 1)
        for column, (x, width) in enumerate(xs, 1)
    )
    starts = [x for x, _ in xs], [y for y, _ in ys]
    return Tiles(*sheet, turned, len(ys), len(xs), tiles, seam_marks(size, *starts))


#: No word comes nearer to a joint than this, unless both windows show all of it.
OFF_JOINT = Fraction(5)
#: No window is shorter, so that there is something to glue; where a joint may be, in steps of mm.
_LEAST_WINDOW, _STEP = Fraction(30), Fraction(1, 2)
#: So much less than a hair's breadth is taken for nothing, mm.
_HAIR = 0.001


def windows(
    length: Fraction, room: Fraction, words: Sequence[tuple[Number, Number]]
) -> list[tuple[Fraction, Fraction]]:
    """Cuts a length into overlapping windows up to `room` long; returns their starts and lengths.

    Windows are as long as they can be without a joint near words, which are given by their starts
    and ends; where that is impossible, the joint meets as few of them as it can.
    """
    spans = [(float(first), float(last)) for first, last in words]
    found: list[tuple[Fraction, Fraction]] = []
    start = Fraction(0)
    while length - start > room:
        last = min(start + room - OVERLAP, length - _LEAST_WINDOW)
        count = max(1, math.floor((last - start - _LEAST_WINDOW) / _STEP) + 1)
        places = [last - index * _STEP for index in range(count)]
        free = (place for place in places if not any(_near(place, spans)))
        joint = next(free, None) or min(places, key=lambda place: sum(_near(place, spans)))
        found.append((start, joint + OVERLAP - start))
        start = joint
    return [*found, (start, length - start)]


def _near(joint: Fraction, spans: Iterable[tuple[Number, Number]]) -> list[bool]:
    """Returns for each span whether the overlap at a joint cuts it or comes too near to it.

    A span that lies wholly in the overlap is not cut, because both windows show it.
    """
    first, last = float(joint), float(joint + OVERLAP)
    low, high = first - float(OFF_JOINT), last + float(OFF_JOINT)
    return [
        end > low and start < high and not (first <= start and end <= last) for start, end in spans
    ]


def overlapping(length: Fraction, room: Fraction) -> tuple[Fraction, list[Fraction]]:
    """Cuts a length into the fewest windows up to `room` long, of equal length and overlapping.

    Returns their length and the start of each.
    """
    count = 1 if length <= room else math.ceil((length - OVERLAP) / (room - OVERLAP))
    window = (length + (count - 1) * OVERLAP) / count
    return window, [index * (window - OVERLAP) for index in range(count)]


def seam_marks(
    size: tuple[Fraction, Fraction], xs: list[Fraction], ys: list[Fraction]
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Returns the positions of the registration marks, all on the middle lines of seams.

    They are where seams cross and near the ends of each seam. `xs` and `ys` are the starts of the
    columns and rows of windows.
    """
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
CAPTION_SIZE, SMALLEST = 2.9, SIX_POINTS
#: A part that is narrower than its name and its use is made as wide as this at most.
CAPTION_WIDTH = Fraction(60)
#: How a cutout is used is said below its name, in so many lines at the most, or beside it.
USE_SIZE, MOST_USE_LINES = 2.4, 3


@dataclass(frozen=True, slots=True)
class Pieces:
    """A cutout to be packed: its title, the drawings of its pieces, and its use in plain text."""

    title: str
    drawings: tuple[Drawing, ...]
    use: str = ""


@dataclass(frozen=True)
class PieceView:
    """A window of a drawing, or all of it; `drawing` is already turned if its tiles say so."""

    drawing: Drawing
    tiles: Tiles
    tile: SheetWindow

    @property
    def whole(self) -> bool:
        return len(self.tiles.tiles) == 1

    @property
    def label(self) -> str:
        """The number of this window among those of its piece, such as `1 of 3`.

        It is empty if the view shows the whole piece.
        """
        return "" if self.whole else self.tiles.label(self.tile)

    @cached_property
    def room(self) -> Size:
        """The space to keep free around the window: at left and right, and above and below.

        It is for seams, marks and a knife. All windows of a piece have the same, even at its outer
        edges.
        """
        part, tiles = self.tile, self.tiles
        across = down = PIECE_ROOM
        if tiles.columns > 1:
            down = max(down, MARK_ARM - min(MARK_INSET, part.height / 2))
            across = SEAM_ROOM
        if tiles.rows > 1:
            across = max(across, MARK_ARM - min(MARK_INSET, part.width / 2))
            down = SEAM_ROOM
        return across, down

    @cached_property
    def size(self) -> Size:
        """Width and height of the window with the space around it."""
        across, down = self.room
        return self.tile.width + 2 * across, self.tile.height + 2 * down

    def standing(self, left: Fraction, top: Fraction) -> PieceView:
        """Returns the same view with its top left corner at another place on the sheet."""
        return replace(self, tile=replace(self.tile, left=left, top=top))


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle of a sheet with some views, below a caption if it has one.

    `number` is that of a single window among those of its piece: `2 of 3`. (x, y) is the place of
    its top left corner on the sheet; if `turned`, it lies there turned by a quarter. `group` is the
    index of the group to which its views belong.
    """

    title: str
    number: str
    caption: tuple[Label, ...]
    width: Fraction
    height: Fraction
    views: tuple[PieceView, ...]
    use: str = ""
    x: Fraction = Fraction(0)
    y: Fraction = Fraction(0)
    turned: bool = False
    group: int = 0

    @property
    def size(self) -> Size:
        """Width and height as the part lies on the sheet."""
        return (self.height, self.width) if self.turned else (self.width, self.height)


@dataclass(frozen=True, slots=True)
class ViewGroup:
    """Views that may share one caption: pieces of a cutout, or windows of a piece."""

    title: str
    use: str
    named: bool
    views: tuple[PieceView, ...]

    def caption(
        self, views: Sequence[PieceView], room: Fraction
    ) -> tuple[Fraction, tuple[Label, ...]]:
        """Returns the height and the lines of the caption for a part with these views.

        The caption consists of name and use; it is empty if the group needs none. `room` is its
        width.
        """
        if not self.named and (len(views) > 1 or views[0].whole):
            return Fraction(0), ()
        first = views[0]
        number = "" if first.whole or len(views) > 1 else f", {first.label}"
        return _caption(self.title + number, self.use, first.room[0], room)


@lru_cache(maxsize=1024)
def _caption(
    words: str, said: str, inset: Fraction, room: Fraction
) -> tuple[Fraction, tuple[Label, ...]]:
    """Returns the height and the labels of a caption: a name and, beside or below it, its use.

    `said` is the use; it is left out if it takes too many lines. `inset` is the x at which the
    labels begin, `room` the width of the part.
    """
    base = CAPTION_ROOM - Fraction(6, 5)
    wide = max(float(room - inset), 1.0)
    size = max(SMALLEST, largest_size([words], wide, most=CAPTION_SIZE))
    named = wrapped(words, size, wide)
    labels = [*lines_down(named, (inset, base), size, 2.5, "bold")]
    beside = text_width(named[0], size) + 2.5
    if len(named) == 1 and room_for(said, USE_SIZE) <= wide - beside:
        start = inset + Fraction(beside).limit_denominator(100)
        use = [Label(said, start, base, USE_SIZE, anchor="start")] if said else []
        return CAPTION_ROOM, (*labels, *use)
    below = wrapped(said, USE_SIZE, wide)
    if len(below) > MOST_USE_LINES:
        below = []
    y = base + Fraction(5, 2) * (len(named) - 1)
    labels += lines_down(below, (inset, y + 3), USE_SIZE, 3.0)
    return y + 3 * len(below) + CAPTION_ROOM - base, tuple(labels)


def groups_of(cutouts: Sequence[Pieces], paper: PaperName) -> list[ViewGroup]:
    """Groups the pieces of the cutouts for packing, in order, and cuts large ones into windows.

    Pieces of a cutout that fit on a sheet share a group; each larger one gets a group of its own.
    Raises QuantityError if a piece takes more than MOST_WINDOWS.
    """
    named = len(cutouts) > 1
    groups: list[ViewGroup] = []
    for cutout in cutouts:
        use = cutout.use if named else ""
        whole: list[PieceView] = []
        large: list[ViewGroup] = []
        tiled = [(drawing, _tiles(drawing, paper)) for drawing in cutout.drawings]
        several = sum(len(tiles.tiles) > 1 for _, tiles in tiled) > 1
        for drawing, tiles in tiled:
            if len(tiles.tiles) == 1:
                whole.append(whole_view(drawing, tiles))
                continue
            which = gettext(", piece %(number)s", number=len(large) + 1) if large else ""
            laid = _repeated(drawing.turned() if tiles.turned else drawing, tiles)
            views = tuple(PieceView(laid, tiles, window) for window in tiles.tiles)
            large.append(ViewGroup(drawing.title + which, use, named or several, views))
            if len(tiles.tiles) > MOST_WINDOWS:
                raise _too_many(drawing, paper, len(tiles.tiles))
        if whole:
            title = cutout.title if len(whole) > 1 else whole[0].drawing.title
            groups.append(ViewGroup(title, use, named, tuple(whole)))
        groups += large
    return groups


@lru_cache(maxsize=256)
def _tiles(drawing: Drawing, paper: PaperName) -> Tiles:
    """Cuts a drawing into windows on sheets of a paper, with joints that avoid its words."""
    tiles = tile(drawing.width, drawing.height, paper)
    if len(tiles.tiles) == 1:
        return tiles
    words = [bounds(shape) for shape in drawing.shapes if isinstance(shape, Label)]
    return tile(drawing.width, drawing.height, paper, words)


def _is_name(label: Label) -> bool:
    """Whether a label has letters; one without them is a number beside its tick."""
    return any(letter.isalpha() for letter in label.text)


def _off_marks(shape: Shape, size: Size) -> ExactBox:
    """Returns the box of a shape, widened if it is a name near an edge of the drawing.

    Near an edge it could lie below registration marks; a box wider than the overlap counts as cut
    by every joint that it meets. `size` is that of the drawing.
    """
    box = [*map(float, bounds(shape))]
    if isinstance(shape, Label) and _is_name(shape):
        ends = float(MARK_INSET + MARK_ARM)
        met = [box[at] < ends or box[at + 2] > float(size[at]) - ends for at in (0, 1)]
        for axis in (0, 1):
            more = max(0.0, float(OVERLAP) + 2 * _HAIR - (box[axis + 2] - box[axis])) / 2
            if met[1 - axis]:
                box[axis], box[axis + 2] = box[axis] - more, box[axis + 2] + more
    return box[0], box[1], box[2], box[3]


def _repeated(drawing: Drawing, tiles: Tiles) -> Drawing:
    """Replaces each name near a joint by a copy on each side of it; returns the drawing.

    A name for which there is no room beside the joint stays where it is.
    """
    shapes: list[Shape] = list(drawing.shapes)
    size = Fraction(drawing.width), Fraction(drawing.height)
    for axis in (0, 1):
        starts = {(window.x, window.y)[axis] for window in tiles.tiles} - {0}
        for joint in sorted(starts):
            boxes = [(shape, bounds(shape)) for shape in shapes]
            wide = [_off_marks(shape, size) for shape in shapes]
            near = _near(joint, [(box[axis], box[axis + 2]) for box in wide])
            before, shapes = shapes, []
            for shape, is_near in zip(before, near, strict=True):
                if isinstance(shape, Label) and is_near:
                    shapes += _on_both_sides(shape, joint, axis, boxes)
                else:
                    shapes.append(shape)
    return replace(drawing, shapes=tuple(shapes))


def _on_both_sides(
    label: Label, joint: Fraction, axis: int, boxes: Sequence[tuple[Shape, ExactBox]]
) -> list[Label]:
    """Returns copies of a label on both sides of a joint, on each only if it has room there.

    Copies may be smaller, and keep off other words and lines. If there is no room at all, returns
    the label itself. `axis` is 0 if `joint` is an x, 1 if it is a y. A label without letters is a
    number beside its tick and is not moved.
    """
    if not _is_name(label):
        return [label]
    box = [*map(float, bounds(label))]
    start, end = box[axis], box[axis + 2]
    low, high = -math.inf, math.inf
    for shape, beside in boxes:
        line = isinstance(shape, Contour) and len(shape.corners) == 2 and not shape.closed
        words = isinstance(shape, Label) and shape is not label
        if not (line or words):
            continue
        if beside[1 - axis] > box[3 - axis] or beside[3 - axis] < box[1 - axis]:
            continue
        if beside[axis + 2] <= (start + end) / 2:
            low = max(low, float(beside[axis + 2]) + 1)
        elif beside[axis] >= (start + end) / 2:
            high = min(high, float(beside[axis]) - 1)
    found = []
    before = float(joint - OFF_JOINT) - _HAIR
    behind = float(joint + OVERLAP + OFF_JOINT) + _HAIR
    for room, to_end in ((before - low, True), (high - behind, False)):
        size = float(label.size) * min(1.0, room / (end - start))
        if size < SMALLEST:
            continue
        smaller = replace(label, size=size)
        there = bounds(smaller)
        away = before - float(there[axis + 2]) if to_end else behind - float(there[axis])
        right, down = (away, 0.0) if axis == 0 else (0.0, away)
        found.append(replace(smaller, x=float(label.x) + right, y=float(label.y) + down))
    return found or [label]


def _too_many(drawing: Drawing, paper: PaperName, count: int) -> QuantityError:
    """Returns the error for a piece that takes too many sheets, with advice on what helps."""
    larger = len(_tiles(drawing, LARGEST_PAPER).tiles)
    advice = (
        f"choose a larger paper ({LARGEST_PAPER} takes {larger})"
        if larger <= MOST_WINDOWS
        else "make it smaller, or have its SVG plotted in one piece"
    )
    return too_many_sheets(f"the cutout {drawing.title}", f"{count}", paper, MOST_WINDOWS, advice)


def too_many_sheets(what: str, count: str, paper: PaperName, most: int, hint: str) -> QuantityError:
    """Returns the error for `what` takes more than `most` sheets of a paper.

    `count` is how many it takes, `hint` says what helps.
    """
    return QuantityError(
        f"{what} takes {count} sheets of {paper}",
        code="R606",
        expected=f"up to {most} sheets",
        hint=hint,
    )


def whole_view(drawing: Drawing, tiles: Tiles) -> PieceView:
    """Returns a view that shows the whole of a drawing, not turned, with its corner at (0, 0)."""
    width, height = Fraction(drawing.width), Fraction(drawing.height)
    zero = Fraction(0)
    there = SheetWindow(1, 1, zero, zero, width, height, zero, zero)
    return PieceView(drawing, replace(tiles, turned=False, tiles=(there,)), there)


#: The size of the words at a seam, and from it to their baseline, mm.
SEAM_SIZE, SEAM_BASE = 3.2, Fraction(6, 5)
#: The radius of the circle of a registration mark.
MARK_RADIUS = Fraction(3, 2)


def marks(view: PieceView) -> Iterator[Shape]:
    """Draws the registration marks of a window: a cross in a circle."""
    part = view.tile
    for mark_x, mark_y in view.tiles.marks_of(part):
        x, y = part.left + mark_x - part.x, part.top + mark_y - part.y
        yield Line("engrave", x - MARK_ARM, y, x + MARK_ARM, y)
        yield Line("engrave", x, y - MARK_ARM, x, y + MARK_ARM)
        yield circle("engrave", x, y, MARK_RADIUS)


def seams(view: PieceView) -> Iterator[Shape]:
    """Draws a dashed line at each edge of a window where another one continues the drawing.

    Words at each line say which window that is.
    """
    part, tiles = view.tile, view.tiles
    left, top = part.left, part.top
    right, bottom = left + part.width, top + part.height
    number = tiles.number(part)
    label = gettext("%(number)s of %(count)s", number=number, count=len(tiles.tiles))
    x, y = (left + right) / 2, (top + bottom) / 2
    wide, high = view.size
    leftward, rightward = (left - SEAM_BASE, y), (right + SEAM_BASE, y)
    upward, downward = (x, top - SEAM_BASE), (x, bottom + SEAM_BASE)
    sides = (
        (part.column > 1, (left, top, left, bottom), -1, high, leftward, -90),
        (part.column < tiles.columns, (right, top, right, bottom), 1, high, rightward, 90),
        (part.row > 1, (left, top, right, top), -tiles.columns, wide, upward, 0),
        (part.row < tiles.rows, (left, bottom, right, bottom), tiles.columns, wide, downward, 180),
    )
    for goes_on, ends, further, room, at, rotation in sides:
        if goes_on:
            yield Line("engrave", *ends, dashed=True)
            yield from _joins(label, number + further, room, at, rotation)


def _joins(
    label: str, other: int, room: Fraction, at: ExactPoint, rotation: int
) -> Iterator[Label]:
    """Yields the words at a seam: the longest version that fits into `room`, or nothing.

    `label` names this window, `other` is the number of the window that continues the drawing. The
    words are centred on the point `at` and turned by `rotation` degrees, so that their feet are to
    the seam.
    """
    for words in (
        gettext("%(sheet)s: joins %(other)s, cross on cross", sheet=label, other=other),
        gettext("%(sheet)s: joins %(other)s", sheet=label, other=other),
        gettext("joins %(other)s", other=other),
        str(other),
    ):
        size = largest_size([words], float(room), most=SEAM_SIZE)
        if size >= SMALLEST:
            yield Label(words, *at, size, rotation=rotation)
            return
