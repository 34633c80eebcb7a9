"""Words and the room for them -> the size of type, before any font is at hand.

No font file is opened here. Widths are those of IBM Plex Sans Condensed
Bold by class of letter, rounded up, so that what fits by this reckoning fits in any weight.
"""

from __future__ import annotations

from collections.abc import Sequence

#: The height of a capital or a figure, as a part of the size of type.
CAP_HEIGHT = 0.698
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
