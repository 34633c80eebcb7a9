"""A drawing -> SVG in millimetres: a file of its own, or a small picture.

The small picture is for the booklet and the quick-reference sheet: the cutout to a small scale, its
lines and words at sizes of their own, with the lengths that matter told beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.drawing.inks import Look, decimal, svg_root, svg_shapes
from rulebook.drawing.shapes import (
    Anchor,
    Box,
    Caption,
    Drawing,
    Label,
    Line,
    Measure,
    Number,
    Polyline,
    Shape,
    Tint,
    centred_lines,
    layer_of,
)
from rulebook.text_fitting import (
    CAP_HEIGHT,
    filled,
    fits,
    largest_size,
    shortened,
    text_width,
    wrapped,
)
from rulebook.translation import gettext, gettext_noop

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
    told = drawing.description + (f". {gettext(LAYERS_TOLD)}" if look.lines == "hairline" else "")
    body = svg_shapes(drawing.shapes, look, ids=True)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_root(box, drawing.title, told, body)


def svg_miniature(drawing: Drawing, width_mm: float, look: Look | None = None) -> str:
    """A small picture, `width_mm` wide, with captions and measures; legible from 60 mm on.

    What is small itself is shown in its true size, not larger.
    """
    look = replace(look or Look(), lines="small")
    drawing = drawing.picture or drawing
    above = max((above_height(c) for c in drawing.captions if c.place == "above"), default=1.0)
    levels = 1 + max((m.level for m in drawing.measures if m.axis == "x"), default=-1)
    beside = max(
        (text_width(m.text, SMALL) + 4.5 for m in drawing.measures if m.axis == "y"), default=0.5
    )
    wide, high = float(drawing.width), float(drawing.height)
    scale = min((width_mm - beside - 1.0) / wide, HIGHEST / high, 1.0)
    left = (width_mm - beside + 1.0 - scale * float(drawing.width)) / 2
    bottom = above + scale * float(drawing.height)
    picture = Placed(scale, left, above)
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
class Placed:
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
    return isinstance(shape, Tint | Polyline) or layer_of(shape) in ("cut", "score")


def above_height(caption: Caption) -> float:
    """The room that a caption takes over a small picture."""
    return 1.6 + (CAP_HEIGHT * STRONG if caption.strong else 0.0) + (1.2 * SMALL)


def draw_caption(picture: Placed, caption: Caption) -> Iterator[Shape]:
    """A caption as large as it has room, or what of it has."""
    room = 0.94 * picture.scale * float(caption.room)
    x, y = picture.x(caption.x), picture.y(caption.y)
    narrow = largest_size([caption.strong], room, most=SMALL)
    strong = min(STRONG, max(0.6 * room, narrow)) if caption.place == "inside" else STRONG
    small = largest_size([caption.small], room, most=SMALL)
    kept = shortened(caption.small, SMALL, room)
    if caption.place == "above":
        base = picture.top - 1.4
        if caption.strong:
            yield Label(caption.strong, x, base, strong, weight="bold", tone="accent")
            base -= CAP_HEIGHT * strong + 1.0
        yield Label(kept, x, base, SMALL)
        return
    if not caption.strong:
        yield from _name_alone(caption, x, y, room)
        return
    told = small >= SMALL and bool(caption.small)
    block = CAP_HEIGHT * strong + (1.25 * SMALL if told else 0.0)
    base = y - block / 2 + CAP_HEIGHT * strong
    yield Label(caption.strong, x, base, strong, weight="bold", tone="accent")
    if told:
        yield Label(caption.small, x, base + 1.25 * SMALL, small)


def _name_alone(caption: Caption, x: float, y: float, room: float) -> Iterator[Shape]:
    """A name without a score, in so many lines as it needs, or none where it has no room."""
    words, size = caption.small, SMALL
    lines = wrapped(words, size, room)
    if not fits(words, size, room) or len(lines) > MOST_LINES:
        return
    if caption.most > size:
        lines, size = filled(words, room, MOST_LINES * size, most=caption.most)
    yield from centred_lines(lines, x, y, size)


def draw_measure(
    picture: Placed, measure: Measure, box: Box, *, opposite: bool = False
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
        middle = (start + end) / 2 + CAP_HEIGHT * SMALL / 2
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
    half = text_width(measure.text, SMALL) / 2
    anchor: Anchor = "end" if end + half > right else "start" if end - half < left else "middle"
    yield Label(measure.text, end, baseline, SMALL, anchor=anchor)
