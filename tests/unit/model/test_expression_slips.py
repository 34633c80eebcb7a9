"""What is told of texts that are no expressions: the characters, the fault, and what to write."""

from __future__ import annotations

from typing import Any

import pytest
from beside import beside
from pydantic import TypeAdapter, ValidationError

from rulebook.model.expressions import ExpressionFault, parse_expression
from rulebook.model.procedures import AnyStep

STEP: TypeAdapter[Any] = TypeAdapter(AnyStep)
SLIPS = beside(__file__, "slips")


@pytest.mark.parametrize(("text", "excerpt", "message", "hint"), SLIPS)
def test_slip(text: str, excerpt: str, message: str, hint: str | None) -> None:
    with pytest.raises(ExpressionFault) as caught:
        parse_expression(text)
    fault = caught.value
    assert (text[fault.start : fault.end], fault.message) == (excerpt, message)
    assert fault.hint == hint if hint else fault.hint
    assert fault.expected


@pytest.mark.parametrize(
    "text",
    beside(__file__, "what_is_no_slip_is_read"),
)
def test_what_is_no_slip_is_read(text: str) -> None:
    assert str(parse_expression(text)) == text


@pytest.mark.parametrize(("written", "hint"), beside(__file__, "dice_as_they_are_spoken"))
def test_dice_as_they_are_spoken(written: str, hint: str) -> None:
    with pytest.raises(ValidationError) as caught:
        STEP.validate_python({"roll": {"die": written}})
    assert caught.value.errors()[0]["ctx"]["error"].hint == hint


@pytest.mark.parametrize("written", ["2D6", "2d6"])
def test_dice_in_capitals(written: str) -> None:
    step = STEP.validate_python({"roll": {"die": written}})
    assert [str(thrown) for thrown in (step.roll or {}).values()] == ["2d6"]


@pytest.mark.parametrize("written", ["4+", "6/4+", "never", "needs['near']"])
def test_targets_stand_without_quotes(written: str) -> None:
    step = STEP.validate_python({"test": "good", "dice": "d6", "target": written})
    assert str(step.target) == written
