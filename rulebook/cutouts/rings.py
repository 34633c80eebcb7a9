"""Discs, arcs of fire and wedges -> their drawings: rings about a point, and the words in each.

Words stand level, above the centre on the middle line, so that a player behind the centre reads
them: a target large, the name of its ring small. A disc that is too wide to be laid among troops is
drawn as a wedge of it. The point of a wedge lies at the bottom and its middle line runs straight
up; the flat side of half a circle lies to the front of a base.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rulebook.drawing.elements import Contour, Corner, ExactPoint, Line, Number
from rulebook.drawing.shapes import (
    Caption,
    Drawing,
    Label,
    Measure,
    Shape,
    Unset,
    Weight,
    arc,
    arrow_up,
    circle,
    point_on_circle,
    sector,
    unset_names,
)
from rulebook.model.cutouts import Arc as ArcOfFire
from rulebook.model.cutouts import Disc, Reach, Ring
from rulebook.quantities import FULL_TURN, format_number
from rulebook.text_fitting import (
    CAP_HEIGHT,
    DESCENT,
    SIX_POINTS,
    first_that_fits,
    room_for,
    text_width,
)
from rulebook.translation import gettext

#: Type sizes, mm: names at the most (in large zones more, a part of their depth), at the least;
#: targets and small words beside names.
LARGEST_NAME, OF_DEPTH, SMALLEST = (6.0, 10.0), 0.09, SIX_POINTS
TARGET = 4.0
SMALL = 0.8
#: Of the depth of a zone, what its words take up at the most; and from line to line.
FILLED, LEADING = 0.72, 1.28
#: At a distance from the sides of a wedge, for the words that run along them, mm.
SIDE_ROOM = 4.4
SHADES = 3


@dataclass(frozen=True, slots=True)
class RingZone:
    """The zone within a ring and outside the one before it; beyond the last ring `ring` is None."""

    inner: Fraction
    outer: Fraction
    ring: Ring | None

    @property
    def depth(self) -> float:
        return float(self.outer - self.inner)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text; its size is `part` times that of its block."""

    text: str
    part: float
    weight: Weight = "regular"
    tone: Literal["ink", "accent"] = "ink"


