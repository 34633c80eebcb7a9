"""A thing and its name -> places where the name could stand -> where each stands, none covered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, product

from rulebook.maps.areas import area_of
from rulebook.maps.canvas import CAP_HEIGHT, DESCENT, LEADING, Look, letters, words
from rulebook.maps.features import Style
from rulebook.maps.geometry import (
    Box,
    Point,
    Quad,
    Ring,
    Track,
    between,
    box_of,
    centroid,
    distance,
    flattened,
    holds,
    in_box,
    is_inside,
    main_direction,
    quad_of,
    ribbon,
    sides,
    signed_area,
    smooth,
    turned,
    turned_quad,
)
from rulebook.text_fitting import text_width

#: Clear around a name, as a part of the size of its type.
_AROUND = 0.1
#: From letter to letter a name turns by no more than so many degrees.
_SHARPEST = 17.0
#: A letter on a line straight up is turned by 90 degrees; by much more it stands on its head.
_STEEPEST = 91.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A style of lettering as large as a map has it."""

    style: Style
    look: Look

    @property
    def size(self) -> float:
        return self.look.mm(self.style.size)

    @property
    def high(self) -> float:
        """The height of its capitals."""
        return CAP_HEIGHT * self.size

    @property
    def foot(self) -> float:
        """How far its letters reach below their line."""
        return DESCENT * self.size

    def mm(self, size: float) -> float:
        return self.look.mm(size)

    def shown(self, text: str) -> str:
        return text.upper() if self.style.capitals else text

    def width(self, text: str) -> float:
        return text_width(self.shown(text), self.size, self.style.face, spaced=self.style.spaced)

    def block_size(self, lines: Sequence[str]) -> tuple[float, float]:
        """Width and height of lines, from the capitals of the first to the last's baseline."""
        return max(map(self.width, lines)), LEADING * self.size * (len(lines) - 1) + self.high


@dataclass(frozen=True, slots=True)
class Lettered:
    """A name as it is set: words on lines, or letters each at a place of its own."""

    hand: Hand
    #: Words, and where their baseline starts.
    lines: tuple[tuple[str, Point], ...] = ()
    text: str = ""
    places: tuple[tuple[Point, float], ...] = ()
    quads: tuple[Quad, ...] = ()

    def drawn(self) -> str:
        hand = self.hand
        face, colour = hand.style.face, hand.look.colour(hand.style.colour)
        if self.places:
            return letters(self.text, self.places, hand.size, face=face, colour=colour)
        spaced = hand.style.spaced
        return "".join(
            words(text, at, hand.size, face=face, colour=colour, spaced=spaced)
            for text, at in self.lines
        )


def block(lines: Sequence[str], centre: Point, hand: Hand) -> Lettered:
    """Lines of words centred about a point."""
    size = hand.size
    _, high = hand.block_size(lines)
    around = _AROUND * size
    x, y = centre
    set_lines, quads = [], []
    for number, line in enumerate(lines):
        wide = hand.width(line)
        down = -high / 2 + hand.high + LEADING * size * number
        left, right, base = x - wide / 2, x + wide / 2, y + down
        set_lines.append((hand.shown(line), (left, base)))
        top, below = base - hand.high - around, base + hand.foot + around
        quads.append(quad_of((left - around, top, right + around, below)))
    return Lettered(hand, lines=tuple(set_lines), quads=tuple(quads))


@dataclass(frozen=True, slots=True)
class Bent:
    """A name along a line, and how it runs there: all its turning, and how steep it is."""

    lettered: Lettered
    turning: float
    steepness: float


@dataclass(frozen=True, slots=True)
class Run:
    """Where a name runs: its middle so far along a line, its baseline so far to the right of it.

    `spaced` is the room between its letters, as a part of their size.
    """

    track: Track
    middle: float
    offset: float
    spaced: float


