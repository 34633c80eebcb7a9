"""Scalars as authors write them, and what a player reads."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from beside import beside

from rulebook import quantities as q


@pytest.mark.parametrize(
    ("text", "millimetres", "printed"),
    [
        ("24in", Fraction(24 * 254, 10), "24″"),
        ("7.5in", Fraction(75 * 254, 100), "7½″"),
        ("5.5 in", Fraction(55 * 254, 100), "5½″"),
        ("1/3in", Fraction(254, 30), "⅓″"),
        ("1 1/2ft", Fraction(15 * 3048, 100), "1½′"),
        ("25yd", Fraction(25 * 9144, 10), "25 yd"),
        ("60cm", Fraction(600), "60 cm"),
        ("0.35m", Fraction(350), "0.35 m"),
        ("3mm", Fraction(3), "3 mm"),
        ("0in", Fraction(0), "0″"),
    ],
)
def test_lengths(text: str, millimetres: Fraction, printed: str) -> None:
    length = q.parse_length(text)
    assert (length.mm, str(length)) == (millimetres, printed)


def test_bases_have_no_millimetres() -> None:
    assert str(q.parse_length("1 base")) == "1 base"
    assert str(q.parse_length("1.5 bases")) == "1½ bases"
    with pytest.raises(ValueError, match="no millimetres"):
        _ = q.parse_length("2 bases").mm


@pytest.mark.parametrize(
    ("parse", "text", "printed"),
    [
        (q.parse_roll_target, "4+", "4+"),
        (q.parse_roll_target, "6/4+", "6/4+"),
        (q.parse_roll_target, "never", "–"),
        (q.parse_dice, "d6", "d6"),
        (q.parse_dice, "1D6", "d6"),
        (q.parse_dice, "2d10", "2d10"),
        (q.parse_faces, "6", "6"),
        (q.parse_faces, "3-6", "3–6"),
        (q.parse_faces, "1, 2,4", "1–2, 4"),
        (q.parse_modifier, "+1", "+1"),
        (q.parse_modifier, "-2", "−2"),
        (q.parse_modifier, "−2", "−2"),
        (q.parse_modifier, "0", "0"),
        (q.parse_band, "0-8in", "0–8″"),
        (q.parse_band, "8 - 16 in", "8–16″"),
        (q.parse_band, "48in+", "48″+"),
        (q.parse_band, "6+", "6+"),
        (q.parse_band, "<=4", "≤ 4"),
        (q.parse_band, "<= 4in", "≤ 4″"),
        (q.parse_band, "5-9", "5–9"),
        (q.parse_band, "7", "7"),
        (q.parse_band, "1-2 bases", "1–2 bases"),
    ],
)
def test_printed(parse: Callable[[str], object], text: str, printed: str) -> None:
    assert str(parse(text)) == printed


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/2", Fraction(1, 2)), ("1.5", Fraction(3, 2)), ("50%", Fraction(1, 2)), ("3", Fraction(3))],
)
def test_ratios(text: str, value: Fraction) -> None:
    assert q.parse_ratio(text) == value


@pytest.mark.parametrize(
    ("parse", "text", "hint"),
    [
        (q.parse_length, "24", "write the length unit: 24in"),
        (q.parse_length, '24"', "write 24in"),
        (q.parse_length, "24″", "write 24in"),
        (q.parse_length, "-3in", "delete the minus: a length is measured, and not below nothing"),
        (q.parse_length, "1/0in", ""),
        (q.parse_length, "1234567in", ""),
        (q.parse_length, "٣in", ""),
        (q.parse_roll_target, "4", "write 4+"),
        (q.parse_roll_target, "0+", ""),
        (q.parse_roll_target, "4+ ", ""),
        (q.parse_dice, "d1", ""),
        (q.parse_dice, "101d6", ""),
        (q.parse_dice, "d101", ""),
        (q.parse_faces, "6-3", ""),
        (q.parse_faces, "0", ""),
        (q.parse_faces, "", ""),
        (q.parse_faces, "1,,2", ""),
        (q.parse_modifier, "1", "write +1 or -1"),
        (q.parse_modifier, "+ 1", ""),
        (q.parse_band, "16-8in", "write the lower end first"),
        (q.parse_band, "0.5-2", "write 0.5-2in"),
        (q.parse_band, "<=4+", ""),
        (q.parse_band, "far", ""),
        (q.parse_count, "1.5", ""),
        (q.parse_count, "-1", ""),
        (q.parse_count, "1000000000000", ""),
        (q.parse_ratio, "3:1", ""),
        (q.parse_flag, "yes", "write true"),
        (q.parse_flag, "No", "write false"),
        (q.parse_flag, "True", "write true"),
    ],
)
def test_refused(parse: Callable[[str], object], text: str, hint: str) -> None:
    with pytest.raises(q.QuantityError) as caught:
        parse(text)
    assert caught.value.hint == hint
    assert caught.value.expected


def test_refusals_are_short() -> None:
    with pytest.raises(q.QuantityError) as caught:
        q.parse_count("9" * 5000)
    assert len(caught.value.message) < 80


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (Fraction(15, 2), "7½"),
        (Fraction(1, 8), "⅛"),
        (Fraction(7, 20), "0.35"),
        (Fraction(5, 7), "⁵⁄₇"),
        (Fraction(13, 6), "¹³⁄₆"),
        (Fraction(-3, 2), "−1½"),
        (Fraction(0), "0"),
        (Fraction(12), "12"),
    ],
)
def test_numbers(number: Fraction, printed: str) -> None:
    assert q.format_number(number) == printed


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (Fraction(11, 6), "1⁵⁄₆″"),
        (Fraction(5, 6), "⁵⁄₆″"),
        (Fraction(55, 48), "1.15″"),
        (Fraction(138, 19), "7.26″"),
        (Fraction(1, 999), "¹⁄₉₉₉″"),
        (Fraction("2.125"), "2⅛″"),
        (Fraction("2.375"), "2⅜″"),
        (Fraction("2.345"), "2.345″"),
    ],
)
def test_lengths_are_told_as_rulers_show_them(number: Fraction, printed: str) -> None:
    """Exactly down to sixteenths and in decimals, else to a hundredth; never as nothing."""
    assert str(q.Length(number, "in")) == printed


def test_values() -> None:
    assert [
        q.format_value(value) for value in (None, True, False, 3, Fraction(1, 2), "far")
    ] == beside(__file__, "values")


def test_bands_touch() -> None:
    first, second = q.parse_band("0-8in"), q.parse_band("8-16in")
    assert first.touches(second)
    assert not second.touches(first)
    assert q.parse_band("1-3").touches(q.parse_band("4+"))
    assert not q.parse_band("1-3").touches(q.parse_band("3-4"))


def test_words() -> None:
    assert [q.join_words(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a or b",
        "a, b or c",
    ]


def test_no_faces_print_a_dash() -> None:
    assert str(q.Faces(frozenset())) == "–"


@pytest.mark.parametrize(
    ("text", "printed"),
    [("45°", "45°"), ("45deg", "45°"), ("45", "45°"), ("22.5 °", "22½°"), ("360°", "360°")],
)
def test_angles(text: str, printed: str) -> None:
    assert str(q.parse_angle(text)) == printed


@pytest.mark.parametrize("text", ["", "°", "right", "0°", "361°", "-5°", "4 5°", "45°deg°", "1/0"])
def test_what_is_no_angle(text: str) -> None:
    with pytest.raises(q.QuantityError) as fault:
        q.parse_angle(text)
    assert "degrees from 1 to 360" in fault.value.expected
