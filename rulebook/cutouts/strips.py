"""What strips, wraps and sleeves are made of -> outlines, folds, ticks and words; and sleeves.

A strip lies along x. A wrap for a square rod is four faces below each other, with score lines
between them and a flap for glue below the last. A measuring sleeve is such a wrap, whose faces are
as wide as the rod and its clearance: an index arrow stands at the middle of each face, and about it
a scale of the steps by which the sleeve slides: plus to the right, which is away from the player.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
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
    arrow_up,
    centred_lines,
    rectangle,
)
from rulebook.model.cutouts.stick import Sleeve
from rulebook.quantities import MILLIMETRES, MINUS, LengthUnit, format_number
from rulebook.text_fitting import (
    CAP_HEIGHT,
    ELLIPSIS,
    LEADING,
    filled,
    fitted_line,
    shortened,
    text_width,
    wrapped,
)
from rulebook.translation import gettext

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
    return rectangle("cut", Fraction(0), Fraction(0), length, height)


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
    if size >= SMALLEST and text_width(gettext("glue"), size) < 0.5 * float(length):
        middle = float(FACES * face + flap(face) / 2) + CAP_HEIGHT * size / 2
        yield Label(gettext("glue"), float(length) / 2, middle, size)


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
    middle = (room.top + room.bottom) / 2
    yield from centred_lines(lines, (room.left + room.right) / 2, middle, size)


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


#: Type sizes, mm, and the part of a face that ticks and arrow take from its upper edge.
STEP_SIZE, WORD_SIZE, TITLE_SIZE = 3.2, 2.6, 2.4
ARROW, TICK = Fraction(3, 10), Fraction(1, 4)


def draw_sleeve(sleeve: Sleeve, imprint: str) -> Drawing:
    """The sleeve at true scale, laid flat; `use` stands on its sheet alone."""
    length, face = sleeve.length.mm, sleeve.face
    shapes: list[Shape] = [_middle_tint(sleeve)]
    for number in range(FACES):
        top = number * face
        shapes.append(arrow_up(length / 2, top, ARROW * face, ARROW * face))
        shapes += _scale(sleeve, top)
        shapes += _sides(sleeve, top)
        if number == 0:
            shapes += _sleeve_title(sleeve, imprint)
    shapes += wrap_outline(length, face)
    shapes += glue_words(length, face)
    told = gettext(
        "A sleeve %(length)s long for a rod %(rod)s square, its faces %(clearance)s wider",
        length=sleeve.length,
        rod=sleeve.rod,
        clearance=sleeve.clearance,
    )
    if sleeve.step:
        told += gettext(", with steps of %(length)s about its middle", length=sleeve.step)
    return Drawing(
        title=sleeve.title,
        description=told,
        width=length,
        height=FACES * face + flap(face),
        shapes=tuple(shapes),
        picture=_sleeve_picture(sleeve),
    )


def _sleeve_picture(sleeve: Sleeve) -> Drawing:
    """What a small picture shows: one face, with its arrow and its steps."""
    length, face = sleeve.length.mm, sleeve.face
    captions = []
    marks: list[Shape] = []
    for x, words in _steps(sleeve):
        marks.append(Polyline("engrave", ((x, Fraction(0)), (x, TICK * face)), closed=False))
        captions.append(Caption(words, "", x, face * 3 / 5, sleeve.step.mm if sleeve.step else 0))
    arrow = arrow_up(length / 2, Fraction(0), ARROW * face, ARROW * face)
    return Drawing(
        sleeve.title,
        gettext("One face of a sleeve %(length)s long", length=sleeve.length),
        length,
        face,
        (_middle_tint(sleeve), arrow, *marks, outline(length, face)),
        tuple(one for one in captions if 0 < one.x < length),
        (Measure("x", Fraction(0), length, str(sleeve.length), face),),
    )


def _steps(sleeve: Sleeve) -> Iterator[tuple[Fraction, str]]:
    """Where each step of the scale is along the sleeve, and its number with its sign."""
    if sleeve.step is None:
        return
    middle = sleeve.length.mm / 2
    for count in range(1, int(middle / sleeve.step.mm) + 1):
        yield middle + count * sleeve.step.mm, f"+{count}"
        yield middle - count * sleeve.step.mm, f"{MINUS}{count}"


def _middle_tint(sleeve: Sleeve) -> Tint:
    """The whole of the first face, so that it lies uppermost."""
    length, face, zero = sleeve.length.mm, sleeve.face, Fraction(0)
    return Tint(rectangle("engrave", zero, zero, length, face), 1)


def _scale(sleeve: Sleeve, top: Fraction) -> Iterator[Shape]:
    if sleeve.step is None:
        return
    length, tick = sleeve.length.mm, TICK * sleeve.face
    size = min(STEP_SIZE, 0.26 * float(sleeve.face))
    told = size >= SMALLEST and text_width(f"{MINUS}10", size) < sleeve.step.mm
    y = float(top + tick) + 1.05 * size
    for x, words in _steps(sleeve):
        inside = 0 < x < length
        if inside:
            yield Line("engrave", x, top, x, top + tick)
        if told and inside:
            yield Label(words, x, y, size, weight="bold")
        elif told:  # at the very ends the number stands inside the edge
            side: tuple[float, Anchor] = (0.8, "start") if x <= 0 else (float(x) - 0.8, "end")
            yield Label(words, side[0], y, size, anchor=side[1], weight="bold")


def _sides(sleeve: Sleeve, top: Fraction) -> Iterator[Shape]:
    """Where plus and minus lead, below the scale."""
    size = min(WORD_SIZE, 0.2 * float(sleeve.face))
    room = 0.46 * float(sleeve.length.mm)
    y = float(top + sleeve.face) - (1.9 + 1.0 * TITLE_SIZE if top == 0 else 2.2)
    middle = float(sleeve.length.mm) / 2
    sides: tuple[tuple[str | None, float, Anchor], ...] = (
        (f"\N{LEFTWARDS ARROW} {MINUS} {sleeve.towards}" if sleeve.towards else None,
         middle - 0.02 * float(sleeve.length.mm), "end"),
        (f"+ {sleeve.away} \N{RIGHTWARDS ARROW}" if sleeve.away else None,
         middle + 0.02 * float(sleeve.length.mm), "start"),
    )  # fmt: skip
    for words, x, anchor in sides:
        if words is None or size < SMALLEST:
            continue
        kept, small = fitted_line(words, room, most=size, least=SMALLEST)
        yield Label(kept, x, y, small, anchor=anchor)


def _sleeve_title(sleeve: Sleeve, imprint: str) -> Iterator[Shape]:
    words = f"{sleeve.title} · {imprint}" if imprint else sleeve.title
    room = 0.92 * float(sleeve.length.mm)
    kept, size = fitted_line(words, room, most=TITLE_SIZE, least=SMALLEST)
    if sleeve.face >= 8:
        yield Label(kept, float(sleeve.length.mm) / 2, float(sleeve.face) - 1.0, size)
