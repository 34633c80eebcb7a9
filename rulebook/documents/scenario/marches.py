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
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby, pairwise
from typing import Any

from rulebook import quantities
from rulebook.documents.scenario.forces import by_dice, place_title, word
from rulebook.documents.scenario.maps import ground_on, ground_words, on_table
from rulebook.drawing.elements import Point
from rulebook.maps import geometry
from rulebook.maps.areas import ground_of, lengths_over
from rulebook.model.forces import Speeds, paces, units_known, units_of
from rulebook.model.map_features import AREA_KINDS, ROADS
from rulebook.model.maps import Feature, Map
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario, TurnByDice

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
    """A way on the table: how far along roads, mm, and its straight pieces across country."""

    on_road: float
    off: tuple[geometry.Segment, ...] = ()

    @property
    def off_road(self) -> float:
        """How far it leads across country, mm."""
        return sum(math.dist(start, end) for start, end in self.off)

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


def marches(ruleset: Ruleset, name: str) -> tuple[March, ...]:
    """From every place where forces stand or come in to every objective, in their order."""
    scenario = ruleset.scenarios[name]
    network = Network(scenario.map, scenario.table.inch.mm)
    known = paces(ruleset, scenario)
    grounds = _grounds(scenario, known.values())
    found = []
    for place in scenario.places:
        units = _kinds(ruleset, scenario, place)
        for aim, objective in scenario.objectives.items() if units else ():
            way = network.way(middle_of(scenario, place), middle_of(scenario, objective.at))
            turns = {
                unit: turns_for(*_parts(way, known[unit], grounds))
                for unit in units
                if unit in known
            }
            found.append(March(place, aim, way, turns))
    return tuple(found)


#: By side, force and objective, the first turn in which the force can be there; None where the
#: pace of one of its units is not known.
Earliest = Mapping[tuple[str, str, str], int | None]


def earliest(ruleset: Ruleset, name: str, found: Sequence[March]) -> Earliest:
    """When each force can be at each objective, but those that stand where their side likes.

    A force that comes in a turn marches in that turn, one that comes by dice in the first in which
    it may come, and one that is there at the start in the first. It is as fast as its slowest unit.
    """
    scenario, dice = ruleset.scenarios[name], by_dice(ruleset, name)
    reached: dict[tuple[str, str, str], int | None] = {}
    for side_id, side in scenario.sides.items():
        for force_id, force in side.forces.items():
            turn = force.turn
            first = dice[side_id, force_id].first if isinstance(turn, TurnByDice) else turn
            units = units_of(ruleset, scenario, force)
            for march in found:
                if march.place == force.at:
                    known = all(unit in march.turns for unit in units)
                    needed = max(1, *map(march.turns.__getitem__, units)) if known else 0
                    turns = max(first, 1) + needed - 1 if known else None
                    reached[side_id, force_id, march.objective] = turns
    return reached


def _grounds(scenario: Scenario, known: Iterable[Speeds]) -> dict[str, Any]:
    """The areas of the map over which some unit has a pace of its own, by the ground they are."""
    named = {ground for speeds in known for ground, _ in speeds.over}
    found = defaultdict(list)
    for feature in scenario.map.features.values():
        if feature.ground in named and feature.draw in AREA_KINDS:
            found[str(feature.ground)].append(ground_on(scenario, feature))
    return {name: ground_of(rings) for name, rings in found.items()}


