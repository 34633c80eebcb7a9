"""Small arms and grenades of Napoleonic Skirmish, exact odds against the tree of every play.

Written from the source a second time. Read: a shot is thrown to hit, for scatter, for what is in
the way and to wound; a second round of throws with a volley gun; the shoot value for a grenade.

All inputs of `scatter`, `wound` and `grenadier_shot`, and of `grenade` but for three defences of
the thrower. `shot` over weapon, shoot value, range and crowd with the rest drawn by a seed, and
over all the rest at a few shots. The others over each input with the rest at few values.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import cycle, product

import pytest
from asked_odds import Asked, drawn, game
from skirmish_source import COVER, DEFENCES, SCATTER, WEAPONS, wounding
from ways import Chances, at_least, differing, how_many, one_die, sure, then, whether

FLAGS = (False, True)
SHOOT = range(2, 7)


def asked(*options: str) -> Asked:
    return game("napoleonic-skirmish", *options)


def passing(obstacles: int, cover: str) -> Fraction:
    return at_least(COVER[cover]) ** obstacles


def shot(given: dict[str, object], larger: bool = False) -> Chances:
    """Weapon, range and target -> whether it hits, where it lands, whether it wounds and kills."""
    near_strength, far_strength, scatters = WEAPONS[str(given["weapon"])]
    near = bool(given["near"])
    shoot, defence, obstacles = (int(str(given[one])) for one in ("shoot", "defence", "obstacles"))
    needed = shoot - near + (larger and scatters)
    hurt = passing(obstacles, str(given["cover"]))
    hurt *= wounding(near_strength if near else far_strength, defence)
    if given["helmet"]:
        hurt *= Fraction(5, 6)

    def landed(place: str) -> Chances:
        if place != "target":
            return sure((True, place, False, False))
        return then(
            whether(hurt), lambda one: sure((True, place, one, one and given["wounds"] == 1))
        )

    def aimed(hit: bool) -> Chances:
        if not hit:
            return sure((False, "nobody", False, False))
        column = SCATTER[str(given["crowd"])]
        strays = scatters and not larger
        return then(one_die(lambda die: column[die - 1]) if strays else sure("target"), landed)

    return then(whether(at_least(needed)), aimed)


NAMES = ("weapon", "shoot", "near", "crowd", "defence", "obstacles", "cover", "wounds", "helmet")
REST = list(product(range(4), COVER, (1, 2, 3), FLAGS))


def shots() -> list[dict[str, object]]:
    """Every shot at some target in some cover, and some shots at every target in all cover."""
    all_shots = list(product(WEAPONS, SHOOT, FLAGS, SCATTER))
    rest = drawn(3, len(all_shots), list(DEFENCES), REST)
    few = product(["rifle"], [2, 5], FLAGS, ["some"], [4, 6])
    both = [
        *((*one, defence, *other) for one, (defence, other) in zip(all_shots, rest, strict=True)),
        *(one + other for one in few for other in REST),
    ]
    return [dict(zip(NAMES, values, strict=True)) for values in both]


def test_a_shot() -> None:
    for given in shots():
        assert not differing(asked().joint("shot", **given), shot(given)), given


def test_a_shot_in_a_larger_game() -> None:
    for given in shots()[::5]:
        found = asked("larger_games").joint("shot", **given)
        assert not differing(found, shot(given, larger=True)), given


@pytest.mark.parametrize("crowd", SCATTER)
def test_scatter(crowd: str) -> None:
    expected = one_die(lambda die: SCATTER[crowd][die - 1])
    assert not differing(asked().joint("scatter", crowd=crowd), expected)


def test_wounds_and_helmets() -> None:
    for strength, defence, helmet in product(range(1, 16), DEFENCES, FLAGS):
        given = {"strength": strength, "defence": defence, "helmet": helmet}
        hurt = wounding(strength, defence) * (Fraction(5, 6) if helmet else 1)
        found = asked().joint("wound", **given)
        assert not differing(found, whether(hurt)), given


@cache
def circle(throws: int, score: int, left: int, hurt: Fraction) -> Chances:
    """Throw after throw until none is left or the last hit is spent: hits and wounds."""
    if not throws or not left:
        return sure((0, 0))
    hit = at_least(score)
    ends = {(0, 0): 1 - hit, (1, 0): hit * (1 - hurt), (1, 1): hit * hurt}
    return then(
        ends,
        lambda one: then(
            circle(throws - 1, score, left - one[0], hurt),
            lambda more: sure((one[0] + more[0], one[1] + more[1])),
        ),
    )


#: Weapon: strength within half range and beyond, score, hits in all, hits on one model.
CIRCLES = {"blunderbuss": (3, 2, 5, 99, 1), "volley_gun": (4, 3, 4, 7, 2)}


@pytest.mark.parametrize("weapon", CIRCLES)
def test_a_circle_of_lead(weapon: str) -> None:
    near_strength, far_strength, score, most, each = CIRCLES[weapon]
    targets = list(product(FLAGS, range(3), COVER, DEFENCES))
    few = [(models, *target) for models, target in zip(cycle((1, 4)), targets)]
    many = [(models, near, 1, "solid", 4) for models in range(1, 13) for near in FLAGS]
    for models, near, obstacles, cover, defence in [*few, *many]:
        hurt = wounding(near_strength if near else far_strength, defence)
        expected = circle(models * each, score, most, hurt * passing(obstacles, cover))
        found = asked().joint(
            weapon, models=models, near=near, obstacles=obstacles, cover=cover, defence=defence
        )
        assert not differing(found, expected), (models, near, obstacles, cover, defence)


def d2(die: int) -> int:
    return 1 if die <= 3 else 2


def grenade(shoot: int, fight: int, defence: int, thrower: int) -> Chances:
    """What becomes of it, its radius, whether target and thrower are wounded."""

    def slipped(die: int) -> Chances:
        if die <= fight:
            return sure(("misses", 0, False, False))
        return then(
            whether(wounding(5, thrower)),
            lambda hurt: then(one_die(d2), lambda inches: sure(("blows_up", inches, False, hurt))),
        )

    def burned(fuse: int) -> Chances:
        if fuse == 1:
            return then(whether(wounding(1, defence)), lambda hurt: sure(("dud", 0, hurt, False)))
        return then(
            whether(wounding(5, defence)),
            lambda hurt: then(one_die(d2), lambda inches: sure(("bursts", inches, hurt, False))),
        )

    def thrown(die: int) -> Chances:
        if die == 1:
            return then(one_die(int), slipped)
        return then(one_die(int), burned) if die >= shoot else sure(("misses", 0, False, False))

    return then(one_die(int), thrown)


@pytest.mark.parametrize("shoot", SHOOT)
def test_a_grenade(shoot: int) -> None:
    for fight, defence, thrower in product(range(1, 7), DEFENCES, (2, 5, 8)):
        given = {"fight": fight, "defence": defence, "thrower_defence": thrower}
        found = asked().joint("grenade", shoot=shoot, **given)
        assert not differing(found, grenade(shoot, fight, defence, thrower)), given


@pytest.mark.parametrize("defence", DEFENCES)
def test_a_grenadier_is_shot(defence: int) -> None:
    """A 1, and then a 1, 2 or 3: one in twelve."""
    expected = {(False, 0, False): Fraction(11, 12)}
    for inches, hurt in product((1, 2, 3), FLAGS):
        share = wounding(7, defence) if hurt else 1 - wounding(7, defence)
        if share:
            expected[(True, inches, hurt)] = Fraction(1, 12) * Fraction(1, 3) * share
    assert not differing(asked().joint("grenadier_shot", defence=defence), expected)


@pytest.mark.parametrize(
    ("given", "score"),
    [
        ({"sheltered": False}, 1),
        ({"sheltered": True, "shelter": "grenade"}, 4),
        ({"sheltered": True, "shelter": "shell"}, 3),
    ],
)
def test_those_near_a_burst(given: dict[str, object], score: int) -> None:
    for models, strength, defence in product(range(7), (3, 4, 6), DEFENCES):
        expected = how_many(models, at_least(score) * wounding(strength, defence))
        found = asked().joint(
            "blast_victims", models=models, strength=strength, defence=defence, **given
        )
        assert not differing(found, expected), (models, strength, defence)
