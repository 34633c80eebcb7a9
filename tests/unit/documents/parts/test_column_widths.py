"""What stands unbroken on a line decides how narrow a column may be."""

from __future__ import annotations

import pytest

from rulebook.documents.parts.views import ColumnTexts, needs


@pytest.mark.parametrize(("text", "alike"), [("6\u00a0pdr", "6xpdr"), ("six pdr", "six")])
def test_a_space_that_does_not_break_is_a_part_of_its_word(text: str, alike: str) -> None:
    def least(words: str) -> float:
        return needs([ColumnTexts(heads=(), cells=(words,))])[0].least

    assert least(text) == pytest.approx(least(alike), rel=0.15)
