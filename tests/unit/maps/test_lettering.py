"""How names are set, and what they take of the map."""

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from map_samples import quads_meet

from rulebook.maps.areas import Clearing, Obstacles
from rulebook.maps.canvas import MapLook
from rulebook.maps.geometry import MeasuredLine, Quad, box_of, quad_of
from rulebook.maps.lettering import (
    Candidate,
    Choice,
    Hand,
    LetteredName,
    along,
    area_choices,
    block,
    place,
)
from rulebook.model.map_features import NameStyle
from rulebook.text_fitting import text_width
from rulebook.typefaces import SERIF_ITALIC

HAND = Hand(NameStyle(3.0, SERIF_ITALIC), MapLook())


def test_a_block_is_centred_and_its_lines_do_not_meet() -> None:
    lettered = block(["McPherson’s", "Ridge"], (50, 50), HAND)
    assert [text for text, _ in lettered.lines] == ["McPherson’s", "Ridge"]
    left, right = lettered.quads[0][0][0], lettered.quads[0][1][0]
    assert (left + right) / 2 == pytest.approx(50)
    assert lettered.lines[1][1][1] - lettered.lines[0][1][1] == pytest.approx(3.06)


def test_a_name_on_a_straight_line_takes_one_quad() -> None:
    track = MeasuredLine.from_points([(0, 0), (100, 0)])
    bent = along("Baltimore Pike", HAND, track, 50, offset=-2, spaced=0.05)
    assert bent is not None
    lettered, turning, steepness = bent
    assert len(lettered.quads) == 1 and turning == steepness == 0
    assert len(lettered.places) == len("Baltimore Pike")
    assert all(y == pytest.approx(-2) for (_, y), _ in lettered.places)


def test_letters_keep_their_distance_inside_a_bend() -> None:
    arc = [(40 * math.cos(a / 50), 40 * math.sin(a / 50)) for a in range(-200, -20)]
    for offset in (-3.0, 3.0):
        track = MeasuredLine.from_points(arc)
        bent = along("Willoughby Run", HAND, track, 70, offset=offset, spaced=0.05)
        starts = [place for place, _ in bent[0].places]
        for letter, one, other in zip("Willoughby Run", starts, starts[1:], strict=False):
            wanted = 3.0 * (text_width(letter, 1, SERIF_ITALIC) + 0.05)
            assert math.dist(one, other) == pytest.approx(wanted, abs=0.25)


def test_no_name_stands_where_it_cannot_be_read() -> None:
    corner = MeasuredLine.from_points([(0, 0), (30, 0), (30, 30)])
    assert along("Emmitsburg Road", HAND, corner, 30, offset=-2) is None, "too sharp a bend"
    assert along("Emmitsburg Road", HAND, MeasuredLine.from_points([(0, 0), (9, 0)]), 4) is None
    backwards = MeasuredLine.from_points([(100, 0), (0, 0)])
    assert along("Emmitsburg Road", HAND, backwards, 50) is None, "on its head"


def test_a_plate_keeps_its_halo_around_the_letters() -> None:
    """0.6 mm: round capitals, and below a p that reaches down by the font's own measure."""
    for text, up, down in (("OX", 0.66, 0.05), ("Op", 0.74, 0.24)):
        lettered = block([text], (50, 50), HAND)
        left, top, right, bottom = box_of(lettered.quads[0])
        ((_, (start, base)),) = lettered.lines
        assert base - top == pytest.approx(3 * up + 0.6)
        assert bottom - base == pytest.approx(3 * down + 0.6)
        assert start - left == pytest.approx(0.6)
        assert right - left == pytest.approx(text_width(text, 3.0, SERIF_ITALIC) + 1.2)


# Names in their places: the cases that a method without foresight gets wrong.

ROOM = (0.0, 0.0, 100.0, 100.0)


def at(x: float, y: float, wide: float = 10.0, high: float = 4.0) -> Quad:
    return quad_of((x, y, x + wide, y + high))


def wanted(*places: tuple[float, float, float]) -> list[Candidate]:
    """A name by (x, y, cost)."""
    return [((at(x, y),), cost) for x, y, cost in places]


