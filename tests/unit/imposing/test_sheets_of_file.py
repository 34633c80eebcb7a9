"""Finished PDFs on sheets: what there are sheets of, and what is refused."""

from __future__ import annotations

import pytest
from beside import beside
from read_sheets import Sheets, numbered_pages

from rulebook.imposing.arrangements import arrange
from rulebook.imposing.imposition import WrongPages, page_sizes


@pytest.mark.parametrize(
    ("arrangement", "count", "sheets", "first"),
    beside(__file__, "arrangements"),
)
def test_arrangements(arrangement: str, count: int, sheets: int, first: list[int]) -> None:
    made = arrange(numbered_pages(count, 148, 210), arrangement, "a4", title="Mine")
    read = Sheets(made.data)
    assert made.sheets == sheets
    assert made.duplex == (arrangement == "booklet")
    assert len(read.sizes) == sheets * (2 if made.duplex else 1)
    assert [number for number, *_ in read.numbers(0)] == first


def test_signatures() -> None:
    made = arrange(numbered_pages(16, 148, 210), "booklet", "a4", title="", sheets_a_signature=2)
    read = Sheets(made.data)
    sides = [[number for number, *_ in read.numbers(side)] for side in range(8)]
    assert sides == [[8, 1], [2, 7], [6, 3], [4, 5], [16, 9], [10, 15], [14, 11], [12, 13]]


def test_a_thousand_pages() -> None:
    made = arrange(numbered_pages(1000, 148, 210), "booklet", "a4", title="Long")
    assert made.sheets == 250
    assert Sheets(made.data).object_count("/Form") == 1000


def mixed() -> bytes:
    from io import BytesIO

    import pikepdf

    with pikepdf.open(BytesIO(numbered_pages(3, 148, 210))) as pdf:
        pdf.pages[1].MediaBox = pdf.pages[1].TrimBox = pikepdf.Array([0, 0, 300, 400])
        out = BytesIO()
        pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "arrangement", "said"),
    [
        (b"no pdf at all", "booklet", "no PDF that can be read"),
        (numbered_pages(0, 1, 1), "booklet", "0 pages, expected 1 to 2000"),
        (mixed(), "booklet", "page 2 is 105.8 x 141.1 mm, page 1 is 148 x 210 mm"),
        (mixed(), "two-up", "page 2 is 105.8 x 141.1 mm"),
        (numbered_pages(4, 210, 297), "booklet", "pages of 210 x 297 mm, expected up to"),
        (numbered_pages(4, 210, 297), "twice", "pages of 210 x 297 mm, expected up to"),
        (numbered_pages(1, 4000, 4000), "poster", "a page that takes"),
    ],
)
def test_what_does_not_go_is_refused(data: bytes, arrangement: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        arrange(data, arrangement, "a4", title="Mine")


def test_a_poster_may_be_of_pages_of_several_sizes() -> None:
    made = arrange(mixed(), "poster", "a4", title="Mine")
    assert made.sheets == 3


def test_sizes_are_those_that_a_reader_sees() -> None:
    assert [str(size) for size in page_sizes(mixed())] == [
        "148 x 210 mm",
        "105.8 x 141.1 mm",
        "148 x 210 mm",
    ]
    with pytest.raises(WrongPages):
        page_sizes(b"")
