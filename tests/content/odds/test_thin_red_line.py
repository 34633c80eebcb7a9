"""Assaults and nerve in The Thin Red Line, exact odds against chances counted from the source.

`motivation_test`: all modifiers of all units with and without a commander, and all that count
repeatedly. `assault`: all arms, skills and modifiers at three stands, all numbers of stands, and a
seeded sample. `charge`: each input over its whole range, and a seeded sample.

Read: artillery with a loss is beaten; a square that fails stays, disorientated, and is attacked on;
one retaliation is the end.
"""

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from math import comb
from typing import Any

import pytest
from asked_odds import drawn, game
from beside import beside
from expected_facts import expected, number_in, scores
from ways import Chances, added, differing, how_many

from rulebook.core.odds import FaultyProcedure
from rulebook.core.value_types import More

# The facts of the source, counted plainly in fractions: nothing of the package. A 1 fails and a 6
# passes whatever is added.

RULESET = "thin-red-line"
#: "To Hit Table", and who takes modifiers: "6+ (no other modifiers)" of cavalry.
TO_HIT = scores(RULESET, "to_hit")
#: "To Save from Shooting".
SHOT_SAVE = scores(RULESET, "shooting_saves")
#: "Skill Rating", "D6 needed".
SKILL = scores(RULESET, "skill")
#: "Quality: Motivation Roll", and the table that is "used for all motivation rolls".
QUALITY = scores(RULESET, "motivation_quality")
#: "(cumulative)" and "Per company lost": rows that take 1 as often as they hold, and at most.
EACH = {"larger_enemy": 5, "company": 12}

FACTORS: dict[str, dict[str, dict[str, str]]] = expected(RULESET)["modifiers"]
NERVE = {
    row: number_in(line["roll"])
    for row, line in FACTORS["motivation_modifiers"].items()
    if row not in EACH
}
#: "Shooting modifiers", those to hit; loose formation stands in the text alone.
SHOOTING = {
    row: number_in(line.get("to_hit", "–")) for row, line in FACTORS["shooting_modifiers"].items()
}


def share(target: int, plus: int = 0) -> Fraction:
    """The chance that a die reaches a score: the rule of dice."""
    return Fraction(sum(die == 6 or (die > 1 and die + plus >= target) for die in range(1, 7)), 6)


def again(chance: Fraction) -> Fraction:
    """The chance when a throw that failed is thrown once more."""
    return 1 - (1 - chance) ** 2


@cache
def pool(dice: int, chance: Fraction) -> list[Fraction]:
    """The chance of so many successes, 0 and up."""
    return list(how_many(dice, chance).values())


def nerve(
    quality: str, conditions: Iterable[str], each: int = 0, *, commander: bool = False
) -> Fraction:
    """The chance of passing a motivation test, with `each` taken for what counts repeatedly."""
    once = share(QUALITY[quality], sum(NERVE[one] for one in conditions) - each)
    return again(once) if commander else once


@cache
def fallen(hits: int, stands: int, save: int) -> list[Fraction]:
    """The chance that so many stands fall. Hits go round the stands one by one; a stand with any
    save that fails is lost, and only once: "Stands that failed their save are taken off"."""
    allotted = [0] * stands
    for hit in range(hits):
        allotted[hit % stands] += 1
    found = [Fraction(1)]
    for number in allotted:
        lost = 1 - share(save) ** number
        found = [
            (found[count] * (1 - lost) if count < len(found) else Fraction(0))
            + (found[count - 1] * lost if count else Fraction(0))
            for count in range(len(found) + bool(number))
        ]
    return found


