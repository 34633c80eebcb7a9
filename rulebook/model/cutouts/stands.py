"""The data of bases and movement trays -> their models: what stands on the table, and its room."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cutouts.cutout import LONGEST, Cutout, true_scale
from rulebook.model.scalars import Line
from rulebook.translation import gettext

#: Nothing smaller is cut out with a knife.
SMALLEST = quantities.Length(Fraction(5), "mm")
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
            raise quantities.QuantityError.of(
                "R204 diameter and side", at=(sides[0],), side=sides[0]
            )
        if self.diameter is None and len(sides) < 2:
            missing = "depth" if sides == ["width"] else "width" if sides else "size"
            raise quantities.QuantityError.of("R202 base", missing=missing)
        for name in (*sides, *(["diameter"] if self.diameter is not None else [])):
            true_scale(name, getattr(self, name), name, least=SMALLEST)
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
        if self.round:
            return gettext("%(length)s across", length=self.diameter)
        return gettext("%(width)s by %(depth)s", width=self.width, depth=self.depth)


class StandBase(Footprint, Cutout):
    """The base on which figures are mounted, as often as it is wanted."""

    shape: Literal["base"]
    copies: Copies = 1
    front: scalars.Flag = Field(False, description="an arrow at the front edge")
    name: Line | None = Field(None, description="of the unit, written on it")
    figures: Annotated[scalars.Count, Field(ge=1, le=1000)] | None = Field(
        None, description="how many stand on it, written on it"
    )


NOTHING = quantities.Length(Fraction(0), "mm")
#: Less wood between two holes breaks.
LEAST_WALL = quantities.Length(Fraction(1), "mm")
#: Wider rims are no rims.
WIDEST_RIM = quantities.Length(Fraction(100), "mm")
_InARow = Annotated[scalars.Count, Field(ge=1, le=40)]


class Tray(Cutout):
    """A tray on which the stands of a unit are moved together; with holes, a sabot."""

    not_scaled: ClassVar[frozenset[str]] = frozenset({"gap", "lip"})

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
            given: quantities.Length = getattr(self, name)
            if given.unit == "base" or given.mm > WIDEST_RIM.mm:
                raise quantities.QuantityError.of(
                    "R204 rim too wide", at=(name,), name=name, given=given, most=WIDEST_RIM
                )
            needed = name == "lip" or self.files * self.ranks > 1
            if self.holes and needed and given.mm < LEAST_WALL.mm:
                raise quantities.QuantityError.of(
                    "R204 wall between holes", at=(name,), name=name, given=given, least=LEAST_WALL
                )
        for name, count, side in (
            ("files", self.files, self.width),
            ("ranks", self.ranks, self.depth),
        ):
            if side > LONGEST.mm:
                mm = quantities.format_number(side)
                raise quantities.QuantityError.of(
                    "R204 tray too long", at=(name,), count=count, name=name, mm=mm, longest=LONGEST
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
