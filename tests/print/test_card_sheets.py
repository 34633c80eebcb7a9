"""The sheets of cards as they are printed: sizes, places, backs behind fronts, single cards."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pikepdf
import pytest
from printed import document_of, printed
from read_pdf import Printed

from rulebook.paper_and_ink import paper_size

MM = 25.4 / 72
#: Poker cards, three by three, in the middle of the paper: 63 x 88 mm, no gaps.
CARD = (63.0, 88.0)
DECKS = ("unit-cards", "rule-cards")
SHEETS = [
    f"cards-{deck}-{paper}{ink}.pdf"
    for deck in DECKS
    for paper in ("a4", "letter")
    for ink in ("", "-low")
]


class Place(NamedTuple):
    """A page of the deck on a sheet: the lower left corner of its trim in mm, and its matrix."""

    name: str
    x: float
    y: float
    matrix: tuple[float, ...]


@cache
def read(path: str) -> Printed:
    return Printed(printed(path))


def places(pdf: Printed, number: int) -> Iterator[Place]:
    """From the operators of the page: the matrix under which each form is drawn."""
    page = pdf.pdf.pages[number]
    matrix: list[float] = []
    for one in pikepdf.parse_content_stream(page):
        if str(one.operator) == "cm":
            matrix = [float(value) for value in one.operands]
        elif str(one.operator) == "Do" and str(one.operands[0]) != "/Marks":
            a, b, c, d, x, y = matrix
            form = page.Resources.XObject[one.operands[0]]
            # The bleed lies left of and below the trim, whose corner is the origin.
            left, bottom, right, _ = (float(edge) for edge in form.BBox)
            bleed = (right - left - CARD[0] / MM) / 2
            across, up = (left + bleed) * a, (bottom + bleed) * d
            yield Place(str(one.operands[0]), (x + across) * MM, (y + up) * MM, (a, b, c, d))


def expected_corners(paper: str) -> set[tuple[float, float]]:
    """Of nine cards in the middle of the paper, from the sizes alone."""
    width, height = paper_size(paper)
    left, bottom = (width - 3 * CARD[0]) / 2, (height - 3 * CARD[1]) / 2
    return {
        (round(left + CARD[0] * column, 2), round(bottom + CARD[1] * row, 2))
        for column in range(3)
        for row in range(3)
    }


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
    pdf = read(path)
    for number in range(len(pdf.sizes)):
        for place in places(pdf, number):
            assert place.matrix == (1, 0, 0, 1)
            nearest = min(abs(place.x - x) + abs(place.y - y) for x, y in corners)
            assert nearest < 0.05


@pytest.mark.parametrize("path", SHEETS)
def test_each_back_lies_behind_its_front(path: str) -> None:
    pdf = read(path)
    width = pdf.sizes[0][0]
    assert len(pdf.sizes) % 2 == 0
    for front, back in pairwise(range(len(pdf.sizes))):
        if front % 2:
            continue
        fronts, backs = list(places(pdf, front)), list(places(pdf, back))
        # Turned about the long edge, left and right change places.
        behind = sorted((round(one.y, 1), width - one.x - CARD[0]) for one in fronts)
        found = sorted((round(one.y, 1), one.x) for one in backs)
        for there, here in zip(behind, found, strict=True):
            assert here == pytest.approx(there, abs=0.02)
    kinds = {card.kind for card in document_of(path).view.cards}
    names = {place.name for page in range(1, len(pdf.sizes), 2) for place in places(pdf, page)}
    assert len(names) == len(kinds)


@pytest.mark.parametrize("path", SHEETS)
def test_type_is_read_at_the_table_and_fonts_are_inside(path: str) -> None:
    pdf = read(path)
    letters = [letter for number in range(len(pdf.sizes)) for letter in pdf.letters(number)]
    # Lines of type on the margin are for whoever prints, not for players.
    assert min(letter.size for letter in letters) >= 6.5
    assert all(inside for _, inside in pdf.fonts)


@pytest.mark.parametrize("deck", DECKS)
def test_every_card_stands_on_the_sheets_as_often_as_it_is_copied(deck: str) -> None:
    pdf = read(f"cards-{deck}-a4.pdf")
    names = [place.name for n in range(0, len(pdf.sizes), 2) for place in places(pdf, n)]
    view = document_of(f"cards-{deck}-a4.pdf").view
    copies = view.cards[0].copies
    assert {names.count(name) for name in names} == {copies}
    texts = " ".join(pdf.texts)
    for card in view.cards:
        assert card.title in texts


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