def along(text: str, run: Run, hand: Hand) -> Bent | None:
    """A name set letter by letter along a line.

    None where the line is too short for it or bends too sharply, or it would stand on its head.
    """
    shown, size = hand.shown(text), hand.size
    widths = [text_width(letter, size, hand.style.face) for letter in shown]
    space = run.spaced * size
    long = sum(widths) + space * (len(shown) - 1)
    if run.middle < 0.45 * long or run.track.length - run.middle < 0.45 * long:
        return None
    base, middle = _baseline(run, long, size)
    way = middle - long / 2
    if way < 0 or middle + long / 2 > base.length:
        return None
    places, quads, angles = [], [], []
    around = _AROUND * size
    for width in widths:
        centre, angle = _leaning(base, way + width / 2, 0.6 * size)
        turn = math.radians(angle)
        at = (centre[0] - width / 2 * math.cos(turn), centre[1] - width / 2 * math.sin(turn))
        places.append((at, angle))
        angles.append(angle)
        half = (width + space) / 2 + around
        box = (-half, -hand.high - around, half, hand.foot + around)
        quads.append(turned_quad(centre, box, angle))
        way += width + space
    turns = [abs((after - before + 180) % 360 - 180) for before, after in pairwise(angles)]
    if any(turn > _SHARPEST for turn in turns) or any(abs(angle) > _STEEPEST for angle in angles):
        return None
    lettered = Lettered(hand, text=shown, places=tuple(places), quads=_merged(quads, angles))
    return Bent(lettered, sum(turns), sum(map(abs, angles)) / len(angles))


def _baseline(run: Run, long: float, size: float) -> tuple[Track, float]:
    """The line on which the letters stand, which inside a bend is shorter than the line beside it.

    And how far along it the middle is.
    """
    track, step = run.track, 0.4 * size
    first, last = run.middle - 0.8 * long, run.middle + 0.8 * long
    steps = (first + step * index for index in range(int((last - first) / step) + 1))
    ways = [way for way in steps if 0 <= way <= track.length]
    before = [way for way in ways if way < run.middle]
    points = [track.beside(way, run.offset) for way in (*before, run.middle)]
    whole = [*points, *(track.beside(way, run.offset) for way in ways[len(before) :])]
    return Track.of(whole), Track.of(points).length


def _leaning(base: Track, way: float, near: float) -> tuple[Point, float]:
    """A point of a line, and how it runs about there, in degrees."""
    before, after = (base.at(min(max(way + side, 0.0), base.length))[0] for side in (-near, near))
    angle = math.degrees(math.atan2(after[1] - before[1], after[0] - before[0]))
    return base.at(way)[0], angle


def _merged(quads: Sequence[Quad], angles: Sequence[float]) -> tuple[Quad, ...]:
    """Neighbours that run the same way as one quad: on a straight line the name is a single one."""
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
    """The words on two lines of about the same length; None for a single word."""
    parts = text.split()
    if len(parts) < 2:
        return None
    breaks = range(1, len(parts))
    best = min(breaks, key=lambda at: max(len(" ".join(parts[:at])), len(" ".join(parts[at:]))))
    return [" ".join(parts[:best]), " ".join(parts[best:])]


#: A name in a place and what the place costs.
Choice = tuple[Lettered, float]

#: The net of places that are tried inside an area, along each side of its box.
_NET = 7
#: Parts of the way along a line where its name is tried.
_PARTS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.14, 0.86)
_GAP = 0.7
#: Costs.
_SPLIT, _CROSSES_EDGE, _ALONG, _BESIDE, _BELOW, _LEVEL = 0.3, 2.5, 0.25, 3.2, 0.3, 2.0


def area_choices(text: str, ring: Sequence[Point], hand: Hand) -> Iterator[Choice]:
    """Inside, along, across the edge and beside an area."""
    left, top, right, bottom = box = box_of(ring)
    centre = anchor_of(tuple(ring))
    net = [
        (left + (right - left) * (i + 0.5) / _NET, top + (bottom - top) * (j + 0.5) / _NET)
        for i in range(_NET)
        for j in range(_NET)
    ]
    for number, lines in enumerate(_splits(text)):
        for at in (centre, *net):
            for lettered, cost in _inside(block(lines, at, hand), at, ring, centre):
                yield lettered, cost + number * _SPLIT
        yield from _around(lines, box, hand, _BESIDE + number * _SPLIT)
    yield from _along_spine(text, ring, hand)


def _splits(text: str) -> list[list[str]]:
    split = two_lines(text)
    return [[text], split] if split else [[text]]


@lru_cache(maxsize=1024)
def anchor_of(ring: tuple[Point, ...]) -> Point:
    """A point well inside: the centre of gravity, or the one farthest in."""
    area, centre = area_of(ring), centroid(ring)
    return centre if area.depths([centre])[0] > 0.6 * area.deepest else area.deepest_point


