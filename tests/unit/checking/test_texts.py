"""R444: numbers that a text types although its own table or procedure holds them."""

from pathlib import Path

import pytest
from beside import beside
from frozen import freeze

from rulebook.checking.texts import check_typed_values
from rulebook.loading.editions import load_standing
from rulebook.loading.rulesets import load
from rulebook.problems import format_report

RULE = beside(__file__, "rule")
SAY = "Throw and add what they are worth."


def typed(folder: Path, prose: str = "Nothing.", say: str = SAY, header: str = "") -> list[str]:
    """`typed words -> brace` of every warning; `number` where there is no brace."""
    (folder / "rule.yaml").write_text(RULE.format(say=say), "utf-8")
    (folder / "rule.md").write_text(
        f"# The rule {{#the_rule}}\n\n{prose}\n\n{{table: charge}}\n\n{{steps: nerve}}\n", "utf-8"
    )
    ruleset = (folder / "ruleset.yaml").read_text("utf-8")
    if "rule.md" not in ruleset:
        ruleset = ruleset.replace("  - shooting.md", "  - shooting.md\n  - rule.md")
        (folder / "ruleset.yaml").write_text(ruleset + header, "utf-8")
    loaded = load(folder)
    assert loaded.ruleset is not None, format_report(loaded.report)
    found = []
    for problem in check_typed_values(loaded.ruleset):
        assert problem.severity == "warning"
        words = problem.message.split("'")[1]
        brace = problem.hint.split("}")[0].removeprefix("write ")
        found.append(f"{words} -> {brace}}}" if "{" in brace else f"{words} -> number")
    return found


@pytest.mark.parametrize(
    ("prose", "found"), beside(__file__, "a_value_of_the_rule_with_the_brace_to_write")
)
def test_a_value_of_the_rule_with_the_brace_to_write(
    prose: str, found: list[str], game: Path
) -> None:
    assert typed(game, prose) == found


@pytest.mark.parametrize("prose", beside(__file__, "what_is_no_value_of_the_rule"))
def test_what_is_no_value_of_the_rule(prose: str, game: Path) -> None:
    assert typed(game, prose) == []


def test_a_step_that_types_what_it_does(game: Path) -> None:
    say = "Two dice, and 1 for every ten men: 9 or more."
    assert typed(game, say=say) == [
        "Two dice -> {nerve.good.dice}",
        "ten -> number",
        "9 or more -> {nerve.good.target}",
    ]


def test_words_that_the_header_lists_stay(game: Path) -> None:
    header = "typed: [nine lives or more, four or more]\n"
    assert typed(game, "Foot needs Four or more.", header=header) == []


def test_a_released_edition_is_not_warned_about(game: Path) -> None:
    assert typed(game, "Foot needs 4+.") == ["4+ -> {charge.foot.needs}"]
    for source in (freeze(game), game):
        assert list(check_typed_values(load_standing(source).ruleset)) == []
