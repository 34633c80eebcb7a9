"""Charges and mêlées, exact odds against every throw in turn, over all their inputs.

Typed from the second draft: who throws what in a single combat, and the faces on which horsemen
break through and attackers break in. Read: one horseman against one infantryman throws two dice and
adds them; half a die more is not rounded; equal throws before contact, and for who acts first, are
thrown again. A combat that the source does not list has no throw and is refused.

`melee`: all 3,600 sets of inputs. With zouaves all the combats, on either side and on both, with
advantages of 0, 1 and 3, and a seeded sample of the rest.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from asked_odds import Asked, acw, drawn
from ways import D6, Ways, chance, counted, differing, falling, joined, plus

from rulebook.core.odds import FaultyProcedure

INFANTRY, CAVALRY = ARMS = ("infantry", "cavalry")
BONUSES = range(10)

#: What falls with the throws of one side, each as likely as the other.
ONE_DIE: list[Fraction] = [Fraction(die) for die in D6]
HALF_AGAIN = [die + Fraction(1, 2) * die for die in D6]
TWO_DICE = [Fraction(one + other) for one, other in product(D6, D6)]
#: One side with its figures, the other with its figures, and what each of them throws.
COMBATS = {
    (INFANTRY, 1, INFANTRY, 1): (ONE_DIE, ONE_DIE),
    (INFANTRY, 2, INFANTRY, 1): (HALF_AGAIN, ONE_DIE),
    (CAVALRY, 1, CAVALRY, 1): (ONE_DIE, ONE_DIE),
    (CAVALRY, 1, INFANTRY, 1): (TWO_DICE, ONE_DIE),
    (CAVALRY, 1, INFANTRY, 2): (ONE_DIE, ONE_DIE),
    (CAVALRY, 1, INFANTRY, 3): (ONE_DIE, HALF_AGAIN),
    (CAVALRY, 1, CAVALRY, 2): (ONE_DIE, HALF_AGAIN),
}
Combat = tuple[str, int, str, int]


@cache
def fought(combat: Combat, attack_plus: int, defence_plus: int) -> Ways[str] | None:
    """Who wins, throw by throw: the higher score; None where the source has no such combat."""
    arm, figures, other_arm, others = combat
    turned = (other_arm, others, arm, figures)
    if combat in COMBATS:
        attack, defence = COMBATS[combat]
    elif turned in COMBATS:
        defence, attack = COMBATS[turned]
    else:
        return None
    return counted(
        "attacker"
        if own + attack_plus > other + defence_plus
        else "defender"
        if other + defence_plus > own + attack_plus
        else "draw"
        for own, other in product(attack, defence)
    )


def told(combat: Combat, attack_plus: int, defence_plus: int) -> dict[str, object]:
    names = ("attacker", "attacker_count", "defender", "defender_count")
    bonuses = {"attacker_bonus": attack_plus, "defender_bonus": defence_plus}
    return {**dict(zip(names, combat, strict=True)), **bonuses}


def disagrees(asked: Asked, given: dict[str, object], expected: Ways[str] | None) -> Any:
    """What is wrong with the odds of a combat; nothing if all is well."""
    try:
        found = asked.alone("melee", "winner", **given)
    except FaultyProcedure as fault:
        return expected and str(fault)
    return "no such combat" if expected is None else differing(found, expected)


@pytest.mark.parametrize(
    "combat",
    list(product(ARMS, (1, 2, 3), ARMS, (1, 2, 3))),
    ids=lambda one: "-".join(map(str, one)),
)
def test_the_higher_score_wins_a_single_combat(combat):
    for bonuses in product(BONUSES, BONUSES):
        assert not disagrees(acw(), told(combat, *bonuses), fought(combat, *bonuses)), bonuses


def test_there_are_twelve_combats_with_a_throw():
    """Two of the seven in the source are the same whoever attacks."""
    combats = [one for one in product(ARMS, (1, 2, 3), ARMS, (1, 2, 3)) if fought(one, 0, 0)]
    assert len(combats) == 2 * 7 - 2


def zouave_combats() -> list[tuple[Combat, int, int, bool, bool]]:
    combats = [one for one in product(ARMS, (1, 2, 3), ARMS, (1, 2, 3)) if fought(one, 0, 0)]
    sides = (False, True)
    few = product(combats, (0, 1, 3), (0, 1, 3), sides, sides)
    return [*few, *drawn(23, 100, combats, BONUSES, BONUSES, sides, sides)]


def test_zouaves_add_one_on_foot_and_only_there():
    """Both sides may be of zouaves; a horseman is none."""
    for combat, attack, defence, attackers, defenders in zouave_combats():
        given = {
            **told(combat, attack, defence),
            "attacker_zouaves": attackers,
            "defender_zouaves": defenders,
        }
        own = attack + (attackers and combat[0] == INFANTRY)
        other = defence + (defenders and combat[2] == INFANTRY)
        assert not disagrees(acw("zouaves"), given, fought(combat, own, other)), given


def test_equal_throws_before_contact_are_thrown_again():
    unequal = [pair for pair in product(D6, D6) if pair[0] != pair[1]]
    expected = counted(defender > attacker for defender, attacker in unequal)
    acw().expect(expected, "charge_response")
    assert chance(expected, True) == Fraction(1, 2)


def test_who_acts_first_is_thrown_for_until_one_is_higher():
    unequal = [pair for pair in product(D6, D6) if pair[0] != pair[1]]
    expected = counted("one" if one > other else "other" for one, other in unequal)
    acw().expect(expected, "acts_first")


@pytest.mark.parametrize(("ranks", "through"), [(1, {4, 5, 6}), (2, {5, 6})])
def test_horsemen_break_through_shallow_infantry(ranks, through):
    expected = counted(die in through for die in D6)
    acw().expect(expected, "breakthrough", ranks=ranks)


def test_attackers_break_into_a_building_on_4_5_or_6():
    expected = counted(die in {4, 5, 6} for die in D6)
    acw().expect(expected, "building_entry")


# Guns, howitzers and houses, exact odds against plain counting.

KILLS_ON_3, KILLS_ON_4 = frozenset({3, 4, 5, 6}), frozenset({4, 5, 6})
KILLS_ON_5, KILLS_ON_6 = frozenset({5, 6}), frozenset({6})
#: The far group lies beyond 48 inches, where the source has a 6 kill.
GROUPS = {"near": KILLS_ON_3, "middle": KILLS_ON_4, "far": KILLS_ON_6, "extreme": KILLS_ON_6}
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


def test_two_faces_for_each_colour_of_the_stick():
    expected = counted(["white", "white", "yellow", "yellow", "green", "green"])
    acw().expect(expected, "bounce")


@pytest.mark.parametrize("band", GROUPS)
def test_a_ball_is_thrown_for_against_each_head(band):
    for (figures,) in acw().values("round_shot", "figures"):
        acw().expect(falling(figures, GROUPS[band]), "round_shot", figures=figures, band=band)


@pytest.mark.parametrize("inch", range(1, 61))
def test_where_a_figure_stands_decides_what_kills_it(inch):
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


def test_each_zone_of_the_cone_kills_on_its_own_faces():
    few = product(range(7), repeat=3)
    alone = [one for n in FIGURES for one in ((n, 0, 0), (0, n, 0), (0, 0, n))]
    rest = drawn(31, 120, FIGURES, FIGURES, FIGURES)
    for numbers in (*few, *alone, *rest, (24, 24, 24)):
        figures = dict(zip(CONE, numbers, strict=True))
        acw().expect(cone(figures), "canister", **figures)


@cache
def shell_in(sector: int, figures: int) -> dict[tuple[int, int], Fraction]:
    ways = falling(figures, KILLS_ON_4)
    total = 6 * sum(ways.values())
    return {(sector, fallen): Fraction(number, total) for fallen, number in ways.items()}


def test_a_shell_strikes_the_sector_thrown_and_a_1_is_a_misfire():
    """The sector and the casualties in it together."""
    few = product(range(3), repeat=5)
    for numbers in (*few, *drawn(37, 60, *[FIGURES] * 5), (24, 24, 24, 24, 24)):
        expected: dict[Any, Fraction] = {("misfire", 0): Fraction(1, 6)}
        for sector, figures in zip(SECTORS, numbers, strict=True):
            expected |= shell_in(sector, figures)
        given = {f"in_{sector}": n for sector, n in zip(SECTORS, numbers, strict=True)}
        assert acw().joint("howitzer", **given) == expected, numbers


@pytest.mark.parametrize("distance", TAKEN_OFF)
def test_distance_takes_from_the_damage_to_a_gun(distance):
    expected = counted(damage(distance, die) for die in D6)
    acw().expect(expected, "gun_hit", range=distance)


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
def test_hits_are_added_up_until_the_gun_is_slowed_or_destroyed(distance, until):
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
def test_only_hits_without_damage_go_on_for_ever(distance, told):
    """By hand: within 36 inches 20 hits of 1 do at last; farther off a 1 does nothing at all."""
    found = acw().odds("counter_battery", range=distance, until=20).results["hits_needed"]
    assert max(outcome for outcome, _ in found.outcomes if isinstance(outcome, int)) == told
    assert (str(found.outcomes[-1][0]) == "more") is (distance != "0-36in")


@pytest.mark.parametrize("distance", TAKEN_OFF)
def test_one_throw_tells_all_that_a_ball_does_to_a_house(distance):
    """Figures killed, whether it goes on, and the points against the house together."""
    expected = counted((*BALL_ON_HOUSE[distance][die - 1], damage(distance, die)) for die in D6)
    acw().expect(expected, "round_shot_on_house", range=distance)


@pytest.mark.parametrize("distance", TAKEN_OFF)
def test_one_throw_tells_all_that_a_shell_does_to_a_house(distance):
    expected = counted((SHELL_ON_HOUSE[die - 1], damage(distance, die)) for die in D6)
    acw().expect(expected, "howitzer_on_house", range=distance)


def test_fire_has_fifteen_moves_to_spread():
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


def test_the_sleeve_slides_by_the_difference_of_two_dice():
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


# Morale, exact odds against every throw in turn, over all inputs.

NEEDED = {1: 6, 2: 7, 3: 8, 4: 9, 5: 10}
LOST = {"none": 0, "sixth": 1, "quarter": 2}
LOST_BY_ZOUAVES = {"none": 0, "sixth": 0, "quarter": 1}
THREATS = {"far": 1, "cavalry": 1, "middle": 2, "near": 3}

#: Without the option, and with it for a unit of others and for one of zouaves.
UNITS = [(None, LOST), (False, LOST), (True, LOST_BY_ZOUAVES)]
units = pytest.mark.parametrize(("zouaves", "lost"), UNITS, ids=["plain", "others", "zouaves"])


def asked_for(zouaves: bool | None, name: str, **given: object) -> dict[object, Fraction]:
    if zouaves is None:
        return acw().joint(name, **given)
    return acw("zouaves").joint(name, zouaves=zouaves, **given)


def fate(command: int, lost: int) -> Ways[int | str]:
    """Move by move: the units that are left throw one die each, and those that fail go on."""
    found: Counter[int | str] = Counter()
    left = 6**5
    for attempt, needed in NEEDED.items():
        rallied = sum(left // 6 for die in D6 if command - lost + die >= needed)
        found[attempt] = rallied
        left -= rallied
    found["dispersed"] = left
    return found


@units
def test_command_less_losses_and_a_die_must_reach_the_total(zouaves, lost):
    for command, losses, attempt in acw().values("morale", "command", "losses", "attempt"):
        expected = counted(command - lost[losses] + die >= NEEDED[attempt] for die in D6)
        found = asked_for(zouaves, "morale", command=command, losses=losses, attempt=attempt)
        assert not differing(found, expected), (command, losses, attempt)


@units
def test_a_unit_rallies_against_rising_totals_or_disperses(zouaves, lost):
    for command, losses in acw().values("rally", "command", "losses"):
        found = asked_for(zouaves, "rally", command=command, losses=losses)
        ways = fate(command, lost[losses])
        expected = {(end == "dispersed", end): count for end, count in ways.items()}
        assert not differing(found, expected), (command, losses)


@units
def test_a_threatened_skirmish_line_takes_pips_from_its_throw(zouaves, lost):
    inputs = ("command", "losses", "attempt", "threat")
    for command, losses, attempt, threat in acw().values("line_morale", *inputs):
        expected = counted(
            command - lost[losses] + die - THREATS[threat] >= NEEDED[attempt] for die in D6
        )
        found = asked_for(
            zouaves, "line_morale", command=command, losses=losses, attempt=attempt, threat=threat
        )
        assert not differing(found, expected), (command, losses, attempt, threat)


def test_an_officer_is_saved_on_5_or_6():
    acw().expect(counted(die in {5, 6} for die in D6), "officer_save")


def test_a_general_needs_the_moves_that_he_throws():
    acw().expect(counted(D6), "generals_rally")


# Volleys and skirmish fire, exact odds against plain counting, over all their inputs.

#: Deductions by range; then normal volley and first volley, each in the open and in cover.
DEDUCTIONS = {"0-8in": (2, 3, 1, 2), "8-16in": (3, 4, 2, 3), "16-24in": (4, 5, 3, 4)}
KINDS = tuple(product(("normal", "first"), ("open", "cover")))
#: Faces that kill within 12 inches, and from there to 24.
SKIRMISH = {
    "formed": ({5, 6}, {6}),
    "picked": ({6}, set()),
    "cover": ({6}, set()),
    "open_order": ({5, 6}, {6}),
    "open_order_in_cover": ({6}, set()),
}
PICKED_AND_MOUNTED: tuple[set[int], set[int]] = ({6}, {6})

Pairs = Ways[tuple[int, int]]


@cache
def figures_struck(hits: int) -> Ways[int]:
    """A die for each hit names the figure; which have been named is followed die by die."""
    named: Ways[frozenset[int]] = {frozenset(): 1}
    for _ in range(hits):
        named = joined(named, counted(D6), lambda before, figure: before | {figure})
    found: Ways[int] = {}
    for struck, ways in named.items():
        found[len(struck)] = found.get(len(struck), 0) + ways
    return found


@cache
def one_group(deduction: int) -> Pairs:
    """Hits of one die and the different figures that they find, every throw in turn."""
    found: Pairs = {}
    for die in D6:
        hits = max(0, die - deduction)
        for numbers in product(D6, repeat=hits):
            pair = (hits, len(set(numbers)))
            found[pair] = found.get(pair, 0) + 6 ** (6 - hits)
    return found


@cache
def groups(deduction: int, number: int) -> Pairs:
    """Each group of firers has a group of the target before it, which none else fires at."""
    if not number:
        return {(0, 0): 1}
    return joined(groups(deduction, number - 1), one_group(deduction), plus)


@cache
def of_groups(deduction: int, number: int, which: int) -> Ways[int]:
    """Only the hits, or only the figures, of so many groups."""
    if not number:
        return {0: 1}
    one: Ways[int] = {}
    for pair, ways in one_group(deduction).items():
        one[pair[which]] = one.get(pair[which], 0) + ways
    return joined(of_groups(deduction, number - 1, which), one, plus)


def deduction_of(distance: str, kind: tuple[str, str]) -> int:
    return DEDUCTIONS[distance][KINDS.index(kind)]


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
@pytest.mark.parametrize("distance", DEDUCTIONS)
def test_each_die_of_a_volley_loses_its_deduction(distance, kind):
    """Hits, and figures hit, each alone: full sixes of figures firing, and one less."""
    deduction = deduction_of(distance, kind)
    given = {"range": distance, "volley": kind[0], "cover": kind[1]}
    for firers in (n for (n,) in acw().values("volley", "firers") if int(n) % 6 in (0, 5)):
        for which, result in enumerate(("casualties", "figures_hit")):
            found = acw().alone("volley", result, firers=firers, **given)
            assert not differing(found, of_groups(deduction, firers // 6, which)), firers


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
@pytest.mark.parametrize("distance", DEDUCTIONS)
def test_hits_and_the_figures_that_they_find_go_together(distance, kind):
    given = {"range": distance, "volley": kind[0], "cover": kind[1]}
    for firers in (5, 11, *range(6, 61, 6)):
        expected = groups(deduction_of(distance, kind), firers // 6)
        acw().expect(expected, "volley", firers=firers, **given)


@pytest.mark.parametrize(
    ("firers", "distance", "kind"),
    [(132, "0-8in", ("first", "open")), *drawn(17, 4, range(61, 133), list(DEDUCTIONS), KINDS)],
)
def test_hits_and_figures_of_large_volleys(firers, distance, kind):
    expected = groups(deduction_of(distance, kind), firers // 6)
    acw().expect(expected, "volley", firers=firers, range=distance, volley=kind[0], cover=kind[1])


def test_which_figures_are_found_by_any_number_of_hits():
    for (hits,) in acw().values("figures_found", "hits"):
        acw().expect(figures_struck(hits), "figures_found", hits=hits)


@pytest.mark.parametrize("hits", range(7))
def test_figures_found_are_counted_throw_by_throw(hits):
    """The way in which they are counted for many hits is right for few."""
    assert counted(len(set(found)) for found in product(D6, repeat=hits)) == figures_struck(hits)


def test_the_higher_fires_first_and_equals_together():
    expected = counted(
        "one" if one > other else "other" if other > one else "together"
        for one, other in product(D6, D6)
    )
    acw().expect(expected, "first_fire")
    assert expected == {"one": 15, "other": 15, "together": 6}


@pytest.mark.parametrize("sharp", [None, False, True])
@pytest.mark.parametrize("target", SKIRMISH)
def test_every_skirmisher_throws_his_own_die(target, sharp):
    """Sharpshooters add 1 to each; where no score will do, none does for them either."""
    asked = acw() if sharp is None else acw("sharpshooters")
    option = {} if sharp is None else {"sharpshooters": sharp}
    inputs = ("figures", "range", "mounted_officer")
    for figures, distance, mounted in asked.values("skirmish_fire", *inputs):
        bands = PICKED_AND_MOUNTED if target == "picked" and mounted else SKIRMISH[target]
        kills = bands[("near", "far").index(distance)]
        if sharp:
            kills = {die for die in D6 if die in kills or die + 1 in kills}
        found = asked.joint(
            "skirmish_fire",
            figures=figures,
            target=target,
            range=distance,
            mounted_officer=mounted,
            **option,
        )
        ways = falling(figures, frozenset(kills))
        assert not differing(found, ways), (figures, distance, mounted)
