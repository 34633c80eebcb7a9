"""Shapes -> elements in full or low ink, by layer; cutouts -> files and small pictures, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from rulebook import text_fitting
from rulebook.drawing.elements import (
    Anchor,
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
    ArcLine,
    Caption,
    Circle,
    Contour,
    Drawing,
    ExactBox,
    ExactPoint,
    Label,
    Layer,
    Line,
    Measure,
    Number,
    Part,
    Polyline,
    Sector,
    Shape,
    Stamp,
    Tint,
    bend_radius,
    bounds,
    centred_lines,
    layer_of,
    pairs,
    point_on_circle,
)
from rulebook.drawing.svg_writer import decimal, rounded, svg_text
from rulebook.paper_and_ink import Ink
from rulebook.translation import gettext, gettext_noop
from rulebook.typefaces import SANS, SANS_BOLD

#: Degrees of one curve.
MOST_TURN = 45.0


def curves(start: Point, end: Point, turn: float) -> Iterator[tuple[Point, Point, Point]]:
    """Two control points and the end of each curve of an arc from `start` to `end`.

    WeasyPrint 70 draws a circle whose radius is 0.6 % too large between its quarters, half a
    millimetre on a shell burst of six inches, and half a circle as one curve. These curves, an
    eighth of a circle each, are off by 4 millionths of the radius (Goldapp, Approximation of
    circular arcs by cubic polynomials, 1991).

    `turn` is the angle of the arc in degrees, positive clockwise as y runs down; it is not 0, and
    not a whole turn.
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
        one = (middle[0] + x - handle * y, middle[1] + y + handle * x)
        other = (middle[0] + after[0] + handle * after[1], middle[1] + after[1] - handle * after[0])
        yield one, other, end if number == count else (middle[0] + after[0], middle[1] + after[1])
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
#: A shape as an element, and the layer on which it stands; None for a tint.
DrawnShape = tuple[Layer | None, Element]


@dataclass(frozen=True, slots=True)
class Look:
    """Full ink has light tints and the accent colour; low ink is black lines and type alone.

    `dash` is that of all lines, mm.
    """

    ink: Ink = "full"
    accent: str = "#7a2b1d"
    lines: Literal["printed", "small", "outline", "hairline"] = "printed"
    dash: tuple[float, ...] = ()

    def tone(self, name: str) -> str:
        return self.accent if name == "accent" and self.ink == "full" else _BLACK

    def shade(self, number: int) -> str:
        """A light colour: so much of the accent in white."""
        return mixed(self.accent, _SHADES[number])


@lru_cache(maxsize=64)
def _pen(look: Look, layer: Layer | None, scale: Number) -> Paint | None:
    """How the lines of a layer are drawn; under a scale they keep their width."""
    if layer is None:
        return None
    width, colour = (by_layer[LAYERS.index(layer)] for by_layer in _PENS[look.lines])
    drawn = rounded(Fraction(width) / Fraction(scale))
    return Paint(None, colour, drawn, join="round", dash=look.dash)


def draw_shapes(shapes: Iterable[Shape], look: Look, *, scale: Number = 1) -> Drawn:
    """Groups of shapes, one for each layer, the tints below all; in low ink there are none."""
    return _in_layers(_drawn(shapes, look, scale), look, scale)


def _drawn(shapes: Iterable[Shape], look: Look, scale: Number = 1) -> list[DrawnShape]:
    return [(layer_of(shape), draw_shape(shape, look, scale)) for shape in _inked(shapes, look)]


def _inked(shapes: Iterable[Shape], look: Look) -> list[Shape]:
    return [shape for shape in shapes if look.ink == "full" or not isinstance(shape, Tint)]


def _in_layers(drawn: Sequence[DrawnShape], look: Look, scale: Number = 1) -> Drawn:
    groups = []
    for layer in (None, *LAYERS):
        if there := tuple(element for one, element in drawn if one == layer):
            groups.append(Group(there, layer or "tint", paint=_pen(look, layer, scale)))
    return tuple(groups)


