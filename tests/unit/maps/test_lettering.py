"""How names are set, and what they take of the map."""

import math
from itertools import combinations

import pytest
from map_samples import quads_meet

from rulebook.maps.areas import Clearing
from rulebook.maps.canvas import Look
from rulebook.maps.features import Style
from rulebook.maps.geometry import Quad, Track, quad_of
from rulebook.maps.lettering import (
    Candidate,
    Darkness,
    Hand,
    Run,
    Wanted,
    along,
    block,
    place,
    two_lines,
)
from rulebook.text_fitting import text_width
from rulebook.typefaces import SERIF_ITALIC

HAND = Hand(Style(3.0, SERIF_ITALIC), Look())


def test_a_block_is_centred_and_its_lines_do_not_meet() -> None:
    lettered = block(["McPherson’s", "Ridge"], (50, 50), HAND)
    assert [text for text, _ in lettered.lines] == ["McPherson’s", "Ridge"]
    left, right = lettered.quads[0][0][0], lettered.quads[0][1][0]
    assert (left + right) / 2 == pytest.approx(50)
    assert lettered.lines[1][1][1] - lettered.lines[0][1][1] == pytest.approx(3.06)


def test_a_name_on_a_straight_line_takes_one_quad() -> None:
    track = Track.of([(0, 0), (100, 0)])
    bent = along("Baltimore Pike", Run(track, 50, -2, 0.05), HAND)
    assert bent is not None and len(bent.lettered.quads) == 1
    assert bent.turning == bent.steepness == 0
    assert len(bent.lettered.places) == len("Baltimore Pike")
    assert all(y == pytest.approx(-2) for (_, y), _ in bent.lettered.places)


def test_letters_keep_their_distance_inside_a_bend() -> None:
    arc = [(40 * math.cos(a / 50), 40 * math.sin(a / 50)) for a in range(-200, -20)]
    for offset in (-3.0, 3.0):
        bent = along("Willoughby Run", Run(Track.of(arc), 70, offset, 0.05), HAND)
        starts = [place for place, _ in bent.lettered.places]
        for letter, one, other in zip("Willoughby Run", starts, starts[1:], strict=False):
            wanted = 3.0 * (text_width(letter, 1, SERIF_ITALIC) + 0.05)
            assert math.dist(one, other) == pytest.approx(wanted, abs=0.25)


def test_no_name_stands_where_it_cannot_be_read() -> None:
    corner = Track.of([(0, 0), (30, 0), (30, 30)])
    assert along("Emmitsburg Road", Run(corner, 30, -2, 0), HAND) is None, "too sharp a bend"
    assert along("Emmitsburg Road", Run(Track.of([(0, 0), (9, 0)]), 4, 0, 0), HAND) is None
    backwards = Track.of([(100, 0), (0, 0)])
    assert along("Emmitsburg Road", Run(backwards, 50, 0, 0), HAND) is None, "on its head"


def test_words_on_two_lines() -> None:
    assert two_lines("Unfinished Railway Cut") == ["Unfinished", "Railway Cut"]
    assert two_lines("Gettysburg") is None


def test_turned_quads_that_only_touch_do_not_meet() -> None:
    one = ((0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0))
    beside = ((10.0, 0.0), (20.0, 0.0), (20.0, 5.0), (10.0, 5.0))
    diamond = ((15.0, -6.0), (21.0, 0.0), (15.0, 6.0), (9.0, 0.0))
    corner = ((12.0, 8.0), (16.0, 12.0), (12.0, 16.0), (8.0, 12.0))
    assert not quads_meet(one, beside)
    assert quads_meet(one, diamond) and quads_meet(beside, diamond)
    assert not quads_meet(one, corner), "their boxes meet, they do not"


# Names in their places: the cases that a method without foresight gets wrong.

ROOM = (0.0, 0.0, 100.0, 100.0)


def at(x: float, y: float, wide: float = 10.0, high: float = 4.0) -> Quad:
    return quad_of((x, y, x + wide, y + high))


def wanted(*places: tuple[float, float, float], weight: float = 1.0) -> Wanted:
    """A name by (x, y, cost)."""
    return Wanted(tuple(Candidate((at(x, y),), cost) for x, y, cost in places), weight)


def test_the_cheapest_free_place_is_taken() -> None:
    assert place([wanted((10, 10, 2.0), (30, 10, 1.0))], ROOM) == [1]
    assert place([wanted((10, 10, 1.0), (30, 10, 1.0))], ROOM) == [0], "the first of two alike"


