"""The data of a cutout -> the model of its shape, chosen by the field `shape`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.markers import Markers
from rulebook.model.cutouts.round import Arc, Burst, Disc
from rulebook.model.cutouts.stands import StandBase, Tray
from rulebook.model.cutouts.stick import Sleeve, Stick

AnyCutout = Annotated[
    Cone | Burst | Disc | Arc | Stick | Sleeve | StandBase | Tray | Markers,
    Field(discriminator="shape"),
]