def through_window(drawing: Drawing, look: Look, window: ExactBox) -> Group:
    """What of a drawing reaches into a window, clipped to it."""
    left, top, right, bottom = map(float, window)
    drawn = _kept(drawing, look)
    if left > 0 or top > 0 or right < drawing.width or bottom < drawing.height:
        left, top, right, bottom = left - _NEAR, top - _NEAR, right + _NEAR, bottom + _NEAR
        drawn = [
            one
            for one, box in zip(drawn, _reaches(drawing, look), strict=True)
            if box[0] <= right and box[2] >= left and box[1] <= bottom and box[3] >= top
        ]
    return Group(_in_layers(drawn, look), window=window_of(window))


def window_of(box: ExactBox) -> Window:
    """A box by its corner and its size."""
    left, top, right, bottom = box
    return rounded(left), rounded(top), rounded(right - left), rounded(bottom - top)


@lru_cache(maxsize=128)
def _kept(drawing: Drawing, look: Look) -> list[DrawnShape]:
    """The shapes of a drawing, drawn once for its windows on the sheets of all papers."""
    return _drawn(drawing.shapes, look)


@lru_cache(maxsize=128)
def _reaches(drawing: Drawing, look: Look) -> list[list[float]]:
    return [[*map(float, bounds(shape))] for shape in _inked(drawing.shapes, look)]


def draw_shape(shape: Shape, look: Look, scale: Number = 1) -> Element:
    """One element; its colours are those of its layer but for words and filled marks."""
    arcs = look.lines == "hairline"
    match shape:
        case Line():
            d = f"M{_pair((shape.x1, shape.y1))} {_pair((shape.x2, shape.y2))}"
            pen = _pen(look, shape.layer, scale) if shape.dashed else None
            return Path(d, replace(pen, dash=_DASH) if pen else None)
        case Polyline():
            return Path(_points_path(shape), Paint(look.tone("accent")) if shape.filled else None)
        case Circle():
            return Path(_circle_path(shape.x, shape.y, shape.radius, arcs))
        case ArcLine():
            return Path(_arc_path(shape, arcs))
        case Contour():
            return Path(_contour_path(shape, arcs))
        case Tint():
            tint = Paint(shape.colour or look.shade(shape.shade))
            return Path(_part_path(shape.part, arcs), tint)
        case Label():
            return words_of(shape, look.tone(shape.tone))
        case Stamp():
            full = look.ink == "full" and look.lines != "hairline"
            scaled = rounded(shape.scale, 9)
            place = Placing(rounded(shape.x), rounded(shape.y), rounded(shape.rotation), scaled)
            return Group(shape.full if full else shape.low, placing=place)
    raise TypeError(f"no shape: {shape!r}")


def words_of(label: Label, colour: str) -> Words:
    """The words of a label in a colour."""
    face = SANS_BOLD if label.weight == "bold" else SANS
    x, y, turn = rounded(label.x), rounded(label.y), rounded(label.rotation)
    lettering = Lettering(face.name, rounded(label.size), colour)
    return Words(label.text, x, y, lettering, label.anchor, turn)


def _part_path(part: Part, arcs: bool) -> str:
    if isinstance(part, Circle):
        return _circle_path(part.x, part.y, part.radius, arcs)
    return _points_path(part) if isinstance(part, Polyline) else _sector_path(part, arcs)


def _points_path(shape: Polyline) -> str:
    return f"M{' '.join(map(_pair, shape.points))}{'Z' if shape.closed else ''}"


@lru_cache(maxsize=1024)
def _circle_path(x: Number, y: Number, radius: Number, arcs: bool) -> str:
    """A circle as curves, for cutters as arcs; many markers have it at the same place."""
    left, right = (x - radius, y), (x + radius, y)
    halves = (_arc_to(*ends, radius, 180, arcs) for ends in ((left, right), (right, left)))
    return f"M{_pair(left)} {' '.join(halves)} Z"


