"""Charges and mêlées, exact odds against every throw in turn, over all their inputs.

Typed from the second draft: who throws what in a single combat, and the faces on which horsemen
break through and attackers break in. Read: one horseman against one infantryman throws two dice and
adds them; half a die more is not rounded; equal throws before contact, and for who acts first, are
thrown again. A combat that the source does not list has no throw and is refused.

`melee`: all 3,600 sets of inputs. With zouaves all the combats, on either side and on both, with
advantages of 0, 1 and 3, and a seeded sample of the rest.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from asked_odds import Asked, acw, drawn
from ways import D6, Ways, chance, counted, differing

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
        found = asked.joint("melee", **given)
    except FaultyProcedure as fault:
        return expected and str(fault)
    return "no such combat" if expected is None else differing(found, expected)


@pytest.mark.parametrize(
    "combat",
    list(product(ARMS, (1, 2, 3), ARMS, (1, 2, 3))),
    ids=lambda one: "-".join(map(str, one)),
)
def test_the_higher_score_wins_a_single_combat(combat: Combat) -> None:
    for bonuses in product(BONUSES, BONUSES):
        assert not disagrees(acw(), told(combat, *bonuses), fought(combat, *bonuses)), bonuses


def test_there_are_twelve_combats_with_a_throw() -> None:
    """Two of the seven in the source are the same whoever attacks."""
    combats = [one for one in product(ARMS, (1, 2, 3), ARMS, (1, 2, 3)) if fought(one, 0, 0)]
    assert len(combats) == 2 * 7 - 2


def zouave_combats() -> list[tuple[Combat, int, int, bool, bool]]:
    combats = [one for one in product(ARMS, (1, 2, 3), ARMS, (1, 2, 3)) if fought(one, 0, 0)]
    sides = (False, True)
    few = product(combats, (0, 1, 3), (0, 1, 3), sides, sides)
    return [*few, *drawn(23, 100, combats, BONUSES, BONUSES, sides, sides)]


def test_zouaves_add_one_on_foot_and_only_there() -> None:
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


def test_equal_throws_before_contact_are_thrown_again() -> None:
    unequal = [pair for pair in product(D6, D6) if pair[0] != pair[1]]
    expected = counted(defender > attacker for defender, attacker in unequal)
    assert not differing(acw().joint("charge_response"), expected)
    assert chance(expected, True) == Fraction(1, 2)


def test_who_acts_first_is_thrown_for_until_one_is_higher() -> None:
    unequal = [pair for pair in product(D6, D6) if pair[0] != pair[1]]
    expected = counted("one" if one > other else "other" for one, other in unequal)
    assert not differing(acw().joint("acts_first"), expected)


@pytest.mark.parametrize(("ranks", "through"), [(1, {4, 5, 6}), (2, {5, 6})])
def test_horsemen_break_through_shallow_infantry(ranks: int, through: set[int]) -> None:
    expected = counted(die in through for die in D6)
    assert not differing(acw().joint("breakthrough", ranks=ranks), expected)


def test_attackers_break_into_a_building_on_4_5_or_6() -> None:
    expected = counted(die in {4, 5, 6} for die in D6)
    assert not differing(acw().joint("building_entry"), expected)
