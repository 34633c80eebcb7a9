"""Steps read exactly: what is one throw stays one, what is thrown anew is another."""

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from beside import beside, written
from rolls import chances, mean, odds, program, stopped, work

D6 = range(1, 7)
SIXTH = Fraction(1, 6)


def test_a_throw_used_twice_is_one_throw() -> None:
    twice = program({"roll": {"die": "d6"}}, gives={"x": "die + die"})
    assert chances(twice) == {2 * face: SIXTH for face in D6}


def test_two_results_of_one_throw_go_together() -> None:
    both = program({"roll": {"die": "d6"}}, gives={"x": "die", "y": "7 - die"})
    assert odds(both) == {(face, 7 - face): SIXTH for face in D6}


def test_two_throws_are_two() -> None:
    two = program({"roll": {"a": "d6", "b": "d6"}}, gives="a b")
    assert odds(two) == dict.fromkeys(product(D6, D6), SIXTH**2)


def test_a_name_thrown_anew_keeps_what_was_made_of_it() -> None:
    steps = [{"roll": {"die": "d6"}}, {"set": {"first": "die"}}, {"roll": {"die": "d6"}}]
    assert odds(program(*steps, gives="first die")) == dict.fromkeys(product(D6, D6), SIXTH**2)


def test_a_throw_before_a_repetition_is_the_same_in_each_pass() -> None:
    steps = [
        {"roll": {"die": "d6"}},
        {"set": {"total": "0"}},
        {"repeat": [{"set": {"total": "total + die"}}], "times": "3"},
    ]
    assert chances(program(*steps, gives="total")) == {3 * face: SIXTH for face in D6}


def test_a_throw_inside_a_repetition_is_another_in_each_pass() -> None:
    steps = [
        {"set": {"total": "0"}},
        {"repeat": [{"roll": {"d": "d2"}}, {"set": {"total": "total + d"}}], "times": "3"},
    ]
    assert chances(program(*steps, gives="total")) == {
        3 + heads: Fraction(comb(3, heads), 8) for heads in range(4)
    }


def test_results_of_a_procedure_that_is_run_go_together() -> None:
    others = {"pair": {"steps": [{"roll": {"d": "d6"}}], "result": {"low": "d", "high": "d + 6"}}}
    run = {"run": "pair", "take": {"one": "low", "other": "high"}}
    made = program(run, gives="one other", others=others)
    assert odds(made) == {(face, face + 6): SIXTH for face in D6}
    twice = program(
        run, {"run": "pair", "take": {"again": "low"}}, gives="one again", others=others
    )
    assert odds(twice) == dict.fromkeys(product(D6, D6), SIXTH**2)


def test_a_pool_reads_a_die_that_was_thrown_before_it() -> None:
    steps = written("[{roll: {need: d2}}, {roll: {d: d2}, times: 2, sum: {hits: 'd >= need'}}]")
    expected = {(1, 2): Fraction(1, 2)} | {
        (2, hits): Fraction(comb(2, hits), 8) for hits in range(3)
    }
    assert odds(program(*steps, gives="need hits")) == expected


def test_each_throw_of_a_pool_is_another() -> None:
    pool = program({"roll": {"d": "d6"}, "times": "2", "sum": {"x": "d"}})
    assert chances(pool)[3] == 2 * SIXTH**2


def test_sums_of_one_pool_go_together() -> None:
    step = {"roll": {"d": "d6"}, "times": "2", "sum": {"up": "d", "down": "7 - d"}}
    assert all(up + down == 14 for up, down in odds(program(step, gives="up down")))


@pytest.mark.parametrize(("aggregate", "best"), [("highest", max), ("lowest", min)])
def test_the_best_of_a_pool(aggregate: str, best: object) -> None:
    assert callable(best)
    pool = program({"roll": {"d": "d6"}, "times": "3", aggregate: {"x": "d"}})
    counted: dict[int, Fraction] = {}
    for faces in product(D6, repeat=3):
        counted[best(faces)] = counted.get(best(faces), Fraction()) + SIXTH**3
    assert chances(pool) == counted


def test_the_best_of_no_dice_is_nothing() -> None:
    for aggregate in ("highest", "lowest", "sum"):
        assert chances(program({"roll": {"d": "d6"}, "times": "0", aggregate: {"x": "d"}})) == {
            0: 1
        }


@pytest.mark.parametrize("step", beside(__file__, "what_is_not_thrown_has_no_fault"))
def test_what_is_not_thrown_has_no_fault(step: dict[str, Any]) -> None:
    made = program({"set": {"x": "0"}}, step, inputs={"n": {"count": "0-2"}})
    assert chances(made, n=0) == {0: 1}


def test_different_faces() -> None:
    pool = program({"roll": {"d": "d6"}, "times": "2", "distinct": "x"})
    assert chances(pool) == {1: SIXTH, 2: 1 - SIXTH}


def test_again_is_conditioning() -> None:
    step = {"roll": {"a": "d6", "b": "d6"}, "again": "a == b"}
    assert odds(program(step, gives="a b")) == {
        (a, b): Fraction(1, 30) for a, b in product(D6, D6) if a != b
    }


def test_again_for_ever_is_refused() -> None:
    made = program({"roll": {"x": "d6"}, "again": "x > 0"})
    assert stopped(made) == "R423"


def test_a_reroll_is_thrown_once_and_stands() -> None:
    made = program({"roll": {"x": "d6"}, "reroll": "x == 1"})
    assert chances(made) == {1: SIXTH**2} | dict.fromkeys(range(2, 7), SIXTH + SIXTH**2)


