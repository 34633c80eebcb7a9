"""A publication -> the bytes of its files: one job, a pure function of plain data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.drawing.faces import digest
from rulebook.paper import paper_size
from rulebook.publications.publication import Artefact, Publication
from rulebook.publications.scenario_maps import drawn_map
from rulebook.render import (
    booklet,
    cards,
    changes,
    errata,
    fonts,
    pdf,
    qrs,
    qrs_galley,
    scenario,
    screen,
    sheets,
)
from rulebook.render.card_sheets import card_sheets
from rulebook.render.environment import design_faults, template_closure
from rulebook.render.faults import RenderFault
from rulebook.render.folding import fold
from rulebook.render.imposition import on_paper
from rulebook.render.kept_charts import Charts
from rulebook.render.kept_pages import booklet_pages, sheet_pages
from rulebook.render.layouts import FOLDER
from rulebook.render.qrs_galley import Galleys
from rulebook.render.scenario_sheets import STYLES as SHEET_STYLES
from rulebook.render.scenario_sheets import TEMPLATE as SHEETS
from rulebook.render.scenario_sheets import lay_out_scenario_sheets

__all__ = [
    "LaidOut",
    "RenderFault",
    "Rendered",
    "ingredients",
    "print_html",
    "render",
    "warm_up",
]

#: Libraries whose version changes the bytes.
_SHAPING = (
    "weasyprint",
    "pydyf",
    "fonttools",
    "jinja2",
    "markdown",
    "nh3",
    "pikepdf",
    "tinycss2",
    "cssselect2",
    "pyphen",
    "uharfbuzz",
)


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Where things stand in a document: its pages, and those of each thing by its id, from 1.

    A booklet has the same on sheets to fold as page by page. `words` are those on the faces of
    each card.
    """

    pages: int
    stands: Mapping[str, tuple[int, ...]]
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rendered:
    """One file: its path in the folder of the edition, its bytes, its pages if it has any.

    `laid_out` is told of booklets, quick references and cards.
    """

    path: str
    data: bytes
    pages: int | None
    laid_out: LaidOut | None = None


def render(
    publication: Publication, templates: Path, wanted: frozenset[str], cache: Cache = NOTHING_KEPT
) -> list[Rendered]:
    """Render the wanted artefacts of a publication; raises RenderFault with what is wrong.

    Parts that take long, and that other documents or the next build need too, are kept in `cache`.
    """
    artefacts = [artefact for artefact in publication.artefacts if artefact.path in wanted]
    return list(_KINDS[publication.kind](publication.view, artefacts, templates, cache))


View = Mapping[str, Any]
Render = Callable[[View, Sequence[Artefact], Path, Cache], Iterable[Rendered]]


def _of_layout(artefact: Artefact, layout: pdf.Layout) -> Rendered:
    return Rendered(artefact.path, layout.pdf(print_hints=True), layout.pages)


