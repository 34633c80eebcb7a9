"""Width and depth, or a diameter, of what stands on the table -> a proved outline."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import true_scale

#: Nothing smaller is cut out with a knife.
SMALLEST = q.Length(Fraction(5), "mm")
MOST_COPIES = 200

Copies = Annotated[scalars.Count, Field(ge=1, le=MOST_COPIES)]


class Footprint(BaseModel):
    """A rectangle by its width and depth, or a circle by its diameter."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: scalars.Length | None = Field(None, description="from side to side")
    depth: scalars.Length | None = Field(None, description="from front to rear")
    diameter: scalars.Length | None = None

    @model_validator(mode="after")
    def _round_or_not(self) -> Self:
        sides = [name for name in ("width", "depth") if getattr(self, name) is not None]
        if self.diameter is not None and sides:
            raise q.QuantityError.of("R204 diameter and side", at=(sides[0],), side=sides[0])
        if self.diameter is None and len(sides) < 2:
            missing = "depth" if sides == ["width"] else "width" if sides else "size"
            raise q.QuantityError.of("R202 base", missing=missing)
        for name in (*sides, *(["diameter"] if self.diameter is not None else [])):
            given: q.Length = getattr(self, name)
            true_scale(name, given, name)
            if given.mm < SMALLEST.mm:
                raise q.QuantityError.of(
                    "R204 too small", at=(name,), name=name, given=given, least=SMALLEST
                )
        return self

    @property
    def round(self) -> bool:
        return self.diameter is not None

    @property
    def across(self) -> Fraction:
        """From side to side, mm."""
        side = self.diameter or self.width
        return side.mm if side else Fraction(0)

    @property
    def down(self) -> Fraction:
        """From front to rear, mm."""
        side = self.diameter or self.depth
        return side.mm if side else Fraction(0)

    @property
    def told(self) -> str:
        return f"{self.diameter} across" if self.round else f"{self.width} by {self.depth}"
