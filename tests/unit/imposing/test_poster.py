"""Pages larger than the paper: the sheets show all of it, overlap, and share crosses."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from read_sheets import Sheets, numbered_pages

from rulebook.imposing.arrangements import MOST_SHEETS, poster
from rulebook.imposing.imposition import impose
from rulebook.imposing.placing import Rect, Sheet, rect

OVERLAP, CLEAR = 10, 6


def window(sheet: Sheet) -> Rect:
    """What a sheet shows of the page, in millimetres of the page."""
    [placed] = sheet.front.placements
    return placed.shown.moved(-placed.x, -placed.y)


def crosses(sheet: Sheet) -> set[tuple[Fraction, Fraction]]:
    """The middles of the crosses on a sheet, in millimetres of the page."""
    [placed] = sheet.front.placements
    return {
        ((mark.x1 + mark.x2) / 2 - placed.x, (mark.y1 + mark.y2) / 2 - placed.y)
        for mark in sheet.front.marks
    }


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("size", [(420, 594), (1200, 300), (594, 420), (150, 900), (841, 1189)])
def test_the_sheets_show_the_whole_page_at_its_size(paper: str, size: tuple[int, int]) -> None:
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


@pytest.mark.parametrize(
    ("size", "said"),
    [((5000, 5000), f"more than {MOST_SHEETS}"), ((0, 10), "of no size"), ((-5, 10), "of no size")],
)
def test_what_nobody_would_glue_is_refused(size: tuple[int, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        poster(size, "a4")


def test_the_printed_sheets_show_the_page_at_scale_1() -> None:
    sheets = poster((420, 594), "letter")
    read = Sheets(impose(numbered_pages(1, 420, 594), sheets, title="Poster"))
    assert len(read.sizes) == len(sheets)
    assert read.object_count("/Form") == 1
    for number, sheet in enumerate(sheets):
        [drawn] = read.forms(number)
        [placed] = sheet.front.placements
        assert drawn.scale == (1, 0, 0, 1)
        assert drawn.move == pytest.approx((float(placed.x), float(placed.y)), abs=1e-4)
