"""The view of the odds explorer -> its page, and the scripts that hold the atlases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulebook.cache import Cache
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.odds.compose import OddsView
from rulebook.documents.odds.declaration import EXPLORER
from rulebook.documents.parts.pages import screen_page


def explorer(
    view: OddsView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    """The wanted files."""
    for file in files:
        text = view.shards.get(file.path)
        if text is None:
            text = screen_page(EXPLORER, view, templates)
        yield Rendered(file.path, text.encode(), None)
