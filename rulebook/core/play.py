"""A program, its inputs and dice -> one play, and for a worked example what is not as it says.

With a seeded generator a play samples, with given dice it plays a worked example.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulebook.core.input_domains import InputFault, parse_inputs
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
    """Plays a procedure once, with given dice or those of a seed; without either, by chance.

    Raises FaultyProcedure, InputFault, and FaultAt where given dice do not fit.
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
    """Plays a checked program once. Raises FaultyProcedure, and FaultAt where dice do not fit."""
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
    """The play of a step of an example."""

    program: Program
    inputs: Mapping[str, Value]
    played: Played

    def unusual(self, results: Iterable[str]) -> list[str]:
        """Lists the inputs that differ from their defaults and matter for some results."""
        defaults = self.program.defaults()
        part = relevant_inputs(self.program, results, self.inputs)
        return [n for n, value in self.inputs.items() if value != defaults[n] and n in part]

    def title(self, result: str) -> str:
        """Gives the printed title of a result."""
        return self.program.results[result].title

    def text(self, result: str) -> str:
        """Writes a result as a player reads it."""
        return outcome_text(self.played.results[result], self.program.results[result].kind)


def play_step(program: Program, step: ExampleStep) -> tuple[PlayedExample | None, list[FaultAt]]:
    """Plays the step of an example; gives None for the play where it does not come to its end.

    The names of inputs and results are known to be those of the program.
    """
    inputs = program.defaults()
    slips: list[FaultAt] = []
    for name, text in step.given.items():
        try:
            inputs[name] = program.domains[name].read(text, "R505")
        except InputFault as fault:
            slips.append(FaultAt(fault, ("given", name)))
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
    """Finds results that differ from what the example gives, or cannot be read."""
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
    """Tells whether values are equal and both flags or neither: to Python True is 1."""
    return isinstance(wanted, bool) == isinstance(came, bool) and bool(wanted == came)