def _pair(point: ExactPoint) -> str:
    return f"{decimal(point[0])},{decimal(point[1])}"


def _arc_to(start: ExactPoint, end: ExactPoint, radius: Number, turn: Number, arcs: bool) -> str:
    """An arc in a path, for cutters as such; on pages as curves, which are drawn alike by all."""
    if arcs:
        drawn = decimal(radius)
        flags = f"{int(not -180 <= turn <= 180)} {int(turn > 0)}"
        return f"A{drawn},{drawn} 0 {flags} {_pair(end)}"
    (x1, y1), (x2, y2) = start, end
    drawn_curves = curves((float(x1), float(y1)), (float(x2), float(y2)), float(turn))
    return " ".join("C" + " ".join(map(_pair, curve)) for curve in drawn_curves)


def _arc_path(arc: ArcLine, arcs: bool) -> str:
    start, end = (
        point_on_circle(arc.x, arc.y, arc.radius, angle) for angle in (arc.start, arc.end)
    )
    return f"M{_pair(start)} {_arc_to(start, end, arc.radius, arc.end - arc.start, arcs)}"


def _contour_path(contour: Contour, arcs: bool) -> str:
    first = contour.corners[0]
    pieces = [f"M{_pair((first.x, first.y))}"]
    for start, end in pairs(contour):
        here, there = (start.x, start.y), (end.x, end.y)
        if start.turn:
            pieces.append(_arc_to(here, there, bend_radius(start, end), start.turn, arcs))
        elif end is not first:
            pieces.append(f"L{_pair(there)}")
    return " ".join([*pieces, "Z"])


def _sector_path(sector: Sector, arcs: bool) -> str:
    turn = sector.end - sector.start
    inner, outer = (
        [point_on_circle(sector.x, sector.y, radius, angle) for angle in (sector.start, sector.end)]
        for radius in (sector.inner, sector.outer)
    )
    pieces = [f"M{_pair(inner[0])} L{_pair(outer[0])}"]
    pieces.append(_arc_to(outer[0], outer[1], sector.outer, turn, arcs))
    pieces.append(f"L{_pair(inner[1])}")
    if sector.inner:
        pieces.append(_arc_to(inner[1], inner[0], sector.inner, -turn, arcs))
    return " ".join([*pieces, "Z"])


#: Room around a drawing in a file of its own, so that half the width of its cut line is not lost.
BLEED = Fraction(1)
LAYERS_TOLD = gettext_noop(
    "Cut along the red lines, score along the blue ones, engrave what is black."
)

#: The small picture, mm: its height without words, its type (7 pt), a line of measures.
HIGHEST = 46.0
SMALL, STRONG = 2.5, 4.4
MEASURE_LINE = 4.9
TICK = 0.9
#: From a small picture to a line of measures at its side.
BESIDE_LINE = 2.2
#: Lines of a name that stands alone in its part.
MOST_LINES = 3


def svg(drawing: Drawing, look: Look = Look(lines="hairline")) -> str:
    """A file of its own: the layers as groups with ids; in hairlines unless `look` has others."""
    window = window_of((-BLEED, -BLEED, drawing.width + BLEED, drawing.height + BLEED))
    description = f"{drawing.description}. {gettext(LAYERS_TOLD)}"
    picture = Picture(window, drawing.title, description, draw_shapes(drawing.shapes, look))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_text(picture, ids=True)


def _beside(drawing: Drawing) -> float:
    """The room at the right of a small picture, for the lengths that are shown there."""
    lengths = (measure.text for measure in drawing.measures if measure.axis == "y")
    return max((text_fitting.text_width(text, SMALL) + 4.5 for text in lengths), default=0.5)


