"""The map of a scenario -> a drawing, pages, a mat at true scale, plates; its places in words.

A legend says of the ground what the tables of the ruleset say: the fields of a row, or the cells at
a place of an axis. Maps are drawn when they are printed, not when a booklet is
composed: a map takes longer than all else of a booklet together, and most builds print none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rulebook import quantities
from rulebook.documents.cutouts import drawing_svg
from rulebook.documents.document_kind import File, Planned
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.tables import cell_in_words
from rulebook.documents.parts.views import CutoutView, DrawingView
from rulebook.documents.scenario.forces import PlayedScenario
from rulebook.drawing.elements import SERIF_FONTS, Group, Picture, Placing, Point
from rulebook.drawing.layers import window_of
from rulebook.drawing.svg import rounded, svg_text
from rulebook.maps.canvas import MapLook
from rulebook.maps.drawing import (
    BATTLE,
    BATTLE_MAT,
    GroundWords,
    KeyEntry,
    Shows,
    battle_mat,
    draw_map,
    legend_of,
)
from rulebook.maps.features import Projection, shapes_of
from rulebook.maps.frame import Hexes, SquareGrid, grid_of
from rulebook.maps.geometry import box_of
from rulebook.maps.names import Numbered, goals_of
from rulebook.maps.page import (
    ROOMS,
    MapPage,
    SizedMap,
    best_fit,
    map_at_scale,
    map_on_one_page,
    map_pages,
    map_picture,
    page_size_at,
)
from rulebook.model.grids import Grid
from rulebook.model.maps import Feature, Table, TablePoint
from rulebook.model.plain_data import plain
from rulebook.model.record_tables import TableOfRows
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import RowName
from rulebook.model.scenarios import Place, Scenario
from rulebook.paper_and_ink import Ink, PaperName, paper_size
from rulebook.quantities import in_feet
from rulebook.translation import gettext, gettext_noop, ngettext

#: A legend is no table: of more cells only so many are shown.
MOST_IN_LEGEND = 6


def grounds_of(ruleset: Ruleset, scenario: Scenario) -> dict[str, GroundWords]:
    """Returns what the rules say of each kind of ground on the map, by its name: `terrain.woods`.

    A feature's own text for the legend is added under its Markdown.
    """
    features = scenario.map.features.values()
    named = {feature.ground for feature in features if feature.ground is not None}
    known = {str(ground): ground_words(ruleset, ground) for ground in sorted(named, key=str)}
    binder = Binder(ruleset)
    own = {feature.key.markdown: binder.plain(feature.key) for feature in features if feature.key}
    return known | {key: GroundWords("", words) for key, words in own.items()}


def ground_on(scenario: Scenario, feature: Feature) -> list[Point]:
    """Returns the points of the outline or line of a feature as it is drawn on the map.

    They are in mm from the west and the south edge of the table.
    """
    upright = Projection(Fraction(1), Fraction(0), Fraction(0), scenario.table.inch.mm)
    (shape,) = shapes_of({"": feature}, upright, (0.0, 0.0, 0.0, 0.0), 1.0)
    # On a page y runs down.
    return [(x, -y) for x, y in shape.points]


def on_table(points: Iterable[TablePoint]) -> list[Point]:
    """Converts points of a table to pairs of mm from its west and its south edge."""
    return [(float(x), float(y)) for x, y in (point.mm for point in points)]


def ground_words(ruleset: Ruleset, ground: RowName) -> GroundWords:
    """Returns the title of a kind of ground, and what its table says of it as one text.

    `ground` names a row of a table or a place on an axis of a grid. Raises KeyError if its table is
    neither, which the check has reported before.
    """
    table = ruleset.all_tables[ground.table]
    if isinstance(table, TableOfRows):
        row, types = table.data[ground.row], table.types
        said = [
            (table.title_of(key), cell_in_words(ruleset, cell, types[key]))
            for key, cell in row.cells.items()
        ]
        return GroundWords(str(row.heading(ground.row)), _listed(said))
    if isinstance(table, Grid):
        return _of_grid(ruleset, table, ground)
    raise KeyError(str(ground))


def _of_grid(ruleset: Ruleset, grid: Grid, ground: RowName) -> GroundWords:
    """Returns what a grid says of a kind of ground that is a place on one of its axes.

    This is the title of the place, and the cells there as one text with their other titles.
    """
    title = next(
        choice.title for axis in grid.axes for choice in axis.choices if choice.key == ground.row
    )
    said = []
    for row, cells in zip(grid.positions("rows"), grid.data, strict=True):
        for column, cell in zip(grid.positions("columns"), cells, strict=True):
            at = (*row, *column)
            if ground.row in [choice.key for choice in at]:
                titles = [choice.title for choice in at if choice.key != ground.row]
                said.append((", ".join(titles), cell_in_words(ruleset, cell, grid.cells).lower()))
    return GroundWords(title, _listed(said))


def _listed(said: list[tuple[str, str]]) -> str:
    """Joins pairs of label and value: `Infantry and cavalry: half; artillery: none`.

    Labels with equal values are grouped, or become "All" if there are no other values. Flags that
    are set are given by their labels alone, and empty values are left out. At most MOST_IN_LEGEND
    values are included.
    """
    labels: dict[str, list[str]] = {}
    for label, words in said:
        if words and words != quantities.EN_DASH:
            labels.setdefault("" if words == _FLAG else words, []).append(label)
    parts = [
        ": ".join(filter(None, (gettext(_ALL) if _is_all(said, words) else _joined(names), words)))
        for words, names in labels.items()
    ]
    return "; ".join(parts[:MOST_IN_LEGEND])


def _is_all(said: list[tuple[str, str]], words: str) -> bool:
    return len(said) > 1 and all(said_there == words for _, said_there in said)


def _joined(names: list[str]) -> str:
    """Joins names with commas and `and`, or with slashes if some names contain commas."""
    if any(", " in name for name in names):
        return " / ".join(names)
    return quantities.join_words(names, "and")


#: What stands for a flag that is set, and for all columns of a table together.
_FLAG = quantities.format_value(True)
_ALL = gettext_noop("All")


#: Squares named by the first and the last; more are named by their rows and columns.
MOST_NAMED = 4


def board_of(scenario: Scenario) -> SquareGrid | None:
    """Returns the grid of hexes or squares by which places are named.

    Returns None if places are given by distances instead. This is so if there is no grid, and for
    squares unless the scenario has zones or areas whose corners are all on lines of the grid.
    """
    table, grid = scenario.table, grid_of(scenario.table)
    if isinstance(grid, Hexes):
        return grid
    corners = [corner for place in scenario.places.values() for corner in place.zone or ()]
    for feature in scenario.map.features.values():
        corners += feature.area or ()
    on_lines = not any(side % grid.pitch for corner in corners for side in corner.mm)
    return grid if table.squares is not None and corners and on_lines else None


def squares_in_words(grid: SquareGrid, names: Sequence[str]) -> str:
    """Describes squares or hexes, given by their names, as text.

    Hexes are listed. Squares that fill a large rectangle are described as `rows 9–10, columns B–K`,
    others as `squares F5–G6` or one by one.
    """
    if isinstance(grid, Hexes):
        return ngettext("hex %(names)s", "hexes %(names)s", len(names), names=", ".join(names))
    rows, columns = ({name[part] for name in names} for part in (slice(1, None), slice(1)))
    if len(names) > MOST_NAMED and min(len(rows), len(columns)) > 1 and _fill_a_box(names):
        return gettext(
            "rows %(rows)s, columns %(columns)s",
            rows=_from_to(names[0][1:], names[-1][1:]),
            columns=_from_to(names[0][0], names[-1][0]),
        )
    named = squares_named(names)
    return ngettext("square %(names)s", "squares %(names)s", len(names), names=named)


def squares_named(names: Sequence[str]) -> str:
    """Returns names of squares as text: `F5–G6` if they fill a rectangle, or else all: `F5, H5`.

    The names must be in order, column by column.
    """
    return _from_to(names[0], names[-1]) if _fill_a_box(names) else ", ".join(names)


def _fill_a_box(names: Sequence[str]) -> bool:
    columns = range(ord(names[0][0]), ord(names[-1][0]) + 1)
    rows = range(int(names[0][1:]), int(names[-1][1:]) + 1)
    return list(names) == [f"{chr(column)}{row}" for column in columns for row in rows]


def _from_to(first: str, last: str) -> str:
    return first if first == last else f"{first}{quantities.EN_DASH}{last}"


def where_to_find(scenario: Scenario, place: Place) -> str:
    """Describes how to find a place on the table.

    An entry is described by its edge and the distance along it, a zone by its distances from edges
    or else by its corners. On a board both are described by squares or hexes.
    """
    table, grid = scenario.table, board_of(scenario)
    if grid is not None:
        outline = on_table(place.zone or ())
        names = [grid.square(*place.entry.mm)] if place.entry else grid.within(outline)
        if names:
            return squares_in_words(grid, names)
    if place.entry is not None:
        return _entry(table, place.entry)
    corners = place.zone or ()
    return _box(table, corners) or gettext(
        "corners %(corners)s", corners="; ".join(map(_corner, corners))
    )


def _entry(table: Table, point: TablePoint) -> str:
    east, north = (point.x.mm == table.width.mm, point.y.mm == table.depth.mm)
    across = "west" if point.x.mm == 0 else "east" if east else ""
    up = "south" if point.y.mm == 0 else "north" if north else ""
    if across and up:
        return gettext(_CORNERS[f"{up}-{across}"])
    return gettext(_ALONG[across or up], length=point.y if across else point.x)


_CORNERS = {
    "south-west": gettext_noop("south-west corner"),
    "south-east": gettext_noop("south-east corner"),
    "north-west": gettext_noop("north-west corner"),
    "north-east": gettext_noop("north-east corner"),
}
_ALONG = {
    "west": gettext_noop("west edge, %(length)s from its south end"),
    "east": gettext_noop("east edge, %(length)s from its south end"),
    "south": gettext_noop("south edge, %(length)s from its west end"),
    "north": gettext_noop("north edge, %(length)s from its west end"),
}
_WITHIN = {
    "west": gettext_noop("within %(length)s of the west edge"),
    "east": gettext_noop("within %(length)s of the east edge"),
    "south": gettext_noop("within %(length)s of the south edge"),
    "north": gettext_noop("within %(length)s of the north edge"),
}
_FROM = {
    "west": gettext_noop("%(low)s to %(high)s from the west edge"),
    "south": gettext_noop("%(low)s to %(high)s from the south edge"),
}


def _corner(point: TablePoint) -> str:
    return gettext("%(x)s from the west and %(y)s from the south", x=point.x, y=point.y)


def _box(table: Table, corners: tuple[TablePoint, ...]) -> str:
    """Describes a rectangle that is parallel to the edges by its distances from them.

    Returns an empty text for any other zone.
    """
    xs = sorted({corner.x.mm: corner.x for corner in corners}.items())
    ys = sorted({corner.y.mm: corner.y for corner in corners}.items())
    if len(corners) != 4 or len(xs) != 2 or len(ys) != 2 or len({c.mm for c in corners}) != 4:
        return ""
    across = _span((xs[0][1], xs[1][1]), table.width, ("west", "east"))
    up = _span((ys[0][1], ys[1][1]), table.depth, ("south", "north"))
    return ", ".join(filter(None, (up, across))) or gettext("the whole table")


def _span(
    ends: tuple[quantities.Length, quantities.Length],
    whole: quantities.Length,
    edges: tuple[str, str],
) -> str:
    """Describes how far a zone reaches between two opposite edges of the table.

    An example is "within 12″ of the west edge". The text is empty if the zone reaches from edge to
    edge. `ends` are the distances of its sides from the first edge, and `whole` is the distance
    between the edges.
    """
    low, high = ends
    if low.mm == 0 and high.mm == whole.mm:
        return ""
    if low.mm == 0:
        return gettext(_WITHIN[edges[0]], length=high)
    if high.mm == whole.mm:
        return gettext(_WITHIN[edges[1]], length=_less(whole, low))
    return gettext(_FROM[edges[0]], low=low, high=high)


def _less(whole: quantities.Length, part: quantities.Length) -> quantities.Length:
    """Returns the length `whole` less `part`, in the unit of `part`."""
    unit = part.mm / part.number if part.number else Fraction(1)
    return quantities.Length((whole.mm - part.mm) / unit, part.unit)


def squares_of(scenario: Scenario, at: str) -> str:
    """Names the squares that the place or feature `at`, where an objective is, fills.

    Returns an empty text if it has no area, or if the table has no squares that name places.
    """
    grid = board_of(scenario)
    if grid is None or isinstance(grid, Hexes):
        return ""
    zone = scenario.places[at].zone if at in scenario.places else None
    feature = scenario.map.features.get(at)
    corners = ground_on(scenario, feature) if feature else on_table(zone or ())
    names = grid.within(corners) if len(corners) > 2 else []
    return squares_named(names) if names else ""


#: Around a map on its page, mm.
MARGIN = 8.0


@dataclass(frozen=True, slots=True)
class MapView:
    """The data a map is drawn from: the scenario as plain data, and what tables say of its ground.

    The map itself is drawn when it is printed, since this takes longer than composing all else.
    """

    scenario: Any
    grounds: Mapping[str, GroundWords]


def map_documents(played: PlayedScenario) -> Iterator[Planned]:
    """Plans the document of the map with its legend, one SVG file."""
    path = f"{played.stem}-map.svg"
    view = partial(map_view, played)
    yield played.planned("map", "-map", gettext("Map"), view, File(path, "svg"))


def map_view(played: PlayedScenario) -> MapView:
    """Composes the data from which the map of a scenario is drawn."""
    return MapView(plain(played.scenario), grounds_of(played.ruleset, played.scenario))


def map_svg(view: MapView, *_: object) -> str:
    """Draws a map with its legend as SVG, with the fonts of its text embedded."""
    return drawing_svg(MapOrder(Scenario.model_validate(view.scenario), view.grounds).drawing())


@dataclass(frozen=True, slots=True)
class MapOrder:
    """How to draw a map: on a paper, or at a scale; a `mat` is the ground alone at a scale.

    `grounds` are what the ruleset says of the kinds of ground. Without a scale the map is as large
    as the paper allows.
    """

    scenario: Scenario
    grounds: Mapping[str, GroundWords]
    paper: PaperName = "a4"
    shows: Shows = BATTLE
    ink: Ink = "full"
    scale: Fraction | None = None
    mat: bool = False

    def drawing(self) -> DrawingView:
        """Draws the map in one piece, as SVG.

        Without a scale it fits the paper together with its whole legend, which is below it. At a
        scale it has no legend; if a mat is asked for, it is the ground alone.
        """
        if self.scale is None:
            return DrawingView(svg_text(map_on_one_page(self.scenario, self._page)), (_FAMILY,))
        if self.mat:
            return DrawingView(svg_text(self._mat(self.scale)))
        drawn = map_at_scale(self.scenario, self.scale, self._page)
        return DrawingView(svg_text(drawn.picture), (_FAMILY,))

    def sheets(self, ruleset: Ruleset) -> CutoutView:
        """Draws the map and its legend as pages of the paper, with the title of the game.

        At a scale the first page is as large as the map or mat, to be divided over sheets later. A
        mat has no legend.
        """
        page, header = self._page, ruleset.header
        rest: Sequence[Picture] = ()
        first: list[Picture] = []
        if self.scale is None:
            rest = map_pages(self.scenario, page)
        elif self.mat:
            first.append(self._mat(self.scale))
        else:
            drawn = map_at_scale(self.scenario, self.scale, page)
            first, rest = [drawn.picture], drawn.legend
        title = gettext("%(battle)s: Map – %(game)s", battle=self.scenario.title, game=header.title)
        return CutoutView(title, header.language, (*first, *rest))

    def size(self, scale: Fraction) -> tuple[float, float]:
        """Returns the width and height in mm that the first page of `sheets` has at a scale.

        They are computed without drawing the map.
        """
        table = self.scenario.table
        if self.mat:
            return float(scale * table.width.mm), float(scale * table.depth.mm)
        return page_size_at(self.scenario, scale)

    def _mat(self, scale: Fraction) -> Picture:
        table = self.scenario.table
        sides = {"width": in_feet(table.width), "depth": in_feet(table.depth)}
        description = gettext("Ground of a table %(width)s by %(depth)s", **sides)
        mat = battle_mat(self.scenario, scale, self.ink)
        return map_picture(mat, self.scenario.title, description)

    @property
    def _page(self) -> MapPage:
        """A page of the paper with its margins.

        It is landscape if the table is at least as wide as it is deep.
        """
        table = self.scenario.table
        wide, high = paper_size(self.paper, landscape=table.width.mm >= table.depth.mm)
        return MapPage(
            wide - 2 * MARGIN,
            high - 2 * MARGIN,
            self.shows,
            self.ink,
            ground_words=self.grounds,
            margin=MARGIN,
        )


_FAMILY = SERIF_FONTS.split(",")[0]


#: Of samples on the legend, which is set in type of its own.
_SAMPLE_GRAIN = 1.0
#: The cover, mm: it shows no more of the table than fills it. And where on it the middle of the
#: objectives is, between the title and the strip at the foot.
_COVER, _MIDDLE = (148.0, 210.0), (0.5, 0.62)


@dataclass(frozen=True, slots=True)
class Plates:
    """The map of a booklet, its legend, and the names for which only numbers are on the map.

    `squares` are those of the objectives, by the numbers on their flags.
    """

    battle: SizedMap
    key: tuple[KeyEntry, ...]
    names: tuple[Numbered, ...]
    squares: dict[int, str]


def draw_plates(
    scenario: Scenario, layout: str | None, grounds: Mapping[str, GroundWords]
) -> Plates:
    """Draws the map of a booklet with its legend, for a layout or for the screen (None).

    `grounds` has what the rules say of each kind of ground on the map.
    """
    battle = plate_of(scenario, layout or "screen")
    look = MapLook(battle.drawn.canvas.look.ink, _SAMPLE_GRAIN)
    # samples of one size on every paper
    key = tuple(legend_of(scenario, battle.drawn.with_look(look), grounds))
    numbered = battle.drawn.numbered
    squares = {name.number: name.square for name in numbered if name.objective}
    return Plates(battle, key, tuple(name for name in numbered if not name.objective), squares)


def plate_of(scenario: Scenario, layout: str) -> SizedMap:
    """Draws the map as large as a layout of the booklet, or the screen, allows.

    It is turned to be read sideways if it is much larger that way.
    """
    fit = best_fit(scenario, layout)
    page = MapPage(
        0.0,
        0.0,
        cartouche=False,
        legend=False,
        grain=ROOMS[layout][1],
        aside=fit.aside,
    )
    made = map_at_scale(scenario, fit.scale, page)
    if not fit.sideways:
        return made
    # its top is at the left
    turned = Group(made.picture.elements, placing=Placing(0, rounded(made.width), turn=-90))
    window = window_of((0, 0, made.height, made.width))
    picture = replace(made.picture, window=window, elements=(turned,))
    return replace(made, picture=picture, width=made.height, height=made.width, sideways=True)


def cover_picture(scenario: Scenario, description: str) -> Picture:
    """Draws the ground of a scenario, without marks and names, as a picture that fills the cover.

    The objectives are in its middle if possible. `description` is its alternative text.
    """
    wide, deep = scenario.table.width.mm, scenario.table.depth.mm
    scale = max(Fraction(_COVER[0]) / wide, Fraction(_COVER[1]) / deep)
    drawn = draw_map(scenario, scale, shows=BATTLE_MAT)
    projection = Projection(scale, Fraction(0), scale * deep)
    goals = [goal.foot for goal in goals_of(scenario, projection, drawn.shapes)]
    west, north, east, south = box_of(goals or [(drawn.width / 2, drawn.height / 2)])
    middle = (west + east) / 2, (north + south) / 2
    left, top = (
        min(max(at - part * side, 0.0), whole - side)
        for at, part, side, whole in zip(
            middle, _MIDDLE, _COVER, (drawn.width, drawn.height), strict=True
        )
    )
    box = (left, top, left + _COVER[0], top + _COVER[1])
    return Picture(window_of(box), scenario.title, description, drawn.body, SERIF_FONTS)


def count_sheets(width_mm: float, height_mm: float, paper: str) -> int:
    """Returns the number of sheets of paper over which a page of a size in mm must be divided.

    Raises ValueError if these are more than a poster may have.
    """
    from rulebook.imposing.arrangements import poster

    return len(poster((width_mm, height_mm), paper))


def tiled_pdf(view: CutoutView, paper: str) -> bytes:
    """Makes a PDF of which the first page is divided over several sheets of a paper.

    The other pages stay as they are. Raises ValueError if there would be too many sheets, and
    RenderFault for what cannot be drawn.
    """
    from rulebook.documents.cutouts import draw_sheets
    from rulebook.imposing.arrangements import poster
    from rulebook.imposing.imposition import impose, page_sizes
    from rulebook.imposing.placing import Placement, PrintedSheet, SheetSide, rect

    data = draw_sheets(view)
    large, *legend = page_sizes(data)
    sheets = poster(large, paper)
    for number, (width, height) in enumerate(legend, 1):
        whole = rect(0, 0, width, height)
        sheets.append(PrintedSheet(width, height, SheetSide((Placement(number, whole, whole),))))
    return impose(data, sheets, title=view.title, language=view.language)
