"""Sets of states with whole weights -> the sets behind a step: projected, extended by dice, merged.

A state is a tuple of the values of the names in a layout. What no later step reads is forgotten at
once, so that states that differ only in it are merged. Every function gives new weights and the
factor by which their total has grown, so that a weight over the total stays a probability and no
fraction is needed on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import lcm
from operator import itemgetter
from typing import Any

from rulebook.core.operations import Run, Typed, bind
from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.value_types import value_text
from rulebook.dice.chains import Spend
from rulebook.limits import MOST_VALUES, MOST_WORK

State = tuple[Any, ...]
Weights = dict[State, int]
Pick = Callable[[State], State]
#: Weights after a step, and the factor by which their total has grown.
Stepped = tuple[Weights, int]
Transform = Callable[[Weights], Stepped]
Layout = tuple[str, ...]


#: Outcomes that a step adds to a state, by their weights, and the total of these.
Suffixes = tuple[Weights, int]
Names = frozenset[str]
NOTHING: Names = frozenset()
#: Weights of results, of the values of all inputs.
Reading = Callable[[Mapping[str, Any]], Weights]
#: Passes of a repetition with a bound, dice of a pool.
MOST_TIMES = 1000


def too_many(spot: Spot) -> RunFault:
    most = f"up to {MOST_VALUES:,} at a time and {MOST_WORK:,} in all"
    hint = "bound repeats with 'times', throw a pool with 'times' and 'sum', or set fewer names"
    return RunFault("R424", "too many different cases for exact odds", spot, most, hint)


def endless(spot: Spot) -> RunFault:
    expected = "an end to which some dice lead from everywhere"
    hint = "add 'times:' with the most passes that the rule allows"
    return RunFault("R423", "this may go on for ever", spot, expected, hint)


def picker(layout: Layout, names: Layout) -> Pick:
    """Makes a function that extracts the values of some names from states of a layout.

    It returns them as a tuple, in the order of `names`.
    """
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
    """Replaces each state by what `pick` makes of it, and adds up the weights of equal results.

    Returns new weights.
    """
    merged: Weights = {}
    for state, weight in weights.items():
        key = pick(state)
        merged[key] = merged.get(key, 0) + weight
    return merged


def joined(found: Iterable[tuple[State, int, Suffixes]], spend: Spend | None = None) -> Stepped:
    """Appends to each base state its outcomes, and adds up the weights of equal states.

    Each item has a base, its weight, and its outcomes with their total. All weights are brought to
    one scale; its factor is returned as well. `spend` is called if there are very many states.
    """
    bases = list(found)
    factor = lcm(*{total for _, _, (_, total) in bases})
    merged: Weights = {}
    for base, weight, (outcomes, total) in bases:
        scaled = weight * (factor // total)
        for suffix, ways in outcomes.items():
            state = base + suffix
            merged[state] = merged.get(state, 0) + scaled * ways
        if spend and len(merged) > MOST_VALUES:
            spend(0, len(merged))
    return merged, factor


def merged(parts: Sequence[Stepped]) -> Stepped:
    """Adds up weights of states that have different scales, given with the factor of each.

    Returns them on one scale, with its factor.
    """
    return joined(((), 1, part) for part in parts)


def whole_weights(shares: Mapping[State, Fraction]) -> Stepped:
    """Multiplies shares by their least common denominator; returns the products and this factor.

    Shares of 0 are left out.
    """
    factor = lcm(*(share.denominator for share in shares.values())) if shares else 1
    return {state: int(share * factor) for state, share in shares.items() if share}, factor


def times_of(value: Any, spot: Spot) -> int:
    """Converts a number of dice or passes to an int.

    Raises RunFault unless it is a whole number from 0 to MOST_TIMES.
    """
    if value.denominator != 1 or not 0 <= value <= MOST_TIMES:
        expected, hint = f"a whole number from 0 to {MOST_TIMES}", "use // or max(0, ...)"
        raise RunFault("R425", f"{value_text(value)} times", spot, expected, hint)
    return int(value)


def run_of(typed: Typed, layout: Layout) -> Run:
    """Makes a function that evaluates an expression in states of a layout.

    The function may raise RunFault.
    """
    return bind(typed, {name: index for index, name in enumerate(layout)}).run


@dataclass(slots=True)
class Engine:
    """Limits the work for one question about odds, and caches what is computed for it.

    Work is counted in moves, not timed. Compiled programs are kept for the next question.
    """

    moves: int = MOST_WORK
    spent: int = 0
    #: Programs that have been compiled, by their ids and the results that are wanted of them.
    readings: dict[tuple[str, tuple[str, ...]], Reading] = field(default_factory=dict)
    #: The odds of procedures that steps run, by the values of their inputs.
    known: dict[tuple[Any, ...], Suffixes] = field(default_factory=dict)
    #: Exact means of the passes of repetitions without a bound, by the names that count them.
    means: dict[str, Fraction] = field(default_factory=dict)

    def begin(self, moves: int = MOST_WORK) -> None:
        """Starts on another question, which may take this many moves from state to state.

        Sets the count of moves to 0, and forgets the odds and means computed for the last question.
        """
        self.moves, self.spent, self.known, self.means = moves, 0, {}, {}

    def spend(self, spot: Spot, moves: int, states: int = 0) -> None:
        """Adds `moves` to the moves of a question.

        Raises RunFault, at `spot`, if there are now too many of them, or if more `states` than the
        limit are held at a time.
        """
        self.spent += moves
        if self.spent > self.moves or states > MOST_VALUES:
            raise too_many(spot)

    def spending(self, spot: Spot) -> Spend:
        """Returns `spend` with its first argument, the spot, filled in."""
        return partial(self.spend, spot)

    def extension(
        self, spot: Spot, pick: Pick, key: Pick, suffixes: Callable[[State], Suffixes]
    ) -> Transform:
        """Makes the transform of a step that appends random outcomes to each state.

        `pick` extracts what is kept of a state, and `suffixes` computes its outcomes, once for all
        states with an equal `key`.
        """
        spend = self.spending(spot)

        def extended(weights: Weights) -> Stepped:
            if len(weights) == 1:
                ((state, weight),) = weights.items()
                outcomes, total = suffixes(state)
                spend(2 * len(outcomes) + 5, len(outcomes))
                base = pick(state)
                return {base + suffix: weight * ways for suffix, ways in outcomes.items()}, total
            known: dict[State, Suffixes] = {}
            found = []
            moves = 2
            for state, weight in weights.items():
                of = key(state)
                got = known.get(of)
                if got is None:
                    got = known[of] = suffixes(state)
                    spend(len(got[0]) + 2)
                found.append((pick(state), weight, got))
                moves += len(got[0]) + 1
            spend(moves)
            return joined(found, spend)

        return extended

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
        """Makes the transform of a step that aggregates several throws or passes.

        `times` gives their number in a state, and `pick` what is kept of the state. `total_of`
        computes the outcomes from a state and the weights of the numbers, once for all states with
        an equal `key` of which the same is kept. `outs` is how many values are appended.
        """
        spend = self.spending(spot)

        def pooled(weights: Weights) -> Stepped:
            groups: dict[State, tuple[State, dict[State, dict[int, int]]]] = {}
            for state, weight in weights.items():
                _, bases = groups.setdefault(key(state), (state, {}))
                counts = bases.setdefault(pick(state), {})
                number = times_of(times(state), spot)
                counts[number] = counts.get(number, 0) + weight
            found = [
                # Where nothing is thrown nothing is looked at, so that no fault of a throw is met.
                (base, 1, total_of(state, counts) if any(counts) else ({(0,) * outs: counts[0]}, 1))
                for state, bases in groups.values()
                for base, counts in bases.items()
            ]
            spend(2 * len(weights) + sum(len(outcomes) for _, _, (outcomes, _) in found))
            return joined(found, spend)

        return pooled


def reading(layout: Layout, names: Names) -> Pick:
    """Makes a function that extracts from states of a layout the values of those names that it has.

    They are in the order of the layout. A step that reads only `names` has the same outcomes for
    states that are equal in these values.
    """
    return picker(layout, tuple(name for name in layout if name in names))
