"""A program and its inputs -> the joint distribution of its results, exactly.

The program is cut to what the wanted results need and turned into transforms of weighted states.
What no later step reads is forgotten at once, so that states that differ only in it are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Any

from rulebook.core import programs, value_types
from rulebook.core.loops import Loops
from rulebook.core.operations import Bound, Frame, Typed, bind
from rulebook.core.procedure_faults import NotAllowed, Spot
from rulebook.core.value_types import Value
from rulebook.core.weights import (
    Budget,
    Layout,
    Place,
    Shown,
    State,
    Stepped,
    Suffixes,
    Transform,
    Weights,
    counted,
    different,
    extended,
    keep_one_of_any,
    maker,
    merged,
    picker,
    pooled,
    projected,
    reach,
    repeated,
    times_of,
    together,
)
from rulebook.dice.pools import size_of_sum, steps_of_sum, successes, sum_of

#: Bits of sums of dice that take as long to reckon as a move: all at once, or term by term.
BITS_OF_MOVE, BITS_OF_TERM = 150, 30_000
#: A procedure that is run takes at least as long as so many moves.
MOVES_OF_RUN = 100
#: Steps of sums that take as long.
STEPS_OF_MOVE = 8


@dataclass(frozen=True, slots=True)
class Joint:
    """Weights of the tuples of results, and exact means of counts that have no bound."""

    names: tuple[str, ...]
    weights: Mapping[State, int]
    means: Mapping[str, Fraction]


def exact(
    program: programs.Program,
    inputs: Mapping[str, Value],
    results: Sequence[str] | None = None,
    budget: Budget | None = None,
) -> Joint:
    """The joint distribution of some results, or of all; raises RunFault.

    `inputs` has a value for every input of the program.
    """
    engine = Engine(budget or Budget())
    return engine.joint(program, inputs, tuple(results or program.results))


@dataclass(slots=True)
class Engine:
    """Compiles and runs programs within one budget."""

    budget: Budget
    #: Procedures that are run by steps, by the results that are taken and the inputs given; and
    #: their odds by the inputs that vary.
    readings: dict[tuple[Any, ...], Callable[[State], Weights]] = field(default_factory=dict)
    known: dict[tuple[Any, ...], dict[State, Suffixes]] = field(default_factory=dict)
    means: dict[str, Fraction] = field(default_factory=dict)
    natural: Mapping[int, bool] = field(default_factory=dict)

    def joint(
        self,
        program: programs.Program,
        inputs: Mapping[str, Value],
        names: tuple[str, ...],
    ) -> Joint:
        program.admit(inputs)
        weights = self.reading(program, names, Place((), dict(inputs)))(())
        means = {
            name: self.means[one.open_count.count or ""]
            for name, one in program.results.items()
            if name in names and one.open_count
        }
        return Joint(names, weights, means)

    def reading(
        self, program: programs.Program, names: tuple[str, ...], place: Place
    ) -> Callable[[State], Weights]:
        """From a state with some of the inputs to the weights of results; others are constants."""
        self.natural = program.natural
        values = [
            Typed(one.kind, "name", data=one.open_count.count) if one.open_count else one.value
            for one in (program.results[name] for name in names)
        ]
        wanted = programs.NOTHING.union(*(value.names for value in values))
        transforms = self.compile(program.steps, wanted, place)
        frame = Frame(place.constants, place.at)
        runs = [bind(value, frame).run for value in values]

        def read(state: State) -> Weights:
            weights = {state: 1}
            for transform in transforms:
                weights, _ = transform(weights)
            joint: Weights = {}
            for end, weight in weights.items():
                key = tuple([value_types.normal(run(end)) for run in runs])
                joint[key] = joint.get(key, 0) + weight
            return joint

        return read

    def compile(
        self, steps: tuple[programs.Step, ...], wanted: programs.Names, place: Place
    ) -> list[Transform]:
        """Transforms for the steps that matter; `place` is moved on to behind them."""
        live = programs.lives(steps, wanted)
        transforms: list[Transform] = []
        for step, after in zip(steps, live[1:], strict=True):
            if step.writes & after:
                transforms += self.step(step, after, place)
        return transforms

    def step(self, step: programs.Step, after: programs.Names, place: Place) -> list[Transform]:
        if step.when is None:
            return self.plain(step, after, place)
        holds = bind(step.when, Frame(place.constants, place.at))
        if holds.constant:
            return self.plain(step, after, place) if holds.value else []
        return self._guarded(step, holds.run, after, place)

    def _guarded(
        self,
        step: programs.Step,
        holds: Callable[[State], bool],
        after: programs.Names,
        place: Place,
    ) -> list[Transform]:
        """A step that some states take and others do not."""
        before = place.copy()
        inner = place.copy()
        transforms = self.plain(step, after, inner)
        names = tuple(
            name
            for name in dict.fromkeys((*before.layout, *inner.layout, *sorted(step.writes)))
            if name in after and (name in before.layout or name in step.writes)
        )
        passed, taken = maker(before, names), maker(inner, names)
        spot = Spot(step.address)
        place.layout = names
        for name in names:
            place.constants.pop(name, None)

        def transform(weights: Weights) -> Stepped:
            self.budget.spend(len(weights) + 2, 0, spot)
            yes = {state: weight for state, weight in weights.items() if holds(state)}
            no = {state: weight for state, weight in weights.items() if state not in yes}
            factor = 1
            for one in transforms:
                yes, grown = one(yes)
                factor *= grown
            return merged([(projected(yes, taken), factor), (projected(no, passed), 1)])

        return [transform]

    def plain(self, step: programs.Step, after: programs.Names, place: Place) -> list[Transform]:
        """The transforms of a step that every state takes."""
        match step:
            case programs.Assign():
                return self._assign(step, after, place)
            case programs.Together() | programs.Block():
                return self.compile(step.body, after, place)
            case programs.Throw():
                return [self._throw(step, after, place)]
            case programs.Pool():
                return [self._pool(step, after, place)]
            case programs.Test():
                return [self._test(step, after, place)]
            case programs.Run():
                return [self._run(step, after, place)]
            case programs.Repeat():
                return [Loops(self, step, after, place).transform()]
        return []

    def _assign(
        self, step: programs.Assign, after: programs.Names, place: Place
    ) -> list[Transform]:
        bound = bind(step.value, Frame(place.constants, place.at))
        if bound.constant:
            place.constants[step.name] = bound.value
            if step.name not in place.layout:
                return []
            pick, _ = self._kept(place, after, (step.name,), ())
            return [lambda weights: (projected(weights, pick), 1)]
        run = bound.run
        pick, _ = self._kept(place, after, (step.name,), (step.name,))
        spot = Spot(step.address)

        def transform(weights: Weights) -> Stepped:
            self.budget.spend(len(weights) + 2, 0, spot)
            into: Weights = {}
            for state, weight in weights.items():
                key = (*pick(state), run(state))
                into[key] = into.get(key, 0) + weight
            return into, 1

        return [transform]

    def _kept(
        self, place: Place, after: programs.Names, dropped: Sequence[str], added: Sequence[str]
    ) -> tuple[Callable[[State], State], Layout]:
        """Moves a place on: what is kept of a state, and what stands in it behind the step."""
        kept = tuple(name for name in place.layout if name in after and name not in dropped)
        pick = picker(place.layout, kept)
        place.layout = (*kept, *added)
        for name in added:
            place.constants.pop(name, None)
        return pick, kept

    def _reading(self, place: Place, names: programs.Names) -> Callable[[State], State]:
        """The part of a state that some names make: states equal in it go the same way."""
        return picker(place.layout, tuple(name for name in place.layout if name in names))

    def _extension(
        self,
        step: programs.Step,
        pick: Callable[[State], State],
        key: Callable[[State], State],
        suffixes: Callable[[State], Suffixes],
    ) -> Transform:
        spot = Spot(step.address)

        def spend(moves: int, states: int) -> None:
            self.budget.spend(moves, states, spot)

        return lambda weights: extended(weights, pick, key, suffixes, spend)

    def _throw(self, step: programs.Throw, after: programs.Names, place: Place) -> Transform:
        read = programs.NOTHING.union(*(one.dice.names for one in step.dice))
        decide = step.again or step.reroll
        if decide:
            read |= decide.names
        frame = Frame(place.constants, place.at)
        dice = [bind(one.dice, frame).run for one in step.dice]
        inner = Frame(
            {key: value for key, value in place.constants.items() if key not in step.names},
            {**place.at, **{n: len(place.layout) + i for i, n in enumerate(step.names)}},
        )
        repeats = bind(decide, inner).run if decide else None
        key = self._reading(place, read)
        added = tuple(name for name in step.names if name in after)
        chosen = picker(step.names, added)
        pick, _ = self._kept(place, after, step.names, added)

        def suffixes(state: State) -> Suffixes:
            thrown = together(step, [one(state) for one in dice])
            if repeats is not None:
                thrown = repeated(step, thrown, lambda shown: repeats(state + shown))
            return list(projected(thrown, chosen).items()), sum(thrown.values())

        return self._extension(step, pick, key, suffixes)

    def _test(self, step: programs.Test, after: programs.Names, place: Place) -> Transform:
        parts: list[Typed | None] = [step.dice.dice, step.target, step.plus, step.reroll]
        frame = Frame(place.constants, place.at)
        dice, target, plus, reroll = (
            bind(one, frame) if one else Bound(lambda state: 0, True, 0) for one in parts
        )
        read = programs.NOTHING.union(*(one.names for one in parts if one))
        times = bind(step.times, frame) if step.times else None
        key = self._reading(place, read)
        pick, _ = self._kept(place, after, (step.name,), (step.name,))
        natural = self.natural
        spot = Spot(step.address)

        def chance(state: State) -> tuple[int, int]:
            try:
                more = plus.run(state)
            except NotAllowed:
                return 0, 1  # nothing is thrown: what is not allowed fails
            thrown = Shown(dice.run(state), step.dice.keep, step.dice.highest)
            hits, of = reach(thrown, target.run(state), more, natural)
            if reroll.run(state):
                hits, of = hits * of + (of - hits) * hits, of * of
            common = gcd(hits, of)
            return hits // common, of // common

        if times is None:

            def suffixes(state: State) -> Suffixes:
                hits, of = chance(state)
                ways = [((True,), hits), ((False,), of - hits)]
                return [one for one in ways if one[1]], of

            return self._extension(step, pick, key, suffixes)

        def total_of(state: State, counts: Mapping[int, int]) -> Suffixes:
            hits, of = chance(state)
            most = max(counts)
            self._spend_bits((most + 1) * (of.bit_length() * most + 1), counts, 2, spot)
            found = successes(counts, hits, of)
            return [((number,), ways) for number, ways in found.items()], of ** max(counts)

        return self._pools(step, pick, key, times.run, total_of)

    def _pools(
        self,
        step: programs.Step,
        pick: Callable[[State], State],
        key: Callable[[State], State],
        times: Callable[[State], Any],
        total_of: Callable[[State, Mapping[int, int]], Suffixes],
        *,
        outs: int = 1,
    ) -> Transform:
        spot = Spot((*step.address, "times"))

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

    def _spend_bits(self, bits: int, counts: Mapping[int, int], terms: int, spot: Spot) -> None:
        """What it takes to add up many dice: a random number of them is reckoned one by one."""
        times = max(counts) * terms if len(counts) > 1 else 0
        self.budget.spend(bits // BITS_OF_MOVE + bits * times // BITS_OF_TERM, 0, spot)

    def _pool(self, step: programs.Pool, after: programs.Names, place: Place) -> Transform:
        """Passes that each begin afresh: one is reckoned, and added up so many times."""
        frame = Frame(place.constants, place.at)
        times = bind(step.times, frame).run
        wanted = [
            (out, one) for out, one in zip(step.outs, step.each, strict=False) if out in after
        ]
        outs = tuple(out for out, _ in wanted) or step.outs
        needed = programs.NOTHING.union(*(one.names for _, one in wanted))
        outside = programs.live_before(step.body, needed)
        throw, distinct = step.body[0], step.aggregate == "distinct"
        if distinct and isinstance(throw, programs.Throw):
            outside, source = throw.reads, throw.dice[0]
            dice = bind(source.dice, frame).run
        layout = tuple(name for name in place.layout if name in outside)
        take = picker(place.layout, layout)
        inner = Place(layout, dict(place.constants))
        body = self.compile(step.body, needed, inner)
        ends = Frame(inner.constants, inner.at)
        runs = [bind(one, ends).run for _, one in wanted]
        key = self._reading(place, outside)
        pick, _ = self._kept(place, after, step.outs, outs)
        spot = Spot(step.address)

        def total_of(state: State, counts: Mapping[int, int]) -> Suffixes:
            if distinct:
                found = dice(state)
                self.budget.spend(max(counts) * min(max(counts), found.sides), 0, spot)
                return different(Shown(found, source.keep, source.highest), counts, spot)
            weights: Weights = {take(state): 1}
            for transform in body:
                weights, _ = transform(weights)
            each: dict[Any, int] = {}
            for end, ways in weights.items():
                value = tuple(counted(run(end)) for run in runs)
                each[value] = each.get(value, 0) + ways
            return self.aggregated(step.aggregate, each, counts, spot)

        return self._pools(step, pick, key, times, total_of, outs=len(outs))

    def _run(self, step: programs.Run, after: programs.Names, place: Place) -> Transform:
        """Another procedure: read once for the inputs that are fixed, run for those that vary."""
        program, frame = step.program, Frame(place.constants, place.at)
        given = {name: bind(one, frame) for name, one in step.given.items()}
        key = self._reading(place, step.reads)
        taken = [(name, result) for name, result in step.take.items() if name in after]
        pick, _ = self._kept(place, after, tuple(step.take), tuple(name for name, _ in taken))
        results = tuple(result for _, result in taken)
        varied = tuple(name for name, one in given.items() if not one.constant)
        fixed = {name: one.value for name, one in given.items() if one.constant}
        runs = [given[name].run for name in varied]
        same = (program.id, results, varied, *fixed.items())
        known = self.known.setdefault(same, {})
        spot = Spot(step.address)

        def read(values: State) -> Weights:
            if same not in self.readings:
                step.expect_held(fixed)
                inputs = {n: v for n, v in (program.defaults() | fixed).items() if n not in varied}
                engine = Engine(self.budget, self.readings, self.known)
                self.readings[same] = engine.reading(program, results, Place(varied, inputs))
            inputs = dict(zip(varied, values, strict=True))
            step.expect_held(inputs)
            if program.requires:
                program.admit(program.defaults() | fixed | inputs)
            return self.readings[same](values)

        def suffixes(state: State) -> Suffixes:
            values = tuple([run(state) for run in runs])
            if values not in known:
                self.budget.spend(MOVES_OF_RUN, 0, spot)
                weights = read(values)
                known[values] = list(weights.items()), sum(weights.values())
            return known[values]

        return self._extension(step, pick, key, suffixes)
