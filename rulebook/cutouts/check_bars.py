"""The check bars of a sheet: 100 mm and 4 in, across and up, as shapes at true scale.

A printer that scales the page scales these with it: whoever measures them knows before cutting.
The two bars share their zero at the lower left of the sheet; ticks of millimetres look to the
drawing, ticks of inches to the edge. Each has a letter, x or y, by which its reading is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.drawing.shapes import Label, Line, Number, Shape
from rulebook.quantities import MILLIMETRES

INCH = MILLIMETRES["in"]
METRIC, IMPERIAL = Fraction(100), 4 * INCH
#: The bars with their words, along them.
BAR_LENGTH = IMPERIAL + 20
_LONG, _SHORT = Fraction(7, 2), Fraction(2)
_SIZE, _NAME_SIZE = 3.0, 4.2


def check_bars(x: Number, y: Number, *, names: tuple[str, str] = ("x", "y")) -> Iterator[Shape]:
    """Two bars from (x, y): one to the right and one up, and their names."""
    for along, side in _ticks():
        yield Line("engrave", x + along, y, x + along, y - side)
        yield Line("engrave", x, y - along, x + side, y - along)
    yield Line("engrave", x, y, x + IMPERIAL, y)
    yield Line("engrave", x, y, x, y - IMPERIAL)
    beyond = IMPERIAL + Fraction(3, 2)
    for words, offset in (("100 mm", -0.9), ("4 in", 0.9 + 0.7 * _SIZE)):
        yield Label(words, x + beyond, y + Fraction(offset), _SIZE, anchor="start")
    for words, offset in (("100 mm", 0.9 + 0.7 * _SIZE), ("4 in", -0.9)):
        yield Label(words, x + Fraction(offset), y - beyond, _SIZE, anchor="start", rotation=-90)
    name = IMPERIAL + 15
    middle = 0.25 * _NAME_SIZE
    yield Label(names[0], x + name, y + Fraction(middle), _NAME_SIZE, anchor="start", weight="bold")
    yield Label(names[1], x, y - name, _NAME_SIZE, weight="bold")


def _ticks() -> Iterator[tuple[Fraction, Fraction]]:
    """How far along the bar a tick is, and how far it goes to the side: + millimetres, - inches."""
    for step in range(21):
        yield METRIC * step / 20, _LONG if step % 10 == 0 else _SHORT
    for step in range(17):
        yield IMPERIAL * step / 16, -_LONG if step % 4 == 0 else -_SHORT
