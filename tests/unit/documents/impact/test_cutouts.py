"""Cutouts of two editions: whether their outline changed, what is on them, or words alone."""

from __future__ import annotations

from typing import Any

import pytest
from beside import beside
from two_editions import changed, impact

from rulebook.documents.impact.views import CutoutImpact, Parameter

OLD: dict[str, Any] = beside(__file__, "old")


def told(**values: Any) -> CutoutImpact | None:
    """What becomes of the one cutout that changes, if any does."""
    found = impact(OLD, changed(OLD, **values)).cutouts
    assert len(found) < 2
    return found[0] if found else None


@pytest.mark.parametrize(
    ("place", "value", "parameters", "words"),
    beside(__file__, "another_outline_is_shown_over_the_old_one"),
)
def test_another_outline_is_shown_over_the_old_one(
    place: str, value: str, parameters: list[list[str]], words: str
) -> None:
    one = told(**{place: value})
    assert one is not None and one.state == "outline"
    assert [[p.name, p.before, p.after] for p in one.parameters] == parameters
    assert one.told == words
    assert 'stroke-dasharray="' in one.svg and one.svg.startswith("<svg") and one.width == 100


def test_other_values_on_the_same_outline() -> None:
    one = told(cutouts__cone__zones__0__kills="3+")
    assert one is not None and one.state == "face"
    assert one.parameters == (Parameter("zones near kills", "4+", "3+"),)
    assert one.told == "Canister cone: the same outline; zones near kills 4+ → 3+."


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("cutouts__cone__title", "Cone"),
        ("cutouts__cone__use", "Lay it before the gun."),
        ("cutouts__cone__zones__0__name", "Close"),
    ],
)
def test_other_words_alone(place: str, value: str) -> None:
    one = told(**{place: value})
    assert one is not None and (one.state, one.svg, one.parameters) == ("words", "", ())
    assert one.told.endswith(": only words on it changed.")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("cutouts__cone__source", "the second book"),
        ("cutouts__cone__note", "a note"),
        ("tables__ranges__title", "Reach"),
    ],
)
def test_what_is_not_printed_on_it_changes_no_cutout(place: str, value: str) -> None:
    assert told(**{place: value}) is None


def test_new_cutouts_and_those_that_are_gone() -> None:
    disc = {"shape": "disc", "title": "Other", "diameter": "3in"}
    found = impact(OLD, changed(OLD, cutouts__gauge=None, cutouts__other=disc))
    assert [(one.id, one.state, one.told) for one in found.cutouts] == [
        ("other", "new", "Other: new."),
        ("gauge", "gone", "Gauge: not used any more."),
    ]
    assert all(one.svg for one in found.cutouts)


def test_a_cutout_of_another_shape() -> None:
    one = told(cutouts__gauge=OLD["cutouts"]["cone"] | {"title": "Gauge"})
    assert one is not None and one.state == "outline"


def test_a_cutout_by_another_name_is_the_same_cutout() -> None:
    cutouts = dict(OLD["cutouts"])
    cutouts["angle"] = cutouts.pop("gauge")
    found = impact(OLD, changed(OLD, cutouts=cutouts))
    assert found.cutouts == ()
    cutouts["angle"] = cutouts["angle"] | {"radius": "4in"}
    (one,) = impact(OLD, changed(OLD, cutouts=cutouts)).cutouts
    assert (one.id, one.was, one.told) == ("angle", "gauge", "Gauge: radius 6″ → 4″.")
