"""Decks: from units, rows, modifiers and lists to the parts of each card."""

from __future__ import annotations

from typing import Any

import pytest
from beside import beside, written
from small_rulesets import ruleset_of

from rulebook.documents.cards.compose import compose_deck
from rulebook.documents.cards.pieces import (
    BlankPart,
    CardTable,
    CardView,
    DeckView,
    StatsPart,
    StatView,
    TrackPart,
    WordsPart,
)
from rulebook.documents.catalogue import identity_of
from rulebook.documents.parts.views import ExampleView
from rulebook.model.header import CardsSpec
from rulebook.model.ruleset import Ruleset

STRENGTHS = beside(__file__, "strengths")
UNITS = beside(__file__, "units")
FIRE = {
    "title": "Fire",
    "changes": {"throw": "score"},
    "rows": {"wall": {"when": "Behind a *wall*", "throw": "-1"}},
}
CHAPTER = "# Rules {#rules}\n\n{table: strengths}\n\n## Fire {#fire}\n\n{table: fire_modifiers}"


def small(units: dict[str, Any] = UNITS, **decks: Any) -> Ruleset:
    collections = {
        "tables": {"strengths": STRENGTHS},
        "modifiers": {"fire_modifiers": FIRE},
        "units": units,
        "cards": decks,
    }
    return ruleset_of(collections, CHAPTER)


def deck_of(ruleset: Ruleset) -> DeckView:
    (name,) = ruleset.decks
    return compose_deck(ruleset, name, identity_of(ruleset), lambda _, ink: ink, CardsSpec())


def cards_of(**deck: Any) -> tuple[CardView, ...]:
    return deck_of(small(deck={"title": "Deck", **deck})).cards


def parts_with(text: str, **collections: Any) -> tuple[Any, ...]:
    """The parts of a card with this text."""
    deck = {"title": "D", "cards": {"a": {"title": "A", "text": text}}}
    ruleset = ruleset_of({**collections, "cards": {"d": deck}}, f"# Rules {{#rules}}\n\n{text}")
    return deck_of(ruleset).cards[0].parts


def part(card: CardView, kind: type) -> Any:
    (found,) = (part for part in card.parts if isinstance(part, kind))
    return found


def test_a_card_for_each_unit() -> None:
    guards, hussars = cards_of(**{"from": "units"})
    assert (guards.id, guards.title, guards.kind, guards.rule) == (
        "guards",
        "Guards",
        "Infantry",
        "1, 1.1",
    )
    assert part(guards, StatsPart).stats == (
        StatView("Men", "14", False),
        StatView("Move", "7½″", False),
        StatView("Base", "20 mm × 15 mm", False),
    )
    assert part(guards, WordsPart).markdown == "They march 7½″, and so 7½″\\.".replace("\\.", ".")
    assert (hussars.title, hussars.rule) == ("Hussars", "")


def test_a_missing_cell_is_a_blank_to_fill_in() -> None:
    _, hussars = cards_of(**{"from": "units", "boxes": ["men"]})
    assert part(hussars, StatsPart).stats == (
        StatView("Move", "9″", False),
        StatView("Men", "", True),
    )
    assert not [one for one in hussars.parts if isinstance(one, TrackPart)]


def test_counts_are_boxes_in_groups() -> None:
    guards, _ = cards_of(**{"from": "units", "show": [], "boxes": ["men"], "group": "6"})
    track = part(guards, TrackPart)
    assert (track.title, track.count) == ("Men", "14 boxes")
    assert [len(group) for group in track.groups] == [6, 6, 2]


def test_what_is_asked_most_is_large_and_labels_are_the_decks() -> None:
    deck = {"from": "units", "show": ["men"], "large": ["guns", "move"], "labels": {"move": "Pace"}}
    guards, hussars = cards_of(**deck)
    for card, pace in ((guards, "7½″"), (hussars, "9″")):
        numbers = part(card, StatsPart)
        assert numbers.large == (StatView("Pace", pace, False),)
        assert [stat.label for stat in numbers.stats] == ["Men"]


def test_shown_fields_stand_in_the_order_of_the_deck() -> None:
    guards, _ = cards_of(**{"from": "units", "show": ["move", "men", "guns"]})
    assert [stat.label for stat in part(guards, StatsPart).stats] == ["Move", "Men"]


