"""Sheets of spreadsheets -> nodes that stand in the place of their files' names.

Where a record table has its rows, a grid its cells, a modifier table its conditions, a deck its
cards, or a file its units, the name of a spreadsheet may stand instead: `data: guns.csv`. From here
on nothing knows of it but the places that reports name. A row of the sheet is a thing, with its id
in the first column; a heading names a key, `move`, or what stands deeper, `move.note`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from rulebook.limits import DEEPEST, LONGEST_TEXT, beyond
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode
from rulebook.loading.safe_text import faults_of_scalar
from rulebook.loading.spreadsheets import Sheet, is_spreadsheet
from rulebook.loading.yaml_reader import twice
from rulebook.problems import Problem, Span

#: What gives the sheet of a name that stands at a place; None after a fault.
ReadSheet: TypeAlias = Callable[[str, Span], Sheet | None]

#: The key of an entity under which its rows stand, by its collection.
_ROWS = {"tables": "data", "modifiers": "rows", "cards": "cards"}
#: The collection of which all entities may stand in one sheet.
UNITS = "units"
#: Keys of units that hold lists of names; the names stand in one cell.
_LISTS = frozenset({"rows", "rules"})
#: What a cell may say of itself; everything else of a grid's heading is the key of a column.
_OF_CELLS = ("value", "status", "note", "source")
_ID = "id"
#: A heading or a row that begins so is a remark.
_REMARK = "#"


def with_sheets(root: Node, read: ReadSheet, problems: list[Problem]) -> Node:
    """The root of a YAML file with the rows of spreadsheets for their names.

    In an option, or a file of a variant, they stand below `adds` and `changes`.
    """
    root = _in_collections(root, read, problems)
    for overlay in ("adds", "changes"):
        inner = root.get(overlay) if isinstance(root, MappingNode) else None
        if isinstance(root, MappingNode) and inner is not None:
            root = root.with_value(overlay, _in_collections(inner, read, problems))
    return root


def _in_collections(node: Node, read: ReadSheet, problems: list[Problem]) -> Node:
    if not isinstance(node, MappingNode):
        return node
    units = node.get(UNITS)
    if units is not None and (sheet := _named(units, read)):
        node = node.with_value(UNITS, _Reading(sheet, problems, lists=_LISTS).read())
    for collection, key in _ROWS.items():
        entities = node.get(collection)
        if not isinstance(entities, MappingNode):
            continue
        for name, entry in entities.entries.items():
            rows = entry.value.get(key) if isinstance(entry.value, MappingNode) else None
            sheet = None if rows is None else _named(rows, read)
            if sheet is None or not isinstance(entry.value, MappingNode):
                continue
            grid = collection == "tables" and _is_grid(entry.value)
            made = entry.value.with_value(key, _Reading(sheet, problems, grid=grid).read())
            entities = entities.with_value(name, made)
        node = node.with_value(collection, entities)
    return node


def _named(node: Node, read: ReadSheet) -> Sheet | None:
    if isinstance(node, Scalar) and is_spreadsheet(node.text):
        return read(node.text, node.span)
    return None


@dataclass
class _Reading:
    """One sheet that is made into nodes; `lists` are the columns whose cells are lists.

    In a `grid` a row stands for a place along its rows and a column for one along its columns, in
    all others a row for a thing and a column for what is said of it.
    """

    sheet: Sheet
    problems: list[Problem]
    lists: frozenset[str] = frozenset()
    grid: bool = False
    #: The headings of the columns that are read, and the columns of remarks, by their numbers.
    headings: dict[int, list[Scalar]] = field(default_factory=dict)
    remarks: set[int] = field(default_factory=set)

    def read(self) -> MappingNode:
        """The rows by their keys."""
        rows = [at for at, row in enumerate(self.sheet.rows) if any(row)]
        here = self.sheet.span(0, 0)
        if len(rows) < 2:
            self._fault("there are no rows", here, "a row of headings, and a row for each thing")
            return MappingNode({}, here)
        self._read_headings(rows[0])
        entries: dict[str, Entry] = {}
        for at in rows[1:]:
            key = self._scalar(at, 0)
            if key.text.startswith(_REMARK):
                continue
            value = self._row(at, key)
            if not key.text:
                expected, hint = "an id such as rifled_musket", "begin a row of remarks with #"
                self._fault("no id in the first cell of this row", key.span, expected, hint)
            elif first := entries.get(key.text):
                self.problems.append(twice(key.text, key.span, first.key.span))
            else:
                entries[key.text] = Entry(key, value)
        return MappingNode(entries, here)

    def _fault(self, message: str, span: Span, expected: str = "", hint: str = "") -> None:
        self.problems.append(Problem("R116", message, span, expected, hint))

    def _read_headings(self, at: int) -> None:
        row = self.sheet.rows[at]
        if not self.grid and row[0].lower() != _ID:
            message = f"the first column is headed '{row[0]:.40}'"
            hint = "put a column of ids first, headed 'id'"
            self._fault(
                message, self.sheet.span(at, 0), "'id', and below it an id in each row", hint
            )
        seen: dict[str, Span] = {}
        for column, text in enumerate(row[1:], start=1):
            span = self.sheet.span(at, column)
            if text.startswith(_REMARK):
                self.remarks.add(column)
            elif text in seen:
                self.problems.append(twice(text, span, seen[text]))
                self.remarks.add(column)
            elif text:
                seen[text] = span
                parts = self._parts(text)
                if len(parts) > DEEPEST:
                    self.problems.append(beyond(DEEPEST, "points in a heading", span))
                    continue
                self.headings[column] = [Scalar(part.strip(), True, span) for part in parts]

    def _parts(self, heading: str) -> list[str]:
        if not self.grid:
            return heading.split(".")
        key, dot, last = heading.rpartition(".")
        return [key, last] if dot and last in _OF_CELLS else [heading]

    def _row(self, at: int, key: Scalar) -> Node:
        """What a row says."""
        entries: dict[str, Entry] = {}
        for column, text in enumerate(self.sheet.rows[at]):
            if column == 0 or not text or column in self.remarks:
                continue
            if column in self.headings:
                _put(entries, self.headings[column], self._scalar(at, column))
            else:
                hint = "write the name of a field there, or # over a column of remarks"
                span = self.sheet.span(at, column)
                self._fault("nothing stands at the head of this column", span, hint=hint)
        if self.grid and entries.keys() == {"value"}:  # a grid without columns
            return entries["value"].value
        return self._finished("", MappingNode(entries, key.span))

    def _scalar(self, at: int, column: int) -> Scalar:
        """A cell, held to what the scalars of a YAML file may hold."""
        span = self.sheet.span(at, column)
        text = span.cell or ""
        if len(text) > LONGEST_TEXT:
            self.problems.append(beyond(LONGEST_TEXT, "characters in a text", span))
        self.problems += faults_of_scalar(text, span, lambda start, end: span)
        return Scalar(text, True, span)

    def _finished(self, name: str, node: Node) -> Node:
        """What stands under a name in a row: a list where its parts are numbers, or names in it."""
        if isinstance(node, MappingNode):
            made = {key: self._finished(key, one.value) for key, one in node.entries.items()}
            if made and not self.grid and all(key.isdecimal() for key in made):
                return SequenceNode(tuple(made[key] for key in sorted(made, key=int)), node.span)
            return node.with_values(made)
        if isinstance(node, Scalar) and name in self.lists:
            names = (one.strip() for one in re.split(r"[,;\n]", node.text))
            return SequenceNode(
                tuple(Scalar(name, True, node.span) for name in names if name), node.span
            )
        return node


def _put(entries: dict[str, Entry], parts: list[Scalar], cell: Scalar) -> None:
    """Put a cell to where its heading leads; what has more said of it is a `value`."""
    part, *rest = parts
    old = entries.get(part.text)
    inner = dict(old.value.entries) if old and isinstance(old.value, MappingNode) else None
    if not rest and inner is None:
        entries[part.text] = Entry(part, cell)
        return
    if inner is None:
        inner = {"value": Entry(part, old.value)} if old else {}
    _put(inner, rest or [Scalar("value", True, part.span)], cell)
    first = next(iter(inner.values())).key
    entries[part.text] = Entry(part if rest or not old else old.key, MappingNode(inner, first.span))


def _is_grid(table: MappingNode) -> bool:
    """Whether a table has neither fields nor, as a list of outcomes, nothing but titles."""
    return "fields" not in table.entries and "rows" in table.entries
