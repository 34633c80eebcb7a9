"""Steps that throw no dice: what they do to states, in a play and on a page.

The passes of a repetition are taken one by one up to a bound, or without one solved as a Markov
chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulebook.core.input_domains import Domain
from rulebook.core.operations import Run, Typed
from rulebook.core.procedure_faults import RunFault
from rulebook.core.programs import (
    FallenDice,
    PlayState,
    Program,
    ProgramStep,
    ValueLabel,
    all_steps,
    compiled,
    live_before,
    play_steps,
    written_in,
)
from rulebook.core.value_types import More, value_text
from rulebook.core.weights import (
    NOTHING,
    Engine,
    Layout,
    Names,
    State,
    Stepped,
    Suffixes,
    Transform,
    Weights,
    endless,
    merged,
    moved_on,
    picker,
    projected,
    reading,
    run_of,
    times_of,
    too_many,
    whole_weights,
)
from rulebook.dice.chains import solved
from rulebook.limits import MOST_ITEMS

#: A procedure that is run takes at least as long as so many moves.
MOVES_OF_RUN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(ProgramStep):
    """A step that only has a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(ProgramStep):
    """A decision of the players, which is made by inputs of the procedure."""

    domains: Mapping[str, Domain]

    def _writes(self) -> Names:
        return NOTHING

    @property
    def shows(self) -> tuple[str, ...]:
        return tuple(self.domains)

    def labels(self) -> dict[str, ValueLabel]:
        return {
            name: ValueLabel(domain.kind, domain.label) for name, domain in self.domains.items()
        }

    def plain(self) -> dict[str, object]:
        return {"do": "choose", "sets": self.shows}


