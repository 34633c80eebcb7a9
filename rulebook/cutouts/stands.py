"""Bases of stands and movement trays -> their drawings, one for each copy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.drawing.shapes import (
    Caption,
    Circle,
    Contour,
    Corner,
    Drawing,
    Label,
    Layer,
    Measure,
    Polyline,
    Shape,
)
from rulebook.model.cutouts.stands import Footprint, StandBase, Tray
from rulebook.quantities import MILLIMETRES, Length
from rulebook.text_fitting import CAP_HEIGHT, filled, largest_size, shortened

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


#: Corners are rounded by the lip, and so far at the most, mm.
ROUNDEST = Fraction(3)
TITLE_SIZE = 2.8


def draw_tray(tray: Tray, *, imprint: str = "", use: str = "") -> tuple[Drawing, ...]:
    """As many like drawings as copies, the front at the top; title and imprint on the lip."""
    del use
    shapes: list[Shape] = [_outline(tray.width, tray.depth, min(ROUNDEST, tray.lip.mm))]
    for left, top in _places(tray):
        shapes.append(outline(tray.stand, "cut" if tray.holes else "engrave", left, top))
    shapes += _tray_words(tray, imprint)
    shapes += _tray_front(tray)
    places = "holes" if tray.holes else "places"
    size = f"{_told(tray, tray.width)} by {_told(tray, tray.depth)}"
    drawing = Drawing(
        title=tray.title,
        description=f"A tray of {size}: {tray.files} by {tray.ranks} {places} {tray.stand.told}",
        width=tray.width,
        height=tray.depth,
        shapes=tuple(shapes),
        measures=tuple(_measures(tray)),
    )
    return (drawing,) * tray.copies


def _outline(right: Fraction, bottom: Fraction, corner: Fraction) -> Shape:
    """One closed line, its corners rounded by the lip."""
    if not corner:
        return Contour(
            "cut",
            (Corner(ZERO, ZERO), Corner(right, ZERO), Corner(right, bottom), Corner(ZERO, bottom)),
        )
    return Contour(
        "cut",
        (
            Corner(corner, ZERO),
            Corner(right - corner, ZERO, 90),
            Corner(right, corner),
            Corner(right, bottom - corner, 90),
            Corner(right - corner, bottom),
            Corner(corner, bottom, 90),
            Corner(ZERO, bottom - corner),
            Corner(ZERO, corner, 90),
        ),
    )


def _places(tray: Tray) -> Iterator[tuple[Fraction, Fraction]]:
    """The top left corner of each place, file by file, rank by rank."""
    for rank in range(tray.ranks):
        for file in range(tray.files):
            yield (
                tray.lip.mm + file * (tray.stand.across + tray.gap.mm),
                tray.lip.mm + rank * (tray.stand.down + tray.gap.mm),
            )


def _tray_words(tray: Tray, imprint: str) -> Iterator[Shape]:
    """On the lip at the rear, where it is broad enough."""
    words = f"{tray.title} · {imprint}" if imprint else tray.title
    room = float(tray.width - 2 * tray.lip.mm)
    size = min(TITLE_SIZE, 0.7 * float(tray.lip.mm))
    size = max(SMALLEST, largest_size([words], room, most=size)) if size >= SMALLEST else 0.0
    if size:
        y = float(tray.depth - tray.lip.mm / 2) + CAP_HEIGHT * size / 2
        yield Label(shortened(words, size, room), tray.width / 2, y, size)


def _tray_front(tray: Tray) -> Iterator[Shape]:
    """An arrow on the lip at the front, where it is broad enough to be seen."""
    lip, middle = tray.lip.mm, tray.width / 2
    if lip >= 2:
        high = lip / 2
        points = (
            (middle, lip / 4),
            (middle + high / 2, lip / 4 + high),
            (middle - high / 2, lip / 4 + high),
        )
        yield Polyline("engrave", points, filled=True)


def _measures(tray: Tray) -> Iterator[Measure]:
    yield Measure("x", ZERO, tray.width, _told(tray, tray.width), tray.depth)
    yield Measure("y", ZERO, tray.depth, _told(tray, tray.depth), tray.width)


def _told(tray: Tray, mm: Fraction) -> str:
    """In the length unit of the stand, where all of the tray is given in it."""
    side = tray.stand.diameter or tray.stand.width
    given = {one.unit for one in (side, tray.gap, tray.lip) if one is not None and one.number}
    unit = given.pop() if len(given) == 1 else "mm"
    return str(Length(mm / MILLIMETRES[unit], unit))
