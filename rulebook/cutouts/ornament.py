"""A drawing -> its lines alone, as large as a place has room: an ornament for a cover."""

from __future__ import annotations

from fractions import Fraction

from rulebook.drawing.shapes import Drawing, Label, Polyline, Shape, Tint
from rulebook.drawing.svg_elements import Look, svg_root, svg_shapes
from rulebook.drawing.svg_text import decimal

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
