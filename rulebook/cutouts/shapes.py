"""A cutout of any shape -> its pieces and its drawing, by the function for its shape."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rulebook.cutouts.burst import draw_burst
from rulebook.cutouts.cone import draw_cone
from rulebook.cutouts.disc import draw_disc
from rulebook.cutouts.markers import draw_markers
from rulebook.cutouts.rows import in_rows
from rulebook.cutouts.sleeve import draw_sleeve
from rulebook.cutouts.stand_base import draw_base
from rulebook.cutouts.stick import draw_stick
from rulebook.cutouts.tray import draw_tray
from rulebook.cutouts.wedge import draw_arc
from rulebook.drawing.shapes import Drawing
from rulebook.model.cutouts.arc import Arc
from rulebook.model.cutouts.burst import Burst
from rulebook.model.cutouts.cone import Cone
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.disc import Disc
from rulebook.model.cutouts.markers import Markers
from rulebook.model.cutouts.sleeve import Sleeve
from rulebook.model.cutouts.stand_base import StandBase
from rulebook.model.cutouts.stick import Stick
from rulebook.model.cutouts.tray import Tray

#: Shapes that are cut out in one piece, and those that come in several.
ONE_PIECE: dict[type[Cutout], Callable[..., Drawing]] = {
    Cone: draw_cone,
    Burst: draw_burst,
    Disc: draw_disc,
    Arc: draw_arc,
    Stick: draw_stick,
    Sleeve: draw_sleeve,
}
MANY_PIECES: dict[type[Cutout], Callable[..., tuple[Drawing, ...]]] = {
    StandBase: draw_base,
    Tray: draw_tray,
    Markers: draw_markers,
}


@lru_cache(maxsize=512)
def pieces(cutout: Cutout, *, imprint: str = "", use: str = "") -> tuple[Drawing, ...]:
    """What is cut out, each piece at true scale.

    `imprint` (ruleset and edition) is printed along an edge; `use` says in plain text how the
    cutout is laid on the table and is printed on its face where there is room. Drawn once for all
    the papers on which it is printed.
    """
    shape = type(cutout)
    if shape in MANY_PIECES:
        return MANY_PIECES[shape](cutout, imprint=imprint, use=use)
    return (ONE_PIECE[shape](cutout, imprint=imprint, use=use),)


def draw(cutout: Cutout, *, imprint: str = "", use: str = "") -> Drawing:
    """The cutout in one drawing: its only piece, or all of its pieces in rows."""
    parts = pieces(cutout, imprint=imprint, use=use)
    return parts[0] if len(parts) == 1 else in_rows(cutout.title, parts)
