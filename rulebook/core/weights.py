"""Sets of states with whole weights: projected, extended by the dice of a step, and merged.

A state is a tuple of the values of the names in a layout. Every function gives new weights and the
factor by which their total has grown, so that a weight over the total stays a probability and no
fraction is needed on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import itemgetter
from typing import Any

from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.value_types import value_text
from rulebook.dice.throws import dice as dice_total
from rulebook.dice.throws import kept
from rulebook.limits import MOST_VALUES, MOST_WORK
from rulebook.quantities import Dice, RollTarget

State = tuple[Any, ...]
Weights = dict[State, int]
Pick = Callable[[State], State]
#: Weights after a step, and the factor by which their total has grown.
Stepped = tuple[Weights, int]
Transform = Callable[[Weights], Stepped]
Layout = tuple[str, ...]


@dataclass(slots=True)
class Budget:
    """How much a procedure may still take before it is refused: counted, not timed."""

    moves: int = MOST_WORK
    spent: int = 0

    def spend(self, moves: int, states: int, spot: Spot) -> None:
        """Raises RunFault where the procedure takes more than it may."""
        self.moves -= moves
        self.spent += moves
        if self.moves < 0 or states > MOST_VALUES:
            raise too_many(spot)


def too_many(spot: Spot) -> RunFault:
    most = f"up to {MOST_VALUES:,} at a time and {MOST_WORK:,} in all"
    hint = "keep fewer names, narrow the inputs, or throw a pool with 'times' and 'sum'"
    return RunFault("R424", "too many different cases for exact odds", spot, most, hint)


def endless(spot: Spot) -> RunFault:
    expected = "an end to which some dice lead from everywhere"
    hint = "add 'times:' with the most passes that the rule allows"
    return RunFault("R423", "this may go on for ever", spot, expected, hint)


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


def projected(weights: Weights, pick: Pick) -> Weights:
    """States with other layout, those that have become equal merged."""
    merged: Weights = {}
    for state, weight in weights.items():
        key = pick(state)
        merged[key] = merged.get(key, 0) + weight
    return merged


#: What a step adds to a state, by weights, and the total of these.
Suffixes = tuple[Sequence[tuple[State, int]], int]


#: Takes the number of moves that are about to be made, and of states if there may be too many.
Spend = Callable[..., None]


def extended(
    weights: Weights, pick: Pick, key: Pick, suffixes: Callable[[State], Suffixes], spend: Spend
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
    return _joined(found, spend)


def _joined(found: Sequence[tuple[State, int, Suffixes]], spend: Spend | None = None) -> Stepped:
    """Each base, by its weight, with its suffixes; brought to one scale and added."""
    factor = lcm(*{total for _, _, (_, total) in found})
    merged: Weights = {}
    for base, weight, (outcomes, total) in found:
        scaled = weight * (factor // total)
        for suffix, ways in outcomes:
            state = base + suffix
            merged[state] = merged.get(state, 0) + scaled * ways
        if spend and len(merged) > MOST_VALUES:
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
        (base, 1, total_of(state, counts))
        for state, bases in groups.values()
        for base, counts in bases.items()
    ]
    spend(2 * len(weights) + sum(len(outcomes) for _, _, (outcomes, _) in found), 0)
    return _joined(found, spend)


def merged(parts: Sequence[Stepped]) -> Stepped:
    """Weights of several origins, brought to one scale and added."""
    return _joined([((), 1, (list(weights.items()), scale)) for weights, scale in parts])


def whole_weights(shares: Mapping[State, Fraction]) -> Stepped:
    """Shares as whole weights, and the factor between them."""
    factor = lcm(*(share.denominator for share in shares.values())) if shares else 1
    return {state: int(share * factor) for state, share in shares.items() if share}, factor


#: Passes of a repetition with a bound, dice of a pool.
MOST_TIMES = 1000


@dataclass(frozen=True, slots=True)
class KeptDice:
    """Dice that are added up, or if `keep` is not 0 the highest or lowest so many of them."""

    dice: Dice
    keep: int = 0
    highest: bool = True

    @property
    def single(self) -> bool:
        """Whether the total is what one die shows, so that natural scores count."""
        return self.dice.count == 1 or self.keep == 1

    def total(self, faces: list[int]) -> int:
        """What dice that have fallen count."""
        ordered = sorted(faces, reverse=self.highest)
        return sum(ordered[: self.keep] if self.keep else ordered)


@lru_cache(maxsize=512)
def totals(shown: KeptDice) -> tuple[tuple[tuple[int, int], ...], int]:
    """Totals of dice with their weights, rising, and the sum of these."""
    count, sides = shown.dice.count, shown.dice.sides
    if shown.keep:
        found = kept(count, sides, shown.keep, shown.highest)
    else:
        found = dice_total(count, sides)
    return tuple(sorted(found.items())), sum(found.values())


def reach(
    shown: KeptDice, target: RollTarget, plus: Any, natural: Mapping[int, bool]
) -> tuple[int, int]:
    """Ways to reach a target and all ways; a chain such as 6/4+ takes a throw for each score.

    Natural scores decide by themselves where one die counts. `never` is reached by no throw.
    """
    outcomes, total = totals(shown)
    hits, decided = 1, natural if shown.single else {}
    for score in target.scores:
        least = score - plus
        hits *= sum(ways for one, ways in outcomes if decided.get(one, one >= least))
    return (hits, total ** len(target.scores)) if target.scores else (0, 1)


def reached(
    shown: KeptDice, total: int, score: int, plus: Any, natural: Mapping[int, bool]
) -> bool:
    """Whether a throw of this total reaches a score with what is added to it."""
    decided = natural if shown.single else {}
    return bool(decided.get(total, total + plus >= score))


def times_of(value: Any, spot: Spot) -> int:
    """A number of dice or passes; raises RunFault unless it is whole and not below nothing."""
    if value.denominator != 1 or not 0 <= value <= MOST_TIMES:
        expected, hint = f"a whole number from 0 to {MOST_TIMES}", "use // or max(0, ...)"
        raise RunFault("R425", f"{value_text(value)} times", spot, expected, hint)
    return int(value)
