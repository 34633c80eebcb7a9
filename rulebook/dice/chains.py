"""Moves between states until one leaves them -> exact chances of the exits and of the lengths.

A throw that is repeated until something happens is an absorbing Markov chain. It is solved
exactly: its states are taken out one by one, those first that link the fewest others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import gcd, lcm
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar


@dataclass(frozen=True, slots=True)
class _Departure:
    """Where a state leads once it is left: weights by state, and the weight of all of them.

    `moves` over `outward` is the mean number of moves until then.
    """

    state: int
    to: Mapping[int, int]
    outward: int
    moves: int


#: Takes the cost of a sum that is about to be made, in about millionths of a second; may raise to
#: refuse it.
Spend = Callable[[int], None]


def freely(work: int) -> None:
    """Whatever it takes."""


#: Digits of numbers (of 30 bits) whose square takes a millionth of a second.
_DIGIT_BITS, _SQUARED_DIGITS = 30, 1000

#: Stands before all states and leads to those that are entered.
_SOURCE = -1


def _passed_through(
    rows: Sequence[Mapping[int, int]], inflow: Mapping[int, int], spend: Spend = freely
) -> _Departure:
    """Where a walk that enters some states goes when it leaves them, and its mean count of moves.

    `rows[state]` are the weights of what follows a state, itself included; numbers beyond them
    are exits. `inflow` are the weights with which states are entered. `spend` is called for every
    state that is passed over. ValueError where a state is reached that leads to no exit.
    """
    left = {_SOURCE: _Departure(_SOURCE, inflow, sum(inflow.values()), 0)}
    waiting = list(inflow)
    while waiting:
        if (state := waiting.pop()) not in left and state < len(rows):
            left[state] = _passage(state, rows[state])
            waiting += left[state].to
    before: dict[int, set[int]] = {state: set() for state in left if state != _SOURCE}
    for state, passage in left.items():
        for after in passage.to.keys() & before.keys():
            before[after].add(state)
    # Fewest new moves first (H. M. Markowitz), so that few states stay linked to many.
    queue = [(len(before[state]) * len(left[state].to), state) for state in before]
    heapify(queue)
    while len(left) > 1:
        links, state = heappop(queue)
        if state not in left or links != len(before[state]) * len(left[state].to):
            continue
        passage = left.pop(state)
        if not passage.outward:
            raise ValueError(f"state {state} leads to no exit")
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


def _passage(state: int, row: Mapping[int, int]) -> _Departure:
    to = {after: weight for after, weight in row.items() if after != state}
    return _Departure(state, to, sum(to.values()), sum(row.values()))


def _work(earlier: _Departure, through: _Departure) -> int:
    """Millionths of a second that `_past` takes: products and divisors of long numbers."""
    digits = (earlier.outward.bit_length() + through.outward.bit_length()) // _DIGIT_BITS
    return (len(earlier.to) + len(through.to)) * (1 + digits * digits // _SQUARED_DIGITS)


def _past(earlier: _Departure, through: _Departure) -> _Departure:
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
    return _Departure(earlier.state, to, sum(to.values()), moves // common)


State = TypeVar("State", bound=Hashable)
Exit = TypeVar("Exit", bound=Hashable)

#: Where a state leads: weights of the states after it, and weights of the exits.
Move: TypeAlias = tuple[Mapping[State, int], Mapping[Exit, int]]
#: Bits of numbers that are added in the time in which one entry of a row is looked at.
_BITS_OF_ENTRY = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Chain(Generic[State, Exit]):
    """Where each state leads in one move, by whole weights above 0 that need not be in scale.

    ValueError where a weight is below 1, where a state leads nowhere, and where it leads to a
    state that has no move. `spend` is given the cost of what is about to be computed, in about
    millionths of a second, and may raise what it likes to refuse it.
    """

    moves: Mapping[State, Move[State, Exit]]
    spend: Spend = field(default=freely, repr=False)
    #: States by number; exits are numbered on from them.
    _states: tuple[State, ...] = field(init=False, repr=False)
    _exits: tuple[Exit, ...] = field(init=False, repr=False)
    _rows: tuple[Mapping[int, int], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        moves = dict(self.moves)
        state_numbers = {state: number for number, state in enumerate(moves)}
        exit_numbers: dict[Exit, int] = {}
        rows: list[Mapping[int, int]] = []
        for state, (continuing, leaving) in moves.items():
            row: dict[int, int] = {}
            for after, weight in continuing.items():
                if after not in state_numbers:
                    raise ValueError(f"{state!r} leads to {after!r}, which has no move")
                row[state_numbers[after]] = weight
            for out, weight in leaving.items():
                row[exit_numbers.setdefault(out, len(moves) + len(exit_numbers))] = weight
            if not row or min(row.values()) < 1:
                raise ValueError(f"{state!r} needs somewhere to lead, all by weights above 0")
            rows.append(row)
        object.__setattr__(self, "moves", MappingProxyType(moves))
        object.__setattr__(self, "_states", tuple(moves))
        object.__setattr__(self, "_exits", tuple(exit_numbers))
        object.__setattr__(self, "_rows", tuple(rows))

    def trapped(self) -> set[State]:
        """States from which no exit can be reached: a chain that comes there runs for ever."""
        before: dict[int, list[int]] = {}
        for number, row in enumerate(self._rows):
            for after in row:
                before.setdefault(after, []).append(number)
        reached = set(range(len(self._states), len(self._states) + len(self._exits)))
        waiting = list(reached)
        while waiting:
            newly = [state for state in before.get(waiting.pop(), ()) if state not in reached]
            reached.update(newly)
            waiting += newly
        return {state for number, state in enumerate(self._states) if number not in reached}

    def solved(
        self, start: Mapping[State, Fraction | int]
    ) -> tuple[dict[Exit, Fraction], Fraction]:
        """Chances of the exits, and the expected number of moves, the one that leaves among them.

        Both in the scale of `start`; exits that are not reached are left out. ValueError if
        `start` leads to a state that is trapped.
        """
        begun = self._begun(start)
        if not begun:
            return {}, Fraction(0)
        scale = lcm(*(share.denominator for share in begun.values()))
        inflow = {state: int(share * scale) for state, share in begun.items()}
        passage = _passed_through(self._rows, inflow, self.spend)
        unit = Fraction(sum(inflow.values()), passage.outward * scale)
        exits = {
            self._exits[number - len(self._states)]: unit * weight
            for number, weight in sorted(passage.to.items())
        }
        return exits, unit * passage.moves

    def lengths(
        self, start: Mapping[State, Fraction | int], most: int
    ) -> tuple[list[dict[Exit, Fraction]], dict[State, Fraction]]:
        """Chances to leave by each exit at the move 1, 2, ... `most`; and what is in a state then.

        All in the scale of `start`. The chain may have trapped states.
        """
        begun = self._begun(start)
        scale = lcm(*(share.denominator for share in begun.values()))
        inside = {number: int(share * scale) for number, share in begun.items()}
        rows = [(sum(row.values()), tuple(row.items())) for row in self._rows]
        left: list[dict[Exit, Fraction]] = []
        for _ in range(most):
            entries = sum(len(rows[number][1]) for number in inside)
            self.spend(entries * (1 + scale.bit_length() // _BITS_OF_ENTRY))
            common = lcm(*(rows[number][0] for number in inside))
            scale *= common
            after: dict[int, int] = {}
            for number, share in inside.items():
                total, row = rows[number]
                each = share * (common // total)
                for target, weight in row:
                    after[target] = after.get(target, 0) + each * weight
            gone = sorted(number for number in after if number >= len(rows))
            left.append(
                {self._exits[out - len(rows)]: Fraction(after.pop(out), scale) for out in gone}
            )
            inside = after
        return left, {
            self._states[number]: Fraction(inside[number], scale) for number in sorted(inside)
        }

    def _begun(self, start: Mapping[State, Fraction | int]) -> dict[int, Fraction]:
        numbers = {state: number for number, state in enumerate(self._states)}
        return {numbers[state]: Fraction(share) for state, share in start.items() if share}
