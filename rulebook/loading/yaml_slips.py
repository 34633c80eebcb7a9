"""A complaint of the YAML parser -> a fault in the words of an author, with what to do.

The parser says where it gave up, seldom where the slip is; the commonest slips are known by the
characters that stand there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from rulebook.faults import Words, words_of
from rulebook.problems import Problem, Span


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
    return Problem(slip.code, slip.message, here, slip.expected, slip.hint)


def _slip(key: str, /, **values: object) -> Words:
    return words_of(key, values)


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


def _find(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    """The slip behind a complaint, and the line and column where it is told."""
    said, context = complaint.said, complaint.context
    if "cannot start any token" in said or re.match(r" *\t", complaint.line):
        return _bad_start(complaint), complaint.at
    if "mapping values are not allowed" in said:
        return _stray_colon(complaint)
    equals = re.search(r"[{,] *\w+ (=) ", complaint.lines[complaint.opened[0]])
    if equals and ("flow" in context or "quoted scalar" in context):
        return _slip("R106 equals"), (complaint.opened[0], equals.start(1))
    if "quoted scalar" in context:
        return _quotes(complaint)
    if "flow" in context:
        return _brackets(complaint)
    if "could not find expected ':'" in said:
        return _slip("R106 no colon"), complaint.opened
    if "alias" in context or "anchor" in context:
        sign = complaint.lines[complaint.opened[0]][complaint.opened[1] :][:1]
        return _slip("R106 sign", sign=sign), complaint.opened
    if "block mapping" in context and "expected key" in said:
        return _broken_mapping(complaint), complaint.at
    if "block collection" in context or "block sequence" in context:
        return _slip("R106 beside a list"), complaint.at
    if "block scalar" in context:
        return _slip("R106 block"), complaint.at
    return _slip("R106 unread"), complaint.at


def _bad_start(complaint: _Complaint) -> Words:
    here, line = complaint.here, complaint.line
    if here == "\t" or "\t" in line[: len(line) - len(line.lstrip())]:
        return _slip("R106 tab")
    return _slip("R106 beginning", sign=here)


def _stray_colon(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    """A second colon in a text, or a line that goes deeper below a value."""
    lines, (number, column) = complaint.lines, complaint.at
    before = complaint.line[:column]
    if re.match(r"\s*(?:- )*[^\s:][^:]*:\s", before):
        return _slip("R106 colon in a text"), complaint.at
    above = number - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    for item in (above, number):
        if item >= 0 and re.match(r"\s*- ", lines[item]):
            return _slip("R106 item"), (item, len(lines[item]) - len(lines[item].lstrip()))
    if above >= 0 and not re.search(r":(\s|$)", lines[above]):
        return _slip("R106 key"), (above, len(lines[above]) - len(lines[above].lstrip()))
    return _slip("R106 indented deeper"), (number, len(before) - len(before.lstrip()))


def _quotes(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    if "escape" in complaint.said:
        return _slip("R106 backslash"), complaint.at
    return _slip("R106 quote"), complaint.opened


def _brackets(complaint: _Complaint) -> tuple[Words, tuple[int, int]]:
    line, column = complaint.opened
    bracket = complaint.lines[line][column : column + 1]
    closing = {"{": "}", "[": "]"}.get(bracket, "} or ]")
    here = complaint.here
    if here and here in "}]" and "node" in complaint.context:
        return _slip("R106 closes nothing", bracket=here), complaint.at
    before = complaint.lines[line][: complaint.at[1]]
    if here == "[" and complaint.at[0] == line and re.search(r": *[a-z_]+$", before[column:]):
        return _slip("R106 look-up"), complaint.at
    if here and here not in "}]" and complaint.at[0] == line:
        return _slip("R106 no comma", bracket=bracket, closing=closing), complaint.at
    return _slip("R106 bracket", bracket=bracket, closing=closing), complaint.opened


def _broken_mapping(complaint: _Complaint) -> Words:
    before = complaint.line[: complaint.at[1]].rstrip()
    if before.endswith(("}", "]")):
        return _slip("R106 words after a bracket", bracket=before[-1])
    return _slip("R106 after a quoted text" if before else "R106 beside keys")
