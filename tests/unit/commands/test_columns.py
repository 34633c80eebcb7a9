"""Columns, bars and figures of the terminal."""

from fractions import Fraction

import pytest
from beside import beside

from rulebook.commands.columns import TerminalLook, barred, columns, decimal


@pytest.mark.parametrize(
    ("number", "told"),
    [(Fraction(7), "7.00"), (Fraction(-1, 3), "-0.33"), (Fraction(2, 3), "0.67")],
)
def test_two_decimals(number, told):
    assert decimal(number) == told


@pytest.mark.parametrize(
    ("share", "blocks", "signs"),
    [
        (Fraction(0), "", ""),
        (Fraction(1), "█" * 8, "#" * 8),
        (Fraction(1, 2), "█" * 4, "#" * 4),
        (Fraction(1, 64), "▏", ""),
        (Fraction(63, 64), "█" * 7 + "▉", "#" * 8),
    ],
)
def test_bars(share, blocks, signs):
    assert TerminalLook().bar(share, 8) == blocks
    assert TerminalLook(ascii=True).bar(share, 8) == signs


ROWS = [["open", "1", "10", "100"], ["cover", "2", "20", "200"]]


def test_heads_to_the_left_and_figures_to_the_right():
    assert columns(["at"], ["a", "b", "c"], ROWS, TerminalLook()) == [
        "at     a   b    c",
        "open   1  10  100",
        "cover  2  20  200",
    ]


def test_what_has_no_room_follows_below_with_the_heads_again():
    assert columns(["at"], ["a", "b", "c"], ROWS, TerminalLook(width=12)) == beside(
        __file__, "what_has_no_room_follows_below_with_the_heads_again"
    )
    assert len(columns(["at"], ["a", "b", "c"], ROWS, TerminalLook(width=1))) == 3 * 3 + 2


def test_bars_take_the_room_that_is_left_if_it_is_enough():
    lines = ["      a", "one   1", "other 2"]
    shares = [Fraction(1, 2), Fraction(1)]
    assert barred(lines, shares, TerminalLook(width=29, ascii=True)) == [
        "      a",
        f"one   1  {'#' * 10}",
        f"other 2  {'#' * 20}",
    ]
    assert barred(lines, shares, TerminalLook(width=15)) == lines
    assert barred(lines, [], TerminalLook()) == lines
