"""The base of a stand -> its drawings, one for each copy: an outline and what is written on it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.drawing.shapes import Caption, Circle, Drawing, Label, Layer, Measure, Polyline, Shape
from rulebook.lettering import CAP_HEIGHT, filled
from rulebook.model.cutouts.footprint import Footprint
from rulebook.model.cutouts.stand_base import StandBase

#: Type sizes, mm, and the arrow at the front as a part of the depth.
ZERO = Fraction(0)
LARGEST, SMALLEST = 5.0, 1.8
ARROW = Fraction(1, 6)


def draw_base(base: StandBase, *, imprint: str = "", use: str = "") -> tuple[Drawing, ...]:
    """As many like drawings as copies; figures stand on it, so it has no imprint."""
    del imprint, use
    shapes: list[Shape] = [outline(base, "cut")]
    top = ZERO
    if base.front:
        top = base.down * ARROW
        shapes.append(_front(base, top))
    shapes += _words(base, top)
    figures = f", {base.figures} figures" if base.figures else ""
    name = f", {base.name}" if base.name else ""
    drawing = Drawing(
        title=base.title,
        description=f"A base {base.told}{name}{figures}",
        width=base.across,
        height=base.down,
        shapes=tuple(shapes),
        captions=tuple(_captions(base, top)),
        measures=tuple(measures(base)),
    )
    return (drawing,) * base.copies


def outline(
    size: Footprint, layer: Layer, left: Fraction = ZERO, top: Fraction = ZERO
) -> Circle | Polyline:
    """A circle or a rectangle, the corner of its box at the left and the top."""
    if size.round:
        radius = size.across / 2
        return Circle(layer, left + radius, top + radius, radius)
    right, bottom = left + size.across, top + size.down
    return Polyline(layer, ((left, top), (right, top), (right, bottom), (left, bottom)))


def measures(size: Footprint) -> Iterator[Measure]:
    """Its width and depth for the small picture, or its diameter."""
    yield Measure("x", ZERO, size.across, str(size.diameter or size.width), size.down)
    if not size.round:
        yield Measure("y", ZERO, size.down, str(size.depth), size.across)


def _captions(base: StandBase, top: Fraction) -> Iterator[Caption]:
    if base.name:
        yield Caption("", base.name, base.across / 2, (base.down + top) / 2, base.across * 9 / 10)


def _front(base: StandBase, depth: Fraction) -> Shape:
    middle = base.across / 2
    half = min(depth, base.across / 4)
    points = ((middle, depth / 4), (middle + half, depth), (middle - half, depth))
    return Polyline("engrave", points, filled=True)


def _words(base: StandBase, top: Fraction) -> Iterator[Shape]:
    """The name of the unit and how many figures stand there, below the arrow."""
    told = f"{base.figures} figure{'' if base.figures == 1 else 's'}" if base.figures else ""
    parts = [part for part in (base.name, told) if part]
    width, height = 0.9 * float(base.across), 0.94 * float(base.down - top)
    if base.round:
        width, height = 0.74 * float(base.across), 0.6 * float(base.down - top)
    if not parts:
        return
    share = height / len(parts)
    middle = float(base.across) / 2
    first = float(top) + (float(base.down - top) - height) / 2
    for number, part in enumerate(parts):
        lines, size = filled(part, width, 0.86 * share, most=LARGEST)
        if size < SMALLEST:
            continue
        block = 1.08 * size * (len(lines) - 1) + CAP_HEIGHT * size
        y = first + share * (number + 0.5) - block / 2 + CAP_HEIGHT * size
        for line in lines:
            weight = "bold" if number == 0 else "regular"
            yield Label(line, middle, y, size, weight=weight)  # type: ignore[arg-type]
            y += 1.08 * size
