"""The view of a document -> one self-contained page for a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.documents.parts.document import Kind
from rulebook.typeset.environment import render_template
from rulebook.typeset.styles import document_styles


def screen_page(kind: Kind[Any], view: Any, templates: Path, **more: object) -> str:
    """The page of a kind, set with its first template; `more` are names for that."""
    styles = document_styles(kind.styles, view.identity.accent, "full", templates)
    css = Markup("\n".join(styles))
    return render_template(kind.templates[0], view, templates, css=css, **more)
