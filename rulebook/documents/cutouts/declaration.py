"""Cutouts: each on sheets of each paper and as a drawing, and all together on few sheets."""

from __future__ import annotations

from rulebook.documents.document_kind import Kind, later
from rulebook.translation import gettext_noop

GROUP = gettext_noop("Cutouts")
#: What the file with all cutouts of a ruleset is called, on its sheets and in the way in.
ALL_CUTOUTS = gettext_noop("All cutouts")


KINDS = (
    Kind("cutout", later("cutouts.layout:cutout_files"), GROUP),
    Kind("drawing", later("cutouts.layout:drawing_files"), GROUP),
)
