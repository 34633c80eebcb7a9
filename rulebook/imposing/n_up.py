"""Cards -> sheets that are cut into them, with their backs exactly behind their fronts.

Pages are named by their numbers, so that a back may serve many cards, and a card may be printed
many times. A printer that prints its back sides a little to the side is met by an offset, which
is added to all that stands on the backs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulebook.imposing.imposition import crop_marks, sheet_of, with_note
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
from rulebook.paper import PaperName, paper_size
from rulebook.translation import gettext

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
