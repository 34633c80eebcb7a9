"""What differs between two rulesets, and all that names it."""

from __future__ import annotations

from typing import Any

from beside import written
from small_rulesets import ruleset_of

from rulebook.core.changed_results import affected
from rulebook.model.ruleset import Ruleset

PROCEDURE: dict[str, Any] = {"steps": [{"roll": {"die": "d6"}}], "result": {"score": "die"}}


def ruleset(reach: str = "24in", **procedures: str) -> Ruleset:
    """Procedures that name a table each, or run another."""
    made = {
        name: {**PROCEDURE, "title": name, "result": {"score": f"die + {expression}"}}
        for name, expression in procedures.items()
    }
    table = {"title": "Arms", "fields": {"reach": "length"}, "data": {"musket": {"reach": reach}}}
    held = written("{title: Held, fields: {arm: row arms}, data: {foot: {arm: musket}}}")
    return ruleset_of({"tables": {"arms": table, "held": held}, "procedures": made})


def test_nothing() -> None:
    assert affected(ruleset(), ruleset()) == frozenset()


def test_what_names_it_and_what_names_that() -> None:
    names = {"shot": "arms.musket.reach", "charge": "held.foot.arm.reach", "rout": "1"}
    changed = affected(ruleset("12in", **names), ruleset("24in", **names))
    assert changed == {"arms", "held", "shot", "charge"}


def test_what_is_added_and_what_is_gone() -> None:
    assert affected(ruleset(shot="1"), ruleset()) == {"shot"}
    assert affected(ruleset(), ruleset(shot="1")) == {"shot"}
