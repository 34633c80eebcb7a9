"""The views of a scenario -> its booklet, rosters, order forms and turn track; a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Literal

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.cards.pieces import DrawnTrack
from rulebook.documents.document_kind import (
    CHART_PAGES,
    FOLDED_LAYOUT,
    File,
    Rendered,
    on_papers,
)
from rulebook.documents.parts.binding import plain_text
from rulebook.documents.parts.pages import booklet_styles, bound, laid_out, screen_css
from rulebook.documents.parts.tick_boxes import LINE, draw_boxes, in_rows
from rulebook.documents.parts.views import CoverView, TableView
from rulebook.documents.scenario import views
from rulebook.documents.scenario.forces import ForceInBattle, UnitInForce
from rulebook.documents.scenario.maps import Plates, cover_picture, draw_plates, scenario_of
from rulebook.drawing.charts import ChartView, draw_chart
from rulebook.drawing.time_line import draw_time_line
from rulebook.frozen_view import fields_of
from rulebook.model.ruleset import Address
from rulebook.paper_and_ink import paper_size
from rulebook.problems import Problem
from rulebook.quantities import MM_PER_INCH
from rulebook.text_fitting import wrapped
from rulebook.translation import gettext
from rulebook.typeset import markup
from rulebook.typeset.environment import colours, render_template
from rulebook.typeset.make_up import even_parts, fill_pages
from rulebook.typeset.pdf import Layout, PageBox, lay_out

#: A booklet of so many pages has a table of contents if there is room for it, and one of more than
#: so many even if that takes a page.
LISTED, LONG = 12, 20
#: For each layout, None for the screen, the width of charts in mm and their type in points.
_CHARTS = {**CHART_PAGES, "a5": (120.0, 7.6), "large": (156.0, 8.6)}


@dataclass(frozen=True, slots=True)
class _DrawnBooklet:
    """A booklet with its cover, maps and charts, and how it is to be laid out.

    `key_stands` where the key of the map is to be; `contents`: it has a list of them; `aims_first`:
    objectives and victory stand before the map; `front`: it ends with its map and key.
    """

    view: views.ScenarioView
    cover: CoverView
    maps: Plates
    drawings: dict[str, Markup]
    key_stands: str
    contents: bool
    aims_first: bool = False
    front: bool = False

    def rendered(self, template: str, templates: Path, **more: object) -> str:
        """The page of a template; the blocks of its passages print as those of chapters do."""
        return render_template(
            template,
            fields_of(self.view) | fields_of(self),
            templates,
            sections=_sections(self.view, aims_first=self.aims_first),
            screen=self.view.layout is None,
            folded=self.view.layout == FOLDED_LAYOUT,
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


def booklet_on_papers(
    view: views.ScenarioView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    """The files of the booklet; the smallest with warnings of names without room on its map."""
    drawn = _drawn(view, cache)
    layout = _lay_out(drawn, templates)
    data, stands = layout.pdf(print_hints=False), layout.first_pages()
    made = on_papers(files, {"full": data}, layout.pages, view.title, view.identity.language)
    warnings = without_room(view, drawn.maps) if view.layout == FOLDED_LAYOUT else ()
    return (replace(one, warnings=warnings, stands=stands) for one in made)


def without_room(view: views.ScenarioView, maps: Plates) -> tuple[tuple[Address, Problem], ...]:
    """R475, a warning with the address of its place: a number stands on the map for a name."""
    features = scenario_of(view).map.features
    return tuple(
        (
            ("scenarios", view.id, *_of_map(one.name in features), one.name, "title"),
            Problem(
                "R475",
                f"'{one.title}' has no room on the smallest map; "
                f"the number {one.number} stands for it there",
                hint="shorten the name, or move apart what lies around it",
                severity="warning",
            ),
        )
        for one in maps.names
    )


def _of_map(feature: bool) -> Address:
    return ("map", "features") if feature else ("places",)


def sheet_files(
    view: views.SheetsView, files: Sequence[File], templates: Path, _: Cache
) -> Iterator[Rendered]:
    """Rosters, order forms and turn track on the paper of each file."""
    for file in files:
        layout = lay_out_scenario_sheets(view, file.paper or "a4", templates)
        yield Rendered(file.path, layout.pdf(print_hints=True), layout.pages)


def _lay_out(drawn: _DrawnBooklet, templates: Path) -> Layout:
    """The pages of the booklet.

    Where its key stands, and whether its aims or its contents take a page more before the map, is
    seen from its front: what comes behind the map begins a page of its own. The whole is laid out
    once, and one with contents a second time.
    """
    placed, front = _placed(drawn, templates)
    aimed = replace(placed, aims_first=True)
    if _fits(_front(aimed, templates), front, aimed):
        placed = aimed
    layout = bound(_laid_out(placed, templates))
    listed = replace(placed, contents=True)
    if layout.pages < LISTED:
        return layout
    if layout.pages > LONG or _fits(_front(listed, templates), front, listed):
        return bound(_laid_out(listed, templates))
    return layout


def _placed(drawn: _DrawnBooklet, templates: Path) -> tuple[_DrawnBooklet, Layout]:
    """The booklet with the first place for its key that will do, or the first at all; its front."""
    fronts: list[tuple[_DrawnBooklet, Layout]] = []
    upright = () if drawn.maps.battle.sideways else _UPRIGHT
    for stands in (*upright, *_ORDERS):
        placed = replace(drawn, key_stands=stands)
        front = _front(placed, templates)
        if _together(front.boxes(), placed):
            return placed, front
        fronts.append((placed, front))
    return next(one for one in fronts if one[0].key_stands == _ORDERS[0])


def _front(drawn: _DrawnBooklet, templates: Path) -> Layout:
    """The booklet up to its map and key, the cover and the map as empty as they are large."""
    battle = drawn.maps.battle
    empty = replace(battle, picture=replace(battle.picture, elements=()))
    maps = replace(drawn.maps, battle=empty)
    return _laid_out(replace(drawn, maps=maps, front=True), templates)


def _fits(one: Layout, other: Layout, drawn: _DrawnBooklet) -> bool:
    """Whether it takes no more pages than the other, and its key stands where it is to be."""
    return one.pages <= other.pages and _together(one.boxes(), drawn)


#: Where the key of a map may stand, as it is tried: below one that is upright, with the places of
#: the forces or without; else on another page, the first of these if none will do.
_UPRIGHT = ("all below", "below")
_ORDERS = ("before", "first", "behind")


def _together(boxes: Mapping[str, PageBox], drawn: _DrawnBooklet) -> bool:
    """Whether the key is below the map, or on the other page of one opening, as it is to be."""
    battle = boxes["battle-map"].page
    key, end = (boxes[name].page for name in ("the-key", "key-end"))
    if drawn.key_stands in _UPRIGHT:
        last = boxes["places-end"].page if drawn.key_stands == "all below" else end
        return key == end == battle == last
    return abs(key - battle) == 1 and min(key, battle) % 2 == 1 and key == end


def _laid_out(drawn: _DrawnBooklet, templates: Path) -> Layout:
    html, styles = _page(drawn, templates)
    return lay_out(html, styles, templates=templates, name=f"scenario {drawn.view.id}")


def _page(drawn: _DrawnBooklet, templates: Path) -> tuple[str, list[str]]:
    html = drawn.rendered("scenario.html.j2", templates)
    return html, booklet_styles("scenario", drawn.view, templates)


def scenario_screen(view: views.ScenarioView, templates: Path, cache: Cache = NOTHING_KEPT) -> str:
    """The booklet as one self-contained page for a screen."""
    css = screen_css("scenario-screen", view, templates)
    return _drawn(view, cache).rendered("scenario-screen.html.j2", templates, css=css)


def _drawn(view: views.ScenarioView, cache: Cache) -> _DrawnBooklet:
    cover, maps = replace(view.cover, picture=cover_picture(view)), draw_plates(view)
    stands, screen = "before" if maps.battle.sideways else "all below", view.layout is None
    return _DrawnBooklet(view, cover, maps, _charts(view, cache), stands, screen, aims_first=screen)


def _charts(view: views.ScenarioView, cache: Cache) -> dict[str, Markup]:
    """Its drawings by their ids."""
    page, chart = _CHARTS[view.layout], view.chart
    found = {one.id: Markup(draw_time_line(one, page, cache)) for one in view.time_lines}
    if chart:
        found[chart.id] = Markup(draw_chart(chart, view.identity.accent, page, cache))
    return found


def _sections(view: views.ScenarioView, *, aims_first: bool) -> Sequence[tuple[str, str]]:
    """The headings of the booklet, by their anchors, as far as there is something under them."""
    objectives = ("objectives", gettext("Objectives"), view.objectives)
    victory = ("victory", gettext("Victory"), True)
    there = (
        ("background", gettext("Background"), view.background),
        ("situation", gettext("Situation"), view.situation),
        *((objectives, victory) if aims_first else ()),
        ("battlefield", gettext("The battlefield"), True),
        ("setting-up", gettext("Setting up"), True),
        ("order-of-battle", gettext("Order of battle"), True),
        ("reinforcements", gettext("Reinforcements"), view.time_lines),
        ("marches", gettext("Marches"), view.marches),
        *(() if aims_first else (objectives,)),
        ("special-rules", gettext("Special rules"), view.rules),
        *(() if aims_first else (victory,)),
        ("turn-track", view.track.title, True),
        ("to-print", gettext("What else to print"), view.documents),
        ("designers-notes", gettext("Designer’s notes"), view.notes),
    )
    return [(anchor, title) for anchor, title, found in there if found]


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
TYPE, LEADING, NUMBER_ROOM, SIDE_ROOM = 7.5 * MM_PER_INCH / 72, 3.3, 8.5, 8.0
#: A page of this height holds all that is measured.
ONE_LONG_PAGE = 20_000.0


@dataclass(frozen=True, slots=True)
class RosterPiece:
    """What is not broken over two pages; `again` is what a page goes on with that begins with it.

    It is what is said of the `whole` side; a `unit` with the heads above it and as many of its
    tracks as a page has room for, `more` of it if it began before; or a pair of `keys`.
    """

    kind: Literal["whole", "unit", "keys"]
    again: str = ""
    force: ForceInBattle | None = None
    group: str = ""
    row: UnitInForce | None = None
    tracks: tuple[DrawnTrack, ...] = ()
    more: bool = False
    pair: tuple[views.UnitKey, ...] = ()
    first: bool = False


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a sheet, which is one `of` so many; the lengths are those of rows, with a unit."""

    kind: Literal["roster", "orders", "track"]
    sheet: str
    side: views.SideSheets | None
    pieces: Sequence[RosterPiece] = ()
    columns: Sequence[ForceInBattle] = ()
    rows: Sequence[int] = ()
    grid: Sequence[Sequence[views.TurnSpace]] = ()
    empty: int = 0
    lines: int = 0
    grow: str = "0"
    high: str = ""
    again: str = ""
    start: bool = True
    number: int = 1
    of: int = 1


