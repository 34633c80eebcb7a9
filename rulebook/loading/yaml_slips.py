"""A complaint of the YAML parser -> a fault in the words of an author, with what to do.

The parser says where it gave up, seldom where the slip is; the commonest slips are known by the
characters that stand there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from rulebook.problems import Problem, Span


@dataclass(frozen=True, slots=True)
class _Slip:
    message: str
    hint: str
    expected: str = ""


@dataclass(frozen=True, slots=True)
class _Complaint:
    """What the parser said, where it gave up, and where it had begun; lines and columns from 0."""

    said: str
    context: str
    lines: list[str]
    at: tuple[int, int]
    opened: tuple[int, int]

    @property
    def line(self) -> str:
        return self.lines[self.at[0]]

    @property
    def here(self) -> str:
        return self.line[self.at[1] : self.at[1] + 1]


def explain(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    """One fault for one complaint; reading of the file ends with it."""
    slip, (line, column) = _find(_read(error, text))
    here = Span(shown, line + 1, column + 1, line + 1, column + 2)
    return Problem("R106", slip.message, here, slip.expected, slip.hint)


def _read(error: yaml.YAMLError, text: str) -> _Complaint:
    lines = text.splitlines() or [""]
    marks = [getattr(error, name, None) for name in ("problem_mark", "context_mark")]
    at, opened = (_within(lines, mark) if mark else None for mark in marks)
    at = at or opened or (0, 0)
    return _Complaint(
        str(getattr(error, "problem", None) or error),
        str(getattr(error, "context", None) or ""),
        lines,
        at,
        opened or at,
    )


def _within(lines: list[str], mark: yaml.Mark) -> tuple[int, int]:
    """A place in the text; past its end, the end of the last line."""
    if mark.line < len(lines):
        return mark.line, mark.column
    return len(lines) - 1, len(lines[-1])


def _find(complaint: _Complaint) -> tuple[_Slip, tuple[int, int]]:
    """The slip behind a complaint, and the line and column where it is told."""
    said, context = complaint.said, complaint.context
    if "cannot start any token" in said or re.match(r" *\t", complaint.line):
        return _bad_start(complaint), complaint.at
    if "mapping values are not allowed" in said:
        return _stray_colon(complaint)
    equals = re.search(r"[{,] *\w+ (=) ", complaint.lines[complaint.opened[0]])
    if equals and ("flow" in context or "quoted scalar" in context):
        slip = _Slip("a = where a colon belongs", "write a colon and a space: name: value")
        return slip, (complaint.opened[0], equals.start(1))
    if "quoted scalar" in context:
        return _quotes(complaint)
    if "flow" in context:
        return _brackets(complaint)
    if "could not find expected ':'" in said:
        return _Slip(
            "a key without a colon", "write a colon and a space after it"
        ), complaint.opened
    if "alias" in context or "anchor" in context:
        sign = complaint.lines[complaint.opened[0]][complaint.opened[1] :][:1]
        return _Slip(
            f"a text cannot begin with {sign}", 'put the text in quotes: "..."'
        ), complaint.opened
    if "block mapping" in context and "expected key" in said:
        return _broken_mapping(complaint), complaint.at
    if "block collection" in context or "block sequence" in context:
        slip = _Slip(
            "a line that is not indented like the list before it",
            "begin it with '- ' in the same column as the items above, or indent it less",
        )
        return slip, complaint.at
    if "block scalar" in context:
        slip = _Slip("a block of text that is badly indented", "indent all its lines alike")
        return slip, complaint.at
    slip = _Slip(
        "this is not YAML that can be read",
        "look for a missing quote, bracket or colon here or on the line above",
    )
    return slip, complaint.at


def _bad_start(complaint: _Complaint) -> _Slip:
    here, line = complaint.here, complaint.line
    if here == "\t" or "\t" in line[: len(line) - len(line.lstrip())]:
        return _Slip("a tab used as indentation", "replace it by spaces", "spaces")
    return _Slip(f"a text cannot begin with {here}", 'put the text in quotes: "..."', "a value")


def _stray_colon(complaint: _Complaint) -> tuple[_Slip, tuple[int, int]]:
    """A second colon in a text, or a line that goes deeper below a value."""
    lines, (number, column) = complaint.lines, complaint.at
    before = complaint.line[:column]
    if re.match(r"\s*(?:- )*[^\s:][^:]*:\s", before):
        slip = _Slip(
            "a colon inside a text without quotes",
            'put the whole text in quotes: "..."',
            "one 'key: value' a line",
        )
        return slip, complaint.at
    above = number - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    for item in (above, number):
        if item >= 0 and re.match(r"\s*- ", lines[item]):
            slip = _Slip(
                "an item of a list that has not begun",
                "write the key of the list on a line above it, such as 'steps:'",
            )
            return slip, (item, len(lines[item]) - len(lines[item].lstrip()))
    if above >= 0 and not re.search(r":(\s|$)", lines[above]):
        slip = _Slip("a key without a colon", "write a colon and a space after it", "'key: value'")
        return slip, (above, len(lines[above]) - len(lines[above].lstrip()))
    slip = _Slip(
        "this key is indented deeper than the one above, which already has its value",
        "indent it like the keys beside it",
    )
    return slip, (number, len(before) - len(before.lstrip()))


def _quotes(complaint: _Complaint) -> tuple[_Slip, tuple[int, int]]:
    if "escape" in complaint.said:
        slip = _Slip(
            "a backslash with a meaning that YAML does not know",
            "write \\\\ for a backslash, or put the text in single quotes",
        )
        return slip, complaint.at
    slip = _Slip("this quote is never closed", "close it at the end of the text")
    return slip, complaint.opened


def _brackets(complaint: _Complaint) -> tuple[_Slip, tuple[int, int]]:
    line, column = complaint.opened
    bracket = complaint.lines[line][column : column + 1]
    closing = {"{": "}", "[": "]"}.get(bracket, "} or ]")
    here = complaint.here
    if here and here in "}]" and "node" in complaint.context:
        slip = _Slip(f"a {here} that closes nothing, or a comma too many", "delete it")
        return slip, complaint.at
    before = complaint.lines[line][: complaint.at[1]]
    if here == "[" and complaint.at[0] == line and re.search(r": *[a-z_]+$", before[column:]):
        slip = _Slip(
            "a look-up without quotes", 'put the expression in quotes: "musketry[range, cover]"'
        )
        return slip, complaint.at
    if here and here not in "}]" and complaint.at[0] == line:
        slip = _Slip(
            f"a comma is missing here, or the {bracket} before it belongs to a text",
            'put a comma between the values, or put the whole text in quotes: "..."',
            f"a comma or {closing}",
        )
        return slip, complaint.at
    return _Slip(f"this {bracket} is never closed", f"close it with {closing}"), complaint.opened


def _broken_mapping(complaint: _Complaint) -> _Slip:
    before = complaint.line[: complaint.at[1]].rstrip()
    if before.endswith(("}", "]")):
        return _Slip(
            f"words after a {before[-1]}, in a text without quotes",
            'put the whole text in quotes: "..."',
        )
    if before:
        return _Slip(
            "something stands after the end of a quoted text",
            "put quotes round the whole text; inside '...' write '' for a single quote",
        )
    return _Slip(
        "a line that is not indented like the keys around it",
        "begin it in the same column as the keys that it belongs to",
    )
