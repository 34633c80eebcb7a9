"""The data of the base of a stand -> its model: an outline, and what is written on it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rulebook.model import scalars
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.footprint import Copies, Footprint
from rulebook.model.scalars import Line


class StandBase(Footprint, Cutout):
    """The base on which figures are mounted, as often as it is wanted."""

    shape: Literal["base"]
    copies: Copies = 1
    front: scalars.Flag = Field(False, description="an arrow at the front edge")
    name: Line | None = Field(None, description="of the unit, written on it")
    figures: Annotated[scalars.Count, Field(ge=1, le=1000)] | None = Field(
        None, description="how many stand on it, written on it"
    )
