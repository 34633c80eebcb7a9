"""Markers -> their drawings, one for each token: an outline and words as large as it takes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulebook.cutouts.stands import outline
from rulebook.drawing.shapes import Caption, Drawing, Label, Line, Shape, Tint
from rulebook.model.cutouts.markers import Face, Markers
from rulebook.text_fitting import CAP_HEIGHT, LEADING, text_width

#: Of the words on a marker in a small picture, mm.
LARGEST_CAPTION = 3.2
#: Figures that are others when they lie upside down; with one of these a number is underlined.
_TURNED = {"6", "9"}
_TURN_WELL = set("0689")


def draw_markers(markers: Markers, *, imprint: str = "", use: str = "") -> tuple[Drawing, ...]:
    """A drawing for each token, in the order of the faces; they are too small for an imprint."""
    del imprint, use
    drawn: list[Drawing] = []
    for face in markers.faces:
        for words in face.words:
            drawn += (_token(markers, face, words),) * face.copies
    return tuple(drawn)


def _token(markers: Markers, face: Face, words: str) -> Drawing:
    size = markers.size
    lines, type_size = markers.lettered(words)
    number = words if face.text is None else ""
    shapes: list[Shape] = [
        Tint(outline(size, "engrave"), 2 if number else 1),
        outline(size, "cut"),
        *_words(markers, lines, type_size, underlined=bool(number) and _turns(number)),
    ]
    middle_x, middle_y = size.across / 2, size.down / 2
    # a circle is as wide as its diameter only at its middle, where one word stands
    narrower = size.round and len(lines) > 1
    room = size.across * Fraction(4 if narrower else 5, 5)
    most = float(min(LARGEST_CAPTION, type_size))
    caption = Caption(number, "" if number else words, middle_x, middle_y, room, most=most)
    return Drawing(
        title=markers.title,
        description=f"Markers {size.told}",
        width=size.across,
        height=size.down,
        shapes=tuple(shapes),
        captions=(caption,),
    )


def _turns(number: str) -> bool:
    """Whether a number is another upside down, as 6 and 9 are."""
    return bool(_TURNED & set(number)) and set(number) <= _TURN_WELL


def _words(markers: Markers, lines: list[str], size: float, *, underlined: bool) -> Iterator[Shape]:
    """The lines, centred; where there are several, their last reaches below its baseline."""
    x, middle = float(markers.size.across) / 2, float(markers.size.down) / 2
    block = LEADING * size * (len(lines) - 1) + CAP_HEIGHT * size
    y = middle - block / 2 + CAP_HEIGHT * size
    for line in lines:
        yield Label(line, x, y, size, weight="bold")
        y += LEADING * size
    if underlined:
        half = text_width(lines[-1], size) / 2
        below = y - LEADING * size + 0.13 * size
        yield Line("engrave", x - half, below, x + half, below)
