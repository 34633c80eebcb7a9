"""A document of Word (DOCX) -> a page: headings, paragraphs, lists and tables in their order.

Styles say what a heading is; many authors set one in bold instead, and so a short bold line by
itself is one, too. What stands beside the text, such as notes and pictures, is a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, pairwise
from operator import itemgetter
from typing import BinaryIO, NamedTuple
from xml.etree.ElementTree import Element

from rulebook.importing.grids import add_tab, is_sentence, is_short
from rulebook.importing.pages import Heading, Page, Sentences, escaped, first_escaped, items, plain
from rulebook.limits import LONGEST_LINE
from rulebook.loading.office_files import OfficeFile, reading
from rulebook.loading.workbooks import Area, ShownCell, Tab
from rulebook.markdown_reader import OUTWARD

#: Parts beside the text.
_BESIDE = ("footnotes", "endnotes", "comments", "header", "footer")
_LEFT_OUT = {"drawing": "a picture", "pict": "a picture", "oMath": "an equation"}
#: Elements without text of the document, or with such as is read elsewhere.
_PASSED_OVER = {"instrText", "delInstrText", "rPr", "pPr", "txbxContent", "moveFrom"}
#: Elements around what is in a control, or was put in while changes were tracked.
_AROUND = {"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"}
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}


def add_word(page: Page, file: BinaryIO, shown: str) -> None:
    """Adds what stands in a Word document to a page. Raises Unreadable."""
    with reading(shown):
        _WordReader(page, OfficeFile(file, shown)).read()


@dataclass
class _WordReader:
    page: Page
    office: OfficeFile
    #: The addresses of links, by their ids.
    links: dict[str, str] = field(default_factory=dict)
    #: The level of headings of a style, by its id; 0 is the title of the document.
    levels: dict[str, int] = field(default_factory=dict)
    #: The kinds of a list by its id and the level: bullet, decimal ...
    lists: dict[str, dict[str, str]] = field(default_factory=dict)
    listed_styles: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: The last number of a list by its id and the level.
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    bold_styles: set[str] = field(default_factory=set)
    #: Styles of the lines of a table of contents.
    contents: set[str] = field(default_factory=set)
    tables: int = 0
    #: Whether the last line is a short paragraph, which may be the title of a table.
    is_paragraph: bool = False
    #: The last bold lines, which are headings or the titles of tables.
    bold: list[str] = field(default_factory=list)
    #: The last paragraphs that are typed with tabs.
    rows: list[Element] = field(default_factory=list)

    def read(self) -> None:
        related = self.office.related("")
        roots = (name for _, kind, name in related if kind == "officeDocument")
        root = next(roots, "word/document.xml")
        document, beside = self.office.needed(root), self.office.related(root)
        self.links = {key: name for key, kind, name in beside if kind == "hyperlink"}
        for _, kind, name in beside:
            part = self.office.part(name) if kind in ("styles", "numbering") else None
            if part is not None:
                self._read_styles(part) if kind == "styles" else self._read_lists(part)
        for element in list(document.iter()):
            for copy in element.findall("Fallback"):  # of a box, for old programs
                element.remove(copy)
            if _value(element, "rStyle") in self.bold_styles and element.find("b") is None:
                element.append(Element("b"))
        for body in document.iterfind("body"):
            for element in _inside(body, "p", "tbl"):
                self._read_block(element)
        self._end_of_rows()
        self._settle()
        self._leave_out(document)
        for _, kind, name in beside:
            if kind in _BESIDE and (part := self.office.part(name)) is not None:
                for note in [part] if kind in ("header", "footer") else part:
                    if note.get("type", "normal") == "normal" and (text := _all_text(note)):
                        at_end = kind in ("footnotes", "endnotes")
                        self.page.say(*items([text] * at_end))
                        where = "stands at the end" if at_end else "is left out"
                        what = kind.removesuffix("s") if kind.endswith("s") else f"page {kind}"
                        self._doubt(f"the {what} '{text}' {where}")

    def _read_block(self, element: Element) -> None:
        if element.tag == "sdt":
            self._doubt("the table of contents is left out")
            return
        if element.tag == "tbl":
            self._end_of_rows()
            self._table(element)
            return
        text = _text(element)
        if "\t" in text.strip() and self._listed(element) is None:
            self.rows.append(element)
            return
        self._end_of_rows()
        self._paragraph(element)
        for box in element.iter("txbxContent"):
            for block in _inside(box, "p", "tbl"):
                self._read_block(block)

    def _end_of_rows(self) -> None:
        """Makes a table of the last lines whose words are parted by tabs, if there are several."""
        rows, self.rows = self.rows, []
        if len(rows) < 2:
            for row in rows:
                self._paragraph(row)
            return
        self.tables += 1
        tab = Tab(f"table {self.tables}")
        for number, row in enumerate(rows):
            bold = _is_bold(row)
            cells = enumerate(filter(None, map(str.strip, _text(row).split("\t"))))
            tab.cells |= {(number, at): ShownCell(text, bold) for at, text in cells}
        self._add_tab(tab)

    def _doubt(self, words: str, text: str = "") -> None:
        self.page.doubt(self.office.shown, words, text)

    def _read_styles(self, styles: Element) -> None:
        for style in styles.iterfind("style"):
            key, name = style.get("styleId", ""), _value(style, "name").lower()
            if style.find("./rPr/b") is not None and style.get("type") == "character":
                self.bold_styles.add(key)
            heading = re.fullmatch(r"heading ([1-9])", name)
            level = int(heading[1]) if heading else 0 if name == "title" else _outline_level(style)
            level = self.levels.get(_value(style, "basedOn")) if level is None else level
            if name.startswith("toc"):
                self.contents.add(key)
            elif level is not None:
                self.levels[key] = level
            if listed := _list_of(style):
                self.listed_styles[key] = listed

    def _read_lists(self, numbering: Element) -> None:
        kinds = {
            one.get("abstractNumId"): {
                level.get("ilvl", "0"): _value(level, "numFmt") for level in one.iterfind("lvl")
            }
            for one in numbering.iterfind("abstractNum")
        }
        for number in numbering.iterfind("num"):
            self.lists[number.get("numId", "")] = kinds.get(_value(number, "abstractNumId"), {})

    def _paragraph(self, element: Element) -> None:
        words = plain(_text(element))
        style = _value(element, "./pPr/pStyle")
        level, listed = _outline_level(element), self._listed(element)
        level = self.levels.get(style) if level is None else level
        is_paragraph = False
        if words and style in self.contents:
            self._doubt("in the table of contents, left out", f"`{words}`")
        elif words and level is not None and len(words) <= LONGEST_LINE:
            self._settle()
            title = " ".join(words.split("\n"))
            if level == 0 and not self.page.title:
                self.page.title = title
            else:
                self.page.parts.append(Heading(max(level, 1), title))
        elif _is_bold(element) and listed is None and not is_sentence(words.rstrip(":")):
            self.bold.append(words.rstrip(":").replace("\n", " "))
        elif words:
            self._settle()
            self.page.say(*self._lines(plain(self._marked(element)), listed))
            is_paragraph = listed is None and is_short(words)
        self.is_paragraph = is_paragraph if words else self.is_paragraph

    def _marked(self, element: Element) -> str:
        """Returns the words of a paragraph in Markdown, with bold and italic words and links."""
        made = ""
        forms = groupby(_runs(element), key=itemgetter(1, 2))
        runs = [("".join(run.text for run in group), *form) for form, group in forms]
        for (text, marks, link), (after, *_) in pairwise([*runs, ("",)]):
            shown, address = escaped(text), self.links.get(link, "")
            edges = (made[-1:] + shown[:1], shown[-1:] + after[:1])
            within = re.fullmatch(r"\w\S", edges[0]) or re.fullmatch(r"\S\w", edges[1])
            if link and address.startswith(OUTWARD):
                address = re.sub("[() ]", lambda sign: f"%{ord(sign[0]):x}", address)
                shown = f"[{shown}]({address})"
            elif link:
                self._doubt("linked to no page of the web, now mere words", f"`{text}`")
            # Markdown reads no mark between a sign and a letter.
            marked = r"\w(?:.*\w)?" if within else r"\S(?:.*\S)?"
            made += re.sub(marked, partial(_between, marks), shown)
        return made

    def _settle(self) -> None:
        """Makes headings of the bold lines that no table followed."""
        for text in self.bold:
            self.page.parts.append(Heading(self._level_of_bold(), text))
            self._doubt("in bold, taken for a heading", f"`{text}`")
        self.bold.clear()

    def _level_of_bold(self) -> int:
        return 2 if self.levels and any(isinstance(p, Heading) for p in self.page.parts) else 1

    def _listed(self, element: Element) -> tuple[str, str] | None:
        """Returns the ids of the list and the level of an item; None for any other paragraph."""
        listed = _list_of(element) or self.listed_styles.get(_value(element, "./pPr/pStyle"))
        return listed if listed and listed[0] != "0" else None

    def _lines(self, words: str, listed: tuple[str, str] | None) -> tuple[str, ...]:
        if listed is None:
            return items([words], marked=True)
        number, level = listed
        mark = "-"
        if self.lists.get(number, {}).get(level, "bullet") not in ("bullet", "none"):
            counts = self.counts.get(number, {})
            above = {other: last for other, last in counts.items() if int(other) < int(level)}
            self.counts[number] = above | {level: counts.get(level, 0) + 1}
            mark = f"{self.counts[number][level]}."
        text = first_escaped(" ".join(words.split("\n")))
        return (f"{'    ' * min(int(level), 5)}{mark} {text}",)

    def _table(self, element: Element) -> None:
        self.tables += 1
        tab = Tab(f"table {self.tables}")
        nested = self._read_table(element, tab)
        self._add_tab(tab)
        for inner in nested:
            self._doubt(f"a table within {tab.name} stands below it")
            self._table(inner)

    def _add_tab(self, tab: Tab) -> None:
        """Adds a table, with the bold or short line above it as its title."""
        title = self.bold.pop() if self.bold else self._line_above()
        self._settle()
        before = len(self.page.parts)
        add_tab(self.page, tab)
        self.page.give_title(before, title, self._level_of_bold())

    def _line_above(self) -> str:
        """Takes the last paragraph from the page, if it may be the title of what follows."""
        last = self.page.parts[-1] if self.page.parts else None
        if not isinstance(last, Sentences) or not self.is_paragraph:
            return ""
        if len(last.lines) > 1:
            self.page.parts[-1] = Sentences(last.lines[:-1])
        else:
            self.page.parts.pop()
        return last.lines[-1].removeprefix("- ").rstrip(":")

    def _read_table(self, element: Element, tab: Tab) -> list[Element]:
        """Reads the cells of a table; returns the tables within them."""
        nested: list[Element] = []
        merged: dict[tuple[int, int], Area] = {}
        tops: dict[int, int] = {}
        for row, line in enumerate(_inside(element, "tr")):
            column = int(_value(line, "./trPr/gridBefore") or 0)
            for cell in _inside(line, "tc"):
                wide = min(int(_value(cell, "./tcPr/gridSpan") or 1), LONGEST_LINE)
                merge = cell.find("./tcPr/vMerge")
                if merge is None or merge.get("val") == "restart" or column not in tops:
                    tops[column] = row
                top = tops[column]
                merged[top, column] = (top, column, row, column + wide - 1)
                nested += _inside(cell, "tbl")
                filled = [block for block in _inside(cell, "p") if _text(block).strip()]
                if text := plain("\n".join(map(_text, filled))):
                    tab.cells[row, column] = ShownCell(text, all(map(_is_bold, filled)))
                for run in (run for block in filled for run in _runs(block) if run.link):
                    words = "linked in a table, now mere words"
                    self.page.doubt(tab.place(row, column), words, f"`{run.text}`")
                column += wide
        tab.merged = list(merged.values())
        return nested

    def _leave_out(self, document: Element) -> None:
        for element in document.iter():
            code = re.match(r'\s*HYPERLINK "?([^" ]+)', element.text or "")
            if element.tag in _LEFT_OUT and element.find(".//txbxContent") is None:
                about = next((one.get("descr") for one in element.iter("docPr")), "")
                words = about or _words(element)
                what = f"{_LEFT_OUT[element.tag]} ({words})" if words else _LEFT_OUT[element.tag]
                self._doubt(f"{what} is left out")
            elif _is_hidden(element) and (words := _words(element).strip()):
                self._doubt("hidden, left out", f"`{words}`")
            elif element.tag == "delText" and element.text:
                self._doubt("deleted, left out", f"`{element.text.strip()}`")
            elif element.tag == "instrText" and code:
                self._doubt("linked by a field, now mere words", f"`{code[1]}`")


def _value(element: Element, path: str) -> str:
    found = element.find(path)
    return "" if found is None else found.get("val", "")


def _outline_level(element: Element) -> int | None:
    """Returns the level of headings that a paragraph or a style states."""
    level = int(_value(element, "./pPr/outlineLvl") or 9)
    return level + 1 if level < 9 else None


def _list_of(element: Element) -> tuple[str, str] | None:
    """Returns the ids of the list and the level that a paragraph or a style states."""
    number = _value(element, "./pPr/numPr/numId")
    return (number, _value(element, "./pPr/numPr/ilvl") or "0") if number else None


def _inside(element: Element, *tags: str) -> Iterator[Element]:
    """Yields the elements of some kinds, also those in controls, and tables of contents."""
    for child in element:
        gallery = _value(child, "./sdtPr/docPartObj/docPartGallery")
        if child.tag in tags or gallery == "Table of Contents":
            yield child
        elif child.tag in _AROUND:
            yield from _inside(child, *tags)


def _text(element: Element) -> str:
    """Returns the text of a paragraph, without notes, boxes, and what was deleted."""
    return "".join(run.text for run in _runs(element))


class _MarkedText(NamedTuple):
    """A text, the marks that Markdown has for its type, and the id of the link that it is."""

    text: str
    marks: str
    link: str


def _runs(element: Element, marks: str = "", link: str = "") -> Iterator[_MarkedText]:
    if element.tag in _PASSED_OVER or _is_hidden(element):
        return
    if element.tag == "r":
        marks = "**" if _is_on(element, "b") else "*" if _is_on(element, "i") else ""
    elif element.tag == "hyperlink":
        link = element.get("id", element.get("anchor", ""))
    text = element.text if element.tag == "t" else _SIGNS.get(element.tag)
    if element.tag == "sym":
        text = chr(int(element.get("char", "25A1"), 16) & 0xFFFF)
    if text:
        yield _MarkedText(text, marks, link)
    for child in element:
        yield from _runs(child, marks, link)


def _between(marks: str, words: re.Match[str]) -> str:
    return f"{marks}{words[0]}{marks}"


def _is_on(run: Element, name: str) -> bool:
    """Tells whether a run has a property: bold, italics, or hidden."""
    found = run.find(f"./rPr/{name}") if run.tag == "r" else None
    return found is not None and found.get("val") not in ("0", "false")


def _is_hidden(run: Element) -> bool:
    return _is_on(run, "vanish")


def _is_bold(paragraph: Element) -> bool:
    """Tells whether all words of a paragraph are bold."""
    runs = [run for run in _runs(paragraph) if run.text.strip()]
    return bool(runs) and all(run.marks == "**" for run in runs)


def _all_text(element: Element) -> str:
    return " ".join(" ".join(map(_words, element.iter("p"))).split())


def _words(element: Element) -> str:
    return "".join(part.text or "" for part in element.iter("t"))
