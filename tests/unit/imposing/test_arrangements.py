"""Cards on sheets: each once, backs behind fronts, marks where nothing is, folds and offsets."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from read_sheets import Sheets, numbered_pages

from rulebook.imposing.arrangements import (
    CREEP,
    MOST_CREEP,
    MOST_SHEETS,
    gutterfold,
    n_up,
    poster,
    saddle_stitch,
)
from rulebook.imposing.imposition import impose
from rulebook.imposing.layouts import layouts
from rulebook.imposing.placing import PrintedSheet, Rect, Segment, rect
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size

LAYOUTS = layouts(templates_folder())
SHEETS = [(name, paper) for name, one in LAYOUTS.items() for paper in one.sheets]
POKER = LAYOUTS["poker"].sheets["a4"]


def box_of(mark: Segment) -> Rect:
    """A line has no width; a hair of it makes it meet what it runs through."""
    hair = Fraction(1, 1000)
    return Rect(
        min(mark.x1, mark.x2) - hair,
        min(mark.y1, mark.y2) - hair,
        max(mark.x1, mark.x2) + hair,
        max(mark.y1, mark.y2) + hair,
    )


def seen_through(trim: Rect, sheet: PrintedSheet, *, upright: bool) -> Rect:
    """Where a rectangle of the back lies as the front is looked at."""
    if upright:
        return replace(trim, left=sheet.width - trim.right, right=sheet.width - trim.left)
    return replace(trim, bottom=sheet.height - trim.top, top=sheet.height - trim.bottom)


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize(("name", "paper"), SHEETS)
def test_backs_lie_exactly_behind_their_fronts(name: str, paper: str, flip: str) -> None:
    layout = LAYOUTS[name].sheets[paper]
    count = layout.places + 1
    sheets = n_up(range(count), layout, backs=range(count, 2 * count), flip=flip)
    upright = (layout.height > layout.width) == (flip == "long")
    for sheet in sheets:
        for front, back in zip(sheet.front.placements, sheet.back.placements, strict=True):
            assert back.page == front.page + count
            assert seen_through(back.trim, sheet, upright=upright) == front.trim
            assert seen_through(back.shown, sheet, upright=upright) == front.shown
            assert back.on_its_head is not upright


def test_an_offset_moves_the_backs_and_nothing_else() -> None:
    [plain] = n_up(range(4), POKER, backs=range(4, 8))
    [moved] = n_up(range(4), POKER, backs=range(4, 8), offset=(1.5, -0.5))
    assert moved.front == plain.front
    for one, other in zip(plain.back.placements, moved.back.placements, strict=True):
        assert other == one.moved(Fraction(3, 2), Fraction(-1, 2))


@pytest.mark.parametrize(("name", "paper"), SHEETS)
def test_crop_marks_tell_every_cut_and_nothing_else(name: str, paper: str) -> None:
    layout = LAYOUTS[name].sheets[paper]
    for count in {1, layout.columns, layout.places - 1, layout.places}:
        [sheet] = n_up(range(count), layout)
        trims = [one.trim for one in sheet.front.placements]
        assert all(mark.x1 == mark.x2 or mark.y1 == mark.y2 for mark in sheet.front.marks)
        level = {mark.y1 for mark in sheet.front.marks if mark.y1 == mark.y2}
        upright = {mark.x1 for mark in sheet.front.marks if mark.x1 == mark.x2}
        assert level == {edge for trim in trims for edge in (trim.bottom, trim.top)}
        assert upright == {edge for trim in trims for edge in (trim.left, trim.right)}


@pytest.mark.parametrize(("name", "paper"), SHEETS)
def test_notes_say_which_sheet_and_side_it_is(name: str, paper: str) -> None:
    layout = LAYOUTS[name].sheets[paper]
    count = 2 * layout.places
    for number, sheet in enumerate(n_up(range(count), layout, backs=range(count)), start=1):
        for side, which in ((sheet.front, "front"), (sheet.back, "back")):
            [note] = side.notes
            assert note.text.startswith(f"Sheet {number} of 2, {which}.")
            assert "flipped on the long edge" in note.text
            assert sheet.paper.holds(Rect(note.x, note.y, note.x, note.y))


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_folded_along_the_gutter_backs_come_behind_fronts(name: str, paper: str) -> None:
    card = LAYOUTS[name]
    sheets = gutterfold(range(7), range(7, 14), card, paper)
    fronts = [one.page for s in sheets for one in s.front.placements if one.page < 7]
    assert fronts == [*range(7)]
    for sheet in sheets:
        assert sheet.back is None
        places = {one.page: one for one in sheet.front.placements}
        for page, front in places.items():
            if page >= 7:
                continue
            back = places[page + 7]
            assert front.trim.right < sheet.width / 2 < back.trim.left
            assert seen_through(back.trim, sheet, upright=True) == front.trim
            assert not back.on_its_head
            assert sheet.paper.holds(front.shown)
        folds = [mark for mark in sheet.front.marks if mark.dashed]
        assert [(fold.x1, fold.x2) for fold in folds] == [(sheet.width / 2, sheet.width / 2)]
        for one in sheet.front.placements:
            assert not any(box_of(mark).meets(one.shown) for mark in sheet.front.marks)


def test_a_card_larger_than_half_the_paper_is_not_folded() -> None:
    large = replace(LAYOUTS["a6"], width=Fraction(150), height=Fraction(210))
    with pytest.raises(ValueError, match="half a sheet of a4 has no room"):
        gutterfold([0], [1], large, "a4")


def test_read_back_cards_stand_at_scale_1_within_their_trims() -> None:
    """From the PDF's own operators: the transformation, the window, the numbers on the cards."""
    pages = numbered_pages(12, 63, 88, bleed=3)
    sheets = n_up(range(0, 12, 2), POKER, backs=range(1, 12, 2), flip="short", offset=(1, 2))
    read = Sheets(impose(pages, sheets, title="Cards", flip="short"))
    assert len(read.sizes) == 2
    front, back = sheets[0].sides
    for number, side, way, corner in ((0, front, 1, (3, 3)), (1, back, -1, (3 + 63, 3 + 88))):
        drawn = read.forms(number)
        assert len(drawn) == 6
        for form, placed in zip(drawn, side.placements, strict=True):
            assert form.scale == pytest.approx((way, 0, 0, way), abs=1e-9)
            shown = placed.shown
            window = (shown.left, shown.bottom, shown.width, shown.height)
            assert form.window == pytest.approx([float(one) for one in window], abs=1e-4)
            at = [part * way + move for part, move in zip(corner, form.move, strict=True)]
            assert at == pytest.approx([float(placed.x), float(placed.y)], abs=1e-3)
    assert [number for number, *_ in read.numbers(0)] == [1, 3, 5, 7, 9, 11]
    lines = {tuple(round(x, 2) for x in line) for line in read.lines(0)}
    assert lines == {
        tuple(round(float(x), 2) for x in (m.x1, m.y1, m.x2, m.y2)) for m in front.marks
    }


