"""A workbook (XLSX, ODS) -> its tabs: the texts of cells as the spreadsheet shows them.

The files are read here and not by a library, since what a reader sees is in them but not in what
libraries give: the format of a number (`4+`, `50%`, `+1`), comments, hidden tabs, bold heads.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import BinaryIO
from xml.etree.ElementTree import Element

from rulebook.limits import LONGEST_LINE, MOST_ITEMS, MOST_VALUES, beyond
from rulebook.loading.office_files import OfficeFile, reading
from rulebook.loading.safe_text import Unreadable
from rulebook.problems import Problem, Span, column_letters

#: Rows and columns of merged cells, from 0, the last of each included.
Area = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class ShownCell:
    """The text of a filled cell; `made` is what the spreadsheet made of it unasked.

    That is a "date", an "error", or a "formula" that was saved without its value. `meant` are the
    texts of which it may have made a date, or the formula. `number` is what a number is, whatever
    its format shows.
    """

    text: str
    bold: bool = False
    made: str = ""
    meant: tuple[str, ...] = ()
    number: float | None = None


@dataclass(slots=True)
class Tab:
    """One tab of a workbook, or any other table: filled cells by row and column, from 0.

    `boxes` are the texts of boxes in the drawing above them, `left_out` is what else there is, such
    as a comment, each with its place.
    """

    name: str
    cells: dict[tuple[int, int], ShownCell] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)

    def place(self, row: int, column: int) -> str:
        """Returns the place of a cell as spreadsheets name it: Weapons!C7."""
        return f"{self.name}!{column_letters(column + 1)}{row + 1}"

    def leave_out(self, what: str, place: str = "") -> None:
        self.left_out.append((place or self.name, what))


def read_workbook(file: BinaryIO, shown: str) -> list[Tab]:
    """Reads the tabs of a workbook in their order; `shown` is its path in reports.

    Raises Unreadable.
    """
    with reading(shown):
        office = OfficeFile(file, shown)
        tabs = list(_ods(office) if "content.xml" in office.names() else _xlsx(office))
        if not tabs:
            raise LookupError("no tabs")
    return tabs


def expect_few(tab: Tab, shown: str) -> None:
    """Raises Unreadable if filled cells of a tab lie farther out than any table reaches."""
    if any(row >= MOST_ITEMS or column >= LONGEST_LINE for row, column in tab.cells):
        raise Unreadable(too_many(f"{shown}#{tab.name}"))


def too_many(shown: str) -> Problem:
    """Returns the fault that a sheet has more rows or columns than a table may have."""
    limit = f"{MOST_ITEMS} rows and {LONGEST_LINE} columns"
    hint = "delete what stands far below or beside the table"
    return beyond(limit, "in a spreadsheet", Span(shown), hint)


# XLSX: a part for the workbook, one for each sheet, and for all texts and formats one each.


def _xlsx(office: OfficeFile) -> Iterator[Tab]:
    root = next(
        (name for _, kind, name in office.related("") if kind == "officeDocument"),
        "xl/workbook.xml",
    )
    book = office.needed(root)
    related = office.related(root)
    parts = {kind: name for _, kind, name in related}
    shared = office.part(parts.get("sharedStrings", ""))
    texts = [_rich_text(item) for item in (() if shared is None else shared)]
    formats = _Formats(office.part(parts.get("styles", "")), book)
    sheets = {key: (kind, name) for key, kind, name in related}
    for sheet in book.iterfind("./sheets/sheet"):
        kind, part = sheets[sheet.get("id", "")]
        tab = Tab(sheet.get("name", ""), hidden=sheet.get("state", "visible") != "visible")
        if kind == "worksheet":
            _read_sheet(office.needed(part), tab, texts, formats)
            _leave_out_of_sheet(office, part, tab)
        else:
            tab.leave_out("a sheet that is a chart")
        yield tab


def _read_sheet(root: Element, tab: Tab, texts: list[str], formats: _Formats) -> None:
    row = column = -1
    for line in root.iterfind("./sheetData/row"):
        row, column = int(line.get("r", row + 2)) - 1, -1
        if line.get("hidden") == "1":
            tab.hidden_rows.add(row)
        for element in line.iterfind("c"):
            place = element.get("r", "")
            row, column = _row_and_column(place) if place else (row, column + 1)
            cell = _cell(element, texts, formats)
            if cell.text or cell.made:
                tab.cells[row, column] = cell
    for columns in root.iterfind("./cols/col"):
        if columns.get("hidden") == "1":
            last = min(int(columns.get("max", "1")), LONGEST_LINE)
            tab.hidden_columns.update(range(int(columns.get("min", "1")) - 1, last))
    for area in root.iterfind("./mergeCells/mergeCell"):
        begin, _, end = area.get("ref", "").partition(":")
        tab.merged.append((*_row_and_column(begin), *_row_and_column(end or begin)))
    for part in root.iterfind("./headerFooter/*"):
        if text := re.sub('&(?:"[^"]*"|[0-9]+|.)', " ", part.text or "").strip():
            tab.leave_out(f"the page's header or footer '{text}'")


def _row_and_column(place: str) -> tuple[int, int]:
    match = re.fullmatch(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})", place)
    if match is None:
        raise ValueError(place)
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, number - 1


def _rich_text(item: Element) -> str:
    """Returns the text of an element that may be cut into runs, without marks of its reading."""
    own = [item.findtext("t") or ""]
    return "".join(own + [run.findtext("t") or "" for run in item.iterfind("r")])


def _cell(element: Element, texts: list[str], formats: _Formats) -> ShownCell:
    kind, value = element.get("t", "n"), element.findtext("v") or ""
    style = int(element.get("s", "0"))
    bold = formats.is_bold(style)
    inline = element.find("is")
    if kind == "inlineStr" and inline is not None:
        value = _rich_text(inline)
    elif kind == "s":
        value = texts[int(value)]
    elif kind == "b":
        value = "TRUE" if value == "1" else "FALSE"
    elif kind == "e":
        return ShownCell(value, bold, "error")
    elif kind == "n" and value:
        return formats.number(float(value), style, bold)
    formula = element.find("f")
    if not value and formula is not None and formula.text:
        return ShownCell("", bold, "formula", (f"={formula.text}",))
    return ShownCell(_tidy(value), bold)


def _tidy(text: str) -> str:
    text = re.sub("_x([0-9A-F]{4})_", lambda code: chr(int(code[1], 16)), text)
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


#: Formats that have no code in the file, by their numbers.
_BUILT_IN = dict(enumerate(("General", "0", "0.00", "#,##0", "#,##0.00")))
_BUILT_IN |= {9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??"}
_BUILT_IN |= {14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: "yyyy-mm-dd h:mm"}
_BUILT_IN |= dict.fromkeys((18, 19, 20, 21, 45, 46, 47), "h:mm")
_BUILT_IN |= {37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00"}
#: What a format is made of: words as they are, room, the figures of the number, and signs.
_PIECE = re.compile(
    r"\"([^\"]*)\"|\\(.)|[_*]."
    r"|((?:#* *)?\?+/(?:\?+|[0-9]+)|General|[0#?,]+(?:\.[0#?]*)?(?:E[+-]0+)?)|(.)",
    re.DOTALL,
)
_DATE_PIECE = re.compile(r"yyyy|yy|mmmm?|mm|m|dddd?|dd|d|\"[^\"]*\"|.", re.DOTALL | re.IGNORECASE)


class _Formats:
    """The formats of cells by the numbers of their styles."""

    def __init__(self, styles: Element | None, book: Element) -> None:
        properties = book.find("workbookPr")
        late = properties is not None and properties.get("date1904") in ("1", "true")
        self._first_day = datetime.datetime(1904, 1, 1) if late else datetime.datetime(1899, 12, 30)
        root = Element("styleSheet") if styles is None else styles
        codes = {
            int(code.get("numFmtId", "0")): code.get("formatCode", "")
            for code in root.iterfind("./numFmts/numFmt")
        }
        bold = [
            (mark := font.find("b")) is not None and mark.get("val", "1") not in ("0", "false")
            for font in root.iterfind("./fonts/font")
        ]
        self._styles = [
            (
                codes.get(number := int(one.get("numFmtId", "0")))
                or _BUILT_IN.get(number, "General"),
                dict(enumerate(bold)).get(int(one.get("fontId", "0")), False),
            )
            for one in root.iterfind("./cellXfs/xf")
        ]

    def is_bold(self, style: int) -> bool:
        return style < len(self._styles) and self._styles[style][1]

    def number(self, number: float, style: int, bold: bool) -> ShownCell:
        """Returns a cell with a number as its format shows it."""
        code = self._styles[style][0] if style < len(self._styles) else "General"
        plain = re.sub(r"\"[^\"]*\"|\\.|\[[^\]]*\]|General|[_*].", "", code)
        if re.search("[ymdhs]", plain, re.IGNORECASE) and -1 < number < 2_900_000:
            when = self._first_day + datetime.timedelta(days=number)
            return ShownCell(_shown_date(when, code, number), bold, "date", _meant(when, plain))
        return ShownCell(shown_number(number, code), bold, number=number)


def _shown_date(when: datetime.datetime, code: str, number: float) -> str:
    if re.search("[hs]", code, re.IGNORECASE):
        time = f"{when:%H:%M:%S}".removesuffix(":00")
        return time if number < 1 else f"{when:%Y-%m-%d} {time}"
    forms = {"yyyy": "%Y", "yy": "%y", "mmmm": "%B", "mmm": "%b", "mm": "%m", "dd": "%d"}
    forms |= {"ddd": "%a", "dddd": "%A"}
    shown = []
    for piece in _DATE_PIECE.findall(re.sub(r"\[[^\]]*\]|\\|;.*", "", code)):
        word = piece.lower()
        one = {"m": str(when.month), "d": str(when.day)}.get(word) or piece.strip('"')
        shown.append(when.strftime(forms[word]) if word in forms else one)
    return "".join(shown)


def _meant(when: datetime.datetime, code: str) -> tuple[str, ...]:
    """Returns what may have been typed where a spreadsheet shows a date: 1/2, 2/1."""
    if re.search("[hs]", code, re.IGNORECASE):
        return (f"{when.hour}:{when.minute:02}",)
    if "d" not in code.lower():
        return (f"{when.month}/{when:%y}", f"{when.month}-{when:%y}")
    return tuple(dict.fromkeys((f"{when.month}/{when.day}", f"{when.day}/{when.month}")))


def shown_number(number: float, code: str) -> str:
    """Returns a number as it is shown in a format, such as `0"+"` or `# ?/?`."""
    sections = re.findall(r"(?:\"[^\"]*\"|\\.|[^;])+", code) or ["General"]
    sign = "-" if number < 0 else ""
    if number < 0 and len(sections) > 1:
        section, sign = sections[1], ""
    else:
        section = sections[2] if number == 0 and len(sections) > 2 else sections[0]
    section = re.sub(r"\[[^\]]*\]", "", section)
    pieces = list(_PIECE.finditer(section))
    size = abs(number) * (100 if any(piece[4] == "%" for piece in pieces) else 1)
    shown = ""
    for piece in pieces:
        if piece[3]:
            figures = _figures(size, piece[3])
            shown, sign = f"{shown}{sign}{figures}", ""
        else:
            shown += piece[1] or piece[2] or piece[4] or ""
    return shown.strip()


def _figures(size: float, form: str) -> str:
    if form == "General":
        return f"{size:.11g}"
    if "/" in form:
        below = form.partition("/")[2]
        exact = Fraction(size)
        if below.isdecimal():
            near = Fraction(round(exact * int(below)), int(below))
        else:
            near = exact.limit_denominator(10 ** len(below) - 1)
        number, part = divmod(near, 1) if "#" in form else (0, near)
        return f"{number or ''} {part or ''}".strip() or "0"
    whole_form, _, decimals = form.partition(".")
    if "E" in form:
        return f"{size:.{decimals.count('0')}g}"
    shown = f"{size:{',' if ',' in whole_form else ''}.{len(decimals)}f}"
    whole, _, rest = shown.partition(".")
    needed = decimals.rstrip("#?")
    rest = rest[: len(needed)] + rest[len(needed) :].rstrip("0")
    whole = whole.zfill(whole_form.count("0"))
    return f"{whole}.{rest}" if rest else whole


def _leave_out_of_sheet(office: OfficeFile, part: str, tab: Tab) -> None:
    """Names the comments, pictures, charts and boxes of a sheet."""
    related = office.related(part)
    threaded = any(kind == "threadedComment" for _, kind, _ in related)
    for _, kind, name in related:
        root = office.part(name) if kind in _BESIDE else None
        if root is None:
            continue
        if kind == "drawing":
            for kind_of_drawing, what in {"pic": "a picture", "graphicFrame": "a chart"}.items():
                for _ in root.iter(kind_of_drawing):
                    tab.leave_out(what)
            for box in root.iter("sp"):
                text = "\n".join(map(_all_text, box.iter("p")))
                tab.boxes += [text] if text.strip() else []
        elif kind == "threadedComment" or not threaded:
            for note in root.iter("comment" if kind == "comments" else "threadedComment"):
                said = note.findtext("text") if kind != "comments" else _all_text(note.find("text"))
                tab.leave_out(f"the comment '{_tidy(said or '')}'", f"{tab.name}!{note.get('ref')}")


_BESIDE = ("drawing", "comments", "threadedComment")


def _all_text(element: Element | None) -> str:
    return "" if element is None else "".join(part.text or "" for part in element.iter("t"))


# ODS: one part with all tables, whose rows and cells may stand for many that are alike.


def _ods(office: OfficeFile) -> Iterator[Tab]:
    root = office.needed("content.xml")
    hidden, bold = set(), set()
    for style in root.iterfind("./automatic-styles/style"):
        name = style.get("name", "")
        shown = style.find("table-properties")
        if shown is not None and shown.get("display") == "false":
            hidden.add(name)
        type_face = style.find("text-properties")
        if type_face is not None and type_face.get("font-weight") in ("bold", "700"):
            bold.add(name)
    for table in root.iterfind("./body/spreadsheet/table"):
        tab = Tab(table.get("name", ""), hidden=table.get("style-name") in hidden)
        _read_columns(table, tab)
        row = 0
        for line in _lines(table):
            row = _read_line(line, row, tab, bold)
        for _ in table.iterfind("./shapes/*"):
            tab.leave_out("a picture or drawing")
        yield tab


def _read_columns(table: Element, tab: Tab) -> None:
    column = 0
    for element in table.iter("table-column"):
        count = min(int(element.get("number-columns-repeated", "1")), LONGEST_LINE)
        if element.get("visibility", "visible") != "visible":
            tab.hidden_columns.update(range(column, column + count))
        column += count


def _lines(table: Element) -> Iterator[Element]:
    """Yields the rows of a table, also those in groups."""
    for element in table:
        if element.tag == "table-row":
            yield element
        elif element.tag in ("table-header-rows", "table-row-group", "table-rows"):
            yield from _lines(element)


def _read_line(line: Element, row: int, tab: Tab, bold: set[str]) -> int:
    """Reads a row, which may stand for several alike; returns the number of the next."""
    rows = int(line.get("number-rows-repeated", "1"))
    if line.get("visibility", "visible") != "visible" and rows <= MOST_ITEMS:
        tab.hidden_rows.update(range(row, row + rows))
    column = 0
    for element in line:
        count = int(element.get("number-columns-repeated", "1"))
        cell = _ods_cell(element, element.get("style-name") in bold)
        if element.tag == "table-cell" and cell.text:
            if len(tab.cells) > MOST_VALUES:
                raise Unreadable(too_many(tab.name))
            for down in range(min(rows, MOST_ITEMS + 1)):
                for across in range(min(count, LONGEST_LINE + 1)):
                    tab.cells[row + down, column + across] = cell
        if element.tag != "table-cell" and cell.text:
            tab.leave_out(f"`{cell.text}`, under a merged cell,", tab.place(row, column))
        for note in element.iterfind("annotation"):
            text = " ".join(_paragraph(part) for part in note.iterfind("p"))
            tab.leave_out(f"the comment '{text}'", tab.place(row, column))
        for _ in element.iterfind("frame"):
            tab.leave_out("a picture or drawing", tab.place(row, column))
        across, down = (
            int(element.get(f"number-{way}-spanned", "1")) for way in ("columns", "rows")
        )
        if across > 1 or down > 1:
            tab.merged.append((row, column, row + down - 1, column + across - 1))
        column += count
    return row + rows


def _ods_cell(element: Element, bold: bool) -> ShownCell:
    lines = [_paragraph(part) for part in element.iterfind("p")]
    kind = element.get("value-type", "")
    value = element.get("value") or element.get("string-value") or element.get("boolean-value")
    text = "\n".join(lines).strip() if lines else (value or "")
    if kind == "boolean":
        text = (value or "").upper()
    if not lines and kind in _NUMBERS and value:
        text = shown_number(float(value), "0%" if kind == "percentage" else "General")
    if kind == "date":
        when = datetime.datetime.fromisoformat(element.get("date-value", "")[:19])
        return ShownCell(text or when.date().isoformat(), bold, "date", _meant(when, "d"))
    if kind == "time":
        return ShownCell(text or element.get("time-value", ""), bold, "date", (text,))
    made = "error" if "formula" in element.attrib and re.match("#[A-Z]|Err:[0-9]", text) else ""
    return ShownCell(text, bold, made, number=float(value) if value and kind in _NUMBERS else None)


#: Types of values in ODS that are numbers.
_NUMBERS = ("float", "percentage", "currency")


def _paragraph(element: Element) -> str:
    """Returns the text of a paragraph, with its spaces, tabs and line breaks."""
    text = element.text or ""
    for part in element:
        if part.tag == "s":
            text += " " * min(int(part.get("c", "1")), LONGEST_LINE)
        elif part.tag in ("tab", "line-break"):
            text += "\t" if part.tag == "tab" else "\n"
        elif part.tag not in ("annotation", "note", "frame"):
            text += _paragraph(part)
        text += part.tail or ""
    return text
