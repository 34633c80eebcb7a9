"""Zones, entries, objectives, all that has a name -> hatchings, arrows, flags, names, numbers.

Every number on a map stands for one thing: first the objectives on their flags, then the entries on
their arrows, whose names stand in the margin, then what has no room for its name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.drawing.elements import Box, Drawn, Point
from rulebook.drawing.svg import decimal, svg_elements
from rulebook.maps import geometry
from rulebook.maps.areas import Obstacles, area_of
from rulebook.maps.canvas import (
    CAP_HEIGHT,
    Canvas,
    centred,
    circle_path,
    group,
    joined,
    lines_path,
    path,
    segments_path,
)
from rulebook.maps.features import (
    ARRIVALS,
    ENTRY,
    ZONE,
    Projection,
    Shape,
)
from rulebook.maps.frame import MARGIN, Hexes, HexName, SquareGrid, grid_lines, hex_names
from rulebook.maps.ground import contours, crossing_quads, symbols_of
from rulebook.maps.lettering import (
    Candidate,
    Choice,
    Hand,
    LetteredName,
    along,
    anchor_of,
    area_choices,
    in_room,
    label_choices,
    line_choices,
    place,
    point_choices,
)
from rulebook.model.map_features import NameStyle
from rulebook.model.maps import Table, TablePoint
from rulebook.model.scenarios import Scenario, Side, TurnByDice
from rulebook.text_fitting import text_width
from rulebook.translation import gettext
from rulebook.typefaces import SERIF_BOLD

#: The hatchings of the sides, by the angles of their lines, in the order of the scenario.
HATCHINGS = ((45.0,), (-45.0,), (0.0,), (90.0,), (45.0, -45.0), (0.0, 90.0))
_PITCH = 1.5
#: How wide the hatched edge of a zone is, mm times the grain.
_BAND = 3.2
#: Of arrows: mm times the grain.
_LONG, _HIGH, _POINT = 7.2, 4.2, 2.4
FLAG_WIDE, FLAG_HIGH, POLE = 4.0, 2.9, 6.0
TAG = 1.75


@dataclass(frozen=True, slots=True)
class SideMark:
    """How a side is shown on a map: its number, from 0, selects its hatching; and its colour."""

    number: int
    colour: str


def hatched(rings: Sequence[Sequence[Point]], side: int, pitch: float) -> list[geometry.Segment]:
    """Returns the hatching of the side with this number over rings, its lines `pitch` mm apart."""
    angles = HATCHINGS[side % len(HATCHINGS)]
    return [line for angle in angles for line in geometry.hatching(rings, angle, pitch)]


def draw_zone(ring: Sequence[Point], sides: Sequence[SideMark], canvas: Canvas) -> Drawn:
    """Draws a zone with the hatching of each of its sides along its edge, the middle left clear."""
    drawn = []
    band = area_of(tuple(ring)).lines(canvas.mm(_BAND))
    for side in sides:
        lines = canvas.off_names(hatched([ring, *band], side.number, canvas.mm(_PITCH)))
        drawn.append(canvas.path(segments_path(lines), stroke=side.colour, width=0.24))
    colour = sides[0].colour if len(sides) == 1 else "ink"
    outline = canvas.broken(ring) or lines_path(ring, closed=True)
    drawn.append(canvas.path(outline, stroke="white", width=1.1))
    drawn.append(canvas.path(outline, stroke=colour, width=0.55, dash=(2.4, 0.9)))
    return joined(drawn)


def inward(table: Table, entry: TablePoint) -> float:
    """Returns the direction from the nearest edge onto the table, in degrees clockwise from right.

    This is one of 0, 90, 180 and 270; the lowest if several edges are equally near.
    """
    x, y = entry.mm
    ways = ((x, 0.0), (table.width.mm - x, 180.0), (table.depth.mm - y, 90.0), (y, 270.0))
    return min(ways)[1]


def entry_angles(scenario: Scenario) -> set[float]:
    """Returns the directions in which troops enter the table, as `inward` does."""
    places = scenario.places.values()
    return {inward(scenario.table, place.entry) for place in places if place.entry is not None}


def arrow_quad(at: Point, angle: float, canvas: Canvas) -> geometry.Quad:
    half = canvas.mm(_HIGH / 2)
    return geometry.turned_quad(at, (0.0, -half, canvas.mm(_LONG), half), angle)


def draw_arrow(
    at: Point, angle: float, sides: Sequence[SideMark], canvas: Canvas, number: str = ""
) -> Drawn:
    """Draws a numbered badge that points onto the map: solid for the first side, open for others.

    If no side enters there (`sides` is empty), troops leave there, and the badge points off the
    map.
    """
    half, long, neck = (canvas.mm(size) for size in (_HIGH / 2, _LONG, _LONG - _POINT))
    outline = [(0.0, -half), (neck, -half), (long, 0.0), (neck, half), (0.0, half)]
    middle = neck / 2 + canvas.mm(0.35)
    if not sides:
        outline, middle = [(long - x, y) for x, y in outline], long - middle
    d = lines_path(geometry.turned(outline, angle, at), closed=True)
    mark = sides[0] if len(sides) == 1 else SideMark(0, "ink")
    full = mark.number == 0 and bool(sides)
    (centre,) = geometry.turned([(middle, 0.0)], angle, at)
    colour = canvas.look.colour("white" if full else mark.colour)
    numeral = centred(number, centre, canvas.mm(2.7), face=SERIF_BOLD, colour=colour)
    return (
        canvas.path(d, stroke="white", width=1.2)
        + canvas.path(d, fill=mark.colour if full else "white", stroke=mark.colour, width=0.45)
        + (numeral if number else ())
    )


def flag_quad(at: Point, right: bool, pole: float, canvas: Canvas) -> geometry.Quad:
    x, y = at
    wide, high = canvas.mm(FLAG_WIDE), canvas.mm(pole)
    edge = canvas.mm(0.3)
    left, far = (x - edge, x + wide + edge) if right else (x - wide - edge, x + edge)
    return geometry.quad_of((left, y - high - edge, far, y + edge))


def draw_flag(at: Point, number: int, right: bool, pole: float, canvas: Canvas) -> Drawn:
    """Draws a flag with a number on a pole.

    `at` is the foot of the pole; the flag flies to the `right` or left; `pole` is in mm times the
    grain.
    """
    x, y = at
    top, wide, high = y - canvas.mm(pole), canvas.mm(FLAG_WIDE), canvas.mm(FLAG_HIGH)
    fly = x + (wide if right else -wide)
    cloth = lines_path(geometry.quad_of((x, top, fly, top + high)), closed=True)
    size = canvas.mm(2.6)
    middle = ((x + fly) / 2, top + high / 2)
    pole_line = segments_path([((x, top), (x, y))], places=4)
    return (
        canvas.path(pole_line, stroke="white", width=1.0, cap="round")
        + canvas.path(pole_line, stroke="ink", width=0.42, cap="round")
        + canvas.path(circle_path((x, y), canvas.mm(0.55)), fill="ink")
        + canvas.path(cloth, fill="white", stroke="ink", width=0.4)
        + centred(str(number), middle, size, face=SERIF_BOLD, colour=canvas.look.colour("ink"))
    )


def tag_quad(at: Point, number: int, canvas: Canvas) -> geometry.Quad:
    half = _tag_half(number, canvas)
    high = canvas.mm(TAG)
    return geometry.quad_of((at[0] - half, at[1] - high, at[0] + half, at[1] + high))


def _tag_half(number: int, canvas: Canvas) -> float:
    size = canvas.mm(2.5)
    return max(canvas.mm(TAG), text_width(str(number), size, SERIF_BOLD) / 2 + canvas.mm(0.7))


def draw_tag(at: Point, number: int, foot: Point, canvas: Canvas) -> Drawn:
    """Draws a number in a ring, for a name that has no room on the map, with a line to its thing.

    `foot` is where the thing is.
    """
    half, high, size = _tag_half(number, canvas), canvas.mm(TAG), canvas.mm(2.5)
    ring = lines_path(tag_quad(at, number, canvas), closed=True)
    plate = circle_path(at, high) if half <= high * 1.001 else ring
    away = math.dist(at, foot)
    line: Drawn = ()
    if away > canvas.mm(2.2 * TAG):
        line = canvas.path(segments_path([(foot, at)]), stroke="ink", width=0.18)
        line += canvas.path(circle_path(foot, canvas.mm(0.35)), fill="ink")
    return (
        line
        + canvas.path(plate, fill="white", stroke="ink", width=0.25)
        + centred(str(number), at, size, face=SERIF_BOLD, colour=canvas.look.colour("ink"))
    )


@dataclass(frozen=True, slots=True)
class Station:
    """A zone or an entry on the page; `sides` are those that use it, in the order of the scenario.

    An entry has a `number`. `arrivals` say which sides come there and in which turns: `Union 6,
    12`. If no side comes in at an entry, troops leave there, and its arrow points off the table.
    """

    name: str
    title: str
    sides: tuple[SideMark, ...]
    arrivals: tuple[str, ...] = ()
    entry: Point | None = None
    angle: float = 0.0
    zone: tuple[Point, ...] = ()
    number: int = 0


def stations_of(scenario: Scenario, projection: Projection) -> list[Station]:
    """Projects every zone and entry to the page, in the order of the scenario."""
    stations = []
    numbers = entry_numbers(scenario)
    for name, shown in scenario.places.items():
        using = [
            (SideMark(number, side.colour), side, _turns(side, name))
            for number, side in enumerate(scenario.sides.values())
        ]
        sides = tuple(mark for mark, _, turns in using if turns)
        arrivals = tuple(
            f"{side.title} {', '.join(later)}"
            for _, side, turns in using
            if (later := [turn for turn in turns if turn != "0"])
        )
        if shown.entry is not None:
            at = projection(shown.entry)
            angle = inward(scenario.table, shown.entry)
            number = numbers[name]
            stations.append(Station(name, shown.title, sides, arrivals, at, angle, (), number))
        elif shown.zone is not None:
            corners = geometry.straight([projection(point) for point in shown.zone], closed=True)
            ring = tuple(geometry.flattened(corners, closed=True))
            stations.append(Station(name, shown.title, sides, zone=ring))
    return stations


def entry_numbers(scenario: Scenario) -> dict[str, int]:
    """Numbers the entries, by their ids, after the objectives."""
    entries = [name for name, place in scenario.places.items() if place.entry is not None]
    return {name: number for number, name in enumerate(entries, len(scenario.objectives) + 1)}


def _turns(side: Side, place: str) -> list[str]:
    """Lists the turns in which forces of a side come to a place as texts, those by dice last."""
    there = [force.turn for force in side.forces.values() if force.at == place]
    dice = [turn for turn in there if isinstance(turn, TurnByDice)]
    turns = sorted({turn for turn in there if not isinstance(turn, TurnByDice)})
    return [*map(str, turns), *dict.fromkeys(map(_thrown, dice))]


def _thrown(turn: TurnByDice) -> str:
    """Formats a turn by dice: `3+` if thrown for from turn 3 on, `2 + d6` if itself thrown."""
    if turn.since:
        return f"{turn.since}+"
    if turn.run:
        return gettext("by dice")
    return f"{turn.plus} + {turn.dice}" if turn.plus else str(turn.dice)


def goals_of(scenario: Scenario, projection: Projection, shapes: Sequence[Shape]) -> list[Subject]:
    """Lists the objectives, numbered from 1, with the positions of their features or places."""
    known = {shape.name: shape for shape in shapes}
    goals = []
    for number, (name, objective) in enumerate(scenario.objectives.items(), 1):
        place = scenario.places.get(objective.at)
        if objective.at in known:
            at = foot_of(known[objective.at])
        elif place is not None and place.entry is not None:
            at = projection(place.entry)
        elif place is not None and place.zone is not None:
            at = geometry.centroid([projection(point) for point in place.zone])
        else:
            continue
        goals.append(Subject(name, objective.title, at, number=number))
    return goals


def foot_of(shape: Shape) -> Point:
    """Returns the point at which a flag or number stands for a feature."""
    if shape.is_area and len(shape.points) > 2:
        return anchor_of(shape.points)
    if shape.is_line:
        track = shape.track
        return track.at(track.length / 2)[0]
    return shape.points[0]


def swatch(number: int, colour: str, size: tuple[float, float], *, pitch: float, pen: float) -> str:
    """Draws a rectangle with the hatching of a side as SVG.

    `number` is that of the side, from 0; `size`, `pitch` and the width of the `pen` are in mm.
    """
    wide, high = size
    lines = hatched([geometry.quad_of((0.0, 0.0, wide, high))], number, pitch)
    drawn = path(segments_path(lines), stroke=colour, width=pen)
    width, height = decimal(wide), decimal(high)
    measures = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {measures} aria-hidden="true">'
    return f"{head}{svg_elements(drawn)}</svg>"


#: How wide what cannot be broken is for names, mm times the grain: fences, walls, hedges.
_FENCED = 1.1
#: How strongly names keep off the grid and the lines of a hill.
_GRID, _CONTOUR = 0.12, 1.0
#: What it costs if something crosses the name of a hex, and if that stands elsewhere than usual.
_CROSSED, _ELSEWHERE = 9.0, 0.6
#: Names keep so far off the edges of the table, mm times the grain.
_INSET = 0.5
#: Rings about a thing on which its number is tried: how far, mm times the grain, and how many.
_RINGS = ((0.0, 1), (2.4, 8), (3.8, 12), (5.5, 12), (8.0, 16), (11.0, 20), (15.0, 24), (20.0, 24))


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name on the map, or in several parts in its margin; `name` is the id of what it names."""

    name: str
    title: str
    parts: tuple[LetteredName, ...]

    @property
    def taken(self) -> Iterator[geometry.Quad]:
        """The quads that no other name may meet."""
        return (quad for part in self.parts for quad in part.taken)


