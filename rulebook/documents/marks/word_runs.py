"""A text of two editions -> its words in one run after the other: kept, deleted, inserted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from rulebook.documents.marks.change_words import Run

#: A word, a number with its unit, a sign, or a run of spaces. Hyphens and apostrophes stand inside
#: of words.
_WORD = re.compile(r"[−+]?\d+(?:[.,]\d+|[½¼¾⅓⅔])?[″′°%+](?!\w)|\w+(?:[’'\-]\w+)*|\s+|[^\w\s]")
#: Where less of all words is kept, and of the words of the shorter text, the text is another one:
#: old and new stand whole.
LEAST_KEPT = 0.35
LEAST_OF_SHORTER = 0.6


def word_runs(before: str, after: str) -> tuple[Run, ...]:
    """Both texts in one: what is kept and deleted is the one, kept and inserted the other.

    Small words between two changes are told with them, since nobody reads sentences of which
    every other word is struck. Texts that share little are struck and inserted whole.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if _is_another(matcher, old, new):
        return tuple(_runs([(before, after)]))
    changes: list[tuple[str, str]] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        pair = "".join(old[a:b]), "".join(new[c:d])
        if changes and (tag == "equal") == (changes[-1][0] == changes[-1][1]):
            changes[-1] = (changes[-1][0] + pair[0], changes[-1][1] + pair[1])
        else:
            changes.append(pair)
    return tuple(_runs(_gathered(changes)))


def _is_another(matcher: SequenceMatcher[str], old: list[str], new: list[str]) -> bool:
    """Whether too few words of two texts are the same; signs and spaces are no words."""
    kept = sum(
        _is_word(token)
        for block in matcher.get_matching_blocks()
        for token in new[block.b : block.b + block.size]
    )
    counts = [sum(map(_is_word, tokens)) for tokens in (old, new)]
    return 2 * kept < LEAST_KEPT * sum(counts) and kept < LEAST_OF_SHORTER * min(counts)


def _is_word(token: str) -> bool:
    return token[:1].isalnum()


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
        start = _spaces(before, after)
        end = _spaces(before[start:][::-1], after[start:][::-1])
        texts = (
            Run(before[:start]),
            Run(before[start : len(before) - end], "deleted"),
            Run(after[start : len(after) - end], "inserted"),
            Run(after[len(after) - end :]),
        )
        yield from (run for run in texts if run.text)


def _spaces(before: str, after: str) -> int:
    """How many spaces both texts begin with."""
    return min(len(text) - len(text.lstrip(" ")) for text in (before, after))
