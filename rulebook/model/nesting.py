"""Markdown -> where it is nested deeper than any page shows, for prose of chapters and of data.

Each list in a list and each quotation in a quotation takes a part of the width of a page, and a
step deeper of all that makes the page. The reader of Markdown looks for the end of each bracket
to the end of its paragraph, so brackets that are never closed cost the square of their number.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rulebook.limits import DEEPEST_PROSE, LONGEST_PROSE, LONGEST_TEXT, MOST_LINES
from rulebook.quantities import QuantityError

#: What stands before the words of a line: white space, and the marks of lists and quotations.
_MARKS = re.compile(r"(?:[ \t]|>|[-*+](?=[ \t])|[0-9]{1,9}\.(?=[ \t]))*+")
#: One of them with the space that belongs to it.
_MARK = re.compile(r"(?:[>*+-]|[0-9]{1,9}\.) ?")
#: A line across the page, which is made of marks and is no list.
_RULE = re.compile(r" {0,3}(?:-(?:[ \t]*+-)++|\*(?:[ \t]*+\*)++|_(?:[ \t]*+_)++)[ \t]*+")
#: Columns by which a list stands farther in than the one that it is a part of.
_STEP = 4
#: Lines without an empty one between them.
_PARAGRAPH = re.compile(r"(?:[^\S\n]*+\S[^\n]*+\n?)++")
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
        return _beyond(LONGEST_PROSE, "characters between two headings or blocks", LONGEST_PROSE)
    for paragraph in _PARAGRAPH.finditer(markdown):
        start, text = paragraph.start(), paragraph[0]
        if len(text) > LONGEST_TEXT:
            return _beyond(LONGEST_TEXT, "characters without an empty line", start)
        if text.count("\n") > MOST_LINES:
            return _beyond(MOST_LINES, "lines without an empty one", start)
    return _deep_marks(markdown) or _deep_brackets(markdown)


def _beyond(limit: int, of: str, start: int, end: int = 0) -> TooDeep:
    hint = "cut it into several paragraphs or sections"
    fault = QuantityError(
        f"more than {limit} {of}", expected=f"up to {limit}", hint=hint, code="R102"
    )
    return TooDeep(start, end or start + 1, fault)


def _deep_marks(markdown: str) -> TooDeep | None:
    start = 0
    for line in markdown.split("\n"):
        marks = _MARKS.match(line)
        if marks and _depth(marks[0]) > DEEPEST_PROSE and not _RULE.fullmatch(line):
            of = "lists and quotations in each other"
            return _beyond(DEEPEST_PROSE, of, start, start + marks.end())
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
            if depth > DEEPEST_PROSE:
                return _beyond(DEEPEST_PROSE, "brackets in each other", *match.span())
        elif match[0] == "]":
            depth = max(0, depth - 1)
        elif match[0][0] == "\n":
            depth = 0
    return None
