"""Moves between states until one leaves them -> exact chances of the exits, and the mean length.

A throw that is repeated until something happens is an absorbing Markov chain. It is solved
exactly: its states are taken out one by one, those first that link the fewest others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import gcd
from typing import TypeAlias, TypeVar

State = TypeVar("State", bound=Hashable)
Exit = TypeVar("Exit", bound=Hashable)

#: Where a state leads: weights of the states after it, and weights of the exits.
Move: TypeAlias = tuple[Mapping[State, int], Mapping[Exit, int]]
#: Takes what is about to be spent, in moves of a state (about millionths of a second), and how many
#: states there are if there may be too many; may raise to refuse it.
Spend = Callable[..., None]

#: Digits of numbers (of 30 bits) whose square takes a millionth of a second.
_DIGIT_BITS, _SQUARED_DIGITS = 30, 1000
#: Stands before all states and leads to those that are entered.
_SOURCE = -1


def freely(work: int) -> None:
    """Accepts any amount of work: a `Spend` that sets no limit."""


@dataclass(frozen=True, slots=True)
class _Departure:
    """Where a state leads once the chain leaves it: weights by the numbers of states and exits.

    `outward` is the sum of these weights; `moves` divided by it is the mean number of moves until
    the state is left.
    """

    to: Mapping[int, int]
    outward: int
    moves: int

    def past(self, state: int, through: _Departure, itself: int) -> _Departure:
        """Returns this departure, that of state `itself`, after another `state` is eliminated.

        `through` is the departure of the eliminated state: moves into that state become moves to
        the states and exits to which it leads.
        """
        into = self.to[state]
        to = {after: weight * through.outward for after, weight in self.to.items()}
        del to[state]
        for after, weight in through.to.items():
            if after != itself:
                to[after] = to.get(after, 0) + into * weight
        moves = self.moves * through.outward + into * through.moves
        common = gcd(moves, *to.values())
        to = {after: weight // common for after, weight in to.items()}
        return _Departure(to, sum(to.values()), moves // common)

    def work(self, through: _Departure) -> int:
        """Estimates the microseconds that `past` takes with this departure and `through`.

        Most of the time goes to multiplying long numbers.
        """
        digits = (self.outward.bit_length() + through.outward.bit_length()) // _DIGIT_BITS
        return (len(self.to) + len(through.to)) * (1 + digits * digits // _SQUARED_DIGITS)


def solved(
    moves: Mapping[State, Move[State, Exit]], start: Mapping[State, int], spend: Spend = freely
) -> tuple[dict[Exit, Fraction], Fraction]:
    """Solves a Markov chain: computes the chance of each exit and the mean number of moves.

    `moves` has the weights of what each state leads to, `start` those of the first states. The move
    into an exit is counted. Chances and mean are multiplied by the total of `start`; exits that are
    not reached are left out. The weights of a state need not be in scale with those of another.
    Raises ValueError where a state leads to no exit.
    """
    numbers = {state: number for number, state in enumerate(moves)}
    exits: dict[Exit, int] = {}
    inflow = {numbers[state]: weight for state, weight in start.items()}
    left = {_SOURCE: _Departure(inflow, sum(inflow.values()), 0)}
    for state, (inside, leaving) in moves.items():
        to = {numbers[after]: weight for after, weight in inside.items()}
        for out, weight in leaving.items():
            to[exits.setdefault(out, len(moves) + len(exits))] = weight
        every = sum(to.values())
        again = to.pop(numbers[state], 0)
        left[numbers[state]] = _Departure(to, every - again, every)
    end = _without_states(left, spend)
    unit = Fraction(sum(inflow.values()), end.outward or 1)
    shares = {out: unit * end.to[number] for out, number in exits.items() if number in end.to}
    return shares, unit * end.moves


def _without_states(left: dict[int, _Departure], spend: Spend) -> _Departure:
    """Eliminates all states, those with few links first; returns the departure of the source.

    The source is entered first, and leads to the states in which a chain starts. Removes the states
    from `left`, and calls `spend` with the work of each step. Raises ValueError where a state leads
    to no exit.
    """
    before: dict[int, set[int]] = {state: set() for state in left if state != _SOURCE}
    for state, departure in left.items():
        for after in departure.to.keys() & before.keys():
            before[after].add(state)
    # Fewest new moves first (H. M. Markowitz), so that few states stay linked to many.
    queue = [(len(before[state]) * len(left[state].to), state) for state in before]
    heapify(queue)
    while len(left) > 1:
        links, state = heappop(queue)
        if state not in left or links != len(before[state]) * len(left[state].to):
            continue
        through = left.pop(state)
        if not through.outward:
            raise ValueError(f"state {state} leads to no exit")
        for earlier in before[state]:
            spend(left[earlier].work(through))
            left[earlier] = left[earlier].past(state, through, earlier)
        within = through.to.keys() & left.keys()
        for after in within:
            before[after] |= before[state]
            before[after] -= {state, after}
        for changed in (before[state] | within) - {_SOURCE}:
            heappush(queue, (len(before[changed]) * len(left[changed].to), changed))
    return left[_SOURCE]
