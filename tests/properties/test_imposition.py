"""Whatever is laid out on sheets: each page once, within the paper, nothing over anything else."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from read_sheets import pages_of

from rulebook.cutouts.filling import Packed, fits, pack
from rulebook.cutouts.packing import (
    PART_GAP,
    PIECE_ROOM,
    PieceView,
    Size,
    Tiles,
    ViewGroup,
    bar_corner,
    tile,
    whole_view,
)
from rulebook.drawing.shapes import Drawing
from rulebook.imposing.arrangements import n_up, saddle_stitch
from rulebook.imposing.imposition import crop_marks, with_note
from rulebook.imposing.layouts import MARGIN, SheetLayout
from rulebook.imposing.placing import Placement, PrintedSheet, Rect, SheetSide, behind, rect

tenths = st.integers(1, 4000).map(lambda tenth: Fraction(tenth, 10))


@st.composite
def sheet_layouts(draw: st.DrawFn) -> SheetLayout:
    """Grids of any cards, as large as their sheets have to be."""
    columns, rows = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    width, height = draw(tenths), draw(tenths)
    bleed = draw(st.integers(0, 50).map(lambda tenth: Fraction(tenth, 10)))
    across, down = (draw(st.sampled_from([Fraction(0), 2 * bleed, 2 * bleed + 7])) for _ in "xy")
    left, top = (MARGIN + draw(tenths) / 10 for _ in "xy")
    return SheetLayout(
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
def test_cards_stand_once_within_the_paper_and_apart(layout, count, flip):
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
def test_marks_and_notes_touch_nothing_that_is_kept(layout, count):
    hair = Fraction(1, 100)
    for sheet in n_up(range(count), layout):
        for mark in sheet.front.marks:
            (left, right), (bottom, top) = sorted((mark.x1, mark.x2)), sorted((mark.y1, mark.y2))
            line = Rect(left - hair, bottom - hair, right + hair, top + hair)
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
    st.booleans(),
)
def test_behind_what_is_behind_is_the_front(width, height, flip, on_its_head):
    trim = rect(width / 3, height / 5, width / 2, height / 7)
    front = Placement(4, trim, trim, on_its_head)
    twice = behind(behind(front, 5, (width, height), flip), 4, (width, height), flip)
    assert twice == front


@given(
    st.integers(1, 200),
    st.integers(10, 1485).map(lambda tenth: Fraction(tenth, 10)),
    st.integers(10, 2100).map(lambda tenth: Fraction(tenth, 10)),
)
def test_booklets_are_at_scale_1_within_the_paper(count, width, height):
    for sheet in saddle_stitch(count, (width, height), "a4"):
        for side in sheet.sides:
            left, right = side.placements
            assert not left.shown.meets(right.shown)
            for one in side.placements:
                assert (one.trim.width, one.trim.height) == (width, height)
                assert sheet.paper.holds(one.trim)
                assert one.trim.holds(one.shown)


@given(st.integers(30, 300), st.integers(30, 300), st.integers(0, 40), st.integers(0, 40))
def test_where_there_is_no_room_marks_and_notes_are_left_out(width, height, x, y):
    trim = rect(x, y, width, height)
    paper = rect(0, 0, width + 2 * x, height + 2 * y)
    placed = (Placement(0, trim, trim),)
    side = with_note(
        SheetSide(placed, crop_marks(placed, paper)), paper, "Sheet 1 of 1, front.", "Flip."
    )
    assert len(side.notes) <= 1
    assert replace(side, notes=()) == SheetSide(placed, crop_marks(placed, paper))
    if min(x, y) == 0 == max(x, y):
        assert side.marks == () == side.notes
    assert PrintedSheet(paper.width, paper.height, side).paper == paper


# Whatever the size of the drawing, its sheets show all of it, and nothing where it must not be.

sizes = st.fractions(min_value=Fraction(1, 10), max_value=1500, max_denominator=1000)
papers = st.sampled_from(["a3", "a4", "a5", "letter"])


def laid(width: Fraction, height: Fraction, tiles: Tiles) -> tuple[Fraction, Fraction]:
    return (height, width) if tiles.turned else (width, height)


@given(sizes, sizes, papers)
def test_tiles_cover_the_drawing_and_overlap_by_ten_millimetres(width, height, paper):
    """In the clear area beside the check bars; each seam has two marks that both sheets show."""
    tiles = tile(width, height, paper)
    wide, high = laid(width, height, tiles)
    by_place = {(part.row, part.column): part for part in tiles.tiles}
    assert len(by_place) == len(tiles.tiles) == tiles.rows * tiles.columns
    assert len(tiles.tiles) == len(tile(height, width, paper).tiles), "no way takes fewer sheets"
    bar_x, bar_y = bar_corner(tiles.sheet_height)
    for (row, column), part in by_place.items():
        right, below = part.x + part.width, part.y + part.height
        assert part.x >= 0 and right <= wide and part.y >= 0 and below <= high
        assert (column == 1) == (part.x == 0) and (row == 1) == (part.y == 0)
        assert column < tiles.columns or right == wide
        assert row < tiles.rows or below == high
        # 6 mm clear at the edges; the ticks of the bars reach 3.5 mm to each side
        assert part.left >= bar_x + Fraction("3.5") and part.top >= 6
        assert part.left + part.width <= tiles.sheet_width - 6
        assert part.top + part.height <= bar_y - Fraction("3.5")
        beside = by_place.get((row, column + 1)), by_place.get((row + 1, column))
        for along, (other, across) in enumerate(zip(beside, (high, wide), strict=True)):
            if other is not None:
                start = (other.x, other.y)[along]
                assert (part.x, part.y)[along] < start <= (right, below)[along] - 10
                shared = {*tiles.marks_of(part)} & {*tiles.marks_of(other)}
                assert len(shared) >= (2 if across > 20 else 1)
                assert any(mark[along] == start + 5 for mark in shared)


@given(sizes, papers)
def test_a_larger_drawing_never_takes_fewer_sheets(size, paper):
    assert len(tile(size, size, paper).tiles) <= len(tile(size + 100, size + 100, paper).tiles)


# Whatever is packed stands in its area, apart from all else, on few sheets.

A4 = [(Fraction(180), Fraction(262)), (Fraction(267), Fraction(175))]
GAP = PART_GAP
lengths = st.fractions(min_value=Fraction(21, 10), max_value=170, max_denominator=997)
boxes_to_pack = st.tuples(lengths, lengths)


def views(*those: Size) -> tuple[PieceView, ...]:
    """Pieces that take so much room, the knife's included."""
    found = []
    for width, height in those:
        drawing = Drawing("Plate", "", width - 2 * PIECE_ROOM, height - 2 * PIECE_ROOM, ())
        found.append(whole_view(drawing, tile(drawing.width, drawing.height, "a4")))
    return tuple(found)


