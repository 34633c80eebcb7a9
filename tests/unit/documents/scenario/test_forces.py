"""Orders of battle: what adds up, and what stays open."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from small_scenarios import meeting, ruleset_with

from rulebook.documents.scenario.forces import (
    UNITS,
    Amount,
    Battle,
)
from rulebook.documents.scenario.marches import earliest, marches
from rulebook.model.ruleset import Ruleset


def battle_of(ruleset: Ruleset) -> Battle:
    return Battle("meeting", ruleset)


def test_formations_are_counted_out() -> None:
    red, blue = battle_of(ruleset_with(meeting())).sides
    assert [(one.title, one.number) for one in red.units] == [("Regiment", 2 * 2 + 1)]
    assert red.counts == {UNITS: 5, "figures": 5 * (24 + 3), "guns": 0}
    assert blue.counts == {UNITS: 2, "figures": 2 * (24 + 3), "guns": 0}
    (main,) = red.forces
    words = "1 × Division, of 2 × Brigade, each of 2 × Regiment and 1 × Regiment"
    assert main.made_of == {"division": words}


def test_what_the_rules_leave_open_stays_open() -> None:
    scenario = meeting()
    scenario["sides"]["red"]["forces"]["guns"] = {
        "title": "Guns", "of": {"battery": "3"}, "at": "west", "turn": "5"
    }  # fmt: skip
    ruleset = ruleset_with(scenario)
    battle = battle_of(ruleset)
    assert battle.sides[0].counts == {UNITS: 8, "figures": None, "guns": 6}
    found = battle.strengths()
    assert found.measure == "guns"
    assert [one.mean for one in found.compared["red"][4:6]] == [0, 6]


def test_without_a_length_turns_run_to_the_last_arrival() -> None:
    scenario = meeting()
    scenario["length"] = {"status": "missing", "note": "Not given."}
    ruleset = ruleset_with(scenario)
    assert battle_of(ruleset).strengths().last == 3


def test_units_and_formations_of_the_scenario_go_before_those_of_the_rules() -> None:
    unit = {"title": "Half regiment", "kind": "foot", "counts": {"figures": "12"}}
    ruleset = ruleset_with(meeting() | {"units": {"regiment": unit}})
    red, _ = battle_of(ruleset).sides
    assert [one.title for one in red.units] == ["Half regiment"]
    assert red.counts == {UNITS: 5, "figures": 5 * 12, "guns": 0}
    assert all(not march.turns for march in marches(battle_of(ruleset)))
    large = {"title": "Large brigade", "of": {"regiment": "4"}}
    scenario = meeting() | {"formations": {"brigade": large}}
    red, blue = battle_of(ruleset_with(scenario)).sides
    assert (red.counts[UNITS], blue.counts[UNITS]) == (2 * 4 + 1, 4)


def test_anywhere_is_a_place() -> None:
    scenario = meeting()
    scenario["sides"]["blue"]["forces"]["all"]["at"] = "anywhere"
    ruleset = ruleset_with(scenario)
    battle = battle_of(ruleset)
    assert battle.place_title("anywhere") == "Anywhere"
    found = marches(battle)
    assert {one.place for one in found} == {"west"}
    assert [force for _, force, _ in earliest(battle, found)] == ["main"]


def earliest_turns(ruleset: Ruleset) -> dict[tuple[str, str], int | None]:
    """When each force reaches each objective."""
    battle = battle_of(ruleset)
    found = earliest(battle, marches(battle))
    return {(force, objective): turn for (_, force, objective), turn in found.items()}


def test_the_slowest_unit_sets_the_pace() -> None:
    """50 inches to the middle of the hill, at 6 inches: 9 turns, the first of them turn 3."""
    assert earliest_turns(ruleset_with(meeting()))["main", "hill"] == 3 + 9 - 1
    scenario = meeting()
    scenario["sides"]["red"]["forces"]["main"]["of"] = {"division": "1", "battery": "1"}
    assert earliest_turns(ruleset_with(scenario))["main", "hill"] is None
    muster = {"paces": {"regiment": "strengths.foot.reach", "battery": "strengths.guns.reach"}}
    assert earliest_turns(ruleset_with(scenario, muster=muster))["main", "hill"] == 3 + 13 - 1


def by_dice_with(turn: dict[str, Any], **scenario: Any) -> Battle:
    """The meeting with two more regiments that come by dice."""
    told = meeting() | scenario
    late = {"title": "Late", "of": {"regiment": "2"}, "at": "west", "turn": turn}
    told["sides"]["red"]["forces"]["late"] = late
    return battle_of(ruleset_with(told))


def test_strengths_by_dice_are_those_of_all_games_together() -> None:
    """Every way in which three dice may fall, a third of which bring them on, added up by hand."""
    battle = by_dice_with({"from": "3", "dice": "d6", "target": "5+"})
    found = battle.strengths()
    games = list(product(range(1, 7), repeat=3))
    for turn in (3, 4, 5):
        there = sum(any(die >= 5 for die in game[: turn - 2]) for game in games)
        assert found.units["red"][turn] == Amount(5 + Fraction(2 * there, len(games)), 5, 7)
        assert found.compared["red"][turn].mean == 27 * found.units["red"][turn].mean
    assert found.units["red"][2] == Amount(0, 0, 0)
    (late,) = [force for force in battle.sides[0].forces if force.id == "late"]
    assert (late.turn, late.when) == (3, "From turn 3, 5+ on d6")
    assert late.expected.startswith("On the average turn 5.0; turns 3 to 8 in 8 of 10 cases; ")


def test_each_target_of_a_list_is_called_in_its_turn() -> None:
    turn = {"from": "3", "dice": "d6", "target": ["6+", "4+"], "last": "5"}
    (late,) = [force for force in by_dice_with(turn).sides[0].forces if force.id == "late"]
    assert late.calls == (
        (3, "6+ on d6"),
        (4, "4+ on d6, in each turn"),
        (5, "if not there yet"),
    )
    assert late.when == "From turn 3, 6+, then 4+ on d6; in turn 5 at the latest"


def test_a_force_by_dice_is_as_early_as_it_may_be() -> None:
    found = earliest_turns(by_dice_with({"dice": "2d6", "plus": "1"}).ruleset)
    assert found["main", "hill"] == found["late", "hill"] == 3 + 9 - 1


def test_without_a_length_turns_run_until_dice_bring_nearly_all() -> None:
    """Of (5/6)^n less than a tenth is left with n = 13, and not with 12."""
    assert Fraction(5, 6) ** 13 < Fraction(1, 10) < Fraction(5, 6) ** 12
    missing = {"status": "missing", "note": "Not given."}
    battle = by_dice_with({"from": "2", "dice": "d6", "target": "6+"}, length=missing)
    assert battle.strengths().last == 2 + 13 - 1
