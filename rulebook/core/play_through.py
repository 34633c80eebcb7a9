"""A procedure, inputs as text and dice or a seed -> one play-through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulebook.core.faults import RunFault
from rulebook.core.inputs import parse_inputs
from rulebook.core.odds import FaultyProcedure, program_of, told_inputs
from rulebook.core.play import Played, Script, ScriptFault, Seeded, play
from rulebook.core.programs import Program
from rulebook.core.value_types import Value
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import join_words


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
    if script and script.left():
        raise _left_over(script)
    return played


def _left_over(script: Script) -> ScriptFault:
    left = [str(face) for face in script.dice[script.used :]]
    told = join_words(left[:5], "and") + (" ..." if len(left) > 5 else "")
    return ScriptFault(
        "R502 one falls" if script.used == 1 else "R502 so many fall",
        script.used,
        left=f"{len(left)} {'die is' if len(left) == 1 else 'dice are'}",
        faces=told,
        used=script.used,
    )
