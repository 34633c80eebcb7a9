"""Dice as they are thrown -> exact weights of what they show: sums, best of, worst of, again.

A weight is the number of ways, of all those that are equally likely, that lead to an outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Any, TypeVar

from rulebook.dice.pools import power
from rulebook.quantities import Dice, RollTarget, faces_of

Outcome = TypeVar("Outcome", bound=Hashable)


def dice(count: int, sides: int) -> Mapping[int, int]:
    """Returns the weights of the sum of `count` dice: the number of ways to throw each sum.

    The sum of no dice is 0.
    """
    return power(dict.fromkeys(faces_of(sides), 1), count)


def kept(count: int, sides: int, keep: int, highest: bool) -> Mapping[int, int]:
    """Returns the weights of the sum of the `keep` highest (or lowest) of `count` dice.

    With none to keep, the sum is 0. The cases are split by the lowest face that is kept: some dice
    show more, and of the others enough show that face. The sums of the dice above it are found for
    all numbers of them together (Horner's scheme, one more die for each step).
    """
    if keep in (0, count):
        return dice(keep, sides)
    weights: dict[int, int] = {}
    for face in range(1, sides + 1):
        # How far the sum is above `keep` times the face -> ways.
        ways: list[int] = []
        for above in reversed(range(keep)):
            ways = _one_more(ways, sides - face)
            ways[0] += comb(count, above) * _ways_below(count - above, face, keep - above)
        for further, weight in enumerate(ways):
            if weight:
                total = keep * face + further
                weights[total] = weights.get(total, 0) + weight
    if not highest:
        # A die turned over shows the other end: the lowest of these are the highest of those.
        weights = {keep * (sides + 1) - total: weight for total, weight in weights.items()}
    return weights


def rerolled(throw: Mapping[Outcome, int], if_: Callable[[Outcome], bool]) -> dict[Outcome, int]:
    """Returns the weights of a throw that is repeated once if `if_` holds for its outcome.

    The second throw stands, whatever it shows. Outcomes that cannot occur are left out.
    """
    again = {outcome for outcome in throw if if_(outcome)}
    chances, total = sum(throw[outcome] for outcome in again), sum(throw.values())
    return {
        outcome: weight * (chances if outcome in again else total + chances)
        for outcome, weight in throw.items()
        if chances or outcome not in again
    }


def _one_more(ways: list[int], sides: int) -> list[int]:
    """Adds one die to a sum of dice; lists hold the number of ways of each sum at its index.

    The sides of the die count from 0. Returns a list with at least one item: [0] if there were no
    ways, or the die has no sides.
    """
    if not ways or not sides:
        return [0]
    up_to = [0, *accumulate(ways)]
    last = len(ways)
    return [up_to[min(total, last)] - up_to[max(total - sides, 0)] for total in range(last + sides)]


def _ways_below(count: int, face: int, least: int) -> int:
    """Counts the throws in which no die shows more than `face`, and `least` or more show it.

    `count` is the number of dice.
    """
    ways: int = face**count
    for shown in range(least):
        ways -= comb(count, shown) * (face - 1) ** (count - shown)
    return ways


def shows_one_face(thrown: Dice) -> bool:
    """Tells whether the total of dice is the face of one die, so that natural scores count."""
    return thrown.count == 1 or thrown.keep == 1


def total_of(thrown: Dice, faces: list[int]) -> int:
    """Returns the total of dice that have shown these faces.

    If only the highest or lowest are kept, only these are added up.
    """
    ordered = sorted(faces, reverse=thrown.highest)
    return sum(ordered[: thrown.keep] if thrown.keep else ordered)


@lru_cache(maxsize=512)
def totals(thrown: Dice) -> tuple[tuple[tuple[int, int], ...], int]:
    """Returns the possible totals of dice with the ways to throw each, and the number of all ways.

    The totals are (total, ways) in rising order. If only some dice are kept, only these count.
    """
    found = kept(thrown.count, thrown.sides, thrown.keep or thrown.count, thrown.highest)
    return tuple(sorted(found.items())), sum(found.values())


def reach(
    dice: Dice, target: RollTarget, plus: Any, natural: Mapping[int, bool]
) -> tuple[int, int]:
    """Counts the ways in which throws reach a target, and all ways.

    A chain of scores such as 6/4+ takes one throw for each score. `plus` is added to a throw. Where
    one die counts, natural scores decide whatever is added. No throw reaches `never`.
    """
    outcomes, total = totals(dice)
    hits, decided = 1, natural if shows_one_face(dice) else {}
    for score in target.scores:
        least = score - plus
        hits *= sum(ways for thrown, ways in outcomes if decided.get(thrown, thrown >= least))
    return (hits, total ** len(target.scores)) if target.scores else (0, 1)


def reached(dice: Dice, total: int, score: int, plus: Any, natural: Mapping[int, bool]) -> bool:
    """Tells whether a throw with this total, `plus` added to it, reaches a score.

    Where one die counts, natural scores decide whatever is added.
    """
    decided = natural if shows_one_face(dice) else {}
    return bool(decided.get(total, total + plus >= score))
