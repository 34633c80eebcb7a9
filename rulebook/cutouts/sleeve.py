"""A measuring sleeve -> its drawing: a wrap whose faces are as wide as the rod and its clearance.

An index arrow stands at the middle of each face, and about it a scale of the steps by which the
sleeve slides: plus to the right, which is away from whoever lays it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.cutouts.drawing import Anchor, Drawing, Label, Line, Polyline, Shape, Tint
from rulebook.cutouts.lettering import largest_size, shortened, text_width
from rulebook.cutouts.strips import FACES, SMALLEST, flap, glue_words, wrap_outline
from rulebook.model.cutouts.sleeve import Sleeve
from rulebook.quantities import MINUS

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
    )


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
    middle, tick = sleeve.length.mm / 2, TICK * sleeve.face
    size = min(STEP_SIZE, 0.26 * float(sleeve.face))
    told = text_width(f"{MINUS}10", size) < sleeve.step.mm
    for count in range(1, int(middle / sleeve.step.mm) + 1):
        for sign, way in (("+", 1), (MINUS, -1)):
            x = middle + way * count * sleeve.step.mm
            if 0 < x < sleeve.length.mm:
                yield Line("engrave", x, top, x, top + tick)
            if told and size >= SMALLEST:
                # at the very ends the number stands inside the edge
                ends: dict[bool, Anchor] = {True: "end", False: "start"}
                inside = 0 < x < sleeve.length.mm
                at = float(x) if inside else float(x) - way * 0.8
                anchor: Anchor = "middle" if inside else ends[way > 0]
                y = float(top + tick) + 1.05 * size
                yield Label(f"{sign}{count}", at, y, size, anchor=anchor, weight="bold")


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