@dataclass(frozen=True, slots=True)
class WedgeRoom:
    """The space for text between two distances from the centre and between the sides of a wedge.

    `half` is half the angle of the wedge in degrees, 180 for a disc; `side` is kept free along its
    sides, in mm.
    """

    inner: float
    outer: float
    half: float
    side: float = 0.0

    def width(self, low: float, high: float) -> float:
        """Returns the greatest width of a block of text in this space, in mm.

        The block reaches from `low` to `high` mm above the centre.
        """
        half = math.sqrt(max(0.0, (0.97 * self.outer) ** 2 - high * high))
        if self.half < 90:
            slope = math.radians(self.half)
            half = min(half, low * math.tan(slope) - self.side / math.cos(slope))
        return 2 * max(0.0, half)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines set above a centre: the distances of their lower and upper edge from it, and labels."""

    low: float
    high: float
    labels: tuple[Label, ...]


def zones(reach: Reach, rings: Sequence[Ring]) -> list[RingZone]:
    """Returns the zones of a shape from the centre outwards, one for each ring.

    If the shape reaches beyond the last ring, a last zone without a ring is added.
    """
    found: list[RingZone] = []
    start = Fraction(0)
    for ring in rings:
        found.append(RingZone(start, ring.reach, ring))
        start = ring.reach
    if start < reach.reach:
        found.append(RingZone(start, reach.reach, None))
    return found


def tints(found: Sequence[RingZone], at: ExactPoint, half: Fraction) -> Iterator[Shape]:
    """Draws the shaded areas of zones, from the outside in; the innermost is the darkest.

    A single zone is light. `at` is the centre and `half` half the angle of the wedge in degrees,
    180 for a whole disc.
    """
    for number, zone in reversed(list(enumerate(found))):
        shade = max(1, min(SHADES, len(found)) - number)
        if half == 180:
            yield circle("tint", *at, zone.outer, shade)
        else:
            yield sector(at, (zone.inner, zone.outer), (-half, half), shade)


def described(whole: str, rings: Sequence[Ring]) -> str:
    """Describes a shape and its rings in words, for those who cannot see the drawing.

    `whole` describes the shape without its rings.
    """
    listed = (
        f"{ring.name}, {ring.in_words}" + ("" if ring.target is None else f", {ring.target}")
        for ring in rings
    )
    return "; ".join([whole, *listed])


def lines_of(ring: Ring) -> list[TextLine]:
    """Returns the lines of text for a ring: its target if it has one, its name and its reach.

    The reach is left out if the name contains it.
    """
    reach = f"{ring.radius}" if ring.radius is not None else ring.in_words
    lines = [TextLine(ring.name, 1.0, "bold")]
    if ring.target is not None:
        lines.insert(0, TextLine(str(ring.target), TARGET, "bold", "accent"))
    if reach not in ring.name:
        lines.append(TextLine(reach, SMALL))
    return lines


def block(
    lines: Sequence[TextLine], room: WedgeRoom, at: ExactPoint, *, below: bool = False
) -> TextBlock | None:
    """Sets lines of text in the middle of a room, as large as they fit; returns the block.

    They stand above the centre `at`, or `below` it. If they do not fit, leaves out lines from the
    last on; returns None if not even the first fits.
    """
    kept = list(lines)
    while kept:
        least, most = LARGEST_NAME
        size = min(most, max(least, OF_DEPTH * (room.outer - room.inner)))
        while size * min(line.part for line in kept) >= SMALLEST:
            if found := _set_at_size(kept, size, room, at, below):
                return found
            size *= 0.94
        kept = kept[:-1]
    return None


def _set_at_size(
    lines: Sequence[TextLine], size: float, room: WedgeRoom, at: ExactPoint, below: bool
) -> TextBlock | None:
    """Sets lines of text at one size of type, as `block` does; returns None if they do not fit."""
    heights = [CAP_HEIGHT * line.part * size for line in lines]
    gaps = (LEADING - CAP_HEIGHT) * SMALL * size * (len(lines) - 1)
    high = sum(heights) + gaps
    if high > FILLED * (room.outer - room.inner):
        return None
    # a little outwards, where there is more room, in the tip of a wedge or around the centre
    lean = 0.5 if room.inner or room.half >= 90 else 0.62
    middle = room.inner + lean * (room.outer - room.inner)
    low, top = middle - high / 2, middle + high / 2
    if max(room_for(line.text, line.part * size) for line in lines) > room.width(low, top):
        return None
    labels = []
    x, y = at
    baseline = float(y) + (low if below else -top)
    for line, height in zip(lines, heights, strict=True):
        baseline += height
        labels.append(
            Label(line.text, x, baseline, line.part * size, weight=line.weight, tone=line.tone)
        )
        baseline += (LEADING - CAP_HEIGHT) * SMALL * size
    return TextBlock(low, top, tuple(labels))


def ring_blocks(
    found: Sequence[RingZone],
    room: Callable[[RingZone], WedgeRoom],
    at: ExactPoint,
    others: Sequence[TextLine] = (),
) -> list[TextBlock]:
    """Sets the words of each ring in its zone, and `others` in a zone without a ring.

    `room` returns the space for text in a zone; `at` is the centre. Returns the blocks, without
    those that do not fit.
    """
    wanted = ((lines_of(zone.ring) if zone.ring else others, room(zone)) for zone in found)
    return list(filter(None, (block(lines, there, at) for lines, there in wanted)))


def captions(found: Sequence[RingZone], at: ExactPoint, half: float) -> Iterator[Caption]:
    """Yields the captions of a small picture: one for each zone that has a ring.

    `at` is the centre, `half` half the angle of the wedge in degrees.
    """
    x, y = at
    for zone in found:
        if zone.ring is None:
            continue
        middle = float(zone.inner) + (0.5 if zone.inner else 0.6) * zone.depth
        room = min(2.0, 2 * math.tan(math.radians(min(half, 45)))) * (middle or zone.depth)
        target = "" if zone.ring.target is None else str(zone.ring.target)
        yield Caption(target, zone.ring.name, x, float(y) - middle, room)


#: Type along the sides, mm, and the arrow at the end of the middle line.
TITLE_SIZE, EDGE_SIZE = 3.6, 2.8
ARROW = 4.0
#: Between words and a line that is broken for them, and from the cut line to words along it, mm.
WORD_GAP, SIDE_GAP = 1.0, 0.7
#: Words along a side cross a ring rather than be set smaller than this part of their size.
LEAST_BETWEEN = 0.85
#: Words along the sides of a narrower wedge would meet.
NARROWEST = 12


@dataclass(frozen=True, slots=True)
class WedgeWords:
    """The words on a wedge.

    `large` and `small` stand in the zone without a ring, `title` along the left side, `beside` and
    `imprint` along the right one, and `origin` at the point.
    """

    title: str
    large: str
    small: str
    beside: str
    description: str
    imprint: str = ""
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Wedge:
    """A wedge with an angle in degrees: its size, and points in the coordinates of its drawing."""

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
        """Height of the drawing: from the arc down to the point, or to the ends of the sides."""
        if self.half <= 90:
            return self.radius
        return self.radius * (1 - _sine(90 - self.half))

    @property
    def point(self) -> ExactPoint:
        return self.width / 2, self.radius

    def at(self, radius: Number, angle: Number) -> ExactPoint:
        """Returns the point at a radius and an angle, in degrees, from the middle line."""
        x, y = self.point
        return x + radius * _sine(angle), y - radius * _sine(90 - angle)


def _sine(degrees: Number) -> Number:
    """Returns the sine of an angle in degrees, exact for 0, 30, 90 and their counterparts."""
    exact: dict[Number, Fraction] = {0: Fraction(0), 30: Fraction(1, 2), 90: Fraction(1)}
    size = max(degrees, -degrees)
    size = size if size <= 90 else 180 - size
    found = exact.get(size)
    value: Number = math.sin(math.radians(size)) if found is None else found
    return value if degrees >= 0 else -value


def draw_arc(fire: ArcOfFire, imprint: str) -> Drawing:
    """Draws an arc of fire at true scale; `imprint` names ruleset and edition."""
    angle = str(fire.angle)
    face = WedgeWords(
        fire.title,
        angle,
        fire.in_words,
        f"{angle}, {fire.in_words}",
        gettext("An arc of %(angle)s, %(size)s", angle=angle, size=fire.in_words),
        imprint,
        fire.origin,
    )
    return draw_wedge(fire, fire.angle.degrees, fire.rings, face)


def draw_wedge(reach: Reach, angle: Fraction, rings: Sequence[Ring], face: WedgeWords) -> Drawing:
    """Draws a wedge of `angle` degrees at true scale, with its rings and the words `face` on it."""
    wedge = Wedge(reach, angle)
    found = zones(reach, rings)
    shapes = [*tints(found, wedge.point, wedge.half), _outline(wedge)]
    shapes += (_ring(wedge, zone) for zone in found if zone.outer < wedge.radius)
    blocks = _zone_blocks(wedge, found, face)
    at_point = _origin_block(wedge, face.origin)
    for block in (*at_point, *blocks):
        shapes += block.labels
    shapes += _middle_line(wedge, (*at_point, *blocks))
    shapes += _point(wedge)
    shapes += _side_words(wedge, found, face)
    return Drawing(
        title=face.title,
        description=described(face.description, rings),
        width=wedge.width,
        height=wedge.height,
        shapes=tuple(shapes),
        captions=tuple(_wedge_captions(wedge, found, face)),
        measures=tuple(_wedge_measures(wedge, reach, rings)),
        unset=_without_room(rings, blocks),
    )


def _wedge_measures(wedge: Wedge, reach: Reach, rings: Sequence[Ring]) -> Iterator[Measure]:
    """Yields the measures of a wedge along its middle: its reach, or those of its rings."""
    x, y = wedge.point
    if not any(ring.reach < wedge.radius for ring in rings):
        yield Measure("y", Fraction(0), wedge.radius, reach.in_words, wedge.width)
        return
    ends = [(ring.reach, str(ring.stated[1]), ring.name) for ring in rings]
    if rings[-1].reach < wedge.radius:
        ends.append((wedge.radius, str(reach.stated[1]), ""))
    for far, text, name in ends:
        yield Measure("y", y, y - far, text, x, label="end", name=name)


def _without_room(rings: Sequence[Ring], blocks: Sequence[TextBlock]) -> tuple[Unset, ...]:
    """Returns the names of rings that none of the blocks of text shows."""
    labels = (label for block in blocks for label in block.labels)
    return unset_names("rings", [ring.name for ring in rings], labels)


def _outline(wedge: Wedge) -> Shape:
    """Returns the cut line of a wedge as one closed contour.

    It is a circle for a full turn; half a circle has no corner at its point.
    """
    if wedge.angle == FULL_TURN:
        return circle("cut", *wedge.point, wedge.radius)
    left, right = (wedge.at(wedge.radius, -wedge.half), wedge.at(wedge.radius, wedge.half))
    bent = (Corner(*left, wedge.angle), Corner(*right))
    if wedge.angle == 180:
        return Contour("cut", bent)
    return Contour("cut", (*bent, Corner(*wedge.point)))


def _ring(wedge: Wedge, zone: RingZone) -> Shape:
    """Returns the score line at the outer edge of a zone."""
    if wedge.angle == FULL_TURN:
        return circle("score", *wedge.point, zone.outer)
    return arc("score", wedge.point, zone.outer, -wedge.half, wedge.half)


def _zone_blocks(wedge: Wedge, found: Sequence[RingZone], face: WedgeWords) -> list[TextBlock]:
    """Sets the words of each zone of a wedge; returns the blocks of text that fit.

    In a zone without a ring, these are the words `large` and `small` of `face`.
    """
    side = SIDE_ROOM if NARROWEST <= wedge.angle < 180 else 0.6
    others = [TextLine(face.large, 3.0, "bold", "accent"), TextLine(face.small, 1.0)]

    def room(zone: RingZone) -> WedgeRoom:
        return WedgeRoom(float(zone.inner), float(zone.outer), float(wedge.half), side)

    return ring_blocks(found, room, wedge.point, others)


def _middle_line(wedge: Wedge, blocks: Sequence[TextBlock]) -> Iterator[Shape]:
    """Draws a dashed line from the point to an arrow at the rim, with gaps for blocks of text."""
    x, y = float(wedge.point[0]), float(wedge.point[1])
    end = float(wedge.radius)
    head = min(ARROW, end / 6)
    for start, low in _between(blocks, end - head):
        yield Line("engrave", x, y - start, x, y - low, dashed=True)
    top = y - end
    yield arrow_up(x, top, head / 2, head)


def _between(blocks: Iterable[TextBlock], end: float) -> Iterator[tuple[float, float]]:
    """Yields the stretches of a line, from the centre to distance `end`, that blocks leave free."""
    start = 0.0
    broken = ((block.low - WORD_GAP, block.high + WORD_GAP) for block in blocks)
    for low, high in (*broken, (end, end)):
        if low > start:
            yield start, low
        start = max(start, high)


def _point(wedge: Wedge) -> Iterator[Shape]:
    """Draws the mark of a wedge's point: a tick from 150 degrees on, and a hole beyond 180."""
    x, y = wedge.point
    size = min(Fraction(2), wedge.radius / 10)
    if wedge.angle >= 150:
        yield Line("engrave", x, y, x, y - size)
    if wedge.angle > 180:
        yield circle("cut", x, y, min(Fraction(3, 4), wedge.radius / 20))


