"""The gridded game, exact odds against every throw in turn, over all inputs of all procedures.

Typed from the source: what adds to two dice and what takes from them, one die for each enemy unit
that hit, strength points of 6, 4 and 3. Its unit data are lost, so numbers, faces and modifiers are
inputs, and each is asked over its whole range. House: the unit data and the table of impact that
are typed here, and equal throws for initiative thrown again.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from typing import Any

import pytest
from asked_odds import Asked, game
from ways import D6, Ways, chance, counted, differing, joined

from rulebook.core.odds import FaultyProcedure

TWO_DICE = counted(one + other for one, other in product(D6, D6))
FIRE = {
    "infantry": {"commander": +1, "same_tile": 0, "cover": -1},
    "artillery": {"commander": +1, "same_tile": +1, "cover": -1},
}
COMBAT = {"commander": +1, "flank": +1, "downhill": +1, "uphill": -1, "into_cover": -1}
STRENGTHS = {"infantry": 6, "cavalry": 4, "artillery": 3}
#: The totals for one hit and for two, of fire and of close combat.
SHOTS = {"line_infantry": (8, 11), "light_infantry": (7, 10), "artillery": (7, 10)}
CHARGES = {
    "line_infantry": (7, 10),
    "light_infantry": (8, 11),
    "cavalry": (6, 9),
    "artillery": (9, 12),
}
#: By the faces of the die, from 1 to 6: points of damage, and whether it orders a retreat.
IMPACT = {
    "elite": [(0, False), (0, False), (0, True), (0, True), (0, True), (1, True)],
    "other": [(0, False), (0, False), (1, False), (0, True), (0, True), (1, True)],
    "raw": [(0, False), (1, False), (1, False), (1, False), (0, True), (1, True)],
}
NUMBERS, MODIFIERS = range(2, 13), range(-2, 4)
#: How many attacks the chances are told of, before the rest is told as more.
LISTED = 30


@cache
def gridded() -> Asked:
    return game("gridded")


def subsets(conditions: Iterable[str]) -> list[tuple[str, ...]]:
    every = list(conditions)
    return list(chain.from_iterable(combinations(every, size) for size in range(len(every) + 1)))


def totals(modifier: int) -> Ways[int]:
    return {total + modifier: ways for total, ways in TWO_DICE.items()}


def given(conditions: tuple[str, ...]) -> dict[str, str]:
    return {"conditions": ",".join(conditions)} if conditions else {}


def test_equal_throws_for_initiative_are_thrown_again() -> None:
    """Who is first and how many units each moves, together; red throws first."""
    expected = counted(
        ("red" if one > other else "blue", one, other)
        for one, other in product(D6, D6)
        if one != other
    )
    gridded().expect(expected, "initiative")
    assert gridded().odds("initiative").results["red_moves"].mean == Fraction(7, 2)


@pytest.mark.parametrize("arm", FIRE)
@pytest.mark.parametrize("conditions", subsets(FIRE["artillery"]))
def test_totals_of_fire(arm: str, conditions: tuple[str, ...]) -> None:
    expected = totals(sum(FIRE[arm][one] for one in conditions))
    gridded().expect(expected, "ranged_attack", arm=arm, **given(conditions))


@pytest.mark.parametrize("conditions", subsets(COMBAT))
def test_totals_of_close_combat(conditions: tuple[str, ...]) -> None:
    if {"uphill", "downhill"} <= {*conditions}:
        with pytest.raises(FaultyProcedure, match="uphill and downhill"):
            gridded().joint("close_combat", **given(conditions))
        return
    expected = totals(sum(COMBAT[one] for one in conditions))
    gridded().expect(expected, "close_combat", **given(conditions))


def with_hits(modifier: int, needed: tuple[int, int]) -> Ways[tuple[int, int]]:
    sums = [one + other + modifier for one, other in product(D6, D6)]
    return counted((total, sum(total >= number for number in needed)) for total in sums)


@pytest.mark.parametrize("firer", SHOTS)
@pytest.mark.parametrize("conditions", subsets(FIRE["artillery"]))
def test_hits_of_a_shot_with_our_unit_data(firer: str, conditions: tuple[str, ...]) -> None:
    arm = "artillery" if firer == "artillery" else "infantry"
    modifier = sum(FIRE[arm][one] for one in conditions)
    gridded().expect(with_hits(modifier, SHOTS[firer]), "shot", firer=firer, **given(conditions))


@pytest.mark.parametrize("attacker", CHARGES)
@pytest.mark.parametrize("conditions", [(), ("flank",), ("uphill", "into_cover")])
def test_hits_of_an_attack_with_our_unit_data(attacker: str, conditions: tuple[str, ...]) -> None:
    expected = with_hits(sum(COMBAT[one] for one in conditions), CHARGES[attacker])
    gridded().expect(expected, "charge", attacker=attacker, **given(conditions))


@pytest.mark.parametrize("enemies", range(1, 5))
@pytest.mark.parametrize("quality", IMPACT)
def test_impact_of_every_throw(quality: str, enemies: int) -> None:
    throws = product(IMPACT[quality], repeat=enemies)
    expected = counted((sum(d for d, _ in dice), any(back for _, back in dice)) for dice in throws)
    gridded().expect(expected, "resolve_hits", quality=quality, enemies=enemies)


def test_elite_units_retreat_more_often_and_raw_ones_suffer_more() -> None:
    """As the source says of them."""
    found = [gridded().odds("resolve_hits", quality=one).results["damage"].mean for one in IMPACT]
    assert found == [Fraction(points, 6) for points in (1, 2, 4)]
    assert [sum(back for _, back in faces) for faces in IMPACT.values()] == [4, 3, 2]


def test_all_modifiers_lie_within_those_of_the_table_of_chances() -> None:
    """The most and the least that can be added: the columns of the appendix leave nothing out."""
    slopes = [one for one in subsets(COMBAT) if not {"uphill", "downhill"} <= {*one}]
    fire = [sum(FIRE[arm][one] for one in some) for arm in FIRE for some in subsets(FIRE[arm])]
    every = {*fire, *(sum(COMBAT[one] for one in some) for some in slopes)}
    assert every == {*MODIFIERS}
    table = gridded().ruleset.tables["chance_to_reach"]
    assert table.columns["modifier"] == f"{MODIFIERS[0]}..{MODIFIERS[-1]}"


@pytest.mark.parametrize("modifier", MODIFIERS)
def test_chances_of_every_number(modifier: int) -> None:
    for number in range(2, 16):
        expected = counted(one + other + modifier >= number for one, other in product(D6, D6))
        gridded().expect(expected, "reach", number=number, modifier=modifier)


@pytest.mark.parametrize("enemies", range(1, 7))
def test_any_die_orders_a_retreat(enemies: int) -> None:
    """Of so many faces that are a retreat it is no matter which."""
    lowest = counted(min(throw) for throw in product(D6, repeat=enemies))
    for faces in range(7):
        expected: Ways[bool] = {True: 0, False: 0}
        for die, ways in lowest.items():
            expected[die <= faces] += ways
        gridded().expect(expected, "ordered_back", enemies=enemies, faces=faces)


def attacks(points: int, number: int, modifier: int) -> Ways[int | str]:
    """The ways in which the last point goes with each attack, of all throws of thirty attacks."""
    reached = counted(one + other + modifier >= number for one, other in product(D6, D6))
    left: Ways[int] = {points: 1}
    found: Ways[int | str] = {}
    for attack in range(1, LISTED + 1):
        left = joined(left, reached, lambda before, hit: before - hit)
        found[attack] = left.pop(0, 0) * 36 ** (LISTED - attack)
    found["more"] = sum(left.values())
    return found


@pytest.mark.parametrize("modifier", MODIFIERS)
@pytest.mark.parametrize("unit", STRENGTHS)
def test_attacks_until_a_unit_is_removed(unit: str, modifier: int) -> None:
    """The mean wait for so many successes is their number over the chance of one."""
    points = STRENGTHS[unit]
    for number in NUMBERS:
        asked: dict[str, Any] = {"unit": unit, "number": number, "modifier": modifier}
        hit = counted(one + other + modifier >= number for one, other in product(D6, D6))
        if number - modifier > 12:
            with pytest.raises(FaultyProcedure, match="do not reach so much"):
                gridded().joint("attacks_to_remove", **asked)
            continue
        odds = gridded().odds("attacks_to_remove", **asked)
        told = {one if isinstance(one, int) else str(one): share for (one,), share in odds.joint}
        assert not differing(told, attacks(points, number, modifier)), number
        assert odds.results["attacks"].mean == points / chance(hit, True), number
