"""Scalars as authors write them, and what a player reads."""

from fractions import Fraction

import pytest
from beside import beside

from rulebook import quantities


@pytest.mark.parametrize(("text", "millimetres", "printed"), beside(__file__, "lengths"))
def test_lengths(text: str, millimetres: str, printed: str) -> None:
    length = quantities.parse_length(text)
    assert (length.mm, str(length)) == (Fraction(millimetres), printed)


def test_bases_have_no_millimetres() -> None:
    assert str(quantities.parse_length("1 base")) == "1 base"
    assert str(quantities.parse_length("1.5 bases")) == "1½ bases"
    with pytest.raises(ValueError, match="no millimetres"):
        _ = quantities.parse_length("2 bases").mm


@pytest.mark.parametrize(("parse", "text", "printed"), beside(__file__, "printed"))
def test_printed(parse: str, text: str, printed: str) -> None:
    assert str(getattr(quantities, f"parse_{parse}")(text)) == printed


@pytest.mark.parametrize(("parse", "text", "hint"), beside(__file__, "refused"))
def test_refused(parse: str, text: str, hint: str) -> None:
    with pytest.raises(quantities.QuantityError) as caught:
        getattr(quantities, f"parse_{parse}")(text)
    assert caught.value.hint == hint
    assert caught.value.expected


@pytest.mark.parametrize(("number", "printed"), beside(__file__, "numbers"))
def test_numbers(number: str, printed: str) -> None:
    assert quantities.format_number(Fraction(number)) == printed


@pytest.mark.parametrize(
    ("number", "printed"), beside(__file__, "lengths_are_told_as_rulers_show_them")
)
def test_lengths_are_told_as_rulers_show_them(number: str, printed: str) -> None:
    """Exactly down to sixteenths and in decimals, else to a hundredth; never as nothing."""
    assert str(quantities.Length(Fraction(number), "in")) == printed


def test_values() -> None:
    assert [
        quantities.format_value(value) for value in (None, True, False, 3, Fraction(1, 2), "far")
    ] == beside(__file__, "values")


def test_bands_touch() -> None:
    first, second = quantities.parse_band("0-8in"), quantities.parse_band("8-16in")
    assert first.touches(second)
    assert not second.touches(first)
    assert quantities.parse_band("1-3").touches(quantities.parse_band("4+"))
    assert not quantities.parse_band("1-3").touches(quantities.parse_band("3-4"))


@pytest.mark.parametrize(
    ("text", "printed"), beside(__file__, "the_sides_of_a_table_are_told_in_feet")
)
def test_the_sides_of_a_table_are_told_in_feet(text: str, printed: str) -> None:
    assert quantities.in_feet(quantities.parse_length(text)) == printed


@pytest.mark.parametrize(
    ("chance", "text"), beside(__file__, "never_and_always_are_said_of_nothing_else")
)
def test_never_and_always_are_said_of_nothing_else(chance: str, text: str) -> None:
    assert quantities.per_cent(Fraction(chance), tenths=True) == text
