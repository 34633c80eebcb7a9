"""A ruleset whose lengths have been turned -> the lengths typed in its texts, which were not.

A number that stands in a table or in braces is turned wherever it prints; one that is typed into a
sentence would go on telling players the old distance. Words in quotation marks are the source's
own, and notes speak of the source: they stay. So does what a variant says in its own files, whose
author knows how it turns the lengths of its base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from rulebook.loading.prose import placed_at
from rulebook.model.prose import Text
from rulebook.model.ruleset import Ruleset
from rulebook.model.walk import prose_of
from rulebook.problems import Problem, Span

#: Quotations, and what is bound and not typed.
_NOT_TYPED = re.compile(r"“[^”]*”|\{[^{}]*\}")
_WORDS = {
    "in": r"inch(?:es)?\b|(?<=[0-9½¼¾⅓⅔⅛⅜⅝⅞])\s?[″\"]",
    "cm": r"centimetres?\b|(?<=[0-9½¼¾])\s?cm\b",
    "mm": r"millimetres?\b|(?<=[0-9½¼¾])\s?mm\b",
}


def check_typed_lengths(ruleset: Ruleset) -> Iterator[Problem]:
    """R442, a warning: lengths in words, of the units that were read as others, or of all."""
    read = {unit for one in ruleset.lengths for unit in one.read}
    scaled = any(one.scale != 1 for one in ruleset.lengths)
    units = read or (_WORDS.keys() if scaled else ())
    words = [pattern for unit, pattern in _WORDS.items() if unit in units]
    if not words:
        return
    typed = re.compile("|".join(words), re.IGNORECASE)
    own = None if ruleset.asked_lengths else _own_folder(ruleset)
    for problem in _all(ruleset, typed):
        if own is None or problem.span is None or not problem.span.path.startswith(own):
            yield problem


def _own_folder(ruleset: Ruleset) -> str | None:
    """The folder of a variant."""
    place = ruleset.place("header", "title") if ruleset.header.based_on else None
    return f"{PurePosixPath(place.path).parent}/" if place else None


def _all(ruleset: Ruleset, typed: re.Pattern[str]) -> Iterator[Problem]:
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
    """What is typed outside of quotation marks and braces."""
    quoted = [range(*match.span()) for match in _NOT_TYPED.finditer(markdown)]
    return [
        match
        for match in typed.finditer(markdown)
        if not any(match.start() in words for words in quoted)
    ]


def _fault(match: re.Match[str], span: Span | None) -> Problem:
    return Problem.of("R442 typed", span, length=match[0].strip())
