"""Computed tables and charts: reckoned once, within one bound of work, each fault told once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from beside import as_written, beside
from small_rulesets import ruleset_of

from rulebook.core import odds as reckoning
from rulebook.core.compute import Computed, compute
from rulebook.model.tables import Grid

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
    monkeypatch.setattr(reckoning, "MOST_ODDS", 3)
    lines = [f"pool hits with n={n}" for n in range(2, 9)]
    assert computed(None, *lines).problems == ()
    monkeypatch.setattr(reckoning.Reckoner, "__init__", _short(reckoning.Reckoner.__init__))
    found = computed(None, *lines)
    assert [problem.code for problem in found.problems] == ["R436"]
    assert found.problems[0].message == "the computed tables and charts take too long to reckon"


def _short(made: Any) -> Any:
    def init(self: reckoning.Reckoner, *given: Any) -> None:
        made(self, *given)
        self._moves = reckoning.MOST_MOVES_IN_ALL - 30

    return init


def test_too_many_cases_are_told_of_the_first_place() -> None:
    heavy = {
        "requires": [],
        "steps": [{"roll": {name: "20d100"}} for name in "abc"],
        "result": {"hits": "a + b * c + n + (1 if brave else 0)"},
    }
    found = computed(None, *(f"pool hits with n={n}" for n in range(2, 9)), **heavy)
    assert [problem.code for problem in found.problems] == ["R424"]
