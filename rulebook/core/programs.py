"""Programs: procedures whose every name and type has been checked, and what all their steps can do.

A step says what it reads and sets, and does its own part of whatever is made of a program: it moves
weighted states for exact odds, takes itself in a play, labels what it sets, and says to a page what
it does. The kinds of steps are in `steps` and `throws`. A play is a program with its
inputs and a source of dice -> results, and an event for each step.
"""

from __future__ import annotations

import random
from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from rulebook.core.input_domains import Domain
from rulebook.core.operations import Run, Typed, by_name
from rulebook.core.procedure_faults import FaultAt, RunFault, Spot
from rulebook.core.value_types import Kind, Value, normal
from rulebook.core.weights import (
    NOTHING,
    Engine,
    Layout,
    Names,
    Pick,
    Reading,
    State,
    Stepped,
    Suffixes,
    Transform,
    Weights,
    endless,
    merged,
    picker,
    projected,
    reading,
    run_of,
    times_of,
)
from rulebook.dice.throws import total_of
from rulebook.model.grids import humanise
from rulebook.model.ruleset import Address
from rulebook.model.scalars import Prose
from rulebook.problems import Fault
from rulebook.quantities import Dice, faces_of, shown_faces


@dataclass(frozen=True, slots=True)
class ValueLabel:
    """How a value that a step sets is shown to players: its kind, and the words before it.

    The words come from the author or the rules; the name is never shown. With "" the sentence of
    the step says what the value is; with None the value is not shown. `fixed` says that the value
    is a literal.
    """

    kind: Kind
    words: str | None = None
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramStep(ABC):
    """What all steps have in common: address, sentence, condition and the steps inside them.

    Each kind is a class. Its `check` makes it of a step as an author writes it.
    """

    address: Address
    say: Prose | None = None
    when: Typed | None = None
    #: The steps inside it, and the procedure that it runs.
    steps: tuple[ProgramStep, ...] = ()
    program: Program | None = None
    #: Names whose values are shown once the step has been taken, in order.
    shows: tuple[str, ...] = field(init=False, repr=False)
    #: Names that the step reads, its condition apart, and names that it sets.
    reads: Names = field(init=False, repr=False)
    writes: Names = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Asked for whenever a program is run, so they are found once.
        object.__setattr__(self, "shows", self._shows())
        object.__setattr__(self, "reads", self._reads())
        object.__setattr__(self, "writes", self._writes())

    def _shows(self) -> tuple[str, ...]:
        return tuple(self.labels())

    def _reads(self) -> Names:
        return NOTHING

    def _writes(self) -> Names:
        return frozenset(self.shows)

    def spot(self, *at: str) -> Spot:
        """Returns the spot of the step, or that of a part of it, to which the keys `at` lead."""
        return Spot((*self.address, *at))

    def times_in(self, state: PlayState, times: Typed) -> int:
        """Evaluates a number of dice or passes in a play.

        Raises RunFault unless it is a whole number within the limits.
        """
        return times_of(state.value(times), self.spot("times"))

    def live_before(self, after: Names) -> Names:
        """Returns the names whose values are needed before the step if it is taken.

        `after` are the names whose values are needed after the step. Names in the condition of the
        step are not counted.
        """
        return (after - self.writes) | self.reads

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """Compiles the step into a transform of weighted states that have the given layout.

        `after` are the names whose values are needed after the step. Returns the layout after it as
        well. Here both leave everything as it is; kinds of steps that set names override it.
        """
        return _unmoved, layout

    def moved_on(self, layout: Layout, after: Names) -> tuple[Pick, Layout]:
        """Returns a function that extracts what the step keeps of a state, and the layout after it.

        In that layout the names that the step sets come last. Names not in `after` are dropped.
        """
        kept = tuple(name for name in layout if name in after and name not in self.writes)
        added = (name for name in self.shows if name in after)
        return picker(layout, kept), (*kept, *added)

    def appended(
        self, engine: Engine, after: Names, layout: Layout, suffixes: Callable[[State], Suffixes]
    ) -> tuple[Transform, Layout]:
        """Makes the transform of a step that appends random outcomes to each state.

        `suffixes` computes the outcomes for a state, once for all states with equal values of what
        the step reads. Names not in `after` are dropped. Returns the layout after the step as well.
        """
        pick, behind = self.moved_on(layout, after)
        key = reading(layout, self.reads)
        return engine.extension(self.spot(), pick, key, suffixes), behind

    def play(self, state: PlayState) -> list[FallenDice]:
        """Plays the step, which changes `state`; returns the dice that it threw itself.

        Dice of steps inside it are not among them. A step of words alone does nothing and returns
        none.
        """
        return []

    def labels(self) -> dict[str, ValueLabel]:
        """Returns the label of each value that the step sets, by name; empty if it sets none."""
        return {}

    def plain(self) -> dict[str, object]:
        """Returns the step as JSON data for a page, without the steps inside it.

        For a step of words alone this says only that it is one.
        """
        return {"do": "say"}


