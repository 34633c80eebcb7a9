"""Odds of two editions side by side, against a plain count of all throws."""

import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from beside import as_written, beside, rows
from small_rulesets import ruleset_of
from two_editions import CHAIN, changed, editions, impact

from rulebook.core.procedures import Programs
from rulebook.documents.impact.compose import _parameter_told, touched
from rulebook.documents.impact.odds import (
    MOST_MOVES_IN_ALL,
    MOST_SETTINGS,
    MOST_TOLD,
    MovesLeft,
    PairedInput,
    Setting,
    settings_of,
    slots_of,
    stated_inputs,
)
from rulebook.documents.impact.views import (
    CutoutImpact,
    Difference,
    Impact,
    Parameter,
    ProcedureImpact,
)
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
    assert one.told.startswith("A turn: chance of “stands”") and not one.inputs


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


def test_the_same_editions_give_the_same_bytes() -> None:
    """In this process, and in another that orders its sets otherwise."""
    found = impact(CHAIN, changed(CHAIN, tables__fire__data=[["2", "4"], ["4", "6"]]))
    fakes = Path(__file__).parents[3] / "fakes"
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "1",
        "PYTHONPATH": os.pathsep.join([str(fakes), *sys.path]),
    }
    told = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, check=True, env=environment
    )
    assert told.stdout.rstrip(b"\n") == canonical(found)


# A change reaches the procedures that reckon with it, through all that they run, and no other.


def reached(new: dict[str, Any], **header: Any) -> dict[str, list[str]]:
    """Procedure -> why it is reached."""
    both = editions(CHAIN, new, **header)
    return {one.pair.id: [reason.told for reason in one.reasons] for one in touched(both)}


def test_a_table_is_followed_through_what_is_run() -> None:
    assert reached(changed(CHAIN, tables__fire__data__0__0="2")) == {
        "shots": ["the table “Fire”"],
        "test": ["the table “Fire”", "the procedure “Shots”"],
        "turn": ["the procedure “A test”"],
    }


def test_a_modifier_table() -> None:
    assert reached(changed(CHAIN, modifiers__nerve__rows__lost__points="-2")) == {
        "test": ["the modifiers “Nerve”"],
        "turn": ["the procedure “A test”"],
    }


def test_steps_of_its_own() -> None:
    new = changed(CHAIN, procedures__shots__steps__0__times="dice + 1")
    assert reached(new) == {
        "shots": ["its own steps"],
        "test": ["the procedure “Shots”"],
        "turn": ["the procedure “A test”"],
    }


def test_a_cutout_that_is_reckoned_with() -> None:
    cone = as_written(__file__, "cone")
    shot = as_written(__file__, "shot")
    old = changed(CHAIN, cutouts={"cone": cone}, procedures__shot=shot)
    new = changed(old, cutouts__cone__zones=[{"name": "All", "kills": "5+"}])
    (one,) = touched(editions(old, new))
    assert (one.pair.id, [reason.told for reason in one.reasons]) == ("shot", ["the cutout “Cone”"])
    assert impact(old, new).procedures[0].differences[0].told == "A shot: kills 50% → 33%"


def test_natural_scores_reach_what_throws_against_a_target() -> None:
    shot = as_written(__file__, "shot_2")
    old = changed(CHAIN, procedures__shot=shot)
    both = editions(old, old, natural={"1": "fails"})
    assert [(one.pair.id, one.reasons[0].kind) for one in touched(both)] == [
        ("shot", "natural scores")
    ]
    (one,) = impact(old, old, natural={"1": "fails"}).procedures
    assert one.differences[0].told == "A shot (bonus: 3): hit 100% → 83%"


@pytest.mark.parametrize(
    ("place", "value"),
    beside(__file__, "words_reach_nothing"),
)
def test_words_reach_nothing(place: str, value: str) -> None:
    assert reached(changed(CHAIN, **{place: value})) == {}


def test_a_table_that_nothing_reckons_with_reaches_nothing() -> None:
    old = changed(CHAIN, tables__spare=CHAIN["tables"]["fire"])
    for value in ("2", "3"):
        new = changed(old, tables__spare__data__0__0=value, tables__spare__title="fire")
        assert impact(old, new).procedures == ()
    other = impact(old, changed(old, tables__moves__data__foot__move="7in"))
    assert [one.id for one in other.procedures] == ["march"]


def test_new_procedures_and_those_that_are_gone() -> None:
    throw = {"title": "A throw", "steps": [{"roll": {"die": "d6"}}], "result": {"score": "die"}}
    found = impact(CHAIN, changed(CHAIN, procedures__march=None, procedures__throw=throw))
    assert [(one.id, one.state, one.told, one.usual) for one in found.procedures] == [
        ("throw", "new", "It is new.", ("mean 3.50 score",)),
        ("march", "gone", "It is not used any more.", ("mean 9.50″ far",)),
    ]


