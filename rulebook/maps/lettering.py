"""A thing and its name -> places where the name could stand -> where each stands, none covered.

A place costs the more the farther it is from where a reader looks for the name, and the more of the
ground it hides. On the edge of a road, a wall, a building or the like no name stands at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product

from rulebook.drawing.elements import Box, Drawn, Point
from rulebook.maps.areas import Interior, area_of, clear_of
from rulebook.maps.canvas import ASCENT, CAP_HEIGHT, HALO, LEADING, MapLook, joined, letters, words
from rulebook.maps.geometry import (
    MeasuredLine,
    Quad,
    Segment,
    box_of,
    centroid,
    flattened,
    in_box,
    is_inside,
    main_direction,
    quad_of,
    sides,
    smooth,
    turned,
    turned_quad,
)
from rulebook.model.map_features import NameStyle
from rulebook.text_fitting import below, text_width

#: From letter to letter a name turns by no more than so many degrees.
_SHARPEST = 17.0
#: A letter on a line straight up is turned by 90 degrees; by much more it stands on its head.
_STEEPEST = 91.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A style of lettering in the size that it has on a map."""

    style: NameStyle
    look: MapLook

    @property
    def size(self) -> float:
        return self.look.mm(self.style.size)

    @property
    def high(self) -> float:
        """The height of capitals, mm."""
        return CAP_HEIGHT * self.size

    def reach(self, text: str) -> tuple[float, float]:
        """Returns how far a text with its halo extends above and below its baseline, in mm."""
        shown = self.shown(text)
        low = shown.isascii() and shown.isupper()
        rise = CAP_HEIGHT if low else ASCENT
        return rise * self.size + self.mm(HALO), below(shown) * self.size + self.mm(HALO)

    def mm(self, size: float) -> float:
        return self.look.mm(size)

    def shown(self, text: str) -> str:
        return text.upper() if self.style.capitals else text

    def width(self, text: str) -> float:
        return text_width(self.shown(text), self.size, self.style.face, spaced=self.style.spaced)

    def block_size(self, lines: Sequence[str]) -> tuple[float, float]:
        """Returns the width and height of a block of lines.

        The height is that from the capitals of the first line to the last baseline.
        """
        return max(map(self.width, lines)), LEADING * self.size * (len(lines) - 1) + self.high


@dataclass(frozen=True, slots=True)
class LetteredName:
    """A name as set: as lines of text, or as letters with a place for each.

    `quads` are its plate, which no stroke enters; the `leader` runs from the plate to what is
    named, and ends with a dot if it is `dotted`.
    """

    hand: Hand
    #: Words, and where their baseline starts.
    lines: tuple[tuple[str, Point], ...] = ()
    text: str = ""
    places: tuple[tuple[Point, float], ...] = ()
    quads: tuple[Quad, ...] = ()
    leader: Segment | None = None
    dotted: bool = False

    @property
    def taken(self) -> tuple[Quad, ...]:
        """The quads that no other name may meet: those of the name and of its leader, if any."""
        if self.leader is None:
            return self.quads
        line = MeasuredLine.from_points(self.leader)
        half = self.hand.mm(HALO / 2)
        near, far = (0.0, line.length)
        beside = ((near, -half), (far, -half), (far, half), (near, half))
        first, second, third, fourth = (line.beside(*place) for place in beside)
        return (*self.quads, (first, second, third, fourth))

    def drawn(self) -> Drawn:
        hand = self.hand
        face, colour = hand.style.face, hand.look.colour(hand.style.colour)
        if self.places:
            return letters(self.text, self.places, hand.size, face=face, colour=colour)
        spaced = hand.style.spaced
        return joined(
            words(text, at, hand.size, face=face, colour=colour, spaced=spaced)
            for text, at in self.lines
        )


def block(lines: Sequence[str], centre: Point, hand: Hand) -> LetteredName:
    """Sets lines of text below each other, each centred; the block's middle is a point."""
    size, halo = hand.size, hand.mm(HALO)
    high, measured = _measured(tuple(lines), hand)
    x, y = centre
    set_lines, quads = [], []
    for number, (line, wide, up, below_base) in enumerate(measured):
        down = -high / 2 + hand.high + LEADING * size * number
        left, right, base = x - wide / 2, x + wide / 2, y + down
        set_lines.append((line, (left, base)))
        quads.append(quad_of((left - halo, base - up, right + halo, base + below_base)))
    return LetteredName(hand, lines=tuple(set_lines), quads=tuple(quads))


