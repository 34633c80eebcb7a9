"""Areas, cuts, tracks and curves of the plane, against what can be reckoned by hand."""

import math

import pytest

from rulebook.maps.areas import Interior, outside
from rulebook.maps.geometry import (
    MeasuredLine,
    ellipse,
    flattened,
    hatching,
    is_inside,
    main_direction,
    meeting,
    ribbon,
    rounded,
    signed_area,
    to_segment,
)
from rulebook.maps.ground import drawn, scattered, seed_of

SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
HOLE = [(4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0)]
BOW_TIE = [(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]


def test_segments_are_cut_by_areas() -> None:
    through, back, inside = [(-5.0, 5.0), (15.0, 5.0)], [(15.0, 4.0), (-5.0, 4.0)], [(1, 1), (2, 2)]
    pieces = list(outside([through, inside, back], (tuple(SQUARE),)))
    assert pieces[:2] == [[(-5, 5), (0, 5)], [(10, 5), (15, 5)]]
    assert pieces[2:] == [[(15, 4), (10, 4)], [(0, 4), (-5, 4)]], "in order, and not turned round"
    assert list(outside([through], ())) == [through]
    assert meeting(((0, 0), (10, 10)), ((0, 10), (10, 0))) == pytest.approx(0.5)
    assert meeting(((0, 0), (10, 0)), ((0, 1), (10, 1))) is None
    assert to_segment((5, 3), (0, 0), (10, 0)) == (3, 0.5)
    assert to_segment((5, 3), (5, 0), (5, 0)) == (3, 0), "a segment that is a point"


@pytest.mark.parametrize("angle", [0.0, 45.0, 90.0, -30.0, 180.0])
def test_hatching_fills_an_area_evenly(angle: float) -> None:
    lines = list(hatching([SQUARE], angle, 0.01))
    assert sum(math.dist(*line) for line in lines) * 0.01 == pytest.approx(100, rel=0.01)
    assert sum(math.dist(*line) for line in hatching([SQUARE, HOLE], angle, 0.01)) * 0.01 == (
        pytest.approx(96, rel=0.01)
    )


@pytest.mark.parametrize("angle", [-80, -30, 0, 25, 89])
def test_the_main_direction_is_that_of_the_length(angle: int) -> None:
    ring = flattened(ellipse((3, 4), 20, 5, angle), closed=True)
    assert main_direction(ring) == pytest.approx(angle, abs=0.5)
    assert main_direction(SQUARE) == 0


def test_a_track_is_walked() -> None:
    track = MeasuredLine.from_points([(0, 0), (0, 0), (10, 0), (10, 10)])
    assert track.length == 20
    assert track.at(15) == ((10, 5), math.pi / 2)
    assert track.nearest((4, 3)) == (3, 4)
    assert track.beside(5, 2) == (5, 2), "to the right, where y runs down"
    assert list(track.steps(6)) == pytest.approx([0, 20 / 3, 40 / 3, 20])
    alone = MeasuredLine.from_points([(1, 2), (1, 2)])
    assert alone.length == 0 and alone.at(5)[0] == (1, 2) and list(alone.steps(1)) == []
    assert abs(
        signed_area(ribbon(MeasuredLine.from_points([(0, 0), (10, 0)]), [2, 2]))
    ) == pytest.approx(20)


def test_rounded_corners_stay_within_the_outline() -> None:
    tiles = [(0.0, 0.0), (6.0, 0.0), (6.0, 3.0), (3.0, 3.0), (3.0, 6.0), (0.0, 6.0)]
    ring = flattened(rounded(tiles, 0.2), closed=True)
    assert all(0.0 <= x <= 6.0 and 0.0 <= y <= 6.0 for x, y in ring)
    cut = 3.0 * 0.2
    assert (cut, 0.0) in ring and (0.0, cut) in ring
    assert min(math.hypot(x, y) for x, y in ring) > 0.2 * cut


def test_a_narrow_waist_parts_two_tops() -> None:
    bone = [(0, 0), (8, 0), (8, 3), (16, 3), (16, 0), (24, 0)]
    bone += [(24, 8), (16, 8), (16, 5), (8, 5), (8, 8), (0, 8)]
    area = Interior([(float(x), float(y)) for x, y in bone])
    assert len(area.lines(0.5)) == 1
    assert len(area.lines(2.0)) == 2


def test_a_scatter_is_even_and_always_the_same() -> None:
    places = [place for place, _ in scattered(SQUARE, 1.0, seed_of("mcpherson_woods"))]
    again = [place for place, _ in scattered(SQUARE, 1.0, seed_of("mcpherson_woods"))]
    assert places == again
    assert places != [place for place, _ in scattered(SQUARE, 1.0, seed_of("other_woods"))]
    nearest = [min(math.dist(a, b) for b in places if a != b) for a in places]
    assert min(nearest) > 0.2
    inside = sum(is_inside(place, [SQUARE]) for place in places)
    assert inside == pytest.approx(100 / (math.sqrt(3) / 2), rel=0.08)
    assert 0 <= drawn(7, 1, 2) < 1 and drawn(7, 1, 2) != drawn(7, 2, 1)
