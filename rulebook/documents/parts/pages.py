"""Views of documents -> pages: laid out once for all files that show them, or one for a screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.cache import Cache, digest_of
from rulebook.documents.document_kind import COVER_PAGES, KINDS, LAYOUTS
from rulebook.paper_and_ink import paper_size
from rulebook.typeset.environment import document_styles, render_template, screen_styles
from rulebook.typeset.pdf import Layout, lay_out

STAGE = "pages"


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a document as a PDF; `remark` says how they came out, where they were fitted."""

    data: bytes
    count: int
    remark: str = ""


def kept(
    cache: Cache,
    source: list[object],
    inks: tuple[str, ...],
    lay_out: Callable[[], Layout],
    *,
    print_hints: bool,
) -> dict[str, Pages]:
    """The pages in all of the inks, laid out if one of them is not kept."""
    keys = {ink: digest_of([*source, ink]) for ink in inks} if cache.folder else {}
    found = {ink: _read(data) for ink, key in keys.items() if (data := cache.get(STAGE, key))}
    if inks and len(found) == len(inks):
        return found
    layout = lay_out()
    count, remark = layout.pages, layout.remark
    made = {ink: Pages(layout.pdf(print_hints=print_hints, ink=ink), count, remark) for ink in inks}
    for ink, key in keys.items():
        cache.put(STAGE, key, _written(made[ink]))
    return made


def _written(pages: Pages) -> bytes:
    """What is known of the pages in a line, then the PDF."""
    return json.dumps([pages.count, pages.remark]).encode("ascii") + b"\n" + pages.data


def _read(data: bytes) -> Pages:
    known, _, pdf = data.partition(b"\n")
    return Pages(pdf, *json.loads(known))


def screen_css(kind: str, view: Any, templates: Path) -> Markup:
    """The styles of a kind for a screen."""
    return screen_styles(KINDS[kind].styles, view.identity.accent, templates)


def json_block(data: object) -> Markup:
    """Plain data as the text of a script element, in which nothing ends it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def screen_page(kind: str, view: Any, templates: Path, **more: object) -> str:
    """The page of a kind, set with its first template; `more` are names for that."""
    css = screen_css(kind, view, templates)
    return render_template(KINDS[kind].templates[0], view, templates, css=css, **more)


def laid_out(kind: str, view: Any, templates: Path, page: str, name: str, **more: object) -> Layout:
    """The pages of a kind, set with its first template; `page` are styles of their sizes."""
    html = render_template(KINDS[kind].templates[0], view, templates, **more)
    styles = document_styles(KINDS[kind].styles, view.identity.accent, templates)
    return lay_out(html, [*styles, page], templates=templates, name=name)


def bound(layout: Layout) -> Layout:
    """The pages of a book with its back cover.

    Of its pages to write on, where it has any, as many stay as make them a multiple of four.
    """
    first = layout.first_pages()
    back = first["back-cover"] - 1
    written = first.get("filler-1", back + 1) - 1
    fillers = -(written + 1) % 4 if written < back else 0
    return layout.only([*range(written + fillers), back])


def booklet_styles(kind: str, view: Any, templates: Path) -> list[str]:
    """The styles of a booklet in its layout, and the sizes of its pages and its cover."""
    layout = view.layout
    assert layout is not None, "what is read on a screen has no pages"
    of_others = tuple(f"-{name}" for name in LAYOUTS if name != layout)
    names = tuple(name for name in KINDS[kind].styles if not name.endswith(of_others))
    width, height = paper_size(LAYOUTS[layout][0])
    cover = "@page cover{{size:{}mm {}mm}}".format(*COVER_PAGES[layout])
    page = f"@page{{size:{width}mm {height}mm}}{cover}"
    return [*document_styles(names, view.identity.accent, templates), page]
