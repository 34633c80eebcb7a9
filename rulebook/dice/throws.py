"""Dice as they are thrown -> distributions: sums, best and worst of, opposed, thrown again.

Counts below 0 and dice without sides are ValueErrors throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import TypeVar, cast

from rulebook.dice.distribution import Distribution, Outcome
from rulebook.dice.exponents import Number
from rulebook.dice.polynomials import power
from rulebook.dice.pools import added, distinct_of

Amount = TypeVar("Amount", bound=Number)


@lru_cache(maxsize=256)
def die(sides: int) -> Distribution[int]:
    """One die with the faces 1 to `sides`."""
    _refuse_unless_dice(1, sides)
    return Distribution(dict.fromkeys(range(1, sides + 1), 1))


@lru_cache(maxsize=256)
def dice(count: int, sides: int) -> Distribution[int]:
    """The sum of `count` dice; no dice show 0."""
    _refuse_unless_dice(count, sides)
    return Distribution(power(die(sides).weights, count))


@lru_cache(maxsize=256)
def kept(count: int, sides: int, keep: int, highest: bool) -> Distribution[int]:
    """The sum of the `keep` highest (or lowest) of `count` dice; ValueError if there are fewer.

    Cut by the lowest face that is kept: so many dice show more, and of the others enough show it
    and none shows more of them. The sums of the dice above the face are found for all numbers of
    them together (Horner's scheme, one more die for each step).
    """
    _refuse_unless_dice(count, sides)
    if not 0 <= keep <= count:
        raise ValueError(f"{keep} of {count} dice cannot be kept")
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
    return Distribution(weights)


def difference(a: Distribution[Amount], b: Distribution[Amount]) -> Distribution[Amount]:
    """a - b, of two independent throws."""
    turned = {cast(Amount, -outcome): weight for outcome, weight in b.weights.items()}
    return Distribution(added(a.weights, turned))


def opposed(a: Distribution[Amount], b: Distribution[Amount]) -> Distribution[int]:
    """1 where a is higher, 0 where the two independent throws are equal, -1 where b is higher."""
    wins = ties = below = 0
    for outcome in sorted({*a.weights, *b.weights}):
        here, there = a.weights.get(outcome, 0), b.weights.get(outcome, 0)
        wins += here * below
        ties += here * there
        below += there
    ways = {-1: a.total * b.total - wins - ties, 0: ties, 1: wins}
    return Distribution({sign: weight for sign, weight in ways.items() if weight})


def thrown_again(
    throw: Distribution[Outcome], while_: Callable[[Outcome], bool]
) -> Distribution[Outcome]:
    """The throw, made again as long as `while_` holds; ValueError if it always does."""
    stays = {outcome: w for outcome, w in throw.weights.items() if not while_(outcome)}
    if not stays:
        raise ValueError("a throw that is always made again never ends")
    return Distribution(stays)


def rerolled(throw: Distribution[Outcome], if_: Callable[[Outcome], bool]) -> Distribution[Outcome]:
    """The throw, made once again if `if_` holds of it; the second throw stands."""
    again = {outcome for outcome in throw.weights if if_(outcome)}
    chances = sum(throw.weights[outcome] for outcome in again)
    return Distribution(
        {
            outcome: weight * (chances if outcome in again else throw.total + chances)
            for outcome, weight in throw.weights.items()
            if chances or outcome not in again
        }
    )


@lru_cache(maxsize=256)
def distinct(times: int, sides: int) -> Distribution[int]:
    """How many different faces `times` dice show."""
    _refuse_unless_dice(times, sides)
    return Distribution(distinct_of({times: 1}, sides))


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


def _refuse_unless_dice(count: int, sides: int) -> None:
    if count < 0 or sides < 1:
        raise ValueError(f"{count}d{sides} is not a throw of dice")
