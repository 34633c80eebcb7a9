"""Procedures of a ruleset -> programs: names and types checked step by step, problems with places.

A name may be read once it is set on every way that leads there. What a step sets only at times, or
a repetition only if there is a pass, must have been set before.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulebook.core import kinds as k
from rulebook.core import program as p
from rulebook.core.binding import Typed, literal
from rulebook.core.expressions import check_expression
from rulebook.core.faults import Findings, Spot
from rulebook.core.inputs import Domain, domain_of
from rulebook.core.scope import Scope
from rulebook.model.cells import nearest, some_words
from rulebook.model.expressions import FUNCTIONS, Constant, Expression, Name
from rulebook.model.lookup import KINDS, find_entity
from rulebook.model.procedures import LISTED, Procedure, ProcedureStep, Thrown, choices_of
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem

#: Entities that expressions name, so that nothing else may have their names.
_TAKEN = ("tables", "modifiers", "cutouts")

#: Kinds of steps, each with what it is made of.
Made = list[tuple[type[p.Step], dict[str, Any]]]


@dataclass(slots=True)
class Programs:
    """The programs of one ruleset, each checked when it is first asked for."""

    ruleset: Ruleset
    findings: Findings = field(init=False)
    _made: dict[str, p.Program | None] = field(default_factory=dict)
    _making: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.findings = Findings(self.ruleset)

    @property
    def problems(self) -> list[Problem]:
        return self.findings.problems

    def get(self, name: str) -> p.Program | None:
        """The program of a procedure, or None after problems."""
        if name not in self._made:
            self._making.append(name)
            procedure = self.ruleset.procedures[name]
            self._made[name] = _Checker(self, name, procedure).program()
            self._making.pop()
        return self._made[name]

    def run_by(self, name: str, spot: Spot) -> p.Program | None:
        """The program that a step runs; one that runs itself would never end."""
        known = list(self.ruleset.procedures)
        if name not in known:
            entity = find_entity(self.ruleset, name)
            self.findings.add(
                "R305" if entity else "R301",
                f"'{name}' is {KINDS[entity[0]]}" if entity else f"no procedure is called '{name}'",
                spot,
                expected="the id of a procedure",
                hint=nearest(name, known),
            )
            return None
        if name in self._making:
            circle = [*self._making[self._making.index(name) :], name]
            self.findings.add(
                "R427",
                f"procedures that run each other in a circle: {' -> '.join(circle)}",
                spot,
                expected="a procedure that does not lead back here",
                hint="use 'repeat'",
            )
            return None
        return self.get(name)


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
        self.open_counts: dict[str, p.Repeat] = {}
        self.sound = True

    def program(self) -> p.Program | None:
        before = len(self.findings.problems)
        domains = self._domains()
        scope = Scope(self.findings, {name: domain.kind for name, domain in domains.items()})
        requires = self._requirements(scope)
        steps = self._steps(self.procedure.steps, (*self.address, "steps"), scope, depth=0)
        results = self._results(scope)
        if len(self.findings.problems) > before or not self.sound:
            return None
        natural = natural_of(self.programs.ruleset)
        made = p.Program(
            self.name, self.procedure.title, domains, steps, results, natural, requires
        )
        self._unused(made)
        return made if len(self.findings.problems) == before else None

    def _domains(self) -> dict[str, Domain]:
        given = [
            (name, one, (*self.address, "inputs", name))
            for name, one in self.procedure.inputs.items()
        ]
        found = choices_of(self.procedure.steps)
        places = _places_of_choices(self.procedure.steps, (*self.address, "steps"))
        given += [(name, one, places[name]) for name, one in found.items()]
        domains: dict[str, Domain] = {}
        for name, one, address in given:
            self._free(name, address)
            domain = domain_of(name, one, self.findings, address)
            if domain is not None:
                domains[name] = domain
            else:
                self.sound = False
        return domains

    def _requirements(self, scope: Scope) -> tuple[p.Requirement, ...]:
        found = []
        for index, one in enumerate(self.procedure.requires):
            at: Address = (*self.address, "requires", index)
            that = self._expression(one.that, scope, (*at, "that"), k.Flag())
            if that:
                found.append(p.Requirement(that, one.say, at))
        return tuple(found)

    def _free(self, name: str, address: Address) -> None:
        """A name that can be read: no word of the language, no entity that expressions name."""
        known = find_entity(self.programs.ruleset, name)
        if keyword.iskeyword(name) or name in FUNCTIONS or name in ("true", "false"):
            self.findings.add(
                "R430",
                f"'{name}' is a word of expressions",
                Spot(address),
                expected="another name",
                hint=f"write '{name}_score' or the like",
            )
        elif known and known[0] in _TAKEN:
            self.findings.add(
                "R430",
                f"'{name}' is {KINDS[known[0]]} of this ruleset",
                Spot(address),
                expected="a name that nothing else has",
                hint="rename one of them",
                also=((known[0], name), "it stands here"),
            )

    def _steps(
        self, steps: tuple[ProcedureStep, ...], address: Address, scope: Scope, depth: int
    ) -> tuple[p.Step, ...]:
        made: list[p.Step] = []
        for index, step in enumerate(steps):
            at = (*address, index)
            when = self._expression(step.when, scope, (*at, "when"), k.Flag())
            inner = scope.inner() if step.when else scope
            done = self._step(step, at, inner, depth)
            if step.when:
                self._meet(scope, inner, (*at, "when"))
            shared: dict[str, Any] = {"when": when}
            for number, (action, own) in enumerate(done):
                say = step.say if number == 0 else None
                made.append(action(address=at, say=say, **shared, **own))
                self._remember(made[-1])
        return tuple(made)

    def _remember(self, step: p.Step) -> None:
        if isinstance(step, p.Repeat) and step.count and step.times is None:
            self.open_counts[step.count] = step

    def _meet(self, scope: Scope, inner: Scope, address: Address) -> None:
        """After a step that is taken only at times: what it set first is not set for certain."""
        for name, kind in inner.names.items():
            if name not in scope.names:
                scope.sometimes.add(name)
                continue
            both = k.joined(scope.names[name], kind)
            if both is None:
                self._two_kinds(name, scope.names[name], kind, address)
            else:
                scope.names[name] = both
        scope.sometimes |= inner.sometimes
        scope.unread |= inner.unread

    def _two_kinds(self, name: str, one: k.Kind, other: k.Kind, address: Address) -> None:
        self.findings.add(
            "R421",
            f"'{name}' is {one} at one time and {other} at another",
            Spot(address),
            expected="one kind of value for each name",
            hint="use two names",
        )

    def _step(self, step: ProcedureStep, at: Address, scope: Scope, depth: int) -> Made:
        match step.action:
            case "set":
                return self._set(step, at, scope)
            case "roll":
                return self._roll(step, at, scope)
            case "test":
                return self._test(step, at, scope)
            case "repeat":
                if step.sum:
                    return self._afresh(step, at, scope, depth)
                return self._repeat(step, at, scope, depth)
            case "run":
                return self._run(step, at, scope)
            case "choose":
                return [(p.Chosen, {"names": tuple(step.choose or ())})]
        return [(p.Told, {})]

    def _expression(
        self,
        expression: Expression | None,
        scope: Scope,
        address: Address,
        wanted: k.Kind | None = None,
    ) -> Typed | None:
        if expression is None:
            return None
        typed = check_expression(expression, scope, Spot(address), wanted)
        if typed is None:
            self.sound = False
        return typed

    def _bind(self, name: str, kind: k.Kind, scope: Scope, address: Address) -> None:
        self._free(name, address)
        scope.names[name] = kind
        scope.sometimes.discard(name)
        scope.unread.pop(name, None)

    def _set(self, step: ProcedureStep, at: Address, scope: Scope) -> Made:
        made: Made = []
        for name, expression in (step.set or {}).items():
            address = (*at, "set", name)
            typed = self._expression(expression, scope, address)
            # After a fault the name counts as set, or each use of it would be told as well.
            self._bind(name, typed.kind if typed else k.Number(), scope, address)
            if typed:
                made.append((p.Assign, {"name": name, "value": typed}))
        return made

    def _dice(self, thrown: Thrown, scope: Scope, address: Address) -> p.DiceOf | None:
        if thrown.dice is not None:
            return p.DiceOf(literal(thrown.dice, k.DiceKind()), thrown.keep, thrown.highest)
        typed = self._expression(thrown.expression, scope, address, k.DiceKind())
        return p.DiceOf(typed) if typed else None

    def _roll(self, step: ProcedureStep, at: Address, scope: Scope) -> Made:
        rolled = step.roll or {}
        dice = [self._dice(one, scope, (*at, "roll", name)) for name, one in rolled.items()]
        inner = scope.inner() if step.times else scope
        for name, one in rolled.items():
            single = one.dice is not None and (one.dice.count == 1 or one.keep == 1)
            sides = one.dice.sides if one.dice and single else 0
            self._bind(name, k.Number(sides), inner, (*at, "roll", name))
        own: dict[str, Any] = {"names": tuple(rolled), "dice": tuple(one for one in dice if one)}
        if step.times is None:
            for name in ("again", "reroll"):
                own[name] = self._expression(getattr(step, name), inner, (*at, name), k.Flag())
            return [(p.Throw, own)]
        return [(p.Pool, own | self._pool(step, at, scope, inner))]

    def _pool(self, step: ProcedureStep, at: Address, scope: Scope, inner: Scope) -> dict[str, Any]:
        times = self._expression(step.times, scope, (*at, "times"), k.Number())
        if step.distinct:
            self._bind(step.distinct, k.Number(), scope, (*at, "distinct"))
            own = {"aggregate": "distinct", "outs": (step.distinct,), "each": ()}
            return {"times": times, **own}
        aggregate = next(name for name in ("sum", "highest", "lowest") if getattr(step, name))
        each = self._summed(getattr(step, aggregate), (*at, aggregate), scope, inner)
        return {"times": times, "aggregate": aggregate, **each}

    def _summed(
        self, given: Mapping[str, Expression], at: Address, scope: Scope, inner: Scope
    ) -> dict[str, Any]:
        """Numbers or flags of each throw, which are added up."""
        each = []
        for name, expression in given.items():
            typed = self._expression(expression, inner, (*at, name))
            if typed and not isinstance(typed.kind, k.Number | k.Flag):
                self.sound = False
                self.findings.add(
                    "R421",
                    f"this is {typed.kind}",
                    Spot((*at, name)),
                    expected="a number, or what holds or not",
                )
            each.append(typed)
        for name in given:
            self._bind(name, k.Number(), scope, (*at, name))
        return {"outs": tuple(given), "each": tuple(one for one in each if one)}

    def _test(self, step: ProcedureStep, at: Address, scope: Scope) -> Made:
        if step.test is None or step.dice is None:
            return []
        own = {
            "name": step.test,
            "dice": self._dice(step.dice, scope, (*at, "dice")),
            "target": self._expression(step.target, scope, (*at, "target"), k.Target()),
            "plus": self._expression(step.plus, scope, (*at, "plus"), k.Number()),
            "times": self._expression(step.times, scope, (*at, "times"), k.Number()),
            "reroll": self._expression(step.reroll, scope, (*at, "reroll"), k.Flag()),
        }
        kind = k.Number() if step.times else k.Flag()
        self._bind(step.test, kind, scope, (*at, "test"))
        return [(p.Test, own)]

    def _repeat(self, step: ProcedureStep, at: Address, scope: Scope, depth: int) -> Made:
        times = self._expression(step.times, scope, (*at, "times"), k.Number())
        inner = self._settled(step, at, scope, depth)
        body = self._steps(step.repeat or (), (*at, "repeat"), inner, depth + 1)
        until = self._expression(step.until, inner, (*at, "until"), k.Flag())
        sure = step.times is None or (
            isinstance(step.times.tree, Constant) and step.times.tree.value not in (0, False)
        )
        if sure:
            scope.names = inner.names
            scope.sometimes = inner.sometimes
        else:
            self._meet(scope, inner, (*at, "times"))
        if step.count and step.times is None:
            scope.names.pop(step.count, None)
            scope.unread[step.count] = (
                "a bound ('times') on the repetition; without one its count is a result and "
                "nothing else"
            )
            if depth:
                self.findings.add(
                    "R423",
                    "a repetition without a bound is counted inside another",
                    Spot((*at, "count")),
                    expected="'times', or the repetition in the procedure itself",
                )
        own = {
            "body": body,
            "times": times,
            "until": until,
            "count": step.count,
            "listed": step.listed or LISTED,
            "skippable": not sure,
        }
        return [(p.Repeat, own)]

    def _settled(self, step: ProcedureStep, at: Address, scope: Scope, depth: int) -> Scope:
        """The names at the head of each pass, of kinds that hold before and after a pass."""
        inner = scope.inner()
        if step.count and step.times is None:
            inner.unread[step.count] = "a bound ('times') on the repetition"
        elif step.count:
            self._bind(step.count, k.Number(), inner, (*at, "count"))
            scope.names.setdefault(step.count, k.Number())
        for _ in range(3):
            trial = _trial(inner)
            steps = step.repeat or ()
            quiet, findings = self.sound, self.findings
            self.findings = trial.findings
            self._steps(steps, (*at, "repeat"), trial, depth + 1)
            self.sound, self.findings = quiet, findings
            changed = False
            for name in inner.names:
                both = k.joined(inner.names[name], trial.names.get(name, inner.names[name]))
                if both is None:
                    self._two_kinds(name, inner.names[name], trial.names[name], (*at, "repeat"))
                    return inner
                changed |= both != inner.names[name]
                inner.names[name] = both
            if not changed:
                break
        return inner

    def _afresh(self, step: ProcedureStep, at: Address, scope: Scope, depth: int) -> Made:
        times = self._expression(step.times, scope, (*at, "times"), k.Number())
        inner = scope.inner()
        body = self._steps(step.repeat or (), (*at, "repeat"), inner, depth + 1)
        each = self._summed(step.sum or {}, (*at, "sum"), scope, inner)
        return [(p.Afresh, {"body": body, "times": times, **each})]

    def _run(self, step: ProcedureStep, at: Address, scope: Scope) -> Made:
        program = self.programs.run_by(step.run or "", Spot((*at, "run")))
        given = {
            name: self._expression(expression, scope, (*at, "given", name))
            for name, expression in (step.given or {}).items()
        }
        if program is None:
            self.sound = False
            for name in step.take or {}:
                self._bind(name, k.Number(), scope, (*at, "take", name))
            return []
        for name, typed in given.items():
            self._handed(program, name, typed, (*at, "given", name))
        for name, result in (step.take or {}).items():
            self._taken(program, name, result, scope, (*at, "take", name))
        return [(p.Run, {"program": program, "given": given, "take": dict(step.take or {})})]

    def _handed(self, program: p.Program, name: str, typed: Typed | None, at: Address) -> None:
        domain = program.domains.get(name)
        if domain is None:
            known = list(program.domains)
            self.findings.add(
                "R302",
                f"the procedure '{program.id}' has no input '{name}'",
                Spot(at),
                expected=some_words(known) or "no inputs",
                hint=nearest(name, known),
            )
        elif (typed and type(typed.kind) is not type(domain.kind)) or (
            typed
            and isinstance(typed.kind, k.Word)
            and isinstance(domain.kind, k.Word)
            and not set(typed.kind.keys) <= set(domain.kind.keys)
        ):
            self.findings.add("R421", f"this is {typed.kind}", Spot(at), expected=str(domain.kind))

    def _taken(self, program: p.Program, name: str, result: str, scope: Scope, at: Address) -> None:
        found = program.results.get(result)
        if found is None:
            known = list(program.results)
            self.findings.add(
                "R302",
                f"the procedure '{program.id}' has no result '{result}'",
                Spot(at),
                expected=some_words(known),
                hint=nearest(result, known),
            )
        elif found.open_count:
            self.findings.add(
                "R423",
                f"'{result}' of '{program.id}' has no bound, so nothing can be reckoned with it",
                Spot(at),
                expected="a result with a bound",
            )
        self._bind(name, found.kind if found else k.Number(), scope, at)

    def _results(self, scope: Scope) -> dict[str, p.Result]:
        results = {}
        for name, expression in self.procedure.result.items():
            at = (*self.address, "result", name)
            tree = expression.tree
            repeat = self.open_counts.get(tree.id) if isinstance(tree, Name) else None
            if repeat is not None:
                results[name] = p.Result(k.Number(), literal(0, k.Number()), repeat)
                continue
            typed = self._expression(expression, scope, at)
            if typed and isinstance(typed.kind, k.Target | k.DiceKind | k.Faces | k.Conditions):
                self.findings.add(
                    "R421",
                    f"a result that is {typed.kind}",
                    Spot(at),
                    expected="a number, a word, or true or false",
                )
            elif typed:
                results[name] = p.Result(typed.kind, typed)
        return results

    def _unused(self, program: p.Program) -> None:
        """An input that nothing reads is a slip: the odds would not change with it."""
        wanted = p.NOTHING.union(*(result.value.names for result in program.results.values()))
        counts = {one.open_count.count for one in program.results.values() if one.open_count}
        live = p.live_before(program.steps, wanted | {name for name in counts if name})
        for name, domain in program.domains.items():
            if name not in live:
                self.findings.add(
                    "R432",
                    f"the input '{name}' changes no result",
                    Spot(domain.address),
                    expected="inputs that a step on the way to a result reads",
                    hint="delete it, or use it in a step",
                )


def _trial(scope: Scope) -> Scope:
    trial = scope.inner()
    trial.findings = Findings(scope.ruleset)
    return trial


def _places_of_choices(steps: tuple[ProcedureStep, ...], at: Address) -> dict[str, Address]:
    found: dict[str, Address] = {}
    for index, step in enumerate(steps):
        found |= {name: (*at, index, "choose", name) for name in step.choose or {}}
        found |= _places_of_choices(step.repeat or (), (*at, index, "repeat"))
    return found
