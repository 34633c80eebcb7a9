"""The booklets to fold of the American Civil War Game, read back from their sheets."""

from __future__ import annotations

import pytest
from printed import document_of, printed
from read_pdf import Printed
from read_sheets import Sheets

from rulebook.documents.catalogue import render
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size

#: Paper -> the sides of its sheets, and the pages that are folded from them.
SIDES = {name: paper_size(name, landscape=True) for name in ("a4", "letter")}
PAPERS = {
    "a4": (SIDES["a4"], paper_size("a5")),
    "letter": (SIDES["letter"], (SIDES["letter"][0] / 2, SIDES["letter"][1])),
}
CREEP = 0.1


@pytest.fixture(scope="module", params=PAPERS)
def folded(request: pytest.FixtureRequest) -> tuple[str, Sheets]:
    return request.param, Sheets(printed(f"booklet-{request.param}-imposed.pdf"))


@pytest.fixture(scope="module")
def pages() -> Printed:
    return Printed(printed("booklet-a5.pdf"))


def order(count: int) -> list[tuple[int, int]]:
    """Left and right of each side, as a folder of paper numbers them: written out on its own."""
    end = -(-count // 4) * 4
    sides = []
    for first in range(0, end // 2, 2):
        sides += [(end - 1 - first, first), (first + 1, end - 2 - first)]
    return sides


def halves(read: Sheets, side: int) -> list[str]:
    """The words on the left and on the right of a side, without white space."""
    page = read.viewed[side]
    text = page.get_textpage()
    width, height = page.get_size()
    found = []
    for left, right in ((0, width / 2), (width / 2, width)):
        words = text.get_text_bounded(left=left, right=right, bottom=0, top=height)
        found.append("".join(words.replace("\ufffe", "").replace("\x02", "").split()))
    return found


def words(pages: Printed, number: int) -> str:
    if number >= len(pages.viewed):
        return ""
    text = pages.viewed[number].get_textpage().get_text_bounded()
    return "".join(text.replace("\ufffe", "").replace("\x02", "").split())


def test_sides_have_the_pages_in_the_order_of_folding(
    folded: tuple[str, Sheets], pages: Printed
) -> None:
    _, read = folded
    expected = order(len(pages.viewed))
    assert len(read.sizes) == len(expected)
    for side, (left, right) in enumerate(expected):
        assert [sorted(half) for half in halves(read, side)] == [
            sorted(words(pages, left)),
            sorted(words(pages, right)),
        ]


def test_every_page_stands_once_at_scale_1_on_its_half(
    folded: tuple[str, Sheets], pages: Printed
) -> None:
    paper, read = folded
    (width, height), (page_width, page_height) = PAPERS[paper]
    drawn: list[tuple[int, int]] = []
    for side, size in enumerate(read.sizes):
        assert size == pytest.approx((width, height), abs=0.001)
        for form in read.forms(side):
            drawn.append(read.pdf.pages[side].Resources.XObject[form.name].objgen)
            assert form.scale == (1, 0, 0, 1)
            left, bottom, wide, high = form.window
            assert bottom == pytest.approx((height - page_height) / 2, abs=0.01)
            assert high == pytest.approx(page_height, abs=0.01)
            assert wide == pytest.approx(page_width - CREEP * (side // 2), abs=0.01)
            fold = width / 2
            assert left == pytest.approx(fold, abs=0.01) or left + wide == pytest.approx(
                fold, abs=0.01
            )
    assert len(drawn) == len(set(drawn)) == len(pages.viewed)


def test_nothing_that_is_printed_comes_near_an_edge_or_the_fold(folded: tuple[str, Sheets]) -> None:
    """Also where half a Letter sheet is narrower than A5, and where pages have crept."""
    paper, read = folded
    (width, height), _ = PAPERS[paper]
    printed_letters = Printed(read.data)
    for side in range(len(read.sizes)):
        for letter in printed_letters.letters(side):
            assert letter.left >= 6
            assert letter.right <= width - 6
            assert letter.top >= 6
            assert letter.bottom <= height - 6
            assert letter.right <= width / 2 - 6 or letter.left >= width / 2 + 6, letter


def test_printers_are_told(folded: tuple[str, Sheets]) -> None:
    _, read = folded
    hints = read.pdf.Root.ViewerPreferences
    assert str(hints.Duplex) == "/DuplexFlipShortEdge"
    assert str(hints.PrintScaling) == "/None"
    assert bool(hints.PickTrayByPDFSize)
    assert "flipped on the short edge" in str(read.pdf.docinfo["/Title"])
    assert str(read.pdf.Root.Lang) == "en-GB"


def test_all_fonts_are_in_the_file(folded: tuple[str, Sheets]) -> None:
    fonts = Printed(folded[1].data).fonts
    assert fonts
    assert all(inside for _, inside in fonts)


def test_sheets_are_smaller_than_what_they_are_made_of(
    folded: tuple[str, Sheets], pages: Printed
) -> None:
    assert len(folded[1].data) < 1.1 * len(pages.data)


def test_they_are_made_without_the_pages_themselves_and_with_the_same_bytes() -> None:
    path = "booklet-letter-imposed.pdf"
    [alone] = render(document_of(path), templates_folder(), frozenset({path}))
    assert alone.data == printed(path)
    assert alone.pages == len(Sheets(alone.data).sizes)


def test_the_order_that_is_expected_is_that_of_a_folded_booklet() -> None:
    assert order(12) == [(11, 0), (1, 10), (9, 2), (3, 8), (7, 4), (5, 6)]
