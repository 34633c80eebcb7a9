"""Placements on a side -> the marks along which it is cut, in the margin only.

A mark stands in the line of a cut, outside all trims and bleeds: nothing that is kept has one on
it, and no neighbour either.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rulebook.imposing.placing import Placement, Rect, Segment, around

#: From the bleed to the mark, and how long a mark is, if the margin is wide enough.
CLEAR = Fraction(1, 2)
LENGTH = Fraction(4)
#: Marks end so far from the edge of the paper; a shorter mark than the shortest is left out.
EDGE = Fraction(1)
SHORTEST = Fraction(1)


def crop_marks(placements: Iterable[Placement], paper: Rect) -> tuple[Segment, ...]:
    """Marks at the four sides of the block of pages, in the line of every edge of a trim."""
    placed = list(placements)
    if not placed:
        return ()
    trims = [one.trim for one in placed]
    block = around([*trims, *(one.shown for one in placed)])
    across = sorted({edge for trim in trims for edge in (trim.left, trim.right)})
    up = sorted({edge for trim in trims for edge in (trim.bottom, trim.top)})
    below, above = (
        _reach(block.bottom - CLEAR, paper.bottom + EDGE, -1),
        _reach(block.top + CLEAR, paper.top - EDGE, 1),
    )
    left, right = (
        _reach(block.left - CLEAR, paper.left + EDGE, -1),
        _reach(block.right + CLEAR, paper.right - EDGE, 1),
    )
    return (
        *(Segment(x, y[0], x, y[1]) for y in (below, above) if y for x in across),
        *(Segment(x[0], y, x[1], y) for x in (left, right) if x for y in up),
    )


def _reach(start: Fraction, limit: Fraction, way: int) -> tuple[Fraction, Fraction] | None:
    """From where to where a mark goes, or None where the margin has no room for it."""
    room = (limit - start) * way
    return (start, start + way * min(LENGTH, room)) if room >= SHORTEST else None
