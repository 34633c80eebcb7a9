"""A text -> the known phrases in it, each at a cost that does not grow with how many are known.

At each word of a text the phrases that begin with it are looked up by their lengths. So a text
takes one look-up for each word and length: at most as many as a phrase may have letters. Which
phrases a text has at all takes two steps a word, by an automaton (A. Aho and M. Corasick, Efficient
string matching, 1975).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

#: A word, or a sign that no word is joined to.
_FIRST = re.compile(r"(?<!\w)(?:\w++|[^\w\s])")
_LETTER = re.compile(r"\w")
#: A word with the space before it, or a sign.
_TOKEN = re.compile(r" ?\w++|\W")


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
            if (lengths := self._lengths.get(first[0])) is None:
                continue
            start = first.start()
            for length in lengths:
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


def phrases_in(texts: Iterable[str], phrases: Iterable[str]) -> set[str]:
    """Those of the phrases that stand in a text as words of their own, also inside others."""
    steps: list[dict[str, int]] = [{}]
    ends: dict[int, str] = {}
    for phrase in phrases:
        state = 0
        for token in _TOKEN.findall(phrase):
            state = steps[state].setdefault(token, len(steps))
            if state == len(steps):
                steps.append({})
        ends[state] = phrase
    # Where to go on from a state that a word does not lead on from: the longest end of what has
    # been read with which another phrase begins.
    back = [0] * len(steps)

    def step(state: int, token: str) -> int:
        while state and token not in steps[state]:
            state = back[state]
        return steps[state].get(token if state else token.lstrip(), 0)

    states = [0]
    for state in states:
        for token, then in steps[state].items():
            states.append(then)
            back[then] = step(back[state], token) if state else 0
    seen = {0}
    for text in texts:
        state = 0
        for token in _TOKEN.findall(text):
            on = steps[state].get(token)
            state = step(state, token) if on is None else on
            seen.add(state)
    for state in reversed(states):
        if state in seen:
            seen.add(back[state])
    return {ends[state] for state in seen if state in ends}
