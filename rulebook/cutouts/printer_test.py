"""The size of a sheet -> both sides of a test print that shows how far a printer errs.

On the front two bars tell whether it prints to scale, and scales in half millimetres, held against
a light with the thin crosses of the back behind them, how far the back lies from the front. The
figures on the scales are what is to be typed: the way from the back to where it should be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rulebook.cutouts.packing import bar_names
from rulebook.cutouts.sheets import check_bars
from rulebook.drawing.elements import Line, Picture
from rulebook.drawing.layers import Look, draw_shapes, window_of
from rulebook.drawing.shapes import Label, Shape, lines_down
from rulebook.drawing.svg import decimal
from rulebook.text_fitting import wrapped
from rulebook.translation import gettext

EDGE = Fraction(15)
TITLE_SIZE, TEXT_SIZE, FIGURE_SIZE = 6.0, 3.4, 2.6
LEADING = 1.4
#: Scales reach so far to both sides, with a tick every half of a millimetre.
REACH = 6
#: From the middle of a cross to the scales, and half the arms of the crosses on the back.
AWAY, ARM = Fraction(8), Fraction(12)
#: Figures stand farther apart than their ticks, so that they can be read.
SPREAD = Fraction(2)
_TICKS = {0: Fraction(4), 1: Fraction(1), 2: Fraction(2)}


@dataclass(frozen=True, slots=True)
class PrinterTest:
    """The size of a sheet in mm, its edge to flip on, and the offset by which it is corrected.

    `upright` is true if the sheet is flipped about an upright axis, as a page of a book is.
    """

    width: Fraction
    height: Fraction
    edge: str
    upright: bool
    offset: str


def printer_test(test: PrinterTest) -> tuple[Picture, Picture]:
    """Draws the front and the back of the printer test, a sheet that shows how a printer errs.

    The back is laid out so that its crosses fall exactly behind the scales of the front when the
    sheet is flipped.
    """
    landscape = test.width > test.height
    front = [
        *check_bars(EDGE + 10, test.height - EDGE - 10, names=bar_names(landscape=landscape)),
        *_words(gettext("Printer test: front"), _instructions(test), test),
        *(shape for target in _targets(test) for shape in _scales(*target, upright=test.upright)),
    ]
    back = [
        *_words(gettext("Printer test: back"), [gettext("The front says how to read this.")], test),
        *(shape for x, y in _targets(test) for shape in _cross(test.width - x, y)),
    ]
    bars = gettext("bars of 100 mm and 4 in, and scales")
    crosses = gettext("crosses behind the scales")
    return (
        _side(test, gettext("Printer test, front"), bars, front),
        _side(test, gettext("Printer test, back"), crosses, back),
    )


def _side(test: PrinterTest, title: str, description: str, shapes: list[Shape]) -> Picture:
    """Returns the picture of one side of the test, with these shapes in low ink."""
    drawn = draw_shapes(shapes, Look(ink="low"))
    window = window_of((0, 0, test.width, test.height))
    return Picture(window, title, description, drawn)


def _instructions(test: PrinterTest) -> list[str]:
    """Returns the instructions, one string for each paragraph."""
    corrected = ""
    if test.offset:
        corrected = " " + gettext(
            "This sheet is already corrected by %(offset)s.", offset=test.offset
        )
    return [
        gettext(
            "Print both sides at 100 %%, actual size, flipped on the %(edge)s edge.", edge=test.edge
        )
        + corrected,
        gettext(
            "Scale. Measure the bars x and y with a good ruler. Where 100 mm are not 100 mm, the "
            "printer fits pages to the paper: choose 100 %%, actual size, and print again."
        ),
        gettext(
            "Back and front. Hold the sheet against a light, this side to you. The crosses of the "
            "back shine through. Read where the upright line of a cross meets the level scale, "
            "that is x, and where its level line meets the upright scale, that is y; of the three "
            "crosses take the middle reading. Give it once for all backs: "
            "rulebook build --offset x=1mm,y=-0.5mm"
        ),
    ]


def _words(title: str, paragraphs: list[str], test: PrinterTest) -> Iterator[Shape]:
    """Yields labels for the title and the paragraphs at the top of a side."""
    y = float(EDGE) + TITLE_SIZE
    yield Label(title, EDGE, y, TITLE_SIZE, anchor="start", weight="bold")
    y, step = y + 0.6 * TITLE_SIZE, LEADING * TEXT_SIZE
    for paragraph in paragraphs:
        lines = wrapped(paragraph, TEXT_SIZE * 0.86, float(test.width - 2 * EDGE))
        yield from lines_down(lines, (EDGE, y + step), TEXT_SIZE, step)
        y += step * len(lines) + 0.4 * TEXT_SIZE


def _targets(test: PrinterTest) -> Iterator[tuple[Fraction, Fraction]]:
    """Yields the middles of the three scales on the front, spread out and clear of words."""
    high = max(Fraction(112), test.height * 2 / 5)
    yield test.width * 3 / 10, high
    yield test.width - 40, (high + test.height - 35) / 2 - 15
    yield test.width - 40, test.height - 35


def _scales(x: Fraction, y: Fraction, *, upright: bool) -> Iterator[Shape]:
    """Draws a horizontal scale above (x, y) and a vertical one to the right, with figures.

    The figures are what the offset has to be, in mm, if a cross of the back is seen there through
    the paper. `upright`: the sheet is flipped about an upright axis; otherwise all signs are
    reversed.
    """
    right, down = (1, 1) if upright else (-1, -1)
    top, side = y - AWAY, x + AWAY
    yield Line("engrave", x - REACH, top, x + REACH, top)
    yield Line("engrave", side, y - REACH, side, y + REACH)
    for half in range(-2 * REACH, 2 * REACH + 1):
        at = Fraction(half, 2)
        length = _TICKS[0] if half % 4 == 0 else _TICKS[2] if half % 2 == 0 else _TICKS[1]
        yield Line("engrave", x + at, top, x + at, top - length)
        yield Line("engrave", side, y + at, side + length, y + at)
        if half % 4 == 0:
            far, end = at * SPREAD, length + 3
            yield Line("engrave", x + at, top - length, x + far, top - end)
            yield Line("engrave", side + length, y + at, side + end, y + far)
            lower = Fraction(0.35 * FIGURE_SIZE)
            yield Label(_figure(right * at), x + far, top - end - 1, FIGURE_SIZE)
            yield Label(
                _figure(down * at), side + end + 1, y + far + lower, FIGURE_SIZE, anchor="start"
            )
    name = REACH * SPREAD + 4
    yield Label("x", x - name, top - 3, 1.5 * FIGURE_SIZE, weight="bold")
    yield Label("y", side + 4, y + name + 2, 1.5 * FIGURE_SIZE, weight="bold")


def _figure(number: Fraction) -> str:
    """Formats a number with decimals if needed and a true minus sign."""
    return decimal(number).replace("-", "−")


def _cross(x: Fraction, y: Fraction) -> Iterator[Shape]:
    """Draws a thin cross about (x, y)."""
    yield Line("score", x - ARM, y, x + ARM, y)
    yield Line("score", x, y - ARM, x, y + ARM)
