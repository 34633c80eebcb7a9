"""Sets of states with whole weights: projected, extended and merged.

A state is a tuple of the values of the names in a layout. Every function gives new weights and the
factor by which their total has grown, so that a weight over the total stays a probability and no
fraction is reckoned with on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from operator import itemgetter
from typing import Any

from rulebook.core.faults import RunFault, Spot

State = tuple[Any, ...]
Weights = dict[State, int]
Pick = Callable[[State], State]
#: Weights after a step, and the factor by which their total has grown.
Stepped = tuple[Weights, int]
Transform = Callable[[Weights], Stepped]
Layout = tuple[str, ...]

#: Of one procedure at one set of inputs: states at a time, and moves from a state to the next.
MOST_STATES = 100_000
MOST_MOVES = 1_000_000


@dataclass(slots=True)
class Budget:
    """How much a procedure may still reckon before it is refused: counted, not timed."""

    moves: int = MOST_MOVES
    spent: int = 0

    def spend(self, moves: int, states: int, spot: Spot) -> None:
        """Raises RunFault where the procedure takes more than it may."""
        self.moves -= moves
        self.spent += moves
        if self.moves < 0 or states > MOST_STATES:
            raise too_many(spot)


def too_many(spot: Spot) -> RunFault:
    return RunFault.of("R424 many cases", spot, at_a_time=MOST_STATES, in_all=MOST_MOVES)


@dataclass(slots=True)
class Place:
    """What is known of names at a point of a program: the layout of states, and constants."""

    layout: Layout
    constants: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> Place:
        return Place(self.layout, dict(self.constants))

    @property
    def at(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.layout)}


def picker(layout: Layout, names: Layout) -> Pick:
    """Takes the values of some names out of a state."""
    if names == layout:
        return lambda state: state
    at = [layout.index(name) for name in names]
    if not at:
        return lambda state: ()
    if len(at) == 1:
        (only,) = at
        return lambda state: (state[only],)
    return itemgetter(*at)


def maker(place: Place, names: Layout) -> Pick:
    """Makes states of another layout, of values in a state and of constants."""
    constants = place.constants
    if all(name not in constants for name in names):
        return picker(place.layout, names)
    at = place.at
    parts = [(name in constants, constants.get(name), at.get(name, 0)) for name in names]
    return lambda state: tuple([value if fixed else state[i] for fixed, value, i in parts])


def projected(weights: Weights, pick: Pick) -> Weights:
    """States with other layout, those that have become equal merged."""
    merged: Weights = {}
    for state, weight in weights.items():
        key = pick(state)
        merged[key] = merged.get(key, 0) + weight
    return merged


#: What a step adds to a state, by weights, and the total of these.
Suffixes = tuple[Sequence[tuple[State, int]], int]


#: Is told how many moves are about to be made, and how many states there are.
Spend = Callable[[int, int], None]


def extended(
    weights: Weights,
    pick: Pick,
    key: Pick,
    suffixes: Callable[[State], Suffixes],
    spend: Spend,
) -> Stepped:
    """Each state, as far as it is kept, with each suffix; suffixes are the same for equal keys."""
    if len(weights) == 1:
        ((state, weight),) = weights.items()
        outcomes, total = suffixes(state)
        spend(2 * len(outcomes) + 5, len(outcomes))
        base = pick(state)
        return {base + suffix: weight * ways for suffix, ways in outcomes}, total
    known: dict[State, Suffixes] = {}
    found = []
    moves = 2
    for state, weight in weights.items():
        of = key(state)
        got = known.get(of)
        if got is None:
            got = known[of] = suffixes(state)
            spend(len(got[0]) + 2, 0)
        found.append((pick(state), weight, got))
        moves += len(got[0]) + 1
    spend(moves, 0)
    factor = lcm(*{total for _, total in known.values()}) if known else 1
    merged: Weights = {}
    for base, weight, (outcomes, total) in found:
        scaled = weight * (factor // total)
        for suffix, ways in outcomes:
            state = base + suffix
            merged[state] = merged.get(state, 0) + scaled * ways
        if len(merged) > MOST_STATES:
            spend(0, len(merged))
    return merged, factor


def pooled(
    weights: Weights,
    pick: Pick,
    key: Pick,
    times: Callable[[State], int],
    total_of: Callable[[State, Mapping[int, int]], Suffixes],
    *,
    spend: Spend,
) -> Stepped:
    """As `extended`, for pools of a number of dice that may differ from state to state.

    States that differ only in that number are one pool of a random number of dice.
    """
    groups: dict[State, tuple[State, dict[State, dict[int, int]]]] = {}
    for state, weight in weights.items():
        _, bases = groups.setdefault(key(state), (state, {}))
        counts = bases.setdefault(pick(state), {})
        number = times(state)
        counts[number] = counts.get(number, 0) + weight
    found = [
        (base, total_of(state, counts))
        for state, bases in groups.values()
        for base, counts in bases.items()
    ]
    spend(2 * len(weights) + sum(len(outcomes) for _, (outcomes, _) in found), 0)
    factor = lcm(*{scale for _, (_, scale) in found}) if found else 1
    merged: Weights = {}
    for base, (outcomes, scale) in found:
        grown = factor // scale
        for suffix, ways in outcomes:
            state = base + suffix
            merged[state] = merged.get(state, 0) + ways * grown
        spend(0, len(merged))
    return merged, factor


def merged(parts: Sequence[Stepped]) -> Stepped:
    """Weights of several origins, brought to one scale and added."""
    factor = lcm(*{scale for _, scale in parts}) if parts else 1
    into: Weights = {}
    for weights, scale in parts:
        grown = factor // scale
        for state, weight in weights.items():
            into[state] = into.get(state, 0) + weight * grown
    return into, factor


def whole_weights(shares: Mapping[State, Fraction]) -> Stepped:
    """Shares as whole weights, and the factor between them."""
    factor = lcm(*(share.denominator for share in shares.values())) if shares else 1
    return {state: int(share * factor) for state, share in shares.items() if share}, factor
