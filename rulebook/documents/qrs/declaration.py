"""The quick reference: a sheet on each paper in each ink, and a page for a screen."""

from __future__ import annotations

from rulebook.documents.document_kind import Kind, later, screen
from rulebook.translation import gettext_noop

GROUP = gettext_noop("Quick reference")


SHEET = Kind(
    "qrs",
    later("qrs.layout:sheet_files"),
    GROUP,
    templates=("qrs.html.j2", "qrs-galley.html.j2", "parts/qrs-block.html.j2"),
    styles=("tables", "dice", "qrs", "phases"),
)
SCREEN = Kind(
    "qrs-screen",
    screen(later("qrs.layout:qrs_page")),
    GROUP,
    templates=("qrs-screen.html.j2",),
    styles=("tables", "dice", "qrs-screen", "phases", "revised", "search"),
)
KINDS = (SHEET, SCREEN)
