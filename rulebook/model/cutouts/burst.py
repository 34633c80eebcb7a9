"""The data of a shell burst -> its model: a disc with a centre and a ring of sectors."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import Cutout, true_scale


class BurstCentre(BaseModel):
    """The middle sector of a burst."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: scalars.Count = Field(description="the throw that lands here")
    diameter: scalars.Length


class Burst(Cutout):
    """A disc with a centre and a ring of like sectors, the first of them farthest from the gun.

    One die shows the sector in which the shell falls; each figure there is then thrown for.
    """

    shape: Literal["burst"]
    diameter: scalars.Length
    centre: BurstCentre
    ring: Annotated[tuple[scalars.Count, ...], Field(min_length=2, max_length=12)] = Field(
        description="throws of the outer sectors, clockwise from the one farthest from the gun"
    )
    kills: scalars.RollTarget

    @model_validator(mode="after")
    def _sectors_fit(self) -> Self:
        true_scale("diameter", self.diameter, "diameter")
        true_scale("diameter of the centre", self.centre.diameter, "centre", "diameter")
        if self.centre.diameter.mm >= self.diameter.mm:
            raise q.QuantityError.of(
                "R204 centre too wide",
                at=("centre", "diameter"),
                diameter=self.centre.diameter,
                whole=self.diameter,
            )
        for index, score in enumerate(self.ring):
            if score in (self.centre.score, *self.ring[:index]):
                raise q.QuantityError.of("R204 score twice", at=("ring", index), score=score)
        return self
