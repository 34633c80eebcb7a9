"""Decks on sheets in other ways than the usual: one side, the short edge, folded, an offset."""

from __future__ import annotations

from typing import Any

import pytest
from read_pdf import Printed
from small_rulesets import ruleset_of

from rulebook.documents.cards.compose import compose_deck
from rulebook.documents.cards.layout import card_sheets
from rulebook.documents.catalogue import identity_of
from rulebook.documents.document_kind import File
from rulebook.model.header import CardsSpec
from rulebook.packaged import templates_folder
from rulebook.typeset.environment import RenderFault

CARDS = {f"c{number}": {"title": f"Card {number}"} for number in range(10)}


def printed(spec: CardsSpec | None = None, paper: str = "a4", **deck: Any) -> Printed:
    ruleset = ruleset_of({"cards": {"d": {"title": "Deck", "cards": CARDS, **deck}}})
    identity = identity_of(ruleset)
    view = compose_deck(ruleset, "d", identity, lambda *_: "", spec or CardsSpec())
    file = File("d.pdf", "pdf", paper, "full")
    (sheets,) = card_sheets(view, [file], templates_folder())
    assert sheets.pages == len(Printed(sheets.data).sizes)
    return Printed(sheets.data)


def test_ten_cards_take_two_sheets_of_two_sides() -> None:
    pdf = printed()
    assert len(pdf.sizes) == 4
    assert [text.count("Card ") for text in pdf.texts] == [9, 0, 1, 0]


def test_without_backs_one_side_is_printed() -> None:
    pdf = printed(back=None)
    assert len(pdf.sizes) == 2
    assert "/Duplex" not in pdf.pdf.Root.ViewerPreferences


def test_the_short_edge_turns_the_backs_upside_down() -> None:
    pdf = printed(CardsSpec(flip="short"))
    assert pdf.pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"
    assert b"-1 0 0 -1" in pdf.pdf.pages[1].Contents.read_bytes()
    assert b"-1 0 0 -1" not in pdf.pdf.pages[0].Contents.read_bytes()


def test_folded_sheets_have_fronts_and_backs_on_one_side() -> None:
    pdf = printed(CardsSpec.model_validate({"gutterfold": "true"}))
    assert "/Duplex" not in pdf.pdf.Root.ViewerPreferences
    for text in pdf.texts:
        assert text.count("Card ") == text.count("Edition")
    assert sum(text.count("Card ") for text in pdf.texts) == 10


def test_a_paper_that_the_layout_has_no_sheet_of() -> None:
    with pytest.raises(RenderFault) as raised:
        printed(paper="a3")
    assert [problem.code for problem in raised.value.problems] == ["R608"]
