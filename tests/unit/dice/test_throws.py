"""Dice as they are thrown, with chances that can be counted on the fingers."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, perm

import pytest

from rulebook.dice.distribution import Distribution, certain
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


def test_sums() -> None:
    assert dict(die(3).weights) == {1: 1, 2: 1, 3: 1}
    assert die(1) == certain(1)
    assert dice(2, 6).items() == [(n, 6 - abs(7 - n)) for n in range(2, 13)]
    assert dice(0, 6) == certain(0)
    assert dice(1, 10) == die(10)
    assert dice(100, 100).mean() == 100 * Fraction(101, 2)
    assert dice(100, 100).total == 100**100


def test_best_and_worst() -> None:
    assert kept(2, 6, 1, True).items() == [(n, 2 * n - 1) for n in range(1, 7)]
    assert kept(2, 6, 1, False).items() == [(n, 2 * (7 - n) - 1) for n in range(1, 7)]
    assert kept(4, 6, 3, True).probability(18) == Fraction(4 * 5 + 1, 6**4)
    assert kept(4, 6, 3, True).mean() == Fraction(15869, 1296)
    assert kept(3, 6, 3, False) == dice(3, 6)
    assert kept(3, 6, 0, True) == certain(0)
    assert kept(5, 1, 2, True) == certain(2)
    assert kept(50, 20, 25, True).total == 20**50


@pytest.mark.parametrize(("count", "sides", "keep"), [(2, 6, 3), (2, 6, -1), (-1, 6, -1)])
def test_dice_that_cannot_be_kept(count: int, sides: int, keep: int) -> None:
    with pytest.raises(ValueError, match="dice"):
        kept(count, sides, keep, True)


@pytest.mark.parametrize(("count", "sides"), [(-1, 6), (1, 0), (0, 0)])
def test_throws_that_are_none(count: int, sides: int) -> None:
    for thrown in (dice, distinct):
        with pytest.raises(ValueError, match="not a throw of dice"):
            thrown(count, sides)


def test_differences() -> None:
    between = difference(die(6), die(6))
    assert between.items() == [(n, 6 - abs(n)) for n in range(-5, 6)]
    halves = die(6).map(lambda score: score * Fraction(1, 2))
    assert difference(halves, halves).probability(Fraction(-5, 2)) == Fraction(1, 36)


def test_opposed_rolls() -> None:
    assert opposed(die(6), die(6)).items() == [(-1, 15), (0, 6), (1, 15)]
    assert opposed(die(6), die(6).map(lambda score: score + 6)) == certain(-1)
    assert opposed(die(3).map(lambda score: score * Fraction(3, 2)), certain(Fraction(3))) == (
        Distribution({-1: 1, 0: 1, 1: 1})
    )


def test_throws_made_again() -> None:
    assert thrown_again(die(6), lambda score: score <= 2) == Distribution(
        dict.fromkeys(range(3, 7), 1)
    )
    tied = thrown_again(opposed(die(6), die(6)), lambda sign: sign == 0)
    assert tied == Distribution({-1: 1, 1: 1})
    with pytest.raises(ValueError, match="never ends"):
        thrown_again(die(6), lambda score: score < 7)


def test_rerolls() -> None:
    ones = rerolled(die(6), lambda score: score == 1)
    assert ones.probability(1) == Fraction(1, 36)
    assert ones.probability(2) == Fraction(1, 6) + Fraction(1, 36)
    assert rerolled(die(6), lambda score: score < 4).chance(lambda score: score >= 4) == (
        Fraction(3, 4)
    )
    assert rerolled(die(6), lambda _: False) == rerolled(die(6), lambda _: True) == die(6)


def test_distinct_faces() -> None:
    assert distinct(0, 6) == certain(0)
    assert distinct(3, 1) == certain(1)
    assert distinct(6, 6).probability(6) == Fraction(factorial(6), 6**6)
    assert distinct(3, 6).probability(2) == Fraction(comb(3, 2) * perm(6, 2), 6**3)
    assert distinct(40, 6).mean() == 6 * (1 - Fraction(5, 6) ** 40)
