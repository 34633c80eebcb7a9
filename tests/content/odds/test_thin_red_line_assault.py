"""Assaults and nerve in The Thin Red Line, exact odds against chances counted from the source.

`motivation_test`: all modifiers of all units with and without a commander, and all that count
repeatedly. `assault`: all arms, skills and modifiers at three stands, all numbers of stands, and a
seeded sample. `charge`: each input over its whole range, and a seeded sample.

Read: artillery with a loss is beaten; a square that fails stays, disorientated, and is attacked on;
one retaliation is the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from typing import Any

import pytest
from asked_odds import drawn, game
from beside import beside
from expected_facts import expected, number_in
from red_line_source import EACH, NERVE, QUALITY, SKILL, nerve, pool, several, share
from ways import Chances, added, differing

from rulebook.core.odds import FaultyProcedure

TRL = game("thin-red-line")
YES_NO = (False, True)

#: "Attacks per Stand" and "Save Table" of the assault; none is "None". Infantry in square attacks
#: as infantry does.
STANDS: dict[str, tuple[int, int | None]] = {
    row: (int(attacks), number_in(save) or None)
    for row, (attacks, save) in expected("thin-red-line")["tables"]["attacks"].items()
    if row not in ("brigade", "battalion")
}
#: To the skill check, and to the save: "a 4+ becomes a 3+", "+1 to hit", "save reduced by 1".
MODIFIERS = {"riding_down": (1, 0), "lances": (1, 0), "lancers_charged": (0, -1)}


def every_set(names: Any) -> list[tuple[str, ...]]:
    names = list(names)
    return list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


# -- motivation ------------------------------------------------------------------------------


@pytest.mark.parametrize("quality", QUALITY)
@pytest.mark.parametrize("commander", YES_NO)
def test_motivation_by_every_modifier(quality: str, commander: bool) -> None:
    """All 1,024 sets of modifiers that count once, and some with what a fight takes besides."""
    for conditions in every_set(NERVE):
        passed = nerve(quality, conditions, commander=commander)
        expected = {key: one for key, one in ((True, passed), (False, 1 - passed)) if one}
        given = {
            "quality": quality,
            "conditions": several(conditions),
            "commander": commander,
        }
        assert TRL.joint("motivation_test", **given) == expected, conditions
        if len(conditions) < 3:
            for worse in range(15):
                passed = nerve(quality, conditions, worse, commander=commander)
                found = TRL.joint("motivation_test", **given, worse=worse)
                assert found.get(True, 0) == passed, (conditions, worse)


@pytest.mark.parametrize("quality", QUALITY)
def test_motivation_by_what_counts_repeatedly(quality: str) -> None:
    helped = ("commander_near", "larger_friend", "defensive")
    near, lost = (range(EACH[row] + 1) for row in ("larger_enemy", "company"))
    for enemies, companies, commander in product(near, lost, YES_NO):
        for conditions in ((), helped):
            found = TRL.joint(
                "motivation_test",
                quality=quality,
                conditions=several(conditions, larger_enemy=enemies, company=companies),
                commander=commander,
            )
            passed = nerve(quality, conditions, enemies + companies, commander=commander)
            assert found.get(True, 0) == passed


# -- one attack ------------------------------------------------------------------------------


@cache
def blows(throws: int, wounding: Fraction, saved: Fraction, near: int) -> Chances:
    """Wounds and stands lost, none of them farther than 2 inches from the fight."""
    found: Chances = {}
    for wounds, chance in enumerate(pool(throws, wounding)):
        for failed, fell in enumerate(pool(wounds, 1 - saved)):
            added(found, (wounds, min(near, failed)), chance * fell)
    return found


def attack(given: dict[str, Any]) -> Chances:
    """A die for each attack of each stand in contact, and a save where there is one."""
    attacks, _ = STANDS[given["attacker"]]
    _, save = STANDS[given["defender"]]
    plus = sum(MODIFIERS[one][0] for one in given["bonus"])
    minus = sum(MODIFIERS[one][1] for one in given["malus"])
    saved = share(save, minus) if save is not None and not given["no_saves"] else Fraction(0)
    wounding = share(SKILL[given["ability"]], plus)
    return blows(attacks * given["in_contact"], wounding, saved, given["near"])


ATTACK: dict[str, Any] = beside(__file__, "attack")
ATTACK_RANGES: dict[str, list[Any]] = {
    "attacker": list(STANDS),
    "in_contact": list(range(1, 25)),
    "ability": list(SKILL),
    "bonus": every_set(MODIFIERS),
    "defender": list(STANDS),
    "near": list(range(1, 25)),
    "malus": every_set(MODIFIERS),
    "no_saves": list(YES_NO),
}


def attacks() -> Iterator[dict[str, Any]]:
    for name, values in ATTACK_RANGES.items():
        yield from ({**ATTACK, name: value} for value in values)
    few = {**ATTACK_RANGES, "in_contact": [3], "near": [4]}
    few["bonus"] = [(), ("lances",), ("riding_down", "lances")]
    few["malus"] = [(), ("lancers_charged",)]
    every = product(*few.values())
    for drawn_or_not in (*every, *drawn(11, 60, *ATTACK_RANGES.values())):
        yield dict(zip(few, drawn_or_not, strict=True))


def typed(given: dict[str, Any]) -> dict[str, Any]:
    return {
        name: several(value) if isinstance(value, tuple | list) else value
        for name, value in given.items()
    }


def test_a_unit_attacks_another() -> None:
    for given in attacks():
        assert not differing(TRL.joint("assault", **typed(given)), attack(given)), given


# -- the exchange ------------------------------------------------------------------------------

CHARGE: dict[str, Any] = beside(__file__, "charge")
#: Strength is reckoned from the stands; a defender charges nobody, and losses by rockets do not
#: count in an assault.
OTHERS = [one for one in NERVE if one not in ("full_strength", "below_half", "square", "rockets")]


def some_nerve(number: int, seed: int) -> list[tuple[str, ...]]:
    generator = random.Random(seed)
    sets = [tuple(generator.sample(OTHERS, generator.randint(2, 4))) for _ in range(number)]
    return [(), *((one,) for one in OTHERS), *sets]


CHARGE_RANGES: dict[str, list[Any]] = {
    "attacker": [one for one in STANDS if one not in ("artillery", "infantry_square")],
    "attackers": list(range(1, 7)),
    "ability": list(SKILL),
    "bonus": every_set(MODIFIERS),
    "no_saves": list(YES_NO),
    "defender": list(STANDS),
    "defenders": list(range(1, 13)),
    "began": list(range(1, 13)),
    "reply": list(SKILL),
    "malus": every_set(MODIFIERS),
    "quality": list(QUALITY),
    "nerve": some_nerve(20, 12),
    "commander": list(YES_NO),
    "pursues": list(YES_NO),
    "retaliates": list(YES_NO),
}


def exchange(given: dict[str, Any]) -> Chances:
    """The end of an assault: what becomes of the defender, what both lost, and his retreat.

    Round by round: the attack; with losses a test, at -1 below half and at -1 for a square that
    has failed before; after a failed test another attack, if the attacker pursues.
    """
    arm = given["defender"]
    found: Chances = {}
    # "the number of stands lost in this combat in inches, with a minimum of 1 inch. Cavalry Retreat
    # in multiples of 3."
    pace = 3 if arm.endswith("cavalry") else 1

    def back(lost: int) -> int:
        return pace * max(1, lost)

    def answered(left: int, chance: Fraction) -> None:
        lost = given["defenders"] - left
        if not given["retaliates"]:
            added(found, ("withdraws", lost, 0, back(lost)), chance)
            return
        blow = attack(
            {
                **ATTACK,
                "attacker": arm,
                "in_contact": left,
                "ability": given["reply"],
                "defender": given["attacker"],
                "near": given["attackers"],
            }
        )
        for (_, own), share_of_it in blow.items():
            added(found, ("retaliates", lost, own, back(lost)), chance * share_of_it)

    def attacked(left: int, dazed: bool, chance: Fraction) -> None:
        blow = attack({**given, "in_contact": given["attackers"], "near": left})
        losses: Chances = {}
        for (_, lost), one in blow.items():
            added(losses, lost, one)
        for lost, one in losses.items():
            struck(left - lost, lost, dazed, chance * one)

    def struck(left: int, lost: int, dazed: bool, chance: Fraction) -> None:
        gone = given["defenders"] - left
        if not lost:
            pending.append((left, dazed, chance, True))
        elif not left or arm == "artillery":
            added(found, ("gone", gone, 0, 0), chance)
        else:
            below = 2 * left < given["began"]
            worse = below + (dazed and "disorientated" not in given["nerve"])
            held = nerve(given["quality"], given["nerve"], worse, commander=given["commander"])
            pending.append((left, dazed, chance * held, True))
            failed = chance * (1 - held)
            if below and arm != "infantry_square":
                added(found, ("gone", gone, 0, 0), failed)
            elif given["pursues"]:
                pending.append((left, dazed or arm == "infantry_square", failed, False))
            elif arm == "infantry_square":
                added(found, ("disorientated", gone, 0, 0), failed)
            else:
                added(found, ("retreats", gone, 0, back(gone)), failed)

    pending: list[tuple[int, bool, Fraction, bool]] = [
        (given["defenders"], "disorientated" in given["nerve"], Fraction(1), False)
    ]
    while pending:
        merged: Chances = {}
        for left, dazed, chance, passed in pending:
            added(merged, (left, dazed, passed), chance)
        pending.clear()
        for (left, dazed, passed), chance in merged.items():
            if passed:
                answered(left, chance)
            else:
                attacked(left, dazed, chance)
    return found


def charges() -> Iterator[dict[str, Any]]:
    for name, values in CHARGE_RANGES.items():
        yield from ({**CHARGE, name: value} for value in values)
    for arm in CHARGE_RANGES["attacker"]:
        for target in STANDS:
            yield {**CHARGE, "attacker": arm, "defender": target, "began": 9}
    for mixed in drawn(13, 150, *CHARGE_RANGES.values()):
        given = dict(zip(CHARGE_RANGES, mixed, strict=True))
        yield {**given, "began": max(given["began"], given["defenders"])}


def test_the_exchange_to_its_end() -> None:
    for given in charges():
        if given["began"] < given["defenders"]:
            with pytest.raises(FaultyProcedure, match="never has more stands"):
                TRL.joint("charge", **typed(given))
        else:
            assert not differing(TRL.joint("charge", **typed(given)), exchange(given)), given


def test_a_square_never_leaves_while_a_stand_is_left() -> None:
    """ "even if less than 50% the unit doesn't flee"."""
    found = TRL.joint("charge", defender="infantry_square", defenders=4, began=12, pursues=False)
    assert not [fate for fate, lost, _, _ in found if fate == "gone" and lost < 4]
    assert found["disorientated", 1, 0, 0] > 0
