"""Decks laid out: what does not fit goes on to a second card, and what never could is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from beside import beside
from read_pdf import Printed, tidy
from small_rulesets import ruleset_of

from rulebook.documents.cards.compose import compose_deck
from rulebook.documents.cards.layout import (
    MOST_EMPTY,
    CardPages,
    MeasuredCard,
    card_layout,
    card_pages,
    card_sheets,
)
from rulebook.documents.cards.pieces import DeckView, WordsPart
from rulebook.documents.catalogue import identity_of
from rulebook.documents.document_kind import File
from rulebook.model.header import CardsSpec
from rulebook.packaged import templates_folder
from rulebook.problems import RenderFault

PARAGRAPH = "The regiment stands, fires by files, and waits for the word of its colonel to go on."


def view_of(
    collections: dict[str, Any] | None = None, spec: CardsSpec | None = None, **deck: Any
) -> DeckView:
    ruleset = ruleset_of({**(collections or {}), "cards": {"d": {"title": "Deck", **deck}}})
    identity = identity_of(ruleset)
    return compose_deck(ruleset, "d", identity, lambda *_: "", spec or CardsSpec())


def laid(ink: str = "full", **deck: Any) -> CardPages:
    return card_pages(view_of(**deck), [ink], templates_folder())[ink]


def one(text: str = "", title: str = "Drill", **card: Any) -> dict[str, Any]:
    return {"drill": {"title": title, **({"text": text} if text else {}), **card}}


def texts(pages: CardPages) -> list[str]:
    return [text for document in pages.documents for text in Printed(document).texts]


def smallest(pages: CardPages) -> float:
    read = [Printed(document) for document in pages.documents]
    return min(
        letter.size for pdf in read for n in range(len(pdf.sizes)) for letter in pdf.letters(n)
    )


def fault(view: DeckView) -> tuple[str, str]:
    with pytest.raises(RenderFault) as raised:
        card_pages(view, ["full"], templates_folder())
    (problem,) = raised.value.problems
    return problem.code, problem.message


def test_a_card_and_its_back() -> None:
    pages = laid(cards=one(PARAGRAPH))
    assert (pages.faces, pages.backs) == ((0,), (1,))
    front, back = texts(pages)
    assert front == tidy(f"Drill {PARAGRAPH} Small Wars 1.2")
    assert back == "Small Wars Edition 1.2 Deck"


def test_what_does_not_fit_goes_on_to_a_second_card_under_the_same_title() -> None:
    words = [f"{number}. {PARAGRAPH}" for number in range(12)]
    pages = laid(cards=one("\n\n".join(f"Rule {line}" for line in words)))
    first, second, _ = texts(pages)
    assert first.startswith("Drill 1 of 2 Rule 0.")
    assert second.startswith("Drill 2 of 2 Rule")
    told = [text for text in (first, second) for n in range(12) if f"Rule {n}. The" in text]
    assert len(told) == 12
    assert smallest(pages) >= 7 - 0.01


def sizes_of_words(pages: CardPages) -> set[float]:
    read = [Printed(document) for document in pages.documents]
    letters = [one for pdf in read for n in range(len(pdf.sizes)) for one in pdf.letters(n)]
    return {round(letter.size, 2) for letter in letters if letter.text == "y"}


def test_a_card_that_all_but_fits_is_set_in_smaller_type_instead() -> None:
    decks = [laid(cards=one("\n\n".join([PARAGRAPH] * n)), back=None) for n in (5, 6, 7, 8)]
    sizes = {size for pages in decks if len(pages.faces) == 1 for size in sizes_of_words(pages)}
    assert len(sizes) > 1
    assert min(sizes) >= 7.5


def test_nothing_stands_outside_the_safe_zone_of_any_size() -> None:
    track = {"title": "Losses", "boxes": "37", "group": "5"}
    for size in ("mini", "business", "a6"):
        view = view_of(size=size, cards=one(PARAGRAPH, tracks={"t": track}), blanks=["Name"])
        layout = card_layout(view, templates_folder(), size)
        pages = card_pages(view, ["full"], templates_folder())["full"]
        for document in pages.documents:
            pdf = Printed(document)
            for number in range(len(pdf.sizes)):
                for letter in pdf.letters(number):
                    # Places are told from the corner of the bleed.
                    edge = float(layout.bleed + layout.safe) - 0.3
                    whole = float(layout.width + 2 * layout.bleed)
                    assert edge <= letter.left <= letter.right <= whole - edge, (size, letter)


@pytest.mark.parametrize("title", [("A most " + "exceedingly " * 30)[:200].strip(), "M" * 200])
def test_the_longest_title(title: str) -> None:
    """A word without end is broken."""
    pages = laid(cards=one("W" * 200, title=title))
    assert "".join(texts(pages)[0].split()).startswith("".join(title.split()))
    assert pages.faces == (0,)


def test_thousands_of_words_take_several_cards() -> None:
    """A passage in the data is not so long, but nothing here counts on that."""
    view = view_of(cards=one(PARAGRAPH))

    def with_paragraphs(count: int) -> DeckView:
        part = WordsPart("\n\n".join([PARAGRAPH] * count))
        return replace(view, cards=(replace(view.cards[0], parts=(part,)),))

    pages = card_pages(with_paragraphs(70), ["full"], templates_folder())["full"]
    assert 8 < len(pages.faces) <= 20
    assert sum(text.count("stands, fires") for text in texts(pages)) == 70
    code, message = fault(with_paragraphs(240))
    assert code == "R607" and "faces" in message


def test_a_piece_that_no_card_holds_is_named() -> None:
    code, message = fault(view_of(cards=one(" ".join([PARAGRAPH] * 20))))
    assert code == "R607"
    named = "the card Drill: the paragraph “The regiment stands, fires by files, and …” is "
    assert message.startswith(named)
    assert "a face has room for 7" in message


def test_a_table_that_is_too_wide_is_named() -> None:
    fields = {f"interminable_{n}": "text" for n in range(9)}
    wide = {"title": "Wide", "fields": fields, "data": {"row": dict.fromkeys(fields, "regiments")}}
    code, message = fault(view_of({"tables": {"wide": wide}}, cards=one("{table: wide}")))
    assert code == "R604"
    assert "the table Wide" in message and "the card Drill" in message


def test_a_deck_of_any_size_takes_small_cards_where_large_ones_stay_empty() -> None:
    few = {"a": {"title": "A", "text": PARAGRAPH}, "b": {"title": "B", "text": PARAGRAPH}}
    pages = laid(size="any", cards=few)
    assert pages.layout.name == "mini"
    poker = laid(cards=few)
    assert poker.layout.name == "poker"
    assert pages.empty < poker.empty
    assert poker.empty > MOST_EMPTY
    assert poker.remark == f"poker cards, 10 pt, {round(100 * poker.empty)} % empty"


def test_a_deck_whose_cards_would_be_torn_apart_stays_as_large_as_it_is() -> None:
    full = {key: {"title": key, "text": "\n\n".join([PARAGRAPH] * 7)} for key in "abc"}
    pages = laid(size="any", cards=full)
    assert pages.layout.name == "poker"
    assert pages.empty < MOST_EMPTY


def test_a_deck_has_one_size_of_type() -> None:
    long = "\n\n".join([PARAGRAPH] * 12)
    pages = laid(cards={"a": {"title": "A", "text": PARAGRAPH}, "b": {"title": "B", "text": long}})
    assert sizes_of_words(pages) == {pages.size}
    assert pages.size >= 8


def test_emptiness_is_what_stands_on_the_faces() -> None:
    """Measured again from the letters of the page, to the height of a line."""
    pages = laid(cards=one("\n\n".join([PARAGRAPH] * 4)), back=None)
    letters = Printed(pages.documents[0]).letters(0)
    body = [one for one in letters if abs(one.size - pages.size) < 0.01]
    (foot, *_) = (one for one in letters if abs(one.size - 7) < 0.01)
    used = body[-1].bottom - body[0].top
    assert 1 - used / (foot.top - body[0].top) == pytest.approx(pages.empty, abs=0.06)


def test_a_size_without_a_layout() -> None:
    assert fault(replace(view_of(cards=one()), sizes=("pocket",)))[0] == "R438"


def test_cards_stand_in_order_around_one_that_goes_on() -> None:
    deck = {
        "a": {"title": "Short", "text": PARAGRAPH},
        "b": {"title": "Long", "text": "\n\n".join([PARAGRAPH] * 12)},
        "c": {"title": "Empty"},
        "d": {"title": "Last", "text": PARAGRAPH},
    }
    found = texts(laid(cards=deck, back=None))
    titles = ["Short", *["Long"] * (len(found) - 3), "Empty", "Last"]
    assert len(titles) > 4
    for title, text in zip(titles, found, strict=True):
        assert title in text
        assert ("stands, fires" in text) == (title != "Empty")


def test_both_inks_are_painted_from_one_layout() -> None:
    track = {"title": "Losses", "boxes": "9", "marks": [{"at": "3", "label": "-1"}]}
    view = view_of(cards=one(PARAGRAPH, tracks={"t": track}))
    pages = card_pages(view, ["full", "low"], templates_folder())
    full, low = pages["full"], pages["low"]
    assert (full.faces, full.backs) == (low.faces, low.backs)
    for inks in zip(full.documents, low.documents, strict=True):
        assert inks[0] != inks[1]
        words = [[(one.text, one.left) for one in Printed(data).letters(0)] for data in inks]
        assert words[0] == words[1]
    for ink, page in pages.items():
        assert page == card_pages(view, [ink], templates_folder())[ink]


# Pieces on faces: none lost, none turned round, no face too full, no more faces than need be.


def measured(*heights: float, room: float = 10.0, gap: float = 0.0) -> MeasuredCard:
    """A card whose pieces have these heights, without the gaps above them."""
    (card,) = view_of(cards=one()).cards
    pieces = [WordsPart("Words.")] * len(heights)
    with_gaps = [height + gap for height in heights]
    return MeasuredCard(card, pieces, with_gaps, gap, room, room)


@pytest.mark.parametrize(
    ("heights", "counts"),
    beside(__file__, "faces_are_as_even_as_may_be"),
)
def test_faces_are_as_even_as_may_be(heights: tuple[float, ...], counts: list[int]) -> None:
    assert [*map(len, measured(*heights).faces())] == counts


def test_the_gap_above_the_first_piece_of_a_face_is_not_counted() -> None:
    assert measured(10, 10, gap=1).faces() == [range(1), range(1, 2)]
    assert measured(4, 5, gap=1).faces() == [range(2)]
    assert measured(4, 6, gap=1).faces() == [range(1), range(1, 2)]


def test_a_piece_that_fits_no_face_is_found() -> None:
    assert measured(3, 12, 3, gap=1).too_high() == 1
    assert measured(3, 10, 3, gap=1).too_high() is None


def test_the_number_of_a_face_takes_room() -> None:
    card = replace(measured(4, 4, 2), numbered_room=5.0)
    assert card.faces() == [range(3)]
    assert replace(card, room=9.0).faces() == [range(1), range(1, 2), range(2, 3)]


# Decks on sheets in other ways than the usual: one side, the short edge, folded.

CARDS = {f"c{number}": {"title": f"Card {number}"} for number in range(10)}


def printed(spec: CardsSpec | None = None, paper: str = "a4", **deck: Any) -> Printed:
    view = view_of(spec=spec, cards=CARDS, **deck)
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
