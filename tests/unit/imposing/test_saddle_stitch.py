"""The order of pages in a booklet, where they stand, and how far they creep."""

from __future__ import annotations

from fractions import Fraction

import pytest
from beside import beside
from read_sheets import Sheets, numbered_pages, pages_of

from rulebook.imposing.arrangements import MOST_CREEP, fold_order, saddle_stitch, two_up
from rulebook.imposing.imposition import impose
from rulebook.imposing.placing import Rect, Sheet
from rulebook.paper_and_ink import paper_size

A5 = paper_size("a5")


def read_order(sheets: list[Sheet]) -> list[int | None]:
    """The pages as a reader turns them: sheets laid into each other and folded in the middle.

    Turned about its short edge, a landscape sheet has behind its right half the left of its back.
    """
    first = [
        page
        for sheet in sheets
        for page in (sheet.front.placements[1].page, sheet.back.placements[0].page)
    ]
    second = [
        page
        for sheet in reversed(sheets)
        for page in (sheet.back.placements[1].page, sheet.front.placements[0].page)
    ]
    return first + second


@pytest.mark.parametrize("count", range(4, 65))
def test_orders_are_those_of_pdfimpose(count: int) -> None:
    """As a version of it, which is named beside them, put out for whole sheets."""
    theirs = beside(__file__, "orders")[-(-count // 4) * 4]
    ours = [list(pair) for sheet in fold_order(count)[0] for pair in sheet]
    assert ours == [[n if n < count else None for n in pair] for pair in theirs]


@pytest.mark.parametrize("count", range(1, 65))
def test_a_folded_booklet_reads_from_its_first_page_to_its_last(count: int) -> None:
    sheets = saddle_stitch(count, A5, "a4")
    read = read_order(sheets)
    assert read == [*range(count), *[None] * (-count % 4)]
    assert sheets[0].front.placements[1].page == 0, "page 1 is outside right"
    assert all(one.rotation == 0 for s in sheets for side in s.sides for one in side.placements)


@pytest.mark.parametrize(
    ("count", "size", "sheets"), [(40, 4, [4, 4, 2]), (16, 1, [1] * 4), (5, 9, [2])]
)
def test_signatures_follow_each_other(count: int, size: int, sheets: list[int]) -> None:
    signatures = fold_order(count, size)
    assert [len(signature) for signature in signatures] == sheets
    laid = saddle_stitch(count, A5, "a4", sheets_a_signature=size)
    read: list[int | None] = []
    for length in sheets:
        read += read_order(laid[:length])
        laid = laid[length:]
    assert read == [*range(count), *[None] * (-count % 4)]


def test_no_pages_make_no_sheets() -> None:
    assert saddle_stitch(0, A5, "a4") == []
    assert two_up(0, A5, "a4") == []


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_pages_meet_at_the_fold(paper: str) -> None:
    across, down = (Fraction(str(side)) for side in paper_size("letter", landscape=True))
    size = A5 if paper == "a4" else (across / 2, down)
    for sheet in saddle_stitch(4, size, paper):
        for side in sheet.sides:
            left, right = side.placements
            assert left.trim.right == right.trim.left == sheet.width / 2
            assert left.shown == left.trim
            assert sheet.paper.holds(left.trim)
            assert sheet.paper.holds(right.trim)


def test_inner_pages_creep_to_the_fold_and_stop_at_it() -> None:
    sheets = saddle_stitch(20, A5, "a4", creep=0.25)
    for depth, sheet in enumerate(sheets):
        for side in sheet.sides:
            left, right = side.placements
            fold = sheet.width / 2
            assert left.trim.right - fold == fold - right.trim.left == Fraction(depth, 4)
            assert left.shown.right == right.shown.left == fold
            assert (left.shown.left, right.shown.right) == (left.trim.left, right.trim.right)
            assert left.trim.width == right.trim.width == 148


def test_creep_is_bounded_however_thick_a_booklet_is() -> None:
    for sheet in saddle_stitch(1000, A5, "a4", creep=1):
        left, right = sheet.front.placements
        assert 0 <= sheet.width / 2 - right.trim.left <= MOST_CREEP
        assert 0 <= left.trim.right - sheet.width / 2 <= MOST_CREEP


@pytest.mark.parametrize(
    ("size", "paper", "options", "said"),
    [
        ((210, 297), "a4", {}, "pages of 210 x 297 mm, expected up to 148.5 x 210 mm"),
        (A5, "letter", {}, "expected up to 139.7 x 215.9 mm, half of letter"),
        ((0, 210), "a4", {}, "pages of 0 x 210 mm"),
        (A5, "a4", {"creep": -1}, "a creep of -1 mm"),
        (A5, "a4", {"sheets_a_signature": 0}, "signatures of 0 sheets"),
    ],
)
def test_what_cannot_be_folded_is_refused(size, paper, options, said) -> None:
    with pytest.raises(ValueError, match=said):
        saddle_stitch(8, size, paper, **options)


def test_two_up_keeps_the_order_of_reading() -> None:
    sheets = two_up(5, A5, "a4")
    assert [pages_of(sheet.sides) for sheet in sheets] == [[0, 1], [2, 3], [4, None]]
    assert all(sheet.back is None for sheet in sheets)


def test_twice_has_the_same_page_on_both_halves_with_marks_to_cut_between() -> None:
    sheets = two_up(2, (120, 180), "a4", twice=True)
    assert [pages_of(sheet.sides) for sheet in sheets] == [[0, 0], [1, 1]]
    marks = sheets[0].front.marks
    middle = Fraction(297, 2)
    assert [mark for mark in marks if mark.x1 == mark.x2 == middle]
    for mark in marks:
        line = Rect(mark.x1, mark.y1, mark.x2, mark.y2)
        assert not any(line.meets(one.shown) for one in sheets[0].front.placements)


def test_printed_pages_stand_where_the_placements_say() -> None:
    """Read back: the numbers on the pages, not the sheets that were asked for."""
    pages = numbered_pages(10, *A5)
    read = Sheets(impose(pages, saddle_stitch(10, A5, "a4"), title="Booklet", flip="short"))
    assert read.sizes == [pytest.approx((297, 210), abs=0.001)] * 6
    sides = [[number for number, *_ in read.numbers(side)] for side in range(6)]
    assert sides == [[1], [2], [10, 3], [4, 9], [8, 5], [6, 7]]
    for side in range(6):
        for number, left, bottom in read.numbers(side):
            depth = Fraction(side // 2, 10)
            half = 0.5 + depth if number % 2 == 0 else Fraction("148.5") - depth
            assert left - 20 * 25.4 / 72 == pytest.approx(float(half), abs=0.6)
            assert bottom == pytest.approx(20 * 25.4 / 72, abs=0.2)
