"""A document of Word (DOCX) -> a page: headings, paragraphs, lists and tables in their order.

Styles say what a heading is; many authors set one in bold instead, and so a short bold line by
itself is one, too. What stands beside the text, such as notes and pictures, is a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, pairwise
from operator import itemgetter
from typing import BinaryIO, NamedTuple
from xml.etree.ElementTree import Element

from rulebook.importing.grids import add_tab, is_sentence, is_short
from rulebook.importing.pages import (
    Heading,
    Page,
    Sentences,
    escaped,
    first_escaped,
    items,
    plain,
)
from rulebook.limits import LONGEST_LINE
from rulebook.loading.office_files import OfficeFile, reading
from rulebook.loading.workbooks import ShownCell, Tab
from rulebook.markdown_reader import OUTWARD

#: Parts beside the text, and what their paragraphs are.
_BESIDE = {
    "footnotes": "footnote",
    "endnotes": "endnote",
    "comments": "comment",
    "header": "page header",
    "footer": "page footer",
}
_LEFT_OUT = {"drawing": "a picture", "pict": "a picture", "oMath": "an equation"}
#: Elements without text of the document, or with such as is read elsewhere.
_PASSED_OVER = {"instrText", "delInstrText", "Fallback", "rPr", "pPr", "txbxContent", "moveFrom"}
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
    #: The kind of a list, by the ids of the list and the level: bullet, decimal ...
    lists: dict[tuple[str, str], str] = field(default_factory=dict)
    listed_styles: dict[str, tuple[str, str]] = field(default_factory=dict)
    counts: dict[tuple[str, str], int] = field(default_factory=dict)
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
        root = next((name for _, kind, name in related if kind == "officeDocument"), "")
        document = self.office.needed(root or "word/document.xml")
        beside = self.office.related(root or "word/document.xml")
        self.links = {key: name for key, kind, name in beside if kind == "hyperlink"}
        for _, kind, name in beside:
            part = self.office.part(name) if kind in ("styles", "numbering") else None
            if part is not None:
                self._read_styles(part) if kind == "styles" else self._read_lists(part)
        for form in document.iter("rPr"):
            if _value(form.find("rStyle")) in self.bold_styles and form.find("b") is None:
                form.append(Element("b"))
        body = document.find("body")
        for element in () if body is None else _blocks(body):
            self._read_block(element)
        self._end_of_rows()
        self._settle()
        self._leave_out(document)
        for _, kind, name in beside:
            if kind in _BESIDE and (part := self.office.part(name)) is not None:
                for note in [part] if kind in ("header", "footer") else part:
                    if note.get("type", "normal") == "normal" and (text := _all_text(note)):
                        self._beside(kind, text)

    def _beside(self, kind: str, text: str) -> None:
        """Adds a note at the end; leaves out a comment, and what stands on every page."""
        if kind in ("footnotes", "endnotes"):
            self._add(items([text]))
            self._doubt(f"the {_BESIDE[kind]} '{text}' stands at the end")
        else:
            self._doubt(f"the {_BESIDE[kind]} '{text}' is left out")

    def _read_block(self, element: Element) -> None:
        if element.tag == "sdt":
            self._doubt("the table of contents is left out")
            return
        if element.tag == "tbl":
            self._end_of_rows()
            self._table(element)
            return
        text = _text(element)
        if "\t" in text.strip() and self._listed(element, "") is None:
            self.rows.append(element)
            return
        self._end_of_rows()
        self._paragraph(element)
        for box in _boxes(element):
            for block in _blocks(box):
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
            if style.find("./rPr/b") is not None and style.get("type") == "character":
                self.bold_styles.add(style.get("styleId", ""))
            key, based = style.get("styleId", ""), _value(style.find("basedOn"))
            name = _value(style.find("name")).lower()
            outline = style.find("./pPr/outlineLvl")
            if name.startswith("toc"):
                self.contents.add(key)
            elif match := re.fullmatch(r"heading ([1-9])", name):
                self.levels[key] = int(match[1])
            elif name == "title":
                self.levels[key] = 0
            elif outline is not None and int(_value(outline)) < 9:
                self.levels[key] = int(_value(outline)) + 1
            elif based in self.levels:
                self.levels[key] = self.levels[based]
            if (number := style.find("./pPr/numPr/numId")) is not None:
                level = _value(style.find("./pPr/numPr/ilvl")) or "0"
                self.listed_styles[key] = (_value(number), level)

    def _read_lists(self, numbering: Element) -> None:
        kinds = {
            (one.get("abstractNumId"), level.get("ilvl", "0")): _value(level.find("numFmt"))
            for one in numbering.iterfind("abstractNum")
            for level in one.iterfind("lvl")
        }
        for number in numbering.iterfind("num"):
            abstract = _value(number.find("abstractNumId"))
            for (key, level), kind in kinds.items():
                if key == abstract:
                    self.lists[number.get("numId", ""), level] = kind

    def _paragraph(self, element: Element) -> None:
        words = plain(_text(element))
        if not words:
            return
        style = _value(element.find("./pPr/pStyle"))
        if style in self.contents:
            self._doubt("in the table of contents, left out", f"`{words}`")
            return
        outline = element.find("./pPr/outlineLvl")
        level = self.levels.get(style)
        if outline is not None and int(_value(outline)) < 9:
            level = int(_value(outline)) + 1
        listed = self._listed(element, style)
        if level is not None and len(words) <= LONGEST_LINE:
            self._settle()
            title = " ".join(words.split("\n"))
            if level == 0 and not self.page.title:
                self.page.title = title
            else:
                self.page.parts.append(Heading(max(level, 1), title))
        elif _is_bold(element) and listed is None and not is_sentence(words.rstrip(":")):
            self.bold.append(words.rstrip(":").replace("\n", " "))
        else:
            self._settle()
            self._add(self._lines(plain(self._marked(element)), listed))
            self.is_paragraph = listed is None and is_short(words)
            return
        self.is_paragraph = False

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

    def _listed(self, element: Element, style: str) -> tuple[str, str] | None:
        """Returns the ids of the list and the level of an item; None for any other paragraph."""
        number = element.find("./pPr/numPr/numId")
        if number is None:
            return self.listed_styles.get(style)
        level = _value(element.find("./pPr/numPr/ilvl")) or "0"
        return None if _value(number) == "0" else (_value(number), level)

    def _lines(self, words: str, listed: tuple[str, str] | None) -> tuple[str, ...]:
        if listed is None:
            return items([words], marked=True)
        number, level = listed
        indent = "    " * min(int(level), 5)
        text = first_escaped(" ".join(words.split("\n")))
        if self.lists.get(listed, "bullet") in ("bullet", "none"):
            return (f"{indent}- {text}",)
        self.counts[listed] = self.counts.get(listed, 0) + 1
        for other in list(self.counts):
            if other[0] == number and int(other[1]) > int(level):
                del self.counts[other]
        return (f"{indent}{self.counts[listed]}. {text}",)

    def _add(self, lines: Sequence[str]) -> None:
        last = self.page.parts[-1] if self.page.parts else None
        if isinstance(last, Sentences):
            self.page.parts[-1] = Sentences((*last.lines, *lines))
        else:
            self.page.parts.append(Sentences(tuple(lines)))

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
        open_merges: dict[int, tuple[int, int]] = {}
        for row, line in enumerate(_within(element, "tr")):
            column = int(_value(line.find("./trPr/gridBefore")) or 0)
            for cell in _within(line, "tc"):
                wide = min(int(_value(cell.find("./tcPr/gridSpan")) or 1), LONGEST_LINE)
                merge = cell.find("./tcPr/vMerge")
                blocks = list(_blocks(cell))
                nested += [block for block in blocks if block.tag == "tbl"]
                filled = [block for block in blocks if block.tag == "p" and _text(block).strip()]
                if merge is not None and _value(merge) != "restart" and column in open_merges:
                    top, width = open_merges[column]
                    tab.merged = [area for area in tab.merged if area[:2] != (top, column)]
                    tab.merged.append((top, column, row, column + width - 1))
                else:
                    open_merges[column] = (row, wide)
                    if wide > 1:
                        tab.merged.append((row, column, row, column + wide - 1))
                if text := plain("\n".join(map(_text, filled))):
                    tab.cells[row, column] = ShownCell(text, all(map(_is_bold, filled)))
                for run in (run for block in filled for run in _runs(block) if run.link):
                    words = "linked in a table, now mere words"
                    self.page.doubt(tab.place(row, column), words, f"`{run.text}`")
                column += wide
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


def _value(element: Element | None) -> str:
    return "" if element is None else element.get("val", "")


def _blocks(element: Element) -> Iterator[Element]:
    """Yields the paragraphs and tables of a document, also those in controls."""
    for child in element:
        gallery = child.find("./sdtPr/docPartObj/docPartGallery")
        if child.tag in ("p", "tbl") or _value(gallery) == "Table of Contents":
            yield child
        elif child.tag in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"):
            yield from _blocks(child)


def _boxes(element: Element) -> Iterator[Element]:
    """Yields the boxes of text in a paragraph, without the copies of them for old programs."""
    for child in element:
        if child.tag == "txbxContent":
            yield child
        elif child.tag != "Fallback":
            yield from _boxes(child)


def _within(element: Element, tag: str) -> Iterator[Element]:
    """Yields the rows of a table or the cells of a row, also those in controls."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _within(child, tag)


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
    return found is not None and _value(found) not in ("0", "false")


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
