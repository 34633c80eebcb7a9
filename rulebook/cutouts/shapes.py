"""The shapes of cutouts that can be drawn, by the name that an author gives them."""

from __future__ import annotations

from collections.abc import Callable

from rulebook.cutouts.burst import draw_burst
from rulebook.cutouts.cone import draw_cone
from rulebook.cutouts.drawing import Drawing
from rulebook.model.cutouts import Burst, Cone

SHAPES: dict[str, Callable[..., Drawing]] = {"cone": draw_cone, "burst": draw_burst}


def draw(cutout: Cone | Burst, *, imprint: str = "", use: str = "") -> Drawing:
    """The drawing of a cutout at true scale.

    `imprint` (ruleset and edition) is printed along an edge; `use` says in plain text how the
    cutout is laid on the table and is printed on its face where there is room.
    """
    return SHAPES[cutout.shape](cutout, imprint=imprint, use=use)
