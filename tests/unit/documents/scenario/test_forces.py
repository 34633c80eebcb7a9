"""Orders of battle: what adds up, and what stays open."""

from __future__ import annotations

from fractions import Fraction

from small_scenarios import meeting, ruleset_with

from rulebook.documents.scenario.forces import (
    arrivals,
    order_of_battle,
    place_title,
    ratios,
    strengths,
)
from rulebook.documents.scenario.marches import earliest, marches


def test_formations_are_counted_out() -> None:
    red, blue = order_of_battle(ruleset_with(meeting()), "meeting")
    assert [(one.title, one.number) for one in red.units] == [("Regiment", 2 * 2 + 1)]
    assert red.counts == {"figures": 5 * (24 + 3), "guns": 0}
    assert blue.counts == {"figures": 2 * (24 + 3), "guns": 0}
    (main,) = red.forces
    told = "1 × Division, of 2 × Brigade, each of 2 × Regiment and 1 × Regiment"
    assert main.made_of == ((told, None),)


def test_what_the_rules_leave_open_stays_open() -> None:
    scenario = meeting()
    scenario["sides"]["red"]["forces"]["guns"] = {
        "title": "Guns", "of": {"battery": "3"}, "at": "west", "turn": "5"
    }  # fmt: skip
    ruleset = ruleset_with(scenario)
    red, _ = sides = order_of_battle(ruleset, "meeting")
    assert red.counts == {"figures": None, "guns": 6}
    found = strengths(ruleset.scenarios["meeting"], sides)
    assert found.counts["figures"]["red"][4:6] == (5 * 27, None)
    assert found.compared == found.counts["guns"]
    assert ratios(found, "red", "blue")[5] is None


def test_the_ratio_begins_where_there_is_an_enemy() -> None:
    ruleset = ruleset_with(meeting())
    sides = order_of_battle(ruleset, "meeting")
    found = strengths(ruleset.scenarios["meeting"], sides)
    assert ratios(found, "red", "blue")[:4] == (0, 0, 0, Fraction(5, 2))
    assert ratios(found, "blue", "red")[:4] == (None, None, None, Fraction(2, 5))
    coming = [(one.force.turn, one.side, one.force.number) for one in arrivals(sides)]
    assert coming == [(0, 1, 2), (3, 0, 5)]


def test_without_a_length_turns_run_to_the_last_arrival() -> None:
    scenario = meeting()
    scenario["length"] = {"status": "missing", "note": "Not given."}
    ruleset = ruleset_with(scenario)
    assert strengths(
        ruleset.scenarios["meeting"], order_of_battle(ruleset, "meeting")
    ).turns == tuple(range(4))


def test_a_unit_of_the_scenario_goes_before_that_of_the_rules() -> None:
    scenario = meeting()
    scenario["units"] = {
        "regiment": {"title": "Half regiment", "kind": "foot", "counts": {"figures": "12"}}
    }
    ruleset = ruleset_with(scenario)
    red, _ = order_of_battle(ruleset, "meeting")
    assert [one.title for one in red.units] == ["Half regiment"]
    assert red.counts == {"figures": 5 * 12, "guns": 0}
    assert all(not march.turns for march in marches(ruleset, "meeting"))


def test_formations_of_the_scenario_go_before_those_of_the_rules() -> None:
    scenario = meeting()
    scenario["formations"] = {"brigade": {"title": "Large brigade", "of": {"regiment": "4"}}}
    red, blue = order_of_battle(ruleset_with(scenario), "meeting")
    assert (red.number, blue.number) == (2 * 4 + 1, 4)


def test_anywhere_is_a_place() -> None:
    scenario = meeting()
    scenario["sides"]["blue"]["forces"]["all"]["at"] = "anywhere"
    ruleset = ruleset_with(scenario)
    assert place_title(ruleset.scenarios["meeting"], "anywhere") == "Anywhere"
    found = marches(ruleset, "meeting")
    assert {one.place for one in found} == {"west"}
    assert [one.force for one in earliest(ruleset, "meeting", found)] == ["main"]


def test_the_slowest_unit_sets_the_pace() -> None:
    """50 inches to the middle of the hill, at 6 inches: 9 turns, the first of them turn 3."""
    ruleset = ruleset_with(meeting())
    found = marches(ruleset, "meeting")
    told = {(one.force, one.objective): one.turn for one in earliest(ruleset, "meeting", found)}
    assert told["main", "hill"] == 3 + 9 - 1
    scenario = meeting()
    scenario["sides"]["red"]["forces"]["main"]["of"] = {"division": "1", "battery": "1"}
    slow = ruleset_with(scenario)
    paced = marches(slow, "meeting")
    told = {(one.force, one.objective): one.turn for one in earliest(slow, "meeting", paced)}
    assert told["main", "hill"] is None
    muster = {"paces": {"regiment": "strengths.foot.reach", "battery": "strengths.guns.reach"}}
    paced_too = ruleset_with(scenario, muster=muster)
    told = {
        (one.force, one.objective): one.turn
        for one in earliest(paced_too, "meeting", marches(paced_too, "meeting"))
    }
    assert told["main", "hill"] == 3 + 13 - 1
