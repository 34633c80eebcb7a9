"""The Thin Red Line, as its source tells it -> chances of what its dice do.

Typed from the source and counted plainly in fractions: nothing of the package. A 1 fails and a 6
passes whatever is added. Readings are named where they are used.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)
Chances = dict[Outcome, Fraction]

#: "To Hit Table", and who takes modifiers: "6+ (no other modifiers)" of cavalry.
TO_HIT = {"infantry": 6, "cavalry": 6, "cannon": 4, "grape": 3}
#: "To Save from Shooting".
SHOT_SAVE = {"infantry": 3, "cavalry": 4, "artillery": 5}
#: "Shooting modifiers", those to hit; loose formation stands in the text alone.
SHOOTING = {
    "square": 2,
    "column": 1,
    "rifles": 1,
    "veterans": 1,
    "crossing": 1,
    "jaeger": 0,
    "wide_line": 0,
    "cover": -1,
    "indirect": -1,
    "through_friends": -1,
    "conscripts": -1,
    "moved": -1,
    "far": -1,
    "loose": -1,
}
#: "Quality: Motivation Roll", and the table that is "used for all motivation rolls".
QUALITY = {"unsteady": 5, "steady": 4, "fearless": 3}
NERVE = {
    "below_half": -1,
    "disorientated": -1,
    "commander_dead": -1,
    "several_enemies": -1,
    "square": -2,
    "rockets": -1,
    "commander_near": 1,
    "larger_friend": 1,
    "defensive": 1,
    "full_strength": 1,
}
#: "(cumulative)" and "Per company lost": rows that take 1 as often as they hold, and at most.
EACH = {"larger_enemy": 5, "company": 12}
#: "Skill Rating", "D6 needed".
SKILL = {"conscript": 5, "trained": 4, "veteran": 3}


def share(target: int, plus: int = 0) -> Fraction:
    """The chance that a die reaches a score: the rule of dice."""
    return Fraction(sum(die == 6 or (die > 1 and die + plus >= target) for die in range(1, 7)), 6)


def again(chance: Fraction) -> Fraction:
    """The chance when a throw that failed is thrown once more."""
    return 1 - (1 - chance) ** 2


@cache
def pool(dice: int, chance: Fraction) -> list[Fraction]:
    """The chance of so many successes, 0 and up."""
    return [
        comb(dice, good) * chance**good * (1 - chance) ** (dice - good) for good in range(dice + 1)
    ]


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


def added(chances: Chances[Outcome], outcome: Outcome, chance: Fraction) -> None:
    if chance:
        chances[outcome] = chances.get(outcome, Fraction(0)) + chance


def several(names: Iterable[str], **often: int) -> str:
    """Rows of a modifier table as they are typed, some of them with how often they hold."""
    counted = [f"{name}*{number}" for name, number in often.items() if number]
    return "+".join([*names, *counted]) or "none"


def differing(found: Mapping[Outcome, Fraction], expected: Mapping[Outcome, Fraction]) -> object:
    """Outcomes with another chance than is expected; none if all is well."""
    return {
        outcome: (found.get(outcome), expected.get(outcome))
        for outcome in {*found, *expected}
        if found.get(outcome) != expected.get(outcome)
    }
