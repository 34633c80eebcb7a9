"""Odds of a procedure: outcomes in order, means and medians, and the contract of their JSON."""

from fractions import Fraction
from typing import Any

import pytest
from beside import as_written, beside, written
from small_rulesets import ruleset_of

from rulebook.core import compute as computing
from rulebook.core import odds as odds_module
from rulebook.core.compute import Computed, compute
from rulebook.core.odds import FaultyProcedure, as_json, odds, program_of
from rulebook.core.programs import all_read
from rulebook.core.value_types import More, outcome_text
from rulebook.model.grids import Grid
from rulebook.model.ruleset import Ruleset


def of(steps: list[dict[str, Any]], result: dict[str, str], **more: Any) -> Ruleset:
    trial = {"title": "A trial", "steps": steps, "result": result, **more}
    return ruleset_of({"procedures": {"trial": trial}})


DIE = [{"roll": {"d": "d6"}}]


def test_numbers_rise_and_words_follow() -> None:
    ruleset = of(DIE, {"x": "7 - d if d > 3 else 'lost' if d == 1 else 'gone'"})
    result = odds(ruleset, "trial").results["x"]
    assert [value for value, _ in result.outcomes] == [1, 2, 3, "gone", "lost"]
    assert result.mean is None
    assert result.median() == 3


def test_what_is_asked_of_a_result() -> None:
    result = odds(of(DIE, {"x": "d / 2"}), "trial").results["x"]
    assert result.mean == Fraction(7, 4)
    assert result.median() == Fraction(3, 2)
    assert result.chance(3) == Fraction(1, 6)
    assert result.chance(4) == 0
    assert result.at_least(2) == Fraction(1, 2)


def test_what_goes_beyond_the_passes_that_are_shown() -> None:
    loop = {"repeat": DIE, "until": "d == 6", "count": "n", "listed": "2"}
    result = odds(of([loop], {"n": "n"}), "trial").results["n"]
    assert [value for value, _ in result.outcomes] == [1, 2, More(2)]
    assert result.at_least(2) == Fraction(5, 6)
    assert result.mean == 6
    assert result.median() == More(2)


def test_json() -> None:
    ruleset = of(DIE, {"x": "d > n", "y": "d // 6"}, inputs={"n": {"count": "1-6", "default": "5"}})
    shown = as_json(ruleset, odds(ruleset, "trial"))
    assert shown == beside(__file__, "json")


def test_a_fault_of_the_play_tells_the_inputs() -> None:
    ruleset = of(DIE, {"x": "d / n"}, inputs={"n": {"count": "0-6", "default": "5"}})
    assert odds(ruleset, "trial").results["x"].mean == Fraction(7, 10)
    with pytest.raises(FaultyProcedure) as fault:
        odds(ruleset, "trial", {"n": "0"})
    assert [problem.message for problem in fault.value.problems] == ["a division by nothing (n=0)"]


FATES = beside(__file__, "fates")


def test_rows_are_shown_by_their_titles() -> None:
    steps = [*DIE, {"set": {"fate": "what[d]"}}]
    given = {"fate": "fate", "how": "fate if d > 1 else 'gone'", "far": "d if d > 5 else fate"}
    trial = {"title": "A trial", "steps": steps, "result": given}
    ruleset = ruleset_of({"tables": FATES, "procedures": {"trial": trial}})
    found = odds(ruleset, "trial")
    kinds = {name: one.kind for name, one in found.program.results.items()}
    assert outcome_text("carry_on", kinds["fate"]) == "Carry on, winner gains"
    assert outcome_text("flee", kinds["far"]) == "Flee"
    assert outcome_text("gone", kinds["how"]) == "gone"
    fate = as_json(ruleset, found)["results"]["fate"]  # type: ignore[index]
    assert fate["outcomes"] == [
        {"value": "carry_on", "title": "Carry on, winner gains", "probability": "2/3"},
        {"value": "flee", "title": "Flee", "probability": "1/3"},
    ]


def test_choices_with_titles_are_shown_by_them() -> None:
    inputs = {"mood": {"one_of": {"calm": "Calm as ever", "wild_eyed": "Wild eyed"}}}
    ruleset = of(DIE, {"x": "mood if d > 1 else 'dead'"}, inputs=inputs)
    found = odds(ruleset, "trial")
    kind = found.program.results["x"].kind
    shown = [outcome_text(value, kind) for value in ("calm", "wild_eyed", "dead")]
    assert shown == ["Calm as ever", "wild eyed", "dead"]