def _fitting(drawing: Drawing, width_mm: float) -> float:
    """Millimetres of the page for one of the drawing, beside its measures."""
    wide, high = float(drawing.width), float(drawing.height)
    return min((width_mm - _beside(drawing) - 1.0) / wide, HIGHEST / high, 1.0)


def _named(drawing: Drawing, scale: float) -> Drawing:
    """With the names in its measures, unless its captions tell them all at this scale."""
    at = SmallPicture(scale, 0.0, 0.0)
    captions = {
        caption.small
        for caption in drawing.captions
        if len([*draw_caption(at, caption)]) > bool(caption.strong)
    }
    if all(measure.name in captions for measure in drawing.measures if measure.name):
        return drawing
    measures = (
        replace(measure, text=f"{measure.name} {measure.text}".lstrip())
        for measure in drawing.measures
    )
    kept = tuple(replace(caption, small="") for caption in drawing.captions if caption.strong)
    return replace(drawing, measures=tuple(measures), captions=kept)


def miniature_scale(drawing: Drawing, width_mm: float) -> float:
    """The scale of a small picture that is alone in its row; what is small is not enlarged."""
    drawing = drawing.picture or drawing
    scale = _fitting(drawing, width_mm)
    return min(scale, _fitting(_named(drawing, scale), width_mm))


def svg_miniature(
    drawing: Drawing, width_mm: float, look: Look | None = None, *, scale: float | None = None
) -> str:
    """A small picture, `width_mm` wide, with captions and measures; legible from 60 mm on.

    `scale` is that of the pictures beside it, no larger than its own.
    """
    look = replace(look or Look(), lines="small")
    scale = min(scale or 1.0, miniature_scale(drawing, width_mm))
    drawing = _named(drawing.picture or drawing, scale)
    above = max((above_height(c) for c in drawing.captions if c.place == "above"), default=1.0)
    levels = 1 + max((m.level for m in drawing.measures if m.axis == "x"), default=-1)
    beside = _beside(drawing)
    left = (width_mm - beside + 1.0 - scale * float(drawing.width)) / 2
    bottom = above + scale * float(drawing.height)
    picture = SmallPicture(scale, left, above)
    shapes = [shape for shape in drawing.shapes if shown_small(shape)]
    box = (left, above, left + scale * float(drawing.width), bottom)
    words: list[Shape] = []
    for caption in drawing.captions:
        words += draw_caption(picture, caption)
    for measure in drawing.measures:
        words += draw_measure(picture, measure, box)
    body = (picture.placed(draw_shapes(shapes, look, scale=scale)), *draw_shapes(words, look))
    window = window_of((0, 0, width_mm, bottom + 1.0 + levels * MEASURE_LINE))
    return svg_text(Picture(window, drawing.title, drawing.description, body))


@dataclass(frozen=True, slots=True)
class SmallPicture:
    """Where the coordinates of a drawing are in its small picture."""

    scale: float
    left: float
    top: float

    def x(self, x: Number) -> float:
        return self.left + self.scale * float(x)

    def y(self, y: Number) -> float:
        return self.top + self.scale * float(y)

    def placed(self, drawn: Drawn) -> Group:
        """What has been drawn in coordinates of the drawing."""
        left, top, scale = rounded(self.left), rounded(self.top), rounded(self.scale, 9)
        return Group(drawn, placing=Placing(left, top, scale=scale))


def shown_small(shape: Shape) -> bool:
    """Outline, divisions, tints and filled marks; words and ticks would be too small."""
    return isinstance(shape, Tint | Stamp | Polyline) or layer_of(shape) in ("cut", "score")


def above_height(caption: Caption) -> float:
    """The room that a caption takes over a small picture."""
    return 1.6 + (text_fitting.CAP_HEIGHT * STRONG if caption.strong else 0.0) + (1.2 * SMALL)


