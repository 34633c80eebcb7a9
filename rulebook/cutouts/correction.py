"""What a ruler reads on the check bars of a sheet -> by how much all on the next sheet is larger.

A printer is off along its rollers and across them by different amounts, and turns the page so that
the short edge of the paper lies across: the bars are therefore named by the edge of the paper along
which they lie, x the short one and y the long one, whichever way a sheet is held.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rulebook.quantities import QuantityError

#: How long each bar is in truth, in mm.
TRUE_LENGTH = Fraction(100)
#: A reading farther off is a slip of the ruler, or a page that was fitted to the paper.
LEAST, MOST = Fraction(90), Fraction(110)
_AXES = ("x", "y")


@dataclass(frozen=True, slots=True)
class Correction:
    """What was read on the bars of 100 mm along the short (x) and the long (y) edge, in mm.

    Raises QuantityError for a reading that no printer gives.
    """

    x: Fraction = TRUE_LENGTH
    y: Fraction = TRUE_LENGTH

    def __post_init__(self) -> None:
        for axis, read in zip(_AXES, (self.x, self.y), strict=True):
            if not LEAST <= read <= MOST:
                raise QuantityError(
                    f"{axis} is {_decimals(read)} mm",
                    expected=f"what a ruler reads on the bar of 100 mm, from {LEAST} to {MOST} mm",
                    hint="print at 100 %, actual size, and measure the bar again",
                )

    def factors(self, *, landscape: bool) -> tuple[Fraction, Fraction]:
        """By how much all is drawn larger across a sheet and up it."""
        x, y = TRUE_LENGTH / self.x, TRUE_LENGTH / self.y
        return (y, x) if landscape else (x, y)

    @property
    def told(self) -> str:
        """What the sheet says of it; nothing where there is nothing to correct."""
        if self == PRINTS_TRUE:
            return ""
        x, y = (_decimals(read) for read in (self.x, self.y))
        return f"Corrected: bar x read {x} mm, y {y} mm."


def _decimals(read: Fraction) -> str:
    """As a ruler is read: 99.2, not in quarters."""
    return f"{float(read):g}"


PRINTS_TRUE = Correction()


def bar_names(*, landscape: bool) -> tuple[str, str]:
    """The names of the bars across a sheet and up it."""
    return ("y", "x") if landscape else ("x", "y")
