"""The views of a scenario -> its booklet, rosters, order forms and turn track; a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.booklet.compose import ROOM
from rulebook.documents.cards.pieces import CardView, TrackPart
from rulebook.documents.document_kind import (
    CHART_PAGES,
    FOLDED_LAYOUT,
    File,
    Rendered,
    on_papers,
)
from rulebook.documents.parts.pages import booklet_styles, bound, laid_out, screen_css
from rulebook.documents.parts.tick_boxes import draw_boxes, width_in_rows
from rulebook.documents.scenario.forces import (
    Coming,
    ForceInBattle,
    SideInBattle,
    TurnSpace,
    UnitInForce,
    word,
)
from rulebook.documents.scenario.maps import Plates, cover_picture, draw_plates
from rulebook.drawing.charts import draw_chart, draw_time_line
from rulebook.drawing.elements import Picture
from rulebook.frozen_view import fields_of
from rulebook.maps.names import swatch
from rulebook.model.ruleset import Address
from rulebook.model.scenarios import Scenario
from rulebook.paper_and_ink import paper_size
from rulebook.problems import Problem
from rulebook.quantities import MM_PER_INCH
from rulebook.text_fitting import wrapped
from rulebook.translation import gettext
from rulebook.typeset import markup
from rulebook.typeset.environment import colours, render_template
from rulebook.typeset.make_up import even_parts, fill_pages
from rulebook.typeset.pdf import Layout, PageBox, lay_out

if TYPE_CHECKING:
    from rulebook.documents.scenario.compose import ScenarioView
    from rulebook.documents.scenario.handouts import SheetsView

#: A booklet of so many pages has a table of contents if there is room for it, and one of more than
#: so many even if that takes a page.
LISTED, LONG = 12, 20
#: For each layout, None for the screen, the width of charts in mm and their type in points.
_CHARTS = {**CHART_PAGES, "a5": (120.0, 7.6), "large": (156.0, 8.6)}


class _DrawnBooklet:
    """A booklet with its cover, maps and charts, drawn once however often it is laid out."""

    def __init__(self, view: ScenarioView, templates: Path, cache: Cache) -> None:
        self.view, self._templates = view, templates
        self.scenario = scenario = Scenario.model_validate(view.map.scenario)
        self.maps = draw_plates(scenario, view.layout, view.map.grounds)
        page, chart = _CHARTS[view.layout], view.chart
        drawings = {line.id: Markup(draw_time_line(line, page, cache)) for line in view.time_lines}
        if chart:
            drawings[chart.id] = Markup(draw_chart(chart, view.identity.accent, page, cache))
        self._names: dict[str, object] = fields_of(view) | {
            "scenario": scenario,
            "maps": self.maps,
            "ground": cover_picture(scenario, view.cover.alt),
            "drawings": drawings,
            "track_title": _track_title(scenario),
            "screen": view.layout is None,
            "folded": view.layout == FOLDED_LAYOUT,
            # the blocks of its passages print as those of chapters do
            "chapters": (),
            "since": None,
            "indexed": lambda text, _: Markup(markup.with_narrow_tables(markup.block(text), ROOM)),
            "table_anchor": lambda table: f"table-{table.id}",
            "chart_anchor": lambda chart: chart.id,
        }

    def page(self, template: str, *, aims_first: bool, front: bool = False, **how: object) -> str:
        """Renders a template of the booklet to HTML; `how` are additional variables.

        With `aims_first`, objectives and victory come before the map. A `front` ends with the map
        and its key, and leaves the space of the cover empty.
        """
        names = self._names | {"front": front, "aims_first": aims_first} | how
        sections = _sections(self.view, self.scenario, aims_first=aims_first)
        return render_template(template, names, self._templates, sections=sections)

    def laid_out(
        self,
        key_stands: str,
        *,
        aims_first: bool = False,
        contents: bool = False,
        front: bool = False,
    ) -> Layout:
        """Lays out the whole booklet or, with `front`, its pages up to the map and its key.

        `key_stands` is the position of the key, one of `_UPRIGHT` and `_ORDERS`. `aims_first` puts
        objectives and victory before the map, `contents` adds a table of contents.
        """
        pictures: dict[str, Picture] = {}
        html = self.page(
            "scenario.html.j2",
            pictures=pictures,
            aims_first=aims_first,
            front=front,
            key_stands=key_stands,
            contents=contents,
        )
        styles = booklet_styles("scenario", self.view, self._templates)
        name = f"scenario {self.view.id}"
        return lay_out(html, styles, templates=self._templates, name=name, pictures=pictures)


def _sections(
    view: ScenarioView, scenario: Scenario, *, aims_first: bool
) -> Sequence[tuple[str, str]]:
    """Returns the anchors and titles of the sections of the booklet in order, without empty ones.

    With `aims_first`, objectives and victory come before the map.
    """
    objectives = ("objectives", gettext("Objectives"), scenario.objectives)
    victory = ("victory", gettext("Victory"), True)
    there = (
        ("background", gettext("Background"), "background" in view.passages),
        ("situation", gettext("Situation"), "situation" in view.passages),
        *((objectives, victory) if aims_first else ()),
        ("battlefield", gettext("The battlefield"), True),
        ("setting-up", gettext("Setting up"), True),
        ("order-of-battle", gettext("Order of battle"), True),
        ("reinforcements", gettext("Reinforcements"), view.time_lines),
        ("marches", gettext("Marches"), view.marches),
        *(() if aims_first else (objectives,)),
        ("special-rules", gettext("Special rules"), scenario.rules),
        *(() if aims_first else (victory,)),
        ("turn-track", _track_title(scenario), True),
        ("to-print", gettext("What else to print"), view.documents),
        ("designers-notes", gettext("Designer’s notes"), view.notes),
    )
    return [(anchor, title) for anchor, title, found in there if found]


def _track_title(scenario: Scenario) -> str:
    return gettext("%(turn)s track", turn=word(scenario.turn))


def booklet_on_papers(
    view: ScenarioView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    """Lays out the booklet and renders it to its files.

    The files of the smallest layout have warnings for names that have no room on its map.
    """
    drawn = _DrawnBooklet(view, templates, cache)
    layout = _lay_out(drawn)
    data, stands = layout.pdf(print_hints=False), layout.first_pages()
    title, language = drawn.scenario.title, view.identity.language
    made = on_papers(files, {"full": data}, layout.pages, title, language)
    warnings: tuple[tuple[Address, Problem], ...] = ()
    if view.layout == FOLDED_LAYOUT:
        warnings = without_room(view.id, drawn.scenario, drawn.maps)
    return (replace(file, warnings=warnings, stands=stands) for file in made)


def without_room(
    name: str, scenario: Scenario, maps: Plates
) -> tuple[tuple[Address, Problem], ...]:
    """Returns a warning (R475) for each name that has only a number on the map of a booklet.

    Each has the address of the name. `name` is the id of the scenario.
    """
    warnings: list[tuple[Address, Problem]] = []
    for numbered in maps.names:
        within = ("map", "features") if numbered.name in scenario.map.features else ("places",)
        problem = Problem(
            "R475",
            f"'{numbered.title}' has no room on the smallest map; "
            f"the number {numbered.number} stands for it there",
            hint="shorten the name, or move apart what lies around it",
            severity="warning",
        )
        warnings.append((("scenarios", name, *within, numbered.name, "title"), problem))
    return tuple(warnings)


def sheet_files(
    view: SheetsView, files: Sequence[File], templates: Path, _: Cache
) -> Iterator[Rendered]:
    """Renders rosters, order forms and turn track to a PDF for each file, on its paper."""
    for file in files:
        layout = lay_out_scenario_sheets(view, file.paper or "a4", templates)
        yield Rendered(file.path, layout.pdf(print_hints=True), layout.pages)


#: Where the key of a map may stand, as it is tried: below one that is upright, with the places of
#: the forces or without; else on another page, the first of these if none will do.
_UPRIGHT = ("all below", "below")
_ORDERS = ("before", "first", "behind")


def _lay_out(drawn: _DrawnBooklet) -> Layout:
    """Lays out the booklet with the best position of the map's key and order of sections.

    First only the pages up to the map and its key are laid out, to choose the position of the key,
    and to find out whether objectives or a table of contents before the map need another page. Then
    the whole is laid out: with contents if the pages are the smallest and have room for them, else
    without. If the number of pages shows this to be wrong, it is laid out once more: a long booklet
    has contents, and a short one has none.
    """
    stands, most = _place_of_key(drawn)

    def fits(*, aims_first: bool, contents: bool = False) -> bool:
        """Whether objectives or contents before the map take no additional page.

        The key must also stay on the page that its position demands.
        """
        front = drawn.laid_out(stands, aims_first=aims_first, contents=contents, front=True)
        return front.pages <= most and _together(front.boxes(), stands)

    aims_first = fits(aims_first=True)
    folded = drawn.view.layout == FOLDED_LAYOUT
    listed = folded and fits(aims_first=aims_first, contents=True)
    layout = bound(drawn.laid_out(stands, aims_first=aims_first, contents=listed))
    long = layout.pages >= LISTED and (
        listed or layout.pages > LONG or (not folded and fits(aims_first=aims_first, contents=True))
    )
    if long == listed:
        return layout
    return bound(drawn.laid_out(stands, aims_first=aims_first, contents=long))


def _place_of_key(drawn: _DrawnBooklet) -> tuple[str, int]:
    """Returns the position of the map's key, and the number of pages up to the map and its key.

    The position is the first in which key and map are on one page or on facing pages. If there is
    none, it is a default.
    """
    pages: dict[str, int] = {}
    for stands in (*(() if drawn.maps.battle.sideways else _UPRIGHT), *_ORDERS):
        front = drawn.laid_out(stands, front=True)
        if _together(front.boxes(), stands):
            return stands, front.pages
        pages[stands] = front.pages
    return _ORDERS[0], pages[_ORDERS[0]]


def _together(boxes: Mapping[str, PageBox], stands: str) -> bool:
    """Whether map and key are on the pages that the position `stands` of the key demands.

    A key below the map must be on its page, any other on the facing page. `boxes` has the box of
    each part on its page.
    """
    battle = boxes["battle-map"].page
    key, end = (boxes[name].page for name in ("the-key", "key-end"))
    if stands in _UPRIGHT:
        last = boxes["places-end"].page if stands == "all below" else end
        return key == end == battle == last
    return abs(key - battle) == 1 and min(key, battle) % 2 == 1 and key == end


def scenario_screen(view: ScenarioView, templates: Path, cache: Cache = NOTHING_KEPT) -> str:
    """Renders the booklet as one self-contained HTML page for the screen."""
    css = screen_css("scenario-screen", view, templates)
    drawn = _DrawnBooklet(view, templates, cache)
    to_read = view.identity.to_read and f"../{view.identity.to_read}"
    return drawn.page("scenario-screen.html.j2", aims_first=True, css=css, to_read=to_read)


#: mm: around a page, of the column with the names of units, between two tracks of a unit, and of
#: the head of a force that goes on from the page before.
MARGIN, FOOT = 12.0, 6.0
NAMES, BETWEEN, AGAIN = 42.0, 3.0, 7.5
#: Boxes of one piece of a roster; a unit with more goes on in another.
MOST_BOXES = 300
#: mm by which a row of a roster may grow; lines for notes, and less than which is no room for them.
MOST_GROWTH, NOTE_LINE, NOTE_ROOM = 5.0, 8.0, 26.0
#: Letters of a text of a unit that has room on a roster.
MOST_WORDS = 900
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
    """A part of a roster that is not broken over two pages.

    It is either the commander and the totals of the `whole` side; or a `unit` with the headings
    above it and as many of its tracks as a page has room for, with `more` set if the unit began in
    the piece before; or a pair of `keys`. `again` is the heading repeated on a page that begins
    with this piece.
    """

    kind: Literal["whole", "unit", "keys"]
    again: str = ""
    force: ForceInBattle | None = None
    group: str = ""
    row: UnitInForce | None = None
    tracks: tuple[TrackPart, ...] = ()
    more: bool = False
    pair: tuple[CardView, ...] = ()
    first: bool = False


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a sheet, with its number and the number `of` pages of the sheet.

    The lengths `grow` and `high` are those of rows, with a unit.
    """

    kind: Literal["roster", "orders", "track"]
    sheet: str
    side: SideInBattle | None
    pieces: Sequence[RosterPiece] = ()
    columns: Sequence[ForceInBattle] = ()
    rows: Sequence[int] = ()
    grid: Sequence[Sequence[TurnSpace]] = ()
    empty: int = 0
    lines: int = 0
    grow: str = "0"
    high: str = ""
    again: str = ""
    start: bool = True
    number: int = 1
    of: int = 1