@dataclass(frozen=True, slots=True)
class _SheetRoom:
    """Millimetres between the margins."""

    width: float
    height: float
    room_wide: float
    room_high: float


def lay_out_scenario_sheets(view: views.SheetsView, paper: str, templates: Path) -> Layout:
    """The pages of all sheets on a paper."""
    wide, high = map(float, paper_size(paper))
    room = _SheetRoom(wide, high, wide - 2 * MARGIN, high - 2 * MARGIN - FOOT)
    press = _SheetsTypesetter(view, room, templates)
    drafts = list(press.drafts())
    boxes = press.lay_out(drafts, ONE_LONG_PAGE).boxes()
    pages = [
        page for number, draft in enumerate(drafts) for page in press.full(draft, number, boxes)
    ]
    return press.lay_out(_numbered(pages), high)


def _numbered(pages: Sequence[PageView]) -> list[PageView]:
    """Each page with its number among those of its sheet."""
    found = []
    for page in pages:
        alike = [one for one in pages if one.sheet == page.sheet]
        found.append(replace(page, number=alike.index(page) + 1, of=len(alike)))
    return found


@dataclass(frozen=True, slots=True)
class _SheetsTypesetter:
    """Lays out the sheets of one scenario on one paper."""

    view: views.SheetsView
    paper: _SheetRoom
    templates: Path

    def lay_out(self, pages: Sequence[PageView], height: float) -> Layout:
        shown: dict[str, object] = {"pages": pages, "names_mm": NAMES, "again_mm": AGAIN}
        size = (
            f"@page{{size:{self.paper.width:g}mm {height:g}mm;margin:{MARGIN:g}mm}}"
            f".page{{height:{height - 2 * MARGIN:g}mm}}"
        )
        name = f"sheets of {self.view.title}"
        return laid_out("scenario-sheets", self.view, self.templates, size, name, **shown)

    def drafts(self) -> Iterator[PageView]:
        """A long page for each roster, a page with the head of each form and of the track."""
        for number, side in enumerate(self.view.sides):
            pieces = list(self._pieces(side))
            yield PageView("roster", f"roster {number}", side, pieces)
            ordered = side.side.forces if self.view.order_forms else ()
            for columns in even_parts(len(ordered), MOST_COLUMNS):
                if chosen := [ordered[index] for index in columns]:
                    yield PageView("orders", f"orders {number}", side, columns=chosen)
        yield PageView("track", "track", None)

    def full(
        self, draft: PageView, number: int, boxes: Mapping[str, PageBox]
    ) -> Iterator[PageView]:
        """The pages of a draft that has been measured."""
        top = boxes[f"top-{number}"].bottom
        room = MARGIN + self.paper.room_high - top
        if draft.kind == "roster":
            yield from _rosters(draft, number, boxes, room)
        elif draft.kind == "orders":
            yield from _forms(draft, self.view.track, room)
        else:
            yield from self._tracks(draft, room)

    def _pieces(self, side: views.SideSheets) -> Iterator[RosterPiece]:
        """What is not broken over two pages: a unit with the heads above it, two keys in a row."""
        yield RosterPiece("whole")
        for force in side.side.forces:
            head: ForceInBattle | None = force
            for group in force.groups:
                title = group.title
                for row in group.units:
                    for part, tracks in enumerate(self._tracks_of(row)):
                        again = "" if head else _joined(force.title, group.title)
                        yield RosterPiece("unit", again, head, title, row, tracks, part > 0)
                        head, title = None, ""
        for start in range(0, len(side.keys), 2):
            again = gettext("Units at a glance") if start else ""
            yield RosterPiece("keys", again, pair=side.keys[start : start + 2], first=not start)

    def _tracks_of(self, row: UnitInForce) -> list[tuple[DrawnTrack, ...]]:
        """The tracks of a unit with their boxes drawn, in parts that a page has room for."""
        shades = colours(self.view.identity.accent, "full")
        width = self.paper.room_wide - NAMES - BETWEEN
        parts: list[list[DrawnTrack]] = [[]]
        count = 0
        for track in row.tracks:
            size = sum(map(len, track.groups))
            if parts[-1] and count + size > MOST_BOXES:
                parts.append([])
                count = 0
            count += size
            plain = [[plain_text(label) for label in group] for group in track.groups]
            needs = max(tick.x + tick.width for tick in in_rows(plain, width)) + LINE
            svg = draw_boxes(track.groups, needs, shades, track.title)
            parts[-1].append(DrawnTrack(track.title, track.count, svg))
        return [tuple(part) for part in parts]

    def _tracks(self, draft: PageView, room: float) -> Iterator[PageView]:
        """The turn track in spaces that fill the page, each with who comes in it."""
        turns = self.view.track
        wide = self.paper.room_wide
        most = int(wide // LEAST_SPACE) * int(room // LEAST_SPACE)
        for part in even_parts(len(turns), most):
            columns = _columns(len(part), wide, room)
            rows = ceil(len(part) / columns)
            high, space = room / rows, wide / columns
            spaces = [_space(turns[index], space, high) for index in part]
            yield replace(
                draft,
                grid=[spaces[start : start + columns] for start in range(0, len(spaces), columns)],
                high=_mm(high),
                empty=rows * columns - len(spaces),
                start=not part.start,
            )


def _rosters(
    draft: PageView, number: int, boxes: Mapping[str, PageBox], room: float
) -> Iterator[PageView]:
    """The pages of a roster: rows share what is left, notes take the rest."""
    pieces = draft.pieces
    heights = [boxes[f"piece-{number}-{index}"].height for index in range(len(pieces))]
    again = [AGAIN if piece.again else 0.0 for piece in pieces]
    for part in fill_pages(heights, again, room):
        here = [pieces[index] for index in part]
        first = here[0].again if part.start else ""
        left = room - sum(heights[index] for index in part) - (AGAIN if first else 0.0)
        rows = sum(piece.kind == "unit" for piece in here)
        grow = _growth(left, rows)
        left -= rows * grow
        lines = int((left - 9) // NOTE_LINE) if left >= NOTE_ROOM else 0
        yield replace(draft, pieces=here, again=first, grow=_mm(grow), lines=lines)


def _growth(left: float, rows: int) -> float:
    """By how much each row grows: more where what they would leave has no room for notes."""
    if not rows:
        return 0.0
    each = max(0.0, left / rows - 0.1)
    some = min(MOST_GROWTH, each)
    return some if left - rows * some >= NOTE_ROOM else min(2 * MOST_GROWTH, each)


def _forms(draft: PageView, turns: Sequence[views.TurnSpace], room: float) -> Iterator[PageView]:
    """The pages of an order form: a row for each turn, and one for those there at the start."""
    start = [0] if any(column.turn == 0 for column in draft.columns) else []
    rows = [*start, *dict.fromkeys(turn.turn for turn in turns)]
    for part in even_parts(len(rows), int(room // LEAST_ROW)):
        high = room / len(part) - 0.1
        yield replace(draft, rows=[rows[index] for index in part], high=_mm(high))


def _columns(count: int, wide: float, room: float) -> int:
    """How many spaces stand side by side: near to the best shape, and few of them left empty."""

    def cost(columns: int) -> float:
        rows = ceil(count / columns)
        shape = (room / rows) / (wide / columns) / BEST_SHAPE
        empty = (rows * columns - count) / count
        return max(shape, 1 / shape) + 2 * empty

    return min(range(1, min(count, int(wide // LEAST_SPACE)) + 1), key=cost)


def _space(turn: views.TurnSpace, wide: float, high: float) -> views.TurnSpace:
    """A space of the track with as many of those who come as it has room for."""
    room = int((high - NUMBER_ROOM) // LEADING)
    shown: list[views.Coming] = []
    for coming in turn.coming:
        words = f"{coming.title}, {coming.where}"
        room -= len(wrapped(words, TYPE, wide - SIDE_ROOM))
        if room < 1 and len(shown) + 1 < len(turn.coming):
            break
        shown.append(coming)
    return replace(turn, coming=tuple(shown), more=len(turn.coming) - len(shown))


def _joined(force: str, group: str) -> str:
    return f"{force}, {group}" if group else force


def _mm(length: float) -> str:
    return f"{length:.2f}mm"
