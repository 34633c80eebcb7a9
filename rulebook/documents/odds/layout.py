"""The view of the odds explorer -> its page, with the programs and all that goes through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulebook.cache import Cache
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.odds.compose import OddsView
from rulebook.documents.odds.declaration import EXPLORER
from rulebook.documents.parts.pages import json_block, screen_page


def explorer(
    view: OddsView, files: Sequence[File], templates: Path, _: Cache
) -> Iterable[Rendered]:
    """The page."""
    page = screen_page(EXPLORER, view, templates, data=json_block(view.programs))
    for file in files:
        yield Rendered(file.path, page.encode(), None)