def test_a_page_that_stands_often_is_in_the_file_once() -> None:
    pages = numbered_pages(2, 63, 88, bleed=3)
    few = impose(pages, n_up([0], POKER, backs=[1]), title="Cards")
    many = impose(pages, n_up([0] * 900, POKER, backs=[1] * 900), title="Cards")
    assert Sheets(many).object_count("/Form") == 2 + 200  # the marks of each side
    assert len(Sheets(many).sizes) == 200
    assert len(many) < len(few) + 200 * 800


def test_notes_are_set_in_a_font_that_is_in_the_file() -> None:
    pages = numbered_pages(1, 63, 88, bleed=3)
    read = Sheets(impose(pages, n_up([0], POKER, backs=[0]), title="Cards"))
    text = " ".join(read.viewed[1].get_textpage().get_text_bounded().split())
    assert "Sheet 1 of 1, back. Print at 100 %. Both sides, flipped on the long edge." in text
    fonts = list(read.pdf.pages[0].Resources.XObject.Marks.Resources.Font.values())
    assert fonts
    assert all("/FontFile2" in font.DescendantFonts[0].FontDescriptor for font in fonts)


def test_pages_of_another_size_than_their_places_are_refused_by_their_number() -> None:
    parts = [numbered_pages(1, 63, 88), numbered_pages(1, 88, 63)]
    with pytest.raises(ValueError, match="page 2 is 88 x 63 mm, its place 63 x 88 mm"):
        impose(parts, n_up([0, 1], POKER), title="Cards")


# The order of pages in a booklet, where they stand, and how far they creep.

A5 = paper_size("a5")


def read_order(sheets: list[PrintedSheet]) -> list[int | None]:
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


@given(st.integers(0, 500))
def test_a_folded_booklet_reads_from_its_first_page_to_its_last(count: int) -> None:
    laid = saddle_stitch(count, A5, "a4")
    assert read_order(laid) == [*range(count), *[None] * (-count % 4)]


