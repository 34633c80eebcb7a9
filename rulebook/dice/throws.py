"""Dice as they are thrown -> exact weights of what they show: sums, best of, worst of, again.

A weight is the number of ways, of all those that are equally likely, that lead to an outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import TypeVar

from rulebook.dice.polynomials import power

Outcome = TypeVar("Outcome", bound=Hashable)


@lru_cache(maxsize=256)
def dice(count: int, sides: int) -> Mapping[int, int]:
    """Weights of the sum of `count` dice; no dice show 0."""
    return power(dict.fromkeys(range(1, sides + 1), 1), count)


@lru_cache(maxsize=256)
def kept(count: int, sides: int, keep: int, highest: bool) -> Mapping[int, int]:
    """Weights of the sum of the `keep` highest (or lowest) of `count` dice.

    Cut by the lowest face that is kept: so many dice show more, and of the others enough show it
    and none shows more of them. The sums of the dice above the face are found for all numbers of
    them together (Horner's scheme, one more die for each step).
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
    """The throw, made once again if `if_` holds of it; the second throw stands."""
    again = {outcome for outcome in throw if if_(outcome)}
    chances, total = sum(throw[outcome] for outcome in again), sum(throw.values())
    return {
        outcome: weight * (chances if outcome in again else total + chances)
        for outcome, weight in throw.items()
        if chances or outcome not in again
    }


def _one_more(ways: list[int], sides: int) -> list[int]:
    """Ways of a sum (the index) -> ways with one more die; room for a sum of 0 in any case."""
    if not ways or not sides:
        return [0]
    up_to = [0, *accumulate(ways)]
    last = len(ways)
    return [up_to[min(total, last)] - up_to[max(total - sides, 0)] for total in range(last + sides)]


def _ways_below(count: int, face: int, least: int) -> int:
    """Ways for `count` dice to show no more than the face, at least `least` of them the face."""
    ways: int = face**count
    for shown in range(least):
        ways -= comb(count, shown) * (face - 1) ** (count - shown)
    return ways
