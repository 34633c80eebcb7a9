"""The view of a quick-reference sheet -> one self-contained page for a telephone."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from rulebook.documents.qrs.declaration import SCREEN
from rulebook.documents.qrs.views import QrsView
from rulebook.typeset.environment import render_template
from rulebook.typeset.styles import document_styles


def qrs_screen(view: QrsView, templates: Path) -> str:
    """Panels in one column, phases in a bar that stays in sight."""
    styles = document_styles(SCREEN.styles, view.identity.accent, "full", templates)
    css = Markup("\n".join(styles))
    return render_template("qrs-screen.html.j2", view, templates, screen=True, css=css)
