"""Names in their places: the cases that a method without foresight gets wrong."""

from __future__ import annotations

from itertools import combinations

from map_samples import quads_meet

from rulebook.maps.areas import Clearing
from rulebook.maps.geometry import Quad, quad_of
from rulebook.maps.lettering import Candidate, Darkness, Wanted, place

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
