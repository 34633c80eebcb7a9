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


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/2", Fraction(1, 2)), ("1.5", Fraction(3, 2)), ("50%", Fraction(1, 2)), ("3", Fraction(3))],
)
def test_ratios(text: str, value: Fraction) -> None:
    assert quantities.parse_ratio(text) == value


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
    ("text", "printed"),
    [("45°", "45°"), ("45deg", "45°"), ("45", "45°"), ("22.5 °", "22½°"), ("360°", "360°")],
)
def test_angles(text: str, printed: str) -> None:
    assert str(quantities.parse_angle(text)) == printed


@pytest.mark.parametrize("text", ["", "°", "right", "0°", "361°", "-5°", "4 5°", "45°deg°", "1/0"])
def test_what_is_no_angle(text: str) -> None:
    with pytest.raises(quantities.QuantityError) as fault:
        quantities.parse_angle(text)
    assert "degrees from 1 to 360" in fault.value.expected


@pytest.mark.parametrize(
    ("text", "printed"),
    beside(__file__, "length_modifiers"),
)
def test_length_modifiers(text: str, printed: str) -> None:
    assert str(quantities.parse_length_modifier(text)) == printed


@pytest.mark.parametrize(
    ("text", "hint"),
    [("4cm", "write +4cm or -4cm"), ("+4", ""), ("--4cm", ""), ("", "")],
)
def test_what_is_no_length_modifier(text: str, hint: str) -> None:
    with pytest.raises(quantities.QuantityError) as fault:
        quantities.parse_length_modifier(text)
    assert fault.value.hint == hint


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("80in", "6′8″"),
        ("70in", "5′10″"),
        ("72in", "6′"),
        ("6ft", "6′"),
        ("12in", "1′"),
        ("11in", "11″"),
        ("4.5ft", "4′6″"),
        ("19.05in", "19.05″"),
        ("120cm", "120 cm"),
    ],
)
def test_the_sides_of_a_table_are_told_in_feet(text: str, printed: str) -> None:
    assert quantities.in_feet(quantities.parse_length(text)) == printed


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(1, 10**9), "<0.1"),
        (Fraction(1, 1000), "0.1"),
        (Fraction(1, 3), "33.3"),
        (Fraction(1, 2), "50.0"),
        (1 - Fraction(1, 1000), "99.9"),
        (1 - Fraction(1, 10**9), ">99.9"),
        (Fraction(1), "100"),
    ],
)
def test_never_and_always_are_said_of_nothing_else(chance: Fraction, text: str) -> None:
    assert quantities.per_cent(chance, tenths=True) == text
