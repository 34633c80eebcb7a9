"""Procedures of a ruleset -> faults: names and kinds, then each is run at its inputs' ends.

What no type shows comes out when a procedure runs: a look-up that finds nothing, a repetition
without an end. So each is run at its defaults and at the least and most of every input.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from rulebook.checking.changed_by_options import Sound
from rulebook.core.input_domains import Domain
from rulebook.core.odds import FaultyProcedure, compute_odds
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program
from rulebook.core.steps import all_read
from rulebook.core.value_types import FlagKind, NumberKind, Value, WordKind
from rulebook.core.weights import Engine
from rulebook.limits import MOST_WORK
from rulebook.model.grids import Grid
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem

#: Sets of inputs at which a procedure is tried.
MOST_TRIED = 40
#: Values of an input that are all tried; of more only the least and the most.
MOST_ENDS = 12
#: Moves from state to state of all tries of a ruleset: some seconds of them.
MOST_MOVES_IN_ALL = 6 * MOST_WORK


def check_procedures(ruleset: Ruleset, sound: Sound) -> list[Problem]:
    """Every fault of every procedure; of those that arise in running it, the first of each.

    None is run that is known to be `sound`. Where all of them together take too long, the first
    that is not tried is reported.
    """
    programs = Programs(ruleset)
    made = [programs.get(name) for name in ruleset.procedures]
    problems = list(programs.problems)
    if problems:
        return problems
    left = MOST_MOVES_IN_ALL
    for program in made:
        if program is not None:
            if left <= 0:
                return [*problems, _untried(ruleset, program)]
            key = sound.key(ruleset, program, "tried")
            spent = sound.moves(key)
            if spent is None:
                faults, spent = _tried(ruleset, program, _gaps(ruleset, program))
                problems += faults
                if not faults:
                    sound.add(key, spent)
            left -= spent
    return problems


def _tried(ruleset: Ruleset, program: Program, gaps: Collection[int]) -> tuple[list[Problem], int]:
    """Faults at the defaults, and at other inputs as far as these together take no longer.

    Beside them how many moves they took.
    """
    found: dict[object, Problem] = {}
    engine, others, spent = Engine(), MOST_WORK, 0
    trials = _trials(program, gaps)
    for number, inputs in zip(range(MOST_TRIED), trials, strict=False):
        engine.begin(others if number else MOST_WORK)
        whole = engine.moves == MOST_WORK
        try:
            compute_odds(ruleset, program, inputs, engine=engine)
        except FaultyProcedure as fault:
            for problem in fault.problems:
                if problem.code == "R433" and inputs != program.defaults():
                    continue  # refused as it should be
                if problem.code != "R424" or whole:
                    found.setdefault((problem.code, problem.span), problem)
        spent += engine.spent
        others -= engine.spent if number else 0
        if others <= 0:
            break
    return list(found.values()), spent


def _untried(ruleset: Ruleset, program: Program) -> Problem:
    message = "the procedures before this one take so long that it was not tried"
    expected = f"up to {MOST_MOVES_IN_ALL:,} moves from case to case in all procedures"
    hint = "narrow the inputs of those that take the most"
    return Problem("R424", message, ruleset.place(*program.address), expected, hint)


def _trials(program: Program, gaps: Collection[int]) -> Iterator[dict[str, Value]]:
    """The defaults, then each input at its ends or choices, the others at their defaults.

    Counts are tried in the `gaps` between the numbers of axes as well. Then all the choices
    together, since an empty cell may stand anywhere in a grid.
    """
    defaults = program.defaults()
    yield defaults
    for name, domain in program.domains.items():
        for value in (*_ends(domain, defaults), *_beside(domain, gaps)):
            yield {**defaults, name: value}
    choices = {
        name: domain.values for name, domain in program.domains.items() if _is_choice(domain)
    }
    for values in product(*choices.values()):
        together = dict(zip(choices, values, strict=True))
        if sum(value != defaults[name] for name, value in together.items()) > 1:
            yield {**defaults, **together}


def _gaps(ruleset: Ruleset, program: Program) -> frozenset[int]:
    """The first number in each gap between the numbers of an axis that is read, and beyond it."""
    read = all_read(program)
    axes = (
        {choice.number for choice in axis.choices if choice.number is not None}
        for name, table in ruleset.tables.items()
        if ("tables", name) in read and isinstance(table, Grid)
        for axis in table.axes
        if axis.kind == "numbers"
    )
    return frozenset(
        near for axis in axes for n in axis for near in (n - 1, n + 1) if near not in axis
    )


def _beside(domain: Domain, gaps: Collection[int]) -> Iterator[Value]:
    """Counts of a long range that are in such gaps."""
    if isinstance(domain.kind, NumberKind) and len(domain.values) > MOST_ENDS:
        yield from (value for value in domain.values[1:-1] if value in gaps)


def _is_choice(domain: Domain) -> bool:
    return isinstance(domain.kind, WordKind | FlagKind)


def _ends(domain: Domain, defaults: Mapping[str, Value]) -> Iterator[Value]:
    if domain.several:
        yield from ((), domain.every)
        return
    values = domain.values
    if len(values) > MOST_ENDS:
        values = (values[0], values[-1])
    yield from (value for value in values if value != defaults[domain.name])