def lay_out_scenario_sheets(view: SheetsView, paper: str, templates: Path) -> Layout:
    """Lays out all sheets of a scenario on pages of a paper, numbered within each sheet.

    The parts are measured on long pages first, and then divided into pages.
    """
    wide, high = map(float, paper_size(paper))
    typesetter = _SheetsTypesetter(view, wide - 2 * MARGIN, templates)
    drafts = list(typesetter.drafts())
    long = typesetter.lay_out(drafts, ONE_LONG_PAGE)
    boxes, heights = long.boxes(), long.heights()
    pages: list[PageView] = []
    for number, draft in enumerate(drafts):
        room = high - MARGIN - FOOT - boxes[f"top-{number}"].bottom
        pages += typesetter.full(draft, room, heights[f"piece-{number}"])
    counts, number_of = Counter(page.sheet for page in pages), Counter[str]()
    for index, page in enumerate(pages):
        number_of[page.sheet] += 1
        pages[index] = replace(page, number=number_of[page.sheet], of=counts[page.sheet])
    return typesetter.lay_out(pages, high)


@dataclass(frozen=True, slots=True)
class _SheetsTypesetter:
    """Lays out the sheets of one scenario on pages that are `wide` mm between the margins."""

    view: SheetsView
    wide: float
    templates: Path

    def lay_out(self, pages: Sequence[PageView], height: float) -> Layout:
        shown: dict[str, object] = {"pages": pages, "names_mm": NAMES, "again_mm": AGAIN}
        shown |= {"swatch": swatch, "most_words": MOST_WORDS}
        size = (
            f"@page{{size:{self.wide + 2 * MARGIN:g}mm {height:g}mm;margin:{MARGIN:g}mm}}"
            f".page{{height:{height - 2 * MARGIN:g}mm}}"
        )
        name = f"sheets of {self.view.title}"
        return laid_out("scenario-sheets", self.view, self.templates, size, name, **shown)

    def drafts(self) -> Iterator[PageView]:
        """Yields a long page for each roster, and a page for each order form and the turn track.

        The pages of forms and track have only heads, whose height is measured.
        """
        for number, side in enumerate(self.view.sides):
            pieces = list(self._pieces(side))
            yield PageView("roster", f"roster {number}", side, pieces)
            ordered = side.forces if self.view.order_forms else ()
            for columns in even_parts(len(ordered), MOST_COLUMNS):
                if chosen := [ordered[index] for index in columns]:
                    yield PageView("orders", f"orders {number}", side, columns=chosen)
        yield PageView("track", "track", None)

    def full(self, draft: PageView, room: float, heights: Sequence[float]) -> Iterator[PageView]:
        """Divides a draft of a roster, order form or turn track into pages that are full.

        `room` is the height below the heads of the pages and `heights` are those of its pieces, in
        mm.
        """
        if draft.kind == "roster":
            return _rosters(draft, room, heights)
        if draft.kind == "orders":
            return _forms(draft, self.view.track, room)
        return _tracks(draft, self.view.track, self.wide, room)

    def _pieces(self, side: SideInBattle) -> Iterator[RosterPiece]:
        """Yields the pieces of a side's roster that must not be broken over two pages.

        First comes the summary of the side, then each unit with the headings above it, divided if
        it has very many boxes, and then the cards of its kinds of units, two side by side.
        """
        yield RosterPiece("whole")
        for force in side.forces:
            head: ForceInBattle | None = force
            for formation, rows in groupby(force.roster, key=lambda row: row.formation):
                title = formation
                for row in rows:
                    for part, tracks in enumerate(self._tracks_of(row)):
                        again = "" if head else ", ".join(filter(None, (force.title, formation)))
                        yield RosterPiece("unit", again, head, title, row, tracks, part > 0)
                        head, title = None, ""
        keys = self.view.keys[side.index]
        for start in range(0, len(keys), 2):
            again = gettext("Units at a glance") if start else ""
            yield RosterPiece("keys", again, pair=keys[start : start + 2], first=not start)

    def _tracks_of(self, row: UnitInForce) -> list[tuple[TrackPart, ...]]:
        """Draws the boxes of a unit's tracks, and divides the tracks into parts.

        A part has at most MOST_BOXES boxes, unless a single track has more.
        """
        shades = colours(self.view.identity.accent, "full")
        width = self.wide - NAMES - BETWEEN
        parts: list[list[TrackPart]] = [[]]
        count = 0
        for track in row.tracks:
            size = sum(map(len, track.groups))
            if parts[-1] and count + size > MOST_BOXES:
                parts.append([])
                count = 0
            count += size
            needs = width_in_rows(track.groups, width)
            svg = draw_boxes(track.groups, needs, shades, track.title)
            parts[-1].append(replace(track, svg=svg))
        return [tuple(part) for part in parts]


