"""Shapes -> elements of SVG in full or low ink, by layer; drawings -> files or small pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from rulebook import text_fitting
from rulebook.drawing.elements import Point
from rulebook.drawing.shapes import (
    LAYERS,
    Anchor,
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
from rulebook.paper_and_ink import Ink
from rulebook.translation import gettext, gettext_noop

SANS_FONTS = "'IBM Plex Sans Condensed', sans-serif"
_PLACES = 4
#: Control characters, halves of surrogates, and what is no character.
_NO_LETTERS = "\\x00-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufffe\\uffff"
_FORBIDDEN = re.compile(f"[{_NO_LETTERS}]")
_TOLD_OTHERWISE = re.compile(f'[{_NO_LETTERS}&<>"]')


def decimal(number: Number, places: int = _PLACES) -> str:
    """A coordinate with up to four decimals, the same on every machine: 139.7, 0, 1.1458."""
    units = 10**places
    # by its type itself, since Fraction asks an abstract class first, and this runs very often
    if type(number) is Fraction:
        # as round(number * units), half to even, without a fraction for each step on the way
        divisor = number.denominator
        scaled, rest = divmod(number.numerator * units, divisor)
        if 2 * rest > divisor or (2 * rest == divisor and scaled % 2):
            scaled += 1
    else:
        scaled = round(number * units)
    if scaled < 0:
        return f"-{decimal(Fraction(-scaled, units), places)}"
    whole, rest = divmod(scaled, units)
    return f"{whole}.{rest:0{places}d}".rstrip("0") if rest else str(whole)


def escaped(text: str) -> str:
    """Words as XML text or attribute; what XML cannot hold becomes a replacement character."""
    if not _TOLD_OTHERWISE.search(text):
        return text
    kept = _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
    for mark, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        kept = kept.replace(mark, entity)
    return kept


def svg_root(
    box: ExactBox, title: str, description: str, body: str, *, fonts: str = SANS_FONTS
) -> str:
    """The <svg> element: as many millimetres large as its view box has units."""
    left, top, right, bottom = box
    width, height = decimal(right - left), decimal(bottom - top)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{decimal(left)} {decimal(top)} {width} {height}" role="img" '
        f'font-family="{fonts}">\n'
        f"<title>{escaped(title)}</title>\n<desc>{escaped(description)}</desc>\n{body}</svg>\n"
    )


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
#: What is so near to a window is taken to reach into it, mm.
_NEAR = 1e-6
#: A shape as an element, and the layer on which it stands; None for a tint.
DrawnShape = tuple[Layer | None, str]


@dataclass(frozen=True, slots=True)
class Look:
    """Full ink has light tints and the accent colour; low ink is black lines and type alone."""

    ink: Ink = "full"
    accent: str = "#7a2b1d"
    lines: Literal["printed", "small", "outline", "hairline"] = "printed"

    def tone(self, name: str) -> str:
        return self.accent if name == "accent" and self.ink == "full" else _BLACK

    def shade(self, number: int) -> str:
        """A light colour: so much of the accent in white."""
        part = _SHADES[number]
        channels = (int(self.accent[i : i + 2], 16) for i in (1, 3, 5))
        return "#" + "".join(f"{round(255 - part * (255 - value)):02x}" for value in channels)


def svg_shapes(shapes: Iterable[Shape], look: Look, *, ids: bool = False, scale: Number = 1) -> str:
    """Groups of shapes, one for each layer, the tints below all.

    `ids` names the groups by id, else by class; drawn under `scale`, lines keep their width.
    """
    return svg_layers(drawn_shapes(shapes, look), look, ids=ids, scale=scale)


def drawn_shapes(shapes: Iterable[Shape], look: Look) -> list[DrawnShape]:
    """Each shape as an element, with its layer; in low ink no tints."""
    return [(layer_of(shape), svg_shape(shape, look)) for shape in _inked(shapes, look)]


def _inked(shapes: Iterable[Shape], look: Look) -> list[Shape]:
    return [shape for shape in shapes if look.ink == "full" or not isinstance(shape, Tint)]


def svg_layers(
    drawn: Sequence[DrawnShape], look: Look, *, ids: bool = False, scale: Number = 1
) -> str:
    """What has been drawn, in groups by layer."""
    groups = []
    if tints := [element for layer, element in drawn if layer is None]:
        groups.append(_group("tint", "", tints, ids))
    for layer in LAYERS:
        if there := [element for one, element in drawn if one == layer]:
            groups.append(_group(layer, _pen(look.lines, layer, scale), there, ids))
    return "".join(groups)


class Windowed:
    """The shapes of a drawing, each drawn and measured once for all windows that show it."""

    def __init__(self, drawing: Drawing, look: Look) -> None:
        self.drawing = drawing
        self._look = look
        self._shapes = _inked(drawing.shapes, look)
        self._drawn = drawn_shapes(self._shapes, look)

    @cached_property
    def _reaches(self) -> list[list[float]]:
        return [[*map(float, bounds(shape))] for shape in self._shapes]

    def svg(self, window: ExactBox, name: str) -> str:
        """What reaches into a window, clipped to it; `name` is the id of the clip."""
        left, top, right, bottom = window
        size = _numbers(x=left, y=top, width=right - left, height=bottom - top)
        return (
            f'<defs><clipPath id="{name}"><rect {size}/></clipPath></defs>\n'
            f'<g clip-path="url(#{name})">\n{self._shown(window)}</g>\n'
        )

    @cached_property
    def _whole(self) -> str:
        return svg_layers(self._drawn, self._look)

    def _shown(self, window: ExactBox) -> str:
        left, top, right, bottom = map(float, window)
        if left <= 0 and top <= 0 and right >= self.drawing.width and bottom >= self.drawing.height:
            return self._whole
        left, top, right, bottom = left - _NEAR, top - _NEAR, right + _NEAR, bottom + _NEAR
        shown = [
            drawn
            for drawn, box in zip(self._drawn, self._reaches, strict=True)
            if box[0] <= right and box[2] >= left and box[1] <= bottom and box[3] >= top
        ]
        return svg_layers(shown, self._look)


@lru_cache(maxsize=128)
def windowed(drawing: Drawing, look: Look) -> Windowed:
    """A drawing for its windows, on the sheets of all papers."""
    return Windowed(drawing, look)


@lru_cache(maxsize=64)
def _pen(lines: str, layer: Layer, scale: Number) -> str:
    width, colour = (by_layer[LAYERS.index(layer)] for by_layer in _PENS[lines])
    drawn = decimal(Fraction(width) / Fraction(scale))
    return f' fill="none" stroke="{colour}" stroke-width="{drawn}" stroke-linejoin="round"'


def _group(name: str, attributes: str, drawn: Iterable[str], ids: bool) -> str:
    naming = f'id="{name}"' if ids else f'class="{name}"'
    return f"<g {naming}{attributes}>\n" + "\n".join(drawn) + "\n</g>\n"


def svg_shape(shape: Shape, look: Look) -> str:
    """One element; its colours are those of its group but for words and filled marks."""
    match shape:
        case Line():
            dash = ' stroke-dasharray="1 0.8"' if shape.dashed else ""
            return f"<line {_numbers(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)}{dash}/>"
        case Polyline():
            fill = f' fill="{look.tone("accent")}" stroke="none"' if shape.filled else ""
            return _svg_points(shape, fill)
        case Circle():
            return _svg_circle(shape, "", look)
        case ArcLine():
            return f'<path d="{_arc_path(shape, look)}"/>'
        case Contour():
            return f'<path d="{_contour_path(shape, look)}"/>'
        case Tint():
            return _svg_tint(shape, look)
        case Label():
            return _svg_label(shape, look)
        case Stamp():
            return _svg_stamp(shape, look)
    raise TypeError(f"no shape: {shape!r}")


def _svg_stamp(stamp: Stamp, look: Look) -> str:
    place = f"translate({decimal(stamp.x)} {decimal(stamp.y)})"
    if stamp.rotation:
        place += f" rotate({decimal(stamp.rotation)})"
    if stamp.scale != 1:
        place += f" scale({decimal(stamp.scale, 9)})"
    drawn = stamp.full if look.ink == "full" and look.lines != "hairline" else stamp.low
    return f'<g transform="{place}">{drawn}</g>'


def _numbers(**values: Number) -> str:
    return " ".join(f'{name}="{decimal(value)}"' for name, value in values.items())


def _svg_points(shape: Polyline, attributes: str) -> str:
    name = "polygon" if shape.closed else "polyline"
    points = " ".join(f"{decimal(x)},{decimal(y)}" for x, y in shape.points)
    return f'<{name} points="{points}"{attributes}/>'


def _svg_circle(shape: Circle, attributes: str, look: Look) -> str:
    if look.lines == "hairline":
        return f"<circle {_numbers(cx=shape.x, cy=shape.y, r=shape.radius)}{attributes}/>"
    return f'<path d="{_circle_path(shape.x, shape.y, shape.radius)}"{attributes}/>'


@lru_cache(maxsize=1024)
def _circle_path(x: Number, y: Number, radius: Number) -> str:
    """A circle as curves; many markers have it at the same place."""
    left, right = (x - radius, y), (x + radius, y)
    there, back = (_curves_to(*ends, 180) for ends in ((left, right), (right, left)))
    return f"M{_pair(left)} {there} {back} Z"


def _svg_tint(tint: Tint, look: Look) -> str:
    fill = f' fill="{tint.colour or look.shade(tint.shade)}"'
    match tint.part:
        case Polyline():
            return _svg_points(tint.part, fill)
        case Circle():
            return _svg_circle(tint.part, fill, look)
        case Sector():
            return f'<path d="{_sector_path(tint.part, look)}"{fill}/>'


def _pair(point: ExactPoint) -> str:
    return f"{decimal(point[0])},{decimal(point[1])}"


def _arc_to(start: ExactPoint, end: ExactPoint, radius: Number, turn: Number, look: Look) -> str:
    """An arc in a path; on pages as curves that every page maker draws alike."""
    if look.lines == "hairline":
        drawn = decimal(radius)
        flags = f"{int(not -180 <= turn <= 180)} {int(turn > 0)}"
        return f"A{drawn},{drawn} 0 {flags} {_pair(end)}"
    return _curves_to(start, end, turn)


def _curves_to(start: ExactPoint, end: ExactPoint, turn: Number) -> str:
    (x1, y1), (x2, y2) = start, end
    drawn_curves = curves((float(x1), float(y1)), (float(x2), float(y2)), float(turn))
    return " ".join("C" + " ".join(map(_pair, curve)) for curve in drawn_curves)


def _arc_path(arc: ArcLine, look: Look) -> str:
    start, end = (
        point_on_circle(arc.x, arc.y, arc.radius, angle) for angle in (arc.start, arc.end)
    )
    return f"M{_pair(start)} {_arc_to(start, end, arc.radius, arc.end - arc.start, look)}"


def _contour_path(contour: Contour, look: Look) -> str:
    first = contour.corners[0]
    pieces = [f"M{_pair((first.x, first.y))}"]
    for start, end in pairs(contour):
        here, there = (start.x, start.y), (end.x, end.y)
        if start.turn:
            pieces.append(_arc_to(here, there, bend_radius(start, end), start.turn, look))
        elif end is not first:
            pieces.append(f"L{_pair(there)}")
    return " ".join([*pieces, "Z"])


def _sector_path(sector: Sector, look: Look) -> str:
    turn = sector.end - sector.start
    inner, outer = (
        [point_on_circle(sector.x, sector.y, radius, angle) for angle in (sector.start, sector.end)]
        for radius in (sector.inner, sector.outer)
    )
    pieces = [f"M{_pair(inner[0])} L{_pair(outer[0])}"]
    pieces.append(_arc_to(outer[0], outer[1], sector.outer, turn, look))
    pieces.append(f"L{_pair(inner[1])}")
    if sector.inner:
        pieces.append(_arc_to(inner[1], inner[0], sector.inner, -turn, look))
    return " ".join([*pieces, "Z"])


def _svg_label(label: Label, look: Look) -> str:
    x, y = decimal(label.x), decimal(label.y)
    turn = f' transform="rotate({decimal(label.rotation)} {x} {y})"' if label.rotation else ""
    weight = ' font-weight="700"' if label.weight == "bold" else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{decimal(label.size)}" text-anchor="{label.anchor}"'
        f'{weight} fill="{look.tone(label.tone)}" stroke="none"{turn}>{escaped(label.text)}</text>'
    )


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


def svg(drawing: Drawing, look: Look | None = None) -> str:
    """A file of its own: the layers as groups with ids; in hairlines unless `look` has others."""
    look = look or Look(lines="hairline")
    box = (-BLEED, -BLEED, drawing.width + BLEED, drawing.height + BLEED)
    description = drawing.description + (
        f". {gettext(LAYERS_TOLD)}" if look.lines == "hairline" else ""
    )
    body = svg_shapes(drawing.shapes, look, ids=True)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_root(
        box, drawing.title, description, body
    )


def _beside(drawing: Drawing) -> float:
    """The room at the right of a small picture, for the lengths that are shown there."""
    lengths = (one.text for one in drawing.measures if one.axis == "y")
    return max((text_fitting.text_width(text, SMALL) + 4.5 for text in lengths), default=0.5)


def _fitting(drawing: Drawing, width_mm: float) -> float:
    """Millimetres of the page for one of the drawing, beside its measures."""
    wide, high = float(drawing.width), float(drawing.height)
    return min((width_mm - _beside(drawing) - 1.0) / wide, HIGHEST / high, 1.0)


def _named(drawing: Drawing, scale: float) -> Drawing:
    """With the names in its measures, unless its captions tell them all at this scale."""
    at = SmallPicture(scale, 0.0, 0.0)
    captions = {
        one.small for one in drawing.captions if len([*draw_caption(at, one)]) > bool(one.strong)
    }
    if all(one.name in captions for one in drawing.measures if one.name):
        return drawing
    measures = (replace(one, text=f"{one.name} {one.text}".lstrip()) for one in drawing.measures)
    kept = tuple(replace(one, small="") for one in drawing.captions if one.strong)
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
    body = (
        f'<g transform="translate({decimal(left)} {decimal(above)}) scale({decimal(scale, 9)})">\n'
        f"{svg_shapes(shapes, look, scale=scale)}</g>\n{svg_shapes(words, look)}"
    )
    height = bottom + 1.0 + levels * MEASURE_LINE
    return svg_root((0, 0, width_mm, height), drawing.title, drawing.description, body)


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
