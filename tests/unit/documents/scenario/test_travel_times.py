"""Ways over a map, against a way found through thousands of small steps."""

from __future__ import annotations

import heapq
import math
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from beside import rows
from small_rulesets import ruleset_of
from small_scenarios import FORMATIONS, TABLES, UNITS, meeting

from rulebook import quantities
from rulebook.documents.scenario.forces import Battle
from rulebook.documents.scenario.marches import (
    OFF_ROAD,
    Network,
    Way,
    marches,
    marches_view,
    turns_for,
)
from rulebook.drawing.elements import Point
from rulebook.model.maps import Map
from rulebook.model.ruleset import Ruleset

INCH = 25.4


def network(*roads: list[tuple[float, float]]) -> Network:
    features = {
        f"road{number}": {
            "draw": "road",
            "line": [[f"{x}in", f"{y}in"] for x, y in road],
            "width": "1in",
        }
        for number, road in enumerate(roads)
    }
    return Network(Map.model_validate({"features": features}))


def inches(way: Way) -> tuple[float, float]:
    return round(way.on_road / INCH, 2), round(way.off_road / INCH, 2)


def way(start: Point, end: Point, *roads: list[tuple[float, float]]) -> Way:
    return network(*roads).way(*((x * INCH, y * INCH) for x, y in (start, end)))


@pytest.mark.parametrize(
    ("start", "end", "roads", "on_road", "off_road"), rows(__file__, "ways"), ids=str
)
def test_a_way_takes_the_roads_that_shorten_it(
    start: Point, end: Point, roads: Any, on_road: float, off_road: float
) -> None:
    assert inches(way(start, end, *roads)) == (pytest.approx(on_road, abs=0.1), off_road)


def test_one_leaves_the_road_before_the_nearest_place() -> None:
    """Ten inches from the road, the angle is that at which road and country are in balance."""
    found = way((0, 0), (40, 10), [(0, 0), (60, 0)])
    leaving = 10 / math.sqrt(OFF_ROAD**2 - 1)
    assert inches(found) == (round(40 - leaving, 2), round(math.hypot(10, leaving), 2))


@pytest.mark.parametrize("seed", range(6))
def test_a_way_is_whole_and_never_dearer_than_straight_across(seed: int) -> None:
    """Whether roads are joined, cross each other or lie away from all."""
    random = Random(seed)

    def point() -> tuple[float, float]:
        return random.randrange(61), random.randrange(41)

    roads = [[point() for _ in range(random.randint(2, 4))] for _ in range(8)]
    start, end = point(), point()
    straight = OFF_ROAD * math.dist(start, end)
    for count in range(1, len(roads) + 1):
        found = way(start, end, *roads[:count])
        cost = (found.on_road + OFF_ROAD * found.off_road) / INCH
        assert cost <= straight + 1e-6
        assert found.length / INCH >= math.dist(start, end) - 1e-6


def stepped(start: Point, end: Point, roads: list[list[tuple[float, float]]], step: float) -> float:
    """The least cost over points along the roads, each joined to those beside it and both ends."""
    points: list[Point] = [start, end]
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, OFF_ROAD * math.dist(start, end))], 1: []}
    for road in roads:
        for one, other in pairwise(road):
            count = max(1, math.ceil(math.dist(one, other) / step))
            for number in range(count + 1):
                part = number / count
                points.append(
                    (one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1]))
                )
                here = len(points) - 1
                edges[here] = []
                if number:
                    length = math.dist(points[here], points[here - 1])
                    edges[here].append((here - 1, length))
                    edges[here - 1].append((here, length))
                for index in (0, 1):
                    length = OFF_ROAD * math.dist(points[here], points[index])
                    edges[here].append((index, length))
                    edges[index].append((here, length))
    for here in range(2, len(points)):
        for there in range(2, here):
            if math.dist(points[here], points[there]) < 0.01:
                edges[here].append((there, 0.0))
                edges[there].append((here, 0.0))
    best = {0: 0.0}
    waiting = [(0.0, 0)]
    while waiting:
        cost, here = heapq.heappop(waiting)
        if here == 1:
            return cost
        for there, length in edges[here] if cost <= best[here] else ():
            if cost + length < best.get(there, math.inf):
                best[there] = cost + length
                heapq.heappush(waiting, (cost + length, there))
    raise AssertionError("no way")


@pytest.mark.parametrize("seed", range(8))
def test_against_many_small_steps(seed: int) -> None:
    """Roads meet at one town, so that both networks are joined at the same places."""
    random = Random(seed)
    town = (30.0, 20.0)
    roads = [
        [town, *((random.uniform(0, 60), random.uniform(0, 40)) for _ in range(2))]
        for _ in range(3)
    ]
    roads = [[(round(x, 2), round(y, 2)) for x, y in road] for road in roads]
    start, end = ((random.uniform(0, 60), random.uniform(0, 40)) for _ in range(2))
    found = way(start, end, *roads)
    cost = (found.on_road + OFF_ROAD * found.off_road) / INCH
    slow = stepped(start, end, roads, 0.2)
    # Roads that cross away from the town are joined here only: the way may be shorter.
    assert cost <= slow + 1e-6
    if not any_cross(roads):
        assert cost == pytest.approx(slow, abs=0.25)


