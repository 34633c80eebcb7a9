"""A measuring sleeve -> its drawing: a wrap whose faces are as wide as the rod and its clearance.

An index arrow stands at the middle of each face, and about it a scale of the steps by which the
sleeve slides: plus to the right, which is away from whoever lays it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.cutouts.strips import FACES, SMALLEST, flap, glue_words, outline, wrap_outline
from rulebook.drawing.shapes import (
    Anchor,
    Caption,
    Drawing,
    Label,
    Line,
    Measure,
    Polyline,
    Shape,
    Tint,
)
from rulebook.model.cutouts.stick import Sleeve
from rulebook.quantities import MINUS
from rulebook.text_fitting import largest_size, shortened, text_width

#: Type sizes, mm, and the part of a face that ticks and arrow take from its upper edge.
STEP_SIZE, WORD_SIZE, TITLE_SIZE = 3.2, 2.6, 2.4
ARROW, TICK = Fraction(3, 10), Fraction(1, 4)


def draw_sleeve(sleeve: Sleeve, *, imprint: str = "", use: str = "") -> Drawing:
    """The sleeve at true scale, laid flat; `use` stands on its sheet alone."""
    del use
    length, face = sleeve.length.mm, sleeve.face
    shapes: list[Shape] = [_middle_tint(sleeve)]
    for number in range(FACES):
        top = number * face
        shapes += _arrow(length / 2, top, face)
        shapes += _scale(sleeve, top)
        shapes += _sides(sleeve, top)
        if number == 0:
            shapes += _title(sleeve, imprint)
    shapes += wrap_outline(length, face)
    shapes += glue_words(length, face)
    step = f", with steps of {sleeve.step} about its middle" if sleeve.step else ""
    return Drawing(
        title=sleeve.title,
        description=f"A sleeve {sleeve.length} long for a rod {sleeve.rod} square, its faces "
        f"{sleeve.clearance} wider{step}",
        width=length,
        height=FACES * face + flap(face),
        shapes=tuple(shapes),
        picture=_picture(sleeve),
    )


def _picture(sleeve: Sleeve) -> Drawing:
    """What a small picture shows: one face, with its arrow and its steps."""
    length, face = sleeve.length.mm, sleeve.face
    captions = []
    marks: list[Shape] = []
    for x, words in _steps(sleeve):
        marks.append(Polyline("engrave", ((x, Fraction(0)), (x, TICK * face)), closed=False))
        captions.append(Caption(words, "", x, face * 3 / 5, sleeve.step.mm if sleeve.step else 0))
    return Drawing(
        sleeve.title,
        f"One face of a sleeve {sleeve.length} long",
        length,
        face,
        (_middle_tint(sleeve), *_arrow(length / 2, Fraction(0), face), *marks,
         outline(length, face)),
        tuple(one for one in captions if 0 < one.x < length),
        (Measure("x", Fraction(0), length, str(sleeve.length), face),),
    )  # fmt: skip


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
    corners = ((zero, zero), (length, zero), (length, face), (zero, face))
    return Tint(Polyline("engrave", corners), 1)


def _arrow(middle: Fraction, top: Fraction, face: Fraction) -> Iterator[Shape]:
    """The index: its tip on the edge of the face, at the middle of the sleeve."""
    size = ARROW * face
    points = ((middle, top), (middle + size / 2, top + size), (middle - size / 2, top + size))
    yield Polyline("engrave", points, filled=True)


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
        small = max(SMALLEST, largest_size([words], room, most=size))
        yield Label(shortened(words, small, room), x, y, small, anchor=anchor)


def _title(sleeve: Sleeve, imprint: str) -> Iterator[Shape]:
    words = f"{sleeve.title} · {imprint}" if imprint else sleeve.title
    room = 0.92 * float(sleeve.length.mm)
    size = max(SMALLEST, largest_size([words], room, most=TITLE_SIZE))
    if sleeve.face >= 8:
        y = float(sleeve.face) - 1.0
        yield Label(shortened(words, size, room), float(sleeve.length.mm) / 2, y, size)
