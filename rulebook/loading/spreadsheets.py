"""Files of spreadsheets -> rows of cells, each a text with its place.

CSV and TSV are read by the standard library, workbooks (ODS, XLSX) by python-calamine, an extra. A
cell is what a spreadsheet shows; what it has made of a cell unasked, such as a date, is a fault.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree

from rulebook.limits import LARGEST_UNPACKED, LONGEST_LINE, MOST_ITEMS, beyond
from rulebook.loading.safe_text import Unreadable, decode, read_bytes
from rulebook.plain_files import stays_inside
from rulebook.problems import Problem, Span
from rulebook.suggestions import nearest, some_words

#: The endings of files, by what they hold.
TEXTS = (".csv", ".tsv")
WORKBOOKS = (".ods", ".xlsx")
ENDINGS = (*TEXTS, *WORKBOOKS)
#: White space that is no part of a cell; line ends are.
AROUND = " \t\xa0"

#: `=SUM(B2:B4)` or `=B2*2`, but no `=ranges.rifle.long`.
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
    """The rows of a spreadsheet as it numbers them; empty cells are empty texts.

    `path` is how reports call it: `content/game/army.ods#Guns`.
    """

    path: str
    rows: tuple[tuple[str, ...], ...]

    def span(self, row: int, column: int) -> Span:
        """The place of a cell; both count from 0."""
        cells = self.rows[row] if row < len(self.rows) else ()
        text = cells[column] if column < len(cells) else ""
        return Span(self.path, row + 1, column + 1, row + 1, column + 2, text)


def is_spreadsheet(name: str) -> bool:
    """Whether the name of a file, perhaps with a sheet behind #, is that of a spreadsheet."""
    return PurePosixPath(name.partition("#")[0]).suffix.lower() in ENDINGS


def read_spreadsheet(folder: Path, name: str, here: Span) -> Sheet:
    """The sheet that a ruleset names at a place. Raises Unreadable."""
    file, _, wanted = name.partition("#")
    path = folder / file
    outside = "\\" in file or ":" in file or file.startswith(("/", "~")) or ".." in file.split("/")
    if outside or not path.is_file() or not stays_inside(path, folder):
        raise Unreadable(_no_file(folder, file, here))
    shown = path.as_posix()
    data = read_bytes(path, shown, within=folder)
    if path.suffix.lower() in WORKBOOKS:
        return _workbook(data, shown, wanted, here)
    if wanted:
        raise Unreadable(_no_sheet(file, wanted, [], here))
    text = decode(data, shown)
    try:
        return _sheet(shown, list(_rows_of(text, path.suffix.lower())))
    except csv.Error:
        expected = "quotes that are closed, and twice within quotes"
        raise Unreadable(_unreadable(shown, expected)) from None


def _no_file(folder: Path, file: str, here: Span) -> Problem:
    there = sorted(
        one.relative_to(folder).as_posix()
        for one in folder.rglob("*")
        if one.suffix.lower() in ENDINGS and one.is_file()
    )
    message = f"there is no file '{file:.60}' in the ruleset's folder"
    expected = "a spreadsheet of this ruleset, such as units.csv"
    return Problem("R116", message, here, expected, nearest(file, there))


def _no_sheet(file: str, wanted: str, known: list[str], here: Span) -> Problem:
    message = f"'{file:.60}' has no sheet '{wanted:.40}'"
    return Problem("R116", message, here, some_words(known), nearest(wanted, known))


def _rows_of(text: str, ending: str) -> Iterable[list[str]]:
    lines = text.splitlines(keepends=True)
    stated = re.fullmatch(r"sep=(.)\s*", lines[0]) if lines else None
    if stated:  # a line for Excel, which no spreadsheet shows; the rows are numbered as in the file
        lines[0] = "\n"
    delimiter = stated[1] if stated else "\t" if ending == ".tsv" else _delimiter(lines)
    return csv.reader(lines, delimiter=delimiter, strict=True)


def _delimiter(lines: Sequence[str]) -> str:
    """What stands between the headings: a semicolon where the decimal sign is a comma."""
    heading = next((line for line in lines if line.strip()), "")
    plain = "".join(heading.split('"')[::2])
    return next((sign for sign in ";\t" if sign in plain), ",")


def _shown(value: object) -> str:
    """A cell as its author would type it.

    Without the spaces around it, and without an apostrophe that kept it as it is.
    """
    if isinstance(value, bool) or value in ("TRUE", "FALSE"):  # as Excel saves them
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value).replace("\r\n", "\n").strip(AROUND)
    kept = text.startswith("'") and _TURNED.fullmatch(text.lstrip("'"))
    return text[1:] if kept else text


