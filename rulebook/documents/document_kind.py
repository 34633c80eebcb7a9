"""What a document of a ruleset is to the build: what it is called, its files, how they are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from rulebook.cache import Cache
from rulebook.frozen_view import View
from rulebook.paper_and_ink import PRESS, paper_size
from rulebook.problems import Problem, Span
from rulebook.translation import gettext, in_language

if TYPE_CHECKING:
    from rulebook.model.ruleset import Address, Ruleset
    from rulebook.typeset.chart_views import Charts

#: How pages become sheets; a file without any has the pages as they are read.
Imposition = Literal["saddle stitch", "n-up", "gutterfold"]


@dataclass(frozen=True, slots=True)
class File:
    """One file of a document, its path relative to output/<ruleset>/<edition>/.

    `imposition` is told of sheets that are folded or cut; `paper` is then that of the sheets. What
    is in no format that is read, json and js, serves a page beside it.
    `title` is given where it is not that of the document. A picture `shows` a page of the PDF of
    this path.
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
    fonts. The files of one document share work (measuring, for one) and are rendered by one job.
    """

    view: View


def _nowhere(*_: str | int) -> Span | None:
    return None


@dataclass(frozen=True, slots=True)
class Planned:
    """A document and what composes its view.

    `view` returns None where nothing is to be told: of an edition that changed nothing there are no
    notes on changes. `place` says where in the content a part of the ruleset stands, for warnings
    of its files.
    """

    document: Document
    view: Callable[[], View | None]
    place: Callable[..., Span | None] = _nowhere

    def compose(self) -> ComposedDocument | None:
        """The document in its language; None where nothing is to be told."""
        document = self.document
        with in_language(document.language):
            view = self.view()
        if view is None:
            return None
        known = {name: getattr(document, name) for name in Document.__dataclass_fields__}
        return ComposedDocument(**known, view=view)


def planned(
    ruleset: Ruleset,
    kind: str,
    name: str,
    title: str,
    view: Callable[[], View | None],
    *files: File,
) -> Planned:
    """A document of a ruleset, whose view is composed by `view`."""
    language = ruleset.header.language
    return Planned(Document(ruleset.id, ruleset.form, kind, name, title, language, files), view)


@dataclass(frozen=True, slots=True)
class Rendered:
    """One file: its path in the folder of the edition, its bytes, its pages if it has any.

    `stands` are the pages, from 1, of things by their ids, where a picture shows one of them;
    `told` says in words how it came out, where something was fitted. `warnings` are of parts of the
    ruleset, each by its address.
    """

    path: str
    data: bytes
    pages: int | None
    told: str = ""
    warnings: tuple[tuple[Address, Problem], ...] = ()
    stands: Mapping[str, int] = field(default_factory=dict)


#: The view of the documents of a kind.
V = TypeVar("V", bound=View)
#: The wanted files of a view with the templates of a folder; raises RenderFault.
Render = Callable[[V, Sequence[File], Path, Cache], Iterable[Rendered]]


def _nothing(_: View) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True)
class Kind(Generic[V]):
    """The one declaration of a kind of document, in the room of its document.

    `group` is what the way in calls it. `templates` and `styles` are those that its pages are set
    with, `sizes` those of the cards in its view, `libraries` what it is made with besides those of
    all pages. `face` is the thing whose page a picture shows, else that is the first.
    `with_offset` adds to a view of what is printed back to back by how
    much the backs are to be moved, right and up, in mm.

    A declaration names what lays out its documents by an address (`later`): what documents there
    are is told without importing any of that.
    """

    name: str
    render: Render[V]
    group: str = ""
    templates: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    sizes: Callable[[V], tuple[str, ...]] = _nothing
    libraries: Callable[[V], tuple[str, ...]] = _nothing
    with_offset: Callable[[V, tuple[float, float]], V] | None = None
    face: str = ""


def later(address: str) -> Callable[..., Any]:
    """The function `qrs.layout:sheets` of a room, which is imported when it is called."""
    module, name = address.split(":")

    def call(*given: Any, **named: Any) -> Any:
        return getattr(import_module(f"rulebook.documents.{module}"), name)(*given, **named)

    return call


def screen(page: Callable[[V, Path, Charts], str]) -> Render[V]:
    """What makes a page for a screen, with its charts."""

    def pages(view: V, files: Sequence[File], templates: Path, cache: Cache) -> Iterable[Rendered]:
        from rulebook.typeset.chart_views import Charts

        for file in files:
            yield Rendered(file.path, page(view, templates, Charts(cache)).encode(), None)

    return pages


def of_ink(name: str, ink: str) -> str:
    """The name of a file in an ink: that of full ink has no ending."""
    return name if ink == "full" else f"{name}-{ink}"


#: How a booklet is laid out, and the papers that each layout serves: A4 and Letter agree page for
#: page.
PAPERS = {"a5": ("a5",), "large": ("a4", "letter")}
#: The layout whose pages are folded from sheets of twice their size.
FOLDED_LAYOUT = "a5"
#: For each layout the paper on which it is laid out.
LAYOUT_PAPERS = {"a5": "a5", "large": "a4"}
#: What is printed beyond the edges of a page, mm, so that nothing is white where it is cut.
BLEED = 3
#: For each layout the page of the cover, mm: as large as the papers that it is cut to together,
#: with its bleed.
COVER_PAGES = {"a5": (154, 221.9), "large": (221.9, 303)}
#: For each layout, None for the screen, the width of a chart in millimetres and its type in points.
#: On a telephone the screen's is set at about nine tenths of its size.
CHART_PAGES = {"a5": (111.0, 7.6), "large": (132.0, 8.6), None: (80.0, 8.8)}


def booklet_files(
    stem: str, papers: Collection[str], imposed: Iterable[str], press: Collection[str] = ()
) -> Iterator[tuple[str, list[File]]]:
    """The files of a booklet on these papers, on others to fold, and for a press, by layout."""
    for layout, served in PAPERS.items():
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
    """The files of a booklet, of its pages in their `inks`: on papers, for a press, and to fold.

    Folded sheets have a title of their own. Viewers show it, so it says how they are printed.
    """
    from rulebook.imposing.arrangements import FLIP, saddle_stitch
    from rulebook.imposing.imposition import impose, on_paper, with_bleed
    from rulebook.imposing.placing import BOTH_SIDES

    for file in files:
        assert file.paper is not None and file.ink is not None
        data = inks[file.ink]
        if file.ink == PRESS:
            made = with_bleed(data, *paper_size(file.paper), BLEED)
            yield Rendered(file.path, made, pages)
            continue
        if file.imposition:
            how = gettext(BOTH_SIDES[FLIP])
            told = gettext("%(title)s – to fold: %(how)s", title=title, how=how)
            size = _folded_size(file.paper)
            sheets = saddle_stitch(pages, size, file.paper)
            made = impose(data, sheets, title=told, language=language, flip=FLIP, cut_to=size)
            yield Rendered(file.path, made, sum(len(sheet.sides) for sheet in sheets))
            continue
        fitted = on_paper(data, *paper_size(file.paper))  # the cover is larger than any
        yield Rendered(file.path, fitted, pages)


def _folded_size(paper: str) -> tuple[float, float]:
    """The size in mm to which pages of A5 are cut when they are folded from sheets of a paper.

    They are half an A4 sheet. Half a Letter sheet is a little narrower and taller: the same pages
    are cut to it by their boxes, since their margins are wide enough, and nothing is laid out
    again. The page of the cover is laid out as large as the larger of the two.
    """
    if paper == "a4":
        return paper_size(FOLDED_LAYOUT)
    height, width = paper_size(paper)
    return width / 2, height
