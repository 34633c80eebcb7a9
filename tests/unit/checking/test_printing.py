"""What is printed where, beyond what the fixtures of faults show."""

from __future__ import annotations

from pathlib import Path

from frozen import loaded

from rulebook.checking.all_checks import check
from rulebook.model.not_in_source import unstated
from rulebook.model.ruleset import Ruleset
from rulebook.problems import format_report


def unprinted(game: Path) -> Ruleset:
    """The valid ruleset with a table that is not printed, but whose values the annex binds."""
    shooting = game / "shooting.yaml"
    text = shooting.read_text().replace("qrs: false", "qrs: false\n    booklet: false")
    hit = "{title: Hit, killed: 2,"
    assert hit in text
    shooting.write_text(text.replace(hit, f"{hit} status: read, note: Torn page.,"))
    chapter = game / "shooting.md"
    chapter.write_text(chapter.read_text().replace("{table: results}\n\n", ""))
    annex = game / "annex.md"
    annex.write_text(annex.read_text() + "\nA hit kills {results.hit.killed}.\n")
    return loaded(game)


def test_a_table_that_only_holds_values_is_not_placed(game: Path) -> None:
    assert format_report(check(unprinted(game))) == ""


def test_what_is_unstated_in_it_is_told_where_its_values_are_bound(game: Path) -> None:
    found = {item.title: item.section_id for item in unstated(unprinted(game))}
    assert found["Results of round shot: Hit"] == "night"
