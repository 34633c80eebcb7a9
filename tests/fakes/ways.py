"""Ordinary dice -> the ways in which each outcome falls, counted one by one or added up plainly.

The oracle of the tests of the odds: whole numbers in dictionaries, and nothing of the package. Ways
are as many as their sum says; a probability is a number of ways over that sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
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
    found: Mapping[Any, Fraction], ways: Mapping[Any, int]
) -> dict[Any, tuple[Fraction | None, Fraction]]:
    """Outcomes whose probability is not that of their ways, with both; none if all is well.

    Ways are compared by multiplication, since fractions of long numbers are slow to reduce.
    """
    total = sum(ways.values())
    return {
        outcome: (found.get(outcome), chance(ways, outcome))
        for outcome in {*found, *(one for one, number in ways.items() if number)}
        if outcome not in found
        or found[outcome].numerator * total != ways.get(outcome, 0) * found[outcome].denominator
    }
