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
from rulebook.documents.scenario.forces import Battle, word
from rulebook.documents.scenario.maps import ground_on, ground_words, on_table
from rulebook.drawing.elements import Point
from rulebook.maps import geometry
from rulebook.maps.areas import ground_of, lengths_over
from rulebook.model.forces import Speeds, units_of
from rulebook.model.map_features import AREA_KINDS, ROADS
from rulebook.model.maps import Feature, Map
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
    """A way on the table: its length along roads in mm, and its straight pieces across country."""

    on_road: float
    off: tuple[geometry.Segment, ...] = ()

    @property
    def off_road(self) -> float:
        """The length of the way off the roads, in mm."""
        return sum(math.dist(start, end) for start, end in self.off)

    @property
    def length(self) -> float:
        return self.on_road + self.off_road


@dataclass(frozen=True, slots=True)
class March:
    """The way from an entry, or the middle of a zone, to an objective, and its turns by unit."""

    place: str
    objective: str
    way: Way
    turns: Mapping[str, int]


def marches(battle: Battle) -> tuple[March, ...]:
    """Computes the march from each place where forces stand or come in to each objective.

    Each has its way and, for each kind of unit there with a known pace, the number of turns.
    """
    scenario, known = battle.scenario, battle.paces
    network = Network(scenario.map, scenario.table.inch.mm)
    grounds = _grounds(scenario, known.values())
    found = []
    for place in scenario.places:
        units = _kinds(battle, place)
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


def earliest(battle: Battle, found: Sequence[March]) -> Earliest:
    """Computes the first turn in which each force can be at each objective.

    `found` are all marches of the battle. A force marches from the turn in which it comes, or may
    first come by dice; one that is there at the start marches from turn 1. It is as fast as its
    slowest unit, and its turn is None if a pace is unknown. Forces that are set up anywhere are
    left out.
    """
    reached: dict[tuple[str, str, str], int | None] = {}
    for side_id, side in battle.scenario.sides.items():
        for force_id, force in side.forces.items():
            turn = force.turn
            if isinstance(turn, TurnByDice):
                turn = battle.dice[side_id, force_id].first
            units = units_of(battle.ruleset, battle.scenario, force)
            for march in found:
                if march.place == force.at:
                    known = all(unit in march.turns for unit in units)
                    needed = max(1, *map(march.turns.__getitem__, units)) if known else 0
                    turns = max(turn, 1) + needed - 1 if known else None
                    reached[side_id, force_id, march.objective] = turns
    return reached


def _grounds(scenario: Scenario, known: Iterable[Speeds]) -> dict[str, Any]:
    """Returns the areas of the map over which some unit has a pace of its own, by kind of ground.

    `known` are the paces of the units.
    """
    named = {ground for speeds in known for ground, _ in speeds.over}
    found = defaultdict(list)
    for feature in scenario.map.features.values():
        if feature.ground in named and feature.draw in AREA_KINDS:
            found[str(feature.ground)].append(ground_on(scenario, feature))
    return {name: ground_of(rings) for name, rings in found.items()}


