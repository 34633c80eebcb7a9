"""Outcomes with whole weights -> an exact, immutable distribution and what is asked of it.

A probability is a weight over the total of the weights, so that nothing is rounded and two
distributions are equal when their probabilities are, however their weights are scaled.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from types import MappingProxyType
from typing import Any, Generic, TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Distribution(Generic[Outcome]):
    """What may happen, and how many of `total` equal chances each outcome has.

    `weights` are whole numbers above 0, at least one of them, else ValueError.
    """

    weights: Mapping[Outcome, int]
    total: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        weights = dict(self.weights)
        if not weights:
            raise ValueError("a distribution needs an outcome")
        total = sum(weights.values())
        # A sum is an int only where all that was added is whole.
        if not isinstance(total, int) or min(weights.values()) <= 0:
            raise ValueError("the weights of a distribution are whole numbers above 0")
        object.__setattr__(self, "weights", MappingProxyType(weights))
        object.__setattr__(self, "total", total)

    def probability(self, outcome: Outcome) -> Fraction:
        """Chance of this outcome; 0 for one that cannot happen."""
        return Fraction(self.weights.get(outcome, 0), self.total)

    def chance(self, holds: Callable[[Outcome], bool]) -> Fraction:
        """Chance that the outcome is one for which `holds` is true."""
        return Fraction(sum(w for outcome, w in self.weights.items() if holds(outcome)), self.total)

    def mean(self) -> Fraction:
        """Expected value; true counts 1 and false 0. TypeError if an outcome is no number."""
        weighted = Fraction(0)
        whole = 0
        for outcome, weight in self.weights.items():
            if isinstance(outcome, int):
                whole += outcome * weight
            elif isinstance(outcome, Fraction):
                weighted += outcome * weight
            else:
                raise TypeError(f"{outcome!r} is not an exact number: it has no mean")
        return (weighted + whole) / self.total

    def median(self) -> Outcome:
        """The smallest outcome that is reached or stayed below with a chance of at least 1/2.

        TypeError where the outcomes cannot be ordered.
        """
        reached = 0
        for outcome in sorted(self.weights):  # type: ignore[type-var]
            reached += self.weights[outcome]
            if 2 * reached >= self.total:
                return outcome
        raise AssertionError("the weights of a distribution add up to its total")

    def map(self, function: Callable[[Outcome], Other]) -> Distribution[Other]:
        """Distribution of `function` of the outcome; outcomes that it makes equal are merged."""
        merged: dict[Other, int] = {}
        for outcome, weight in self.weights.items():
            image = function(outcome)
            merged[image] = merged.get(image, 0) + weight
        return Distribution(merged)

    def reduced(self) -> Distribution[Outcome]:
        """The same probabilities with the smallest whole weights."""
        divisor = gcd(*self.weights.values())
        if divisor == 1:
            return self
        return Distribution({outcome: w // divisor for outcome, w in self.weights.items()})

    def items(self) -> list[tuple[Outcome, int]]:
        """Outcomes with their weights: in order where outcomes have one, else as they came."""
        try:
            return [(outcome, self.weights[outcome]) for outcome in sorted(self.weights)]  # type: ignore[type-var]
        except TypeError:
            return list(self.weights.items())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        if self.total == other.total:
            return bool(self.weights == other.weights)
        return len(self.weights) == len(other.weights) and all(
            weight * other.total == other.weights.get(outcome, 0) * self.total
            for outcome, weight in self.weights.items()
        )

    def __hash__(self) -> int:
        return hash(frozenset(self.reduced().weights.items()))

    def __reduce__(self) -> tuple[type[Distribution[Any]], tuple[dict[Outcome, int]]]:
        # The read-only view of the weights cannot be sent to another process; a copy can.
        return Distribution, (dict(self.weights),)


def certain(value: Outcome) -> Distribution[Outcome]:
    """The distribution of what is bound to happen."""
    return Distribution({value: 1})