@dataclass(frozen=True, slots=True, kw_only=True)
class Set(ProgramStep):
    """Sets names one after another, as one step."""

    values: tuple[tuple[str, Typed], ...]

    @property
    def shows(self) -> tuple[str, ...]:
        return tuple(dict(self.values))

    @property
    def _singly(self) -> tuple[Set, ...]:
        return tuple(Set(address=self.address, values=(value,)) for value in self.values)

    def live_before(self, after: Names) -> Names:
        live = after
        for name, value in reversed(self.values):
            live = (live - {name}) | value.names if name in live else live
        return live

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        if len(self.values) > 1:
            return compiled(self._singly, after, engine, layout)
        ((name, value),) = self.values
        run, spot = run_of(value, layout), self.spot()
        pick, behind = moved_on(layout, after, (name,), (name,))

        def transform(weights: Weights) -> Stepped:
            engine.spend(spot, len(weights) + 2)
            into: Weights = {}
            for state, weight in weights.items():
                key = (*pick(state), run(state))
                into[key] = into.get(key, 0) + weight
            return into, 1

        return transform, behind

    def play(self, state: PlayState) -> list[FallenDice]:
        for name, value in self.values:
            state.put(name, state.value(value))
        return []

    def labels(self) -> dict[str, ValueLabel]:
        words = "" if self.say and len(self.values) == 1 else None
        return {
            name: ValueLabel(value.kind, words, value.operation == "=")
            for name, value in self.values
        }

    def plain(self) -> dict[str, object]:
        return {"do": "set", "names": dict(self.values)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(ProgramStep):
    """Takes several steps under one condition."""

    def _writes(self) -> Names:
        return written_in(self.steps)

    def live_before(self, after: Names) -> Names:
        return live_before(self.steps, after)

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        return compiled(self.steps, after, engine, layout)

    def play(self, state: PlayState) -> list[FallenDice]:
        play_steps(self.steps, state)
        return []

    def plain(self) -> dict[str, object]:
        return {"do": "block"}


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerRun(ProgramStep):
    """Runs another procedure and sets names to some of its results.

    `given` are the values of its inputs; `take` maps names to its results.
    """

    program: Program
    given: Mapping[str, Typed]
    take: Mapping[str, str]

    @property
    def shows(self) -> tuple[str, ...]:
        return tuple(sorted(self.take))

    def _reads(self) -> Names:
        return NOTHING.union(*(value.names for value in self.given.values()))

    def _inputs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Adds the defaults to the given inputs; raises RunFault if a value is out of range."""
        for name, value in given.items():
            domain = self.program.domains[name]
            if not domain.holds(value):
                what = f"{value_text(value)} is no value of the input '{name}'"
                raise RunFault("R425", what, self.spot("given", name), domain.choices())
        return {**self.program.defaults(), **given}

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """Compiles the procedure that is run; its odds are computed once for each set of inputs."""
        runs = {name: run_of(value, layout) for name, value in self.given.items()}
        names = [name for name in self.take if name in after]
        results = tuple(self.take[name] for name in names)
        pick, behind = moved_on(layout, after, tuple(self.take), names)
        spot = self.spot()

        def suffixes(state: State) -> Suffixes:
            given = {name: run(state) for name, run in runs.items()}
            key = (self.program.id, results, *given.items())
            if key not in engine.known:
                engine.spend(spot, MOVES_OF_RUN)
                inputs = self._inputs(given)
                self.program.admit(inputs)
                weights = self.program.reading(engine, results)(inputs)
                engine.known[key] = weights, sum(weights.values())
            return engine.known[key]

        return engine.extension(spot, pick, reading(layout, self.reads), suffixes), behind

    def play(self, state: PlayState) -> list[FallenDice]:
        given = {name: state.value(value) for name, value in self.given.items()}
        inner = self.program.play(self._inputs(given), state.source)
        state.take(inner.taken, self.address)
        further = state.depth + 1
        state.events += [replace(event, depth=event.depth + further) for event in inner.events]
        for name, result in self.take.items():
            state.put(name, inner.results[result])
        return []

    def labels(self) -> dict[str, ValueLabel]:
        results = {name: self.program.results[result] for name, result in self.take.items()}
        return {name: ValueLabel(result.kind, result.title) for name, result in results.items()}

    def plain(self) -> dict[str, object]:
        return {
            "do": "run",
            "run": self.program.id,
            "given": self.given,
            "take": dict(sorted(self.take.items())),
        }


def all_read(program: Program) -> set[tuple[str, str]]:
    """Returns (collection, id) of all entities that a program and those it runs can look up."""
    found = {("procedures", program.id), *program.looked_up}
    for step in all_steps(program.steps):
        if isinstance(step, InnerRun):
            found |= all_read(step.program)
    return found


#: A pass takes at least as long as so many moves.
MOVES_OF_PASS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition(ProgramStep):
    """Repeats its steps up to `times` times, until `until` holds after a pass.

    Without `times` the passes have no bound, and `listed` is the number of passes whose odds are
    listed one by one. `count` names the number of passes. `skippable` says that there may be no
    pass at all.
    """

    times: Typed | None
    until: Typed | None
    count: str | None
    listed: int
    skippable: bool

    @property
    def shows(self) -> tuple[str, ...]:
        own = (self.count,) if self.count else ()
        return tuple(sorted({*written_in(self.steps), *own}))

    def live_before(self, after: Names) -> Names:
        live = self.live_in_passes(after)[0] - {self.count}
        return live | self.times.names if self.times else live

    def live_in_passes(self, after: Names) -> tuple[Names, Names]:
        """Returns the names whose values are needed at the start of each pass, and at its end.

        `after` are the names whose values are needed after the repetition.
        """
        until = self.until.names if self.until else NOTHING
        head = after if self.skippable else NOTHING
        while True:
            end = after | until | head
            before = live_before(self.steps, end) | head
            if before == head:
                return head, end
            head = before

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        passes = _Passes(self, engine, after, layout)
        return passes.bounded if self.times else passes.chain, passes.behind

    def play(self, state: PlayState) -> list[FallenDice]:
        bound = None
        if self.times is not None:
            bound = self.times_in(state, self.times)
        if self.count:
            state.put(self.count, 0)
        for number in state.deeper(state.passes(self.spot("until"), bound)):
            if self.count:
                state.put(self.count, number)
            play_steps(self.steps, state)
            if self.until is not None and state.value(self.until):
                break
        return []

    def plain(self) -> dict[str, object]:
        return {
            "do": "repeat",
            "times": self.times,
            "until": self.until,
            "count": self.count,
            "listed": None if self.times else self.listed,
            "skippable": self.skippable or None,
        }


class _Passes:
    """Computes the passes of one repetition for weighted states.

    States before a pass have the layout `head`, after the steps of a pass `end`, and after the
    repetition `out`. With a bound, the last name of `head` is the number of passes left; before it
    comes the number of passes taken, if that is read.
    """

    def __init__(self, step: Repetition, engine: Engine, after: Names, layout: Layout) -> None:
        self.step, self.engine, self.spot = step, engine, step.spot()
        live_head, live_end = step.live_in_passes(after)
        bounded, count = step.times is not None, step.count or ""
        self.counted = bounded and count in live_end
        #: No name of an author's.
        left = f"passes left {step.address}"
        extra = ((count,) if self.counted else ()) + ((left,) if bounded else ())
        kept = tuple(name for name in layout if name in live_head and name not in extra)
        head = (*kept, *extra)
        self.enter, self.times = picker(layout, kept), _run(step.times, layout)
        self.steps, inner = compiled(step.steps, live_end | set(extra), engine, head)
        self.end = tuple(name for name in inner if name in live_end or name in extra)
        self.forget = picker(inner, self.end)
        self.left = self.end.index(left) if bounded else 0
        self.stops = _run(step.until, self.end)
        self.onward = picker(self.end, head)
        out = tuple(name for name in self.end if name in after)
        self.leave = picker(self.end, out)
        self.skip = picker(head, out) if set(out) <= set(head) else None
        self.opens = not bounded and count in after
        self.behind: Layout = (*out, count) if self.opens else out

    def _one_pass(self, weights: Weights) -> Stepped:
        weights, factor = self.steps(weights)
        self.engine.spend(self.spot, len(weights) + MOVES_OF_PASS, len(weights))
        return projected(weights, self.forget), factor

    def bounded(self, weights: Weights) -> Stepped:
        """Returns the weights after all passes of a repetition with a bound, and their factor.

        Each state has a bound of its own.
        """
        spot, begun = self.step.spot("times"), (0,) if self.counted else ()

        def entered(state: State) -> State:
            assert self.times is not None
            return (*self.enter(state), *begun, times_of(self.times(state), spot))

        def counted(state: State) -> State:
            """Adds one to the passes taken, if they are counted, and takes one from those left."""
            taken = (state[-2] + 1,) if self.counted else ()
            return (*state[: -1 - len(taken)], *taken, state[-1] - 1)

        inside = projected(weights, entered)
        skipping = {state: weight for state, weight in inside.items() if not state[-1]}
        done: list[Stepped] = []
        if skipping and self.skip:
            done.append((projected(skipping, self.skip), 1))
        inside = {state: weight for state, weight in inside.items() if state[-1]}
        scale = 1
        while inside:
            ended, factor = self._one_pass(projected(inside, counted))
            scale *= factor
            inside, leaving = self._parted(ended)
            done.append((leaving, scale))
        # A weight that left early stands for as many as it would have become since.
        return merged([part for part in done if part[0]] or [({}, scale)])

    def _parted(self, ended: Weights) -> tuple[Weights, Weights]:
        """Splits the states after a pass into those that go on and those that leave."""
        inside: Weights = {}
        leaving: Weights = {}
        for state, weight in ended.items():
            last = self.times is not None and not state[self.left]
            if last or (self.stops is not None and self.stops(state)):
                key = self.leave(state)
                leaving[key] = leaving.get(key, 0) + weight
            else:
                key = self.onward(state)
                inside[key] = inside.get(key, 0) + weight
        return inside, leaving

    def chain(self, weights: Weights) -> Stepped:
        start = projected(weights, self.enter)
        if not start:
            return {}, 1
        try:
            out, length = solved(self._moves(start), start, self.engine.spending(self.spot))
        except ValueError:
            raise endless(self.spot) from None
        if not self.opens:
            return whole_weights(out)
        self.engine.means[self.step.count or ""] = length / sum(start.values())
        shares: dict[State, Fraction] = {}
        inside, scale = start, 1
        for number in range(1, self.step.listed + 1):
            ended, factor = self._one_pass(inside)
            scale *= factor
            inside, leaving = self._parted(ended)
            for state, weight in leaving.items():
                shares[(*state, number)] = Fraction(weight, scale)
                out[state] -= shares[(*state, number)]
        more = More(self.step.listed)
        shares |= {(*state, more): share for state, share in out.items() if share}
        return whole_weights(shares)

    def _moves(self, start: Weights) -> Mapping[State, tuple[Weights, Weights]]:
        """Maps each state that can be reached to what it leads to in one pass.

        That is the weights of the states that go on and of the states that leave. Raises RunFault
        for too many states.
        """
        moves: dict[State, tuple[Weights, Weights]] = {}
        waiting = list(start)
        seen = set(start)
        while waiting:
            state = waiting.pop()
            ended, _ = self._one_pass({state: 1})
            moves[state] = inside, _ = self._parted(ended)
            new = [key for key in inside if key not in seen]
            seen.update(new)
            waiting += new
            if len(seen) > MOST_ITEMS:
                raise too_many(self.spot)
        return moves


def _run(typed: Typed | None, layout: Layout) -> Run | None:
    return run_of(typed, layout) if typed else None