def _tracks(
    draft: PageView, turns: Sequence[TurnSpace], wide: float, room: float
) -> Iterator[PageView]:
    """Divides the turn track into pages, whose spaces fill them evenly.

    Each space names the forces that come in its turn, as far as it has room. `wide` and `room` are
    the width and height for spaces on a page, in mm.
    """
    most = int(wide // LEAST_SPACE) * int(room // LEAST_SPACE)
    for part in even_parts(len(turns), most):
        columns = _columns(len(part), wide, room)
        rows = ceil(len(part) / columns)
        high, space = room / rows, wide / columns
        spaces = [_space(turns[index], space, high) for index in part]
        grid = [spaces[start : start + columns] for start in range(0, len(spaces), columns)]
        empty = rows * columns - len(spaces)
        yield replace(draft, grid=grid, high=_mm(high), empty=empty, start=not part.start)


def _rosters(draft: PageView, room: float, heights: Sequence[float]) -> Iterator[PageView]:
    """Divides a roster into pages.

    Its rows grow into the room that is left on a page, and lines for notes take the rest. `room` is
    the height for pieces on a page and `heights` are those of the pieces, in mm.
    """
    pieces = draft.pieces
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
    """Returns by how many mm each of the rows on a page grows, if `left` mm are left.

    Rows grow further if what remains would be too low for notes.
    """
    if not rows:
        return 0.0
    each = max(0.0, left / rows - 0.1)
    some = min(MOST_GROWTH, each)
    return some if left - rows * some >= NOTE_ROOM else min(2 * MOST_GROWTH, each)


def _forms(draft: PageView, turns: Sequence[TurnSpace], room: float) -> Iterator[PageView]:
    """Divides an order form into pages, with a row for each turn of `turns`.

    A row for the start is added if one of the forces is there then. `room` is the height for rows
    on a page, in mm.
    """
    start = [0] if any(column.turn == 0 for column in draft.columns) else []
    rows = [*start, *dict.fromkeys(turn.turn for turn in turns)]
    for part in even_parts(len(rows), int(room // LEAST_ROW)):
        high = room / len(part) - 0.1
        yield replace(draft, rows=[rows[index] for index in part], high=_mm(high))


def _columns(count: int, wide: float, room: float) -> int:
    """Returns how many of `count` spaces are side by side in an area, whose sides are in mm.

    The number is chosen so that spaces have nearly the best shape, and few remain empty.
    """

    def cost(columns: int) -> float:
        rows = ceil(count / columns)
        shape = (room / rows) / (wide / columns) / BEST_SHAPE
        empty = (rows * columns - count) / count
        return max(shape, 1 / shape) + 2 * empty

    return min(range(1, min(count, int(wide // LEAST_SPACE)) + 1), key=cost)


def _space(turn: TurnSpace, wide: float, high: float) -> TurnSpace:
    """Returns a space of the turn track with only as many coming forces as it has room for.

    `more` of the result is the number of those left out. `wide` and `high` are its size in mm.
    """
    room = int((high - NUMBER_ROOM) // LEADING)
    shown: list[Coming] = []
    for coming in turn.coming:
        _, force, where = coming
        room -= len(wrapped(f"{force}, {where}", TYPE, wide - SIDE_ROOM))
        if room < 1 and len(shown) + 1 < len(turn.coming):
            break
        shown.append(coming)
    return replace(turn, coming=tuple(shown), more=len(turn.coming) - len(shown))


def _mm(length: float) -> str:
    return f"{length:.2f}mm"
