"""Inputs: the values that each may take, texts as these, sweeps, and the faults of usage."""

import pytest
from beside import as_written, beside, rows, written
from rolls import chances, program, refused

from rulebook.core.input_domains import InputFault, parse_inputs, swept
from rulebook.core.programs import Program, relevant_inputs

EDGES = beside(__file__, "edges")
READ = "firers + total + (1 if range == '0-8in' else 0) + (1 if bold else 0) + sum(held.throw)"


@pytest.fixture(name="made")
def fire() -> Program:
    return program(
        {"set": {"x": READ}},
        inputs=as_written(__file__, "fire"),
        modifiers=EDGES,
    )


def test_defaults(made: Program) -> None:
    wanted = {"firers": 12, "total": 10, "range": "0-8in", "bold": False, "held": ()}
    assert parse_inputs(made.domains, {}) == wanted


@pytest.mark.parametrize(("name", "text", "value"), beside(__file__, "texts"))
def test_texts(made: Program, name: str, text: str, value: object) -> None:
    assert made.domains[name].parse(text) == (tuple(value) if isinstance(value, list) else value)
    if value is None:
        with pytest.raises(InputFault) as fault:
            parse_inputs(made.domains, {name: text})
        assert name in fault.value.message
        assert fault.value.expected == made.domains[name].choices()


def test_what_is_written_can_be_read(made: Program) -> None:
    for domain in made.domains.values():
        assert domain.parse(domain.written(domain.default)) == domain.default
    held = made.domains["held"]
    assert held.parse(held.written(("up_hill", "wall"))) == ("up_hill", "wall")
    assert held.title_of(("up_hill", "wall")) == "up the hill and behind a wall"


@pytest.mark.parametrize(("name", "text", "values"), beside(__file__, "sweeps"))
def test_sweeps(made: Program, name: str, text: str, values: list[object] | None) -> None:
    assert swept(made.domains[name], text) == values


def test_sweeps_over_values_that_there_are_not(made: Program) -> None:
    for name, text in (("firers", "0..6"), ("firers", "6,99"), ("range", "1..2")):
        with pytest.raises(InputFault, match=f"is no value of the input '{name}'"):
            swept(made.domains[name], text)


def test_rows_of_a_modifier_table_are_called_by_their_conditions() -> None:
    made = program(
        {"set": {"x": "edge.throw"}}, inputs={"edge": {"one_of": "edges"}}, modifiers=EDGES
    )
    domain = made.domains["edge"]
    assert domain.values == ("up_hill", "wall")
    assert domain.title_of("wall") == "behind a wall"


@pytest.mark.parametrize(
    ("given", "fault"),
    beside(__file__, "inputs_that_cannot_be"),
)
def test_inputs_that_cannot_be(given: dict[str, str], fault: str) -> None:
    found = refused({"set": {"x": "n"}}, inputs={"n": given}, modifiers=EDGES)
    assert found == [fault]


GUNS = as_written(__file__, "guns")


def measured(**given: object) -> Program:
    return program({"set": {"x": "gap * 2"}}, inputs={"gap": given}, tables=GUNS)


@pytest.mark.parametrize(("given", "choices", "text", "value"), beside(__file__, "lengths"))
def test_lengths(given: dict[str, object], choices: str, text: str, value: float) -> None:
    domain = measured(**given).domains["gap"]
    assert domain.choices() == choices
    found = domain.parse(text)
    assert found == value
    assert domain.parse(domain.written(found)) == found
    assert domain.parse("81in") is domain.parse("1.7in") is domain.parse("near") is None


def test_lengths_are_printed_as_such_and_swept() -> None:
    domain = measured(length="1-80in", default="12in").domains["gap"]
    assert domain.title_of(domain.default) == "12″"
    assert domain.plain(domain.default) == "12in"
    assert swept(domain, "6in..12in..2in") == [6, 8, 10, 12]
    assert swept(domain, "6in,9in") == [6, 9]
    with pytest.raises(InputFault):
        swept(domain, "6in..90in")
    with pytest.raises(InputFault):
        swept(domain, "6in..12in..2")


def test_a_column_without_lengths() -> None:
    inputs = {"gap": {"length": "guns.title"}}
    assert refused({"set": {"x": "gap"}}, inputs=inputs, tables={})[0] == "R301"


