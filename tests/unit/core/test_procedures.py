"""Steps are checked one after another: names set for certain, kinds that agree, bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from beside import beside, written
from rolls import mean, program, refused

A = {"roll": {"a": "d6"}}


@pytest.mark.parametrize(("steps", "faults"), beside(__file__, "faults"))
def test_faults(steps: list[dict[str, Any]], faults: list[str]) -> None:
    inner = written("{inputs: {n: {count: 1-3}}, steps: [{roll: {d: d6}}], result: {y: d + n}}")
    assert refused(*steps, others={"inner": inner}) == faults


def nested(deep: int) -> dict[str, Any]:
    step: dict[str, Any] = {"roll": {"x": "d6"}}
    for _ in range(deep):
        step = {"repeat": [step], "times": "2"}
    return step


def test_depth_is_bounded() -> None:
    program(nested(4))
    assert refused(nested(5)) == ["R428"]


def test_length_is_bounded() -> None:
    long = [{"set": {"x": "1"}}] * 5_001
    assert refused(*long) == ["R428"]


def test_procedures_inside_one_another_are_bounded() -> None:
    others: dict[str, Any] = {"p0": {"steps": [{"roll": {"d": "d6"}}], "result": {"y": "d"}}}
    for number in range(1, 6):
        run = {"run": f"p{number - 1}", "take": {"y": "y"}}
        others[f"p{number}"] = {"steps": [run], "result": {"y": "y"}}
    program({"run": "p3", "take": {"x": "y"}}, others=others)
    assert refused({"run": "p5", "take": {"x": "y"}}, others=others) == ["R428"]


def test_a_name_may_be_set_before_it_is_set_at_times() -> None:
    program({"set": {"x": "0"}}, A, {"when": "a > 1", "set": {"x": "1"}})
    program(A, {"repeat": [{"set": {"x": "a"}}], "until": "x > 0"})


def test_a_block_sets_names_for_itself() -> None:
    block = {"when": "a > 3", "do": [{"roll": {"b": "d6"}}, {"set": {"x": "x + b"}}]}
    made = program(A, {"set": {"x": "0"}}, block)
    assert mean(made) == Fraction(7, 4)
    assert refused(A, {"set": {"x": "0"}}, block, gives={"x": "x", "y": "b"}) == ["R422"]


def test_the_condition_of_a_block_is_read_once() -> None:
    block = {"when": "a > 3", "do": [{"set": {"a": "0"}}, {"set": {"x": "1"}}]}
    made = program(A, {"set": {"x": "0"}}, block)
    assert mean(made) == Fraction(1, 2)


def test_what_a_block_sets_anew_stays_of_its_kind() -> None:
    block = {"when": "a > 3", "do": [{"set": {"x": "true"}}]}
    assert refused(A, {"set": {"x": "0"}}, block) == ["R421"]


def test_blocks_within_blocks_and_repetitions() -> None:
    inner = {"when": "a > 4", "do": [{"set": {"x": "x + 1"}}, {"roll": {"a": "d6"}}]}
    outer = {"when": "a > 2", "do": [{"set": {"x": "x + 1"}}, inner]}
    made = program({"set": {"x": "0"}}, {"repeat": [A, outer], "times": "3"})
    assert mean(made) == 3 * (Fraction(4, 6) + Fraction(2, 6))


def test_a_choice_within_a_block_is_an_input() -> None:
    choice = {"choose": {"stand": {"one_of": ["hold", "fall_back"]}}}
    then = {"set": {"x": "1 if stand == 'hold' else 2"}}
    made = program(A, {"set": {"x": "0"}}, {"when": "a > 3", "do": [choice, then]})
    assert mean(made, stand="fall_back") == 1


def test_a_repetition_without_a_bound_is_not_counted_in_a_block() -> None:
    loop = {"repeat": [{"roll": {"d": "d6"}}], "until": "d == 6", "count": "n"}
    found = refused(A, {"when": "a > 3", "do": [loop]}, gives={"x": "n"})
    assert "R423" in found
