"""States that lead to each other -> where they lead together, as if they were one state.

A state is taken out by sending whoever moved into it on at once to where it leads, which leaves
all chances and mean lengths as they were (W. K. Grassmann, M. I. Taksar and D. P. Heyman,
Regenerative analysis and steady state distributions for Markov chains, Operations Research 33
(1985)). Only whole weights are multiplied and added; nothing is subtracted or rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import gcd


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a state leads once it is left: weights by state, and the weight of all of them.

    `moves` over `outward` is the mean number of moves until then.
    """

    state: int
    to: Mapping[int, int]
    outward: int
    moves: int


#: Is told what a sum is about to take, in about millionths of a second; may raise to refuse it.
Spend = Callable[[int], None]


def freely(work: int) -> None:
    """Whatever it takes."""


#: Digits of numbers (of 30 bits) whose square takes a millionth of a second to reckon with.
_DIGIT_BITS, _SQUARED_DIGITS = 30, 1000

#: Stands before the states of a component and leads to those that are entered from outside.
_SOURCE = -1


def passed_through(
    rows: Sequence[Mapping[int, int]],
    component: Sequence[int],
    inflow: Mapping[int, int],
    spend: Spend = freely,
) -> Passage:
    """Where what comes into a component leaves it to, and after how many moves in the mean.

    `rows[state]` are the weights of what follows a state, itself included; `inflow` are the
    weights with which states of the component are entered. Nothing leads outward if none of them
    leads out of the component. `spend` is told of every state that is passed over.
    """
    left = {state: _passage(state, rows[state]) for state in component}
    if len(component) == 1:
        return left[component[0]]
    left[_SOURCE] = Passage(_SOURCE, inflow, sum(inflow.values()), 0)
    before: dict[int, set[int]] = {state: set() for state in component}
    for state, passage in left.items():
        for after in passage.to.keys() & before.keys():
            before[after].add(state)
    # Fewest new moves first (H. M. Markowitz), so that few states stay linked to many.
    queue = [(len(before[state]) * len(left[state].to), state) for state in component]
    heapify(queue)
    while len(left) > 1:
        links, state = heappop(queue)
        if state not in left or links != len(before[state]) * len(left[state].to):
            continue
        passage = left.pop(state)
        for earlier in before[state]:
            spend(_work(left[earlier], passage))
            left[earlier] = _past(left[earlier], passage)
        within = passage.to.keys() & left.keys()
        for after in within:
            before[after] |= before[state]
            before[after] -= {state, after}
        for changed in (before[state] | within) - {_SOURCE}:
            heappush(queue, (len(before[changed]) * len(left[changed].to), changed))
    return left[_SOURCE]


def _passage(state: int, row: Mapping[int, int]) -> Passage:
    to = {after: weight for after, weight in row.items() if after != state}
    return Passage(state, to, sum(to.values()), sum(row.values()))


def _work(earlier: Passage, through: Passage) -> int:
    """Millionths of a second that `_past` takes: products and divisors of long numbers."""
    digits = (earlier.outward.bit_length() + through.outward.bit_length()) // _DIGIT_BITS
    return (len(earlier.to) + len(through.to)) * (1 + digits * digits // _SQUARED_DIGITS)


def _past(earlier: Passage, through: Passage) -> Passage:
    """The passage of `earlier` where it does not stop at the state of `through`."""
    into, outward = earlier.to[through.state], through.outward
    to = {after: weight * outward for after, weight in earlier.to.items()}
    del to[through.state]
    for after, weight in through.to.items():
        if after != earlier.state:
            to[after] = to.get(after, 0) + into * weight
    moves = earlier.moves * outward + into * through.moves
    common = gcd(moves, *to.values())
    to = {after: weight // common for after, weight in to.items()}
    return Passage(earlier.state, to, sum(to.values()), moves // common)
