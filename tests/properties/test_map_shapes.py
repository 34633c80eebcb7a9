"""Random outlines, ridges thin and wide: depths by hand, levels that nest, pieces that are told."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from map_samples import expect_nothing_covered, inches, scenario

from rulebook.drawing.elements import Point
from rulebook.maps.areas import Interior
from rulebook.maps.drawing import draw_map
from rulebook.maps.geometry import flattened, is_inside, sides, signed_area, to_segment
from rulebook.maps.ground import levels
from rulebook.maps.terrain import pieces_of
from rulebook.model.map_features import AREA_KINDS, LINE_KINDS


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


@settings(max_examples=20)
@given(outlines())
def test_depths_are_those_of_the_nearest_side(ring):
    area = Interior(ring)
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
def test_every_level_lies_on_the_one_below(ring, count):
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
def test_pieces_of_a_hill_are_numbered_as_many_as_they_are(ring, count):
    corners = inches(*((40 + x, 30 + y) for x, y in ring))
    hill = {"draw": "hill", "area": corners, "contours": str(count)}
    pieces = pieces_of(scenario({"hill": hill}))
    rises = sorted({piece.level for piece in pieces})
    assert rises in (list(range(1, count + 1)), [1])
    told = {f"level {level} of {len(rises)}" for level in rises} if len(rises) > 1 else {""}
    assert {piece.number for piece in pieces} == told


# On random maps no name covers another, an arrow or the edge, and none is lost.

across = st.integers(min_value=0, max_value=96)
up = st.integers(min_value=0, max_value=72)
spots = st.tuples(across, up)
titles = st.text(alphabet="abc lmnoXYZé漢", min_size=1, max_size=24).filter(lambda t: t.strip())


@st.composite
def features(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from([*AREA_KINDS, *LINE_KINDS, "point", "label"]))
    title = draw(titles)
    if kind in LINE_KINDS:
        line = draw(st.lists(spots, min_size=2, max_size=5))
        return {"draw": kind, "title": title, "line": inches(*line)}
    if kind in AREA_KINDS:
        area = draw(st.lists(spots, min_size=3, max_size=6))
        return {"draw": kind, "title": title, "area": inches(*area)}
    return {"draw": kind, "title": title, "at": inches(draw(spots))[0]}


#: An outline that holds nothing, with a name.
FLAT = {"draw": "hill", "title": "X", "area": inches((0, 0), (0, 1), (0, 4))}


@settings(max_examples=12)
@example([FLAT], [], Fraction(1, 30))
@given(
    st.lists(features(), max_size=14),
    st.lists(across, max_size=4),
    st.sampled_from([Fraction(1, 30), Fraction(1, 20), Fraction(1, 8)]),
)
def test_names_are_apart_inside_and_complete(those, entries, scale):
    named = {f"f{number}": feature for number, feature in enumerate(those)}
    places = {
        f"e{number}": {"title": f"Road {number}", "entry": [f"{x}in", "0in"]}
        for number, x in enumerate(entries)
    }
    drawn = draw_map(scenario(named, places=places), scale)
    expect_nothing_covered(drawn)
    told = {one.title for one in (*drawn.names.placed, *drawn.numbered)}
    wanted = {feature["title"].strip() for feature in those}
    assert {title.strip() for title in told} >= wanted
    assert len({one.number for one in drawn.numbered}) == len(drawn.numbered)
