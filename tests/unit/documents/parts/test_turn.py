"""The turn in words: who acts, what is gone through again, and where the rules of it stand."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from small_rulesets import ruleset_of
from small_scenarios import FORMATIONS, TABLES, UNITS, meeting, played

from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.turn import TurnWords, steps_of
from rulebook.documents.qrs.compose import compose_phases
from rulebook.documents.qrs.layout import _turn
from rulebook.documents.scenario.compose import scenario_view
from rulebook.documents.scenario.handouts import compose_scenario_sheets
from rulebook.model.ruleset import Ruleset
from rulebook.model.sequence_and_examples import numbers_of

CHAPTER = "# Rules {#rules}\n\n## Moving {#moving}\n\nWords."


def step(title: str, **more: Any) -> dict[str, Any]:
    return {"title": title, "rule": "moving", "say": ["Do it."], **more}


SEQUENCE: dict[str, Any] = {
    "start": {"title": "Initiative", "by": "together", "steps": {"throw": step("Throw")}},
    "move": {
        "title": "Move",
        "by": "active",
        "repeat": {"to": "fight", "each": "side"},
        "steps": {
            "march": step("March", repeat={"to": "ride", "until": "all have moved."}),
            "ride": step("Ride", by="other"),
        },
    },
    "night": {"title": "Night", "optional": "true", "steps": {"dark": step("Dark")}},
    "fight": {
        "title": "Fight",
        "by": "alternating",
        "repeat": {"each": "unit"},
        "steps": {"blow": step("Blow", repeat={"times": "3"})},
    },
    "end": {"title": "End", "steps": {"rest": step("Rest")}},
}


def ruleset(sequence: dict[str, Any] | None = None, **scenario: Any) -> Ruleset:
    told = {"sequence": SEQUENCE if sequence is None else sequence, "tables": TABLES}
    told |= {"units": UNITS, "formations": FORMATIONS}
    return ruleset_of({**told, "scenarios": {"meeting": meeting() | scenario}}, CHAPTER)


def lines(phase: str, step_id: str) -> list[str]:
    return TurnWords(Binder(ruleset())).panel(phase, step_id)


def test_the_first_panel_of_a_phase_says_what_holds_for_all_of_it() -> None:
    assert lines("move", "march") == [
        "**By the active side.**",
        "**Phases 2 to 3 once for each side.**",
        "**“March” to “Ride” again until all have moved.**",
        "Do it.",
    ]
    assert lines("move", "ride") == ["**By the other side.**", "Do it."]
    assert lines("fight", "blow")[1:3] == [
        "**This phase once for each unit.**",
        "**This step 3 times in all.**",
    ]
    assert lines("end", "rest") == ["Do it."]


def test_the_turn_stands_in_a_chapter_with_the_rules_of_its_steps() -> None:
    told = steps_of(Binder(ruleset()), "sequence")
    assert told.title == "The turn"
    assert told.steps == (
        "**Initiative**, by both sides together: Throw ([§\u00a01.1](#moving)).",
        "**Move**, by the active side: March ([§\u00a01.1](#moving)), Ride, by the other side "
        "([§\u00a01.1](#moving)). Phases 2 to 3 once for each side. “March” to “Ride” again until "
        "all have moved.",
        "**Fight**, by the sides alternately, a unit at a time: Blow ([§\u00a01.1](#moving)). "
        "Phase 3 once for each unit. “Blow” 3 times in all.",
        "**End**: Rest ([§\u00a01.1](#moving)).",
    )


def test_the_head_of_the_sheet_shows_what_is_gone_through_again() -> None:
    phases = compose_phases(ruleset(), lambda cutout, ink: "")
    assert [phase.loops for phase in phases] == [(), (), (), ("3 each unit", "2–3 each side"), ()]
    _, turn = _turn([phase for phase in phases if phase.hue], {"move"}, 283, 60)
    assert [(one.text, one.hue) for one in turn] == [
        ("1 Initiative", 1),
        ("2 Move", 2),
        ("3 Fight", 3),
        ("3 each unit", 0),
        ("2–3 each side", 0),
        ("4 End", 4),
    ]
    _, narrow = _turn([phase for phase in phases if phase.hue], set(), 283, 238)
    assert [one.text for one in narrow] == ["1", "2", "3", "(3)", "(2–3)", "4"]


@pytest.mark.parametrize("first", [None, "blue", "red"])
def test_each_half_turn_has_a_box_and_a_space_of_its_own(first: str | None) -> None:
    made = ruleset(first=first)
    one = played(made)
    view = scenario_view(one, "a5")
    boxes = [box for row in view.track for box in row]
    order = [1, 0] if first == "blue" else [0, 1]
    assert [(box.turn, box.half) for box in boxes] == [(n, h) for n in range(1, 13) for h in order]
    coming = [(box.turn, box.half, force) for box in boxes for _, force, _ in box.coming]
    assert coming == [(3, 0, "Main")]
    assert view.phases.startswith("1\u00a0Initiative (by both sides together); 2\u00a0Move (")
    assert view.phases.endswith("Phases 2 to 3 once for each side. Phase 3 once for each unit.")
    sheets = compose_scenario_sheets(one)
    assert [(one.turn, one.half) for one in sheets.track] == [(one.turn, one.half) for one in boxes]
    assert [len(space.coming) for space in sheets.track] == [len(box.coming) for box in boxes]


def test_a_turn_of_which_nothing_is_said_stays_as_it_was() -> None:
    plain = deepcopy(SEQUENCE)
    for phase in plain.values():
        for part in (phase, *phase["steps"].values()):
            part.pop("by", None), part.pop("repeat", None)
    made = ruleset(plain)
    view = scenario_view(played(made), "a5")
    assert view.phases == "" and {box.half for row in view.track for box in row} == {None}
    assert all(not phase.loops for phase in compose_phases(made, lambda cutout, ink: ""))
    assert numbers_of(made.sequence) == {
        "start": "1", "move": "2", "night": "A", "fight": "3", "end": "4"
    }  # fmt: skip
