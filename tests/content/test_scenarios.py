"""The shipped scenarios: what they add up to, against the source and a second reckoning."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import shapely
from map_samples import expect_nothing_covered, strokes_near_names, symbols_by_feature
from shipped_rulesets import SHIPPED, shipped

from rulebook.checking.all_checks import check
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.scenario.forces import Battle, played
from rulebook.documents.scenario.maps import plate_of
from rulebook.documents.scenario.marches import earliest, marches, middle_of
from rulebook.loading.rulesets import load
from rulebook.maps.drawing import DrawnMap, Shows, draw_map
from rulebook.maps.frame import Hexes
from rulebook.maps.page import ROOMS
from rulebook.model.entities import Status
from rulebook.model.lengths import Lengths
from rulebook.model.maps import Feature, TablePoint
from rulebook.model.not_in_source import unstated_of_scenario
from rulebook.model.plain_data import plain
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario

ALL = [(name, scenario) for name in SHIPPED for scenario in shipped(name).scenarios]

#: Figures of a regiment and of a gun: rank and file, and officers.
FIGURES = {"infantry": 24 + 3, "cavalry": 12 + 3, "gun": 4 + 1}


def scenario_of(ruleset: str, name: str) -> Scenario:
    return shipped(ruleset).scenarios[name]


def test_gettysburg_adds_up_to_what_the_source_states() -> None:
    """10 infantry regiments and three guns; six of infantry, two of cavalry, three guns."""
    union, confederate = Battle("gettysburg", shipped("acw")).sides
    assert {one.id: one.number for one in confederate.units} == {"infantry_regiment": 10, "gun": 3}
    assert {one.id: one.number for one in union.units} == {
        "infantry_regiment": 6,
        "cavalry_regiment": 2,
        "gun": 3,
    }
    for side in (union, confederate):
        stated = scenario_of("acw", "gettysburg").sides[side.id].stated
        assert stated == {one.id: one.number for one in side.units}
    assert confederate.counts == {
        "": 10 + 3,
        "figures": 10 * FIGURES["infantry"] + 3 * FIGURES["gun"],
        "officers": 10 * 3 + 3,
        "guns": 3,
    }
    assert union.counts == {
        "": 6 + 2 + 3,
        "figures": 6 * FIGURES["infantry"] + 2 * FIGURES["cavalry"] + 3 * FIGURES["gun"],
        "officers": 8 * 3 + 3,
        "guns": 3,
    }


def test_sawmill_village_has_the_forces_of_the_source() -> None:
    union, confederate = Battle("sawmill_village", shipped("acw")).sides
    for side in (union, confederate):
        assert [(one.id, one.number) for one in side.units] == [
            ("infantry_regiment", 3),
            ("artillery_battery", 1),
        ]
        assert side.counts == {"": 4, "figures": 3 * 27 + 3 + 8, "officers": 3 * 3 + 3, "guns": 2}
    names = [name for force in confederate.forces for one in force.units for name in one.names]
    assert names == ["5th Alabama", "6th Virginia", "13th North Carolina"]


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_what_is_not_stated_is_told(name: str, scenario: str) -> None:
    """A map is ours in each of them, and each says so, itself or as a whole."""
    ruleset = shipped(name)
    told = {one.address[2:]: one.status for one in unstated_of_scenario(ruleset, scenario)}
    whole = told.get(())
    assert Status.HOUSE in (told.get(("map",)), whole)
    assert Status.HOUSE in (told.get(("victory",)), whole)


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_sums_by_hand(name: str, scenario: str) -> None:
    """Units and strengths once more, from what the forces say, formations written out."""
    ruleset = shipped(name)
    spec = ruleset.scenarios[scenario]
    known = {**ruleset.formations, **spec.formations}

    def regiments(of: dict[str, int]) -> list[str]:
        listed: list[str] = []
        for key, number in of.items():
            inner = regiments(known[key].of) if key in known else [key]
            listed += inner * number
        return listed

    battle = Battle(scenario, played(ruleset, scenario))
    sides, found, coming = battle.sides, battle.strengths(), battle.arrivals()
    for side in sides:
        listed = [unit for one in spec.sides[side.id].forces.values() for unit in regiments(one.of)]
        assert {one.id: one.number for one in side.units} == {
            unit: listed.count(unit) for unit in listed
        }
    for side in sides:
        for turn in range(found.last + 1):
            come = [one for one in spec.sides[side.id].forces.values() if one.turn <= turn]
            assert found.units[side.id][turn].mean == sum(len(regiments(one.of)) for one in come)
    assert [force.turn for force in coming] == sorted(force.turn for force in coming)
    assert len(coming) == sum(len(side.forces) for side in spec.sides.values())


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_marches_are_no_shorter_than_the_straight_line(name: str, scenario: str) -> None:
    ruleset = shipped(name)
    for march in marches(Battle(scenario, ruleset)):
        scenario_map = ruleset.scenarios[scenario]
        aim = scenario_map.objectives[march.objective].at
        straight = math.dist(*(middle_of(scenario_map, at) for at in (march.place, aim)))
        assert straight - 1e-6 <= march.way.length
        assert march.way.on_road + 2 * march.way.off_road <= 2 * straight + 1e-6


def test_gettysburg_marches() -> None:
    """By hand: along the pike to the middle of the town; the fewest moves at 7½ and 6 inches."""
    battle = Battle("gettysburg", shipped("acw"))
    found = {(one.place, one.objective): one for one in marches(battle)}
    pike = [(0, 46), (19, 41), (34, 36), (44, 32)]
    length = sum(math.dist(one, other) for one, other in pairwise(pike))
    march = found["seminary_entry", "town"]
    assert march.way.length / 25.4 == pytest.approx(length, abs=1)
    assert march.turns["infantry_regiment"] == math.ceil(march.way.length / 25.4 / 7.5) == 7
    assert march.turns["gun"] == math.ceil(march.way.length / 25.4 / 6) == 8
    told = {
        (force, objective): turn
        for (_, force, objective), turn in earliest(battle, (*found.values(),)).items()
    }
    assert told["first_brigade", "town"] == 1 + 8 - 1
    assert told["final_brigade", "town"] == 19 + 8 - 1
    assert told["division", "cemetery_hill_held"] is not None


# Maps of the shipped scenarios, as they are drawn for booklets: every name has its own room.

SCENARIOS = {
    name: scenario for ruleset in SHIPPED for name, scenario in shipped(ruleset).scenarios.items()
}


@cache
def map_of(name: str, layout: str) -> DrawnMap:
    return plate_of(SCENARIOS[name], layout).drawn


every_map = pytest.mark.parametrize(
    ("name", "layout"), [(name, layout) for name in SCENARIOS for layout in ROOMS]
)


@every_map
def test_every_name_stands_by_itself(name: str, layout: str) -> None:
    drawn = map_of(name, layout)
    expect_nothing_covered(drawn)
    assert [one.title for one in drawn.numbered if not one.objective] == [], "no room"
    named = {one.title for one in (*drawn.names.placed, *drawn.names.margin)}
    features = SCENARIOS[name].map.features.values()
    places = SCENARIOS[name].places.values()
    assert named == {one.title for one in (*features, *places) if one.title}


@every_map
def test_every_hex_is_named_in_itself(name: str, layout: str) -> None:
    drawn = map_of(name, layout)
    middles = dict(drawn.grid.middles()) if isinstance(drawn.grid, Hexes) else {}
    assert [one.name for one in drawn.hexes] == list(middles)
    for one in drawn.hexes:
        (x, y), (left, _, _, bottom) = one.at, drawn.room
        at = (Fraction(x - left) / drawn.scale, Fraction(bottom - y) / drawn.scale)
        assert drawn.grid.square(*at) == one.name


@every_map
def test_no_name_of_an_area_is_read_as_that_of_another(name: str, layout: str) -> None:
    """None of a zone or an area stands on the ground of another that has a name too."""
    drawn = map_of(name, layout)
    areas = [one for one in drawn.shapes if one.is_area and one.feature.draw != "building"]
    named = {one.name: shapely.Polygon(one.points) for one in areas if one.feature.title}
    zones = {one.name for one in drawn.stations if one.zone}
    for placed in drawn.names.placed:
        if placed.name in {*named, *zones}:
            plate = shapely.union_all(shapely.polygons(placed.parts[0].quads))
            for other, ground in named.items():
                assert other == placed.name or plate.intersection(ground).area < 0.3 * plate.area


@every_map
def test_no_stroke_runs_into_a_name(name: str, layout: str) -> None:
    assert strokes_near_names(map_of(name, layout)) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_name_stands_once(name: str) -> None:
    drawn = map_of(name, "large")
    titles = [one.title.casefold() for one in (*drawn.names.placed, *drawn.names.margin)]
    assert [title for title, count in Counter(titles).items() if count > 1] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_names_hide_no_more_than_a_tenth_of_any_symbols(name: str) -> None:
    """Counted in the drawing, with names and without."""
    named = map_of(name, "large")
    bare = draw_map(
        SCENARIOS[name], named.scale, shows=Shows(names=False), grain=named.canvas.look.grain
    )
    shown, all_of = symbols_by_feature(named), symbols_by_feature(bare)
    assert {key: all_of[key] for key in all_of if shown[key] < 0.9 * all_of[key]} == {}


@pytest.mark.parametrize("name", SCENARIOS)
def test_roads_are_narrower_than_buildings(name: str) -> None:
    shapes = map_of(name, "large").shapes
    roads = [shape.width for shape in shapes if shape.feature.draw in ("road", "track")]
    for shape in shapes:
        if shape.feature.draw == "building":
            (a, b, c, *_) = shape.points
            assert max(roads, default=0) < min(math.dist(a, b), math.dist(b, c)), shape.name


# Every shipped scenario with its lengths turned: the same map, the same marches, the same faults.

CONTENT = Path(__file__).parents[2] / "content"
INCH = Fraction(254, 10)
#: How lengths are turned, and how long an inch of the scenario then is, in mm.
TURNS: dict[str, tuple[dict[str, Any], Fraction]] = {
    "a third": ({"scale": "1/3"}, INCH / 3),
    "rounded": ({"scale": "1/2", "read": {"in": "2.5cm"}, "round": "0.5cm"}, Fraction(25, 2)),
}
TURNED = [(name, one) for name, one in ALL if (CONTENT / name / "scenarios").is_dir()]


@cache
def ruleset(name: str, turn: str) -> Ruleset:
    loaded = load(CONTENT / name, (), Lengths.model_validate(TURNS[turn][0]))
    assert loaded.ruleset is not None, [str(problem) for problem in loaded.report]
    return loaded.ruleset


def points_of(scenario: Scenario) -> Iterator[TablePoint]:
    for feature in scenario.map.features.values():
        yield from feature.points
        yield from (at for _, _, at in feature.crossings)
    for place in scenario.places.values():
        yield from (place.entry,) if place.entry else place.zone or ()


def extents_of(feature: Feature) -> Iterator[Fraction]:
    for one in (feature.oval, feature.box):
        if one:
            yield from (one.width.mm, one.depth.mm)
    if feature.width:
        yield feature.width.mm


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("game", "name"), TURNED)
def test_all_on_the_table_is_turned_by_one_factor_exactly(game: str, name: str, turn: str) -> None:
    old, new = (one.scenarios[name] for one in (shipped(game), ruleset(game, turn)))
    factor = TURNS[turn][1] / INCH
    assert (new.table.width.mm, new.table.depth.mm) == (
        old.table.width.mm * factor,
        old.table.depth.mm * factor,
    )
    assert new.table.square.mm == old.table.square.mm * factor
    for one, other in zip(points_of(old), points_of(new), strict=True):
        assert other.mm == (one.mm[0] * factor, one.mm[1] * factor)
    for key, feature in old.map.features.items():
        turned = list(extents_of(new.map.features[key]))
        assert turned == [length * factor for length in extents_of(feature)]
    again = Scenario.model_validate(plain(new))
    assert (again.table, again.map, again.places) == (new.table, new.map, new.places)
    if old.table.scale and new.table.scale:
        assert new.table.scale.length.mm == old.table.scale.length.mm * factor
        assert new.table.scale.ground == old.table.scale.ground, "the ground stays as it was"


@pytest.mark.parametrize("game", sorted({game for game, _ in TURNED}))
def test_what_is_turned_has_no_fault(game: str) -> None:
    found = list(check(ruleset(game, "rounded")))
    assert [str(problem) for problem in found if problem.severity != "warning"] == []
    paths = [problem.span.path for problem in found if problem.span]
    assert [path for path in paths if "/scenarios/" in path] == [], "no length is typed in a text"


@pytest.mark.parametrize(("game", "name"), TURNED)
def test_no_length_in_its_words_is_left_as_it_was(game: str, name: str) -> None:
    turned = ruleset(game, "rounded")
    scenario, binder = turned.scenarios[name], Binder(turned)
    told = [one.text for one in (scenario.background, scenario.situation, scenario.victory) if one]
    told += [rule.text for rule in scenario.rules.values()]
    told += [objective.text for objective in scenario.objectives.values()]
    for text in filter(None, told):
        words = plain_text(binder.prose(text))
        assert not re.search(r"\d ?(″|′|inch|feet|foot\b)", words), words
