"""When forces come by dice: held against a procedure that says the same, and sums by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from beside import as_written, rows
from small_rulesets import ruleset_of

from rulebook.core.arrivals import ArrivalOdds, arrival_odds
from rulebook.core.odds import OddsCalculator, odds
from rulebook.core.procedure_faults import FaultAt
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import LONGEST_GAME, TurnByDice

PROCEDURES = as_written(__file__, "procedures")


def ruleset(**header: Any) -> Ruleset:
    return ruleset_of({"procedures": PROCEDURES}, **header)


def found(turn: dict[str, Any], **header: Any) -> ArrivalOdds:
    return arrival_odds(OddsCalculator(ruleset(**header)), TurnByDice.model_validate(turn))


def test_a_throw_in_each_turn_is_a_repetition_without_a_bound() -> None:
    """The core's own repetition counts the turns from 1; here they are counted from 3."""
    ours = found({"from": "3", "dice": "d6", "target": "5+"})
    theirs = odds(ruleset(), "waiting").results["turns"]
    assert ours.mean == (theirs.mean or 0) + 2 == 5
    for turn in range(3, 60):
        chance = ours.by(turn) - ours.by(turn - 1)
        assert chance == theirs.chance(turn - 2) == Fraction(2, 3) ** (turn - 3) * Fraction(1, 3)
    assert (ours.first, ours.by(2), ours.repeated) == (3, 0, True)


@pytest.mark.parametrize("last", [None, 3, 4, 5, 6, 9])
def test_a_list_of_targets_is_played_through(last: int | None) -> None:
    """All falls of the dice of seven turns, each with the targets 6+, 5+, 4+, 4+, ..."""
    targets = {"from": "3", "dice": "d6", "target": ["6+", "5+", "4+"]}
    ours = found(targets | ({"last": str(last)} if last else {}))
    needs = [6, 5, 4, 4, 4]
    games = list(product(range(1, 7), repeat=len(needs)))
    for turn in range(3, 8):
        there = sum(
            any(die >= need for die, need in zip(game[: turn - 2], needs, strict=False))
            for game in games
        )
        share = Fraction(there, len(games))
        assert ours.by(turn) == (1 if last and turn >= last else share)


@pytest.mark.parametrize("turn", as_written(__file__, "turns"))
def test_the_mean_is_that_of_all_turns(turn: dict[str, Any]) -> None:
    ours = found(turn)
    assert ours.by(LONGEST_GAME) == 1
    turns = range(1, LONGEST_GAME + 1)
    assert ours.mean == sum(n * (ours.by(n) - ours.by(n - 1)) for n in turns)


def test_what_may_never_come_has_no_mean() -> None:
    ours = found({"dice": "d6", "target": ["6+", "never"]})
    assert (ours.mean, ours.by(1), ours.by(LONGEST_GAME)) == (None, Fraction(1, 6), Fraction(1, 6))
    never = found({"dice": "d6", "target": "7+"})
    assert never.first == LONGEST_GAME + 1 and never.within(Fraction(1, 10)) is None


def test_natural_scores_count_as_everywhere() -> None:
    ours = found({"dice": "d6", "target": "7+"}, natural={"6": "passes"})
    assert ours.by(1) == Fraction(1, 6)


def test_a_procedure_decides_with_what_it_is_given() -> None:
    dry = found({"from": "2", "run": "message", "take": "comes"})
    wet = found({"from": "2", "run": "message", "take": "comes", "given": {"rain": "true"}})
    assert (dry.by(2), wet.by(2), dry.by(3)) == (Fraction(1, 3), Fraction(1, 6), Fraction(5, 9))
    thrown = found({"run": "message", "take": "turn", "given": {"rain": "true"}})
    assert (thrown.first, thrown.by(5), thrown.repeated) == (3, Fraction(1, 2), False)


@pytest.mark.parametrize(("turn", "code", "at"), rows(__file__, "no_turns"))
def test_what_is_no_turn_is_shown(turn: dict[str, Any], code: str, at: tuple[str, ...]) -> None:
    with pytest.raises(FaultAt) as shown:
        found(turn)
    assert (shown.value.code, shown.value.at) == (code, at)