def _inside(
    lettered: Lettered, at: Point, ring: Sequence[Point], centre: Point
) -> Iterator[Choice]:
    """A name inside an area, the nearer its middle the better; out of it if it must be."""
    if not is_inside(at, [ring]):
        return
    left, top, right, bottom = box_of(ring)
    cost = 1.6 * math.dist(at, centre) / (math.hypot(right - left, bottom - top) or 1.0)
    corners = [corner for quad in lettered.quads for corner in quad]
    out = sum(not is_inside(corner, [ring]) for corner in corners)
    if out:
        cost += _CROSSES_EDGE * (0.4 + out / len(corners))
    yield lettered, cost


def _around(lines: Sequence[str], box: Box, hand: Hand, more: float = 0.0) -> Iterator[Choice]:
    """Places beside a box: right and left first, then above and below, then the corners."""
    left, top, right, bottom = box
    wide, high = hand.block_size(lines)
    gap = hand.mm(_GAP)
    x, y = (left + right) / 2, (top + bottom) / 2
    foot = hand.foot
    near = (right + gap + wide / 2, left - gap - wide / 2)
    over, under = top - gap - foot - high / 2, bottom + gap + high / 2
    places = [((near[0], y), 0.0), ((near[1], y), 0.15), ((x, over), 0.2), ((x, under), 0.3)]
    places += [((near[0], over), 0.5), ((near[0], under), 0.55)]
    places += [((near[1], over), 0.6), ((near[1], under), 0.65)]
    for part in (-0.5, -0.25, 0.25, 0.5):
        places += [((x + part * wide, over), 0.5), ((x + part * wide, under), 0.55)]
        places += [((near[0], y + part * (bottom - top)), 0.4)]
        places += [((near[1], y + part * (bottom - top)), 0.45)]
    for place, cost in places:
        yield block(lines, place, hand), cost + more


def spine_of(ring: Sequence[Point]) -> Track | None:
    """A line down the length of an area, from the left to the right; None for one that is round."""
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
        first, last = max(pairs, key=lambda one: one[1] - one[0])
        middles += turned([(x, (first + last) / 2)], turn)
    if middles[-1][0] < middles[0][0]:
        middles.reverse()
    return Track.of(flattened(smooth(middles, closed=False)))


def _along_spine(text: str, ring: Sequence[Point], hand: Hand) -> Iterator[Choice]:
    spine = spine_of(ring)
    if spine is None:
        return
    usual = hand.style.spaced
    for offset, spaced, part in product((0.5, 0.1, 0.9), (usual + 0.16, usual), (0.5, 0.4, 0.6)):
        bent = along(text, Run(spine, part * spine.length, offset * hand.high, spaced), hand)
        if bent is None:
            continue
        corners = [corner for quad in bent.lettered.quads for corner in quad]
        out = sum(not is_inside(corner, [ring]) for corner in corners) / len(corners)
        cost = _ALONG + 0.006 * bent.turning + 0.012 * bent.steepness
        cost += _CROSSES_EDGE * out + abs(offset - 0.5) + abs(part - 0.5)
        yield bent.lettered, cost + (0.2 if spaced == usual else 0.0)


def line_choices(text: str, track: Track, width: float, hand: Hand) -> Iterator[Choice]:
    """Along a line, above, below or within it; level beside it where it is too short."""
    if track.length and math.cos(track.at(track.length / 2)[1]) < 0:
        track = Track.of(tuple(reversed(track.points)))
    away = width / 2 + hand.mm(0.6)
    places = [(-away - 0.6 * hand.foot, 0.0), (away + hand.high, _BELOW)]
    if width > 1.3 * hand.size:
        places = [(hand.high / 2, 0.0), *((offset, cost + 1) for offset, cost in places)]
    spaced = hand.style.spaced + 0.05
    for part, (offset, cost) in product(_PARTS, places):
        bent = along(text, Run(track, part * track.length, offset, spaced), hand)
        if bent is not None:
            bend = 0.012 * (bent.turning + bent.steepness)
            yield bent.lettered, cost + 0.6 * abs(part - 0.5) + bend
    for part in (0.5, 0.25, 0.75):
        (x, y), _ = track.at(part * track.length)
        half = away / 2
        box = (x - half, y - half, x + half, y + half)
        for number, lines in enumerate(_splits(text)):
            yield from _around(lines, box, hand, _BESIDE + _LEVEL + number * _SPLIT)


