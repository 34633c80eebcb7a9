"""Sheet, booklet, cards and cutouts of an edition -> one PDF with what is to be printed again.

A sheet of the quick reference is printed again if anything on its sides is marked or has moved
since the edition before was recorded, a page of the booklet if it has a bar in its margin. Only the
layout shows which these are, so the notes on changes take their list from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.booklet.layout import booklet_pages
from rulebook.documents.cards.layout import card_sheets
from rulebook.documents.cutouts.layout import draw_sheets
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.parts.pages import Pages
from rulebook.documents.qrs.layout import sheet_pages
from rulebook.documents.qrs.views import QrsView
from rulebook.documents.reprint.compose import PrintedAgain
from rulebook.imposing.imposition import impose, on_paper, page_sizes, whole_pages
from rulebook.imposing.placing import Placement, Sheet, Side, rect
from rulebook.paper_and_ink import paper_size
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class ReprintSection:
    """Pages of the file that belong together: of what, how they are printed, and their bytes.

    `numbers` are those of the pages or sides in the document that they are taken from, from 1.
    """

    kind: str
    title: str
    both_sides: bool
    numbers: tuple[int, ...]
    data: bytes
    pages: tuple[int, ...]


@dataclass(frozen=True)
class Press:
    """Lays out what has changed in an edition; what serves several papers is laid out once."""

    view: PrintedAgain
    templates: Path
    cache: Cache = NOTHING_KEPT

    @cached_property
    def _booklet(self) -> Pages:
        """The booklet, of which all papers have the same pages."""
        assert self.view.booklet is not None
        return booklet_pages(self.view.booklet, self.templates, self.cache)["full"]

    @cached_property
    def _cards(self) -> dict[str, list[tuple[str, bool, Rendered]]]:
        """The sheets of all decks by their papers: title, whether they have backs, the sheets."""
        found: dict[str, list[tuple[str, bool, Rendered]]] = {}
        papers = self.view.deck_papers
        wanted = [File(paper, "pdf", paper, "full", "n-up") for paper in papers]
        for deck in self.view.decks if wanted else ():
            both = bool(deck.backs) and not deck.gutterfold
            made = card_sheets(deck, wanted, self.templates)
            for file, sheets in zip(wanted, made, strict=True):
                found.setdefault(str(file.paper), []).append((deck.title, both, sheets))
        return found

    def sections(self, paper: str) -> list[ReprintSection]:
        """What is to be printed again on a paper, what is printed on both sides first."""
        return list(self._sections(paper))

    def _sections(self, paper: str) -> Iterator[ReprintSection]:
        if paper in self.view.sheets:
            before = self.view.sides_before.get(paper, ())
            title = gettext("Quick reference")
            yield from self._sheet("quick reference", title, self.view.sheets[paper], before)
        if paper in self.view.rare:
            title = gettext("Quick reference, second sheet")
            yield from self._sheet("second sheet", title, self.view.rare[paper], ())
        for title, both, sheets in self._cards.get(paper, ()):
            yield ReprintSection(
                "cards", title, both, (), sheets.data, tuple(range(sheets.pages or 0))
            )
        if paper in self.view.cutouts:
            cutouts = self.view.cutouts[paper]
            pages = tuple(range(len(cutouts.sheets)))
            data = draw_sheets(cutouts, print_hints=False)
            yield ReprintSection("cutouts", gettext("Cutouts"), False, (), data, pages)
        if self.view.booklet is not None and self._booklet.marked:
            marked = self._booklet.marked
            numbers = tuple(number + 1 for number in marked)
            data = on_paper(self._booklet.data, *paper_size(paper))
            yield ReprintSection("booklet", gettext("Booklet"), False, numbers, data, marked)

    def _sheet(
        self, kind: str, title: str, sheet: QrsView, sides: Sequence[tuple[str, ...]]
    ) -> Iterator[ReprintSection]:
        """A sheet; `sides` are the pieces on the sides of the old one, where they are recorded."""
        made = sheet_pages(sheet, ("full",), self.templates, self.cache)["full"]
        changed = set(made.marked)
        if made.count > 2:
            # Where it was not recorded what stood on the old sides, none of them may be kept.
            before = dict(enumerate(sides))
            changed |= {side for side in range(made.count) if made.side(side) != before.get(side)}
        # A sheet has two sides, and neither is printed alone.
        wanted = tuple(side for side in range(made.count) if {side, side ^ 1} & changed)
        if wanted:
            numbers = tuple(side + 1 for side in wanted)
            yield ReprintSection(kind, title, len(wanted) > 1, numbers, made.data, wanted)


def reprint(found: Sequence[ReprintSection], *, title: str, language: str) -> bytes:
    """One PDF of all sections."""
    sheets: list[Sheet] = []
    parts = [whole_pages(section.data) for section in found]
    first = 0
    for section, data in zip(found, parts, strict=True):
        sizes = page_sizes(data)
        for page in section.pages:
            size = sizes[page]
            whole = rect(0, 0, size.width, size.height)
            sheets.append(
                Sheet(size.width, size.height, Side((Placement(first + page, whole, whole),)))
            )
        first += len(sizes)
    return impose(parts, sheets, title=title, language=language)


@dataclass(frozen=True, slots=True)
class ReprintEntry:
    """A line of the list that the notes print: what, how, and which pages of the file.

    What is not printed on this paper has no pages there, and is printed from files of its own.
    """

    kind: str
    title: str
    both_sides: bool = False
    numbers: str = ""
    pages: str = ""


def listed(
    view: PrintedAgain, found: Sequence[ReprintSection], *, cutouts: bool
) -> tuple[ReprintEntry, ...]:
    """The list; `cutouts`: there are some to be printed again."""
    told: list[ReprintEntry] = []
    at = 1
    for one in found:
        last = at + len(one.pages) - 1
        numbers, pages = _ranges(one.numbers), _ranges(range(at, last + 1))
        told.append(ReprintEntry(one.kind, one.title, one.both_sides, numbers, pages))
        at = last + 1
    there = {(one.kind, one.title) for one in found}
    elsewhere = [("cards", deck.title) for deck in view.decks]
    elsewhere += [("cutouts", gettext("Cutouts"))] if cutouts else []
    return (*told, *(ReprintEntry(*one) for one in elsewhere if one not in there))


def _ranges(numbers: Sequence[int]) -> str:
    """1, 3–5, 9."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), key=lambda one: one[1] - one[0])
    ]
    return ", ".join(
        str(run[0]) if len(run) == 1 else f"{run[0]}\N{EN DASH}{run[-1]}" for run in runs
    )