def test_a_procedure_by_another_name_is_the_same_procedure() -> None:
    procedures = dict(CHAIN["procedures"])
    march = procedures.pop("march")
    renamed = changed(CHAIN, procedures={**procedures, "marching": march})
    assert impact(CHAIN, renamed).procedures == ()
    new = changed(renamed, tables__moves__data__foot__move="7in")
    (one,) = impact(CHAIN, new).procedures
    assert (one.id, one.was, one.state) == ("marching", "march", "changed")
    assert [d.told for d in one.differences] == ["A march: 9.50″ → 10.50″ far"]


def test_an_edition_that_is_the_same_reaches_nothing() -> None:
    assert reached(CHAIN) == {}


# At which sets of inputs two editions of a procedure are compared.

INPUTS = as_written(__file__, "inputs")


def slots(old: dict[str, Any], new: dict[str, Any]) -> tuple[PairedInput, ...]:
    """The slots of two procedures with these inputs, all of which count."""
    programs = []
    for inputs in (old, new):
        steps = [{"set": {f"s_{name}": f"1 if {name} == {name} else 0"}} for name in inputs]
        total = " + ".join(f"s_{name}" for name in inputs)
        shot = {"title": "Shot", "inputs": inputs, "steps": steps, "result": {"x": total}}
        made = Programs(ruleset_of(changed(CHAIN, procedures={"shot": shot})))
        program = made.get("shot")
        assert program is not None, made.problems
        programs.append(program)
    return slots_of(programs[0], programs[1], {}, {})


def swept(both: tuple[PairedInput, ...]) -> tuple[Setting, ...]:
    return settings_of(both, ()).swept


def test_what_is_usual_comes_first_then_one_input_at_a_time_then_choices_together() -> None:
    found = settings_of(slots(INPUTS, INPUTS), ())
    assert found.stated == (((24, 24), ("near", "near"), (False, False)),)
    told = [tuple(new for _, new in setting) for setting in found.swept]
    assert told == rows(__file__, "swept")


def test_stated_inputs_go_before_the_sweep() -> None:
    both = slots(INPUTS, INPUTS)
    found = settings_of(both, [({"men": 30, "cover": True}, True), ({"men": 24}, False)])
    assert [tuple(new for _, new in setting) for setting in found.stated] == [
        (24, "near", False),
        (30, "near", True),
    ]


def test_inputs_of_one_edition_are_none_in_the_other() -> None:
    old = {**INPUTS, "rain": {"flag": "true"}}
    new = {**INPUTS, "horse": {"flag": "false"}}
    both = slots(old, new)
    assert [tuple(of and of.name for of in slot.domains) for slot in both][3:] == [
        (None, "horse"),
        ("rain", None),
    ]
    assert [slot.usual for slot in both][3:] == [(None, False), (True, None)]
    assert ((24, 24), ("near", "near"), (False, False), (None, True), (True, None)) in swept(both)


def test_values_of_one_edition_are_left_out_and_moved_bands_go_by_their_order() -> None:
    old = {"range": {"one_of": ["0-8in", "8-16in"]}, "arm": {"one_of": ["foot", "horse"]}}
    new = {"range": {"one_of": ["0-6in", "6-12in"]}, "arm": {"one_of": ["guns", "horse"]}}
    one, other = slots(old, new)
    assert one.values == (("0-8in", "0-6in"), ("8-16in", "6-12in"))
    assert other.values == (("horse", "horse"),) and other.usual == ("horse", "horse")


def test_lengths_in_other_units_are_the_same_lengths() -> None:
    old, new = {"gap": {"length": "1-3in"}}, {"gap": {"length": ["1cm", "2.54cm", "7.62cm"]}}
    (one,) = slots({**old}, {**new})
    assert [before for before, _ in one.values] == [1, 3]


def test_inputs_of_other_kinds_have_no_values_in_common() -> None:
    (one,) = slots({"range": {"count": "1-3"}}, {"range": {"one_of": ["1", "2"]}})
    assert one.values == ()


def test_renamed_rows_are_the_same_rows() -> None:
    def program(tables: dict[str, Any]) -> Any:
        shot = as_written(__file__, "shot_of_settings")
        return Programs(ruleset_of({"tables": tables, "procedures": {"shot": shot}})).get("shot")

    def men(*rows: str) -> dict[str, Any]:
        data = {row: {"n": str(n)} for n, row in enumerate(rows)}
        return {"men": {"title": "Men", "fields": {"n": "count"}, "data": data}}

    both = slots_of(
        program(men("line", "light")),
        program(men("line", "jaeger")),
        {},
        {("men", "jaeger"): "light"},
    )
    assert both[0].values == (("line", "line"), ("light", "jaeger"))


