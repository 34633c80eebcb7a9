"""Columns, bars and figures of the terminal."""

from fractions import Fraction

import pytest

from rulebook.commands.terminal import TerminalLook


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
