"""Steps are checked one after another: names set for certain, kinds that agree, bounds."""

from typing import Any

import pytest
from beside import beside, written
from rolls import chances, program, refused, stopped

from rulebook.core.procedures import STEP_KINDS
from rulebook.model.procedures import STEPS, SayStep


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


# Procedures that would take for ever, or all memory, are refused at a step: counted, not timed.

ZERO = {"set": {"x": "0"}}
POOL = {"roll": {"d": "d100"}, "times": "1000", "sum": {"y": "d"}}


def walk(most: int, dice: str, step: str) -> list[dict[str, Any]]:
    body = [{"roll": {"d": dice}}, {"set": {"x": step}}]
    return [ZERO, {"repeat": body, "until": f"x >= {most}"}]


def nested_times(deep: int, times: str) -> dict[str, Any]:
    step: dict[str, Any] = {"set": {"x": "1 - x"}}
    for _ in range(deep):
        step = {"repeat": [step], "times": times}
    return step


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([ZERO, {"repeat": [POOL, {"set": {"x": "x + y"}}], "times": "1000"}], "R424"),
        ([{"repeat": [POOL], "times": "1000", "sum": {"x": "y"}}], "R424"),
        ([ZERO, nested_times(2, "1000")], "R424"),
        ([ZERO, nested_times(4, "50")], "R424"),
        ([{"roll": {"d": "d100"}, "times": "1000", "sum": {"x": "1 / d"}}], "R424"),
        ([*({"roll": {name: "20d100"}} for name in "abc"), {"set": {"x": "a + b * c"}}], "R424"),
        (walk(4900, "d100", "0 if d == 1 else x + d"), "R424"),
        (walk(4900, "d6", "max(0, x + d - 3)"), "R424"),
        (walk(99_999, "d2", "x + d"), "R424"),
        ([{"roll": {"x": "d6"}}, {"repeat": [{"set": {"x": "x * x"}}], "times": "1000"}], "R429"),
        ([{"roll": {"x": "d6"}}, {"repeat": [{"set": {"x": "x / 3"}}], "times": "1000"}], "R429"),
    ],
)  # fmt: skip
def test_refused(steps: list[dict[str, Any]], code: str) -> None:
    assert stopped(program(*steps)) == code


def test_a_chain_whose_states_all_lead_to_each_other() -> None:
    step = "(x * 7 + d * e) - (x * 7 + d * e) // 601 * 601"
    body = [{"roll": {"d": "d100", "e": "d6"}}, {"set": {"x": step}}]
    assert stopped(program(ZERO, {"repeat": body, "until": "x == 17"})) == "R424"


def test_many_passes_shown_of_a_long_chain() -> None:
    body = [{"roll": {"d": "d100"}}, {"set": {"x": "max(0, x + d - 50)"}}]
    loop = {"repeat": body, "until": "x >= 1500", "count": "n", "listed": "200"}
    assert stopped(program(ZERO, loop, gives="n")) == "R424"


@pytest.mark.parametrize(
    "steps",
    [
        [{"roll": {"x": "d6"}}, *({"set": {"x": "min(9, x + 1)"}} for _ in range(1000))],
        [{"roll": {"d": "d6"}, "times": "1000", "sum": {"x": "d"}}],
        [{"test": "x", "dice": "d6", "target": "'4+'", "times": "1000"}],
        walk(1000, "d6", "max(0, x + d - 3)"),
    ],
)
def test_answered(steps: list[dict[str, Any]]) -> None:
    assert sum(chances(program(*steps)).values()) == 1


def test_procedures_that_run_each_other_share_one_budget() -> None:
    many = {"n": {"count": "0-100", "default": "100"}}
    others: dict[str, Any] = {
        "a": {
            "inputs": many,
            "steps": [{"roll": {"d": "d6"}, "times": "n", "sum": {"x": "d"}}],
            "result": {"x": "x"},
        }
    }
    for name, inner in (("b", "a"), ("c", "b")):
        run = {"run": inner, "given": {"n": "m"}, "take": {"y": "x"}}
        body = [{"roll": {"m": "d100"}}, run]
        others[name] = {
            "inputs": many,
            "steps": [{"repeat": body, "times": "n", "sum": {"x": "y"}}],
            "result": {"x": "x"},
        }
    assert stopped(program({"run": "c", "take": {"x": "x"}}, others=others)) == "R424"


def test_every_kind_of_step_is_checked() -> None:
    assert STEP_KINDS.keys() == {SayStep, *STEPS.values()}
