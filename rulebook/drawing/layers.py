"""Shapes -> elements in full or low ink, a group for each layer; a file for cutters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from rulebook.drawing.elements import (
    LAYERS,
    Contour,
    Corner,
    Drawn,
    Element,
    ExactBox,
    Fill,
    Group,
    Layer,
    Lettering,
    Line,
    Number,
    Paint,
    Path,
    Picture,
    Placing,
    Window,
    Words,
    mixed,
)
from rulebook.drawing.shapes import Drawing, Label, Shape, Stamp, bounds, is_tint
from rulebook.drawing.svg import decimal, rounded, svg_text
from rulebook.paper_and_ink import Ink
from rulebook.translation import gettext, gettext_noop
from rulebook.typefaces import SANS, SANS_BOLD

#: How much of the accent colour is in the tints 1, 2 and 3.
_SHADES = {1: Fraction(7, 100), 2: Fraction(14, 100), 3: Fraction(24, 100)}
#: By how it is drawn, the widths in mm of the lines of each layer, and their colours, by which
#: cutters tell the layers apart.
_PENS = {
    "printed": (("0.5", "0.25", "0.18"), ("#000000",) * 3),
    "small": (("0.35", "0.2", "0.12"), ("#000000",) * 3),
    "outline": (("0.7", "0.4", "0.25"), ("#ffffff",) * 3),
    "hairline": (("0.05",) * 3, ("#ff0000", "#0000ff", "#000000")),
}
_BLACK = "#000000"
_DASH = (1.0, 0.8)
#: What is so near to a window is taken to reach into it, mm.
_NEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Look:
    """How shapes are drawn: in full ink with light tints and the accent colour, in low ink without.

    `lines` names the widths and colours of lines. `dash` is the dash pattern of all lines, in mm.
    """

    ink: Ink = "full"
    accent: str = "#7a2b1d"
    lines: Literal["printed", "small", "outline", "hairline"] = "printed"
    dash: tuple[float, ...] = ()

    def tone(self, name: str) -> str:
        """Returns the colour of the tone `ink` or `accent`; in low ink both are black."""
        return self.accent if name == "accent" and self.ink == "full" else _BLACK

    def shade(self, number: int) -> str:
        """Returns the colour of tint 1, 2 or 3: the accent colour mixed with white."""
        return mixed(self.accent, _SHADES[number])

    def paint(self, fill: Fill | None) -> Paint | None:
        """Returns the paint of an area: a tint, the accent or a colour; None if not filled."""
        if fill is None:
            return None
        if isinstance(fill, int):
            return Paint(self.shade(fill))
        return Paint(self.tone(fill) if fill == "accent" else fill)


@lru_cache(maxsize=64)
def _pen(look: Look, layer: Layer, scale: Number) -> Paint | None:
    """Returns the paint of the lines of a layer; None for the layer of tints.

    Widths are divided by `scale`, by which the shapes are scaled later, so that they stay the same
    on paper.
    """
    if layer == "tint":
        return None
    width, colour = (by_layer[LAYERS.index(layer) - 1] for by_layer in _PENS[look.lines])
    drawn = rounded(Fraction(width) / Fraction(scale))
    return Paint(None, colour, drawn, join="round", dash=look.dash)


def draw_shapes(shapes: Iterable[Shape], look: Look, *, scale: Number = 1) -> Drawn:
    """Draws shapes as groups, one for each layer, tints lowest; in low ink without tints.

    `scale` is that by which the result will be scaled; lines keep their widths.
    """
    drawn = [(shape.layer, draw_shape(shape, look, scale)) for shape in _inked(shapes, look)]
    return _in_layers(drawn, look, scale)


def _inked(shapes: Iterable[Shape], look: Look) -> list[Shape]:
    """Returns the shapes that are printed: all in full ink, all but tints in low ink."""
    return [shape for shape in shapes if look.ink == "full" or not is_tint(shape)]


def _in_layers(drawn: Sequence[tuple[Layer, Element]], look: Look, scale: Number = 1) -> Drawn:
    """Groups elements by layer, from the lowest; leaves out layers without elements."""
    groups = []
    for layer in LAYERS:
        if there := tuple(element for of_layer, element in drawn if of_layer == layer):
            groups.append(Group(there, layer, paint=_pen(look, layer, scale)))
    return tuple(groups)


def through_window(drawing: Drawing, look: Look, window: ExactBox) -> Group:
    """Draws the part of a drawing within a window, as a group clipped to it."""
    left, top, right, bottom = (float(side) for side in window)
    left, top, right, bottom = left - _NEAR, top - _NEAR, right + _NEAR, bottom + _NEAR
    seen = [
        (layer, element)
        for layer, element, box in _drawn_shapes(drawing, look)
        if box[0] <= right and box[2] >= left and box[1] <= bottom and box[3] >= top
    ]
    return Group(_in_layers(seen, look), window=window_of(window))


@lru_cache(maxsize=128)
def _drawn_shapes(drawing: Drawing, look: Look) -> list[tuple[Layer, Element, list[float]]]:
    """Converts the printed shapes of a drawing to elements; returns layer, element and box of each.

    The result is cached, because many windows show the same drawing.
    """
    return [
        (shape.layer, draw_shape(shape, look), [*map(float, bounds(shape))])
        for shape in _inked(drawing.shapes, look)
    ]


def window_of(box: ExactBox) -> Window:
    """Converts a box to a window: its left, top, width and height, rounded."""
    left, top, right, bottom = box
    return rounded(left), rounded(top), rounded(right - left), rounded(bottom - top)


def draw_shape(shape: Shape, look: Look, scale: Number = 1) -> Element:
    """Converts a shape to an element for SVG and PDF, drawn as a look demands.

    Only text, areas and dashed lines have a paint of their own; others have that of their layer.
    """
    match shape:
        case Line():
            pen = _pen(look, shape.layer, scale) if shape.dashed else None
            return Path(_as_floats(shape), replace(pen, dash=_DASH) if pen else None)
        case Contour():
            return Path(_as_floats(shape), look.paint(shape.fill))
        case Label():
            return words_of(shape, look.tone(shape.tone))
        case Stamp():
            full = look.ink == "full" and look.lines != "hairline"
            scaled = rounded(shape.scale, 9)
            place = Placing(rounded(shape.x), rounded(shape.y), rounded(shape.rotation), scaled)
            return Group(shape.full if full else shape.low, placing=place)


def _as_floats(shape: Line | Contour) -> Line | Contour:
    """Returns a copy of a line or contour in which all coordinates are floats."""
    if isinstance(shape, Line):
        x1, y1, x2, y2 = map(_coordinate, (shape.x1, shape.y1, shape.x2, shape.y2))
        return replace(shape, x1=x1, y1=y1, x2=x2, y2=y2)
    corners = (Corner(_coordinate(at.x), _coordinate(at.y), float(at.turn)) for at in shape.corners)
    return replace(shape, corners=tuple(corners))


def _coordinate(value: Number) -> float:
    """Converts an exact number to the float that is written with the same decimals."""
    nearest = float(value)
    return nearest if decimal(nearest) == decimal(value) else rounded(value)


def words_of(label: Label, colour: str) -> Words:
    """Converts a label to an element of text in this colour."""
    face = SANS_BOLD if label.weight == "bold" else SANS
    x, y, turn = rounded(label.x), rounded(label.y), rounded(label.rotation)
    lettering = Lettering(face.name, rounded(label.size), colour)
    return Words(label.text, x, y, lettering, label.anchor, turn)


#: Room around a drawing in a file of its own, so that half the width of its cut line is not lost.
BLEED = Fraction(1)
LAYERS_TOLD = gettext_noop(
    "Cut along the red lines, score along the blue ones, engrave what is black."
)


HAIRLINES = Look(lines="hairline")


def cutter_picture(drawing: Drawing, look: Look = HAIRLINES, *, edge: Number = 0) -> Picture:
    """Draws a cutout as a picture for a cutter, with a group for each layer.

    There are `edge` mm of room around it. The description says which colours of lines to cut, score
    and engrave.
    """
    window = window_of((-edge, -edge, drawing.width + edge, drawing.height + edge))
    description = f"{drawing.description}. {gettext(LAYERS_TOLD)}"
    return Picture(window, drawing.title, description, draw_shapes(drawing.shapes, look))


def svg(drawing: Drawing, look: Look = HAIRLINES) -> str:
    """Writes a drawing as an SVG file whose layers are groups with ids, by default in hairlines."""
    picture = cutter_picture(drawing, look, edge=BLEED)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_text(picture, cutter=True)
