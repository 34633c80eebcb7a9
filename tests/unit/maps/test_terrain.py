"""Terrain to cut out: pieces have the shape of the ground, strips and tiles fit each other."""

import re
from itertools import pairwise
from math import dist, pi
from typing import Any

import pytest
from beside import beside
from map_samples import FEATURES, gettysburg, inches, scenario

from rulebook.drawing.elements import Path
from rulebook.maps.geometry import is_inside, signed_area
from rulebook.maps.terrain import LONGEST_STRIP, TerrainPiece, pieces_of, stamp_tile

INCH = 25.4
Features = dict[str, Any]


def pieces(features: Features) -> list[TerrainPiece]:
    return pieces_of(scenario(features))


def sizes(piece: TerrainPiece) -> tuple[float, float]:
    xs, ys = zip(*piece.outline, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def area(piece: TerrainPiece) -> float:
    """In square inches."""
    return abs(signed_area(piece.outline)) / INCH**2


def test_a_building_has_its_plan_and_its_sections() -> None:
    box = {"centre": ["20in", "10in"], "width": "4in", "depth": "2in"}
    (piece,) = pieces({"barn": {"draw": "building", "title": "Barn", "box": box, "sections": "2"}})
    assert sizes(piece) == pytest.approx((4 * INCH, 2 * INCH))
    assert sum(abs(signed_area(ring)) for ring in piece.inside) == pytest.approx(8 * INCH**2)
    assert (piece.title, piece.number, piece.square) == ("Barn", "", "B1")


def test_an_oval_is_as_large_as_it_is_and_one_of_nature_is_bent_within_it() -> None:
    oval = {"centre": ["20in", "20in"], "width": "12in", "depth": "8in", "turn": "30"}
    tower, wood = pieces({name: {"draw": name, "oval": oval} for name in ("building", "woods")})
    assert area(tower) == pytest.approx(pi * 6 * 4, rel=2e-3)
    assert 0.75 * area(tower) < area(wood) < area(tower)
    assert wood.title == "Woods"


def test_a_town_falls_into_its_sections() -> None:
    town = {"draw": "town", "area": inches((0, 0), (12, 0), (12, 9), (0, 9)), "sections": "6"}
    found = pieces({"ville": town})
    assert [piece.number for piece in found] == [f"{n} of 6" for n in range(1, 7)]
    assert sum(map(area, found)) == pytest.approx(12 * 9)


def test_levels_of_a_hill_lie_on_each_other() -> None:
    hill = {"draw": "hill", "area": inches((0, 0), (20, 0), (22, 14), (4, 16)), "contours": "3"}
    low, middle, top = pieces({"hill": hill})
    assert [one.level for one in (low, middle, top)] == [1, 2, 3]
    assert area(low) > area(middle) > area(top)
    for under, over in pairwise((low, middle, top)):
        assert under.inside == (over.outline,), "where the next one lies is drawn on it"
        assert all(is_inside(point, [under.outline]) for point in over.outline)


def test_strips_of_a_straight_road_are_boxes_of_one_length() -> None:
    found = pieces({"pike": {"draw": "road", "width": "2in", "line": inches((0, 9), (40, 9))}})
    assert [sizes(piece) for piece in found] == [pytest.approx((8 * INCH, 2 * INCH))] * 5
    assert 40 * INCH / 5 <= LONGEST_STRIP < 40 * INCH / 4
    assert [piece.square for piece in found] == ["A1", "B1", "B1", "C1", "D1"]


BEND = inches((2, 2), (14, 20), (30, 12), (44, 30))


@pytest.mark.parametrize("kind", ["road", "track", "railway", "river", "stream"])
def test_strips_join_without_a_gap(kind: str) -> None:
    found = pieces({"way": {"draw": kind, "width": "2in", "line": BEND}})
    assert len(found) > 3
    for one, other in pairwise(found):
        half = len(one.outline) // 2
        # along the right side and back along the left: the far end of one is the near end of
        # the other
        far = dist(one.outline[half - 1], one.outline[half])
        near = dist(other.outline[0], other.outline[-1])
        assert far == pytest.approx(near)
    widest = max(dist(piece.outline[0], piece.outline[-1]) for piece in found)
    assert widest == pytest.approx(2 * INCH, rel=0.02)
    assert all(max(sizes(piece)) < LONGEST_STRIP + 2 * INCH for piece in found)


def test_a_road_has_the_area_of_its_length_and_width() -> None:
    found = pieces(
        {"way": {"draw": "road", "width": "1in", "line": inches((1, 1), (4, 5), (7, 9))}}
    )
    assert sum(map(area, found)) == pytest.approx(dist((1, 1), (7, 9)), rel=1e-3)


def test_bridges_and_fords_reach_over_the_water() -> None:
    river = {
        "draw": "river",
        "width": "3in",
        "line": inches((20, 0), (20, 40)),
        "bridges": inches((20, 10)),
        "fords": inches((20, 30)),
    }
    road = {"draw": "road", "width": "2in", "line": inches((0, 10), (40, 10))}
    found = {piece.kind: piece for piece in pieces({"river": river, "road": road})}
    assert sizes(found["bridge"]) == pytest.approx((4 * INCH, 2 * INCH))
    assert sizes(found["ford"]) == pytest.approx((4 * INCH, 1.5 * INCH))


def test_fences_walls_hedges_and_points_are_no_pieces() -> None:
    none = {
        kind: {"draw": kind, "line": inches((0, 0), (10, 10))}
        for kind in ("fence", "wall", "hedge")
    }
    assert pieces({**none, "tree": {"draw": "point", "at": ["3in", "3in"]}}) == []


def test_every_other_feature_has_pieces_and_room_for_words() -> None:
    found = pieces_of(gettysburg())
    without = ("fence", "wall", "hedge", "point", "label")
    cut = {name for name, one in FEATURES.items() if one["draw"] not in without}
    assert {piece.feature for piece in found} == cut
    assert all(min(piece.room) > 0 for piece in found)
    assert found == pieces_of(gettysburg())


@pytest.mark.parametrize("feature", beside(__file__, "worst"))
def test_the_worst_of_ground_is_cut_or_left_out(feature: Features) -> None:
    for piece in pieces({"it": feature}):
        assert len(piece.outline) >= 3


SIDE = 76.0
#: What stands first in a path, and each further curve or line of it.
_STARTS = re.compile(r"M(-?[\d.]+)[ ,](-?[\d.]+)")


def _painted(terrain: str, colour: str | None) -> list[list[tuple[float, float]]]:
    """Where each part of each path begins that is filled like the last of them."""
    paths = [one for one in stamp_tile(terrain, SIDE, SIDE, ()).full if isinstance(one, Path)]
    filled = [one for one in paths if one.paint and one.paint.fill == colour]
    return [[(float(x), float(y)) for x, y in _STARTS.findall(one.d)] for one in filled]


def test_the_stones_of_a_ford_lie_from_bank_to_bank_where_the_river_bends() -> None:
    """The river comes from the right of its middle and leaves to the left of it."""
    (*_, last) = stamp_tile("ford", SIDE, SIDE, ()).full
    assert isinstance(last, Path) and last.paint
    (stones,) = _painted("ford", last.paint.fill)
    upper = [x for x, y in stones if y < SIDE / 2]
    lower = [x for x, y in stones if y > SIDE / 2]
    assert {round(abs(y - SIDE / 2), 3) for _, y in stones} == {
        round(0.07 * SIDE + 0.25 * SIDE / 25, 3)
    }
    assert min(upper) - min(lower) == pytest.approx(max(upper) - max(lower), abs=2.5)
    assert min(upper) - min(lower) > 2
    for row in (upper, lower):
        assert max(row) - min(row) == pytest.approx(0.24 * SIDE, rel=0.35)
