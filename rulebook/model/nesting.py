"""Markdown -> where it is nested deeper than any page shows, for prose of chapters and of data.

Each list in a list and each quotation in a quotation takes a part of the width of a page, and a
step deeper of all that makes the page. The reader of Markdown looks for the end of each bracket
to the end of its paragraph, so brackets that are never closed cost the square of their number.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rulebook.quantities import QuantityError

#: Lists and quotations in each other, and brackets in brackets.
DEEPEST_NESTING = 6
#: Characters of prose between two headings or blocks: some twenty small pages.
LONGEST_PROSE = 50_000

#: What stands before the words of a line: white space, and the marks of lists and quotations.
_MARKS = re.compile(r"(?:[ \t]|>|[-*+](?=[ \t])|[0-9]{1,9}\.(?=[ \t]))*+")
#: One of them with the space that belongs to it.
_MARK = re.compile(r"(?:[>*+-]|[0-9]{1,9}\.) ?")
#: A line across the page, which is made of marks and is no list.
_RULE = re.compile(r" {0,3}(?:-(?:[ \t]*+-)++|\*(?:[ \t]*+\*)++|_(?:[ \t]*+_)++)[ \t]*+")
#: Columns by which a list stands farther in than the one that it is a part of.
_STEP = 4
#: Brackets, what is no bracket, and the end of a paragraph, where no bracket is open any more.
_BRACKETS = re.compile(r"\\.|[\[\]]|\n[ \t]*+(?=\n)")


class TooDeep(NamedTuple):
    """Characters of a text, and what is wrong with them."""

    start: int
    end: int
    fault: QuantityError


def too_deep(markdown: str) -> TooDeep | None:
    """The first place of a text that is nested too deep, or from which on it is too long."""
    if len(markdown) > LONGEST_PROSE:
        fault = QuantityError.of("R102 long prose", count=len(markdown), most=LONGEST_PROSE)
        return TooDeep(LONGEST_PROSE, LONGEST_PROSE + 1, fault)
    return _deep_marks(markdown) or _deep_brackets(markdown)


def _deep_marks(markdown: str) -> TooDeep | None:
    start = 0
    for line in markdown.split("\n"):
        marks = _MARKS.match(line)
        if marks and _depth(marks[0]) > DEEPEST_NESTING and not _RULE.fullmatch(line):
            fault = QuantityError.of("R102 deep lists", most=DEEPEST_NESTING)
            return TooDeep(start, start + marks.end(), fault)
        start += len(line) + 1
    return None


def _depth(marks: str) -> int:
    """How deep a line stands by its marks, and by how far in the last of them is."""
    found = list(_MARK.finditer(marks))
    if not found:
        return 0
    before = _MARK.sub("", marks[: found[-1].start()]).expandtabs(_STEP)
    return len(found) + len(before) // _STEP


def _deep_brackets(markdown: str) -> TooDeep | None:
    depth = 0
    for match in _BRACKETS.finditer(markdown):
        if match[0] == "[":
            depth += 1
            if depth > DEEPEST_NESTING:
                fault = QuantityError.of("R102 deep brackets", most=DEEPEST_NESTING)
                return TooDeep(*match.span(), fault)
        elif match[0] == "]":
            depth = max(0, depth - 1)
        elif match[0][0] == "\n":
            depth = 0
    return None
