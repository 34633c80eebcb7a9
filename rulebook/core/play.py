"""A program, its inputs and a source of dice -> one play-through, with all its steps.

The same steps as the exact reading takes, one by one: with a seeded generator it samples, with
given dice it plays a worked example.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rulebook.core import programs, value_types
from rulebook.core.input_domains import parse_inputs
from rulebook.core.odds import FaultyProcedure, program_of, told_inputs
from rulebook.core.operations import Frame, Typed, bind
from rulebook.core.procedure_faults import NotAllowed, RunFault, Spot
from rulebook.core.programs import Program
from rulebook.core.value_types import Value
from rulebook.core.weights import Shown, counted, different, endless, reached, times_of
from rulebook.faults import Fault
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.quantities import Dice

#: Throws and passes of one play that has no bound.
MOST_PASSES = 100_000
#: Steps and dice of one play.
MOST_TAKEN = 200_000


class Source(Protocol):
    """Where dice come from."""

    def throw(self, sides: int) -> int:
        """What the next die shows."""


@dataclass(slots=True)
class Seeded:
    """Dice of a generator: the same seed gives the same dice."""

    seed: int | None = None
    generator: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.generator = random.Random(self.seed)

    def throw(self, sides: int) -> int:
        return self.generator.randint(1, sides)


class ScriptFault(Fault):
    """Given dice that do not fit the play: `number` is the place of the die, from 0."""

    def __init__(self, code: str, message: str, number: int, expected: str) -> None:
        super().__init__(code, message, expected)
        self.number = number


@dataclass(slots=True)
class Script:
    """Dice that are given one by one."""

    dice: Sequence[int]
    used: int = 0

    def throw(self, sides: int) -> int:
        """Raises ScriptFault where no die is left, or the die has no such face."""
        if self.used == len(self.dice):
            what = f"the dice run out after {self.used}"
            raise ScriptFault("R501", what, self.used, f"another die, a d{sides}")
        face = self.dice[self.used]
        if not 1 <= face <= sides:
            what = f"die {self.used + 1} shows {face}"
            raise ScriptFault("R503", what, self.used, f"1 to {sides}, as it is a d{sides}")
        self.used += 1
        return face

    def left(self) -> int:
        return len(self.dice) - self.used

    def left_over(self) -> ScriptFault | None:
        """The fault of dice that are left when the play has ended."""
        if not self.left():
            return None
        left = list(map(str, self.dice[self.used :]))
        faces = ", ".join(left[:5]) + (" ..." if len(left) > 5 else "")
        what, expected = f"{len(left)} of the dice left over: {faces}", f"{self.used} dice"
        return ScriptFault("R502", what, self.used, f"{expected}, as many as fall")


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that fell together: what each shows."""

    dice: Dice
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A step that was taken: its sentence, the dice that fell, the names that it set.

    `depth` counts the repetitions and procedures around it, `number` the pass of the innermost.
    """

    address: Address
    say: Prose | None
    thrown: tuple[Thrown, ...]
    bound: Mapping[str, Any]
    depth: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a play and its steps."""

    results: Mapping[str, Any]
    events: tuple[Event, ...]

    @property
    def dice(self) -> tuple[int, ...]:
        """All dice in the order in which they fell."""
        return tuple(face for one in self.events for thrown in one.thrown for face in thrown.faces)


def play(program: programs.Program, inputs: Mapping[str, Value], source: Source) -> Played:
    """One play-through; raises RunFault, and ScriptFault where given dice do not fit."""
    return Player(program).play(inputs, source)


