"""Text files and what is pasted -> pages: CSV and TSV as tables, Markdown and prose line by line.

Spreadsheets and editors of many years write them in other encodings than UTF-8, and separate cells
by commas, semicolons, tabs or bars; both are found out from the file itself.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Literal

from rulebook.importing.grids import add_tab, is_sentence
from rulebook.importing.pages import Heading, Page, PageTable, Sentences, Value
from rulebook.loading.safe_text import FORBIDDEN, Unreadable
from rulebook.loading.sheet_file import HEADING, ITEM, UNDERLINE
from rulebook.loading.workbooks import ShownCell, Tab
from rulebook.problems import Problem, Span

#: In this order where several fit a file.
_SEPARATORS = (";", "\t", "|", ",")


def decode_any(data: bytes, page: Page) -> str:
    """Decodes a text file; an encoding that had to be guessed is a doubt. Raises Unreadable."""
    encoding = "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in data[:400]:
        encoding = "utf-16-le" if data[1:400:2].count(0) > data[:400:2].count(0) else "utf-16-be"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = "\0" if encoding != "utf-8-sig" else data.decode("cp1252", errors="replace")
        odd = next((line for line in text.splitlines() if not line.isascii()), "").strip()
        name = PurePosixPath(page.source).name
        page.doubt(name, f"it is not UTF-8, and read as text of Windows: `{odd[:40]}`")
    if "\0" in text:
        hint = "save it as .xlsx, .ods, .docx, .csv or .md"
        raise Unreadable(Problem("R103", "this is no text", Span(page.source), "a text file", hint))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def add_separated(page: Page, text: str, name: str, separator: str = "") -> None:
    """Adds the table, or tables, of a text whose cells are separated."""
    stated = re.match(r"sep=(.)\n", text)
    text = text[stated.end() :] if stated else text
    separator = separator or (stated[1] if stated else _separator(text))
    rows = _rows(text, separator)
    if rows is None:
        page.doubt(name, "quotation marks that are not closed; all are taken as typed")
        rows = _rows(text, separator, quoting=csv.QUOTE_NONE) or []
    tab = Tab(name)
    for row, cells in enumerate(rows):
        tab.cells |= {(row, at): ShownCell(cell) for at, cell in enumerate(cells) if cell.strip()}
    add_tab(page, tab)


def _rows(
    text: str, separator: str, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
) -> list[list[str]] | None:
    lines = text.splitlines(keepends=True)
    try:
        return list(csv.reader(lines, delimiter=separator, strict=True, quoting=quoting))
    except csv.Error:
        return None


def _separator(text: str) -> str:
    """Returns the sign that cuts most rows into the same number of cells."""

    def fit(separator: str) -> float:
        rows = _rows(text, separator) or _rows(text, separator, csv.QUOTE_NONE) or []
        widths = Counter(len(row) for row in rows if any(row))
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        return count / widths.total() if width > 1 else 0

    return max(_SEPARATORS, key=fit)  # the first of those that fit alike


_DASHES = re.compile(r"[ \t]*[|+:]?[ \t]*[-=]{2,}[-=+|: \t]*|[ \t]*\|[ \t]*:?-+:?[ \t]*\|[-:| \t]*")
_PICTURE = re.compile(r"!\[([^]]*)\]\(([^)]*)\)")
_TAG = re.compile(r"<!--.*?-->|</?(?!https?:|mailto:)[A-Za-z][^<>\n]*>", re.DOTALL)
_TAB = re.compile("\t")
_BAR = re.compile(r"(?<!\\)\|")
#: A line that is bold or italic as a whole, and no sentence.
_SET_APART = re.compile(r"[ \t]*(?:(\*\*|__)([^*_]+)\1|([*_])([^*_]+)\3):?[ \t]*")
_FOOTNOTE = re.compile(r"\[\^([^]]+)\]")


def add_prose(page: Page, text: str, name: str, *, markdown: bool) -> None:
    """Adds Markdown, or prose in which lines by themselves are headings, to a page."""
    lines = _without_settings(page, _cleaned(page, text, name), name)
    typed = any(HEADING.fullmatch(line) for line in lines)
    at = tables = 0
    title = ""
    while at < len(lines):
        line = lines[at]
        match = _SET_APART.fullmatch(line)
        words = (match[2] or match[4]) if match else ""
        if match and not is_sentence(words):
            rest = range(at + 1, len(lines))
            below = next((number for number in rest if lines[number].strip()), len(lines))
            if _table_lines(lines, below):
                title, at = words, below
                continue
            if match[1] and not "".join(lines[max(at - 1, 0) : at]).strip():
                page.parts.append(Heading(2 if typed else 1, words))
                at += 1
                continue
        if found := _heading(lines, at, plain=not markdown and not typed):
            page.parts.append(found[0])
            at += found[1]
        elif rows := _table_lines(lines, at):
            tables += 1
            before = len(page.parts)
            _add_rows(page, rows, f"{name}: table {tables}")
            page.give_title(before, title, 2)
            title = ""
            at += len(rows)
        else:
            page.say(line)
            at += 1
    for number, part in enumerate(page.parts):
        if isinstance(part, Sentences):
            said = "\n".join(part.lines).strip("\n").split("\n")
            page.parts[number] = Sentences(tuple(said))


def _cleaned(page: Page, text: str, name: str) -> list[str]:
    """Returns the lines of a text without pictures and HTML, which are doubts."""

    def leave_out(match: re.Match[str]) -> str:
        place = f"{name}:{text.count(chr(10), 0, match.start()) + 1}"
        if match[0].lower().startswith("<br"):
            return "<br>"
        page.doubt(place, "left out", f"`{match[0][:80]}`")
        return ""

    text = FORBIDDEN.sub("", text.replace("\xa0", " "))
    for pattern in (_PICTURE, _TAG):
        text = pattern.sub(leave_out, text)
    text = re.sub(r"<(?=[A-Za-z/!?])(?!https?:|mailto:|br>)", "< ", text)
    text = re.sub(r"(?<!\\)\{", r"\\{", _FOOTNOTE.sub(r"(\1)", text))
    return [re.sub(r"^\(([^()]+)\):", r"- (\1)", line) for line in text.split("\n")]


def _without_settings(page: Page, lines: list[str], name: str) -> list[str]:
    """Takes the title from what stands between lines of hyphens at the head of a file."""
    if not lines or lines[0].rstrip() != "---" or "---" not in map(str.rstrip, lines[1:]):
        return lines
    end = [line.rstrip() for line in lines].index("---", 1)
    for line in lines[1:end]:
        key, _, value = line.partition(":")
        if key.strip() == "title":
            page.title = value.strip().strip("\"'")
        elif line.strip():
            page.doubt(name, f"the setting `{line.strip()}` is left out")
    return lines[end + 1 :]


def _heading(lines: Sequence[str], at: int, *, plain: bool) -> tuple[Heading, int] | None:
    """Returns the heading in a line, and how many lines it takes."""
    line = lines[at]
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if match := HEADING.fullmatch(line):
        return Heading(len(match[1]), match[2]), 1
    alone = line.strip() and not (at and lines[at - 1].strip()) and not ITEM.match(line)
    if not alone or "|" in line or "\t" in line.strip():
        return None
    if UNDERLINE.fullmatch(below):
        return Heading(1 if "=" in below else 2, line.strip()), 2
    words = line.strip()
    followed = any(later.strip() for later in lines[at + 1 :])
    if plain and followed and not is_sentence(words) and (not below.strip() or words.isupper()):
        return Heading(1, words.strip("*")), 1
    return None


def _table_lines(lines: Sequence[str], at: int) -> list[str]:
    """Returns the lines of a table that begins in a line: with bars, or separated by tabs."""
    for sign in (_BAR, _TAB):
        found = []
        for line in lines[at:]:
            if not (sign.search(line.strip()) or (sign is _BAR and _DASHES.fullmatch(line))):
                break
            found.append(line)
        if len(found) > 1 and any(sign.search(line.strip()) for line in found[:2]):
            return found
    return []


def _add_rows(page: Page, lines: list[str], name: str) -> None:
    """Adds a table: with its head as stated by dashes below it, else as a tab is looked at."""
    if "|" not in "".join(lines):
        add_separated(page, "\n".join(lines), name, "\t")
        return
    dashes = [at for at, line in enumerate(lines) if _DASHES.fullmatch(line)]
    framed = (lines[dashes[0]] if dashes else lines[0]).lstrip().startswith(("|", "+"))
    rows = [_cells(line, framed=framed) for at, line in enumerate(lines) if at not in dashes]
    wide = max(map(len, rows), default=0)
    rows = [row + [""] * (wide - len(row)) for row in rows]
    cells = {
        (row, at): ShownCell(cell) for row, line in enumerate(rows) for at, cell in enumerate(line)
    }
    tab = Tab(name, {place: cell for place, cell in cells.items() if cell.text})
    stated = [at for at in dashes if at > 0]
    if wide > 1 and stated and stated[0] - len([at for at in dashes if at < stated[0]]) == 1:
        values = [
            tuple(Value(cell, tab.place(row, at)) for at, cell in enumerate(line))
            for row, line in enumerate(rows)
        ]
        page.parts.append(PageTable("", tuple(rows[0]), tuple(values[1:])))
    else:
        add_tab(page, tab)


def _cells(line: str, *, framed: bool) -> list[str]:
    """Returns the cells of a line; `framed` if there are bars around them."""
    line = re.sub(r"^\s*\||(?<!\\)\|\s*$", "", line) if framed else line
    cells = _BAR.split(line)
    return [re.sub("<br>", "\n", cell.strip()).replace("\\|", "|") for cell in cells]


def has_tabs(text: str) -> bool:
    """Tells whether most lines of a text are cells that are separated by tabs."""
    lines = [line for line in text.split("\n") if line.strip()]
    return 2 * sum("\t" in line.strip() for line in lines) > len(lines)
