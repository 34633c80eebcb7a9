"""Bytes of a PDF -> letters with their sizes and places, links, colours, fonts and tags.

Read by PDFium and by pikepdf, neither of which had a part in making it. Places are in millimetres
from the top left of the page, sizes of type in points.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any, NamedTuple

import pikepdf
import pypdfium2 as pdfium
from pypdfium2 import raw

MM = 25.4 / 72


class Letter(NamedTuple):
    """A printed letter and the box of its ink."""

    text: str
    size: float
    left: float
    top: float
    right: float
    bottom: float


class Link(NamedTuple):
    """A link inside the document: the words under it, the pages from and to, counted from 0."""

    words: str
    page: int
    target: str
    to: int


class Fill(NamedTuple):
    """An operator that sets a colour: `fill` or `stroke`, and its channels from 0 to 1."""

    kind: str
    channels: tuple[float, ...]


@dataclass
class Printed:
    """A PDF that has been read."""

    data: bytes

    @cached_property
    def viewed(self) -> pdfium.PdfDocument:
        return pdfium.PdfDocument(self.data)

    @cached_property
    def pdf(self) -> pikepdf.Pdf:
        return pikepdf.open(BytesIO(self.data))

    @cached_property
    def sizes(self) -> list[tuple[float, float]]:
        """Width and height of every page in mm, from its media box."""
        boxes = [[float(edge) for edge in page.mediabox] for page in self.pdf.pages]
        return [((x2 - x1) * MM, (y2 - y1) * MM) for x1, y1, x2, y2 in boxes]

    @cached_property
    def texts(self) -> list[str]:
        """The words of every page, white space as single spaces, broken words joined."""
        return [tidy(page.get_textpage().get_text_bounded()) for page in self.viewed]

    def letters(self, number: int) -> list[Letter]:
        """All letters of a page that leave ink."""
        page = self.viewed[number]
        left, _, _, top = page.get_mediabox()
        text = page.get_textpage()
        found = []
        for index in range(text.count_chars()):
            letter = chr(raw.FPDFText_GetUnicode(text, index))
            if letter.isspace() or raw.FPDFText_IsGenerated(text, index) == 1:
                continue
            x1, y1, x2, y2 = text.get_charbox(index)
            box = ((x1 - left) * MM, (top - y2) * MM, (x2 - left) * MM, (top - y1) * MM)
            found.append(Letter(letter, _size(text, index), *box))
        return found

    def bookmarks(self) -> list[tuple[int, str, int]]:
        """Depth, words and page of every bookmark."""
        return [
            (mark.level, mark.get_title(), mark.get_dest().get_index())
            for mark in self.viewed.get_toc()
        ]

    @cached_property
    def anchors(self) -> dict[str, int]:
        """Names that links lead to -> their pages."""
        pages = {page.obj.objgen: number for number, page in enumerate(self.pdf.pages)}
        names = pikepdf.NameTree(self.pdf.Root.Names.Dests)
        return {str(name): pages[place[0].objgen] for name, place in names.items()}

    def links(self, number: int) -> list[Link]:
        """The links of a page to places in the document, in their order."""
        text = self.viewed[number].get_textpage()
        found = []
        for note in self.pdf.pages[number].get("/Annots", []):
            if note.get("/Subtype") == "/Link" and "/Dest" in note:
                x1, y1, x2, y2 = (float(edge) for edge in note.Rect)
                edges = {"left": min(x1, x2), "right": max(x1, x2)}
                words = text.get_text_bounded(bottom=min(y1, y2), top=max(y1, y2), **edges)
                target = str(note.Dest)
                found.append(Link(tidy(words), number, target, self.anchors[target]))
        return found

    def colours(self) -> set[Fill]:
        """All colours that the operators of all pages and of the forms in them set."""
        found: set[Fill] = set()
        for page in self.pdf.pages:
            found.update(_colours(page, page.Resources))
        return found

    @cached_property
    def fonts(self) -> list[tuple[str, bool]]:
        """Name of every font, and whether its outlines are in the file."""
        found = []
        for one in self.pdf.objects:
            if isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/FontDescriptor":
                inside = any(f"/FontFile{kind}" in one for kind in ("", "2", "3"))
                found.append((str(one.FontName).removeprefix("/"), inside))
        return found

    def tags(self, name: str) -> list[Any]:
        """The elements of the structure tree with a tag, such as Figure."""
        return [one for one in _elements(self.pdf.Root.StructTreeRoot) if one.get("/S") == name]

    def row_pages(self) -> list[Counter[int]]:
        """Of the body of each table how many rows begin on which page, by the structure tree."""
        pages = {page.obj.objgen: number for number, page in enumerate(self.pdf.pages)}

        def page_of(row: Any) -> int:
            return next(pages[one.Pg.objgen] for one in _elements(row) if "/Pg" in one)

        bodies = ([*_elements(body)] for body in self.tags("/TBody"))
        return [Counter(page_of(one) for one in body if one.S == "/TR") for body in bodies]


def tidy(text: str) -> str:
    """Words that were broken over lines are joined, white space counts once."""
    joined = text.replace("\u2010\r\n", "").replace("\ufffe", "").replace("\x02", "")
    return " ".join(joined.split())


def _size(text: pdfium.PdfTextPage, index: int) -> float:
    """Points on paper: the size of the font by the scale of its matrix."""
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    return float(raw.FPDFText_GetFontSize(text, index) * math.hypot(matrix.c, matrix.d))


_SETTING = {"g": "fill", "rg": "fill", "k": "fill", "sc": "fill", "scn": "fill"}
_SETTING |= {name.upper(): "stroke" for name in _SETTING}


def _colours(stream: Any, resources: Any) -> Iterator[Fill]:
    for one in pikepdf.parse_content_stream(stream):
        name = str(one.operator)
        assert name not in ("sh", "INLINE IMAGE"), "a shading or a picture of points on a page"
        if name in _SETTING:
            yield Fill(_SETTING[name], tuple(float(channel) for channel in one.operands))
        elif name == "Do":
            form = resources.XObject[one.operands[0]]
            assert form.Subtype == "/Form", "a picture of points stands on a page"
            yield from _colours(form, form.get("/Resources", resources))


def _elements(element: Any) -> Iterator[Any]:
    yield element
    inside = element.get("/K", [])
    for one in inside if isinstance(inside, pikepdf.Array) else [inside]:
        if isinstance(one, pikepdf.Dictionary) and "/S" in one:
            yield from _elements(one)
