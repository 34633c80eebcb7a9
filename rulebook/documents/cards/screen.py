"""The view of all decks -> one self-contained page for a telephone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.documents.cards.kinds import SCREEN
from rulebook.documents.cards.layout import pieces_of
from rulebook.typeset.environment import render_template
from rulebook.typeset.styles import document_styles


def cards_screen(view: Mapping[str, Any], templates: Path) -> str:
    """All decks, each card whole however many pieces of card it takes on paper."""
    styles = document_styles(SCREEN.styles, view["identity"]["accent"], "full", templates)
    decks = [
        {**deck, "cards": [{**card, "pieces": pieces_of(card)} for card in deck["cards"]]}
        for deck in view["decks"]
    ]
    shown = {**view, "decks": decks, "css": Markup("\n".join(styles))}
    return render_template("cards-screen.html.j2", shown, templates)