def _qrs(
    view: View, artefacts: Sequence[Artefact], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    inks = tuple(dict.fromkeys(artefact.ink or "full" for artefact in artefacts))
    sides = sheet_pages(view, inks, templates, cache)
    for artefact in artefacts:
        made = sides[artefact.ink or "full"]
        yield Rendered(artefact.path, made.data, made.count, LaidOut(made.count, made.stands))


def _booklet(
    view: View, artefacts: Sequence[Artefact], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    made = booklet_pages(view, templates, cache)
    return _on_papers(view, artefacts, made.data, LaidOut(made.count, made.stands))


def _scenario(
    view: View, artefacts: Sequence[Artefact], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    layout = scenario.lay_out_scenario(view, templates, Charts(cache))
    stands = {name: (page,) for name, page in layout.first_pages().items()}
    data = layout.pdf(print_hints=False)
    return _on_papers(view, artefacts, data, LaidOut(layout.pages, stands))


def _on_papers(
    view: View, artefacts: Sequence[Artefact], data: bytes, laid_out: LaidOut
) -> Iterable[Rendered]:
    """The files of a booklet, on its papers and to fold."""
    for artefact in artefacts:
        paper = artefact.paper or booklet.LAYOUT_PAPERS[view["layout"]]
        if artefact.imposition:
            yield _folded(view, artefact, data, laid_out)
            continue
        fitted = on_paper(data, *paper_size(paper))  # the cover is laid out larger than any
        yield Rendered(artefact.path, fitted, laid_out.pages, laid_out)


def _folded(view: View, artefact: Artefact, data: bytes, laid_out: LaidOut) -> Rendered:
    """The pages of a booklet as sheets to fold; viewers show in its title how it is printed."""
    identity = view["identity"]
    called = view.get("title") or identity["title"]
    title = f"{called} – to fold: both sides, flipped on the short edge"
    assert artefact.paper is not None
    pages, language = laid_out.pages, identity["language"]
    folded, sides = fold(data, pages, artefact.paper, title=title, language=language)
    return Rendered(artefact.path, folded, sides, laid_out)


def _screen(page: Callable[[View, Path], str]) -> Render:
    """What makes a page for a screen."""

    def pages(
        view: View, artefacts: Sequence[Artefact], templates: Path, _: Cache
    ) -> Iterable[Rendered]:
        for artefact in artefacts:
            yield Rendered(artefact.path, page(view, templates).encode(), None)

    return pages


def _charted(page: Callable[[View, Path, Charts], str]) -> Render:
    """What makes a page for a screen with charts."""

    def pages(
        view: View, artefacts: Sequence[Artefact], templates: Path, cache: Cache
    ) -> Iterable[Rendered]:
        for artefact in artefacts:
            yield Rendered(artefact.path, page(view, templates, Charts(cache)).encode(), None)

    return pages


def _cutout(view: View, artefacts: Sequence[Artefact], _: Path, __: Cache) -> Iterable[Rendered]:
    for artefact in artefacts:
        yield Rendered(artefact.path, sheets.draw_sheets(view), len(view["sheets"]))


def _cards(
    view: View, artefacts: Sequence[Artefact], templates: Path, _: Cache
) -> Iterable[Rendered]:
    for artefact, made in card_sheets(view, artefacts, templates):
        laid_out = LaidOut(made.pages, made.stands, made.words)
        yield Rendered(artefact.path, made.data, made.pages, laid_out)


def _changes(
    view: View, artefacts: Sequence[Artefact], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    for artefact, data, pages in changes.changes(view, artefacts, templates, cache):
        yield Rendered(artefact.path, data, pages)


def _errata(
    view: View, artefacts: Sequence[Artefact], templates: Path, _: Cache
) -> Iterable[Rendered]:
    for artefact, data, pages in errata.errata(view, artefacts, templates):
        yield Rendered(artefact.path, data, pages)


def _scenario_sheets(
    view: View, artefacts: Sequence[Artefact], templates: Path, _: Cache
) -> Iterable[Rendered]:
    for artefact in artefacts:
        layout = lay_out_scenario_sheets(view, artefact.paper or "a4", templates)
        yield _of_layout(artefact, layout)


def _drawing(view: View, artefacts: Sequence[Artefact], _: Path, __: Cache) -> Iterable[Rendered]:
    for artefact in artefacts:
        found = asdict(drawn_map(view)) if "scenario" in view else view
        drawn = fonts.in_svg(found["svg"], found.get("fonts", ()))
        yield Rendered(artefact.path, drawn.encode(), None)


_KINDS: dict[str, Render] = {
    "qrs": _qrs,
    "qrs-screen": _screen(screen.qrs_screen),
    "booklet": _booklet,
    "booklet-screen": _charted(booklet.booklet_screen),
    "scenario": _scenario,
    "scenario-screen": _charted(scenario.scenario_screen),
    "cards": _cards,
    "cards-screen": _screen(screen.cards_screen),
    "cutout": _cutout,
    "drawing": _drawing,
    "scenario-sheets": _scenario_sheets,
    "changes": _changes,
    "errata": _errata,
}


def print_html(publication: Publication, artefact: Artefact, templates: Path) -> str:
    """The page of a PDF artefact as one HTML file, fonts by file address, for another renderer.

    Of sheets, booklets and scenarios; others are no single page.
    """
    view = publication.view
    if publication.kind == "qrs":
        galleys = Galleys(view, templates)
        html, styles = qrs.sheet_page(galleys, qrs.arrange(galleys), artefact.ink or "full")
    elif publication.kind == "booklet":
        html, styles = booklet.booklet_page(view, templates)
    else:
        html, styles = scenario.scenario_page(view, templates)
    css = "\n".join([fonts.face_rules_by_file(), *styles])
    return html.replace("</head>", f"<style>{css}</style></head>", 1)


def ingredients(publication: Publication, templates: Path) -> dict[str, str]:
    """What shapes the bytes besides the view: templates, styles, fonts, libraries, by name."""
    pages, styles = _SOURCES[publication.kind]
    names = [*template_closure(pages, templates), *(f"styles/{name}.css" for name in styles)]
    names += (f"{FOLDER}/{deck['size']}.yaml" for deck in _decks(publication))
    files = {name: _digest(templates, name) for name in (*names, *_EVERYWHERE)}
    return {**files, "fonts": digest(), **_versions(_libraries(publication))}


#: What every page is set with.
_EVERYWHERE = ("fonts/fonts.conf", f"styles/{pdf.ELEMENTS}.css")
_QRS = (("qrs.html.j2", "qrs-galley.html.j2", "qrs-block.html.j2"), qrs_galley.STYLES)
_BOOKLET = (
    ("booklet.html.j2", "parts/chapters.html.j2"),
    (*booklet.PRINT_STYLES, *(f"booklet-{layout}" for layout in booklet.LAYOUT_PAPERS)),
)
#: The templates and stylesheets with which each kind is set.
_SOURCES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "qrs": _QRS,
    "qrs-screen": (("qrs-screen.html.j2",), screen.STYLES),
    "booklet": _BOOKLET,
    "booklet-screen": (
        ("booklet-screen.html.j2", "parts/chapters.html.j2"),
        booklet.SCREEN_STYLES,
    ),
    "scenario": (
        scenario.TEMPLATES,
        (
            *scenario.PRINT_STYLES,
            *(
                f"{of}-{layout}"
                for of in ("booklet", "scenario")
                for layout in booklet.LAYOUT_PAPERS
            ),
        ),
    ),
    "scenario-screen": (scenario.SCREEN_TEMPLATES, scenario.SCREEN_STYLES),
    "cards": ((cards.TEMPLATE,), cards.STYLES),
    "cards-screen": (("cards-screen.html.j2",), screen.CARD_STYLES),
    "cutout": ((), ()),
    "drawing": ((), ()),
    "scenario-sheets": ((SHEETS,), SHEET_STYLES),
    "changes": (
        (*changes.TEMPLATES, *_BOOKLET[0], *_QRS[0], cards.TEMPLATE),
        (*changes.STYLES, *changes.SCREEN_STYLES, *_BOOKLET[1], *_QRS[1], *cards.STYLES),
    ),
    "errata": (("errata.html.j2",), errata.STYLES),
}


def _digest(templates: Path, name: str) -> str:
    with design_faults(templates, name):
        return hashlib.sha256((templates / name).read_bytes()).hexdigest()


def _libraries(publication: Publication) -> tuple[str, ...]:
    """What shapes the bytes of a publication: more libraries where it has charts or pictures."""
    booklets = _booklets(publication)
    charted = any(map(booklet.has_charts, booklets))
    if publication.kind in ("scenario", "scenario-screen"):
        charted = scenario.has_charts(publication.view)
    charts = ("matplotlib",) if charted else ()
    pictures = ("pillow",) if any(view["cover"]["picture"] for view in booklets) else ()
    return (*_SHAPING, *charts, *pictures)


def _booklets(publication: Publication) -> list[View]:
    """The views of booklets that a job lays out."""
    view = publication.view
    if publication.kind in ("booklet", "booklet-screen"):
        return [view]
    return [view["booklet"]] if publication.kind == "changes" and view["booklet"] else []


def _decks(publication: Publication) -> list[View]:
    """The decks of cards that a job lays out."""
    if publication.kind == "cards":
        return [publication.view]
    return list(publication.view["decks"]) if publication.kind == "changes" else []


@lru_cache(maxsize=4)
def _versions(names: tuple[str, ...]) -> dict[str, str]:
    return {f"library {name}": version(name) for name in names}


def warm_up(templates: Path) -> None:
    """Import what a worker needs before its first job."""
    pdf.warm_up(templates)
