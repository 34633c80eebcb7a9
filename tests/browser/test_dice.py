"""Programs and their interpreter in a browser: held against the core, throw for throw."""

import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from beside import as_written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plays_in_browser import Shown, answers, any_inputs, hold, hold_odds, page_programs, with_script
from playwright.sync_api import Browser, Page
from random_procedures import naturals, procedures, programs_of
from shipped_rulesets import SHIPPED, shipped
from small_rulesets import ruleset_of

from rulebook.core.browser_programs import unit_words
from rulebook.core.procedures import Programs
from rulebook.core.programs import all_steps
from rulebook.core.value_types import LengthKind, json_value
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import Length, format_number

EVERY = as_written(__file__, "every_construct")
FAULTS = EVERY.pop("faults")
#: Plays of each procedure of a shipped ruleset, and of each that tries a construct.
PLAYS, PLAYS_OF_CONSTRUCT = 20, 200


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return with_script(browser.new_page())


def small() -> Ruleset:
    return ruleset_of(EVERY, natural={"1": "fails", "6": "passes"})


def faulty() -> Ruleset:
    more = {name: {"title": "A trial", **one} for name, one in FAULTS.items()}
    return ruleset_of({**EVERY, "procedures": {**EVERY["procedures"], **more}})


def plays(ruleset: Ruleset, number: int) -> list[tuple[str, dict[str, Any], int]]:
    """So many plays of every procedure, with inputs by chance."""
    programs, random = Programs(ruleset), Random(1)
    made = {name: programs.get(name) for name in ruleset.procedures}
    return [
        (name, any_inputs(program, random) if seed else {}, seed)
        for name, program in made.items()
        if program is not None
        for seed in range(number)
    ]


def ended(found: list[Shown]) -> list[Shown]:
    return [one for one in found if "results" in one]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_procedure_plays_as_the_core_plays_it(page, name):
    ruleset = shipped(name)
    asked = plays(ruleset, PLAYS)
    assert {one for one, _, _ in asked} == set(ruleset.procedures), "each of them can be played"
    found = ended(hold(page, ruleset, asked))
    assert len(found) > len(asked) / 2
    expect_no_inner_name(ruleset, found)


def expect_no_inner_name(ruleset: Ruleset, found: list[Shown]) -> None:
    """Of what a step sets, the players read what an author or the rules call it."""
    programs = [one for one in map(Programs(ruleset).get, ruleset.procedures) if one]
    names = {name for one in programs for step in all_steps(one.steps) for name in step.writes}
    names |= {name for one in programs for name in (*one.domains, *one.results)}
    shown = [sets for one in found for sets in sets_of(one)]
    assert len(shown) > len(programs)
    inner = names | {name.replace("_", " ") for name in names}
    assert {words for words, _ in shown} & inner == set()
    assert [value for _, value in shown if "_" in value] == []


def sets_of(one: Shown) -> list[list[str]]:
    """The words and values of all that the steps of a play set."""
    return [shown for *_, sets in one["steps"] for shown in sets]


def test_every_construct_plays_as_the_core_plays_it(page):
    ruleset = small()
    assert len(ended(hold(page, ruleset, plays(ruleset, PLAYS_OF_CONSTRUCT)))) > 280


def test_every_construct_has_the_odds_that_the_core_gives(page):
    ruleset = small()
    asked = [(name, inputs) for name, inputs, _ in plays(ruleset, 6) if name != "rounds"]
    found = hold_odds(page, ruleset, [*asked, ("rounds", {"ours": 1, "theirs": 1})])
    assert sum(isinstance(one, dict) for one in found) > 6


def test_what_has_no_odds_is_refused_as_by_the_core(page):
    held = [("forbidden", {"held": rows}) for rows in (("wet",), ("hill", "lost", "lost"))]
    asked = [(name, {}) for name in FAULTS if name != "too_long"]
    found = hold_odds(page, faulty(), [*asked, *held])
    codes = {one[0] for one in found if isinstance(one, tuple)}
    assert codes == {"R423", "R425", "R426", "R429", "R433", "R443"}


def test_what_has_too_many_cases_is_played_often(page):
    """Within five standard deviations of 10,000 plays; and each time the same."""
    pools = [{"roll": {f"d{n}": "d10"}, "times": "20", "sum": {f"x{n}": f"d{n}"}} for n in "abcd"]
    made = {"title": "Many", "steps": pools, "result": {f"x{n}": f"x{n}" for n in "abcd"}}
    ruleset = ruleset_of({"procedures": {"many": made}})
    assert answers(page, ruleset, [("many", {})]) == [10_000]
    ask = "([programs]) => exact.answer(programs, 'many', {}, ['xa', 'xb', 'xc', 'xd']).results.xb"
    first, again = (page.evaluate(ask, [page_programs(ruleset)]) for _ in range(2))
    assert first == again and first["total"] == 10_000
    mean, spread = 20 * 5.5, (20 * (100 - 1) / 12 / 10_000) ** 0.5
    assert abs(Fraction(*first["mean"]) - Fraction(mean)) < 5 * spread


