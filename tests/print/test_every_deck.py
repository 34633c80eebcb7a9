"""All decks of all shipped rulesets: type, room, contrast, backs, measured from their pages."""

from __future__ import annotations

from functools import cache

import pytest
from contrasts import contrast
from printed import cards_of
from read_pdf import Printed
from shipped_rulesets import SHIPPED

from rulebook.documents.cards.layout import MOST_EMPTY, CardPages, card_pages
from rulebook.documents.cards.pieces import DeckView
from rulebook.packaged import templates_folder
from rulebook.typeset.environment import colours

DECKS = [(name, number) for name in SHIPPED for number in range(4)]


@cache
def decks(name: str) -> list[DeckView]:
    return [one.view for one in cards_of(name) if not one.name.startswith("scenarios/")]


@cache
def laid(name: str, number: int) -> CardPages:
    return card_pages(decks(name)[number], ["full"], templates_folder())["full"]


@pytest.mark.parametrize(("name", "number"), DECKS)
def test_type_is_read_at_the_table_and_cards_are_not_empty(name: str, number: int) -> None:
    if number >= len(decks(name)):
        return
    pages = laid(name, number)
    assert pages.size >= 8
    assert pages.empty <= MOST_EMPTY, pages.remark
    sizes: set[float] = set()
    for document in pages.documents:
        pdf = Printed(document)
        for page in range(len(pdf.sizes)):
            sizes |= {round(letter.size, 2) for letter in pdf.letters(page)}
    assert min(sizes) >= 7 - 0.01


@pytest.mark.parametrize("name", SHIPPED)
def test_words_stand_out_from_their_ground(name: str) -> None:
    for deck in decks(name):
        for card in deck.cards:
            kind = card.colour or deck.identity.accent
            shades = colours(kind, "full")
            assert contrast(kind, "#ffffff") >= 4.5, "white on the head, headings on white"
            assert contrast(shades["soft"], colours(deck.identity.accent, "full")["tint"]) >= 4.5
            assert contrast(shades["text"], shades["tint"]) >= 4.5, "in a marked box"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_unit_has_the_sign_of_its_arm_and_a_back_of_its_kind(name: str) -> None:
    for deck in decks(name):
        for card in deck.cards:
            if card.kind:
                assert card.symbol
                assert deck.backs[card.back].kind == card.kind
        assert len({back.colour for back in deck.backs}) == len(deck.backs)
