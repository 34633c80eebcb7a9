"""Guns, howitzers and houses, exact odds against plain counting.

Typed from the second draft: the faces that kill under each group of the bounce stick, in each zone
of the cone, in a sector of the shell burst and under the sleeve; what a ball and a shell do to a
house; 10 and 20 points of damage, less 1 from 36 inches and 2 from 48. Read: damage never falls
below nothing, and takes the distance from houses as from guns; two faces for each colour.

`canister` has 15,625 sets of inputs: all of up to 6 figures in each zone, each zone alone, and a
seeded sample of the rest. `howitzer` has nearly ten million, and the sleeve more: all of up to 2
figures in each sector, the defaults at each distance, and seeded samples. The others: all.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from asked_odds import acw, drawn
from ways import D6, Ways, counted, differing, falling, joined, plus

KILLS_ON_3, KILLS_ON_4 = frozenset({3, 4, 5, 6}), frozenset({4, 5, 6})
KILLS_ON_5, KILLS_ON_6 = frozenset({5, 6}), frozenset({6})
GROUPS = {"near": KILLS_ON_3, "middle": KILLS_ON_4, "far": KILLS_ON_5, "extreme": KILLS_ON_6}
CONE = {"near": KILLS_ON_4, "middle": KILLS_ON_5, "far": KILLS_ON_6}
SLEEVE = {
    "0-24in": KILLS_ON_3,
    "24-36in": KILLS_ON_4,
    "36-48in": KILLS_ON_5,
    "48-60in": KILLS_ON_6,
}
#: Damage that the distance takes off.
TAKEN_OFF = {"0-36in": 0, "36-48in": 1, "48-60in": 2}
#: By throw: figures that a ball kills in a house, and whether it goes on behind it.
NO_PENETRATION, STOPS = (0, False), (1, False)
BALL_ON_HOUSE = {
    "0-36in": [NO_PENETRATION, NO_PENETRATION, STOPS, STOPS, (2, True), (3, True)],
    "36-48in": [NO_PENETRATION, NO_PENETRATION, NO_PENETRATION, STOPS, (2, True), (2, True)],
    "48-60in": [NO_PENETRATION, NO_PENETRATION, NO_PENETRATION, NO_PENETRATION, STOPS, STOPS],
}
SHELL_ON_HOUSE = [0, 0, 0, 1, 2, 3]
SECTORS = (2, 3, 4, 5, 6)
FIGURES = range(25)

#: How far the sleeve slides, and the input that counts the heads under it there.
SLIDES = {
    0: "stays",
    **{slide: f"away_{slide}" for slide in range(1, 6)},
    **{-slide: f"towards_{slide}" for slide in range(1, 6)},
}


def damage(distance: str, die: int) -> int:
    return max(0, die - TAKEN_OFF[distance])


def test_two_faces_for_each_colour_of_the_stick() -> None:
    expected = counted(["white", "white", "yellow", "yellow", "green", "green"])
    assert not differing(acw().joint("bounce"), expected)


@pytest.mark.parametrize("band", GROUPS)
def test_a_ball_is_thrown_for_against_each_head(band: str) -> None:
    for (figures,) in acw().values("round_shot", "figures"):
        found = acw().joint("round_shot", figures=figures, band=band)
        assert not differing(found, falling(figures, GROUPS[band])), figures


@pytest.mark.parametrize("inch", range(1, 61))
def test_where_a_figure_stands_decides_what_kills_it(inch: int) -> None:
    """White, yellow and green from 18 inches; the near group ends at 42, and 6 kills beyond 48."""
    ball = GROUPS["near" if inch <= 42 else "middle" if inch <= 48 else "extreme"]
    zone = CONE["near" if inch <= 5 else "middle" if inch <= 12 else "far"]
    for shot, kills in {"round_shot": ball if inch > 18 else (), "canister": zone}.items():
        found = acw().joint("figure_under_fire", shot=shot, distance=f"{inch}in")
        within = inch <= 24 or shot == "round_shot"
        assert not differing(found, counted([within and die in kills for die in D6]))


def cone(figures: Mapping[str, int]) -> Ways[int]:
    near, middle, far = (falling(number, CONE[zone]) for zone, number in figures.items())
    return joined(joined(near, middle, plus), far, plus)


def test_each_zone_of_the_cone_kills_on_its_own_faces() -> None:
    few = product(range(7), repeat=3)
    alone = [one for n in FIGURES for one in ((n, 0, 0), (0, n, 0), (0, 0, n))]
    rest = drawn(31, 120, FIGURES, FIGURES, FIGURES)
    for numbers in (*few, *alone, *rest, (24, 24, 24)):
        figures = dict(zip(CONE, numbers, strict=True))
        assert not differing(acw().joint("canister", **figures), cone(figures)), figures


@cache
def shell_in(sector: int, figures: int) -> dict[tuple[int, int], Fraction]:
    ways = falling(figures, KILLS_ON_4)
    total = 6 * sum(ways.values())
    return {(sector, fallen): Fraction(number, total) for fallen, number in ways.items()}


def test_a_shell_strikes_the_sector_thrown_and_a_1_is_a_misfire() -> None:
    """The sector and the casualties in it together."""
    few = product(range(3), repeat=5)
    for numbers in (*few, *drawn(37, 60, *[FIGURES] * 5), (24, 24, 24, 24, 24)):
        expected: dict[Any, Fraction] = {("misfire", 0): Fraction(1, 6)}
        for sector, figures in zip(SECTORS, numbers, strict=True):
            expected |= shell_in(sector, figures)
        given = {f"in_{sector}": n for sector, n in zip(SECTORS, numbers, strict=True)}
        assert acw().joint("howitzer", **given) == expected, numbers


@pytest.mark.parametrize("distance", TAKEN_OFF)
def test_distance_takes_from_the_damage_to_a_gun(distance: str) -> None:
    expected = counted(damage(distance, die) for die in D6)
    assert not differing(acw().joint("gun_hit", range=distance), expected)


@cache
def mean_hits(distance: str, left: int) -> Fraction:
    """Hits until so much damage is done: one, and what is still to do after it.

    A hit without damage leaves all to do, so its share is brought to the other side.
    """
    if left <= 0:
        return Fraction(0)
    done = [damage(distance, die) for die in D6]
    after = sum((mean_hits(distance, left - one) for one in done if one), Fraction(0))
    return (6 + after) / (6 - done.count(0))


@pytest.mark.parametrize("until", [10, 20])
@pytest.mark.parametrize("distance", TAKEN_OFF)
def test_hits_are_added_up_until_the_gun_is_slowed_or_destroyed(distance: str, until: int) -> None:
    """Hit by hit, the chance that the total is reached by this one; the mean without a bound."""
    found = acw().odds("counter_battery", range=distance, until=until).results["hits_needed"]
    totals = {0: Fraction(1)}
    expected: dict[int, Fraction] = {}
    told = [outcome for outcome, _ in found.outcomes if isinstance(outcome, int)]
    for number in range(1, max(told) + 1):
        after: dict[int, Fraction] = {}
        for (total, share), die in product(totals.items(), D6):
            reached = total + damage(distance, die)
            after[reached] = after.get(reached, Fraction(0)) + share / 6
        expected[number] = sum((after.pop(one) for one in list(after) if one >= until), Fraction(0))
        totals = after
    shares = dict(found.outcomes)
    assert {number: shares.pop(number) for number in told} == {
        number: share for number, share in expected.items() if share
    }
    more = sum(totals.values())
    assert [(str(outcome), share) for outcome, share in shares.items()] == (
        [("more", more)] if more else []
    )
    assert found.mean == mean_hits(distance, until)


@pytest.mark.parametrize(("distance", "told"), [("0-36in", 20), ("36-48in", 30), ("48-60in", 30)])
def test_only_hits_without_damage_go_on_for_ever(distance: str, told: int) -> None:
    """By hand: within 36 inches 20 hits of 1 do at last; farther off a 1 does nothing at all."""
    found = acw().odds("counter_battery", range=distance, until=20).results["hits_needed"]
    assert max(outcome for outcome, _ in found.outcomes if isinstance(outcome, int)) == told
    assert (str(found.outcomes[-1][0]) == "more") is (distance != "0-36in")


@pytest.mark.parametrize("distance", TAKEN_OFF)
def test_one_throw_tells_all_that_a_ball_does_to_a_house(distance: str) -> None:
    """Figures killed, whether it goes on, and the points against the house together."""
    expected = counted((*BALL_ON_HOUSE[distance][die - 1], damage(distance, die)) for die in D6)
    assert not differing(acw().joint("round_shot_on_house", range=distance), expected)


@pytest.mark.parametrize("distance", TAKEN_OFF)
def test_one_throw_tells_all_that_a_shell_does_to_a_house(distance: str) -> None:
    expected = counted((SHELL_ON_HOUSE[die - 1], damage(distance, die)) for die in D6)
    assert not differing(acw().joint("howitzer_on_house", range=distance), expected)


def test_fire_has_fifteen_moves_to_spread() -> None:
    """In each a 1 or a 2 spares the second section."""
    expected: dict[Any, Fraction] = {
        (True, move): Fraction(2, 6) ** (move - 1) * Fraction(4, 6) for move in range(1, 16)
    }
    expected[False, "never"] = Fraction(2, 6) ** 15
    assert acw().joint("house_fire") == expected
    assert acw().alone("house_fire", "spreads_within")[True] == 1 - Fraction(1, 3**15)


def under_the_sleeve(heads: Mapping[int, int], distance: str) -> dict[Any, Fraction]:
    """Two dice in turn, plus and minus; the heads under the sleeve where it comes to lie."""
    expected: dict[Any, Fraction] = {}
    for plus_die, minus_die in product(D6, D6):
        slide = plus_die - minus_die
        ways = falling(heads[slide], SLEEVE[distance])
        total = 36 * sum(ways.values())
        for fallen, number in ways.items():
            before = expected.get((slide, fallen), Fraction(0))
            expected[slide, fallen] = before + Fraction(number, total)
    return expected


def test_the_sleeve_slides_by_the_difference_of_two_dice() -> None:
    """The slide and the casualties under it together."""
    column = {slide: max(0, 4 - abs(slide)) for slide in SLIDES}
    for distance in SLEEVE:
        found = acw("sleeve").joint("round_shot_by_sleeve", range=distance)
        assert found == under_the_sleeve(column, distance), distance
    for distance, *numbers in drawn(41, 30, list(SLEEVE), *[FIGURES] * 11):
        heads = dict(zip(SLIDES, numbers, strict=True))
        given = {SLIDES[slide]: number for slide, number in heads.items()}
        found = acw("sleeve").joint("round_shot_by_sleeve", range=distance, **given)
        assert found == under_the_sleeve(heads, distance), (distance, numbers)