@lru_cache(maxsize=256)
def _measured(
    lines: tuple[str, ...], hand: Hand
) -> tuple[float, list[tuple[str, float, float, float]]]:
    """Returns the height of a block of lines, and for each line its text, width and reach.

    The reach is how far the line extends above and below its baseline.
    """
    each = [(hand.shown(line), hand.width(line), *hand.reach(line)) for line in lines]
    return hand.block_size(lines)[1], each


def along(
    text: str,
    hand: Hand,
    track: MeasuredLine,
    middle: float,
    *,
    offset: float = 0.0,
    spaced: float = 0.0,
) -> tuple[LetteredName, float, float] | None:
    """Sets a name letter by letter along a line.

    Returns the name, by how many degrees it turns in all, and its mean steepness in degrees.
    `middle` is the distance along the line of the name's middle, `offset` that of its baseline to
    the right of the line, `spaced` the room between letters as a part of their size. Returns None
    if the line is too short or bends too sharply, or if the name would stand on its head.
    """
    shown, size = hand.shown(text), hand.size
    widths = [text_width(letter, size, hand.style.face) for letter in shown]
    space = spaced * size
    long = sum(widths) + space * (len(shown) - 1)
    if middle < 0.45 * long or track.length - middle < 0.45 * long:
        return None
    base, middle = _baseline(track, middle, offset, long, size)
    way = middle - long / 2
    if way < 0 or middle + long / 2 > base.length:
        return None
    places, quads, angles = [], [], []
    up, down = hand.reach(text)
    for width in widths:
        centre, angle = _leaning(base, way + width / 2, 0.6 * size)
        turn = math.radians(angle)
        at = (centre[0] - width / 2 * math.cos(turn), centre[1] - width / 2 * math.sin(turn))
        places.append((at, angle))
        angles.append(angle)
        half = (width + space) / 2 + hand.mm(HALO)
        box = (-half, -up, half, down)
        quads.append(turned_quad(centre, box, angle))
        way += width + space
    turns = [abs((after - before + 180) % 360 - 180) for before, after in pairwise(angles)]
    if any(turn > _SHARPEST for turn in turns) or any(abs(angle) > _STEEPEST for angle in angles):
        return None
    lettered = LetteredName(hand, text=shown, places=tuple(places), quads=_merged(quads, angles))
    return lettered, sum(turns), sum(map(abs, angles)) / len(angles)


def _baseline(
    track: MeasuredLine, middle: float, offset: float, long: float, size: float
) -> tuple[MeasuredLine, float]:
    """Returns the line on which letters stand, and how far along it the middle of the name is.

    The line runs beside the `track`, `offset` to its right, so that inside a bend it is shorter.
    `middle` is the place of the name's middle on the track, `long` the length of the name, and
    `size` that of its type.
    """
    step, first, last = 0.4 * size, middle - 0.8 * long, middle + 0.8 * long
    steps = (first + step * index for index in range(int((last - first) / step) + 1))
    ways = [way for way in steps if 0 <= way <= track.length]
    before = [way for way in ways if way < middle]
    points = [track.beside(way, offset) for way in (*before, middle)]
    whole = [*points, *(track.beside(way, offset) for way in ways[len(before) :])]
    return MeasuredLine.from_points(whole), MeasuredLine.from_points(points).length


def _leaning(base: MeasuredLine, way: float, near: float) -> tuple[Point, float]:
    """Returns the point `way` along a line, and the line's mean direction around it in degrees.

    The mean is that between the points `near` before and after.
    """
    before, after = (base.at(min(max(way + side, 0.0), base.length))[0] for side in (-near, near))
    angle = math.degrees(math.atan2(after[1] - before[1], after[0] - before[0]))
    return base.at(way)[0], angle


def _merged(quads: Sequence[Quad], angles: Sequence[float]) -> tuple[Quad, ...]:
    """Merges the quads of neighbouring letters that run in the same direction into one each."""
    merged: list[Quad] = []
    turned: list[float] = []
    for quad, angle in zip(quads, angles, strict=True):
        if merged and abs(angle - turned[-1]) < 0.5:
            merged[-1] = (merged[-1][0], quad[1], quad[2], merged[-1][3])
        else:
            merged.append(quad)
            turned.append(angle)
    return tuple(merged)


