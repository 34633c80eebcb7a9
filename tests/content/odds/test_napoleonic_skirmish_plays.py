"""Odds of Napoleonic Skirmish against play at the table: every throw of the dice, one by one.

The rules are written here a second time, from the source, as a player goes through them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from skirmish_source import CHART, SCATTER

from rulebook.core.odds import odds
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset

FOLDER = Path(__file__).parents[3] / "content" / "napoleonic-skirmish"
Throw = Callable[[], int]
Rule = Callable[[Throw], tuple[object, ...]]


@pytest.fixture(scope="module")
def skirmish() -> Ruleset:
    ruleset = load(FOLDER).ruleset
    assert ruleset is not None
    return ruleset


class _More(Exception):
    """The dice of this play-through have run out."""


def every_play(rule: Rule) -> dict[tuple[object, ...], Fraction]:
    """Plays a rule with all dice that there can be."""
    found: Counter[tuple[object, ...]] = Counter()
    open_plays: list[tuple[int, ...]] = [()]
    while open_plays:
        dice = open_plays.pop()
        left = iter(dice)

        def throw(left: Any = left) -> int:
            for die in left:
                return int(die)
            raise _More

        try:
            result = rule(throw)
        except _More:
            open_plays += [(*dice, face) for face in range(1, 7)]
        else:
            found[result] += Fraction(1, 6 ** len(dice))  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def wounded(throw: Throw, strength: int, defence: int) -> bool:
    cell = CHART[strength - 1][min(defence, 11) - 1]
    if cell == "-":
        throw()
        return False
    return all(throw() >= int(score) for score in cell.split("/"))


def scattered(throw: Throw, crowd: str, master: bool = False) -> str:
    die = max(throw(), throw()) if master else throw()
    return SCATTER[crowd][die - 1]


def two(throw: Throw, master: bool) -> int:
    return max(throw(), throw()) if master else throw()


def shot(near: bool, crowd: str, obstacles: int, larger: bool = False) -> Rule:
    """A musket, shoot value 5, at a defence of 4 behind solid fences."""

    def play(throw: Throw) -> tuple[object, ...]:
        hit = throw() >= 5 - near + larger
        lands = "nobody" if not hit else "target" if larger else scattered(throw, crowd)
        passed = lands == "target" and all(throw() >= 4 for _ in range(obstacles))
        hurt = passed and wounded(throw, 4 if near else 3, 4)
        return hit, lands, hurt, hurt

    return play


def grenade(shoot: int, fight: int, defence: int) -> Rule:
    def play(throw: Throw) -> tuple[object, ...]:
        die = throw()
        if die == 1 and throw() > fight:
            thrower = wounded(throw, 5, 4)
            return "blows_up", -(-throw() // 3), False, thrower
        if die < shoot:
            return "misses", 0, False, False
        if throw() == 1:
            return "dud", 0, wounded(throw, 1, defence), False
        target = wounded(throw, 5, defence)
        return "bursts", -(-throw() // 3), target, False

    return play


def grenadier(throw: Throw) -> tuple[object, ...]:
    if throw() != 1 or throw() > 3:
        return False, 0, False
    hurt = wounded(throw, 7, 4)
    return True, -(-throw() // 2), hurt


def gun_hits(throw: Throw, bonus: int, trained: bool, master: bool) -> bool:
    die = two(throw, master)
    return die + bonus >= 5 if trained else die == 6


def cannon(bonus: int, trained: bool, master: bool) -> Rule:
    """A 12 pdr at a defence of 6, many enemies about."""

    def play(throw: Throw) -> tuple[object, ...]:
        hit = gun_hits(throw, bonus, trained, master)
        lands = scattered(throw, "many", master) if hit else "nobody"
        struck = lands == "target"
        return hit, lands, struck, struck and wounded(throw, 11 if bonus else 10, 6)

    return play


def shell(throw: Throw) -> tuple[object, ...]:
    if not gun_hits(throw, 1, trained=True, master=False):
        return "nobody", False, False, 0
    lands = scattered(throw, "some")
    if lands == "nobody" or throw() == 1:
        return lands, False, False, 0
    killed = lands == "target" and wounded(throw, 12, 6)
    return lands, True, killed, -(-throw() // 2)


def ball(strength: int, models: int, target: int, reach: int) -> Rule:
    """Models two inches from each other, with a defence of 5."""

    def play(throw: Throw) -> tuple[object, ...]:
        force, flown, killed = strength, 0, 0
        for place in range(1, models + 1):
            if force <= 0 or flown > reach - 2 * killed:
                break
            if place == target or throw() >= 4:
                if not wounded(throw, force, 5):
                    break
                killed, force = killed + 1, force - 1
            flown += 2
        return (killed,)

    return play


def case(strength: int, in_the_way: int) -> Rule:
    def play(throw: Throw) -> tuple[object, ...]:
        before = wounded(throw, in_the_way, 4)
        hits = sum([throw() >= 4 for _ in range(2)])
        return hits, sum([wounded(throw, strength, 4) for _ in range(hits)]), int(before)

    return play


def batter(strength: int, veterans: bool) -> Rule:
    def play(throw: Throw) -> tuple[object, ...]:
        if not wounded(throw, strength, 9):
            return (0,)
        die = two(throw, veterans)
        points = 0 if die == 1 else 1 if die < 6 else 2
        return (points * (3 if strength >= 13 else 2 if strength >= 10 else 1),)

    return play


def rocket(throw: Throw) -> tuple[object, ...]:
    if throw() < 5:
        return False, "nobody", False
    lands = scattered(throw, "few")
    return True, lands, lands == "target" and wounded(throw, 9, 4)


def blunderbuss(throw: Throw) -> tuple[object, ...]:
    """Two models, each behind a rail fence."""
    hits = wounds = 0
    for _ in range(2):
        if throw() >= 5:
            hits += 1
            wounds += throw() >= 3 and wounded(throw, 2, 4)
    return hits, wounds


def barrels(throw: Throw) -> tuple[object, ...]:
    hits = sum([throw() >= 4 for _ in range(2 * 2)])
    return hits, sum([wounded(throw, 3, 7) for _ in range(hits)])


def spears(throw: Throw) -> tuple[object, ...]:
    caught = throw() < 4
    return caught, caught and any(wounded(throw, 4, 5) for _ in range(2))


def banner(throw: Throw) -> tuple[object, ...]:
    one, other = max(throw(), throw()), throw()
    return ("first" if one > other else "second",)


def helmet(throw: Throw) -> tuple[object, ...]:
    return (wounded(throw, 1, 6) and throw() < 6,)


def splinters(throw: Throw) -> tuple[object, ...]:
    return (int(throw() >= 3 and wounded(throw, throw() + throw(), 5)),)


#: Procedure, its inputs, and the rule as a player goes through it.
PLAYS: list[tuple[str, str, Rule]] = [
    ("shot", "weapon=musket shoot=5 crowd=some", shot(False, "some", 0)),
    ("shot", "weapon=musket shoot=5 near=true crowd=few obstacles=2", shot(True, "few", 2)),
    ("shot", "weapon=musket shoot=5 near=true crowd=many obstacles=1", shot(True, "many", 1)),
    ("wound", "strength=1 defence=6 helmet=true", helmet),
    ("grenade", "shoot=4 fight=3 defence=4", grenade(4, 3, 4)),
    ("grenade", "shoot=2 fight=5 defence=8", grenade(2, 5, 8)),
    ("grenadier_shot", "defence=4", grenadier),
    ("cannon_shot", "gun=twelve crowd=many defence=6", cannon(0, True, False)),
    ("cannon_shot", "gun=twelve distance=half crowd=many defence=6", cannon(1, True, False)),
    (
        "cannon_shot",
        "gun=twelve distance=quarter crowd=many defence=6 master=true",
        cannon(2, True, True),
    ),
    (
        "cannon_shot",
        "gun=twelve distance=quarter crowd=many defence=6 trained=false",
        cannon(2, False, False),
    ),
    ("howitzer_shell", "distance=half crowd=some defence=6", shell),
    ("shell_splinters", "models=1 sheltered=true defence=5", splinters),
    ("round_shot", "strength=9 models=3 target=1 gap=2in defence=5", ball(9, 3, 1, 20)),
    ("round_shot", "strength=2 models=4 target=2 gap=2in defence=5", ball(2, 4, 2, 20)),
    ("round_shot", "strength=11 models=3 target=0 gap=2in reach=6in defence=5", ball(11, 3, 0, 6)),
    ("canister", "shot=canister models=2 before=1 defence=4", case(6, 4)),
    ("canister", "shot=grape models=2 before=1 defence=4", case(6, 6)),
    ("batter", "strength=9 defence=9", batter(9, False)),
    ("batter", "strength=12 defence=9 veterans=true", batter(12, True)),
    ("batter", "strength=15 defence=9", batter(15, False)),
    ("rocket", "rocket=heavy crowd=few defence=4", rocket),
    ("blunderbuss", "models=2 obstacles=1 cover=light defence=4", blunderbuss),
    ("volley_gun", "models=2 defence=7", barrels),
    ("wall_of_spears", "spears=3 fight=4 defence=5", spears),
    ("banner", "attacks=2 other_attacks=1 fight=3 other_fight=4", banner),
]


@pytest.mark.parametrize(("name", "given", "rule"), PLAYS)
def test_odds_are_those_of_every_play(skirmish: Ruleset, name: str, given: str, rule: Rule) -> None:
    found = odds(skirmish, name, dict(one.split("=") for one in given.split()))
    assert dict(found.joint) == every_play(rule)


def test_no_scatter_in_larger_games() -> None:
    loaded = load(FOLDER, ("larger_games",)).ruleset
    assert loaded is not None
    found = odds(loaded, "shot", {"weapon": "musket", "shoot": "5", "near": "true"})
    assert dict(found.joint) == every_play(shot(True, "some", 0, larger=True))
