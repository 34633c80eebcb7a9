"""A cutout of any shape -> its pieces and its drawing, and its lines alone as an ornament."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from gettext import NullTranslations

from rulebook.cutouts.cone_and_burst import draw_burst, draw_cone
from rulebook.cutouts.rings import draw_arc, draw_disc
from rulebook.cutouts.stands import draw_base, draw_markers, draw_tray
from rulebook.cutouts.stick import draw_sleeve, draw_stick
from rulebook.drawing.shapes import Caption, Drawing, Label, Number, Polyline, Shape, Tint, moved
from rulebook.drawing.svg import Look, decimal, svg_root, svg_shapes
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.shapes import Arc, Burst, Cone, Disc, Markers, StandBase, Tray
from rulebook.model.cutouts.stick import Sleeve, Stick
from rulebook.translation import translations

#: By the shape of a cutout, what draws it: one piece, or several.
DRAWN: dict[type[Cutout], Callable[..., Drawing | tuple[Drawing, ...]]] = {
    Burst: draw_burst,
    Disc: draw_disc,
    Arc: draw_arc,
    Stick: draw_stick,
    Sleeve: draw_sleeve,
    StandBase: draw_base,
    Tray: draw_tray,
    Markers: draw_markers,
}


def pieces(cutout: Cutout, *, imprint: str = "", use: str = "") -> tuple[Drawing, ...]:
    """What is cut out, each piece at true scale.

    `imprint` (ruleset and edition) is printed along an edge; `use` says in plain text how the
    cutout is laid on the table and is printed on its face where there is room. Drawn once for all
    the papers on which it is printed.
    """
    return _pieces(cutout, imprint, use, translations())


@lru_cache(maxsize=512)
def _pieces(cutout: Cutout, imprint: str, use: str, _: NullTranslations) -> tuple[Drawing, ...]:
    """The same, kept by the language of its words."""
    if isinstance(cutout, Cone):
        return (draw_cone(cutout, imprint, use),)
    drawn = DRAWN[type(cutout)](cutout, imprint)
    return (drawn,) if isinstance(drawn, Drawing) else drawn


def draw(cutout: Cutout, *, imprint: str = "", use: str = "") -> Drawing:
    """The cutout in one drawing: its only piece, or all of its pieces in rows."""
    parts = pieces(cutout, imprint=imprint, use=use)
    return parts[0] if len(parts) == 1 else in_rows(cutout.title, parts)


#: Between two pieces, so that a knife or a laser has room, in mm.
GAP = Fraction(3)
#: As wide as upright A4 with a margin; a piece that is wider stands in a row alone.
ROW_WIDTH = Fraction(190)


#: The small picture shows each face once, and so many at the most; it is wider than high.
MOST_SHOWN = 24
PICTURE_SHAPE = 4.5


def in_rows(title: str, pieces: Sequence[Drawing]) -> Drawing:
    """The pieces from left to right and from top to bottom, in their order."""
    drawn = _rows(title, pieces, ROW_WIDTH)
    shown = list(dict.fromkeys(pieces))[:MOST_SHOWN]
    if len(shown) == 1:
        return replace(drawn, picture=shown[0])
    area = sum(float((one.width + GAP) * (one.height + GAP)) for one in shown)
    return replace(drawn, picture=_rows(title, shown, Fraction(math.sqrt(PICTURE_SHAPE * area))))


def _rows(title: str, pieces: Sequence[Drawing], row_width: Fraction) -> Drawing:
    shapes: list[Shape] = []
    captions: list[Caption] = []
    width: Number = Fraction(0)
    x, y, height = Fraction(0), Fraction(0), Fraction(0)
    for piece in pieces:
        if x > 0 and x + Fraction(piece.width) > row_width:
            x, y, height = Fraction(0), y + height + GAP, Fraction(0)
        shapes += (moved(shape, x, y) for shape in piece.shapes)
        captions += (replace(one, x=one.x + x, y=one.y + y) for one in piece.captions)
        x += Fraction(piece.width)
        width, height = max(width, x), max(height, Fraction(piece.height))
        x += GAP
    told = list(dict.fromkeys(piece.description for piece in pieces))
    return Drawing(title, "; ".join(told), width, y + height, tuple(shapes), tuple(captions))


#: Half the widest line, so that none is cut at the edge, mm.
_EDGE = Fraction(2, 5)


def _lines(drawing: Drawing) -> list[Shape]:
    """The shapes of a drawing that are lines: words would be too small, and fills are none."""
    return [
        shape
        for shape in drawing.shapes
        if not isinstance(shape, Label | Tint)
        and not (isinstance(shape, Polyline) and shape.filled)
    ]


def svg_ornament(drawing: Drawing, width: Fraction, height: Fraction) -> str:
    """The outlines of a cutout, white on a ground of colour, within so many millimetres.

    It stands upright if it is larger so.
    """
    drawn = drawing.picture or drawing
    if (drawn.width > drawn.height) != (width > height):
        drawn = drawn.turned()
    wide, high = Fraction(drawn.width), Fraction(drawn.height)
    scale = min((width - 2 * _EDGE) / wide, (height - 2 * _EDGE) / high)
    body = svg_shapes(_lines(drawn), Look(lines="outline"), scale=scale)
    edge = decimal(_EDGE)
    group = f'<g transform="translate({edge} {edge}) scale({decimal(scale, 9)})">\n{body}</g>\n'
    box = (Fraction(0), Fraction(0), wide * scale + 2 * _EDGE, high * scale + 2 * _EDGE)
    return svg_root(box, drawing.title, drawing.description, group)
