"""Passes one after another: taken one by one up to a bound, or solved as a Markov chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.core.expressions import Scope
from rulebook.core.operations import Run, Typed
from rulebook.core.procedure_checks import Made, StepCheck
from rulebook.core.procedure_faults import Findings, Spot
from rulebook.core.programs import (
    FallenDice,
    PlayState,
    ProgramStep,
    compiled,
    live_before,
    play_steps,
    written_in,
)
from rulebook.core.throws import Pool
from rulebook.core.value_types import FlagKind, Kind, More, NumberKind
from rulebook.core.weights import (
    NOTHING,
    Engine,
    Layout,
    Names,
    State,
    Stepped,
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
from rulebook.model.procedures import LISTED, RepeatStep

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
        """Checks the steps of a pass, and sets the names that they set."""
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


def _check_open(count: str, step: RepeatStep, here: StepCheck) -> None:
    """Checks that a repetition without a bound whose passes are counted is always taken.

    It must not be inside another repetition or under a condition. `count` names its count.
    """
    here.free(count, "count")
    if here.depth or step.when or here.optional:
        where = "inside another" if here.depth else "under a condition"
        what = f"a repetition without a bound is counted {where}"
        expected = "'times', or always one of it"
        here.findings.add("R423", what, Spot(here.at("count")), expected)


def _settled(step: RepeatStep, here: StepCheck) -> Scope:
    """Returns the scope at the start of each pass of a repetition.

    The kinds of names in it hold both before the first pass and after any other.
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
    """Returns the kinds of names after one pass; ignores problems, which are reported later."""
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
