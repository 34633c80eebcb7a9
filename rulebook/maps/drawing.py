"""A scenario's table -> its map: shapes, then names, then symbols around both; and its legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from rulebook.drawing.elements import SERIF_FONTS, Box, Drawn, Picture
from rulebook.drawing.layers import window_of
from rulebook.maps.areas import Clearing
from rulebook.maps.canvas import (
    LEAST_GRAIN,
    MAT_GRAIN,
    MOST_GRAIN,
    Canvas,
    MapLook,
    centred,
    grain_for,
    group,
    joined,
    lines_path,
)
from rulebook.maps.features import Projection, Shape, plain_feature, shapes_of
from rulebook.maps.frame import (
    Hexes,
    HexName,
    Margins,
    SquareGrid,
    draw_frame,
    draw_grid,
    grid_of,
    margins,
)
from rulebook.maps.geometry import ellipse, flattened, quad_of, smooth, straight, turned_quad
from rulebook.maps.ground import (
    crossing,
    draw_bridge,
    draw_ford,
    draw_ground,
    draw_roads,
    draw_waters,
)
from rulebook.maps.names import (
    MapNames,
    Naming,
    Numbered,
    SideMark,
    Station,
    draw_arrow,
    draw_zone,
    entry_angles,
    goals_of,
    stations_of,
)
from rulebook.model.map_features import FEATURE_KINDS
from rulebook.model.scenarios import Scenario, TurnByDice
from rulebook.paper_and_ink import Ink
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class Shows:
    """What is drawn in addition to the ground; by default everything."""

    names: bool = True
    grid: bool = True
    #: Zones, entries and objectives.
    battle: bool = True


#: The map to set up and play by; the ground with its names alone, to draw on.
BATTLE = Shows()
BLANK = Shows(battle=False)
#: The ground alone at true scale, to play on; of what it shows, hexes are a part.
BATTLE_MAT = Shows(names=False, grid=False, battle=False)


@dataclass(frozen=True)
class DrawnMap:
    """A map with its border: its size in mm, what is on it, and the names that had no room.

    `scale` is mm of the page for a mm of the table; `room` is the box of the table on the page.
    """

    width: float
    height: float
    room: Box
    scale: Fraction
    shows: Shows
    canvas: Canvas
    grid: SquareGrid
    shapes: tuple[Shape, ...]
    stations: tuple[Station, ...]
    names: MapNames
    hexes: tuple[HexName, ...]

    @cached_property
    def body(self) -> Drawn:
        """All elements of the map, from the ground up; drawn when first asked for."""
        return self.ground() + self.overlay()

    @property
    def numbered(self) -> tuple[Numbered, ...]:
        """The names that had no room on the map, with their numbers and squares."""
        return self.names.numbered

    def with_look(self, look: MapLook) -> DrawnMap:
        """Returns the map with another look, for a legend whose symbols have another size."""
        return replace(self, canvas=replace(self.canvas, look=look))

    def ground(self) -> Drawn:
        """Draws the surface of the table and all features of its ground, the lowest first."""
        table = lines_path(quad_of(self.room), closed=True)
        surface = group("surface", self.canvas.path(table, fill="ground"))
        ground = draw_ground(self.shapes, self.canvas)
        return surface + tuple(drawn for drawn in ground if drawn.elements)

    def overlay(self) -> Drawn:
        """Draws what is shown over the ground: zones, grid, border, arrows, names and flags."""
        drawn: Drawn = ()
        of_hexes = [named.quad for named in self.hexes]
        canvas = replace(self.canvas, names=(*self.canvas.names, *of_hexes))
        for station in self.stations:
            if station.zone:
                zone = draw_zone(station.zone, station.sides, canvas)
                drawn += group("zone", zone, station.name)
        if self.shows.grid or isinstance(self.grid, Hexes):
            grid = draw_grid(self.grid, self.scale, self.room, self.canvas)
            ink = canvas.look.colour("ink")
            names = (centred(named.name, named.at, named.size, colour=ink) for named in self.hexes)
            drawn += group("grid", joined((grid, *names)))
        if self.shows.grid:
            beyond = 2 * max((shape.width for shape in self.shapes), default=0.0)
            frame = draw_frame(self.grid, self.scale, self.room, self.canvas, beyond)
            drawn += group("border", frame)
        for station in self.stations:
            if station.entry is not None:
                where = (station.entry, station.angle, station.sides, self.canvas)
                arrow = draw_arrow(*where, str(station.number))
                drawn += group("entry", arrow, station.name)
        return drawn + self.names.drawn(self.canvas)


def draw_map(
    scenario: Scenario,
    scale: Fraction,
    *,
    shows: Shows = BATTLE,
    ink: Ink = "full",
    grain: float | None = None,
    true_to_scale: bool = False,
) -> DrawnMap:
    """Draws the map of a scenario at a scale, with a border around it, and places its names.

    `scale` is mm of the page for a mm of the table. `grain` is the factor for symbols and letters;
    if None, it depends on the size of the map. Unless `true_to_scale`, roads and other lines are no
    wider than their usual symbols. Raises ValueError for a scale that is not more than 0.
    """
    if scale <= 0:
        raise ValueError("a map at no scale")
    table = scenario.table
    wide, high = scale * table.width.mm, scale * table.depth.mm
    look = MapLook(ink, grain if grain is not None else grain_for(float(wide), float(high)))
    band = band_of(scenario, shows, look)
    projection = Projection(scale, band.left, band.top + high, table.inch.mm)
    left, top = float(band.left), float(band.top)
    room = (left, top, float(band.left + wide), float(band.top + high))
    grid = grid_of(table)
    shapes = shapes_of(
        scenario.map.features, projection, room, look.grain, true_to_scale=true_to_scale
    )
    stations = stations_of(scenario, projection) if shows.battle else []
    goals = goals_of(scenario, projection, shapes) if shows.battle else []
    canvas = _cleared(shapes, MapNames(), Canvas(look, projection.inches(1), room))
    naming = Naming(shapes, stations, goals, room, canvas, grid, projection)
    names = naming.all(words=shows.names)
    canvas = _cleared(shapes, names, canvas)
    hexes = tuple(naming.of_hexes(names))
    canvas.clearing.add_quads(named.quad for named in hexes)
    return DrawnMap(
        width=float(wide + band.wide),
        height=float(high + band.high),
        room=room,
        scale=scale,
        shows=shows,
        canvas=canvas,
        grid=grid,
        shapes=tuple(shapes),
        stations=tuple(stations),
        names=names,
        hexes=hexes,
    )


def band_of(scenario: Scenario, shows: Shows, look: MapLook) -> Margins:
    """Returns the margins around the table on a map; all are 0 if its grid is not shown."""
    if not shows.grid:
        return Margins(*[Fraction(0)] * 4)
    return margins(entry_angles(scenario) if shows.battle else (), look.mm)


def battle_mat(scenario: Scenario, scale: Fraction = Fraction(1), ink: Ink = "full") -> DrawnMap:
    """Draws only the ground at a scale, full size by default, to be played on.

    Symbols are as large as models at that scale. The mat has no border, so that its edges are those
    of the table.
    """
    grain = min(MOST_GRAIN, max(LEAST_GRAIN, MAT_GRAIN * float(scale)))
    return draw_map(scenario, scale, shows=BATTLE_MAT, ink=ink, grain=grain, true_to_scale=True)


def _cleared(shapes: Sequence[Shape], names: MapNames, canvas: Canvas) -> Canvas:
    """Returns a copy of the canvas that knows the names and shapes that symbols must avoid.

    These are names, lines and solid areas; areas that cover slopes are recorded as well.
    """
    clearing, covered = Clearing(), Clearing()
    clearing.add_quads(names.quads)
    clearing.add_quads(names.fixed)
    for shape in shapes:
        if shape.is_line:
            clearing.add_strip(shape.points, shape.width + canvas.mm(0.5))
        elif shape.kind.solid:
            clearing.add_area(shape.points)
        if shape.kind.covering:
            covered.add_area(shape.points)
    return replace(canvas, names=names.quads, clearing=clearing, covered=covered)


#: A sample, mm times the grain.
SAMPLE_WIDE, SAMPLE_HIGH = 8.4, 4.8
_WIDEST_LINE = 2.2


@dataclass(frozen=True, slots=True)
class GroundWords:
    """What the ruleset calls a kind of ground, and what it says of it, in plain text."""

    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """An entry of a legend: a sample of `SAMPLE_WIDE` by `SAMPLE_HIGH`, and what it shows."""

    sample: Picture
    title: str
    text: str = ""


def legend_of(
    scenario: Scenario, drawn: DrawnMap, ground_words: Mapping[str, GroundWords] | None = None
) -> list[KeyEntry]:
    """Lists the entries of the legend: kinds of ground, crossings, then the marks of the sides.

    `ground_words` are what the ruleset says of ground, by the ground's name, such as
    `terrain.woods`, or by the text of the feature's own `key`. Features of different kinds but of
    one such ground get separate entries.
    """
    entries = []
    for (kind, called), shapes in _used(drawn.shapes):
        title, text = gettext(FEATURE_KINDS[kind].title), ""
        if words := (ground_words or {}).get(called):
            same = words.title.casefold() in ("", title.casefold())
            title, text = (title if same else f"{title}: {words.title}"), words.text
        entries.append(_entry(drawn, _sample(kind, shapes, drawn), title, text))
    return [*entries, *_crossings(drawn), *_sides(scenario, drawn)]


def _entry(drawn: DrawnMap, sample: Drawn, title: str, text: str = "") -> KeyEntry:
    wide, high = (drawn.canvas.mm(side) for side in (SAMPLE_WIDE, SAMPLE_HIGH))
    window = window_of((0, 0, wide, high))
    return KeyEntry(Picture(window, title, "", sample, SERIF_FONTS), title, text)


def _used(shapes: Sequence[Shape]) -> list[tuple[tuple[str, str], list[Shape]]]:
    """Groups the shapes by their kind and by the name or text that the ruleset has for them.

    Returns pairs of (kind, text) and shapes, in the order of the legend. Shapes whose kind has no
    title are left out.
    """
    groups: dict[tuple[str, str], list[Shape]] = {}
    for shape in shapes:
        if shape.kind.title:
            key = shape.feature.key
            called = key.markdown if key else str(shape.feature.ground or "")
            groups.setdefault((shape.feature.draw, called), []).append(shape)
    order = list(FEATURE_KINDS)
    return sorted(groups.items(), key=lambda group: (order.index(group[0][0]), group[0][1]))


def _canvas(drawn: DrawnMap) -> Canvas:
    return Canvas(drawn.canvas.look, drawn.canvas.inch)


def _sample(kind: str, shapes: Sequence[Shape], drawn: DrawnMap) -> Drawn:
    """Draws a sample of a kind of ground for the legend.

    A line is as wide as the widest of the shapes on the map, but no wider than the sample allows.
    """
    canvas = _canvas(drawn)
    width = min(max(shape.width for shape in shapes), canvas.mm(_WIDEST_LINE))
    shape = _shape(kind, width, max(shape.feature.contours for shape in shapes), canvas)
    return joined(drawn.elements for drawn in draw_ground([shape], canvas))


def _shape(name: str, width: float, contours: int, canvas: Canvas) -> Shape:
    """Makes a shape of the kind `name` that fills a sample of the legend.

    `width` is that of a line, in mm; `contours` is the number of contours of a hill, of which at
    most two are shown.
    """
    kind = FEATURE_KINDS[name]
    wide, high = canvas.mm(SAMPLE_WIDE), canvas.mm(SAMPLE_HIGH)
    middle = (wide / 2, high / 2)
    if kind.outline == "line":
        points = [(0.0, 0.62 * high), (0.34 * wide, 0.42 * high), (0.66 * wide, 0.58 * high)]
        points.append((wide, 0.4 * high))
        pieces = smooth(points, closed=False)
        return Shape(name, plain_feature(name), tuple(pieces), tuple(flattened(pieces)), width)
    if kind.outline == "point":
        return Shape(name, plain_feature(name), (), (middle,))
    shown = {"contours": str(min(contours, 2))} if "contours" in kind.keys else {}
    feature = plain_feature(name, **shown)
    if kind.angular:
        half_wide, half_high = kind.sample * wide / 2, kind.sample * high / 2
        box = (-half_wide, -half_high, half_wide, half_high)
        pieces = straight(turned_quad(middle, box, 0.0), closed=True)
    else:
        pieces = ellipse(middle, 0.98 * wide, 0.96 * high, 0.0)
    return Shape(name, feature, tuple(pieces), tuple(flattened(pieces, closed=True)))


def _crossings(drawn: DrawnMap) -> Iterator[KeyEntry]:
    """Yields the entries of the legend for fords and bridges, if the map has any."""
    canvas = _canvas(drawn)
    used = {key for shape in drawn.shapes for key, _ in shape.crossings}
    wide, high = canvas.mm(SAMPLE_WIDE), canvas.mm(SAMPLE_HIGH)
    river = _shape("river", canvas.mm(1.8), 1, canvas)
    road = _shape("road", canvas.mm(1.3), 1, canvas)
    upright = ((wide / 2, 0.0), (wide / 2, high))
    over = (*straight(upright, closed=False),)
    road = replace(road, pieces=over, points=upright)
    water = draw_waters([river], canvas)
    at = crossing(river, (wide / 2, high / 2), [road], canvas.mm(1.3))
    if "fords" in used:
        yield _entry(drawn, water + draw_ford(at, canvas), gettext(FEATURE_KINDS["ford"].title))
    if "bridges" in used:
        ways = draw_roads([road], canvas)
        bridge = water + ways + draw_bridge(at, canvas)
        yield _entry(drawn, bridge, gettext(FEATURE_KINDS["bridge"].title))


def _sides(scenario: Scenario, drawn: DrawnMap) -> Iterator[KeyEntry]:
    """Yields the legend's entries for exits, and for the entries and zones of each side.

    Only those that are on the map are listed.
    """
    canvas = _canvas(drawn)
    wide, high = canvas.mm(SAMPLE_WIDE), canvas.mm(SAMPLE_HIGH)
    if any(station.entry is not None and not station.sides for station in drawn.stations):
        arrow = draw_arrow((wide, high / 2), 180.0, [], canvas)
        yield _entry(drawn, arrow, gettext("Way off the table"))
    for number, side in enumerate(scenario.sides.values()):
        mark = SideMark(number, side.colour)
        own = [station for station in drawn.stations if mark in station.sides]
        if any(station.entry is not None for station in own):
            arrow = draw_arrow((0.0, high / 2), 0.0, [mark], canvas)
            text = gettext("The margin says in which %(turn)s.", turn=scenario.turn)
            turns = [force.turn for force in side.forces.values()]
            if any(isinstance(turn, TurnByDice) and turn.since for turn in turns):
                text += " " + gettext("%(example)s: from this on, by dice.", example="3+")
            yield _entry(drawn, arrow, gettext("%(side)s: entry", side=side.title), text)
        if any(station.zone for station in own):
            ring = quad_of((0.2, 0.2, wide - 0.2, high - 0.2))
            zone = draw_zone(ring, [mark], canvas)
            yield _entry(drawn, zone, gettext("%(side)s: set-up", side=side.title))