def test_the_sweep_is_bounded() -> None:
    many = {f"a{n}": {"one_of": [f"v{v}" for v in range(9)]} for n in range(12)}
    found = settings_of(slots(many, many), ())
    assert len(found.stated) + len(found.swept) == MOST_SETTINGS
    assert len(set(found.swept)) == len(found.swept)


def test_examples_tables_and_charts_state_inputs() -> None:
    example = as_written(__file__, "example")
    table = as_written(__file__, "table")
    old = changed(CHAIN, examples={"one": example}, tables__odds=table)
    ruleset = ruleset_of(old, "# Odds {#odds}\n\n{chart: test stands with range=8-16in}")
    found = stated_inputs(ruleset)
    assert [(one["dice"], one["range"], one["cover"]) for one in found["shots"]] == [
        (3, "0-8in", "wall"),
        (2, "8-16in", "open"),
        (4, "8-16in", "open"),
    ]
    assert [one["range"] for one in found["test"]] == ["8-16in"]


# Cutouts of two editions: whether their outline changed, what is on them, or words alone.

OLD: dict[str, Any] = beside(__file__, "old")


def told(**values: Any) -> CutoutImpact | None:
    """What becomes of the one cutout that changes, if any does."""
    found = impact(OLD, changed(OLD, **values)).cutouts
    assert len(found) < 2
    return found[0] if found else None


@pytest.mark.parametrize(
    ("place", "value", "parameters", "words"),
    beside(__file__, "another_outline_is_shown_over_the_old_one"),
)
def test_another_outline_is_shown_over_the_old_one(
    place: str, value: str, parameters: list[list[str]], words: str
) -> None:
    one = told(**{place: value})
    assert one is not None and one.state == "outline"
    assert [[p.name, p.before, p.after] for p in one.parameters] == parameters
    assert one.told == words
    assert 'stroke-dasharray="' in one.svg and one.svg.startswith("<svg") and one.width == 84


def test_other_values_on_the_same_outline() -> None:
    one = told(cutouts__cone__zones__0__kills="3+")
    assert one is not None and one.state == "face"
    assert one.parameters == (Parameter("zones near kills", "4+", "3+"),)
    assert one.told == "Canister cone: the same outline; zones near kills 4+ → 3+."


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("6in", "8in", "marks heavy cavalry to 6in → 8in"),
        ("", "8in", "new: heavy cavalry to 8in"),
        ("6in", "", "gone: heavy cavalry to 6in"),
    ],
)
def test_a_mark_that_one_edition_has_is_told_in_words(before: str, after: str, words: str) -> None:
    assert _parameter_told(Parameter("marks heavy cavalry to", before, after)) == words


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("cutouts__cone__title", "Cone"),
        ("cutouts__cone__use", "Lay it before the gun."),
        ("cutouts__cone__zones__0__name", "Close"),
    ],
)
def test_other_words_alone(place: str, value: str) -> None:
    one = told(**{place: value})
    assert one is not None and (one.state, one.svg, one.parameters) == ("words", "", ())
    assert one.told.endswith(": only words on it changed.")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("cutouts__cone__source", "the second book"),
        ("cutouts__cone__note", "a note"),
        ("tables__ranges__title", "Reach"),
    ],
)
def test_what_is_not_printed_on_it_changes_no_cutout(place: str, value: str) -> None:
    assert told(**{place: value}) is None


def test_new_cutouts_and_those_that_are_gone() -> None:
    disc = {"shape": "disc", "title": "Other", "diameter": "3in"}
    found = impact(OLD, changed(OLD, cutouts__gauge=None, cutouts__other=disc))
    assert [(one.id, one.state, one.told) for one in found.cutouts] == [
        ("other", "new", "Other: new."),
        ("gauge", "gone", "Gauge: not used any more."),
    ]
    assert all(one.svg for one in found.cutouts)


def test_a_cutout_of_another_shape() -> None:
    one = told(cutouts__gauge=OLD["cutouts"]["cone"] | {"title": "Gauge"})
    assert one is not None and one.state == "outline"


def test_a_cutout_by_another_name_is_the_same_cutout() -> None:
    cutouts = dict(OLD["cutouts"])
    cutouts["angle"] = cutouts.pop("gauge")
    found = impact(OLD, changed(OLD, cutouts=cutouts))
    assert found.cutouts == ()
    cutouts["angle"] = cutouts["angle"] | {"radius": "4in"}
    (one,) = impact(OLD, changed(OLD, cutouts=cutouts)).cutouts
    assert (one.id, one.was, one.told) == ("angle", "gauge", "Gauge: radius 6″ → 4″.")
