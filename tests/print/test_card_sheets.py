"""The sheets of cards as they are printed: sizes, places, backs behind fronts, single cards."""

from collections import Counter
from functools import cache
from itertools import product

import pytest
from printed import document_of, printed
from read_pdf import MM, Printed
from read_sheets import Sheets

from rulebook.paper_and_ink import paper_size

#: Poker cards, three by three, in the middle of the paper: 63 x 88 mm, no gaps.
CARD = (63.0, 88.0)
DECKS = ("unit-cards", "rule-cards")
SHEETS = [
    f"cards-{deck}-{paper}{ink}.pdf"
    for deck in DECKS
    for paper in ("a4", "letter")
    for ink in ("", "-low")
]


@cache
def read(path: str) -> Printed:
    return Printed(printed(path))


def places(path: str, number: int) -> list[tuple[str, float, float]]:
    """The pages of the deck on a side: the lower left corner of the trim of each in mm."""
    forms = Sheets(read(path).data).forms(number)
    assert {form.scale for form in forms} == {(1, 0, 0, 1)}
    return [(form.name, *form.move) for form in forms]


def expected_corners(paper: str) -> list[tuple[float, float]]:
    """Of nine cards in the middle of the paper, from the sizes alone."""
    width, height = paper_size(paper)
    left, bottom = (width - 3 * CARD[0]) / 2, (height - 3 * CARD[1]) / 2
    return [(left + CARD[0] * n, bottom + CARD[1] * m) for n, m in product(range(3), repeat=2)]


@pytest.mark.parametrize("path", SHEETS)
def test_sheets_have_the_size_of_the_paper_and_printers_are_asked_for_it(path: str) -> None:
    width, height = paper_size("a4" if "-a4" in path else "letter")
    for size in read(path).sizes:
        assert size == pytest.approx((width, height), abs=0.01)
    wanted = read(path).pdf.Root.ViewerPreferences
    assert (wanted.PrintScaling, wanted.Duplex) == ("/None", "/DuplexFlipLongEdge")


@pytest.mark.parametrize("path", SHEETS)
def test_cards_stand_where_they_are_cut_at_scale_1(path: str) -> None:
    corners = expected_corners("a4" if "-a4" in path else "letter")
    for number in range(len(read(path).sizes)):
        for _, x, y in places(path, number):
            assert min(abs(x - left) + abs(y - bottom) for left, bottom in corners) < 0.05


@pytest.mark.parametrize("path", SHEETS)
def test_each_back_lies_behind_its_front(path: str) -> None:
    sizes, names = read(path).sizes, set()
    assert len(sizes) % 2 == 0
    for front in range(0, len(sizes), 2):
        fronts, backs = places(path, front), places(path, front + 1)
        # Turned about the long edge, left and right change places.
        behind = sorted((round(y, 1), sizes[0][0] - x - CARD[0]) for _, x, y in fronts)
        found = sorted((round(y, 1), x) for _, x, y in backs)
        for there, here in zip(behind, found, strict=True):
            assert here == pytest.approx(there, abs=0.02)
        names |= {name for name, *_ in backs}
    assert len(names) == len({card.kind for card in document_of(path).view.cards})


@pytest.mark.parametrize("path", SHEETS)
def test_type_is_read_at_the_table_and_fonts_are_inside(path: str) -> None:
    pdf = read(path)
    letters = [letter for number in range(len(pdf.sizes)) for letter in pdf.letters(number)]
    # Lines of type on the margin are for whoever prints, not for players.
    assert min(letter.size for letter in letters) >= 6.5
    assert all(inside for _, inside in pdf.fonts)


@pytest.mark.parametrize("deck", DECKS)
def test_every_card_stands_on_the_sheets_as_often_as_it_is_copied(deck: str) -> None:
    path = f"cards-{deck}-a4.pdf"
    fronts = range(0, len(read(path).sizes), 2)
    names = Counter(name for number in fronts for name, *_ in places(path, number))
    view = document_of(path).view
    assert {*names.values()} == {view.cards[0].copies}
    texts = " ".join(read(path).texts)
    assert all(card.title in texts for card in view.cards)


@pytest.mark.parametrize("deck", DECKS)
def test_single_cards_have_their_bleed_and_say_where_they_are_cut(deck: str) -> None:
    pdf = read(f"cards-{deck}-singles.pdf")
    assert len(pdf.sizes) % 2 == 0
    for size, page in zip(pdf.sizes, pdf.pdf.pages, strict=True):
        assert size == pytest.approx((CARD[0] + 6, CARD[1] + 6), abs=0.01)
        trim = [float(edge) * MM for edge in page.trimbox]
        assert trim == pytest.approx([3, 3, 3 + CARD[0], 3 + CARD[1]], abs=0.01)
    assert all("Edition" in text for text in pdf.texts[1::2])


def test_low_ink_has_no_colour() -> None:
    for deck in DECKS:
        for fill in read(f"cards-{deck}-a4-low.pdf").colours():
            assert set(fill.channels) in ({0.0}, {1.0})