def _origin_block(wedge: Wedge, origin: str | None) -> list[TextBlock]:
    """Returns a block with the word for what lies at the point of a wedge, or an empty list.

    It is empty if there is no such word, or if the wedge is too narrow for it near the point.
    """
    if origin is None:
        return []
    x, y = wedge.point
    small = min(EDGE_SIZE, float(wedge.radius) / 8)
    words, small = first_that_fits([origin], 0.3 * float(wedge.radius), most=small)
    half = text_width(words, small) / 2 + 1.2
    up = 3.4 if wedge.half >= 90 else half / math.tan(math.radians(float(wedge.half)))
    if not words or up + small >= 0.4 * float(wedge.radius):
        return []
    label = Label(words, x, float(y) - up, small)
    return [TextBlock(up, up + CAP_HEIGHT * small, (label,))]


def _side_words(wedge: Wedge, found: Sequence[RingZone], face: WedgeWords) -> Iterator[Shape]:
    """Yields the title along the left side, and size and imprint along the right side of a wedge.

    They stand outside all rings or between two; they cross a ring only where there is no other
    room.
    """
    if wedge.angle == FULL_TURN or wedge.angle < NARROWEST:
        return
    # near the point the two sides are too near each other for words
    free = 7.0 if wedge.half >= 90 else 6.0 / math.tan(math.radians(float(wedge.half)))
    end = 0.94 * float(wedge.radius)
    if end - free < 12:
        return
    between = [(max(free, zone.inner + 2.0), min(end, zone.outer - 2.0)) for zone in found]
    turn = 90 - wedge.half
    for words, most, side, angle in (
        ([face.title], TITLE_SIZE, -1, turn),
        ([f"{face.beside} · {face.imprint}", face.beside], EDGE_SIZE, 1, -turn),
    ):
        fitting = words if face.imprint else words[-1:]
        for start, stop in reversed(between):
            least = LEAST_BETWEEN * most
            kept, size = first_that_fits(fitting[:1], stop - start, most=most, least=least)
            if kept:
                break
        else:
            start, stop = free, end
            kept, size = first_that_fits(fitting, stop - start, most=most)
        weight: Weight = "bold" if side < 0 else "regular"
        if kept:
            at = _beside(wedge, (start + stop) / 2, side, SIDE_GAP + DESCENT * size)
            yield Label(kept, *at, size, rotation=angle, weight=weight)


