"""All that has a name on a map -> names in their places, flags, and numbers for what had no room.

Flags of objectives are placed first, then names. A name that finds no place has a number in a ring
on the map and stands beside it; if even that has no room, the square of the grid tells where it is.
Nothing is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.maps.canvas import Canvas, group
from rulebook.maps.features import ENTRY, KINDS, OUTLINE_DARKNESS, ZONE, Projection, Shape
from rulebook.maps.frame import Grid
from rulebook.maps.geometry import Box, Point, Quad, box_of, distance, quad_of, signed_area
from rulebook.maps.lettering import (
    Candidate,
    Choice,
    Darkness,
    Hand,
    Lettered,
    Wanted,
    area_choices,
    beside_quad,
    label_choices,
    line_choices,
    place,
    point_choices,
)
from rulebook.maps.marks import (
    FLAG_HIGH,
    POLE,
    Goal,
    Station,
    arrow_quad,
    draw_flag,
    draw_tag,
    flag_quad,
    foot_of,
    tag_quad,
)

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
    at: Point
    foot: Point
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
    fixed: tuple[Quad, ...] = ()
    tag_quads: tuple[Quad, ...] = ()

    @property
    def quads(self) -> tuple[Quad, ...]:
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
    foot: Point
    choices: tuple[Choice, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Naming:
    """What names are placed among."""

    shapes: Sequence[Shape]
    stations: Sequence[Station]
    goals: Sequence[Goal]
    room: Box
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

    def _inner(self) -> Box:
        left, top, right, bottom = self.room
        inset = self.canvas.mm(_INSET)
        return left + inset, top + inset, right - inset, bottom - inset

    def _square(self, at: Point) -> str:
        scale = float(self.projection.scale)
        x, y = (at[0] - self.room[0]) / scale, (self.room[3] - at[1]) / scale
        return self.grid.square(Fraction(x), Fraction(y))

    def _fixed(self) -> Iterator[Quad]:
        """What no name may cover: arrows, buildings, and the symbols of points."""
        yield from self._arrows()
        reach = self.canvas.mm(0.9)
        for shape in self.shapes:
            if shape.kind == "point":
                x, y = shape.points[0]
                yield quad_of((x - reach, y - reach, x + reach, y + reach))
            elif shape.kind == "building" and len(shape.points) > 2:
                yield quad_of(box_of(shape.points))

    def _arrows(self) -> Iterator[Quad]:
        for station in self.stations:
            if station.entry is not None:
                yield arrow_quad(station.entry, station.angle, self.canvas)

    def _flags(self, arrows: Sequence[Quad]) -> tuple[list[Tag], list[Numbered], list[Quad]]:
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
        taken: list[Quad] = []
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

    def _rings(self, left: Sequence[Subject], first: int, taken: Sequence[Quad]) -> list[Tag]:
        """Numbers for what has no room for its name, as near to it as they can be."""
        places = [list(self._around(subject.foot)) for subject in left]
        wanted = [
            Wanted(
                tuple(
                    Candidate((tag_quad(at, number, self.canvas),), distance(at, subject.foot))
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

    def _around(self, foot: Point) -> Iterator[Point]:
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
    return abs(signed_area(shape.points)) if len(shape.points) > 2 else 0.0