TEST = {"test": "x", "dice": "d6", "target": "'4+'"}


@pytest.mark.parametrize(
    ("step", "natural", "chance"),
    [
        ({}, {}, Fraction(1, 2)),
        ({"target": "'6/4+'"}, {}, SIXTH * Fraction(1, 2)),
        ({"target": "'never'"}, {"6": "passes"}, Fraction(0)),
        ({"plus": "5"}, {}, Fraction(1)),
        ({"plus": "5"}, {"1": "fails"}, Fraction(5, 6)),
        ({"plus": "-9"}, {"6": "passes"}, SIXTH),
        ({"plus": "5", "target": "'6/4+'"}, {"1": "fails"}, Fraction(5, 6) ** 2),
        ({"reroll": "true"}, {}, Fraction(3, 4)),
        ({"dice": "2d6", "target": "'2+'"}, {"2": "fails"}, Fraction(1)),
        ({"dice": "highest of 2d6", "target": "'6+'"}, {"6": "fails"}, Fraction(0)),
    ],
)
def test_tests(step: dict[str, str], natural: dict[str, str], chance: Fraction) -> None:
    found = chances(program({**TEST, **step}, natural=natural))
    assert found.get(True, Fraction()) == chance
    assert sum(found.values()) == 1


def test_a_number_of_tests_counts_those_that_pass() -> None:
    made = program({"roll": {"n": "d2"}}, {**TEST, "times": "n"}, gives="n x")
    assert odds(made) == {
        (n, passed): Fraction(comb(n, passed), 2**n) / 2 for n in (1, 2) for passed in range(n + 1)
    }


def test_a_step_taken_at_times() -> None:
    steps = [{"roll": {"a": "d6", "x": "d6"}}, {"when": "a == 1", "set": {"x": "0"}}]
    assert chances(program(*steps)) == {0: SIXTH} | {f: SIXTH * Fraction(5, 6) for f in D6}


def test_several_names_set_at_times_are_set_together() -> None:
    steps = written("[{roll: {a: d2, b: d2}}, {when: a < b, set: {a: b, b: a + 1}}]")
    quarter = Fraction(1, 4)
    assert odds(program(*steps, gives="a b")) == {
        (1, 1): quarter,
        (2, 3): quarter,
        (2, 1): quarter,
        (2, 2): quarter,
    }


def test_dice_by_expression() -> None:
    tables = written(
        "{arms: {title: Arms, fields: {throw: dice}, data: {musket: {throw: d6}, "
        "rifle: {throw: 2d6}}}}"
    )
    made = program({"roll": {"x": "arm.throw"}}, inputs={"arm": {"one_of": "arms"}}, tables=tables)
    assert chances(made, arm="musket") == dict.fromkeys(D6, SIXTH)
    assert chances(made, arm="rifle")[12] == SIXTH**2


def test_numbers_and_words() -> None:
    made = program({"roll": {"d": "d3"}}, gives={"x": "d if d < 3 else 'gone'"})
    assert chances(made) == {1: Fraction(1, 3), 2: Fraction(1, 3), "gone": Fraction(1, 3)}


def test_what_no_result_needs_takes_nothing() -> None:
    idle = [{"roll": {f"d{number}": "d100"}} for number in range(40)]
    assert work(program({"roll": {"x": "d6"}}, *idle)) <= work(program({"roll": {"x": "d6"}})) + 10


def test_what_is_no_longer_needed_is_forgotten() -> None:
    steps = [{"roll": {"x": "d6"}}]
    for _ in range(50):
        steps += [{"roll": {"d": "d6"}}, {"set": {"x": "min(6, max(x, d))"}}]  # type: ignore[dict-item]
    assert work(program(*steps)) < 50 * 6 * 6 * 4


def test_pools_of_many_dice_are_not_enumerated() -> None:
    made = program({"roll": {"d": "d6"}, "times": "200", "sum": {"x": "d >= 4"}})
    assert mean(made) == 100
    assert work(made) < 2_000


def test_states_that_explode_are_refused_at_the_step() -> None:
    made = program(*({"roll": {name: "d100"}} for name in "abcd"), gives={"x": "a * b * c * d"})
    assert stopped(made) == "R424"


def test_inputs_that_are_not_admitted() -> None:
    made = program(
        {"roll": {"d": "d6"}, "times": "n", "sum": {"x": "d"}},
        inputs={"n": {"count": "1-9", "default": "3"}},
        requires=[{"that": "n > 1", "say": "One throws nothing."}],
    )
    assert mean(made) == Fraction(7, 2) * 3
    assert stopped(made, n=1) == "R433"


def test_a_procedure_run_with_a_value_that_it_does_not_take() -> None:
    others = written(
        "{inner: {inputs: {n: {count: 1-3}}, steps: [{roll: {d: d6}}], result: {y: d + n}}}"
    )
    made = program(
        {"roll": {"a": "d6"}}, {"run": "inner", "given": {"n": "a"}, "take": {"x": "y"}},
        others=others,
    )  # fmt: skip
    assert stopped(made) == "R425"


@pytest.mark.parametrize("times", ["d - 2", "d / 2", "d * 2000"])
def test_times_that_are_none(times: str) -> None:
    made = program({"roll": {"d": "d6"}}, {"roll": {"e": "d6"}, "times": times, "sum": {"x": "e"}})
    assert stopped(made) == "R425"
