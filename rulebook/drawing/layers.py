"""Shapes -> elements in full or low ink, a group for each layer; a file for cutters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from rulebook.drawing.elements import (
    Drawn,
    Element,
    Group,
    Lettering,
    Paint,
    Path,
    Picture,
    Placing,
    Point,
    Window,
    Words,
    mixed,
)
from rulebook.drawing.shapes import (
    LAYERS,
    Contour,
    Corner,
    Drawing,
    ExactBox,
    ExactPoint,
    Fill,
    Label,
    Layer,
    Line,
    Number,
    Shape,
    Stamp,
    bend_radius,
    bounds,
    is_tint,
)
from rulebook.drawing.svg import decimal, rounded, svg_text
from rulebook.paper_and_ink import Ink
from rulebook.translation import gettext, gettext_noop
from rulebook.typefaces import SANS, SANS_BOLD

#: Degrees of one curve.
MOST_TURN = 45.0


def curves(start: Point, end: Point, turn: float) -> Iterator[tuple[Point, Point, Point]]:
    """Approximates an arc of a circle by cubic curves; yields two control points and end of each.

    `turn` is the angle of the arc in degrees, positive clockwise as y runs down; it is neither 0
    nor a whole turn.

    WeasyPrint 70 draws a circle whose radius is 0.6 % too large between its quarters, half a
    millimetre on a shell burst of six inches, and half a circle as one curve. These curves, an
    eighth of a circle each, are off by 4 millionths of the radius (Goldapp, Approximation of
    circular arcs by cubic polynomials, 1991).
    """
    half = math.radians(turn) / 2
    across, down = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2
    slant = math.cos(half) / math.sin(half)
    middle = (start[0] + across - down * slant, start[1] + down + across * slant)
    count = math.ceil(abs(turn) / MOST_TURN - 1e-9)
    step = 2 * half / count
    handle = 4 / 3 * math.tan(step / 4)
    x, y = start[0] - middle[0], start[1] - middle[1]
    for number in range(1, count + 1):
        after = (x * math.cos(step) - y * math.sin(step), x * math.sin(step) + y * math.cos(step))
        near = (middle[0] + x - handle * y, middle[1] + y + handle * x)
        far = (middle[0] + after[0] + handle * after[1], middle[1] + after[1] - handle * after[0])
        yield near, far, end if number == count else (middle[0] + after[0], middle[1] + after[1])
        x, y = after


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
        """Returns the colour of text and marks that are `ink` or `accent`."""
        return self.accent if name == "accent" and self.ink == "full" else _BLACK

    def shade(self, number: int) -> str:
        """Returns tint 1, 2 or 3: the accent colour, mixed with white."""
        return mixed(self.accent, _SHADES[number])

    def paint(self, fill: Fill | None) -> Paint | None:
        """Returns the paint of an area; None if it is not filled."""
        if fill is None:
            return None
        if isinstance(fill, int):
            return Paint(self.shade(fill))
        return Paint(self.tone(fill) if fill == "accent" else fill)


@lru_cache(maxsize=64)
def _pen(look: Look, layer: Layer, scale: Number) -> Paint | None:
    """Returns the paint of the lines of a layer; on paper they have the same width at any scale."""
    if layer == "tint":
        return None
    width, colour = (by_layer[LAYERS.index(layer) - 1] for by_layer in _PENS[look.lines])
    drawn = rounded(Fraction(width) / Fraction(scale))
    return Paint(None, colour, drawn, join="round", dash=look.dash)


def draw_shapes(shapes: Iterable[Shape], look: Look, *, scale: Number = 1) -> Drawn:
    """Draws shapes as groups, one for each layer, tints lowest; in low ink tints are left out."""
    drawn = [(shape.layer, draw_shape(shape, look, scale)) for shape in _inked(shapes, look)]
    return _in_layers(drawn, look, scale)


def _inked(shapes: Iterable[Shape], look: Look) -> list[Shape]:
    """Returns the shapes that are printed: in low ink all but tints."""
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
    """Draws the shapes of a drawing, and returns the layer, element and box of each.

    The result is cached, for the windows of the drawing on all papers.
    """
    return [
        (shape.layer, draw_shape(shape, look), [*map(float, bounds(shape))])
        for shape in _inked(drawing.shapes, look)
    ]


def window_of(box: ExactBox) -> Window:
    """Converts a box to a window: left, top, width and height, rounded."""
    left, top, right, bottom = box
    return rounded(left), rounded(top), rounded(right - left), rounded(bottom - top)


def draw_shape(shape: Shape, look: Look, scale: Number = 1) -> Element:
    """Converts a shape to an element for SVG and PDF, drawn by a look.

    Only text, areas and dashed lines have a paint of their own; others have that of their layer.
    """
    match shape:
        case Line():
            d = f"M{_pair((shape.x1, shape.y1))} {_pair((shape.x2, shape.y2))}"
            pen = _pen(look, shape.layer, scale) if shape.dashed else None
            return Path(d, replace(pen, dash=_DASH) if pen else None)
        case Contour():
            return Path(_contour_path(shape, look.lines == "hairline"), look.paint(shape.fill))
        case Label():
            return words_of(shape, look.tone(shape.tone))
        case Stamp():
            full = look.ink == "full" and look.lines != "hairline"
            scaled = rounded(shape.scale, 9)
            place = Placing(rounded(shape.x), rounded(shape.y), rounded(shape.rotation), scaled)
            return Group(shape.full if full else shape.low, placing=place)


def words_of(label: Label, colour: str) -> Words:
    """Converts a label to an element with this colour."""
    face = SANS_BOLD if label.weight == "bold" else SANS
    x, y, turn = rounded(label.x), rounded(label.y), rounded(label.rotation)
    lettering = Lettering(face.name, rounded(label.size), colour)
    return Words(label.text, x, y, lettering, label.anchor, turn)


@lru_cache(maxsize=1024)
def _contour_path(contour: Contour, arcs: bool) -> str:
    """Returns the path data of a contour; cached, since many markers have the same.

    `arcs` asks for arcs, for cutters, instead of curves.
    """
    first, bent = contour.corners[0], any(corner.turn for corner in contour.corners)
    found = [f"M{_pair((first.x, first.y))}"]
    for start, end in contour.pieces:
        if start.turn:
            found.append(_bend(start, end, arcs))
        elif end is not first:
            found.append(f"{'L' if bent else ''}{_pair((end.x, end.y))}")
    return " ".join(found) + (" Z" if bent else "Z") * contour.closed


def _pair(point: ExactPoint) -> str:
    return f"{decimal(point[0])},{decimal(point[1])}"


def _bend(start: Corner, end: Corner, arcs: bool) -> str:
    """Returns path data for an arc between two corners: an arc for cutters, else curves.

    Curves look the same in all viewers.
    """
    if arcs:
        radius = decimal(bend_radius(start, end))
        flags = f"{int(not -180 <= start.turn <= 180)} {int(start.turn > 0)}"
        return f"A{radius},{radius} 0 {flags} {_pair((end.x, end.y))}"
    ends = (float(start.x), float(start.y)), (float(end.x), float(end.y))
    return " ".join("C" + " ".join(map(_pair, curve)) for curve in curves(*ends, float(start.turn)))


#: Room around a drawing in a file of its own, so that half the width of its cut line is not lost.
BLEED = Fraction(1)
LAYERS_TOLD = gettext_noop(
    "Cut along the red lines, score along the blue ones, engrave what is black."
)


def svg(drawing: Drawing, look: Look = Look(lines="hairline")) -> str:
    """Writes a drawing as an SVG file whose layers are groups with ids, by default in hairlines.

    Its description says which colours of lines to cut, score and engrave.
    """
    window = window_of((-BLEED, -BLEED, drawing.width + BLEED, drawing.height + BLEED))
    description = f"{drawing.description}. {gettext(LAYERS_TOLD)}"
    picture = Picture(window, drawing.title, description, draw_shapes(drawing.shapes, look))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_text(picture, ids=True)
