"""A program, its inputs and dice -> one play, and for a worked example what is not as it says.

With a seeded generator a play samples, with given dice it plays a worked example.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulebook.core.input_domains import parse_inputs, read_inputs
from rulebook.core.odds import FaultyProcedure, inputs_text, program_of
from rulebook.core.procedure_faults import FaultAt, RunFault
from rulebook.core.programs import (
    Played,
    Program,
    ScriptedDice,
    relevant_inputs,
    seeded_dice,
)
from rulebook.core.value_types import (
    Value,
    outcome_text,
    outcomes_of,
    parse_outcome,
    written_outcome,
)
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.sequence_and_examples import ExampleStep
from rulebook.problems import Fault


def roll(
    ruleset: Ruleset,
    name: str,
    given: Mapping[str, str] | None = None,
    *,
    seed: int | None = None,
    dice: Sequence[int] | None = None,
) -> Played:
    """Plays a procedure once, with the given dice, or else with random dice.

    `given` has the inputs as text, and `seed` makes random dice repeatable. Raises FaultyProcedure,
    InputFault for inputs that cannot be read, and FaultAt where the given dice do not fit.
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
    """Plays a checked program once, with the given dice, or else with random dice.

    `seed` makes random dice repeatable. Raises FaultyProcedure, and FaultAt where the given dice do
    not fit or are not all used.
    """
    script = None if dice is None else ScriptedDice(dice)
    try:
        played = program.play(inputs, script or seeded_dice(seed))
    except RunFault as fault:
        fault.inputs = inputs_text(program.domains, inputs)
        raise FaultyProcedure([fault.problem(ruleset)]) from fault
    if script and (left_over := script.left_over()):
        raise left_over[0]
    return played


@dataclass(frozen=True, slots=True)
class PlayedExample:
    """A step of an example that has been played: its program, inputs and play."""

    program: Program
    inputs: Mapping[str, Value]
    played: Played

    def unusual(self, results: Iterable[str]) -> list[str]:
        """Lists the inputs that differ from their defaults and can affect the given results."""
        defaults = self.program.defaults()
        part = relevant_inputs(self.program, results, self.inputs)
        return [n for n, value in self.inputs.items() if value != defaults[n] and n in part]

    def title(self, result: str) -> str:
        """Returns the printed title of a result."""
        return self.program.results[result].title

    def text(self, result: str) -> str:
        """Returns the value of a result in the form in which players read it."""
        return outcome_text(self.played.results[result], self.program.results[result].kind)


def play_step(program: Program, step: ExampleStep) -> tuple[PlayedExample | None, list[FaultAt]]:
    """Plays the step of an example with its dice; returns the play and all faults of the example.

    The play is None if it did not reach its end. The names of inputs and results in the step must
    be names of the program.
    """
    inputs, slips = read_inputs(program.domains, step.given, "R505")
    if slips:
        return None, slips
    script = ScriptedDice(step.dice)
    try:
        played = program.play(inputs, script)
    except FaultAt as fault:
        return None, [fault]
    except RunFault as fault:
        stopped = Fault("R506", fault.message, fault.expected, fault.hint)
        return None, [FaultAt(stopped, ("run",), fault.where)]
    run = PlayedExample(program, inputs, played)
    return run, [*script.left_over(), *_differing(run, step)]


def _differing(run: PlayedExample, step: ExampleStep) -> Iterator[FaultAt]:
    """Yields a fault for each result that differs from the example's, or cannot be read there."""
    for name, text in step.gives.items():
        kind = run.program.results[name].kind
        wanted, came = parse_outcome(kind, text), run.played.results[name]
        at: Address = ("gives", name)
        if wanted is None:
            what = f"'{text:.40}' is no value of '{name}'"
            yield FaultAt(Fault("R505", what, outcomes_of(kind)), at)
        elif not _same(wanted, came):
            what = f"'{name}' is {run.text(name)} with these dice, not {outcome_text(wanted, kind)}"
            hint = f"write {written_outcome(came)}, or look at the dice"
            yield FaultAt(Fault("R504", what, run.text(name), hint), at)


def _same(wanted: Any, came: Any) -> bool:
    """Tells whether two values are equal and are both flags or both not, as True == 1 in Python."""
    return isinstance(wanted, bool) == isinstance(came, bool) and bool(wanted == came)
