"""The booklet: on each paper, to fold, and as a page for a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import Cache
from rulebook.documents.parts.document import (
    PAPERS,
    File,
    Kind,
    LaidOut,
    Planned,
    Rendered,
    booklet_files,
    charted_screen,
    planned,
)
from rulebook.translation import gettext, gettext_noop

if TYPE_CHECKING:
    from rulebook.core.charts import ChartOdds
    from rulebook.documents.booklet.views import BookletView
    from rulebook.documents.marks.before import Before
    from rulebook.documents.parts.figures import FigureRow
    from rulebook.documents.parts.views import Identity
    from rulebook.model.prose import Chart
    from rulebook.model.ruleset import Ruleset
    from rulebook.typeset.chart_views import Charts

GROUP = gettext_noop("Booklet")


def plan_booklet(
    ruleset: Ruleset,
    identity: Identity,
    charts: Mapping[Chart, ChartOdds],
    before: Before | None,
) -> Iterator[Planned]:
    """The documents of the booklet, if the ruleset asks for it."""
    spec = ruleset.header.documents.booklet
    if spec is None:
        return

    @cache
    def pictures() -> dict[FigureRow, tuple[str, ...]]:
        from rulebook.documents.parts.figures import row_pictures

        return row_pictures(ruleset)

    def view(layout: str | None) -> BookletView:
        from rulebook.documents.booklet.compose import compose_booklet

        return compose_booklet(ruleset, identity, layout, pictures(), charts, before=before)

    for layout, files in booklet_files("booklet", spec.papers, spec.imposed or ()):
        name = f"booklet-{layout}"
        yield planned(ruleset, "booklet", name, gettext(GROUP), partial(view, layout), *files)
    page = File("booklet.html", "html")
    yield planned(ruleset, "booklet-screen", "booklet", gettext(GROUP), partial(view, None), page)


def _files(
    view: BookletView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    from rulebook.documents.booklet.layout import booklet_pages
    from rulebook.documents.parts.document import on_papers

    made = booklet_pages(view, templates, cache)
    laid_out, identity = LaidOut(made.count, made.stands), view.identity
    return on_papers(files, made.data, laid_out, identity.title, identity.language)


def _page(view: BookletView, _: File, templates: Path) -> tuple[str, list[str]]:
    from rulebook.documents.booklet.layout import booklet_page

    return booklet_page(view, templates)


def _screen(view: BookletView, templates: Path, charts: Charts) -> str:
    from rulebook.documents.booklet.layout import booklet_screen

    return booklet_screen(view, templates, charts)


def libraries(view: BookletView) -> tuple[str, ...]:
    """Those of charts and of the picture on the cover, where a booklet has them."""
    charted = any(
        part.kind == "chart"
        for chapter in view.chapters
        for section in chapter.sections
        for part in section.parts
    )
    pictured = bool(view.cover.picture)
    return ("matplotlib",) * charted + ("pillow",) * pictured


_SHARED = ("tables", "dice", "matter", "cover")
PRINT = Kind(
    "booklet",
    _files,
    GROUP,
    templates=("booklet.html.j2", "parts/chapters.html.j2"),
    styles=(*_SHARED, "booklet", *(f"booklet-{layout}" for layout in PAPERS)),
    libraries=libraries,
    page=_page,
)
SCREEN = Kind(
    "booklet-screen",
    charted_screen(_screen),
    GROUP,
    templates=("booklet-screen.html.j2", "parts/chapters.html.j2"),
    styles=(*_SHARED, "screen", "revised"),
    libraries=libraries,
)
KINDS = (PRINT, SCREEN)
