"""A cutout and a scale -> the same cutout for larger or smaller figures, proved like an author's.

All that is measured on the table is multiplied exactly; targets, counts and angles stay. What is
made of wood and card stays too: rods, the widths and folds of sticks, the rims of
trays, markers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from rulebook import quantities as q
from rulebook.cutouts.parameters import change_lengths
from rulebook.model.cutouts.cutout import Cutout

AnyShape = TypeVar("AnyShape", bound=Cutout)


def scaled(cutout: AnyShape, scale: Fraction) -> AnyShape:
    """The cutout with every length of the game times `scale`.

    Raises QuantityError where a length has no number that can be written, or where the shape cannot
    be made so large or small.
    """
    return change_lengths(
        cutout,
        lambda name, length: (
            length
            if name.partition(".")[0] in cutout.of_the_hand
            else q.Length(length.number * scale, length.unit)
        ),
    )
