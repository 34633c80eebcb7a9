"""Sheet, booklet, cards and cutouts of an edition -> one PDF with what is to be printed again.

Its first page says what replaces what. Behind it stand the pages that replace others; a document
that is new for the most part is printed from its own file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby, zip_longest
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.booklet.layout import booklet_pages
from rulebook.documents.cards.layout import shared_sheets
from rulebook.documents.cutouts.layout import draw_sheets
from rulebook.documents.parts.pages import Pages
from rulebook.documents.parts.views import Identity
from rulebook.documents.qrs.layout import sheet_pages
from rulebook.documents.qrs.views import QrsView
from rulebook.documents.reprint.compose import (
    BOOKLET,
    CUTOUTS,
    QUICK_REFERENCE,
    SECOND_SHEET,
    PrintedAgain,
    ReprintView,
)
from rulebook.imposing.imposition import impose, on_paper, page_sizes, whole_pages
from rulebook.imposing.placing import Placement, Sheet, Side, rect
from rulebook.loading.print_records import sheet_name
from rulebook.paper_and_ink import paper_size
from rulebook.quantities import EN_DASH, join_words
from rulebook.revisions.text_marks import SinceView
from rulebook.translation import gettext, ngettext
from rulebook.typeset.environment import document_styles, render_template
from rulebook.typeset.pdf import Layout, lay_out

STYLES = ("tables", "reprint")


@dataclass(frozen=True, slots=True)
class Section:
    """Pages of the file that belong together, by their places in the bytes of a document."""

    both_sides: bool
    data: bytes
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replacement:
    """A line of the first page: what to throw away, what to put in its place, what to print.

    That are pages behind the first (`section`), or files (`printed`).
    """

    document: str
    out: str
    put: str
    section: Section | None = None
    printed: str = ""


@dataclass(frozen=True, slots=True)
class ReprintList:
    """The first page; each line says what to print in its last words."""

    identity: Identity
    since: SinceView
    lines: tuple[tuple[str, str, str, str], ...]
    errata: str


@dataclass(frozen=True)
class Press:
    """Lays out what has changed in an edition; what serves several papers is laid out once."""

    view: PrintedAgain
    listed: ReprintView
    templates: Path
    cache: Cache = NOTHING_KEPT

    def replacements(self, paper: str) -> Iterator[Replacement]:
        """What replaces what: documents on a paper, or of no paper of the list in their own."""
        sheets, rare = self.view.sheets.get(paper), self.view.rare.get(paper)
        if sheets:
            sides = self.view.sides_before.get(paper, ())
            yield from self._sheet(f"qrs-{paper}", gettext(QUICK_REFERENCE), sheets, sides)
        if rare:
            sides = self.view.sides_before.get(sheet_name(paper, 2), ())
            yield from self._sheet(f"qrs-2-{paper}", gettext(SECOND_SHEET), rare, sides)
        yield from self._cards(paper)
        yield from self._cutouts(paper)
        for title, names in self.listed.gone.items():
            yield Replacement(title, _list(names), gettext("nothing: no longer used"))
        if self.listed.rules:
            yield from self._booklets(paper)
        for title, units, stem in self.listed.scenarios:
            out = gettext("rosters and cards of %(units)s, if you have any", units=_list(units))
            files = [f"{stem}-{what}-{paper}.pdf" for what in ("sheets", "cards")]
            yield Replacement(title, out, gettext("the new ones"), printed=_list(files))

    def printed(self, paper: str, title: str) -> tuple[bytes, int]:
        """One PDF, the list first, and how many pages it has."""
        found = list(self.replacements(paper))
        sections = list(dict.fromkeys(one.section for one in found if one.section))
        first = self._list(found, paper, 1)
        if first.pages > 1:
            first = self._list(found, paper, first.pages)
        front = first.pdf(print_hints=False, tagged=False)
        listed = [Section(False, front, tuple(range(first.pages))), *sections]
        documents = list(dict.fromkeys(one.data for one in listed))
        parts = [whole_pages(data) for data in documents]
        sizes = [page_sizes(data) for data in parts]
        starts = dict(zip(documents, accumulate(map(len, sizes), initial=0), strict=False))
        sheets: list[Sheet] = []
        for section in listed:
            for page in section.pages:
                size = sizes[documents.index(section.data)][page]
                whole = rect(0, 0, size.width, size.height)
                side = Side((Placement(starts[section.data] + page, whole, whole),))
                sheets.append(Sheet(size.width, size.height, side))
        language = self.view.identity.language
        return impose(parts, sheets, title=title, language=language), len(sheets)

    def _list(self, found: Sequence[Replacement], paper: str, pages: int) -> Layout:
        """The first page, or so many pages, of the file."""
        view = self.view
        lines = tuple(_lines(found, pages + 1))
        listed = ReprintList(view.identity, view.since, lines, view.errata.get(paper, ""))
        html = render_template("reprint.html.j2", listed, self.templates)
        width, height = paper_size(paper)
        styles = document_styles(STYLES, view.identity.accent, "full", self.templates)
        page = f"@page{{size:{width}mm {height}mm}}"
        name = "list of what to print again"
        return lay_out(html, [*styles, page], templates=self.templates, name=name)

    def _file(self, name: str, paper: str) -> str:
        """A file of a document: on this paper, if it is printed on that."""
        files = self.view.files.get(name, {})
        return files.get(paper) or next(iter(files.values()), "")

    def _whole(self, title: str, *files: str, book: bool = False) -> Replacement:
        """A document that is printed from its own files."""
        known = self.view.printed_before
        is_new = known and not any(file in known for file in files)
        out = gettext("nothing: it is new") if is_new else gettext("all of the old one")
        printed = join_words(files, "or")
        if book:
            printed = gettext("print the book: %(file)s", file=printed)
        return Replacement(title, out, gettext("all of the new one"), printed=printed)

    def _part(self, title: str, section: Section | None, printed: str = "") -> Replacement:
        """Cards or cutouts of which some are printed again."""
        names = {**dict(self.listed.cards), gettext(CUTOUTS): self.listed.cutouts}[title]
        new = self.listed.new.get(title, ())
        out = _list([one for one in names if one not in new]) or gettext("nothing: they are new")
        return Replacement(title, out, _list(names), section, printed)

    def _sheet(
        self, name: str, title: str, sheet: QrsView, sides: Sequence[tuple[str, ...]]
    ) -> Iterator[Replacement]:
        """A sheet; `sides` are the pieces on the sides of the old one, where they are recorded."""
        made = sheet_pages(sheet, ("full",), self.templates, self.cache)["full"]
        changed = set(made.marked)
        if made.count > 2:
            # Where it was not recorded what stood on the old sides, none of them may be kept.
            before = dict(enumerate(sides))
            changed |= {side for side in range(made.count) if made.side(side) != before.get(side)}
        wanted = _leaves(changed, made.count)
        if 2 * len(wanted) > made.count:
            yield self._whole(title, self._file(name, str(sheet.paper)))
        elif wanted:
            numbers = ranges([side + 1 for side in wanted])
            told = ngettext("side %(numbers)s", "sides %(numbers)s", len(wanted), numbers=numbers)
            yield Replacement(title, told, told, Section(True, made.data, wanted))

    def _cards(self, paper: str) -> Iterator[Replacement]:
        """Decks; cards of several stand on the same sheets."""
        together = []
        for deck in self.view.decks:
            printed = self._file(f"cards-{deck.id.replace('_', '-')}", paper)
            if len(deck.cards) > len(deck.others):
                yield self._whole(deck.title, printed)
            elif paper in self.view.deck_papers:
                together.append(deck)
            else:
                yield self._part(deck.title, None, printed)
        for sheets in shared_sheets(together, paper, self.templates):
            section = Section(sheets.both_sides, sheets.data, tuple(range(sheets.pages)))
            for deck in together:
                if deck.id in sheets.decks:
                    yield self._part(deck.title, section)

    def _cutouts(self, paper: str) -> Iterator[Replacement]:
        title, cutouts = gettext(CUTOUTS), self.view.cutouts.get(paper)
        if self.view.all_cutouts:
            yield self._whole(title, self._file("cutouts", paper))
        elif cutouts is not None:
            data = draw_sheets(cutouts, print_hints=False)
            yield self._part(title, Section(False, data, tuple(range(len(cutouts.sheets)))))
        elif self.listed.cutouts:
            yield self._part(title, None, self._file("cutouts", paper))

    def _booklets(self, paper: str) -> Iterator[Replacement]:
        """The booklet on this paper leaf by leaf, if little of it changed; folded ones whole."""
        title = gettext(BOOKLET)
        large = f"{title}, {paper.capitalize()}"
        if pages := self._file("booklet-large", paper):
            leaves = list(self._leaves_of_booklet(large, paper))
            yield from leaves or (self._whole(large, pages, book=True),)
        small = (self._file("booklet-a5", "a5"), self.view.folded.get(paper, ""))
        if files := list(filter(None, small)):
            yield self._whole(f"{title}, A5", *files, book=True)

    @cached_property
    def _booklet(self) -> Pages | None:
        """The booklet, of which all papers have the same pages."""
        if self.view.booklet is None:
            return None
        return booklet_pages(self.view.booklet, self.templates, self.cache)["full"]

    def _leaves_of_booklet(self, title: str, paper: str) -> Iterator[Replacement]:
        """Run by run; nothing where most leaves changed, or the old pages are not recorded."""
        old = self.view.words
        if not old or (made := self._booklet) is None:
            return
        both = zip_longest(made.words, old)
        changed = {page for page, (now, before) in enumerate(both) if now != before}
        wanted = _leaves(changed | set(made.marked), max(made.count, len(old)))
        if 2 * len(wanted) > made.count:
            return
        data = on_paper(made.data, *paper_size(paper))
        for run in _runs(wanted):
            there = tuple(page for page in run if page < made.count)
            out = _pages([page + 1 for page in run if page < len(old)])
            put = _pages([page + 1 for page in there])
            section = Section(True, data, there) if there else None
            yield Replacement(title, out or gettext("nothing"), put or gettext("nothing"), section)


def _lines(found: Sequence[Replacement], at: int) -> Iterator[tuple[str, str, str, str]]:
    """The lines; the first page behind the list is `at`."""
    places: dict[Section, str] = {}
    for one in found:
        section = one.section
        if section and section not in places:
            told = _pages(range(at, at + len(section.pages)))
            both = section.both_sides and len(section.pages) > 1
            places[section] = (
                gettext("this file, %(pages)s, both sides", pages=told)
                if both
                else gettext("this file, %(pages)s", pages=told)
            )
            at += len(section.pages)
        yield one.document, one.out, one.put, places[section] if section else one.printed


def _leaves(pages: Collection[int], count: int) -> tuple[int, ...]:
    """Pages with those on the other sides of their leaves: neither can be replaced alone."""
    return tuple(page for page in range(count) if {page, page ^ 1} & set(pages))


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Numbers that follow one another: 1, 3 4 5, 9."""
    for _, run in groupby(enumerate(numbers), key=lambda one: one[1] - one[0]):
        yield [number for _, number in run]


def ranges(numbers: Sequence[int]) -> str:
    """1, 3–5, 9."""
    return ", ".join(
        str(run[0]) if len(run) == 1 else f"{run[0]}{EN_DASH}{run[-1]}" for run in _runs(numbers)
    )


def _pages(numbers: Sequence[int]) -> str:
    told = ranges(numbers)
    return (
        ngettext("page %(numbers)s", "pages %(numbers)s", len(numbers), numbers=told)
        if told
        else ""
    )


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)
