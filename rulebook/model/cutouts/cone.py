"""The data of a cone, such as that of canister -> its model: a triangle cut across into zones."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import Cutout, true_scale
from rulebook.model.scalars import Name


class Zone(BaseModel):
    """A part of a cone: it runs from the zone before it to `to`; the last runs to the end."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    to: scalars.Length | None = None
    kills: scalars.RollTarget


class Cone(Cutout):
    """An isosceles triangle with its apex at the muzzle, divided across into zones."""

    shape: Literal["cone"]
    length: scalars.Length = Field(description="from the apex to the middle of the base")
    base: scalars.Length = Field(description="width at the far end")
    zones: Annotated[tuple[Zone, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _zones_add_up(self) -> Self:
        true_scale("length", self.length, "length")
        true_scale("base", self.base, "base")
        reached = Fraction(0)
        for index, zone in enumerate(self.zones[:-1]):
            if zone.to is None:
                raise quantities.QuantityError.of(
                    "R204 zone without end", at=("zones", index), name=zone.name
                )
            true_scale(f"end of the zone {zone.name}", zone.to, "zones", index, "to")
            if not reached < zone.to.mm < self.length.mm:
                raise quantities.QuantityError.of(
                    "R204 end of a zone",
                    at=("zones", index, "to"),
                    name=zone.name,
                    to=zone.to,
                    length=self.length,
                )
            reached = zone.to.mm
        last = self.zones[-1]
        if last.to is not None and last.to.mm != self.length.mm:
            at = ("zones", len(self.zones) - 1, "to")
            to = last.to
            raise quantities.QuantityError.of(
                "R204 end of the last zone", at=at, to=to, length=self.length
            )
        return self
