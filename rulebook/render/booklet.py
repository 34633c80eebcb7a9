"""The view of a booklet -> its pages, laid out twice: once to learn the page numbers, once with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.paper import paper_size
from rulebook.render import fonts
from rulebook.render.environment import render_template
from rulebook.render.markup import IndexedMarkdown
from rulebook.render.pdf import Layout, lay_out
from rulebook.render.styles import document_styles

View = Mapping[str, Any]

PRINT_STYLES = ("tables", "matter", "booklet")
#: The sheet that sets margins and sizes of type, by paper.
PAPER_STYLES = {
    "a5": "booklet-a5",
    "a4": "booklet-large",
    "letter": "booklet-large",
    "a3": "booklet-large",
}
SCREEN_STYLES = ("tables", "matter", "screen")
_FAMILIES = ("IBM Plex Sans Condensed", "Spectral")


def lay_out_booklet(view: View, templates: Path) -> Layout:
    """The pages; contents and index tell the pages on which things stand."""
    first = _lay_out(view, {}, templates)
    pages = {name: box.page + 1 for name, box in first.boxes().items()}
    return _lay_out(view, pages, templates)


def booklet_page(view: View, templates: Path) -> tuple[str, list[str]]:
    """HTML and styles of the printed booklet, page numbers not yet known."""
    return _page(view, {}, templates)


def booklet_screen(view: View, templates: Path) -> str:
    """The booklet as one self-contained page for a screen."""
    styles = document_styles(SCREEN_STYLES, view["identity"]["accent"], "full", templates)
    css = "\n".join([fonts.embedded_face_rules(_FAMILIES), *styles])
    return _render("booklet-screen.html.j2", {**view, "css": Markup(css)}, {}, templates)


def _lay_out(view: View, pages: Mapping[str, int], templates: Path) -> Layout:
    html, styles = _page(view, pages, templates)
    return lay_out(html, styles, templates=templates, name=f"booklet on {view['paper']}")


def _page(view: View, pages: Mapping[str, int], templates: Path) -> tuple[str, list[str]]:
    html = _render("booklet.html.j2", view, pages, templates)
    width, height = paper_size(view["paper"])
    size = f"@page{{size:{width}mm {height}mm}}"
    names = (*PRINT_STYLES, PAPER_STYLES[view["paper"]])
    styles = document_styles(names, view["identity"]["accent"], "full", templates)
    return html, [*styles, size]


def _render(name: str, view: View, pages: Mapping[str, int], templates: Path) -> str:
    """Chapters first, so that the index knows the places of its words."""
    index = IndexedMarkdown({term["id"]: term["forms"] for term in view["terms"]})
    body = render_template(
        "parts/chapters.html.j2",
        view,
        templates,
        filters={
            "indexed": lambda text: Markup(index.convert(text)),
            "begin_section": index.begin_section,
        },
    )
    entries = [
        {"title": term["title"], "meaning": term["meaning"], "id": term["id"],
         "places": _places(index.places[term["id"]], pages)}
        for term in view["terms"]
    ]  # fmt: skip
    extra = {"body": Markup(body), "entries": entries, "pages": pages}
    return render_template(name, {**view, **extra}, templates)


def _places(anchors: list[str], pages: Mapping[str, int]) -> list[dict[str, Any]]:
    """Each page once, with the first anchor on it."""
    found: dict[int, str] = {}
    for number, anchor in enumerate(anchors, start=1):
        found.setdefault(pages.get(anchor, number), anchor)
    return [{"anchor": anchor, "page": page} for page, anchor in found.items()]
