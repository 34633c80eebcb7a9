"""The view of the notes on changes -> their pages, and one page for a screen.

The pages for A4 and Letter are the same, as those of the booklet are: they are cut from one layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.changes.compose import ChangesView
from rulebook.documents.document_kind import NOTES_PRINT, NOTES_SCREEN, File, Rendered
from rulebook.imposing.imposition import on_paper
from rulebook.paper_and_ink import paper_size
from rulebook.typeset.environment import document_styles, render_template, screen_styles
from rulebook.typeset.pdf import Layout, lay_out

_LAID_OUT_ON = "a4"
#: Points, the largest first.
TYPE_SIZES = (9.2, 9.0, 8.8, 8.6)
#: Of the last page so great a part is to be filled.
LEAST_FILLED = 0.35
#: The id of what stands last.
_END = "end"


def changes(
    view: ChangesView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """The files of the notes on an edition."""
    notes: tuple[bytes, int] | None = None
    for file in files:
        if file.format == "html":
            css = screen_styles(NOTES_SCREEN, view.identity.accent, templates)
            page = render_template("notes-screen.html.j2", view, templates, css=css)
            yield Rendered(file.path, page.encode(), None)
            continue
        assert file.paper is not None
        if notes is None:
            layout = _laid_out(view, templates)
            notes = layout.pdf(print_hints=False), layout.pages
        made, pages = notes
        yield Rendered(file.path, on_paper(made, *paper_size(file.paper)), pages)


def _laid_out(view: ChangesView, templates: Path) -> Layout:
    """The notes, in the largest type in which their last page is not all but empty."""
    html = render_template("notes.html.j2", view, templates)
    styles = document_styles(NOTES_PRINT, view.identity.accent, templates)
    width, height = paper_size(_LAID_OUT_ON)
    tried: list[tuple[float, Layout]] = []
    for size in TYPE_SIZES:
        page = f"@page{{size:{width}mm {height}mm}}body{{font-size:{size}pt}}"
        layout = lay_out(html, [*styles, page], templates=templates, name="notes on changes")
        tried.append((_end(layout) / height, layout))
        if tried[-1][0] > LEAST_FILLED:
            break
    return max(tried, key=lambda one: one[0])[1]


def _end(layout: Layout) -> float:
    """How far down the last page something stands, in mm."""
    boxes = layout.boxes().items()
    return max(
        (box.bottom for name, box in boxes if name == _END and box.page == layout.pages - 1),
        default=0.0,
    )
