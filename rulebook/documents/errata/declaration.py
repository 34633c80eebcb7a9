"""The slip of errata: several on a sheet of each paper, to cut out."""

from __future__ import annotations

from rulebook.documents.changes.declaration import GROUP
from rulebook.documents.document_kind import Kind, later

SLIP = Kind(
    "errata",
    later("errata.layout:errata"),
    GROUP,
    templates=("errata.html.j2",),
    styles=("tables", "errata"),
)
KINDS = (SLIP,)
