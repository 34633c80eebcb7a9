"""At the table: a page for a telephone that throws the dice and keeps the roster."""

from __future__ import annotations

from rulebook.documents.document_kind import Kind, later
from rulebook.translation import gettext_noop

GROUP = gettext_noop("At the table")

AT_TABLE = Kind(
    "at-table",
    later("at_table.layout:table_files"),
    GROUP,
    templates=("at-table.html.j2", "scripts/table-worker.js"),
    styles=("tables", "dice", "qrs-screen", "phases", "at-table"),
)
KINDS = (AT_TABLE,)