def _unmoved(weights: Weights) -> Stepped:
    return weights, 1


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """A result, with its printed title.

    `counts_passes` says that its value is the count of a repetition without a bound.
    """

    kind: Kind
    value: Typed
    title: str
    counts_passes: bool = False

    def called(self, name: str) -> str:
        """Returns the words for a result in messages: its id, or its title with the id in brackets.

        The id stands alone if the title is the one made from it.
        """
        return name if self.title == humanise(name) else f"{self.title} ({name})"


@dataclass(frozen=True, slots=True)
class InputRequirement:
    """A condition on the inputs, and the sentence that players read where it does not hold."""

    that: Typed
    say: str
    address: Address


@dataclass(frozen=True, slots=True)
class Program:
    """A checked procedure: inputs with their domains, steps, results and requirements."""

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
        """Raises RunFault R433 if the inputs do not meet the requirements of the procedure."""
        for requirement in self.requires:
            if not by_name(requirement.that)(inputs):
                raise RunFault("R433", requirement.say, Spot((*requirement.address, "that")))

    def defaults(self) -> dict[str, Value]:
        return {name: domain.default for name, domain in self.domains.items()}

    def reading(self, engine: Engine, results: tuple[str, ...]) -> Reading:
        """Returns a function that computes the weights of the given results from values of inputs.

        It is compiled once, and then kept in the engine.
        """
        found = engine.readings.get((self.id, results))
        if found is None:
            found = engine.readings[self.id, results] = self._compiled(engine, results)
        return found

    def _compiled(self, engine: Engine, results: tuple[str, ...]) -> Reading:
        values = [self.results[name].value for name in results]
        wanted = names_read(*values)
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
        """Plays the program once with these inputs, and returns its results, events and dice.

        `source` gives the face of each die. Raises RunFault, also if the inputs do not meet the
        requirements, and FaultAt if given dice do not fit.
        """
        self.admit(inputs)
        state = PlayState(dict(inputs), source, self.runs)
        play_steps(self.steps, state)
        results = {name: normal(state.value(result.value)) for name, result in self.results.items()}
        return Played(results, tuple(state.events), state.taken)


def play_steps(steps: Sequence[ProgramStep], state: PlayState) -> None:
    """Plays steps in order, except those whose conditions do not hold; changes `state`.

    An event is added for each step played, before the events of steps inside it.
    """
    for step in steps:
        if step.when is None or state.value(step.when):
            state.take(1, step.address)
            at = len(state.events)
            thrown = tuple(step.play(state))
            bound = {name: state.names[name] for name in step.shows if name in state.names}
            event = Event(step.address, step.say, thrown, bound, state.depth, state.number)
            state.events.insert(at, event)


def names_read(*values: Typed | None) -> Names:
    """Returns all names that some expressions read; None stands for no expression."""
    return NOTHING.union(*(value.names for value in values if value))


def written_in(steps: Sequence[ProgramStep]) -> Names:
    """Returns all names that some steps set."""
    return NOTHING.union(*(step.writes for step in steps))


def live_before(steps: Sequence[ProgramStep], after: Names) -> Names:
    """Returns the names whose values are needed before some steps.

    `after` are the names whose values are needed after these steps.
    """
    return lives(steps, after)[0]


