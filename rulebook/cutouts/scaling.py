"""A cutout and a scale -> the same cutout for larger or smaller figures, proved like an author's.

All that is measured on the table is multiplied exactly; targets, counts and angles stay. What is
made of wood and card stays too: rods, the widths and folds of sticks, the rims of trays.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from rulebook import quantities as q
from rulebook.cutouts.parameters import change_lengths
from rulebook.model.cutouts.cutout import Cutout

AnyShape = TypeVar("AnyShape", bound=Cutout)

#: No figures are so much smaller or larger than those of the rules.
LEAST, MOST = Fraction(1, 10), Fraction(10)
#: The parameters of each shape that are of the thing and not of the game.
OF_THE_HAND: Mapping[str, frozenset[str]] = {
    "stick": frozenset({"rod", "width", "fold"}),
    "sleeve": frozenset({"rod", "clearance"}),
    "disc": frozenset({"widest"}),
    "tray": frozenset({"gap", "lip"}),
}


def parse_scale(text: str) -> Fraction:
    """`1/2`, `1.5` or `50%`. Raises QuantityError for what is none, or beyond LEAST and MOST."""
    expected = f"from {LEAST} to {MOST}, such as 1/2 for figures half as high"
    try:
        scale = q.parse_ratio(text.strip())
    except q.QuantityError as fault:
        raise q.QuantityError(f"{fault.message[:60]}", expected=expected) from fault
    if not LEAST <= scale <= MOST:
        raise q.QuantityError(f"the scale is {text.strip()}", expected=expected)
    return scale


def scaled(cutout: AnyShape, scale: Fraction) -> AnyShape:
    """The cutout with every length of the game times `scale`.

    Raises QuantityError where a length has no number that can be written, or where the shape cannot
    be made so large or small.
    """
    kept = OF_THE_HAND.get(str(getattr(cutout, "shape", "")), frozenset())
    return change_lengths(
        cutout,
        lambda name, length: (
            length if name in kept else q.Length(length.number * scale, length.unit)
        ),
    )
