"""A scenario -> how far it is from each entry to each objective, and when a force can be there.

Troops march along roads and tracks where there are any, and straight across country to the
nearest of them, and from where one ends to the next. In the choice of a way what lies off the
roads counts double, so that a road is taken though it bends, and not though it leads around the
whole table. Its parts take as long as each unit's pace along roads, off them and over the ground of
areas says. What the enemy costs, and ground without such a pace, is left out: these are the fewest
turns, not those that it will take.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby, pairwise

from rulebook import quantities
from rulebook.documents.scenario import views
from rulebook.documents.scenario.forces import by_dice, place_title, word
from rulebook.documents.scenario.maps import ground_on, ground_words, on_table
from rulebook.drawing.elements import Point
from rulebook.maps import geometry
from rulebook.maps.areas import Grounds
from rulebook.model.forces import Speeds, paces, units_known, units_of
from rulebook.model.map_features import AREA_KINDS, ROADS
from rulebook.model.maps import Feature, Map
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Force, Scenario, TurnByDice

#: In the choice of a way, an inch off the roads counts as so many on them.
OFF_ROAD = 2
#: Ways that pass each other as near as this are joined, in inches; or by half the width of the
#: wider.
_JOINED = 0.2
#: Of the distance off the road, how far before the nearest place one leaves it: Snell's law for
#: two kinds of ground.
_LEAVING = 1 / math.sqrt(OFF_ROAD**2 - 1)


@dataclass(frozen=True, slots=True)
class Way:
    """A way on the table, mm: how far along roads, how far across country, and its places.

    `off` are its straight pieces across country.
    """

    on_road: float
    off_road: float
    places: tuple[Point, ...]
    off: tuple[geometry.Segment, ...] = ()

    @property
    def length(self) -> float:
        return self.on_road + self.off_road


@dataclass(frozen=True, slots=True)
class March:
    """From an entry, or the middle of a zone, to an objective: the way, and turns by unit."""

    place: str
    objective: str
    way: Way
    turns: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Earliest:
    """When a force can first be at an objective; None where the pace of a unit is not known."""

    side: str
    force: str
    objective: str
    turn: int | None


def marches(ruleset: Ruleset, name: str) -> tuple[March, ...]:
    """From every place where forces stand or come in to every objective, in their order."""
    scenario = ruleset.scenarios[name]
    network = Network(scenario.map, scenario.table.inch.mm)
    known = paces(ruleset, scenario)
    grounds = _grounds(scenario, known.values())
    found = []
    for place_id in scenario.places:
        units = _kinds(ruleset, scenario, place_id)
        if not units:
            continue
        start = middle_of(scenario, place_id)
        for objective_id, objective in scenario.objectives.items():
            way = network.way(start, middle_of(scenario, objective.at))
            turns = {
                unit: turns_for(*_parts(way, known[unit], grounds))
                for unit in units
                if unit in known
            }
            found.append(March(place_id, objective_id, way, turns))
    return tuple(found)


def earliest(ruleset: Ruleset, name: str, found: Sequence[March]) -> tuple[Earliest, ...]:
    """For each force, but those that stand where their side likes, when it can be where.

    A force that comes in a turn marches in that turn, one that comes by dice in the first in which
    it may come, and one that is there at the start in the first.
    It is as fast as its slowest unit.
    """
    scenario, dice = ruleset.scenarios[name], by_dice(ruleset, name)
    reached_by = []
    for side_id, side in scenario.sides.items():
        for force_id, force in side.forces.items():
            turn = force.turn
            first = dice[side_id, force_id].first if isinstance(turn, TurnByDice) else turn
            for march in found:
                if march.place == force.at:
                    needed = _turns_of(ruleset, scenario, force, march)
                    reached = None if needed is None else max(first, 1) + needed - 1
                    reached_by.append(Earliest(side_id, force_id, march.objective, reached))
    return tuple(reached_by)


def _turns_of(ruleset: Ruleset, scenario: Scenario, force: Force, march: March) -> int | None:
    units = units_of(ruleset, scenario, force)
    if not all(unit in march.turns for unit in units):
        return None
    return max(1, *(march.turns[unit] for unit in units))


def _grounds(scenario: Scenario, known: Iterable[Speeds]) -> Grounds:
    """The areas of the map over which some unit has a pace of its own, as they are drawn."""
    named = {ground for speeds in known for ground, _ in speeds.over}
    found: dict[str, list[list[Point]]] = {}
    for feature in scenario.map.features.values():
        if feature.ground in named and feature.draw in AREA_KINDS:
            found.setdefault(str(feature.ground), []).append(ground_on(scenario, feature))
    return Grounds(found)


def _parts(way: Way, speeds: Speeds, grounds: Grounds) -> Iterator[tuple[float, quantities.Length]]:
    """The parts of a way, each with the pace there; where grounds overlap the slowest counts."""
    paces_over = {str(ground): pace for ground, pace in speeds.over}
    names = sorted({*grounds} & paces_over.keys(), key=lambda name: (paces_over[name].mm, name))
    if not names and speeds.off.mm == speeds.road.mm:
        yield way.length, speeds.road
        return
    yield way.on_road, speeds.road
    lengths = grounds.lengths(way.off, names)
    yield from zip(lengths, [*map(paces_over.__getitem__, names), speeds.off], strict=True)


def turns_for(*parts: tuple[float, quantities.Length]) -> int:
    """Turns that parts of a way, mm, take at their paces; a thousandth of a mm is forgiven."""
    turns = sum(Fraction(round(length * 1000), 1000) / pace.mm for length, pace in parts)
    return math.ceil(turns - Fraction(1, 10**6))


def middle_of(scenario: Scenario, at: str) -> Point:
    """The middle of a feature or place: of an area, or halfway along a line."""
    place = scenario.places.get(at)
    if place is not None:
        return geometry.centroid(on_table(filter(None, place.zone or (place.entry,))))
    feature = scenario.map.features[at]
    if feature.line:
        line = geometry.MeasuredLine.from_points(on_table(feature.line))
        return line.at(line.length / 2)[0]
    return geometry.centroid(on_table(feature.points))


@dataclass(frozen=True, slots=True)
class _RoadPiece:
    """A straight piece of a road, and half of what it is wide."""

    start: Point
    end: Point
    reach: float

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    def nearest(self, place: Point) -> tuple[float, float]:
        """How far a place is from it, and at what part of it, from 0 to 1, it is nearest."""
        return geometry.to_segment(place, self.start, self.end)

    def at(self, part: float) -> Point:
        return geometry.between(self.start, self.end, part)

    def leaving(self, place: Point) -> Iterator[float]:
        """Parts at which one may leave it for a place, of which one is the best."""
        away, foot = self.nearest(place)
        yield from (0.0, foot, 1.0)
        if self.length:
            off = away * _LEAVING / self.length
            yield from (part for part in (foot - off, foot + off) if 0 < part < 1)


class Network:
    """The roads of a map, joined where they meet, and ways over them."""

    def __init__(self, map_: Map, inch: Fraction = quantities.MILLIMETRES["in"]) -> None:
        """The network of the roads and tracks of a map; `inch` is that of its table, in mm."""
        self._stretches = [
            stretch for feature in map_.features.values() for stretch in _stretches(feature)
        ]
        self._near = _JOINED * float(inch)
        self._cuts: list[set[float]] = [{0.0, 1.0} for _ in self._stretches]
        self._links: list[tuple[Point, Point]] = []
        #: For each stretch all that it is joined to, itself among them.
        self._joined = [{number} for number in range(len(self._stretches))]
        for first, second in combinations(range(len(self._stretches)), 2):
            self._join(first, second)
        self._gaps = list(self._gaps_between())

    def _join(self, first: int, second: int) -> None:
        """Cut two stretches where they cross, and link ends that are near the other."""
        one, other = self._stretches[first], self._stretches[second]
        near = max(self._near, one.reach, other.reach)
        left, low, right, high = geometry.box_of((one.start, one.end))
        around = (left - near, low - near, right + near, high + near)
        if not geometry.boxes_meet(around, geometry.box_of((other.start, other.end))):
            return
        mine, theirs = (one.start, one.end), (other.start, other.end)
        crossed = geometry.meeting(mine, theirs)
        pairs = [(part, other.nearest(one.at(part))[1]) for part in (0.0, 1.0)]
        pairs += [(one.nearest(other.at(part))[1], part) for part in (0.0, 1.0)]
        if crossed is not None:
            pairs = [(crossed, geometry.meeting(theirs, mine) or 0.0)]
        for here, there in pairs:
            if crossed is not None or math.dist(one.at(here), other.at(there)) <= near:
                self._cuts[first].add(here)
                self._cuts[second].add(there)
                self._links.append((one.at(here), other.at(there)))
                joined = self._joined[first] | self._joined[second]
                for number in joined:
                    self._joined[number] = joined

    def _gaps_between(self) -> Iterator[tuple[Point, Point]]:
        """From each loose end, across country, to the nearest road that none leads to from it.

        So a march goes on where roads end at two sides of a town, or of a ford.
        """
        ends = Counter(
            place for stretch in self._stretches for place in (stretch.start, stretch.end)
        )
        for one, joined in zip(self._stretches, self._joined, strict=True):
            apart = [n for n in range(len(self._stretches)) if n not in joined]
            for place in (one.start, one.end) if apart else ():
                if ends[place] == 1:
                    nearest = min(apart, key=lambda n: self._stretches[n].nearest(place)[0])
                    other = self._stretches[nearest]
                    part = other.nearest(place)[1]
                    self._cuts[nearest].add(part)
                    yield place, other.at(part)

    def way(self, start: Point, end: Point) -> Way:
        """The way from one place to another on which road and twice the rest are the least."""
        edges: dict[Point, dict[Point, tuple[float, bool]]] = {}

        def link(one: Point, other: Point, *, road: bool) -> None:
            length = math.dist(one, other)
            for here, there in ((one, other), (other, one)):
                known = edges.setdefault(here, {}).get(there)
                if known is None or _cost(length, road) < _cost(*known):
                    edges[here][there] = (length, road)

        link(start, end, road=False)
        for stretch, cuts in zip(self._stretches, self._cuts, strict=True):
            parts = set(cuts)
            for place in (start, end):
                leaving = set(stretch.leaving(place))
                parts |= leaving
                for part in leaving:
                    if stretch.at(part) != place:
                        link(place, stretch.at(part), road=False)
            for low, high in pairwise(sorted(parts)):
                if stretch.at(low) != stretch.at(high):
                    link(stretch.at(low), stretch.at(high), road=True)
        for one, other in self._links:
            if one != other:
                link(one, other, road=True)
        for one, other in self._gaps:
            link(one, other, road=False)
        return _shortest(edges, start, end)


def _cost(length: float, road: bool) -> float:
    return length if road else OFF_ROAD * length


def _shortest(
    edges: Mapping[Point, Mapping[Point, tuple[float, bool]]], start: Point, end: Point
) -> Way:
    """Dijkstra's way over the edges."""
    best: dict[Point, float] = {start: 0.0}
    before: dict[Point, Point] = {}
    waiting: list[tuple[float, Point]] = [(0.0, start)]
    while waiting:
        cost, place = heapq.heappop(waiting)
        if place == end:
            break
        if cost > best[place]:
            continue
        for other, edge in edges.get(place, {}).items():
            reached = cost + _cost(*edge)
            if reached < best.get(other, math.inf):
                best[other], before[other] = reached, place
                heapq.heappush(waiting, (reached, other))
    places = [end]
    while places[-1] != start:
        places.append(before[places[-1]])
    places.reverse()
    walked = [edges[one][other] for one, other in pairwise(places)]
    on_road = sum(length for length, road in walked if road)
    off_road = sum(length for length, road in walked if not road)
    pieces = zip(pairwise(places), walked, strict=True)
    off = tuple(piece for piece, (_, road) in pieces if not road)
    return Way(on_road, off_road, tuple(places), off)


