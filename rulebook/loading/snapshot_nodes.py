"""What a snapshot holds, as plain data -> nodes, each with its place in the one line of the file.

Texts are held to what the files of a folder may hold, so that a snapshot made by hand brings in
nothing that a folder could not.
"""

from __future__ import annotations

import json

from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode
from rulebook.loading.reading import (
    forbidden_in_scalar,
    html_in,
    html_problem,
    unprintable_characters,
)
from rulebook.model.canonical import written_named
from rulebook.model.plain_data import Named, Plain
from rulebook.problems import Problem, Span


class TooMuch(Exception):
    """More values than any ruleset holds."""


def nodes_of(
    content: Plain, path: str, start: int | None, *, most: int
) -> tuple[Node, list[Problem]]:
    """The nodes, up to so many, and the faults of their texts. Raises TooMuch.

    `start` is the column, from 1, at which the canonical text of the content begins in the file;
    None where the file is written otherwise, in an older format, so that places are not known.
    """
    reader = _Reader(path, start is not None, most)
    node, _ = reader.node(content, start or 1)
    return node, reader.problems


class _Reader:
    """Walks the content in the order in which it is written, and counts the characters."""

    def __init__(self, path: str, exact: bool, most: int) -> None:
        self._path = path
        self._exact = exact
        self._left = most
        self.problems: list[Problem] = []

    def node(self, value: Plain, at: int) -> tuple[Node, int]:
        """The node of a value that begins at a column, and the column behind it."""
        self._left -= 1
        if self._left < 0:
            raise TooMuch
        if value is None:
            return Scalar("~", True, self._span(at, at + 4)), at + 4
        if isinstance(value, str):
            return self._scalar(value, at)
        if isinstance(value, list):
            return self._sequence(value, at)
        if isinstance(value, Named):
            start, end = written_named(value)
            inner, after = self._mapping(value, at + start)
            return MappingNode(inner, self._span(at, after + end)), after + end
        entries, after = self._mapping(value, at)
        return MappingNode(entries, self._span(at, after)), after

    def _scalar(self, text: str, at: int) -> tuple[Scalar, int]:
        after = at + _length(text)
        span = self._span(at, after)
        if found := html_in(text):
            self.problems.append(html_problem(found[0], span))
        if fault := forbidden_in_scalar(text, span):
            self.problems.append(fault)
        else:
            self.problems += unprintable_characters(text, lambda start, end: span)
        return Scalar(text, False, span), after

    def _sequence(self, values: list[Plain], at: int) -> tuple[SequenceNode, int]:
        items, column = [], at + 1
        for value in values:
            item, column = self.node(value, column)
            items.append(item)
            column += 1
        after = max(column, at + 2)
        return SequenceNode(tuple(items), self._span(at, after)), after

    def _mapping(self, parts: dict[str, Plain], at: int) -> tuple[dict[str, Entry], int]:
        """The entries in their own order; they are written in that of their keys."""
        found, column = {}, at + 1
        for key in sorted(parts):
            named, column = self._scalar(key, column)
            value, column = self.node(parts[key], column + 1)
            found[key] = Entry(Scalar(key, True, named.span), value)
            column += 1
        return {key: found[key] for key in parts}, max(column, at + 2)

    def _span(self, start: int, end: int) -> Span:
        return Span(self._path, 1, start, 1, end) if self._exact else Span(self._path)


def _length(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False))
