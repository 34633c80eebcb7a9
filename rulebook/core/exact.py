"""A program and its inputs -> the joint distribution of its results, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.core.engine import Engine
from rulebook.core.programs import Program
from rulebook.core.value_types import Value
from rulebook.core.weights import Budget, State


@dataclass(frozen=True, slots=True)
class Joint:
    """Weights of the tuples of results, and exact means of counts that have no bound."""

    names: tuple[str, ...]
    weights: Mapping[State, int]
    means: Mapping[str, Fraction]


def exact(
    program: Program,
    inputs: Mapping[str, Value],
    results: Sequence[str] | None = None,
    budget: Budget | None = None,
    *,
    engine: Engine | None = None,
) -> Joint:
    """The joint distribution of some results, or of all; raises RunFault.

    `inputs` has a value for every input of the program. An engine that is given keeps what it has
    compiled for the next question.
    """
    names = tuple(results or program.results)
    engine = engine or Engine(Budget())
    engine.begin(budget or Budget())
    program.admit(inputs)
    weights = program.reading(engine, names)(inputs)
    counts = {name: program.results[name] for name in names}
    means = {
        name: engine.means[result.value.data]
        for name, result in counts.items()
        if result.counts_passes
    }
    return Joint(names, weights, means)
