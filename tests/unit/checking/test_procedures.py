"""Procedures are tried at their defaults and at the ends of their inputs, within one bound."""

from __future__ import annotations

from typing import Any

import pytest
from small_rulesets import ruleset_of

from rulebook.checking import procedures as checking
from rulebook.checking.procedures import check_procedures


def faults(count: int = 1, **more: Any) -> list[str]:
    trial: dict[str, Any] = {
        "title": "A trial",
        "inputs": {"n": {"count": "1-9", "default": "3"}},
        "steps": [{"roll": {"d": "d6"}, "times": "n", "sum": {"x": "d"}}],
        "result": {"x": "x"},
        **more,
    }
    ruleset = ruleset_of({"procedures": {f"trial{n}": trial for n in range(count)}})
    return [problem.code for problem in check_procedures(ruleset)]


def test_all_well() -> None:
    assert faults(5) == []


def test_the_ends_of_inputs_are_tried() -> None:
    assert faults(result={"x": "x / (n - 9)"}) == ["R425"]
    assert faults(result={"x": "x / (n - 1)"}) == ["R425"]
    assert faults(result={"x": "x / (n - 3)"}) == ["R425"]


def test_a_fault_at_many_inputs_is_told_once() -> None:
    assert len(faults(result={"x": "x / (n - n)"})) == 1


def test_inputs_that_are_refused_are_no_fault_but_at_the_defaults() -> None:
    def requires(that: str) -> list[dict[str, str]]:
        return [{"that": that, "say": "Three or more throw."}]

    assert faults(requires=requires("n >= 3")) == []
    assert faults(requires=requires("n > 3")) == ["R433"]


def test_rulesets_that_take_too_long_say_what_was_not_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "MOST_MOVES_IN_ALL", 800)
    assert faults(2) == []
    (fault,) = faults(50)
    assert fault == "R424"


def test_other_inputs_share_a_bound_that_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_MOVES", 60)
    assert faults() == []
    monkeypatch.setattr(checking, "MOST_MOVES", 5)
    assert faults() == ["R424"]
