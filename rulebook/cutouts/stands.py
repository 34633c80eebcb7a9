"""Bases of stands, movement trays and markers -> their drawings, one for each copy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook import text_fitting
from rulebook.drawing.elements import Contour, Corner, Fill, Layer
from rulebook.drawing.shapes import (
    Caption,
    Drawing,
    Label,
    Measure,
    Shape,
    Unset,
    Weight,
    arrow_up,
    centred_lines,
    circle,
    rectangle,
)
from rulebook.model.cutouts import Footprint, StandBase, Tray
from rulebook.quantities import MILLIMETRES, Length
from rulebook.translation import gettext, gettext_noop, ngettext

#: Type sizes, mm, and the arrow at the front as a part of the depth.
ZERO = Fraction(0)
LARGEST, SMALLEST = 5.0, text_fitting.SIX_POINTS
ARROW = Fraction(1, 6)


def draw_base(base: StandBase, _: str) -> tuple[Drawing, ...]:
    """Draws a base; returns its drawing once for each copy.

    The second argument, an imprint, is ignored, because figures cover the base.
    """
    shapes: list[Shape] = [outline(base, "cut")]
    top = ZERO
    if base.front:
        top = base.down * ARROW
        shapes.append(_front(base, top))
    shapes += _words(base, top)
    figure_count = _figures(base)
    figures = f", {figure_count}" if figure_count else ""
    name = f", {base.name}" if base.name else ""
    unset: tuple[Unset, ...] = ()
    if base.name and not any(
        isinstance(shape, Label) and shape.weight == "bold" for shape in shapes
    ):
        unset = (Unset(base.name, ("name",)),)
    drawing = Drawing(
        title=base.title,
        description=gettext("A base %(size)s", size=base.in_words) + name + figures,
        width=base.across,
        height=base.down,
        shapes=tuple(shapes),
        captions=tuple(_captions(base, top)),
        measures=tuple(measures(base)),
        unset=unset,
    )
    return (drawing,) * base.copies


def outline(
    size: Footprint,
    layer: Layer,
    left: Fraction = ZERO,
    top: Fraction = ZERO,
    fill: Fill | None = None,
) -> Contour:
    """Returns the outline of a footprint, a circle or a rectangle.

    `left` and `top` are the corner of the box around it, in mm.
    """
    if size.round:
        radius = size.across / 2
        return circle(layer, left + radius, top + radius, radius, fill)
    return rectangle(layer, left, top, left + size.across, top + size.down, fill=fill)


def measures(size: Footprint) -> Iterator[Measure]:
    """Yields the measures for a small picture: width and depth, or the diameter."""
    yield Measure("x", ZERO, size.across, str(size.diameter or size.width), size.down)
    if not size.round:
        yield Measure("y", ZERO, size.down, str(size.depth), size.across)


def _captions(base: StandBase, top: Fraction) -> Iterator[Caption]:
    if base.name:
        yield Caption("", base.name, base.across / 2, (base.down + top) / 2, base.across * 9 / 10)


def _figures(base: StandBase) -> str:
    """Returns how many figures stand on a base, in words; empty if that is not given."""
    if not base.figures:
        return ""
    return ngettext("%(number)s figure", "%(number)s figures", base.figures)


def _front(base: StandBase, depth: Fraction) -> Shape:
    """Returns an arrow that marks the front edge, at the top of the base, within `depth` mm."""
    wide = 2 * min(depth, base.across / 4)
    return arrow_up(base.across / 2, depth / 4, wide, depth * 3 / 4)


def _words(base: StandBase, top: Fraction) -> Iterator[Shape]:
    """Yields labels for the name of the unit and the number of figures on a base.

    They stand below the y `top`. What would be too small to read is left out.
    """
    figure_count = _figures(base)
    parts = [part for part in (base.name, figure_count) if part]
    wide, high = (0.74, 0.6) if base.round else (0.9, 0.94)
    width, height = wide * float(base.across), high * float(base.down - top)
    share = height / (len(parts) or 1)
    middle = float(base.across) / 2
    first = float(top) + (float(base.down - top) - height) / 2
    for number, part in enumerate(parts):
        lines, size = text_fitting.filled(part, width, 0.86 * share, most=LARGEST)
        if size < SMALLEST:
            continue
        weight: Weight = "bold" if number == 0 else "regular"
        yield from centred_lines(lines, middle, first + share * (number + 0.5), size, weight)


#: Corners are rounded by the lip, and so far at the most, mm.
ROUNDEST = Fraction(3)
TITLE_SIZE = 2.8


TRAY = gettext_noop("A tray of %(width)s by %(depth)s: %(files)s by %(ranks)s places %(size)s")
TRAY_WITH_HOLES = gettext_noop(
    "A tray of %(width)s by %(depth)s: %(files)s by %(ranks)s holes %(size)s"
)


def draw_tray(tray: Tray, imprint: str) -> tuple[Drawing, ...]:
    """Draws a tray with its front at the top; returns its drawing once for each copy.

    The `imprint` is set on its lip.
    """
    shapes: list[Shape] = [_outline(tray.width, tray.depth, min(ROUNDEST, tray.lip.mm))]
    for left, top in _places(tray):
        shapes.append(outline(tray.stand, "cut" if tray.holes else "engrave", left, top))
    shapes += _tray_words(tray, imprint)
    shapes += _tray_front(tray)
    message = TRAY_WITH_HOLES if tray.holes else TRAY
    drawing = Drawing(
        title=tray.title,
        description=gettext(
            message,
            width=_in_words(tray, tray.width),
            depth=_in_words(tray, tray.depth),
            files=tray.files,
            ranks=tray.ranks,
            size=tray.stand.in_words,
        ),
        width=tray.width,
        height=tray.depth,
        shapes=tuple(shapes),
        measures=tuple(_measures(tray)),
    )
    return (drawing,) * tray.copies


def _outline(right: Fraction, bottom: Fraction, corner: Fraction) -> Shape:
    """Returns the cut line of a tray, whose corners are rounded with radius `corner`."""
    if not corner:
        return rectangle("cut", ZERO, ZERO, right, bottom)
    x, y = right - corner, bottom - corner
    upper = Corner(corner, ZERO), Corner(x, ZERO, 90), Corner(right, corner), Corner(right, y, 90)
    lower = Corner(x, bottom), Corner(corner, bottom, 90), Corner(ZERO, y), Corner(ZERO, corner, 90)
    return Contour("cut", (*upper, *lower))


def _places(tray: Tray) -> Iterator[tuple[Fraction, Fraction]]:
    """Yields the top left corner of each stand's place on a tray, rank by rank."""
    for rank in range(tray.ranks):
        for file in range(tray.files):
            yield (
                tray.lip.mm + file * (tray.stand.across + tray.gap.mm),
                tray.lip.mm + rank * (tray.stand.down + tray.gap.mm),
            )


