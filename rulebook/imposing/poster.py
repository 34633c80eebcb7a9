"""A page larger than the paper -> sheets that show a part of it each and are glued together.

Neighbouring sheets overlap, and share crosses in the overlap: laid cross on cross, the page is
whole again and as large as it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from rulebook.cutouts.parts import CLEAR, MARK_INSET, OVERLAP
from rulebook.imposing.imposition import LINE, sheet_of, with_note
from rulebook.imposing.placing import (
    Millimetres,
    Placement,
    Rect,
    Segment,
    Sheet,
    Side,
    exact,
    rect,
)
from rulebook.paper import paper_size
from rulebook.translation import gettext, gettext_noop

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
    crosses = sorted(_crosses((width, height), across, up))
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
    count = 1 if length <= room else math.ceil((length - OVERLAP) / (room - OVERLAP))
    window = (length + (count - 1) * OVERLAP) / count
    starts = (index * (window - OVERLAP) for index in range(count))
    return [(start, start + window) for start in starts]


def _crosses(
    size: tuple[Fraction, Fraction], across: list[Window], up: list[Window]
) -> set[tuple[Fraction, Fraction]]:
    """In the middle of every overlap: near both its ends, and where two of them cross."""
    seams_x = [start + OVERLAP / 2 for start, _ in across[1:]]
    seams_y = [start + OVERLAP / 2 for start, _ in up[1:]]
    ends_x, ends_y = ([MARK_INSET, length - MARK_INSET] for length in size)
    beside = {(x, y) for x in seams_x for y in (*seams_y, *ends_y)}
    return beside | {(x, y) for y in seams_y for x in (*seams_x, *ends_x)}


def _cross(x: Fraction, y: Fraction) -> Iterator[Segment]:
    yield Segment(x - ARM, y, x + ARM, y)
    yield Segment(x, y - ARM, x, y + ARM)
