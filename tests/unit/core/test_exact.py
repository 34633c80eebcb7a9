"""Steps read exactly: what is one throw stays one, and what is thrown anew is another."""

from fractions import Fraction
from typing import Any

import pytest
from beside import as_written
from rolls import chances, mean, odds, played, program, refused, stopped, work

from rulebook.core.programs import Program
from rulebook.core.value_types import More


def cases(kind: str) -> pytest.MarkDecorator:
    found = as_written(__file__, kind)
    return pytest.mark.parametrize("case", found.values(), ids=found)


def made_of(case: dict[str, Any]) -> tuple[Program, dict[str, Any]]:
    """The program of a case, and the values of its inputs."""
    inputs = case.pop("with", {})
    made = program(*case.pop("steps"), **case)
    return made, {name: made.domains[name].parse(text) for name, text in inputs.items()}


@cases("odds")
def test_odds(case: dict[str, Any]) -> None:
    wanted = {values: Fraction(chance) for values, chance in case.pop("odds").items()}
    made, inputs = made_of(case)
    found = odds(made, **inputs)
    assert {" ".join(map(str, values)): chance for values, chance in found.items()} == wanted


@cases("means")
def test_means(case: dict[str, Any]) -> None:
    wanted = Fraction(case.pop("mean"))
    made, inputs = made_of(case)
    assert mean(made, **inputs) == wanted


@cases("stopped")
def test_what_cannot_be_read_is_stopped(case: dict[str, Any]) -> None:
    code = case.pop("code")
    made, inputs = made_of(case)
    assert stopped(made, **inputs) == code


@cases("refused")
def test_what_is_refused_before_it_is_read(case: dict[str, Any]) -> None:
    codes = case.pop("codes")
    assert refused(*case.pop("steps"), **case) == codes


TEST = {"test": "x", "dice": "d6", "target": "'4+'"}
SIXTH = Fraction(1, 6)


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


GEOMETRIC = {"repeat": [{"roll": {"d": "d6"}}], "until": "d == 6", "count": "n"}


def test_geometric() -> None:
    made = program(GEOMETRIC, gives="n")
    found = chances(made)
    assert found[1] == Fraction(1, 6)
    assert found[30] == Fraction(5, 6) ** 29 / 6
    assert found[More(30)] == Fraction(5, 6) ** 30
    assert sum(found.values()) == 1
    assert mean(made) == 6
    for dice in ((6,), (1, 6), (2, 3, 6)):
        assert played(made, *dice).results == {"n": len(dice)}


def test_lengths_of_dice_are_added_up() -> None:
    made = program({"roll": {"d": "d3"}, "times": "2", "sum": {"x": "d * '1in'"}})
    assert str(made.results["x"].kind) == "a length (in)"
    assert chances(made)[4] == Fraction(3, 9)


def test_what_no_result_needs_takes_nothing() -> None:
    idle = [{"roll": {f"d{number}": "d100"}} for number in range(40)]
    assert work(program({"roll": {"x": "d6"}}, *idle)) <= work(program({"roll": {"x": "d6"}})) + 10


def test_what_is_no_longer_needed_is_forgotten() -> None:
    steps = [{"roll": {"x": "d6"}}]
    for _ in range(50):
        steps += [{"roll": {"d": "d6"}}, {"set": {"x": "min(6, max(x, d))"}}]
    assert work(program(*steps)) < 50 * 6 * 6 * 4


def test_pools_of_many_dice_are_not_enumerated() -> None:
    made = program({"roll": {"d": "d6"}, "times": "200", "sum": {"x": "d >= 4"}})
    assert mean(made) == 100
    assert work(made) < 2_000


def test_a_bound_of_passes_keeps_states_few() -> None:
    step = {"repeat": [{"roll": {"d": "d6"}}, {"set": {"x": "max(x, d)"}}], "times": "100"}
    assert work(program({"set": {"x": "0"}}, step)) < 100 * 7 * 8 * 3