def test_a_table_of_two_columns_in_the_text_of_a_unit_are_its_numbers() -> None:
    text = (
        "First.\n\n| Moves | |\n| --- | --- |\n| Line | {strengths.foot.move} |\n"
        "| Charge | {strengths.horse.move} |\n| Road | 1 |\n\nLast."
    )
    units = {"guards": {**UNITS["guards"], "rows": [], "text": text}}
    view = deck_of(small(units, deck={"title": "Deck", "from": "units", "show": []}))
    line, charge, road = (
        StatView(label, value, False)
        for label, value in (("Line", "7½″"), ("Charge", "9″"), ("Road", "1"))
    )
    numbers = StatsPart((road,), (line, charge), "Moves")
    assert view.cards[0].parts == (WordsPart("First."), numbers, WordsPart("Last."))


def test_grades_are_the_rows_of_a_table_or_a_list() -> None:
    grades = {"Arm": "strengths", "Training": ["Raw", "Steady"]}
    (blanks, *_), _ = (card.parts for card in cards_of(**{"from": "units", "grades": grades}))
    assert blanks == BlankPart((), (("Arm", ("Foot", "Horse")), ("Training", ("Raw", "Steady"))))


def test_kinds_have_colours_symbols_and_backs_of_their_own() -> None:
    ruleset = small(deck={"title": "Deck", "from": "units"})
    view = deck_of(ruleset)
    guards, hussars = view.cards
    assert (guards.symbol, hussars.symbol) == ("foot", "horse")
    assert guards.colour == ruleset.header.accent != hussars.colour
    assert [(back.kind, back.colour, back.symbol) for back in view.backs] == [
        (card.kind, card.colour, card.symbol) for card in view.cards
    ]
    assert [card.back for card in view.cards] == [0, 1]


def test_a_card_for_each_row_of_a_table() -> None:
    foot, horse = cards_of(**{"from": "strengths", "blanks": ["Name"], "copies": "3"})
    assert (foot.title, foot.rule, foot.copies) == ("Foot", "1", 3)
    assert part(foot, BlankPart).labels == ("Name",)
    assert horse.title == "Horse"


def test_tracks_are_repeated_and_explained_once() -> None:
    track = written(
        "{title: Gun, boxes: 4, times: 2, group: 2, about: Damage., marks: [{at: 4, "
        "label: '{strengths.foot.men}'}]}"
    )
    (card,) = cards_of(cards={"battery": {"title": "Battery", "tracks": {"guns": track}}})
    first, second = (one for one in card.parts if isinstance(one, TrackPart))
    assert (first.title, second.title) == ("Gun 1", "Gun 2")
    assert (first.about, second.about) == ("Damage.", "")
    assert first.groups == second.groups == (("", ""), ("", "14"))


def test_the_parts_of_a_text_keep_their_order() -> None:
    text = (
        "One.\n\n{table: fire_modifiers}\n\nTwo.\n\nThree, see {rule: fire}.\n\n{table: strengths}"
    )
    (card,) = cards_of(cards={"a": {"title": "Fire", "rule": "fire", "text": text}})
    kinds = [type(one) for one in card.parts]
    assert kinds == [WordsPart, CardTable, WordsPart, CardTable]
    assert card.parts[2] == WordsPart("Two.\n\nThree, see §\u00a01.1.")
    # A table that is called as the card is needs no title of its own.
    assert [one.titled for one in card.parts if isinstance(one, CardTable)] == [False, True]


def test_an_example_on_a_card() -> None:
    example = written(
        "{title: At the ford, situation: Two meet., steps: [One goes.], outcome: So.}"
    )
    (found,) = parts_with("{example: ford}", examples={"ford": example})
    assert isinstance(found, ExampleView)
    assert (found.title, found.situation, found.outcome) == ("At the ford", "Two meet.", "So.")


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        ({}, ("Deck", "")),
        ({"title": "Tricks", "text": "Keep {ruleset.edition}."}, ("Tricks", "Keep 1\\.2.")),
    ],
)
def test_backs(back: dict[str, str], expected: tuple[str, str]) -> None:
    view = deck_of(small(deck={"title": "Deck", "from": "units", "back": back}))
    assert {(one.title, one.text) for one in view.backs} == {expected}
    assert deck_of(small(deck={"title": "Deck", "from": "units", "back": None})).backs == ()
