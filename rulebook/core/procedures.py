"""Procedures of a ruleset -> programs: inputs, steps and results checked, problems with places.

Names and kinds are checked one step after another. A name may be read once it is set on every way
that leads there. What a step sets only at times, or a repetition only if there is a pass, must have
been set before.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulebook.core import value_types
from rulebook.core.expressions import Scope, check_expression, in_unit, natural_of, within_bounds
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
)
from rulebook.core.steps import Decision, InnerRun, Repetition, Say, Set, Together
from rulebook.core.throws import AddedUp, DicePool, Test, Throw, ThrownDice
from rulebook.core.value_types import (
    DICE,
    TARGET,
    TEXT,
    UNKNOWN,
    ConditionsKind,
    FlagKind,
    Kind,
    LengthKind,
    NumberKind,
    QuotedKind,
    WordKind,
)
from rulebook.limits import MOST_ITEMS
from rulebook.model.expressions import FUNCTIONS, Constant, Expression, Name
from rulebook.model.grids import humanise
from rulebook.model.lookup import KINDS, find_entity, no_procedure
from rulebook.model.procedures import (
    LISTED,
    AnyStep,
    ChooseStep,
    DoStep,
    Input,
    Procedure,
    RepeatStep,
    RollStep,
    RunStep,
    SetStep,
    TestStep,
    Thrown,
)
from rulebook.model.ruleset import KEY, Address, Ruleset
from rulebook.problems import Problem

#: Repetitions inside one another; and steps looked at, those of a repetition more than once.
DEEPEST_REPETITION = 4
#: Procedures that run each other, one inside the other.
DEEPEST_RUN = 5

#: The kind of a step, and what it is made of.
Made = tuple[type[ProgramStep], dict[str, Any]]


def _too_many(findings: Findings, spot: Spot, what: str, most: int) -> None:
    hint = "give a part of it a procedure of its own, and 'run' it"
    findings.add("R428", f"too many {what}", spot, f"up to {most:,}", hint)


@dataclass(slots=True)
class Programs:
    """The programs of one ruleset, each checked when it is first asked for."""

    ruleset: Ruleset
    findings: Findings = field(init=False)
    _made: dict[str, Program | None] = field(default_factory=dict)
    _making: list[str] = field(default_factory=list)
    #: How many procedures run one inside the other, this one with them.
    _depths: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.findings = Findings(self.ruleset)

    @property
    def problems(self) -> list[Problem]:
        return self.findings.problems

    def get(self, name: str) -> Program | None:
        """Returns the program of an existing procedure, checked once; None after problems."""
        if name not in self._made:
            self._making.append(name)
            self._depths[name] = 1
            around, self.findings = self.findings, Findings(self.ruleset)
            self._made[name] = _ProcedureChecker(
                self, name, self.ruleset.procedures[name]
            ).program()
            around.problems += self.findings.problems
            self.findings = around
            self._making.pop()
        return self._made[name]

    def run_by(self, name: str, spot: Spot) -> Program | None:
        """Returns the program of a procedure that a step runs; None after problems.

        Reports procedures that do not exist, that run each other in a circle, or too deep.
        """
        if name not in self.ruleset.procedures:
            self.findings.pass_on(no_procedure(self.ruleset, name), spot)
            return None
        if name in self._making:
            circle = " -> ".join([*self._making[self._making.index(name) :], name])
            what = f"procedures that run each other in a circle: {circle}"
            self.findings.add("R427", what, spot, "a procedure that does not lead back here")
            return None
        here, deep = self._making[-1], len(self._making) >= DEEPEST_RUN
        program = None if deep else self.get(name)
        if program:
            self._depths[here] = max(self._depths[here], self._depths[name] + 1)
        if not deep and self._depths[here] <= DEEPEST_RUN:
            return program
        _too_many(self.findings, spot, "procedures that run one inside the other", DEEPEST_RUN)
        return None


class _ProcedureChecker:
    """Checks one procedure; `sound` is false once one of its steps has a problem."""

    def __init__(self, made: Programs, name: str, procedure: Procedure) -> None:
        self.programs = made
        self.findings = made.findings
        self.ruleset = made.ruleset
        self.name = name
        self.procedure = procedure
        self.address: Address = ("procedures", name)
        #: Repetitions without a bound, by the name that counts their passes.
        self.open_counts: set[str] = set()
        #: Names that count the passes of the repetitions around a step.
        self.counting: list[str] = []
        #: Blocks around a step, which may not be taken.
        self.blocks = 0
        self.looked_at = 0
        self.domains: dict[str, Domain] = {}
        self.sound = True
        #: Whether steps were left unread, so that nothing is known of names behind them.
        self.cut = False

    def program(self) -> Program | None:
        before = len(self.findings.problems)
        self.domains = domains = self._domains()
        if len(self.findings.problems) > before:
            return None
        scope = Scope(self.findings, {name: domain.kind for name, domain in domains.items()})
        requires = self._requirements(scope)
        steps = self._steps(self.procedure.steps, (*self.address, "steps"), scope, depth=0)
        results = {} if self.cut else self._results(scope)
        self._unanswered()
        if len(self.findings.problems) > before or not self.sound:
            return None
        title, looked_up = self.procedure.title, tuple(self.findings.looked_up)
        made = Program(self.name, title, domains, steps, results, requires, looked_up)
        self._unused(made)
        return made if len(self.findings.problems) == before else None

    def _domains(self) -> dict[str, Domain]:
        given = [
            (name, wanted, (*self.address, "inputs", name))
            for name, wanted in self.procedure.inputs.items()
        ]
        given += _choices(self.procedure.steps, (*self.address, "steps"))
        domains: dict[str, Domain] = {}
        for name, wanted, address in given:
            self._free(name, address)
            domain = domain_of(name, wanted, self.findings, address)
            if name in domains:
                what, expected = f"'{name}' is an input already", "each input and choice once"
                also = domains[name].address
                self.findings.add("R206", what, Spot(address), expected, also=also)
            elif domain is not None:
                domains[name] = domain
        return domains

    def _requirements(self, scope: Scope) -> tuple[InputRequirement, ...]:
        found = []
        for index, requirement in enumerate(self.procedure.requires):
            at: Address = (*self.address, "requires", index)
            that = self._expression(requirement.that, scope, (*at, "that"), FlagKind())
            if that:
                found.append(InputRequirement(that, requirement.say, at))
        return tuple(found)

    def _results(self, scope: Scope) -> dict[str, ProgramResult]:
        results = {}
        for name, given in self.procedure.result.items():
            at = (*self.address, "result", name, "value")
            expression, title = given.value, given.title or humanise(name)
            tree = expression.tree
            if isinstance(tree, Name) and tree.id in self.open_counts:
                passes = Typed(NumberKind(), "name", data=tree.id)
                results[name] = ProgramResult(NumberKind(), passes, title, counts_passes=True)
                continue
            typed = self._expression(expression, scope, at)
            if typed and isinstance(typed.kind, QuotedKind | ConditionsKind) and typed.kind != TEXT:
                self.findings.unlike(Spot(at), typed.kind, "a number, a word, or true or false")
            elif typed:
                results[name] = ProgramResult(typed.kind, typed, title)
        return results

    def _unanswered(self) -> None:
        """Reports added-up modifiers that may be `never` where no step asks whether they are."""
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
        read = (result.value.names for result in program.results.values())
        live = live_before(program.steps, frozenset[str]().union(*read))
        for name, domain in program.domains.items():
            if name not in live:
                what, expected = f"the input '{name}' changes no result", "inputs that a step reads"
                self.findings.add("R432", what, Spot(domain.address), expected)

    def _free(self, name: str, address: Address) -> None:
        """Reports a name that is a keyword of expressions or the id of a table or cutout."""
        if self.ruleset.frozen:
            return  # it was free when it was released, whatever has been given a name since
        known = find_entity(self.ruleset, name)
        if keyword.iskeyword(name) or name in FUNCTIONS or name in ("true", "false"):
            self._name_taken(name, address, "a word of expressions")
        elif known and known[0] in LOOKED_INTO:
            self._name_taken(name, address, KINDS[known[0]], (known[0], name))

    def _name_taken(self, name: str, at: Address, what: str, also: Address | None = None) -> None:
        # Mostly the name itself is the key, and not the dice or the value beside it.
        spot = Spot((*at, KEY) if at[-1] == name else at)
        self.findings.add("R430", f"'{name}' is {what}", spot, "another name", also=also)

    def _steps(
        self, steps: tuple[AnyStep, ...], address: Address, scope: Scope, depth: int
    ) -> tuple[ProgramStep, ...]:
        made: list[ProgramStep] = []
        for index, step in enumerate(steps):
            at = (*address, index)
            if not self._in_bounds(step, at, depth):
                break
            when = self._expression(step.when, scope, (*at, "when"), FlagKind())
            inner = scope.inner() if step.when else scope
            action, own = self._step(step, at, inner, depth)
            if step.when:
                self._meet(scope, inner, (*at, "when"))
            if self.sound:
                checked = action(address=at, say=step.say, when=when, **own)
                made.append(checked)
                if isinstance(checked, Repetition) and checked.count and checked.times is None:
                    self.open_counts.add(checked.count)
        return tuple(made)

    def _in_bounds(self, step: AnyStep, at: Address, depth: int) -> bool:
        """Tells whether the limits on steps and nested repetitions allow a step; reports if not."""
        self.looked_at += 1
        deep = depth >= DEEPEST_REPETITION and isinstance(step, RepeatStep)
        if not deep and not self.cut and self.looked_at <= MOST_ITEMS:
            return True
        if not self.cut and deep:
            spot = Spot((*at, "repeat"))
            _too_many(self.findings, spot, "repetitions inside one another", DEEPEST_REPETITION)
        elif not self.cut:
            _too_many(self.findings, Spot(at), "steps", MOST_ITEMS)
        self.sound, self.cut = False, True
        return False

    def _meet(self, scope: Scope, inner: Scope, address: Address) -> None:
        """Merges `inner`, the scope within a step that may be skipped, into the scope.

        Names that only the step sets are perhaps unset after it. Kinds of one name that
        cannot be joined are reported.
        """
        for name, kind in inner.names.items():
            if name in scope.names:
                scope.names[name] = self._joined(name, scope.names[name], kind, address)
            else:
                scope.sometimes.add(name)
        scope.sometimes |= inner.sometimes
        scope.unread |= inner.unread

    def _joined(self, name: str, before: Kind, behind: Kind, address: Address) -> Kind:
        """Returns the kind of a name that is of one kind before a step and of another after it.

        Reports kinds that cannot be joined, and then returns the first of them.
        """
        both = value_types.joined(before, behind)
        if both is None:
            what = f"'{name}' is {before} at one time and {behind} at another"
            self.findings.add("R421", what, Spot(address), value_types.ONE_KIND)
        return both or before

    def _step(self, step: AnyStep, at: Address, scope: Scope, depth: int) -> Made:
        match step:
            case SetStep():
                return self._set(step, at, scope, depth)
            case RollStep():
                return self._roll(step, at, scope)
            case TestStep():
                return self._test(step, at, scope)
            case RepeatStep(sum=None):
                return self._repeat(step, at, scope, depth)
            case RepeatStep():
                return self._repeat_and_sum(step, at, scope, depth)
            case DoStep():
                self.blocks += 1
                body = self._steps(step.do, (*at, "do"), scope, depth)
                self.blocks -= 1
                return Together, {"steps": body}
            case RunStep():
                return self._run(step, at, scope)
            case ChooseStep():
                return Decision, {"domains": {name: self.domains[name] for name in step.choose}}
        return Say, {}

    def _expression(
        self,
        expression: Expression | None,
        scope: Scope,
        address: Address,
        wanted: Kind | None = None,
    ) -> Typed | None:
        if expression is None:
            return None
        typed = check_expression(expression, scope, Spot(address), wanted)
        self.sound &= typed is not None
        return typed

    def _bind(self, name: str, kind: Kind | None, scope: Scope, address: Address) -> None:
        """Sets a name in the scope; `kind` is None if its value has a fault.

        The name is set even then, or else each use of it would be reported as well.
        """
        self._free(name, address)
        if name in self.counting:
            self._name_taken(name, address, "the count of the repetition around this step")
        scope.names[name] = kind or UNKNOWN
        scope.sometimes.discard(name)
        scope.unread.pop(name, None)
        self.open_counts.discard(name)

    def _set(self, step: SetStep, at: Address, scope: Scope, depth: int) -> Made:
        values: list[tuple[str, Typed]] = []
        for name, expression in step.set.items():
            address = (*at, "set", name)
            typed = self._expression(expression, scope, address)
            self._bind(name, typed.kind if typed else None, scope, address)
            if typed and depth:
                typed = within_bounds(typed, Spot(address, expression, expression.tree))
            if typed:
                values.append((name, typed))
        return Set, {"values": tuple(values)}

    def _dice(self, thrown: Thrown, scope: Scope, address: Address) -> ThrownDice | None:
        if thrown.dice is not None:
            return ThrownDice(literal(thrown.dice, DICE), thrown.keep, thrown.highest)
        typed = self._expression(thrown.expression, scope, address, DICE)
        return ThrownDice(typed) if typed else None

    def _roll(self, step: RollStep, at: Address, scope: Scope) -> Made:
        rolled = step.roll
        dice = [self._dice(thrown, scope, (*at, "roll", name)) for name, thrown in rolled.items()]
        inner = scope.inner() if step.times else scope
        for name, thrown in rolled.items():
            single = thrown.dice is not None and (thrown.dice.count == 1 or thrown.keep == 1)
            sides = thrown.dice.sides if thrown.dice and single else 0
            self._bind(name, NumberKind(sides), inner, (*at, "roll", name))
        own: dict[str, Any] = {"names": tuple(rolled), "dice": tuple(die for die in dice if die)}
        if step.times is None:
            for name in ("again", "reroll"):
                own[name] = self._expression(getattr(step, name), inner, (*at, name), FlagKind())
            return Throw, own
        pool = self._pool(step, at, scope, inner)
        _leave(scope, rolled, "is thrown anew in each throw of the pool")
        throw = Throw(address=at, single=step.distinct is not None, **own)
        return DicePool, {**pool, "throw": throw}

    def _pool(self, step: RollStep, at: Address, scope: Scope, inner: Scope) -> dict[str, Any]:
        times = self._expression(step.times, scope, (*at, "times"), NumberKind())
        if step.distinct:
            ((name, thrown),) = step.roll.items()
            if thrown.dice and (thrown.dice.count > 1 or thrown.keep):
                self.sound = False
                self.findings.unlike(Spot((*at, "roll", name)), thrown, "one die, such as d6")
            self._bind(step.distinct, NumberKind(), scope, (*at, "distinct"))
            face = Typed(NumberKind(), "name", data=name)
            own = {"aggregate": "distinct", "outs": (step.distinct,), "each": (face,)}
            return {"times": times, **own}
        aggregate = next(name for name in ("sum", "highest", "lowest") if getattr(step, name))
        each = self._summed(getattr(step, aggregate), (*at, aggregate), scope, inner)
        return {"times": times, "aggregate": aggregate, **each}

    def _summed(
        self, given: Mapping[str, Expression], at: Address, scope: Scope, inner: Scope
    ) -> dict[str, Any]:
        """Checks the values that are aggregated over passes, and sets the names of their results.

        `given` maps these names to the values. Values are checked in the scope `inner` of a pass,
        and names are set in `scope`.
        """
        each = {}
        for name, expression in given.items():
            typed = each[name] = self._expression(expression, inner, (*at, name))
            if typed and not (typed.kind.numeric or isinstance(typed.kind, FlagKind)):
                self.sound = False
                wanted = "a number, or what holds or not"
                self.findings.unlike(Spot((*at, name)), typed.kind, wanted)
        for name, value in each.items():
            kind = value.kind if value and isinstance(value.kind, LengthKind) else NumberKind()
            self._bind(name, kind if value else None, scope, (*at, name))
        return {"outs": tuple(given), "each": tuple(value for value in each.values() if value)}

    def _test(self, step: TestStep, at: Address, scope: Scope) -> Made:
        self.findings.looks_up("header", "natural")
        before = scope.inner()
        if step.test not in before.names:
            before.unread[step.test] = (
                "what is known before the throw, such as veterans: where it holds, what fails is "
                "thrown again; 'roll' with 'reroll' goes by the die"
            )
        own = {
            "name": step.test,
            "natural": natural_of(self.ruleset),
            "dice": self._dice(step.dice, scope, (*at, "dice")),
            "target": self._expression(step.target, scope, (*at, "target"), TARGET),
        }
        # Where what is added is not allowed, the test fails.
        forbidding = dict(self.findings.forbidding)
        own["plus"] = self._expression(step.plus, scope, (*at, "plus"), NumberKind())
        self.findings.forbidding = forbidding
        own["times"] = self._expression(step.times, scope, (*at, "times"), NumberKind())
        own["reroll"] = self._expression(step.reroll, before, (*at, "reroll"), FlagKind())
        self._bind(step.test, NumberKind() if step.times else FlagKind(), scope, (*at, "test"))
        return Test, own

    def _repeat(self, step: RepeatStep, at: Address, scope: Scope, depth: int) -> Made:
        times = self._expression(step.times, scope, (*at, "times"), NumberKind())
        unbounded = step.count is not None and step.times is None
        if step.count and unbounded:
            self._open(step.count, step, at, depth)
        inner = self._settled(step, at, scope, depth)
        if step.count:
            self.counting.append(step.count)
        body = self._steps(step.repeat, (*at, "repeat"), inner, depth + 1)
        until = self._expression(step.until, inner, (*at, "until"), FlagKind())
        if step.count:
            self.counting.pop()
        sure = step.times is None or (
            isinstance(step.times.tree, Constant) and step.times.tree.value not in (0, False)
        )
        if sure:
            scope.names, scope.sometimes = inner.names, inner.sometimes
            scope.unread = inner.unread
        else:
            self._meet(scope, inner, (*at, "times"))
        if step.count and not unbounded:
            scope.names[step.count] = NumberKind()
            scope.sometimes.discard(step.count)
        own = {
            "steps": body,
            "times": times,
            "until": until,
            "count": step.count,
            "listed": step.listed or LISTED,
            "skippable": not sure,
        }
        return Repetition, own

    def _open(self, count: str, step: RepeatStep, at: Address, depth: int) -> None:
        """Checks that a repetition without a bound whose passes are counted is always taken.

        It must not be inside another repetition or under a condition. `count` names its count.
        """
        self._free(count, (*at, "count"))
        if count in self.counting:
            self._bind(count, NumberKind(), Scope(self.findings), (*at, "count"))
        if depth or step.when or self.blocks:
            where = "inside another" if depth else "under a condition"
            what = f"a repetition without a bound is counted {where}"
            self.findings.add("R423", what, Spot((*at, "count")), "'times', or always one of it")

    def _settled(self, step: RepeatStep, at: Address, scope: Scope, depth: int) -> Scope:
        """Returns the scope at the start of each pass of a repetition.

        The kinds of names in it hold both before the first pass and after any other.
        """
        inner = scope.inner()
        if step.count and step.times is None:
            inner.names.pop(step.count, None)
            inner.unread[step.count] = (
                "a bound ('times') on the repetition; without one its count is a result and "
                "nothing else"
            )
        elif step.count:
            self._bind(step.count, NumberKind(), inner, (*at, "count"))
        changed = True
        while changed:
            changed = False
            found = self._after_pass(step, at, inner, depth)
            known = len(self.findings.problems)
            for name, kind in inner.names.items():
                both = self._joined(name, kind, found.get(name, kind), (*at, "repeat"))
                if len(self.findings.problems) > known:
                    return inner
                changed |= both != kind
                inner.names[name] = both
        return inner

    def _after_pass(
        self, step: RepeatStep, at: Address, scope: Scope, depth: int
    ) -> dict[str, Kind]:
        """Returns the kinds of names after one pass; ignores problems, which are reported later."""
        trial = scope.inner()
        trial.findings = Findings(self.ruleset)
        kept = self.sound, self.cut, self.findings, set(self.open_counts)
        self.sound, self.findings = True, trial.findings
        self._steps(step.repeat, (*at, "repeat"), trial, depth + 1)
        self.sound, self.cut, self.findings, self.open_counts = kept
        return trial.names

    def _repeat_and_sum(self, step: RepeatStep, at: Address, scope: Scope, depth: int) -> Made:
        times = self._expression(step.times, scope, (*at, "times"), NumberKind())
        inner = scope.inner()
        body = self._steps(step.repeat, (*at, "repeat"), inner, depth + 1)
        each = self._summed(step.sum or {}, (*at, "sum"), scope, inner)
        _leave(scope, inner.names, "is set anew in each pass, and only added up")
        return AddedUp, {"steps": body, "times": times, **each}

    def _run(self, step: RunStep, at: Address, scope: Scope) -> Made:
        program = self.programs.run_by(step.run, Spot((*at, "run")))
        given = {
            name: self._expression(expression, scope, (*at, "given", name))
            for name, expression in (step.given or {}).items()
        }
        if program is None:
            self.sound = False
            for name in step.take:
                self._bind(name, None, scope, (*at, "take", name))
            return Say, {}
        for name, typed in given.items():
            given[name] = self._given(program, name, typed, (*at, "given", name))
        for name, result in step.take.items():
            self._taken(program, name, result, scope, (*at, "take", name))
        return InnerRun, {"program": program, "given": given, "take": dict(step.take)}

    def _given(self, program: Program, name: str, typed: Typed | None, at: Address) -> Typed | None:
        """Checks the value that a step passes to an input; converts a length to its unit."""
        domain = program.domains.get(name)
        if domain is None:
            inputs = f"the inputs of the procedure '{program.id}'"
            self.findings.unknown(Spot(at), name, program.domains, inputs)
        elif typed and not _fits(typed.kind, domain.kind):
            self.findings.unlike(Spot(at), typed.kind, domain.kind)
        elif typed and isinstance(domain.kind, LengthKind):
            return in_unit(typed, domain.kind) or typed
        return typed

    def _taken(self, program: Program, name: str, result: str, scope: Scope, at: Address) -> None:
        found = program.results.get(result)
        if found is None:
            results = f"the results of the procedure '{program.id}'"
            self.findings.unknown(Spot(at), result, program.results, results)
        elif found.counts_passes:
            what = f"'{result}' of '{program.id}' counts passes without a bound"
            self.findings.add("R423", what, Spot(at), "a result with a bound")
        self._bind(name, found.kind if found else None, scope, at)


def _fits(kind: Kind, wanted: Kind) -> bool:
    """Tells whether a value of one kind may be passed to an input of the kind `wanted`."""
    if isinstance(kind, ConditionsKind) and isinstance(wanted, ConditionsKind):
        return kind.table == wanted.table and set(kind.keys) <= set(wanted.keys)
    if isinstance(kind, WordKind) and isinstance(wanted, WordKind):
        return set(kind.keys) <= set(wanted.keys)
    return kind.like(wanted)


def _leave(scope: Scope, names: Mapping[str, object], why: str) -> None:
    """Records why later steps cannot read the names that are set inside a pool or a pass."""
    for name in names:
        if name not in scope.names:
            scope.unread[name] = f"what is made of the pool: '{name}' {why}"


def _choices(steps: tuple[AnyStep, ...], at: Address) -> Iterator[tuple[str, Input, Address]]:
    """Yields the decisions of the players in some steps, each as (name, input, address).

    Decisions are inputs of the procedure too.
    """
    for index, step in enumerate(steps):
        for name, wanted in (step.choose if isinstance(step, ChooseStep) else {}).items():
            yield name, wanted, (*at, index, "choose", name)
        yield from _choices(
            step.inner, (*at, index, "do" if isinstance(step, DoStep) else "repeat")
        )
