"""`never` in the place of a modifier: what it forbids fails, is refused, or is asked about."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from beside import beside
from small_rulesets import ruleset_of

from rulebook.core.odds import FaultyProcedure, ResultOdds, compute_odds, odds, program_of
from rulebook.core.play import roll
from rulebook.core.procedure_faults import FaultAt
from rulebook.core.procedures import Programs
from rulebook.model.ruleset import Ruleset

#: What the modifiers of the ruleset add, written out once more; None forbids.
AMOUNTS = {"general": 1, "contact": None, "losses": -1}
SIX = range(1, 7)


def of(name: str = "rally", **changed: Any) -> Ruleset:
    """The ruleset beside this file, with other parts in one of its procedures."""
    data = beside(__file__, "rules")
    data["procedures"][name] |= changed
    return ruleset_of(data)


def every_sum(ruleset: Ruleset, name: str) -> Iterator[tuple[int | None, dict[str, ResultOdds]]]:
    """For all conditions that may hold together, two losses included, their sum and the odds."""
    program = program_of(ruleset, name)
    for numbers in product(range(2), range(2), range(3)):
        conditions = tuple(
            row for row, number in zip(AMOUNTS, numbers, strict=True) for _ in range(number)
        )
        amounts = [AMOUNTS[row] for row in conditions]
        found = compute_odds(ruleset, program, {"conditions": conditions})
        yield None if None in amounts else sum(filter(None, amounts)), found.results


def test_a_test_that_is_forbidden_fails_with_another_throw_and_in_a_pool_too() -> None:
    for plus, results in every_sum(of("stand"), "stand"):
        wins = 0 if plus is None else sum(die + plus >= 4 for die in SIX)
        assert results["once"].chance(True) == Fraction(wins, 6)
        twice = Fraction(wins, 6) + Fraction(6 - wins, 6) * Fraction(wins, 6)
        assert results["again"].chance(True) == twice
        pool = [0, 0, 0]
        for dice in product(SIX, repeat=2):
            pool[0 if plus is None else sum(die + plus >= 4 for die in dice)] += 1
        held = [results["held"].chance(number) for number in range(3)]
        assert held == [Fraction(n, 36) for n in pool]


def test_what_is_forbidden_throws_no_dice() -> None:
    ruleset = of()
    played = roll(ruleset, "rally", {"conditions": "contact+general"}, dice=[])
    assert (played.results["rallied"], played.dice) == (False, ())
    with pytest.raises(FaultAt):
        roll(ruleset, "rally", {"conditions": "contact"}, dice=[6])
    assert roll(ruleset, "rally", {"conditions": "general"}, dice=[3]).results["rallied"] is True


def test_refused_where_the_procedure_requires_that_it_is_allowed() -> None:
    requires = [{"that": "allowed(conditions.score)", "say": "Not in contact."}]
    ruleset = of(requires=requires)
    assert odds(ruleset, "rally", {"conditions": "general"}).results["rallied"].chance(True)
    with pytest.raises(FaultyProcedure) as fault:
        odds(ruleset, "rally", {"conditions": "general+contact"})
    assert [one.code for one in fault.value.problems] == ["R433"]


def test_asked_before_it_is_added() -> None:
    for plus, results in every_sum(of("total"), "total"):
        wanted = {0: Fraction(1)} if plus is None else {d + plus: Fraction(1, 6) for d in SIX}
        assert dict(results["total"].outcomes) == wanted


def problems(ruleset: Ruleset, name: str) -> list[str]:
    programs = Programs(ruleset)
    programs.get(name)
    return [f"{one.code} {one.message}" for one in programs.problems]


def test_a_condition_that_cannot_hold_forbids_nothing() -> None:
    """`only` leaves it out, so there is nothing to say about it; with it in, there is."""
    for only, found in ((["general", "losses"], 0), (["general", "contact"], 1)):
        conditions = {"any_of": "rallying", "only": only}
        shown = of(inputs={"conditions": conditions}, result={"x": "sum(conditions.score)"})
        assert len(problems(shown, "rally")) == found, only


def test_said_for_one_sum_is_said_for_all_of_a_procedure() -> None:
    """A test that fails by itself does not answer for a sum elsewhere; `allowed` does."""
    steps = [{"set": {"x": "sum(conditions.score)"}, "when": "allowed(conditions.score)"}]
    done = [{"set": {"x": "0"}}, *steps]
    assert problems(of(steps=done, result={"x": "x"}), "rally") == []


def test_a_cell_that_forbids() -> None:
    ruleset = of("march")
    marched = {
        ground: odds(ruleset, "march", {"ground": ground}).results["move"].outcomes
        for ground in ("road", "stream", "marsh")
    }
    assert marched == {
        "road": ((Fraction(14), 1),),
        "stream": ((Fraction(15, 2), 1),),
        "marsh": ((0, 1),),
    }
    hasty = of("march", steps=[{"set": {"move": "'10cm' + ground.effect"}}])
    with pytest.raises(FaultyProcedure) as fault:
        odds(hasty, "march", {"ground": "marsh"})
    assert [one.code for one in fault.value.problems] == ["R443"]


def test_lengths_of_conditions_are_added_in_one_unit() -> None:
    ruleset = of("pace")
    found = {
        given: odds(ruleset, "pace", {"conditions": given}).results["pace"].mean
        for given in ("none", "general", "general+losses", "losses*2")
    }
    inches = {"none": 0, "general": 2, "losses": Fraction(-10, 254) * 10}
    assert found == {
        "none": 8,
        "general": 8 + inches["general"],
        "general+losses": 8 + inches["general"] + inches["losses"],
        "losses*2": 8 + 2 * inches["losses"],
    }


def test_an_empty_amount_is_a_fault_but_in_what_was_released_before() -> None:
    data = beside(__file__, "rules")
    data["modifiers"]["rallying"]["rows"]["losses"]["score"] = None
    ruleset = ruleset_of(data)
    assert problems(ruleset, "rally") == ["R426 the amount 'score' of 'losses' is empty"]
    frozen = replace(ruleset, frozen=True)
    chance = odds(frozen, "rally", {"conditions": "losses"}).results["rallied"].chance(True)
    assert chance == Fraction(1, 2)
