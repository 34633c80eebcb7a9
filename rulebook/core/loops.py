"""Repetitions -> transforms of weighted states: pass by pass to a bound, or solved as a chain."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulebook.core import programs
from rulebook.core.operations import Frame, bind
from rulebook.core.procedure_faults import Spot
from rulebook.core.value_types import More
from rulebook.core.weights import (
    Layout,
    Place,
    State,
    Stepped,
    Transform,
    Weights,
    endless,
    maker,
    merged,
    projected,
    times_of,
    too_many,
    whole_weights,
)
from rulebook.dice.chains import Chain
from rulebook.limits import MOST_ITEMS

if TYPE_CHECKING:
    from rulebook.core.exact import Engine

#: A pass takes at least as long as so many moves.
MOVES_OF_PASS = 16


class Loops:
    """One repetition, at the place where it stands.

    `head` is the layout of states before a pass, `end` that behind its body, `out` that behind the
    repetition.
    """

    def __init__(
        self, engine: Engine, step: programs.Repeat, after: programs.Names, place: Place
    ) -> None:
        self.engine = engine
        self.step = step
        self.spot = Spot(step.address)
        head, end = programs.loop_lives(step, after)
        self.counted = step.times is not None and step.count is not None and step.count in end
        entry = place.copy()
        times = bind(step.times, Frame(entry.constants, entry.at)) if step.times else None
        self.times = times
        varied = times is not None and not times.constant
        #: The passes still to come, where they differ from state to state: no name of an author's.
        self.left = f"passes left {step.address}" if varied else ""
        extra = ((step.count or "",) if self.counted else ()) + ((self.left,) if varied else ())
        written = programs.written_in(step.body)
        self.head: Layout = (
            *(
                name
                for name in dict.fromkeys((*entry.layout, *sorted(head)))
                if name in head
                and name not in extra
                and (name in entry.layout or name in written)
                and (name in entry.layout or name in entry.constants)
            ),
            *extra,
        )
        if self.counted:
            entry.constants[step.count or ""] = 0
        self.entry = entry
        fixed = {name: v for name, v in entry.constants.items() if name not in (*written, *extra)}
        inside = Place(self.head, dict(fixed))
        self.body = engine.compile(step.body, end | set(extra), inside)
        self.end: Layout = tuple(
            name
            for name in dict.fromkeys((*self.head, *sorted(end & written)))
            if name in inside.layout or name in inside.constants
        )
        self.behind = maker(inside, self.end)
        over = Place(self.end, fixed)
        until = bind(step.until, Frame(over.constants, over.at)) if step.until else None
        self.stops: Callable[[State], Any] | None = until.run if until else None
        self.onward = maker(over, self.head)
        self.out: Layout = tuple(name for name in self.end if name in after)
        self.leave = maker(over, self.out)
        self.opens = step.times is None and step.count is not None and step.count in after
        place.layout = (*self.out, *((step.count or "",) if self.opens else ()))
        place.constants.clear()
        place.constants.update(fixed)
        for name in place.layout:
            place.constants.pop(name, None)

    def transform(self) -> Transform:
        if self.times is None:
            return self._chain
        enter = maker(self.entry, tuple(name for name in self.head if name != self.left))
        if self.times.constant:
            number = times_of(self.times.value, Spot((*self.step.address, "times")))
            return lambda weights: self._bounded(projected(weights, enter), number)
        return self._varied(enter)

    def _varied(self, enter: Callable[[State], State]) -> Transform:
        """Numbers of passes that differ from state to state are counted down in the states."""
        run = self.times.run if self.times else None
        spot = Spot((*self.step.address, "times"))

        def transform(weights: Weights) -> Stepped:
            begun: Weights = {}
            for state, weight in weights.items():
                left = times_of(run(state), spot) if run else 0
                key = (*enter(state), left)
                begun[key] = begun.get(key, 0) + weight
            return self._bounded(begun, max((key[-1] for key in begun), default=0))

        return transform

    def _one_pass(self, weights: Weights) -> Stepped:
        if self.counted:
            at = self.head.index(self.step.count or "")
            weights = {
                (*state[:at], state[at] + 1, *state[at + 1 :]): weight
                for state, weight in weights.items()
            }
        if self.left:
            weights = {(*state[:-1], state[-1] - 1): weight for state, weight in weights.items()}
        factor = 1
        for one in self.body:
            weights, grown = one(weights)
            factor *= grown
        self.engine.budget.spend(len(weights) + MOVES_OF_PASS, len(weights), self.spot)
        return projected(weights, self.behind), factor

    def _bounded(self, inside: Weights, number: int) -> Stepped:
        done: list[Stepped] = []
        scale = 1
        varied = bool(self.left)
        at_left = self.end.index(self.left) if varied else 0
        if varied:
            none = {state: weight for state, weight in inside.items() if not state[-1]}
            inside = {state: weight for state, weight in inside.items() if state[-1]}
            done.append((self._skipped(none), 1))
        elif not number:
            return self._skipped(inside), 1
        for number_of_pass in range(1, number + 1):
            if not inside:
                break
            ended, factor = self._one_pass(inside)
            scale *= factor
            leaving: Weights = {}
            inside = {}
            for state, weight in ended.items():
                last = not state[at_left] if varied else number_of_pass == number
                if last or (self.stops is not None and self.stops(state)):
                    key = self.leave(state)
                    leaving[key] = leaving.get(key, 0) + weight
                else:
                    key = self.onward(state)
                    inside[key] = inside.get(key, 0) + weight
            done.append((leaving, scale))
        # A weight that left early stands for as many as it would have become since.
        return merged([part for part in done if part[0]] or [({}, scale)])

    def _skipped(self, weights: Weights) -> Weights:
        """States that take no pass, as they are behind the repetition."""
        if not weights:
            return {}
        head = Place(self.head, self.entry.constants)
        return projected(weights, maker(head, self.out))

    def _chain(self, weights: Weights) -> Stepped:
        start = projected(weights, maker(self.entry, self.head))
        chain: Chain[State, State] = Chain(self._moves(start), self._spend)
        if chain.trapped():
            raise endless(self.spot)
        out, length = chain.solved(start)
        if not self.opens:
            return whole_weights(out)
        if not start:
            return {}, 1
        self.engine.means[self.step.count or ""] = length / sum(start.values())
        shares: dict[State, Fraction] = {}
        lengths, _ = chain.lengths(start, self.step.listed)
        for number, exits in enumerate(lengths, start=1):
            for state, share in exits.items():
                shares[(*state, number)] = share
                out[state] -= share
        more = More(self.step.listed)
        shares |= {(*state, more): share for state, share in out.items() if share}
        return whole_weights(shares)

    def _spend(self, work: int) -> None:
        self.engine.budget.spend(work, 0, self.spot)

    def _moves(self, start: Weights) -> dict[State, tuple[Weights, Weights]]:
        """Where each state that can be reached leads in one pass."""
        moves: dict[State, tuple[Weights, Weights]] = {}
        waiting = list(start)
        seen = set(start)
        while waiting:
            state = waiting.pop()
            ended, _ = self._one_pass({state: 1})
            inside: Weights = {}
            leaving: Weights = {}
            for end, weight in ended.items():
                stops = self.stops is not None and self.stops(end)
                into, key = (leaving, self.leave(end)) if stops else (inside, self.onward(end))
                into[key] = into.get(key, 0) + weight
            moves[state] = (inside, leaving)
            new = [key for key in inside if key not in seen]
            seen.update(new)
            waiting += new
            if len(seen) > MOST_ITEMS:
                raise too_many(self.spot)
        return moves
