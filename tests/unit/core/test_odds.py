"""Odds of a procedure: outcomes in order, means and medians, and the contract of their JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from beside import beside
from small_rulesets import ruleset_of

from rulebook.core.loops import More
from rulebook.core.odds import FaultyProcedure, as_json, odds, told_outcome
from rulebook.model.ruleset import Ruleset


def of(steps: list[dict[str, Any]], result: dict[str, str], **more: Any) -> Ruleset:
    trial = {"title": "A trial", "steps": steps, "result": result, **more}
    return ruleset_of({"procedures": {"trial": trial}})


DIE = [{"roll": {"d": "d6"}}]


def test_numbers_rise_and_words_follow() -> None:
    ruleset = of(DIE, {"x": "7 - d if d > 3 else 'lost' if d == 1 else 'gone'"})
    result = odds(ruleset, "trial").results["x"]
    assert [value for value, _ in result.outcomes] == [1, 2, 3, "gone", "lost"]
    assert result.mean is None
    assert result.median() == 3


def test_true_comes_first() -> None:
    result = odds(of(DIE, {"x": "d < 3"}), "trial").results["x"]
    assert result.outcomes == ((True, Fraction(1, 3)), (False, Fraction(2, 3)))
    assert result.mean is None


def test_what_is_asked_of_a_result() -> None:
    result = odds(of(DIE, {"x": "d / 2"}), "trial").results["x"]
    assert result.mean == Fraction(7, 4)
    assert result.median() == Fraction(3, 2)
    assert result.chance(3) == Fraction(1, 6)
    assert result.chance(4) == 0
    assert result.at_least(2) == Fraction(1, 2)


def test_what_goes_beyond_the_passes_that_are_told() -> None:
    loop = {"repeat": DIE, "until": "d == 6", "count": "n", "listed": "2"}
    result = odds(of([loop], {"n": "n"}), "trial").results["n"]
    assert [value for value, _ in result.outcomes] == [1, 2, More(2)]
    assert result.at_least(2) == Fraction(5, 6)
    assert result.mean == 6
    assert result.median() == More(2)


def test_json() -> None:
    ruleset = of(DIE, {"x": "d > n", "y": "d // 6"}, inputs={"n": {"count": "1-6", "default": "5"}})
    told = as_json(ruleset, odds(ruleset, "trial"))
    assert told == beside(__file__, "json")


def test_a_fault_of_the_play_tells_the_inputs() -> None:
    ruleset = of(DIE, {"x": "d / n"}, inputs={"n": {"count": "0-6", "default": "5"}})
    assert odds(ruleset, "trial").results["x"].mean == Fraction(7, 10)
    with pytest.raises(FaultyProcedure) as fault:
        odds(ruleset, "trial", {"n": "0"})
    assert [problem.message for problem in fault.value.problems] == ["a division by nothing (n=0)"]


FATES = beside(__file__, "fates")


def test_rows_are_told_by_their_titles() -> None:
    steps = [*DIE, {"set": {"fate": "what[d]"}}]
    given = {"fate": "fate", "how": "fate if d > 1 else 'gone'", "far": "d if d > 5 else fate"}
    trial = {"title": "A trial", "steps": steps, "result": given}
    ruleset = ruleset_of({"tables": FATES, "procedures": {"trial": trial}})
    found = odds(ruleset, "trial")
    kinds = {name: one.kind for name, one in found.program.results.items()}
    assert told_outcome("carry_on", kinds["fate"]) == "Carry on, winner gains"
    assert told_outcome("flee", kinds["far"]) == "Flee"
    assert told_outcome("gone", kinds["how"]) == "gone"
    fate = as_json(ruleset, found)["results"]["fate"]  # type: ignore[index]
    assert fate["outcomes"] == [
        {"value": "carry_on", "title": "Carry on, winner gains", "probability": "2/3"},
        {"value": "flee", "title": "Flee", "probability": "1/3"},
    ]


def test_choices_with_titles_are_told_by_them() -> None:
    inputs = {"mood": {"one_of": {"calm": "Calm as ever", "wild_eyed": "Wild eyed"}}}
    ruleset = of(DIE, {"x": "mood if d > 1 else 'dead'"}, inputs=inputs)
    found = odds(ruleset, "trial")
    kind = found.program.results["x"].kind
    told = [told_outcome(value, kind) for value in ("calm", "wild_eyed", "dead")]
    assert told == ["Calm as ever", "wild eyed", "dead"]


def test_lengths_have_their_unit() -> None:
    ruleset = of(DIE, {"x": "max(0, d * '1in' - gap)"}, inputs={"gap": {"length": "1-6in"}})
    told = as_json(ruleset, odds(ruleset, "trial", {"gap": "4in"}))
    assert told["inputs"] == {"gap": "4in"}
    assert told["results"]["x"] == beside(__file__, "lengths_have_their_unit")
