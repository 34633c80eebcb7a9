"""Fights and courage of Napoleonic Skirmish, exact odds against every throw, over all inputs.

Written from the source a second time. Read: the highest die is the score in a struggle for a
banner; the sphere of a leader who failed takes the place of every other.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, cycle, islice, product
from math import prod
from typing import Any

import pytest
from asked_odds import Asked, drawn, game
from beside import as_written
from expected_facts import expected, number_in
from ways import (
    D6,
    Chances,
    at_least,
    counted,
    differing,
    how_many,
    joined,
    one_die,
    sure,
    then,
    whether,
)

from rulebook.core.odds import FaultyProcedure

FACTS = expected("napoleonic-skirmish")
DEFENCES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100)
COLUMNS = {
    table: {
        row: dict(zip(lines["of"], cells, strict=True))
        for row, cells in lines.items()
        if row != "of"
    }
    for table, lines in FACTS["columns"].items()
}
#: What becomes of a shot, in the words of the scatter chart.
PLACES = as_written(__file__, "places")
#: The same on throws 1 to 6, by the three columns of the chart.
SCATTER = {
    crowd: [PLACES[FACTS["places"][f"scatter_chart[{throw}, {crowd}]"]] for throw in range(1, 7)]
    for crowd in ("few", "some", "many")
}


def numbers(table: str, row: str, *fields: str) -> tuple[int, ...]:
    return tuple(number_in(COLUMNS[table][row][field]) for field in fields)


#: Strength within half range and beyond, and whether the weapon has a distance for scatter.
WEAPONS = {
    weapon: (*numbers("weapons", weapon, "near_strength", "far_strength"), line["scatter"] != "–")
    for weapon, line in COLUMNS["weapons"].items()
    if weapon != "blunderbuss"
}
#: The score for things in the way.
COVER = {cover: number_in(line["passes"]) for cover, line in COLUMNS["in_the_way"].items()}
#: Guns: strength within half range and beyond, minimum crew; limbers: crew, horses at half speed.
GUNS = {
    gun: (
        *numbers("cannon", gun, "near_strength", "far_strength", "crew"),
        *numbers("limbers", gun, "crew", "half_speed"),
    )
    for gun in COLUMNS["cannon"]
}
#: Rockets: crew to move, strength.
ROCKETS = {
    rocket: numbers("rockets", rocket, "moving", "strength") for rocket in ("heavy", "light")
}


def wounding(strength: int, defence: int) -> Fraction:
    """The chance of a blow to wound: a score, two scores thrown one after the other, or none."""
    cell = FACTS["tables"]["wound_chart"][strength - 1][DEFENCES.index(defence)]
    if cell == "–":
        return Fraction(0)
    return prod((at_least(int(score)) for score in cell.rstrip("+").split("/")), start=Fraction(1))


DICE = range(1, 5)
FIGHT = range(1, 7)


def asked(*options: str) -> Asked:
    return game("napoleonic-skirmish", *options)


def struggle(attacks: int, others: int, tie: str) -> dict[str, int]:
    """Highest die against highest die, every throw of both."""
    own, other = (counted(max(dice) for dice in product(D6, repeat=n)) for n in (attacks, others))
    return joined(
        own, other, lambda one, two: "first" if one > two else "second" if two > one else tie
    )


@pytest.mark.parametrize("attacks", DICE)
def test_a_struggle_for_a_banner(attacks: int) -> None:
    for others, fight, other_fight in product(DICE, FIGHT, FIGHT):
        tie = "first" if fight > other_fight else "second" if other_fight > fight else "nobody"
        found = asked().joint(
            "banner", attacks=attacks, other_attacks=others, fight=fight, other_fight=other_fight
        )
        assert not differing(found, struggle(attacks, others, tie)), (others, fight, other_fight)


@pytest.mark.parametrize("fight", FIGHT)
def test_a_wall_of_spears(fight: int) -> None:
    """Below the Fight Value the horse takes a hit of Strength 4 for each spearman but one."""
    for spears, defence, lance in product(range(2, 7), DEFENCES, (False, True)):
        caught = Fraction(0) if lance else 1 - at_least(fight)
        wounded = 1 - (1 - wounding(4, defence)) ** (spears - 1)
        expected = {
            (False, False): 1 - caught,
            (True, False): caught * (1 - wounded),
            (True, True): caught * wounded,
        }
        given = {"spears": spears, "defence": defence, "lance": lance}
        asked().expect(expected, "wall_of_spears", fight=fight, **given)


BONUSES = {"sphere": 1, "banner": 1, "musician": 1, "general": 1, "broken": -1}
MOST = {"private": 4, "nco": 3, "officer": 3, "general": 2}


@pytest.mark.parametrize("rank", MOST)
def test_what_adds_courage(rank: str) -> None:
    """All sets of conditions; musicians move privates only, a failed leader leaves no sphere."""
    for number in range(len(BONUSES) + 1):
        for holds in combinations(BONUSES, number):
            given = {"rank": rank, "conditions": "+".join(holds) or "none"}
            if ("musician" in holds and rank != "private") or {"sphere", "broken"} <= {*holds}:
                with pytest.raises(FaultyProcedure):
                    asked().joint("courage", **given)
                continue
            added = min(MOST[rank], sum(BONUSES[one] for one in holds))
            assert asked().joint("courage", **given) == {added: 1}, given


def test_alone_and_afraid() -> None:
    """1 to 3 the edge of the board, 4 to 6 the nearest friend."""
    expected = counted("edge" if die <= 3 else "friend" for die in D6)
    asked().expect(expected, "alone")


# Small arms and grenades of Napoleonic Skirmish, exact odds against the tree of every play.

FLAGS = (False, True)
SHOOT = range(2, 7)


def goes(place: str, named: bool) -> bool:
    """Whether a shot goes to a model: the target, another enemy, or one that the opponent names."""
    return place in {"target", "other"} or (place == "named" and named)


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
        if not goes(place, bool(given["named"])):
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


TARGET = ("defence", "obstacles", "cover", "wounds", "helmet", "named")
NAMES = ("weapon", "shoot", "near", "crowd", *TARGET)
REST = list(product(range(4), COVER, (1, 2, 3), FLAGS, FLAGS))


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
        asked().expect(shot(given), "shot", **given)


def test_a_shot_in_a_larger_game() -> None:
    for given in shots()[::5]:
        asked("larger_games").expect(shot(given, larger=True), "shot", **given)


@pytest.mark.parametrize("crowd", SCATTER)
def test_scatter(crowd: str) -> None:
    expected = one_die(lambda die: SCATTER[crowd][die - 1])
    asked().expect(expected, "scatter", crowd=crowd)


def test_wounds_and_helmets() -> None:
    for strength, defence, helmet in product(range(1, 16), DEFENCES, FLAGS):
        given = {"strength": strength, "defence": defence, "helmet": helmet}
        hurt = wounding(strength, defence) * (Fraction(5, 6) if helmet else 1)
        asked().expect(whether(hurt), "wound", **given)


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
        asked().expect(grenade(shoot, fight, defence, thrower), "grenade", shoot=shoot, **given)


@pytest.mark.parametrize("defence", DEFENCES)
def test_a_grenadier_is_shot(defence: int) -> None:
    """A 1, and then a 1, 2 or 3: one in twelve."""
    expected = {(False, 0, False): Fraction(11, 12)}
    for inches, hurt in product((1, 2, 3), FLAGS):
        share = wounding(7, defence) if hurt else 1 - wounding(7, defence)
        if share:
            expected[(True, inches, hurt)] = Fraction(1, 12) * Fraction(1, 3) * share
    asked().expect(expected, "grenadier_shot", defence=defence)


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


# Guns, shells and rockets of Napoleonic Skirmish, exact odds against the tree of every play.

DISTANCES = {"far": 0, "half": 1, "quarter": 2}


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
    expected = whether(laid(distance, trained, master))
    asked().expect(expected, "gun_to_hit", distance=distance, trained=trained, master=master)


@pytest.mark.parametrize("master", FLAGS)
@pytest.mark.parametrize("crowd", SCATTER)
def test_where_a_shot_goes(crowd: str, master: bool) -> None:
    asked().expect(strayed(crowd, master), "gun_scatter", crowd=crowd, master=master)


LAID = list(product(DISTANCES, FLAGS, FLAGS, SCATTER))
BEHIND = list(product(range(4), COVER))


def cannon(strength: int, given: dict[str, Any], *chances: Any) -> Chances:
    hit, lands, past = chances
    line = (given["models"], given["target"], 1, given["defence"])

    def landed(place: str) -> Chances:
        if not goes(place, given["named"]):
            return sure((True, place, 0))
        return then(
            whether(past),
            lambda flies: then(
                flown(strength, 1, 20, line) if flies else sure(0),
                lambda killed: sure((True, place, killed)),
            ),
        )

    return then(
        whether(hit), lambda one: then(lands, landed) if one else sure((False, "nobody", 0))
    )


def laid_shots() -> Iterator[tuple[dict[str, Any], Fraction, Chances, Fraction]]:
    """What is asked; the chances to hit, of each place, and to pass what is in the way."""
    every = [
        (*laying, *behind, named, 4)
        for laying, named in zip(LAID, cycle(FLAGS))
        for behind in BEHIND
    ]
    some = [(*laying, 1, "light", False, defence) for laying in LAID[::5] for defence in DEFENCES]
    names = ("distance", "trained", "master", "crowd", "obstacles", "cover", "named", "defence")
    for values in [*every, *some]:
        distance, trained, master, crowd, obstacles, cover, *_ = values
        past = at_least(COVER[cover]) ** obstacles
        given = dict(zip(names, values, strict=True))
        yield given, laid(distance, trained, master), strayed(crowd, master), past


@pytest.mark.parametrize("gun", GUNS)
def test_a_cannon_shot(gun: str) -> None:
    """Each of them a third of all ways to lay a gun, and all of them together every way."""
    near, far, *_ = GUNS[gun]
    lines = cycle([(1, 1), (2, 1), (3, 2), (4, 4)])
    shots = zip(laid_shots(), lines, strict=False)
    for (given, *chances), (models, target) in islice(shots, [*GUNS].index(gun) % 3, None, 3):
        given |= {"models": models, "target": target}
        expected = cannon(far if given["distance"] == "far" else near, given, *chances)
        asked().expect(expected, "cannon_shot", gun=gun, **given)


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
    some = drawn(5, 200, range(1, 16), range(1, 13), range(13), range(81), range(1, 7), DEFENCES)
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
        asked().expect(expected, "round_shot", gap=f"{gap}in", defence=defence, **given)


def test_round_shot_at_obstacles() -> None:
    for obstacles, cover in BEHIND:
        past = passing(obstacles, cover)
        expected = then(
            whether(past), lambda flies: flown(9, 1, 20, (6, 1, 1, 4)) if flies else sure(0)
        )
        asked().expect(expected, "round_shot", obstacles=obstacles, cover=cover)


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


def shell(hit: Fraction, lands: Chances, past: Fraction, given: dict[str, Any]) -> Chances:
    """Where it lands, whether it bursts and kills the model struck, and its radius."""
    killed = past * wounding(12, given["defence"])

    def landed(place: str) -> Chances:
        if not goes(place, given["named"]):
            return sure((place, False, False, 0))
        return then(one_die(lambda die: die > 1), lambda burns: burst(place, burns))

    def burst(place: str, burns: bool) -> Chances:
        if not burns:
            return sure((place, False, False, 0))
        return then(
            whether(killed),
            lambda dead: then(one_die(d3), lambda inches: sure((place, True, dead, inches))),
        )

    return then(
        whether(hit), lambda one: then(lands, landed) if one else sure(("nobody", False, False, 0))
    )


def test_a_shell() -> None:
    for given, *chances in laid_shots():
        asked().expect(shell(*chances, given), "howitzer_shell", **given)


def test_those_near_a_shell() -> None:
    for models, sheltered, defence in product(range(13), FLAGS, DEFENCES):
        given = {"models": models, "sheltered": sheltered, "defence": defence}
        blows = [wounding(one + other, defence) for one, other in product(D6, D6)]
        hurt = at_least(3 if sheltered else 1) * sum(blows) / 36
        asked().expect(how_many(models, hurt), "shell_splinters", **given)


def battered(strength: int, defence: int, veterans: bool) -> Chances:
    """The points of a strike: none on a 1, one on 2 to 5 and two on a 6, twice or three times."""
    times = 3 if strength >= 13 else 2 if strength >= 10 else 1
    throws = [max(pair) if veterans else pair[0] for pair in product(D6, D6)]
    points = [times * (0 if die == 1 else 2 if die == 6 else 1) for die in throws]
    chart = {one: Fraction(points.count(one), len(points)) for one in set(points)}
    return then(whether(wounding(strength, defence)), lambda one: chart if one else sure(0))


def test_battering() -> None:
    for strength, defence, veterans in product(range(1, 16), DEFENCES, FLAGS):
        expected = battered(strength, defence, veterans)
        asked().expect(expected, "batter", strength=strength, defence=defence, veterans=veterans)


def test_a_shell_at_a_wall() -> None:
    for defence, veterans in product(DEFENCES, FLAGS):
        thrown = then(one_die(int), lambda one: one_die(lambda other: one + other))
        expected = then(
            thrown,
            lambda strength, d=defence, v=veterans: battered(strength, d, v),  # type: ignore[misc]
        )
        asked().expect(expected, "shell_at_a_wall", defence=defence, veterans=veterans)


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
    few = product(ROCKETS, SCATTER, DEFENCES, [(0, "solid")])
    behind = product(ROCKETS, SCATTER, [4], BEHIND)
    for (rocket, crowd, defence, (obstacles, cover)), named in zip([*few, *behind], cycle(FLAGS)):
        killed = passing(obstacles, cover) * wounding(ROCKETS[rocket][1], defence)

        def landed(place: str, killed: Fraction = killed, named: bool = named) -> Chances:
            dead = killed if goes(place, named) else Fraction(0)
            return then(whether(dead), lambda one: sure((True, place, one)))

        expected = then(
            whether(at_least(5)),
            lambda hit, crowd=crowd, landed=landed: (  # type: ignore[misc]
                then(strayed(crowd, False), landed) if hit else sure((False, "nobody", False))
            ),
        )
        given = {"rocket": rocket, "crowd": crowd, "defence": defence, "named": named}
        asked().expect(expected, "rocket", obstacles=obstacles, cover=cover, **given)


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
