"""The view of a scenario's booklet -> its pages, or one self-contained page for a screen.

The key of the map stands below it if it has room there. If not, or if the map lies on its side, it
is to be on the page that faces the map: behind the situation, or before the background, or behind
the map, whichever of them does it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.documents.parts.booklet_papers import (
    CHART_PAGES,
    COVER_PAGES,
    LAYOUT_PAPERS,
    styles_of_layout,
)
from rulebook.documents.scenario.kinds import PRINT, SCREEN
from rulebook.documents.scenario.plates import cover_picture, draw_plates
from rulebook.paper import paper_size
from rulebook.typeset import markup
from rulebook.typeset.environment import render_template
from rulebook.typeset.kept_charts import ANEW, Charts
from rulebook.typeset.pdf import Box, Layout, lay_out
from rulebook.typeset.styles import document_styles

View = Mapping[str, Any]

#: A booklet of more pages has a table of contents, even if that takes a page.
LONG = 20
#: For each layout, None for the screen, the width of charts in mm and their type in points.
_CHARTS = {**CHART_PAGES, "a5": (120.0, 7.6), "large": (156.0, 8.6)}


def lay_out_scenario(view: View, templates: Path, charts: Charts = ANEW) -> Layout:
    """The pages of the booklet.

    Where its key stands, and whether its contents take a page more, is seen from its front: what
    comes behind the map begins a page of its own, and the whole is laid out once.
    """
    drawn = _drawn(view, charts)
    placed, front = _placed(drawn, templates)
    listed = {**placed, "contents": True}
    if _fits(_front(listed, templates), front, listed):
        return _laid_out(listed, templates)
    layout = _laid_out(placed, templates)
    return _laid_out(listed, templates) if layout.pages > LONG else layout


def _placed(drawn: View, templates: Path) -> tuple[dict[str, Any], Layout]:
    """The view with the first place for its key that will do, or the first at all; its front."""
    fronts: list[tuple[dict[str, Any], Layout]] = []
    for stands in dict.fromkeys((drawn["key_stands"], *_ORDERS)):
        placed = {**drawn, "key_stands": stands}
        front = _front(placed, templates)
        if _together(front.boxes(), placed):
            return placed, front
        fronts.append((placed, front))
    return next(one for one in fronts if one[0]["key_stands"] == _ORDERS[0])


def _front(drawn: View, templates: Path) -> Layout:
    """The booklet up to its map and key, the cover and the map as empty as they are large."""
    battle = drawn["maps"]["battle"]
    empty = replace(battle, svg=battle.svg[: battle.svg.index(">") + 1] + "</svg>")
    maps = {**drawn["maps"], "battle": empty}
    return _laid_out({**drawn, "maps": maps, "front": True}, templates)


def _fits(one: Layout, other: Layout, drawn: View) -> bool:
    """Whether it takes no more pages than the other, and its key stands where it is to be."""
    return one.pages <= other.pages and _together(one.boxes(), drawn)


#: Where the key of a map may stand that is not below it, as it is tried; the first if none will do.
_ORDERS = ("before", "first", "behind")


def _together(boxes: Mapping[str, Box], drawn: View) -> bool:
    """Whether the key is below the map, or on the other page of one opening, as it is to be."""
    battle = boxes["battle-map"].page
    key, end = (boxes[name].page for name in ("the-key", "key-end"))
    if drawn["key_stands"] == "below":
        return key == end == battle
    return abs(key - battle) == 1 and min(key, battle) % 2 == 1 and key == end


def _laid_out(drawn: View, templates: Path) -> Layout:
    html, styles = _page(drawn, templates)
    return lay_out(html, styles, templates=templates, name=f"scenario {drawn['id']}")


def scenario_page(view: View, templates: Path) -> tuple[str, list[str]]:
    """HTML and styles of the printed booklet, its map behind its legend."""
    return _page(_drawn(view, ANEW), templates)


def _page(drawn: View, templates: Path) -> tuple[str, list[str]]:
    layout = drawn["layout"]
    html = render_template("scenario.html.j2", drawn, templates)
    width, height = paper_size(LAYOUT_PAPERS[layout])
    names = styles_of_layout(PRINT, layout)
    styles = document_styles(names, drawn["identity"]["accent"], "full", templates)
    cover = "@page cover{{size:{}mm {}mm}}".format(*COVER_PAGES[layout])
    return html, [*styles, f"@page{{size:{width}mm {height}mm}}{cover}"]


def scenario_screen(view: View, templates: Path, charts: Charts = ANEW) -> str:
    """The booklet as one self-contained page for a screen."""
    styles = document_styles(SCREEN.styles, view["identity"]["accent"], "full", templates)
    shown = {**_drawn(view, charts), "css": Markup("\n".join(styles))}
    return render_template("scenario-screen.html.j2", shown, templates)


def _drawn(view: View, charts: Charts) -> dict[str, Any]:
    """The view with its maps, charts and sections, for the templates."""
    cover = {**view["cover"], "ornament": cover_picture(view)}
    maps = draw_plates(view)
    return {
        **view,
        "cover": cover,
        "maps": maps,
        "drawings": _charts(view, charts),
        "sections": _sections(view),
        "screen": view["layout"] is None,
        "key_stands": "before" if maps["battle"].sideways else "below",
        "contents": view["layout"] is None,
        "front": False,
        # what the blocks of passages are printed with, as those of chapters are
        "chapters": (),
        "since": None,
        "indexed": lambda text, was: Markup(markup.block(text)),
        "table_anchor": lambda table: f"table-{table['id']}",
        "chart_anchor": lambda chart: str(chart["id"]),
    }


def _charts(view: View, charts: Charts) -> dict[str, Any]:
    """Its drawings by their ids."""
    page, chart = _CHARTS[view["layout"]], view["chart"]
    found = {one["id"]: Markup(charts.time_line(one, page)) for one in view["time_lines"]}
    if chart:
        found[chart["id"]] = Markup(charts.chart(chart, view["identity"]["accent"], page))
    return found


def _sections(view: View) -> Sequence[tuple[str, str]]:
    """The headings of the booklet, by their anchors, as far as there is something under them."""
    there = (
        ("background", "Background", view["background"]),
        ("situation", "Situation", view["situation"]),
        ("battlefield", "The battlefield", True),
        ("setting-up", "Setting up", True),
        ("order-of-battle", "Order of battle", True),
        ("reinforcements", "Reinforcements", True),
        ("marches", "Marches", view["marches"]),
        ("objectives", "Objectives", view["objectives"]),
        ("special-rules", "Special rules", view["rules"]),
        ("victory", "Victory", True),
        ("turn-track", view["track"]["title"], True),
        ("to-print", "What else to print", view["documents"]),
        ("designers-notes", "Designer’s notes", view["notes"]),
    )
    return [(anchor, title) for anchor, title, found in there if found]
