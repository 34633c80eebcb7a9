"""The data of a disc -> its model: a circle with rings, or a wedge of it where it is very large."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import Cutout, true_scale
from rulebook.model.cutouts.rings import Reach, Ring, expect_rising

#: A wider disc would push the troops off the table; the size is ours.
WIDEST = q.Length(Fraction(12), "in")
#: No wedge is narrower.
NARROWEST = q.Length(Fraction(20), "mm")


class Disc(Reach, Cutout):
    """A disc about a point: blast, round template, command radius. One too wide is a wedge."""

    of_the_hand: ClassVar[frozenset[str]] = frozenset({"widest"})

    shape: Literal["disc"]
    rings: Annotated[tuple[Ring, ...], Field(max_length=12)] = ()
    cross: scalars.Flag = Field(False, description="lines across, through the centre")
    widest: scalars.Length = Field(WIDEST, description="a wider disc is drawn as a wedge of it")
    sweep: scalars.Angle | None = Field(
        None, description="degrees of the wedge; as many as are no wider than 'widest', if left out"
    )

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        expect_rising(self.rings, self.reach, self.told)
        true_scale("greatest width", self.widest, "widest")
        if self.widest.mm < NARROWEST.mm:
            raise q.QuantityError.of(
                "R204 widest", at=("widest",), widest=self.widest, narrowest=NARROWEST
            )
        return self

    @property
    def wedge(self) -> Fraction | None:
        """Degrees of the wedge that is drawn of it; None where the whole is drawn."""
        if self.sweep is not None:
            return self.sweep.degrees
        if 2 * self.reach <= self.widest.mm:
            return None
        half = math.asin(float(self.widest.mm / 2 / self.reach))
        # a hair more, so that what is whole in truth is not taken for a little less
        return Fraction(max(1, math.floor(math.degrees(2 * half) + 1e-9)))
