"""The Thin Red Line, as its source tells it -> chances of what its dice do.

The numbers are the facts of the source, counted plainly in fractions: nothing of the package. A 1
fails and a 6 passes whatever is added. Readings are named where they are used.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from expected_facts import expected, number_in, scores
from ways import how_many

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

MODIFIERS: dict[str, dict[str, dict[str, str]]] = expected(RULESET)["modifiers"]
NERVE = {
    row: number_in(line["roll"])
    for row, line in MODIFIERS["motivation_modifiers"].items()
    if row not in EACH
}
#: "Shooting modifiers", those to hit; loose formation stands in the text alone.
SHOOTING = {
    row: number_in(line.get("to_hit", "–")) for row, line in MODIFIERS["shooting_modifiers"].items()
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
