"""The view of a quick-reference sheet -> panels measured, packed in large type, set on sides."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from rulebook.paper import paper_size
from rulebook.problems import Problem
from rulebook.render.environment import render_template
from rulebook.render.faults import RenderFault
from rulebook.render.pdf import Layout, lay_out
from rulebook.render.qrs_layout import MOST_PANELS, Area, Panel, Placed, fits, least_height, pack
from rulebook.render.styles import document_styles

MARGIN = 7.0
GUTTER = 4.5
GAP = 2.6
#: The strip of tabs above the columns, and the line of edition and date below them.
HEAD = 7.5
FOOT = 4.5
#: Points, smallest first.
TYPE_SIZES = tuple(size / 4 for size in range(28, 39))
_FIRST_TRIED = TYPE_SIZES.index(8.5)
STYLES = ("tables", "dice", "qrs")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page of a side and the columns on it, in millimetres."""

    width: float
    height: float
    columns: int
    sides: int

    @property
    def column_width(self) -> float:
        return (self.width - 2 * MARGIN - (self.columns - 1) * GUTTER) / self.columns

    @property
    def area(self) -> Area:
        height = self.height - 2 * MARGIN - HEAD - FOOT
        return Area(self.sides, self.columns, height, GAP)

    def left(self, column: int) -> float:
        return MARGIN + column * (self.column_width + GUTTER)

    def span_width(self, span: int) -> float:
        return span * self.column_width + (span - 1) * GUTTER


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Where all panels stand, at a size of type in points."""

    type_size: float
    placed: tuple[Placed, ...]


def sheet_of(view: Mapping[str, Any]) -> Sheet:
    width, height = paper_size(view["paper"], landscape=True)
    return Sheet(width, height, view["columns"], view["sides"])


def arrange(view: Mapping[str, Any], templates: Path) -> Arrangement:
    """The largest type between 7 and 9.5 pt, in quarter points, at which all panels fit.

    A layout is dear, so each one rules out all that it can. Larger type makes a panel higher at
    least in proportion, for its lines only get shorter, and smaller type lower at least in
    proportion, but for what is of one size at any type. Raises RenderFault: R601 where nothing
    fits or there are more panels than any sheet has, R604 where a table is too wide for its panel.
    """
    sheet = sheet_of(view)
    panel_count = sum(len(phase["panels"]) for phase in view["phases"])
    if panel_count > MOST_PANELS:
        raise RenderFault((_too_many(panel_count),))
    too_wide = tuple(_too_wide(view))
    if too_wide:
        raise RenderFault(too_wide)
    fixed = _fixed_heights(view)
    fitting: Arrangement | None = None
    low, high, index = 0, _largest_unbroken(view), _FIRST_TRIED
    while low <= high:
        panels = measure(view, sheet, TYPE_SIZES[index], templates)
        placed = pack(panels, sheet.area)
        in_proportion = _fitting_in_proportion(panels, fixed, TYPE_SIZES[index], sheet)
        if placed is not None:
            fitting = Arrangement(TYPE_SIZES[index], tuple(placed))
            low, high = index + 1, min(high, in_proportion)
        else:
            low, high = max(low, in_proportion), index - 1
        index = high if placed is not None else (low + high + 1) // 2
    if fitting is None:
        raise RenderFault((_does_not_fit(view, sheet, templates),))
    return fitting


def _largest_unbroken(view: Mapping[str, Any]) -> int:
    """Index of the largest type at which no word is broken, or of that for which room is told."""
    panels = (panel for phase in view["phases"] for panel in phase["panels"])
    parts = [table["room"] / table["least"] for panel in panels for table in panel["tables"]]
    largest = TYPE_SIZES[_FIRST_TRIED] * max(1.0, min(parts, default=inf))
    return bisect_right(TYPE_SIZES, largest) - 1


def _fitting_in_proportion(
    panels: Sequence[Panel], fixed: Mapping[str, float], measured_at: float, sheet: Sheet
) -> int:
    """Index of the largest size that fits if all but the fixed heights is in proportion to it."""

    def too_large(index: int) -> bool:
        times = TYPE_SIZES[index] / measured_at
        scaled = [
            replace(
                panel, height=panel.height + (times - 1) * max(0, panel.height - fixed[panel.id])
            )
            for panel in panels
        ]
        return not fits(scaled, sheet.area)

    return max(0, bisect_left(range(len(TYPE_SIZES)), True, key=too_large) - 1)


#: The hairlines of a panel are not thicker than this together.
_HAIRLINES = 2.0
_HEIGHT = re.compile(r'<svg[^>]* height="([\d.]+)mm"')


def _fixed_heights(view: Mapping[str, Any]) -> dict[str, float]:
    """Millimetres of each panel that do not change with the type, or somewhat more."""
    return {
        panel["id"]: _HAIRLINES
        + sum(float(_HEIGHT.findall(picture["full"])[0]) for picture in panel["pictures"])
        for phase in view["phases"]
        for panel in phase["panels"]
    }


def measure(view: Mapping[str, Any], sheet: Sheet, size: float, templates: Path) -> list[Panel]:
    """The heights of all panels at a size of type, from one layout."""
    widths = {"narrow": sheet.span_width(1), "wide": sheet.span_width(2)}
    html = render_template("qrs-measure.html.j2", {**view, **widths}, templates)
    page = f"@page{{size:{widths['wide'] + 1}mm 20000mm;margin:0}} body{{font-size:{size}pt}}"
    styles = [*document_styles(STYLES, view["identity"]["accent"], "full", templates), page]
    boxes = lay_out(html, styles, templates=templates, name="quick reference").boxes()
    return [
        Panel(panel["id"], phase["number"], boxes[panel["id"]].height, panel["wide"])
        for phase in view["phases"]
        for panel in phase["panels"]
    ]


def _too_many(panel_count: int) -> Problem:
    return Problem(
        "R601",
        f"the quick reference has {panel_count} panels",
        expected=f"up to {MOST_PANELS} panels",
        hint="join steps of the sequence: a step may have many reminders and tables",
    )


#: Words are broken in tables that need more than their room, but not in any that needs so many
#: times as much.
_MOST_BROKEN = 1.6


def _too_wide(view: Mapping[str, Any]) -> Iterator[Problem]:
    """The tables in which hardly a word would stand unbroken."""
    panels = (panel for phase in view["phases"] for panel in phase["panels"])
    for panel in panels:
        for table in panel["tables"]:
            if table["least"] <= _MOST_BROKEN * table["room"]:
                continue
            first = "use shorter words" if panel["wide"] else "give its step `wide: true`"
            yield Problem(
                "R604",
                f"the table {table['title']} needs {table['least']} characters side by side, "
                f"its panel has room for {table['room']}",
                expected="columns wide enough for the longest word in each",
                hint=f"{first}, shorten its heads, split it, or mark it `qrs: false`",
            )


def _does_not_fit(view: Mapping[str, Any], sheet: Sheet, templates: Path) -> Problem:
    panels = measure(view, sheet, TYPE_SIZES[0], templates)
    over = least_height(panels, sheet.area) - sheet.area.height
    titles = {panel["id"]: panel["title"] for phase in view["phases"] for panel in phase["panels"]}
    largest = sorted(panels, key=lambda panel: -panel.height * (2 if panel.wide else 1))[:3]
    named = ", ".join(f"{titles[panel.id]} ({panel.height:.0f} mm)" for panel in largest)
    sides = "side" if sheet.sides == 1 else "sides"
    return Problem(
        "R601",
        f"the quick reference does not fit on {sheet.sides} {sides} of {view['paper']}: "
        f"at {TYPE_SIZES[0]:g} pt each column is {over:.0f} mm too short",
        expected=f"panels for {sheet.sides * sheet.columns} columns of {sheet.area.height:.0f} mm",
        hint=f"shorten or split the largest panels, {named}, or ask for more sides",
    )


def lay_out_sheet(
    view: Mapping[str, Any], arrangement: Arrangement, ink: str, templates: Path
) -> Layout:
    """The pages of the sheet in one ink."""
    html, styles = sheet_page(view, arrangement, ink, templates)
    return lay_out(html, styles, templates=templates, name="quick reference")


def sheet_page(
    view: Mapping[str, Any], arrangement: Arrangement, ink: str, templates: Path
) -> tuple[str, list[str]]:
    """HTML and styles of the sheet in one ink."""
    sheet = sheet_of(view)
    sides = list(_sides(view, sheet, arrangement.placed))
    html = render_template("qrs.html.j2", {**view, "ink": ink, "sides": sides}, templates)
    page = (
        f"@page{{size:{sheet.width}mm {sheet.height}mm;margin:0}}"
        f"body{{font-size:{arrangement.type_size}pt}}"
        f".side{{width:{sheet.width}mm;height:{sheet.height}mm}}"
    )
    return html, [*document_styles(STYLES, view["identity"]["accent"], ink, templates), page]


def _sides(
    view: Mapping[str, Any], sheet: Sheet, placed: Sequence[Placed]
) -> Iterator[dict[str, Any]]:
    """For each side its panels with their places, and the tabs above its columns."""
    phase_of = {panel["id"]: phase for phase in view["phases"] for panel in phase["panels"]}
    panel_of = {panel["id"]: panel for phase in view["phases"] for panel in phase["panels"]}
    opening = {phase["panels"][0]["id"] for phase in view["phases"]}
    for side in range(max(place.side for place in placed) + 1):
        here = [place for place in placed if place.side == side]
        yield {
            "panels": [
                {
                    "panel": panel_of[place.id],
                    "phase": phase_of[place.id] if place.id in opening else None,
                    "left": round(sheet.left(place.column), 3),
                    "top": round(MARGIN + HEAD + place.top, 3),
                    "width": round(sheet.span_width(place.span), 3),
                }
                for place in here
            ],
            "tabs": [
                _tab(sheet, column, here, phase_of, opening) for column in range(sheet.columns)
            ],
        }


def _tab(
    sheet: Sheet,
    column: int,
    here: Sequence[Placed],
    phase_of: Mapping[str, Mapping[str, Any]],
    opening: set[str],
) -> dict[str, Any]:
    """The phases found in a column; one that began in a column before it is `continued`.

    A phase whose bar stands at the top of the column needs no tab above it.
    """
    touched = [p for p in here if p.column <= column < p.column + p.span]
    phases: dict[str, dict[str, Any]] = {}
    for place in sorted(touched, key=lambda place: place.top):
        phase = phase_of[place.id]
        begins = place.id in opening and place.column == column
        entry = {"number": phase["number"], "title": phase["tab"], "continued": not begins}
        phases.setdefault(phase["number"], entry | {"barred": begins and place.top < 1})
    return {
        "left": round(sheet.left(column), 3),
        "width": round(sheet.column_width, 3),
        "phases": [phase for phase in phases.values() if not phase["barred"]],
    }
