"""The kinds of documents, and what a document is to the build: its name, its files, its view."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rulebook.cache import Cache
from rulebook.frozen_view import View, fields_of
from rulebook.paper_and_ink import PAPERS, PRESS, half_of, paper_size
from rulebook.problems import Problem, Span
from rulebook.translation import gettext, gettext_noop, in_language

if TYPE_CHECKING:
    from rulebook.model.ruleset import Address, Ruleset

#: How pages become sheets; a file without any has the pages as they are read.
Imposition = Literal["saddle stitch", "n-up", "gutterfold", "pocket"]


@dataclass(frozen=True, slots=True)
class File:
    """One file of a document, its path relative to output/<ruleset>/<edition>/.

    `imposition` is given for sheets that are folded or cut; `paper` is then that of the sheets.
    Files in json and js serve a page beside them. `title` is given where it is not that of the
    document. A picture `shows` a page of the PDF of that path.
    """

    path: str
    format: Literal["pdf", "html", "svg", "png", "json", "js"]
    paper: str | None = None
    ink: str | None = None
    imposition: Imposition | None = None
    title: str | None = None
    shows: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of a document before it is composed: what it is called, and its files.

    `language` is that of its fixed words.
    """

    ruleset: str
    edition: str
    kind: str
    name: str
    title: str
    language: str
    files: tuple[File, ...]


@dataclass(frozen=True, slots=True)
class ComposedDocument(Document):
    """A document composed but not rendered.

    `view` is that of its kind, and complete: rendering needs nothing else but templates, styles and
    fonts. The files of a document share work, such as measuring, and are rendered by one job.
    """

    view: View


@dataclass(frozen=True, slots=True)
class Planned:
    """A document and what composes its view.

    `view` returns None where there is nothing to say: an edition that changed nothing has no notes
    on changes. `place` finds where in the content a part of the ruleset stands, for warnings.
    """

    document: Document
    view: Callable[[], View | None]
    place: Callable[..., Span | None] = lambda *_: None

    def compose(self) -> ComposedDocument | None:
        """Composes the document, with texts in its language.

        Returns None if there is nothing to say, as in notes on changes if nothing changed.
        """
        document = self.document
        with in_language(document.language):
            view = self.view()
        if view is None:
            return None
        return ComposedDocument(**fields_of(document), view=view)


@dataclass(frozen=True, slots=True)
class Rendered:
    """One file: its path in the folder of the edition, its bytes, and its number of pages or None.

    `remark` says how it came out, where something was fitted. `warnings` concern parts of the
    ruleset, each by its address. `stands` maps ids of what is printed to page numbers, from 1: a
    thumbnail may show one of these pages.
    """

    path: str
    data: bytes
    pages: int | None
    remark: str = ""
    warnings: tuple[tuple[Address, Problem], ...] = ()
    stands: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """What the documents of a kind have in common.

    `group` is the heading under which they are listed for players. `files` is the address of the
    function that makes their wanted files, `text` that of one that returns the text of their only
    file; each is imported when it is first called, so that listing documents imports neither. Pages
    are set with `templates` and `styles`; `sizes` returns the card sizes in a view, `libraries`
    what it needs besides the libraries of all pages. `face` is the id of what a thumbnail shows,
    else it shows the first page. A kind printed back to back is `two_sided`: its view has the
    `offset` by which backs are moved.
    """

    group: str = ""
    files: str = ""
    text: str = ""
    templates: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    sizes: Callable[[Any], tuple[str, ...]] = lambda view: ()
    libraries: Callable[[Any], tuple[str, ...]] = lambda view: ()
    face: str = ""
    two_sided: bool = False

    def render(
        self, view: View, files: Sequence[File], templates: Path, cache: Cache
    ) -> Iterable[Rendered]:
        """Renders the given files of a document from its view, with the templates in a folder.

        Calls the function that this kind names for its files. If the kind has a function for text
        instead, every file contains that text. Raises RenderFault if a file cannot be made.
        """
        if self.files:
            made: Iterable[Rendered] = _function(self.files)(view, files, templates, cache)
            return made
        text = _function(self.text)(view, templates, cache).encode()
        return [Rendered(file.path, text, None) for file in files]


def _function(address: str) -> Callable[..., Any]:
    """Imports and returns the function at an address such as `qrs.layout:sheet_files`.

    The module before the colon is relative to rulebook.documents.
    """
    module, name = address.split(":")
    function: Callable[..., Any] = getattr(import_module(f"rulebook.documents.{module}"), name)
    return function


def _booklet_libraries(view: Any) -> tuple[str, ...]:
    """Returns the libraries that affect a booklet.

    These are matplotlib if it has charts, and Pillow if its cover has a picture.
    """
    sections = (section for chapter in view.chapters for section in chapter.sections)
    charted = any(part.kind == "chart" for section in sections for part in section.parts)
    return ("matplotlib",) * charted + ("pillow",) * bool(view.cover.picture)


