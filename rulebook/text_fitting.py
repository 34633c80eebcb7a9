"""Words and the room for them -> the size of type and the lines.

Widths are those of the font itself. Where none is named it is the bold one of the sans serif, which
is the broadest, so that what fits in it fits in any weight; and words in it are given some room to
spare, since they stand between lines, and an SVG may be shown in a broader typeface.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rulebook.quantities import MM_PER_POINT
from rulebook.typefaces import SANS_BOLD, Typeface, set_line

#: The height of a capital or a figure, as a part of the size of type.
CAP_HEIGHT = 0.698
#: How far letters reach below their line, or round ones by their curve; and from line to line:
#: parts of the size of type.
DESCENT, FOOT, LEADING = 0.24, 0.05, 1.08
ELLIPSIS = "…"
#: What lies on the table is not set in smaller type than this, 6 points, mm.
SIX_POINTS = 6 * MM_PER_POINT
#: How wide the room of words is, as a part of their width.
AIRY = 1.06

_DESCENDING = set("gjpqyQ,;()[]{}|/@$_")
#: How exactly lines are balanced, as a part of the size of type.
_FINE = 0.02


def text_width(text: str, size: float, face: Typeface = SANS_BOLD, *, spaced: float = 0.0) -> float:
    """Returns the width of a line of text, in the unit of `size`, with kerning and ligatures.

    `spaced` is the letter spacing as a fraction of the size; spaced letters form no ligatures.
    """
    whole = set_line(text, face, bool(spaced)).width
    return size * (whole + spaced * max(0, len(text) - 1))


def room_for(text: str, size: float, face: Typeface | None = None) -> float:
    """Returns the width to allow for a line of text, in the unit of `size`.

    It is the exact width if a face is named, otherwise somewhat more.
    """
    return AIRY * text_width(text, size) if face is None else text_width(text, size, face)


def largest_size(lines: Sequence[str], room: float, *, most: float) -> float:
    """Returns the largest size, up to `most`, at which no line is wider than `room`."""
    widest = max(room_for(line, 1) for line in lines)
    return min(most, room / widest) if widest else most


def shortened(text: str, size: float, room: float) -> str:
    """Returns a text, cut and with an ellipsis added if it is wider than `room`.

    Returns "" if no letter fits.
    """
    if room_for(text, size) <= room:
        return text
    kept = text
    while kept and room_for(kept.rstrip() + ELLIPSIS, size) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept.strip() else ""


def first_that_fits(
    texts: Sequence[str], room: float, *, most: float, least: float = SIX_POINTS
) -> tuple[str, float]:
    """Returns the first of some lines that fits into the width `room`, and its type size.

    The size is the largest up to `most` at which it fits; a line does not fit if that is less than
    `least`. Returns an empty line if none fits.
    """
    for text in texts:
        size = largest_size([text], room, most=most)
        if text and size >= least:
            return text, size
    return "", least


def wrapped(text: str, size: float, room: float, face: Typeface | None = None) -> list[str]:
    """Breaks a text into lines no wider than `room`.

    A word is cut only if it is wider than that by itself.
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and room_for(longer, size, face) <= room:
            lines[-1] = longer
        else:
            lines += _cut(word, size, room, face)
    return lines


def _cut(word: str, size: float, room: float, face: Typeface | None) -> Iterator[str]:
    """Yields the parts of a word, cut so that none is wider than `room`.

    A single letter that is wider is a part of its own.
    """
    while room_for(word, size, face) > room and len(word) > 1:
        count = len(word) - 1
        while count > 1 and room_for(word[:count], size, face) > room:
            count -= 1
        yield word[:count]
        word = word[count:]
    yield word


def fits(text: str, size: float, room: float) -> bool:
    """Whether no word of a text is wider than `room`."""
    return all(room_for(word, size) <= room for word in text.split())


def filled(
    text: str, width: float, height: float, *, most: float, face: Typeface | None = None
) -> tuple[list[str], float]:
    """Breaks a text into lines that fill a rectangle in the largest type, up to `most`.

    Returns the lines and the size. No word is broken or shortened, so the size may become very
    small. The caller centres the lines by the height of their capitals, `LEADING` times the size
    apart.
    """
    return _largest(text, [(width, height)], most, face)


def filled_disc(text: str, diameter: float, *, most: float) -> tuple[list[str], float]:
    """Breaks a text into lines that fill a circle in the largest type, up to `most`.

    Returns the lines and the size.
    """
    angles = [math.radians(angle) for angle in range(10, 80, 5)]
    rooms = [(diameter * math.cos(angle), diameter * math.sin(angle)) for angle in angles]
    return _largest(text, rooms, most, None)


def _largest(
    text: str, rooms: Sequence[tuple[float, float]], most: float, face: Typeface | None
) -> tuple[list[str], float]:
    """Breaks a text for that of several rectangles in which its type is largest.

    Returns the lines and the size, which is at most `most`.
    """
    words = text.split()
    highest = max(height for _, height in rooms)
    best: tuple[list[str], float] = ([text], 0.0)
    for count in range(1, len(words) + 1):
        if highest / (LEADING * (count - 1) + CAP_HEIGHT) < best[1]:
            break
        lines = _balanced(words, count, face)
        widest = max(room_for(line, 1, face) for line in lines) or 1.0  # what has no width fits
        high = LEADING * (len(lines) - 1) + CAP_HEIGHT + 2 * below(lines[-1])
        size = max(min(most, width / widest, height / high) for width, height in rooms)
        if size > best[1]:
            best = (lines, size)
    return best


def below(line: str) -> float:
    """Returns the space to leave below the baseline of a last line, as a part of its size.

    It is larger if letters of the line have descenders.
    """
    plain = line.isascii() and not set(line) & _DESCENDING
    return FOOT if plain else DESCENT


def _balanced(words: Sequence[str], count: int, face: Typeface | None) -> list[str]:
    """Breaks words into at most `count` lines so that the longest line is as short as possible."""
    space = room_for(" ", 1, face)
    widths = [room_for(word, 1, face) for word in words]
    low, high = max(widths), sum(widths) + space * (len(words) - 1)
    while high - low > _FINE:
        room = (low + high) / 2
        if len(_breaks(widths, space, room)) <= count:
            high = room
        else:
            low = room
    starts = _breaks(widths, space, high)
    return [
        " ".join(words[start:end])
        for start, end in zip(starts, [*starts[1:], len(words)], strict=True)
    ]


def _breaks(widths: Sequence[float], space: float, room: float) -> list[int]:
    """Returns the indices of the words with which lines begin, if each is filled up to `room`."""
    starts, reached = [0], widths[0]
    for number, width in enumerate(widths[1:], 1):
        if reached + space + width <= room + _FINE / 10:
            reached += space + width
        else:
            starts.append(number)
            reached = width
    return starts
