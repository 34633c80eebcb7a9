"""Expressions: every name and kind is checked before anything runs; what they come to."""

from fractions import Fraction
from typing import Any

import pytest
from beside import as_written, beside
from rolls import chances, program, refused

DIE = {"roll": {"die": "d6"}}
WORDS = {"mood": {"one_of": ["calm", "wild"]}}


def value(text: str, **given: Any) -> Any:
    """What an expression without dice comes to."""
    (only,) = chances(program({"set": {"x": text}}, **given))
    return only


@pytest.mark.parametrize(
    ("text", "wanted"),
    [*beside(__file__, "values"), ("7 / 2", Fraction(7, 2))],
)
def test_values(text: str, wanted: Any) -> None:
    found = value(text)
    assert (found, type(found) is bool) == (wanted, type(wanted) is bool)


@pytest.mark.parametrize(("text", "fault"), beside(__file__, "faults"))
def test_faults(text: str, fault: str | None) -> None:
    step = {"set": {"x": text}}
    try:
        found = refused(DIE, step, gives={"x": "x", "mood": "mood"}, inputs=WORDS)
    except ValueError:
        assert fault is None, "refused when it is read"
        return
    assert found
    assert fault is None or found == [fault]


REACH = as_written(__file__, "reach")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [*beside(__file__, "lengths"), ("'3in' / 2", Fraction(3, 2))],
)
def test_lengths(text: str, wanted: Any) -> None:
    step = {"set": {"reach": "arms.gun.reach", "x": text}}
    (found,) = chances(program(step, tables=REACH))
    assert (found, type(found) is bool) == (wanted, type(wanted) is bool)


@pytest.mark.parametrize(("text", "fault"), beside(__file__, "what_lengths_do_not_go_with"))
def test_what_lengths_do_not_go_with(text: str, fault: str) -> None:
    assert refused({"set": {"reach": "arms.gun.reach", "x": text}}, tables=REACH) == [fault]
