"""Repetitions: bounded by a number, by dice, by what happens; without a bound solved exactly."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from beside import written
from rolls import chances, mean, odds, played, program, refused, stopped, work

from rulebook.core.value_types import More

ZERO = {"set": {"x": "0"}}
ADD = [{"roll": {"d": "d2"}}, {"set": {"x": "x + d"}}]


def geometric(chance: str = "d == 6", listed: int | None = None) -> list[dict[str, Any]]:
    loop: dict[str, Any] = {"repeat": [{"roll": {"d": "d6"}}], "until": chance, "count": "n"}
    return [loop if listed is None else {**loop, "listed": str(listed)}]


def test_no_pass_leaves_all_as_it_was() -> None:
    assert chances(program(ZERO, {"repeat": ADD, "times": "0"})) == {0: 1}


def test_as_many_passes_as_dice_say() -> None:
    made = program(ZERO, {"roll": {"n": "d3"}}, {"repeat": ADD, "times": "n - 1"}, gives="n x")
    expected = {(1, 0): Fraction(1, 3)}
    for passes in (1, 2):
        for twos in range(passes + 1):
            chance = Fraction(comb(passes, twos), 2**passes) / 3
            expected[passes + 1, passes + twos] = chance
    assert odds(made) == expected


def test_the_number_of_passes_is_settled_before_the_first() -> None:
    steps = written("[{set: {n: 3, x: 0}}, {repeat: [{set: {n: n + 1, x: x + 1}}], times: n}]")
    assert odds(program(*steps, gives="n x")) == {(6, 3): 1}


def test_passes_are_counted_and_stop() -> None:
    made = program(
        {"repeat": [{"roll": {"d": "d6"}}], "times": "3", "until": "d == 6", "count": "n"},
        gives="n",
    )
    miss = Fraction(5, 6)
    assert chances(made) == {1: 1 - miss, 2: miss * (1 - miss), 3: miss**2}


def test_a_count_of_no_pass_is_nothing() -> None:
    made = program(
        {"roll": {"a": "d2"}}, {"repeat": [{"say": "Wait."}], "times": "a - 1", "count": "n"},
        gives="a n",
    )  # fmt: skip
    assert odds(made) == {(1, 0): Fraction(1, 2), (2, 1): Fraction(1, 2)}


def test_geometric() -> None:
    made = program(*geometric(), gives="n")
    found = chances(made)
    assert found[1] == Fraction(1, 6)
    assert found[30] == Fraction(5, 6) ** 29 / 6
    assert found[More(30)] == Fraction(5, 6) ** 30
    assert sum(found.values()) == 1
    assert mean(made) == 6


def test_listed_says_how_many_passes_are_told() -> None:
    made = program(*geometric(listed=2), gives="n")
    assert chances(made) == {
        1: Fraction(1, 6), 2: Fraction(5, 36), More(2): Fraction(25, 36)
    }  # fmt: skip
    assert mean(made) == 6
    assert str(More(2)) == "more"


def test_throws_that_add_nothing_cost_nothing_but_time() -> None:
    """Counter-battery at long range: 1 and 2 add nothing, so a hit takes 3/2 throws in the mean."""
    loop = {
        "repeat": [{"roll": {"d": "d6"}}, {"set": {"x": "min(2, x + (1 if d > 2 else 0))"}}],
        "until": "x >= 2",
        "count": "n",
    }
    assert mean(program(ZERO, loop, gives="n")) == 2 * Fraction(3, 2)


def test_a_walk_that_goes_back_has_the_mean_of_the_gamblers_ruin() -> None:
    """From the middle of 0 to 6 by even steps: 3 * 3 steps (Feller, volume 1, XIV.3)."""
    loop = {
        "repeat": [{"roll": {"d": "d2"}}, {"set": {"x": "x + (1 if d == 1 else -1)"}}],
        "until": "x in (0, 6)",
        "count": "n",
    }
    made = program({"set": {"x": "3"}}, loop, gives="n")
    assert mean(made) == 9
    assert chances(program({"set": {"x": "2"}}, loop)) == {0: Fraction(2, 3), 6: Fraction(1, 3)}


def test_the_last_throw_and_the_count_go_together() -> None:
    found = odds(program(*geometric("d >= 5", 1), gives="n d"))
    third = Fraction(1, 6)
    assert found == {
        (1, 5): third, (1, 6): third, (More(1), 5): Fraction(1, 3), (More(1), 6): Fraction(1, 3)
    }  # fmt: skip


def test_a_repetition_that_may_not_end() -> None:
    steps = [ZERO, {"repeat": [{"roll": {"x": "d6"}}], "until": "x == 7"}]
    assert stopped(program(*steps)) == "R423"
    trap = [{"roll": {"a": "d6"}}, {"repeat": [{"roll": {"x": "d6"}}], "until": "x == 6 and a > 1"}]
    assert stopped(program(*trap)) == "R423"


def test_numbers_without_end() -> None:
    grown = program({"set": {"x": "2"}}, {"repeat": [{"set": {"x": "x * x"}}], "times": "100"})
    assert stopped(grown) == "R429"
    thirds = program({"set": {"x": "1"}}, {"repeat": [{"set": {"x": "x / 3"}}], "until": "x == 0"})
    assert stopped(thirds) == "R429"
    added = program(ZERO, {"repeat": [{"set": {"x": "x + 1"}}], "until": "x < 0"})
    assert stopped(added) == "R424"


def test_repetitions_inside_one_another() -> None:
    made = program(
        ZERO,
        {"repeat": [{"roll": {"n": "d2"}}, {"repeat": [{"set": {"x": "x + 1"}}], "times": "n"}],
         "times": "2"},
    )  # fmt: skip
    quarter = Fraction(1, 4)
    assert chances(made) == {2: quarter, 3: 2 * quarter, 4: quarter}


def test_names_set_in_a_pass_stand_behind_it_where_there_is_one_for_certain() -> None:
    inside = {"repeat": [{"roll": {"x": "d2"}}], "times": "2"}
    assert chances(program(inside)) == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    at_times = {**inside, "times": "n"}
    assert refused(at_times, inputs={"n": {"count": "0-2"}}) == ["R422"]


def test_a_procedure_run_in_each_pass() -> None:
    others = {"coin": {"steps": [{"roll": {"d": "d2"}}], "result": {"d": "d"}}}
    run = {"run": "coin", "take": {"d": "d"}}
    made = program(ZERO, {"repeat": [run, {"set": {"x": "x + d"}}], "times": "2"}, others=others)
    assert chances(made) == {2: Fraction(1, 4), 3: Fraction(1, 2), 4: Fraction(1, 4)}


def test_passes_that_begin_afresh_are_added_up() -> None:
    step = {
        "repeat": [{"roll": {"a": "d2"}}, {"set": {"b": "a * seen"}}],
        "times": "2",
        "sum": {"x": "b", "ones": "a == 1"},
    }
    made = program({"roll": {"seen": "d2"}}, step, gives="seen x ones")
    eighth = Fraction(1, 8)
    assert odds(made) == {
        (s, x * s, ones): ways * eighth
        for s in (1, 2)
        for x, ones, ways in ((2, 2, 1), (3, 1, 2), (4, 0, 1))
    }


def test_a_bound_of_passes_keeps_states_few() -> None:
    step = {"repeat": [{"roll": {"d": "d6"}}, {"set": {"x": "max(x, d)"}}], "times": "100"}
    assert work(program(ZERO, step)) < 100 * 7 * 8 * 3


@pytest.mark.parametrize("dice", [(6,), (1, 6), (2, 3, 6)])
def test_the_play_counts_as_the_odds_do(dice: tuple[int, ...]) -> None:
    made = program(*geometric(), gives="n")
    assert played(made, *dice).results == {"n": len(dice)}


def test_a_count_without_a_bound_is_a_result_and_nothing_else() -> None:
    assert refused(*geometric(), {"set": {"x": "n + 1"}}) == ["R422"]
    inside = {"repeat": geometric(), "times": "2"}
    assert refused(inside, gives="n")[0] == "R423"
    at_times = {"when": "a > 1", **geometric()[0]}
    assert refused({"roll": {"a": "d6"}}, at_times, gives="n")[0] == "R423"


def test_a_count_is_set_by_no_step_inside() -> None:
    step = {"repeat": [{"set": {"n": "4"}}], "times": "2", "count": "n"}
    assert refused(step, gives="n")[0] == "R430"
