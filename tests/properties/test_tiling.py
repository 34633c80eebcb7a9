"""Whatever the size of the drawing, its sheets show all of it, and nothing where it must not be."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.cutouts.packing import Tile, Tiles, bar_corner, tile

sizes = st.fractions(min_value=Fraction(1, 10), max_value=1500, max_denominator=1000)
papers = st.sampled_from(["a3", "a4", "a5", "letter"])


def laid(width: Fraction, height: Fraction, tiles: Tiles) -> tuple[Fraction, Fraction]:
    return (height, width) if tiles.turned else (width, height)


@settings(max_examples=50)
@given(sizes, sizes, papers)
def test_tiles_cover_the_drawing_and_overlap_by_ten_millimetres(
    width: Fraction, height: Fraction, paper: str
) -> None:
    tiles = tile(width, height, paper)
    wide, high = laid(width, height, tiles)
    by_place = {(part.row, part.column): part for part in tiles.tiles}
    assert len(by_place) == len(tiles.tiles) == tiles.rows * tiles.columns
    for (row, column), part in by_place.items():
        assert part.x >= 0 and part.y >= 0
        assert part.x + part.width <= wide and part.y + part.height <= high
        assert (column == 1) == (part.x == 0) and (row == 1) == (part.y == 0)
        if column < tiles.columns:
            after = by_place[row, column + 1]
            assert part.x < after.x
            assert part.x + part.width - after.x >= 10
        else:
            assert part.x + part.width == wide
        if row < tiles.rows:
            below = by_place[row + 1, column]
            assert part.y < below.y
            assert part.y + part.height - below.y >= 10
        else:
            assert part.y + part.height == high


@settings(max_examples=50)
@given(sizes, sizes, papers)
def test_windows_lie_in_the_clear_area_beside_the_check_bars(
    width: Fraction, height: Fraction, paper: str
) -> None:
    tiles = tile(width, height, paper)
    bar_x, bar_y = bar_corner(tiles.sheet_height)
    for part in tiles.tiles:
        # 6 mm clear at the edges; the ticks of the bars reach 3.5 mm to each side
        assert part.left >= bar_x + Fraction("3.5") and part.top >= 6
        assert part.left + part.width <= tiles.sheet_width - 6
        assert part.top + part.height <= bar_y - Fraction("3.5")


@settings(max_examples=50)
@given(sizes, sizes, papers)
def test_each_seam_has_two_marks_that_both_its_sheets_show_whole(
    width: Fraction, height: Fraction, paper: str
) -> None:
    tiles = tile(width, height, paper)
    wide, high = laid(width, height, tiles)
    by_place = {(part.row, part.column): part for part in tiles.tiles}

    def marks(part: Tile) -> set[tuple[Fraction, Fraction]]:
        return set(tiles.marks_of(part))

    for (row, column), part in by_place.items():
        for other in (by_place.get((row, column + 1)), by_place.get((row + 1, column))):
            if other is None:
                continue
            shared = marks(part) & marks(other)
            across = high if other.row == row else wide
            assert len(shared) >= (2 if across > 20 else 1)
            along = 0 if other.row == row else 1
            start = (other.x, other.y)[along]
            assert any(mark[along] == start + 5 for mark in shared)


@settings(max_examples=50)
@given(sizes, sizes, papers)
def test_no_other_way_to_lay_it_takes_fewer_sheets(
    width: Fraction, height: Fraction, paper: str
) -> None:
    count = len(tile(width, height, paper).tiles)
    assert count == len(tile(height, width, paper).tiles)


@given(sizes, papers)
def test_a_larger_drawing_never_takes_fewer_sheets(size: Fraction, paper: str) -> None:
    assert len(tile(size, size, paper).tiles) <= len(tile(size + 100, size + 100, paper).tiles)