def _scenario_libraries(view: Any) -> tuple[str, ...]:
    """Returns the libraries that affect a scenario: shapely, and matplotlib if it has charts."""
    return ("shapely", *(("matplotlib",) if view.chart or view.time_lines else ()))


#: The folders of pictures, and of the files of all scenarios, in that of an edition.
THUMBNAILS, SCENARIOS = "thumbnails", "scenarios"
#: Between the title of a scenario and that of a document of it.
TITLE_ENDS = ": "
#: What the file with all cutouts of a ruleset is called, on its sheets and in the way in.
ALL_CUTOUTS = gettext_noop("All cutouts")
NOTES_PRINT = ("tables", "matter", "booklet", "notes", "notes-print")
NOTES_SCREEN = ("tables", "matter", "screen", "notes", "notes-screen", "reader", "search")
#: How a booklet is laid out, and the papers that each layout serves, which agree page for page; the
#: booklet is laid out on the first.
LAYOUTS = {
    layout: tuple(name for name, paper in PAPERS.items() if paper.booklet == layout)
    for layout in ("a5", "large")
}
_BOOKLET = ("tables", "dice", "matter", "cover")

#: Every kind of document by its name, in the order in which players ask for them.
KINDS = {
    "qrs": DocumentKind(
        gettext_noop("Quick reference"),
        "qrs.layout:sheet_files",
        templates=("qrs.html.j2", "qrs-galley.html.j2", "parts/qrs-block.html.j2"),
        styles=("tables", "dice", "qrs", "phases"),
    ),
    "qrs-screen": DocumentKind(
        gettext_noop("Quick reference"),
        text="qrs.layout:qrs_page",
        templates=("qrs-screen.html.j2",),
        styles=("tables", "dice", "strip", "qrs-screen", "phases", "revised", "search"),
    ),
    "at-table": DocumentKind(
        gettext_noop("At the table"),
        "at_table:table_files",
        templates=("at-table.html.j2", "scripts/table-worker.js"),
        styles=("tables", "dice", "strip", "qrs-screen", "phases", "at-table"),
    ),
    "booklet": DocumentKind(
        gettext_noop("Booklet"),
        "booklet.layout:booklet_on_papers",
        templates=("booklet.html.j2", "parts/chapters.html.j2"),
        styles=(*_BOOKLET, "booklet", *(f"booklet-{layout}" for layout in LAYOUTS)),
        libraries=_booklet_libraries,
    ),
    "booklet-screen": DocumentKind(
        gettext_noop("Booklet"),
        text="booklet.layout:booklet_screen",
        templates=("booklet-screen.html.j2", "parts/chapters.html.j2"),
        styles=(*_BOOKLET, "screen", "revised", "reader", "search"),
        libraries=_booklet_libraries,
    ),
    "cards": DocumentKind(
        gettext_noop("Cards"),
        "cards.layout:card_sheets",
        templates=("cards.html.j2",),
        styles=("tables", "dice", "cards"),
        sizes=lambda view: view.sizes,
        two_sided=True,
    ),
    "cards-screen": DocumentKind(
        gettext_noop("Cards"),
        text="cards.layout:cards_page",
        templates=("cards-screen.html.j2",),
        styles=("tables", "dice", "strip", "cards-screen", "search"),
    ),
    "cutout": DocumentKind(gettext_noop("Cutouts"), "cutouts:cutout_files"),
    "drawing": DocumentKind(gettext_noop("Cutouts"), text="cutouts:drawing_svg"),
    "odds": DocumentKind(
        gettext_noop("Odds"),
        text="odds:explorer",
        templates=("odds.html.j2",),
        styles=("odds",),
    ),
    "changes": DocumentKind(
        gettext_noop("What has changed"),
        "changes.notes:changes",
        templates=("notes.html.j2", "notes-screen.html.j2"),
        styles=(*NOTES_PRINT, *NOTES_SCREEN),
    ),
    "errata": DocumentKind(
        gettext_noop("What has changed"),
        "errata:errata",
        templates=("errata.html.j2",),
        styles=("tables", "errata"),
    ),
    "scenario": DocumentKind(
        files="scenario.layout:booklet_on_papers",
        templates=("scenario.html.j2",),
        styles=(
            *(*_BOOKLET, "booklet", "scenario", "scenario-print"),
            *(f"{of}-{layout}" for of in ("booklet", "scenario") for layout in LAYOUTS),
        ),
        libraries=_scenario_libraries,
        face="battle-map",
    ),
    "scenario-screen": DocumentKind(
        text="scenario.layout:scenario_screen",
        templates=("scenario-screen.html.j2",),
        styles=(*_BOOKLET, "screen", "revised", "scenario", "scenario-screen", "reader", "search"),
        libraries=_scenario_libraries,
    ),
    "scenario-sheets": DocumentKind(
        files="scenario.layout:sheet_files",
        templates=("scenario-sheets.html.j2",),
        styles=("scenario-sheets",),
    ),
    "map": DocumentKind(text="scenario.maps:map_svg", libraries=lambda view: ("shapely",)),
    "search": DocumentKind(
        gettext_noop("Search"),
        text="search:search_index",
        # the library that finds words in a browser, and what asks it
        templates=("scripts/vendor/minisearch.min.js", "scripts/find.js"),
    ),
}


