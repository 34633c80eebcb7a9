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
    keep_one_of_any,
    picker,
    pooled,
    times_of,
)
from rulebook.dice.pools import size_of_sum, steps_of_sum, successes, sum_of

#: Bits of sums of dice that take as long to add as a move: all at once, or term by term.
BITS_OF_MOVE, BITS_OF_TERM = 150, 30_000
#: Steps of sums that take as long.
STEPS_OF_MOVE = 8

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

    def extension(
        self, spot: Spot, pick: Pick, key: Pick, suffixes: Callable[[State], Suffixes]
    ) -> Transform:
        """Adds the outcomes of a step to what is kept of each state."""

        def spend(moves: int, states: int) -> None:
            self.budget.spend(moves, states, spot)

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

        def spend(moves: int, states: int) -> None:
            self.budget.spend(moves, states, spot)

        return lambda weights: pooled(weights, pick, key, number, made, spend=spend)

    def aggregated(
        self, aggregate: str, each: Mapping[Any, int], counts: Mapping[int, int], spot: Spot
    ) -> Suffixes:
        """The sum, the highest or the lowest of a random number of draws."""
        if aggregate != "sum":
            bits = len(each) * len(counts) * max(counts) * sum(each.values()).bit_length()
            self._spend_bits(bits, {}, 0, spot)
            return keep_one_of_any(each, counts, aggregate == "highest")
        fixed = len(counts) == 1
        self._spend_bits(size_of_sum(each, max(counts), fixed=fixed), counts, len(each), spot)
        if fixed:
            self.budget.spend(steps_of_sum(each, max(counts)) // STEPS_OF_MOVE, 0, spot)
        single = len(next(iter(each))) == 1
        plain = {value[0]: ways for value, ways in each.items()} if single else each
        found = sum_of(plain, counts)
        scale = sum(each.values()) ** max(counts)
        return [((value,) if single else value, ways) for value, ways in found.items()], scale

    def successes(self, counts: Mapping[int, int], hits: int, ways: int, spot: Spot) -> Suffixes:
        """How many of a random number of tries succeed."""
        most = max(counts)
        self._spend_bits((most + 1) * (ways.bit_length() * most + 1), counts, 2, spot)
        found = successes(counts, hits, ways)
        return [((number,), weight) for number, weight in found.items()], ways**most

    def _spend_bits(self, bits: int, counts: Mapping[int, int], terms: int, spot: Spot) -> None:
        """What it takes to add up many dice: a random number of them is added one by one."""
        times = max(counts) * terms if len(counts) > 1 else 0
        self.budget.spend(bits // BITS_OF_MOVE + bits * times // BITS_OF_TERM, 0, spot)


def reading(layout: Layout, names: Names) -> Pick:
    """The part of a state that some names make: states equal in it go the same way."""
    return picker(layout, tuple(name for name in layout if name in names))


def moved_on(
    layout: Layout, after: Names, dropped: Sequence[str], added: Sequence[str]
) -> tuple[Pick, Layout]:
    """What is kept of a state, and the layout behind a step that adds some names."""
    kept = tuple(name for name in layout if name in after and name not in dropped)
    return picker(layout, kept), (*kept, *added)
