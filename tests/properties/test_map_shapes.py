"""Random outlines, ridges thin and wide: depths by hand, levels that nest, pieces that are told."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from map_samples import inches, scenario

from rulebook.maps.areas import Area
from rulebook.maps.geometry import Point, flattened, is_inside, sides, signed_area, to_segment
from rulebook.maps.ground import levels
from rulebook.maps.pieces import pieces_of


@st.composite
def outlines(draw: st.DrawFn) -> list[Point]:
    """Corners around a middle, either way round, squeezed and turned, with corners on sides."""
    reaches = draw(st.lists(st.integers(6, 20), min_size=3, max_size=9))
    squeezed = draw(st.sampled_from([1.0, 0.5, 0.1, 0.02]))
    turn = math.radians(draw(st.sampled_from([0, 30, 45, 90])))
    around = [
        (reach * math.cos(angle), squeezed * reach * math.sin(angle))
        for reach, angle in (
            (reach, 2 * math.pi * number / len(reaches)) for number, reach in enumerate(reaches)
        )
    ]
    turned = [
        (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
        for x, y in around
    ]
    if draw(st.booleans()):
        halves = pairwise([*turned, turned[0]])
        turned = [
            point for (a, b), (c, d) in halves for point in ((a, b), ((a + c) / 2, (b + d) / 2))
        ]
    return turned[::-1] if draw(st.booleans()) else turned


@settings(max_examples=30)
@given(outlines())
def test_depths_are_those_of_the_nearest_side(ring: list[Point]) -> None:
    area = Area(ring)
    places = [(x / 2, y / 2) for x in range(-40, 41, 5) for y in range(-40, 41)]
    for place, depth in zip(places, area.depths(places), strict=True):
        away = min(to_segment(place, *side)[0] for side in sides(ring))
        assert depth == pytest.approx(away if is_inside(place, [ring]) else 0, abs=1e-9)
        assert depth <= area.deepest + 0.05
    for line in area.lines(0.5 * area.deepest):
        for away in (min(to_segment(one, *side)[0] for side in sides(ring)) for one in line):
            assert away == pytest.approx(0.5 * area.deepest, rel=0.02)


@settings(max_examples=12)
@given(outlines(), st.integers(1, 6))
def test_every_level_lies_on_the_one_below(ring: list[Point], count: int) -> None:
    """All levels are there or, on what is too thin, none; the way round is of no matter."""
    found = levels(tuple(ring), count, 1e9)[0]
    assert [bool(level) for level in found] in ([True] * count, [False] * count)
    assert len({bool(level) for level in (*found, *levels(tuple(ring[::-1]), count, 1e9)[0])}) == 1
    below = [[list(ring)]]
    below += [[flattened(line, closed=True) for line in level] for level in found]
    for under, over in pairwise(below):
        for line in over:
            assert abs(signed_area(line)) > 0
            inside = sum(is_inside(point, under) for point in line)
            assert inside >= 0.9 * len(line), "between its points a line may cut a corner"


@settings(max_examples=15)
@given(outlines(), st.integers(1, 6))
def test_pieces_of_a_hill_are_numbered_as_many_as_they_are(ring: list[Point], count: int) -> None:
    corners = inches(*((40 + x, 30 + y) for x, y in ring))
    hill = {"draw": "hill", "area": corners, "contours": str(count)}
    pieces = pieces_of(scenario({"hill": hill}))
    rises = sorted({piece.level for piece in pieces})
    assert rises in (list(range(1, count + 1)), [1])
    told = {f"level {level} of {len(rises)}" for level in rises} if len(rises) > 1 else {""}
    assert {piece.number for piece in pieces} == told
