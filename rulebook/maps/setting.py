"""Words in a hand, at a place or along a line -> how they are set, and the quads they take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulebook.maps.elements import letters, words
from rulebook.maps.geometry import Box, Point, Track, box_of, sides
from rulebook.maps.look import CAP_HEIGHT, DESCENT, LEADING, Look, Style
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
        face, colour = hand.style.face, hand.look.dark(hand.style.colour)
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
    best = min(
        breaks,
        key=lambda at: max(len(" ".join(parts[:at])), len(" ".join(parts[at:]))),
    )
    return [" ".join(parts[:best]), " ".join(parts[best:])]


Quad = tuple[Point, Point, Point, Point]
Square = tuple[int, int]


def quad_of(box: Box) -> Quad:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def turned_quad(at: Point, box: Box, angle: float) -> Quad:
    """A box about a point, turned about it; the angle in degrees, clockwise where y runs down."""
    across, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    one, two, three, four = (
        (at[0] + x * across - y * down, at[1] + x * down + y * across) for x, y in quad_of(box)
    )
    return (one, two, three, four)


def _parted(one: Quad, other: Quad) -> bool:
    for (x1, y1), (x2, y2) in sides(one):
        across, down = y2 - y1, x1 - x2
        own = [x * across + y * down for x, y in one]
        others = [x * across + y * down for x, y in other]
        slack = 1e-9 * (abs(across) + abs(down))
        if max(own) <= min(others) + slack or max(others) <= min(own) + slack:
            return True
    return False


def in_box(quad: Quad, box: Box) -> bool:
    left, top, right, bottom = box_of(quad)
    return box[0] <= left and right <= box[2] and box[1] <= top and bottom <= box[3]


def holds(quad: Quad, point: Point) -> bool:
    """Whether a point lies in a quad or on its edge, whichever way round its corners go."""
    x, y = point
    x1, y1 = quad[-1]
    left = right = False
    for x2, y2 in quad:
        turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        left, right = left or turn < 0, right or turn > 0
        x1, y1 = x2, y2
    return not (left and right)


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