def _stretches(feature: Feature) -> Iterable[_RoadPiece]:
    if feature.draw not in ROADS or feature.line is None:
        return ()
    reach = float(feature.width.mm) / 2 if feature.width else 0.0
    return (_RoadPiece(*ends, reach) for ends in pairwise(on_table(feature.line)))


#: Objectives side by side in a table of the earliest turns.
MOST_SIDE_BY_SIDE = 4
#: Paces side by side in a table of the ways.
MOST_PACES = 4


def marches_view(ruleset: Ruleset, name: str) -> views.MarchesView | None:
    """The marches of a scenario; None where there is nowhere to march from or to, or no pace."""
    scenario = ruleset.scenarios[name]
    found, known = marches(ruleset, name), paces(ruleset, scenario)
    there, titles = _kinds(ruleset, scenario), units_known(ruleset, scenario)
    units = [unit for unit in there if any(unit in march.turns for march in found)]
    if not units:
        return None
    last, reached = scenario.length.turns or math.inf, earliest(ruleset, name, found)
    forces = [force for side in scenario.sides.values() for force in side.forces.values()]
    return views.MarchesView(
        unknown=tuple(titles[unit].title for unit in there if unit not in known),
        ways=tuple(_ways(ruleset, scenario, found, last)),
        earliest=tuple(_earliest(scenario, [one for one in reached if one.turn], last)),
        late=any(one.turn and one.turn > last for one in reached),
        paces=_pace_table(ruleset, scenario, units),
        zones=any(at.zone for force in forces if (at := scenario.places.get(force.at))),
    )


