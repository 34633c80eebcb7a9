"""A change reaches the procedures that reckon with it, through all that they run, and no other."""

from __future__ import annotations

from typing import Any

import pytest
from beside import as_written, beside
from two_editions import CHAIN, changed, editions, impact

from rulebook.documents.impact.compose import touched


def reached(new: dict[str, Any], **header: Any) -> dict[str, list[str]]:
    """Procedure -> why it is reached."""
    both = editions(CHAIN, new, **header)
    return {one.pair.id: [reason.told for reason in one.reasons] for one in touched(both)}


def test_a_table_is_followed_through_what_is_run() -> None:
    assert reached(changed(CHAIN, tables__fire__data__0__0="2")) == {
        "shots": ["the table “Fire”"],
        "test": ["the table “Fire”", "the procedure “Shots”"],
        "turn": ["the procedure “A test”"],
    }


def test_a_modifier_table() -> None:
    assert reached(changed(CHAIN, modifiers__nerve__rows__lost__points="-2")) == {
        "test": ["the modifiers “Nerve”"],
        "turn": ["the procedure “A test”"],
    }


def test_steps_of_its_own() -> None:
    new = changed(CHAIN, procedures__shots__steps__0__times="dice + 1")
    assert reached(new) == {
        "shots": ["its own steps"],
        "test": ["the procedure “Shots”"],
        "turn": ["the procedure “A test”"],
    }


def test_a_cutout_that_is_reckoned_with() -> None:
    cone = as_written(__file__, "cone")
    shot = as_written(__file__, "shot")
    old = changed(CHAIN, cutouts={"cone": cone}, procedures__shot=shot)
    new = changed(old, cutouts__cone__zones=[{"name": "All", "kills": "5+"}])
    (one,) = touched(editions(old, new))
    assert (one.pair.id, [reason.told for reason in one.reasons]) == ("shot", ["the cutout “Cone”"])
    assert impact(old, new).procedures[0].differences[0].told == "A shot: kills 50% → 33%"


def test_natural_scores_reach_what_throws_against_a_target() -> None:
    shot = as_written(__file__, "shot_2")
    old = changed(CHAIN, procedures__shot=shot)
    both = editions(old, old, natural={"1": "fails"})
    assert [(one.pair.id, one.reasons[0].kind) for one in touched(both)] == [
        ("shot", "natural scores")
    ]
    (one,) = impact(old, old, natural={"1": "fails"}).procedures
    assert one.differences[0].told == "A shot (bonus: 3): hit 100% → 83%"


@pytest.mark.parametrize(
    ("place", "value"),
    beside(__file__, "words_reach_nothing"),
)
def test_words_reach_nothing(place: str, value: str) -> None:
    assert reached(changed(CHAIN, **{place: value})) == {}


def test_a_table_that_nothing_reckons_with_reaches_nothing() -> None:
    old = changed(CHAIN, tables__spare=CHAIN["tables"]["fire"])
    for value in ("2", "3"):
        new = changed(old, tables__spare__data__0__0=value, tables__spare__title="fire")
        assert impact(old, new).procedures == ()
    other = impact(old, changed(old, tables__moves__data__foot__move="7in"))
    assert [one.id for one in other.procedures] == ["march"]


def test_new_procedures_and_those_that_are_gone() -> None:
    throw = {"title": "A throw", "steps": [{"roll": {"die": "d6"}}], "result": {"score": "die"}}
    found = impact(CHAIN, changed(CHAIN, procedures__march=None, procedures__throw=throw))
    assert [(one.id, one.state, one.told, one.usual) for one in found.procedures] == [
        ("throw", "new", "It is new.", ("mean 3.50 score",)),
        ("march", "gone", "It is not used any more.", ("mean 9.50″ far",)),
    ]


def test_a_procedure_by_another_name_is_the_same_procedure() -> None:
    procedures = dict(CHAIN["procedures"])
    march = procedures.pop("march")
    renamed = changed(CHAIN, procedures={**procedures, "marching": march})
    assert impact(CHAIN, renamed).procedures == ()
    new = changed(renamed, tables__moves__data__foot__move="7in")
    (one,) = impact(CHAIN, new).procedures
    assert (one.id, one.was, one.state) == ("marching", "march", "changed")
    assert [d.told for d in one.differences] == ["A march: 9.50″ → 10.50″ far"]


def test_an_edition_that_is_the_same_reaches_nothing() -> None:
    assert reached(CHAIN) == {}
