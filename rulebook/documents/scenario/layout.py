"""The view of a scenario's booklet -> its pages, or one self-contained page for a screen.

The key of the map stands below it if it has room there. If not, or if the map lies on its side, it
is to be on the page that faces the map: behind the situation, or before the background, or behind
the map, whichever of them does it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import Markup

from rulebook.documents.parts.booklet_papers import (
    CHART_PAGES,
    COVER_PAGES,
    LAYOUT_PAPERS,
    styles_of_layout,
)
from rulebook.documents.parts.views import CoverView, TableView
from rulebook.documents.scenario.declaration import PRINT, SCREEN
from rulebook.documents.scenario.maps import Plates, cover_picture, draw_plates
from rulebook.documents.scenario.views import ScenarioView
from rulebook.paper import paper_size
from rulebook.translation import gettext
from rulebook.typeset import markup
from rulebook.typeset.chart_views import ChartView
from rulebook.typeset.environment import render_template
from rulebook.typeset.kept_charts import ANEW, Charts
from rulebook.typeset.pdf import Box, Layout, lay_out
from rulebook.typeset.styles import document_styles

#: A booklet of more pages has a table of contents, even if that takes a page.
LONG = 20
#: For each layout, None for the screen, the width of charts in mm and their type in points.
_CHARTS = {**CHART_PAGES, "a5": (120.0, 7.6), "large": (156.0, 8.6)}


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A booklet with its cover, maps and charts, and how it is to be laid out.

    `key_stands` where the key of the map is to be; `contents`: it has a list of them; `front`: it
    ends with its map and key.
    """

    view: ScenarioView
    cover: CoverView
    maps: Plates
    drawings: dict[str, Markup]
    key_stands: str
    contents: bool
    front: bool = False

    def rendered(self, template: str, templates: Path, **more: object) -> str:
        """The page of a template; the blocks of its passages print as those of chapters do."""
        return render_template(
            template,
            self.view,
            templates,
            cover=self.cover,
            maps=self.maps,
            drawings=self.drawings,
            key_stands=self.key_stands,
            contents=self.contents,
            front=self.front,
            sections=_sections(self.view),
            screen=self.view.layout is None,
            chapters=(),
            since=None,
            indexed=_indexed,
            table_anchor=_table_anchor,
            chart_anchor=_chart_anchor,
            **more,
        )


def _indexed(text: str, _: str | None) -> Markup:
    return Markup(markup.block(text))


def _table_anchor(table: TableView) -> str:
    return f"table-{table.id}"


def _chart_anchor(chart: ChartView) -> str:
    return chart.id


def lay_out_scenario(view: ScenarioView, templates: Path, charts: Charts = ANEW) -> Layout:
    """The pages of the booklet.

    Where its key stands, and whether its contents take a page more, is seen from its front: what
    comes behind the map begins a page of its own, and the whole is laid out once.
    """
    drawn = _drawn(view, charts)
    placed, front = _placed(drawn, templates)
    listed = replace(placed, contents=True)
    if _fits(_front(listed, templates), front, listed):
        return _laid_out(listed, templates)
    layout = _laid_out(placed, templates)
    return _laid_out(listed, templates) if layout.pages > LONG else layout


def _placed(drawn: _Drawn, templates: Path) -> tuple[_Drawn, Layout]:
    """The booklet with the first place for its key that will do, or the first at all; its front."""
    fronts: list[tuple[_Drawn, Layout]] = []
    for stands in dict.fromkeys((drawn.key_stands, *_ORDERS)):
        placed = replace(drawn, key_stands=stands)
        front = _front(placed, templates)
        if _together(front.boxes(), placed):
            return placed, front
        fronts.append((placed, front))
    return next(one for one in fronts if one[0].key_stands == _ORDERS[0])


def _front(drawn: _Drawn, templates: Path) -> Layout:
    """The booklet up to its map and key, the cover and the map as empty as they are large."""
    battle = drawn.maps.battle
    empty = replace(battle, svg=battle.svg[: battle.svg.index(">") + 1] + "</svg>")
    maps = replace(drawn.maps, battle=empty)
    return _laid_out(replace(drawn, maps=maps, front=True), templates)


