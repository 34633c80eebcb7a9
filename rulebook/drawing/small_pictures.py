"""A drawing -> a small picture of it, with captions in it and lengths beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulebook import text_fitting
from rulebook.drawing.elements import (
    Anchor,
    Contour,
    Drawn,
    ExactBox,
    Group,
    Line,
    Number,
    Picture,
    Placing,
)
from rulebook.drawing.layers import Look, draw_shapes, window_of
from rulebook.drawing.shapes import Caption, Drawing, Label, Measure, Shape, centred_lines
from rulebook.drawing.svg import rounded

#: The small picture, mm: its height without words, its type (7 pt), a line of measures.
HIGHEST = 46.0
SMALL, STRONG = 2.5, 4.4
MEASURE_LINE = 4.9
TICK = 0.9
#: From a small picture to a line of measures at its side.
BESIDE_LINE = 2.2
#: Lines of a name that stands alone in its part.
MOST_LINES = 3


def room_beside(drawing: Drawing) -> float:
    """Returns the width in mm that is needed for the lengths beside a small picture."""
    lengths = (measure.text for measure in drawing.measures if measure.axis == "y")
    return max((text_fitting.text_width(text, SMALL) + 4.5 for text in lengths), default=0.5)


def room_below(drawing: Drawing) -> float:
    """Returns the height in mm that is needed for the lengths below a small picture."""
    levels = (measure.level + 1 for measure in drawing.measures if measure.axis == "x")
    return MEASURE_LINE * max(levels, default=0)


def room_above(drawing: Drawing) -> float:
    """Returns the height in mm that is needed for the captions above a small picture."""
    above = (
        1.6 + (text_fitting.CAP_HEIGHT * STRONG if caption.strong else 0.0) + 1.2 * SMALL
        for caption in drawing.captions
        if caption.place == "above"
    )
    return max(above, default=1.0)


def _fitting(drawing: Drawing, width_mm: float) -> float:
    """Returns the largest scale, up to 1, at which a drawing and its lengths fit a width in mm."""
    wide, high = float(drawing.width), float(drawing.height)
    return min((width_mm - room_beside(drawing) - 1.0) / wide, HIGHEST / high, 1.0)


def _named(drawing: Drawing, scale: float) -> Drawing:
    """Returns the drawing with names added to the texts of its measures.

    If captions show all names at this scale, the drawing is returned unchanged; otherwise captions
    keep only their large words.
    """
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
    """Returns the largest scale, up to 1, at which a small picture fits a width in mm."""
    drawing = drawing.picture or drawing
    scale = _fitting(drawing, width_mm)
    return min(scale, _fitting(_named(drawing, scale), width_mm))


def miniature(
    drawing: Drawing, width_mm: float, look: Look | None = None, *, scale: float | None = None
) -> Picture:
    """Draws a small picture of a drawing, with captions and measures, `width_mm` wide.

    It is legible from 60 mm on. `scale` is the common scale of several pictures; a smaller one is
    used if the picture needs it.
    """
    look = replace(look or Look(), lines="small")
    scale = min(scale or 1.0, miniature_scale(drawing, width_mm))
    drawing = _named(drawing.picture or drawing, scale)
    left = (width_mm - room_beside(drawing) + 1.0 - scale * float(drawing.width)) / 2
    picture = SmallPicture(scale, left, room_above(drawing))
    body = picture.drawn(drawing, look, look)
    bottom = picture.y(drawing.height) + 1.0 + room_below(drawing)
    window = window_of((0, 0, width_mm, bottom))
    return Picture(window, drawing.title, drawing.description, body)


@dataclass(frozen=True, slots=True)
class SmallPicture:
    """The scale and place of a drawing in a small picture; converts its coordinates."""

    scale: float
    left: float
    top: float

    def x(self, x: Number) -> float:
        return self.left + self.scale * float(x)

    def y(self, y: Number) -> float:
        return self.top + self.scale * float(y)

    def box(self, drawing: Drawing) -> ExactBox:
        """Returns the box of the drawing in coordinates of the small picture."""
        return self.left, self.top, self.x(drawing.width), self.y(drawing.height)

    def lines(self, shapes: Iterable[Shape], pens: Look) -> Group:
        """Draws shapes as a group, scaled and moved to their place in the small picture.

        The widths of lines are not scaled.
        """
        left, top, scale = rounded(self.left), rounded(self.top), rounded(self.scale, 9)
        drawn = draw_shapes(shapes, pens, scale=self.scale)
        return Group(drawn, placing=Placing(left, top, scale=scale))

    def drawn(self, drawing: Drawing, pens: Look, look: Look) -> Drawn:
        """Draws the shapes of a drawing, its captions, and the lengths beside and below it.

        `pens` is the look of the shapes, `look` that of the words.
        """
        box = self.box(drawing)
        words = [shape for caption in drawing.captions for shape in draw_caption(self, caption)]
        for measure in drawing.measures:
            words += draw_measure(self, measure, box)
        shown = (shape for shape in drawing.shapes if shown_small(shape))
        return self.lines(shown, pens), *draw_shapes(words, look)


def shown_small(shape: Shape) -> bool:
    """Whether small pictures show a shape.

    Engraved shapes would be too small and are left out, except contours without arcs.
    """
    if isinstance(shape, Contour) and not any(corner.turn for corner in shape.corners):
        return True
    return shape.layer != "engrave"


def draw_caption(picture: SmallPicture, caption: Caption) -> Iterator[Shape]:
    """Draws the words of a caption as large as its room allows, up to usual sizes.

    Small words that do not fit are left out.
    """
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
    """Draws a caption without large words: its name, in several lines if needed.

    `x` and `y` are its place, `room` and `high` its width and height on the page, in mm. Yields
    nothing if the name does not fit.
    """
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
    """Draws a measure and its text, below a small picture or at its right.

    If `opposite`, it is dashed and stands above the picture or at its left. `box` is the box of the
    picture; text below or above does not extend beyond its sides.
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
