"""Whatever is laid out on sheets: each page once, within the paper, nothing over anything else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from read_sheets import pages_of

from rulebook.imposing.arrangements import fold_order, n_up, poster, saddle_stitch, two_up
from rulebook.imposing.imposition import crop_marks, with_note
from rulebook.imposing.layouts import MARGIN, SheetLayout
from rulebook.imposing.placing import Placement, Rect, Sheet, Side, behind, rect

tenths = st.integers(1, 4000).map(lambda tenth: Fraction(tenth, 10))
papers = st.sampled_from(["a3", "a4", "letter"])


@st.composite
def sheet_layouts(draw: st.DrawFn) -> SheetLayout:
    """Grids of any cards, as large as their sheets have to be."""
    columns, rows = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    width, height = draw(tenths), draw(tenths)
    bleed = draw(st.integers(0, 50).map(lambda tenth: Fraction(tenth, 10)))
    across, down = (draw(st.sampled_from([Fraction(0), 2 * bleed, 2 * bleed + 7])) for _ in "xy")
    left, top = (MARGIN + draw(tenths) / 10 for _ in "xy")
    return SheetLayout(
        paper="a4",
        width=2 * left + columns * width + (columns - 1) * across,
        height=2 * top + rows * height + (rows - 1) * down,
        card_width=width,
        card_height=height,
        columns=columns,
        rows=rows,
        left=left,
        top=top,
        gap_across=across,
        gap_down=down,
        bleed=bleed,
    )


@given(sheet_layouts(), st.integers(0, 80), st.sampled_from(["long", "short"]))
def test_cards_stand_once_within_the_paper_and_apart(layout, count, flip) -> None:
    sheets = n_up(range(count), layout, backs=range(count, 2 * count), flip=flip)
    everything = [page for sheet in sheets for page in pages_of(sheet.sides)]
    assert sorted(everything) == [*range(2 * count)]
    for sheet in sheets:
        for side in sheet.sides:
            for number, one in enumerate(side.placements):
                assert sheet.paper.holds(one.trim)
                for other in side.placements[:number]:
                    assert not one.trim.meets(other.trim)
                    assert not one.shown.meets(other.shown)


@given(sheet_layouts(), st.integers(1, 80))
def test_marks_and_notes_touch_nothing_that_is_kept(layout, count) -> None:
    hair = Fraction(1, 100)
    for sheet in n_up(range(count), layout):
        for mark in sheet.front.marks:
            line = Rect(mark.x1 - hair, mark.y1 - hair, mark.x2 + hair, mark.y2 + hair)
            line = Rect(
                min(line.left, line.right),
                min(line.bottom, line.top),
                max(line.left, line.right),
                max(line.bottom, line.top),
            )
            assert sheet.paper.holds(line)
            assert not any(line.meets(one.shown) for one in sheet.front.placements)
        for note in sheet.front.notes:
            at = Rect(note.x, note.y, note.x + hair, note.y + hair)
            assert sheet.paper.holds(at)
            assert not any(at.meets(one.shown) for one in sheet.front.placements)


@given(
    st.integers(1, 400).map(Fraction),
    st.integers(1, 400).map(Fraction),
    st.sampled_from(["long", "short"]),
    st.sampled_from([0, 90, 180, 270]),
)
def test_behind_what_is_behind_is_the_front(width, height, flip, rotation) -> None:
    trim = rect(width / 3, height / 5, width / 2, height / 7)
    front = Placement(4, trim, trim, rotation)
    twice = behind(behind(front, 5, (width, height), flip), 4, (width, height), flip)
    assert twice == front


@given(st.integers(0, 500), st.one_of(st.none(), st.integers(1, 20)))
def test_each_page_of_a_booklet_stands_once(count, size) -> None:
    signatures = fold_order(count, size)
    pages = [page for one in signatures for sheet in one for pair in sheet for page in pair]
    assert sorted(page for page in pages if page is not None) == [*range(count)]
    assert len(pages) == -(-count // 4) * 4
    assert all(len(one) <= (size or len(one)) for one in signatures)


@given(
    st.integers(1, 200),
    st.integers(10, 1485).map(lambda tenth: Fraction(tenth, 10)),
    st.integers(10, 2100).map(lambda tenth: Fraction(tenth, 10)),
    st.integers(0, 30).map(lambda hundredth: Fraction(hundredth, 100)),
)
def test_booklets_are_at_scale_1_within_the_paper(count, width, height, creep) -> None:
    for sheet in saddle_stitch(count, (width, height), "a4", creep=creep):
        for side in sheet.sides:
            left, right = side.placements
            assert not left.shown.meets(right.shown)
            for one in side.placements:
                assert (one.trim.width, one.trim.height) == (width, height)
                assert sheet.paper.holds(one.trim)
                assert one.trim.holds(one.shown)


@given(st.integers(0, 100), st.booleans())
def test_two_up_has_each_page_as_often_as_it_should(count, twice) -> None:
    pages = [
        page for s in two_up(count, (148, 210), "a4", twice=twice) for page in pages_of(s.sides)
    ]
    assert [page for page in pages if page is not None] == sorted([*range(count)] * (1 + twice))


@given(st.integers(1, 1500), st.integers(1, 1500), papers)
def test_posters_show_every_spot_of_the_page(width, height, paper) -> None:
    sheets = poster((width, height), paper)
    shown = [
        placed.shown.moved(-placed.x, -placed.y)
        for sheet in sheets
        for placed in sheet.front.placements
    ]
    for x in (Fraction(1, 9), Fraction(width, 2), Fraction(width) - Fraction(1, 9)):
        for y in (Fraction(1, 9), Fraction(height, 2), Fraction(height) - Fraction(1, 9)):
            assert any(s.left <= x <= s.right and s.bottom <= y <= s.top for s in shown)
    for sheet in sheets:
        assert sheet.paper.holds(sheet.front.placements[0].shown)


@given(st.integers(30, 300), st.integers(30, 300), st.integers(0, 40), st.integers(0, 40))
def test_where_there_is_no_room_marks_and_notes_are_left_out(width, height, x, y) -> None:
    trim = rect(x, y, width, height)
    paper = rect(0, 0, width + 2 * x, height + 2 * y)
    placed = (Placement(0, trim, trim),)
    side = with_note(
        Side(placed, crop_marks(placed, paper)), paper, "Sheet 1 of 1, front.", "Flip."
    )
    assert len(side.notes) <= 1
    assert replace(side, notes=()) == Side(placed, crop_marks(placed, paper))
    if min(x, y) == 0 == max(x, y):
        assert side.marks == () == side.notes
    assert Sheet(paper.width, paper.height, side).paper == paper