def _tray_words(tray: Tray, imprint: str) -> Iterator[Shape]:
    """Yields a label with title and imprint for the lip at the rear of a tray.

    If they do not fit, it has the title alone; if the lip is too narrow, there is none.
    """
    words = [f"{tray.title} · {imprint}" if imprint else tray.title, tray.title]
    room = float(tray.width - 2 * tray.lip.mm)
    size = min(TITLE_SIZE, 0.7 * float(tray.lip.mm))
    if size >= SMALLEST:
        kept, size = text_fitting.first_that_fits(words, room, most=size)
        y = float(tray.depth - tray.lip.mm / 2) + text_fitting.CAP_HEIGHT * size / 2
        if kept:
            yield Label(kept, tray.width / 2, y, size)


def _tray_front(tray: Tray) -> Iterator[Shape]:
    """Draws an arrow on the lip at the front, if it is wide enough to be seen."""
    lip = tray.lip.mm
    if lip >= 2:
        yield arrow_up(tray.width / 2, lip / 4, lip / 2, lip / 2)


def _measures(tray: Tray) -> Iterator[Measure]:
    yield Measure("x", ZERO, tray.width, _in_words(tray, tray.width), tray.depth)
    yield Measure("y", ZERO, tray.depth, _in_words(tray, tray.depth), tray.width)


def _in_words(tray: Tray, mm: Fraction) -> str:
    """Formats a length in the unit of the stand, rounded to an eighth of an inch or a millimetre.

    It is rounded since a tray for stands in inches may have a lip in millimetres.
    """
    side = tray.stand.diameter or tray.stand.width
    unit = "mm" if side is None else side.unit
    if unit == "in":
        return str(Length(Fraction(round(mm / MILLIMETRES["in"] * 8), 8), "in"))
    return str(Length(Fraction(round(mm)) / MILLIMETRES[unit], unit))
