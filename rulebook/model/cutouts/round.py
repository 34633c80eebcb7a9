"""The data of round cutouts -> their models: discs, arcs of fire and shell bursts, ring by ring."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    model_validator,
)

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import Cutout, true_scale
from rulebook.model.cutouts.stick import Score
from rulebook.model.scalars import Line, Name
from rulebook.translation import gettext

#: A smaller circle cannot be cut out, rings nearer than the other cannot be told apart.
LEAST_RADIUS = quantities.Length(Fraction(5), "mm")
LEAST_RING = quantities.Length(Fraction(1), "mm")


class Reach(BaseModel):
    """How far something reaches from a centre: its radius or its diameter, one of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    least: ClassVar[quantities.Length] = LEAST_RADIUS
    radius: scalars.Length | None = None
    diameter: scalars.Length | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if self.radius is not None and self.diameter is not None:
            raise quantities.QuantityError.of("R204 radius and diameter", at=("diameter",))
        if self.radius is None and self.diameter is None:
            raise quantities.QuantityError.of("R202 no radius")
        name, given = self.stated
        least = quantities.Length(self.least.number * (2 if self.radius is None else 1), "mm")
        true_scale(name, given, name, least=least)
        return self

    @property
    def stated(self) -> tuple[str, quantities.Length]:
        """The word radius or diameter, and the length that the author gave it."""
        if self.radius is not None:
            return "radius", self.radius
        if self.diameter is None:
            raise TypeError("a reach has a radius or a diameter")
        return "diameter", self.diameter

    @property
    def reach(self) -> Fraction:
        """The radius, mm."""
        name, given = self.stated
        return given.mm / (2 if name == "diameter" else 1)

    @property
    def told(self) -> str:
        """As a player reads it: radius 8″, or 3″ across."""
        name, given = self.stated
        if name == "radius":
            return gettext("radius %(length)s", length=given)
        return gettext("%(length)s across", length=given)


class Ring(Reach):
    """A circle inside another cutout; what is told of it holds from the ring before it to here."""

    least: ClassVar[quantities.Length] = LEAST_RING
    name: Name
    target: Score | None = None


def expect_rising(rings: Sequence[Ring], outer: Fraction, told: str) -> None:
    """Raises QuantityError where rings do not rise, or lie beyond the outside, `outer` in mm."""
    reached = Fraction(0)
    for index, ring in enumerate(rings):
        name, given = ring.stated
        at = ("rings", index, name)
        if ring.reach - reached < LEAST_RING.mm:
            raise quantities.QuantityError.of(
                "R204 rings do not rise",
                at=at,
                ring=ring.name,
                name=name,
                given=given,
                least_ring=LEAST_RING,
            )
        reached = ring.reach
        if reached > outer or 0 < outer - reached < LEAST_RING.mm:
            raise quantities.QuantityError.of(
                "R204 ring outside", at=at, ring=ring.name, name=name, given=given, told=told
            )


#: A wider disc would push the troops off the table; the size is ours.
WIDEST = quantities.Length(Fraction(12), "in")
#: No wedge is narrower.
NARROWEST = quantities.Length(Fraction(20), "mm")


class Disc(Reach, Cutout):
    """A disc about a point: blast, round template, command radius. One too wide is a wedge."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"widest"})

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
            raise quantities.QuantityError.of(
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
            raise quantities.QuantityError.of(
                "R204 centre too wide",
                at=("centre", "diameter"),
                diameter=self.centre.diameter,
                whole=self.diameter,
            )
        for index, score in enumerate(self.ring):
            if score in (self.centre.score, *self.ring[:index]):
                raise quantities.QuantityError.of(
                    "R204 score twice", at=("ring", index), score=score
                )
        return self
