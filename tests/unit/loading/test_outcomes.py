"""Outcomes declared once, in a table without fields: cells, results, choices and axes of others."""

from fractions import Fraction
from pathlib import Path

from beside import beside
from frozen import freeze, loaded

from rulebook.core.compute import compute
from rulebook.core.odds import odds
from rulebook.core.value_types import outcome_text
from rulebook.loading.rulesets import load
from rulebook.loading.snapshots import load_snapshot
from rulebook.model.grids import Grid
from rulebook.model.plain_data import frozen_ruleset
from rulebook.model.ruleset import Ruleset

OUTCOMES = beside(__file__, "outcomes")


def with_outcomes(game: Path, text: str = OUTCOMES) -> Path:
    (game / "outcomes.yaml").write_text(text)
    return game


def grid(ruleset: Ruleset, name: str) -> Grid:
    table = ruleset.tables[name]
    assert isinstance(table, Grid)
    return table


def titles(ruleset: Ruleset) -> dict[str, str]:
    (axis,) = grid(ruleset, "losses").axes
    return {choice.key: choice.title for choice in axis.choices}


def test_an_axis_takes_the_rows_of_the_table(game: Path) -> None:
    ruleset = loaded(with_outcomes(game))
    assert titles(ruleset) == {"stands": "It stands", "back": "Goes back 3″", "routs": "Routs"}
    fates = ruleset.tables["fates"]
    assert (list(fates.data), dict(fates.fields)) == (["stands", "back", "routs"], {})
    taken = {at: path for at, path in ruleset.taken.items() if at[1] == "losses"}
    assert taken[("tables", "losses", "rows", "fate", "routs")] == "fates.routs.title"


def test_results_are_told_by_the_titles_and_in_their_order(game: Path) -> None:
    found = odds(loaded(with_outcomes(game)), "clash")
    fate = found.program.results["fate"]
    assert fate.title == "What becomes of it"
    assert found.program.results["lost"].title == "Lost"
    told = [
        (outcome_text(value, fate.kind), share) for value, share in found.results["fate"].outcomes
    ]
    shares = [Fraction(len(faces), 6) for faces in ((4, 5, 6), (2, 3), (1,))]
    assert told == list(zip(["It stands", "Goes back 3″", "Routs"], shares, strict=True))
    # The mean by hand: 1 in 6 loses 3, 2 in 6 lose 1.
    assert found.results["lost"].mean == Fraction(1 * 3 + 2 * 1, 6)


def test_a_release_says_the_same(game: Path) -> None:
    ruleset = loaded(with_outcomes(game))
    again = load_snapshot(freeze(game))
    assert [problem.message for problem in again.report] == []
    assert titles(again.ruleset) == titles(ruleset)
    assert frozen_ruleset(again.ruleset) == frozen_ruleset(ruleset)


def test_an_option_renames_an_outcome_everywhere(game: Path) -> None:
    with_outcomes(game)
    changed = "title: Panic\nchanges: {tables: {fates: {data: {routs: Runs for its life}}}}\n"
    (game / "options" / "panic.yaml").write_text(changed)
    assert titles(loaded(game, "panic"))["routs"] == "Runs for its life"
    again = load_snapshot(freeze(game), ["panic"]).ruleset
    assert titles(again)["routs"] == "Runs for its life"


def test_a_row_without_a_title_is_called_by_its_id(game: Path) -> None:
    text = OUTCOMES.replace("routs: Routs}", "routs: ~}")
    assert titles(loaded(with_outcomes(game, text)))["routs"] == "Routs"


def test_outcomes_on_an_axis_of_a_computed_table(game: Path) -> None:
    table = """\
  chances:
    title: Chances
    booklet: false
    computed: clash
    rows: {fate: all}
    show: {chance: fate}
procedures:
"""
    ruleset = loaded(with_outcomes(game, OUTCOMES.replace("procedures:\n", table)))
    chances = grid(compute(ruleset).ruleset, "chances")
    (axis,) = chances.axes
    assert axis.title == "What becomes of it"
    assert [choice.title for choice in axis.choices] == ["It stands", "Goes back 3″", "Routs"]


def test_an_axis_of_what_is_no_table_of_rows_is_a_fault(game: Path) -> None:
    for name, code in (("musketry", "R305"), ("nothing", "R301")):
        with_outcomes(game, OUTCOMES.replace("=fates", f"={name}"))
        assert {problem.code for problem in load(game).report} == {code}, name