class Player:
    """Plays one program as often as wanted: its expressions are bound once."""

    def __init__(self, program: programs.Program) -> None:
        self.program = program
        written = {name for step in programs.all_steps(program.steps) for name in step.writes}
        layout = {name: i for i, name in enumerate(dict.fromkeys((*program.domains, *written)))}
        self.layout = layout
        self.frame = Frame({}, layout)
        self.bound: dict[int, Callable[[Sequence[Any]], Any]] = {}
        self.players: dict[str, Player] = {}
        self.names: list[Any] = []
        self.events: list[Event] = []
        self.source: Source = Seeded()
        self.taken = 0

    def play(self, inputs: Mapping[str, Value], source: Source) -> Played:
        self.program.admit(inputs)
        self.names = [inputs.get(name) for name in self.layout]
        self.events = []
        self.taken = 0
        self.source = source
        self._steps(self.program.steps, 0, 0)
        results = {
            name: value_types.normal(
                self._get(one.open_count.count or "") if one.open_count else self._value(one.value)
            )
            for name, one in self.program.results.items()
        }
        return Played(results, tuple(self.events))

    def _value(self, typed: Typed) -> Any:
        run = self.bound.get(id(typed))
        if run is None:
            run = self.bound[id(typed)] = bind(typed, self.frame).run
        return run(self.names)

    def _get(self, name: str) -> Any:
        return self.names[self.layout[name]]

    def _put(self, name: str, value: Any) -> None:
        self.names[self.layout[name]] = value_types.normal(value)

    def _steps(self, steps: tuple[programs.Step, ...], depth: int, number: int) -> None:
        for step in steps:
            if step.when is None or self._value(step.when):
                self._take(1, step)
                at = len(self.events)
                thrown, bound = self._step(step, depth, number)
                event = Event(step.address, step.say, tuple(thrown), bound, depth, number)
                self.events.insert(at, event)

    def _take(self, number: int, step: programs.Step) -> None:
        """Counts steps and dice; raises RunFault where no players would throw on."""
        self.taken += number
        if self.taken > MOST_TAKEN:
            expected = f"up to {MOST_TAKEN:,} steps and dice"
            raise RunFault("R424", "too many throws for a play", Spot(step.address), expected)

    def _step(
        self, step: programs.Step, depth: int, number: int
    ) -> tuple[list[Thrown], dict[str, Any]]:
        match step:
            case programs.Assign():
                self._put(step.name, self._value(step.value))
            case programs.Together():
                for one in step.body:
                    self._put(one.name, self._value(one.value))
                return [], {one.name: self._get(one.name) for one in step.body}
            case programs.Throw():
                return self._throw(step)
            case programs.Pool(dice=True, body=(programs.Throw() as throw,)):
                return self._pool_of_dice(step, throw)
            case programs.Pool():
                self._pool(step, depth)
            case programs.Test():
                return self._test(step)
            case programs.Repeat():
                self._repeat(step, depth)
            case programs.Run():
                self._run(step, depth)
            case programs.Block():
                self._steps(step.body, depth, number)
                return [], {}
            case programs.Chosen():
                return [], {name: self._get(name) for name in step.names}
        found = {name: self._get(name) for name in sorted(step.writes)}
        return [], {name: value for name, value in found.items() if value is not None}

    def _shown(self, source: programs.DiceOf) -> Shown:
        return Shown(self._value(source.dice), source.keep, source.highest)

    def _dice(self, shown: Shown, step: programs.Step) -> tuple[Thrown, int]:
        self._take(shown.dice.count, step)
        faces = [self.source.throw(shown.dice.sides) for _ in range(shown.dice.count)]
        return Thrown(shown.dice, tuple(faces)), shown.total(faces)

    def _thrown(self, step: programs.Throw, dice: list[Shown]) -> list[Thrown]:
        fallen = []
        for name, shown in zip(step.names, dice, strict=True):
            thrown, total = self._dice(shown, step)
            self._put(name, total)
            fallen.append(thrown)
        return fallen

    def _throw(self, step: programs.Throw) -> tuple[list[Thrown], dict[str, Any]]:
        # What is thrown is settled before the first die falls: a name thrown anew may decide it.
        dice = [self._shown(source) for source in step.dice]
        fallen = self._thrown(step, dice)
        if step.reroll is not None and self._value(step.reroll):
            fallen += self._thrown(step, dice)
        for _ in self._passes(step, "again"):
            if step.again is None or not self._value(step.again):
                break
            fallen += self._thrown(step, dice)
        return fallen, {name: self._get(name) for name in step.names}

    def _passes(self, step: programs.Step, what: str) -> Iterator[int]:
        """Numbers from 0 on, up to the most that a play without a bound may take."""
        yield from range(MOST_PASSES)
        raise endless(Spot((*step.address, what)))

    def _pool_of_dice(
        self, step: programs.Pool, throw: programs.Throw
    ) -> tuple[list[Thrown], dict[str, Any]]:
        number = times_of(self._value(step.times), Spot((*step.address, "times")))
        fallen: list[Thrown] = []
        totals: list[tuple[Any, ...]] = []
        dice = [self._shown(source) for source in throw.dice]
        if step.aggregate == "distinct" and dice[0].dice.count > 1:
            different(dice[0], {number: 1}, Spot(step.address))
        around = {name: self._get(name) for name in throw.names}
        for _ in range(number):
            fallen += self._thrown(throw, dice)
            each = tuple(counted(self._value(one)) for one in step.each)
            totals.append(each or (self._get(throw.names[0]),))
        for name, value in around.items():
            self._put(name, value)
        for index, name in enumerate(step.outs):
            self._put(name, _aggregate(step.aggregate, [total[index] for total in totals]))
        return fallen, {name: self._get(name) for name in step.outs}

    def _test(self, step: programs.Test) -> tuple[list[Thrown], dict[str, Any]]:
        fallen: list[Thrown] = []
        if step.times is None:
            self._put(step.name, self._tested(step, fallen))
        else:
            number = times_of(self._value(step.times), Spot((*step.address, "times")))
            self._put(step.name, sum(self._tested(step, fallen) for _ in range(number)))
        return fallen, {step.name: self._get(step.name)}

    def _tested(self, step: programs.Test, fallen: list[Thrown]) -> bool:
        passed = self._once(step, fallen)
        if not passed and step.reroll is not None and self._value(step.reroll):
            return self._once(step, fallen)
        return passed

    def _once(self, step: programs.Test, fallen: list[Thrown]) -> bool:
        """One test: of a chain of scores, each is thrown for until one is not reached."""
        target = self._value(step.target)
        try:
            plus = self._value(step.plus) if step.plus else 0
        except NotAllowed:
            return False  # and nothing is thrown
        shown = self._shown(step.dice)
        for score in target.scores:
            thrown, total = self._dice(shown, step)
            fallen.append(thrown)
            if not reached(shown, total, score, plus, self.program.natural):
                return False
        return bool(target.scores)

    def _repeat(self, step: programs.Repeat, depth: int) -> None:
        bound = None
        if step.times is not None:
            bound = times_of(self._value(step.times), Spot((*step.address, "times")))
        if step.count:
            self._put(step.count, 0)
        for done in self._passes(step, "until"):
            if done == bound:
                break
            if step.count:
                self._put(step.count, done + 1)
            self._steps(step.body, depth + 1, done + 1)
            if step.until is not None and self._value(step.until):
                break

    def _pool(self, step: programs.Pool, depth: int) -> None:
        number = times_of(self._value(step.times), Spot((*step.address, "times")))
        before = list(self.names)
        totals = [0] * len(step.outs)
        for done in range(number):
            self.names = list(before)
            self._steps(step.body, depth + 1, done + 1)
            for index, one in enumerate(step.each):
                totals[index] += counted(self._value(one))
        self.names = before
        for name, total in zip(step.outs, totals, strict=True):
            self._put(name, total)

    def _run(self, step: programs.Run, depth: int) -> None:
        given = {name: self._value(one) for name, one in step.given.items()}
        step.expect_held(given)
        inputs = step.program.defaults() | given
        player = self.players.get(step.program.id)
        if player is None:
            player = self.players[step.program.id] = Player(step.program)
        played = player.play(inputs, self.source)
        self._take(player.taken, step)
        self.events += [
            Event(one.address, one.say, one.thrown, one.bound, one.depth + depth + 1, one.number)
            for one in played.events
        ]
        for name, result in step.take.items():
            self._put(name, played.results[result])


