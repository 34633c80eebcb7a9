"""One play-through: dice as they are given, steps in order, the same play for the same seed."""

import pytest
from rolls import played, program

from rulebook.core.procedure_faults import FaultAt, RunFault
from rulebook.core.programs import ScriptedDice, seeded_dice

VOLLEY = program(
    {"say": "Throw.", "roll": {"d": "d6"}, "times": "n", "sum": {"hits": "max(0, d - 2)"}},
    {"say": "Saves.", "test": "saved", "dice": "d6", "target": "'6/4+'", "times": "hits // 4"},
    {"say": "Done."},
    gives="hits saved",
    inputs={"n": {"count": "1-9", "default": "2"}},
)


def test_dice_fall_in_order_and_are_shown_by_step() -> None:
    found = played(VOLLEY, 6, 3, 6, 4)
    assert found.results == {"hits": 5, "saved": 1}
    assert [event.say and event.say.markdown for event in found.events] == [
        "Throw.", "Saves.", "Done."
    ]  # fmt: skip
    faces = [[thrown.faces for thrown in event.thrown] for event in found.events]
    assert faces == [[(6,), (3,)], [(6,), (4,)], []]


def test_dice_that_run_out_and_dice_of_another_kind() -> None:
    with pytest.raises(FaultAt, match="the dice run out after 1"):
        VOLLEY.play(VOLLEY.defaults(), ScriptedDice([6]))
    with pytest.raises(FaultAt, match="die 2 shows 7"):
        VOLLEY.play(VOLLEY.defaults(), ScriptedDice([6, 7]))


def test_a_seed_is_a_play() -> None:
    first, second = (VOLLEY.play(VOLLEY.defaults(), seeded_dice(7)) for _ in range(2))
    assert first == second


def test_passes_are_numbered_and_lie_deeper() -> None:
    made = program(
        {"repeat": [{"say": "Again.", "roll": {"x": "d6"}}], "times": "3", "until": "x == 6"}
    )
    events = [event for event in played(made, 2, 6).events if event.thrown]
    assert [(event.depth, event.number) for event in events] == [(1, 1), (1, 2)]


def test_a_procedure_that_is_run_lies_deeper() -> None:
    others = {"inner": {"steps": [{"say": "In.", "roll": {"d": "d6"}}], "result": {"y": "d"}}}
    made = program({"say": "Out.", "run": "inner", "take": {"x": "y"}}, others=others)
    found = played(made, 4)
    assert found.results == {"x": 4}
    assert {event.depth for event in found.events} == {0, 1}


def test_plays_that_no_players_would_end() -> None:
    step = {"repeat": [{"repeat": [{"set": {"x": "1 - x"}}], "times": "1000"}], "times": "1000"}
    made = program({"set": {"x": "0"}}, step)
    with pytest.raises(RunFault) as fault:
        made.play({}, seeded_dice(1))
    assert fault.value.code == "R424"


def test_a_block_is_shown_step_by_step() -> None:
    inside = [{"say": "Its loss.", "roll": {"b": "d6"}}, {"set": {"x": "b"}}]
    block = {"say": "On 4 or more:", "when": "a > 3", "do": inside}
    made = program({"roll": {"a": "d6"}}, {"set": {"x": "0"}}, block)
    found = played(made, 5, 2)
    assert found.results == {"x": 2}
    assert [str(event.say) for event in found.events if event.say] == ["On 4 or more:", "Its loss."]
    assert {event.depth for event in found.events} == {0}
    assert played(made, 3).results == {"x": 0}
