"""Rings of discs and wedges -> zones, and the words in each: a target large, its name small.

Words stand level, above the centre on the middle line, so that a player behind the centre reads
them. In the lower half of a whole disc the title stands the same way, mirrored.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rulebook.drawing.shapes import Caption, Circle, Label, Number, Sector, Shape, Tint, Weight
from rulebook.model.cutouts.round import Reach, Ring
from rulebook.text_fitting import CAP_HEIGHT, text_width

#: Type sizes, mm: names at the most (in large zones more, a part of their depth), at the least;
#: targets and small words beside names.
LARGEST_NAME, OF_DEPTH, SMALLEST = (6.0, 10.0), 0.09, 1.8
TARGET = 4.0
SMALL = 0.8
#: Of the depth of a zone, what its words take up at the most; and from line to line.
FILLED, LEADING = 0.72, 1.28
#: At a distance from the sides of a wedge, for the words that run along them, mm.
SIDE_ROOM = 4.0
SHADES = 3


@dataclass(frozen=True, slots=True)
class Zone:
    """What lies between two rings, or between the last ring and the edge, which has no name."""

    inner: Fraction
    outer: Fraction
    ring: Ring | None

    @property
    def depth(self) -> float:
        return float(self.outer - self.inner)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words: its size is that of the block times `part`."""

    text: str
    part: float
    weight: Weight = "regular"
    tone: Literal["ink", "accent"] = "ink"


@dataclass(frozen=True, slots=True)
class Room:
    """Where words stand: between two distances from the centre, between the sides of a wedge.

    `half` is half the angle of the wedge, 180 for a disc; `side` is kept free along its sides.
    """

    inner: float
    outer: float
    half: float
    side: float = 0.0

    def width(self, low: float, high: float) -> float:
        """How wide a block may be that reaches from one distance above the centre to another."""
        half = math.sqrt(max(0.0, (0.97 * self.outer) ** 2 - high * high))
        if self.half < 90:
            slope = math.radians(self.half)
            half = min(half, low * math.tan(slope) - self.side / math.cos(slope))
        return 2 * max(0.0, half)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines set above a centre: the distances of their lower and upper edge, and their labels."""

    low: float
    high: float
    labels: tuple[Label, ...]


def zones(reach: Reach, rings: Sequence[Ring]) -> list[Zone]:
    """From the centre outwards; the last without a ring where none runs along the edge."""
    found: list[Zone] = []
    start = Fraction(0)
    for ring in rings:
        found.append(Zone(start, ring.reach, ring))
        start = ring.reach
    if start < reach.reach:
        found.append(Zone(start, reach.reach, None))
    return found


def shade(number: int, count: int) -> int:
    """Darkest in the middle; a lone zone is light."""
    return max(1, min(SHADES, count) - number)


def tint(zone: Zone, at: tuple[Number, Number], half: Fraction, shade: int) -> Shape:
    """A zone of a wedge or of a whole disc, painted over those outside it."""
    x, y = at
    if half == 180:
        return Tint(Circle("engrave", x, y, zone.outer), shade)
    return Tint(Sector(x, y, zone.inner, zone.outer, -half, half), shade)


def lines_of(ring: Ring) -> list[Line]:
    """The target, the name and how far the ring reaches."""
    reach = f"{ring.radius}" if ring.radius is not None else ring.told
    lines = [Line(str(ring.target), TARGET, "bold", "accent")] if ring.target is not None else []
    lines.append(Line(ring.name, 1.0, "bold"))
    if reach not in ring.name:
        lines.append(Line(reach, SMALL))
    return lines


def block(
    lines: Sequence[Line], room: Room, at: tuple[Number, Number], *, below: bool = False
) -> Block | None:
    """Lines in the middle of a room, as large as it takes, or fewer of them, or none.

    The last line goes first, a target goes last. `below` sets them below the centre.
    """
    kept = list(lines)
    while kept:
        least, most = LARGEST_NAME
        size = min(most, max(least, OF_DEPTH * (room.outer - room.inner)))
        while size * min(line.part for line in kept) >= SMALLEST:
            if found := _set(kept, size, room, at, below):
                return found
            size *= 0.94
        kept = kept[:-1]
    return None


def _set(
    lines: Sequence[Line], size: float, room: Room, at: tuple[Number, Number], below: bool
) -> Block | None:
    """The block at one size, where it fits."""
    heights = [CAP_HEIGHT * line.part * size for line in lines]
    gaps = (LEADING - CAP_HEIGHT) * SMALL * size * (len(lines) - 1)
    high = sum(heights) + gaps
    if high > FILLED * (room.outer - room.inner):
        return None
    # a little outwards, where there is more room, in the tip of a wedge or around the centre
    lean = 0.5 if room.inner or room.half >= 90 else 0.62
    middle = room.inner + lean * (room.outer - room.inner)
    low, top = middle - high / 2, middle + high / 2
    if max(text_width(line.text, line.part * size) for line in lines) > room.width(low, top):
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
    return Block(low, top, tuple(labels))


def captions(found: Sequence[Zone], at: tuple[Number, Number], half: float) -> Iterator[Caption]:
    """What the small picture says in each zone that has a name."""
    x, y = at
    for zone in found:
        if zone.ring is None:
            continue
        middle = float(zone.inner) + (0.5 if zone.inner else 0.6) * zone.depth
        room = min(2.0, 2 * math.tan(math.radians(min(half, 45)))) * (middle or zone.depth)
        target = "" if zone.ring.target is None else str(zone.ring.target)
        yield Caption(target, zone.ring.name, x, float(y) - middle, room)