def test_nothing_leaves_the_map_or_covers_what_is_fixed() -> None:
    assert place([wanted((95, 10, 0.0), (50, 98, 0.0), (-1, 5, 0.0))], ROOM) == [None]
    assert place([wanted((90, 96, 0.0))], ROOM) == [0], "on the edge is on the map"
    assert place([wanted((10, 10, 0.0), (30, 10, 5.0))], ROOM, [at(15, 12)]) == [1]


def test_one_with_a_single_place_is_not_shut_out() -> None:
    """The first could stand anywhere, and likes best the only place of the second."""
    assert place([wanted((10, 10, 0.0), (50, 50, 9.0)), wanted((12, 10, 5.0))], ROOM) == [1, 0]


def test_a_chain_of_moves_makes_room() -> None:
    """The heavier two stand in the way; one of them has to go for the third."""
    a = wanted((0, 0, 0.0), (0, 50, 1.0), weight=1.0)
    b = wanted((20, 0, 0.0), (20, 50, 1.0), weight=1.0)
    c = wanted((5, 0, 0.0), (15, 0, 3.0), (5, 0, 4.0), weight=1.0)
    assert None not in place([a, b, c], ROOM)


def test_the_lighter_gives_way_and_is_told_to_have_no_place() -> None:
    assert place([wanted((10, 10, 0.0)), wanted((10, 10, 9.0), weight=2.0)], ROOM) == [None, 0]


def test_a_place_that_becomes_free_is_moved_to() -> None:
    """The second is pushed away by the first, which then leaves for the third."""
    a = wanted((10, 10, 0.0), (10, 60, 0.5), weight=3.0)
    b = wanted((12, 12, 0.0), (70, 70, 2.0))
    c = wanted((8, 8, 0.0), weight=3.0)
    chosen = place([a, b, c], ROOM)
    assert chosen[2] == 0 and chosen[0] == 1


def test_names_of_several_quads_and_turned_ones() -> None:
    turned = ((20.0, 10.0), (30.0, 20.0), (28.0, 22.0), (18.0, 12.0))
    one = Wanted((Candidate((at(0, 0), turned), 0.0),))
    assert place([one, wanted((26, 10, 0.0))], ROOM) == [0, 0], "within its box, not on it"
    assert place([one, wanted((20, 14, 0.0))], ROOM) == [0, None]


def test_as_many_as_have_room_find_it_and_always_the_same() -> None:
    grid = [(x * 10.0, y * 4.0, float(x + y)) for x in range(10) for y in range(25)]
    names = [wanted(*grid[index % 7 :: 7]) for index in range(60)]
    chosen = place(names, ROOM)
    quads = [
        names[index].candidates[number].quads[0]
        for index, number in enumerate(chosen)
        if number is not None
    ]
    assert len(quads) == 60
    assert not any(quads_meet(one, other) for one, other in combinations(quads, 2))
    assert chosen == place(names, ROOM)
    assert chosen == place(names, ROOM, mesh=31.0), "the net is a matter of speed"


def test_nothing_wanted_and_nothing_possible() -> None:
    assert place([], ROOM) == []
    assert place([Wanted(())], ROOM) == [None]


def test_darkness_under_a_name_is_that_of_what_it_covers() -> None:
    darkness = Darkness(1.0, 100, 100)
    darkness.add_line([(0, 50), (100, 50)], 1.0)
    darkness.add_area([(20, 20), (40, 20), (40, 40), (20, 40)], 0.5)
    assert darkness.under([at(60, 20)]) == (0, 0)
    assert darkness.under([at(25, 30)]) == (0, 0.5)
    assert darkness.under([at(35, 30)])[1] == 0.25
    lines, areas = darkness.under([at(60, 48)])
    assert lines == 10 and areas == 0
    turned = ((60.0, 48.0), (70.0, 48.001), (70.0, 52.0), (60.0, 52.0))
    assert darkness.under([turned])[0] == 10, "turned quads are asked square by square"


def test_a_broad_line_is_as_dark_as_it_is_broad() -> None:
    darkness = Darkness(1.0, 100, 100)
    darkness.add_line([(0, 50), (50, 50), (100, 50)], 1.0, width=21)
    assert darkness.under([quad_of((0, 0, 100, 100))])[0] == 100 * 20


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
