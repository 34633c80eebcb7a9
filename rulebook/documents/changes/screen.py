"""Changes as they are told -> one self-contained page for a screen, which prints well too."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from rulebook.documents.changes.page import ChangesView
from rulebook.typeset.environment import render_template
from rulebook.typeset.styles import document_styles

STYLES = ("tables", "matter", "changes")


def changes_page(view: ChangesView, accent: str, templates: Path) -> str:
    """All changes by class, what went struck and what came underlined, without colours as well.

    Raises RenderFault where a template is at fault.
    """
    css = Markup("\n".join(document_styles(STYLES, accent, "full", templates)))
    return render_template("changes-screen.html.j2", view, templates, css=css)
