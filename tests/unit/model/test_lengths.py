"""How a single length is converted: scaled, read in another unit, rounded to stated steps."""

from __future__ import annotations

from fractions import Fraction

import pytest
from beside import beside
from pydantic import ValidationError

from rulebook import quantities
from rulebook.model.lengths import Lengths, read_length, written


def lengths(**given: object) -> Lengths:
    return Lengths.model_validate(given)


HALF_CM = {"scale": "1/2", "read": {"in": "2.5cm"}, "round": "0.5cm"}


@pytest.mark.parametrize(
    ("given", "before", "after"),
    [
        *beside(__file__, "a_length"),
        (HALF_CM, "24in", "30cm"),
        (HALF_CM, "7.5in", "9.5cm"),
        (HALF_CM, "1in", "1.5cm"),
        (HALF_CM, "0.1in", "0.5cm"),
        (HALF_CM, "0in", "0cm"),
        (HALF_CM, "25mm", "12.5mm"),
    ],
)
def test_a_length(given: dict[str, object], before: str, after: str) -> None:
    assert written(lengths(**given).converted(quantities.parse_length(before))) == after


@pytest.mark.parametrize(
    ("band", "after"),
    [("0-8in", "0–10 cm"), ("8-16in", "10–20 cm"), ("48in+", "60 cm+"), ("5-9", "5–9")],
)
def test_a_band(band: str, after: str) -> None:
    assert str(lengths(**HALF_CM).band(quantities.parse_band(band))) == after


@pytest.mark.parametrize(("text", "after"), beside(__file__, "a_text"))
def test_a_text(text: str, after: str) -> None:
    assert lengths(**HALF_CM).text(text) == after


def test_rounding_rises_with_the_length() -> None:
    """So bands that touch still touch, and none is converted about."""
    turn = lengths(**HALF_CM).converted
    numbers = [turn(quantities.Length(Fraction(n, 7), "in")).number for n in range(300)]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("given", "idle", "slug"),
    [*beside(__file__, "names"), (HALF_CM, False, "scale-1-2+in-2.5cm+round-0.5cm")],
)
def test_names(given: dict[str, object], idle: bool, slug: str) -> None:
    made = lengths(**given)
    assert made.idle == idle
    assert made.slug == slug


def test_it_is_told() -> None:
    told = lengths(**HALF_CM).told
    assert told == "at ½ of the lengths, 1″ read as 2½ cm, to the nearest ½ cm"


@pytest.mark.parametrize("given", beside(__file__, "what_is_refused"))
def test_what_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        lengths(**given)


@pytest.mark.parametrize("text", ["in", "-3in", "0-8in", "x24in", "24 in the air", ""])
def test_what_is_no_length(text: str) -> None:
    assert read_length(text) is None