def two_lines(text: str) -> list[str] | None:
    """Splits a text into two lines of about the same length; None for a single word."""
    parts = text.split()
    if len(parts) < 2:
        return None
    breaks = range(1, len(parts))
    best = min(breaks, key=lambda at: max(len(" ".join(parts[:at])), len(" ".join(parts[at:]))))
    return [" ".join(parts[:best]), " ".join(parts[best:])]


#: A name in a place and what the place costs.
Choice = tuple[LetteredName, float]

#: The net of places that are tried inside an area, along each side of its box.
_NET = 9
#: Parts of the way along a line where its name is tried.
_PARTS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.14, 0.86)
#: How far off a name is tried that stands beside what it names, mm times the grain.
_AWAY = (0.2, 1.2, 2.4, 4.0, 6.0, 9.0, 13.0, 18.0)
#: From how far off a leader shows what a name belongs to, how far it runs into an area, and how far
#: from a point it ends; mm times the grain.
_NEAR, _INTO, _SHORT = 2.6, 0.9, 1.2
#: Costs.
_SPLIT, _ALONG, _BESIDE, _BELOW, _LEVEL, _FAR, _LED = 0.3, 0.25, 2.6, 0.3, 2.0, 0.16, 0.5


def area_choices(text: str, ring: Sequence[Point], hand: Hand) -> Iterator[Choice]:
    """Yields possible places for the name of an area, with their costs.

    They are inside the area, along its length, and beside it.
    """
    left, top, right, bottom = box = box_of(ring)
    centre = anchor_of(tuple(ring))
    net = [
        (left + (right - left) * (i + 0.5) / _NET, top + (bottom - top) * (j + 0.5) / _NET)
        for i in range(_NET)
        for j in range(_NET)
    ]
    inside = [at for at in (centre, *net) if is_inside(at, [ring])]
    whole = math.hypot(right - left, bottom - top) or 1.0
    for number, lines in enumerate(_splits(text)):
        for at in inside:
            yield block(lines, at, hand), 1.6 * math.dist(at, centre) / whole + number * _SPLIT
    yield from _along_spine(text, ring, hand)
    yield from _beside(text, Thing(box, area_of(tuple(ring))), hand, _BESIDE)


def _splits(text: str) -> list[list[str]]:
    split = two_lines(text)
    return [[text], split] if split else [[text]]


@lru_cache(maxsize=1024)
def anchor_of(ring: tuple[Point, ...]) -> Point:
    """Returns a point well inside an area, such as its centre of gravity.

    If that lies outside or too near to the edge, it is the point farthest from the edge.
    """
    area, centre = area_of(ring), centroid(ring)
    return centre if area.depths([centre])[0] > 0.6 * area.deepest else area.deepest_point


@dataclass(frozen=True, slots=True)
class Thing:
    """What a name stands beside: its bounding box, and the area or point to which a leader runs.

    The leader ends `short` mm before a point, which has a symbol.
    """

    box: Box
    target: Interior | Point
    short: float = 0.0

    def shortest_from(self, boxes: Sequence[Box]) -> list[Segment]:
        """Returns the shortest line from each box to the area or point."""
        if isinstance(self.target, Interior):
            return self.target.shortest_from(boxes)
        x, y = self.target
        return [
            ((min(max(x, left), right), min(max(y, top), bottom)), self.target)
            for left, top, right, bottom in boxes
        ]


def _beside(
    text: str, thing: Thing, hand: Hand, more: float, aways: Sequence[float] = _AWAY
) -> Iterator[Choice]:
    """Yields places for a name beside a thing, near it, or farther off with a leader to it.

    `aways` are the distances to try, in mm times the grain, and `more` is added to all costs.
    """
    left, top, right, bottom = thing.box
    found = []
    for away in aways:
        off = hand.mm(away)
        around = (left - off, top - off, right + off, bottom + off)
        for number, lines in enumerate(_splits(text)):
            for lettered, cost in _around(lines, around, hand):
                found.append((lettered, away, cost + more + number * _SPLIT))
    plates = [
        box_of([at for quad in lettered.quads for at in quad])
        for lettered, away, _ in found
        if away > aways[0]
    ]
    shortest = iter(thing.shortest_from(plates))
    for lettered, away, cost in found:
        led = _led(lettered, next(shortest), thing, hand) if away > aways[0] else lettered
        yield led, cost + (_FAR * away + (_LED if led.leader else 0.0))


