"""Any text is either a quantity or refused; what is written is what is read.

That the spelling of each is read as the same stands in test_plain_spelling.
"""

import unicodedata
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook import quantities

PARSERS: list[Callable[[str], object]] = [
    quantities.parse_length,
    quantities.parse_roll_target,
    quantities.parse_dice,
    quantities.parse_faces,
    quantities.parse_modifier,
    quantities.parse_band,
    quantities.parse_count,
    quantities.parse_ratio,
    quantities.parse_flag,
]
#: Characters of which quantities are made, so that the search comes near to them.
NEAR = st.text(st.sampled_from("0123456789./+-<=% ,dinftmcbases×½″−–٣²\n"), max_size=12)
COUNTS = st.integers(0, 999_999)


@pytest.mark.parametrize("parse", PARSERS)
@given(text=st.text(max_size=40) | NEAR)
def test_nothing_but_a_quantity_error(parse, text):
    try:
        value = parse(text)
    except quantities.QuantityError as error:
        assert error.message
        assert error.expected
    else:
        assert str(value)


@given(COUNTS, st.integers(1, 999), st.sampled_from(["in", "ft", "yd", "mm", "cm", "m"]))
def test_lengths_are_exact(whole, below, unit):
    length = quantities.parse_length(f"{whole}/{below}{unit}")
    assert length.mm == Fraction(whole, below) * quantities.MILLIMETRES[unit]


@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 999))
def test_bands_of_lengths_touch_where_one_ends_and_the_other_begins(low, middle, high):
    low, middle, high = sorted((low, middle, high))
    first, second = (
        quantities.parse_band(f"{low}-{middle}in"),
        quantities.parse_band(f"{middle}-{high}in"),
    )
    assert first.touches(second)
    assert not first.touches(quantities.parse_band(f"{middle + 1}-{high + 1}in"))


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉⁄−", "01234567890123456789/-")


@given(st.fractions(max_denominator=999))
def test_numbers_print_without_loss(number):
    """A whole number with a vulgar fraction behind it, a decimal, or figures about a slash."""
    printed = quantities.format_number(number).translate(RAISED)
    sign = -1 if printed.startswith("-") else 1
    printed = printed.removeprefix("-")
    rest = Fraction(0)
    if printed[-1] in "½¼¾⅓⅔⅛⅜⅝⅞":
        printed, rest = printed[:-1] or "0", Fraction(unicodedata.numeric(printed[-1]))
        rest = rest.limit_denominator(8)
    assert sign * (Fraction(printed) + rest) == number
