"""Names of spreadsheets -> nodes that stand in their place, each cell a text with its place.

Where a record table has its rows, a grid its cells, a modifier table its conditions, a deck its
cards, or a file its units, the name of a spreadsheet may stand instead: `data: guns.csv`. From here
on nothing knows of it but the places that reports name. A row of the sheet is a thing, with its id
in the first column; a heading names a key, `move`, or what stands deeper, `move.note`.

A cell is what its author typed; what a spreadsheet has made of it unasked, such as a date, is a
fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from rulebook.limits import (
    DEEPEST,
    LONGEST_LINE,
    LONGEST_TEXT,
    MOST_ITEMS,
    beyond,
)
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode
from rulebook.loading.safe_text import Unreadable, decode, faults_of_scalar, read_bytes
from rulebook.loading.workbooks import ShownCell, expect_few, read_workbook, too_many
from rulebook.loading.yaml_reader import twice
from rulebook.model.scalars import ROWS_AT
from rulebook.plain_files import is_plain, stays_inside
from rulebook.problems import Problem, Span
from rulebook.suggestions import nearest, some_words

#: The endings of files, by what they hold.
TEXTS = (".csv", ".tsv")
WORKBOOKS = (".ods", ".xlsx")
ENDINGS = (*TEXTS, *WORKBOOKS)
#: White space that is no part of a cell; line ends are.
AROUND = " \t\xa0"

#: `=SUM(B2:B4)` or `=B2*2`, but no `=ranges.rifle.long`.
_LINE_END = re.compile(r"\r\n?|\n|\Z")
_FORMULA = re.compile(r"=[-+( ]{0,3}(?:\$?[A-Z]{1,3}\$?[0-9]+\b|[A-Za-z.]+\()")
#: What a spreadsheet shows where it cannot calculate.
_ERROR = re.compile(r"#(?:REF|NAME|VALUE|DIV/0|N/A|NUM|NULL)[!?]?|Err:[0-9]{3}")
#: What a spreadsheet takes for a formula, a number, a date, or true and false.
_TURNED = re.compile(
    r"[=+@-].*|[0-9]+(?: *[-/.:] *[0-9]+){1,2}|true|false|[0-9]+[eE][0-9]+",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a spreadsheet, numbered as there; empty cells are empty texts.

    `path` is its path in reports: `content/game/army.ods#Guns`.
    """

    path: str
    rows: tuple[tuple[str, ...], ...]

    def span(self, row: int, column: int) -> Span:
        """Returns the place of a cell in the sheet, with its text; row and column count from 0."""
        cells = self.rows[row] if row < len(self.rows) else ()
        text = cells[column] if column < len(cells) else ""
        return Span(self.path, row + 1, column + 1, row + 1, column + 2, text)


def is_spreadsheet(name: str) -> bool:
    """Tells whether a name is that of a spreadsheet file, with or without a sheet after #."""
    return PurePosixPath(name.partition("#")[0]).suffix.lower() in ENDINGS


def read_spreadsheet(folder: Path, name: str, here: Span) -> Sheet:
    """Reads the sheet of a spreadsheet file in the ruleset's folder.

    `name` is the name of the file, with that of a sheet after # if there are several; `here` is the
    place where it is named. Raises Unreadable.
    """
    file, _, wanted = name.partition("#")
    path = folder / file
    outside = "\\" in file or ":" in file or file.startswith(("/", "~")) or ".." in file.split("/")
    if outside or not is_plain(path) or not stays_inside(path, folder):
        raise Unreadable(_no_file(folder, file, here))
    shown = path.as_posix()
    data = read_bytes(path, shown, within=folder)
    if path.suffix.lower() in WORKBOOKS:
        return _workbook(data, shown, wanted, here)
    if wanted:
        raise Unreadable(_no_sheet(file, wanted, [], here))
    rows = _rows_of(decode(data, shown), path.suffix.lower(), shown)
    return _sheet(shown, [list(map(ShownCell, row)) for row in rows])


def _no_file(folder: Path, file: str, here: Span) -> Problem:
    there = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix.lower() in ENDINGS and path.is_file()
    )
    message = f"there is no file '{file:.60}' in the ruleset's folder"
    expected = "a spreadsheet of this ruleset, such as units.csv"
    return Problem("R116", message, here, expected, nearest(file, there))


def _no_sheet(file: str, wanted: str, known: list[str], here: Span) -> Problem:
    message = f"'{file:.60}' has no sheet '{wanted:.40}'"
    return Problem("R116", message, here, some_words(known), nearest(wanted, known))