def _led(lettered: LetteredName, shortest: Segment, thing: Thing, hand: Hand) -> LetteredName:
    """Returns a name with a leader to its thing, or the name unchanged if the thing is near.

    `shortest` is the shortest line from the name to the thing.
    """
    start, end = shortest
    into = -thing.short if isinstance(thing.target, tuple) else hand.mm(_INTO)
    long = math.dist(start, end)
    if long < hand.mm(_NEAR):
        return lettered
    part = 1 + into / long
    end = start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
    return replace(lettered, leader=(start, end), dotted=into >= 0)


def _around(lines: Sequence[str], box: Box, hand: Hand) -> Iterator[Choice]:
    """Yields places for lines of text beside a box, each with its cost.

    The cheapest is to the right, then to the left, above and below; others are corners and places a
    little aside.
    """
    left, top, right, bottom = box
    wide, high = hand.block_size(lines)
    halo = hand.mm(HALO)
    up, down = hand.reach(lines[0])[0] - hand.high, hand.reach(lines[-1])[1]
    x, y = (left + right) / 2, (top + bottom) / 2
    near = (right + halo + wide / 2, left - halo - wide / 2)
    over, under = top - down - high / 2, bottom + up + high / 2
    places = [((near[0], y), 0.0), ((near[1], y), 0.15), ((x, over), 0.2), ((x, under), 0.3)]
    places += [((near[0], over), 0.5), ((near[0], under), 0.55)]
    places += [((near[1], over), 0.6), ((near[1], under), 0.65)]
    for part in (-0.5, -0.25, 0.25, 0.5):
        places += [((x + part * wide, over), 0.5), ((x + part * wide, under), 0.55)]
        places += [((near[0], y + part * (bottom - top)), 0.4)]
        places += [((near[1], y + part * (bottom - top)), 0.45)]
    for place, cost in places:
        yield block(lines, place, hand), cost


def spine_of(ring: Sequence[Point]) -> MeasuredLine | None:
    """Returns a line along the middle of an area, from left to right.

    Returns None for an area that is not clearly longer than wide.
    """
    turn = main_direction(ring)
    level = turned(ring, -turn)
    left, low, right, high = box_of(level)
    if right - left < 1.6 * (high - low):
        return None
    middles: list[Point] = []
    for part in (0.06, 0.2, 0.35, 0.5, 0.65, 0.8, 0.94):
        x = left + part * (right - left)
        met = sorted(
            y1 + (x - x1) / (x2 - x1) * (y2 - y1)
            for (x1, y1), (x2, y2) in sides(level)
            if (x1 > x) != (x2 > x)
        )
        pairs = list(zip(met[::2], met[1::2], strict=False))
        if not pairs:
            return None
        first, last = max(pairs, key=lambda ends: ends[1] - ends[0])
        middles += turned([(x, (first + last) / 2)], turn)
    if middles[-1][0] < middles[0][0]:
        middles.reverse()
    return MeasuredLine.from_points(flattened(smooth(middles, closed=False)))


def _along_spine(text: str, ring: Sequence[Point], hand: Hand) -> Iterator[Choice]:
    spine = spine_of(ring)
    if spine is None:
        return
    usual = hand.style.spaced
    for offset, spaced, part in product((0.5, 0.1, 0.9), (usual + 0.16, usual), (0.5, 0.4, 0.6)):
        bent = along(
            text, hand, spine, part * spine.length, offset=offset * hand.high, spaced=spaced
        )
        if bent is not None:
            lettered, turning, steepness = bent
            cost = _ALONG + 0.006 * turning + 0.012 * steepness
            cost += abs(offset - 0.5) + abs(part - 0.5)
            yield lettered, cost + (0.2 if spaced == usual else 0.0)


