"""A stick with marks, or a sleeve -> its drawing: a flat strip, a wrap for a square rod, a tube."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from rulebook import text_fitting
from rulebook.drawing.elements import Anchor, Line, Number
from rulebook.drawing.shapes import (
    Caption,
    Drawing,
    Label,
    Measure,
    Rectangle,
    Shape,
    Unset,
    arrow_up,
    bounds,
    centred_lines,
    polygon,
    rectangle,
)
from rulebook.drawing.small_pictures import MOST_LINES, SMALL
from rulebook.model.sticks import WIDTH, Colour, Mark, Sleeve, Stick
from rulebook.quantities import MILLIMETRES, MINUS, Length, LengthUnit, format_number, format_value
from rulebook.translation import gettext, gettext_noop

ZERO = Fraction(0)
FACES = 4
#: The flap for glue is as wide as its face allows, and this wide at the most, in mm.
WIDEST_FLAP = Fraction(8)
#: Type sizes, mm: below the smallest nothing is set.
SMALLEST = text_fitting.SIX_POINTS
#: Ticks of the ruler: every length unit, every so many of them long and numbered.
LONG_TICK, SHORT_TICK, TICK_SIZE = Fraction(12, 5), Fraction(6, 5), 2.4


def flap(face: Fraction) -> Fraction:
    """Returns the width of the glue flap of a wrap, by the width of its faces."""
    return min(WIDEST_FLAP, face * 3 / 4)


def wrap(length: Fraction, face: Fraction) -> Iterator[Shape]:
    """Draws the lines of a wrap: its cut line with the glue flap, and score lines between faces.

    The word "glue" is set on the flap if there is room.
    """
    foot = FACES * face
    slant = min(flap(face), length / 8)
    bottom = foot + flap(face)
    flap_corners = (length - slant, bottom), (slant, bottom), (ZERO, foot)
    yield polygon("cut", (ZERO, ZERO), (length, ZERO), (length, foot), *flap_corners)
    for number in range(1, FACES + 1):
        yield Line("score", ZERO, number * face, length, number * face)
    size = min(2.6, 0.6 * float(flap(face)))
    if size >= SMALLEST and text_fitting.text_width(gettext("glue"), size) < 0.5 * float(length):
        middle = float(FACES * face + flap(face) / 2) + text_fitting.CAP_HEIGHT * size / 2
        yield Label(gettext("glue"), float(length) / 2, middle, size)


def ticks(
    length: Fraction,
    top: Fraction,
    unit: LengthUnit,
    *,
    numbered: bool,
    lines: Collection[Number] = (),
) -> Iterator[Shape]:
    """Draws ticks down from the edge at y `top`: half inches, or centimetres, by the unit.

    Feet and yards are measured in inches. If `numbered`, whole inches or every fifth centimetre
    have numbers; a number stands beside its tick where one of `lines` runs down from there.
    """
    inches = unit in ("in", "ft", "yd")
    step = MILLIMETRES["in"] / 2 if inches else MILLIMETRES["cm"]
    long_every, numbered_every = (2, 2) if inches else (5, 5)
    for count in range(1, math.ceil(length / step)):
        x = count * step
        tick = LONG_TICK if count % long_every == 0 else SHORT_TICK
        yield Line("engrave", x, top, x, top + tick)
        number = format_number(Fraction(count, 2) if inches else count)
        half = text_fitting.text_width(number, TICK_SIZE) / 2
        if numbered and count % numbered_every == 0 and half < x < float(length) - half:
            y = float(top + LONG_TICK) + 0.9 * TICK_SIZE
            if x in lines:
                yield Label(number, float(x) + 0.5, y, TICK_SIZE, anchor="start")
            else:
                yield Label(number, x, y, TICK_SIZE)


def tick_zone(*, numbered: bool) -> Fraction:
    """Returns how far ticks, and their numbers if they have any, reach down from an edge."""
    return LONG_TICK + (Fraction(13, 5) if numbered else Fraction(2, 5))


def set_words(words: str, room: Rectangle[float], most: float) -> Iterator[Label]:
    """Yields labels for a text, centred in a rectangle and broken so that it is as large as fits.

    `most` is its largest size. Yields nothing if it would be too small to read.
    """
    lines, size = fitted(words, room, most)
    middle = (room.top + room.bottom) / 2
    yield from centred_lines(lines, (room.left + room.right) / 2, middle, size)


def fitted(words: str, room: Rectangle[float], most: float) -> tuple[list[str], float]:
    """Breaks text into lines that fill a rectangle; returns them and their size.

    The size is at most `most`. Returns no lines if the text would be too small to read.
    """
    if room.height < 0.7 * SMALLEST or room.width < SMALLEST or not words:
        return [], SMALLEST
    lines, size = text_fitting.filled(
        words, room.width, room.height, most=min(most, room.height / 0.9)
    )
    return (lines, size) if size >= SMALLEST else ([], SMALLEST)


#: Type sizes, mm, and the part of a face that ticks and arrow take from its upper edge.
STEP_SIZE, WORD_SIZE, SLEEVE_TITLE_SIZE = 3.2, 2.6, 2.4
ARROW, TICK = Fraction(3, 10), Fraction(1, 4)


def draw_sleeve(sleeve: Sleeve, imprint: str) -> Drawing:
    """Draws a sleeve at true scale, laid flat, with title and imprint on one face."""
    length, face = sleeve.length.mm, sleeve.face
    shapes: list[Shape] = [_middle_tint(sleeve)]
    for number in range(FACES):
        top = number * face
        shapes.append(arrow_up(length / 2, top, ARROW * face, ARROW * face))
        shapes += _scale(sleeve, top)
        shapes += _sides(sleeve, top)
        if number == 0:
            shapes += _sleeve_title(sleeve, imprint)
    shapes += wrap(length, face)
    description = gettext(
        "A sleeve %(length)s long for a rod %(rod)s square, its faces %(clearance)s wider",
        length=sleeve.length,
        rod=sleeve.rod,
        clearance=sleeve.clearance,
    )
    if sleeve.step:
        description += gettext(", with steps of %(length)s about its middle", length=sleeve.step)
    return Drawing(
        title=sleeve.title,
        description=description,
        width=length,
        height=FACES * face + flap(face),
        shapes=tuple(shapes),
        picture=_sleeve_picture(sleeve),
    )


def _sleeve_picture(sleeve: Sleeve) -> Drawing:
    """Draws what small pictures show of a sleeve: one face, with its arrow and its steps."""
    length, face = sleeve.length.mm, sleeve.face
    steps, room = [*_steps(sleeve)], sleeve.step.mm if sleeve.step else 0
    marks = (polygon("engrave", (x, ZERO), (x, TICK * face), closed=False) for x, _ in steps)
    captions = (Caption(words, "", x, face * 3 / 5, room) for x, words in steps if 0 < x < length)
    arrow = arrow_up(length / 2, ZERO, ARROW * face, ARROW * face)
    return Drawing(
        sleeve.title,
        gettext("One face of a sleeve %(length)s long", length=sleeve.length),
        length,
        face,
        (_middle_tint(sleeve), arrow, *marks, rectangle("cut", ZERO, ZERO, length, face)),
        tuple(captions),
        (Measure("x", ZERO, length, str(sleeve.length), face),),
    )


def _steps(sleeve: Sleeve) -> Iterator[tuple[Fraction, str]]:
    """Yields the steps of the scale: distance from the left end, and the number with its sign."""
    if sleeve.step is None:
        return
    middle = sleeve.length.mm / 2
    for count in range(1, int(middle / sleeve.step.mm) + 1):
        yield middle + count * sleeve.step.mm, f"+{count}"
        yield middle - count * sleeve.step.mm, f"{MINUS}{count}"


def _middle_tint(sleeve: Sleeve) -> Shape:
    """Returns a tint for the first face of a sleeve, which shows that this face lies uppermost."""
    return rectangle("tint", ZERO, ZERO, sleeve.length.mm, sleeve.face, fill=1)


def _scale(sleeve: Sleeve, top: Fraction) -> Iterator[Shape]:
    """Draws the ticks and numbers of the steps on the face at y `top`."""
    if sleeve.step is None:
        return
    length, tick = sleeve.length.mm, TICK * sleeve.face
    size = min(STEP_SIZE, 0.26 * float(sleeve.face))
    has_numbers = size >= SMALLEST and text_fitting.text_width(f"{MINUS}10", size) < sleeve.step.mm
    y = float(top + tick) + 1.05 * size
    for x, words in _steps(sleeve):
        inside = 0 < x < length
        if inside:
            yield Line("engrave", x, top, x, top + tick)
        if has_numbers and inside:
            yield Label(words, x, y, size, weight="bold")
        elif has_numbers:  # at the very ends the number stands inside the edge
            side: tuple[float, Anchor] = (0.8, "start") if x <= 0 else (float(x) - 0.8, "end")
            yield Label(words, side[0], y, size, anchor=side[1], weight="bold")


def _sides(sleeve: Sleeve, top: Fraction) -> Iterator[Shape]:
    """Yields the words at both ends of a face: what a shift to minus and to plus leads to.

    `top` is the y of the face. Words that are not given or do not fit are left out.
    """
    size = min(WORD_SIZE, 0.2 * float(sleeve.face))
    room = 0.46 * float(sleeve.length.mm)
    y = float(top + sleeve.face) - (1.9 + 1.0 * SLEEVE_TITLE_SIZE if top == 0 else 2.2)
    middle = float(sleeve.length.mm) / 2
    off = 0.02 * float(sleeve.length.mm)
    sides: tuple[tuple[str | None, str, float, Anchor], ...] = (
        (sleeve.towards, f"\N{LEFTWARDS ARROW} {MINUS} {sleeve.towards}", middle - off, "end"),
        (sleeve.away, f"+ {sleeve.away} \N{RIGHTWARDS ARROW}", middle + off, "start"),
    )
    for given, words, x, anchor in sides:
        kept, small = text_fitting.first_that_fits([words], room, most=size)
        if given and kept:
            yield Label(kept, x, y, small, anchor=anchor)


def _sleeve_title(sleeve: Sleeve, imprint: str) -> Iterator[Shape]:
    """Yields a label with title and imprint, or the title alone, at the foot of the first face."""
    words = [f"{sleeve.title} · {imprint}" if imprint else sleeve.title, sleeve.title]
    room = 0.92 * float(sleeve.length.mm)
    kept, size = text_fitting.first_that_fits(words, room, most=SLEEVE_TITLE_SIZE)
    if kept and sleeve.face >= 8:
        yield Label(kept, float(sleeve.length.mm) / 2, float(sleeve.face) - 1.0, size)


#: Light enough for black type; black alone has a white plate under its words, and is no deeper than
#: lets black lines and registration marks be seen on it.
PAINTS = {
    gettext_noop("black"): "#5c5c5c",
    gettext_noop("white"): "#ffffff",
    gettext_noop("yellow"): "#f4d84e",
    gettext_noop("green"): "#86bd7c",
    gettext_noop("red"): "#e58f86",
    gettext_noop("blue"): "#93b6e0",
    gettext_noop("brown"): "#c9a77c",
    gettext_noop("grey"): "#b9bec3",
}
PLATE = "#ffffff"
#: Paints on which black words cannot be read.
DARK = frozenset({"black"})


def colour_letters(colours: Iterable[str]) -> dict[str, str]:
    """Returns for each colour the fewest first letters that distinguish it: B, W; Bla, Blu."""
    listed = sorted(set(colours))
    found: dict[str, str] = {}
    for colour in listed:
        others = [other for other in listed if other != colour]
        count = 1
        while count < len(colour) and any(other.startswith(colour[:count]) for other in others):
            count += 1
        found[colour] = colour[:count].capitalize()
    return found


#: Type sizes, mm.
LARGEST_MAIN, LARGEST_NAME, END_SIZE, TITLE_SIZE = 9.0, 5.0, 2.6, 2.6
#: The edge of a face that has the ends of bands and the title; narrower faces have none.
FOOT, LEAST_FACE = Fraction(16, 5), Fraction(10)
#: Faces lower than this have ticks without numbers.
LEAST_TOLD = Fraction(9)
#: The small picture: how much longer than high, how long on the sheet (mm), lines of its ruler.
PICTURE_SHAPE = 7
PICTURE_LENGTH = 56
MOST_LEVELS = 3
#: Bands in the words for those who cannot see the picture.
MOST_TOLD = 24
#: A name stands across its band where the band is shorter than this part of its height.
UPRIGHT = 0.9
LARGEST_UPRIGHT = 3.2
#: The least room beside a stick in a small picture for the names of its bands, mm.
LEAST_BESIDE = 6.0


@dataclass(frozen=True, slots=True)
class StickBand:
    """A stretch of a stick from one mark to the next, in mm from its first end.

    Without a mark it is the rest of the stick after the last mark.
    """

    mark: Mark | None
    start: Number
    end: Number
    letter: str

    @property
    def main(self) -> str:
        """The large words of a band: the letter of its colour, its score, or both."""
        if self.mark is None or self.mark.target is None:
            return self.letter
        return f"{self.letter} {format_value(self.mark.target)}".strip()

    @property
    def name(self) -> str:
        return self.mark.name if self.mark else ""

    @property
    def colour(self) -> Colour | None:
        return self.mark.colour if self.mark else None

    @property
    def length(self) -> str:
        """The length at which the band ends, as text; empty if it does not end at a mark."""
        return str(self.mark.to) if self.mark else ""


@dataclass(frozen=True, slots=True)
class _StickSide:
    """One side of a stick: the whole of a flat strip, or one of the four faces of a wrap."""

    top: Fraction
    height: Fraction
    ticks: bool
    worded: bool = True

    @property
    def numbered(self) -> bool:
        return self.height >= LEAST_TOLD

    @property
    def footed(self) -> bool:
        """Whether this side has small words along its lower edge: it is worded and high enough."""
        return self.worded and self.height >= LEAST_FACE

    @property
    def head(self) -> Fraction:
        """The y at which the coloured part begins, below the ticks."""
        return self.top + (
            min(tick_zone(numbered=self.numbered), self.height / 2) if self.ticks else 0
        )

    @property
    def foot(self) -> Fraction:
        """The y at which the coloured part ends, above the small words."""
        return self.top + self.height - (FOOT if self.footed else 0)


def draw_stick(stick: Stick, imprint: str) -> Drawing:
    """Draws a stick at true scale, with its marks and title; `imprint` names ruleset and edition.

    Raises ValueError if the marks have not been taken from their table yet.
    """
    reach, bands = _reach(stick), _bands(stick)
    length = reach.mm
    face = stick.rod.mm if stick.rod else (stick.width or WIDTH).mm
    count = FACES if stick.rod else 1
    folds = _folds(stick, length)
    lines = frozenset({*folds, *(band.end for band in bands)})
    shapes: list[Shape] = []
    for number in range(count):
        # a wrap has its small words once, so that its other faces have more of their colour
        side = _StickSide(number * face, face, stick.ticks, worded=number == 0)
        shapes += _painted(side, bands)
        shapes += _words_in_bands(side, bands, folds)
        if stick.ticks:
            shapes += ticks(length, side.top, reach.unit, numbered=side.numbered, lines=lines)
        shapes += _origin(side, stick, bands[0])
        shapes += _title(side, bands, folds, stick.title, imprint)
    if stick.rod:
        shapes += wrap(length, face)
    else:
        shapes.append(rectangle("cut", ZERO, ZERO, length, face))
    shapes += (Line("score", x, ZERO, x, face, dashed=True) for x in folds)
    height = face + (0 if count == 1 else 3 * face + flap(face))
    return Drawing(
        title=stick.title,
        description=_described(stick, reach, bands),
        width=length,
        height=height,
        shapes=tuple(shapes),
        picture=stick_picture(stick),
        unset=tuple(_without_room(stick, bands, shapes)),
    )


def _without_room(
    stick: Stick, bands: Sequence[StickBand], shapes: Sequence[Shape]
) -> Iterator[Unset]:
    """Yields the names of bands that no label within the band shows in full, with their places."""
    for index, band in enumerate(bands):
        inside = [
            shape.text
            for shape in shapes
            if isinstance(shape, Label) and band.start <= shape.x <= band.end
        ]
        inside_words = " ".join(inside).casefold()
        if any(word.casefold() not in inside_words for word in band.name.split()):
            at = ("marks", index, "name") if isinstance(stick.marks, tuple) else ("marks",)
            yield Unset(band.name, at)


def _reach(stick: Stick) -> Length:
    """Returns the length of a stick; raises ValueError if its marks are still to be taken."""
    if stick.reach is None:
        raise ValueError("the marks of this stick have not been taken from their table")
    return stick.reach


def marked_bands(stick: Stick, scale: float = 1) -> list[StickBand]:
    """Returns the bands of a stick that end at a mark; their starts and ends are times `scale`."""
    short = colour_letters(gettext(mark.colour) for mark in stick.listed if mark.colour)
    bands: list[StickBand] = []
    start: Number = Fraction(0)
    for mark in stick.listed:
        letter = mark.letter or (short[gettext(mark.colour)] if mark.colour else "")
        bands.append(StickBand(mark, start, mark.to.mm * scale, letter))
        start = bands[-1].end
    return bands


def _bands(stick: Stick) -> list[StickBand]:
    """Returns the bands of a stick; if it is longer than its last mark, the rest is a band, too.

    Raises ValueError if its marks are still to be taken from their table.
    """
    bands, end = marked_bands(stick), _reach(stick).mm
    start = bands[-1].end if bands else Fraction(0)
    return bands if start == end else [*bands, StickBand(None, start, end, "")]


def _folds(stick: Stick, length: Fraction) -> list[Fraction]:
    """Returns the distances from the first end at which a strip is folded."""
    if stick.fold is None:
        return []
    return [stick.fold.mm * number for number in range(1, math.ceil(length / stick.fold.mm))]


def _painted(side: _StickSide, bands: Sequence[StickBand]) -> Iterator[Shape]:
    """Draws the coloured areas of the bands, and a line at each mark."""
    for number, band in enumerate(bands):
        if band.mark:
            fill = PAINTS[band.colour] if band.colour else 2 - number % 2
            yield rectangle("tint", band.start, side.head, band.end, side.foot, fill=fill)
        if band is not bands[-1]:
            ends = (band.end, side.top), (band.end, side.top + side.height)
            yield polygon("engrave", *ends, closed=False)


def _stretch(band: StickBand, folds: Sequence[Fraction]) -> tuple[float, float]:
    """Returns start and end of the longest part of a band that no fold crosses."""
    ends = [band.start, *(x for x in folds if band.start < x < band.end), band.end]
    parts = list(pairwise(ends))
    start, end = max(parts, key=lambda part: part[1] - part[0])
    return float(start), float(end)


def _words_in_bands(
    side: _StickSide, bands: Sequence[StickBand], folds: Sequence[Fraction]
) -> Iterator[Shape]:
    """Yields labels for the words in each band of one side, and the lengths at which bands end.

    Words stand where no fold crosses them, on a white plate if the band is dark.
    """
    for band in bands:
        start, end = _stretch(band, folds)
        if band is bands[0]:
            start += _wedge(side, band)
        inset = min(1.5, 0.06 * (end - start))
        room = Rectangle(start + inset, float(side.head) + 0.5, end - inset, float(side.foot) - 0.5)
        words = list(_band_words(band, room))
        if band.colour in DARK and words:
            yield _plate(words)
        yield from words
        if band.mark and side.footed:
            yield from _end_label(side, band)


def _plate(words: Sequence[Label]) -> Shape:
    """Returns a white rectangle to lie below the words of a dark band."""
    boxes = [bounds(word) for word in words]
    left, top = min(box[0] for box in boxes) - 1, min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes) + 1, max(box[3] for box in boxes)
    return rectangle("tint", left, top, right, bottom, fill=PLATE)


def _band_words(band: StickBand, room: Rectangle[float]) -> Iterator[Label]:
    """Yields labels for a band: its letter and score, large, and its name beside or below them.

    A band without letter and score has its name alone, along the stick or across it.
    """
    if not band.main:
        level = [*set_words(band.name, room, LARGEST_NAME)]
        upright = [*_upright(band.name, room)]
        along = room.width >= UPRIGHT * room.height or room.width > 2 * LARGEST_NAME
        yield from (level or upright) if along else (upright or level)
        return
    size = text_fitting.largest_size(
        [band.main], room.width, most=min(LARGEST_MAIN, room.height / 0.8)
    )
    if size < SMALLEST:
        return
    wide, gap = text_fitting.text_width(band.main, size), 0.35 * size
    beside = Rectangle(room.left, room.top, room.right - wide - gap, room.bottom)
    lines, small = fitted(band.name, beside, min(LARGEST_NAME, 0.55 * size))
    if band.name.lower() == band.main.lower():
        lines = []
    elif not lines and band.name:
        yield from _name_below(band, room)
        return
    name_width = max((text_fitting.text_width(line, small) for line in lines), default=-gap)
    left = (room.left + room.right - wide - gap - name_width) / 2
    middle = (room.top + room.bottom) / 2
    base = middle + text_fitting.CAP_HEIGHT * size / 2
    yield Label(band.main, left + wide / 2, base, size, weight="bold", tone="accent")
    for label in centred_lines(lines, left + wide + gap, middle, small):
        yield replace(label, anchor="start")


def _name_below(band: StickBand, room: Rectangle[float]) -> Iterator[Label]:
    """Yields labels for a band: its letter and score and, below them, its name.

    The name is left out if there is no room for it.
    """
    top = room.top + 0.45 * room.height
    lines, small = fitted(band.name, replace(room, top=top), LARGEST_NAME)
    high = top - room.top if lines else room.height
    size = text_fitting.largest_size([band.main], room.width, most=min(LARGEST_MAIN, high / 0.8))
    if size < SMALLEST:
        return
    x = (room.left + room.right) / 2
    base = room.top + (high + text_fitting.CAP_HEIGHT * size) / 2
    yield Label(band.main, x, base, size, weight="bold", tone="accent")
    yield from centred_lines(lines, x, (top + room.bottom) / 2, small)


def _upright(name: str, room: Rectangle[float]) -> Iterator[Label]:
    """Yields labels for a name that runs across the stick, as in a band too short for words."""
    across = Rectangle(room.top, room.left, room.bottom, room.right)
    lines, size = fitted(name, across, LARGEST_UPRIGHT)
    y = (room.top + room.bottom) / 2
    for line in centred_lines(lines, y, (room.left + room.right) / 2, size):
        yield replace(line, x=line.y, y=y, rotation=-90)


def _end_label(side: _StickSide, band: StickBand) -> Iterator[Shape]:
    """Yields a label with the length at which a band ends, before that end, if there is room."""
    if text_fitting.text_width(band.length, END_SIZE) + 1 < band.end - band.start:
        y = float(side.top + side.height) - 0.9
        yield Label(band.length, float(band.end) - 0.7, y, END_SIZE, anchor="end", weight="bold")


def _wedge(side: _StickSide, band: StickBand) -> float:
    """Returns the length of the filled tip at the first end; `band` is the first band."""
    return min(float(side.foot - side.head) / 2, float(band.end) / 5, 5.0)


def _origin(side: _StickSide, stick: Stick, band: StickBand) -> Iterator[Shape]:
    """Draws the filled tip at the first end of a side, and the word for what lies there."""
    tip, middle = Fraction(_wedge(side, band)), (side.head + side.foot) / 2
    points = ((Fraction(0), side.head), (tip, middle), (Fraction(0), side.foot))
    if band.colour in DARK:
        yield rectangle("tint", Fraction(0), side.head, tip, side.foot, fill=PLATE)
    yield polygon("engrave", *points, fill="accent")
    words = stick.origin or ""
    room = 0.45 * float(band.end)
    if words and side.footed and text_fitting.text_width(words, END_SIZE) < room:
        y = float(side.top + side.height) - 0.9
        yield Label(words, 0.8, y, END_SIZE, anchor="start", weight="bold")


def _title(
    side: _StickSide,
    bands: Sequence[StickBand],
    folds: Sequence[Fraction],
    title: str,
    imprint: str,
) -> Iterator[Shape]:
    """Yields a label with title and imprint, or the title alone, at the foot of the longest band.

    Yields nothing if there is no room, or no imprint.
    """
    if not side.footed or not imprint:
        return
    start, end = max((_stretch(band, folds) for band in bands), key=lambda part: part[1] - part[0])
    # the ends of the band have words of their own
    left, right = start + 14, end - 14
    if right - left > 20:
        words = [f"{title} · {imprint}", title]
        kept, size = text_fitting.first_that_fits(words, right - left, most=TITLE_SIZE)
        if kept:
            yield Label(kept, (left + right) / 2, float(side.top + side.height) - 0.9, size)


def _described(stick: Stick, reach: Length, bands: Sequence[StickBand]) -> str:
    """Describes a stick in words, for those who cannot see it."""
    listed = []
    for band in bands[:MOST_TOLD]:
        if band.mark:
            score = "" if band.mark.target is None else f", {format_value(band.mark.target)}"
            colour = f", {gettext(band.colour)}" if band.colour else ""
            there = gettext("%(name)s to %(length)s", name=band.name, length=band.length)
            listed.append(f"{there}{colour}{score}")
    rest = len(bands) - MOST_TOLD
    more = [gettext("and %(count)s more", count=rest)] if rest > 0 else []
    marks = "; ".join([*listed, *more])
    if stick.rod:
        return gettext(
            "A wrap for a rod %(rod)s square, %(length)s long, marked from one end: %(marks)s",
            rod=stick.rod,
            length=reach,
            marks=marks,
        )
    return gettext(
        "A strip, %(length)s long, marked from one end: %(marks)s", length=reach, marks=marks
    )


def stick_picture(stick: Stick, longest: Fraction | None = None) -> Drawing:
    """Draws what small pictures show of a stick: one face, much wider than true, with its lengths.

    The drawing is as wide as `longest`, in mm, the longest of the sticks that are shown together,
    so that their lengths can be compared. Raises ValueError as `draw_stick` does.
    """
    reach, bands = _reach(stick), _bands(stick)
    length = reach.mm
    whole = longest or length
    height = whole / PICTURE_SHAPE
    side = _StickSide(Fraction(0), height, ticks=False, worded=False)
    outside = rectangle("cut", ZERO, ZERO, length, height)
    return Drawing(
        stick.title,
        _described(stick, reach, bands),
        whole,
        height,
        (*_painted(side, bands), *_plates(side, bands), outside),
        tuple(_picture_words(bands, whole, height)),
        tuple(_measures(whole, height, bands)),
    )


def _picture_words(
    bands: Sequence[StickBand], whole: Fraction, height: Fraction
) -> Iterator[Caption]:
    """Yields the captions of the bands: one in each, or a single one beside a stick that is short.

    `whole` is the width of the picture at true scale, and `height` its height, in mm.
    """
    names = [f"{band.main} {band.name}".strip() for band in bands if band.mark]
    shown = [(band, band.main, "" if band.letter else band.name) for band in bands]
    scale = (PICTURE_LENGTH - 2) / float(whole)
    end = bands[-1].end
    beside = "; ".join(names)
    crowded = any(
        not _has_room(f"{main} {small}", 0.94 * scale * float(band.end - band.start))
        for band, main, small in shown
        if band.mark
    )
    room = 0.94 * scale * float(whole - end)
    if crowded and room > LEAST_BESIDE and _has_room(beside, room):
        lines = text_fitting.wrapped(beside, SMALL, room)
        wide = max(text_fitting.room_for(line, SMALL) for line in lines) / 0.94 / scale + 0.1
        yield Caption("", beside, float(end) + wide / 2 + 1 / scale, height / 2, wide)
        return
    for band, main, small in shown:
        middle = (band.start + band.end) / 2
        yield Caption(main, small, middle, height / 2, band.end - band.start)


def _has_room(words: str, room: float) -> bool:
    """Whether text fits into a small picture, in a few lines that are up to `room` mm wide."""
    lines = text_fitting.wrapped(words, SMALL, room)
    return text_fitting.fits(words, SMALL, room) and len(lines) <= MOST_LINES


def _plates(side: _StickSide, bands: Sequence[StickBand]) -> Iterator[Shape]:
    """Draws white rectangles in the middle of dark bands, below the words of a small picture."""
    for band in bands:
        if band.colour in DARK:
            inset = (band.end - band.start) / 5
            left, right = band.start + inset, band.end - inset
            top, bottom = side.height / 10, side.height * 9 / 10
            yield rectangle("tint", left, top, right, bottom, fill=PLATE)


#: Words below a small picture: their level, the point that they name, their start and their end.
_WordsBelow = tuple[int, float, float, float]


def _clear(first: _WordsBelow, second: _WordsBelow) -> bool:
    """Whether neither of two texts below a stick overlaps the other or the line leading to it."""
    (level, _, start, end), (lower_level, x, lower_start, lower_end) = sorted((first, second))
    if level == lower_level:
        return end <= lower_start or lower_end <= start
    return not start <= x <= end


def _measures(length: Fraction, height: Fraction, bands: Sequence[StickBand]) -> Iterator[Measure]:
    """Yields measures of where bands end, the last first, on several levels below the stick.

    Those that would overlap others on all levels are left out.
    """
    placed: list[_WordsBelow] = []
    marked = [band for band in bands if band.mark]
    for band in marked[-1:] + marked[:-1]:
        # type of 2.5 mm, seen in the scale of the smallest picture
        half = text_fitting.text_width(band.length, 2.6) * float(length) / PICTURE_LENGTH / 2
        start = min(max(float(band.end) - half, 0.0), float(length) - 2 * half)
        for level in range(MOST_LEVELS):
            here = (level, float(band.end), start, start + 2 * half)
            if all(_clear(here, other) for other in placed):
                placed.append(here)
                yield Measure(
                    "x", band.end, band.end, band.length, height, level=level, label="end"
                )
                break
