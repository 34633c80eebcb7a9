"""Cards: each deck on sheets and singly, and a page with all decks for a screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulebook.documents.document_kind import Kind, later, screen
from rulebook.translation import gettext_noop

if TYPE_CHECKING:
    from rulebook.documents.cards.views import DeckView

GROUP = gettext_noop("Cards")


def with_offset(view: DeckView, offset: tuple[float, float]) -> DeckView:
    """The view of a deck whose backs are moved so far."""
    return replace(view, offset=offset)


SHEETS = Kind(
    "cards",
    later("cards.layout:card_sheets"),
    GROUP,
    templates=("cards.html.j2",),
    styles=("tables", "dice", "cards"),
    sizes=lambda view: view.sizes,
    with_offset=with_offset,
)
SCREEN = Kind(
    "cards-screen",
    screen(later("cards.layout:cards_page")),
    GROUP,
    templates=("cards-screen.html.j2",),
    styles=("tables", "dice", "cards-screen", "search"),
)
KINDS = (SHEETS, SCREEN)