def _parts(
    way: Way, speeds: Speeds, grounds: Mapping[str, Any]
) -> Iterator[tuple[float, quantities.Length]]:
    """The parts of a way, mm, each with the pace there; where grounds overlap the slowest counts.

    `grounds` are areas of the map by the ground that they are.
    """
    paces_over = {str(ground): pace for ground, pace in speeds.over if str(ground) in grounds}
    if not paces_over and speeds.off.mm == speeds.road.mm:
        yield way.length, speeds.road
        return
    yield way.on_road, speeds.road
    names = sorted(paces_over, key=lambda name: (paces_over[name].mm, name))
    lengths = lengths_over(way.off, [grounds[name] for name in names])
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
    """A straight piece of a road, and half of what it is wide; parts of it go from 0 to 1."""

    start: Point
    end: Point
    reach: float

    def nearest(self, point: Point) -> tuple[float, float]:
        """How far a point is from it, and at what part of it that is nearest."""
        return geometry.to_segment(point, self.start, self.end)

    def at(self, part: float) -> Point:
        return geometry.between(self.start, self.end, part)

    def leaving(self, point: Point) -> set[float]:
        """Parts at which one may leave it for a point, of which one is the best."""
        away, foot = self.nearest(point)
        length = math.dist(self.start, self.end)
        off = away * _LEAVING / length if length else 0.0
        return {0.0, 1.0, foot} | {part for part in (foot - off, foot + off) if 0 < part < 1}

    def joints(self, other: _RoadPiece, near: float) -> Iterator[tuple[float, float]]:
        """The parts of both at which they are joined: where they cross, or ends near the other."""
        mine, theirs = (self.start, self.end), (other.start, other.end)
        crossed = geometry.meeting(mine, theirs)
        if crossed is not None:
            yield crossed, geometry.meeting(theirs, mine) or 0.0
            return
        ends = [(part, other.nearest(self.at(part))[1]) for part in (0.0, 1.0)]
        ends += [(self.nearest(other.at(part))[1], part) for part in (0.0, 1.0)]
        for here, there in ends:
            if math.dist(self.at(here), other.at(there)) <= near:
                yield here, there


class Network:
    """The roads of a map, joined where they meet, and ways over them."""

    def __init__(self, map_: Map, inch: Fraction = quantities.MILLIMETRES["in"]) -> None:
        """The network of the roads and tracks of a map; `inch` is that of its table, in mm."""
        features = map_.features.values()
        self._pieces = pieces = [piece for feature in features for piece in _road_pieces(feature)]
        self._cuts: list[set[float]] = [{0.0, 1.0} for _ in pieces]
        #: Where one goes from piece to piece, and whether that is on the road.
        self._links: list[tuple[Point, Point, bool]] = []
        joined = [{number} for number in range(len(pieces))]
        near = _JOINED * float(inch)
        for first, second in combinations(range(len(pieces)), 2):
            one, other = pieces[first], pieces[second]
            away = max(near, one.reach, other.reach)
            for here, there in one.joints(other, away) if _are_near(one, other, away) else ():
                self._join((first, here), (second, there), road=True)
                together = joined[first] | joined[second]
                for number in together:
                    joined[number] = together
        self._bridge_gaps(joined)

    def _join(self, one: tuple[int, float], other: tuple[int, float], *, road: bool) -> None:
        """Cuts two pieces, given by their numbers, at parts of them, and links them there."""
        for number, part in (one, other):
            self._cuts[number].add(part)
        start, end = (self._pieces[number].at(part) for number, part in (one, other))
        self._links.append((start, end, road))

    def _bridge_gaps(self, joined: Sequence[set[int]]) -> None:
        """Links each loose end, across country, to the nearest road that none leads to from it.

        So a march goes on where roads end at two sides of a town, or of a ford.
        """
        pieces = self._pieces
        ends = Counter(point for piece in pieces for point in (piece.start, piece.end))
        for number, piece in enumerate(pieces):
            apart = [index for index in range(len(pieces)) if index not in joined[number]]
            for part in (0.0, 1.0) if apart else ():
                end = piece.at(part)
                if ends[end] == 1:
                    nearest = min(apart, key=lambda index: pieces[index].nearest(end)[0])
                    there = pieces[nearest].nearest(end)[1]
                    self._join((number, part), (nearest, there), road=False)

    def way(self, start: Point, end: Point) -> Way:
        """The way from one point to another on which road and twice the rest are the least."""
        edges: dict[Point, dict[Point, bool]] = defaultdict(dict)

        def link(here: Point, there: Point, *, road: bool) -> None:
            if here != there:
                on_road = road or edges[here].get(there, False)
                edges[here][there] = edges[there][here] = on_road

        link(start, end, road=False)
        for piece, cuts in zip(self._pieces, self._cuts, strict=True):
            parts = set(cuts)
            for point in (start, end):
                leaving = piece.leaving(point)
                parts |= leaving
                for part in leaving:
                    link(point, piece.at(part), road=False)
            for low, high in pairwise(sorted(parts)):
                link(piece.at(low), piece.at(high), road=True)
        for here, there, road in self._links:
            link(here, there, road=road)
        return _shortest(edges, start, end)


