"""A program, its inputs and a source of dice -> one play, with all its steps.

With a seeded generator it samples, with given dice it plays a worked example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulebook.core.input_domains import parse_inputs
from rulebook.core.odds import FaultyProcedure, inputs_text, program_of
from rulebook.core.play_state import Played, ScriptedDice, SeededDice
from rulebook.core.procedure_faults import RunFault
from rulebook.core.programs import Program
from rulebook.core.value_types import Value
from rulebook.model.ruleset import Ruleset


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
    script = None if dice is None else ScriptedDice(dice)
    try:
        played = program.play(inputs, script or SeededDice(seed))
    except RunFault as fault:
        fault.inputs = inputs_text(program.domains, inputs)
        raise FaultyProcedure([fault.problem(ruleset)]) from fault
    if script and (left_over := script.left_over()):
        raise left_over
    return played
