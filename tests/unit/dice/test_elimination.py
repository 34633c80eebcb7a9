"""What leaves a group of states, as if the group were one."""

from __future__ import annotations

from fractions import Fraction

from rulebook.dice.chains import passed_through


def test_one_state_with_a_loop() -> None:
    passage = passed_through([{0: 2, 1: 3, 2: 1}], [0], {0: 1})
    assert passage.to == {1: 3, 2: 1}
    assert (passage.outward, Fraction(passage.moves, passage.outward)) == (4, Fraction(6, 4))


def test_two_states_and_what_comes_into_each() -> None:
    rows = [{1: 1, 2: 1}, {0: 1, 3: 1}]
    passage = passed_through(rows, [0, 1], {0: 1})
    assert Fraction(passage.to[2], passage.outward) == Fraction(2, 3)
    assert Fraction(passage.moves, passage.outward) == 2
    both = passed_through(rows, [0, 1], {0: 5, 1: 5})
    assert both.to[2] == both.to[3]


def test_states_that_lead_nowhere_else() -> None:
    assert passed_through([{1: 1}, {0: 1}], [0, 1], {0: 1}).outward == 0
    assert passed_through([{0: 1}], [0], {0: 1}).outward == 0