@pytest.mark.parametrize(("pages", "step"), [(20, CREEP), (1000, MOST_CREEP / 249)])
def test_inner_pages_creep_to_the_fold_by_no_more_than_two_millimetres(pages, step) -> None:
    for depth, sheet in enumerate(saddle_stitch(pages, A5, "a4")):
        for side in sheet.sides:
            left, right = side.placements
            fold = sheet.width / 2
            assert left.trim.right - fold == fold - right.trim.left == depth * step
            assert left.shown.right == right.shown.left == fold
            assert (left.shown.left, right.shown.right) == (left.trim.left, right.trim.right)
            assert left.trim.width == right.trim.width == 148


# Pages larger than the paper: the sheets show all of it, overlap, and share crosses.

OVERLAP, CLEAR = 10, 6


def window(sheet: PrintedSheet) -> Rect:
    """What a sheet shows of the page, in millimetres of the page."""
    [placed] = sheet.front.placements
    return placed.shown.moved(-placed.x, -placed.y)


def crosses(sheet: PrintedSheet) -> set[tuple[Fraction, Fraction]]:
    """The middles of the crosses on a sheet, in millimetres of the page."""
    [placed] = sheet.front.placements
    return {
        ((mark.x1 + mark.x2) / 2 - placed.x, (mark.y1 + mark.y2) / 2 - placed.y)
        for mark in sheet.front.marks
    }


@given(st.tuples(*[st.integers(1, 1500)] * 2), st.sampled_from(["a4", "letter", "a3"]))
@example((420, 594), "a4")
def test_the_sheets_show_the_whole_page_at_its_size(size: tuple[int, int], paper: str) -> None:
    sheets = poster(size, paper)
    windows = [window(sheet) for sheet in sheets]
    page = rect(0, 0, *size)
    for sheet, seen in zip(sheets, windows, strict=True):
        [placed] = sheet.front.placements
        assert (placed.trim.width, placed.trim.height) == size
        assert page.holds(seen)
        assert rect(CLEAR, CLEAR, sheet.width - 2 * CLEAR, sheet.height - 2 * CLEAR).holds(
            placed.shown
        )
    columns, rows = (
        sorted({getattr(seen, edge) for seen in windows}) for edge in ("left", "bottom")
    )
    assert len(sheets) == len(columns) * len(rows)
    for edges, extent in ((columns, "width"), (rows, "height")):
        length = getattr(windows[0], extent)
        assert edges[0] == 0
        assert edges[-1] + length == getattr(page, extent)
        for one, other in pairwise(edges):
            assert one + length - other == OVERLAP


def test_rows_run_from_the_top_and_say_which_they_are() -> None:
    sheets = poster((420, 594), "a4")
    places = [(-window(sheet).top, window(sheet).left) for sheet in sheets]
    assert places == sorted(places)
    for number, sheet in enumerate(sheets, start=1):
        [note] = sheet.front.notes
        assert note.text.startswith(f"Sheet {number} of {len(sheets)}.")
        assert note.text.endswith("Lay cross on cross and glue.")


def test_neighbours_share_their_crosses() -> None:
    sheets = poster((420, 594), "a4")
    for sheet in sheets:
        others = [other for other in sheets if other is not sheet]
        assert crosses(sheet)
        for cross in crosses(sheet):
            assert any(cross in crosses(other) for other in others)
            assert rect(0, 0, 420, 594).holds(Rect(*cross, *cross))


def test_a_page_that_fits_is_one_sheet_without_crosses() -> None:
    [sheet] = poster((150, 200), "a4")
    assert sheet.front.marks == ()
    assert window(sheet) == rect(0, 0, 150, 200)


def test_what_nobody_would_glue_is_refused() -> None:
    with pytest.raises(ValueError, match=f"more than {MOST_SHEETS}"):
        poster((5000, 5000), "a4")


def test_the_printed_sheets_show_the_page_at_scale_1() -> None:
    sheets = poster((420, 594), "letter")
    read = Sheets(impose(numbered_pages(1, 420, 594), sheets, title="Poster"))
    assert len(read.sizes) == len(sheets)
    assert read.object_count("/Form") == 1 + len(sheets)
    for number, sheet in enumerate(sheets):
        [drawn] = read.forms(number)
        [placed] = sheet.front.placements
        assert drawn.scale == (1, 0, 0, 1)
        assert drawn.move == pytest.approx((float(placed.x), float(placed.y)), abs=1e-4)
