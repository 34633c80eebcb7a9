"""A side of a sheet -> the same side with a line of small type in its margin: which sheet, how.

The words stand where neither a page nor a mark is, as near to the lower edge as printers reach;
where a margin is too narrow for all of them they are fewer, and where there is none they are left
out rather than printed over a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from rulebook.imposing.placing import Note, Rect, Segment, Side, exact
from rulebook.text_fitting import text_width
from rulebook.translation import gettext

#: Type size in mm, and the room that a line takes across its direction.
SIZE = Fraction(23, 10)
LINE = Fraction(3)
#: From the edge of the paper, where printers print.
EDGE = Fraction(5)
#: Between the words and anything else.
CLEAR = Fraction(1, 2)


def sheet_of(number: int, count: int) -> str:
    """Which of several sheets a side belongs to, as a sentence."""
    return gettext("Sheet %(number)s of %(count)s.", number=number, count=count)


def with_note(side: Side, paper: Rect, sheet: str, how: str) -> Side:
    """The side with the sentences `sheet` and `how` on it, as many as have room."""
    scale = gettext("Print at 100 %%.")
    for text in (f"{sheet} {scale} {how}".rstrip(), f"{sheet} {how}".rstrip(), sheet):
        note = _placed(text, side, paper)
        if note is not None:
            return replace(side, notes=(*side.notes, note))
    return side


def _placed(text: str, side: Side, paper: Rect) -> Note | None:
    """The first place along the edges where the line meets nothing."""
    length = exact(round(text_width(text, float(SIZE)), 2))
    taken = [
        *(placement.shown for placement in side.placements),
        *(_room(mark) for mark in side.marks),
    ]
    for box, upward in _boxes(length, side, paper):
        if paper.holds(box) and not any(box.meets(other) for other in taken):
            lift = (LINE - SIZE * Fraction(7, 10)) / 2
            if upward:
                return Note(text, box.right - lift, box.bottom, upward=True)
            return Note(text, box.left, box.bottom + lift)
    return None


def _boxes(length: Fraction, side: Side, paper: Rect) -> Iterator[tuple[Rect, bool]]:
    """Places for a line of this length: below, at the left, above, at the right."""
    seen = [placement.trim for placement in side.placements] or [paper]
    lefts = sorted({max(trim.left, paper.left + EDGE) + CLEAR for trim in seen})
    bottoms = sorted({max(trim.bottom, paper.bottom + EDGE) + CLEAR for trim in seen})
    low, high = paper.bottom + EDGE, paper.top - EDGE - LINE
    near, far = paper.left + EDGE, paper.right - EDGE - LINE
    for y in (low, high):
        yield from ((Rect(x, y, x + length, y + LINE), False) for x in lefts)
    for x in (near, far):
        yield from ((Rect(x, y, x + LINE, y + length), True) for y in bottoms)


def _room(mark: Segment) -> Rect:
    """What a mark takes with the clearance around it."""
    return Rect(
        min(mark.x1, mark.x2) - CLEAR,
        min(mark.y1, mark.y2) - CLEAR,
        max(mark.x1, mark.x2) + CLEAR,
        max(mark.y1, mark.y2) + CLEAR,
    )