@dataclass(frozen=True, slots=True)
class Tag:
    """A number on the map, in a ring or on a flag; `foot` is the point that it refers to."""

    number: int
    at: Point
    foot: Point
    flag: tuple[bool, float] | None = None


@dataclass(frozen=True, slots=True)
class Numbered:
    """What a number on the map stands for, and the square of the grid where it is found."""

    number: int
    name: str
    title: str
    square: str
    objective: bool = False


@dataclass(frozen=True, slots=True)
class MapNames:
    """All lettering of a map; `fixed` are the quads of arrows and symbols, which it leaves free."""

    placed: tuple[PlacedName, ...] = ()
    margin: tuple[PlacedName, ...] = ()
    tags: tuple[Tag, ...] = ()
    numbered: tuple[Numbered, ...] = ()
    fixed: tuple[geometry.Quad, ...] = ()
    tag_quads: tuple[geometry.Quad, ...] = ()

    @property
    def quads(self) -> tuple[geometry.Quad, ...]:
        parts = (part for placed in self.placed for part in placed.parts)
        return tuple(quad for part in parts for quad in part.quads) + self.tag_quads

    def drawn(self, canvas: Canvas) -> Drawn:
        drawn = []
        for kind, names in (("name", self.placed), ("margin", self.margin)):
            for placed in names:
                parts = joined(_leader(part, canvas) + part.drawn() for part in placed.parts)
                drawn.append(group(kind, parts, placed.name))
        for tag in self.tags:
            if tag.flag:
                drawn.append(draw_flag(tag.foot, tag.number, *tag.flag, canvas))
            else:
                drawn.append(draw_tag(tag.at, tag.number, tag.foot, canvas))
        return joined(drawn)


