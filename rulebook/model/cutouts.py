"""Cutouts: what is printed at true scale, cut out and used on the table, as shapes with parameters.

Only what the rules state stands here; the geometry is made in `rulebook.cutouts`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.provenance import Entity
from rulebook.model.scalars import Id, Line, ProseText

#: No cutout is longer: two tables end to end.
LONGEST = q.Length(Fraction(3), "m")


def _true_scale(name: str, length: q.Length, *at: str | int) -> None:
    """Refuse a length that cannot be drawn; `at` is where it stands in the cutout."""
    if length.unit == "base":
        raise q.QuantityError(
            f"the {name} is given in bases",
            expected="a length that a ruler measures, such as 24in",
            at=at,
        )
    if not 0 < length.mm <= LONGEST.mm:
        raise q.QuantityError(
            f"the {name} is {length}", expected=f"more than 0 and up to {LONGEST}", at=at
        )


class Cutout(Entity):
    """What all shapes have in common."""

    title: Line
    use: ProseText | None = Field(None, description="how it is laid on the table, printed on it")
    rule: Id | None = Field(None, description="id of the heading whose rule uses it")


class Zone(BaseModel):
    """A part of a cone: it runs from the zone before it to `to`; the last runs to the end."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Line
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
        _true_scale("length", self.length, "length")
        _true_scale("base", self.base, "base")
        reached = Fraction(0)
        for index, zone in enumerate(self.zones[:-1]):
            if zone.to is None:
                raise q.QuantityError(
                    f"the zone {zone.name} has no end",
                    expected="'to' for every zone but the last",
                    at=("zones", index),
                )
            _true_scale(f"end of the zone {zone.name}", zone.to, "zones", index, "to")
            if not reached < zone.to.mm < self.length.mm:
                raise q.QuantityError(
                    f"the zone {zone.name} ends at {zone.to}",
                    expected=f"beyond the zone before it and short of the length, {self.length}",
                    at=("zones", index, "to"),
                )
            reached = zone.to.mm
        last = self.zones[-1]
        if last.to is not None and last.to.mm != self.length.mm:
            raise q.QuantityError(
                f"the last zone ends at {last.to}",
                expected=f"the length, {self.length}, or no 'to'",
                at=("zones", len(self.zones) - 1, "to"),
            )
        return self


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
        _true_scale("diameter", self.diameter, "diameter")
        _true_scale("diameter of the centre", self.centre.diameter, "centre", "diameter")
        if self.centre.diameter.mm >= self.diameter.mm:
            raise q.QuantityError(
                f"the centre is {self.centre.diameter} across",
                expected=f"less than the whole, {self.diameter}",
                at=("centre", "diameter"),
            )
        for index, score in enumerate(self.ring):
            if score in (self.centre.score, *self.ring[:index]):
                raise q.QuantityError(
                    f"two sectors have the score {score}",
                    expected="each score once, in the centre or in the ring",
                    at=("ring", index),
                )
        return self


AnyCutout = Annotated[Cone | Burst, Field(discriminator="shape")]
