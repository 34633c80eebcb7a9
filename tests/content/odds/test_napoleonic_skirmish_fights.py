"""Fights and courage of Napoleonic Skirmish, exact odds against every throw, over all inputs.

Written from the source a second time. Read: the highest die is the score in a struggle for a
banner; the sphere of a leader who failed takes the place of every other.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from asked_odds import Asked, game
from skirmish_source import DEFENCES, wounding
from ways import D6, at_least, counted, differing, joined

from rulebook.core.odds import FaultyProcedure

DICE = range(1, 5)
FIGHT = range(1, 7)


def asked() -> Asked:
    return game("napoleonic-skirmish")


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
        found = asked().joint("wall_of_spears", fight=fight, **given)
        assert not differing(found, expected), given


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
    assert not differing(asked().joint("alone"), expected)
