"""Pieces on pages: as few pages as may be, all pieces once, breaks where they belong."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from rulebook.typeset.make_up import even_parts, fill_pages

ROOM = 100.0
HEIGHTS = st.lists(st.integers(min_value=1, max_value=100), min_size=1, max_size=9)


def height(heights: list[int], again: list[float], page: range) -> float:
    return sum(heights[n] for n in page) + (again[page.start] if page.start else 0.0)


def fewest(heights: list[int], again: list[float]) -> int:
    """Every way of cutting, tried: a second reckoning."""
    count = len(heights)
    for breaks in range(count):
        for cuts in combinations(range(1, count), breaks):
            edges = [0, *cuts, count]
            pages = [range(a, b) for a, b in pairwise(edges)]
            if all(len(p) == 1 or height(heights, again, p) <= ROOM for p in pages):
                return len(pages)
    return count


@given(HEIGHTS, st.data())
def test_all_pieces_stand_once_in_order_on_as_few_pages_as_hold_them(
    heights: list[int], data: st.DataObject
) -> None:
    again = [float(data.draw(st.sampled_from((0, 8)))) for _ in heights]
    pages = fill_pages([float(one) for one in heights], again, ROOM)
    assert [n for page in pages for n in page] == list(range(len(heights)))
    for page in pages:
        assert len(page) == 1 or height(heights, again, page) <= ROOM
    assert len(pages) == fewest(heights, again)


def test_nothing_takes_no_page() -> None:
    assert fill_pages([], [], ROOM) == []


def test_a_page_rather_begins_something_than_goes_on() -> None:
    """Two forces of four units: even pages would break the second; it begins a page instead."""
    heights = [30.0, 10.0, 10.0, 10.0, 30.0, 10.0, 10.0, 10.0]
    again = [0.0, 7.0, 7.0, 7.0, 0.0, 7.0, 7.0, 7.0]
    assert fill_pages(heights, again, 100.0) == [range(4), range(4, 8)]


def test_no_page_has_a_lone_line() -> None:
    assert fill_pages([10.0] * 11, [5.0] * 11, 100.0) == [range(6), range(6, 11)]


def test_even_parts() -> None:
    assert [len(part) for part in even_parts(11, 5)] == [3, 4, 4]
    assert even_parts(3, 5) == [range(3)]
    assert even_parts(0, 5) == [range(0)]
    for whole in range(1, 60):
        parts = even_parts(whole, 7)
        assert [n for part in parts for n in part] == list(range(whole))
        assert max(map(len, parts)) <= 7
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
        assert len(parts) == -(-whole // 7)
