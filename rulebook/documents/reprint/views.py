"""What an owner of the old edition prints again: in words, and as it is laid out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.documents.booklet.views import BookletView
from rulebook.documents.cards.views import DeckView
from rulebook.documents.parts.views import CutoutView
from rulebook.documents.qrs.views import QrsView
from rulebook.paper import PaperName


@dataclass(frozen=True, slots=True)
class ReprintView:
    """What is to be printed again, in words: panels of the sheet, rules, cards by deck, cutouts."""

    panels: tuple[str, ...]
    rules: tuple[str, ...]
    cards: tuple[tuple[str, tuple[str, ...]], ...]
    cutouts: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def any(self) -> bool:
        return bool(self.panels or self.rules or self.cards or self.cutouts)


@dataclass(frozen=True, slots=True)
class PrintedAgain:
    """What may have to be printed again on the papers of the notes, as it is laid out for them.

    Sheets and cutouts stand by their papers, and so do the pieces of panels on each side of the old
    sheets, where they are recorded. Of each deck there are the cards alone that changed.
    """

    papers: tuple[PaperName, ...]
    booklet: BookletView | None
    sheets: Mapping[str, QrsView]
    sides_before: Mapping[str, tuple[tuple[str, ...], ...]]
    decks: tuple[DeckView, ...]
    deck_papers: tuple[PaperName, ...]
    cutouts: Mapping[str, CutoutView]
