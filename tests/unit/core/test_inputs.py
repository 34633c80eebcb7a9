"""Inputs: the values that each may take, texts as these, sweeps, and the faults of usage."""

from __future__ import annotations

import pytest
from rolls import program, refused

from rulebook.core.inputs import InputFault, parse_inputs, swept
from rulebook.core.program import Program

EDGES = {
    "edges": {
        "title": "Edges",
        "changes": {"throw": "score"},
        "rows": {
            "up_hill": {"when": "up the hill", "throw": "+1"},
            "wall": {"when": "behind a wall", "throw": "+2"},
        },
    }
}
READ = "firers + total + (1 if range == '0-8in' else 0) + (1 if bold else 0) + sum(held.throw)"


@pytest.fixture(name="made")
def fire() -> Program:
    return program(
        {"set": {"x": READ}},
        inputs={
            "firers": {"count": "1-60", "default": "12"},
            "total": {"count": ["10", "20", "40"]},
            "range": {"one_of": {"0-8in": "Near", "8-16in": "Far"}},
            "bold": {"flag": "false"},
            "held": {"any_of": "edges"},
        },
        modifiers=EDGES,
    )


def test_defaults(made: Program) -> None:
    wanted = {"firers": 12, "total": 10, "range": "0-8in", "bold": False, "held": ()}
    assert parse_inputs(made.domains, {}) == wanted


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("firers", "6", 6),
        ("firers", " 6 ", 6),
        ("firers", "0", None),
        ("firers", "6.0", None),
        ("total", "20", 20),
        ("total", "15", None),
        ("range", "8-16in", "8-16in"),
        ("range", "far", None),
        ("bold", "yes", True),
        ("bold", "False", False),
        ("bold", "1", None),
        ("held", "none", ()),
        ("held", "wall+up-hill", ("up_hill", "wall")),
        ("held", "wall, wall", ("wall",)),
        ("held", "wall+moat", None),
    ],
)
def test_texts(made: Program, name: str, text: str, value: object) -> None:
    assert made.domains[name].parse(text) == value
    if value is None:
        with pytest.raises(InputFault) as fault:
            parse_inputs(made.domains, {name: text})
        assert fault.value.name == name
        assert fault.value.expected == made.domains[name].choices()


def test_what_is_written_can_be_read(made: Program) -> None:
    for domain in made.domains.values():
        assert domain.parse(domain.written(domain.default)) == domain.default
    held = made.domains["held"]
    assert held.parse(held.written(("up_hill", "wall"))) == ("up_hill", "wall")
    assert held.told(("up_hill", "wall")) == "up the hill and behind a wall"


def test_names_with_hyphens_and_names_misspelt(made: Program) -> None:
    with pytest.raises(InputFault) as fault:
        parse_inputs(made.domains, {"fires": "6"})
    assert (fault.value.message, fault.value.hint) == ("no input 'fires'", "write 'firers'")
    none = program({"roll": {"x": "d6"}})
    with pytest.raises(InputFault, match="no inputs, so no 'fires'"):
        parse_inputs(none.domains, {"fires": "6"})


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("firers", "6..9", [6, 7, 8, 9]),
        ("firers", "6..24..6", [6, 12, 18, 24]),
        ("firers", "24,6", [24, 6]),
        ("firers", "6,6", [6]),
        ("firers", "6", None),
        ("firers", "9..6", []),
        ("total", "10..40", [10, 20, 40]),
        ("total", "all", [10, 20, 40]),
        ("range", "all", ["0-8in", "8-16in"]),
        ("bold", "all", [False, True]),
        ("held", "all", None),
        ("held", "wall,up_hill", None),
    ],
)
def test_sweeps(made: Program, name: str, text: str, values: list[object] | None) -> None:
    assert swept(made.domains[name], text) == values


@pytest.mark.parametrize(
    ("name", "text"), [("firers", "0..6"), ("firers", "6,99"), ("range", "1..2")]
)
def test_sweeps_over_values_that_there_are_not(made: Program, name: str, text: str) -> None:
    with pytest.raises(InputFault, match=f"is no value of '{name}'"):
        swept(made.domains[name], text)


def test_choices_for_a_report(made: Program) -> None:
    told = {name: domain.choices() for name, domain in made.domains.items()}
    assert told["firers"] == "1 to 60"
    assert told["total"] in ("10, 20, 40", "10, 20 or 40")
    assert told["held"].startswith("none, or any of up_hill")


def test_rows_of_a_modifier_table_are_called_by_their_conditions() -> None:
    made = program(
        {"set": {"x": "edge.throw"}}, inputs={"edge": {"one_of": "edges"}}, modifiers=EDGES
    )
    domain = made.domains["edge"]
    assert domain.values == ("up_hill", "wall")
    assert domain.told("wall") == "behind a wall"


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"count": "1-6", "default": "7"}, ("R431", "'7' is no value of the input 'n'")),
        ({"one_of": "edgs"}, ("R301", "no table is called 'edgs'")),
        ({"any_of": "edgs"}, ("R301", "no modifier table is called 'edgs'")),
        ({"count": "edges.throw"}, ("R301", "no table is called 'edges'")),
    ],
)
def test_inputs_that_cannot_be(given: dict[str, str], fault: tuple[str, str]) -> None:
    found = refused({"set": {"x": "n"}}, inputs={"n": given}, modifiers=EDGES)
    assert found == [fault]


def test_an_input_that_changes_nothing_is_a_slip() -> None:
    found = refused({"roll": {"x": "d6"}}, inputs={"n": {"count": "1-6"}})
    assert found == [("R432", "the input 'n' changes no result")]
