"""A cutout of any shape -> its drawing, by the function for its shape."""

from __future__ import annotations

from collections.abc import Callable

from rulebook.cutouts.burst import draw_burst
from rulebook.cutouts.cone import draw_cone
from rulebook.cutouts.drawing import Drawing
from rulebook.model.cutouts.burst import Burst
from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.cutout import Cutout

SHAPES: dict[type[Cutout], Callable[..., Drawing]] = {Cone: draw_cone, Burst: draw_burst}


def draw(cutout: Cutout, *, imprint: str = "", use: str = "") -> Drawing:
    """The drawing of a cutout at true scale.

    `imprint` (ruleset and edition) is printed along an edge; `use` says in plain text how the
    cutout is laid on the table and is printed on its face where there is room.
    """
    return SHAPES[type(cutout)](cutout, imprint=imprint, use=use)
