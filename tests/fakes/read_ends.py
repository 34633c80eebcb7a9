"""The bytes of a booklet -> how its pages end, how wide its tables are, how small its marks.

All is read from the file as PDFium shows it: bookmarks are headings, the names that links lead to
are tables, pictures and examples. In millimetres from the top left, sizes of type in points.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import pikepdf
from pypdfium2 import raw
from read_pdf import MM, Printed

BLOCK = re.compile(r"(table|figure|cutout|chart|example|steps)-")


#: Page, place from the top and from the left, name.
_Place = tuple[int, float, float, str]


class Page(NamedTuple):
    """What a page of a layout is: where its text begins and ends, how wide it is, its type.

    `lefts` are where it begins on a left and on a right page.
    """

    top: float
    bottom: float
    measure: float
    body: float
    lefts: tuple[float, float]


#: By the width of the paper.
PAGES = {
    148: Page(17.0, 193.0, 111.0, 9.2, (22.0, 24.0)),
    210: Page(31.0, 264.0, 132.0, 10.4, (51.0, 51.0)),
}


class Ink(NamedTuple):
    """Something printed: a run of letters with their size, or what is drawn, of size 0."""

    left: float
    top: float
    right: float
    bottom: float
    size: float


class Block(NamedTuple):
    """A table, a picture or an example: its name, where it begins and where text goes on."""

    page: int
    name: str
    left: float
    top: float
    bottom: float
    inks: tuple[Ink, ...]


@dataclass
class Ends(Printed):
    """A booklet that has been read."""

    def __post_init__(self) -> None:
        self.page = PAGES[round(self.sizes[2][0])]
        self.ink = cache(self._ink)

    @cached_property
    def chapters(self) -> range:
        """The pages of the chapters, counted from 0."""
        opened = [(words, page) for level, words, page in self.bookmarks() if not level]
        rules = [page for words, page in opened if re.match(r"(\d+|[A-Z]) ", words)]
        after = opened[[page for _, page in opened].index(rules[-1]) + 1 :]
        last = next(page for _, page in after if page > rules[-1])
        return range(rules[0], last)

    def _ink(self, number: int) -> tuple[Ink, ...]:
        """What is printed between the head and the foot of a page, from the top."""
        page = self.viewed[number]
        found = []
        # A band's cut of the cover is deeper: a drawing within a clipped one.
        for one in page.get_objects(max_depth=2):
            x1, y1, x2, y2 = (edge * MM for edge in one.get_bounds())
            height = page.get_height() * MM
            size = 0.0
            if one.type == raw.FPDF_PAGEOBJ_TEXT:
                size = one.get_font_size() * one.get_matrix().d
            ink = Ink(x1, height - y2, x2, height - y1, abs(size))
            if self.page.top - 2 < ink.top and ink.bottom < self.page.bottom + 2:
                found.append(ink)
        return tuple(sorted(found, key=lambda ink: ink.top))

    def empty(self, number: int) -> float:
        """The share of the room for text that is empty at the foot of a page."""
        top, bottom = self.page.top, self.page.bottom
        last = max((ink.bottom for ink in self.ink(number) if ink.size), default=top)
        drawn = max((ink.bottom for ink in self.ink(number) if not ink.size), default=top)
        return (bottom - max(last, min(drawn, bottom))) / (bottom - top)

    @cached_property
    def headings(self) -> list[tuple[int, float, int]]:
        """The page, the place and the level of every heading in the chapters."""
        found = []
        for mark in self.viewed.get_toc(max_depth=5):
            page, down = mark.get_dest().get_index(), mark.get_dest().get_view()[1][1]
            if page in self.chapters:
                found.append((page, self.sizes[page][1] - down * MM, mark.level))
        return sorted(found)

    @cached_property
    def blocks(self) -> list[Block]:
        """Those of the chapters, as far as each goes on its first page."""
        pages = {page.obj.objgen: number for number, page in enumerate(self.pdf.pages)}
        places: list[_Place] = []
        for name, place in pikepdf.NameTree(self.pdf.Root.Names.Dests).items():
            number = pages[place[0].objgen]
            if number in self.chapters and BLOCK.match(str(name)):
                down, left = self.sizes[number][1] - float(place[3]) * MM, float(place[2]) * MM
                places.append((number, down, left, str(name)))
        return [self._block(places, *place) for place in sorted(places)]

    def _block(self, places: list[_Place], page: int, top: float, left: float, name: str) -> Block:
        ends = [down for number, down, *_ in places if number == page and down > top + 2]
        ends += [down for number, down, _ in self.headings if number == page and down > top + 2]
        ends += [ink.top for ink in self.ink(page) if ink.top > top + 2 and self._is_body(ink)]
        bottom = min(ends, default=self.page.bottom + 2)
        inks = tuple(
            ink for ink in self.ink(page) if top - 1 <= ink.top and ink.bottom <= bottom + 1
        )
        return Block(page, name, left, top, bottom, inks)

    def _is_body(self, ink: Ink) -> bool:
        return abs(ink.size - self.page.body) < 0.02

    def whole_at_head(self, page: int) -> float:
        """How high the block is that begins a page, with what stands above it; 0 if there is none.

        Above it are headings, and a text that leads to it.
        """
        found = next((block for block in self.blocks if block.page == page), None)
        if found is None:
            return 0.0
        above = [ink for ink in self.ink(page) if ink.top < found.top - 1 and self._is_body(ink)]
        if len({round(ink.bottom / 3) for ink in above}) > 3:
            return 0.0
        return max(ink.bottom for ink in found.inks) - self.page.top

    def below(self, page: int, top: float) -> tuple[float, int]:
        """How far what is below a heading goes down the page from it, and its lines."""
        inks = [ink for ink in self.ink(page) if ink.top > top - 1]
        first = next(ink.top for ink in inks if ink.size)
        heading = max(ink.bottom for ink in inks if ink.size and ink.top < first + 3)
        lower = [ink for ink in inks if ink.top > heading - 1]
        lines = {round(ink.bottom / 2) for ink in lower if ink.size > 7}
        return max((ink.bottom for ink in lower), default=heading) - heading, len(lines)

    def tables(self) -> Iterator[tuple[Block, list[Ink], bool]]:
        """The tables of the chapters, the lines and tints of each, and whether one is beside it."""
        found = [block for block in self.blocks if block.name.startswith("table-")]
        for block in found:
            beside = [
                one.left
                for one in found
                if one is not block and one.page == block.page and abs(one.top - block.top) < 1
            ]
            end = min((left for left in beside if left > block.left), default=self.sizes[0][0])
            edge = block.left + self.page.measure + 0.5
            drawn = [
                ink
                for ink in block.inks
                if not ink.size and block.left - 1 < ink.left and ink.right < min(end, edge)
            ]
            yield block, drawn, bool(beside)

    def marks(self) -> Iterator[tuple[int, Ink]]:
        """The marks of notes in the chapters: page and place, with the size of the type."""
        for number in self.chapters:
            height = self.sizes[number][1]
            for note in self.pdf.pages[number].get("/Annots", []):
                if str(note.get("/Dest", "")).startswith("note-"):
                    x1, y1, x2, y2 = (float(edge) * MM for edge in note.Rect)
                    left, top, right, bottom = min(x1, x2), height - max(y1, y2), max(x1, x2), 0.0
                    bottom = height - min(y1, y2)
                    size = next(
                        ink.size
                        for ink in self.ink(number)
                        if ink.size
                        and left - 0.3 <= (ink.left + ink.right) / 2 <= right + 0.3
                        and top - 0.5 <= (ink.top + ink.bottom) / 2 <= bottom + 0.5
                    )
                    yield number, Ink(left, top, right, bottom, size)

    def bars(self) -> Iterator[tuple[int, Ink]]:
        """The boxes at whose left edge bars stand beside examples, each as wide as the text."""
        for number in self.chapters:
            left = self.page.lefts[1 - number % 2]
            for ink in self.ink(number):
                wide = (
                    abs(ink.left - left) < 0.5 and abs(ink.right - left - self.page.measure) < 0.5
                )
                if not ink.size and wide and ink.bottom - ink.top > 8:
                    yield number, ink
