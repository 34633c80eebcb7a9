"""The places and objectives of a scenario -> where they are on the page, and whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.maps.curves import flattened, straight
from rulebook.maps.geometry import Box, Point, centroid
from rulebook.maps.marks import SideMark, inward
from rulebook.maps.naming import anchor_of
from rulebook.maps.shaping import Projection, Shape
from rulebook.model.scenarios import Scenario, Side


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
    entry: Point | None = None
    angle: float = 0.0
    zone: tuple[Point, ...] = ()

    @property
    def anchor(self) -> Point:
        return self.entry if self.entry is not None else anchor_of(self.zone)


@dataclass(frozen=True, slots=True)
class Goal:
    """An objective on the page, with the number of its flag."""

    number: int
    name: str
    title: str
    at: Point


def stations_of(
    scenario: Scenario, projection: Projection, room: Box, *, zones: bool, entries: bool
) -> list[Station]:
    """Every place that is shown, in the order of the scenario."""
    stations = []
    for name, place in scenario.places.items():
        using = [
            (SideMark(number, side.colour), side, _turns(side, name))
            for number, side in enumerate(scenario.sides.values())
        ]
        sides = tuple(mark for mark, _, turns in using if turns)
        arrivals = tuple(
            f"{side.title} {', '.join(map(str, later))}"
            for _, side, turns in using
            if (later := [turn for turn in turns if turn])
        )
        if place.entry is not None and entries:
            at = projection(place.entry)
            angle = inward(at, room)
            stations.append(Station(name, place.title, sides, arrivals, at, angle))
        elif place.zone is not None and zones:
            corners = straight([projection(point) for point in place.zone], closed=True)
            ring = tuple(flattened(corners, closed=True))
            stations.append(Station(name, place.title, sides, zone=ring))
    return stations


def _turns(side: Side, place: str) -> list[int]:
    return sorted({force.turn for force in side.forces.values() if force.at == place})


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
            at = centroid([projection(point) for point in place.zone])
        else:
            continue
        goals.append(Goal(number, name, objective.title, at))
    return goals


def foot_of(shape: Shape) -> Point:
    """Where a flag or a number stands for a feature."""
    if shape.is_area and len(shape.points) > 2:
        return anchor_of(shape.points)
    if shape.is_line:
        track = shape.track
        return track.at(track.length / 2)[0]
    return shape.points[0]
