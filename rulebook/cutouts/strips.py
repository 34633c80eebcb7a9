"""What flat strips, wraps and sleeves are made of -> outlines, folds, ticks and words in a room.

A strip lies along x. A wrap for a square rod is four faces below each other, with score lines
between them and a flap for glue below the last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction

from rulebook.drawing.shapes import Label, Line, Number, Polyline, Shape
from rulebook.quantities import MILLIMETRES, LengthUnit, format_number
from rulebook.text_fitting import (
    CAP_HEIGHT,
    ELLIPSIS,
    LEADING,
    filled,
    shortened,
    text_width,
    wrapped,
)

FACES = 4
#: The flap for glue is as wide as its face allows, and this wide at the most, in mm.
WIDEST_FLAP = Fraction(8)
#: Type sizes, mm: below the smallest nothing is set.
SMALLEST = 1.8
#: Ticks of the ruler: every length unit, every so many of them long and told.
LONG_TICK, SHORT_TICK, TICK_SIZE = Fraction(12, 5), Fraction(6, 5), 2.4


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle in which words may stand."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


def flap(face: Fraction) -> Fraction:
    """How wide the flap of a wrap with such faces is."""
    return min(WIDEST_FLAP, face * 3 / 4)


def outline(length: Number, height: Number) -> Polyline:
    """The cut line of a strip."""
    return Polyline(
        "cut",
        (
            (Fraction(0), Fraction(0)),
            (length, Fraction(0)),
            (length, height),
            (Fraction(0), height),
        ),
    )


def wrap_outline(length: Fraction, face: Fraction) -> Iterator[Shape]:
    """The cut line of a wrap, its flap with slanting ends, and the score lines between faces."""
    foot = FACES * face
    slant = min(flap(face), length / 8)
    bottom = foot + flap(face)
    zero = Fraction(0)
    yield Polyline(
        "cut",
        (
            (zero, zero),
            (length, zero),
            (length, foot),
            (length - slant, bottom),
            (slant, bottom),
            (zero, foot),
        ),
    )
    for number in range(1, FACES + 1):
        yield Line("score", zero, number * face, length, number * face)


def glue_words(length: Fraction, face: Fraction) -> Iterator[Shape]:
    size = min(2.6, 0.6 * float(flap(face)))
    if size >= SMALLEST and text_width("glue", size) < 0.5 * float(length):
        middle = float(FACES * face + flap(face) / 2) + CAP_HEIGHT * size / 2
        yield Label("glue", float(length) / 2, middle, size)


def ticks(
    length: Fraction,
    top: Fraction,
    unit: LengthUnit,
    *,
    told: bool,
    lines: Collection[Fraction] = (),
) -> Iterator[Shape]:
    """Ticks along the upper edge: inches and halves, or centimetres; `told`: with their numbers.

    Feet and yards are measured in inches. A number stands beside its tick where one of `lines`
    runs down from there.
    """
    inches = unit in ("in", "ft", "yd")
    step = MILLIMETRES["in"] / 2 if inches else MILLIMETRES["cm"]
    long_every, told_every = (2, 2) if inches else (5, 5)
    count = 1
    while (x := count * step) < length:
        tick = LONG_TICK if count % long_every == 0 else SHORT_TICK
        yield Line("engrave", x, top, x, top + tick)
        number = format_number(Fraction(count, 2) if inches else count)
        half = text_width(number, TICK_SIZE) / 2
        if told and count % told_every == 0 and half < x < float(length) - half:
            y = float(top + LONG_TICK) + 0.9 * TICK_SIZE
            if x in lines:
                yield Label(number, float(x) + 0.5, y, TICK_SIZE, anchor="start")
            else:
                yield Label(number, x, y, TICK_SIZE)
        count += 1


def tick_zone(*, told: bool) -> Fraction:
    """How far ticks and their numbers reach down from an edge."""
    return LONG_TICK + (Fraction(13, 5) if told else Fraction(2, 5))


def set_words(words: str, room: Room, most: float) -> Iterator[Label]:
    """Words in as many lines as the room takes, as large as that allows, centred in it."""
    lines, size = fitted(words, room, most)
    block = LEADING * size * (len(lines) - 1) + CAP_HEIGHT * size
    y = (room.top + room.bottom - block) / 2 + CAP_HEIGHT * size
    for line in lines:
        yield Label(line, (room.left + room.right) / 2, y, size)
        y += LEADING * size


def fitted(words: str, room: Room, most: float) -> tuple[list[str], float]:
    """The lines and their size; the last ends in an ellipsis where not all words have room."""
    if room.height < 0.9 * SMALLEST or room.width < 2 * SMALLEST:
        return [], SMALLEST
    lines, size = filled(words, room.width, room.height, most=min(most, room.height / 0.9))
    if size >= SMALLEST:
        return lines, size
    count = max(1, 1 + int((room.height - 0.9 * SMALLEST) / (LEADING * SMALLEST)))
    lines = wrapped(words, SMALLEST, room.width)
    if len(lines) > count:
        last = f"{lines[count - 1]} {lines[count]}"
        lines[count - 1 :] = [shortened(last, SMALLEST, room.width)]
    return [line for line in lines if line.strip(ELLIPSIS)], SMALLEST
