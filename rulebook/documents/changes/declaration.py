"""The notes on what changed: on paper, on a screen, and all that is to be printed again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulebook.documents.booklet import declaration as booklet
from rulebook.documents.cards import declaration as cards
from rulebook.documents.document_kind import Kind, later
from rulebook.documents.qrs import declaration as qrs
from rulebook.translation import gettext_noop

if TYPE_CHECKING:
    from rulebook.documents.changes.compose import NotesView

GROUP = gettext_noop("What has changed")
NOTES_PRINT = ("tables", "matter", "booklet", "notes", "notes-print")
NOTES_SCREEN = ("tables", "matter", "screen", "notes", "notes-screen", "reader", "search")
#: What the names of files with what is to be printed again begin with.
REPRINT = "reprint"
#: The kinds whose pages are printed again.
_AGAIN = (booklet.PRINT, qrs.SHEET, cards.SHEETS)


def _libraries(view: NotesView) -> tuple[str, ...]:
    return booklet.PRINT.libraries(view.again.booklet) if view.again.booklet else ()


def _with_offset(view: NotesView, offset: tuple[float, float]) -> NotesView:
    decks = tuple(cards.with_offset(deck, offset) for deck in view.again.decks)
    return replace(view, again=replace(view.again, decks=decks))


NOTES = Kind(
    "changes",
    later("changes.layout:changes"),
    GROUP,
    templates=(
        *("notes.html.j2", "notes-screen.html.j2", "reprint.html.j2"),
        *(name for kind in _AGAIN for name in kind.templates),
    ),
    styles=(
        *NOTES_PRINT,
        *NOTES_SCREEN,
        "reprint",
        *(name for kind in _AGAIN for name in kind.styles),
    ),
    sizes=lambda view: tuple(size for deck in view.again.decks for size in deck.sizes),
    with_offset=_with_offset,
    libraries=_libraries,
    after_others=True,
)
KINDS = (NOTES,)