@pytest.mark.parametrize(
    ("names", "more", "chosen"),
    [
        ([wanted((10, 10, 2.0), (30, 10, 1.0))], {}, [1]),
        ([wanted((10, 10, 1.0), (30, 10, 1.0))], {}, [0]),
        ([wanted((95, 10, 0.0), (50, 98, 0.0), (-1, 5, 0.0))], {}, [None]),
        ([wanted((90, 96, 0.0))], {}, [0]),
        ([wanted((10, 10, 0.0), (30, 10, 5.0))], {"fixed": [at(15, 12)]}, [1]),
        ([wanted((10, 10, 0.0), (50, 50, 9.0)), wanted((12, 10, 5.0))], {}, [1, 0]),
        ([wanted((10, 10, 0.0)), wanted((10, 10, 9.0))], {"weights": [1.0, 2.0]}, [None, 0]),
    ],
    ids=["cheapest", "first of two", "off the map", "on the edge", "fixed", "only", "heavier"],
)
def test_places(names: Any, more: dict[str, Any], chosen: list[int | None]) -> None:
    assert place(names, ROOM, **more) == chosen


def test_a_chain_of_moves_makes_room() -> None:
    """The heavier two stand in the way; one of them has to go for the third."""
    a = wanted((0, 0, 0.0), (0, 50, 1.0))
    b = wanted((20, 0, 0.0), (20, 50, 1.0))
    c = wanted((5, 0, 0.0), (15, 0, 3.0), (5, 0, 4.0))
    assert None not in place([a, b, c], ROOM)


def test_a_place_that_becomes_free_is_moved_to() -> None:
    """The second is pushed away by the first, which then leaves for the third."""
    a = wanted((10, 10, 0.0), (10, 60, 0.5))
    b = wanted((12, 12, 0.0), (70, 70, 2.0))
    c = wanted((8, 8, 0.0))
    chosen = place([a, b, c], ROOM, weights=[3.0, 1.0, 3.0])
    assert chosen[2] == 0 and chosen[0] == 1


def test_names_of_several_quads_and_turned_ones() -> None:
    turned = ((20.0, 10.0), (30.0, 20.0), (28.0, 22.0), (18.0, 12.0))
    one = [((at(0, 0), turned), 0.0)]
    assert place([one, wanted((26, 10, 0.0))], ROOM) == [0, 0], "within its box, not on it"
    assert place([one, wanted((20, 14, 0.0))], ROOM) == [0, None]


def test_as_many_as_have_room_find_it_and_always_the_same() -> None:
    grid = [(x * 10.0, y * 4.0, float(x + y)) for x in range(10) for y in range(25)]
    names = [wanted(*grid[index % 7 :: 7]) for index in range(60)]
    chosen = place(names, ROOM)
    quads = [
        names[index][number][0][0] for index, number in enumerate(chosen) if number is not None
    ]
    assert len(quads) == 60
    assert not any(quads_meet(one, other) for one, other in combinations(quads, 2))
    assert chosen == place(names, ROOM)


# What names keep off.


def level(x: float, y: float, wide: float = 10.0, high: float = 4.0) -> Choice:
    return LetteredName(HAND, quads=(at(x, y, wide, high),)), 0.0


def costs(found: Obstacles, owner: str, choices: list[Choice]) -> list[float | None]:
    return found.costs(owner, [(one.quads, one.leader) for one, _ in choices])


def test_no_name_stands_on_an_edge_and_its_own_may_stand_within() -> None:
    found = Obstacles()
    found.add_strip("river", [(0, 50), (100, 50)], 8)
    within, across, beside = level(20, 48), level(20, 45), level(20, 30)
    assert costs(found, "river", [within, across, beside]) == [0, None, 0]
    assert costs(found, "mill", [within, across, beside]) == [None, None, 0]
    assert costs(found, "mill", []) == []


def test_outlines_keep_names_off_their_lines_and_solid_ones_off_what_is_within() -> None:
    square = [(20.0, 20.0), (60.0, 20.0), (60.0, 60.0), (20.0, 60.0)]
    for solid, within in ((False, 0), (True, None)):
        found = Obstacles()
        found.add_outline("wood", square, solid=solid)
        there = [level(30, 30), level(15, 30), level(70, 30)]
        assert costs(found, "wood", there) == [0, None, 0]
        assert costs(found, "hill", there) == [within, None, 0]


def test_what_is_covered_belongs_to_nobody() -> None:
    found = Obstacles()
    found.add_quad("house", at(20, 20))
    assert costs(found, "house", [level(22, 21), level(50, 21)]) == [None, 0]