def test_what_cannot_be_played_is_refused_as_by_the_core(page):
    ruleset = faulty()
    endless = ("for_ever", "too_long")
    asked = [(name, {}, seed) for name in FAULTS for seed in range(1 if name in endless else 20)]
    asked += [("forbidden", {"held": held}, 3) for held in (("wet",), ("hill", "lost", "lost"))]
    found = hold(page, ruleset, asked)
    codes = {one["fault"] for one in found if "fault" in one}
    assert codes == {"R423", "R424", "R425", "R426", "R429", "R433", "R443"}
    assert ended(found)


@settings(
    max_examples=12,
    suppress_health_check=[
        HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture
    ],
)  # fmt: skip
@given(procedures(), naturals, st.integers(0, 999))
def test_procedures_by_chance_play_as_the_core_plays_them(page, made, natural, seed):
    ruleset = programs_of(made, natural).ruleset
    random = Random(seed)
    inputs = [{"i": random.randrange(3), "j": random.randrange(3)} for _ in range(6)]
    hold(page, ruleset, [("outer", one, seed + at) for at, one in enumerate(inputs)])
    hold_odds(page, ruleset, [("outer", one) for one in inputs])


def test_no_operation_of_the_interpreter_goes_untried(page):
    tried = set(_operations([page_programs(small()), page_programs(faulty())]))
    assert set(page.evaluate("dice.operations")) - tried == set()


def _operations(plain: Any) -> Iterator[str]:
    """The first words of all lists, as expressions have them, and what steps do."""
    if isinstance(plain, dict) and "do" in plain:
        yield f"do {plain['do']}"
    if isinstance(plain, list) and plain and isinstance(plain[0], str):
        yield plain[0]
    if isinstance(plain, dict | list):
        for one in plain.values() if isinstance(plain, dict) else plain:
            yield from _operations(one)


def test_numbers_and_lengths_read_as_in_print(page):
    numbers = [Fraction(n, d) for d in (1, 2, 3, 6, 7, 8, 16, 19, 40, 1000) for n in range(-45, 46)]
    kinds = [LengthKind("in"), LengthKind("base"), LengthKind("cm")]
    plain = [json_value(one) for one in numbers]
    shown = page.evaluate(
        "([numbers, units]) => numbers.map((one) => "
        "[null, ...units].map((unit) => dice.textOf({data: [unit]}, one, unit ? 0 : undefined)))",
        [plain, [unit_words(kind) for kind in kinds]],
    )
    for number, words in zip(numbers, shown, strict=True):
        lengths = (str(Length(number, kind.unit)) for kind in kinds)
        assert words == [format_number(number), *lengths]


def test_every_face_comes_as_often(page):
    """Within five standard deviations, and no other face."""
    counts = page.evaluate(
        "() => [2, 6, 10, 100].map((sides) => {"
        " const faces = {};"
        " for (let n = 0; n < 60000; n++) { const face = dice.chance(sides);"
        " faces[face] = (faces[face] ?? 0) + 1; }"
        " return faces; })"
    )
    for sides, faces in zip((2, 6, 10, 100), counts, strict=True):
        assert set(faces) == {str(face) for face in range(1, sides + 1)}
        expected = 60000 / sides
        spread = 5 * (expected * (1 - 1 / sides)) ** 0.5
        assert all(abs(number - expected) < spread for number in faces.values())


def test_no_face_is_favoured_by_what_is_left_over(page):
    """2³² is no multiple of 6: the last numbers of the generator are passed over."""
    faces = page.evaluate(
        "() => { const drawn = [4294967295, 4294967292, 4294967291, 6];"
        " const own = crypto.getRandomValues;"
        " crypto.getRandomValues = (box) => { box[0] = drawn.shift(); return box; };"
        " try { return [6, 6].map(dice.chance); } finally { crypto.getRandomValues = own; } }"
    )
    assert faces == [4294967291 % 6 + 1, 1]


def test_dice_that_run_out_are_asked_for(page):
    shown = page_programs(small())
    found = page.evaluate(
        "([programs]) => dice.play(programs, 'rounds', {ours: 2}, dice.given([1, 6]))", [shown]
    )
    assert found["wanted"] == {"sides": 6, "left": 1}
    assert [event["say"] for event in found["events"]][2:4] == [
        "Go on until one side has none.",
        "",
    ]
    assert found["events"][-1]["thrown"] == [{"dice": "3d6", "sides": 6, "faces": [1, 6]}]


def test_the_data_are_the_same_each_time():
    assert json.dumps(page_programs(small())) == json.dumps(page_programs(small()))