def point_choices(text: str, at: Point, reach: float, hand: Hand) -> Iterator[Choice]:
    """Beside a point and its symbol, the right preferred (after Imhof, 1962)."""
    x, y = at
    box = (x - reach, y - reach, x + reach, y + reach)
    for number, lines in enumerate(_splits(text)):
        yield from _around(lines, box, hand, number * _SPLIT)


def label_choices(text: str, at: Point, hand: Hand) -> Iterator[Choice]:
    """Words without a thing: at their point, or a little off it."""
    for number, lines in enumerate(_splits(text)):
        wide, high = hand.block_size(lines)
        for right, down in product((0.0, -0.3, 0.3, -0.6, 0.6), (0.0, -1.0, 1.0, -2.0, 2.0)):
            centre = (at[0] + right * wide, at[1] + down * (high + 0.3 * hand.size))
            yield block(lines, centre, hand), 2 * abs(right) + abs(down) + number * _SPLIT


def beside_quad(lines: Sequence[str], quad: Quad, hand: Hand) -> Iterator[Choice]:
    """Beside an arrow or the like, near or a little off; lines joined if they must be."""
    left, top, right, bottom = box_of(quad)
    for away in (0.0, 1.5, 3.5, 6.0):
        more = hand.mm(away)
        box = (left - more, top - more, right + more, bottom + more)
        yield from _around(lines, box, hand, 0.35 * away)
        if len(lines) > 1:
            yield from _around([" ".join(lines)], box, hand, 0.35 * away + 0.8)


