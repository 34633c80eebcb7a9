"""Words and the room for them -> the size of type, before any font is at hand.

No font file is opened here. Widths are those of IBM Plex Sans Condensed Bold by class of letter,
rounded up, so that what fits by this reckoning fits in any weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

#: The height of a capital or a figure, as a part of the size of type.
CAP_HEIGHT = 0.698
#: How far letters reach below their line, and from line to line, as parts of the size of type.
DESCENT, LEADING = 0.24, 1.08
ELLIPSIS = "…"

_NARROW = set("ijl.,:;'!·’‘ ")
_SLENDER = set('frt()[]-|/″′“”"')
_BROAD = set("mwMWŉŵŴÆæŒœ%@#©®½¼¾⅓⅔⅛⅜⅝⅞…&—")


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
    return size * sum(map(_part_of_size, text))


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

    A word is never broken or shortened, so the size is as small as the words need.
    """
    words = text.split()
    best: tuple[list[str], float] = ([text], 0.0)
    for count in range(1, len(words) + 1):
        # of all ways to make so many lines, the one whose longest line is shortest
        lines = _balanced(words, count)
        size = largest_size(lines, width, most=most)
        size = min(size, height / (LEADING * (len(lines) - 1) + CAP_HEIGHT + DESCENT))
        if size > best[1]:
            best = (lines, size)
        if height / (LEADING * count + CAP_HEIGHT + DESCENT) < best[1]:
            break
    return best


def filled_disc(text: str, diameter: float, *, most: float) -> tuple[list[str], float]:
    """All words in a circle, as `filled` sets them in the rectangle in it that suits them best."""
    rectangles = (
        (diameter * math.cos(math.radians(angle)), diameter * math.sin(math.radians(angle)))
        for angle in range(10, 80, 5)
    )
    fits = (filled(text, width, height, most=most) for width, height in rectangles)
    return max(fits, key=lambda fit: fit[1])


def _balanced(words: Sequence[str], count: int) -> list[str]:
    """Words in so many lines or fewer, the longest as short as a greedy setting makes it."""
    low, high = max(text_width(word, 1) for word in words), text_width(" ".join(words), 1)
    while high - low > 0.02:
        room = (low + high) / 2
        if len(_greedy(words, room)) <= count:
            high = room
        else:
            low = room
    return _greedy(words, high)


def _greedy(words: Sequence[str], room: float) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and text_width(f"{lines[-1]} {word}", 1) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
