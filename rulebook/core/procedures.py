"""Procedures of a ruleset -> programs, each checked when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulebook.core.procedure_checks import ProcedureCheck, StepKinds
from rulebook.core.procedure_faults import Findings, Spot
from rulebook.core.programs import Program
from rulebook.core.steps import Decision, InnerRun, Repetition, Say, Set, Together
from rulebook.core.throws import Test, Throw
from rulebook.model.lookup import no_procedure
from rulebook.model.procedures import (
    ChooseStep,
    DoStep,
    RepeatStep,
    RollStep,
    RunStep,
    SayStep,
    SetStep,
    TestStep,
)
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem

#: How each kind of step, as an author writes it, is checked into a step of a program. The class of
#: that step says all else of its kind: its exact odds, its play, its words, its form for a browser.
STEP_KINDS: StepKinds = {
    SayStep: Say.check,
    SetStep: Set.check,
    RollStep: Throw.check,
    TestStep: Test.check,
    ChooseStep: Decision.check,
    RepeatStep: Repetition.check,
    DoStep: Together.check,
    RunStep: InnerRun.check,
}
#: Procedures that run each other, one inside the other.
DEEPEST_RUN = 5


@dataclass(slots=True)
class Programs:
    """The programs of one ruleset, each checked when it is first asked for."""

    ruleset: Ruleset
    problems: list[Problem] = field(default_factory=list)
    _made: dict[str, Program | None] = field(default_factory=dict)
    _making: list[str] = field(default_factory=list)
    #: How many procedures run one inside the other, this one with them.
    _depths: dict[str, int] = field(default_factory=dict)

    def get(self, name: str) -> Program | None:
        """Returns the program of a procedure, which must exist; None after problems.

        The procedure is checked once, and its problems are added to `problems`.
        """
        if name not in self._made:
            self._making.append(name)
            self._depths[name] = 1
            findings = Findings(self.ruleset)
            check = ProcedureCheck(findings, name, STEP_KINDS, self.run_by)
            self._made[name] = check.program()
            self.problems += findings.problems
            self._making.pop()
        return self._made[name]

    def run_by(self, name: str, spot: Spot, findings: Findings) -> Program | None:
        """Returns the program of a procedure that a step runs; None after problems.

        Reports procedures that do not exist, that run each other in a circle, or too deep.
        """
        if name not in self.ruleset.procedures:
            findings.pass_on(no_procedure(self.ruleset, name), spot)
            return None
        if name in self._making:
            circle = " -> ".join([*self._making[self._making.index(name) :], name])
            what = f"procedures that run each other in a circle: {circle}"
            findings.add("R427", what, spot, "a procedure that does not lead back here")
            return None
        here, deep = self._making[-1], len(self._making) >= DEEPEST_RUN
        program = None if deep else self.get(name)
        if program:
            self._depths[here] = max(self._depths[here], self._depths[name] + 1)
        if not deep and self._depths[here] <= DEEPEST_RUN:
            return program
        findings.too_many(spot, "procedures that run one inside the other", DEEPEST_RUN)
        return None
