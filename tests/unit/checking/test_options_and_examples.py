"""Options and worked examples are checked together with the ruleset, and each fault told once."""

from __future__ import annotations

from pathlib import Path

from frozen import change, loaded

from rulebook.checking.all_checks import check
from rulebook.problems import Problem


def faults(game: Path, *options: str) -> list[Problem]:
    return list(check(loaded(game, *options)))


def test_a_fault_of_the_ruleset_is_not_told_again_for_each_option(game: Path) -> None:
    (game / "options" / "rain.yaml").write_text("title: Rain\nremoves: {terms: [volley]}\n")
    change(game / "fighting.yaml", "tables: [charges]", "tables: []")
    assert [problem.code for problem in faults(game)] == ["R405", "R410"]


def test_a_fault_in_the_ruleset_that_only_an_option_brings_says_so(game: Path) -> None:
    option = "title: Drill\nchanges: {tables: {ranges: {data: {musket: {long: 4in}}}}}\n"
    (game / "options" / "drill.yaml").write_text(option)
    (problem,) = faults(game)
    assert problem.message == "with the option 'drill': the zone Near ends at 8″"
    assert problem.span.path.endswith("shooting.yaml")


def test_a_fault_in_an_option_stands_in_its_file(game: Path) -> None:
    change(game / "options/moonlight.yaml", "- deduction - 1", "- deduction - one")
    (problem,) = faults(game)
    assert problem.code == "R301"
    assert problem.message.startswith("nothing is called 'one'")
    assert problem.span.path.endswith("moonlight.yaml")
    assert [one.code for one in faults(game, "moonlight")] == [problem.code]


def test_an_option_of_its_own_example(game: Path) -> None:
    """What an option adds is played with it; what it leaves alone is played as it was."""
    path = game / "options" / "moonlight.yaml"
    path.write_text(
        path.read_text().replace(
            "adds:\n",
            "adds:\n  examples:\n    by_moon:\n      title: By the moon\n"
            "      situation: Twelve fire.\n      outcome: Fewer fall.\n      steps:\n"
            "        - say: They fire.\n          run: musket_volley\n"
            "          dice: [6, 6]\n          gives: {casualties: 6}\n",
        )
    )
    assert faults(game) == []
    change(game / "options/moonlight.yaml", "gives: {casualties: 6}", "gives: {casualties: 8}")
    assert [problem.code for problem in faults(game)] == ["R504"]


def test_an_example_that_an_option_changes_is_played_with_it(game: Path) -> None:
    path = game / "options" / "moonlight.yaml"
    text = "changes:\n  examples: {two_volleys: {steps: {by_day: {gives: {casualties: 3}}}}}\n"
    path.write_text(path.read_text().replace("changes:\n", text))
    change(game / "volleys.yaml", "      - They throw a die for every six figures.\n", "")
    assert faults(game) == []
    assert faults(game, "moonlight") == []


def test_without_options_an_example_is_played_without(game: Path) -> None:
    change(game / "volleys.yaml", "options: [moonlight]", "options: []")
    (problem,) = faults(game)
    assert problem.message == "'casualties' is 5 with these dice, not 3"
    assert faults(game, "moonlight") == [problem]
