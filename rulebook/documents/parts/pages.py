"""Views of documents -> pages: laid out once for all files that show them, or one for a screen.

A small picture of a page, for the pages that lead to its file, is drawn from what is printed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
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
    """The pages of a document as a PDF; `remark` tells if and how they were fitted."""

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
    """Returns the pages of a document in each of the inks, as PDFs.

    They come from the cache. If any is missing there, `lay_out` is called, and all are rendered and
    stored in the cache. `source` is what the pages are made from, which identifies them there.
    """
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
    """Serialises pages for the cache: a line of JSON with count and remark, then the PDF."""
    return json.dumps([pages.count, pages.remark]).encode("ascii") + b"\n" + pages.data


def _read(data: bytes) -> Pages:
    known, _, pdf = data.partition(b"\n")
    return Pages(pdf, *json.loads(known))


def screen_css(kind: str, view: Any, templates: Path) -> Markup:
    """Returns the style sheet of a kind of document for a screen, with the accent of the view."""
    return screen_styles(KINDS[kind].styles, view.identity.accent, templates)


def json_block(data: object) -> Markup:
    """Serialises plain data as JSON that can be put into a script element of HTML.

    In that, no `<` stands as such, so that no text can end the element.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def screen_page(kind: str, view: Any, templates: Path, **more: object) -> str:
    """Renders a view as one HTML page for a screen, with the first template of its kind.

    `more` are further variables for the template.
    """
    css = screen_css(kind, view, templates)
    more = {"css": css, "to_read": view.identity.to_read} | more
    return render_template(KINDS[kind].templates[0], view, templates, **more)


def laid_out(kind: str, view: Any, templates: Path, page: str, name: str, **more: object) -> Layout:
    """Lays out a view on pages, with the first template and the styles of its kind.

    `page` are additional styles, such as for the size of pages. `name` is what faults call the
    document; `more` are further variables for the template.
    """
    html = render_template(KINDS[kind].templates[0], view, templates, **more)
    styles = document_styles(KINDS[kind].styles, view.identity.accent, templates)
    return lay_out(html, [*styles, page], templates=templates, name=name)


def bound(layout: Layout) -> Layout:
    """Returns the pages of a book with its back cover last.

    If it has pages to write on before the back cover, only as many of these are kept as make the
    total a multiple of four.
    """
    first = layout.first_pages()
    back = first["back-cover"] - 1
    written = first.get("filler-1", back + 1) - 1
    fillers = -(written + 1) % 4 if written < back else 0
    return layout.only([*range(written + fillers), back])


def booklet_styles(kind: str, view: Any, templates: Path) -> list[str]:
    """Returns the styles of a kind of booklet for the layout of the view, which must have one.

    They include the sizes of its pages and of its cover.
    """
    layout = view.layout
    assert layout is not None, "what is read on a screen has no pages"
    of_others = tuple(f"-{name}" for name in LAYOUTS if name != layout)
    names = tuple(name for name in KINDS[kind].styles if not name.endswith(of_others))
    width, height = paper_size(LAYOUTS[layout][0])
    cover = "@page cover{{size:{}mm {}mm}}".format(*COVER_PAGES[layout])
    page = f"@page{{size:{width}mm {height}mm}}{cover}"
    return [*document_styles(names, view.identity.accent, templates), page]


#: The room of a picture, in px, and its colours: sheets are drawn in few.
PICTURE_WIDTH, PICTURE_HEIGHT, COLOURS = 320, 440, 64
_THUMBNAILS = "thumbnails"


def thumbnail(pdf: bytes, page: int, cache: Cache) -> bytes:
    """Draws a page of a PDF, counted from 1, as a small PNG.

    It is taken from the cache if it is there, and else stored in it.
    """
    key = digest_of([hashlib.sha256(pdf).hexdigest(), page])
    kept = cache.get(_THUMBNAILS, key)
    if kept is None:
        kept = _drawn(pdf, page)
        cache.put(_THUMBNAILS, key, kept)
    return kept


def _drawn(pdf: bytes, number: int) -> bytes:
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        page = document[number - 1]
        width, height = page.get_size()
        # Half a pixel less, since a part of one counts as one.
        scale = min((PICTURE_WIDTH - 0.5) / width, (PICTURE_HEIGHT - 0.5) / height)
        picture = page.render(scale=scale).to_pil()
    made = BytesIO()
    picture.quantize(COLOURS, dither=0).save(made, "PNG", optimize=True)
    return made.getvalue()