def companies_lost(target: str, stands: int) -> int:
    """Companies of two stands "lost from shooting after the first"; infantry alone has them."""
    return max(0, stands // 2 - 1) if target == "infantry" else 0


def several(names: Iterable[str], **often: int) -> str:
    """Rows of a modifier table as they are typed, some of them with how often they hold."""
    counted = [f"{name}*{number}" for name, number in often.items() if number]
    return "+".join([*names, *counted]) or "none"


TRL = game(RULESET)
YES_NO = (False, True)

#: "Attacks per Stand" and "Save Table" of the assault; none is "None". Infantry in square attacks
#: as infantry does.
STANDS: dict[str, tuple[int, int | None]] = {
    row: (int(attacks), number_in(save) or None)
    for row, (attacks, save) in expected(RULESET)["tables"]["attacks"].items()
    if row not in ("brigade", "battalion")
}
#: To the skill check, and to the save: "a 4+ becomes a 3+", "+1 to hit", "save reduced by 1".
MODIFIERS = {"riding_down": (1, 0), "lances": (1, 0), "lancers_charged": (0, -1)}


def every_set(names: Any) -> list[tuple[str, ...]]:
    names = list(names)
    return list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


def some(names: list[str], number: int, seed: int) -> list[tuple[str, ...]]:
    """None, each alone, and so many sets of several."""
    generator = random.Random(seed)
    sets = (
        tuple(one for one in names if one in generator.sample(names, generator.randint(2, 6)))
        for _ in range(number)
    )
    return [(), *((one,) for one in names), *sets]


# -- motivation ------------------------------------------------------------------------------


@pytest.mark.parametrize("quality", QUALITY)
@pytest.mark.parametrize("commander", YES_NO)
def test_motivation_by_every_modifier(quality: str, commander: bool) -> None:
    """All 1,024 sets of modifiers that count once, and some with what a fight takes besides."""
    for conditions in every_set(NERVE):
        passed = nerve(quality, conditions, commander=commander)
        expected = {key: one for key, one in ((True, passed), (False, 1 - passed)) if one}
        given = {"quality": quality, "conditions": several(conditions), "commander": commander}
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
    """As it is asked: rows of a modifier table in one text, with larger enemies among the nerve."""
    told = {name: value for name, value in given.items() if name != "enemies"}
    told = {k: several(one) if isinstance(one, tuple | list) else one for k, one in told.items()}
    if "enemies" in given:
        told["nerve"] = several(given["nerve"], larger_enemy=given["enemies"])
    return told


def test_a_unit_attacks_another() -> None:
    for given in attacks():
        TRL.expect(attack(given), "assault", **typed(given))


# -- the exchange ------------------------------------------------------------------------------

CHARGE: dict[str, Any] = beside(__file__, "charge")
#: Strength is reckoned from the stands; a defender charges nobody, and losses by rockets do not
#: count in an assault.
OTHERS = [one for one in NERVE if one not in ("full_strength", "below_half", "square", "rockets")]


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
    "nerve": some(OTHERS, 20, 12),
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
            TRL.expect(exchange(given), "charge", **typed(given))


def test_a_square_never_leaves_while_a_stand_is_left() -> None:
    """ "even if less than 50% the unit doesn't flee"."""
    found = TRL.joint("charge", defender="infantry_square", defenders=4, began=12, pursues=False)
    assert not [fate for fate, lost, _, _ in found if fate == "gone" and lost < 4]
    assert found["disorientated", 1, 0, 0] > 0


# Shooting in The Thin Red Line, exact odds against chances counted from the source.

#: Rows of a unit that has just lost a stand and is neither charging nor in combat.
SHAKEN = [one for one in NERVE if one not in ("full_strength", "square", "several_enemies")]
#: Of a unit under defensive fire: that of rockets is "Not including assault".
CHARGING = [one for one in NERVE if one != "rockets"]


# -- how many dice ---------------------------------------------------------------------------
#: "ROF" and "Grape ROF", and what is left of them after a move; what a move takes from the die.
#: "As such when a unit moves its ROF is reduced to 1", grape "to 2", horse artillery "without
#: reduction", heavy artillery "Cannot move and shoot".
RATES = {
    row: tuple(map(number_in, cells)) for row, cells in expected(RULESET)["tables"]["rates"].items()
}
#: "at least 4 stands wide for Line infantry and 8 stands wide for Light infantry gain a +1 ROF".
WIDE = {"infantry": 4, "light_infantry": 8}
FOOT = tuple(WIDE)
FORMATIONS = ("column", "line", "loose", "square")


def dice(
    firing: str, formation: str, wide: int, blind: int, *flags: bool
) -> tuple[int, int] | None:
    """How many dice, and what is added to each; None where there is no such unit."""
    jaeger, moved, disorientated, doubled = flags
    foot = firing in FOOT
    allowed = {
        "column": wide <= 3 and firing != "cavalry",
        "line": True,
        "loose": firing in ("light_infantry", "cavalry"),
        "square": foot,
    }
    if blind > wide or not allowed[formation] or (jaeger and not foot):
        return None
    rate, after, plus = RATES[firing]
    if foot and formation == "line" and wide >= WIDE[firing]:
        rate += 1
    rate += jaeger
    if not moved:
        plus = 0
    elif rate > after:
        rate, plus = after, 0 if foot else plus
    number = (wide - blind) * rate
    if doubled:
        number *= 2
    return (-(-number // 2) if disorientated else number), plus


def test_dice_by_stands_formation_and_movement() -> None:
    every = product(RATES, FORMATIONS, range(1, 25), (0,), *([YES_NO] * 4))
    sample = drawn(5, 600, list(RATES), FORMATIONS, range(1, 25), range(25), *([YES_NO] * 4))
    names = ("firing", "formation", "wide", "blind", "jaeger", "moved", "disorientated", "doubled")
    for values in (*every, *sample):
        given = dict(zip(names, values, strict=True))
        expected = dice(*values)
        if expected is not None:
            assert TRL.joint("shooting_dice", **given) == {expected: 1}, given


def test_units_that_cannot_be_are_refused() -> None:
    for values in product(RATES, FORMATIONS, (1, 3, 4), (0, 4), YES_NO):
        if dice(*values, False, False, False) is None:
            names = ("firing", "formation", "wide", "blind", "jaeger")
            with pytest.raises(FaultyProcedure):
                TRL.joint("shooting_dice", **dict(zip(names, values, strict=True)))


# -- hits and saves --------------------------------------------------------------------------


@pytest.mark.parametrize("target", SHOT_SAVE)
def test_stands_that_fall(target: str) -> None:
    """All hits on all numbers of stands; beyond 30 hits every tenth."""
    for hits, seen in product((*range(31), 40, 50, 60), range(1, 25)):
        expected = {
            lost: chance
            for lost, chance in enumerate(fallen(hits, seen, SHOT_SAVE[target]))
            if chance
        }
        TRL.expect(expected, "saving", hits=hits, seen=seen, target=target)


# -- shooting --------------------------------------------------------------------------------

SHOT: dict[str, Any] = beside(__file__, "shot")
SHOT_RANGES: dict[str, list[Any]] = {
    "shots": list(range(1, 61)),
    "firer": list(TO_HIT),
    "conditions": some(list(SHOOTING), 20, 1),
    "target": list(SHOT_SAVE),
    "seen": list(range(1, 25)),
    "quality": list(QUALITY),
    "nerve": some(SHAKEN, 20, 2),
    "enemies": list(range(6)),
    "commander": list(YES_NO),
}


def hits_of(number: int, firer: str, conditions: tuple[str, ...]) -> list[Fraction]:
    plus = 0 if firer == "cavalry" else sum(SHOOTING[one] for one in conditions)
    return pool(number, share(TO_HIT[firer], plus))


def shooting(given: dict[str, Any]) -> Chances:
    """Hits, stands lost, inches back and what becomes of the target, its D3 thrown at the end."""
    found: Chances = {}
    for hits, hit in enumerate(hits_of(given["shots"], given["firer"], given["conditions"])):
        for lost, fell in enumerate(fallen(hits, given["seen"], SHOT_SAVE[given["target"]])):
            if not lost:
                added(found, (hits, 0, 0, "stands"), hit * fell)
                continue
            each = given["enemies"] + companies_lost(given["target"], lost)
            stays = nerve(
                given["quality"], given["nerve"], each, commander=bool(given["commander"])
            )
            added(found, (hits, lost, 0, "stands"), hit * fell * stays)
            shaken = hit * fell * (1 - stays)
            if "square" in given["conditions"]:
                added(found, (hits, lost, 0, "disorientated"), shaken)
            elif "below_half" in given["nerve"]:
                added(found, (hits, lost, 0, "leaves"), shaken)
            else:
                for pace in (1, 2, 3):
                    added(found, (hits, lost, pace * lost, "falls_back"), shaken / 3)
    return found


def one_by_one(
    usual: dict[str, Any], ranges: dict[str, list[Any]], sample: int, seed: int
) -> list[dict[str, Any]]:
    """Each input over its range with the others as usual, and a sample of all together."""
    single = [{**usual, name: value} for name, values in ranges.items() for value in values]
    mixed = [
        dict(zip(ranges, values, strict=True)) for values in drawn(seed, sample, *ranges.values())
    ]
    return [*single, *mixed]


def test_a_unit_shoots_at_another() -> None:
    for given in one_by_one(SHOT, SHOT_RANGES, 24, 3):
        TRL.expect(shooting(given), "shooting", **typed(given))


def test_end_of_the_phase() -> None:
    """ "6 or more hits" and "more than once", or half lost: all of their values.

    In the example of the source six hits add nothing to a fall back of 3 and one of 2: "a total
    of 5 in that one shooting phase".
    """
    for hits, backs, half in product(range(41), range(7), YES_NO):
        found = TRL.joint("end_of_shooting", hits=hits, fall_backs_made=backs, half_lost=half)
        back = 3 if hits >= 6 and not backs else 0
        assert found == {(back, hits >= 6 or backs >= 2 or half): 1}


# -- blasts, buildings, defensive fire ---------------------------------------------------------


def test_blasts() -> None:
    """ "each successful hit" a template; stands under it "on 4+", of rockets "on a 6+"."""
    usual = {"weapon": "howitzer", "shots": 1, "conditions": (), "touched": 3}
    ranges: dict[str, list[Any]] = {
        "weapon": ["howitzer", "rocket"],
        "shots": list(range(1, 13)),
        "conditions": some(list(SHOOTING), 20, 4),
        "touched": list(range(1, 10)),
    }
    for given in one_by_one(usual, ranges, 60, 5):
        expected: Chances = {}
        wounding = share({"howitzer": 4, "rocket": 6}[given["weapon"]])
        for hits, hit in enumerate(hits_of(given["shots"], "cannon", given["conditions"])):
            for wounds, chance in enumerate(pool(hits * given["touched"], wounding)):
                added(expected, (hits, wounds), hit * chance)
        TRL.expect(expected, "blast", **typed(given))


def test_fire_at_a_building() -> None:
    """A hit strikes the troops on 5 and 6, if there are any; "Artillery are the only units that
    can breach", so that muskets do the building no harm."""
    sets = ((), ("cover",), ("rifles", "veterans"))
    for shots, firer, inside, conditions in product(range(1, 31), TO_HIT, YES_NO, sets):
        expected: Chances = {}
        for hits, hit in enumerate(hits_of(shots, firer, conditions)):
            for troops, chance in enumerate(pool(hits, Fraction(2, 6) if inside else Fraction(0))):
                wounds = hits - troops if firer in ("cannon", "grape") else 0
                added(expected, (wounds, troops), hit * chance)
        given = {"shots": shots, "firer": firer, "occupied": inside}
        TRL.expect(expected, "building_shot", **given, conditions=several(conditions))


@pytest.mark.parametrize(
    ("building", "wounds"), [("small", 10), ("medium", 20), ("large", 25), ("massive", 40)]
)
@pytest.mark.parametrize("inside", YES_NO)
def test_dice_to_breach(building: str, wounds: int, inside: bool) -> None:
    """The dice until so many have struck: the last one strikes, those before in any order."""
    for conditions in ((), ("cover", "far"), ("indirect",), ("rifles",), ("rifles", "veterans")):
        strikes = hits_of(1, "cannon", conditions)[1] * (Fraction(4, 6) if inside else 1)
        given = {"building": building, "occupied": inside, "conditions": several(conditions)}
        chances = {
            number: comb(number - 1, wounds - 1)
            * strikes**wounds
            * (1 - strikes) ** (number - wounds)
            for number in range(wounds, 201)
        }
        found = TRL.joint("breach", **given)
        told = {number: one for number, one in found.items() if not isinstance(number, More)}
        assert not differing(told, chances, total=1), given
        assert sum(found.values()) == 1
        assert TRL.odds("breach", **given).results["dice"].mean == wounds / strikes


def test_defensive_fire() -> None:
    """Half the dice rounded up; "1 unsaved hit or 6 hits", and the attacker tests."""
    usual = {"dice": 4, **{name: SHOT[name] for name in SHOT if name != "shots"}}
    ranges = {
        "dice": list(range(1, 31)),
        **{name: values for name, values in SHOT_RANGES.items() if name != "shots"},
        "nerve": some(CHARGING, 20, 6),
    }
    for given in one_by_one(usual, ranges, 60, 7):
        expected: Chances = {}
        shots = -(-given["dice"] // 2)
        for hits, hit in enumerate(hits_of(shots, given["firer"], given["conditions"])):
            for lost, fell in enumerate(fallen(hits, given["seen"], SHOT_SAVE[given["target"]])):
                each = given["enemies"] + companies_lost(given["target"], lost)
                stays = nerve(
                    given["quality"], given["nerve"], each, commander=bool(given["commander"])
                )
                home = stays if lost or hits >= 6 else Fraction(1)
                added(expected, (lost, True), hit * fell * home)
                added(expected, (lost, False), hit * fell * (1 - home))
        TRL.expect(expected, "coming_home", **typed(given))


# -- single dice -----------------------------------------------------------------------------


@pytest.mark.parametrize("skill", SKILL)
@pytest.mark.parametrize("general", YES_NO)
def test_skill_checks(skill: str, general: bool) -> None:
    once = share(SKILL[skill])
    passed = again(once) if general else once
    expected = {True: passed, False: 1 - passed}
    assert TRL.joint("forming_square", ability=skill, general=general) == expected
    assert TRL.joint("spotting", quality=skill, general=general) == expected


@pytest.mark.parametrize("ground", ["difficult", "very_difficult"])
@pytest.mark.parametrize("arm", ["foot", "column", "cavalry", "artillery"])
@pytest.mark.parametrize("teams", range(1, 7))
def test_bogging(ground: str, arm: str, teams: int) -> None:
    """Guns throw in difficult going and "may not attempt" the worse; cavalry throws there alone."""
    given = {"ground": ground, "arm": arm, "teams": teams}
    throws = (ground, arm) in {("difficult", "artillery"), ("very_difficult", "cavalry")}
    if (ground, arm) == ("very_difficult", "artillery"):
        with pytest.raises(FaultyProcedure, match="may not enter"):
            TRL.joint("bogging", **given)
        return
    chances = pool(teams, Fraction(1, 6)) if throws else [Fraction(1)]
    expected = {(bogged, teams - bogged): one for bogged, one in enumerate(chances)}
    assert TRL.joint("bogging", **given) == expected


@pytest.mark.parametrize(("gap", "first"), [("none", 15), ("one", 21), ("other", 15)])
def test_initiative(gap: str, first: int) -> None:
    """Of 36 pairs 15 are the first player's, 6 are equal; with no better General, thrown again."""
    of = 30 if gap == "none" else 36
    expected = {"one": Fraction(first, of), "other": 1 - Fraction(first, of)}
    assert TRL.joint("initiative", skill_gap=gap) == expected