Square = tuple[int, int]
MOST_ROUNDS = 5
#: Of each name the cheapest that are free of what is fixed; and of those, how many it tries to
#: have cleared by moving so many others.
MOST_CANDIDATES, MOST_TRIED, MOST_MOVED = 80, 24, 2
#: How often others are moved in all, on a map of few names, and for each name on one of many.
_MOVES, _MOVES_EACH = 500, 4
_FIXED = -1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place for a name: what it takes of the map, and what is bad about it."""

    quads: tuple[Quad, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """A name by its candidates; the heavier is placed first."""

    candidates: tuple[Candidate, ...]
    weight: float = 1.0


def place(
    wanted: Sequence[Wanted], room: Box, fixed: Sequence[Quad] = (), *, mesh: float = 8.0
) -> list[int | None]:
    """For each name the number of its candidate, or None.

    `fixed` is what no name may cover; `mesh` is about the size of a name and matters for speed
    alone.
    """
    return _Placing(wanted, room, fixed, mesh).result()


class _Placing:
    def __init__(
        self, wanted: Sequence[Wanted], room: Box, fixed: Sequence[Quad], mesh: float
    ) -> None:
        self._wanted = wanted
        self._taken = PlateIndex(mesh)
        self._taken.add(_FIXED, map(Plate.of, fixed))
        self._chosen: list[int | None] = [None] * len(wanted)
        self._moves = max(_MOVES, _MOVES_EACH * len(wanted))
        self._plates: list[dict[int, tuple[Plate, ...]]] = []
        self._open: list[list[int]] = []
        for one in wanted:
            plates = {
                number: tuple(map(Plate.of, candidate.quads))
                for number, candidate in enumerate(one.candidates)
                if all(in_box(quad, room) for quad in candidate.quads)
            }
            costs = [candidate.cost for candidate in one.candidates]
            free = [number for number, there in plates.items() if self._taken.is_free(there)]
            self._open.append(sorted(free, key=costs.__getitem__)[:MOST_CANDIDATES])
            self._plates.append(plates)

    def result(self) -> list[int | None]:
        order = sorted(
            range(len(self._wanted)),
            key=lambda name: (-self._wanted[name].weight, len(self._open[name]), name),
        )
        for name in order:
            self._settle(name)
        for _ in range(MOST_ROUNDS):
            moved = [name for name in order if self._better(name)]
            freed = [name for name in order if self._chosen[name] is None and self._make_room(name)]
            if not moved and not freed:
                break
        return self._chosen

    def _put(self, name: int, number: int) -> None:
        self._chosen[name] = number
        self._taken.add(name, self._plates[name][number])

    def _lift(self, name: int) -> int | None:
        number = self._chosen[name]
        if number is not None:
            self._taken.remove(name, self._plates[name][number])
            self._chosen[name] = None
        return number

    def _settle(self, name: int) -> bool:
        """Puts a name to its cheapest candidate that is free."""
        for number in self._open[name]:
            if self._taken.is_free(self._plates[name][number]):
                self._put(name, number)
                return True
        return False

    def _better(self, name: int) -> bool:
        """Moves a name to a cheaper candidate than it has, if one has become free."""
        for number in self._open[name]:
            if number == self._chosen[name]:
                return False
            if self._taken.is_free(self._plates[name][number], but=name):
                self._lift(name)
                self._put(name, number)
                return True
        return False

    def _make_room(self, name: int) -> bool:
        weight = self._wanted[name].weight
        for number in self._open[name][:MOST_TRIED]:
            if self._moves == 0:
                return False
            others = sorted(self._taken.met(self._plates[name][number], MOST_MOVED))
            if len(others) > MOST_MOVED or any(self._wanted[o].weight > weight for o in others):
                continue
            if self._moved_away(name, number, others):
                return True
        return False

    def _moved_away(self, name: int, number: int, others: Sequence[int]) -> bool:
        """Puts a name to a candidate and those that are there elsewhere, or all as it was."""
        self._moves -= 1
        before = [(other, self._lift(other)) for other in others]
        self._put(name, number)
        if all(self._settle(other) for other in others):
            return True
        for other in (name, *others):
            self._lift(other)
        for other, where in before:
            if where is not None:
                self._put(other, where)
        return False


def _parted(one: Quad, other: Quad) -> bool:
    for (x1, y1), (x2, y2) in sides(one):
        across, down = y2 - y1, x1 - x2
        own = [x * across + y * down for x, y in one]
        others = [x * across + y * down for x, y in other]
        slack = 1e-9 * (abs(across) + abs(down))
        if max(own) <= min(others) + slack or max(others) <= min(own) + slack:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Plate:
    """A quad with what is asked of it again and again: its box, and whether it is that box."""

    quad: Quad
    box: Box
    upright: bool

    @classmethod
    def of(cls, quad: Quad) -> Plate:
        box = box_of(quad)
        return cls(quad, box, quad == quad_of(box))

    def meets(self, other: Plate) -> bool:
        """Whether two of them overlap; those that only touch do not."""
        one, two = self.box, other.box
        if one[0] >= two[2] or two[0] >= one[2] or one[1] >= two[3] or two[1] >= one[3]:
            return False
        if self.upright and other.upright:
            return True
        return not (_parted(self.quad, other.quad) or _parted(other.quad, self.quad))


class PlateIndex:
    """Plates by the squares of a net that they reach into, each with the number of its owner."""

    def __init__(self, mesh: float) -> None:
        self._mesh = mesh
        self._squares: dict[Square, dict[int, list[Plate]]] = {}

    def _reached(self, plate: Plate) -> list[Square]:
        left, top, right, bottom = (math.floor(edge / self._mesh) for edge in plate.box)
        return [
            (column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)
        ]

    def add(self, owner: int, plates: Iterable[Plate]) -> None:
        for plate in plates:
            for square in self._reached(plate):
                self._squares.setdefault(square, {}).setdefault(owner, []).append(plate)

    def remove(self, owner: int, plates: Iterable[Plate]) -> None:
        for plate in plates:
            for square in self._reached(plate):
                self._squares[square].pop(owner, None)

    def _near(self, plates: Iterable[Plate]) -> Iterator[tuple[int, Plate, Plate]]:
        """All that shares a square with some plates, with its owner."""
        for plate in plates:
            for square in self._reached(plate):
                for owner, there in self._squares.get(square, {}).items():
                    for other in there:
                        yield owner, plate, other

    def is_free(self, plates: Iterable[Plate], but: int | None = None) -> bool:
        """Whether nothing is met, or only what one owner has."""
        return not any(
            owner != but and plate.meets(other) for owner, plate, other in self._near(plates)
        )

    def met(self, plates: Iterable[Plate], most: int) -> set[int]:
        """The owners of all that some plates overlap; no more are looked for than one too many."""
        found: set[int] = set()
        for owner, plate, other in self._near(plates):
            if owner not in found and plate.meets(other):
                found.add(owner)
                if len(found) > most:
                    break
        return found


class Darkness:
    """How much is drawn in each square of a net, from 0 up: lines, and the ground of areas.

    The net begins at (0, 0); all is drawn before the first is asked.
    """

    def __init__(self, mesh: float, width: float, height: float) -> None:
        self.mesh = mesh
        self.columns, self.rows = (math.ceil(side / mesh) for side in (width, height))
        self._lines: dict[Square, float] = {}
        self._areas: dict[Square, float] = {}

    def _squares(self, left: float, top: float, right: float, bottom: float) -> Iterator[Square]:
        mesh = self.mesh
        for column in range(math.floor(left / mesh), math.floor(right / mesh) + 1):
            for row in range(math.floor(top / mesh), math.floor(bottom / mesh) + 1):
                yield column, row

    def add_line(self, points: Sequence[Point], weight: float, width: float = 0.0) -> None:
        # no square that the line only grazes: names run along lines
        wide = width - self.mesh
        for one, other in pairwise(points):
            if wide > 2 * self.mesh:
                strip = ribbon(Track.of((one, other)), [wide, wide]) if one != other else []
                self._darken(self._lines, self._filled(strip), weight)
                continue
            steps = max(1, math.ceil(distance(one, other) / (self.mesh / 2)))
            reach = max(0.0, wide / 2)
            for step in range(steps + 1):
                x, y = between(one, other, step / steps)
                reached = self._squares(x - reach, y - reach, x + reach, y + reach)
                self._darken(self._lines, reached, weight)

    def add_area(self, ring: Ring, weight: float) -> None:
        self._darken(self._areas, self._filled(ring), weight)

    def _filled(self, ring: Ring) -> Iterator[Square]:
        """The squares of the net whose middles are in a ring, row by row."""
        crossed: dict[int, list[float]] = {}
        for (x1, y1), (x2, y2) in sides(ring):
            low, high = sorted((y1, y2))
            first = max(0, math.ceil(low / self.mesh - 0.5))
            for row in range(first, min(self.rows, math.ceil(high / self.mesh - 0.5))):
                y = (row + 0.5) * self.mesh
                crossed.setdefault(row, []).append(x1 + (y - y1) / (y2 - y1) * (x2 - x1))
        for row, xs in crossed.items():
            xs.sort()
            for left, right in zip(xs[::2], xs[1::2], strict=False):
                start = max(0, math.ceil(left / self.mesh - 0.5))
                end = min(self.columns, math.ceil(right / self.mesh - 0.5))
                yield from ((column, row) for column in range(start, end))

    @staticmethod
    def _darken(net: dict[Square, float], squares: Iterable[Square], weight: float) -> None:
        for square in squares:
            net[square] = max(net.get(square, 0.0), weight)

    def _middle(self, square: Square) -> Point:
        return (square[0] + 0.5) * self.mesh, (square[1] + 0.5) * self.mesh

    def under(self, quads: Iterable[Quad]) -> tuple[float, float]:
        """Under some quads, the darkness of lines added up, and the mean of that of areas."""
        lines = areas = size = 0.0
        for quad in quads:
            left, top, right, bottom = box = box_of(quad)
            if quad == quad_of(box):
                lines += self._sum(self._sums[0], box)
                areas += self._sum(self._sums[1], box)
                size += (right - left) * (bottom - top)
                continue
            for square in self._squares(*box):
                line, area = self._lines.get(square), self._areas.get(square)
                if (line or area) and holds(quad, self._middle(square)):
                    lines += line or 0.0
                    areas += area or 0.0
            size += abs(signed_area(quad))
        return lines, areas * self.mesh**2 / size if size else 0.0

    @cached_property
    def _sums(self) -> tuple[list[list[float]], list[list[float]]]:
        """For lines and for areas, what lies above and left of each corner of the net."""
        return self._summed(self._lines), self._summed(self._areas)

    def _summed(self, squares: Mapping[Square, float]) -> list[list[float]]:
        table = [[0.0] * (self.columns + 1)]
        for row in range(self.rows):
            line, gone = [0.0], 0.0
            for column in range(self.columns):
                gone += squares.get((column, row), 0.0)
                line.append(table[-1][column + 1] + gone)
            table.append(line)
        return table

    def _sum(self, table: list[list[float]], box: Box) -> float:
        """All squares whose middles are in a box."""
        left, top, right, bottom = (math.floor(edge / self.mesh + 0.5) for edge in box)
        left, right = (min(max(edge, 0), self.columns) for edge in (left, right))
        top, bottom = (min(max(edge, 0), self.rows) for edge in (top, bottom))
        return table[bottom][right] - table[top][right] - table[bottom][left] + table[top][left]
