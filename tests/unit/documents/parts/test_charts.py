"""A line of a chart in prose is drawn from what the rules give, and told in words."""

from beside import as_written, beside
from small_rulesets import ruleset_of

from rulebook.core.compute import compute
from rulebook.documents.parts.charts import chart_view
from rulebook.drawing.charts import ChartView

THROW = beside(__file__, "throw")


def chart(line: str) -> ChartView:
    ruleset = ruleset_of({"procedures": {"throw": THROW}}, f"# One {{#one}}\n\n{{chart: {line}}}")
    (odds,) = compute(ruleset).charts.values()
    return chart_view("chart-1", odds)


def test_outcomes_are_columns_along_their_scale_with_the_mean() -> None:
    view = chart("throw score with bonus=2")
    assert (view.shape, view.title, view.axis, view.measure) == (
        "outcomes",
        "A throw: score",
        "Score",
        "Chance",
    )
    assert view.places == ("3", "4", "5", "6", "7", "8")
    assert view.series[0].labels == ("17%",) * 6
    assert (view.mean, view.mean_label) == (5.5, "mean 5.50")
    assert view.note == "Bonus: 2."


def test_a_chance_along_a_count_is_a_line_for_each_choice() -> None:
    view = chart("throw hit by bonus and arm")
    assert (view.shape, view.unit) == ("line", "chance")
    assert view.title == "A throw: chance of “hit”, by bonus and arm"
    assert [(one.name, one.labels) for one in view.series] == [
        ("Foot", ("50%", "67%", "83%")),
        ("Horse", ("100%",) * 3),
    ]
    assert not view.note


def test_words_are_shares_of_bars() -> None:
    view = chart("throw colour by arm")
    assert (view.shape, view.places) == ("shares", ("Foot", "Horse"))
    assert {one.name: one.labels for one in view.series} == {
        "Red": ("33%",) * 2,
        "Blue": ("67%",) * 2,
    }


def test_a_chart_is_told_in_words() -> None:
    words = chart("throw score by arm with bonus=1").alt
    assert words.startswith("Bar chart. A throw: score, by arm. Foot: 4.50 (2 to 7)")


def test_only_inputs_that_play_a_part_are_told() -> None:
    assert chart("throw hit").note == "Bonus: 0; arm: foot."
    assert chart("throw colour").note == ""


def test_conditions_are_told_where_some_hold() -> None:
    edges = as_written(__file__, "edges")
    throw = as_written(__file__, "throw_2")
    collections = {"modifiers": {"edges": edges}, "procedures": {"throw": throw}}
    lines = "{chart: throw score}\n\n{chart: throw score with edges_held=wall}"
    ruleset = ruleset_of(collections, f"# One {{#one}}\n\n{lines}")
    notes = [chart_view("c", odds).note for odds in compute(ruleset).charts.values()]
    assert notes == ["", "Edges: behind a wall."]