def test_lengths_have_their_unit() -> None:
    ruleset = of(DIE, {"x": "max(0, d * '1in' - gap)"}, inputs={"gap": {"length": "1-6in"}})
    shown = as_json(ruleset, odds(ruleset, "trial", {"gap": "4in"}))
    assert shown["inputs"] == {"gap": "4in"}
    assert shown["results"]["x"] == beside(__file__, "lengths_have_their_unit")


# Computed tables and charts: computed once, within one bound of work, each fault shown once.

POOL = as_written(__file__, "pool")


def computed(table: dict[str, Any] | None = None, *charts: str, **pool: Any) -> Computed:
    tables = {"odds": {"title": "Odds", "computed": "pool", **table}} if table else {}
    lines = "\n\n".join(f"{{chart: {line}}}" for line in charts)
    chapter = f"# Rules {{#rules}}\n\nSome words.\n\n{lines}"
    return compute(
        ruleset_of({"tables": tables, "procedures": {"pool": {**POOL, **pool}}}, chapter)
    )


def cells(found: Computed) -> list[list[Any]]:
    table = found.ruleset.tables["odds"]
    assert isinstance(table, Grid), [problem.message for problem in found.problems]
    return [
        [None if cell.value is None else getattr(cell.value, "number", cell.value) for cell in row]
        for row in table.data
    ]


def test_means() -> None:
    found = computed(
        {"rows": {"n": ["2", "4"]}, "columns": {"brave": "all"}, "show": {"mean": "hits"}}
    )
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert cells(found) == [[2 * third, 2 * half], [4 * third, 4 * half]]
    assert found.problems == ()


def test_inputs_that_are_refused_are_cells_where_nothing_applies() -> None:
    found = computed({"rows": {"n": "1..3"}, "columns": {"brave": "all"}, "show": {"mean": "hits"}})
    assert cells(found)[0] == [None, None]
    assert None not in cells(found)[1]


def test_charts() -> None:
    found = computed(
        None, "pool hits by n=2..4", "pool any by n=2..4 and brave", "pool hits with n=3"
    )
    assert found.problems == ()
    one, two, three = found.charts.values()
    (series,) = one.series
    means = [odds.mean for odds in series if odds]
    assert means == [Fraction(n, 3) for n in (2, 3, 4)]
    assert len(two.series) == 2
    assert [len(line) for line in three.series] == [1]


@pytest.mark.parametrize(
    ("table", "code"),
    beside(__file__, "faults_of_tables"),
)
def test_faults_of_tables(table: dict[str, Any], code: str) -> None:
    assert [problem.code for problem in computed(table).problems] == [code]


def test_the_work_of_all_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_module, "MOST_ODDS", 3)
    lines = [f"pool hits with n={n}" for n in range(2, 9)]
    assert computed(None, *lines).problems == ()
    monkeypatch.setattr(computing, "OddsCalculator", nearly_spent)
    found = computed(None, *lines)
    assert [problem.code for problem in found.problems] == ["R436"]
    assert found.problems[0].message == "the computed tables and charts take too long"


def nearly_spent(ruleset: Ruleset) -> odds_module.OddsCalculator:
    return odds_module.OddsCalculator(ruleset, odds_module.Allowance(moves=30))


def test_too_many_cases_are_shown_of_the_first_place() -> None:
    heavy = {
        "requires": [],
        "steps": [{"roll": {name: "20d100"}} for name in "abc"],
        "result": {"hits": "a + b * c + n + (1 if brave else 0)"},
    }
    found = computed(None, *(f"pool hits with n={n}" for n in range(2, 9)), **heavy)
    assert [problem.code for problem in found.problems] == ["R424"]


# What a procedure can look up.


def test_what_a_procedure_names_and_what_that_names() -> None:
    roll = {"title": "A roll", "steps": [{"roll": {"die": "d6"}}]}
    far = {"shot": "arms.musket.reach", "charge": "held.foot.arm.reach", "rout": "die"}
    run = {"title": "Runs", "steps": [{"run": "charge", "take": {"x": "far"}}]}
    procedures = {name: {**roll, "result": {"far": value}} for name, value in far.items()}
    table = {"title": "Arms", "fields": {"reach": "length"}, "data": {"musket": {"reach": "6in"}}}
    held = written("{title: Held, fields: {arm: row arms}, data: {foot: {arm: musket}}}")
    procedures["run"] = {**run, "result": {"x": "x"}}
    made = ruleset_of({"tables": {"arms": table, "held": held}, "procedures": procedures})
    read = {name: all_read(program_of(made, name)) - {("procedures", name)} for name in procedures}
    charge = {("tables", "arms"), ("tables", "held")}
    assert read == {
        "shot": {("tables", "arms")},
        "charge": charge,
        "rout": set(),
        "run": charge | {("procedures", "charge")},
    }
