"""Markers and tiles of terrain -> their drawings: words as large as they go, a sign, the ground."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.cutouts.stands import outline
from rulebook.drawing.elements import Line, Number
from rulebook.drawing.shapes import Caption, Drawing, Shape, Unset, bounds, centred_lines
from rulebook.drawing.symbols import stamp_symbol
from rulebook.maps.terrain import stamp_tile
from rulebook.model.cutouts import Face, Footprint, Markers
from rulebook.text_fitting import (
    CAP_HEIGHT,
    SIX_POINTS,
    filled,
    filled_disc,
    room_for,
    text_width,
)
from rulebook.translation import gettext

#: Type sizes, mm; smaller than 6 points is not read at the table.
SMALLEST, LARGEST = SIX_POINTS, 36.0
#: Type that is read at arm's length: smaller symbols make room for it.
READ_AT_THE_TABLE = 3.2
#: Of the shorter side of a marker, what is left above and below; of a rectangle, at each side twice
#: as much.
MARGIN = 0.06
#: Numbers are smaller by this, so that a line below a 6 or a 9 has room.
NUMBER_PART = 0.8
#: How large the symbol of a marker may be: parts of its height beside the words and above them.
_BESIDE, _ABOVE = (0.66, 0.56, 0.46, 0.36), (0.5, 0.44, 0.38, 0.32)
#: Of a tile of terrain, the part of its height that its words have at the foot, and their size, mm.
FOOT, LARGEST_FOOT = 0.16, 4.6

#: Of the words on a marker in a small picture, mm.
LARGEST_CAPTION = 3.2
#: Figures that are others when they lie upside down; with one of these a number is underlined.
_TURNED = {"6", "9"}
_TURN_WELL = set("0689")


def draw_markers(markers: Markers, _: str) -> tuple[Drawing, ...]:
    """Draws all markers in the order of their faces, each as often as it has copies.

    The second argument, an imprint, is ignored: markers are too small for it.
    """
    size, faces = markers.size, markers.faces
    ways = [(True, part) for part in _BESIDE if not size.round] + [(False, part) for part in _ABOVE]
    texts = [face for face in faces if face.text is not None]
    numbers = [face for face in faces if face.text is None]
    symbols = any(face.symbol for face in texts)
    laid = _lettering(size, texts, ways if symbols else ways[:1])
    laid |= _lettering(size, numbers, ways[:1])
    drawn: list[Drawing] = []
    for index, face in enumerate(faces):
        for words, lettered in zip(face.words, laid[face], strict=True):
            small = lettered.largest < SMALLEST
            unset = (Unset(words, ("faces", index, face.kind)),) if small else ()
            drawn += (_token(markers, face, lettered, unset),) * face.copies
    return tuple(drawn)


@dataclass(frozen=True, slots=True)
class Lettered:
    """Lines of text on a marker, centred at (x, y) from its top left corner; sizes in mm.

    `symbol` is the square that the symbol fills: its left edge, its top edge and its side.
    `largest` is the size in which these words would fit, whatever stands on other markers.
    """

    lines: tuple[str, ...]
    size: float
    x: float
    y: float
    symbol: tuple[float, float, float] | None = None
    largest: float = LARGEST


def _lettering(
    size: Footprint, faces: Sequence[Face], ways: Sequence[tuple[bool, float]]
) -> dict[Face, list[Lettered]]:
    """Lays out the words or numbers of all markers of some faces in one size of type.

    It is the largest in which all of them fit. `ways` are ways of placing symbols, as in `_set`;
    the one that allows the largest type is taken, and no further ways are tried once the type is
    large enough to be read at the table. Returns the layouts of each face.
    """
    best: dict[Face, list[Lettered]] = {}
    reached = -1.0
    for way in ways:
        largest = {
            (face, words): _set(size, face, words, way, LARGEST).size
            for face in faces
            for words in face.words
        }
        least = min(largest.values(), default=0.0)
        if least > reached:
            reached = least
            best = {face: [] for face in faces}
            for (face, words), own in largest.items():
                best[face].append(replace(_set(size, face, words, way, least), largest=own))
        if least >= READ_AT_THE_TABLE:
            break
    return best


def _set(size: Footprint, face: Face, words: str, way: tuple[bool, float], most: float) -> Lettered:
    """Lays out words on a marker, in type of up to `most` mm.

    `way` says where a symbol of the face stands, beside the words (True) or above them, and how
    high it is, as a part of the height of the marker.
    """
    across, down = float(size.across), float(size.down)
    margin = MARGIN * min(across, down)
    x, y = across / 2, down / 2
    if face.terrain:
        lines, type_size = filled(words, across - 4 * margin, FOOT * down - margin, most=most)
        return Lettered(tuple(lines), min(type_size, LARGEST_FOOT), x, down * (1 - FOOT / 2))
    if not face.symbol:
        if size.round:
            lines, type_size = filled_disc(words, across - 2 * margin, most=most)
        else:
            lines, type_size = filled(words, across - 4 * margin, down - 2 * margin, most=most)
        number = NUMBER_PART if words.isdecimal() and most == LARGEST else 1
        return Lettered(tuple(lines), type_size * number, x, y)
    beside, part = way
    side = part * down
    if beside:
        room = across - 4 * margin - side - margin
        lines, type_size = filled(words, max(room, 0.1), down - 2 * margin, most=most)
        wide = max(room_for(line, type_size) for line in lines)
        left = (across - side - margin - wide) / 2
        square = (left, (down - side) / 2, side)
        return Lettered(tuple(lines), type_size, left + side + margin + wide / 2, y, square)
    top = 1.5 * margin if size.round else margin
    start = top + side + margin / 2
    found = [(*filled(words, wide, high, most=most), high) for wide, high in _below(size, start)]
    lines, type_size, high = max(found, key=lambda block: block[1])
    square = ((across - side) / 2, top, side)
    return Lettered(tuple(lines), type_size, x, start + high / 2, square)


def _below(size: Footprint, start: float) -> Iterator[tuple[float, float]]:
    """Yields (width, height) of rectangles that fit on a marker from `start` mm below its top."""
    across, down = float(size.across), float(size.down)
    margin = MARGIN * min(across, down)
    if not size.round:
        yield across - 4 * margin, down - margin - start
        return
    reach = across / 2 - margin
    for part in (0.3, 0.4, 0.5, 0.6, 0.7):
        end = start + part * (across - margin - start)
        deepest = max(abs(across / 2 - start), abs(end - across / 2))
        if deepest < reach:
            yield 2 * math.sqrt(reach**2 - deepest**2), end - start


def _token(markers: Markers, face: Face, lettered: Lettered, unset: tuple[Unset, ...]) -> Drawing:
    size = markers.size
    number = lettered.lines[0] if face.text is None else ""
    labels = [*centred_lines(lettered.lines, lettered.x, lettered.y, lettered.size, "bold")]
    shapes: list[Shape] = [outline(size, "tint", fill=2 if number else 1)]
    if face.terrain:
        boxes = [bounds(label) for label in labels]
        shapes = [stamp_tile(face.terrain, float(size.across), float(size.down), boxes)]
    elif lettered.symbol and face.symbol:
        shapes.append(stamp_symbol(face.symbol, *lettered.symbol))
    shapes += [outline(size, "cut"), *labels]
    if number and _turns(number):
        half = text_width(number, lettered.size) / 2
        below = lettered.y + (CAP_HEIGHT / 2 + 0.13) * lettered.size
        shapes.append(Line("engrave", lettered.x - half, below, lettered.x + half, below))
    drawing = Drawing(
        title=markers.title,
        description=gettext("Markers %(size)s", size=size.in_words),
        width=size.across,
        height=size.down,
        shapes=tuple(shapes),
        captions=(_token_caption(size, lettered, number, face.text or ""),),
        unset=unset,
    )
    if not face.terrain:
        return drawing
    # in a small picture the name stands below its tile, which needs no plate for it
    ground = [stamp_tile(face.terrain, float(size.across), float(size.down), [])]
    name = Caption("", face.text or "", size.across / 2, size.down, size.across, "below")
    shown = replace(drawing, shapes=(*ground, outline(size, "cut")), captions=(name,))
    return replace(drawing, picture=shown, captions=(name,))


def _token_caption(size: Footprint, lettered: Lettered, number: str, words: str) -> Caption:
    """Returns the caption of a marker in a small picture, with the room that it has there.

    It shows the `number` of the marker, or its `words` if the number is empty.
    """
    # a circle is as wide as its diameter only at its middle, where one word stands
    narrower = size.round and len(lettered.lines) > 1
    room: Number = size.across * Fraction(4 if narrower else 5, 5)
    high: Number = 0
    if lettered.symbol:
        left, top, side = lettered.symbol
        beside = left + side <= lettered.x
        off = abs(lettered.y - float(size.down) / 2)
        if beside:
            room = 2 * min(lettered.x - left - side, float(size.across) - lettered.x)
        elif size.round:
            room = 2 * math.sqrt(max(0.0, (float(size.across) / 2) ** 2 - off**2))
        high = 0 if beside else 2 * (lettered.y - top - side)
    most = min(LARGEST_CAPTION, lettered.size)
    return Caption(
        number, "" if number else words, lettered.x, lettered.y, room, most=most, high=high
    )


def _turns(number: str) -> bool:
    """Whether a number reads as another number upside down, as 6 and 9 do."""
    return bool(_TURNED & set(number)) and set(number) <= _TURN_WELL