def test_a_procedure_is_given_lengths_in_its_own_unit() -> None:
    other = written("{inputs: {gap: {length: 1-10ft}}, steps: [{set: {y: gap}}], result: {y: y}}")
    run = {"run": "other", "given": {"gap": "'24in'"}, "take": {"x": "y"}}
    assert chances(program(run, others={"other": other})) == {2: 1}


PARTS = {
    "tables": {
        **GUNS,
        "musketry": as_written(__file__, "data"),
    },
    "modifiers": EDGES | beside(__file__, "losses"),
}


@pytest.mark.parametrize(("given", "reads", "values"), rows(__file__, "some_rows_only"))
def test_some_rows_only(given: dict[str, object], reads: str, values: tuple[str, ...]) -> None:
    made = program({"set": {"x": reads}}, inputs={"it": given}, **PARTS)
    domain = made.domains["it"]
    assert domain.values == values
    assert all(sum(chances(made, it=(v,) if domain.several else v).values()) == 1 for v in values)


@pytest.mark.parametrize(("given", "reads", "code"), beside(__file__, "no_such_rows"))
def test_no_such_rows(given: dict[str, object], reads: str, code: str) -> None:
    assert refused({"set": {"x": reads}}, inputs={"it": given}, **PARTS) == [code]


LOSSES = beside(__file__, "losses")


def losing(reads: str) -> Program:
    inputs = {"it": {"any_of": "tested", "default": ["lost*2"]}}
    return program({"set": {"x": reads}}, inputs=inputs, modifiers=LOSSES)


@pytest.mark.parametrize(("text", "value", "shown"), rows(__file__, "as_often_as_it_holds"))
def test_a_condition_as_often_as_it_holds(text: str, value: object, shown: str | None) -> None:
    domain = losing("sum(it.score)").domains["it"]
    assert domain.parse(text) == value
    if isinstance(value, tuple):
        assert domain.parse(domain.written(value)) == value
        assert shown is None or domain.title_of(value) == shown


@pytest.mark.parametrize(
    ("reads", "wanted"),
    beside(__file__, "conditions_are_counted"),
)
def test_conditions_are_counted(reads: str, wanted: object) -> None:
    made = losing(reads)
    assert chances(made, it=made.domains["it"].parse("general+lost*3")) == {wanted: 1}
    assert made.domains["it"].every == ("general", *["lost"] * 6)
    assert made.defaults() == {"it": ("lost", "lost")}
    assert "lost*6" in made.domains["it"].choices()


def test_conditions_are_shown_with_their_values() -> None:
    rows = {"near": {"when": "a gun within {guns.short.reach}, {rule: r}", "score": "+1"}}
    table = {"title": "Near", "changes": {"score": "score"}, "rows": rows}
    inputs = {"it": {"any_of": "near_ones"}}
    step = {"set": {"x": "count(it)"}}
    made = program(step, inputs=inputs, tables=GUNS, modifiers={"near_ones": table})
    assert made.domains["it"].title_of(("near",)) == "a gun within 6″, {rule: r}"


# Which inputs play a part in a result, where some of them are known.

INPUTS = written("{n: {count: 1-6}, near: {flag: false}, bonus: {count: 0-3}, other: {count: 0-3}}")


def made() -> Program:
    block = {"when": "near", "do": [{"set": {"x": "x + bonus"}}, {"roll": {"die": "d6"}}]}
    return program(
        {"roll": {"die": "d6"}},
        {"set": {"x": "die + n"}},
        block,
        {"repeat": [{"when": "not near", "set": {"x": "x + other"}}], "times": "2"},
        gives={"x": "x", "die": "die", "n": "n"},
        inputs=INPUTS,
    )


def test_what_a_result_hangs_on() -> None:
    assert relevant_inputs(made(), ["x"], {}) == {"n", "near", "bonus", "other"}
    assert relevant_inputs(made(), ["die"], {}) == {"near"}
    assert relevant_inputs(made(), ["n"], {}) == {"n"}
    assert relevant_inputs(made(), ["die", "n"], {}) == {"near", "n"}


def test_steps_that_are_not_taken_read_nothing() -> None:
    assert relevant_inputs(made(), ["x"], {"near": False}) == {"n", "near", "other"} - {"near"} | {
        "near"
    }
    assert relevant_inputs(made(), ["x"], {"near": True}) == {"n", "near", "bonus"}
