"""Texts of two editions as one run of words: whichever words they hold, both come out again."""

from __future__ import annotations

import pytest
from beside import beside
from hypothesis import given
from hypothesis import strategies as st

from rulebook.documents.marks.change_words import word_runs

WORDS = st.lists(
    st.sampled_from(["a", "die", "of", "6″", "\n", "  ", ",", "kills.", "Grant’s", "(4.2)", "½"])
).map(" ".join)


def shown(before: str, after: str) -> str:
    marks = {"kept": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
    return "".join(marks[run.kind].format(run.text) for run in word_runs(before, after))


@given(WORDS | st.text(max_size=60), WORDS | st.text(max_size=60))
def test_both_texts_come_out_again(before: str, after: str) -> None:
    runs = word_runs(before, after)
    assert "".join(run.text for run in runs if run.kind != "inserted") == before
    assert "".join(run.text for run in runs if run.kind != "deleted") == after
    assert all(run.text for run in runs)


@pytest.mark.parametrize(("before", "after", "told"), beside(__file__, "words_and_not_letters"))
def test_words_and_not_letters(before: str, after: str, told: str) -> None:
    assert shown(before, after) == told
