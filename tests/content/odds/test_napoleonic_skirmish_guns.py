"""Guns, shells and rockets of Napoleonic Skirmish, exact odds against the tree of every play.

Written from the source a second time. Read: the model that was hit first needs no throw as one in
the way; a model exactly at the end of a ball's range is reached; each model near a shell has a
Strength thrown for it; the points of a strike of 10 hold to 12, those of 13 beyond.

All inputs of `gun_to_hit`, `gun_scatter`, `batter`, `rocket`, `shell_splinters`, `shell_at_a_wall`
and of what moves; the others over each input's whole range, with the rest drawn by a seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from asked_odds import Asked, drawn, game
from skirmish_source import COVER, DEFENCES, GUNS, ROCKETS, SCATTER, wounding
from ways import D6, Chances, at_least, differing, how_many, one_die, sure, then, whether

FLAGS = (False, True)
DISTANCES = {"far": 0, "half": 1, "quarter": 2}


def asked() -> Asked:
    return game("napoleonic-skirmish")


def laid(distance: str, trained: bool, master: bool) -> Fraction:
    """The chance to hit: 5+ with the bonus; untrained a 6 at any range; a master throws two."""
    throws = [max(pair) if master else pair[0] for pair in product(D6, D6)]
    hits = [die + DISTANCES[distance] >= 5 if trained else die == 6 for die in throws]
    return Fraction(sum(hits), len(hits))


def strayed(crowd: str, master: bool) -> Chances:
    throws = [max(pair) if master else pair[0] for pair in product(D6, D6)]
    places = [SCATTER[crowd][die - 1] for die in throws]
    return {place: Fraction(places.count(place), len(places)) for place in set(places)}


@pytest.mark.parametrize("master", FLAGS)
@pytest.mark.parametrize("trained", FLAGS)
@pytest.mark.parametrize("distance", DISTANCES)
def test_laying_a_gun(distance: str, trained: bool, master: bool) -> None:
    found = asked().joint("gun_to_hit", distance=distance, trained=trained, master=master)
    assert not differing(found, whether(laid(distance, trained, master)))


@pytest.mark.parametrize("master", FLAGS)
@pytest.mark.parametrize("crowd", SCATTER)
def test_where_a_shot_goes(crowd: str, master: bool) -> None:
    found = asked().joint("gun_scatter", crowd=crowd, master=master)
    assert not differing(found, strayed(crowd, master))


LAID = list(product(DISTANCES, FLAGS, FLAGS, SCATTER))
BEHIND = list(product(range(4), COVER))


def cannon(strength: int, hit: Fraction, lands: Chances, past: Fraction, defence: int) -> Chances:
    def landed(place: str) -> Chances:
        if place != "target":
            return sure((True, place, False, False))
        killed = whether(wounding(strength, defence))
        return then(
            whether(past),
            lambda struck: (
                then(killed, lambda dead: sure((True, place, True, dead)))
                if struck
                else sure((True, place, False, False))
            ),
        )

    return then(
        whether(hit),
        lambda one: then(lands, landed) if one else sure((False, "nobody", False, False)),
    )


def laid_shots() -> Iterator[tuple[dict[str, Any], Fraction, Chances, Fraction]]:
    """What is asked; the chances to hit, of each place, and to pass what is in the way."""
    every = [(*laying, *behind, 4) for laying in LAID for behind in BEHIND]
    some = [(*laying, 1, "light", defence) for laying in LAID[::5] for defence in DEFENCES]
    names = ("distance", "trained", "master", "crowd", "obstacles", "cover", "defence")
    for values in [*every, *some]:
        distance, trained, master, crowd, obstacles, cover, _ = values
        past = at_least(COVER[cover]) ** obstacles
        given = dict(zip(names, values, strict=True))
        yield given, laid(distance, trained, master), strayed(crowd, master), past


@pytest.mark.parametrize("gun", GUNS)
def test_a_cannon_shot(gun: str) -> None:
    near, far, *_ = GUNS[gun]
    for given, *chances in laid_shots():
        expected = cannon(far if given["distance"] == "far" else near, *chances, given["defence"])
        found = asked().joint("cannon_shot", gun=gun, **given)
        assert not differing(found, expected), given


@cache
def flown(strength: int, place: int, left: int, line: tuple[int, int, int, int]) -> Chances:
    """How many a ball kills from this place on; a line is models, which was hit, gap, defence."""
    models, hit, gap, defence = line
    if place > models or strength <= 0 or left < 0:
        return sure(0)
    kills = flown(strength - 1, place + 1, left - gap - 2, line)
    struck = then(
        whether(wounding(strength, defence)),
        lambda dead: then(kills, lambda more: sure(more + 1)) if dead else sure(0),
    )
    if place == hit:
        return struck
    spared = flown(strength, place + 1, left - gap, line)
    return then(one_die(lambda die: die >= 4), lambda one: struck if one else spared)


def balls() -> list[tuple[int, ...]]:
    """Strength, models, which was hit, range left, gap, defence."""
    some = drawn(5, 700, range(1, 16), range(1, 13), range(13), range(81), range(1, 7), DEFENCES)
    blows = [(strength, 6, 1, 20, 1, defence) for strength in range(1, 16) for defence in DEFENCES]
    ends = [
        (9, 8, hit, reach, gap, 4) for hit in (0, 1) for reach in range(31) for gap in (1, 2, 3)
    ]
    lines = [(12, models, hit, 40, 1, 6) for models in range(1, 13) for hit in range(13)]
    return [*some, *blows, *ends, *lines]


def test_round_shot_through_a_file() -> None:
    for strength, models, hit, reach, gap, defence in balls():
        given = {"strength": strength, "models": models, "target": hit, "reach": f"{reach}in"}
        expected = flown(strength, 1, reach, (models, hit, gap, defence))
        found = asked().joint("round_shot", gap=f"{gap}in", defence=defence, **given)
        assert not differing(found, expected), (given, gap, defence)


@cache
def riddled(models: int, strength: int, defence: int) -> Chances:
    hurt = wounding(strength, defence)
    return then(
        how_many(models, at_least(4)),
        lambda hits: then(how_many(hits, hurt), lambda wounds: sure((hits, wounds))),
    )


@pytest.mark.parametrize(("shot", "in_the_way"), [("grape", 6), ("canister", 4)])
def test_grape_and_canister(shot: str, in_the_way: int) -> None:
    """Both strike with Strength 6, on 4+; what is in the way is hit without a throw."""
    blows = [(models, before, d) for models in (1, 3) for before in (0, 2) for d in DEFENCES]
    knots = [(models, 1, 4) for models in range(1, 17)] + [(2, before, 5) for before in range(7)]
    for models, before, defence in [*blows, *knots]:
        expected = then(
            riddled(models, 6, defence),
            lambda pair, before=before, defence=defence: then(  # type: ignore[misc]
                how_many(before, wounding(in_the_way, defence)), lambda one: sure((*pair, one))
            ),
        )
        found = asked().joint("canister", shot=shot, models=models, before=before, defence=defence)
        assert not differing(found, expected), (models, before, defence)


def d3(die: int) -> int:
    return 1 if die <= 2 else 2 if die <= 4 else 3


def shell(hit: Fraction, lands: Chances, past: Fraction, defence: int) -> Chances:
    """Where it lands, whether it bursts and kills the model struck, and its radius."""
    killed = past * wounding(12, defence)

    def landed(place: str) -> Chances:
        if place == "nobody":
            return sure((place, False, False, 0))
        return then(one_die(lambda die: die > 1), lambda burns: burst(place, burns))

    def burst(place: str, burns: bool) -> Chances:
        if not burns:
            return sure((place, False, False, 0))
        return then(
            whether(killed if place == "target" else Fraction(0)),
            lambda dead: then(one_die(d3), lambda inches: sure((place, True, dead, inches))),
        )

    return then(
        whether(hit), lambda one: then(lands, landed) if one else sure(("nobody", False, False, 0))
    )


def test_a_shell() -> None:
    for given, *chances in laid_shots():
        found = asked().joint("howitzer_shell", **given)
        assert not differing(found, shell(*chances, given["defence"])), given


def test_those_near_a_shell() -> None:
    for models, sheltered, defence in product(range(13), FLAGS, DEFENCES):
        given = {"models": models, "sheltered": sheltered, "defence": defence}
        blows = [wounding(one + other, defence) for one, other in product(D6, D6)]
        hurt = at_least(3 if sheltered else 1) * sum(blows) / 36
        found = asked().joint("shell_splinters", **given)
        assert not differing(found, how_many(models, hurt)), given


def battered(strength: int, defence: int, veterans: bool) -> Chances:
    """The points of a strike: none on a 1, one on 2 to 5 and two on a 6, twice or three times."""
    times = 3 if strength >= 13 else 2 if strength >= 10 else 1
    throws = [max(pair) if veterans else pair[0] for pair in product(D6, D6)]
    points = [times * (0 if die == 1 else 2 if die == 6 else 1) for die in throws]
    chart = {one: Fraction(points.count(one), len(points)) for one in set(points)}
    return then(whether(wounding(strength, defence)), lambda one: chart if one else sure(0))


def test_battering() -> None:
    for strength, defence, veterans in product(range(1, 16), DEFENCES, FLAGS):
        found = asked().joint("batter", strength=strength, defence=defence, veterans=veterans)
        assert not differing(found, battered(strength, defence, veterans)), (strength, defence)


def test_a_shell_at_a_wall() -> None:
    for defence, veterans in product(DEFENCES, FLAGS):
        thrown = then(one_die(int), lambda one: one_die(lambda other: one + other))
        expected = then(
            thrown,
            lambda strength, d=defence, v=veterans: battered(strength, d, v),  # type: ignore[misc]
        )
        found = asked().joint("shell_at_a_wall", defence=defence, veterans=veterans)
        assert not differing(found, expected), (defence, veterans)


def breached(strike: Chances, points: int) -> tuple[Fraction, list[Fraction]]:
    """The mean of the hits that are needed, and the chance that it takes one, two, ... of them."""
    mean = [Fraction(0)] * (points + 1)
    for left in range(1, points + 1):
        after = sum(
            (chance * mean[max(0, left - n)] for n, chance in strike.items() if n), Fraction(0)
        )
        mean[left] = (1 + after) / (1 - strike.get(0, Fraction(0)))
    totals, through = sure(0), []
    for _ in range(4):
        totals = then(
            totals, lambda total: then(strike, lambda one: sure(min(points, total + one)))
        )
        through.append(totals.pop(points, Fraction(0)))
    return mean[points], through


def test_hits_for_a_breach() -> None:
    few = product((3, 9, 10, 13), (8, 10), range(1, 11), FLAGS)
    blows = product(range(3, 16), range(1, 11), (3,), (False,))
    for strength, defence, points, veterans in [*few, *blows]:
        given = {"strength": strength, "defence": defence, "points": points, "veterans": veterans}
        mean, through = breached(battered(strength, defence, veterans), points)
        found = asked().odds("breach", **given).results["hits_needed"]
        assert found.mean == mean, given
        assert [found.chance(hits) for hits in (1, 2, 3, 4)] == through, given


def test_a_rocket() -> None:
    for rocket, crowd, defence in product(ROCKETS, SCATTER, DEFENCES):
        killed = wounding(ROCKETS[rocket][1], defence)

        def landed(place: str, killed: Fraction = killed) -> Chances:
            dead = killed if place == "target" else Fraction(0)
            return then(whether(dead), lambda one: sure((True, place, one)))

        expected = then(
            whether(at_least(5)),
            lambda hit, crowd=crowd, landed=landed: (  # type: ignore[misc]
                then(strayed(crowd, False), landed) if hit else sure((False, "nobody", False))
            ),
        )
        found = asked().joint("rocket", rocket=rocket, crowd=crowd, defence=defence)
        assert not differing(found, expected), (rocket, crowd, defence)


def speed(hands: int, least: int, heavy: bool = False) -> str:
    return "none" if hands < least else "half" if heavy or hands == least else "full"


def test_moving_a_gun() -> None:
    """Half the crew, rounded up; the heavy guns take all of it and are never faster."""
    for gun, hands in product(GUNS, range(9)):
        crew = GUNS[gun][2]
        heavy = gun in {"eighteen", "twenty_four"}
        expected = speed(hands, crew if heavy else -(-crew // 2), heavy)
        assert asked().joint("gun_moves", gun=gun, hands=hands) == {expected: 1}, (gun, hands)


def test_moving_a_rocket_battery() -> None:
    for rocket, hands in product(ROCKETS, range(7)):
        expected = speed(hands, -(-ROCKETS[rocket][0] // 2))
        assert asked().joint("rocket_moves", rocket=rocket, hands=hands) == {expected: 1}


def test_moving_a_limber() -> None:
    """By its horses or by its drivers, whichever is slower."""
    speeds = ["none", "half", "full"]
    for gun, horses, drivers, trained in product(GUNS, range(9), range(5), FLAGS):
        crew, half = GUNS[gun][3:]
        pulled = 0 if horses < half else 1 if horses == half else 2
        driven = 0 if not drivers else 2 if trained and drivers >= -(-crew // 2) else 1
        given = {"limber": gun, "horses": horses, "drivers": drivers, "trained": trained}
        assert asked().joint("limber_moves", **given) == {speeds[min(pulled, driven)]: 1}, given