def _fits(one: Layout, other: Layout, drawn: _Drawn) -> bool:
    """Whether it takes no more pages than the other, and its key stands where it is to be."""
    return one.pages <= other.pages and _together(one.boxes(), drawn)


#: Where the key of a map may stand that is not below it, as it is tried; the first if none will do.
_ORDERS = ("before", "first", "behind")


def _together(boxes: Mapping[str, Box], drawn: _Drawn) -> bool:
    """Whether the key is below the map, or on the other page of one opening, as it is to be."""
    battle = boxes["battle-map"].page
    key, end = (boxes[name].page for name in ("the-key", "key-end"))
    if drawn.key_stands == "below":
        return key == end == battle
    return abs(key - battle) == 1 and min(key, battle) % 2 == 1 and key == end


def _laid_out(drawn: _Drawn, templates: Path) -> Layout:
    html, styles = _page(drawn, templates)
    return lay_out(html, styles, templates=templates, name=f"scenario {drawn.view.id}")


def scenario_page(view: ScenarioView, templates: Path) -> tuple[str, list[str]]:
    """HTML and styles of the printed booklet, its map behind its legend."""
    return _page(_drawn(view, ANEW), templates)


def _page(drawn: _Drawn, templates: Path) -> tuple[str, list[str]]:
    layout = drawn.view.layout
    assert layout is not None, "what is read on a screen has no pages"
    html = drawn.rendered("scenario.html.j2", templates)
    width, height = paper_size(LAYOUT_PAPERS[layout])
    names = styles_of_layout(PRINT, layout)
    styles = document_styles(names, drawn.view.identity.accent, "full", templates)
    cover = "@page cover{{size:{}mm {}mm}}".format(*COVER_PAGES[layout])
    return html, [*styles, f"@page{{size:{width}mm {height}mm}}{cover}"]


def scenario_screen(view: ScenarioView, templates: Path, charts: Charts = ANEW) -> str:
    """The booklet as one self-contained page for a screen."""
    styles = document_styles(SCREEN.styles, view.identity.accent, "full", templates)
    css = Markup("\n".join(styles))
    return _drawn(view, charts).rendered("scenario-screen.html.j2", templates, css=css)


def _drawn(view: ScenarioView, charts: Charts) -> _Drawn:
    cover, maps = replace(view.cover, ornament=cover_picture(view)), draw_plates(view)
    stands, screen = "before" if maps.battle.sideways else "below", view.layout is None
    return _Drawn(view, cover, maps, _charts(view, charts), stands, contents=screen)


def _charts(view: ScenarioView, charts: Charts) -> dict[str, Markup]:
    """Its drawings by their ids."""
    page, chart = _CHARTS[view.layout], view.chart
    found = {one.id: Markup(charts.time_line(one, page)) for one in view.time_lines}
    if chart:
        found[chart.id] = Markup(charts.chart(chart, view.identity.accent, page))
    return found


def _sections(view: ScenarioView) -> Sequence[tuple[str, str]]:
    """The headings of the booklet, by their anchors, as far as there is something under them."""
    there = (
        ("background", gettext("Background"), view.background),
        ("situation", gettext("Situation"), view.situation),
        ("battlefield", gettext("The battlefield"), True),
        ("setting-up", gettext("Setting up"), True),
        ("order-of-battle", gettext("Order of battle"), True),
        ("reinforcements", gettext("Reinforcements"), True),
        ("marches", gettext("Marches"), view.marches),
        ("objectives", gettext("Objectives"), view.objectives),
        ("special-rules", gettext("Special rules"), view.rules),
        ("victory", gettext("Victory"), True),
        ("turn-track", view.track.title, True),
        ("to-print", gettext("What else to print"), view.documents),
        ("designers-notes", gettext("Designer’s notes"), view.notes),
    )
    return [(anchor, title) for anchor, title, found in there if found]
