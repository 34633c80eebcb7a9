"""The data of a cutout -> the model of its shape, chosen by the field `shape`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rulebook.model.cutouts.burst import Burst
from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.sleeve import Sleeve
from rulebook.model.cutouts.stick import Stick

AnyCutout = Annotated[Cone | Burst | Stick | Sleeve, Field(discriminator="shape")]
