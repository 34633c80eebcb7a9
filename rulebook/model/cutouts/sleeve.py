"""The data of a measuring sleeve -> its model: a square tube of card that slides on a rod."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import Cutout, true_scale
from rulebook.model.cutouts.stick import LEAST_BAND, NARROWEST
from rulebook.model.scalars import Line

#: Room for card to slide on wood; the size is ours.
CLEARANCE = q.Length(Fraction(1, 2), "mm")
#: More room than this and the sleeve turns on its rod.
MOST_CLEARANCE = q.Length(Fraction(5), "mm")


class Sleeve(Cutout):
    """A tube round a square rod, with an index at its middle and a scale of steps about it."""

    of_the_hand: ClassVar[frozenset[str]] = frozenset({"rod", "clearance"})

    shape: Literal["sleeve"]
    length: scalars.Length
    rod: scalars.Length = Field(description="side of the square rod on which it slides")
    clearance: scalars.Length = Field(
        CLEARANCE, description="how much wider than the rod each face is"
    )
    step: scalars.Length | None = Field(None, description="how far it slides for a score of one")
    away: Line | None = Field(None, description="where a slide of plus leads, such as away")
    towards: Line | None = Field(None, description="where a slide of minus leads")

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        true_scale("length", self.length, "length")
        true_scale("rod", self.rod, "rod")
        for name in ("length", "rod"):
            given: q.Length = getattr(self, name)
            if given.mm < NARROWEST.mm:
                raise q.QuantityError.of(
                    "R204 too small", at=(name,), name=name, given=given, least=NARROWEST
                )
        if self.clearance.unit == "base" or self.clearance.mm > MOST_CLEARANCE.mm:
            raise q.QuantityError.of(
                "R204 clearance", at=("clearance",), clearance=self.clearance, most=MOST_CLEARANCE
            )
        if self.step is not None:
            true_scale("step", self.step, "step")
            if not LEAST_BAND.mm <= self.step.mm <= self.length.mm / 2:
                raise q.QuantityError.of(
                    "R204 step of a sleeve",
                    at=("step",),
                    step=self.step,
                    least=LEAST_BAND,
                    length=self.length,
                )
        return self

    @property
    def face(self) -> Fraction:
        """How wide each of its four faces is, in mm: the rod and the clearance."""
        return self.rod.mm + self.clearance.mm
