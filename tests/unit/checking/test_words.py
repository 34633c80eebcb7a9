"""Terms: where the index finds them, and which of them clash."""

from __future__ import annotations

from pathlib import Path

import pytest
from beside import beside
from frozen import loaded

from rulebook.checking.terms_and_lengths import check_terms


def faults(game: Path, terms: str) -> list[str]:
    chapter = game / "annex.md"
    chapter.write_text(
        chapter.read_text() + "\nFire\\_by\\_rank, **half**-hits and 6* stand here.\n"
    )
    (game / "extra.yaml").write_text(f"terms:\n  t: {terms}\n")
    return [problem.code for problem in check_terms(loaded(game))]


@pytest.mark.parametrize("title", beside(__file__, "found_where_the_index_finds_it"))
def test_found_where_the_index_finds_it(game: Path, title: str) -> None:
    assert faults(game, f"{{title: '{title}'}}") == []


@pytest.mark.parametrize("title", ["Enfilade", "volle", "Twelve figures", "Pistols"])
def test_found_nowhere(game: Path, title: str) -> None:
    assert faults(game, f"{{title: '{title}'}}") == ["R412"]


def test_two_terms_of_one_form(game: Path) -> None:
    assert faults(game, "{title: Shot, forms: [VOLLEYS, shot]}") == ["R417"]


def test_a_form_like_the_title_is_no_clash(game: Path) -> None:
    assert faults(game, "{title: Night, forms: [night, Night]}") == []
