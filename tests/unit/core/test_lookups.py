"""Names of tables with keys and fields: what they hold, and the fault where they hold nothing."""

import re
from fractions import Fraction
from typing import Any

import pytest
from beside import as_written, beside
from rolls import chances, odds, program, refused, stopped
from small_rulesets import ruleset_of

from rulebook.core.procedures import Programs

GAME: dict[str, Any] = beside(__file__, "game")
INPUTS = beside(__file__, "inputs")


def made(text: str) -> Any:
    """A procedure that looks something up, with the inputs that it names."""
    used = {name: one for name, one in INPUTS.items() if name in re.findall(r"\w+", text)}
    return {"gives": {"x": text}, "inputs": used, **GAME}


def value(text: str, **inputs: Any) -> Any:
    (only,) = chances(program({"say": "Look it up."}, **made(text)), **inputs)
    return only


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *beside(__file__, "values"),
        ("wounds.light.part", Fraction(1, 3)),
        ("wounds['light'].part", Fraction(1, 3)),
    ],
)
def test_values(text: str, wanted: Any) -> None:
    assert value(text) == wanted


def test_rows_that_the_players_choose() -> None:
    assert value("threat.throw", threat="near") == -3
    assert value("threat.pace", threat="near") == 2
    held = ("far", "near")
    assert value("sum(held.throw) * 10 + count(held)", held=held) == -38
    assert value("'near' in held", held=held) is True
    assert value("wound.lost", wound="grave") == 4


def test_a_throw_that_is_looked_up() -> None:
    found = program({"roll": {"die": "d6"}}, gives={"x": "hits[die, 'foot'].lost"}, **GAME)
    assert chances(found) == {0: Fraction(1, 2), 1: Fraction(1, 2)}


@pytest.mark.parametrize(("text", "fault"), beside(__file__, "faults"))
def test_faults(text: str, fault: str) -> None:
    assert refused({"say": "Look it up."}, **made(text)) == [fault]


def test_an_empty_cell_stops_only_who_comes_to_it() -> None:
    found = program({"say": "Look it up."}, **made("fire[range, cover]"))
    assert chances(found, range="0-8in", cover="wall") == {3: 1}
    assert stopped(found, range="8-16in", cover="wall") == "R426"


def test_a_number_that_is_on_no_axis() -> None:
    found = program({"say": "Look it up."}, **made("hits[many, 'foot'].lost"))
    assert stopped(found, many=9) == "R425"


SCATTER: dict[str, Any] = as_written(__file__, "scatter")


def scattered(*steps: dict[str, Any]) -> Any:
    inputs = {"weapon": {"one_of": "weapons"}}
    made = program(*steps, inputs=inputs, tables=SCATTER)
    return [chances(made, weapon=one) for one in SCATTER["weapons"]["data"]]


@pytest.mark.parametrize(("text", "wanted"), beside(__file__, "cells_that_may_be_empty"))
def test_cells_that_may_be_empty(text: str, wanted: list[Any]) -> None:
    assert scattered({"set": {"x": text}}) == [{value: 1} for value in wanted]


def test_a_step_is_taken_where_there_is_a_value() -> None:
    steps = [{"set": {"x": "0"}}, {"when": "has(weapon.scatter)", "set": {"x": "weapon.scatter"}}]
    assert scattered(*steps) == [{2: 1}, {0: 1}, {0: 1}]


def test_a_missing_cell_is_neither_full_nor_empty() -> None:
    inputs = {"weapon": {"one_of": "weapons"}}
    made = program({"set": {"x": "has(weapon.cost)"}}, inputs=inputs, tables=SCATTER)
    assert stopped(made, weapon="musket") == "R426"
    assert chances(made, weapon="rifle") == {True: 1}


@pytest.mark.parametrize(
    ("text", "fault"),
    beside(__file__, "what_cannot_be_empty"),
)
def test_what_cannot_be_empty(text: str, fault: str) -> None:
    inputs = {"weapon": {"one_of": "weapons"}}
    assert refused({"set": {"x": text}}, inputs=inputs, tables=SCATTER) == [fault]


WOUNDS: dict[str, Any] = beside(__file__, "wounds")


@pytest.mark.parametrize(
    ("text", "wanted"),
    beside(__file__, "an_axis_of_single_numbers"),
)
def test_an_axis_of_single_numbers(text: str, wanted: int) -> None:
    inputs = {"defence": {"one_of": "chart.defence"}}
    given = {"x": text, "y": "defence"}
    made = program({"set": given}, inputs=inputs, tables=WOUNDS, gives="x y")
    assert odds(made) == {(wanted, 1): 1}
    assert made.domains["defence"].values == (1, 2, 10, 100)


def test_between_the_numbers_there_is_nothing() -> None:
    inputs = {"defence": {"count": "1-100"}}
    made = program({"set": {"x": "chart[2, defence]"}}, inputs=inputs, tables=WOUNDS)
    assert chances(made, defence=100) == {7: 1}
    assert stopped(made, defence=11) == "R425"
    assert refused({"set": {"x": "chart[2, '11']"}}, tables=WOUNDS) == ["R302"]


def test_some_of_the_numbers_only() -> None:
    inputs = {"defence": {"one_of": "chart.defence", "only": ["2", "10"]}}
    made = program({"set": {"x": "chart[2, defence]"}}, inputs=inputs, tables=WOUNDS)
    assert made.domains["defence"].values == (2, 10)


# What a procedure looks up is taken from what was checked, and never from words that look so.

RULES = as_written(__file__, "looked_up")


@pytest.mark.parametrize(
    ("name", "looked_up"),
    [
        (
            "test",
            {("tables", "men"), ("tables", "arms"), ("modifiers", "nerve"), ("header", "natural")},
        ),
        ("shots", {("tables", "fire")}),
        ("bare", set()),
    ],
)
def test_what_is_looked_up_is_what_was_checked(name: str, looked_up: set[object]) -> None:
    program = Programs(ruleset_of(RULES)).get(name)
    assert program is not None and set(program.looked_up) == looked_up
