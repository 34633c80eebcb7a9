"""The words in the columns of a table -> how many characters wide each column is set.

No font is opened here: letters are reckoned by class, in characters of a common line of text. A
page has room for so many of them; no word is to be broken if the room can be shared otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from unicodedata import normalize

#: Characters that the gap between two columns takes: 0.6 of the size of type, and a little. At the
#: left of the first there is but half of it.
_OUTER, _PADDING = 0.8, 1.5
#: The part of the size of type that is a character: the mean of a line of words and spaces.
_CHARACTER = 0.42
#: Words are reckoned somewhat wider than they are: with so many times the room they still stand.
_GENEROUS = 1.04
#: Heads are set semibold.
_HEAVIER = 1.05
#: Letters by their widths, in parts of the size of type: IBM Plex Sans Condensed, rounded up.
_LETTERS = {
    0.24: "ijl.,'’‘′ ",
    0.3: "f|[]():;!·",
    0.33: "tr",
    0.38: 'I-/″"',
    0.46: "csvxyzJL?“”*",
    0.5: "aegko",
    0.52: "bdhnpquFTZ",
    0.54: "0123456789−+×=–§",
    0.56: "CEPSVXY",
    0.59: "ABKR",
    0.64: "DGHNOQU&#",
    0.73: "wM¼¾…",
    0.82: "mW%@½⅓⅔⅛⅜⅝⅞—",
}
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """What stands in a column, line by line: its heads and its cells, as plain text."""

    heads: tuple[str, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ColumnWidths:
    """Characters of each column and what they share: `room` on the page.

    `least` is what all columns need together for their longest words, gaps between them included;
    where it is more than the room, the longest words are broken.
    """

    widths: tuple[float, ...]
    room: int
    least: int


def share(columns: Sequence[ColumnTexts], room: int) -> ColumnWidths:
    """Each column has its longest word at least, and more by what its longest line asks for.

    Heads may run over two lines, so they ask for half of their length.
    """
    gaps = [_OUTER if index == 0 else _PADDING for index in range(len(columns))]
    least = [_longest_word(column) + gap for column, gap in zip(columns, gaps, strict=True)]
    holds = room * _GENEROUS
    if sum(least) > holds:
        return ColumnWidths(_cut_down(least, holds), room, ceil(sum(least)))
    wanted = [
        max(low, _asked_for(column) + gap)
        for low, column, gap in zip(least, columns, gaps, strict=True)
    ]
    asked = sum(wanted) - sum(least)
    part = min(1.0, (holds - sum(least)) / asked) if asked else 0.0
    widths = (low + (high - low) * part for low, high in zip(least, wanted, strict=True))
    return ColumnWidths(tuple(round(width, 1) for width in widths), room, ceil(sum(least)))


def _longest_word(column: ColumnTexts) -> float:
    heads = (_HEAVIER * _width(word) for word in _words(column.heads))
    cells = (_width(word) for word in _words(column.cells))
    return max(1.0, *heads, *cells, 0.0)


def _words(texts: Iterable[str]) -> Iterable[str]:
    return (word for text in texts for word in text.split())


def _asked_for(column: ColumnTexts) -> float:
    heads = (_HEAVIER * _width(text) / 2 + 1 for text in column.heads)
    return max(1.0, *heads, *map(_width, column.cells), 0.0)


def _cut_down(least: Sequence[float], room: float) -> tuple[float, ...]:
    """The widest columns are made like one another until all fit: figures keep what they need."""
    left, waiting = room, sorted(least)
    while waiting and waiting[0] * len(waiting) <= left:
        left -= waiting.pop(0)
    level = max(_PADDING + 1, left / len(waiting)) if waiting else max(least)
    return tuple(round(min(one, level), 1) for one in least)


def _width(text: str) -> float:
    """About how many characters of a common line the text takes."""
    return sum(map(_part_of_size, text)) / _CHARACTER


def _part_of_size(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    plain = normalize("NFD", letter)[0]
    return _WIDTHS.get(plain, 0.64 if ord(letter) < 0x2300 else 1.0)
