"""The shipped scenarios: what they add up to, against the source and a second reckoning."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest
from shipped_rulesets import SHIPPED, shipped

from rulebook.documents.scenario.forces import arrivals, order_of_battle, played, strengths
from rulebook.documents.scenario.marches import earliest, marches
from rulebook.model.not_in_source import unstated_of_scenario
from rulebook.model.provenance import Status
from rulebook.model.scenarios import Scenario

ALL = [(name, scenario) for name in SHIPPED for scenario in shipped(name).scenarios]

#: Figures of a regiment and of a gun: rank and file, and officers.
FIGURES = {"infantry": 24 + 3, "cavalry": 12 + 3, "gun": 4 + 1}


def scenario_of(ruleset: str, name: str) -> Scenario:
    return shipped(ruleset).scenarios[name]


def test_every_ruleset_has_a_scenario() -> None:
    whole = {name for name in SHIPPED if shipped(name).header.based_on is None}
    assert {name for name, _ in ALL} == whole, "a variant leaves them to its base"
    assert list(shipped("acw").scenarios) == ["gettysburg", "sawmill_village", "wagon_train"]


def test_gettysburg_adds_up_to_what_the_source_states() -> None:
    """10 infantry regiments and three guns; six of infantry, two of cavalry, three guns."""
    union, confederate = order_of_battle(shipped("acw"), "gettysburg")
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
        "figures": 10 * FIGURES["infantry"] + 3 * FIGURES["gun"],
        "officers": 10 * 3 + 3,
        "guns": 3,
    }
    assert union.counts == {
        "figures": 6 * FIGURES["infantry"] + 2 * FIGURES["cavalry"] + 3 * FIGURES["gun"],
        "officers": 8 * 3 + 3,
        "guns": 3,
    }


def test_sawmill_village_has_the_forces_of_the_source() -> None:
    union, confederate = order_of_battle(shipped("acw"), "sawmill_village")
    for side in (union, confederate):
        assert [(one.id, one.number) for one in side.units] == [
            ("infantry_regiment", 3),
            ("artillery_battery", 1),
        ]
        assert side.counts == {"figures": 3 * 27 + 3 + 8, "officers": 3 * 3 + 3, "guns": 2}
    names = [name for force in confederate.forces for one in force.units for name in one.names]
    assert names == ["5th Alabama", "6th Virginia", "13th North Carolina"]


def test_the_wagon_train_owns_up_to_what_it_is() -> None:
    found = unstated_of_scenario(shipped("acw"), "wagon_train")
    told = [one.status for one in found]
    assert told[0] is Status.HOUSE
    assert told.count(Status.MISSING) == 2
    assert "not Charles Grant’s scenario" in str(found[0].note)


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

    sides = order_of_battle(played(ruleset, scenario), scenario)
    for side in sides:
        listed = [unit for one in spec.sides[side.id].forces.values() for unit in regiments(one.of)]
        assert {one.id: one.number for one in side.units} == {
            unit: listed.count(unit) for unit in listed
        }
    found = strengths(spec, sides)
    for side in sides:
        for turn in found.turns:
            come = [one for one in spec.sides[side.id].forces.values() if one.turn <= turn]
            assert found.units[side.id][turn] == sum(len(regiments(one.of)) for one in come)
    coming = arrivals(sides)
    assert [one.force.turn for one in coming] == sorted(one.force.turn for one in coming)
    assert len(coming) == sum(len(side.forces) for side in spec.sides.values())


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_marches_are_no_shorter_than_the_straight_line(name: str, scenario: str) -> None:
    ruleset = shipped(name)
    for march in marches(ruleset, scenario):
        places = march.way.places
        straight = math.dist(places[0], places[-1])
        assert straight - 1e-6 <= march.way.length
        assert march.way.on_road + 2 * march.way.off_road <= 2 * straight + 1e-6


def test_gettysburg_marches() -> None:
    """By hand: along the pike to the middle of the town; the fewest moves at 7½ and 6 inches."""
    ruleset = shipped("acw")
    found = {(one.place, one.objective): one for one in marches(ruleset, "gettysburg")}
    pike = [(0, 46), (19, 41), (34, 36), (44, 32)]
    length = sum(math.dist(one, other) for one, other in pairwise(pike))
    march = found["seminary_entry", "town"]
    assert march.way.length / 25.4 == pytest.approx(length, abs=1)
    assert march.turns["infantry_regiment"] == math.ceil(march.way.length / 25.4 / 7.5) == 7
    assert march.turns["gun"] == math.ceil(march.way.length / 25.4 / 6) == 8
    told = {
        (one.force, one.objective): one.turn
        for one in earliest(ruleset, "gettysburg", tuple(found.values()))
    }
    assert told["first_brigade", "town"] == 1 + 8 - 1
    assert told["final_brigade", "town"] == 19 + 8 - 1
    assert told["division", "cemetery_hill_held"] is not None


@pytest.mark.parametrize(("name", "scenario"), ALL)
def test_texts_bind_only_their_own_scenario(name: str, scenario: str) -> None:
    spec = shipped(name).scenarios[scenario]
    others = [other for other in shipped(name).scenarios if other != scenario]
    texts = [spec.situation, spec.background, spec.victory]
    bound = " ".join(str(one.text) for one in texts if one is not None)
    assert not any(re.search(rf"\{{{other}\.", bound) for other in others)
