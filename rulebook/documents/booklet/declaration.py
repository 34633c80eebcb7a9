"""The booklet: on each paper, to fold, and as a page for a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulebook.documents.document_kind import PAPERS, Kind, later, screen
from rulebook.translation import gettext_noop

if TYPE_CHECKING:
    from rulebook.documents.booklet.views import BookletView

GROUP = gettext_noop("Booklet")


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
    later("booklet.layout:booklet_on_papers"),
    GROUP,
    templates=("booklet.html.j2", "parts/chapters.html.j2"),
    styles=(*_SHARED, "booklet", *(f"booklet-{layout}" for layout in PAPERS)),
    libraries=libraries,
)
SCREEN = Kind(
    "booklet-screen",
    screen(later("booklet.layout:booklet_screen")),
    GROUP,
    templates=("booklet-screen.html.j2", "parts/chapters.html.j2"),
    styles=(*_SHARED, "screen", "revised", "reader", "search"),
    libraries=libraries,
)
KINDS = (PRINT, SCREEN)