def _leader(lettered: LetteredName, canvas: Canvas) -> Drawn:
    """Draws a thin line from a name to what it names."""
    if lettered.leader is None:
        return ()
    line = canvas.path(segments_path([lettered.leader], places=4), stroke="ink", width=0.2)
    dot = circle_path(lettered.leader[1], canvas.mm(0.4)) if lettered.dotted else ""
    return line + canvas.path(dot, fill="ink")


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing to be named: its title, its position, and the possible places for its name.

    Objectives and things without room for their names have a `number`. `on` are the areas on which
    a point lies.
    """

    name: str
    title: str
    foot: Point
    choices: tuple[Choice, ...] = ()
    weight: float = 1.0
    number: int = 0
    on: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Naming:
    """Places the names, flags and numbers of a map among all that is drawn on it."""

    shapes: Sequence[Shape]
    stations: Sequence[Station]
    goals: Sequence[Subject]
    room: Box
    canvas: Canvas
    grid: SquareGrid
    projection: Projection

    def all(self, *, words: bool) -> MapNames:
        """Places flags, then names if `words` is set, then numbers for names that found no room."""
        arrows = list(self._arrows())
        tags, numbered, taken = self._flags(arrows)
        subjects = self._subjects() if words else []
        margin = tuple(self._margin()) if words else ()
        wanted = self._wanted(subjects, taken) if subjects else []
        fixed = [*arrows, *taken]
        places = [[candidate for _, candidate in choices] for choices in wanted]
        weights = [subject.weight for subject in subjects]
        chosen = place(places, self._inner(), fixed, weights=weights)
        placed: list[PlacedName] = []
        left: list[Subject] = []
        first = max([len(self.goals), *(station.number for station in self.stations)]) + 1
        for subject, choices, number in zip(subjects, wanted, chosen, strict=True):
            if number is None:
                left.append(replace(subject, number=first + len(left)))
            else:
                placed.append(PlacedName(subject.name, subject.title, (choices[number][0],)))
        lettering = [quad for name in placed for quad in name.taken]
        symbols = [quad for _, quad in self._points()]
        more = self._rings(left, [*fixed, *symbols, *lettering])
        named = {placed.name for placed in margin}
        without_place = [
            Numbered(station.number, station.name, station.title, self._square(station.entry))
            for station in self.stations
            if words and station.entry is not None and station.name not in named
        ]
        without_place += (
            Numbered(subject.number, subject.name, subject.title, self._square(subject.foot))
            for subject in left
        )
        return MapNames(
            tuple(placed),
            margin,
            (*tags, *more),
            (*numbered, *without_place),
            (*arrows, *symbols),
            (*taken, *(tag_quad(tag.at, tag.number, self.canvas) for tag in more)),
        )

    def of_hexes(self, names: MapNames) -> Iterator[HexName]:
        """Yields the name of each hex, in the corner where it covers least.

        Leaves out hexes in which no corner is free. `names` are the lettering of the map.
        """
        if not isinstance(self.grid, Hexes):
            return
        taken, drawn = Obstacles(), self._obstacles([])
        lettering = [quad for name in names.placed for quad in name.taken]
        for quad in (*lettering, *names.tag_quads, *names.fixed):
            taken.add_quad("", quad)
        for places in hex_names(self.grid, self.scale, self.room, self.canvas):
            plates = [((place.quad,), None) for place in places]
            free = [cost is not None for cost in taken.costs("", plates)]
            costs = [
                (_CROSSED if cost is None else cost) + (_ELSEWHERE if number else 0.0)
                for number, cost in enumerate(drawn.costs("", plates))
            ]
            open_places = [number for number in range(len(places)) if free[number]]
            if open_places:
                yield places[min(open_places, key=costs.__getitem__)]

    def _wanted(
        self, subjects: Sequence[Subject], taken: Sequence[geometry.Quad]
    ) -> list[list[tuple[LetteredName, Candidate]]]:
        """Returns the possible places for each name, with what they take and cost."""
        obstacles, inner = self._obstacles(taken), self._inner()
        found: list[list[tuple[LetteredName, Candidate]]] = []
        for subject in subjects:
            every = ((lettered, lettered.taken, cost) for lettered, cost in subject.choices)
            choices = [choice for choice in every if in_room(choice[1], inner)]
            plates = [(lettered.quads, lettered.leader) for lettered, _, _ in choices]
            costs = obstacles.costs(subject.name, plates, on=subject.on)
            pairs = zip(choices, costs, strict=True)
            found.append(
                [
                    (lettered, (taken, cost + more))
                    for (lettered, taken, cost), more in pairs
                    if more is not None
                ]
            )
        return found

    def _obstacles(self, taken: Sequence[geometry.Quad]) -> Obstacles:
        """Collects all that is drawn as obstacles for names; `taken` are the quads of flags."""
        found, canvas = Obstacles(), self.canvas
        for quad in (*self._arrows(), *taken, *crossing_quads(self.shapes, canvas)):
            found.add_quad("", quad)
        for name, quad in self._points():
            found.add_quad(name, quad)
        if not isinstance(self.grid, Hexes):
            for line in grid_lines(self.grid, self.scale, self.room):
                found.add_broken("", line, _GRID)
        for station in self.stations:
            if len(station.zone) > 2:
                found.add_outline(station.name, station.zone)
                inner = area_of(station.zone).lines(canvas.mm(_BAND))
                for ring in inner:
                    found.add_broken(station.name, [*ring, ring[0]], ZONE.darkness)
        for shape in self.shapes:
            if len(shape.points) > (1 if shape.is_line else 2):
                self._keep_off(shape, found)
        return found

    def _keep_off(self, shape: Shape, found: Obstacles) -> None:
        canvas = self.canvas
        if shape.is_line:
            wide = 0.4 if shape.kind.width else _FENCED
            found.add_strip(shape.name, shape.points, shape.width + canvas.mm(wide))
        elif shape.is_area:
            if "contours" in shape.kind.keys:
                for ring in contours(shape, canvas):
                    found.add_broken(shape.name, [*ring, ring[0]], _CONTOUR)
            elif not shape.kind.small:
                found.add_outline(shape.name, shape.points, solid=shape.kind.solid)
            named, darkness = bool(shape.feature.title), shape.kind.darkness
            found.add_ground(shape.name, shape.points, darkness, named=named)
            found.add_symbols(shape.name, *symbols_of(shape, canvas))

    @property
    def scale(self) -> Fraction:
        return self.projection.scale

    def _inner(self) -> Box:
        left, top, right, bottom = self.room
        inset = self.canvas.mm(_INSET)
        return left + inset, top + inset, right - inset, bottom - inset

    def _square(self, at: Point) -> str:
        scale = float(self.scale)
        x, y = (at[0] - self.room[0]) / scale, (self.room[3] - at[1]) / scale
        return self.grid.square(Fraction(x), Fraction(y))

    def _points(self) -> Iterator[tuple[str, geometry.Quad]]:
        """Yields the quads of point symbols and of buildings, each with its feature's name."""
        reach = self.canvas.mm(0.9)
        for shape in self.shapes:
            if shape.kind.outline == "point" and shape.kind.pictures:
                x, y = shape.points[0]
                yield shape.name, geometry.quad_of((x - reach, y - reach, x + reach, y + reach))
            elif shape.kind.small and len(shape.points) > 2:
                yield shape.name, geometry.quad_of(geometry.box_of(shape.points))

    def _arrows(self) -> Iterator[geometry.Quad]:
        for station in self.stations:
            if station.entry is not None:
                yield arrow_quad(station.entry, station.angle, self.canvas)

    def _flags(
        self, arrows: Sequence[geometry.Quad]
    ) -> tuple[list[Tag], list[Numbered], list[geometry.Quad]]:
        """Places a flag for each objective, or a number in a ring where arrows leave no room.

        Returns the flags, what their numbers stand for, and the quads they cover.
        """
        ways = [(right, POLE + more) for more in (0.0, FLAG_HIGH, -1.6) for right in (True, False)]
        wanted = [
            [
                ((flag_quad(goal.foot, right, pole, self.canvas),), float(number))
                for number, (right, pole) in enumerate(ways)
            ]
            for goal in self.goals
        ]
        chosen = place(wanted, self.room, arrows)
        tags: list[Tag] = []
        taken: list[geometry.Quad] = []
        for goal, number in zip(self.goals, chosen, strict=True):
            if number is not None:
                tags.append(Tag(goal.number, goal.foot, goal.foot, ways[number]))
                taken += wanted[goal.number - 1][number][0]
        for goal, number in zip(self.goals, chosen, strict=True):
            if number is None:
                for tag in self._rings([goal], [*arrows, *taken]):
                    tags.append(tag)
                    taken.append(tag_quad(tag.at, tag.number, self.canvas))
        numbered = [
            Numbered(goal.number, goal.name, goal.title, self._square(goal.foot), objective=True)
            for goal in self.goals
        ]
        return tags, numbered, taken

    def _rings(self, left: Sequence[Subject], taken: Sequence[geometry.Quad]) -> list[Tag]:
        """Places a number in a ring for each thing without room for its name, as near as possible.

        `taken` are the quads that rings must not meet.
        """
        places = [list(self._around(subject.foot)) for subject in left]
        wanted = [
            [
                ((tag_quad(at, subject.number, self.canvas),), math.dist(at, subject.foot))
                for at in around
            ]
            for subject, around in zip(left, places, strict=True)
        ]
        chosen = place(wanted, self._inner(), taken)
        return [
            Tag(subject.number, around[index], subject.foot)
            for subject, around, index in zip(left, places, chosen, strict=True)
            if index is not None
        ]

    def _around(self, foot: Point) -> Iterator[Point]:
        for away, count in _RINGS:
            for index in range(count):
                angle = 2 * math.pi * index / count
                reach = self.canvas.mm(away)
                yield foot[0] + reach * math.cos(angle), foot[1] + reach * math.sin(angle)

    def _subjects(self) -> list[Subject]:
        subjects = [self._zone(station) for station in self.stations if station.zone]
        largest: dict[tuple[str, str], Shape] = {}
        for shape in self.shapes:
            if shape.feature.title and not self._named_by_entry(shape):
                key = (shape.feature.draw, shape.feature.title)
                if key not in largest or _extent(shape) > _extent(largest[key]):
                    largest[key] = shape
        subjects += [self._feature(shape) for shape in largest.values()]
        return subjects

    def _named_by_entry(self, shape: Shape) -> bool:
        """Whether a road has the same name as the entry by which it comes onto the map."""
        title = (shape.feature.title or "").casefold()
        near = self.canvas.mm(4.0)
        return shape.is_line and any(
            station.entry is not None
            and station.title.casefold() == title
            and shape.track.nearest(station.entry)[0] <= near
            for station in self.stations
        )

    def _feature(self, shape: Shape) -> Subject:
        kind, title = shape.kind, shape.feature.title or ""
        hand = Hand(kind.style, self.canvas.look)
        if shape.is_line:
            choices = line_choices(title, shape.track, shape.width, hand)
        elif shape.is_area and len(shape.points) > 2:
            choices = area_choices(title, shape.points, hand)
        elif not kind.pictures:
            choices = label_choices(title, shape.points[0], hand)
        else:
            choices = point_choices(title, shape.points[0], self.canvas.mm(0.9), hand)
        foot, on = foot_of(shape), frozenset[str]()
        if kind.small:
            areas = (shape for shape in self.shapes if shape.is_area and len(shape.points) > 2)
            on = frozenset(area.name for area in areas if geometry.is_inside(foot, [area.points]))
        return Subject(shape.name, title, foot, tuple(choices), kind.weight, on=on)

    def _zone(self, station: Station) -> Subject:
        hand = self._hand(ZONE.style, station)
        choices = tuple(area_choices(station.title, station.zone, hand))
        foot = anchor_of(station.zone)
        return Subject(station.name, station.title, foot, choices, ZONE.weight)

    def _hand(self, style: NameStyle, station: Station) -> Hand:
        """Returns lettering in the colour of the only side that uses a place, otherwise in ink."""
        colour = station.sides[0].colour if len(station.sides) == 1 else "ink"
        return Hand(replace(style, colour=colour), self.canvas.look)

    def _margin(self) -> Iterator[PlacedName]:
        """Yields the names of entries in the margin, beside their edges."""
        for angle in (0.0, 90.0, 180.0, 270.0):
            axis = 0 if angle in (90.0, 270.0) else 1
            here = [
                (station.entry[axis], station)
                for station in self.stations
                if station.entry is not None and station.angle == angle
            ]
            yield from self._edge(sorted(here, key=lambda item: item[0]), angle)

    def _edge(self, here: list[tuple[float, Station]], angle: float) -> Iterator[PlacedName]:
        """Yields names along an edge, each as near to its arrow as possible, with the arrivals.

        `here` are the entries with their positions, `angle` is the direction of their arrows. If
        there is no room for all, arrivals are left out, then the longest names.
        """
        left, top, right, bottom = self.room
        across = angle in (90.0, 270.0)
        low, high = (left, right) if across else (top, bottom)
        for with_arrivals in (True, False):
            while here:
                labels = [self._station_words(station, with_arrivals) for _, station in here]
                wide = [sum(self._width(*part, across) for part in parts) for parts in labels]
                wanted = [(at, width) for (at, _), width in zip(here, wide, strict=True)]
                starts = spread(wanted, low, high, self.canvas.mm(2.0))
                if starts is not None:
                    for (_, station), parts, start, width in zip(
                        here, labels, starts, wide, strict=True
                    ):
                        lettered = tuple(self._set(parts, start, width, angle))
                        yield PlacedName(station.name, station.title, lettered)
                    return
                if with_arrivals:
                    break
                del here[wide.index(max(wide))]

    def _station_words(self, station: Station, with_arrivals: bool) -> list[tuple[str, Hand]]:
        """Returns the parts of a name in the margin, each a text with its lettering."""
        parts = [(f"{station.number}\u2002{station.title}", self._hand(ENTRY, station))]
        if with_arrivals and station.arrivals:
            parts.append(("\u2002" + "; ".join(station.arrivals), self._hand(ARRIVALS, station)))
        return parts

    @staticmethod
    def _width(text: str, hand: Hand, across: bool) -> float:
        """Computes the length of a text; letters below each other (not `across`) are not kerned."""
        if across:
            return hand.width(text)
        return sum(text_width(letter, hand.size, hand.style.face) for letter in text)

    def _set(
        self, parts: Sequence[tuple[str, Hand]], start: float, wide: float, angle: float
    ) -> Iterator[LetteredName]:
        """Sets the parts of a name in a row: level above and below the map, upward at its sides.

        The row begins at `start` and is `wide` long, in mm along the edge with the arrow's `angle`.
        """
        left, top, right, bottom = self.room
        away, high = self.canvas.mm(MARGIN + 0.9), parts[0][1].size * CAP_HEIGHT
        if angle in (90.0, 270.0):
            base = top - away if angle == 90.0 else bottom + away + high
            for text, hand in parts:
                yield LetteredName(hand, lines=((text, (start, base)),))
                start += hand.width(text)
            return
        base, end = (left - away if angle == 0.0 else right + away + high), start + wide
        beyond = max(wide, 1.0)
        for text, hand in parts:
            long = self._width(text, hand, across=False)
            track = geometry.MeasuredLine.from_points(
                [(base, end + beyond), (base, start - beyond)]
            )
            bent = along(text, hand, track, end + beyond - (end - long / 2))
            if bent is not None:
                yield bent[0]
            end -= long


def spread(
    wanted: Sequence[tuple[float, float]], low: float, high: float, gap: float
) -> list[float] | None:
    """Places things in a row from `low` to `high`, each as near to its wanted position as possible.

    `wanted` are their middles and widths in order; `gap` is kept between them. Returns where each
    begins; None if there is no room.
    """
    starts, edge = [], low
    for middle, wide in wanted:
        starts.append(max(edge, middle - wide / 2))
        edge = starts[-1] + wide + gap
    edge = high
    for number in reversed(range(len(wanted))):
        starts[number] = min(starts[number], edge - wanted[number][1])
        edge = starts[number] - gap
    return None if starts and starts[0] < low else starts


def _extent(shape: Shape) -> float:
    if shape.is_line:
        return shape.track.length
    return abs(geometry.signed_area(shape.points)) if len(shape.points) > 2 else 0.0
