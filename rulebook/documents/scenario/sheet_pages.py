"""The view of a scenario's sheets -> rosters, order forms and turn track, on pages that are full.

A first layout measures: pieces of rosters on long pages, the heads of forms. The second has every
page filled: rows that share what is left, and lines for notes where that is too much for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from rulebook.documents.parts.binding import plain_text
from rulebook.documents.parts.tick_boxes import LINE, draw_boxes, in_rows
from rulebook.documents.scenario.kinds import SHEETS
from rulebook.lettering import wrapped
from rulebook.paper import paper_size
from rulebook.typeset.environment import render_template
from rulebook.typeset.filling import even_parts, fill_pages
from rulebook.typeset.palette import colours
from rulebook.typeset.pdf import Box, Layout, lay_out
from rulebook.typeset.styles import document_styles

View = Mapping[str, Any]

#: mm: around a page, of the column with the names of units, between two tracks of a unit, and of
#: the head of a force that goes on from the page before.
MARGIN, FOOT = 12.0, 6.0
NAMES, BETWEEN, AGAIN = 42.0, 3.0, 7.5
#: Boxes of one piece of a roster; a unit with more goes on in another.
MOST_BOXES = 300
#: mm by which a row of a roster may grow; lines for notes, and less than which is no room for them.
MOST_GROWTH, NOTE_LINE, NOTE_ROOM = 5.0, 8.0, 26.0
#: Forms: mm of the column of turns, the lowest row, forces side by side.
LEAST_ROW, MOST_COLUMNS = 6.8, 5
#: Spaces of the turn track: mm that a counter needs, and how high for its width one is best.
LEAST_SPACE, BEST_SHAPE = 26.0, 1.15
#: Words in a space, mm.
TYPE, LEADING, NUMBER_ROOM, SIDE_ROOM = 7.5 * 25.4 / 72, 3.3, 8.5, 8.0
#: A page of this height holds all that is measured.
LONG = 20_000.0


@dataclass(frozen=True, slots=True)
class _Paper:
    """Millimetres between the margins."""

    width: float
    height: float
    room_wide: float
    room_high: float


def lay_out_scenario_sheets(view: View, paper: str, templates: Path) -> Layout:
    """The pages of all sheets on a paper."""
    wide, high = map(float, paper_size(paper))
    room = _Paper(wide, high, wide - 2 * MARGIN, high - 2 * MARGIN - FOOT)
    press = _Press(view, room, templates)
    drafts = list(press.drafts())
    boxes = press.lay_out(drafts, LONG).boxes()
    pages = [
        page for number, draft in enumerate(drafts) for page in press.full(draft, number, boxes)
    ]
    return press.lay_out(_numbered(pages), high)


def _numbered(pages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each page with its number among those of its sheet."""
    found = []
    for page in pages:
        alike = [one for one in pages if one["sheet"] == page["sheet"]]
        found.append({**page, "number": alike.index(page) + 1, "of": len(alike)})
    return found


