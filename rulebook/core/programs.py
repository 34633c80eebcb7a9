"""Programs: procedures whose every name and type has been checked, and what all their steps can do.

A step says what it reads and sets, and does its own part of whatever is made of a program: it moves
weighted states for exact odds, takes itself in a play, labels what it sets, and says to a page what
it does. The kinds of steps are in `steps`, `throws` and `repetitions`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulebook.core.engine import NOTHING, Engine, Names, Reading, run_of
from rulebook.core.input_domains import Domain
from rulebook.core.operations import Run, Typed, by_name
from rulebook.core.page_data import PageData, ValueLabel
from rulebook.core.play_state import Event, FallenDice, Played, PlayState, Source
from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.value_types import Kind, Value, normal
from rulebook.core.weights import (
    Layout,
    Stepped,
    Transform,
    Weights,
    merged,
    picker,
    projected,
    times_of,
)
from rulebook.model.axes import humanise
from rulebook.model.ruleset import Address
from rulebook.model.scalars import Prose


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramStep(ABC):
    """What all steps have: where they stand, what they say, on what condition they are taken."""

    address: Address
    say: Prose | None = None
    when: Typed | None = None
    #: The steps inside it.
    steps: tuple[ProgramStep, ...] = ()
    #: Names that the step reads, its condition apart, and names that it sets.
    reads: Names = field(init=False, repr=False)
    writes: Names = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Asked for whenever a program is run, so they are found once.
        object.__setattr__(self, "reads", self._reads())
        object.__setattr__(self, "writes", self._writes())

    def _reads(self) -> Names:
        return NOTHING

    def _writes(self) -> Names:
        return frozenset(self.shows)

    @property
    def shows(self) -> tuple[str, ...]:
        """Names whose values are seen once the step has been taken, in that order."""
        return ()

    def spot(self, *at: str) -> Spot:
        """Where the step stands, or one of its keys."""
        return Spot((*self.address, *at))

    def times_in(self, state: PlayState, times: Typed) -> int:
        """How many dice or passes there are in a play."""
        return times_of(state.value(times), self.spot("times"))

    def live_before(self, after: Names) -> Names:
        """Names that matter before the step, its condition apart, if `after` matter behind it."""
        return (after - self.writes) | self.reads

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """How the step moves the states of a layout, and the layout behind it."""
        return _unmoved, layout

    def play(self, state: PlayState) -> list[FallenDice]:
        """Takes the step; gives the dice that fell for it alone."""
        return []

    def labels(self, domains: Mapping[str, Domain]) -> dict[str, ValueLabel]:
        """How the values that it sets are shown, whatever becomes of them."""
        return {}

    def plain(self, page: PageData) -> dict[str, object]:
        """What it does, and what it needs for it but for the steps inside it."""
        return {"do": "say"}


def _unmoved(weights: Weights) -> Stepped:
    return weights, 1


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """A result, called `title` in print: an expression, or the passes of an endless repetition.

    `counts_passes` says that it is the name that counts the passes of a repetition without a bound.
    """

    kind: Kind
    value: Typed
    title: str
    counts_passes: bool = False

    def called(self, name: str) -> str:
        """The name by which an author asks for it, behind its title if that says more."""
        return name if self.title == humanise(name) else f"{self.title} ({name})"


@dataclass(frozen=True, slots=True)
class InputRequirement:
    """What must hold of the inputs, and what the players read if it does not."""

    that: Typed
    say: str
    address: Address


@dataclass(frozen=True, slots=True)
class Program:
    """A checked procedure."""

    id: str
    title: str
    domains: Mapping[str, Domain]
    steps: tuple[ProgramStep, ...]
    results: Mapping[str, ProgramResult]
    requires: tuple[InputRequirement, ...] = ()
    #: Collection and id of what its steps and inputs name, in their order; ("header", "natural")
    #: where natural scores count. What a procedure names that is run is its own.
    looked_up: tuple[tuple[str, str], ...] = ()
    #: Expressions that have been bound in plays.
    runs: dict[Typed, Run] = field(default_factory=dict, repr=False, compare=False)

    @property
    def address(self) -> Address:
        return ("procedures", self.id)

    def admit(self, inputs: Mapping[str, Value]) -> None:
        """Raises RunFault R433 where the inputs are not what the procedure requires."""
        for requirement in self.requires:
            if not by_name(requirement.that)(inputs):
                raise RunFault("R433", requirement.say, Spot((*requirement.address, "that")))

    def defaults(self) -> dict[str, Value]:
        return {name: domain.default for name, domain in self.domains.items()}

    def reading(self, engine: Engine, results: tuple[str, ...]) -> Reading:
        """The weights of some results as a function of the inputs: compiled once."""
        found = engine.readings.get((self.id, results))
        if found is None:
            found = engine.readings[self.id, results] = self._compiled(engine, results)
        return found

    def _compiled(self, engine: Engine, results: tuple[str, ...]) -> Reading:
        values = [self.results[name].value for name in results]
        wanted = NOTHING.union(*(value.names for value in values))
        live = live_before(self.steps, wanted)
        first = tuple(name for name in self.domains if name in live)
        transform, layout = compiled(self.steps, wanted, engine, first)
        runs = [run_of(value, layout) for value in values]

        def read(inputs: Mapping[str, Any]) -> Weights:
            weights, _ = transform({tuple([inputs[name] for name in first]): 1})
            joint: Weights = {}
            for state, weight in weights.items():
                key = tuple([normal(run(state)) for run in runs])
                joint[key] = joint.get(key, 0) + weight
            return joint

        return read

    def play(self, inputs: Mapping[str, Value], source: Source) -> Played:
        """One play; raises RunFault, and ScriptFault where given dice do not fit."""
        self.admit(inputs)
        state = PlayState(dict(inputs), source, self.runs)
        play_steps(self.steps, state)
        results = {name: normal(state.value(one.value)) for name, one in self.results.items()}
        return Played(results, tuple(state.events), state.taken)


def play_steps(steps: Sequence[ProgramStep], state: PlayState) -> None:
    """Takes steps one after another; each is an event, before those inside it."""
    for step in steps:
        if step.when is None or state.value(step.when):
            state.take(1, step.address)
            at = len(state.events)
            thrown = tuple(step.play(state))
            bound = {name: state.names[name] for name in step.shows if name in state.names}
            event = Event(step.address, step.say, thrown, bound, state.depth, state.number)
            state.events.insert(at, event)


def written_in(steps: Sequence[ProgramStep]) -> Names:
    """All names that some steps set."""
    return NOTHING.union(*(step.writes for step in steps))


def live_before(steps: Sequence[ProgramStep], after: Names) -> Names:
    """Names whose values matter before some steps, if those in `after` matter behind them."""
    return lives(steps, after)[0]


def lives(steps: Sequence[ProgramStep], after: Names) -> list[Names]:
    """The names that matter before each step, and last those in `after`."""
    found = [after]
    for step in reversed(steps):
        found.append(_live_across(step, found[-1]))
    return found[::-1]


def _live_across(step: ProgramStep, after: Names) -> Names:
    """Names that matter before a step; one that is not needed behind it is not taken."""
    if not step.writes & after:
        return after
    live = step.live_before(after)
    return live | after | step.when.names if step.when else live


def all_steps(steps: Sequence[ProgramStep]) -> Iterator[ProgramStep]:
    """Steps and those inside them, in order."""
    for step in steps:
        yield step
        yield from all_steps(step.steps)


def compiled(
    steps: Sequence[ProgramStep], wanted: Names, engine: Engine, layout: Layout
) -> tuple[Transform, Layout]:
    """The steps that matter for some names, as one transform; and the layout behind them."""
    live = lives(steps, wanted)
    transforms: list[Transform] = []
    for step, after in zip(steps, live[1:], strict=True):
        if step.writes & after:
            transform, layout = _guarded(step, engine, after, layout)
            transforms.append(transform)

    def run(weights: Weights) -> Stepped:
        factor = 1
        for transform in transforms:
            weights, grown = transform(weights)
            factor *= grown
        return weights, factor

    return run, layout


def _guarded(
    step: ProgramStep, engine: Engine, after: Names, layout: Layout
) -> tuple[Transform, Layout]:
    """A step that some states may take and others not."""
    transform, inner = step.transform(engine, after, layout)
    if step.when is None:
        return transform, inner
    holds, spot = run_of(step.when, layout), step.spot()
    names = tuple(name for name in inner if name in after and name in layout)
    taken, passed = picker(inner, names), picker(layout, names)

    def guarded(weights: Weights) -> Stepped:
        engine.budget.spend(len(weights) + 2, 0, spot)
        yes = {state: weight for state, weight in weights.items() if holds(state)}
        no = {state: weight for state, weight in weights.items() if state not in yes}
        parts = []
        if yes:
            moved, factor = transform(yes)
            parts.append((projected(moved, taken), factor))
        if no:
            parts.append((projected(no, passed), 1))
        return merged(parts)

    return guarded, names
