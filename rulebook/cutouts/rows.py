"""Pieces of a cutout -> one drawing of them all, in rows, for a file or a picture of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from rulebook.drawing.shapes import Caption, Drawing, Number, Shape, moved

#: Between two pieces, so that a knife or a laser has room, in mm.
GAP = Fraction(3)
#: As wide as upright A4 with a margin; a piece that is wider stands in a row alone.
ROW_WIDTH = Fraction(190)


#: The small picture shows each face once, and so many at the most; it is wider than high.
MOST_SHOWN = 24
PICTURE_SHAPE = 4.5


def in_rows(title: str, pieces: Sequence[Drawing]) -> Drawing:
    """The pieces from left to right and from top to bottom, in their order."""
    drawn = _rows(title, pieces, ROW_WIDTH)
    shown = list(dict.fromkeys(pieces))[:MOST_SHOWN]
    if len(shown) == 1:
        return replace(drawn, picture=shown[0])
    area = sum(float((one.width + GAP) * (one.height + GAP)) for one in shown)
    return replace(drawn, picture=_rows(title, shown, Fraction(math.sqrt(PICTURE_SHAPE * area))))


def _rows(title: str, pieces: Sequence[Drawing], row_width: Fraction) -> Drawing:
    shapes: list[Shape] = []
    captions: list[Caption] = []
    width: Number = Fraction(0)
    x, y, height = Fraction(0), Fraction(0), Fraction(0)
    for piece in pieces:
        if x > 0 and x + Fraction(piece.width) > row_width:
            x, y, height = Fraction(0), y + height + GAP, Fraction(0)
        shapes += (moved(shape, x, y) for shape in piece.shapes)
        captions += (replace(one, x=one.x + x, y=one.y + y) for one in piece.captions)
        x += Fraction(piece.width)
        width, height = max(width, x), max(height, Fraction(piece.height))
        x += GAP
    told = list(dict.fromkeys(piece.description for piece in pieces))
    return Drawing(title, "; ".join(told), width, y + height, tuple(shapes), tuple(captions))
