"""Words in a hand, at a place or along a line -> how they are set, and the quads they take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulebook.maps.elements import letters, words
from rulebook.maps.geometry import Point, Track
from rulebook.maps.letters import CAP_HEIGHT, DESCENT, LEADING, letter_width, text_width
from rulebook.maps.look import Look, Style
from rulebook.maps.quads import Quad, quad_of, turned_quad

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
        return text_width(self.shown(text), self.style.face, self.size, self.style.spaced)

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
    widths = [size * letter_width(letter, hand.style.face) for letter in shown]
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
