"""Odds of two editions side by side, against a plain count of all throws."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from two_editions import CHAIN, changed, impact

from rulebook.documents.impact.odds import MOST_MOVES_IN_ALL, MOST_TOLD, MovesLeft
from rulebook.documents.impact.views import Difference, Impact, ProcedureImpact
from rulebook.documents.impact.words import ARROW, told_chances
from rulebook.frozen_view import canonical


def procedure(found: Impact, name: str) -> ProcedureImpact:
    return next(one for one in found.procedures if one.id == name)


def exact(one: Difference) -> tuple[Fraction, Fraction]:
    return Fraction(one.exact_before), Fraction(one.exact_after)


def given(one: Difference, *, now: bool) -> dict[str, str | None]:
    return {each.name: each.after if now else each.before for each in one.given}


def hits(data: Sequence[Sequence[str]], inputs: dict[str, str | None]) -> Fraction:
    """The mean of hits, by adding up every throw of the dice."""
    row, column = inputs["range"] == "8-16in", inputs["cover"] == "wall"
    less, dice = int(data[row][column]), int(inputs["dice"] or 0)
    throws = list(product(range(1, 7), repeat=dice))
    return Fraction(sum(max(0, die - less) for throw in throws for die in throw), len(throws))


def test_means_are_those_of_all_throws_counted() -> None:
    old = CHAIN["tables"]["fire"]["data"]
    new = [["2", "2"], ["2", "4"]]
    found = procedure(impact(CHAIN, changed(CHAIN, tables__fire__data=new)), "shots")
    assert found.state == "changed" and len(found.differences) == 2
    for one in found.differences:
        assert exact(one) == (hits(old, given(one, now=False)), hits(new, given(one, now=True)))
    assert [one.told for one in found.differences] == [
        f"Shots (dice: 3): 7.50 {ARROW} 5.00 hits",
        f"Shots (dice: 3; range: 8–16″; target: behind a wall): 3.00 {ARROW} 1.50 hits",
    ]


def test_chances_are_those_of_all_throws_counted() -> None:
    """Each die of the test with the one of the shots that it runs."""
    found = impact(CHAIN, changed(CHAIN, modifiers__nerve__rows__lost__points="-3"))
    near, far = procedure(found, "test").differences
    assert {one.inputs for one in (near, far)} == {
        ("what holds: officer lost",),
        ("what holds: officer lost", "range: 8–16″"),
    }

    def stands(points: int, less: int) -> Fraction:
        throws = product(range(1, 7), repeat=2)
        held = sum(die + points - max(0, shot - less) >= 3 for shot, die in throws)
        return Fraction(held, 36)

    for one in (near, far):
        less = 2 if len(one.inputs) == 2 else 1
        assert exact(one) == (stands(-1, less), stands(-3, less)) and one.outcome == "yes"
        before, after = told_chances(exact(one))
        assert one.told == f"A test ({'; '.join(one.inputs)}): stands {before} {ARROW} {after}"


def test_conditions_stand_in_a_sentence() -> None:
    found = impact(CHAIN, changed(CHAIN, modifiers__nerve__rows__near__points="+3"))
    (near, far) = procedure(found, "test").differences
    assert near.inputs[0] == far.inputs[0] == "what holds: general near"


def test_what_is_run_changes_with_it() -> None:
    found = impact(CHAIN, changed(CHAIN, tables__fire__data__0__0="3"))
    assert [one.id for one in found.procedures] == ["shots", "test", "turn"]
    (one,) = procedure(found, "turn").differences
    assert one.told.startswith("A turn: fate “stands”") and not one.inputs


def test_the_largest_difference_is_first() -> None:
    new = [["2", "4"], ["4", "6"]]
    found = impact(CHAIN, changed(CHAIN, tables__fire__data=new))
    largest = []
    for one in found.procedures:
        sizes = [abs(after - before) for before, after in map(exact, one.differences)]
        assert sizes == sorted(sizes, reverse=True) and len(sizes) <= MOST_TOLD
        largest.append(sizes[0])
    assert largest == sorted(largest, reverse=True)


def test_the_same_odds_are_told_as_such() -> None:
    new = changed(CHAIN, procedures__march__steps__1__set={"far": "die * '1in' + who.move"})
    (one,) = impact(CHAIN, new).procedures
    assert (one.state, one.differences) == ("same", ())
    assert one.told == "Its odds are the same at 2 sets of inputs."


def test_the_same_mean_of_other_throws_is_told_by_the_chance_that_changed_most() -> None:
    throw = {"title": "A throw", "steps": [{"roll": {"die": "2d3"}}], "result": {"score": "die"}}
    old = {"procedures": {"throw": throw}}
    new = changed(
        old, procedures__throw__steps=[{"roll": {"die": "d3"}}, {"set": {"die": "2 * die"}}]
    )
    (one,) = impact(old, new).procedures[0].differences
    assert (one.measure, one.outcome) == ("chance", "2")
    assert one.told == f"A throw: score “2” 11% {ARROW} 33%"


def test_inputs_and_results_of_one_edition_are_told() -> None:
    inputs = {**CHAIN["procedures"]["shots"]["inputs"], "rain": {"flag": "false", "label": "Rain"}}
    step = CHAIN["procedures"]["shots"]["steps"][0]
    new = changed(
        CHAIN,
        procedures__shots__inputs=inputs,
        procedures__shots__steps=[step, {"when": "rain", "set": {"hits": "0"}}],
        procedures__shots__result={"hits": "hits", "none": "hits == 0"},
    )
    found = procedure(impact(CHAIN, new), "shots")
    assert found.notes == ("Only 2 asks for “rain”, usually no.", "Only 2 tells: none.")
    assert found.differences[0].told == f"Shots (dice: 3; rain, in 2 alone): 7.50 {ARROW} 0.00 hits"
    assert found.differences[0].given[-1].before is None


def test_values_of_one_edition_and_another_default_are_told() -> None:
    new = changed(
        CHAIN,
        procedures__shots__inputs__dice={"count": "2-12", "default": "6", "label": "Dice"},
    )
    found = procedure(impact(CHAIN, new), "shots")
    assert found.state == "same"
    assert found.notes == (
        "Only 1 has for “dice”: 1.",
        "Only 2 has for “dice”: 11 to 12.",
        "The usual “dice” was 3; here it is 6.",
    )


def test_bands_that_moved_are_told_with_what_they_were() -> None:
    table = {"rows": {"range": ["0-6in", "6-12in"]}, "data": [["1", "2"], ["5", "3"]]}
    found = procedure(
        impact(CHAIN, changed(CHAIN, tables__fire=CHAIN["tables"]["fire"] | table)), "shots"
    )
    assert found.differences[0].inputs == ("dice: 3", "range: 6–12″, was 8–16″")


def test_inputs_that_only_one_edition_allows_are_told() -> None:
    new = changed(
        CHAIN, procedures__shots__requires=[{"that": "dice < 5", "say": "No more than four dice."}]
    )
    found = procedure(impact(CHAIN, new), "shots")
    assert found.state == "same" and found.notes == ("Only 1 allows: dice: 7.",)


def test_a_result_of_another_kind_is_not_compared() -> None:
    new = changed(CHAIN, procedures__march__result={"far": "far > '9in'"})
    (one,) = impact(CHAIN, new).procedures
    assert one.state == "unreckoned" and one.told == "Its odds could not be compared."
    assert one.notes == ("Only 1 tells: far.", "Only 2 tells: far.")


def heavy(score: str) -> dict[str, Any]:
    """Procedures each of which takes some hundred thousand moves."""
    body = [{"roll": {"die": "d20"}}, {"set": {"x": f"x + die * die {score}", "y": "y + die"}}]
    steps = [{"set": {"x": "0", "y": "0"}}, {"repeat": body, "times": "times"}]
    one = {
        "title": "Heavy",
        "inputs": {"times": {"count": "1-9", "default": "6"}},
        "steps": steps,
        "result": {"far": "x > 50 * y"},
    }
    return {"procedures": {f"p{number}": one for number in range(12)}}


def test_a_ruleset_of_heavy_procedures_is_cut_and_told_so() -> None:
    found = impact(heavy(""), heavy("+ 1"))
    assert len(found.procedures) == 12
    cut = [one for one in found.procedures if any("too long" in note for note in one.notes)]
    assert len(cut) == 12
    assert sum(one.compared for one in found.procedures) < 60


def test_shares_of_the_purse_are_what_is_left() -> None:
    moves_left = MovesLeft(4)
    assert moves_left.share() == MOST_MOVES_IN_ALL // 4
    moves_left.left -= MOST_MOVES_IN_ALL // 2
    assert moves_left.share() == MOST_MOVES_IN_ALL // 6


def test_numbers_that_print_alike_get_more_decimals() -> None:
    assert told_chances((Fraction(1, 2), Fraction(501, 1000))) == ("50.0%", "50.1%")
    assert told_chances((Fraction(1, 3), Fraction(2, 3))) == ("33%", "67%")
    tiny = Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**12)
    assert told_chances(tiny) == (f"{100 * tiny[0]}%", f"{100 * tiny[1]}%")


_PROGRAM = """
import json
from two_editions import CHAIN, changed, impact
from rulebook.frozen_view import canonical
found = impact(CHAIN, changed(CHAIN, tables__fire__data=[["2", "4"], ["4", "6"]]))
print(canonical(found).decode())
"""


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_same_editions_give_the_same_bytes(seed: str) -> None:
    found = impact(CHAIN, changed(CHAIN, tables__fire__data=[["2", "4"], ["4", "6"]]))
    fakes = Path(__file__).parents[3] / "fakes"
    environment = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": os.pathsep.join([str(fakes), *sys.path]),
    }
    told = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, check=True, env=environment
    )
    assert told.stdout.rstrip(b"\n") == canonical(found)
