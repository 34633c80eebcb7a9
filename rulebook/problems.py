"""Faults in content as values: a `Problem` has a place, a `Report` collects and formats them.

A fault in the content is a Problem and never an exception; an exception is a fault of the program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from rulebook.plain_files import read_plain

Format = Literal["text", "short", "json"]
Severity = Literal["error", "warning"]

#: Lines of the source shown above the faulty one.
CONTEXT_LINES = 2
#: A longer line is cut in the report, so that hostile files do not flood the terminal.
WIDEST_LINE = 160
#: After so many faults of one ruleset the rest are only counted.
MOST_PROBLEMS_SHOWN = 200


class Fault(Exception):
    """Something wrong in the content, raised before its place is known.

    `code` is the code of the fault, `message` what is wrong, `expected` what would be right, `hint`
    what to write. Subclasses may have further arguments.
    """

    def __init__(self, code: str, message: str, expected: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.expected, self.hint = code, message, expected, hint


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a content file: path as the user gave it, lines and columns from 1.

    The end is exclusive. In a spreadsheet it is a cell, `line` is its row, and `cell` is its
    content; `cell` is None in all other files.
    """

    path: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 2
    cell: str | None = None

    def __str__(self) -> str:
        column = self.column if self.cell is None else column_letters(self.column)
        return f"{printable(self.path)}:{self.line}:{column}"

    def shifted(self, start: int, end: int) -> Span:
        """Returns the part from `start` to `end` of a span on one line, counted in characters.

        The span of a spreadsheet cell is returned whole.
        """
        if self.cell is not None:
            return self
        return Span(self.path, self.line, self.column + start, self.line, self.column + end)

    def within(self, text: str, start: int, end: int) -> Span:
        """Returns the part from `start` to `end` of a span that holds the scalar `text`.

        The scalar may be quoted in the file. Returns the whole span where characters cannot be
        counted: over several lines, with escapes, or in a spreadsheet cell.
        """
        if self.cell is not None or self.line != self.end_line or end <= start:
            return self
        quote = (self.end_column - self.column - len(text)) // 2
        if quote not in (0, 1):  # escapes or doubled quotes: the characters cannot be counted
            return self
        return self.shifted(quote + start, quote + end)


def column_letters(column: int) -> str:
    """Converts the number of a spreadsheet column, from 1, to letters: A to Z, AA and so on."""
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault with its place, a stable code (R1xx to R8xx), what was expected and what to do.

    `also` is a second place, if two places disagree, and what is there.
    """

    code: str
    message: str
    span: Span | None = None
    expected: str = ""
    hint: str = ""
    also: tuple[Span, str] | None = None
    severity: Severity = "error"

    @classmethod
    def at(cls, fault: Fault, span: Span | None, also: tuple[Span, str] | None = None) -> Problem:
        """Makes a problem from a fault that was raised without a place, and its place.

        `also` is a second place, with what is there.
        """
        return cls(fault.code, fault.message, span, fault.expected, fault.hint, also)

    def sort_key(self) -> tuple[str, int, int, str, str]:
        span = self.span or Span("", 0, 0)
        return (span.path, span.line, span.column, self.code, self.message)


class RenderFault(Exception):
    """Raised if a document cannot be rendered as it should be; `problems` say why."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems


def second_place(span: Span | None, what: str) -> tuple[Span, str] | None:
    """Returns the second place of a problem, a span with what is there; None without a span."""
    return (span, what) if span else None


@dataclass(slots=True)
class Report:
    """The problems of one run, added in any order and listed in the order of their places."""

    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def of_data(cls, problems: Iterable[Mapping[str, Any]]) -> Report:
        """Makes a report from problems as plain data, as `asdict` returns them."""

        def problem(data: Mapping[str, Any]) -> Problem:
            span, also = data["span"] and Span(**data["span"]), data["also"]
            return Problem(**{**data, "span": span, "also": also and (Span(**also[0]), also[1])})

        return cls(list(map(problem, problems)))

    def add(self, problem: Problem) -> None:
        self.problems.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        self.problems.extend(problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(set(self.problems), key=Problem.sort_key))

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self if problem.severity == "error"]

    @property
    def ok(self) -> bool:
        return not any(problem.severity == "error" for problem in self.problems)


def read_source(path: str) -> str | None:
    """Reads a content file for an excerpt; returns None if it cannot be shown.

    Only a regular file is read: a pipe would block the report, and a link may lead to a secret
    file.
    """
    try:
        data = read_plain(Path(path), 1 << 20)
    except OSError:
        return None
    return None if b"\0" in data[:4096] else data.decode("utf-8-sig", errors="replace")


