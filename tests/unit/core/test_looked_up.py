"""What a procedure looks up is taken from what was checked, and never from words that look so."""

from __future__ import annotations

from beside import as_written, beside, written
from small_rulesets import ruleset_of

from rulebook.core.procedures import Programs

COUNTS = {"cells": "count", "rows": {"range": ["near", "far"]}, "data": ["1", "2"]}
RULES = {
    "tables": {
        "fire": {**COUNTS, "title": "Fire"},
        "cover": {**COUNTS, "title": "Cover"},
        "arms": {"title": "Arms", "fields": {"dice": "dice"}, "data": {"foot": {"dice": "d6"}}},
        "men": as_written(__file__, "data"),
    },
    "modifiers": as_written(__file__, "data_2"),
    "procedures": written(beside(__file__, "rules")),
}


def test_tables_modifiers_and_natural_scores_are_told_each_once() -> None:
    programs = Programs(ruleset_of(RULES))
    assert set(programs.looked_up("test")) == {
        ("tables", "men"),
        ("tables", "arms"),
        ("modifiers", "nerve"),
        ("header", "natural"),
    }
    assert not programs.problems


def test_what_is_run_tells_its_own() -> None:
    programs = Programs(ruleset_of(RULES))
    programs.get("test")
    assert programs.looked_up("shots") == (("tables", "fire"),)


def test_words_are_no_names() -> None:
    assert Programs(ruleset_of(RULES)).looked_up("bare") == ()