def lives(steps: Sequence[ProgramStep], after: Names) -> list[Names]:
    """Returns the names whose values are needed before each of the steps, in order.

    The last item is `after`, the names whose values are needed after all the steps.
    """
    found = [after]
    for step in reversed(steps):
        found.append(_live_across(step, found[-1]))
    return found[::-1]


def _live_across(step: ProgramStep, after: Names) -> Names:
    """Returns the names whose values are needed before a step, if `after` are needed after it.

    A step that sets none of `after` need not be taken, so that they are just `after`. For a step
    with a condition, `after` and the names in the condition are among them.
    """
    if not step.writes & after:
        return after
    live = step.live_before(after)
    return live | after | step.when.names if step.when else live


def all_steps(steps: Sequence[ProgramStep]) -> Iterator[ProgramStep]:
    """Yields each step followed by the steps inside it, in order."""
    for step in steps:
        yield step
        yield from all_steps(step.steps)


def all_read(program: Program) -> set[tuple[str, str]]:
    """Returns (collection, id) of all entities that a program and those it runs can look up.

    The procedures themselves are among them.
    """
    inner = (step.program for step in all_steps(program.steps) if step.program)
    own = {("procedures", program.id), *program.looked_up}
    return own.union(*map(all_read, inner))


def compiled(
    steps: Sequence[ProgramStep], wanted: Names, engine: Engine, layout: Layout
) -> tuple[Transform, Layout]:
    """Compiles the steps on which the names `wanted` depend into one transform of weighted states.

    Steps that set nothing needed later are skipped. `layout` is that of the states before the
    steps. Returns the transform and the layout of the states that it produces.
    """
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
    """Compiles a step that may have a condition into a transform of weighted states.

    States in which the condition does not hold lose only names that are not needed after the step.
    Returns the layout after the step as well.
    """
    transform, inner = step.transform(engine, after, layout)
    if step.when is None:
        return transform, inner
    holds, spot = run_of(step.when, layout), step.spot()
    names = tuple(name for name in inner if name in after and name in layout)
    taken, passed = picker(inner, names), picker(layout, names)

    def guarded(weights: Weights) -> Stepped:
        engine.spend(spot, len(weights) + 2)
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


def relevant_inputs(
    program: Program, results: Iterable[str], known: Mapping[str, Value]
) -> frozenset[str]:
    """Returns the inputs that some step leading to the given results reads.

    Steps whose conditions do not hold for the `known` values of inputs are ignored.
    """
    wanted = names_read(*(program.results[name].value for name in results))
    written = written_in(program.steps)
    settled = {name: value for name, value in known.items() if name not in written}
    steps = tuple(_taken(program.steps, settled))
    return live_before(steps, wanted) & program.domains.keys()


def _taken(steps: tuple[ProgramStep, ...], known: Mapping[str, Value]) -> Iterator[ProgramStep]:
    """Yields the steps whose conditions may hold for the known values, and likewise those inside.

    A condition of which not all values are known may hold.
    """
    for step in steps:
        if step.when is not None and step.when.names <= known.keys():
            with suppress(RunFault):
                if not by_name(step.when)(known):
                    continue
        yield replace(step, steps=tuple(_taken(step.steps, known)))


#: Throws and passes of one play that has no bound.
MOST_PASSES = 100_000
#: Steps and dice of one play.
MOST_TAKEN = 200_000


#: Where dice come from: of the sides of the next die what it shows.
Source = Callable[[int], int]


def seeded_dice(seed: int | None = None) -> Source:
    """Makes a function that returns a random face of a die with a given number of sides.

    With the same seed its faces are the same.
    """
    chance = random.Random(seed)

    def throw(sides: int) -> int:
        faces = faces_of(sides)
        return faces[chance.randint(1, len(faces)) - 1]

    return throw


