"""A step of an example played: its dice, its inputs, its results, and every way to be wrong."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from beside import as_written, beside
from small_rulesets import ruleset_of

from rulebook.core.odds import program_of
from rulebook.core.play import play_step
from rulebook.core.procedure_faults import FaultAt
from rulebook.model.sequence_and_examples import ExampleStep

TABLES = beside(__file__, "tables")
SHOT = beside(__file__, "shot")


def played(**step: Any) -> tuple[Mapping[str, Any] | None, list[FaultAt]]:
    procedure: dict[str, Any] = {**SHOT, "inputs": {**SHOT["inputs"]}}
    procedure["inputs"]["drills_held"] = procedure["inputs"].pop("drill")
    ruleset = ruleset_of(
        {
            "tables": TABLES,
            "modifiers": as_written(__file__, "played"),
            "procedures": {"shot": procedure},
        }
    )
    whole = {"say": "They shoot.", "run": "shot", "gives": {"hit": "false"}, **step}
    run, slips = play_step(program_of(ruleset, "shot"), ExampleStep.model_validate(whole))
    return (dict(run.played.results) if run else None), slips


def codes(slips: list[FaultAt]) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(slip.code, slip.at) for slip in slips]


def test_it_is_as_it_says() -> None:
    results, slips = played(
        dice=["3", "4"],
        gives={"half": "3½", "hit": "true", "reach": "24in", "how": "7", "used": "musket"},
    )
    assert slips == []
    assert results["half"] == Fraction(3 + 4, 2)


@pytest.mark.parametrize("half", ["3½", "7/2", "3.5", "3 1/2"])
@pytest.mark.parametrize("hit", ["true", "yes"])
def test_ways_to_write_a_result(half: str, hit: str) -> None:
    assert played(dice=["3", "4"], gives={"half": half, "hit": hit})[1] == []
    assert played(dice=["1", "2"], gives={"how": "wide"})[1] == []
    assert codes(played(dice=["1", "3"], gives={"how": "wide"})[1]) == [("R504", ("gives", "how"))]


def test_inputs_are_read_by_their_kinds() -> None:
    given = {"arm": "rifle", "shots": "1", "aimed": "yes", "drills_held": ["volley_fire", "ranks"]}
    results, slips = played(given=given, dice=["1", "2"], gives={"half": "3"})
    assert (results is not None, slips) == (True, [])  # two dice of one shot, and +1 and +2


def test_true_is_not_one() -> None:
    (slip,) = played(dice=["3", "4"], gives={"hit": "false"})[1]
    assert slip.message == "'hit' is yes with these dice, not no"
    assert slip.hint == "write true, or look at the dice"


def test_every_slip_at_once() -> None:
    _, slips = played(dice=["3", "4", "6"], gives={"half": "4", "hit": "maybe", "how": "7"})
    assert codes(slips) == [
        ("R502", ("dice", 2)),
        ("R504", ("gives", "half")),
        ("R505", ("gives", "hit")),
    ]
    _, slips = played(given={"arm": "rifel", "shots": "9"}, dice=["3", "4"])
    assert codes(slips) == [("R505", ("given", "arm")), ("R505", ("given", "shots"))]
    assert [slip.hint for slip in slips] == ["write 'rifle'", ""]


@pytest.mark.parametrize(
    ("dice", "slip"),
    [
        ([], ("R501", ("dice",))),
        (["3"], ("R501", ("dice",))),
        (["3", "7"], ("R503", ("dice", 1))),
        (["0", "3"], ("R503", ("dice", 0))),
    ],
)
def test_dice_that_will_not_do(dice: list[str], slip: tuple[str, tuple[str | int, ...]]) -> None:
    results, slips = played(dice=dice)
    assert (results, codes(slips)) == (None, [slip])


def test_what_the_procedure_refuses() -> None:
    results, (slip,) = played(given={"shots": "6"}, dice=["1"] * 6)
    assert (results, slip.code, slip.message) == (None, "R506", "Six shots are aimed.")
    assert slip.where.address == ("procedures", "shot", "requires", 0, "that")