def _pace_table(
    ruleset: Ruleset, scenario: Scenario, units: Sequence[str]
) -> views.MarchTable | None:
    """How far units march where, if that is not the same everywhere on this map."""
    known, titles = paces(ruleset, scenario), units_known(ruleset, scenario)
    speeds = {unit: known[unit] for unit in units}
    there = {*_grounds(scenario, speeds.values())}
    named = dict.fromkeys(ground for speed in speeds.values() for ground, _ in speed.over)
    grounds = [ground for ground in named if str(ground) in there]
    if not grounds and all(speed.off.mm == speed.road.mm for speed in speeds.values()):
        return None
    rows: dict[tuple[str, ...], list[str]] = {}
    for unit, one in speeds.items():
        over = dict(one.over)
        lengths = (one.road, one.off, *(over.get(ground, one.off) for ground in grounds))
        rows.setdefault(tuple(map(str, lengths)), []).append(titles[unit].title)
    return views.MarchTable(
        tuple(ground_words(ruleset, ground).title for ground in grounds),
        tuple((None, ", ".join(listed), lengths) for lengths, listed in rows.items()),
    )


def _kinds(ruleset: Ruleset, scenario: Scenario, place: str | None = None) -> list[str]:
    """The kinds of units in the scenario, or at one place of it, in the order of the ruleset."""
    there: set[str] = set()
    for side in scenario.sides.values():
        for force in side.forces.values():
            if place in (None, force.at):
                there |= units_of(ruleset, scenario, force).keys()
    return [unit for unit in units_known(ruleset, scenario) if unit in there]


