"""Which inputs play a part in a result, where some of them are known."""

from __future__ import annotations

from beside import written
from rolls import program

from rulebook.core.programs import Program
from rulebook.core.relevant_inputs import mattering

INPUTS = written("{n: {count: 1-6}, near: {flag: false}, bonus: {count: 0-3}, other: {count: 0-3}}")


def made() -> Program:
    block = {"when": "near", "do": [{"set": {"x": "x + bonus"}}, {"roll": {"die": "d6"}}]}
    return program(
        {"roll": {"die": "d6"}},
        {"set": {"x": "die + n"}},
        block,
        {"repeat": [{"when": "not near", "set": {"x": "x + other"}}], "times": "2"},
        gives={"x": "x", "die": "die", "n": "n"},
        inputs=INPUTS,
    )


def test_what_a_result_hangs_on() -> None:
    assert mattering(made(), ["x"], {}) == {"n", "near", "bonus", "other"}
    assert mattering(made(), ["die"], {}) == {"near"}
    assert mattering(made(), ["n"], {}) == {"n"}
    assert mattering(made(), ["die", "n"], {}) == {"near", "n"}


def test_steps_that_are_not_taken_read_nothing() -> None:
    assert mattering(made(), ["x"], {"near": False}) == {"n", "near", "other"} - {"near"} | {"near"}
    assert mattering(made(), ["x"], {"near": True}) == {"n", "near", "bonus"}
