"""Any text is either a quantity or refused; what is written is what is read."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook import quantities as q

PARSERS: list[Callable[[str], object]] = [
    q.parse_length,
    q.parse_roll_target,
    q.parse_dice,
    q.parse_faces,
    q.parse_modifier,
    q.parse_band,
    q.parse_count,
    q.parse_ratio,
    q.parse_flag,
]
#: Characters of which quantities are made, so that the search comes near to them.
NEAR = st.text(st.sampled_from("0123456789./+-<=% ,dinftmcbases×½″−–٣²\n"), max_size=12)
COUNTS = st.integers(0, 999_999)


@pytest.mark.parametrize("parse", PARSERS)
@given(text=st.text(max_size=40) | NEAR)
def test_nothing_but_a_quantity_error(parse: Callable[[str], object], text: str) -> None:
    try:
        value = parse(text)
    except q.QuantityError as error:
        assert error.message
        assert error.expected
    else:
        assert str(value)


@given(COUNTS)
def test_counts(number: int) -> None:
    assert q.parse_count(str(number)) == number


@given(st.integers(-999_999, 999_999))
def test_modifiers(amount: int) -> None:
    printed = str(q.Modifier(amount))
    assert q.parse_modifier(printed) == q.Modifier(amount)
    assert (printed == "0") == (amount == 0)


@given(st.integers(1, 100), st.integers(2, 100))
def test_dice(count: int, sides: int) -> None:
    dice = q.Dice(count, sides)
    assert q.parse_dice(str(dice)) == dice


@given(st.sets(st.integers(1, 100), min_size=1))
def test_faces(scores: set[int]) -> None:
    faces = q.Faces(frozenset(scores))
    assert q.parse_faces(str(faces).replace(q.EN_DASH, "-")) == faces


@given(st.lists(st.integers(1, 99), min_size=1, max_size=4))
def test_roll_targets(scores: list[int]) -> None:
    target = q.RollTarget(tuple(scores))
    assert q.parse_roll_target(str(target)) == target


@given(COUNTS, st.integers(1, 999), st.sampled_from(["in", "ft", "yd", "mm", "cm", "m"]))
def test_lengths_are_exact(whole: int, below: int, unit: str) -> None:
    length = q.parse_length(f"{whole}/{below}{unit}")
    assert length.mm == Fraction(whole, below) * q.MILLIMETRES[unit]


@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 999))
def test_bands_of_lengths_touch_where_one_ends_and_the_other_begins(
    low: int, middle: int, high: int
) -> None:
    low, middle, high = sorted((low, middle, high))
    first, second = q.parse_band(f"{low}-{middle}in"), q.parse_band(f"{middle}-{high}in")
    assert first.touches(second)
    assert not first.touches(q.parse_band(f"{middle + 1}-{high + 1}in"))


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉⁄−", "01234567890123456789/-")


@given(st.fractions(max_denominator=999))
def test_numbers_print_without_loss(number: Fraction) -> None:
    """A whole number with a vulgar fraction behind it, a decimal, or figures about a slash."""
    printed = q.format_number(number).translate(RAISED)
    sign = -1 if printed.startswith("-") else 1
    printed = printed.removeprefix("-")
    rest = Fraction(0)
    if printed[-1] in "½¼¾⅓⅔⅛⅜⅝⅞":
        printed, rest = printed[:-1] or "0", Fraction(unicodedata.numeric(printed[-1]))
        rest = rest.limit_denominator(8)
    assert sign * (Fraction(printed) + rest) == number
