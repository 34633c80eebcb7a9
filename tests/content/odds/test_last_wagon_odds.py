"""The Last Wagon, exact odds against every throw in turn, over all inputs of all procedures.

Typed from the printed pages. A natural 1 fails; every other number is a target and what is added.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from asked_odds import Asked, game
from ways import D6, Ways, counted, differing, joined, plus

EVENTS = ("none", "mules", "axle", "rain", "mist", "battery")
MARCHES = {
    "west": (1, 1, 2, 1, 1, 1, 0, 1, 1, 0, 1, 2),
    "high": (1, 1, 1, 1, 2, 0, 1, 1, 1, 0, 1, 2),
    "east": (1, 1, 1, 2, 1, 1, 1, 0, 1, 0, 1, 2),
}
#: What a die must reach, by distance: of a company and of the gun, in the open.
NEEDED = {"company": {1: 4, 2: 5}, "gun": {1: 4, 2: 4, 3: 5, 4: 5}}


@cache
def last_wagon() -> Asked:
    return game("last-wagon")


@cache
def hits(dice: int, needed: int) -> Ways[int]:
    """Every throw of so many dice, one by one."""
    return counted(sum(die >= needed for die in throw) for throw in product(D6, repeat=dice))


def wagons_over(directed: bool, event: str) -> Ways[int]:
    added = directed + {"mules": 1, "axle": -1}.get(event, 0)
    totals = [die + added for die in D6]
    return counted(0 if total <= 1 else 1 if total <= 5 else 2 for total in totals)


@pytest.mark.parametrize("road", MARCHES)
def test_any_card_of_the_deck(road: str) -> None:
    last_wagon().expect(counted(MARCHES[road]), "march", road=road)


def test_the_battery_and_single_dice() -> None:
    last_wagon().expect(hits(2, 5), "battery_fire")
    for name, needed in (("re_form", 4), ("lay_charge", 3)):
        expected = counted(die >= needed for die in D6)
        last_wagon().expect(expected, name)


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("firer", NEEDED)
def test_fire_at_all_distances_in_and_out_of_cover(firer: str, event: str) -> None:
    for strength, (distance, needed), cover in product(
        (1, 2, 3), NEEDED[firer].items(), (False, True)
    ):
        dice = 3 if firer == "gun" else strength
        dice = 0 if event == "mist" and distance > 1 else dice
        last_wagon().expect(
            hits(dice, needed + cover),
            "fire",
            firer=firer,
            strength=strength,
            distance=distance,
            ground="cover" if cover else "open",
            event=event,
        )


@pytest.mark.parametrize("cover", [False, True])
@pytest.mark.parametrize("strength", [1, 2, 3])
@pytest.mark.parametrize("column", [1, 2, 3])
def test_assaults(column: int, strength: int, cover: bool) -> None:
    def ends(lost: int, struck: int) -> tuple[str, bool, int, int]:
        fate = "lost" if lost >= strength else "falls_back" if lost > struck else "holds"
        return fate, fate == "holds", max(0, strength - lost), max(0, column - struck)

    expected = joined(hits(column, 5 if cover else 4), hits(strength, 4), ends)
    ground = "cover" if cover else "open"
    found = last_wagon().joint("assault", column=column, strength=strength, ground=ground)
    assert not differing({(str(key[0]), *key[1:]): one for key, one in found.items()}, expected)


@pytest.mark.parametrize("event", EVENTS)
def test_the_fuse_and_the_wagons(event: str) -> None:
    for charges in range(1, 5):
        added = charges - (event == "rain")
        expected = counted(die > 1 and die + added >= 6 for die in D6)
        last_wagon().expect(expected, "light_fuse", charges=charges, event=event)
    for directed in (False, True):
        last_wagon().expect(wagons_over(directed, event), "wagons", directed=directed, event=event)


@pytest.mark.parametrize("directed", [False, True])
def test_wagons_of_several_turns(directed: bool) -> None:
    """Turn after turn added up; no more wagons cross than there are."""
    every: Ways[int] = {0: 1}
    for turns in range(1, 10):
        every = joined(every, wagons_over(directed, "none"), plus)
        expected: Ways[int] = {}
        for over, ways in every.items():
            expected[min(10, over)] = expected.get(min(10, over), 0) + ways
        last_wagon().expect(expected, "convoy", turns=turns, directed=directed)


@pytest.mark.parametrize("charges", [1, 2, 3, 4])
def test_orders_until_so_many_charges_are_laid(charges: int) -> None:
    """The last order lays a charge, and of those before it all others but one."""
    odds = last_wagon().odds("charging", charges=charges)
    assert odds.results["orders"].mean == charges / Fraction(2, 3)
    told = {key[0]: share for key, share in odds.joint}
    for orders in range(charges, 20):
        before = comb(orders - 1, charges - 1)
        expected = before * Fraction(2, 3) ** charges * Fraction(1, 3) ** (orders - charges)
        assert told[orders] == expected, orders


def test_the_reckoning_of_all_ends() -> None:
    for wagons, missing in product(range(11), range(6)):
        points = wagons - missing
        end = "lost" if points < 5 else "held" if points < 7 else "triumph"
        (found,) = last_wagon().joint("reckoning", wagons=wagons, missing=missing)
        assert str(found) == end, (wagons, missing)


def test_every_procedure_is_counted() -> None:
    assert {*last_wagon().ruleset.procedures} == {
        *("march", "battery_fire", "re_form", "lay_charge", "fire", "assault", "light_fuse"),
        *("wagons", "convoy", "charging", "reckoning"),
    }