def test_a_line_that_is_broken_costs_what_is_broken_of_it() -> None:
    found = Obstacles()
    found.add_broken("hill", [(0, 50), (100, 50)], 1.0)
    own, other = costs(found, "hill", [level(20, 48)]), costs(found, "mill", [level(20, 48)])
    wide = costs(found, "mill", [level(20, 48, wide=20)])
    assert own[0] and other[0] and wide[0]
    assert wide[0] == pytest.approx(2 * other[0]) and own[0] < other[0]


def test_the_ground_of_an_area_costs_the_part_that_is_hidden() -> None:
    found = Obstacles()
    found.add_ground("wood", [(20.0, 20.0), (40.0, 20.0), (40.0, 40.0), (20.0, 40.0)], 0.5)
    whole, half, none = costs(found, "mill", [level(25, 30), level(35, 30), level(60, 30)])
    assert whole and half == pytest.approx(whole / 2) and none == 0
    assert costs(found, "wood", [level(25, 30)]) == [pytest.approx(whole / 2)]


def test_a_name_keeps_off_the_ground_of_what_has_a_name_unless_it_is_there_itself() -> None:
    found = Obstacles()
    found.add_ground("hill", [(0, 0), (100, 0), (100, 100), (0, 100)], 0.0, named=True)
    plates = [(level(20, 20)[0].quads, None), (level(120, 20)[0].quads, None)]
    there, elsewhere = found.costs("zone", plates)
    assert there and there > 1 and elsewhere == 0
    assert found.costs("hill", plates) == found.costs("house", plates, on={"hill"}) == [0, 0]


@pytest.mark.parametrize(("count", "allowed"), [(40, True), (39, False)])
def test_a_name_hides_a_tenth_of_the_symbols_and_no_more(count: int, allowed: bool) -> None:
    """Four of them reach under it."""
    found = Obstacles()
    found.add_symbols("wood", [(21.0 + 2 * x, 24.4) for x in range(4)], 0.5)
    found.add_symbols("wood", [(50.0 + x, 60.0) for x in range(count - 4)], 0.5)
    assert (costs(found, "wood", [level(20, 20)])[0] is not None) is allowed


def test_a_leader_across_something_costs_more_than_one_that_is_free() -> None:
    found = Obstacles()
    found.add_strip("road", [(50, 0), (50, 100)], 2)
    lettered, cost = level(60, 20)
    free, across = (
        replace(lettered, leader=((60.0, 22.0), (x, 22.0)), dotted=True) for x in (52.0, 40.0)
    )
    less, more = costs(found, "mill", [(free, cost), (across, cost)])
    assert less == 0 and more and more > 0


def test_names_far_off_have_a_leader_and_near_ones_none() -> None:
    ring = [(40.0, 40.0), (60.0, 40.0), (60.0, 60.0), (40.0, 60.0)]
    for lettered, _ in area_choices("Quarry", ring, HAND):
        box = box_of([point for quad in lettered.quads for point in quad])
        left, top = max(40 - box[2], box[0] - 60, 0.0), max(40 - box[3], box[1] - 60, 0.0)
        away = math.hypot(left, top)
        assert (lettered.leader is None) == (away < 2.6)
        if lettered.leader:
            (x1, y1), (x2, y2) = lettered.leader
            assert 40 <= x2 <= 60 and 40 <= y2 <= 60, "it ends within the area"
            assert math.dist((x1, y1), (x2, y2)) == pytest.approx(away + 0.9, abs=1e-6)
            assert len(lettered.taken) == len(lettered.quads) + 1


def test_symbols_stand_clear_of_names_strips_and_areas() -> None:
    clearing = Clearing()
    clearing.add_quads([at(10, 10)])
    clearing.add_strip([(0, 50), (100, 50)], 4)
    clearing.add_area([(60, 60), (80, 60), (80, 80), (60, 80)])
    clearing.add_strip([(0, 90)], 4)
    near_a_name = [(15, 12), (15, 15.5), (15, 14.5)]
    assert clearing.are_free(near_a_name, 1.0) == [False, True, False]
    near_others = [(30, 52.5), (30, 53.5), (70, 70), (59.5, 70), (0, 90)]
    assert clearing.are_free(near_others, 1.0) == [False, True, False, True, True]
    assert Clearing().are_free([(0, 0)], 1.0) == [True] and clearing.are_free([], 1.0) == []
