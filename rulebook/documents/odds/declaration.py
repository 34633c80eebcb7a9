"""The odds explorer: a page for a screen."""

from __future__ import annotations

from rulebook.documents.document_kind import Kind, later
from rulebook.translation import gettext_noop

GROUP = gettext_noop("Odds")

EXPLORER = Kind(
    "odds",
    later("odds.layout:explorer"),
    GROUP,
    templates=("odds.html.j2",),
    styles=("odds",),
)
KINDS = (EXPLORER,)
