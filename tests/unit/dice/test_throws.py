"""Dice as they are thrown, with chances that can be counted on the fingers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulebook.dice.distribution import certain
from rulebook.dice.throws import (
    dice,
    die,
    difference,
    distinct,
    kept,
    opposed,
    rerolled,
    thrown_again,
)


@pytest.mark.parametrize(("count", "sides", "keep"), [(2, 6, 3), (2, 6, -1), (-1, 6, -1)])
def test_dice_that_cannot_be_kept(count: int, sides: int, keep: int) -> None:
    with pytest.raises(ValueError, match="dice"):
        kept(count, sides, keep, True)


@pytest.mark.parametrize(("count", "sides"), [(-1, 6), (1, 0), (0, 0)])
def test_throws_that_are_none(count: int, sides: int) -> None:
    for thrown in (dice, distinct):
        with pytest.raises(ValueError, match="not a throw of dice"):
            thrown(count, sides)


def test_throws_by_closed_forms() -> None:
    """That they are those of all throws counted is proved at random."""
    assert dice(2, 6).items() == [(n, 6 - abs(7 - n)) for n in range(2, 13)]
    assert dice(0, 6) == kept(3, 6, 0, True) == distinct(0, 6) == certain(0)
    assert kept(4, 6, 3, True).mean() == Fraction(15869, 1296)
    assert kept(50, 20, 25, True).total == 20**50
    assert distinct(40, 6).mean() == 6 * (1 - Fraction(5, 6) ** 40)
    assert difference(die(6), die(6)).items() == [(n, 6 - abs(n)) for n in range(-5, 6)]
    assert opposed(die(6), die(6)).items() == [(-1, 15), (0, 6), (1, 15)]
    assert rerolled(die(6), lambda score: score == 1).probability(1) == Fraction(1, 36)
    with pytest.raises(ValueError, match="never ends"):
        thrown_again(die(6), lambda score: score < 7)
