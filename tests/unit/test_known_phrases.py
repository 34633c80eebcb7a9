"""Known phrases in a text, against looking for each of them by itself."""

from __future__ import annotations

import re

import pytest
from beside import beside
from hypothesis import given
from hypothesis import strategies as st

from rulebook.known_phrases import Phrases

WORDS = st.text("ab -+é_1", min_size=1, max_size=6).filter(lambda word: not word[0].isspace())


@given(st.sets(WORDS, max_size=8), st.text("ab -+é_1", max_size=40))
def test_all_that_stand_as_words_of_their_own(known: set[str], text: str) -> None:
    one_by_one = {
        (match.start(), phrase)
        for phrase in known
        for match in re.finditer(rf"(?<!\w)(?={re.escape(phrase)}(?!\w))", text)
    }
    assert set(Phrases(known).all_in(text)) == one_by_one


@given(st.sets(WORDS, min_size=1, max_size=8), st.text("ab -+é_1", max_size=40))
def test_the_longest_from_left_to_right(known: set[str], text: str) -> None:
    longest_first = sorted(known, key=lambda phrase: (-len(phrase), phrase))
    one_of = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")
    assert list(Phrases(known).longest_in(text)) == one_of.findall(text)


@pytest.mark.parametrize(
    ("text", "found"),
    beside(__file__, "words"),
)
def test_words(text: str, found: list[str]) -> None:
    assert list(Phrases(["light", "light infantry", "infantry"]).longest_in(text)) == found
