"""A step of a worked example -> the procedure played with its dice, and what is not as it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulebook.core.odds import told_outcome
from rulebook.core.outcomes import parse_outcome, written_outcome
from rulebook.core.play import Played, Script, ScriptFault, play
from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.programs import Program
from rulebook.core.relevant_inputs import mattering
from rulebook.core.value_types import FlagKind, Kind, NumberKind, Value
from rulebook.faults import words_of
from rulebook.model.examples_and_terms import ExampleStep
from rulebook.model.ruleset import Address


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that an example has wrong; `at` leads from its step to the place.

    `where` is the place in the procedure that it runs, if one says why.
    """

    code: str
    message: str
    at: Address
    expected: str = ""
    hint: str = ""
    where: Spot | None = None

    @classmethod
    def of(cls, key: str, at: Address, /, **values: object) -> Slip:
        """A slip in the words of `faults.txt`."""
        words = words_of(key, values)
        return cls(words.code, words.message, at, words.expected, words.hint)


@dataclass(frozen=True, slots=True)
class Run:
    """A procedure as an example plays it."""

    program: Program
    inputs: Mapping[str, Value]
    played: Played

    def unusual(self, results: Iterable[str]) -> list[str]:
        """The inputs that are not at their defaults and play a part in some results."""
        defaults = self.program.defaults()
        part = mattering(self.program, results, self.inputs)
        return [n for n, value in self.inputs.items() if value != defaults[n] and n in part]

    def title(self, result: str) -> str:
        """What a result is called in print."""
        return self.program.results[result].title

    def told(self, result: str) -> str:
        """A result as a player reads it."""
        return told_outcome(self.played.results[result], self.program.results[result].kind)


def play_step(program: Program, step: ExampleStep) -> tuple[Run | None, list[Slip]]:
    """The play of a step that runs this program; None where it comes to no end.

    The names of inputs and results are known to be the program's.
    """
    inputs = program.defaults()
    slips: list[Slip] = []
    for name, text in step.given.items():
        domain = program.domains[name]
        value = domain.parse(text)
        if value is None:
            slips.append(
                Slip.of(
                    "R505 no value of an input",
                    ("given", name),
                    text=text,
                    name=name,
                    choices=domain.choices(),
                    hint=domain.hint(text),
                )
            )
        else:
            inputs[name] = value
    if slips:
        return None, slips
    script = Script(step.dice)
    try:
        played = play(program, inputs, script)
    except ScriptFault as fault:
        return None, [_of_dice(fault, len(step.dice))]
    except RunFault as fault:
        slip = Slip("R506", fault.message, ("run",), fault.expected, fault.hint, fault.where)
        return None, [slip]
    run = Run(program, inputs, played)
    return run, [*_left_over(script), *_differing(run, step)]


def _of_dice(fault: ScriptFault, count: int) -> Slip:
    at: Address = ("dice",) if fault.number >= count else ("dice", fault.number)
    return Slip(fault.code, fault.message, at, fault.expected, fault.hint)


def _left_over(script: Script) -> Iterator[Slip]:
    left = script.left()
    if left:
        dice = "die is" if left == 1 else "dice are"
        thrown = f"{script.used} {'die' if script.used == 1 else 'dice'}" if script.used else "none"
        dice_left = f"{left} {dice}"
        yield Slip.of("R502 dice left", ("dice", script.used), left=dice_left, thrown=thrown)


def _differing(run: Run, step: ExampleStep) -> Iterator[Slip]:
    """Results that are others than the example gives, or that cannot be read."""
    for name, text in step.gives.items():
        kind = run.program.results[name].kind
        wanted, came = parse_outcome(kind, text), run.played.results[name]
        at: Address = ("gives", name)
        if wanted is None:
            yield Slip.of(
                "R505 no value of a result", at, text=text, name=name, choices=_choices(kind)
            )
        elif not _same(wanted, came):
            yield Slip.of(
                "R504 another result",
                at,
                name=name,
                came=run.told(name),
                wanted=told_outcome(wanted, kind),
                written=written_outcome(came),
            )


def _same(one: Any, other: Any) -> bool:
    """Equal, and of one kind: to Python true is 1."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _choices(kind: Kind) -> str:
    if isinstance(kind, NumberKind):
        return "a number, such as 7, -1 or 5 1/2"
    return "true or false" if isinstance(kind, FlagKind) else str(kind)
