"""The view of a back cover: what it says of the book, what is needed to play, what is left out."""

import pytest
from shipped_rulesets import SHIPPED, shipped
from small_rulesets import ruleset_of

from rulebook.documents.parts.back_cover import MOST_WORDS, blurb, compose_back
from rulebook.documents.parts.views import BackCoverView

#: What a stranger finds that he needs, reading each book; written down by hand.
NEEDS = {
    "acw": "d6 ruler scissors cards pencil",
    "acw-centimetres": "d6 ruler scissors cards pencil",
    "gridded": "d6 squares scissors cards pencil",
    "horse-and-musket": "d10 ruler scissors cards pencil",
    "last-wagon": "d6 hexes scissors cards pencil",
    "napoleonic-skirmish": "d6 ruler scissors cards pencil",
    "thin-red-line": "d6 ruler scissors cards pencil",
}


@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_book_says_what_is_needed(name: str) -> None:
    ruleset = shipped(name)
    back = compose_back(ruleset)
    assert " ".join(symbol for symbol, _ in back.needs) == NEEDS[name]
    assert 0 < len(back.blurb.split()) <= 60
    facts = dict(back.facts)
    assert facts["Players"] == ruleset.header.players
    sequence = ruleset.sequence.values()
    assert back.turn == tuple(phase.title for phase in sequence if not phase.optional)
    assert "By agreement" not in back.turn and len(back.turn) >= 4
    if name == "acw":
        assert facts["Table"] == "6′ by 4′ to 8′ by 6′"
    if name == "acw-centimetres":
        assert "Table" not in facts, "it has no battles"
        assert ("ruler", "A ruler in centimetres") in back.needs


def test_nothing_is_made_up() -> None:
    assert compose_back(ruleset_of()) == BackCoverView("Small Wars", "", (), (), (), "")


def test_what_the_header_says_goes_before_what_battles_tell() -> None:
    told = compose_back(
        ruleset_of(
            table_size="a kitchen table",
            playing_time="2 hours",
            licence="CC0",
            scale={"time": "A day."},
        )
    )
    assert told.facts == (
        ("Table", "a kitchen table"),
        ("Playing time", "2 hours"),
        ("Time", "A day."),
    )
    assert told.licence == "CC0"


@pytest.mark.parametrize("words", [1, 30, 31, 59, 60, 61, 90, 200])
def test_a_blurb_is_whole_sentences_of_sixty_words_at_most(words: int) -> None:
    sentence = "one " * 29 + "end."
    summary = f"{sentence} " * (words // 30) + "more " * (words % 30)
    told = blurb(summary)
    assert len(told.split()) == (words if words <= MOST_WORDS else 60)
    assert summary.startswith(told)
