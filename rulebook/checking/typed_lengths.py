"""A ruleset whose lengths have been turned -> the lengths typed in its texts, which were not.

A number that stands in a table or in braces is turned wherever it prints; one that is typed into a
sentence would go on telling players the old distance. Words in quotation marks are the source's
own, and notes speak of the source: they stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.loading.prose import placed_at
from rulebook.model.prose import Text
from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of
from rulebook.problems import Problem, Span

_QUOTED = re.compile(r"“[^”]*”")
_WORDS = {
    "in": r"inch(?:es)?\b|(?<=[0-9½¼¾⅓⅔⅛⅜⅝⅞])\s?[″\"]",
    "cm": r"centimetres?\b|(?<=[0-9½¼¾])\s?cm\b",
    "mm": r"millimetres?\b|(?<=[0-9½¼¾])\s?mm\b",
}


def check_typed_lengths(ruleset: Ruleset) -> Iterator[Problem]:
    """R442, a warning: lengths in words of units that were turned."""
    units = {unit for one in ruleset.lengths for unit in (one.read or _WORDS)}
    if any(one.scale != 1 for one in ruleset.lengths):
        units |= _WORDS.keys()
    words = [pattern for unit, pattern in _WORDS.items() if unit in units]
    if not words:
        return
    typed = re.compile("|".join(words), re.IGNORECASE)
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            for part in section.parts:
                if isinstance(part, Text):
                    yield from _in_chapter(part, typed)
    for address, prose in prose_of(ruleset):
        if "note" not in address and (found := _found(prose.markdown, typed)):
            yield _fault(found[0], ruleset.place(*address))


def _in_chapter(text: Text, typed: re.Pattern[str]) -> Iterator[Problem]:
    place = placed_at(text.markdown, text.span)
    for match in _found(text.markdown, typed):
        yield _fault(match, place(match.start(), match.end()))


def _found(markdown: str, typed: re.Pattern[str]) -> list[re.Match[str]]:
    """What is typed outside of quotation marks."""
    quoted = [range(*match.span()) for match in _QUOTED.finditer(markdown)]
    return [
        match
        for match in typed.finditer(markdown)
        if not any(match.start() in words for words in quoted)
    ]


def _fault(match: re.Match[str], span: Span | None) -> Problem:
    return Problem(
        "R442",
        f"'{match[0].strip()}' is typed here, and stays as it is where lengths are turned",
        span,
        expected="lengths from a table, or in braces such as {10in}, which are turned",
        hint="take it from where it stands, or write it in braces",
        severity="warning",
    )