def line_choices(text: str, track: MeasuredLine, width: float, hand: Hand) -> Iterator[Choice]:
    """Yields possible places for the name of a line, each with its cost.

    The name runs along the line, above, below or within it, or stands level beside it. `width` is
    that of the line.
    """
    if track.length and math.cos(track.at(track.length / 2)[1]) < 0:
        track = MeasuredLine.from_points(tuple(reversed(track.points)))
    up, down = hand.reach(text)
    away = width / 2 + hand.mm(_OFF_LINE)
    places = [(-away - down, 0.0), (away + up, _BELOW)]
    if width > up + down:
        places = [((up - down) / 2, 0.0), *((offset, cost + 1) for offset, cost in places)]
    spaced = hand.style.spaced + 0.05
    for part, (offset, cost) in product(_PARTS, places):
        bent = along(text, hand, track, part * track.length, offset=offset, spaced=spaced)
        if bent is not None:
            lettered, turning, steepness = bent
            bend = 0.012 * (turning + steepness)
            yield lettered, cost + 0.6 * abs(part - 0.5) + bend
    for part in (0.5, 0.25, 0.75, 0.1, 0.9):
        x, y = at = track.at(part * track.length)[0]
        box = (x - away / 2, y - away / 2, x + away / 2, y + away / 2)
        yield from _beside(text, Thing(box, at), hand, _BESIDE + _LEVEL, _AWAY[::2])


def point_choices(text: str, at: Point, reach: float, hand: Hand) -> Iterator[Choice]:
    """Yields places for a name beside a point, the right side preferred (after Imhof, 1962).

    Each has its cost. `reach` is how far the symbol extends around the point.
    """
    x, y = at
    box = (x - reach, y - reach, x + reach, y + reach)
    yield from _beside(text, Thing(box, at, hand.mm(_SHORT)), hand, 0.0)


def label_choices(text: str, at: Point, hand: Hand) -> Iterator[Choice]:
    """Yields possible places, with their costs, for a text at a point where no symbol is drawn.

    It is centred on the point, or a little off it.
    """
    for number, lines in enumerate(_splits(text)):
        wide, high = hand.block_size(lines)
        for right, down in product((0.0, -0.3, 0.3, -0.6, 0.6), (0.0, -1.0, 1.0, -2.0, 2.0)):
            centre = (at[0] + right * wide, at[1] + down * (high + 0.3 * hand.size))
            yield block(lines, centre, hand), 2 * abs(right) + abs(down) + number * _SPLIT


#: A plate stands so far off a line beside which it runs, whose edge is drawn; mm times the grain.
_OFF_LINE = 0.45


MOST_ROUNDS = 5
#: Of each name the cheapest that are free of what is fixed; and of those, how many it tries to
#: have cleared by moving so many names.
MOST_CANDIDATES, MOST_TRIED, MOST_MOVED = 80, 24, 2
#: How often names are moved in all, on a map of few names, and for each name on one of many.
_MOVES, _MOVES_EACH = 500, 4


#: A place for a name: what it takes of the map, and what is bad about it.
Candidate = tuple[Sequence[Quad], float]


def place(
    wanted: Sequence[Sequence[Candidate]],
    room: Box,
    fixed: Sequence[Quad] = (),
    *,
    weights: Sequence[float] = (),
) -> list[int | None]:
    """Chooses a place for each name; returns the index of one of its candidates, or None.

    It is None if no candidate is free. `room` is the box in which names must stand and `fixed` what
    none may cover. Names of larger `weights` are placed first; all weights are equal by default.
    """
    return _NameSearch(wanted, room, fixed, weights or [1.0] * len(wanted)).result()