def _are_near(one: _RoadPiece, other: _RoadPiece, away: float) -> bool:
    """Whether two pieces may be within `away` of each other, by their boxes."""
    left, low, right, high = geometry.box_of((one.start, one.end))
    around = (left - away, low - away, right + away, high + away)
    return geometry.boxes_meet(around, geometry.box_of((other.start, other.end)))


def _shortest(edges: Mapping[Point, Mapping[Point, bool]], start: Point, end: Point) -> Way:
    """The way over edges, some on the road, that costs the least (Dijkstra)."""
    best: dict[Point, float] = {start: 0.0}
    before: dict[Point, Point] = {}
    waiting: list[tuple[float, Point]] = [(0.0, start)]
    while waiting:
        cost, here = heapq.heappop(waiting)
        if here == end:
            break
        for there, road in edges[here].items() if cost <= best[here] else ():
            reached = cost + math.dist(here, there) * (1 if road else OFF_ROAD)
            if reached < best.get(there, math.inf):
                best[there], before[there] = reached, here
                heapq.heappush(waiting, (reached, there))
    points = [end]
    while points[-1] != start:
        points.append(before[points[-1]])
    on_road, off = 0.0, []
    for here, there in pairwise(reversed(points)):
        if edges[here][there]:
            on_road += math.dist(here, there)
        else:
            off.append((here, there))
    return Way(on_road, tuple(off))


def _road_pieces(feature: Feature) -> Iterable[_RoadPiece]:
    if feature.draw not in ROADS or feature.line is None:
        return ()
    reach = float(feature.width.mm) / 2 if feature.width else 0.0
    return (_RoadPiece(*ends, reach) for ends in pairwise(on_table(feature.line)))


