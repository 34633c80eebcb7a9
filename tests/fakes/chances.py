"""A throw and what follows from each of its outcomes -> the chance of every end, as a tree of play.

The oracle of tests whose rules go on in steps: a player's words, one branch after another, in exact
fractions and with nothing of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

from ways import D6

Chances = dict[Any, Fraction]
Follow = Callable[[Any], Mapping[Any, Fraction]]


def sure(outcome: Hashable) -> Chances:
    return {outcome: Fraction(1)}


def one_die(read: Callable[[int], Hashable]) -> Chances:
    """What is read off an ordinary die."""
    return equally(read(die) for die in D6)


def equally(outcomes: Iterable[Hashable]) -> Chances:
    every = list(outcomes)
    found: Chances = {}
    for outcome in every:
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(1, len(every))
    return found


def at_least(score: int) -> Fraction:
    """The chance that a die shows so much or more."""
    return Fraction(sum(die >= score for die in D6), 6)


def whether(chance: Fraction) -> Chances:
    return {True: chance, False: 1 - chance}


def then(first: Mapping[Any, Fraction], follow: Follow) -> Chances:
    """The ends of what follows from each outcome; ends that cannot be are left out."""
    found: Chances = {}
    for outcome, chance in first.items():
        if not chance:
            continue
        for end, share in follow(outcome).items():
            if share:
                found[end] = found.get(end, Fraction(0)) + chance * share
    return found


def how_many(number: int, chance: Fraction) -> Chances:
    """How many of a number of like throws succeed."""
    return {
        hits: comb(number, hits) * chance**hits * (1 - chance) ** (number - hits)
        for hits in range(number + 1)
    }


def unlike(
    found: Mapping[Any, Fraction], expected: Mapping[Any, Fraction]
) -> dict[Any, tuple[Fraction | None, Fraction | None]]:
    """Outcomes whose chances differ, with both; none if all is well."""
    return {
        outcome: (found.get(outcome), expected.get(outcome))
        for outcome in {*found, *expected}
        if found.get(outcome, 0) != expected.get(outcome, 0)
    }