def _parts(
    way: Way, speeds: Speeds, grounds: Mapping[str, Any]
) -> Iterator[tuple[float, quantities.Length]]:
    """Divides a way by the ground it leads over; yields the length in mm and the pace of each part.

    `grounds` are the areas of the map by kind of ground. Where areas overlap the slowest pace
    counts.
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
    """Returns the number of turns that a way takes.

    Each of its `parts` is a length in mm and the pace there. The sum is rounded up, but a millionth
    of a turn is neglected.
    """
    turns = sum(Fraction(round(length * 1000), 1000) / pace.mm for length, pace in parts)
    return math.ceil(turns - Fraction(1, 10**6))


def middle_of(scenario: Scenario, at: str) -> Point:
    """Returns the middle of the place or feature with the id `at`, in mm on the table.

    It is the point halfway along a line, and the centroid of anything else.
    """
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
    """A straight piece of a road; `reach` is half its width. Its parts go from 0 (start) to 1."""

    start: Point
    end: Point
    reach: float

    def nearest(self, point: Point) -> tuple[float, float]:
        """Returns the distance of a point from the piece in mm, and the position nearest to it.

        Positions on the piece go from 0 at its start to 1 at its end.
        """
        return geometry.to_segment(point, self.start, self.end)

    def at(self, part: float) -> Point:
        return geometry.between(self.start, self.end, part)

    def leaving(self, point: Point) -> set[float]:
        """Returns where on the piece, from 0 to 1, the cheapest way to a point may leave the road.

        These are its ends, the spot nearest to the point, and the best spots before and behind
        that.
        """
        away, foot = self.nearest(point)
        length = math.dist(self.start, self.end)
        off = away * _LEAVING / length if length else 0.0
        return {0.0, 1.0, foot} | {part for part in (foot - off, foot + off) if 0 < part < 1}

    def joints(self, other: _RoadPiece, near: float) -> Iterator[tuple[float, float]]:
        """Yields the spots at which two pieces are joined, as positions on each from 0 to 1.

        They are joined where they cross or, if they do not, where an end of one is at most `near`
        mm from the other.
        """
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
    """The roads of a map, joined where they meet, for finding ways along them."""

    def __init__(self, map_: Map, inch: Fraction = quantities.MILLIMETRES["in"]) -> None:
        """Joins the roads and tracks of a map to a network; `inch` is the table's inch, in mm.

        Roads are joined where they meet or nearly meet, and loose ends are linked across country.
        """
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
        """Adds a link between two road pieces, each given by its number and a position from 0 to 1.

        Both pieces are divided there. `road` tells whether the link counts as a road.
        """
        for number, part in (one, other):
            self._cuts[number].add(part)
        start, end = (self._pieces[number].at(part) for number, part in (one, other))
        self._links.append((start, end, road))

    def _bridge_gaps(self, joined: Sequence[set[int]]) -> None:
        """Links each loose end of a road to the nearest road to which it is not joined.

        The link does not count as a road, but lets a march go on where roads end at two sides of a
        town or a ford. `joined` has, for each piece, the numbers of those joined to it, directly or
        not.
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
        """Finds the cheapest way between two points, along roads or across country.

        Its cost is its length, in which distances off the roads count `OFF_ROAD` times.
        """
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
    """Whether the bounding boxes of two pieces are within `away` mm, so that the pieces may be."""
    left, low, right, high = geometry.box_of((one.start, one.end))
    around = (left - away, low - away, right + away, high + away)
    return geometry.boxes_meet(around, geometry.box_of((other.start, other.end)))


def _shortest(edges: Mapping[Point, Mapping[Point, bool]], start: Point, end: Point) -> Way:
    """Finds the cheapest way from start to end in a graph with Dijkstra's algorithm.

    `edges` tells, by both ends of an edge, whether it is on a road; off the roads, a mm costs
    `OFF_ROAD` times as much.
    """
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
    """A table of marches; each row has the number of a side, or None, a title and its cells.

    `title` is that of the place from which the ways lead, if the table has one.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[int | None, str, tuple[str, ...]], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class MarchesView:
    """All tables of marches of a scenario.

    `unknown` are the kinds of units whose pace is unknown. In `ways` each place has a table; its
    rows are objectives, with the distance, how much of it is off the roads, and turns by kinds of
    units, if need be divided over several tables. `earliest` has the first turns in which forces
    can be at objectives; if `late`, some of these are after the end. `paces` are those of kinds of
    units on roads, off them and over grounds, unless they are the same everywhere. `zones`: some
    force starts in a zone.
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


def marches_view(battle: Battle) -> MarchesView | None:
    """Composes the tables of marches of a battle.

    Returns None if no unit that marches has a known pace.
    """
    scenario, found, there = battle.scenario, marches(battle), _kinds(battle)
    units = [unit for unit in there if any(unit in march.turns for march in found)]
    if not units:
        return None
    last, reached = scenario.length.turns or math.inf, earliest(battle, found)
    forces = [force for side in scenario.sides.values() for force in side.forces.values()]
    return MarchesView(
        unknown=tuple(battle.units[unit].title for unit in there if unit not in battle.paces),
        ways=tuple(_ways(battle, found, last)),
        earliest=tuple(_earliest(scenario, reached, last)),
        late=any(turn and turn > last for turn in reached.values()),
        paces=_pace_table(battle, units),
        zones=any(at.zone for force in forces if (at := scenario.places.get(force.at))),
    )


