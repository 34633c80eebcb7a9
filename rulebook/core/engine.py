"""Transforms of weighted states, within a budget: what the steps of a program need to be exact.

A transform moves all states behind a step. What no later step reads is forgotten at once, so that
states that differ only in it are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulebook.core.operations import Run, Typed, bind
from rulebook.core.procedure_faults import Spot
from rulebook.core.weights import (
    Budget,
    Layout,
    Pick,
    State,
    Suffixes,
    Transform,
    Weights,
    extended,
    picker,
    pooled,
    times_of,
)
from rulebook.dice.chains import Spend
from rulebook.dice.pools import best_of, successes, sum_of

Names = frozenset[str]
NOTHING: Names = frozenset()
#: Weights of results, of the values of all inputs.
Reading = Callable[[Mapping[str, Any]], Weights]


def run_of(typed: Typed, layout: Layout) -> Run:
    """An expression as a function of the states of a layout."""
    return bind(typed, {name: index for index, name in enumerate(layout)}).run


@dataclass(slots=True)
class Engine:
    """The budget of one question, and what is known of the procedures that are run for it."""

    budget: Budget
    #: Programs that have been compiled, by their ids and the results that are wanted of them.
    readings: dict[tuple[str, tuple[str, ...]], Reading] = field(default_factory=dict)
    #: The odds of procedures that steps run, by the values of their inputs.
    known: dict[tuple[Any, ...], Suffixes] = field(default_factory=dict)
    #: Exact means of the passes of repetitions without a bound, by the names that count them.
    means: dict[str, Fraction] = field(default_factory=dict)

    def begin(self, budget: Budget) -> None:
        """Start on another question; all is forgotten but the compiled programs."""
        self.budget, self.known, self.means = budget, {}, {}

    def spending(self, spot: Spot) -> Spend:
        """Takes moves that are about to be made, and how many states there are, off the budget."""

        def spend(moves: int, states: int = 0) -> None:
            self.budget.spend(moves, states, spot)

        return spend

    def extension(
        self, spot: Spot, pick: Pick, key: Pick, suffixes: Callable[[State], Suffixes]
    ) -> Transform:
        """Adds the outcomes of a step to what is kept of each state."""
        spend = self.spending(spot)
        return lambda weights: extended(weights, pick, key, suffixes, spend)

    def pools(
        self,
        spot: Spot,
        pick: Pick,
        key: Pick,
        times: Run,
        total_of: Callable[[State, Mapping[int, int]], Suffixes],
        *,
        outs: int = 1,
    ) -> Transform:
        """Adds what several throws or passes come to, where their number may itself be random."""

        def made(state: State, counts: Mapping[int, int]) -> Suffixes:
            # Where nothing is thrown nothing is looked at, so that no fault of a throw is met.
            return total_of(state, counts) if any(counts) else ([((0,) * outs, counts[0])], 1)

        def number(state: State) -> int:
            return times_of(times(state), spot)

        spend = self.spending(spot)
        return lambda weights: pooled(weights, pick, key, number, made, spend=spend)

    def aggregated(
        self, aggregate: str, each: Mapping[Any, int], counts: Mapping[int, int], spot: Spot
    ) -> Suffixes:
        """The sum, the highest or the lowest of a random number of draws."""
        if aggregate == "sum":
            found = sum_of(each, counts, self.spending(spot))
        else:
            found = best_of(each, counts, aggregate == "highest", self.spending(spot))
        return list(found.items()), sum(each.values()) ** max(counts)

    def successes(self, counts: Mapping[int, int], hits: int, ways: int, spot: Spot) -> Suffixes:
        """How many of a random number of tries succeed."""
        found = successes(counts, hits, ways, self.spending(spot))
        return list(found.items()), ways ** max(counts)


def reading(layout: Layout, names: Names) -> Pick:
    """The part of a state that some names make: states equal in it go the same way."""
    return picker(layout, tuple(name for name in layout if name in names))


def moved_on(
    layout: Layout, after: Names, dropped: Sequence[str], added: Sequence[str]
) -> tuple[Pick, Layout]:
    """What is kept of a state, and the layout behind a step that adds some names."""
    kept = tuple(name for name in layout if name in after and name not in dropped)
    return picker(layout, kept), (*kept, *added)