def format_report(
    report: Report, format: Format = "text", *, source: Callable[[str], str | None] = read_source
) -> str:
    """Formats a report: `text` with excerpts, `short` with a line for each problem, or `json`.

    `source` returns the content of a file by its path, or None.
    """
    problems = list(report)
    if format == "json":
        return json.dumps([_as_json(problem) for problem in problems], indent=2, ensure_ascii=False)
    shown = problems[:MOST_PROBLEMS_SHOWN]

    @cache
    def lines(path: str) -> list[str]:
        return (source(path) or "").splitlines()

    text_of = _short if format == "short" else lambda problem: _text(problem, lines)
    parts = [text_of(problem) for problem in shown]
    if len(problems) > len(shown):
        parts.append(f"and {len(problems) - len(shown)} more faults")
    return ("\n" if format == "short" else "\n\n").join(parts)


def report_in_parts(
    report: Report, *, source: Callable[[str], str | None] = read_source
) -> list[dict[str, str]]:
    """Returns for each error of a report the parts of its text by name; missing parts are empty.

    The names are place, code, message, excerpt, also, also_excerpt, expected and hint. `source`
    returns the content of a file by its path, or None.
    """
    return [
        _parts(problem, lambda path: (source(path) or "").splitlines())
        for problem in report.errors[:MOST_PROBLEMS_SHOWN]
    ]


def _parts(problem: Problem, lines_of: Callable[[str], list[str]]) -> dict[str, str]:
    def excerpt(span: Span | None) -> str:
        return "\n".join(_excerpt(span, lines_of(span.path))) if span else ""

    return {
        "place": str(problem.span or ""),
        "code": problem.code,
        "message": printable(problem.message),
        "excerpt": excerpt(problem.span),
        "also": ": ".join(map(printable, map(str, problem.also or ()))),
        "also_excerpt": excerpt(problem.also and problem.also[0]),
        "expected": printable(problem.expected),
        "hint": printable(problem.hint),
    }


def _head(problem: Problem) -> str:
    where = f"{problem.span}: " if problem.span else ""
    return f"{where}{problem.severity}[{problem.code}]: {printable(problem.message)}"


def _short(problem: Problem) -> str:
    hint = f" ({problem.hint})" if problem.hint else ""
    return _head(problem) + printable(hint)


def _text(problem: Problem, lines_of: Callable[[str], list[str]]) -> str:
    part = _parts(problem, lines_of)
    lines = [_head(problem), part["excerpt"]]
    if part["also"]:
        lines += [f"  {part['also']}", part["also_excerpt"]]
    lines += [f"  {name}: {part[name]}" for name in ("expected", "hint") if part[name]]
    return "\n".join(filter(None, lines))


def _excerpt(span: Span, lines: list[str]) -> list[str]:
    """Returns the lines of an excerpt: the faulty line, lines before it, and a row of carets below.

    For a spreadsheet cell it is the cell with carets below. Empty if the file has no such line.
    """
    if span.cell is not None:
        name = f"{column_letters(span.column)}{span.line}"
        text = printable(span.cell.replace("\n", " ")[:WIDEST_LINE])
        return [f"  {name:>4} | {text}", f"       | {'^' * max(1, len(text))}"]
    if not 1 <= span.line <= len(lines):
        return []
    first = max(1, span.line - CONTEXT_LINES)
    skipped = _skipped(span)
    shown = [
        f"  {number:>4} | {printable(lines[number - 1][skipped : skipped + WIDEST_LINE])}"
        for number in range(first, span.line + 1)
    ]
    line, column = lines[span.line - 1][skipped : skipped + WIDEST_LINE], span.column - skipped
    if column <= len(line) + 1:
        end = span.end_column - skipped if span.end_line == span.line else len(line) + 1
        carets = "^" * max(1, min(end, len(line) + 1) - column)
        shown.append("       | " + " " * (column - 1) + carets)
    return shown


def _skipped(span: Span) -> int:
    """Returns how many characters of a faulty line to leave out at its start.

    There are some only if the fault is far along the line.
    """
    return 0 if span.column <= WIDEST_LINE else span.column - WIDEST_LINE // 3


def _as_json(problem: Problem) -> dict[str, object]:
    def place(span: Span | None) -> dict[str, object] | None:
        if span is None:
            return None
        cell = {} if span.cell is None else {"cell": f"{column_letters(span.column)}{span.line}"}
        return {key: value for key, value in asdict(span).items() if key != "cell"} | cell

    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "place": place(problem.span),
        "expected": problem.expected,
        "hint": problem.hint,
        "also": {"place": place(problem.also[0]), "what": problem.also[1]}
        if problem.also
        else None,
    }


def printable(text: str) -> str:
    """Replaces characters that must not reach a terminal by the replacement character.

    These are control characters and line breaks; tabs are kept.
    """
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
