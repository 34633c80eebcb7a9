"""Words about an entity are told from what is reckoned with."""

from __future__ import annotations

from typing import Any

import pytest
from beside import beside
from two_editions import CHAIN, changed, editions

from rulebook.documents.impact.compose import Pair


def plays_alike(collection: str, name: str, **values: Any) -> bool:
    both = editions(CHAIN, changed(CHAIN, **values))
    return both.plays_alike(collection, Pair(name, name))


@pytest.mark.parametrize(("place", "value"), beside(__file__, "words_play_alike"))
def test_words_play_alike(place: str, value: object) -> None:
    collection, name, *_ = place.split("__")
    assert plays_alike(collection, name, **{place: value})


@pytest.mark.parametrize(("place", "value"), beside(__file__, "values_do_not"))
def test_values_do_not(place: str, value: object) -> None:
    collection, name, *_ = place.split("__")
    assert not plays_alike(collection, name, **{place: value})


def test_a_step_that_only_says_something_changes_nothing() -> None:
    steps = [{"say": "Look at the table."}, *CHAIN["procedures"]["shots"]["steps"]]
    assert plays_alike("procedures", "shots", procedures__shots__steps=steps)
