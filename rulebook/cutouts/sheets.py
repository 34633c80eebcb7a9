"""Cutouts -> the sheets of one paper on which they are printed at true scale.

Each sheet is one SVG in millimetres: windows and whole pieces, registration marks and what joins
where, check bars, a heading where there is room, a footer. A page of exactly this size, without
margins and printed at 100 %, gives the cutouts their true size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import itemgetter

from rulebook.cutouts.filling import Packed, fits, pack
from rulebook.cutouts.packing import (
    CLEAR,
    FOOTER,
    PIECE_ROOM,
    SEAM_ROOM,
    SMALLEST,
    Part,
    Pieces,
    PieceView,
    Size,
    ViewGroup,
    bar_corner,
    bar_names,
    drawing_area,
    groups_of,
    marks,
    packing_area,
    seams,
    sheet_size,
    tile,
    too_many_sheets,
)
from rulebook.drawing.elements import (
    Drawn,
    Element,
    ExactBox,
    Group,
    Line,
    Number,
    Picture,
    Placing,
)
from rulebook.drawing.layers import Look, draw_shapes, through_window, window_of
from rulebook.drawing.shapes import Label, Rectangle, Shape, lines_down, moved
from rulebook.drawing.svg import rounded
from rulebook.paper_and_ink import PaperName
from rulebook.quantities import MILLIMETRES, QuantityError
from rulebook.text_fitting import LEADING, filled, largest_size, text_width, wrapped
from rulebook.translation import gettext, gettext_noop

JOIN = gettext_noop(
    "Lay the sheets over each other, cross on cross, and glue them; then cut along the heavy line."
)
JOIN_PARTS = gettext_noop(
    "Cut out along the dashed lines, lay cross on cross and glue; then cut along the heavy line."
)
#: Type sizes, mm.
TITLE_SIZE, TEXT_SIZE, FOOTER_SIZE = 6.0, 3.4, 2.9
#: Longer lines than this are not read.
TEXT_WIDTH = 190.0
#: Between the words of a heading and several parts below it, which keep some room themselves.
HEADING_GAP = Fraction(2)
#: Between the words at the bar and others beside them, and the room and lines that these may have.
FOOT_GAP, LEAST_FOOT, MOST_FOOT_LINES = 5.0, 20.0, 3


@dataclass(frozen=True, slots=True)
class SheetWords:
    """The words on a sheet: `title` as heading, `named` and `number` in the footer.

    `uses` are the paragraphs below the title; some may be empty.
    """

    title: str
    named: str
    number: str
    uses: tuple[str, ...]


def print_first() -> tuple[str, str]:
    """Returns the two lines of text that stand beside the check bar of every sheet."""
    return gettext("Print at 100 %%, actual size."), gettext("Measure this bar first.")


def measure_first(width: Fraction, height: Fraction) -> Iterator[Label]:
    """Yields the labels beside the check bar that say how to print: two lines, or more.

    There are more than two on narrow paper.
    """
    x, y = bar_corner(height)
    start = Fraction(x) + BAR_LENGTH
    room = float(width - CLEAR - start)
    lines = list(print_first())
    size = largest_size(lines, room, most=TEXT_SIZE)
    if size < SMALLEST:
        size = SMALLEST
        lines = [part for line in lines for part in wrapped(line, size, room)]
    leading = (1.25 if len(lines) < 4 else 1.1) * size
    first = float(y) - leading * (len(lines) - 2) / 2 - 0.25 * size
    yield from lines_down(lines, (start, first), size, leading, "bold")


def joining_unless_shown(headed: Sequence[Label], words: SheetWords) -> str:
    """Returns those paragraphs on joining parts that are missing from the heading, as one text.

    `headed` are the labels of the heading.
    """
    said = " ".join(label.text for label in headed)
    return " ".join(
        use for use in words.uses if use in (gettext(JOIN), gettext(JOIN_PARTS)) and use not in said
    )


def join_at_foot(
    width: Fraction, height: Fraction, beside: Sequence[Label], join: str
) -> Iterator[Label]:
    """Yields labels for the words `join`, right of the words `beside` the check bar of a sheet.

    Yields nothing if they need more than `MOST_FOOT_LINES` lines there.
    """
    start = (
        max(float(words.x) + text_width(words.text, float(words.size)) for words in beside)
        + FOOT_GAP
    )
    room = float(width - CLEAR) - start
    if not join or room < LEAST_FOOT:
        return
    size = TEXT_SIZE
    while size > SMALLEST and len(wrapped(join, size, room)) > 2:
        size = max(SMALLEST, 0.95 * size)
    lines = wrapped(join, size, room)
    if len(lines) > MOST_FOOT_LINES:
        return
    leading = 1.25 * size
    first = float(bar_corner(height)[1]) - leading * (len(lines) - 2) / 2 - 0.25 * size
    yield from lines_down(lines, (start, first), size, leading)


def footer(width: Fraction, height: Fraction, words: SheetWords, imprint: str) -> Iterator[Label]:
    """Yields the labels of a sheet's footer.

    Cutout, ruleset and edition are at the left, in smaller type if they are long, and the number of
    the sheet is at the right.
    """
    y = height - CLEAR - Fraction(1, 2)
    numbering = gettext("sheet %(number)s", number=words.number)
    room = float(width - 2 * CLEAR) - text_width(numbering, FOOTER_SIZE) - 6
    # what is too long for a line is set in two smaller ones
    high = float(FOOTER) - 0.5
    lines, size = filled(f"{words.named} · {imprint}", room, high, most=FOOTER_SIZE)
    if size < SMALLEST:
        lines, size = filled(words.named, room, high, most=FOOTER_SIZE)
    step = LEADING * size
    yield from lines_down(lines, (CLEAR, float(y) - step * (len(lines) - 1)), size, step)
    yield Label(numbering, width - CLEAR, y, FOOTER_SIZE, anchor="end", weight="bold")


def heading(width: Fraction, height: Fraction, words: SheetWords, top: Fraction) -> Iterator[Label]:
    """Yields labels for the title and the paragraphs of a sheet, above its parts.

    The parts begin at y `top`. Paragraphs without room are left out; without room for the title,
    there are no labels.
    """
    area = drawing_area(width, height)
    left, room = float(area.left), float(area.width)
    y = float(area.top)
    if float(top) - y < 1.6 * TITLE_SIZE + float(SEAM_ROOM):
        return
    lines, size = filled(words.title, room, 1.2 * TITLE_SIZE, most=TITLE_SIZE)
    y += 0.7 * TITLE_SIZE
    step = LEADING * size
    yield from lines_down(lines, (left, y - step * (len(lines) - 1)), size, step, "bold")
    y += 0.35 * TITLE_SIZE
    for paragraph in filter(None, words.uses):
        lines = wrapped(paragraph, TEXT_SIZE, min(room, TEXT_WIDTH))
        if y + 1.3 * TEXT_SIZE * len(lines) > top - SEAM_ROOM:
            continue
        step = 1.3 * TEXT_SIZE
        yield from lines_down(lines, (left, y + step), TEXT_SIZE, step)
        y += step * len(lines)


def heading_height(area: Rectangle[Fraction], uses: Sequence[str]) -> Fraction:
    """Returns the height that a heading with these paragraphs takes of a packing area, in mm."""
    room = min(float(area.width - 2 * SEAM_ROOM), TEXT_WIDTH)
    lines = sum(len(wrapped(paragraph, TEXT_SIZE, room)) for paragraph in uses)
    text = max(1.05 * TITLE_SIZE + 1.3 * TEXT_SIZE * lines, 1.6 * TITLE_SIZE) + 0.1
    return SEAM_ROOM + Fraction(text).limit_denominator(100) + HEADING_GAP


INCH = MILLIMETRES["in"]
METRIC, IMPERIAL = Fraction(100), 4 * INCH
#: The bars with their words, along them.
BAR_LENGTH = IMPERIAL + 20
_LONG, _SHORT = Fraction(7, 2), Fraction(2)
_SIZE, _NAME_SIZE = 3.0, 4.2


def check_bars(x: Number, y: Number, *, names: tuple[str, str] = ("x", "y")) -> Iterator[Shape]:
    """Draws two check bars, one from (x, y) to the right and one upward, with scales and names."""
    for along, side in _ticks():
        yield Line("engrave", x + along, y, x + along, y - side)
        yield Line("engrave", x, y - along, x + side, y - along)
    yield Line("engrave", x, y, x + IMPERIAL, y)
    yield Line("engrave", x, y, x, y - IMPERIAL)
    beyond = IMPERIAL + Fraction(3, 2)
    for words, offset in (("100 mm", -0.9), ("4 in", 0.9 + 0.7 * _SIZE)):
        yield Label(words, x + beyond, y + Fraction(offset), _SIZE, anchor="start")
    for words, offset in (("100 mm", 0.9 + 0.7 * _SIZE), ("4 in", -0.9)):
        yield Label(words, x + Fraction(offset), y - beyond, _SIZE, anchor="start", rotation=-90)
    name = IMPERIAL + 15
    middle = 0.25 * _NAME_SIZE
    yield Label(names[0], x + name, y + Fraction(middle), _NAME_SIZE, anchor="start", weight="bold")
    yield Label(names[1], x, y - name, _NAME_SIZE, weight="bold")


def _ticks() -> Iterator[tuple[Fraction, Fraction]]:
    """Yields the ticks of a check bar: the place of each along the bar, and its length in mm.

    Ticks in inches have negative lengths, because they are on the other side of the bar.
    """
    for step in range(21):
        yield METRIC * step / 20, _LONG if step % 10 == 0 else _SHORT
    for step in range(17):
        yield IMPERIAL * step / 16, -_LONG if step % 4 == 0 else -_SHORT


@dataclass(frozen=True, slots=True)
class Arranged:
    """A sheet: its size and its parts; a heading ends SEAM_ROOM above y `top`."""

    width: Fraction
    height: Fraction
    parts: tuple[Part, ...]
    top: Fraction

    @property
    def landscape(self) -> bool:
        return self.width > self.height

    @property
    def views(self) -> list[PieceView]:
        return [view for part in self.parts for view in part.views]

    @property
    def alone(self) -> tuple[Part, PieceView] | None:
        """The only part of the sheet and its only view; None if there are several views."""
        return (self.parts[0], self.views[0]) if len(self.views) == 1 else None


def least_sheets(groups: Sequence[ViewGroup], paper: PaperName) -> int:
    """Returns a lower bound for the number of sheets: the area of all views in whole sheets."""
    width, height = sheet_size(paper, landscape=False)
    sizes = [view.size for group in groups for view in group.views]
    covered = sum((wide * high for wide, high in sizes), Fraction(0))
    return math.ceil(covered / (width * height))


def arrange(groups: Sequence[ViewGroup], paper: PaperName, uses: Sequence[str]) -> list[Arranged]:
    """Distributes the views to as few sheets as it can; sheets follow the order of their groups.

    A view that fits no sheet together with a caption, and one that is alone on its sheet, is placed
    in the middle. `uses` are the paragraphs that a heading has if there is room.
    """
    ways = _ways(groups)
    areas = [packing_area(paper, landscape=way) for way in ways]
    sizes = [(area.width, area.height) for area in areas]
    headings = [heading_height(area, uses) for area in areas]
    shared: list[ViewGroup] = []
    sheets: list[tuple[int, Arranged]] = []
    for index, group in enumerate(groups):
        kept = [view for view in group.views if fits(group, view, sizes)]
        shared.append(replace(group, views=tuple(kept)))
        sheets += [(index, _alone(group, view, paper)) for view in group.views if view not in kept]
    for which, parts in _below_headings(shared, sizes, headings):
        first = min(part.group for part in parts)
        if len(parts) == len(parts[0].views) == 1:
            sheets.append((first, _alone(groups[first], parts[0].views[0], paper)))
            continue
        page = sheet_size(paper, landscape=ways[which])
        placed = _shared(parts, areas[which], headings[which])
        top = min(part.y for part in placed) + SEAM_ROOM - HEADING_GAP
        sheets.append((first, Arranged(*page, placed, top)))
    return [sheet for _, sheet in sorted(sheets, key=itemgetter(0))]


def _ways(groups: Sequence[ViewGroup]) -> tuple[bool, bool]:
    """Returns both orientations, as values of `landscape`: first that of the largest view."""
    views = [view for group in groups for view in group.views]
    width, height = max((view.size for view in views), key=lambda size: size[0] * size[1])
    return (True, False) if width > height else (False, True)


def _below_headings(
    groups: Sequence[ViewGroup], areas: Sequence[Size], headings: Sequence[Fraction]
) -> list[Packed]:
    """Distributes the views to sheets with room for a heading, unless that takes more sheets.

    `areas` are the sizes that sheets may have, and `headings` the height of the heading on each.
    Returns what `pack` returns.
    """
    full = pack(groups, areas)
    lower = [
        (width, height - above) for (width, height), above in zip(areas, headings, strict=True)
    ]
    if all(fits(group, view, lower) for group in groups for view in group.views):
        headed = pack(groups, lower)
        if len(headed) <= len(full):
            return headed
    return full


def _alone(group: ViewGroup, view: PieceView, paper: PaperName) -> Arranged:
    """Returns a sheet with a single view in its middle.

    A whole drawing is turned, or the sheet is, if the drawing fits better that way.
    """
    number, drawing, tiles = view.label, view.drawing, view.tiles
    if view.whole:
        tiles = tile(drawing.width, drawing.height, paper)
        drawing = drawing.turned() if tiles.turned else drawing
    here = tiles.tiles[tiles.number(view.tile) - 1]
    view = PieceView(drawing, tiles, here)
    part = Part(group.title, number, (), *view.size, (view,), group.use)
    return Arranged(tiles.sheet_width, tiles.sheet_height, (part,), here.top)


def _shared(parts: Sequence[Part], area: Rectangle[Fraction], above: Fraction) -> tuple[Part, ...]:
    """Returns the parts of a sheet at their places in its packing area.

    They are moved down by the height `above` of a heading if there is room.
    """
    wide = max(part.x + part.size[0] for part in parts)
    high = max(part.y + part.size[1] for part in parts)
    down = above if high + above <= area.height else Fraction(0)
    edge = min(part.x + (PIECE_ROOM if part.turned else part.views[0].room[0]) for part in parts)
    # the first cut line or seam is below the beginning of the heading
    right = max(Fraction(0), min(SEAM_ROOM - edge, area.width - wide))
    return tuple(
        replace(part, x=area.left + part.x + right, y=area.top + part.y + down) for part in parts
    )


#: More sheets than this are not printed in one file.
MOST_SHEETS = 400
#: Beyond the outer edge of a drawing the window shows so much more, for the width of the cut line.
BLEED = Fraction(1)


@dataclass(frozen=True, slots=True)
class Imprint:
    """The names of ruleset and edition on a sheet, and the use of its cutout in plain text."""

    ruleset: str
    edition: str
    use: str = ""

    def __str__(self) -> str:
        return gettext("%(title)s, edition %(edition)s", title=self.ruleset, edition=self.edition)


def compose_sheets(
    title: str,
    cutouts: Sequence[Pieces],
    paper: PaperName,
    imprint: Imprint,
    *,
    look: Look | None = None,
) -> list[Picture]:
    """Draws the sheets for one or several cutouts on a paper, in the order of the pieces.

    Several cutouts share sheets, with their names as captions. Raises QuantityError if a piece or
    the whole file takes too many sheets.
    """
    groups = groups_of(cutouts, paper)
    views = [view for group in groups for view in group.views]
    uses = tuple(words for words in (imprint.use, _joining(views)) if words)
    if (least := least_sheets(groups, paper)) > MOST_SHEETS:
        raise _too_many(title, least, paper)
    sheets = arrange(groups, paper, uses)
    if len(sheets) > MOST_SHEETS:
        raise _too_many(title, len(sheets), paper)
    one_piece = len(views) == len(sheets) == len(views[0].tiles.tiles)
    drawing = _SheetDrawing(title, imprint, look or Look(), one_piece)
    return [drawing.sheet(sheet, number, sheets) for number, sheet in enumerate(sheets, 1)]


def _too_many(title: str, count: int, paper: PaperName) -> QuantityError:
    """Returns the error for a file that takes too many sheets."""
    advice = "ask for fewer copies, or for a larger paper"
    return too_many_sheets(title, f"{count} or more", paper, MOST_SHEETS, advice)


def _joining(views: Sequence[PieceView]) -> str:
    """Returns the instructions for joining parts; empty if every view shows a whole piece."""
    return "" if all(view.whole for view in views) else gettext(JOIN_PARTS)


@dataclass(frozen=True, slots=True)
class _SheetDrawing:
    """Draws sheets with what all sheets of a file have in common."""

    title: str
    imprint: Imprint
    look: Look
    #: Whether every sheet is one window of the same piece, and has its number.
    one_piece: bool

    def sheet(self, sheet: Arranged, number: int, sheets: Sequence[Arranged]) -> Picture:
        words = self._words(sheet, number, sheets)
        page = sheet.width, sheet.height
        headed = list(heading(*page, words, sheet.top))
        measured = list(measure_first(*page))
        shapes: list[Shape] = [
            *check_bars(*bar_corner(sheet.height), names=bar_names(landscape=sheet.landscape)),
            *measured,
            *join_at_foot(*page, measured, joining_unless_shown(headed, words)),
            *footer(*page, words, str(self.imprint)),
            *headed,
        ]
        body = (*self._views(sheet), Group(draw_shapes(shapes, self.look), "sheet"))
        descriptions = dict.fromkeys(view.drawing.description for view in sheet.views)
        description = f"{'; '.join(descriptions)}. {' '.join(print_first())}"
        title = self.title if len(sheets) == 1 else f"{self.title}, {words.number}"
        return Picture(window_of((0, 0, *page)), title, description, body)

    def _words(self, sheet: Arranged, number: int, sheets: Sequence[Arranged]) -> SheetWords:
        """Returns the title, footer and paragraphs of a sheet.

        They name the piece if the sheet has a single view, otherwise the whole file.
        """
        numbering = gettext("%(number)s of %(count)s", number=number, count=len(sheets))
        alone = sheet.alone
        if alone is None:
            uses = (self.imprint.use, _joining(sheet.views))
            return SheetWords(self.title, self.title, numbering, uses)
        part, view = alone
        join = "" if view.whole else gettext(JOIN)
        uses = (self.imprint.use or part.use, join)
        if view.whole or self.one_piece:
            return SheetWords(part.title, part.title, part.number or numbering, uses)
        return SheetWords(part.title, f"{part.title}, {part.number}", numbering, uses)

    def _views(self, sheet: Arranged) -> Iterator[Element]:
        """Draws the parts of a sheet: their captions and their views."""
        for part in sheet.parts:
            x, y = (Fraction(0), Fraction(0)) if part.turned else (part.x, part.y)
            drawn = [*draw_shapes((moved(label, x, y) for label in part.caption), self.look)]
            for view in part.views:
                drawn += self._view(view.standing(x + view.tile.left, y + view.tile.top))
            if part.turned:
                # to the left: what runs along it is read upwards, and a cone, whose words stand
                # across, is upright
                turned = Placing(rounded(part.x), rounded(part.y + part.width), turn=-90)
                yield Group(tuple(drawn), placing=turned)
            else:
                yield from drawn

    def _view(self, view: PieceView) -> Drawn:
        part = view.tile
        shown = through_window(view.drawing, self.look, _window(view))
        placing = Placing(rounded(part.left - part.x), rounded(part.top - part.y))
        shapes = () if view.whole else (*marks(view), *seams(view))
        return (Group((shown,), placing=placing), *draw_shapes(shapes, self.look))


def _window(view: PieceView) -> ExactBox:
    """Returns the part of a drawing that a view shows, extended by BLEED at the outer edges.

    It is extended there so that the whole width of the cut line is seen.
    """
    part, tiles = view.tile, view.tiles
    return (
        part.x - (BLEED if part.column == 1 else 0),
        part.y - (BLEED if part.row == 1 else 0),
        part.x + part.width + (BLEED if part.column == tiles.columns else 0),
        part.y + part.height + (BLEED if part.row == tiles.rows else 0),
    )
