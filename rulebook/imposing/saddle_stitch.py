"""Pages of a booklet -> the sheets that are folded in the middle, one into the other, and stapled.

The sheets lie landscape with two upright pages on a side, and are turned about their short edge.
The thickness of the paper pushes the inner sheets outwards at the fold, so their pages are moved
towards it (creep): when the booklet is trimmed all its outer margins are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulebook.imposing.imposition import crop_marks
from rulebook.imposing.placing import Flip, Millimetres, Placement, Sheet, Side, exact, rect
from rulebook.paper import paper_size

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
