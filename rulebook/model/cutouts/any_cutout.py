"""The data of a cutout -> the model of its shape, chosen by the field `shape`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rulebook.model.cutouts.arc import Arc
from rulebook.model.cutouts.burst import Burst
from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.disc import Disc
from rulebook.model.cutouts.markers import Markers
from rulebook.model.cutouts.sleeve import Sleeve
from rulebook.model.cutouts.stand_base import StandBase
from rulebook.model.cutouts.stick import Stick
from rulebook.model.cutouts.tray import Tray

AnyCutout = Annotated[
    Cone | Burst | Disc | Arc | Stick | Sleeve | StandBase | Tray | Markers,
    Field(discriminator="shape"),
]