def _aggregate(what: str, values: list[Any]) -> Any:
    """The sum, the best or the number of different ones; of nothing it is 0."""
    if what == "sum":
        return sum(values)
    if what == "distinct":
        return len(set(values))
    return (max if what == "highest" else min)(values, default=0)


def roll(
    ruleset: Ruleset,
    name: str,
    given: Mapping[str, str] | None = None,
    *,
    seed: int | None = None,
    dice: Sequence[int] | None = None,
) -> Played:
    """Play a procedure once, with given dice or those of a seed; without either, by chance.

    Raises FaultyProcedure, InputFault, and ScriptFault where given dice do not fit.
    """
    program = program_of(ruleset, name)
    inputs = parse_inputs(program.domains, given or {})
    return rolled(ruleset, program, inputs, seed=seed, dice=dice)


def rolled(
    ruleset: Ruleset,
    program: Program,
    inputs: Mapping[str, Value],
    *,
    seed: int | None = None,
    dice: Sequence[int] | None = None,
) -> Played:
    """The same of a checked program. Raises FaultyProcedure and ScriptFault."""
    script = None if dice is None else Script(dice)
    try:
        played = play(program, inputs, script or Seeded(seed))
    except RunFault as fault:
        fault.inputs = told_inputs(program.domains, inputs)
        raise FaultyProcedure([fault.problem(ruleset)]) from fault
    if script and (left_over := script.left_over()):
        raise left_over
    return played
