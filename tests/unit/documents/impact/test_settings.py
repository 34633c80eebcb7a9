"""At which sets of inputs two editions of a procedure are compared."""

from __future__ import annotations

from typing import Any

from beside import as_written
from small_rulesets import ruleset_of
from two_editions import CHAIN, changed

from rulebook.core.procedures import Programs
from rulebook.documents.impact.odds import (
    MOST_SETTINGS,
    PairedInput,
    Setting,
    settings_of,
    slots_of,
    stated_inputs,
)

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
    assert told == [
        (25, "near", False),
        (23, "near", False),
        (42, "near", False),
        (12, "near", False),
        (60, "near", False),
        (1, "near", False),
        (24, "far", False),
        (24, "near", True),
        (24, "far", True),
    ]


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
        shot = as_written(__file__, "shot")
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
