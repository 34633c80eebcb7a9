"""A procedure as an author writes it -> a program: inputs, steps and results checked, or problems.

Names and kinds are checked one step after another. A name may be read once it is set on every way
that leads there. What a step sets only at times, or a repetition only if there is a pass, must have
been set before. How a step of one kind is checked stands with that kind.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulebook.core.expressions import Scope, check_expression
from rulebook.core.input_domains import Domain, domain_of
from rulebook.core.lookups import LOOKED_INTO
from rulebook.core.operations import Typed, literal
from rulebook.core.procedure_faults import Findings, Spot
from rulebook.core.programs import (
    InputRequirement,
    Program,
    ProgramResult,
    ProgramStep,
    live_before,
    names_read,
)
from rulebook.core.value_types import (
    DICE,
    TEXT,
    UNKNOWN,
    ConditionsKind,
    FlagKind,
    Kind,
    NumberKind,
    QuotedKind,
)
from rulebook.limits import MOST_ITEMS
from rulebook.model.expressions import FUNCTIONS, Expression, Name
from rulebook.model.grids import humanise
from rulebook.model.lookup import KINDS, find_entity
from rulebook.model.procedures import (
    AnyStep,
    Procedure,
    ProcedureStep,
    Thrown,
    addressed_steps,
)
from rulebook.model.ruleset import KEY, Address, Ruleset
from rulebook.quantities import Dice

#: Repetitions inside one another; and steps looked at, those of a repetition more than once.
DEEPEST_REPETITION = 4

#: The class of a checked step, and what it is made of.
Made = tuple[type[ProgramStep], dict[str, Any]]
#: The check of each kind of step, by the class of the step as it is written.
StepKinds = Mapping[type[ProcedureStep], Callable[[Any, "StepCheck"], Made]]
#: The program of a procedure that a step runs; None after problems.
RunBy = Callable[[str, Spot, Findings], Program | None]


@dataclass(slots=True)
class ProcedureCheck:
    """Checks one procedure; `sound` is false once one of its steps has a problem."""

    findings: Findings
    name: str
    kinds: StepKinds
    run_by: RunBy
    domains: dict[str, Domain] = field(default_factory=dict)
    #: Repetitions without a bound, by the name that counts their passes.
    open_counts: set[str] = field(default_factory=set)
    looked_at: int = 0
    sound: bool = True
    #: Whether steps were left unread, so that nothing is known of names behind them.
    cut: bool = False

    @property
    def ruleset(self) -> Ruleset:
        return self.findings.ruleset

    @property
    def procedure(self) -> Procedure:
        return self.ruleset.procedures[self.name]

    @property
    def address(self) -> Address:
        return ("procedures", self.name)

    def program(self) -> Program | None:
        """Checks the procedure and makes its program; reports problems, and then returns None."""
        self._read_domains()
        if self.findings.problems:
            return None
        kinds = {name: domain.kind for name, domain in self.domains.items()}
        here = StepCheck(self, self.address, Scope(self.findings, kinds))
        requires = self._requirements(here)
        steps = self.steps(self.procedure.steps, replace(here, address=here.at("steps")))
        results = {} if self.cut else self._results(here)
        self._unanswered()
        if self.findings.problems or not self.sound:
            return None
        title, looked_up = self.procedure.title, tuple(self.findings.looked_up)
        made = Program(self.name, title, self.domains, steps, results, requires, looked_up)
        self._unused(made)
        return None if self.findings.problems else made

    def _read_domains(self) -> None:
        given = [
            (name, wanted, (*self.address, "inputs", name))
            for name, wanted in self.procedure.inputs.items()
        ]
        given += [
            (name, wanted, (*at, "choose", name))
            for step, at in addressed_steps(self.procedure.steps, (*self.address, "steps"))
            for name, wanted in step.choices.items()
        ]
        for name, wanted, address in given:
            self.free(name, address)
            domain = domain_of(name, wanted, self.findings, address)
            if name in self.domains:
                what, expected = f"'{name}' is an input already", "each input and choice once"
                also = self.domains[name].address
                self.findings.add("R206", what, Spot(address), expected, also=also)
            elif domain is not None:
                self.domains[name] = domain

    def _requirements(self, here: StepCheck) -> tuple[InputRequirement, ...]:
        found = []
        for index, requirement in enumerate(self.procedure.requires):
            at: Address = ("requires", index)
            that = here.expression(requirement.that, *at, "that", wanted=FlagKind())
            if that:
                found.append(InputRequirement(that, requirement.say, here.at(*at)))
        return tuple(found)

    def _results(self, here: StepCheck) -> dict[str, ProgramResult]:
        results = {}
        for name, given in self.procedure.result.items():
            at = ("result", name, "value")
            expression, title = given.value, given.title or humanise(name)
            tree = expression.tree
            if isinstance(tree, Name) and tree.id in self.open_counts:
                passes = Typed(NumberKind(), "name", data=tree.id)
                results[name] = ProgramResult(NumberKind(), passes, title, counts_passes=True)
                continue
            typed = here.expression(expression, *at)
            if typed and isinstance(typed.kind, QuotedKind | ConditionsKind) and typed.kind != TEXT:
                here.unlike(typed.kind, "a number, a word, or true or false", *at)
            elif typed:
                results[name] = ProgramResult(typed.kind, typed, title)
        return results

    def _unanswered(self) -> None:
        """Reports sums of modifiers that may be `never` if no step asks whether they are."""
        for (table, name), (spot, key) in self.findings.forbidding.items():
            if (table, name) not in self.findings.asked:
                what = f"'{key}' says never for '{name}', and no step says what then"
                expected = (
                    "a 'test' with this as its 'plus', or allowed(...) in 'requires' or 'when'"
                )
                there = self.ruleset.address_of_row(table, key, name)
                self.findings.add("R443", what, spot, expected, also=there)

    def _unused(self, program: Program) -> None:
        """Reports inputs on which no result depends."""
        read = names_read(*(result.value for result in program.results.values()))
        live = live_before(program.steps, read)
        for name, domain in program.domains.items():
            if name not in live:
                what, expected = f"the input '{name}' changes no result", "inputs that a step reads"
                self.findings.add("R432", what, Spot(domain.address), expected)

    def free(self, name: str, address: Address) -> None:
        """Reports a name that cannot be set: a word of expressions, or the id of a table or cutout.

        In a released edition nothing is reported.
        """
        if self.ruleset.frozen:
            return  # it was free when it was released, whatever has been given a name since
        known = find_entity(self.ruleset, name)
        if keyword.iskeyword(name) or name in FUNCTIONS or name in ("true", "false"):
            self.name_taken(name, address, "a word of expressions")
        elif known and known[0] in LOOKED_INTO:
            self.name_taken(name, address, KINDS[known[0]], (known[0], name))

    def name_taken(self, name: str, at: Address, what: str, also: Address | None = None) -> None:
        """Reports a name that cannot be set because it is something else already, namely `what`.

        `at` is the address of the name, `also` that of the other thing.
        """
        # Mostly the name itself is the key, and not the dice or the value beside it.
        spot = Spot((*at, KEY) if at[-1] == name else at)
        self.findings.add("R430", f"'{name}' is {what}", spot, "another name", also=also)

    def steps(self, steps: tuple[AnyStep, ...], around: StepCheck) -> tuple[ProgramStep, ...]:
        """Checks steps that stand at the address of `around`, one after another; reports faults.

        Returns the steps of the program, and changes the scope of `around` to that after them.
        """
        made: list[ProgramStep] = []
        scope = around.scope
        for index, step in enumerate(steps):
            here = replace(around, address=(*around.address, index))
            if not self._in_bounds(step, here):
                break
            when = here.expression(step.when, "when", wanted=FlagKind())
            inner = scope.inner() if step.when else scope
            kind, own = self.kinds[type(step)](step, here.within(inner))
            if step.when:
                scope.meet(inner, here.at("when"))
            if self.sound:
                made.append(kind(address=here.address, say=step.say, when=when, **own))
        return tuple(made)

    def _in_bounds(self, step: AnyStep, here: StepCheck) -> bool:
        """Tells whether the limits on steps and nested repetitions allow a step, which it counts.

        If not, reports it once, and the procedure is then neither sound nor checked further.
        """
        self.looked_at += 1
        deep = step.repeats and here.depth >= DEEPEST_REPETITION
        if not deep and not self.cut and self.looked_at <= MOST_ITEMS:
            return True
        if not self.cut and deep:
            what, most = "repetitions inside one another", DEEPEST_REPETITION
            self.findings.too_many(Spot(here.at(step.body)), what, most)
        elif not self.cut:
            self.findings.too_many(Spot(here.address), "steps", MOST_ITEMS)
        self.sound, self.cut = False, True
        return False


@dataclass(frozen=True, slots=True)
class StepCheck:
    """Where a step stands that is being checked, and the scope in which it reads and sets names.

    Requirements and results of the procedure are checked in the same way.

    `depth` counts the repetitions around it, and `counting` are the names that count their passes.
    If it is `optional`, it stands in a block that may not be taken.
    """

    procedure: ProcedureCheck
    address: Address
    scope: Scope
    depth: int = 0
    optional: bool = False
    counting: tuple[str, ...] = ()

    @property
    def findings(self) -> Findings:
        return self.procedure.findings

    def at(self, *at: str | int) -> Address:
        """Returns the address of a part of the step."""
        return (*self.address, *at)

    def within(self, scope: Scope) -> StepCheck:
        """Returns the same step in another scope."""
        return replace(self, scope=scope)

    def expression(
        self, expression: Expression | None, *at: str | int, wanted: Kind | None = None
    ) -> Typed | None:
        """Checks an expression of the step, whose address in the step is `at`; reports faults.

        Returns the checked expression, or None after problems and if there is no expression.
        `wanted` is the kind that it must be of, if any.
        """
        if expression is None:
            return None
        typed = check_expression(expression, self.scope, Spot(self.at(*at)), wanted)
        self.procedure.sound &= typed is not None
        return typed

    def times(self, times: Expression | None) -> Typed | None:
        """Checks the number of dice or passes of a step; reports faults.

        Returns the checked expression, or None after problems and if the step has no number.
        """
        return self.expression(times, "times", wanted=NumberKind())

    def dice(self, thrown: Thrown, *at: str) -> Typed | None:
        """Checks the dice that the step throws, or the expression for them; reports faults.

        Returns an expression for the dice, or None after problems.
        """
        if isinstance(thrown, Dice):
            return literal(thrown, DICE)
        return self.expression(thrown, *at, wanted=DICE)

    def free(self, name: str, *at: str) -> None:
        """Reports a name that no step may set, or that is the count of a repetition around it.

        `at` is the address of the name in the step.
        """
        self.procedure.free(name, self.at(*at))
        if name in self.counting:
            what = "the count of the repetition around this step"
            self.procedure.name_taken(name, self.at(*at), what)

    def bind(self, name: str, kind: Kind | None, *at: str) -> None:
        """Sets a name in the scope to a kind; `kind` is None if its value has a fault.

        The name is set even then, or else each use of it would be reported as well. Reports a name
        that may not be set.
        """
        self.free(name, *at)
        self.scope.names[name] = kind or UNKNOWN
        self.scope.unread.pop(name, None)
        self.procedure.open_counts.discard(name)

    def unlike(self, kind: object, wanted: object, *at: str) -> None:
        """Reports a part of the step, at the address `at` in it, that is of the wrong kind.

        The procedure is then no longer sound.
        """
        self.procedure.sound = False
        self.findings.unlike(Spot(self.at(*at)), kind, wanted)

    def inside(
        self, step: AnyStep, scope: Scope, *, counting: str | None = None
    ) -> tuple[ProgramStep, ...]:
        """Checks the steps inside this step in the given scope; returns them as program steps.

        `counting` is the name of the count that no step inside may set, if there is one.
        """
        around = replace(
            self,
            address=self.at(step.body),
            scope=scope,
            depth=self.depth + step.repeats,
            optional=self.optional or not step.repeats,
            counting=self.counting + ((counting,) if counting else ()),
        )
        return self.procedure.steps(step.inner, around)
