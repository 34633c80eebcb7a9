"""The notes on what changed: on paper and on a screen."""

from __future__ import annotations

from rulebook.documents.document_kind import Kind, later
from rulebook.translation import gettext_noop

GROUP = gettext_noop("What has changed")
NOTES_PRINT = ("tables", "matter", "booklet", "notes", "notes-print")
NOTES_SCREEN = ("tables", "matter", "screen", "notes", "notes-screen", "reader", "search")
NOTES = Kind(
    "changes",
    later("changes.layout:changes"),
    GROUP,
    templates=("notes.html.j2", "notes-screen.html.j2"),
    styles=(*NOTES_PRINT, *NOTES_SCREEN),
)
KINDS = (NOTES,)
