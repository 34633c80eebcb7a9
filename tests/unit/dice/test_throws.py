"""Dice as they are thrown, with chances that can be counted on the fingers."""

from fractions import Fraction

from rulebook.dice.throws import dice, kept, rerolled

D6 = dict.fromkeys(range(1, 7), 1)


def test_throws_by_closed_forms() -> None:
    """That they are those of all throws counted is proved at random."""
    assert dice(2, 6) == {n: 6 - abs(7 - n) for n in range(2, 13)}
    assert dice(0, 6) == kept(3, 6, 0, True) == {0: 1}
    best = kept(4, 6, 3, True)
    assert Fraction(sum(n * ways for n, ways in best.items()), 6**4) == Fraction(15869, 1296)
    assert sum(kept(50, 20, 25, True).values()) == 20**50
    assert rerolled(D6, lambda score: score == 1) == {1: 1, **dict.fromkeys(range(2, 7), 7)}
