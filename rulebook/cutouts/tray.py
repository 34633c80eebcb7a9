"""A movement tray -> its drawings, one for each copy: its outline and the places of its stands."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.cutouts.stand_base import ZERO, outline
from rulebook.drawing.shapes import Contour, Corner, Drawing, Label, Measure, Polyline, Shape
from rulebook.lettering import CAP_HEIGHT, largest_size, shortened
from rulebook.model.cutouts.tray import Tray
from rulebook.quantities import MILLIMETRES, Length

#: Corners are rounded by the lip, and so far at the most, mm.
ROUNDEST = Fraction(3)
TITLE_SIZE, SMALLEST = 2.8, 1.8


def draw_tray(tray: Tray, *, imprint: str = "", use: str = "") -> tuple[Drawing, ...]:
    """As many like drawings as copies, the front at the top; title and imprint on the lip."""
    del use
    shapes: list[Shape] = [_outline(tray.width, tray.depth, min(ROUNDEST, tray.lip.mm))]
    for left, top in _places(tray):
        shapes.append(outline(tray.stand, "cut" if tray.holes else "engrave", left, top))
    shapes += _words(tray, imprint)
    shapes += _front(tray)
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


def _words(tray: Tray, imprint: str) -> Iterator[Shape]:
    """On the lip at the rear, where it is broad enough."""
    words = f"{tray.title} · {imprint}" if imprint else tray.title
    room = float(tray.width - 2 * tray.lip.mm)
    size = min(TITLE_SIZE, 0.7 * float(tray.lip.mm))
    size = max(SMALLEST, largest_size([words], room, most=size)) if size >= SMALLEST else 0.0
    if size:
        y = float(tray.depth - tray.lip.mm / 2) + CAP_HEIGHT * size / 2
        yield Label(shortened(words, size, room), tray.width / 2, y, size)


def _front(tray: Tray) -> Iterator[Shape]:
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
