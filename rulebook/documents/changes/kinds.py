"""The notes on what changed: on paper, on a screen, and all that is to be printed again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulebook.cache import Cache
from rulebook.documents.booklet import kinds as booklet
from rulebook.documents.cards import kinds as cards
from rulebook.documents.parts.kind import Kind, View
from rulebook.documents.parts.publication import Artefact, Rendered
from rulebook.documents.qrs import kinds as qrs

GROUP = "What has changed"
NOTES_PRINT = ("tables", "matter", "booklet", "booklet-large", "notes", "notes-print")
NOTES_SCREEN = ("tables", "matter", "screen", "notes", "notes-screen")
#: What the names of files with what is to be printed again begin with.
REPRINT = "reprint"
#: The kinds whose pages are printed again.
_AGAIN = (booklet.PRINT, qrs.SHEET, cards.SHEETS)


def _files(
    view: View, artefacts: Sequence[Artefact], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    from rulebook.documents.changes.layout import changes

    for artefact, data, pages in changes(view, artefacts, templates, cache):
        yield Rendered(artefact.path, data, pages)


def _libraries(view: View) -> tuple[str, ...]:
    return booklet.PRINT.libraries(view["booklet"]) if view["booklet"] else ()


def _with_offset(view: View, offset: tuple[float, float]) -> View:
    return {**view, "decks": [cards.with_offset(deck, offset) for deck in view["decks"]]}


NOTES = Kind(
    "changes",
    _files,
    GROUP,
    templates=(
        *("notes.html.j2", "notes-screen.html.j2"),
        *(name for kind in _AGAIN for name in kind.templates),
    ),
    styles=(*NOTES_PRINT, *NOTES_SCREEN, *(name for kind in _AGAIN for name in kind.styles)),
    decks=lambda view: view["decks"],
    with_offset=_with_offset,
    libraries=_libraries,
    after_others=True,
)
KINDS = (NOTES,)
