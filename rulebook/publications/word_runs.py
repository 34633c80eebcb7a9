"""A text of two editions -> its words in one run after the other: kept, deleted, inserted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from rulebook.publications.change_words import Run

#: A word, a sign, or a run of spaces. Hyphens and apostrophes stand inside of words.
_WORD = re.compile(r"\w+(?:[’'\-]\w+)*|\s+|[^\w\s]")
#: Where this much of the words is new, the sentences are another: old and new stand whole.
LEAST_KEPT = 0.35


def word_runs(before: str, after: str) -> tuple[Run, ...]:
    """Both texts in one: what is kept and deleted is the one, kept and inserted the other.

    Small words between two changes are told with them, since nobody reads sentences of which
    every other word is struck. Texts that share little are struck and inserted whole.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < LEAST_KEPT:
        return tuple(_runs([(before, after)]))
    changes: list[tuple[str, str]] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        pair = "".join(old[a:b]), "".join(new[c:d])
        if changes and (tag == "equal") == (changes[-1][0] == changes[-1][1]):
            changes[-1] = (changes[-1][0] + pair[0], changes[-1][1] + pair[1])
        else:
            changes.append(pair)
    return tuple(_runs(_gathered(changes)))


def _gathered(changes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Changes with only a little between them are one change."""
    found: list[tuple[str, str]] = []
    for index, (before, after) in enumerate(changes):
        kept = before == after
        between = kept and 0 < index < len(changes) - 1 and _is_little(before)
        joined = found and not kept and found[-1][0] != found[-1][1]
        if between or joined:
            found[-1] = (found[-1][0] + before, found[-1][1] + after)
        else:
            found.append((before, after))
    return found


def _is_little(text: str) -> bool:
    """Spaces and signs, or one short word."""
    words = re.findall(r"\w+", text)
    return "\n" not in text and (not words or (len(words) == 1 and len(words[0]) <= 2))


def _runs(changes: Iterable[tuple[str, str]]) -> Iterator[Run]:
    for before, after in changes:
        if before == after:
            yield Run(before)
            continue
        start, before, after = _common(before, after)
        if start:
            yield Run(start)
        end, before, after = (part[::-1] for part in _common(before[::-1], after[::-1]))
        if before:
            yield Run(before, "deleted")
        if after:
            yield Run(after, "inserted")
        if end:
            yield Run(end)


def _common(before: str, after: str) -> tuple[str, str, str]:
    """The spaces that both texts begin with, and what is left of them."""
    count = 0
    while (
        before[count : count + 1] == after[count : count + 1] and before[count : count + 1] == " "
    ):
        count += 1
    return before[:count], before[count:], after[count:]
