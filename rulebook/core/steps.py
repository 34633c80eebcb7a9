"""Steps that throw no dice: sentences, values, decisions, inner procedures, repetitions.

Passes of a repetition are taken one by one up to a bound, or solved as a Markov chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulebook.core.expressions import Scope, in_unit, within_bounds
from rulebook.core.input_domains import Domain
from rulebook.core.operations import Run, Typed
from rulebook.core.procedure_checks import Made, StepCheck
from rulebook.core.procedure_faults import Findings, RunFault, Spot
from rulebook.core.programs import (
    FallenDice,
    PlayState,
    Program,
    ProgramStep,
    ValueLabel,
    compiled,
    live_before,
    names_read,
    play_steps,
    written_in,
)
from rulebook.core.throws import Pool
from rulebook.core.value_types import (
    ConditionsKind,
    FlagKind,
    Kind,
    LengthKind,
    More,
    NumberKind,
    WordKind,
    value_text,
)
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
    picker,
    projected,
    run_of,
    times_of,
    too_many,
    whole_weights,
)
from rulebook.dice.chains import solved
from rulebook.limits import MOST_ITEMS
from rulebook.model.expressions import Constant
from rulebook.model.procedures import (
    LISTED,
    ChooseStep,
    DoStep,
    RepeatStep,
    RunStep,
    SayStep,
    SetStep,
)

#: A procedure that is run takes at least as long as so many moves.
MOVES_OF_RUN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(ProgramStep):
    """A step that only has a sentence."""

    @classmethod
    def check(cls, step: SayStep, here: StepCheck) -> Made:
        """Returns this class of steps and no arguments, since words alone need no check."""
        return cls, {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(ProgramStep):
    """A decision of the players, which is made by inputs of the procedure."""

    domains: Mapping[str, Domain]

    @classmethod
    def check(cls, step: ChooseStep, here: StepCheck) -> Made:
        """Finds the domains of the decisions of a step, which have been read with the inputs.

        Returns this class of steps, and the arguments to make one with.
        """
        return cls, {"domains": {name: here.procedure.domains[name] for name in step.choose}}

    def _writes(self) -> Names:
        return NOTHING

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

    @classmethod
    def check(cls, step: SetStep, here: StepCheck) -> Made:
        """Checks the values that a step sets, one after another, and sets their names in the scope.

        Inside a repetition, numbers are also bounded. Returns this class of steps, and the
        arguments to make one with; faults are reported.
        """
        values: list[tuple[str, Typed]] = []
        for name, expression in step.set.items():
            typed = here.expression(expression, "set", name)
            here.bind(name, typed.kind if typed else None, "set", name)
            if typed and here.depth:
                spot = Spot(here.at("set", name), expression, expression.tree)
                typed = within_bounds(typed, spot)
            if typed:
                values.append((name, typed))
        return cls, {"values": tuple(values)}

    def live_before(self, after: Names) -> Names:
        live = after
        for name, value in reversed(self.values):
            live = (live - {name}) | value.names if name in live else live
        return live

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        if len(self.values) > 1:
            singly = [Set(address=self.address, values=(value,)) for value in self.values]
            return compiled(singly, after, engine, layout)
        ((_, value),) = self.values
        run, spot = run_of(value, layout), self.spot()
        pick, behind = self.moved_on(layout, after)

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

    @classmethod
    def check(cls, step: DoStep, here: StepCheck) -> Made:
        """Checks the steps inside a step.

        Returns this class of steps, and the arguments to make one with; faults are reported.
        """
        return cls, {"steps": here.inside(step, here.scope)}

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

    @classmethod
    def check(cls, step: RunStep, here: StepCheck) -> Made:
        """Checks a step that runs another procedure: the procedure, its inputs and its results.

        Sets the names under `take` to the results in the scope. Returns this class of steps, and
        the arguments to make one with; after problems with the procedure, `Say` without any.
        """
        program = here.procedure.run_by(step.run, Spot(here.at("run")), here.findings)
        given = {
            name: here.expression(expression, "given", name)
            for name, expression in (step.given or {}).items()
        }
        if program is None:
            here.procedure.sound = False
            for name in step.take:
                here.bind(name, None, "take", name)
            return Say, {}
        given = {name: _given(here, program, name, typed) for name, typed in given.items()}
        for name, result in step.take.items():
            _take(here, program, name, result)
        return cls, {"program": program, "given": given, "take": dict(sorted(step.take.items()))}

    def _reads(self) -> Names:
        return names_read(*self.given.values())

    def _inputs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the given values of inputs, with defaults for the inputs that are not given.

        Raises RunFault if one of the values is no value of its input.
        """
        for name, value in given.items():
            domain = self.program.domains[name]
            if not domain.holds(value):
                what = f"{value_text(value)} is no value of the input '{name}'"
                raise RunFault("R425", what, self.spot("given", name), domain.choices())
        return {**self.program.defaults(), **given}

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """Compiles the step that runs a procedure into a transform of weighted states.

        The odds of the procedure are computed once for each set of inputs. `after` are the names
        whose values are needed after the step, `layout` is that of the states before it. Returns
        the layout after it as well.
        """
        runs = {name: run_of(value, layout) for name, value in self.given.items()}
        results = tuple(result for name, result in self.take.items() if name in after)
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

        return self.appended(engine, after, layout, suffixes)

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
            "take": self.take,
        }


