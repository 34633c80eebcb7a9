"""Whatever is packed stands in its area, apart from all else, on few sheets."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.cutouts.packing import Packed, Size, fits, pack

A4 = [(Fraction(180), Fraction(262)), (Fraction(267), Fraction(175))]
GAP = Fraction(3)
lengths = st.fractions(min_value=Fraction(1, 10), max_value=170, max_denominator=997)
sizes = st.tuples(lengths, lengths)


def boxes(
    sheet: Packed, given_sizes: list[Size]
) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    found = []
    for one in sheet.placed:
        width, height = given_sizes[one.index]
        if one.turned:
            width, height = height, width
        found.append((one.x, one.y, one.x + width, one.y + height))
    return found


@settings(max_examples=60)
@given(st.lists(sizes, min_size=1, max_size=40))
def test_each_rectangle_stands_once_inside_and_apart(those: list[Size]) -> None:
    packed = pack(those, A4, gap=GAP)
    assert sorted(one.index for sheet in packed for one in sheet.placed) == list(range(len(those)))
    for sheet in packed:
        wide, high = A4[sheet.area]
        found = boxes(sheet, those)
        for left, top, right, bottom in found:
            assert left >= 0 and top >= 0 and right <= wide and bottom <= high
        for one, other in combinations(found, 2):
            assert (
                one[2] + GAP <= other[0]
                or other[2] + GAP <= one[0]
                or one[3] + GAP <= other[1]
                or other[3] + GAP <= one[1]
            )


@settings(max_examples=60)
@given(st.lists(sizes, min_size=1, max_size=40))
def test_never_more_sheets_than_rectangles_nor_fewer_than_their_area(those: list[Size]) -> None:
    packed = pack(those, A4, gap=GAP)
    largest = max(width * height for width, height in A4)
    covered = sum(width * height for width, height in those)
    assert covered / largest <= len(packed) <= len(those)
    assert all(sheet.placed for sheet in packed)


def rows_and_columns(size: Size, area: Size) -> int:
    width, height = size
    across, down = ((area[0] + GAP) // (width + GAP), (area[1] + GAP) // (height + GAP))
    return int(across * down)


@settings(max_examples=60)
@given(sizes, st.integers(1, 60))
def test_like_rectangles_never_take_more_sheets_than_in_rows_and_columns(
    size: Size, count: int
) -> None:
    # lengths in whole micrometres, as they are reckoned: a row may hold one more or not
    size = (Fraction(math.ceil(size[0] * 1000), 1000), Fraction(math.ceil(size[1] * 1000), 1000))
    packed = pack([size] * count, A4, gap=GAP)
    best = max(rows_and_columns(way, area) for area in A4 for way in (size, size[::-1]))
    assert len(packed) <= math.ceil(count / best)


@settings(max_examples=30)
@given(st.tuples(*[st.fractions(15, 40, max_denominator=10)] * 2), st.integers(1, 150))
def test_small_like_rectangles_fill_their_sheets_but_for_a_third(size: Size, count: int) -> None:
    """Of each side of a sheet at most a part and a gap is left over."""
    packed = pack([size] * count, A4, gap=GAP)
    whole = (size[0] + GAP) * (size[1] + GAP)
    bound = whole * count / ((A4[0][0] + GAP) * (A4[0][1] + GAP))
    assert len(packed) <= math.ceil(bound * Fraction(3, 2))


def test_the_same_sizes_have_the_same_places() -> None:
    those = [(Fraction(n % 7 + 3) * 5, Fraction(n % 5 + 2) * 7) for n in range(60)]
    assert pack(those, A4, gap=GAP) == pack(those, A4, gap=GAP)


def test_what_fits_as_it_is_is_not_turned() -> None:
    (sheet,) = pack([(Fraction(50), Fraction(80))] * 4, A4, gap=GAP)
    assert not any(one.turned for one in sheet.placed)
    assert sheet.area == 0


def test_a_rectangle_is_turned_where_that_alone_lets_it_fit() -> None:
    (sheet,) = pack([(Fraction(262), Fraction(20))], A4[:1], gap=GAP)
    assert sheet.placed[0].turned


def test_three_strips_stand_on_one_sheet_in_their_order() -> None:
    (sheet,) = pack([(Fraction(210), Fraction(28))] * 3, A4[::-1], gap=GAP)
    assert [(one.index, one.turned) for one in sheet.placed] == [(n, False) for n in range(3)]
    assert [one.y for one in sheet.placed] == sorted(one.y for one in sheet.placed)


def test_what_fits_nowhere_is_refused() -> None:
    assert not fits((Fraction(263), Fraction(176)), A4[0])
    with pytest.raises(ValueError, match="fits none"):
        pack([(Fraction(300), Fraction(10))], A4, gap=GAP)


def test_nothing_takes_no_sheet() -> None:
    assert pack([], A4, gap=GAP) == []
