"""The slip of errata: several on a sheet of each paper, to cut out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import Cache
from rulebook.documents.changes.declaration import GROUP
from rulebook.documents.parts.document import File, Kind, Rendered

if TYPE_CHECKING:
    from rulebook.documents.errata.compose import ErrataView


def _sheets(
    view: ErrataView, files: Sequence[File], templates: Path, _: Cache
) -> Iterable[Rendered]:
    from rulebook.documents.errata.layout import errata

    return errata(view, files, templates)


SLIP = Kind(
    "errata",
    _sheets,
    GROUP,
    templates=("errata.html.j2",),
    styles=("tables", "errata"),
)
KINDS = (SLIP,)
