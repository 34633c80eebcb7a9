"""One play-through: dice as they are given, steps in order, the same play for the same seed."""

import pytest
from rolls import chances, played, program

from rulebook.core.play import Player
from rulebook.core.play_state import ScriptedDice, ScriptFault, SeededDice
from rulebook.core.procedure_faults import RunFault

VOLLEY = program(
    {"say": "Throw.", "roll": {"d": "d6"}, "times": "n", "sum": {"hits": "max(0, d - 2)"}},
    {"say": "Saves.", "test": "saved", "dice": "d6", "target": "'6/4+'", "times": "hits // 4"},
    {"say": "Done."},
    gives="hits saved",
    inputs={"n": {"count": "1-9", "default": "2"}},
)


def test_dice_fall_in_order_and_are_told_by_step() -> None:
    found = played(VOLLEY, 6, 3, 6, 4)
    assert found.results == {"hits": 5, "saved": 1}
    assert [event.say and event.say.markdown for event in found.events] == [
        "Throw.", "Saves.", "Done."
    ]  # fmt: skip
    faces = [[thrown.faces for thrown in event.thrown] for event in found.events]
    assert faces == [[(6,), (3,)], [(6,), (4,)], []]


def test_a_chain_stops_at_the_first_score_that_is_missed() -> None:
    assert played(VOLLEY, 6, 3, 5).results == {"hits": 5, "saved": 0}


def test_dice_that_run_out_and_dice_of_another_kind() -> None:
    with pytest.raises(ScriptFault, match="the dice run out after 1"):
        Player(VOLLEY).play(VOLLEY.defaults(), ScriptedDice([6]))
    with pytest.raises(ScriptFault, match="die 2 shows 7"):
        Player(VOLLEY).play(VOLLEY.defaults(), ScriptedDice([6, 7]))


def test_a_seed_is_a_play() -> None:
    first, second = (Player(VOLLEY).play(VOLLEY.defaults(), SeededDice(7)) for _ in range(2))
    assert first == second


def test_the_best_of_dice() -> None:
    made = program({"roll": {"a": "highest of 3d6", "b": "lowest 2 of 3d6"}}, gives="a b")
    assert played(made, 2, 6, 4, 5, 1, 3).results == {"a": 6, "b": 4}


def test_again_and_reroll_throw_all_dice_of_the_step() -> None:
    tied = program({"roll": {"a": "d6", "b": "d6"}, "again": "a == b"}, gives="a b")
    assert played(tied, 2, 2, 5, 5, 1, 4).results == {"a": 1, "b": 4}
    once = program({"roll": {"a": "d6", "b": "d6"}, "reroll": "a == b"}, gives="a b")
    assert played(once, 2, 2, 5, 5).results == {"a": 5, "b": 5}


def test_a_failed_test_is_thrown_again_once() -> None:
    made = program({"test": "x", "dice": "d6", "target": "'4+'", "reroll": "true"})
    assert [played(made, *dice).results["x"] for dice in ((4,), (3, 4), (3, 3))] == [
        True, True, False
    ]  # fmt: skip


def test_a_pool_leaves_names_as_they_were() -> None:
    made = program(
        {"roll": {"d": "d6"}}, {"roll": {"d": "d6"}, "times": "2", "sum": {"x": "d"}}, gives="d x"
    )
    assert played(made, 3, 5, 6).results == {"d": 3, "x": 11}
    assert {d for d, _ in _pairs(made)} == set(range(1, 7))


def _pairs(made: object) -> set[tuple[int, int]]:
    from rolls import odds

    return set(odds(made))  # type: ignore[arg-type]


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


def test_a_step_that_is_not_taken_throws_nothing() -> None:
    made = program({"roll": {"x": "d6"}}, {"when": "x > 3", "roll": {"x": "d6"}})
    assert played(made, 3).results == {"x": 3}
    assert played(made, 4, 1).results == {"x": 1}


def test_plays_that_no_players_would_end() -> None:
    step = {"repeat": [{"repeat": [{"set": {"x": "1 - x"}}], "times": "1000"}], "times": "1000"}
    made = program({"set": {"x": "0"}}, step)
    with pytest.raises(RunFault) as fault:
        Player(made).play({}, SeededDice(1))
    assert fault.value.code == "R424"


def test_a_play_and_the_odds_are_of_one_mind() -> None:
    made = program({"roll": {"d": "d6"}, "reroll": "d < 3"}, gives={"x": "d // 2"})
    player = Player(made)
    results = {player.play({}, SeededDice(seed)).results["x"] for seed in range(99)}
    assert results == set(chances(made))


def test_a_block_is_told_step_by_step() -> None:
    inside = [{"say": "Its loss.", "roll": {"b": "d6"}}, {"set": {"x": "b"}}]
    block = {"say": "On 4 or more:", "when": "a > 3", "do": inside}
    made = program({"roll": {"a": "d6"}}, {"set": {"x": "0"}}, block)
    found = played(made, 5, 2)
    assert found.results == {"x": 2}
    assert [str(event.say) for event in found.events if event.say] == ["On 4 or more:", "Its loss."]
    assert {event.depth for event in found.events} == {0}
    assert played(made, 3).results == {"x": 0}