def _rows_of(text: str, ending: str, shown: str) -> list[list[str]]:
    """Reads the cells of a text with separators; `shown` is its path in reports.

    A cell in quotes may hold line ends if its row has as many cells as the first. Raises Unreadable
    where quotes are opened and not closed.
    """
    lines = text.splitlines(keepends=True)
    stated = re.fullmatch(r"sep=(.)\s*", lines[0]) if lines else None
    if stated:  # a line for Excel, which no spreadsheet shows; the rows are numbered as in the file
        text = text[stated.end() - 1 :]
    sign = re.escape(stated[1] if stated else "\t" if ending == ".tsv" else _delimiter(lines))
    cell = re.compile(rf'"((?:[^"]|"")*+)"(?={sign}|[\r\n]|\Z)|(?!")[^{sign}\r\n]*')
    rows: list[list[str]] = [[]]
    at, last = 0, ""
    while at < len(text) or last == "separator":
        row = rows[-1]
        found = cell.match(text, at)
        if found is None:
            raise Unreadable(_open_quote(shown, rows, text[at:]))
        row.append(found[0] if found[1] is None else found[1].replace('""', '"'))
        ended = _LINE_END.match(text, found.end())
        at, last = (ended.end(), "end") if ended else (found.end() + 1, "separator")
        if ended:
            rows[-1] = [] if row == [""] else row
            head = next(filter(None, rows), [])
            broken = [column for column, words in enumerate(row) if "\n" in words.strip()]
            if broken and len(row) != len(head):
                rows[-1] = row[: broken[0]]
                raise Unreadable(_open_quote(shown, rows, f'"{row[broken[0]]}'))
            rows.append([])
    return rows[:-1]


def _open_quote(shown: str, rows: Sequence[Sequence[str]], text: str) -> Problem:
    """Makes the fault of quotes that are opened in the cell behind those that have been read.

    `text` begins with them.
    """
    row, column = len(rows), len(rows[-1]) + 1
    here = Span(shown, row, column, row, column + 1, text.splitlines()[0])
    message = "a quotation mark that is opened here and not closed in its row"
    hint = 'delete it, or write it twice within two others: "6"" barrel"'
    return Problem("R116", message, here, "a mark at both ends of the cell, or none", hint)


def _delimiter(lines: Sequence[str]) -> str:
    """Returns the separator of a CSV file: a semicolon, tab or bar in its headings, or a comma."""
    heading = next((line for line in lines if line.strip()), "")
    plain = "".join(heading.split('"')[::2])
    return next((sign for sign in ";\t|" if sign in plain), ",")


def _shown(cell: ShownCell) -> str:
    """Returns the text of a cell as its author would type it.

    Spaces around it are dropped, and an apostrophe that kept a spreadsheet from converting it.
    Flags are in lower case, and whole numbers have no decimal point.
    """
    if cell.text in ("TRUE", "FALSE"):  # as Excel saves them
        return cell.text.lower()
    if cell.number is not None:
        return str(int(cell.number)) if cell.number.is_integer() else str(cell.number)
    text = cell.text.replace("\r\n", "\n").strip(AROUND)
    kept = text.startswith("'") and _TURNED.fullmatch(text.lstrip("'"))
    return text[1:] if kept else text


def _sheet(path: str, rows: Sequence[Sequence[ShownCell]]) -> Sheet:
    """Makes a sheet of rows of cells; `path` is its path in reports.

    Raises Unreadable if it is too large, or has cells that a spreadsheet has converted or could not
    compute.
    """
    wide = max(map(len, rows), default=0)
    if len(rows) > MOST_ITEMS or wide > LONGEST_LINE:
        raise Unreadable(too_many(path))
    sheet = Sheet(path, tuple(tuple(map(_shown, row)) for row in rows))
    problems = [
        Problem("R116", message, sheet.span(row, column), expected, hint)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        for message, expected, hint in _faults_of(cell, sheet.rows[row][column])
    ]
    if problems:
        raise Unreadable(*problems)
    return sheet


