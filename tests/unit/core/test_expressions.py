"""Expressions: every name and kind is checked before anything runs; what they come to."""

from fractions import Fraction
from typing import Any

import pytest
from beside import as_written, beside
from rolls import chances, odds, program, refused, stopped

DIE = {"roll": {"die": "d6"}}
WORDS = {"mood": {"one_of": ["calm", "wild"]}}


def value(text: str, **given: Any) -> Any:
    """What an expression without dice comes to."""
    (only,) = chances(program({"set": {"x": text}}, **given))
    return only


@pytest.mark.parametrize(
    ("text", "wanted"),
    [*beside(__file__, "values"), ("7 / 2", Fraction(7, 2))],
)
def test_values(text: str, wanted: Any) -> None:
    found = value(text)
    assert (found, type(found) is bool) == (wanted, type(wanted) is bool)


@pytest.mark.parametrize(("text", "fault"), beside(__file__, "faults"))
def test_faults(text: str, fault: str | None) -> None:
    step = {"set": {"x": text}}
    try:
        found = refused(DIE, step, gives={"x": "x", "mood": "mood"}, inputs=WORDS)
    except ValueError:
        assert fault is None, "refused when it is read"
        return
    assert found
    assert fault is None or found == [fault]


def test_every_fault_of_an_expression_is_told() -> None:
    assert refused({"set": {"x": "a + b + max(c, 1)"}}) == ["R301"] * 3


def test_a_name_at_fault_is_told_once() -> None:
    assert len(refused({"set": {"x": "a"}}, {"set": {"y": "x + 1"}}, gives="y")) == 1


def test_what_is_not_reckoned_is_no_fault() -> None:
    made = program(DIE, gives={"x": "0 if die == 1 else 6 / (die - 1)"})
    assert chances(made)[0] == Fraction(1, 6)
    made = program(DIE, gives={"x": "die > 1 and 6 / (die - 1) > 2"})
    assert chances(made) == {True: Fraction(1, 3), False: Fraction(2, 3)}
    assert value("1 / 0 if 1 == 2 else 3") == 3


def test_a_division_by_nothing() -> None:
    assert stopped(program(DIE, gives={"x": "1 / (die - 1)"})) == "R425"


def test_numbers_beyond_a_game() -> None:
    made = program(DIE, gives={"x": "die * 999999 * 999999 * 999999"})
    assert stopped(made) == "R429"


def test_the_kind_of_a_text_is_that_of_what_stands_beside_it() -> None:
    made = program({"roll": {"die": "d2"}}, gives={"x": "mood == 'calm'"}, inputs=WORDS)
    assert chances(made) == {True: 1}
    made = program(
        {"set": {"far": "arms.gun.reach"}},
        gives={"x": "far > '2ft'", "y": "far / arms.pistol.reach", "z": "far * 2"},
        tables=as_written(__file__, "the_kind_of_a_text_is_that_of_what_stands_beside_it"),
    )
    assert odds(made) == {(True, 6, 72): 1}


def test_a_bare_die_where_scores_are_natural() -> None:
    natural = {"6": "passes"}
    assert chances(program(DIE, gives={"x": "passes(die, 'never')"}, natural=natural)) == {
        True: Fraction(1, 6),
        False: Fraction(5, 6),
    }
    assert refused(DIE, gives={"x": "passes(die + 1, '5+')"}, natural=natural) == ["R421"]


def test_a_target_of_two_scores_takes_two_throws() -> None:
    made = program(DIE, gives={"x": "passes(die, '6/4+')"})
    assert stopped(made) == "R425"


def test_kinds_that_meet() -> None:
    steps = [DIE, {"set": {"x": "1"}}, {"when": "die > 3", "set": {"x": "die > 4"}}]
    assert refused(*steps)[0] == "R421"


REACH = as_written(__file__, "reach")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [*beside(__file__, "lengths"), ("'3in' / 2", Fraction(3, 2))],
)
def test_lengths(text: str, wanted: Any) -> None:
    step = {"set": {"reach": "arms.gun.reach", "x": text}}
    (found,) = chances(program(step, tables=REACH))
    assert (found, type(found) is bool) == (wanted, type(wanted) is bool)


@pytest.mark.parametrize(("text", "fault"), beside(__file__, "what_lengths_do_not_go_with"))
def test_what_lengths_do_not_go_with(text: str, fault: str) -> None:
    assert refused({"set": {"reach": "arms.gun.reach", "x": text}}, tables=REACH) == [fault]


def test_words_that_look_like_lengths_stay_words_beside_words() -> None:
    bands = {"reach": {"one_of": ["6in", "12in"]}}
    assert chances(program({"set": {"x": "reach == '6in'"}}, inputs=bands)) == {True: 1}


def test_lengths_of_dice_are_added_up() -> None:
    pool = {"roll": {"d": "d3"}, "times": "2", "sum": {"x": "d * '1in'"}}
    made = program(pool)
    assert str(made.results["x"].kind) == "a length (in)"
    assert chances(made)[4] == Fraction(3, 9)
