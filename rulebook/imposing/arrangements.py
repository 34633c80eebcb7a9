"""Pages -> where they stand on sheets: cards to cut, booklets to staple, posters, any PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rulebook.cutouts.packing import CLEAR, overlapping, seam_marks
from rulebook.imposing.imposition import (
    LINE,
    TOLERANCE,
    PageSize,
    WrongPages,
    crop_marks,
    impose,
    page_sizes,
    sheet_of,
    with_note,
)
from rulebook.imposing.layouts import MARGIN, CardLayout, SheetLayout
from rulebook.imposing.placing import (
    BOTH_SIDES,
    Flip,
    Millimetres,
    Placement,
    Rect,
    Segment,
    Sheet,
    Side,
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
) -> list[Sheet]:
    """Cards in the order of `fronts`, which are numbers of pages, with crop marks and a note.

    `backs` gives the page behind each card, None prints on one side only. `offset` is how far all
    that stands on a back is moved to the right and up. Raises ValueError where there is not a back
    for each front.
    """
    if backs is not None and len(backs) != len(fronts):
        raise ValueError(f"{len(backs)} backs for {len(fronts)} cards")
    paper = rect(0, 0, layout.width, layout.height)
    shift = (exact(offset[0]), exact(offset[1]))
    count = -(-len(fronts) // layout.places)
    how = gettext(BOTH_SIDES[flip]) if backs is not None else ""
    turn = f"{how[:1].upper()}{how[1:]}." if how else ""
    sheets = []
    for number in range(count):
        start = number * layout.places
        cards = [
            Placement(page, layout.trim(place), layout.shown(place))
            for place, page in enumerate(fronts[start : start + layout.places])
        ]
        told = {"number": number + 1, "count": count}
        sheet = sheet_of(**told)
        if backs is not None:
            sheet = gettext("Sheet %(number)s of %(count)s, front.", **told)
        front = with_note(_marked(cards, paper), paper, sheet, turn)
        back = None
        if backs is not None:
            size = (layout.width, layout.height)
            behind_them = [
                behind(card, backs[start + place], size, flip).moved(*shift)
                for place, card in enumerate(cards)
            ]
            sheet = gettext("Sheet %(number)s of %(count)s, back.", **told)
            back = with_note(Side(tuple(behind_them)), paper, sheet, turn)
        sheets.append(Sheet(layout.width, layout.height, front, back))
    return sheets


def _marked(cards: Sequence[Placement], paper: Rect) -> Side:
    return Side(tuple(cards), crop_marks(cards, paper))


def gutterfold(
    fronts: Sequence[int], backs: Sequence[int], card: CardLayout, paper: PaperName
) -> list[Sheet]:
    """Fronts to the left of a line in the middle and their backs to the right of it.

    The sheet is printed on one side, folded along the line, glued and cut: no printer need hit its
    own back. The paper lies as it holds most cards. Raises ValueError where a half has room for
    none, or there is not a back for each front.
    """
    if len(backs) != len(fronts):
        raise ValueError(f"{len(backs)} backs for {len(fronts)} cards")
    width, height, places = _halves(card, paper)
    sheet = rect(0, 0, width, height)
    fold = Segment(width / 2, exact(2), width / 2, height - 2, dashed=True)
    count = -(-len(fronts) // len(places))
    sheets = []
    for number in range(count):
        start = number * len(places)
        left = [
            Placement(page, trim, _bled(trim, card.bleed, places))
            for page, trim in zip(fronts[start : start + len(places)], places, strict=False)
        ]
        # Folded along an upright line, a back comes to lie as after a turn about that line.
        right = [
            behind(one, back, (width, height), "long" if height >= width else "short")
            for one, back in zip(left, backs[start:], strict=False)
        ]
        side = _marked([*left, *right], sheet)
        marked = Side(side.placements, (*side.marks, fold))
        how = gettext("Fold along the dashed line, glue, then cut.")
        noted = with_note(marked, sheet, sheet_of(number + 1, count), how)
        sheets.append(Sheet(width, height, noted))
    return sheets


def _halves(card: CardLayout, paper: PaperName) -> tuple[Fraction, Fraction, list[Rect]]:
    """The sheet as it lies, and the places of its left half, row by row."""
    choices = []
    for landscape in (False, True):
        width, height = map(exact, paper_size(paper, landscape=landscape))
        columns = (width / 2 - MARGIN - FOLD_ROOM) // card.width
        rows = (height - 2 * MARGIN) // card.height
        choices.append((columns * rows, not landscape, width, height, columns, rows))
    places, _, width, height, columns, rows = max(choices)
    if not places:
        raise ValueError(f"half a sheet of {paper} has no room for one of the {card.title}")
    left = width / 2 - FOLD_ROOM - columns * card.width
    top = (height + rows * card.height) / 2
    return (
        width,
        height,
        [
            rect(left + column * card.width, top - (row + 1) * card.height, card.width, card.height)
            for row in range(int(rows))
            for column in range(int(columns))
        ],
    )


def _bled(trim: Rect, bleed: Fraction, places: Sequence[Rect]) -> Rect:
    """The trim with its bleed where the block of cards ends, none where a neighbour stands."""
    lefts, rights = min(p.left for p in places), max(p.right for p in places)
    bottoms, tops = min(p.bottom for p in places), max(p.top for p in places)
    return Rect(
        trim.left - (bleed if trim.left == lefts else 0),
        trim.bottom - (bleed if trim.bottom == bottoms else 0),
        trim.right + (bleed if trim.right == rights else 0),
        trim.top + (bleed if trim.top == tops else 0),
    )


#: How the sheets are turned between their sides.
FLIP: Flip = "short"
#: How far the pages of a sheet are moved beyond those of the sheet around it: office paper.
CREEP = Fraction(1, 10)
#: The innermost sheet is moved no farther, so that no text comes to the fold.
MOST_CREEP = Fraction(2)
_NONE = Fraction(0)

#: Two pages by their numbers, left and right; None is a page left blank.
Pair = tuple[int | None, int | None]


def fold_order(count: int, sheets_a_signature: int | None = None) -> list[list[tuple[Pair, Pair]]]:
    """Signatures, in each the sheets from the outer to the inner: pages of front and back.

    Blank pages are added at the end up to a multiple of four. A signature has so many sheets, None
    as many as there are; the last may have fewer. Raises ValueError for less than one sheet.
    """
    if sheets_a_signature is not None and sheets_a_signature < 1:
        raise ValueError(f"signatures of {sheets_a_signature} sheets")
    sheets = -(-count // 4)
    size = sheets_a_signature or max(sheets, 1)
    return [
        list(_nested(4 * first, 4 * min(first + size, sheets), count))
        for first in range(0, sheets, size)
    ]


def _nested(first: int, end: int, count: int) -> Iterator[tuple[Pair, Pair]]:
    """The sheets of a signature whose pages are numbered from `first` up to `end`."""
    pages = [number if number < count else None for number in range(first, end)]
    while pages:
        yield (pages[-1], pages[0]), (pages[1], pages[-2])
        pages = pages[2:-2]


def saddle_stitch(
    count: int,
    trim: tuple[Millimetres, Millimetres],
    paper: str,
    *,
    sheets_a_signature: int | None = None,
    creep: Millimetres = CREEP,
) -> list[Sheet]:
    """The sheets of a booklet of `count` pages of a trimmed size, in the order of its signatures.

    Page 1 is outside right. Raises ValueError where the pages are larger than half the paper, the
    creep is negative, or a signature has less than one sheet.
    """
    width, height = map(exact, paper_size(paper, landscape=True))
    page_width, page_height = map(exact, trim)
    _fits(page_width, page_height, paper)
    if exact(creep) < 0:
        raise ValueError(f"a creep of {creep} mm")
    laid = []
    for signature in fold_order(count, sheets_a_signature):
        step = min(exact(creep), MOST_CREEP / max(len(signature) - 1, 1))
        for depth, (front, back) in enumerate(signature):
            shift = min(depth * step, page_width / 4)
            sides = (
                Side(_beside(pair, (page_width, page_height), (width, height), shift))
                for pair in (front, back)
            )
            laid.append(Sheet(width, height, *sides))
    return laid


def _beside(
    pair: Pair,
    trim: tuple[Fraction, Fraction],
    sheet: tuple[Fraction, Fraction],
    shift: Fraction = _NONE,
) -> tuple[Placement, Placement]:
    """Two pages that meet at the fold in the middle; what is moved beyond it is cut off."""
    fold, bottom = sheet[0] / 2, (sheet[1] - trim[1]) / 2
    left = rect(fold - trim[0] + shift, bottom, *trim)
    right = rect(fold - shift, bottom, *trim)
    return (
        Placement(pair[0], left, rect(left.left, bottom, trim[0] - shift, trim[1])),
        Placement(pair[1], right, rect(fold, bottom, trim[0] - shift, trim[1])),
    )


def _fits(width: Fraction, height: Fraction, paper: str) -> None:
    """Raise ValueError for pages of which no two stand side by side on the paper."""
    wide, high = map(exact, paper_size(paper, landscape=True))
    if not (0 < width <= wide / 2 and 0 < height <= high):
        sizes = (
            f"{float(round(a, 1)):g} x {float(round(b, 1)):g} mm"
            for a, b in ((width, height), (wide / 2, high))
        )
        raise ValueError("pages of {}, expected up to {}, half of ".format(*sizes) + paper)


def two_up(
    count: int, trim: tuple[Millimetres, Millimetres], paper: str, *, twice: bool = False
) -> list[Sheet]:
    """Pages side by side in reading order, or each twice on a sheet that is cut in the middle.

    Raises ValueError where the pages are larger than half the paper.
    """
    width, height = map(exact, paper_size(paper, landscape=True))
    page_width, page_height = map(exact, trim)
    _fits(page_width, page_height, paper)
    pairs: Sequence[Pair] = (
        [(number, number) for number in range(count)]
        if twice
        else [(number, number + 1 if number + 1 < count else None) for number in range(0, count, 2)]
    )
    size = (page_width, page_height)
    sheets = []
    for pair in pairs:
        placed = _beside(pair, size, (width, height))
        marks = crop_marks(placed, rect(0, 0, width, height)) if twice else ()
        sheets.append(Sheet(width, height, Side(placed, marks)))
    return sheets


#: Half the length of the arms of a cross.
ARM = Fraction(4)
#: At the lower edge, for the line that tells which sheet this is.
NOTE_ROOM = LINE + 1
MOST_SHEETS = 100
JOIN = gettext_noop("Lay cross on cross and glue.")

#: From where to where along one side of the page.
Window = tuple[Fraction, Fraction]


def poster(page_size: tuple[Millimetres, Millimetres], paper: str, page: int = 0) -> list[Sheet]:
    """The fewest sheets that show a page of this size at scale 1, row by row from the top.

    Raises ValueError for a page of no size, or one that takes more than MOST_SHEETS.
    """
    width, height = map(exact, page_size)
    if width <= 0 or height <= 0:
        raise ValueError("a page of no size")
    choices: list[tuple[int, int, Rect, list[Window], list[Window]]] = []
    for landscape in (height < width, height >= width):
        sheet = rect(0, 0, *paper_size(paper, landscape=landscape))
        room = (sheet.width - 2 * CLEAR, sheet.height - 2 * CLEAR - NOTE_ROOM)
        across, up = windows(width, room[0]), windows(height, room[1])
        choices.append((len(across) * len(up), len(choices), sheet, across, up))
    count, _, sheet, across, up = min(choices, key=lambda choice: choice[:2])
    if count > MOST_SHEETS:
        raise ValueError(f"a page that takes {count} sheets of {paper}, more than {MOST_SHEETS}")
    crosses = seam_marks((width, height), [x for x, _ in across], [y for y, _ in up])
    tiles = [rect(x[0], y[0], x[1] - x[0], y[1] - y[0]) for y in reversed(up) for x in across]
    sheets = []
    for number, tile in enumerate(tiles, start=1):
        x = (sheet.width - tile.width) / 2
        y = CLEAR + NOTE_ROOM + (sheet.height - 2 * CLEAR - NOTE_ROOM - tile.height) / 2
        away = (x - tile.left, y - tile.bottom)
        placed = Placement(page, rect(*away, width, height), tile.moved(*away))
        marks = [
            line
            for cross in crosses
            if tile.left <= cross[0] <= tile.right and tile.bottom <= cross[1] <= tile.top
            for line in _cross(cross[0] + away[0], cross[1] + away[1])
        ]
        side = Side((placed,), tuple(marks))
        noted = with_note(side, sheet, sheet_of(number, count), gettext(JOIN) if marks else "")
        sheets.append(Sheet(sheet.width, sheet.height, noted))
    return sheets


def windows(length: Fraction, room: Fraction) -> list[Window]:
    """Equal stretches along a length, each as long as there is room at most, that overlap."""
    window, starts = overlapping(length, room)
    return [(start, start + window) for start in starts]


def _cross(x: Fraction, y: Fraction) -> Iterator[Segment]:
    yield Segment(x - ARM, y, x + ARM, y)
    yield Segment(x, y - ARM, x, y + ARM)


Arrangement = Literal["booklet", "two-up", "twice", "poster"]
MOST_PAGES = 2000


@dataclass(frozen=True, slots=True)
class Arranged:
    """The PDF of the sheets, how many there are, and whether they have two sides."""

    data: bytes
    sheets: int
    duplex: bool


def arrange(
    data: bytes,
    arrangement: Arrangement,
    paper: str,
    *,
    title: str,
    sheets_a_signature: int | None = None,
    creep: Fraction = CREEP,
) -> Arranged:
    """Pages folded into a booklet, two on a side, each twice on a side, or over several sheets.

    Raises WrongPages where the pages do not go on the paper, or are of several sizes and not each
    on its own; ValueError for a creep or a signature that no booklet has.
    """
    sizes = page_sizes(data)
    if not 0 < len(sizes) <= MOST_PAGES:
        raise WrongPages(f"{len(sizes)} pages, expected 1 to {MOST_PAGES}")
    sheets: list[Sheet]
    if arrangement == "poster":
        sheets = [
            sheet
            for number, size in enumerate(sizes)
            for sheet in poster((size.width, size.height), paper, number)
        ]
    else:
        size = _one_size(sizes)
        trim = (size.width, size.height)
        if arrangement == "booklet":
            sheets = saddle_stitch(
                len(sizes), trim, paper, sheets_a_signature=sheets_a_signature, creep=creep
            )
        else:
            sheets = two_up(len(sizes), trim, paper, twice=arrangement == "twice")
    duplex = arrangement == "booklet"
    flip = FLIP if duplex else None
    return Arranged(impose(data, sheets, title=title, flip=flip), len(sheets), duplex)


def _one_size(sizes: list[PageSize]) -> PageSize:
    """The size of all pages; they stand in one grid, so none may have another."""
    first = sizes[0]
    for number, size in enumerate(sizes[1:], start=2):
        if max(abs(size.width - first.width), abs(size.height - first.height)) > TOLERANCE:
            raise WrongPages(f"page {number} is {size}, page 1 is {first}")
    return first