@dataclass(frozen=True, slots=True)
class MarchTable:
    """Rows of a table on marches, each with the number of its side, if it has one, and its title.

    `title` is that of the place from which the ways lead, if they lead from one.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[int | None, str, tuple[str, ...]], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class MarchesView:
    """All marches; `unknown` are the kinds of units whose pace is not known.

    The rows of `ways` from each place are objectives, with the distance, how much of it is off the
    roads, and turns by kinds of units; of many kinds some stand in a second table. `earliest` has
    the first turns in which forces can be at objectives; if `late`, some of these are after the
    end. `paces` are those of kinds of units on roads, off them and over grounds, where they are not
    the same everywhere. `zones`: some force starts in one.
    """

    unknown: tuple[str, ...]
    ways: tuple[MarchTable, ...]
    earliest: tuple[MarchTable, ...]
    late: bool
    paces: MarchTable | None
    zones: bool


#: Objectives side by side in a table of the earliest turns.
MOST_SIDE_BY_SIDE = 4
#: Paces side by side in a table of the ways.
MOST_PACES = 4


def marches_view(ruleset: Ruleset, name: str) -> MarchesView | None:
    """The marches of a scenario; None where there is nowhere to march from or to, or no pace."""
    scenario = ruleset.scenarios[name]
    found, known = marches(ruleset, name), paces(ruleset, scenario)
    there, titles = _kinds(ruleset, scenario), units_known(ruleset, scenario)
    units = [unit for unit in there if any(unit in march.turns for march in found)]
    if not units:
        return None
    last, reached = scenario.length.turns or math.inf, earliest(ruleset, name, found)
    forces = [force for side in scenario.sides.values() for force in side.forces.values()]
    return MarchesView(
        unknown=tuple(titles[unit].title for unit in there if unit not in known),
        ways=tuple(_ways(ruleset, scenario, found, last)),
        earliest=tuple(_earliest(scenario, reached, last)),
        late=any(turn and turn > last for turn in reached.values()),
        paces=_pace_table(ruleset, scenario, units),
        zones=any(at.zone for force in forces if (at := scenario.places.get(force.at))),
    )


def _pace_table(ruleset: Ruleset, scenario: Scenario, units: Sequence[str]) -> MarchTable | None:
    """A table of paces on roads, off them and over grounds; None if all are the same."""
    known, titles = paces(ruleset, scenario), units_known(ruleset, scenario)
    speeds = {unit: known[unit] for unit in units}
    features = scenario.map.features.values()
    there = {feature.ground for feature in features if feature.draw in AREA_KINDS}
    named = dict.fromkeys(ground for speed in speeds.values() for ground, _ in speed.over)
    grounds = [ground for ground in named if ground in there]
    if not grounds and all(speed.off.mm == speed.road.mm for speed in speeds.values()):
        return None
    rows: dict[tuple[str, ...], list[str]] = {}
    for unit, speed in speeds.items():
        over = dict(speed.over)
        lengths = (speed.road, speed.off, *(over.get(ground, speed.off) for ground in grounds))
        rows.setdefault(tuple(map(str, lengths)), []).append(titles[unit].title)
    return MarchTable(
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
) -> Iterator[MarchTable]:
    """From each place one table with a column for each pace, or more where there are many.

    Nothing is said of a way from a place to itself, or of one that is longer than the battle.
    """
    known, units = paces(ruleset, scenario), units_known(ruleset, scenario)
    for place, leading in groupby(found, key=lambda march: march.place):
        marches_from = list(leading)
        columns: dict[tuple[object, ...], list[str]] = {}
        for unit in marches_from[0].turns:
            speed = known[unit]
            over = tuple((ground, pace.mm) for ground, pace in speed.over)
            columns.setdefault((speed.road.mm, speed.off.mm, over), []).append(unit)
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
                yield MarchTable(shown, tuple(rows), place_title(scenario, place))


def short_names(columns: Sequence[Sequence[str]]) -> list[str]:
    """How columns of units are headed: `Line battalion, Light battalion` as `Battalion`.

    The last word of titles stands for them if no other column has a title that ends in it.
    """
    heads = []
    ends = [[title.rsplit(maxsplit=1)[-1].casefold() for title in titles] for titles in columns]
    for titles, own in zip(columns, ends, strict=True):
        elsewhere = {end for column in ends if column is not own for end in column}
        short = [
            word(end) if own.count(end) > 1 and end not in elsewhere else title
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
    """A distance in whole inches, or in centimetres on a metric table."""
    metric = scenario.table.width.unit in ("mm", "cm", "m")
    number = round(millimetres / (10 if metric else quantities.MM_PER_INCH))
    return str(quantities.Length(Fraction(number), "cm" if metric else "in"))


def _earliest(scenario: Scenario, reached: Earliest, last: float) -> Iterator[MarchTable]:
    """A row for each force whose paces are known; a dash stands for a turn after the last."""
    forces = dict.fromkeys((side, force) for (side, force, _), turn in reached.items() if turn)
    names, numbers = list(scenario.objectives), list(scenario.sides)
    for start in range(0, len(names) if forces else 0, MOST_SIDE_BY_SIDE):
        aims = names[start : start + MOST_SIDE_BY_SIDE]
        rows = []
        for side, force in forces:
            turns = [reached.get((side, force, aim)) or math.inf for aim in aims]
            cells = (str(turn) if turn <= last else quantities.EN_DASH for turn in turns)
            title = scenario.sides[side].forces[force].title
            rows.append((numbers.index(side), title, tuple(cells)))
        heads = tuple(scenario.objectives[aim].title for aim in aims)
        yield MarchTable(heads, tuple(rows))
