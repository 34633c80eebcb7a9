"""Procedures as they are written: what goes with what, and what is refused when it is read."""

from typing import Any

import pytest
from beside import beside
from pydantic import TypeAdapter, ValidationError

from rulebook.model.procedures import STEPS, AnyStep, Input, SayStep, Thrown, ThrownText
from rulebook.quantities import Dice

STEP: TypeAdapter[Any] = TypeAdapter(AnyStep)
THROWN: TypeAdapter[Thrown] = TypeAdapter(ThrownText)


@pytest.mark.parametrize(
    ("text", "thrown"),
    [
        ("d6", Dice(1, 6)),
        ("2d10", Dice(2, 10)),
        ("highest of 3d6", Dice(3, 6, keep=1)),
        ("lowest 2 of 4d6", Dice(4, 6, keep=2, highest=False)),
    ],
)
def test_dice(text: str, thrown: Dice) -> None:
    assert THROWN.validate_python(text) == thrown
    assert str(thrown) == text


@pytest.mark.parametrize(
    "text", ["highest of d6", "highest 3 of 3d6", "lowest 0 of 2d6", "0d6", "d0"]
)
def test_no_dice(text: str) -> None:
    with pytest.raises(ValidationError):
        THROWN.validate_python(text)


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ("1-4", (1, 2, 3, 4)),
        ("-1 to 1", (-1, 0, 1)),
        (["10", "20"], (10, 20)),
        ("damage.total", "damage.total"),
    ],
)
def test_counts(given: object, counts: object) -> None:
    assert Input.model_validate({"count": given}).count == counts


def test_choices_have_titles() -> None:
    assert Input.model_validate({"one_of": ["hold", "fall_back"]}).one_of == {
        "hold": "Hold", "fall_back": "Fall back"
    }  # fmt: skip


@pytest.mark.parametrize("step", beside(__file__, "steps"))
def test_steps(step: dict[str, Any]) -> None:
    made = STEP.validate_python(step)
    kind = next((kind for action, kind in STEPS.items() if action in step), SayStep)
    assert type(made) is kind


@pytest.mark.parametrize("step", beside(__file__, "steps_that_are_none"))
def test_steps_that_are_none(step: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        STEP.validate_python(step)


@pytest.mark.parametrize(
    "given",
    [*beside(__file__, "no_inputs"), {"one_of": [f"k{number}" for number in range(1001)]}],
)
def test_inputs_that_are_none(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Input.model_validate(given)


def test_lengths() -> None:
    half = Input.model_validate({"length": "0-1in", "step": "0.5in"})
    assert [str(length) for length in half.lengths] == ["0″", "½″", "1″"]
