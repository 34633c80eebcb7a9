"""Programs: procedures whose every name and type has been checked, ready to be run in any way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulebook.core.input_domains import Domain
from rulebook.core.operations import Frame, Typed, bind
from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.value_types import Kind, Value, value_text
from rulebook.model.axes import humanise
from rulebook.model.ruleset import Address
from rulebook.model.scalars import Prose

Names = frozenset[str]
NOTHING: Names = frozenset()


@dataclass(frozen=True, slots=True)
class DiceOf:
    """Dice that are added up, or the highest or lowest `keep` of them if it is not 0."""

    dice: Typed
    keep: int = 0
    highest: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What all steps have: where they stand, what they tell, on what condition they are taken."""

    address: Address
    say: Prose | None = None
    when: Typed | None = None
    #: Names that the step reads, its condition apart, and names that it sets.
    reads: Names = field(init=False, repr=False)
    writes: Names = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Asked for whenever a program is reckoned, so they are found once.
        object.__setattr__(self, "reads", self._reads())
        object.__setattr__(self, "writes", self._writes())

    def _reads(self) -> Names:
        return NOTHING

    def _writes(self) -> Names:
        return NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(Step):
    """A step that does nothing but stand among the sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(Step):
    """A decision of the players: inputs that are asked for here."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Step):
    """Sets one name."""

    name: str
    value: Typed

    def _reads(self) -> Names:
        return self.value.names

    def _writes(self) -> Names:
        return frozenset((self.name,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(Step):
    """Sets several names one after another, as one step: all of them or none."""

    body: tuple[Assign, ...]

    def _writes(self) -> Names:
        return written_in(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Step):
    """Takes several steps, all of them under its one condition."""

    body: tuple[Step, ...]

    def _writes(self) -> Names:
        return written_in(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(Step):
    """Throws dice once and binds their totals; `again` and `reroll` throw all of them anew."""

    names: tuple[str, ...]
    dice: tuple[DiceOf, ...]
    again: Typed | None = None
    reroll: Typed | None = None

    def _reads(self) -> Names:
        inner = NOTHING.union(*(one.names for one in (self.again, self.reroll) if one))
        return (inner - set(self.names)).union(*(one.dice.names for one in self.dice))

    def _writes(self) -> Names:
        return frozenset(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool(Step):
    """Takes its body `times` times, each time afresh, and binds what is made of all the passes.

    `sum` adds up expressions of each pass, `highest` and `lowest` take one of them, `distinct`
    counts the different totals. A pool of dice has one throw for its body: `dice` says that all
    of them fall as one step.
    """

    body: tuple[Step, ...]
    times: Typed
    outs: tuple[str, ...]
    each: tuple[Typed, ...]
    aggregate: str = "sum"
    dice: bool = False

    def _reads(self) -> Names:
        wanted = NOTHING.union(*(one.names for one in self.each))
        if self.aggregate == "distinct":
            wanted = written_in(self.body)
        return live_before(self.body, wanted) | self.times.names

    def _writes(self) -> Names:
        return frozenset(self.outs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test(Step):
    """Throws against a target: binds whether it is reached, or with `times` how often."""

    name: str
    dice: DiceOf
    target: Typed
    plus: Typed | None = None
    times: Typed | None = None
    reroll: Typed | None = None

    def _reads(self) -> Names:
        parts = (self.dice.dice, self.target, self.plus, self.times, self.reroll)
        return NOTHING.union(*(one.names for one in parts if one))

    def _writes(self) -> Names:
        return frozenset((self.name,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Step):
    """Takes its body again and again, up to `times` times, until `until` holds after a pass.

    Without `times` the passes have no bound; `listed` says how many of them are told one by one.
    `skippable` says that there may be no pass at all.
    """

    body: tuple[Step, ...]
    times: Typed | None
    until: Typed | None
    count: str | None
    listed: int
    skippable: bool

    def _writes(self) -> Names:
        own = {self.count} if self.count else set()
        return written_in(self.body) | own


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Step):
    """Runs another procedure and binds some of its results."""

    program: Program
    given: Mapping[str, Typed]
    take: Mapping[str, str]

    def _reads(self) -> Names:
        return NOTHING.union(*(one.names for one in self.given.values()))

    def _writes(self) -> Names:
        return frozenset(self.take)

    def expect_held(self, given: Mapping[str, Any]) -> None:
        """Raises RunFault where a value is out of the range of its input."""
        for name, value in given.items():
            domain = self.program.domains[name]
            if not domain.holds(value):
                what = f"{value_text(value)} is no value of the input '{name}'"
                raise RunFault("R425", what, Spot((*self.address, "given", name)), domain.choices())


@dataclass(frozen=True, slots=True)
class Result:
    """A result: an expression, or the count of passes of a repetition without a bound.

    `title` is what it is called in print.
    """

    kind: Kind
    value: Typed
    title: str
    open_count: Repeat | None = None

    def called(self, name: str) -> str:
        """The name by which an author asks for it, behind its title if that says more."""
        return name if self.title == humanise(name) else f"{self.title} ({name})"


@dataclass(frozen=True, slots=True)
class Requirement:
    """What must hold of the inputs, and what the players are told if it does not."""

    that: Typed
    say: str
    address: Address


@dataclass(frozen=True, slots=True)
class Program:
    """A checked procedure. `natural` decides scores that count whatever is added to them."""

    id: str
    title: str
    domains: Mapping[str, Domain]
    steps: tuple[Step, ...]
    results: Mapping[str, Result]
    natural: Mapping[int, bool] = field(default_factory=dict)
    requires: tuple[Requirement, ...] = ()

    @property
    def address(self) -> Address:
        return ("procedures", self.id)

    def admit(self, inputs: Mapping[str, Value]) -> None:
        """Raises RunFault R433 where the inputs are not what the procedure requires."""
        for one in self.requires:
            bound = bind(one.that, Frame(inputs, {}))
            if not bound.run(()):
                raise RunFault("R433", one.say, Spot((*one.address, "that")))

    def defaults(self) -> dict[str, Value]:
        return {name: domain.default for name, domain in self.domains.items()}


def written_in(steps: tuple[Step, ...]) -> Names:
    """All names that some steps set."""
    return NOTHING.union(*(step.writes for step in steps))


def live_before(steps: tuple[Step, ...], after: Names) -> Names:
    """Names whose values matter before some steps, if those in `after` matter behind them."""
    return lives(steps, after)[0]


def lives(steps: tuple[Step, ...], after: Names) -> list[Names]:
    """The names that matter before each step, and last those in `after`."""
    live = after
    found = [live]
    for step in reversed(steps):
        live = live_across(step, live)
        found.append(live)
    return found[::-1]


def live_across(step: Step, after: Names) -> Names:
    """Names that matter before a step; one that is not needed behind it is not taken."""
    if not step.writes & after:
        return after
    if isinstance(step, Repeat):
        live = loop_lives(step, after)[0] - {step.count}
        live |= step.times.names if step.times else NOTHING
    elif isinstance(step, Together | Block):
        live = live_before(step.body, after)
    else:
        live = (after - step.writes) | step.reads
    return live | after | step.when.names if step.when else live


def loop_lives(step: Repeat, after: Names) -> tuple[Names, Names]:
    """The names that matter at the head of each pass of a repetition, and at its end."""
    until = step.until.names if step.until else NOTHING
    head = after if step.skippable else NOTHING
    while True:
        end = after | until | head
        before = live_before(step.body, end) | head
        if before == head:
            return head, end
        head = before


def all_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Steps and those inside them, in order."""
    for step in steps:
        yield step
        if isinstance(step, Repeat | Pool | Together | Block):
            yield from all_steps(step.body)