def singly(those: list[Size]) -> list[ViewGroup]:
    return [ViewGroup("Plate", "", False, views(size)) for size in those]


def boxes(sheet: Packed) -> list[Rect]:
    return [Rect(one.x, one.y, one.x + one.size[0], one.y + one.size[1]) for one in sheet[1]]


@settings(max_examples=20)
@given(st.lists(boxes_to_pack, min_size=1, max_size=40))
def test_each_rectangle_stands_once_inside_and_apart(those):
    """On no more sheets than there are rectangles, nor fewer than their area takes."""
    packed = pack(singly(those), A4)
    assert sorted(one.group for _, parts in packed for one in parts) == list(range(len(those)))
    covered = sum(width * height for width, height in those)
    largest = max(width * height for width, height in A4)
    assert covered / largest <= len(packed) <= len(those)
    for sheet in packed:
        area, found = Rect(Fraction(0), Fraction(0), *A4[sheet[0]]), boxes(sheet)
        assert all((one.width, one.height) == those[one.group] for one in sheet[1])
        assert found and all(area.holds(one) for one in found)
        for one, other in combinations(found, 2):
            around = Rect(one.left - GAP, one.bottom - GAP, one.right + GAP, one.top + GAP)
            assert not around.meets(other)


@settings(max_examples=20)
@given(st.lists(st.tuples(boxes_to_pack, st.integers(1, 30)), min_size=1, max_size=6))
def test_all_of_every_group_stand_in_their_order(those):
    groups = [
        ViewGroup(f"Set {n}", "", True, views(*[one] * many)) for n, (one, many) in enumerate(those)
    ]
    packed = pack(groups, A4)
    for index, (_, many) in enumerate(those):
        parts = [one for _, parts in packed for one in parts if one.group == index]
        assert sum(len(part.views) for part in parts) == many
        for part in parts:
            name = "".join(line.text for line in part.caption)
            assert name.startswith("Set"), "each has its name, however narrow it is"
            for view in part.views:
                right, bottom = view.tile.left + view.tile.width, view.tile.top + view.tile.height
                assert right + view.room[0] <= part.width and bottom + view.room[1] <= part.height


def rows_and_columns(size: Size, area: Size) -> int:
    width, height = size
    across, down = ((area[0] + GAP) // (width + GAP), (area[1] + GAP) // (height + GAP))
    return int(across * down)


@settings(max_examples=20)
@given(boxes_to_pack, st.integers(1, 60))
def test_like_rectangles_never_take_more_sheets_than_in_rows_and_columns(size, count):
    packed = pack([ViewGroup("Plate", "", False, views(*[size] * count))], A4)
    best = max(rows_and_columns(way, area) for area in A4 for way in (size, size[::-1]))
    assert len(packed) <= math.ceil(count / best)


@settings(max_examples=20)
@given(st.tuples(*[st.fractions(15, 40, max_denominator=10)] * 2), st.integers(1, 150))
def test_small_like_rectangles_fill_their_sheets_but_for_a_third(size, count):
    """Of each side of a sheet at most a part and a gap is left over."""
    packed = pack([ViewGroup("Plate", "", False, views(*[size] * count))], A4)
    whole = (size[0] + GAP) * (size[1] + GAP)
    bound = whole * count / ((A4[0][0] + GAP) * (A4[0][1] + GAP))
    assert len(packed) <= math.ceil(bound * Fraction(3, 2))


def test_what_fits_as_it_is_is_not_turned():
    ((area, parts),) = pack(singly([(Fraction(50), Fraction(80))] * 4), A4)
    assert not any(part.turned for part in parts)
    assert area == 0


def test_a_rectangle_is_turned_where_that_alone_lets_it_fit():
    ((_, (part,)),) = pack(singly([(Fraction(262), Fraction(20))]), A4[:1])
    assert part.turned


def test_what_fits_nowhere_is_refused():
    (long,) = singly([(Fraction(300), Fraction(10))])
    assert not fits(long, long.views[0], A4)
    with pytest.raises(ValueError, match="fits none"):
        pack([long], A4)
