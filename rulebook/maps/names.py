"""Zones, entries, objectives, all that has a name -> hatchings, arrows, flags, names, numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.drawing.svg import decimal
from rulebook.maps import geometry
from rulebook.maps.areas import area_of
from rulebook.maps.canvas import (
    Canvas,
    Look,
    centred,
    circle_path,
    group,
    lines_path,
    path,
    segments_path,
)
from rulebook.maps.features import ENTRY, KINDS, OUTLINE_DARKNESS, ZONE, Projection, Shape
from rulebook.maps.frame import Grid
from rulebook.maps.lettering import (
    Candidate,
    Choice,
    Darkness,
    Hand,
    Lettered,
    Wanted,
    anchor_of,
    area_choices,
    beside_quad,
    label_choices,
    line_choices,
    place,
    point_choices,
)
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
_LONG, _SHAFT, _HEAD, _HEAD_LONG = 8.2, 1.7, 4.4, 3.7
FLAG_WIDE, FLAG_HIGH, POLE = 4.0, 2.9, 6.0
TAG = 1.75


@dataclass(frozen=True, slots=True)
class SideMark:
    """How what belongs to a side is drawn: which of them it is, from 0, and its colour."""

    number: int
    colour: str


def hatched(
    rings: Sequence[Sequence[geometry.Point]], side: int, pitch: float
) -> list[geometry.Segment]:
    """The lines of the hatching of a side, by its number, `pitch` mm apart."""
    angles = HATCHINGS[side % len(HATCHINGS)]
    return [line for angle in angles for line in geometry.hatching(rings, angle, pitch)]


def draw_zone(ring: Sequence[geometry.Point], sides: Sequence[SideMark], canvas: Canvas) -> str:
    """A zone with the hatching of each of its sides along its edge; the ground stays to be seen."""
    drawn = []
    band = area_of(tuple(ring)).lines(canvas.mm(_BAND))
    for side in sides:
        lines = canvas.off_names(hatched([ring, *band], side.number, canvas.mm(_PITCH)))
        drawn.append(canvas.path(segments_path(lines), stroke=side.colour, width=0.24))
    colour = sides[0].colour if len(sides) == 1 else "ink"
    outline = canvas.broken(ring) or lines_path(ring, closed=True)
    drawn.append(canvas.path(outline, stroke="white", width=1.1))
    drawn.append(canvas.path(outline, stroke=colour, width=0.55, dash=(2.4, 0.9)))
    return "".join(drawn)


def inward(at: geometry.Point, room: geometry.Box) -> float:
    """The direction into the map from the edge that is nearest, in degrees clockwise from right."""
    x, y = at
    ways = ((x - room[0], 0.0), (room[2] - x, 180.0), (y - room[1], 90.0), (room[3] - y, 270.0))
    return min(ways)[1]


def arrow_quad(at: geometry.Point, angle: float, canvas: Canvas) -> geometry.Quad:
    half = canvas.mm(_HEAD / 2)
    return geometry.turned_quad(at, (0.0, -half, canvas.mm(_LONG), half), angle)


def draw_arrow(at: geometry.Point, angle: float, sides: Sequence[SideMark], canvas: Canvas) -> str:
    """An arrow that comes onto the map: solid for the first side, hatched or open for others.

    Where no side comes in, troops go out, and so does the arrow.
    """
    shaft, head = canvas.mm(_SHAFT / 2), canvas.mm(_HEAD / 2)
    long, neck = canvas.mm(_LONG), canvas.mm(_LONG - _HEAD_LONG)
    outline = [
        (0.0, -shaft),
        (neck, -shaft),
        (neck, -head),
        (long, 0.0),
        (neck, head),
        (neck, shaft),
        (0.0, shaft),
    ]
    if not sides:
        outline = [(long - x, y) for x, y in outline]
    ring = geometry.turned(outline, angle, at)
    d = lines_path(ring, closed=True)
    one = sides[0] if len(sides) == 1 else SideMark(0, "ink")
    halo = canvas.path(d, stroke="white", width=0.9)
    if one.number == 0:
        return halo + canvas.path(d, fill=one.colour, stroke=one.colour, width=0.3)
    lines = hatched([ring], one.number, canvas.mm(0.75)) if one.number > 1 else []
    return (
        halo
        + canvas.path(d, fill="white")
        + canvas.path(segments_path(lines), stroke=one.colour, width=0.24)
        + canvas.path(d, stroke=one.colour, width=0.5)
    )


def flag_quad(at: geometry.Point, right: bool, pole: float, canvas: Canvas) -> geometry.Quad:
    x, y = at
    wide, high = canvas.mm(FLAG_WIDE), canvas.mm(pole)
    edge = canvas.mm(0.3)
    left, far = (x - edge, x + wide + edge) if right else (x - wide - edge, x + edge)
    return geometry.quad_of((left, y - high - edge, far, y + edge))


def draw_flag(at: geometry.Point, number: int, right: bool, pole: float, canvas: Canvas) -> str:
    """A flag on its pole, with its number."""
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


def tag_quad(at: geometry.Point, number: int, canvas: Canvas) -> geometry.Quad:
    half = _tag_half(number, canvas)
    high = canvas.mm(TAG)
    return geometry.quad_of((at[0] - half, at[1] - high, at[0] + half, at[1] + high))


def _tag_half(number: int, canvas: Canvas) -> float:
    size = canvas.mm(2.5)
    return max(canvas.mm(TAG), text_width(str(number), size, SERIF_BOLD) / 2 + canvas.mm(0.7))


def draw_tag(at: geometry.Point, number: int, foot: geometry.Point, canvas: Canvas) -> str:
    """A number in a ring for a name that is told beside the map, with a line to its thing."""
    half, high, size = _tag_half(number, canvas), canvas.mm(TAG), canvas.mm(2.5)
    ring = lines_path(tag_quad(at, number, canvas), closed=True)
    plate = circle_path(at, high) if half <= high * 1.001 else ring
    away = math.dist(at, foot)
    line = ""
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
    """A zone or an entry on the page; its sides in the order of the scenario.

    `arrivals` tells who comes there and in which turns: `Union 6, 12`. Where nobody comes in one
    goes out, so that its arrow points off the table.
    """

    name: str
    title: str
    sides: tuple[SideMark, ...]
    arrivals: tuple[str, ...] = ()
    entry: geometry.Point | None = None
    angle: float = 0.0
    zone: tuple[geometry.Point, ...] = ()

    @property
    def anchor(self) -> geometry.Point:
        return self.entry if self.entry is not None else anchor_of(self.zone)


@dataclass(frozen=True, slots=True)
class Goal:
    """An objective on the page, with the number of its flag."""

    number: int
    name: str
    title: str
    at: geometry.Point


def stations_of(
    scenario: Scenario, projection: Projection, room: geometry.Box, *, zones: bool, entries: bool
) -> list[Station]:
    """Every place that is shown, in the order of the scenario."""
    stations = []
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
        if shown.entry is not None and entries:
            at = projection(shown.entry)
            angle = inward(at, room)
            stations.append(Station(name, shown.title, sides, arrivals, at, angle))
        elif shown.zone is not None and zones:
            corners = geometry.straight([projection(point) for point in shown.zone], closed=True)
            ring = tuple(geometry.flattened(corners, closed=True))
            stations.append(Station(name, shown.title, sides, zone=ring))
    return stations


def _turns(side: Side, place: str) -> list[str]:
    """Turns in which forces come to a place; what dice decide behind the others."""
    there = [force.turn for force in side.forces.values() if force.at == place]
    dice = [turn for turn in there if isinstance(turn, TurnByDice)]
    turns = sorted({turn for turn in there if not isinstance(turn, TurnByDice)})
    return [*map(str, turns), *dict.fromkeys(map(_thrown, dice))]


def _thrown(turn: TurnByDice) -> str:
    """`3+` for a turn from which on it is thrown, `2 + d6` for one that is thrown itself."""
    if turn.since:
        return f"{turn.since}+"
    if turn.run:
        return gettext("by dice")
    return f"{turn.plus} + {turn.dice}" if turn.plus else str(turn.dice)


def goals_of(scenario: Scenario, projection: Projection, shapes: Sequence[Shape]) -> list[Goal]:
    """The objectives, numbered from 1, each where its feature or place is."""
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
        goals.append(Goal(number, name, objective.title, at))
    return goals


def foot_of(shape: Shape) -> geometry.Point:
    """Where a flag or a number stands for a feature."""
    if shape.is_area and len(shape.points) > 2:
        return anchor_of(shape.points)
    if shape.is_line:
        track = shape.track
        return track.at(track.length / 2)[0]
    return shape.points[0]


def side_colour(name: str) -> str:
    """The colour of a side as '#rrggbb': dark enough for words on white, and for white on it."""
    return Look().colour(name)


def swatch(number: int, colour: str, size: tuple[float, float], *, pitch: float, pen: float) -> str:
    """A rectangle of so many mm with the hatching of the side of a number (from 0), as an SVG."""
    wide, high = size
    lines = hatched([geometry.quad_of((0.0, 0.0, wide, high))], number, pitch)
    drawn = path(segments_path(lines), stroke=colour, width=pen)
    wide_told, high_told = decimal(wide), decimal(high)
    measures = f'width="{wide_told}mm" height="{high_told}mm" viewBox="0 0 {wide_told} {high_told}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {measures} aria-hidden="true">{drawn}</svg>'


#: What a square of a line under a name costs, and an area all under it.
_LINE, _AREA = 0.22, 3.0
_INSET = 0.5
#: Rings about a thing on which its number is tried: how far, mm times the grain, and how many.
_RINGS = ((0.0, 1), (2.4, 8), (3.8, 12), (5.5, 12), (8.0, 16), (11.0, 20), (15.0, 24), (20.0, 24))


@dataclass(frozen=True, slots=True)
class Placed:
    """A name on the map, by what it names."""

    name: str
    title: str
    lettered: Lettered


@dataclass(frozen=True, slots=True)
class Tag:
    """A number on the map, in a ring or on a flag; `foot` is where its thing is."""

    number: int
    at: geometry.Point
    foot: geometry.Point
    flag: tuple[bool, float] | None = None


@dataclass(frozen=True, slots=True)
class Numbered:
    """What a number on the map stands for, and the square of the grid in which to look for it."""

    number: int
    name: str
    title: str
    square: str
    objective: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """All lettering of a map; `fixed` are the quads of arrows and symbols that it leaves free."""

    placed: tuple[Placed, ...] = ()
    tags: tuple[Tag, ...] = ()
    numbered: tuple[Numbered, ...] = ()
    fixed: tuple[geometry.Quad, ...] = ()
    tag_quads: tuple[geometry.Quad, ...] = ()

    @property
    def quads(self) -> tuple[geometry.Quad, ...]:
        return tuple(quad for one in self.placed for quad in one.lettered.quads) + self.tag_quads

    def drawn(self, canvas: Canvas) -> str:
        drawn = [group("name", [one.lettered.drawn()], one.name) for one in self.placed]
        for tag in self.tags:
            if tag.flag:
                drawn.append(draw_flag(tag.foot, tag.number, *tag.flag, canvas))
            else:
                drawn.append(draw_tag(tag.at, tag.number, tag.foot, canvas))
        return "".join(drawn)


@dataclass(frozen=True, slots=True)
class Subject:
    """Something to be named: its words, where it is, and the places for its name."""

    name: str
    title: str
    foot: geometry.Point
    choices: tuple[Choice, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Naming:
    """What names are placed among."""

    shapes: Sequence[Shape]
    stations: Sequence[Station]
    goals: Sequence[Goal]
    room: geometry.Box
    canvas: Canvas
    grid: Grid
    projection: Projection

    def all(self, *, words: bool) -> Names:
        """Flags, then names if there are to be `words`, then numbers for what is left."""
        fixed = list(self._fixed())
        tags, numbered, taken = self._flags(list(self._arrows()))
        subjects = self._subjects() if words else []
        wanted = self._wanted(subjects) if subjects else []
        mesh = self.canvas.mm(8.0)
        chosen = place(wanted, self._inner(), [*fixed, *taken], mesh=mesh)
        placed = [
            Placed(subject.name, subject.title, subject.choices[number][0])
            for subject, number in zip(subjects, chosen, strict=True)
            if number is not None
        ]
        left = [subject for subject, number in zip(subjects, chosen, strict=True) if number is None]
        lettering = [quad for one in placed for quad in one.lettered.quads]
        first = len(self.goals) + 1
        more = self._rings(left, first, [*fixed, *taken, *lettering])
        told = [
            Numbered(number, subject.name, subject.title, self._square(subject.foot))
            for number, subject in enumerate(left, first)
        ]
        return Names(
            tuple(placed),
            (*tags, *more),
            (*numbered, *told),
            tuple(fixed),
            (*taken, *(tag_quad(tag.at, tag.number, self.canvas) for tag in more)),
        )

    def _wanted(self, subjects: Sequence[Subject]) -> list[Wanted]:
        """The places for each name, those on lines dearer."""
        darkness = self._darkness()
        found = []
        for subject in subjects:
            candidates = []
            for lettered, cost in subject.choices:
                lines, areas = darkness.under(lettered.quads)
                candidates.append(Candidate(lettered.quads, cost + _LINE * lines + _AREA * areas))
            found.append(Wanted(tuple(candidates), subject.weight))
        return found

    def _inner(self) -> geometry.Box:
        left, top, right, bottom = self.room
        inset = self.canvas.mm(_INSET)
        return left + inset, top + inset, right - inset, bottom - inset

    def _square(self, at: geometry.Point) -> str:
        scale = float(self.projection.scale)
        x, y = (at[0] - self.room[0]) / scale, (self.room[3] - at[1]) / scale
        return self.grid.square(Fraction(x), Fraction(y))

    def _fixed(self) -> Iterator[geometry.Quad]:
        """What no name may cover: arrows, buildings, and the symbols of points."""
        yield from self._arrows()
        reach = self.canvas.mm(0.9)
        for shape in self.shapes:
            if shape.kind == "point":
                x, y = shape.points[0]
                yield geometry.quad_of((x - reach, y - reach, x + reach, y + reach))
            elif shape.kind == "building" and len(shape.points) > 2:
                yield geometry.quad_of(geometry.box_of(shape.points))

    def _arrows(self) -> Iterator[geometry.Quad]:
        for station in self.stations:
            if station.entry is not None:
                yield arrow_quad(station.entry, station.angle, self.canvas)

    def _flags(
        self, arrows: Sequence[geometry.Quad]
    ) -> tuple[list[Tag], list[Numbered], list[geometry.Quad]]:
        """A flag for each objective, its foot at it; as a ring where it has no room for arrows."""
        ways = [(right, POLE + more) for more in (0.0, FLAG_HIGH, -1.6) for right in (True, False)]
        wanted = [
            Wanted(
                tuple(
                    Candidate((flag_quad(goal.at, right, pole, self.canvas),), float(number))
                    for number, (right, pole) in enumerate(ways)
                )
            )
            for goal in self.goals
        ]
        chosen = place(wanted, self.room, arrows)
        tags: list[Tag] = []
        taken: list[geometry.Quad] = []
        for goal, number in zip(self.goals, chosen, strict=True):
            if number is not None:
                tags.append(Tag(goal.number, goal.at, goal.at, ways[number]))
                taken += wanted[goal.number - 1].candidates[number].quads
        for goal, number in zip(self.goals, chosen, strict=True):
            if number is None:
                subject = Subject(goal.name, goal.title, goal.at, (), 1.0)
                for tag in self._rings([subject], goal.number, [*arrows, *taken]):
                    tags.append(tag)
                    taken.append(tag_quad(tag.at, tag.number, self.canvas))
        told = [
            Numbered(goal.number, goal.name, goal.title, self._square(goal.at), objective=True)
            for goal in self.goals
        ]
        return tags, told, taken

    def _rings(
        self, left: Sequence[Subject], first: int, taken: Sequence[geometry.Quad]
    ) -> list[Tag]:
        """Numbers for what has no room for its name, as near to it as they can be."""
        places = [list(self._around(subject.foot)) for subject in left]
        wanted = [
            Wanted(
                tuple(
                    Candidate(
                        (tag_quad(at, number, self.canvas),), geometry.distance(at, subject.foot)
                    )
                    for at in around
                )
            )
            for number, (subject, around) in enumerate(zip(left, places, strict=True), first)
        ]
        chosen = place(wanted, self._inner(), taken)
        return [
            Tag(number, around[index], subject.foot)
            for number, (subject, around, index) in enumerate(
                zip(left, places, chosen, strict=True), first
            )
            if index is not None
        ]

    def _around(self, foot: geometry.Point) -> Iterator[geometry.Point]:
        for away, count in _RINGS:
            for index in range(count):
                angle = 2 * math.pi * index / count
                reach = self.canvas.mm(away)
                yield foot[0] + reach * math.cos(angle), foot[1] + reach * math.sin(angle)

    def _darkness(self) -> Darkness:
        darkness = Darkness(self.canvas.mm(0.6), self.room[2], self.room[3])
        for shape in self.shapes:
            if shape.is_line:
                darkness.add_line(shape.points, KINDS[shape.kind].darkness, shape.width)
            elif shape.is_area:
                darkness.add_line([*shape.points, shape.points[0]], OUTLINE_DARKNESS)
                if weight := KINDS[shape.kind].darkness:
                    darkness.add_area(shape.points, weight)
        for station in self.stations:
            if station.zone:
                darkness.add_line([*station.zone, station.zone[0]], ZONE.darkness)
        return darkness

    def _subjects(self) -> list[Subject]:
        subjects = [self._station(station) for station in self.stations]
        largest: dict[tuple[str, str], Shape] = {}
        for shape in self.shapes:
            if shape.feature.title and not self._named_by_entry(shape):
                key = (shape.kind, shape.feature.title)
                if key not in largest or _extent(shape) > _extent(largest[key]):
                    largest[key] = shape
        subjects += [self._feature(shape) for shape in largest.values()]
        return subjects

    def _named_by_entry(self, shape: Shape) -> bool:
        """Whether a road bears the name of the entry by which it comes onto the map."""
        title = (shape.feature.title or "").casefold()
        near = self.canvas.mm(4.0)
        return shape.is_line and any(
            station.entry is not None
            and station.title.casefold() == title
            and shape.track.nearest(station.entry)[0] <= near
            for station in self.stations
        )

    def _feature(self, shape: Shape) -> Subject:
        kind, title = KINDS[shape.kind], shape.feature.title or ""
        hand = Hand(kind.style, self.canvas.look)
        if shape.is_line:
            choices = line_choices(title, shape.track, shape.width, hand)
        elif shape.is_area and len(shape.points) > 2:
            choices = area_choices(title, shape.points, hand)
        elif shape.kind == "label":
            choices = label_choices(title, shape.points[0], hand)
        else:
            choices = point_choices(title, shape.points[0], self.canvas.mm(0.9), hand)
        return Subject(shape.name, title, foot_of(shape), tuple(choices), kind.weight)

    def _station(self, station: Station) -> Subject:
        colour = station.sides[0].colour if len(station.sides) == 1 else "ink"
        title, kind = station.title, ZONE if station.entry is None else ENTRY
        hand = Hand(replace(kind.style, colour=colour), self.canvas.look)
        if station.entry is None:
            choices = area_choices(title, station.zone, hand)
        else:
            quad = arrow_quad(station.entry, station.angle, self.canvas)
            choices = beside_quad([title, *station.arrivals], quad, hand)
        return Subject(station.name, title, station.anchor, tuple(choices), kind.weight)


def _extent(shape: Shape) -> float:
    if shape.is_line:
        return shape.track.length
    return abs(geometry.signed_area(shape.points)) if len(shape.points) > 2 else 0.0