def _beside(wedge: Wedge, along: float, side: int, inside: float) -> tuple[float, float]:
    """Returns the point `along` mm up the left (-1) or right (1) side and `inside` mm from it."""
    half = float(wedge.half)
    x, y = point_on_circle(*wedge.point, along, side * half)
    inwards = point_on_circle(0, 0, inside, side * (half - 90))
    return float(x) + float(inwards[0]), float(y) + float(inwards[1])


def _wedge_captions(wedge: Wedge, found: Sequence[RingZone], face: WedgeWords) -> Iterator[Caption]:
    yield from captions(found, wedge.point, float(wedge.half))
    last = found[-1]
    if last.ring is not None:
        return
    x, y = wedge.point
    up = float(last.inner) + (0.5 if last.inner else 0.62) * last.depth
    room = 2 * up * math.tan(math.radians(min(45.0, float(wedge.half))))
    middle = float(y) - up + CAP_HEIGHT
    yield Caption(face.large, "", x, middle, room)


#: The hole at the centre, for a pin, and the arms of the small cross around it, mm.
HOLE, ARM = Fraction(3, 4), Fraction(4)
#: Lines of measures below the small picture.
MOST_MEASURES = 3


def draw_disc(disc: Disc, imprint: str) -> Drawing:
    """Draws a disc, or a wedge of it, at true scale; `imprint` names ruleset and edition."""
    if (sweep := disc.wedge) is not None:
        description = gettext(
            "A wedge of %(angle)s° of a disc, %(size)s",
            angle=format_number(sweep),
            size=disc.in_words,
        )
        large = str(disc.radius) if disc.radius is not None else disc.in_words
        face = WedgeWords(disc.title, large, disc.title, disc.in_words, description, imprint)
        return draw_wedge(disc, sweep, disc.rings, face)
    radius = disc.reach
    found = zones(disc, disc.rings)
    at = (radius, radius)
    shapes = [*tints(found, at, Fraction(180)), circle("cut", *at, radius)]
    shapes += (circle("score", *at, zone.outer) for zone in found if zone.outer < radius)
    shapes.append(circle("cut", *at, min(HOLE, radius / 20)))
    above = ring_blocks(found, _room, at)
    below = _title_block(disc, found, imprint)
    for block in (*above, *below):
        shapes += block.labels
    shapes += _cross(disc, above, below)
    return Drawing(
        title=disc.title,
        description=described(gettext("A disc, %(size)s", size=disc.in_words), disc.rings),
        width=2 * radius,
        height=2 * radius,
        shapes=tuple(shapes),
        captions=tuple(_disc_captions(disc, found)),
        measures=tuple(_measures(disc)),
        unset=_without_room(disc.rings, above),
    )


