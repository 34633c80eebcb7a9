"""The view of the notes on changes -> their pages, one page for a screen, and what to print again.

The pages for A4 and Letter are the same, as those of the booklet are: they are cut from one layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.paper import paper_size
from rulebook.publications.publication import Artefact
from rulebook.render import reprint
from rulebook.render.environment import render_template
from rulebook.render.imposition import on_paper
from rulebook.render.pdf import lay_out
from rulebook.render.styles import document_styles

View = Mapping[str, Any]

TEMPLATES = ("notes.html.j2", "notes-screen.html.j2")
STYLES = ("tables", "matter", "booklet", "booklet-large", "notes", "notes-print")
SCREEN_STYLES = ("tables", "matter", "screen", "notes", "notes-screen")
_LAID_OUT_ON = "a4"


def changes(
    view: View, artefacts: Sequence[Artefact], templates: Path
) -> Iterator[tuple[Artefact, bytes, int | None]]:
    """The files of the notes on an edition: each with its bytes and its pages."""
    pages = reprint.booklet_pages(view, templates)

    @cache
    def sections(paper: str) -> list[reprint.Section]:
        return list(reprint.sections(view, paper, pages, templates))

    identity, since = view["identity"], view["since"]
    for artefact in artefacts:
        paper = artefact.paper or view["papers"][0]
        again = reprint.listed(sections(paper))
        if artefact.format == "html":
            yield artefact, _screen({**view, "again": again}, templates).encode(), None
        elif artefact.path.startswith("reprint"):
            title = f"{identity['title']} – to print again since edition {since['before']}"
            made = reprint.reprint(sections(paper), title=title, language=identity["language"])
            yield artefact, made, sum(len(one.pages) for one in sections(paper))
        else:
            html = render_template("notes.html.j2", {**view, "again": again}, templates)
            styles = document_styles(STYLES, identity["accent"], "full", templates)
            width, height = paper_size(_LAID_OUT_ON)
            page = f"@page{{size:{width}mm {height}mm}}"
            layout = lay_out(html, [*styles, page], templates=templates, name="notes on changes")
            data = on_paper(layout.pdf(print_hints=False), *paper_size(paper))
            yield artefact, data, layout.pages


def _screen(view: View, templates: Path) -> str:
    styles = document_styles(SCREEN_STYLES, view["identity"]["accent"], "full", templates)
    shown = {**view, "css": Markup("\n".join(styles))}
    return render_template("notes-screen.html.j2", shown, templates)
