"""The view of all decks -> one self-contained page for a telephone."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from rulebook.documents.cards.declaration import SCREEN
from rulebook.documents.cards.pieces import pieces_of
from rulebook.documents.cards.views import CardsView
from rulebook.typeset.environment import render_template
from rulebook.typeset.styles import document_styles


def cards_screen(view: CardsView, templates: Path) -> str:
    """All decks, each card whole however many pieces of card it takes on paper."""
    styles = document_styles(SCREEN.styles, view.identity.accent, "full", templates)
    css = Markup("\n".join(styles))
    return render_template("cards-screen.html.j2", view, templates, css=css, pieces_of=pieces_of)
