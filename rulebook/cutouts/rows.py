"""Pieces of a cutout -> one drawing of them all, in rows, for a file or a picture of its own."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulebook.cutouts.drawing import Drawing, Number, Shape, moved

#: Between two pieces, so that a knife or a laser has room, in mm.
GAP = Fraction(3)
#: As wide as upright A4 with a margin; a piece that is wider stands in a row alone.
ROW_WIDTH = Fraction(190)


def in_rows(title: str, pieces: Sequence[Drawing]) -> Drawing:
    """The pieces from left to right and from top to bottom, in their order."""
    shapes: list[Shape] = []
    width: Number = Fraction(0)
    x, y, height = Fraction(0), Fraction(0), Fraction(0)
    for piece in pieces:
        if x > 0 and x + Fraction(piece.width) > ROW_WIDTH:
            x, y, height = Fraction(0), y + height + GAP, Fraction(0)
        shapes += (moved(shape, x, y) for shape in piece.shapes)
        x += Fraction(piece.width)
        width, height = max(width, x), max(height, Fraction(piece.height))
        x += GAP
    told = list(dict.fromkeys(piece.description for piece in pieces))
    return Drawing(title, "; ".join(told), width, y + height, tuple(shapes))
