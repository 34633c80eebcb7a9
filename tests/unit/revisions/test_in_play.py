"""Words about an entity are told from what is reckoned with."""

from __future__ import annotations

from typing import Any

import pytest
from two_editions import CHAIN, changed, editions

from rulebook.documents.impact.touched import Pair


def plays_alike(collection: str, name: str, **values: Any) -> bool:
    both = editions(CHAIN, changed(CHAIN, **values))
    return both.plays_alike(collection, Pair(name, name))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("tables__fire__title", "Musketry"),
        ("tables__fire__note", "a note"),
        ("tables__fire__source", "another book"),
        ("tables__fire__columns__cover__wall", "Behind a hedge"),
        ("tables__fire__data__0__0", {"value": "1", "status": "house", "note": "ours"}),
        ("tables__moves__data__foot__title", "Infantry"),
        ("modifiers__nerve__rows__lost__when", "No officer"),
        ("procedures__shots__title", "Musketry"),
        ("procedures__shots__inputs__dice__label", "Muskets"),
        ("procedures__shots__steps__0__say", "Throw all of them."),
        ("procedures__turn__steps__0__say", "Test."),
    ],
)
def test_words_play_alike(place: str, value: object) -> None:
    collection, name, *_ = place.split("__")
    assert plays_alike(collection, name, **{place: value})


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("tables__fire__data__0__0", "2"),
        ("tables__fire__data__0__0", {"status": "missing", "note": "lost"}),
        ("tables__fire__cells", "ratio"),
        ("tables__fire__rows__range", ["0-8in", "8-18in"]),
        ("tables__moves__data__foot__move", "7in"),
        ("modifiers__nerve__rows__lost__points", "-2"),
        ("modifiers__nerve__rows__lost__up_to", "3"),
        ("procedures__shots__inputs__dice__default", "4"),
        ("procedures__shots__steps__0__times", "dice + 1"),
        ("procedures__shots__steps__0__sum", {"hits": "die"}),
        ("procedures__turn__result", {"fate": "'runs'"}),
    ],
)
def test_values_do_not(place: str, value: object) -> None:
    collection, name, *_ = place.split("__")
    assert not plays_alike(collection, name, **{place: value})


def test_a_step_that_only_says_something_changes_nothing() -> None:
    steps = [{"say": "Look at the table."}, *CHAIN["procedures"]["shots"]["steps"]]
    assert plays_alike("procedures", "shots", procedures__shots__steps=steps)
