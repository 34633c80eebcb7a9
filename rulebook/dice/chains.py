"""Moves between states until one leaves them -> exact chances of the exits and of the lengths.

A throw that is repeated until something happens is an absorbing Markov chain. It is solved
exactly: its states are emptied one by one, in an order in which none is filled again.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from rulebook.dice.components import components
from rulebook.dice.elimination import Spend, freely, passed_through

State = TypeVar("State", bound=Hashable)
Exit = TypeVar("Exit", bound=Hashable)

#: Where a state leads: weights of the states after it, and weights of the exits.
Move: TypeAlias = tuple[Mapping[State, int], Mapping[Exit, int]]
#: Numerator and denominator. They are kept as they come: to bring each to its lowest terms
#: takes far longer than the sums themselves where a chain has thousands of states.
_Share: TypeAlias = tuple[int, int]
#: Bits of numbers that are added in the time in which one entry of a row is looked at.
_BITS_OF_ENTRY = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Chain(Generic[State, Exit]):
    """Where each state leads in one move, by whole weights above 0 that need not be in scale.

    ValueError where a weight is below 1, where a state leads nowhere, and where it leads to a
    state that has no move. `spend` is told what is about to be reckoned, in about millionths of a
    second, and may raise what it likes to refuse it.
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
        shares, length = self._emptied(start)
        exits = {
            self._exits[number - len(self._states)]: Fraction(*share)
            for number, share in sorted(shares.items())
        }
        return exits, Fraction(*length)

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

    def _emptied(self, start: Mapping[State, Fraction | int]) -> tuple[dict[int, _Share], _Share]:
        """Shares of the exits, and the mean number of moves, once all states are taken out."""
        shares = {number: share.as_integer_ratio() for number, share in self._begun(start).items()}
        length: _Share = (0, 1)
        for component in components(self._rows, list(shares)):
            flows = {state: shares.pop(state) for state in component if state in shares}
            below = lcm(*(share[1] for share in flows.values()))
            inflow = {state: above * (below // under) for state, (above, under) in flows.items()}
            passage = passed_through(self._rows, component, inflow, self.spend)
            if not passage.outward:
                raise ValueError(f"{self._states[component[0]]!r} leads to no exit")
            # Of all that comes in, this goes out for each unit of weight.
            above = sum(inflow.values())
            common = gcd(above, passage.outward)
            unit = above // common, below * (passage.outward // common)
            length = _plus(length, unit, passage.moves)
            longer = max(unit[1].bit_length(), length[1].bit_length())
            self.spend(len(passage.to) * (1 + longer // _BITS_OF_ENTRY))
            for after, weight in passage.to.items():
                shares[after] = _plus(shares.get(after, (0, 1)), unit, weight)
        return shares, length


def _plus(share: _Share, unit: _Share, weight: int) -> _Share:
    """share + unit * weight; one denominator mostly is a multiple of the other."""
    (above, below), (more, under) = share, unit
    more *= weight
    if below == under:
        return above + more, below
    if below < under:
        above, below, more, under = more, under, above, below
    times, rest = divmod(below, under)
    if not rest:
        return above + more * times, below
    common = gcd(below, under)
    return above * (under // common) + more * (below // common), below // common * under
