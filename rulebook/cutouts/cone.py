"""A cone, such as that of canister -> its drawing: a triangle with its apex at the left.

The apex lies at the muzzle, so whoever stands behind the gun looks along x: the kill numbers stand
upright for that player. Along one edge runs a ruler from the apex, along the other the imprint.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.drawing.shapes import (
    Anchor,
    Caption,
    Drawing,
    Label,
    Line,
    Measure,
    Number,
    Polyline,
    Shape,
    Tint,
    Weight,
)
from rulebook.model.cutouts.cone import Cone, Zone
from rulebook.quantities import MILLIMETRES, Length
from rulebook.text_fitting import (
    CAP_HEIGHT,
    fitted_line,
    room_for,
    text_width,
    wrapped,
)
from rulebook.translation import gettext

#: Type sizes in mm: kill numbers are read across the table, the rest at arm's length.
LARGEST_KILL, SMALLEST_KILL = 34.0, 2.0
LARGEST_NAME, SMALLEST_NAME = 6.0, 2.2
TITLE_SIZE, EDGE_SIZE, USE_SIZE = 6.5, 4.2, 4.2
MOST_USE_LINES = 5
#: Ticks of the ruler and the figures at the long ones.
LONG_TICK, TICK_SIZE = 4.0, 3.6
#: The part of the width at some place that words may take up.
FILLED = 0.8


@dataclass(frozen=True, slots=True)
class _Part:
    """A zone with its ends from the apex, in mm."""

    zone: Zone
    start: Fraction
    end: Fraction
    told_end: str

    @property
    def depth(self) -> float:
        return float(self.end - self.start)

    @property
    def centroid(self) -> float:
        """From the start of the zone to the middle of its area: nearer to its wide end."""
        start, end = float(self.start), float(self.end)
        return self.depth / 3 * (start + 2 * end) / (start + end)


@dataclass(frozen=True, slots=True)
class _Triangle:
    length: Fraction
    base: Fraction

    def width(self, x: Number) -> Number:
        """How wide the cone is at a distance from its apex."""
        return self.base * x / self.length

    def edges(self, x: Number) -> tuple[Number, Number]:
        """Where the upper and the lower edge are at a distance from the apex."""
        return ((self.base - self.width(x)) / 2, (self.base + self.width(x)) / 2)

    @property
    def slope(self) -> float:
        """Degrees between the axis and an edge."""
        return math.degrees(math.atan2(float(self.base) / 2, float(self.length)))


def draw_cone(cone: Cone, imprint: str, use: str) -> Drawing:
    """The cone at true scale; `imprint` is ruleset and edition, `use` is set if there is room."""
    triangle = _Triangle(cone.length.mm, cone.base.mm)
    parts = _parts(cone)
    shapes: list[Shape] = []
    for number, part in enumerate(parts):
        shapes.append(_tint(triangle, part, shade=max(1, 3 - number)))
    shapes.append(
        Polyline(
            "cut",
            (
                (Fraction(0), triangle.base / 2),
                (triangle.length, Fraction(0)),
                (triangle.length, triangle.base),
            ),
        )
    )
    for part in parts[:-1]:
        top, bottom = triangle.edges(part.end)
        shapes.append(Line("score", part.end, top, part.end, bottom))
    shapes += _muzzle(triangle, parts[0])
    words = [label for part in parts for label in _zone_words(triangle, part)]
    shapes += _ruler(triangle, cone, [part.end for part in parts], words)
    shapes += words
    shapes += _edge_words(triangle, parts[-1], cone.title, imprint)
    shapes += _use_words(triangle, parts[-1], use)
    return Drawing(
        title=cone.title,
        description=gettext(
            "A cone %(length)s long and %(base)s wide at its far end: %(zones)s",
            length=cone.length,
            base=cone.base,
            zones="; ".join(f"{p.zone.name}, {_reach_of(p)}, {p.zone.kills}" for p in parts),
        ),
        width=triangle.length,
        height=triangle.base,
        shapes=tuple(shapes),
        captions=tuple(_captions(triangle, parts)),
        measures=(
            Measure(
                "x", Fraction(0), Fraction(0), gettext("muzzle"), triangle.base / 2, label="end"
            ),
            *(
                Measure("x", Fraction(0), p.end, p.told_end, triangle.edges(p.end)[1], label="end")
                for p in parts
            ),
            Measure("y", Fraction(0), triangle.base, str(cone.base), triangle.length),
        ),
    )


def _parts(cone: Cone) -> list[_Part]:
    parts: list[_Part] = []
    start = Fraction(0)
    for zone in cone.zones:
        reach = cone.length if zone is cone.zones[-1] or zone.to is None else zone.to
        parts.append(_Part(zone, start, reach.mm, str(reach)))
        start = reach.mm
    return parts


def _reach_of(part: _Part) -> str:
    return gettext("to %(length)s", length=part.told_end)


def _tint(triangle: _Triangle, part: _Part, shade: int) -> Tint:
    near, far = triangle.edges(part.start), triangle.edges(part.end)
    corners = (
        (part.start, near[0]),
        (part.end, far[0]),
        (part.end, far[1]),
        (part.start, near[1]),
    )
    return Tint(Polyline("engrave", corners), shade)


def _muzzle(triangle: _Triangle, part: _Part) -> Iterator[Shape]:
    """The tip is filled and named, so that the cone is not laid the wrong way round."""
    tip = min(Fraction(14), part.end / 8)
    top, bottom = triangle.edges(tip)
    yield Polyline(
        "engrave", ((Fraction(0), triangle.base / 2), (tip, top), (tip, bottom)), filled=True
    )
    size, muzzle = 3.2, gettext("muzzle")
    start = max(size * 1.5 / float(triangle.width(1)), float(tip) + 2)
    if start + text_width(muzzle, size) < part.depth * 0.6:
        yield Label(muzzle, start, float(triangle.base) / 2 + 0.25 * size, size, anchor="start")


def _ruler(
    triangle: _Triangle, cone: Cone, ends: Sequence[Fraction], words: Sequence[Label]
) -> Iterator[Shape]:
    """Ticks along the upper edge, an inch apart or a centimetre, as the rules measure.

    A number that would meet the end of a zone or its words is left out.
    """
    inches = cone.length.unit in ("in", "ft", "yd")
    step, long_every = (MILLIMETRES["in"], 6) if inches else (MILLIMETRES["cm"], 10)
    count = 1
    while (x := count * step) < triangle.length:
        tick = LONG_TICK if count % long_every == 0 else LONG_TICK / 2
        if triangle.width(x) > 3 * tick:
            top = triangle.edges(x)[0]
            yield Line("engrave", x, top, x, top + Fraction(tick))
            if tick == LONG_TICK and all(abs(x - end) > 3 * TICK_SIZE for end in ends):
                told = str(Length(Fraction(count), "in" if inches else "cm"))
                number = Label(told, x, float(top) + tick + TICK_SIZE, TICK_SIZE)
                if not any(_meet(number, one) for one in words):
                    yield number
        count += 1


def _meet(number: Label, words: Label) -> bool:
    """Whether a number of the ruler meets words that are turned to be read from the gun."""
    across = text_width(number.text, float(number.size)) / 2
    high = CAP_HEIGHT * float(words.size)
    beside = float(number.x) + across < float(words.x) - high or float(number.x) - across > words.x
    above = float(number.y) < float(words.y) - text_width(words.text, float(words.size)) / 2
    return not beside and not above


def _zone_words(triangle: _Triangle, part: _Part) -> Iterator[Label]:
    """The kill number as large as the zone allows, its name and reach below, seen from the gun."""
    kills, size = str(part.zone.kills), _kill_size(triangle, part)
    number, name, reach = _baselines(part, size)
    middle = triangle.base / 2
    yield Label(kills, number, middle, size, rotation=90, weight="bold", tone="accent")
    lines: tuple[tuple[str, float, Weight], ...] = (
        (part.zone.name, name, "bold"),
        (_reach_of(part), reach, "regular"),
    )
    for words, x, weight in lines:
        room = FILLED * float(triangle.width(x))
        kept, small = fitted_line(words, room, most=_name_size(size), least=SMALLEST_NAME)
        if kept and x > part.start:
            yield Label(kept, x, middle, small, rotation=90, weight=weight)


def _kill_size(triangle: _Triangle, part: _Part) -> float:
    size = LARGEST_KILL
    while size > SMALLEST_KILL and not _fits(triangle, part, str(part.zone.kills), size):
        size -= 0.5
    return size


def _name_size(kill_size: float) -> float:
    return min(LARGEST_NAME, max(SMALLEST_NAME, 0.25 * kill_size))


def _baselines(part: _Part, size: float) -> tuple[float, float, float]:
    """Distances from the apex of the baselines of kill number, name and reach."""
    small = _name_size(size)
    block = CAP_HEIGHT * size + 2.7 * small
    if part.start == 0:  # the triangle is roomy only at its far end
        far = float(part.end) - max(0.03 * part.depth, min(4.0, 0.1 * part.depth))
    else:
        far = float(part.start) + part.centroid + block / 2
    number = far - CAP_HEIGHT * size
    return number, number - 1.35 * small, number - 2.6 * small


def _fits(triangle: _Triangle, part: _Part, kills: str, size: float) -> bool:
    number, _, reach = _baselines(part, size)
    wide_enough = room_for(kills, size) <= FILLED * triangle.width(number)
    return wide_enough and reach > part.start + 0.05 * part.depth


def _edge_words(triangle: _Triangle, last: _Part, title: str, imprint: str) -> Iterator[Shape]:
    """Along the lower edge of the last zone: the title from its start, the imprint to the base."""
    slant = math.radians(triangle.slope)
    # a cone of one zone is too narrow for its title at its start
    start = max(float(last.start) + 3, min(0.4, 32 / float(triangle.base)) * float(last.end))
    room = 0.48 * (float(last.end) - start - 8) / math.cos(slant)
    sides: tuple[tuple[str, float, Number, Anchor, Weight], ...] = (
        (title, TITLE_SIZE, start, "start", "bold"),
        (imprint, EDGE_SIZE, last.end - 5, "end", "regular"),
    )
    for words, largest, x, anchor, weight in sides:
        most = min(largest, float(triangle.width(x)) / 8)
        kept, size = fitted_line(words, room, most=most, least=SMALLEST_NAME)
        if not kept or most < 0.5 * SMALLEST_NAME:
            continue
        y = float(triangle.edges(x)[1]) - 0.7 * size / math.cos(slant)
        yield Label(kept, x, y, size, anchor=anchor, rotation=triangle.slope, weight=weight)


def _use_words(triangle: _Triangle, last: _Part, use: str) -> Iterator[Shape]:
    """How the cone is laid, before its base; left out where it would crowd the kill number."""
    first = float(last.end) - 2 * USE_SIZE
    room = FILLED * float(triangle.width(first)) - 2 * EDGE_SIZE
    lines = wrapped(use, USE_SIZE, room)
    leading = 1.3 * USE_SIZE
    kill_size = _kill_size(triangle, last)
    number_ends = _baselines(last, kill_size)[0] + CAP_HEIGHT * kill_size + USE_SIZE
    if len(lines) > MOST_USE_LINES or first - leading * len(lines) < number_ends:
        return
    for index, line in enumerate(lines):
        yield Label(line, first - leading * index, triangle.base / 2, USE_SIZE, rotation=90)


def _captions(triangle: _Triangle, parts: list[_Part]) -> Iterator[Caption]:
    for part in parts:
        yield Caption(
            strong=str(part.zone.kills),
            small=part.zone.name,
            x=(part.start + part.end) / 2,
            y=Fraction(0),
            room=part.end - part.start,
            place="above",
        )
