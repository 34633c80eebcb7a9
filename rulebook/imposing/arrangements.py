"""Pages -> where they stand on sheets: cards to cut, booklets to staple, posters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulebook.cutouts.packing import CLEAR, overlapping, seam_marks
from rulebook.imposing.imposition import LINE, crop_marks, sheet_of, with_note
from rulebook.imposing.layouts import MARGIN, CardLayout, SheetLayout
from rulebook.imposing.placing import (
    BOTH_SIDES,
    Flip,
    Millimetres,
    Note,
    Placement,
    PrintedSheet,
    Rect,
    Segment,
    SheetSide,
    behind,
    exact,
    rect,
)
from rulebook.paper_and_ink import PaperName, paper_size
from rulebook.translation import gettext, gettext_noop

#: From the fold to the cards on both of its sides, so that both are cut at once.
FOLD_ROOM = Fraction(4)


def n_up(
    fronts: Sequence[int],
    layout: SheetLayout,
    *,
    backs: Sequence[int] | None = None,
    flip: Flip = "long",
    offset: tuple[Millimetres, Millimetres] = (0, 0),
) -> list[PrintedSheet]:
    """Arranges cards on sheets in order, with crop marks and a note on each side.

    `fronts` are page numbers, `backs` the numbers of the pages on their backs; if None, sheets are
    printed on one side. All that stands on a back is moved right and up by `offset`, in mm.
    """
    paper = rect(0, 0, layout.width, layout.height)
    shift = (exact(offset[0]), exact(offset[1]))
    how = gettext(BOTH_SIDES[flip]) if backs is not None else ""
    turn = f"{how[:1].upper()}{how[1:]}." if how else ""
    sheets = []
    for counts, start, cards in _dealt(fronts, layout):
        sheet = sheet_of(**counts)
        if backs is not None:
            sheet = gettext("Sheet %(number)s of %(count)s, front.", **counts)
        front = with_note(_marked(cards, paper), paper, sheet, turn)
        back = None
        if backs is not None:
            size = (layout.width, layout.height)
            behind_them = [
                behind(card, backs[start + place], size, flip).moved(*shift)
                for place, card in enumerate(cards)
            ]
            sheet = gettext("Sheet %(number)s of %(count)s, back.", **counts)
            back = with_note(SheetSide(tuple(behind_them)), paper, sheet, turn)
        sheets.append(PrintedSheet(layout.width, layout.height, front, back))
    return sheets


def _dealt(
    fronts: Sequence[int], layout: SheetLayout
) -> Iterator[tuple[dict[str, int], int, list[Placement]]]:
    """Deals cards to sheets; yields for each sheet its numbering, first index and placed cards.

    The numbering has the `number` of the sheet and the `count` of sheets; the index is that of its
    first card in `fronts`.
    """
    count = -(-len(fronts) // layout.places)
    for number in range(count):
        start = number * layout.places
        pages = fronts[start : start + layout.places]
        placed = (Placement(page, layout.trim(n), layout.shown(n)) for n, page in enumerate(pages))
        yield {"number": number + 1, "count": count}, start, list(placed)


def _marked(cards: Sequence[Placement], paper: Rect) -> SheetSide:
    return SheetSide(tuple(cards), crop_marks(cards, paper))


def gutterfold(
    fronts: Sequence[int], backs: Sequence[int], card: CardLayout, paper: PaperName
) -> list[PrintedSheet]:
    """Arranges cards on sheets with the fronts left of a middle line and the backs right of it.

    They are printed on one side, folded along the line, glued and cut, so that the printer need not
    align two sides. The paper is turned so that it holds most cards. Raises ValueError if half a
    sheet has no room for a card.
    """
    assert len(backs) == len(fronts), "a card without a back"
    half = _left_half(card, paper)
    width, height = half.width, half.height
    sheet = rect(0, 0, width, height)
    fold = Segment(width / 2, exact(2), width / 2, height - 2, dashed=True)
    sheets = []
    for counts, start, left in _dealt(fronts, half):
        # Folded along an upright line, a back comes to lie as after a turn about that line.
        right = [
            behind(front, back, (width, height), "long" if height >= width else "short")
            for front, back in zip(left, backs[start:], strict=False)
        ]
        side = _marked([*left, *right], sheet)
        marked = SheetSide(side.placements, (*side.marks, fold))
        how = gettext("Fold along the dashed line, glue, then cut.")
        noted = with_note(marked, sheet, sheet_of(**counts), how)
        sheets.append(PrintedSheet(width, height, noted))
    return sheets


def _left_half(card: CardLayout, paper: PaperName) -> SheetLayout:
    """Returns the layout with the most cards on the left half of a sheet.

    The paper may be upright or turned. Raises ValueError if there is no room for a card.
    """
    choices = []
    for landscape in (False, True):
        width, height = map(exact, paper_size(paper, landscape=landscape))
        columns = int((width / 2 - MARGIN - FOLD_ROOM) // card.width)
        rows = int((height - 2 * MARGIN) // card.height)
        choices.append((columns * rows, not landscape, width, height, columns, rows))
    places, _, width, height, columns, rows = max(choices)
    if not places:
        raise ValueError(f"half a sheet of {paper} has no room for one of the {card.title}")
    return SheetLayout(
        width=width,
        height=height,
        card_width=card.width,
        card_height=card.height,
        columns=columns,
        rows=rows,
        left=width / 2 - FOLD_ROOM - columns * card.width,
        top=(height - rows * card.height) / 2,
        gap_across=Fraction(0),
        gap_down=Fraction(0),
        bleed=card.bleed,
    )


#: About which edge a booklet's sheets are turned between their sides.
FLIP: Flip = "short"
#: How far the pages of a sheet are moved to the fold from those of the sheet around it, mm: what
#: office paper is thick.
CREEP = Fraction(1, 10)
#: The innermost sheet is moved no farther, so that no text comes to the fold.
MOST_CREEP = Fraction(2)

#: Two pages by their numbers, left and right; None is a page left blank.
Pair = tuple[int | None, int | None]


def fold_order(count: int) -> list[tuple[Pair, Pair]]:
    """Returns the pages on the front and back of each sheet of a booklet, outermost sheet first.

    Pages count from 0. Blank pages (None) are added at the end up to a multiple of four.
    """
    pages = [number if number < count else None for number in range(-(-count // 4) * 4)]
    sheets: list[tuple[Pair, Pair]] = []
    while pages:
        sheets.append(((pages[-1], pages[0]), (pages[1], pages[-2])))
        pages = pages[2:-2]
    return sheets


def saddle_stitch(
    count: int, trim: tuple[Millimetres, Millimetres], paper: str
) -> list[PrintedSheet]:
    """Arranges a booklet of `count` pages on sheets that are folded in the middle.

    Two pages, `trim` mm in size, stand on each side. Pages on inner sheets are moved towards the
    fold, because inner sheets stick out beyond the outer ones.
    """
    width, height = map(exact, paper_size(paper, landscape=True))
    page_width, page_height = map(exact, trim)
    fold, bottom = width / 2, (height - page_height) / 2
    order = fold_order(count)
    step = min(CREEP, MOST_CREEP / max(len(order) - 1, 1))

    def side(pair: Pair, shift: Fraction) -> SheetSide:
        """Places two pages that meet at the fold; what `shift` moves beyond the fold is cut off."""
        left = rect(fold - page_width + shift, bottom, page_width, page_height)
        right = rect(fold - shift, bottom, page_width, page_height)
        seen = page_width - shift
        return SheetSide(
            (
                Placement(pair[0], left, rect(left.left, bottom, seen, page_height)),
                Placement(pair[1], right, rect(fold, bottom, seen, page_height)),
            )
        )

    return [
        PrintedSheet(width, height, side(front, depth * step), side(back, depth * step))
        for depth, (front, back) in enumerate(order)
    ]


#: From the edge of the paper along a line to cut.
TICK = Fraction(4)


def two_up(
    count: int, page_size: tuple[Millimetres, Millimetres], paper: PaperName
) -> list[PrintedSheet]:
    """Arranges two copies of `count` pages on sheets of twice their size, to cut in the middle.

    Pages `page_size` mm in size stand beside one another, or above one another if they lie; every
    other page is on the back of the one before. Short marks show where to cut.
    """
    upright = page_size[0] < page_size[1]
    width, height = map(exact, paper_size(paper, landscape=upright))
    page_width, page_height = map(exact, page_size)
    x, y = width / 2, height / 2
    if upright:
        boxes = [
            rect(left, y - page_height / 2, page_width, page_height) for left in (x - page_width, x)
        ]
        ticks = (Segment(x, Fraction(0), x, TICK), Segment(x, height - TICK, x, height))
    else:
        boxes = [
            rect(x - page_width / 2, low, page_width, page_height) for low in (y, y - page_height)
        ]
        ticks = (Segment(Fraction(0), y, TICK, y), Segment(width - TICK, y, width, y))
    sheets = []
    for page in range(0, count, 2):
        fronts = tuple(Placement(page, box, box) for box in boxes)
        backs = tuple(behind(front, page + 1, (width, height), "long") for front in fronts)
        back = SheetSide(backs) if page + 1 < count else None
        sheets.append(PrintedSheet(width, height, SheetSide(fronts, ticks), back))
    return sheets


#: The pages of a pocket fold as they stand on the sheet; those of the upper row on their heads.
POCKET_PAGES = ((5, 4, 3, 2), (6, 7, 8, 1))


def pocket_fold(count: int, paper: PaperName) -> PrintedSheet:
    """Arranges up to eight pages on one side of a sheet, which is folded with one cut.

    The cut is in the middle, across the inner four pages. The sheet is folded lengthwise, and its
    ends are pushed together until the pages lie on one another.
    """
    width, height = map(exact, paper_size(paper, landscape=True))
    page_width, middle = width / 4, height / 2
    placements = []
    for row, numbers in enumerate(POCKET_PAGES):
        for column, number in enumerate(numbers):
            box = rect(column * page_width, middle * (1 - row), page_width, middle)
            page = number - 1 if number <= count else None
            placements.append(Placement(page, box, box, on_its_head=row == 0))
    none, left, right = Fraction(0), page_width, 3 * page_width
    marks = [Segment(left * n, none, left * n, height, dashed=True) for n in (1, 2, 3)]
    marks += [Segment(x, middle, x + left, middle, dashed=True) for x in (none, right)]
    marks.append(Segment(left, middle, right, middle))
    how = gettext("Cut along the solid line, fold along the dashed ones.")
    note = Note(how, left + 2 * CUT_CLEAR, middle + CUT_CLEAR)
    return PrintedSheet(width, height, SheetSide(tuple(placements), tuple(marks), (note,)))


#: Between a line to cut and the words above it.
CUT_CLEAR = Fraction(1)


#: Half the length of the arms of a cross.
ARM = Fraction(4)
#: At the lower edge, for the line that tells which sheet this is.
NOTE_ROOM = LINE + 1
MOST_SHEETS = 100
JOIN = gettext_noop("Lay cross on cross and glue.")


def poster(page_size: tuple[Millimetres, Millimetres], paper: str) -> list[PrintedSheet]:
    """Cuts a page into parts on the fewest sheets of a paper at scale 1, row by row from the top.

    `page_size` is in mm. Parts overlap and have registration marks. Raises ValueError if that takes
    more than MOST_SHEETS.
    """
    width, height = map(exact, page_size)
    choices: list[tuple[int, int, Rect, list[Rect], list[Fraction], list[Fraction]]] = []
    for landscape in (height < width, height >= width):
        sheet = rect(0, 0, *paper_size(paper, landscape=landscape))
        wide, across = overlapping(width, sheet.width - 2 * CLEAR)
        high, up = overlapping(height, sheet.height - 2 * CLEAR - NOTE_ROOM)
        tiles = [rect(x, y, wide, high) for y in reversed(up) for x in across]
        choices.append((len(tiles), len(choices), sheet, tiles, across, up))
    count, _, sheet, tiles, across, up = min(choices, key=lambda choice: choice[:2])
    if count > MOST_SHEETS:
        raise ValueError(f"a page that takes {count} sheets of {paper}, more than {MOST_SHEETS}")
    crosses = seam_marks((width, height), across, up)
    sheets = []
    for number, tile in enumerate(tiles, start=1):
        x = (sheet.width - tile.width) / 2
        y = CLEAR + NOTE_ROOM + (sheet.height - 2 * CLEAR - NOTE_ROOM - tile.height) / 2
        away = (x - tile.left, y - tile.bottom)
        placed = Placement(0, rect(*away, width, height), tile.moved(*away))
        marks = [
            line
            for cross in crosses
            if tile.left <= cross[0] <= tile.right and tile.bottom <= cross[1] <= tile.top
            for line in _cross(cross[0] + away[0], cross[1] + away[1])
        ]
        side = SheetSide((placed,), tuple(marks))
        noted = with_note(side, sheet, sheet_of(number, count), gettext(JOIN) if marks else "")
        sheets.append(PrintedSheet(sheet.width, sheet.height, noted))
    return sheets


def _cross(x: Fraction, y: Fraction) -> Iterator[Segment]:
    yield Segment(x - ARM, y, x + ARM, y)
    yield Segment(x, y - ARM, x, y + ARM)
