"""Procedures at many sets of inputs -> the odds of single results, each reckoned once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulebook.core import value_types
from rulebook.core.domains import Domain
from rulebook.core.faults import Findings
from rulebook.core.inputs import InputFault, swept
from rulebook.core.odds import FaultyProcedure, ResultOdds, reckon
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program
from rulebook.core.weights import MOST_MOVES, Budget
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem, Span

#: Sets of inputs of one table or chart, and of all of a ruleset together.
MOST_ODDS = 1_000
MOST_IN_ALL = 10_000
#: Moves from state to state for all of them: some seconds of them.
MOST_MOVES_IN_ALL = 6 * MOST_MOVES


@dataclass(frozen=True, slots=True)
class Spent:
    """Sets of inputs that have been reckoned, and the moves from state to state that they took."""

    odds: int = 0
    moves: int = 0


@dataclass(slots=True)
class Reckoner:
    """Reckons for the tables and charts of one ruleset."""

    ruleset: Ruleset
    programs: Programs = field(init=False)
    findings: Findings = field(init=False)
    #: What counts as reckoned before it began.
    before: Spent = Spent()
    _known: dict[tuple[Any, ...], ResultOdds | None] = field(default_factory=dict)
    _moves: int = 0
    #: Procedures that have too many cases, which is told once.
    _too_large: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.programs = Programs(self.ruleset)
        self.findings = Findings(self.ruleset)

    def program(self, name: str) -> Program | None:
        """The program of a procedure that exists; None where it has faults, which others tell."""
        return self.programs.get(name)

    @property
    def so_far(self) -> Spent:
        """All that has been reckoned, and what counted as reckoned before it."""
        return Spent(self.before.odds + len(self._known), self.before.moves + self._moves)

    @property
    def spent(self) -> bool:
        """Whether more has been reckoned than any rulebook prints."""
        return self.so_far.odds >= MOST_IN_ALL

    def odds(
        self, program: Program, result: str, inputs: Mapping[str, value_types.Value]
    ) -> ResultOdds | None:
        """The odds of a result; None where the inputs are not what the procedure requires.

        Raises FaultyProcedure; without problems where these have been told of another place.
        """
        key = (program.id, result, *(inputs[name] for name in program.domains))
        if key not in self._known:
            self._known[key] = self._reckoned(program, result, inputs)
        return self._known[key]

    def _reckoned(
        self, program: Program, result: str, inputs: Mapping[str, value_types.Value]
    ) -> ResultOdds | None:
        if program.id in self._too_large:
            raise FaultyProcedure(())
        if self.so_far.moves >= MOST_MOVES_IN_ALL:
            self._too_large.update(self.ruleset.procedures)
            raise FaultyProcedure([self._too_long(program)])
        budget = Budget()
        try:
            return reckon(self.ruleset, program, inputs, [result], budget).results[result]
        except FaultyProcedure as fault:
            if all(problem.code == "R433" for problem in fault.problems):
                return None
            if any(problem.code == "R424" for problem in fault.problems):
                self._too_large.add(program.id)
            raise
        finally:
            self._moves += budget.spent

    def _too_long(self, program: Program) -> Problem:
        return Problem.of(
            "R436 all take too long", self.ruleset.place(*program.address), most=MOST_MOVES_IN_ALL
        )


def values_along(domain: Domain, text: str) -> list[value_types.Value]:
    """The values that `all`, a sweep or a single value stands for; raises InputFault."""
    values = swept(domain, text)
    if values is not None:
        return values
    value = domain.parse(text)
    if value is None:
        name, choices = domain.name, domain.choices()
        if domain.several and text == "all":
            raise InputFault.of("R434 all", name, word=text, name=name, choices=choices)
        raise InputFault.of("R434 no value", name, word=text, name=name, choices=choices, hint="")
    return [value]


def while_reckoning(fault: FaultyProcedure, span: Span | None, what: str) -> list[Problem]:
    """What is wrong with a procedure, and for what it was run."""
    also = (span, f"it is run for this {what}") if span else None
    return [replace(problem, also=problem.also or also) for problem in fault.problems]
