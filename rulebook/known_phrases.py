"""A text -> the known phrases in it, each at a cost that does not grow with how many are known.

At each word of a text the phrases that begin with it are looked up by their lengths. So a text
takes one look-up for each word and length: at most as many as a phrase may have letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

#: A word, or a sign that no word is joined to.
_FIRST = re.compile(r"(?<!\w)(?:\w++|[^\w\s])")
_LETTER = re.compile(r"\w")


class Phrases:
    """Phrases that are found where they stand as words of their own, not as parts of others."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._known = frozenset(phrases)
        lengths: dict[str, set[int]] = {}
        for phrase in self._known:
            if first := _FIRST.match(phrase):
                lengths.setdefault(first[0], set()).add(len(phrase))
        self._lengths = {word: sorted(found, reverse=True) for word, found in lengths.items()}

    def all_in(self, text: str) -> Iterator[tuple[int, str]]:
        """Each phrase with where it begins, also inside another; the longest first at each word."""
        for first in _FIRST.finditer(text):
            start = first.start()
            for length in self._lengths.get(first[0], ()):
                end = start + length
                phrase = text[start:end]
                if phrase in self._known and not _LETTER.match(text, end):
                    yield start, phrase

    def longest_in(self, text: str) -> Iterator[str]:
        """Phrases from left to right, the longest at each word, and none inside another."""
        end = 0
        for start, phrase in self.all_in(text):
            if start >= end:
                yield phrase
                end = start + len(phrase)
