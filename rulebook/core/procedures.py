"""Procedures of a ruleset -> programs: inputs, steps and results checked, problems with places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulebook.core import value_types
from rulebook.core.binding import literal
from rulebook.core.domains import Domain
from rulebook.core.faults import Findings, Spot
from rulebook.core.inputs import domain_of
from rulebook.core.programs import NOTHING, Program, Requirement, Result, live_before
from rulebook.core.scope import Scope
from rulebook.core.steps import Steps
from rulebook.model.cells import Sought
from rulebook.model.expressions import Name
from rulebook.model.inputs import Input
from rulebook.model.lookup import KINDS, find_entity
from rulebook.model.procedures import Procedure, ProcedureStep
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem

#: Procedures that run each other, one inside the other.
DEEPEST_RUN = 5


@dataclass(slots=True)
class Programs:
    """The programs of one ruleset, each checked when it is first asked for."""

    ruleset: Ruleset
    findings: Findings = field(init=False)
    _made: dict[str, Program | None] = field(default_factory=dict)
    _making: list[str] = field(default_factory=list)
    #: How many procedures run one inside the other, this one with them.
    _depths: dict[str, int] = field(default_factory=dict)
    _looked_up: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.findings = Findings(self.ruleset)

    @property
    def problems(self) -> list[Problem]:
        return self.findings.problems

    def get(self, name: str) -> Program | None:
        """The program of a procedure, or None after problems."""
        if name not in self._made:
            self._making.append(name)
            self._depths[name] = 1
            procedure = self.ruleset.procedures[name]
            around, self.findings.looked_up = self.findings.looked_up, {}
            self._made[name] = _Checker(self, name, procedure).program()
            self._looked_up[name] = tuple(self.findings.looked_up)
            self.findings.looked_up = around
            self._making.pop()
        return self._made[name]

    def looked_up(self, name: str) -> tuple[tuple[str, str], ...]:
        """Collection and id of what the steps and inputs of a procedure name, in their order.

        ("header", "natural") where natural scores count. What a procedure names that is run is its
        own.
        """
        self.get(name)
        return self._looked_up[name]

    def run_by(self, name: str, spot: Spot) -> Program | None:
        """The program that a step runs; one that runs itself would never end."""
        known = list(self.ruleset.procedures)
        if name not in known:
            entity = find_entity(self.ruleset, name)
            sought = Sought(name, known)
            if entity:
                kind = KINDS[entity[0]]
                self.findings.add("R305 no procedure", spot, name=sought, kind=kind)
            else:
                self.findings.add("R301 procedure", spot, name=sought)
            return None
        if name in self._making:
            circle = [*self._making[self._making.index(name) :], name]
            self.findings.add("R427 circle of procedures", spot, circle=" -> ".join(circle))
            return None
        here, deep = self._making[-1], len(self._making) >= DEEPEST_RUN
        program = None if deep else self.get(name)
        if program:
            self._depths[here] = max(self._depths[here], self._depths[name] + 1)
        if not deep and self._depths[here] <= DEEPEST_RUN:
            return program
        self.findings.add("R428 runs inside runs", spot, most=DEEPEST_RUN)
        return None


def natural_of(ruleset: Ruleset) -> dict[int, bool]:
    return {score: what == "passes" for score, what in ruleset.header.natural.items()}


class _Checker:
    """Checks one procedure."""

    def __init__(self, programs: Programs, name: str, procedure: Procedure) -> None:
        self.programs = programs
        self.findings = programs.findings
        self.name = name
        self.procedure = procedure
        self.address: Address = ("procedures", name)
        self.steps = Steps(programs.findings, programs.run_by)

    def program(self) -> Program | None:
        before = len(self.findings.problems)
        domains = self._domains()
        if len(self.findings.problems) > before:
            return None
        scope = Scope(self.findings, {name: domain.kind for name, domain in domains.items()})
        requires = self._requirements(scope)
        steps = self.steps.check(self.procedure.steps, (*self.address, "steps"), scope, depth=0)
        results = {} if self.steps.cut else self._results(scope)
        if len(self.findings.problems) > before or not self.steps.sound:
            return None
        natural = natural_of(self.programs.ruleset)
        made = Program(self.name, self.procedure.title, domains, steps, results, natural, requires)
        self._unused(made)
        return made if len(self.findings.problems) == before else None

    def _domains(self) -> dict[str, Domain]:
        given = [
            (name, one, (*self.address, "inputs", name))
            for name, one in self.procedure.inputs.items()
        ]
        given += _choices(self.procedure.steps, (*self.address, "steps"))
        domains: dict[str, Domain] = {}
        for name, one, address in given:
            self.steps.free(name, address)
            domain = domain_of(name, one, self.findings, address)
            if name in domains:
                self.findings.add(
                    "R206 input already", Spot(address), also=domains[name].address, name=name
                )
            elif domain is not None:
                domains[name] = domain
        return domains

    def _requirements(self, scope: Scope) -> tuple[Requirement, ...]:
        found = []
        for index, one in enumerate(self.procedure.requires):
            at: Address = (*self.address, "requires", index)
            that = self.steps.expression(one.that, scope, (*at, "that"), value_types.Flag())
            if that:
                found.append(Requirement(that, one.say, at))
        return tuple(found)

    def _results(self, scope: Scope) -> dict[str, Result]:
        results = {}
        for name, expression in self.procedure.result.items():
            at = (*self.address, "result", name)
            tree = expression.tree
            repeat = self.steps.open_counts.get(tree.id) if isinstance(tree, Name) else None
            if repeat is not None:
                results[name] = Result(
                    value_types.Number(), literal(0, value_types.Number()), repeat
                )
                continue
            typed = self.steps.expression(expression, scope, at)
            if typed and isinstance(
                typed.kind,
                value_types.Target
                | value_types.DiceKind
                | value_types.Faces
                | value_types.Conditions,
            ):
                self.findings.add("R421 result of a kind", Spot(at), kind=typed.kind)
            elif typed:
                results[name] = Result(typed.kind, typed)
        return results

    def _unused(self, program: Program) -> None:
        """An input that nothing reads is a slip: the odds would not change with it."""
        wanted = NOTHING.union(*(result.value.names for result in program.results.values()))
        counts = {one.open_count.count for one in program.results.values() if one.open_count}
        live = live_before(program.steps, wanted | {name for name in counts if name})
        for name, domain in program.domains.items():
            if name not in live:
                self.findings.add("R432 no effect", Spot(domain.address), name=name)


def _choices(steps: tuple[ProcedureStep, ...], at: Address) -> Iterator[tuple[str, Input, Address]]:
    """The players' decisions, which are inputs as well, and where they stand."""
    for index, step in enumerate(steps):
        for name, one in (step.choose or {}).items():
            yield name, one, (*at, index, "choose", name)
        yield from _choices(step.inner, (*at, index, step.action or ""))