def _faults_of(cell: ShownCell, text: str) -> Iterator[tuple[str, str, str]]:
    """Yields a fault if a cell is a date, a formula or an error, as (message, expected, hint)."""
    if cell.made == "date":
        message = f"a date or time that the spreadsheet has made: {text:.40}"
        yield message, "", "format the cells as text, and then type the value again"
    elif cell.made or _FORMULA.match(text) or _ERROR.fullmatch(text):
        expected, hint = (
            "the value that comes of it",
            "save the file as CSV, which writes the values",
        )
        if text == "#N/A":
            hint = "write ~, or leave the cell empty, where nothing applies"
        elif _ERROR.fullmatch(text):
            hint = "mend the formula in the spreadsheet, and save it again"
        yield f"'{text:.40}' is a formula, or its fault", expected, hint


def _workbook(data: bytes, shown: str, wanted: str, here: Span) -> Sheet:
    """Reads the sheet `wanted` of a workbook, or its first sheet if `wanted` is empty.

    `data` are the bytes of its file, `shown` its path in reports, and `here` is the place that
    names it. Raises Unreadable.
    """
    tabs = {tab.name: tab for tab in read_workbook(BytesIO(data), shown)}
    if wanted and wanted not in tabs:
        raise Unreadable(_no_sheet(PurePosixPath(shown).name, wanted, list(tabs), here))
    tab = tabs[wanted or next(iter(tabs))]
    expect_few(tab, shown)
    wide = range(max((column for _, column in tab.cells), default=-1) + 1)
    high = range(max((row for row, _ in tab.cells), default=-1) + 1)
    nothing = ShownCell("")
    rows = [[tab.cells.get((row, column), nothing) for column in wide] for row in high]
    return _sheet(f"{shown}#{tab.name}", rows)


#: What gives the sheet of a name that stands at a place; None after a fault.
ReadSheet: TypeAlias = Callable[[str, Span], Sheet | None]

#: The key of an entity under which its rows stand, by its collection.
_ROWS = {**ROWS_AT, "cards": "cards"}
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
    """Replaces the names of spreadsheets in the root node of a YAML file by their rows.

    In an option or a file of a variant the names are below `adds` and `changes`. `read` reads the
    sheet of a name; faults are appended to `problems`. Returns the same node if it names none.
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
    """Converts a sheet to nodes; `lists` are the columns whose cells hold lists of names.

    In a `grid` rows and columns are choices on its axes; in any other sheet a row is an entity, row
    or card, and a column one of its fields.
    """

    sheet: Sheet
    problems: list[Problem]
    lists: frozenset[str] = frozenset()
    grid: bool = False
    #: The headings of the columns that are read, and the columns of remarks, by their numbers.
    headings: dict[int, list[Scalar]] = field(default_factory=dict)
    remarks: set[int] = field(default_factory=set)

    def read(self) -> MappingNode:
        """Reads the headings and all rows of the sheet; returns the rows by their keys.

        Rows of remarks are skipped. Faults are reported.
        """
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
        """Reads row `at` of the sheet, which has the given key; returns cells by their headings.

        Empty cells and columns of remarks are skipped. Reports a cell below no heading.
        """
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
        """Returns the text of a cell as a scalar; row and column count from 0.

        Reports texts that are too long or have what is forbidden in YAML files too.
        """
        span = self.sheet.span(at, column)
        text = span.cell or ""
        if len(text) > LONGEST_TEXT:
            self.problems.append(beyond(LONGEST_TEXT, "characters in a text", span))
        self.problems += faults_of_scalar(text, span, lambda start, end: span)
        return Scalar(text, True, span)

    def _finished(self, name: str, node: Node) -> Node:
        """Converts parts of a row to lists: mappings with numbers as keys, cells of list columns.

        Returns other nodes unchanged. `name` is the key of the node.
        """
        if isinstance(node, MappingNode):
            made = {key: self._finished(key, entry.value) for key, entry in node.entries.items()}
            if made and not self.grid and all(key.isdecimal() for key in made):
                return SequenceNode(tuple(made[key] for key in sorted(made, key=int)), node.span)
            return node.with_values(made)
        if isinstance(node, Scalar) and name in self.lists:
            names = (name.strip() for name in re.split(r"[,;\n]", node.text))
            return SequenceNode(
                tuple(Scalar(name, True, node.span) for name in names if name), node.span
            )
        return node


def _put(entries: dict[str, Entry], parts: list[Scalar], cell: Scalar) -> None:
    """Adds a cell to the entries of a row at the keys of its heading (`parts`).

    If one heading begins another, such as range and range.note, its cell is put at the key `value`.
    """
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
    """Tells whether a table is a grid: it has `rows` and no `fields`."""
    return "fields" not in table.entries and "rows" in table.entries