def _sheet(path: str, values: Sequence[Sequence[object]]) -> Sheet:
    """The sheet with these cells.

    Raises Unreadable where it is too large, or spreadsheets left in it what is no value.
    """
    wide = max(map(len, values), default=0)
    if len(values) > MOST_ITEMS or wide > LONGEST_LINE:
        raise Unreadable(_too_many(path))
    sheet = Sheet(path, tuple(tuple(_shown(value) for value in row) for row in values))
    problems = [
        Problem("R116", message, sheet.span(row, column), expected, hint)
        for row, cells in enumerate(values)
        for column, value in enumerate(cells)
        for message, expected, hint in _faults_of(value, sheet.rows[row][column])
    ]
    if problems:
        raise Unreadable(*problems)
    return sheet


def _faults_of(value: object, text: str) -> Iterator[tuple[str, str, str]]:
    """What a spreadsheet has made of a cell that is no value, what belongs there, what to do."""
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        message = f"a date or time that the spreadsheet has made: {text:.40}"
        yield message, "", "format the cells as text, and then type the value again"
    elif _FORMULA.match(text) or _ERROR.fullmatch(text):
        expected, hint = (
            "the value that comes of it",
            "save the file as CSV, which writes the values",
        )
        yield f"'{text:.40}' is a formula, or its fault", expected, hint


def _too_many(path: str) -> Problem:
    limit = f"{MOST_ITEMS} rows and {LONGEST_LINE} columns"
    hint = "delete what stands far below or beside the table"
    return beyond(limit, "in a spreadsheet", Span(path), hint)


def _workbook(data: bytes, shown: str, wanted: str, here: Span) -> Sheet:
    """A sheet of a workbook, the first unless one is wanted. Raises Unreadable."""
    file = PurePosixPath(shown).name
    try:
        import python_calamine
    except ImportError:
        message = f"nothing is installed that reads '{file:.60}'"
        hint = "type pip install 'rulebook[sheets]', or save the table as CSV"
        raise Unreadable(Problem("R116", message, here, "python-calamine", hint)) from None
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(_unpacked(data))
        names = book.sheet_names
        found = book.get_sheet_by_name(wanted if wanted in names else names[0])
        values: list[list[Any]] = found.to_python(skip_empty_area=False)
    except _TooLarge:
        raise Unreadable(_too_many(shown)) from None
    except Exception:  # the libraries report broken files by errors of a dozen kinds
        expected = "an .ods or .xlsx file, saved without a password"
        raise Unreadable(_unreadable(shown, expected)) from None
    if wanted and wanted not in names:
        raise Unreadable(_no_sheet(file, wanted, names, here))
    return _sheet(f"{shown}#{found.name}", values)


def _unreadable(shown: str, expected: str) -> Problem:
    message, hint = "this cannot be read as a spreadsheet", "open it in yours and save it again"
    return Problem("R116", message, Span(shown), expected, hint)


class _TooLarge(Exception):
    """More is packed in a workbook than any ruleset holds."""


def _unpacked(data: bytes) -> io.BytesIO:
    """A workbook with its parts unpacked, none of them larger than they claim to be.

    The library makes room for every cell up to the last that holds anything, so one at the end of a
    sheet of a million rows would take all memory. Raises _TooLarge, and what zipfile raises.
    """
    plain = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(plain, "w") as made:
        parts = packed.infolist()
        if sum(part.file_size for part in parts) > LARGEST_UNPACKED:
            raise _TooLarge
        for part in parts:
            content = packed.read(part)
            if content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
                _expect_few_cells(content)
            made.writestr(part.filename, content)
    plain.seek(0)
    return plain


def _expect_few_cells(part: bytes) -> None:
    """That no cell with anything in it lies far out; raises _TooLarge."""
    rows = columns = 0
    filled = False
    for _, element in ElementTree.iterparse(io.BytesIO(part)):
        name = element.tag.rpartition("}")[2]
        settings = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
        if name.endswith("table-cell"):  # of ODS: so many like cells stand side by side
            columns += _number(settings.get("number-columns-repeated", "1"))
            here = "value-type" in settings or len(element) > 0
            filled = filled or here
            if here and columns > LONGEST_LINE:
                raise _TooLarge
        elif name == "table-row":
            rows += _number(settings.get("number-rows-repeated", "1"))
            if filled and rows > MOST_ITEMS:
                raise _TooLarge
            columns, filled = 0, False
            element.clear()
        elif name == "table":
            rows = 0
        elif len(element) and _lies_far_out(settings.get("r", "")):
            raise _TooLarge  # of XLSX: a row and each of its cells say where they are


def _lies_far_out(place: str) -> bool:
    """Whether a place such as B4 is in no table of ours; a row alone is 4."""
    letters = place.rstrip("0123456789")
    return len(letters) > 2 or _number(place[len(letters) :] or "0") > MOST_ITEMS


def _number(digits: str) -> int:
    """A number in XML; too large a one where there is none to be read."""
    return int(digits) if digits.isdecimal() and len(digits) < 9 else MOST_ITEMS + 1
