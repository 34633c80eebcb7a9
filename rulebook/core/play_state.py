"""One play on its way: where its dice come from, the values of names, and what has happened."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rulebook.core.operations import Run, Typed, by_name
from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.value_types import normal
from rulebook.core.weights import KeptDice, endless
from rulebook.faults import Fault
from rulebook.model.ruleset import Address
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
class SeededDice:
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
class ScriptedDice:
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

    def left_over(self) -> ScriptFault | None:
        """The fault of dice that are left when the play has ended."""
        left = list(map(str, self.dice[self.used :]))
        if not left:
            return None
        faces = ", ".join(left[:5]) + (" ..." if len(left) > 5 else "")
        what, expected = f"{len(left)} of the dice left over: {faces}", f"{self.used} dice"
        return ScriptFault("R502", what, self.used, f"{expected}, as many as fall")


@dataclass(frozen=True, slots=True)
class FallenDice:
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
    thrown: tuple[FallenDice, ...]
    bound: Mapping[str, Any]
    depth: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a play and its steps; `taken` counts steps and dice."""

    results: Mapping[str, Any]
    events: tuple[Event, ...]
    taken: int

    @property
    def dice(self) -> tuple[int, ...]:
        """All dice in the order in which they fell."""
        return tuple(
            face for event in self.events for thrown in event.thrown for face in thrown.faces
        )


@dataclass(slots=True)
class PlayState:
    """The values of names, the dice and the steps taken; `depth` and `number` are those of Event.

    `runs` keeps expressions that have been bound, so that a program can be played many times.
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
        """Counts steps and dice; raises RunFault where no players would throw on."""
        self.taken += number
        if self.taken > MOST_TAKEN:
            expected = f"up to {MOST_TAKEN:,} steps and dice"
            raise RunFault("R424", "too many throws for a play", Spot(address), expected)

    def throw(self, shown: KeptDice, address: Address) -> tuple[FallenDice, int]:
        """Dice fall: what each shows, and what they come to."""
        self.take(shown.dice.count, address)
        faces = [self.source.throw(shown.dice.sides) for _ in range(shown.dice.count)]
        return FallenDice(shown.dice, tuple(faces)), shown.total(faces)

    def passes(self, spot: Spot, bound: int | None = None) -> Iterator[int]:
        """Numbers from 1 on, up to the bound, or to the most that a play without one may take."""
        yield from range(1, (MOST_PASSES if bound is None else bound) + 1)
        if bound is None:
            raise endless(spot)

    def deeper(self, numbers: Iterable[int]) -> Iterator[int]:
        """The numbers, while what happens is one deeper, in the pass of that number."""
        depth, around = self.depth, self.number
        try:
            for number in numbers:
                self.depth, self.number = depth + 1, number
                yield number
        finally:
            self.depth, self.number = depth, around
