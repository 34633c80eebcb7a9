"""A cone, such as that of canister, or a burst of a shell -> its drawing: a triangle or a disc."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.drawing.elements import Anchor, Line, Number
from rulebook.drawing.shapes import (
    Caption,
    Drawing,
    Label,
    Measure,
    Shape,
    Weight,
    arrow_up,
    bounds,
    circle,
    point_on_circle,
    polygon,
    sector,
    unset_names,
)
from rulebook.model.cutouts import Burst, Cone, Zone
from rulebook.quantities import MILLIMETRES, Faces, Length
from rulebook.text_fitting import (
    CAP_HEIGHT,
    first_that_fits,
    fits,
    largest_size,
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
ZERO = Fraction(0)
#: The part of the width at some place that words may take up.
FILLED = 0.8


@dataclass(frozen=True, slots=True)
class _ConeZone:
    """A zone of a cone, with the distances from the apex at which it starts and ends, in mm."""

    zone: Zone
    start: Fraction
    end: Fraction
    end_in_words: str

    @property
    def depth(self) -> float:
        return float(self.end - self.start)

    @property
    def centroid(self) -> float:
        """Distance from the start of the zone to the centroid of its area, in mm."""
        start, end = float(self.start), float(self.end)
        return self.depth / 3 * (start + 2 * end) / (start + end)


@dataclass(frozen=True, slots=True)
class _Triangle:
    length: Fraction
    base: Fraction

    def width(self, x: Number) -> Number:
        """Returns the width of the cone at distance `x` from its apex."""
        return self.base * x / self.length

    def edges(self, x: Number) -> tuple[Number, Number]:
        """Returns the y of the upper and the lower edge at distance `x` from the apex."""
        return ((self.base - self.width(x)) / 2, (self.base + self.width(x)) / 2)

    @property
    def slope(self) -> float:
        """Angle between the axis and an edge, in degrees."""
        return math.degrees(math.atan2(float(self.base) / 2, float(self.length)))


def draw_cone(cone: Cone, imprint: str, use: str) -> Drawing:
    """Draws a cone at true scale, with its zones and their kill numbers.

    `imprint` names ruleset and edition; `use` says how the cone is laid and is left out if it has
    no room.
    """
    triangle = _Triangle(cone.length.mm, cone.base.mm)
    parts = _parts(cone)
    shapes: list[Shape] = [
        _tint(triangle, part, shade=max(1, 3 - number)) for number, part in enumerate(parts)
    ]
    far = (triangle.length, ZERO), (triangle.length, triangle.base)
    shapes.append(polygon("cut", (ZERO, triangle.base / 2), *far))
    for part in parts[:-1]:
        top, bottom = triangle.edges(part.end)
        shapes.append(Line("score", part.end, top, part.end, bottom))
    shapes += _muzzle(triangle, parts[0])
    words = [label for part in parts for label in _zone_words(triangle, part)]
    shapes += _ruler(triangle, cone, [part.end for part in parts], words)
    shapes += words
    shapes += _edge_words(triangle, parts[-1], cone.title, imprint)
    shapes += _use_words(triangle, parts[-1], use)
    ends = [(ZERO, gettext("muzzle")), *((part.end, part.end_in_words) for part in parts)]
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
        captions=tuple(_cone_captions(parts)),
        measures=(
            *(Measure("x", ZERO, x, end, triangle.edges(x)[1], label="end") for x, end in ends),
            Measure("y", ZERO, triangle.base, str(cone.base), triangle.length),
        ),
        unset=unset_names("zones", [part.zone.name for part in parts], words),
    )


def _parts(cone: Cone) -> list[_ConeZone]:
    """Returns the zones of a cone, each with its start and end."""
    parts: list[_ConeZone] = []
    start = Fraction(0)
    for zone in cone.zones:
        reach = cone.length if zone is cone.zones[-1] or zone.to is None else zone.to
        parts.append(_ConeZone(zone, start, reach.mm, str(reach)))
        start = reach.mm
    return parts


def _reach_of(part: _ConeZone) -> str:
    return gettext("to %(length)s", length=part.end_in_words)


def _tint(triangle: _Triangle, part: _ConeZone, shade: int) -> Shape:
    """Returns the shaded area of a zone of a cone; `shade` is its darkness."""
    near, far = triangle.edges(part.start), triangle.edges(part.end)
    corners = ((part.start, near[0]), (part.end, far[0]), (part.end, far[1]), (part.start, near[1]))
    return polygon("tint", *corners, fill=shade)


def _muzzle(triangle: _Triangle, part: _ConeZone) -> Iterator[Shape]:
    """Draws the tip of the cone filled, and the word "muzzle" beside it if there is room.

    So the cone is not laid the wrong way round.
    """
    tip = min(Fraction(14), part.end / 8)
    top, bottom = triangle.edges(tip)
    corners = (Fraction(0), triangle.base / 2), (tip, top), (tip, bottom)
    yield polygon("engrave", *corners, fill="accent")
    size, muzzle = 3.2, gettext("muzzle")
    start = max(size * 1.5 / float(triangle.width(1)), float(tip) + 2)
    if start + text_width(muzzle, size) < part.depth * 0.6:
        yield Label(muzzle, start, float(triangle.base) / 2 + 0.25 * size, size, anchor="start")


def _ruler(
    triangle: _Triangle, cone: Cone, ends: Sequence[Fraction], words: Sequence[Label]
) -> Iterator[Shape]:
    """Draws ticks along the upper edge, an inch or a centimetre apart by the unit of the cone.

    Long ticks are numbered, unless the number would touch the end of a zone or other words.
    """
    inches = cone.length.unit in ("in", "ft", "yd")
    step, long_every = (MILLIMETRES["in"], 6) if inches else (MILLIMETRES["cm"], 10)
    for count in range(1, math.ceil(triangle.length / step)):
        x = count * step
        tick = LONG_TICK if count % long_every == 0 else LONG_TICK / 2
        if triangle.width(x) > 3 * tick:
            top = triangle.edges(x)[0]
            yield Line("engrave", x, top, x, top + Fraction(tick))
            if tick == LONG_TICK and all(abs(x - end) > 3 * TICK_SIZE for end in ends):
                length_text = str(Length(Fraction(count), "in" if inches else "cm"))
                number = Label(length_text, x, float(top) + tick + TICK_SIZE, TICK_SIZE)
                if not any(_overlap(number, word) for word in words):
                    yield number


def _overlap(number: Label, words: Label) -> bool:
    """Whether a number of the ruler overlaps words that are turned to be read from the gun."""
    left, _, right, _ = bounds(number)
    foot, top, _, _ = bounds(words)
    head = float(words.x) + CAP_HEIGHT * float(words.size)
    return left < head and foot < right and top < number.y


def _zone_words(triangle: _Triangle, part: _ConeZone) -> Iterator[Label]:
    """Yields labels across a zone: its kill number as large as fits, its name and its reach.

    Name and reach are left out where they do not fit.
    """
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
        kept, small = first_that_fits([words], room, most=_name_size(size))
        if kept and x > part.start:
            yield Label(kept, x, middle, small, rotation=90, weight=weight)


def _kill_size(triangle: _Triangle, part: _ConeZone) -> float:
    """Returns the largest size of type at which the kill number fits its zone, within bounds.

    It is never less than `SMALLEST_KILL` or more than `LARGEST_KILL`.
    """
    size = LARGEST_KILL
    while size > SMALLEST_KILL and not _fits(triangle, part, str(part.zone.kills), size):
        size -= 0.5
    return size


def _name_size(kill_size: float) -> float:
    return min(LARGEST_NAME, max(SMALLEST_NAME, 0.25 * kill_size))


def _baselines(part: _ConeZone, size: float) -> tuple[float, float, float]:
    """Returns the distances from the apex of the baselines of kill number, name and reach.

    `size` is that of the kill number.
    """
    small = _name_size(size)
    block = CAP_HEIGHT * size + 2.7 * small
    if part.start == 0:  # the triangle is roomy only at its far end
        far = float(part.end) - max(0.03 * part.depth, min(4.0, 0.1 * part.depth))
    else:
        far = float(part.start) + part.centroid + block / 2
    number = far - CAP_HEIGHT * size
    return number, number - 1.35 * small, number - 2.6 * small


def _fits(triangle: _Triangle, part: _ConeZone, kills: str, size: float) -> bool:
    """Whether a kill number of this size, with the lines below it, fits its zone."""
    number, _, reach = _baselines(part, size)
    wide_enough = room_for(kills, size) <= FILLED * triangle.width(number)
    return wide_enough and reach > part.start + 0.05 * part.depth


def _edge_words(triangle: _Triangle, last: _ConeZone, title: str, imprint: str) -> Iterator[Shape]:
    """Yields labels along the lower edge of the last zone: the title first, the imprint last.

    What does not fit is left out.
    """
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
        kept, size = first_that_fits([words], room, most=most)
        if not kept:
            continue
        y = float(triangle.edges(x)[1]) - 0.7 * size / math.cos(slant)
        yield Label(kept, x, y, size, anchor=anchor, rotation=triangle.slope, weight=weight)


def _use_words(triangle: _Triangle, last: _ConeZone, use: str) -> Iterator[Shape]:
    """Yields labels for the words `use`, across the cone near its base.

    Yields nothing if they take too many lines or come too near to the kill number.
    """
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


def _cone_captions(parts: list[_ConeZone]) -> Iterator[Caption]:
    for part in parts:
        middle, room = (part.start + part.end) / 2, part.end - part.start
        yield Caption(str(part.zone.kills), part.zone.name, middle, ZERO, room, "above")


#: Type sizes in mm.
LARGEST_SCORE, SMALLEST_SCORE = 36.0, 2.0
SMALLEST_WORD = 2.2
#: The outer part of the ring that holds the arrow, the title and the imprint.
RIM = 0.2
MOST_RIM_LINES = 2
#: The die that is thrown for the sector, where no score is above six.
DIE = range(1, 7)


@dataclass(frozen=True, slots=True)
class _BurstRing:
    outer: Fraction
    inner: Fraction
    count: int

    @property
    def step(self) -> Fraction:
        """Angle of one sector of the ring, in degrees."""
        return Fraction(360, self.count)

    @property
    def ring(self) -> float:
        """Width of the ring, in mm."""
        return float(self.outer - self.inner)

    def chord(self, radius: float) -> float:
        """Returns the width of a sector, in mm, at the distance `radius` from the centre."""
        return 2 * radius * math.sin(math.radians(min(90.0, float(self.step) / 2)))

    def straight(self, radius: float) -> float:
        """Returns how wide a line of text in a sector may be, in mm.

        `radius` is the distance of its baseline from the centre.
        """
        in_disc = 2 * math.sqrt(max(0.0, float(self.outer) ** 2 - (1.01 * radius) ** 2))
        in_sector = 2 * radius * math.tan(math.radians(min(60.0, float(self.step) / 2)))
        return 0.92 * min(in_disc, in_sector)

    @property
    def middle_of_ring(self) -> float:
        """Distance of the scores from the centre: the middle of the ring, its rim not counted."""
        return float(self.inner) + (1 - RIM) / 2 * self.ring

    def at(self, radius: float, angle: Fraction) -> tuple[float, float]:
        x, y = point_on_circle(self.outer, self.outer, radius, angle)
        return float(x), float(y)


def draw_burst(burst: Burst, imprint: str) -> Drawing:
    """Draws a burst, a disc with scores in its sectors, at true scale.

    `imprint` names ruleset and edition.
    """
    disc = _BurstRing(burst.diameter.mm / 2, burst.centre.diameter.mm / 2, len(burst.ring))
    kills = (
        gettext("%(score)s kills", score=burst.kills)
        if burst.kills.scores
        else gettext("kills none")
    )
    middle, half = (disc.outer, disc.outer), disc.step / 2
    within = (disc.outer - disc.inner, disc.outer + disc.inner)
    shapes: list[Shape] = [
        sector(middle, (disc.inner, disc.outer), (-half, half), 1),
        circle("tint", *middle, disc.inner, 2),
        circle("cut", *middle, disc.outer),
        circle("score", *middle, disc.inner),
    ]
    for index in range(disc.count):
        angle = disc.step * index + disc.step / 2
        shapes.append(
            Line("score", *disc.at(float(disc.inner), angle), *disc.at(float(disc.outer), angle))
        )
    shapes += _aim(disc)
    shapes += _centre_words(disc, str(burst.centre.score), kills)
    for index, score in enumerate(burst.ring):
        shapes += _sector_words(disc, disc.step * index, str(score), kills)
    shapes += _away_from_gun(disc)
    shapes += _rim_words(disc, burst.title, _misfire(burst), imprint)
    return Drawing(
        title=burst.title,
        description=gettext(
            "A disc %(diameter)s across with a centre of %(centre)s, score %(score)s; around it, "
            "clockwise from the sector farthest from the gun: %(ring)s; %(kills)s",
            diameter=burst.diameter,
            centre=burst.centre.diameter,
            score=burst.centre.score,
            ring=", ".join(map(str, burst.ring)),
            kills=kills,
        ),
        width=burst.diameter.mm,
        height=burst.diameter.mm,
        shapes=tuple(shapes),
        captions=tuple(_burst_captions(disc, burst, kills)),
        measures=(
            Measure("x", *within, str(burst.centre.diameter), disc.outer),
            Measure("x", ZERO, 2 * disc.outer, str(burst.diameter), disc.outer, level=1),
        ),
    )


def _misfire(burst: Burst) -> str:
    """Returns text that says which faces of the die are a misfire: those that are no score.

    It is empty if there are none, or if scores are larger than the faces of the die.
    """
    scores = {burst.centre.score, *burst.ring}
    unused = set(DIE) - scores
    if unused and max(scores) <= max(DIE):
        return gettext("%(faces)s: misfire", faces=Faces(frozenset(unused)))
    return ""


def _aim(disc: _BurstRing) -> Iterator[Shape]:
    """Draws four ticks inside the edge of the centre circle, which point to its middle."""
    inner = float(disc.inner)
    for quarter in range(4):
        angle = Fraction(90 * quarter)
        yield Line("engrave", *disc.at(inner, angle), *disc.at(0.84 * inner, angle))


def _centre_words(disc: _BurstRing, score: str, kills: str) -> Iterator[Shape]:
    """Yields labels for the score of the centre circle and, if there is room, for its kills."""
    inner = float(disc.inner)
    size = largest_size([score], 0.9 * inner, most=min(LARGEST_SCORE, 1.05 * inner))
    yield from _score_words((float(disc.outer), float(disc.outer)), size, 1.2 * inner, score, kills)


def _sector_words(disc: _BurstRing, angle: Fraction, score: str, kills: str) -> Iterator[Shape]:
    """Yields labels for the score in a sector of the ring and, if there is room, for its kills.

    `angle` is the direction of the middle of the sector, in degrees.
    """
    radius = disc.middle_of_ring
    room = min(disc.ring, disc.chord(radius))
    size = max(SMALLEST_SCORE, largest_size([score], 0.6 * room, most=0.52 * room))
    size = min(size, LARGEST_SCORE)
    yield from _score_words(disc.at(radius, angle), size, 0.7 * room, score, kills)


def _score_words(
    at: tuple[float, float], size: float, room: float, score: str, kills: str
) -> Iterator[Shape]:
    """Yields labels for a score and, smaller below it, for its kills, both centred on `at`.

    `size` is that of the score, `room` the width for the words, which are left out if too small.
    """
    x, y = at
    small = largest_size([kills], room, most=0.22 * size)
    has_small = small >= SMALLEST_WORD
    block = CAP_HEIGHT * size + (1.5 * small if has_small else 0.0)
    baseline = y - block / 2 + CAP_HEIGHT * size
    yield Label(score, x, baseline, size, weight="bold", tone="accent")
    if has_small:
        yield Label(kills, x, baseline + 1.5 * small, small)


def _away_from_gun(disc: _BurstRing) -> Iterator[Shape]:
    """Draws an outward arrow in the sector farthest from the gun, labelled "away from the gun"."""
    outer, ring = float(disc.outer), disc.ring
    tip, foot = outer - 0.03 * ring, outer - RIM * ring
    half = 0.03 * ring
    x = float(disc.outer)
    head = outer - tip + 3 * half
    yield arrow_up(x, outer - tip, 2 * half, 3 * half)
    yield Line("engrave", x, head, x, outer - foot)
    away = gettext("away from")
    size = largest_size([away], disc.chord(foot) / 2 - 4 * half, most=min(4.6, 0.4 * RIM * ring))
    if size < SMALLEST_WORD:
        return
    baseline = (2 * outer - tip - foot) / 2 + CAP_HEIGHT * size / 2
    gap = half + 0.6 * size
    yield Label(away, x - gap, baseline, size, anchor="end")
    yield Label(gettext("the gun"), x + gap, baseline, size, anchor="start")


def _rim_words(disc: _BurstRing, title: str, misfire: str, imprint: str) -> Iterator[Shape]:
    """Yields labels near the rim: misfire at the bottom, title at the left, imprint at the right.

    Each is in the sector nearest to that place; what has no room is left out.
    """
    size = min(4.6, RIM * 0.4 * disc.ring)
    by_sector: dict[int, list[tuple[str, float, Weight]]] = {}
    wanted: tuple[tuple[str, float, int, Weight], ...] = (
        (misfire, size, 180, "bold"),
        (title, 0.8 * size, 270, "bold"),
        (imprint, 0.65 * size, 90, "regular"),
    )
    for words, most, angle, weight in wanted:
        nearest = max(1, min(disc.count - 1, round(angle / disc.step)))
        by_sector.setdefault(nearest, []).append((words, most, weight))
    for index, lines in by_sector.items():
        yield from _sector_rim(disc, disc.step * index, lines)


def _sector_rim(
    disc: _BurstRing, angle: Fraction, lines: list[tuple[str, float, Weight]]
) -> Iterator[Shape]:
    """Yields labels for lines of text in a sector, with their feet to the rim, the last outermost.

    Each line is a text, its largest size and its weight. A line that is too long is wrapped, and
    left out if it does not fit then. `angle` is that of the middle of the sector.
    """
    rim = float(disc.outer)
    radius = rim * 0.965
    for words, most, weight in reversed(lines):
        if most < 0.5 * SMALLEST_WORD or not words:
            continue
        small = max(SMALLEST_WORD, most)
        room = disc.straight(radius - 0.3 * small)
        # rather a little smaller than a last line of one word
        one_line = largest_size([words], room, most=small)
        small = one_line if one_line >= max(SMALLEST_WORD, 0.75 * most) else small
        parts = wrapped(words, small, room)
        if not fits(words, small, room):
            continue
        feet = [radius - small * (0.3 + 1.2 * line) for line in reversed(range(len(parts)))]
        if len(parts) > MOST_RIM_LINES or feet[0] <= rim - 2 * RIM * disc.ring:
            continue
        placed = [*zip(parts, feet, strict=True)]
        if any(room_for(part, small) > disc.straight(foot) for part, foot in placed):
            continue
        for part, foot in placed:
            yield Label(part, *disc.at(foot, angle), small, rotation=angle - 180, weight=weight)
        radius = feet[0] - 0.9 * small


def _burst_captions(disc: _BurstRing, burst: Burst, kills: str) -> Iterator[Caption]:
    radius = disc.middle_of_ring
    room = min(disc.ring, disc.chord(radius))
    yield Caption("", gettext("away from the gun"), disc.outer, ZERO, 2 * disc.outer, "above")
    yield Caption(str(burst.centre.score), kills, disc.outer, disc.outer, 2 * disc.inner)
    for index, score in enumerate(burst.ring):
        x, y = disc.at(radius, disc.step * index)
        yield Caption(str(score), kills, x, y, room)
