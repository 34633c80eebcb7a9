"""Pieces on faces: none lost, none turned round, no face too full, no more faces than need be."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from beside import beside
from hypothesis import given
from hypothesis import strategies as st

from rulebook.documents.cards.faces import (
    SIZES,
    SLACK,
    FaceTooSmall,
    Measured,
    common_size,
    dealt,
    split,
)


def measured(*heights: float, room: float = 10.0, gap: float = 0.0) -> Measured:
    bottoms = tuple(accumulate(heights))
    tops = (0.0, *bottoms[:-1])[: len(heights)]
    return Measured(tops, bottoms, gap, room)


@pytest.mark.parametrize(
    ("heights", "counts"),
    beside(__file__, "faces_are_as_even_as_may_be"),
)
def test_faces_are_as_even_as_may_be(heights: tuple[float, ...], counts: list[int]) -> None:
    assert split(measured(*heights)) == tuple(counts)


def test_the_gap_above_the_first_piece_of_a_face_is_not_counted() -> None:
    assert split(measured(10, 11, gap=1)) == (1, 1)


def test_a_piece_that_fits_no_face_is_named() -> None:
    with pytest.raises(FaceTooSmall) as raised:
        split(measured(3, 12, 3))
    assert (raised.value.piece, raised.value.height, raised.value.room) == (1, 12, 10)


@given(
    st.lists(st.floats(0.5, 9.5), min_size=1, max_size=25),
    st.floats(10, 40),
)
def test_any_pieces(heights: list[float], room: float) -> None:
    pieces = measured(*heights, room=room)
    counts = split(pieces)
    assert [piece for face in dealt(heights, counts) for piece in face] == heights
    assert min(counts) >= 1
    starts = [0, *accumulate(counts)]
    faces = [pieces.height(a, b - 1) for a, b in pairwise(starts)]
    assert max(faces) <= room + SLACK
    # One face fewer cannot be had: filling each to the brim needs as many.
    brim, full = 1, 0.0
    for height in heights:
        if full + height > room + SLACK + 1e-9:
            brim, full = brim + 1, 0.0
        full += height
    assert len(counts) <= brim


def test_the_type_of_a_deck_is_the_largest_with_the_fewest_faces() -> None:
    assert common_size({10.0: 7, 9.0: 5, 8.0: 5}) == 9.0
    assert common_size(dict.fromkeys(SIZES, 3)) == max(SIZES)