def _given(here: StepCheck, program: Program, name: str, typed: Typed | None) -> Typed | None:
    """Checks the value that a step passes to the input `name`; reports faults.

    Returns the value, converted to the unit of the input if it is a length; after a fault,
    unchanged.
    """
    domain, spot = program.domains.get(name), Spot(here.at("given", name))
    if domain is None:
        inputs = f"the inputs of the procedure '{program.id}'"
        here.findings.unknown(spot, name, program.domains, inputs)
    elif typed and not _fits(typed.kind, domain.kind):
        here.findings.unlike(spot, typed.kind, domain.kind)
    elif typed and isinstance(domain.kind, LengthKind):
        return in_unit(typed, domain.kind) or typed
    return typed


def _fits(kind: Kind, wanted: Kind) -> bool:
    """Tells whether a value of one kind may be passed to an input of the kind `wanted`.

    A word must be one of the choices of the input, and conditions must be rows that it allows.
    """
    if isinstance(kind, ConditionsKind) and isinstance(wanted, ConditionsKind):
        return kind.table == wanted.table and set(kind.keys) <= set(wanted.keys)
    if isinstance(kind, WordKind) and isinstance(wanted, WordKind):
        return set(kind.keys) <= set(wanted.keys)
    return kind.like(wanted)


def _take(here: StepCheck, program: Program, name: str, result: str) -> None:
    """Checks that a procedure that is run has the result `result`, and sets a name to its kind.

    Reports an unknown result, and one that counts passes without a bound.
    """
    found, spot = program.results.get(result), Spot(here.at("take", name))
    if found is None:
        here.procedure.sound = False
        results = f"the results of the procedure '{program.id}'"
        here.findings.unknown(spot, result, program.results, results)
    elif found.counts_passes:
        what = f"'{result}' of '{program.id}' counts passes without a bound"
        here.findings.add("R423", what, spot, "a result with a bound")
    here.bind(name, found.kind if found else None, "take", name)


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

    @classmethod
    def check(cls, step: RepeatStep, here: StepCheck) -> Made:
        """Checks a repetition: its number, the steps of a pass, and the condition that ends it.

        Sets the names that the steps set, and that of the count, in the scope. Returns a class of
        steps, which is `Pool` if sums are asked for, and the arguments to make one with.
        """
        if step.sum is not None:
            return Pool.check(step, here)
        times, count, scope = here.times(step.times), step.count, here.scope
        if count and step.times is None:
            _check_open(count, step, here)
        inner = _settled(step, here)
        body = here.inside(step, inner, counting=count)
        until = here.within(inner).expression(step.until, "until", wanted=FlagKind())
        sure = step.times is None or (
            isinstance(step.times.tree, Constant) and step.times.tree.value not in (0, False)
        )
        if sure:
            scope.names, scope.unread = inner.names, inner.unread
        else:
            scope.meet(inner, here.at("times"))
        if count and step.times is None:
            here.procedure.open_counts.add(count)
        elif count:
            scope.names[count] = NumberKind()
            scope.unread.pop(count, None)
        own = {"steps": body, "times": times, "until": until, "count": count}
        return cls, {**own, "listed": step.listed or LISTED, "skippable": not sure}

    def _shows(self) -> tuple[str, ...]:
        own = (self.count,) if self.count else ()
        return tuple(sorted({*written_in(self.steps), *own}))

    def live_before(self, after: Names) -> Names:
        live = self.live_in_passes(after)[0] - {self.count}
        return live | self.times.names if self.times else live

    def live_in_passes(self, after: Names) -> tuple[Names, Names]:
        """Returns the names whose values are needed at the start of each pass of a repetition.

        Those needed at the end of each pass are returned as well. `after` are the names whose
        values are needed after the repetition.
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


def _check_open(count: str, step: RepeatStep, here: StepCheck) -> None:
    """Reports a repetition without a bound, whose passes are counted, unless it is always taken.

    It must not be inside another repetition or under a condition. `count` is the name of the count;
    if it may not be set, that is reported too.
    """
    here.free(count, "count")
    if here.depth or step.when or here.optional:
        where = "inside another" if here.depth else "under a condition"
        what = f"a repetition without a bound is counted {where}"
        expected = "'times', or always one of it"
        here.findings.add("R423", what, Spot(here.at("count")), expected)


def _settled(step: RepeatStep, here: StepCheck) -> Scope:
    """Returns the scope in which a pass of a repetition is checked.

    Each name in it has a kind that holds both before the first pass and after any other. Kinds that
    cannot be joined are reported.
    """
    inner = here.scope.inner()
    if step.count and step.times is None:
        inner.names.pop(step.count, None)
        inner.unread[step.count] = (
            "a bound ('times') on the repetition; without one its count is a result and "
            "nothing else"
        )
    elif step.count:
        here.within(inner).bind(step.count, NumberKind(), "count")
    changed = True
    while changed:
        changed = False
        found = _after_pass(step, here, inner)
        known = len(here.findings.problems)
        for name, kind in inner.names.items():
            both = inner.joined(name, kind, found.get(name, kind), here.at("repeat"))
            if len(here.findings.problems) > known:
                return inner
            changed |= both != kind
            inner.names[name] = both
    return inner


def _after_pass(step: RepeatStep, here: StepCheck, scope: Scope) -> dict[str, Kind]:
    """Returns the kinds of names after one pass that starts in `scope`, which stays as it is.

    Ignores problems, which are reported later.
    """
    kept, findings = here.procedure, Findings(here.findings.ruleset)
    open_counts = set(kept.open_counts)
    procedure = replace(kept, findings=findings, sound=True, open_counts=open_counts)
    trial = replace(scope.inner(), findings=findings)
    replace(here, procedure=procedure).inside(step, trial)
    kept.looked_at = procedure.looked_at
    return trial.names


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
        """Computes all passes of a repetition with a bound, which may differ from state to state.

        Returns the weights of the states after it, and the factor by which their total has grown.
        """
        spot, begun = self.step.spot("times"), (0,) if self.counted else ()

        def entered(state: State) -> State:
            assert self.times is not None
            return (*self.enter(state), *begun, times_of(self.times(state), spot))

        def counted(state: State) -> State:
            """Adds one to the passes taken, if they are counted, and takes one from those left.

            Returns the new state, at the end of which these numbers stand.
            """
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
        """Splits the states after a pass into those that go on and those that leave the repetition.

        Returns the weights of both. A state leaves if no pass is left or the condition that ends
        the repetition holds; it keeps only what is needed later.
        """
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