def any_cross(roads: list[list[tuple[float, float]]]) -> bool:
    sides = [
        (number, one, other) for number, road in enumerate(roads) for one, other in pairwise(road)
    ]
    for (_, a, b), (_, c, d) in combinations(sides, 2):
        slope = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
        if slope and not {a, b} & {c, d}:
            mine = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / slope
            theirs = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / slope
            if -0.1 < mine < 1.1 and -0.1 < theirs < 1.1:
                return True
    return False


@pytest.mark.parametrize(
    ("way_in_inches", "pace", "turns"),
    [(0, 6, 0), (6, 6, 1), (6.01, 6, 2), (45, 7.5, 6), (46.9, 7.5, 7)],
)
def test_turns(way_in_inches: float, pace: float, turns: int) -> None:
    assert turns_for((way_in_inches * INCH, quantities.Length(Fraction(str(pace)), "in"))) == turns


TABLES_OF_PACES: dict[str, Any] = {
    "terrain": {
        "title": "Terrain",
        "fields": {"foot": "length"},
        "data": {
            "open": {"title": "Open ground", "foot": "6in"},
            "wood": {"title": "Wood", "foot": "3in"},
            "swamp": {"title": "Swamp", "foot": "2in"},
        },
    }
}
BOX = {"centre": ["30in", "30in"], "width": "12in", "depth": "10in"}
WOOD = {"draw": "woods", "is": "terrain.wood", "box": BOX}
SWAMP = {"draw": "swamp", "is": "terrain.swamp", "box": {**BOX, "width": "4in"}}


def paced(features: dict[str, Any], pace: Any) -> Ruleset:
    """From the west edge straight to a point 60 inches east of it, without a road."""
    scenario = meeting()
    scenario["table"] = {"width": "72in", "depth": "60in"}
    scenario["map"]["features"] = {"aim": {"draw": "label", "title": "Aim", "at": ["60in", "30in"]}}
    scenario["map"]["features"] |= features
    scenario["places"]["west"]["entry"] = ["0in", "30in"]
    scenario["objectives"] = {"aim": {"title": "Aim", "at": "aim"}}
    scenario["victory"] = "Who holds it."
    tables = {**TABLES, **TABLES_OF_PACES}
    collections = {"tables": tables, "units": UNITS, "formations": FORMATIONS}
    return ruleset_of(
        {**collections, "scenarios": {"meeting": scenario}},
        muster={"counts": {}, "paces": {"regiment": pace}},
    )


def turns_from_the_west(ruleset: Ruleset) -> int:
    (found,) = [one for one in marches(Battle("meeting", ruleset)) if one.place == "west"]
    return found.turns["regiment"]


OVER = {"terrain.wood": "terrain.wood.foot", "terrain.swamp": "terrain.swamp.foot"}
PACES = {"road": "strengths.foot.reach", "off": "terrain.open.foot", "over": OVER}


def test_ground_is_crossed_at_its_own_pace() -> None:
    """12 inches of wood at 3 inches; 4 of these are swamp, at 2; the other 48 inches at 6."""
    assert turns_from_the_west(paced({}, PACES)) == 60 / 6
    assert turns_from_the_west(paced({"wood": WOOD}, PACES)) == 48 / 6 + 12 / 3
    both = paced({"wood": WOOD, "swamp": SWAMP}, PACES)
    assert turns_from_the_west(both) == math.ceil(48 / 6 + 8 / 3 + 4 / 2)
    assert turns_from_the_west(paced({"wood": WOOD}, "terrain.open.foot")) == 60 / 6


def test_a_road_through_a_wood_is_a_road() -> None:
    road = {"draw": "road", "line": [["0in", "30in"], ["60in", "30in"]], "width": "1in"}
    fast = {**PACES, "road": "strengths.foot.reach * strengths.foot.officers"}
    assert turns_from_the_west(paced({"wood": WOOD, "road": road}, fast)) == math.ceil(60 / 18)
    slow = paced({"road": road}, {"road": "terrain.open.foot", "off": "terrain.swamp.foot"})
    assert turns_from_the_west(slow) == 60 / 6


def test_lengths_of_march_are_told_where_they_differ() -> None:
    view = marches_view(Battle("meeting", paced({"wood": WOOD}, PACES)))
    assert view is not None and view.paces is not None
    assert view.paces.heads == ("Wood",)
    assert view.paces.rows == ((None, "Regiment", ("6″", "6″", "3″")),)
    same = marches_view(Battle("meeting", paced({}, PACES)))
    assert same is not None and same.paces is None