class _NameSearch:
    """Searches for places: sets names one by one, and moves some to make room for others."""

    def __init__(
        self,
        wanted: Sequence[Sequence[Candidate]],
        room: Box,
        fixed: Sequence[Quad],
        weights: Sequence[float],
    ) -> None:
        self._weights = weights
        self._chosen: list[int | None] = [None] * len(wanted)
        self._moves = max(_MOVES, _MOVES_EACH * len(wanted))
        #: What names take of the map, by their numbers.
        self._taken: dict[int, list[Plate]] = {}
        #: Of each name the candidates that are free of what is fixed, from the cheapest on.
        self._free: list[dict[int, list[Plate]]] = []
        for candidates in wanted:
            quads = [quads for quads, _ in candidates]
            free = [number for number in clear_of(fixed, quads) if in_room(quads[number], room)]
            cheapest = sorted(free, key=lambda number: candidates[number][1])[:MOST_CANDIDATES]
            self._free.append(
                {
                    number: [Plate(quad, box_of(quad)) for quad in quads[number]]
                    for number in cheapest
                }
            )

    def result(self) -> list[int | None]:
        order = sorted(
            range(len(self._weights)),
            key=lambda name: (-self._weights[name], len(self._free[name]), name),
        )
        for name in order:
            self._settle(name)
        for _ in range(MOST_ROUNDS):
            moved = [name for name in order if self._better(name)]
            freed = [name for name in order if self._chosen[name] is None and self._make_room(name)]
            if not moved and not freed:
                break
        return self._chosen

    def _met(self, plates: Sequence[Plate]) -> set[int]:
        """Returns the numbers of the names on the map that overlap some plates.

        Stops looking as soon as there are more than `MOST_MOVED`.
        """
        found: set[int] = set()
        for name, there in self._taken.items():
            if any(plate.meets(taken) for plate in plates for taken in there):
                found.add(name)
                if len(found) > MOST_MOVED:
                    break
        return found

    def _put(self, name: int, number: int | None) -> None:
        """Puts a name at its candidate `number`, or removes it from the map if that is None."""
        self._chosen[name] = number
        self._taken.pop(name, None)
        if number is not None:
            self._taken[name] = self._free[name][number]

    def _settle(self, name: int) -> bool:
        """Puts a name at its cheapest free candidate; returns whether there is one."""
        for number, plates in self._free[name].items():
            if not self._met(plates):
                self._put(name, number)
                return True
        return False

    def _better(self, name: int) -> bool:
        """Moves a name to a candidate cheaper than its present one, if such a one has become free.

        Returns whether it has been moved.
        """
        for number, plates in self._free[name].items():
            if number == self._chosen[name]:
                return False
            if self._met(plates) <= {name}:
                self._put(name, number)
                return True
        return False

    def _make_room(self, name: int) -> bool:
        """Puts a name at one of its candidates by moving the names that are in its way.

        They may be at most `MOST_MOVED`, and none may have a greater weight. Returns whether that
        succeeded.
        """
        weight = self._weights[name]
        for number, plates in list(self._free[name].items())[:MOST_TRIED]:
            if self._moves == 0:
                return False
            met = sorted(self._met(plates))
            if len(met) > MOST_MOVED or any(self._weights[there] > weight for there in met):
                continue
            if self._moved_away(name, number, met):
                return True
        return False

    def _moved_away(self, name: int, number: int, met: Sequence[int]) -> bool:
        """Puts a name at its candidate `number`, and the names `met` there elsewhere.

        Returns whether that is possible; if not, all names are left where they were.
        """
        self._moves -= 1
        before = [(name, None), *((there, self._chosen[there]) for there in met)]
        for there in met:
            self._put(there, None)
        self._put(name, number)
        if all(self._settle(there) for there in met):
            return True
        for moved, _ in before:
            self._put(moved, None)
        for moved, where in before:
            self._put(moved, where)
        return False


def in_room(quads: Sequence[Quad], room: Box) -> bool:
    return all(in_box(quad, room) for quad in quads)


def _parted(first: Quad, second: Quad) -> bool:
    """Whether a line parallel to a side of the first of two quads separates them."""
    for (x1, y1), (x2, y2) in sides(first):
        across, down = y2 - y1, x1 - x2
        near = [x * across + y * down for x, y in first]
        far = [x * across + y * down for x, y in second]
        slack = 1e-9 * (abs(across) + abs(down))
        if max(near) <= min(far) + slack or max(far) <= min(near) + slack:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Plate:
    """A quad that a name covers on the map, and its bounding box."""

    quad: Quad
    box: Box

    def meets(self, other: Plate) -> bool:
        """Whether this plate and another overlap; plates that only touch do not."""
        one, two = self.box, other.box
        if one[0] >= two[2] or two[0] >= one[2] or one[1] >= two[3] or two[1] >= one[3]:
            return False
        return not (_parted(self.quad, other.quad) or _parted(other.quad, self.quad))
