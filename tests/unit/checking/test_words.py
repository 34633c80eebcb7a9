"""Terms: where the index finds them, and which of them clash."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from beside import beside

from rulebook.checking.words import check_terms
from rulebook.loading.rulesets import load

VALID = Path(__file__).parents[2] / "bad" / "valid" / "game"


def faults(folder: Path, terms: str) -> list[str]:
    game = folder / "game"
    shutil.copytree(VALID, game)
    chapter = game / "annex.md"
    chapter.write_text(
        chapter.read_text() + "\nFire\\_by\\_rank, **half**-hits and 6* stand here.\n"
    )
    (game / "extra.yaml").write_text(f"terms:\n  t: {terms}\n")
    ruleset = load(game).ruleset
    assert ruleset is not None
    return [problem.code for problem in check_terms(ruleset)]


@pytest.mark.parametrize(
    "title",
    beside(__file__, "found_where_the_index_finds_it"),
)
def test_found_where_the_index_finds_it(tmp_path: Path, title: str) -> None:
    assert faults(tmp_path, f"{{title: '{title}'}}") == []


@pytest.mark.parametrize("title", ["Enfilade", "volle", "Twelve figures", "Pistols"])
def test_found_nowhere(tmp_path: Path, title: str) -> None:
    assert faults(tmp_path, f"{{title: '{title}'}}") == ["R412"]


def test_two_terms_of_one_form(tmp_path: Path) -> None:
    assert faults(tmp_path, "{title: Shot, forms: [VOLLEYS, shot]}") == ["R417"]


def test_a_form_like_the_title_is_no_clash(tmp_path: Path) -> None:
    assert faults(tmp_path, "{title: Night, forms: [night, Night]}") == []
