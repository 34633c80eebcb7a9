"""Radius or diameter, rings and degrees as authors write them -> proved values of round cutouts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    model_validator,
)

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import true_scale
from rulebook.model.cutouts.stick import Score
from rulebook.model.scalars import Name

#: A smaller circle cannot be cut out, rings nearer than the other cannot be told apart.
LEAST_RADIUS = q.Length(Fraction(5), "mm")
LEAST_RING = q.Length(Fraction(1), "mm")


class Reach(BaseModel):
    """How far something reaches from a centre: its radius or its diameter, one of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    least: ClassVar[q.Length] = LEAST_RADIUS
    radius: scalars.Length | None = None
    diameter: scalars.Length | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if self.radius is not None and self.diameter is not None:
            raise q.QuantityError.of("R204 radius and diameter", at=("diameter",))
        if self.radius is None and self.diameter is None:
            raise q.QuantityError.of("R202 no radius")
        name, given = self.stated
        true_scale(name, given, name)
        if self.reach < self.least.mm:
            least = q.Length(self.least.number * (2 if self.radius is None else 1), "mm")
            raise q.QuantityError.of(
                "R204 too small", at=(name,), name=name, given=given, least=least
            )
        return self

    @property
    def stated(self) -> tuple[str, q.Length]:
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
        return f"radius {given}" if name == "radius" else f"{given} across"


class Ring(Reach):
    """A circle inside another cutout; what is told of it holds from the ring before it to here."""

    least: ClassVar[q.Length] = LEAST_RING
    name: Name
    target: Score | None = None


def expect_rising(rings: Sequence[Ring], outer: Fraction, told: str) -> None:
    """Raises QuantityError where rings do not rise, or lie beyond the outside, `outer` in mm."""
    reached = Fraction(0)
    for index, ring in enumerate(rings):
        name, given = ring.stated
        at = ("rings", index, name)
        if ring.reach - reached < LEAST_RING.mm:
            raise q.QuantityError.of(
                "R204 rings do not rise",
                at=at,
                ring=ring.name,
                name=name,
                given=given,
                least_ring=LEAST_RING,
            )
        reached = ring.reach
        if reached > outer or 0 < outer - reached < LEAST_RING.mm:
            raise q.QuantityError.of(
                "R204 ring outside", at=at, ring=ring.name, name=name, given=given, told=told
            )
