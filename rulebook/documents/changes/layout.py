"""The view of the notes on changes -> their pages, one page for a screen, and what to print again.

The pages for A4 and Letter are the same, as those of the booklet are: they are cut from one layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.changes.compose import ChangesView, NotesView
from rulebook.documents.changes.declaration import NOTES_PRINT, NOTES_SCREEN, REPRINT
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.reprint import layout as reprint
from rulebook.imposing.imposition import on_paper
from rulebook.paper_and_ink import paper_size
from rulebook.translation import gettext
from rulebook.typeset.environment import document_styles, render_template, screen_styles
from rulebook.typeset.pdf import Layout, lay_out

_LAID_OUT_ON = "a4"


def changes(
    view: NotesView, files: Sequence[File], templates: Path, cache: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """The files of the notes on an edition."""
    press = reprint.Press(view.again, templates, cache)
    told, identity = view.changes, view.changes.identity
    title = gettext(
        "%(title)s – to print again since edition %(edition)s",
        title=identity.title,
        edition=told.since.before,
    )
    notes: dict[tuple[reprint.ReprintEntry, ...], tuple[bytes, int]] = {}
    for paper, of_paper in _by_paper(files, view.again.papers[0]):
        found = press.sections(paper)
        again = reprint.listed(view.again, found, cutouts=bool(told.reprint.cutouts))
        for file in of_paper:
            if file.format == "html":
                yield Rendered(file.path, _screen(told, again, templates).encode(), None)
            elif file.path.startswith(REPRINT):
                made = reprint.reprint(found, title=title, language=identity.language)
                yield Rendered(file.path, made, sum(len(one.pages) for one in found))
            else:
                # The list is mostly the same on both papers, and then all pages are.
                if again not in notes:
                    layout = _laid_out(told, again, templates)
                    notes[again] = layout.pdf(print_hints=False), layout.pages
                made, pages = notes[again]
                yield Rendered(file.path, on_paper(made, *paper_size(paper)), pages)


def _by_paper(files: Sequence[File], usual: str) -> Iterator[tuple[str, list[File]]]:
    """The files of each paper; what has none goes by the usual one."""
    for paper in dict.fromkeys(one.paper or usual for one in files):
        yield paper, [one for one in files if (one.paper or usual) == paper]


def _laid_out(told: ChangesView, again: Sequence[reprint.ReprintEntry], templates: Path) -> Layout:
    html = render_template("notes.html.j2", told, templates, again=again)
    styles = document_styles(NOTES_PRINT, told.identity.accent, "full", templates)
    width, height = paper_size(_LAID_OUT_ON)
    page = f"@page{{size:{width}mm {height}mm}}"
    return lay_out(html, [*styles, page], templates=templates, name="notes on changes")


def _screen(told: ChangesView, again: Sequence[reprint.ReprintEntry], templates: Path) -> str:
    css = screen_styles(NOTES_SCREEN, told.identity.accent, templates)
    return render_template("notes-screen.html.j2", told, templates, again=again, css=css)
