"""Pieces on faces: none lost, none turned round, no face too full, no more faces than need be."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from beside import beside
from hypothesis import given
from hypothesis import strategies as st

from rulebook.documents.cards.layout import SLACK, Measured


def measured(*heights: float, room: float = 10.0, gap: float = 0.0) -> Measured:
    bottoms = tuple(accumulate(heights))
    tops = (0.0, *bottoms[:-1])[: len(heights)]
    return Measured(tops, bottoms, gap, room)


@pytest.mark.parametrize(
    ("heights", "counts"),
    beside(__file__, "faces_are_as_even_as_may_be"),
)
def test_faces_are_as_even_as_may_be(heights: tuple[float, ...], counts: list[int]) -> None:
    assert measured(*heights).split() == tuple(counts)


def test_the_gap_above_the_first_piece_of_a_face_is_not_counted() -> None:
    assert measured(10, 11, gap=1).split() == (1, 1)


def test_a_piece_that_fits_no_face_is_found() -> None:
    assert measured(3, 12, 3).too_high() == 1


@given(
    st.lists(st.floats(0.5, 9.5), min_size=1, max_size=25),
    st.floats(10, 40),
)
def test_any_pieces(heights: list[float], room: float) -> None:
    pieces = measured(*heights, room=room)
    counts = pieces.split()
    assert sum(counts) == len(heights) and min(counts) >= 1
    faces = [pieces.height(*ends) for ends in pairwise([0, *accumulate(counts)])]
    assert max(faces) <= room + SLACK
    # One face fewer cannot be had: filling each to the brim needs as many.
    brim, full = 1, 0.0
    for height in heights:
        if full + height > room + SLACK + 1e-9:
            brim, full = brim + 1, 0.0
        full += height
    assert len(counts) <= brim