@dataclass(frozen=True, slots=True)
class _Press:
    """Lays out the sheets of one scenario on one paper."""

    view: View
    paper: _Paper
    templates: Path

    def lay_out(self, pages: Sequence[Mapping[str, Any]], height: float) -> Layout:
        shown = {**self.view, "pages": pages, "names_mm": NAMES, "again_mm": AGAIN}
        html = render_template(SHEETS.templates[0], shown, self.templates)
        accent = self.view["identity"]["accent"]
        styles = document_styles(SHEETS.styles, accent, "full", self.templates)
        size = (
            f"@page{{size:{self.paper.width:g}mm {height:g}mm;margin:{MARGIN:g}mm}}"
            f".page{{height:{height - 2 * MARGIN:g}mm}}"
        )
        name = f"sheets of {self.view['title']}"
        return lay_out(html, [*styles, size], templates=self.templates, name=name)

    def drafts(self) -> Iterator[dict[str, Any]]:
        """A long page for each roster, a page with the head of each form and of the track."""
        for number, side in enumerate(self.view["sides"]):
            pieces = list(self._pieces(side))
            yield {**_blank("roster", number, side), "pieces": pieces}
            for columns in even_parts(len(side["columns"]), MOST_COLUMNS):
                chosen = [side["columns"][index] for index in columns]
                yield {**_blank("orders", number, side), "columns": chosen}
        yield _blank("track", -1, None)

    def full(
        self, draft: dict[str, Any], number: int, boxes: Mapping[str, Box]
    ) -> Iterator[dict[str, Any]]:
        """The pages of a draft that has been measured."""
        top = boxes[f"top-{number}"].bottom
        room = MARGIN + self.paper.room_high - top
        if draft["kind"] == "roster":
            yield from _rosters(draft, number, boxes, room)
        elif draft["kind"] == "orders":
            yield from _forms(draft, self.view["track"], room)
        else:
            yield from self._tracks(draft, room)

    def _pieces(self, side: View) -> Iterator[dict[str, Any]]:
        """What is not broken over two pages: a unit with the heads above it, two keys in a row."""
        yield {"kind": "whole", "side": side, "again": ""}
        for force in side["forces"]:
            head: View | None = force
            for group in force["groups"]:
                title = group["title"]
                for row in group["rows"]:
                    for part, tracks in enumerate(self._tracks_of(row)):
                        yield {
                            "kind": "unit",
                            "force": head,
                            "group": title,
                            "row": {**row, "tracks": tracks, "more": part > 0},
                            "again": "" if head else _joined(force["title"], group["title"]),
                        }
                        head, title = None, ""
        keys = side["keys"]
        for start in range(0, len(keys), 2):
            again = "Units at a glance" if start else ""
            yield {
                "kind": "keys",
                "pair": keys[start : start + 2],
                "first": not start,
                "again": again,
            }

    def _tracks_of(self, row: View) -> list[list[dict[str, Any]]]:
        """The tracks of a unit with their boxes drawn, in parts that a page has room for."""
        shades = colours(self.view["identity"]["accent"], "full")
        width = self.paper.room_wide - NAMES - BETWEEN
        parts: list[list[dict[str, Any]]] = [[]]
        count = 0
        for track in row["tracks"]:
            groups = track["groups"]
            size = sum(map(len, groups))
            if parts[-1] and count + size > MOST_BOXES:
                parts.append([])
                count = 0
            count += size
            plain = [[plain_text(label) for label in group] for group in groups]
            needs = max(tick.x + tick.width for tick in in_rows(plain, width)) + LINE
            svg = draw_boxes(groups, needs, shades, track["title"])
            parts[-1].append({**track, "svg": svg})
        return parts

    def _tracks(self, draft: dict[str, Any], room: float) -> Iterator[dict[str, Any]]:
        """The turn track in spaces that fill the page, each with who comes in it."""
        turns = self.view["track"]
        wide = self.paper.room_wide
        most = int(wide // LEAST_SPACE) * int(room // LEAST_SPACE)
        for part in even_parts(len(turns), most):
            columns = _columns(len(part), wide, room)
            rows = ceil(len(part) / columns)
            high, space = room / rows, wide / columns
            spaces = [_space(turns[index], space, high) for index in part]
            grid = [spaces[start : start + columns] for start in range(0, len(spaces), columns)]
            empty = rows * columns - len(spaces)
            first = not part.start
            yield {**draft, "grid": grid, "high": _mm(high), "empty": empty, "start": first}


def _blank(kind: str, number: int, side: View | None) -> dict[str, Any]:
    """A page of a sheet with nothing below its head."""
    return {
        "kind": kind,
        "sheet": f"{kind} {number}",
        "side": side,
        "pieces": (),
        "columns": (),
        "rows": (),
        "grid": (),
        "empty": 0,
        "lines": 0,
        "grow": 0,
        "again": "",
        "start": True,
        "number": 1,
        "of": 1,
    }


def _rosters(
    draft: dict[str, Any], number: int, boxes: Mapping[str, Box], room: float
) -> Iterator[dict[str, Any]]:
    """The pages of a roster: rows share what is left, notes take the rest."""
    pieces = draft["pieces"]
    heights = [boxes[f"piece-{number}-{index}"].height for index in range(len(pieces))]
    again = [AGAIN if piece["again"] else 0.0 for piece in pieces]
    for part in fill_pages(heights, again, room):
        here = [pieces[index] for index in part]
        first = here[0]["again"] if part.start else ""
        left = room - sum(heights[index] for index in part) - (AGAIN if first else 0.0)
        rows = sum(piece["kind"] == "unit" for piece in here)
        grow = _growth(left, rows)
        left -= rows * grow
        lines = int((left - 9) // NOTE_LINE) if left >= NOTE_ROOM else 0
        yield {**draft, "pieces": here, "again": first, "grow": _mm(grow), "lines": lines}


def _growth(left: float, rows: int) -> float:
    """By how much each row grows: more where what they would leave has no room for notes."""
    if not rows:
        return 0.0
    each = max(0.0, left / rows - 0.1)
    some = min(MOST_GROWTH, each)
    return some if left - rows * some >= NOTE_ROOM else min(2 * MOST_GROWTH, each)


def _forms(draft: dict[str, Any], turns: Sequence[View], room: float) -> Iterator[dict[str, Any]]:
    """The pages of an order form: a row for each turn, and one for those there at the start."""
    start = [0] if any(column["turn"] == 0 for column in draft["columns"]) else []
    rows = [*start, *(turn["turn"] for turn in turns)]
    for part in even_parts(len(rows), int(room // LEAST_ROW)):
        high = room / len(part) - 0.1
        yield {**draft, "rows": [rows[index] for index in part], "high": _mm(high)}


def _columns(count: int, wide: float, room: float) -> int:
    """How many spaces stand side by side: near to the best shape, and few of them left empty."""

    def cost(columns: int) -> float:
        rows = ceil(count / columns)
        shape = (room / rows) / (wide / columns) / BEST_SHAPE
        empty = (rows * columns - count) / count
        return max(shape, 1 / shape) + 2 * empty

    return min(range(1, min(count, int(wide // LEAST_SPACE)) + 1), key=cost)


def _space(turn: View, wide: float, high: float) -> dict[str, Any]:
    """A space of the track with as many of those who come as it has room for."""
    room = int((high - NUMBER_ROOM) // LEADING)
    shown: list[View] = []
    for coming in turn["coming"]:
        words = f"{coming['title']}, {coming['where']}"
        room -= len(wrapped(words, TYPE, wide - SIDE_ROOM))
        if room < 1 and len(shown) + 1 < len(turn["coming"]):
            break
        shown.append(coming)
    return {**turn, "coming": shown, "more": len(turn["coming"]) - len(shown)}


def _joined(force: str, group: str) -> str:
    return f"{force}, {group}" if group else force


def _mm(length: float) -> str:
    return f"{length:.2f}mm"
