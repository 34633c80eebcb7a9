"""A wedge of a circle -> its drawing: an arc of fire, or the part of a disc that is too wide.

Its point lies at the bottom and its middle line runs straight up, so that whoever stands behind
the point reads its words. The flat side of half a circle lies to the front of a base.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.cutouts import ring_words
from rulebook.cutouts.ring_words import SIDE_ROOM, Block, Room, Zone, zones
from rulebook.drawing.shapes import (
    Arc,
    Caption,
    Circle,
    Contour,
    Corner,
    Drawing,
    Label,
    Line,
    Measure,
    Number,
    Polyline,
    Shape,
    point_on_circle,
)
from rulebook.model.cutouts import round as model
from rulebook.model.cutouts.round import Reach, Ring
from rulebook.quantities import FULL_TURN
from rulebook.text_fitting import CAP_HEIGHT, largest_size, shortened, text_width

#: Type along the sides, mm, and the arrow at the end of the middle line.
TITLE_SIZE, EDGE_SIZE, SMALLEST = 3.6, 2.8, 1.8
ARROW = 4.0
#: The mark at the point: half its width, mm.
POINT = 2.0
#: Words along the sides of a narrower wedge would meet.
NARROWEST = 12


@dataclass(frozen=True, slots=True)
class Face:
    """What is written on a wedge: large and small in the zone without a name, along its sides."""

    title: str
    large: str
    small: str
    beside: str
    description: str
    imprint: str = ""
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Wedge:
    """Its angle in degrees and where its point is: (x, y) of the drawing, whose size follows."""

    reach: Reach
    angle: Fraction

    @property
    def radius(self) -> Fraction:
        return self.reach.reach

    @property
    def half(self) -> Fraction:
        return self.angle / 2

    @property
    def width(self) -> Number:
        return 2 * self.radius if self.half >= 90 else 2 * self.radius * _sine(self.half)

    @property
    def height(self) -> Number:
        """From its highest point down to its point, or to where its sides end below that."""
        if self.half <= 90:
            return self.radius
        return self.radius * (1 - _sine(90 - self.half))

    @property
    def point(self) -> tuple[Number, Number]:
        return self.width / 2, self.radius

    def at(self, radius: Number, angle: Number) -> tuple[Number, Number]:
        """A point of the wedge; exact where an angle is a right one."""
        x, y = self.point
        return x + radius * _sine(angle), y - radius * _sine(90 - angle)


def _sine(degrees: Number) -> Number:
    """Exact where it is 0, a half or 1."""
    exact: dict[Number, Fraction] = {0: Fraction(0), 30: Fraction(1, 2), 90: Fraction(1)}
    size = max(degrees, -degrees)
    size = size if size <= 90 else 180 - size
    found = exact.get(size)
    value: Number = math.sin(math.radians(size)) if found is None else found
    return value if degrees >= 0 else -value


def draw_arc(arc: model.Arc, *, imprint: str = "", use: str = "") -> Drawing:
    """The arc of fire at true scale; `use` stands on its sheet."""
    del use
    angle = str(arc.angle)
    face = Face(
        arc.title,
        angle,
        arc.told,
        f"{angle}, {arc.told}",
        f"An arc of {angle}, {arc.told}",
        imprint,
        arc.origin,
    )
    return draw_wedge(arc, arc.angle.degrees, arc.rings, face)


def draw_wedge(reach: Reach, angle: Fraction, rings: Sequence[Ring], face: Face) -> Drawing:
    """A wedge of so many degrees with its rings, and what is written on it."""
    wedge = Wedge(reach, angle)
    found = zones(reach, rings)
    shapes: list[Shape] = [
        ring_words.tint(zone, wedge.point, wedge.half, ring_words.shade(number, len(found)))
        for number, zone in reversed(list(enumerate(found)))
    ]
    shapes.append(_outline(wedge))
    shapes += (_ring(wedge, zone) for zone in found if zone.outer < wedge.radius)
    blocks = _zone_blocks(wedge, found, face)
    for block in blocks:
        shapes += block.labels
    shapes += _middle_line(wedge, blocks)
    shapes += _point(wedge, face.origin)
    shapes += _side_words(wedge, face)
    listed = [f"{ring.name}, {ring.told}" + _scored(ring) for ring in rings]
    return Drawing(
        title=face.title,
        description="; ".join([face.description, *listed]),
        width=wedge.width,
        height=wedge.height,
        shapes=tuple(shapes),
        captions=tuple(_captions(wedge, found, face)),
        measures=(Measure("y", Fraction(0), wedge.radius, reach.told, wedge.width),),
    )


def _scored(ring: Ring) -> str:
    return "" if ring.target is None else f", {ring.target}"


def _outline(wedge: Wedge) -> Shape:
    """One closed line; half a circle has no corner at its point."""
    if wedge.angle == FULL_TURN:
        return Circle("cut", *wedge.point, wedge.radius)
    left, right = (
        wedge.at(wedge.radius, -wedge.half),
        wedge.at(wedge.radius, wedge.half),
    )
    bent = (Corner(*left, wedge.angle), Corner(*right))
    if wedge.angle == 180:
        return Contour("cut", bent)
    return Contour("cut", (*bent, Corner(*wedge.point)))


def _ring(wedge: Wedge, zone: Zone) -> Shape:
    if wedge.angle == FULL_TURN:
        return Circle("score", *wedge.point, zone.outer)
    return Arc("score", *wedge.point, zone.outer, -wedge.half, wedge.half)


def _zone_blocks(wedge: Wedge, found: Sequence[Zone], face: Face) -> list[Block]:
    """The words of each zone; the one that has no name tells what the whole is."""
    half = float(wedge.half)
    side = SIDE_ROOM if NARROWEST <= wedge.angle < 180 else 0.6
    blocks: list[Block | None] = []
    for zone in found:
        large = ring_words.Line(face.large, 3.0, "bold", "accent")
        lines = [large, ring_words.Line(face.small, 1.0)]
        if zone.ring is not None:
            lines = ring_words.lines_of(zone.ring)
        room = Room(float(zone.inner), float(zone.outer), half, side)
        blocks.append(ring_words.block(lines, room, wedge.point))
    return [block for block in blocks if block is not None]


def _middle_line(wedge: Wedge, blocks: Sequence[Block]) -> Iterator[Shape]:
    """From the point to an arrow at the rim, with gaps where words stand."""
    x, y = float(wedge.point[0]), float(wedge.point[1])
    end = float(wedge.radius)
    head = min(ARROW, end / 6)
    start = 0.0
    for low, high in [*((block.low - 1, block.high + 1) for block in blocks), (end - head, end)]:
        if low > start:
            yield Line("engrave", x, y - start, x, y - low, dashed=True)
        start = max(start, high)
    top = y - end
    yield Polyline(
        "engrave",
        ((x, top), (x + head / 4, top + head), (x - head / 4, top + head)),
        filled=True,
    )


def _point(wedge: Wedge, origin: str | None) -> Iterator[Shape]:
    """A tick where the point is in the middle of a flat side, and what lies there."""
    x, y = wedge.point
    size = min(Fraction(2), wedge.radius / 10)
    if wedge.angle >= 150:
        yield Line("engrave", x, y, x, y - 2 * size)
    if wedge.angle > 180:
        yield Circle("cut", x, y, min(Fraction(3, 4), wedge.radius / 20))
    if origin is None:
        return
    # on the middle line, as far from the point as the wedge is wide enough for the word
    small = min(EDGE_SIZE, float(wedge.radius) / 8)
    words = shortened(origin, small, 0.3 * float(wedge.radius))
    half = text_width(words, small) / 2 + 1.2
    up = 3.4 if wedge.half >= 90 else half / math.tan(math.radians(float(wedge.half)))
    if small >= SMALLEST and words and up + small < 0.4 * float(wedge.radius):
        yield Label(words, x, float(y) - up, small)


def _side_words(wedge: Wedge, face: Face) -> Iterator[Shape]:
    """Along the left side the title, along the right one angle and radius, then the imprint."""
    if wedge.angle == FULL_TURN or wedge.angle < NARROWEST:
        return
    # near the point the two sides are too near each other for words
    free = 7.0 if wedge.half >= 90 else 6.0 / math.tan(math.radians(float(wedge.half)))
    room = 0.94 * float(wedge.radius) - free
    if room < 12:
        return
    turn = 90 - wedge.half
    middle = free + room / 2
    for words, most, side, angle in (
        (face.title, TITLE_SIZE, -1, turn),
        (f"{face.beside} · {face.imprint}" if face.imprint else face.beside, EDGE_SIZE, 1, -turn),
    ):
        size = max(SMALLEST, largest_size([words], room, most=most))
        x, y = _beside(wedge, middle, side)
        weight = "bold" if side < 0 else "regular"
        text = shortened(words, size, room)
        yield Label(text, x, y, size, rotation=angle, weight=weight)  # type: ignore[arg-type]


def _beside(wedge: Wedge, along: float, side: int) -> tuple[float, float]:
    """A point so far from the point of the wedge, a little inside its left (-1) or right side."""
    half = float(wedge.half)
    x, y = point_on_circle(*wedge.point, along, side * half)
    inwards = point_on_circle(0, 0, 0.9, side * (half - 90))
    return float(x) + float(inwards[0]), float(y) + float(inwards[1])


def _captions(wedge: Wedge, found: Sequence[Zone], face: Face) -> Iterator[Caption]:
    yield from ring_words.captions(found, wedge.point, float(wedge.half))
    last = found[-1]
    if last.ring is not None:
        return
    x, y = wedge.point
    up = float(last.inner) + (0.5 if last.inner else 0.62) * last.depth
    room = 2 * up * math.tan(math.radians(min(45.0, float(wedge.half))))
    middle = float(y) - up + CAP_HEIGHT
    yield Caption(face.large, "", x, middle, room)