def planned(
    ruleset: Ruleset,
    kind: str,
    name: str,
    view: Callable[[], View | None],
    *files: File,
    title: str = "",
) -> Planned:
    """Plans a document of a ruleset with its files; its view is composed later by calling `view`.

    If `title` is empty, the title is the translated heading under which its kind is listed.
    """
    title = title or gettext(KINDS[kind].group)
    language = ruleset.header.language
    return Planned(Document(ruleset.id, ruleset.form, kind, name, title, language, files), view)


def of_ink(name: str, ink: str) -> str:
    """Returns the name of a file with the ink added after a hyphen, unless the ink is "full"."""
    return name if ink == "full" else f"{name}-{ink}"


#: The layout whose pages are folded from sheets of twice their size.
FOLDED_LAYOUT = "a5"
#: What is printed beyond the edges of a page, mm, so that nothing is white where it is cut.
BLEED = 3
#: For each layout the size of the cover page, mm: large enough for all papers it is cut to, with
#: bleed.
_LARGE = [(paper.width, paper.height) for paper in PAPERS.values() if paper.booklet == "large"]
COVER_PAGES = {
    "a5": (154, 221.9),
    "large": tuple(max(edges) + 2 * BLEED for edges in zip(*_LARGE, strict=True)),
}
#: For each layout, None for the screen, the width of a chart in millimetres and its type in points.
#: On a telephone the screen's is set at about nine tenths of its size.
CHART_PAGES = {"a5": (111.0, 7.6), "large": (132.0, 8.6), None: (80.0, 8.8)}


def booklet_files(
    stem: str, papers: Collection[str], imposed: Iterable[str], press: Collection[str] = ()
) -> Iterator[tuple[str, list[File]]]:
    """Yields each layout of a booklet that is needed, with the PDFs that are made from it.

    There is a PDF of single pages for each of `papers`, one of sheets to fold for each paper in
    `imposed`, and one for a printing press for each paper in `press`. A layout has the files for
    the papers that it serves; sheets to fold belong to the A5 layout. File names begin with `stem`.
    """
    for layout, served in LAYOUTS.items():
        files = [
            File(f"{stem}-{paper}.pdf", "pdf", paper, "full") for paper in papers if paper in served
        ]
        if layout == FOLDED_LAYOUT:
            files += [
                File(f"{stem}-{paper}-imposed.pdf", "pdf", paper, "full", "saddle stitch")
                for paper in imposed
            ]
        files += [
            File(f"{stem}-{paper}-press.pdf", "pdf", paper, PRESS)
            for paper in press
            if paper in served
        ]
        if files:
            yield layout, files


def on_papers(
    files: Sequence[File], inks: Mapping[str, bytes], pages: int, title: str, language: str
) -> Iterable[Rendered]:
    """Renders the PDFs of a booklet from its laid-out pages.

    Depending on the file these are sheets to fold, pages with bleed for a printing press, or pages
    of the size of its paper. `inks` maps each ink to a PDF of the booklet's pages in it, and
    `pages` is their number. The title in a PDF of sheets to fold also says how to print them.
    """
    from rulebook.imposing.arrangements import FLIP, saddle_stitch
    from rulebook.imposing.imposition import impose, on_paper, with_bleed
    from rulebook.imposing.placing import BOTH_SIDES

    for file in files:
        assert file.paper is not None and file.ink is not None
        data, count = inks[file.ink], pages
        if file.imposition:
            how = gettext(BOTH_SIDES[FLIP])
            heading = gettext("%(title)s – to fold: %(how)s", title=title, how=how)
            size = paper_size(half_of(file.paper))
            sheets = saddle_stitch(pages, size, file.paper)
            made = impose(data, sheets, title=heading, language=language, flip=FLIP, cut_to=size)
            count = sum(len(sheet.sides) for sheet in sheets)
        elif file.ink == PRESS:
            made = with_bleed(data, *paper_size(file.paper), BLEED)
        else:
            made = on_paper(data, *paper_size(file.paper))  # the cover is larger than any
        yield Rendered(file.path, made, count)
