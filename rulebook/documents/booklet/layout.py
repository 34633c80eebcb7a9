"""The view of a booklet -> its pages, or one self-contained page for a screen.

The index names rules, not pages: a rule number is the same on every paper and on the screen, and
stands in the margin and at the head of each page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.cache import Cache
from rulebook.documents.booklet.kinds import PRINT, SCREEN
from rulebook.documents.parts.binding import plain_text
from rulebook.documents.parts.booklet_papers import (
    CHART_PAGES,
    COVER_PAGES,
    LAYOUT_PAPERS,
    styles_of_layout,
)
from rulebook.documents.parts.kept_pages import Pages, kept, pages_of
from rulebook.paper import paper_size
from rulebook.typeset.environment import render_template
from rulebook.typeset.kept_charts import ANEW, Charts
from rulebook.typeset.markup import IndexedMarkdown
from rulebook.typeset.pdf import Layout, lay_out
from rulebook.typeset.revised import revised_text
from rulebook.typeset.styles import document_styles

View = Mapping[str, Any]

#: Characters of a line of the booklet, or somewhat more.
_A_LINE = 76


def lay_out_booklet(view: View, templates: Path, charts: Charts = ANEW) -> Layout:
    """The pages of the booklet."""
    html, styles = booklet_page(view, templates, charts)
    edition = view["since"]["edition"] if view["since"] else None
    return lay_out(html, styles, templates=templates, name="booklet", edition=edition)


def booklet_pages(view: View, templates: Path, cache: Cache) -> Pages:
    """The pages of a booklet in its layout; raises RenderFault."""

    def laid_out() -> dict[str, Pages]:
        layout = lay_out_booklet(view, templates, Charts(cache))
        stands = {name: (page,) for name, page in layout.first_pages().items()}
        return {"full": pages_of(layout, stands, "full", print_hints=False)}

    return kept(cache, ["booklet", view], ("full",), laid_out)["full"]


def booklet_page(view: View, templates: Path, charts: Charts = ANEW) -> tuple[str, list[str]]:
    """HTML and styles of the printed booklet."""
    html = _render("booklet.html.j2", view, templates, charts)
    width, height = paper_size(LAYOUT_PAPERS[view["layout"]])
    names = styles_of_layout(PRINT, view["layout"])
    styles = document_styles(names, view["identity"]["accent"], "full", templates)
    cover = "@page cover{{size:{}mm {}mm}}".format(*COVER_PAGES[view["layout"]])
    return html, [*styles, f"@page{{size:{width}mm {height}mm}}{cover}"]


def booklet_screen(view: View, templates: Path, charts: Charts = ANEW) -> str:
    """The booklet as one self-contained page for a screen."""
    styles = document_styles(SCREEN.styles, view["identity"]["accent"], "full", templates)
    css = Markup("\n".join(styles))
    return _render("booklet-screen.html.j2", {**view, "css": css}, templates, charts)


def _render(name: str, view: View, templates: Path, charts: Charts) -> str:
    """Chapters first, so that the index knows the places of its words."""
    index = IndexedMarkdown({term["id"]: term["forms"] for term in view["terms"]})
    screen, accent = view["layout"] is None, view["identity"]["accent"]
    calls = {
        "screen": screen,
        "indexed": lambda text, was: revised_text(index.convert(text), was, screen=screen),
        "begin_section": index.begin_section,
        "leads": leads,
        "table_anchor": lambda table: _table_anchor(index, table),
        "chart_anchor": lambda chart: _chart_anchor(index, chart),
        "drawn": lambda chart: Markup(charts.chart(chart, accent, CHART_PAGES[view["layout"]])),
    }
    body = render_template("parts/chapters.html.j2", {**view, **calls}, templates)
    numbers = {s["id"]: s["number"] for chapter in view["chapters"] for s in chapter["sections"]}
    entries = [
        {**term, "places": [(anchor, numbers[section]) for section, anchor in places.items()]}
        for term, places in zip(view["terms"], index.places.values(), strict=True)
    ]
    shown = {**view, "screen": screen, "body": Markup(body), "entries": entries}
    return render_template(name, shown, templates)


def leads(markdown: str) -> bool:
    """Whether a text is about a line: such a one leads to a table or an example behind it."""
    return len(plain_text(markdown)) <= _A_LINE and "\n\n" not in markdown.strip()


def _chart_anchor(index: IndexedMarkdown, chart: Mapping[str, Any]) -> str:
    """The id of a chart, whose title and places may use terms."""
    index.note(" / ".join([chart["title"], chart["axis"], *chart["places"]]), chart["id"])
    return str(chart["id"])


def _table_anchor(index: IndexedMarkdown, table: Mapping[str, Any]) -> str:
    """The id of a table, whose title, heads and labels may use terms."""
    anchor = f"table-{table['id']}"
    heads = [cell["text"] for row in table["head"] for cell in row]
    labels = [plain_text(label["text"]) for row in table["body"] for label in row["labels"]]
    index.note(" / ".join([table["title"], *heads, *table["stub_heads"], *labels]), anchor)
    return anchor