def _room(zone: RingZone) -> WedgeRoom:
    """Returns the space for text in a zone of a disc, clear of the mark at the centre."""
    inner = float(zone.inner) or min(2.0, float(zone.outer) / 6)
    return WedgeRoom(inner, float(zone.outer), 180.0)


def _title_block(disc: Disc, found: Sequence[RingZone], imprint: str) -> list[TextBlock]:
    """Sets title, size and imprint of a disc below its centre; returns a list of at most one block.

    The block is in the outermost zone that has room for two of them, or else for one: in an inner
    zone they would seem to belong to that zone.
    """
    at = (disc.reach, disc.reach)
    lines = [TextLine(disc.title, 1.0, "bold"), TextLine(disc.in_words, SMALL)]
    if imprint:
        lines.append(TextLine(imprint, 0.6))
    set_in = (block(lines, _room(zone), at, below=True) for zone in reversed(found))
    blocks = list(filter(None, set_in))
    return [block for block in blocks if len(block.labels) > 1][:1] or blocks[:1]


def _cross(disc: Disc, above: Sequence[TextBlock], below: Sequence[TextBlock]) -> Iterator[Shape]:
    """Draws lines through the centre of a disc, with gaps for blocks of text.

    They cross the whole disc if it has a cross, otherwise they form a small one. `above` and
    `below` are the blocks on either side of the centre.
    """
    centre = disc.reach
    arm = centre if disc.cross else min(ARM, centre / 6)
    yield Line("engrave", centre - arm, centre, centre + arm, centre)
    for blocks, way in ((above, -1), (below, 1)):
        crossed = (block for block in blocks if block.low - WORD_GAP < arm)
        for start, low in _between(crossed, float(arm)):
            y1, y2 = float(centre) + way * start, float(centre) + way * low
            yield Line("engrave", centre, y1, centre, y2)


def _disc_captions(disc: Disc, found: Sequence[RingZone]) -> Iterator[Caption]:
    yield from captions(found, (disc.reach, disc.reach), 180.0)
    if not disc.rings:
        yield Caption("", disc.title, disc.reach, disc.reach * Fraction(3, 5), disc.reach * 8 / 5)


def _measures(disc: Disc) -> Iterator[Measure]:
    """Yields measures of the innermost rings and of the disc: the radius or diameter, as given."""
    centre = disc.reach
    inside = [ring for ring in disc.rings if ring.reach < centre][: MOST_MEASURES - 1]
    for level, round_one in enumerate((*inside, disc)):
        name, given = round_one.stated
        start = centre if name == "radius" else centre - round_one.reach
        yield Measure("x", start, centre + round_one.reach, str(given), centre, level=level)
