"""The view of a quick-reference sheet -> panels measured, packed in large type, set on sides."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from rulebook.paper import paper_size
from rulebook.problems import Problem
from rulebook.publications.column_widths import room_of
from rulebook.render.environment import render_template
from rulebook.render.faults import RenderFault
from rulebook.render.pdf import Layout, lay_out
from rulebook.render.qrs_fitting import fitted, needed_room, panels_of
from rulebook.render.qrs_layout import (
    MOST_PANELS,
    Area,
    Panel,
    Placed,
    fits,
    least_filled,
    least_height,
    pack,
)
from rulebook.render.styles import document_styles

MARGIN = 7.0
GUTTER = 4.5
GAP = 2.6
#: The strip of tabs above the columns, and the line of edition and date below them.
HEAD = 7.5
FOOT = 4.5
#: Points, smallest first.
TYPE_SIZES = tuple(size / 4 for size in range(28, 45))
#: Index of a size that is good at arm's length: for less than that a sheet more is not spared.
_GOOD = TYPE_SIZES.index(8)
_FIRST_TRIED = TYPE_SIZES.index(8.5)
#: Smaller sizes that are tried where the largest leaves a column nearly empty.
_PASSED_OVER = 4
#: The part of a column that its panels cover at least, where that can be.
LEAST_FILLED = 0.5
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
    """The fewest sheets that hold all panels in good type, and the largest type that fits on them.

    Raises RenderFault: R601 where nothing fits or there are more panels than any sheet has, R604
    where a table is too wide for two columns.
    """
    sheet = sheet_of(view)
    panel_count = sum(1 for _ in panels_of(view))
    if panel_count > MOST_PANELS:
        raise RenderFault((_too_many(panel_count),))
    too_wide = tuple(_too_wide(view, sheet))
    if too_wide:
        raise RenderFault(too_wide)

    @cache
    def measured(index: int) -> list[Panel]:
        return measure(view, sheet, TYPE_SIZES[index], templates)

    fixed = _fixed_heights(view)
    most = _largest_unbroken(view, sheet)
    for sides in _sides_tried(sheet.sides):
        area = replace(sheet, sides=sides).area
        if sides < sheet.sides:
            known = min(_FIRST_TRIED, most)
            if not fits(_scaled(measured(known), fixed, known, _GOOD), area):
                continue
        least = _GOOD if sides < sheet.sides else 0
        fitting = _largest_fitting(measured, fixed, area, least, most)
        if fitting is not None:
            return _evenest(measured, area, range(max(least, fitting - _PASSED_OVER), fitting + 1))
    raise RenderFault((_does_not_fit(view, sheet, templates),))


def _evenest(measured: Callable[[int], list[Panel]], area: Area, fitting: range) -> Arrangement:
    """The largest type that leaves no column nearly empty, or where all do, that which does least.

    A table that goes across two columns in large type may leave a hole beside or above it.
    """
    best: tuple[float, Arrangement] | None = None
    for index in reversed(fitting):
        placed = pack(measured(index), area)
        if placed is None:
            continue
        emptiest = least_filled(measured(index), placed, area)
        arrangement = Arrangement(TYPE_SIZES[index], tuple(placed))
        if emptiest >= LEAST_FILLED:
            return arrangement
        if best is None or emptiest > best[0] + 0.05:
            best = emptiest, arrangement
    assert best is not None, "the largest that fits has been placed"
    return best[1]


def _sides_tried(most: int) -> Iterator[int]:
    """One side, then whole sheets; a sheet that is paid for may as well be printed on its back."""
    yield from (sides for sides in (1, *range(2, most, 2)) if sides < most)
    yield most


def _largest_fitting(
    measured: Callable[[int], list[Panel]],
    fixed: Mapping[str, float],
    area: Area,
    low: int,
    high: int,
) -> int | None:
    """Index of the largest type from low to high (inclusive) at which all panels fit.

    A layout is dear, so each one rules out all that it can. Larger type makes a panel higher at
    least in proportion, for its lines only get shorter, and smaller type lower at least in
    proportion, but for what is of one size at any type.
    """
    fitting: int | None = None
    index = min(max(_FIRST_TRIED, low), high)
    while low <= high:
        here = fits(measured(index), area)
        in_proportion = _fitting_in_proportion(measured(index), fixed, index, area)
        if here:
            fitting, low, high = index, index + 1, min(high, in_proportion)
        else:
            low, high = max(low, in_proportion), index - 1
        index = high if here else (low + high + 1) // 2
    return fitting


def _scaled(
    panels: Sequence[Panel], fixed: Mapping[str, float], known: int, wanted: int
) -> list[Panel]:
    """Panels measured at the size of index `known` as they would be if all but pictures grew."""
    times = TYPE_SIZES[wanted] / TYPE_SIZES[known]
    return [
        replace(
            panel,
            height=panel.height
            + (times - 1) * max(0, panel.height - _HAIRLINES - fixed.get(panel.id, 0)),
            heading=panel.heading * times,
        )
        for panel in panels
    ]


def _fitting_in_proportion(
    panels: Sequence[Panel], fixed: Mapping[str, float], known: int, area: Area
) -> int:
    """Index of the largest size that fits if all but the fixed heights is in proportion to it."""

    def too_large(index: int) -> bool:
        return not fits(_scaled(panels, fixed, known, index), area)

    return max(0, bisect_left(range(len(TYPE_SIZES)), True, key=too_large) - 1)


#: The hairlines of a panel are not thicker than this together.
_HAIRLINES = 2.0
_HEIGHT = re.compile(r'<svg[^>]* height="([\d.]+)mm"')


def _fixed_heights(view: Mapping[str, Any]) -> dict[str, float]:
    """Millimetres of each panel that do not change with the type: those of its pictures."""
    return {
        panel["id"]: sum(float(_HEIGHT.findall(one["full"])[0]) for one in panel["pictures"])
        for panel in panels_of(view)
    }


def _largest_unbroken(view: Mapping[str, Any], sheet: Sheet) -> int:
    """Index of the largest type at which no word in a table is broken, or of a good one."""
    needed = max(map(needed_room, panels_of(view)), default=0)
    unbroken = [
        index
        for index, size in enumerate(TYPE_SIZES)
        if needed <= room_of(sheet.span_width(2), size)
    ]
    return max(unbroken, default=_GOOD)


def measure(view: Mapping[str, Any], sheet: Sheet, size: float, templates: Path) -> list[Panel]:
    """The heights of all pieces of panels at a size of type, from one layout."""
    widths = {"narrow": sheet.span_width(1), "wide": sheet.span_width(2)}
    at_size = fitted(view, (widths["narrow"], widths["wide"]), size)
    html = render_template("qrs-measure.html.j2", {**at_size, **widths}, templates)
    page = f"@page{{size:{widths['wide'] + 1}mm 20000mm;margin:0}} body{{font-size:{size}pt}}"
    styles = [*document_styles(STYLES, view["identity"]["accent"], "full", templates), page]
    boxes = lay_out(html, styles, templates=templates, name="quick reference").boxes()
    return [
        Panel(
            piece["id"],
            phase["number"],
            boxes[piece["id"]].height,
            panel["wide"],
            continues=number > 0,
            heading=boxes[f"{piece['id']}-heading"].height if number else 0.0,
        )
        for phase in at_size["phases"]
        for panel in phase["panels"]
        for number, piece in enumerate(panel["pieces"])
    ]


def _too_many(panel_count: int) -> Problem:
    return Problem(
        "R601",
        f"the quick reference has {panel_count} panels",
        expected=f"up to {MOST_PANELS} panels",
        hint="join steps of the sequence: a step may have many reminders and tables",
    )


#: Words are broken in tables that need more than two columns, but not in any that needs so many
#: times as much.
_MOST_BROKEN = 1.6


def _too_wide(view: Mapping[str, Any], sheet: Sheet) -> Iterator[Problem]:
    """The tables in which hardly a word would stand unbroken, even over two columns."""
    room = int(room_of(sheet.span_width(2), TYPE_SIZES[0]))
    for panel in panels_of(view):
        for table in panel["tables"]:
            if table["least"] > _MOST_BROKEN * room:
                yield Problem(
                    "R604",
                    f"the table {table['title']} needs {table['least']} characters side by side, "
                    f"two columns of the sheet have room for {room}",
                    expected="columns wide enough for the longest word in each",
                    hint="use shorter words, shorten its heads, split it, or mark it `qrs: false`",
                )


def _does_not_fit(view: Mapping[str, Any], sheet: Sheet, templates: Path) -> Problem:
    panels = measure(view, sheet, TYPE_SIZES[0], templates)
    over = least_height(panels, sheet.area) - sheet.area.height
    titles = {panel["id"]: panel["title"] for panel in panels_of(view)}
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
    edition = view["since"]["edition"] if view["since"] else None
    return lay_out(html, styles, templates=templates, name="quick reference", edition=edition)


def sheet_page(
    view: Mapping[str, Any], arrangement: Arrangement, ink: str, templates: Path
) -> tuple[str, list[str]]:
    """HTML and styles of the sheet in one ink."""
    sheet = sheet_of(view)
    at_size = fitted(view, (sheet.span_width(1), sheet.span_width(2)), arrangement.type_size)
    sides = list(_sides(at_size, sheet, arrangement.placed))
    html = render_template("qrs.html.j2", {**at_size, "ink": ink, "sides": sides}, templates)
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
    pieces = [
        (piece, phase, number)
        for phase in view["phases"]
        for panel in phase["panels"]
        for number, piece in enumerate(panel["pieces"])
    ]
    piece_of = {piece["id"]: piece for piece, _, _ in pieces}
    phase_of = {piece["id"]: phase for piece, phase, _ in pieces}
    headed = {piece["id"] for piece, _, number in pieces if number == 0}
    opening = {phase["panels"][0]["id"] for phase in view["phases"]}
    for side in range(max(place.side for place in placed) + 1):
        here = [place for place in placed if place.side == side]
        yield {
            "panels": [
                {
                    "piece": piece_of[place.id],
                    "phase": phase_of[place.id] if place.id in opening else None,
                    "heading": "continued"
                    if place.carried
                    else "opening"
                    if place.id in headed
                    else None,
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
