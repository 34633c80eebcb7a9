"""The data of an arc of fire -> its model: a wedge of so many degrees about a middle line."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rulebook.model import scalars
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.rings import Reach, Ring, expect_rising
from rulebook.model.scalars import Line


class Arc(Reach, Cutout):
    """What is seen or reached from a point: half of its angle lies on each side of the middle."""

    shape: Literal["arc"]
    angle: scalars.Angle
    rings: Annotated[tuple[Ring, ...], Field(max_length=12)] = ()
    origin: Line | None = Field(None, description="what lies at the point, such as gun")

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        expect_rising(self.rings, self.reach, self.told)
        return self