@dataclass(slots=True)
class ScriptedDice:
    """A source of dice that shows the given faces one by one."""

    dice: Sequence[int]
    used: int = 0

    def __call__(self, sides: int) -> int:
        """Returns the face of the next of the given dice, which has `sides` sides, and uses it up.

        Raises FaultAt if no die is left, or if a die with so many sides has no such face.
        """
        if self.used == len(self.dice):
            what = f"the dice run out after {self.used}"
            raise FaultAt(Fault("R501", what, f"another die, a d{sides}"), ("dice",))
        face = self.dice[self.used]
        if face not in faces_of(sides):
            what = f"die {self.used + 1} shows {face}"
            expected = f"{shown_faces(sides)}, as it is a d{sides}"
            raise FaultAt(Fault("R503", what, expected), ("dice", self.used))
        self.used += 1
        return face

    def left_over(self) -> list[FaultAt]:
        """Returns a list with a fault if dice are left over at the end of the play.

        It is empty if all are used.
        """
        left = list(map(str, self.dice[self.used :]))
        if not left:
            return []
        faces = ", ".join(left[:5]) + (" ..." if len(left) > 5 else "")
        what = f"{len(left)} of the dice left over: {faces}"
        fault = Fault("R502", what, f"{self.used} dice, as many as fall")
        return [FaultAt(fault, ("dice", self.used))]


@dataclass(frozen=True, slots=True)
class FallenDice:
    """Dice that were thrown together, and the face of each."""

    dice: Dice
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A step that was taken: its sentence, the dice thrown, and the names that it set.

    `depth` counts the repetitions and procedures around it, `number` is the pass of the innermost.
    """

    address: Address
    say: Prose | None
    thrown: tuple[FallenDice, ...]
    bound: Mapping[str, Any]
    depth: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a play and its events; `taken` is the number of steps and dice."""

    results: Mapping[str, Any]
    events: tuple[Event, ...]
    taken: int

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces of all dice of the play, in the order of its events."""
        return tuple(
            face for event in self.events for thrown in event.thrown for face in thrown.faces
        )


@dataclass(slots=True)
class PlayState:
    """The values of names, the source of dice, and the events of a play so far.

    `depth` and `number` are those of the next event. `runs` caches expressions that have been
    bound, for other plays of the program. `taken` counts steps and dice.
    """

    names: dict[str, Any]
    source: Source
    runs: dict[Typed, Run]
    events: list[Event] = field(default_factory=list)
    depth: int = 0
    number: int = 0
    taken: int = 0

    def value(self, typed: Typed) -> Any:
        run = self.runs.get(typed)
        if run is None:
            run = self.runs[typed] = by_name(typed)
        return run(self.names)

    def put(self, name: str, value: Any) -> None:
        self.names[name] = normal(value)

    def take(self, number: int, address: Address) -> None:
        """Adds `number` steps or dice to those counted in this play.

        Raises RunFault, at `address`, beyond the limit of a play.
        """
        self.taken += number
        if self.taken > MOST_TAKEN:
            expected = f"up to {MOST_TAKEN:,} steps and dice"
            raise RunFault("R424", "too many throws for a play", Spot(address), expected)

    def throw(self, dice: Dice, address: Address) -> tuple[FallenDice, int]:
        """Throws dice, and counts them; returns the faces of all of them, and their total.

        The total is that of the dice that are kept. Raises RunFault beyond the limit of a play.
        """
        self.take(dice.count, address)
        faces = [self.source(dice.sides) for _ in range(dice.count)]
        return FallenDice(Dice(dice.count, dice.sides), tuple(faces)), total_of(dice, faces)

    def passes(self, spot: Spot, bound: int | None = None) -> Iterator[int]:
        """Yields the numbers of passes, from 1 to the bound.

        Without a bound, raises RunFault after MOST_PASSES.
        """
        yield from range(1, (MOST_PASSES if bound is None else bound) + 1)
        if bound is None:
            raise endless(spot)

    def deeper(self, numbers: Iterable[int]) -> Iterator[int]:
        """Yields the numbers of passes of a repetition, one for each pass to be played.

        While the pass with a number is played, events are recorded one level deeper, with this
        number; afterwards the level and the number are as before.
        """
        depth, around = self.depth, self.number
        try:
            for number in numbers:
                self.depth, self.number = depth + 1, number
                yield number
        finally:
            self.depth, self.number = depth, around
