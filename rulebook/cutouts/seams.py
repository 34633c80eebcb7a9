"""A window of a drawing on a sheet -> its registration marks, its seams and what joins there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.cutouts.parts import MARK_ARM, SMALLEST, View
from rulebook.cutouts.tiling import SEAM_ROOM, Tiles
from rulebook.drawing.shapes import Circle, Label, Line, Shape
from rulebook.lettering import largest_size

SEAM_SIZE = 3.2
#: The radius of the circle of a registration mark.
MARK_RADIUS = Fraction(3, 2)


def marks(view: View) -> Iterator[Shape]:
    """A cross in a circle wherever two windows show the same point."""
    part = view.tile
    for mark_x, mark_y in view.tiles.marks_of(part):
        x, y = part.left + mark_x - part.x, part.top + mark_y - part.y
        yield Line("engrave", x - MARK_ARM, y, x + MARK_ARM, y)
        yield Line("engrave", x, y - MARK_ARM, x, y + MARK_ARM)
        yield Circle("engrave", x, y, MARK_RADIUS)


def seams(view: View) -> Iterator[Shape]:
    """A dashed line where the window ends within the drawing, and the window that goes on there."""
    part, tiles = view.tile, view.tiles
    left, top = part.left, part.top
    right, bottom = left + part.width, top + part.height
    number = (part.row - 1) * tiles.columns + part.column
    away = SEAM_ROOM / 2
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    wide, high = view.size
    if part.column > 1:
        yield Line("engrave", left, top, left, bottom, dashed=True)
        yield from _joins(tiles, number - 1, high, (left - away, middle_y), -90)
    if part.column < tiles.columns:
        yield Line("engrave", right, top, right, bottom, dashed=True)
        yield from _joins(tiles, number + 1, high, (right + away, middle_y), 90)
    if part.row > 1:
        yield Line("engrave", left, top, right, top, dashed=True)
        yield from _joins(tiles, number - tiles.columns, wide, (middle_x, top - away), 0)
    if part.row < tiles.rows:
        yield Line("engrave", left, bottom, right, bottom, dashed=True)
        yield from _joins(tiles, number + tiles.columns, wide, (middle_x, bottom + away), 180)


def _joins(
    tiles: Tiles, number: int, room: Fraction, at: tuple[Fraction, Fraction], rotation: int
) -> Iterator[Label]:
    """Words with their feet to the seam, as many as the seam is long."""
    told = f"{number} of {len(tiles.tiles)}"
    for words in (f"joins {told}, cross on cross", f"joins {told}", told, str(number)):
        size = largest_size([words], float(room), most=SEAM_SIZE)
        if size >= SMALLEST:
            yield Label(words, *at, size, rotation=rotation)
            return
