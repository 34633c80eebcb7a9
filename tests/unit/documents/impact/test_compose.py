"""Odds of two editions side by side, against a plain count of all throws."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from beside import as_written, beside
from small_rulesets import ruleset_of
from two_editions import CHAIN, changed, editions, impact

from rulebook.core.procedures import Programs
from rulebook.documents.impact.compose import (
    CutoutImpact,
    Impact,
    ProcedureImpact,
    Reason,
    _parameter_text,
)
from rulebook.documents.impact.odds import (
    ARROW,
    MOST_SHOWN,
    Difference,
    PairedInput,
    ValueOfBoth,
    paired_inputs,
    settings_of,
)


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
    new = [["2", "4"], ["2", "3"]]
    found = procedure(impact(CHAIN, changed(CHAIN, tables__fire__data=new)), "shots")
    assert found.state == "changed" and len(found.differences) == 2
    for one in found.differences:
        assert exact(one) == (hits(old, given(one, now=False)), hits(new, given(one, now=True)))
    assert [one.text for one in found.differences] == [
        f"Shots (dice: 3; target: behind a wall): 5.00 {ARROW} 1.50 hits",
        f"Shots (dice: 3): 7.50 {ARROW} 5.00 hits",
    ]


def test_chances_are_those_of_all_throws_counted() -> None:
    """Each die of the test with the one of the shots that it runs."""
    found = impact(CHAIN, changed(CHAIN, modifiers__nerve__rows__lost__points="-3"))
    (one,) = procedure(found, "test").differences

    def stands(points: int) -> Fraction:
        throws = product(range(1, 7), repeat=2)
        return Fraction(sum(die + points - max(0, shot - 1) >= 3 for shot, die in throws), 36)

    assert exact(one) == (stands(-1), stands(-3)) and one.outcome == "yes"
    told = f"stands {one.before} {ARROW} {one.after}"
    assert one.text == f"A test (what holds: officer lost): {told}"


def test_the_largest_difference_is_first() -> None:
    new = [["2", "4"], ["4", "6"]]
    found = impact(CHAIN, changed(CHAIN, tables__fire__data=new))
    largest = []
    for one in found.procedures:
        sizes = [abs(after - before) for before, after in map(exact, one.differences)]
        assert sizes == sorted(sizes, reverse=True) and len(sizes) <= MOST_SHOWN
        largest.append(sizes[0])
    assert largest == sorted(largest, reverse=True)


def test_a_ruleset_of_heavy_procedures_is_cut_and_told_so() -> None:
    """Each takes some hundred thousand moves from case to case."""
    body = [{"roll": {"die": "d20"}}, {"set": {"x": "x + die * die", "y": "y + die"}}]
    heavy = {
        "title": "Heavy",
        "inputs": {"times": {"count": "1-4", "default": "4"}},
        "steps": [{"set": {"x": "0", "y": "0"}}, {"repeat": body, "times": "times"}],
        "result": {"far": "x > 10 * y"},
    }
    old = {"procedures": {f"p{number}": heavy for number in range(12)}}
    found = impact(
        old,
        changed(
            old, **{f"procedures__p{number}__result": {"far": "x > 11 * y"} for number in range(12)}
        ),
    )
    states = [one.state for one in found.procedures]
    assert states[0] == "changed" and states[-1] == "uncompared" and len(states) == 12


def words(of: Any) -> Any:
    """What an impact says of a thing, as far as the table of cases has it."""
    return of.text if isinstance(of, Difference | Reason) else of


@pytest.mark.parametrize("case", as_written(__file__, "told"), ids=lambda case: case["case"])
def test_what_becomes_of_procedures_and_cutouts(case: dict[str, Any]) -> None:
    """In the order in which they stand; of each what the table of cases names."""
    base = CHAIN if case.get("base", "chain") == "chain" else OLD
    old = changed(base, **case.get("old", {}))
    found = impact(old, changed(old, **case.get("new", {})), **case.get("header", {}))
    listed = [*found.procedures, *found.cutouts]
    told = case["told"]
    assert [one.id for one in listed] == [one["id"] for one in told]
    for one, wanted in zip(listed, told, strict=True):
        for key, value in wanted.items():
            got = getattr(one, key)
            assert (list(map(words, got)) if isinstance(got, tuple) else got) == value, key


# A change reaches the procedures that reckon with it, through all that they run, and no other.


def reached(new: dict[str, Any], **header: Any) -> dict[str, list[str]]:
    """Procedure -> why it is reached."""
    both = editions(CHAIN, new, **header)
    reasons = {name: [reason.text for reason in both.reasons(name)] for name in both.new.procedures}
    return {name: told for name, told in reasons.items() if told}


@pytest.mark.parametrize(("place", "value", "reasons"), beside(__file__, "reached"))
def test_a_change_is_followed_through_what_is_run(
    place: str, value: str, reasons: dict[str, list[str]]
) -> None:
    assert reached(changed(CHAIN, **{place: value})) == reasons


def test_a_table_that_nothing_reckons_with_reaches_nothing() -> None:
    old = changed(CHAIN, tables__spare=CHAIN["tables"]["fire"])
    for value in ("2", "3"):
        new = changed(old, tables__spare__data__0__0=value, tables__spare__title="fire")
        assert impact(old, new).procedures == ()
    other = impact(old, changed(old, tables__moves__data__foot__move="7in"))
    assert [one.id for one in other.procedures] == ["march"]


# At which sets of inputs two editions of a procedure are compared.

INPUTS = as_written(__file__, "inputs")


def paired(old: dict[str, Any], new: dict[str, Any]) -> tuple[PairedInput, ...]:
    """The inputs of two procedures."""
    programs = []
    for inputs in (old, new):
        steps = [{"set": {f"s_{name}": f"1 if {name} == {name} else 0"}} for name in inputs]
        total = " + ".join(f"s_{name}" for name in inputs)
        shot = {"title": "Shot", "inputs": inputs, "steps": steps, "result": {"x": total}}
        made = Programs(ruleset_of(changed(CHAIN, procedures={"shot": shot})))
        program = made.get("shot")
        assert program is not None, made.problems
        programs.append(program)
    return paired_inputs(programs[0], programs[1], {}, {})


def test_what_is_usual_comes_first_then_one_input_at_a_time() -> None:
    found = [tuple(new for _, new in one) for one in settings_of(paired(INPUTS, INPUTS))]
    assert found == [
        (24, "near", False),
        (1, "near", False),
        (23, "near", False),
        (25, "near", False),
        (60, "near", False),
        (24, "far", False),
        (24, "near", True),
    ]


def test_inputs_of_one_edition_are_none_in_the_other() -> None:
    old = {**INPUTS, "rain": {"flag": "true"}}
    new = {**INPUTS, "horse": {"flag": "false"}}
    both = paired(old, new)
    assert [tuple(of and of.name for of in one.domains) for one in both][3:] == [
        (None, "horse"),
        ("rain", None),
    ]
    assert [one.values for one in both][3:] == [
        ((None, False), (None, True)),
        ((True, None), (False, None)),
    ]


@pytest.mark.parametrize(
    ("old", "new", "values"),
    [
        (
            {"one_of": ["0-8in", "8-16in"]},
            {"one_of": ["0-6in", "6-12in"]},
            (("0-8in", "0-6in"), ("8-16in", "6-12in")),
        ),
        ({"one_of": ["foot", "horse"]}, {"one_of": ["guns", "horse"]}, (("horse", "horse"),)),
        (
            {"length": "1-3in"},
            {"length": ["1cm", "2.54cm", "7.62cm"]},
            ((1, Fraction("2.54")), (3, Fraction("7.62"))),
        ),
        ({"count": "1-3"}, {"one_of": ["1", "2"]}, ()),
        ({"count": "1-4"}, {"count": "2-9", "default": "9"}, ((2, 2), (3, 3), (4, 4))),
        (
            {"count": "1-9", "default": "4"},
            {"count": "2-5", "default": "3"},
            ((3, 3), (2, 2), (4, 4), (5, 5)),
        ),
    ],
)
def test_values_of_both_editions_are_paired(old: Any, new: Any, values: object) -> None:
    """Bands that moved go by their order, lengths by what they measure."""
    (one,) = paired({"it": old}, {"it": new})
    assert one.values == values


def test_nothing_is_compared_where_an_input_has_no_value_in_both_editions() -> None:
    def ruleset(*choices: str) -> dict[str, Any]:
        shot = {"title": "Shot", "inputs": {"man": {"one_of": [*choices]}}}
        steps = [{"set": {"x": "1 if man == man else 0"}}]
        return {"procedures": {"shot": {**shot, "steps": steps, "result": {"x": "x"}}}}

    (found,) = impact(ruleset("foot", "horse"), ruleset("gun", "waggon")).procedures
    assert (found.state, found.differences) == ("uncompared", ())


def test_renamed_rows_are_the_same_rows() -> None:
    def program(tables: dict[str, Any]) -> Any:
        shot = as_written(__file__, "shot_of_settings")
        return Programs(ruleset_of({"tables": tables, "procedures": {"shot": shot}})).get("shot")

    def men(*rows: str) -> dict[str, Any]:
        data = {row: {"n": str(n)} for n, row in enumerate(rows)}
        return {"men": {"title": "Men", "fields": {"n": "count"}, "data": data}}

    old, new = program(men("line", "light")), program(men("line", "jaeger"))
    (one,) = paired_inputs(old, new, {}, {("men", "jaeger"): "light"})
    assert one.values == (("line", "line"), ("light", "jaeger"))


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
    assert one.text == words
    assert 'stroke-dasharray="' in one.svg and one.svg.startswith("<svg") and one.width == 84


@pytest.mark.parametrize(("place", "value", "state", "text"), beside(__file__, "same_outline"))
def test_what_is_printed_on_the_same_outline(place: str, value: str, state: str, text: str) -> None:
    one = told(**{place: value})
    assert (one and (one.state, one.text)) == (state and (state, text))


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("6in", "8in", "marks heavy cavalry to 6in → 8in"),
        ("", "8in", "new: heavy cavalry to 8in"),
        ("6in", "", "gone: heavy cavalry to 6in"),
    ],
)
def test_a_mark_that_one_edition_has_is_told_in_words(before: str, after: str, words: str) -> None:
    assert _parameter_text(ValueOfBoth("marks heavy cavalry to", before, after)) == words
