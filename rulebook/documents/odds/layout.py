"""The view of the odds explorer -> its page, with the programs and all that goes through them."""

from __future__ import annotations

from pathlib import Path

from rulebook.documents.odds.compose import OddsView
from rulebook.documents.parts.pages import json_block, screen_page


def explorer(view: OddsView, templates: Path, _: object) -> str:
    """The page."""
    return screen_page("odds", view, templates, data=json_block(view.programs))
