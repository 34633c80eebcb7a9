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


def explain(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    """One fault for one complaint; reading of the file ends with it."""
    said = str(getattr(error, "problem", None) or error)
    context = str(getattr(error, "context", None) or "")
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    start = getattr(error, "context_mark", None)
    lines = text.splitlines() or [""]
    line, column = (mark.line, mark.column) if mark else (0, 0)
    line = min(line, len(lines) - 1)
    slip, told = _find(said, context, lines, line, column, start)
    at_line, at_column = told
    here = Span(shown, at_line + 1, at_column + 1, at_line + 1, at_column + 2)
    return Problem("R106", slip.message, here, slip.expected, slip.hint)


def _find(
    said: str, context: str, lines: list[str], line: int, column: int, start: yaml.Mark | None
) -> tuple[_Slip, tuple[int, int]]:
    """The slip behind a complaint and the line and column, from 0, where it is told."""
    here = lines[line][column : column + 1]
    opened = (start.line, start.column) if start else (line, column)
    if "cannot start any token" in said:
        return _bad_start(here, lines[line]), (line, column)
    if "mapping values are not allowed" in said:
        return _stray_colon(lines, line, column)
    if "quoted scalar" in context:
        return _quotes(said, (line, column), opened)
    if "flow mapping" in context or "flow sequence" in context or "flow node" in context:
        return _brackets(context, lines, (line, column), opened)
    if "could not find expected ':'" in said:
        slip = _Slip("a key without a colon", "write a colon and a space after it")
        return slip, opened
    if "block mapping" in context and "expected key" in said:
        return _broken_mapping(lines, line, column)
    if "block collection" in context or "block sequence" in context:
        slip = _Slip(
            "a line that is not indented like the list before it",
            "begin it with '- ' in the same column as the items above, or indent it less",
        )
        return slip, (line, column)
    if "block scalar" in context:
        return _Slip("a block of text that is badly indented", "indent all its lines alike"), opened
    slip = _Slip(
        "this is not YAML that can be read",
        "look for a missing quote, bracket or colon here or on the line above",
    )
    return slip, (line, column)


def _bad_start(here: str, line: str) -> _Slip:
    if here == "\t" or "\t" in line[: len(line) - len(line.lstrip())]:
        return _Slip("a tab used as indentation", "replace it by spaces", "spaces")
    return _Slip(
        f"a text cannot begin with {here}", f'put the text in quotes: "{here}..."', "a value"
    )


def _stray_colon(lines: list[str], line: int, column: int) -> tuple[_Slip, tuple[int, int]]:
    """A second colon in a text, or a line that goes deeper below a value."""
    before = lines[line][:column]
    first = re.match(r"\s*(?:- )*[^\s:][^:]*:\s", before)
    if first:
        slip = _Slip(
            "a colon inside a text without quotes",
            'put the whole text in quotes: "..."',
            "one 'key: value' a line",
        )
        return slip, (line, column)
    above = line - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    depth = len(before) - len(before.lstrip())
    if above >= 0 and not re.search(r":(\s|$)", lines[above]):
        slip = _Slip("a key without a colon", "write a colon and a space after it", "'key: value'")
        return slip, (above, len(lines[above]) - len(lines[above].lstrip()))
    slip = _Slip(
        "this key is indented deeper than the one above, which already has its value",
        "indent it like the keys beside it",
    )
    return slip, (line, depth)


def _quotes(
    said: str, at: tuple[int, int], opened: tuple[int, int]
) -> tuple[_Slip, tuple[int, int]]:
    if "escape" in said:
        slip = _Slip(
            "a backslash with a meaning that YAML does not know",
            "write \\\\ for a backslash, or put the text in single quotes",
        )
        return slip, at
    return _Slip("this quote is never closed", "close it at the end of the text"), opened


def _brackets(
    context: str, lines: list[str], at: tuple[int, int], opened: tuple[int, int]
) -> tuple[_Slip, tuple[int, int]]:
    bracket = lines[opened[0]][opened[1] : opened[1] + 1]
    here = lines[at[0]][at[1] : at[1] + 1]
    closing = {"{": "}", "[": "]"}.get(bracket, "} or ]")
    if here and here in "}]" and "node" in context:
        return _Slip(f"a {here} that closes nothing, or a comma too many", "delete it"), at
    if here and here not in "}]" and at[0] == opened[0]:
        slip = _Slip(
            f"a comma is missing here, or the {bracket} before it belongs to a text",
            'put a comma between the values, or put the whole text in quotes: "..."',
            f"a comma or {closing}",
        )
        return slip, at
    return _Slip(f"this {bracket} is never closed", f"close it with {closing}"), opened


def _broken_mapping(lines: list[str], line: int, column: int) -> tuple[_Slip, tuple[int, int]]:
    before = lines[line][:column]
    if before.strip():
        slip = _Slip(
            "something stands after the end of a quoted text",
            "put quotes round the whole text; write '' for a ' inside '...' and \\\" inside \"...\"",
        )
        return slip, (line, column)
    slip = _Slip(
        "a line that is not indented like the keys around it",
        "begin it in the same column as the keys that it belongs to",
    )
    return slip, (line, column)
