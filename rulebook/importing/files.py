"""Any file that can be imported -> a page. Which reader takes it, its ending says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rulebook.importing.grids import add_tab
from rulebook.importing.pages import Heading, Page, PageTable
from rulebook.importing.sheets import add_doubts_of_columns
from rulebook.importing.texts import add_prose, add_separated, decode_any, has_tabs
from rulebook.importing.word import add_word
from rulebook.limits import LARGEST_UNPACKED, beyond, mebibytes
from rulebook.loading.safe_text import Unreadable, unread
from rulebook.loading.workbooks import Tab, read_workbook
from rulebook.plain_files import open_plain, reason_of
from rulebook.problems import Problem, Span

WORKBOOKS = (".xlsx", ".xlsm", ".ods")
WORD = (".docx",)
TABLES = (".csv", ".tsv", ".tab")
PROSE = (".md", ".markdown", ".txt")
ENDINGS = (*WORKBOOKS, *WORD, *TABLES, *PROSE)
#: What is read from standard input instead of a file.
PASTED = "-"
#: Names of tabs that no author gave them.
_UNNAMED = re.compile(r"(?:sheet|tabelle|feuil|hoja|foglio|planilha|blad|ark)[ -]?[0-9]*", re.I)
_SAVED_AS = {
    **dict.fromkeys((".xls", ".xlsb", ".numbers", ".fods"), ".xlsx"),
    **dict.fromkeys((".doc", ".odt", ".rtf", ".pages", ".pdf", ".html", ".htm"), ".docx"),
}


def read_pages(files: Iterable[Path], pasted: bytes = b"") -> Page:
    """Reads files, one after the other, into one page; `pasted` is what `-` stands for.

    Raises Unreadable.
    """
    pages = [_read(file, pasted) for file in files]
    whole = pages[0]
    for page in pages if len(pages) > 1 else ():
        if not any(isinstance(part, Heading) for part in page.parts):
            page.parts.insert(0, Heading(1, page.title))
    for page in pages[1:]:
        whole.parts += page.parts
        whole.doubts += page.doubts
    if len(pages) == 1:
        whole.shift()
    whole.keep_headings()
    add_doubts_of_columns(whole)
    return whole


def _read(file: Path, pasted: bytes) -> Page:
    shown, ending = file.as_posix(), file.suffix.lower()
    shown = "pasted" if shown == PASTED else shown
    page = Page(shown)
    if file.as_posix() != PASTED and ending not in ENDINGS:
        message = f"a file of the kind '{ending}'" if ending else "a file without an ending"
        hint = f"save it as {_SAVED_AS.get(ending, '.csv, or .md if it is text')}"
        expected = f"one of {', '.join(ENDINGS)}"
        raise Unreadable(Problem("R116", message, Span(shown), expected, hint))
    if file.as_posix() == PASTED:
        _add_text(page, pasted, shown, ".txt")
    else:
        try:
            with open_plain(file.resolve()) as opened:
                if ending in WORKBOOKS:
                    _add_workbook(page, read_workbook(opened, shown))
                elif ending in WORD:
                    add_word(page, opened, shown)
                else:
                    _add_text(page, opened.read(LARGEST_UNPACKED + 1), file.name, ending)
        except OSError as fault:
            raise Unreadable(unread(shown, reason_of(fault))) from None
    if not page.parts:
        hint = "look whether it is the right file, and what of it is hidden"
        lost = "".join(f"; {doubt}" for doubt in page.doubts[:3])
        message = f"there is nothing in this file that can be printed{lost}"
        raise Unreadable(Problem("R116", message, Span(shown), "a table or sentences", hint))
    page.title = page.title or file.stem.strip("-") or "Pasted"
    return page


def _add_workbook(page: Page, tabs: list[Tab]) -> None:
    seen = [tab for tab in tabs if not tab.hidden]
    for tab in tabs:
        if tab.hidden:
            page.doubt(tab.name, f"the hidden tab is left out; filled cells: {len(tab.cells)}")
            continue
        before = len(page.parts)
        add_tab(page, tab)
        if len(page.parts) == before:
            page.doubt(tab.name, "the tab is empty")
            continue
        first = page.parts[before]
        if isinstance(first, PageTable) and first.title.casefold() == tab.name.casefold():
            page.parts[before] = replace(first, title="")
        if len(seen) > 1 or not _UNNAMED.fullmatch(tab.name):
            page.parts.insert(before, Heading(1, " ".join(tab.name.split())))


def _add_text(page: Page, data: bytes, name: str, ending: str) -> None:
    if len(data) > LARGEST_UNPACKED:
        raise Unreadable(beyond(mebibytes(LARGEST_UNPACKED), "in a file", Span(page.source)))
    text = decode_any(data, page)
    if ending in TABLES or (ending == ".txt" and has_tabs(text)):
        add_separated(page, text, name, "" if ending == ".csv" else "\t")
    else:
        add_prose(page, text, name, markdown=ending != ".txt")
