"""Words and the room for them -> the size of type, before any font is at hand.

No font file is opened here. Widths are those of IBM Plex Sans Condensed Bold by class of letter,
rounded up, so that what fits by this reckoning fits in any weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

#: The height of a capital or a figure, as a part of the size of type.
CAP_HEIGHT = 0.698
#: How far letters reach below their line, or round ones by their curve; and from line to line:
#: parts of the size of type.
DESCENT, FOOT, LEADING = 0.24, 0.05, 1.08
ELLIPSIS = "…"

_DESCENDING = set("gjpqyQ,;()[]{}|/@$_")
#: How exactly lines are balanced, as a part of the size of type.
_FINE = 0.02
_NARROW = set("ijl.,:;'!·’‘ ")
_SLENDER = set('frt()[]-|/″′“”"')
_BROAD = set("mwMWŉŵŴÆæŒœ%@#©®½¼¾⅓⅔⅛⅜⅝⅞…&—")


@lru_cache(maxsize=1024)
def _part_of_size(letter: str) -> float:
    if letter in _NARROW:
        return 0.33
    if letter in _SLENDER:
        return 0.46
    if letter in _BROAD:
        return 0.92
    if "0" <= letter <= "9" or "a" <= letter <= "z":
        return 0.56
    return 0.68 if ord(letter) < 0x2300 else 1.0


def text_width(text: str, size: float) -> float:
    """How wide a line of words is at most, in the unit of `size`."""
    return size * _parts_of_size(text)


@lru_cache(maxsize=4096)
def _parts_of_size(text: str) -> float:
    return sum(map(_part_of_size, text))


def largest_size(lines: Sequence[str], room: float, *, most: float) -> float:
    """The largest size, up to `most`, at which each of the lines is no wider than the room."""
    widest = max(text_width(line, 1) for line in lines)
    return min(most, room / widest) if widest else most


def shortened(text: str, size: float, room: float) -> str:
    """The words, or as many letters as the room holds with an ellipsis, or nothing."""
    if text_width(text, size) <= room:
        return text
    kept = text
    while kept and text_width(kept.rstrip() + ELLIPSIS, size) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept.strip() else ""


def wrapped(text: str, size: float, room: float) -> list[str]:
    """The words in lines no wider than the room; a single word that is wider is shortened."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(shortened(word, size, room))
    return [line for line in lines if line]


def filled(text: str, width: float, height: float, *, most: float) -> tuple[list[str], float]:
    """All words in a rectangle, in so many lines as make them largest: the lines and their size.

    A word is never broken or shortened, so the size is as small as the words need. The lines are
    to be centred by the height of their capitals, `LEADING` apart.
    """
    return _largest(text, [(width, height)], most)


def filled_disc(text: str, diameter: float, *, most: float) -> tuple[list[str], float]:
    """All words in a circle, as `filled` sets them in the rectangle in it that suits them best."""
    angles = [math.radians(angle) for angle in range(10, 80, 5)]
    rooms = [(diameter * math.cos(angle), diameter * math.sin(angle)) for angle in angles]
    return _largest(text, rooms, most)


def _largest(
    text: str, rooms: Sequence[tuple[float, float]], most: float
) -> tuple[list[str], float]:
    words = text.split()
    highest = max(height for _, height in rooms)
    best: tuple[list[str], float] = ([text], 0.0)
    for count in range(1, len(words) + 1):
        if highest / (LEADING * (count - 1) + CAP_HEIGHT) < best[1]:
            break
        lines = _balanced(words, count)
        widest = max(text_width(line, 1) for line in lines)
        high = LEADING * (len(lines) - 1) + CAP_HEIGHT + 2 * _below(lines[-1])
        size = max(min(most, width / widest, height / high) for width, height in rooms)
        if size > best[1]:
            best = (lines, size)
    return best


def _below(line: str) -> float:
    """How far a line reaches below its baseline, as a part of the size; the same is kept above."""
    plain = line.isascii() and not set(line) & _DESCENDING
    return FOOT if plain else DESCENT


def _balanced(words: Sequence[str], count: int) -> list[str]:
    """Words in so many lines or fewer, the longest as short as it can be."""
    widths = [text_width(word, 1) for word in words]
    low, high = max(widths), sum(widths) + text_width(" ", 1) * (len(words) - 1)
    while high - low > _FINE:
        room = (low + high) / 2
        if len(_breaks(widths, room)) <= count:
            high = room
        else:
            low = room
    starts = _breaks(widths, high)
    return [
        " ".join(words[start:end])
        for start, end in zip(starts, [*starts[1:], len(words)], strict=True)
    ]


def _breaks(widths: Sequence[float], room: float) -> list[int]:
    """The words with which lines begin, each filled as far as the room allows."""
    space = text_width(" ", 1)
    starts, reached = [0], widths[0]
    for number, width in enumerate(widths[1:], 1):
        if reached + space + width <= room + _FINE / 10:
            reached += space + width
        else:
            starts.append(number)
            reached = width
    return starts