def _pace_table(battle: Battle, units: Sequence[str]) -> MarchTable | None:
    """Composes a table of the paces of units on roads, off them and over kinds of ground.

    Units with equal paces share a row. Returns None if each unit has the same pace everywhere.
    """
    speeds = {unit: battle.paces[unit] for unit in units}
    features = battle.scenario.map.features.values()
    there = {feature.ground for feature in features if feature.draw in AREA_KINDS}
    named = dict.fromkeys(ground for speed in speeds.values() for ground, _ in speed.over)
    grounds = [ground for ground in named if ground in there]
    if not grounds and all(speed.off.mm == speed.road.mm for speed in speeds.values()):
        return None
    rows: dict[tuple[str, ...], list[str]] = {}
    for unit, speed in speeds.items():
        over = dict(speed.over)
        lengths = (speed.road, speed.off, *(over.get(ground, speed.off) for ground in grounds))
        rows.setdefault(tuple(map(str, lengths)), []).append(battle.units[unit].title)
    return MarchTable(
        tuple(ground_words(battle.ruleset, ground).title for ground in grounds),
        tuple((None, ", ".join(listed), lengths) for lengths, listed in rows.items()),
    )


def _kinds(battle: Battle, place: str | None = None) -> list[str]:
    """Returns the ids of the kinds of units in the battle, in the ruleset's order.

    If `place` is given, only those of forces that stand or come in there are returned.
    """
    forces = (force for side in battle.sides for force in side.forces)
    there = {unit.id for force in forces if place in (None, force.at) for unit in force.units}
    return [unit for unit in battle.units if unit in there]


def _ways(battle: Battle, found: Sequence[March], last: float) -> Iterator[MarchTable]:
    """Yields the tables of the ways from each place to the objectives.

    They have a column for the units of each pace, and at most MOST_PACES such columns. Leaves out
    ways from a place to itself, and those that take more turns than `last`.
    """
    for place, leading in groupby(found, key=lambda march: march.place):
        marches_from = list(leading)
        columns: dict[tuple[object, ...], list[str]] = {}
        for unit in marches_from[0].turns:
            speed = battle.paces[unit]
            over = tuple((ground, pace.mm) for ground, pace in speed.over)
            columns.setdefault((speed.road.mm, speed.off.mm, over), []).append(unit)
        listed = list(columns.values())
        heads = short_names([[battle.units[unit].title for unit in column] for column in listed])
        for start in range(0, len(listed), MOST_PACES):
            chosen = [column[0] for column in listed[start : start + MOST_PACES]]
            rows = [
                _row(battle.scenario, march, chosen)
                for march in marches_from
                if march.way.length >= 1 and min(march.turns[unit] for unit in chosen) <= last
            ]
            if rows:
                shown = tuple(heads[start : start + MOST_PACES])
                yield MarchTable(shown, tuple(rows), battle.place_title(place))


def short_names(columns: Sequence[Sequence[str]]) -> list[str]:
    """Returns short headings for columns of units, given by the titles of the units in each.

    If several titles in a column end in one word, and none in other columns do, that word replaces
    them: `Battalion` for `Line battalion, Light battalion`.
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
    """Formats a distance in whole inches, or in whole centimetres on a metric table."""
    metric = scenario.table.width.unit in ("mm", "cm", "m")
    number = round(millimetres / (10 if metric else quantities.MM_PER_INCH))
    return str(quantities.Length(Fraction(number), "cm" if metric else "in"))


def _earliest(scenario: Scenario, reached: Earliest, last: float) -> Iterator[MarchTable]:
    """Yields tables of the first turn in which each force can be at each objective.

    Each has at most MOST_SIDE_BY_SIDE objectives. Forces with unknown paces are left out, and a
    dash stands for a turn after `last`.
    """
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