def _ways(
    ruleset: Ruleset, scenario: Scenario, found: Sequence[March], last: float
) -> Iterator[views.MarchTable]:
    """From each place one table with a column for each pace, or more where there are many.

    Nothing is said of a way from a place to itself, or of one that is longer than the battle.
    """
    known, units = paces(ruleset, scenario), units_known(ruleset, scenario)
    for place, leading in groupby(found, key=lambda march: march.place):
        marches_from = list(leading)
        columns: dict[tuple[object, ...], list[str]] = {}
        for unit in marches_from[0].turns:
            one = known[unit]
            over = tuple((ground, pace.mm) for ground, pace in one.over)
            columns.setdefault((one.road.mm, one.off.mm, over), []).append(unit)
        listed = list(columns.values())
        heads = short_names([[units[unit].title for unit in column] for column in listed])
        for start in range(0, len(listed), MOST_PACES):
            chosen = [column[0] for column in listed[start : start + MOST_PACES]]
            rows = [
                _row(scenario, march, chosen)
                for march in marches_from
                if march.way.length >= 1 and min(march.turns[unit] for unit in chosen) <= last
            ]
            if rows:
                shown = tuple(heads[start : start + MOST_PACES])
                yield views.MarchTable(shown, tuple(rows), place_title(scenario, place))


def short_names(columns: Sequence[Sequence[str]]) -> list[str]:
    """How columns of units are headed: `Line battalion, Light battalion` as `Battalion`.

    The last word of titles stands for them if no other column has a title that ends in it.
    """
    heads = []
    ends = [[title.rsplit(maxsplit=1)[-1].casefold() for title in titles] for titles in columns]
    for titles, own in zip(columns, ends, strict=True):
        others = {end for column in ends if column is not own for end in column}
        short = [
            word(end) if own.count(end) > 1 and end not in others else title
            for title, end in zip(titles, own, strict=True)
        ]
        heads.append(", ".join(dict.fromkeys(short)))
    return heads


def _row(
    scenario: Scenario, march: March, units: Sequence[str]
) -> tuple[None, str, tuple[str, ...]]:
    lengths = (march.way.length, march.way.off_road)
    cells = [rounded_distance(scenario, length) for length in lengths]
    turns = [str(march.turns[unit]) for unit in units]
    return None, scenario.objectives[march.objective].title, (*cells, *turns)


def rounded_distance(scenario: Scenario, millimetres: float) -> str:
    """Whole inches, or centimetres on a table that is measured in metres."""
    metric = scenario.table.width.unit in ("mm", "cm", "m")
    number = round(millimetres / (10 if metric else quantities.MM_PER_INCH))
    return str(quantities.Length(Fraction(number), "cm" if metric else "in"))


def _earliest(
    scenario: Scenario, found: Sequence[Earliest], last: float
) -> Iterator[views.MarchTable]:
    """A dash stands for a turn after the last."""
    turns = {(one.side, one.force, one.objective): one.turn or 0 for one in found}
    forces = list(dict.fromkeys((one.side, one.force) for one in found))
    numbers = {side: number for number, side in enumerate(scenario.sides)}
    names = list(scenario.objectives)
    for start in range(0, len(names) if forces else 0, MOST_SIDE_BY_SIDE):
        chosen = names[start : start + MOST_SIDE_BY_SIDE]
        rows = []
        for side, force in forces:
            reached = [turns.get((side, force, one), math.inf) for one in chosen]
            cells = (str(turn) if turn <= last else quantities.EN_DASH for turn in reached)
            title = scenario.sides[side].forces[force].title
            rows.append((numbers[side], title, tuple(cells)))
        heads = tuple(scenario.objectives[one].title for one in chosen)
        yield views.MarchTable(heads, tuple(rows))
