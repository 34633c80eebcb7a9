"""Ordinary dice -> the ways in which each outcome falls, counted one by one or added up plainly.

The oracle of the tests of the odds: whole numbers and exact fractions in dictionaries, and nothing
of the package. Ways are as many as their sum says; a probability is a number of ways over that sum.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any, TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)
Ways = dict[Outcome, int]
D6 = range(1, 7)


def counted(outcomes: Iterable[Outcome]) -> Ways[Outcome]:
    """The ways of each of a number of equally likely outcomes."""
    return dict(Counter(outcomes))


def joined(
    left: Mapping[Any, int], right: Mapping[Any, int], join: Callable[..., Any]
) -> Ways[Any]:
    """The ways of `join(one, other)` for outcomes that have nothing to do with each other."""
    found: Ways[Any] = {}
    for (one, ways), (other, others) in product(left.items(), right.items()):
        outcome = join(one, other)
        found[outcome] = found.get(outcome, 0) + ways * others
    return found


def plus(one: Any, other: Any) -> Any:
    """The sum of two numbers, or of two pairs number by number."""
    if isinstance(one, tuple):
        return (one[0] + other[0], one[1] + other[1])
    return one + other


@cache
def falling(figures: int, kills: frozenset[int]) -> Mapping[int, int]:
    """The ways in which so many of the figures fall: a die for each, `kills` its deadly faces."""
    if not figures:
        return {0: 1}
    one = counted(int(die in kills) for die in D6)
    return joined(falling(figures - 1, kills), one, plus)


def chance(ways: Mapping[Any, int], outcome: Any) -> Fraction:
    return Fraction(ways.get(outcome, 0), sum(ways.values()))


def differing(
    found: Mapping[Any, Fraction],
    expected: Mapping[Any, int] | Mapping[Any, Fraction],
    total: int | None = None,
) -> dict[Any, tuple[Fraction | None, Any]]:
    """Outcomes with another chance than so many ways or than a fraction, with both; none if all
    is well.

    They are compared by multiplication, since fractions of long numbers are slow to reduce.
    """
    every = sum(expected.values()) if total is None else total
    return {
        outcome: (found.get(outcome), expected.get(outcome))
        for outcome in {*found, *expected}
        if (chance := found.get(outcome, Fraction(0))).numerator * every
        != expected.get(outcome, 0) * chance.denominator
    }


# -- A throw and what follows from each of its outcomes: the chance of every end, as a tree of play.

Chances = dict[Any, Fraction]
Follow = Callable[[Any], Mapping[Any, Fraction]]


def sure(outcome: Hashable) -> Chances:
    return {outcome: Fraction(1)}


def one_die(read: Callable[[int], Hashable]) -> Chances:
    """What is read off an ordinary die."""
    ways = counted(read(die) for die in D6)
    return {outcome: chance(ways, outcome) for outcome in ways}


def at_least(score: int) -> Fraction:
    """The chance that a die shows so much or more."""
    return Fraction(sum(die >= score for die in D6), 6)


def whether(share: Fraction) -> Chances:
    return {True: share, False: 1 - share}


def then(first: Mapping[Any, Fraction], follow: Follow) -> Chances:
    """The ends of what follows from each outcome; ends that cannot be are left out."""
    found: Chances = {}
    for outcome, share in first.items():
        if share:
            for end, more in follow(outcome).items():
                added(found, end, share * more)
    return found


def added(chances: dict[Any, Fraction], outcome: Any, share: Fraction) -> None:
    if share:
        chances[outcome] = chances.get(outcome, Fraction(0)) + share


def how_many(number: int, share: Fraction) -> Chances:
    """How many of a number of like throws succeed."""
    return {
        hits: comb(number, hits) * share**hits * (1 - share) ** (number - hits)
        for hits in range(number + 1)
    }
