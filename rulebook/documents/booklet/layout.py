"""The view of a booklet -> its pages, or one self-contained page for a screen.

The index names rules, not pages: a rule number is the same on every paper and on the screen, and
stands in the margin and at the head of each page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.booklet.compose import ROOM
from rulebook.documents.booklet.views import BookletView
from rulebook.documents.document_kind import (
    CHART_PAGES,
    FOLDED_LAYOUT,
    File,
    Rendered,
    on_papers,
)
from rulebook.documents.parts.binding import plain_text
from rulebook.documents.parts.pages import Pages, booklet_styles, bound, kept, screen_css
from rulebook.documents.parts.views import TableView
from rulebook.drawing.charts import ChartView, draw_chart
from rulebook.drawing.elements import Picture
from rulebook.frozen_view import fields_of
from rulebook.typeset.environment import render_template
from rulebook.typeset.markup import IndexedMarkdown, revised_text, with_narrow_tables
from rulebook.typeset.pdf import Layout, lay_out

#: Characters of a line of the booklet, or somewhat more.
_A_LINE = 76


def lay_out_booklet(view: BookletView, templates: Path, cache: Cache = NOTHING_KEPT) -> Layout:
    """Lays out the pages of the booklet, with its back cover last."""
    pictures: dict[str, Picture] = {}
    html, styles = booklet_page(view, templates, cache, pictures)
    edition = view.since.edition if view.since else None
    whole = lay_out(
        html,
        styles,
        templates=templates,
        name="booklet",
        edition=edition,
        ends=True,
        pictures=pictures,
    )
    return bound(whole)


def booklet_pages(
    view: BookletView, templates: Path, cache: Cache, inks: Iterable[str] = ("full",)
) -> dict[str, Pages]:
    """Returns the pages of a booklet in each of the inks, from the cache or newly laid out.

    Raises RenderFault if they cannot be laid out.
    """
    wanted = tuple(dict.fromkeys(inks))

    def laid_out() -> Layout:
        return lay_out_booklet(view, templates, cache)

    return kept(cache, ["booklet", view], wanted, laid_out, print_hints=False)


def booklet_on_papers(
    view: BookletView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    """Renders the PDFs of a booklet: single pages, sheets to fold, and files for a press.

    Raises RenderFault if the pages cannot be laid out.
    """
    made = booklet_pages(view, templates, cache, (file.ink or "full" for file in files))
    first, identity = next(iter(made.values())), view.identity
    data = {ink: pages.data for ink, pages in made.items()}
    for rendered in on_papers(files, data, first.count, identity.title, identity.language):
        yield replace(rendered, remark=first.remark)


def booklet_page(
    view: BookletView,
    templates: Path,
    cache: Cache = NOTHING_KEPT,
    pictures: dict[str, Picture] | None = None,
) -> tuple[str, list[str]]:
    """Returns the HTML and the style sheets from which the printed booklet is laid out.

    Figures are added to `pictures` by their addresses in the HTML; without that they stand there.
    """
    folded = view.layout == FOLDED_LAYOUT
    html = _render("booklet.html.j2", view, templates, cache, pictures=pictures, folded=folded)
    return html, booklet_styles("booklet", view, templates)


def booklet_screen(view: BookletView, templates: Path, cache: Cache = NOTHING_KEPT) -> str:
    """Renders the booklet as one self-contained HTML page for a screen."""
    css = screen_css("booklet-screen", view, templates)
    return _render("booklet-screen.html.j2", view, templates, cache, css=css)


def _render(name: str, view: BookletView, templates: Path, cache: Cache, **more: object) -> str:
    """Renders the HTML of the booklet with the template `name` and its further variables `more`.

    The chapters are rendered first, since the index lists the places where they use its terms.
    """
    index = IndexedMarkdown({term.id: term.forms for term in view.terms})
    screen, accent = view.layout is None, view.identity.accent
    page = CHART_PAGES[view.layout]
    calls: dict[str, object] = {
        "screen": screen,
        "indexed": lambda text, was: revised_text(
            index.convert(text) if screen else with_narrow_tables(index.convert(text), ROOM),
            was,
            screen=screen,
        ),
        "begin_section": index.begin_section,
        "leads": leads,
        "table_anchor": lambda table: _table_anchor(index, table),
        "chart_anchor": lambda chart: _chart_anchor(index, chart),
        "drawn": lambda chart: Markup(draw_chart(chart, accent, page, cache)),
    }
    body = Markup(render_template("parts/chapters.html.j2", view, templates, **calls, **more))
    numbers = {
        section.id: section.number for chapter in view.chapters for section in chapter.sections
    }
    #: The words of glossary and index, and where they are used: anchors and numbers.
    entries = [
        fields_of(term) | {"places": [(at, numbers[section]) for section, at in places.items()]}
        for term, places in zip(view.terms, index.places.values(), strict=True)
    ]
    return render_template(name, view, templates, screen=screen, body=body, entries=entries, **more)


def leads(markdown: str) -> bool:
    """Whether a text is a single paragraph of about a line, so that it introduces what follows."""
    return len(plain_text(markdown)) <= _A_LINE and "\n\n" not in markdown.strip()


def _chart_anchor(index: IndexedMarkdown, chart: ChartView) -> str:
    """Returns the id of a chart, by which links lead to it.

    Adds the terms in its title, axis and places to the index.
    """
    index.note(" / ".join([chart.title, chart.axis, *chart.places]), chart.id)
    return chart.id


def _table_anchor(index: IndexedMarkdown, table: TableView) -> str:
    """Returns the id by which links lead to a table.

    Adds the terms in its title, heads and labels to the index.
    """
    anchor = f"table-{table.id}"
    heads = [cell.text for row in table.head for cell in row]
    labels = [plain_text(label.text) for row in table.body for label in row.labels]
    index.note(" / ".join([table.title, *heads, *table.stub_heads, *labels]), anchor)
    return anchor