def draw_caption(picture: SmallPicture, caption: Caption) -> Iterator[Shape]:
    """A caption as large as it has room, or what of it has."""
    room = 0.94 * picture.scale * float(caption.room)
    x, y = picture.x(caption.x), picture.y(caption.y)
    high = picture.scale * float(caption.high) or MOST_LINES * SMALL
    narrow = text_fitting.largest_size([caption.strong], room, most=SMALL)
    strong = min(STRONG, max(0.6 * room, narrow)) if caption.place == "inside" else STRONG
    small = text_fitting.largest_size([caption.small], room, most=SMALL)
    if caption.place == "above":
        base = picture.top - 1.4
        if caption.strong:
            yield Label(caption.strong, x, base, strong, weight="bold", tone="accent")
            base -= text_fitting.CAP_HEIGHT * strong + 1.0
        if small >= text_fitting.SIX_POINTS:
            yield Label(caption.small, x, base, small)
        return
    if not caption.strong:
        yield from _name_alone(caption, x, y, room, high)
        return
    has_small = small >= SMALL and bool(caption.small)
    block = text_fitting.CAP_HEIGHT * strong + (1.25 * SMALL if has_small else 0.0)
    base = y - block / 2 + text_fitting.CAP_HEIGHT * strong
    yield Label(caption.strong, x, base, strong, weight="bold", tone="accent")
    if has_small:
        yield Label(caption.small, x, base + 1.25 * SMALL, small)


def _name_alone(caption: Caption, x: float, y: float, room: float, high: float) -> Iterator[Shape]:
    """A name without a score, in so many lines as it needs, or none where it has no room."""
    words, size = caption.small, SMALL
    lines = text_fitting.wrapped(words, size, room)
    block = (text_fitting.CAP_HEIGHT + text_fitting.LEADING * (len(lines) - 1)) * size
    if not text_fitting.fits(words, size, room) or len(lines) > MOST_LINES or block > high:
        return
    if caption.most > size:
        lines, size = text_fitting.filled(words, room, high, most=caption.most)
        size = max(size, SMALL)
    yield from centred_lines(lines, x, y + block if caption.place == "below" else y, size)


def draw_measure(
    picture: SmallPicture, measure: Measure, box: ExactBox, *, opposite: bool = False
) -> Iterator[Shape]:
    """A measure below a small picture or at its right; dashed, above it or at its left.

    `box` is the picture, between whose edges the words stay.
    """
    left, top, right, bottom = map(float, box)
    way = -1 if opposite else 1
    if measure.axis == "y":
        x = left - BESIDE_LINE if opposite else right + BESIDE_LINE
        start, end = picture.y(measure.start), picture.y(measure.end)
        for y in (start, end):
            yield Line("engrave", x - TICK, y, x + TICK, y)
        yield Line("engrave", x, start, x, end, dashed=opposite)
        middle = (start + end) / 2
        if measure.label == "end":
            middle = end
            yield Line("engrave", picture.x(measure.foot), end, x - way * TICK, end, dashed=True)
        middle += text_fitting.CAP_HEIGHT * SMALL / 2
        side: Anchor = "end" if opposite else "start"
        yield Label(measure.text, x + way * 1.4, middle, SMALL, anchor=side)
        return
    y = (top if opposite else bottom) + way * (1.6 + MEASURE_LINE * measure.level)
    start, end = picture.x(measure.start), picture.x(measure.end)
    for x in sorted({start, end}):
        foot = picture.y(measure.foot) + way * 0.4
        yield Line("engrave", x, foot, x, y - way * TICK, dashed=True)
        yield Line("engrave", x, y - TICK, x, y + TICK)
    yield Line("engrave", start, y, end, y, dashed=opposite)
    baseline = y - 1.3 if opposite else y + 0.7 + SMALL
    if measure.label == "middle":
        yield Label(measure.text, (start + end) / 2, baseline, SMALL)
        return
    half = text_fitting.text_width(measure.text, SMALL) / 2
    anchor: Anchor = "end" if end + half > right else "start" if end - half < left else "middle"
    yield Label(measure.text, end, baseline, SMALL, anchor=anchor)
