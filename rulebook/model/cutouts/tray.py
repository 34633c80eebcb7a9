"""The data of a movement tray -> its model: places for stands in files and ranks, within a lip."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from rulebook import quantities as q
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import LONGEST, Cutout
from rulebook.model.cutouts.footprint import Copies, Footprint

NOTHING = q.Length(Fraction(0), "mm")
#: Less wood between two holes breaks.
LEAST_WALL = q.Length(Fraction(1), "mm")
#: Wider rims are no rims.
WIDEST_RIM = q.Length(Fraction(100), "mm")
_InARow = Annotated[scalars.Count, Field(ge=1, le=40)]


class Tray(Cutout):
    """A tray on which the stands of a unit are moved together; with holes, a sabot."""

    of_the_hand: ClassVar[frozenset[str]] = frozenset({"gap", "lip"})

    shape: Literal["tray"]
    stand: Footprint
    files: _InARow = Field(description="stands side by side")
    ranks: _InARow = Field(description="stands behind each other")
    gap: scalars.Length = Field(NOTHING, description="between two stands")
    lip: scalars.Length = Field(NOTHING, description="around them all")
    holes: scalars.Flag = Field(False, description="the places are cut out, not drawn")
    copies: Copies = 1

    @model_validator(mode="after")
    def _can_be_made(self) -> Self:
        for name in ("gap", "lip"):
            given: q.Length = getattr(self, name)
            if given.unit == "base" or given.mm > WIDEST_RIM.mm:
                raise q.QuantityError.of(
                    "R204 rim too wide", at=(name,), name=name, given=given, most=WIDEST_RIM
                )
            needed = name == "lip" or self.files * self.ranks > 1
            if self.holes and needed and given.mm < LEAST_WALL.mm:
                raise q.QuantityError.of(
                    "R204 wall between holes", at=(name,), name=name, given=given, least=LEAST_WALL
                )
        for name, count, side in (
            ("files", self.files, self.width),
            ("ranks", self.ranks, self.depth),
        ):
            if side > LONGEST.mm:
                raise q.QuantityError.of(
                    "R204 tray too long",
                    at=(name,),
                    count=count,
                    name=name,
                    mm=q.format_number(side),
                    longest=LONGEST,
                )
        return self

    @property
    def width(self) -> Fraction:
        """From side to side with its lip, mm."""
        return _reach(self.files, self.stand.across, self.gap.mm, self.lip.mm)

    @property
    def depth(self) -> Fraction:
        """From front to rear with its lip, mm."""
        return _reach(self.ranks, self.stand.down, self.gap.mm, self.lip.mm)


def _reach(count: int, side: Fraction, gap: Fraction, lip: Fraction) -> Fraction:
    return count * side + (count - 1) * gap + 2 * lip
