"""Worked examples in words: what was thrown and what came of it, bound in their prose."""

from pathlib import Path

import pytest
from beside import beside

from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.views import RunView, ThrowView
from rulebook.loading.rulesets import load

VALID = Path(__file__).parents[3] / "bad" / "valid" / "game"

PROCEDURE = beside(__file__, "procedure")


@pytest.fixture
def composer(tmp_path: Path) -> ExampleComposer:
    folder = tmp_path / "game"
    (folder / "options").mkdir(parents=True)
    for file in (path for path in VALID.rglob("*") if path.is_file()):
        (folder / file.relative_to(VALID)).write_bytes(file.read_bytes())
    (folder / "duels.yaml").write_text(PROCEDURE)
    ruleset = load(folder).ruleset
    assert ruleset is not None
    return ExampleComposer(Binder(ruleset))


def run_of(composer: ExampleComposer, example: str, step: int) -> RunView:
    return composer.whole(example).steps[step].run


def test_dice_of_one_step_and_kind_stand_together(composer: ExampleComposer) -> None:
    run = run_of(composer, "at_dawn", 0)
    assert run.throws == (ThrowView(6, (2, 2, 5, 3)), ThrowView(10, (10,)), ThrowView(10, (1,)))
    assert run.dice == "2, 2, 5, 3, 10 and 1"


def test_only_results_that_the_example_gives(composer: ExampleComposer) -> None:
    assert run_of(composer, "at_dawn", 0).results == (("Won", "yes"), ("Wounds taken", "5½"))


def test_only_inputs_that_are_not_as_usual(composer: ExampleComposer) -> None:
    assert run_of(composer, "at_dawn", 0).inputs == (
        "Weapon: Pistol",
        "With seconds: no",
        "Drill: firing at a square + the firers have moved",
    )
    assert run_of(composer, "two_volleys", 1).inputs == ()


def test_options_are_told_before_inputs(composer: ExampleComposer) -> None:
    assert run_of(composer, "two_volleys", 2).inputs == ("Fire by moonlight",)


def test_prose_binds_dice_inputs_and_results(composer: ExampleComposer) -> None:
    (step,) = composer.whole("at_dawn").steps
    assert step.markdown == "They draw at 12 paces (no) and throw 2, 2, 5, 3, 10 and 1."
    outcome = composer.ruleset.examples["at_dawn"].outcome
    bound = composer.binder.prose(outcome, composer.known("at_dawn"))
    assert bound == "It ends with 5½ wounds, pistol, yes."
