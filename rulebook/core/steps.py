"""Steps that throw no dice and repeat nothing: sentences, values, decisions, inner procedures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulebook.core.expressions import in_unit, within_bounds
from rulebook.core.input_domains import Domain
from rulebook.core.operations import Typed
from rulebook.core.procedure_checks import Made, StepCheck
from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.programs import (
    FallenDice,
    PlayState,
    Program,
    ProgramStep,
    ValueLabel,
    compiled,
    live_before,
    names_read,
    play_steps,
    written_in,
)
from rulebook.core.value_types import ConditionsKind, Kind, LengthKind, WordKind, value_text
from rulebook.core.weights import (
    NOTHING,
    Engine,
    Layout,
    Names,
    State,
    Stepped,
    Suffixes,
    Transform,
    Weights,
    run_of,
)
from rulebook.model.procedures import ChooseStep, DoStep, RunStep, SayStep, SetStep

#: A procedure that is run takes at least as long as so many moves.
MOVES_OF_RUN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(ProgramStep):
    """A step that only has a sentence."""

    @classmethod
    def check(cls, step: SayStep, here: StepCheck) -> Made:
        """Checks a step that an author writes."""
        return cls, {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(ProgramStep):
    """A decision of the players, which is made by inputs of the procedure."""

    domains: Mapping[str, Domain]

    @classmethod
    def check(cls, step: ChooseStep, here: StepCheck) -> Made:
        """Finds the domains of the decisions, which have been read with the inputs."""
        return cls, {"domains": {name: here.procedure.domains[name] for name in step.choose}}

    def _writes(self) -> Names:
        return NOTHING

    def labels(self) -> dict[str, ValueLabel]:
        return {
            name: ValueLabel(domain.kind, domain.label) for name, domain in self.domains.items()
        }

    def plain(self) -> dict[str, object]:
        return {"do": "choose", "sets": self.shows}


@dataclass(frozen=True, slots=True, kw_only=True)
class Set(ProgramStep):
    """Sets names one after another, as one step."""

    values: tuple[tuple[str, Typed], ...]

    @classmethod
    def check(cls, step: SetStep, here: StepCheck) -> Made:
        """Checks the values, one after another, and sets the names."""
        values: list[tuple[str, Typed]] = []
        for name, expression in step.set.items():
            typed = here.expression(expression, "set", name)
            here.bind(name, typed.kind if typed else None, "set", name)
            if typed and here.depth:
                spot = Spot(here.at("set", name), expression, expression.tree)
                typed = within_bounds(typed, spot)
            if typed:
                values.append((name, typed))
        return cls, {"values": tuple(values)}

    def live_before(self, after: Names) -> Names:
        live = after
        for name, value in reversed(self.values):
            live = (live - {name}) | value.names if name in live else live
        return live

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        if len(self.values) > 1:
            singly = [Set(address=self.address, values=(value,)) for value in self.values]
            return compiled(singly, after, engine, layout)
        ((_, value),) = self.values
        run, spot = run_of(value, layout), self.spot()
        pick, behind = self.moved_on(layout, after)

        def transform(weights: Weights) -> Stepped:
            engine.spend(spot, len(weights) + 2)
            into: Weights = {}
            for state, weight in weights.items():
                key = (*pick(state), run(state))
                into[key] = into.get(key, 0) + weight
            return into, 1

        return transform, behind

    def play(self, state: PlayState) -> list[FallenDice]:
        for name, value in self.values:
            state.put(name, state.value(value))
        return []

    def labels(self) -> dict[str, ValueLabel]:
        words = "" if self.say and len(self.values) == 1 else None
        return {
            name: ValueLabel(value.kind, words, value.operation == "=")
            for name, value in self.values
        }

    def plain(self) -> dict[str, object]:
        return {"do": "set", "names": dict(self.values)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(ProgramStep):
    """Takes several steps under one condition."""

    @classmethod
    def check(cls, step: DoStep, here: StepCheck) -> Made:
        """Checks the steps inside it."""
        return cls, {"steps": here.inside(step, here.scope)}

    def _writes(self) -> Names:
        return written_in(self.steps)

    def live_before(self, after: Names) -> Names:
        return live_before(self.steps, after)

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        return compiled(self.steps, after, engine, layout)

    def play(self, state: PlayState) -> list[FallenDice]:
        play_steps(self.steps, state)
        return []

    def plain(self) -> dict[str, object]:
        return {"do": "block"}


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerRun(ProgramStep):
    """Runs another procedure and sets names to some of its results.

    `given` are the values of its inputs; `take` maps names to its results.
    """

    program: Program
    given: Mapping[str, Typed]
    take: Mapping[str, str]

    @classmethod
    def check(cls, step: RunStep, here: StepCheck) -> Made:
        """Checks the procedure, the values of its inputs, and which of its results are taken."""
        program = here.procedure.run_by(step.run, Spot(here.at("run")), here.findings)
        given = {
            name: here.expression(expression, "given", name)
            for name, expression in (step.given or {}).items()
        }
        if program is None:
            here.procedure.sound = False
            for name in step.take:
                here.bind(name, None, "take", name)
            return Say, {}
        given = {name: _given(here, program, name, typed) for name, typed in given.items()}
        for name, result in step.take.items():
            _take(here, program, name, result)
        return cls, {"program": program, "given": given, "take": dict(sorted(step.take.items()))}

    def _reads(self) -> Names:
        return names_read(*self.given.values())

    def _inputs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Adds the defaults to the given inputs; raises RunFault if a value is out of range."""
        for name, value in given.items():
            domain = self.program.domains[name]
            if not domain.holds(value):
                what = f"{value_text(value)} is no value of the input '{name}'"
                raise RunFault("R425", what, self.spot("given", name), domain.choices())
        return {**self.program.defaults(), **given}

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """Compiles the procedure that is run; its odds are computed once for each set of inputs."""
        runs = {name: run_of(value, layout) for name, value in self.given.items()}
        results = tuple(result for name, result in self.take.items() if name in after)
        spot = self.spot()

        def suffixes(state: State) -> Suffixes:
            given = {name: run(state) for name, run in runs.items()}
            key = (self.program.id, results, *given.items())
            if key not in engine.known:
                engine.spend(spot, MOVES_OF_RUN)
                inputs = self._inputs(given)
                self.program.admit(inputs)
                weights = self.program.reading(engine, results)(inputs)
                engine.known[key] = weights, sum(weights.values())
            return engine.known[key]

        return self.appended(engine, after, layout, suffixes)

    def play(self, state: PlayState) -> list[FallenDice]:
        given = {name: state.value(value) for name, value in self.given.items()}
        inner = self.program.play(self._inputs(given), state.source)
        state.take(inner.taken, self.address)
        further = state.depth + 1
        state.events += [replace(event, depth=event.depth + further) for event in inner.events]
        for name, result in self.take.items():
            state.put(name, inner.results[result])
        return []

    def labels(self) -> dict[str, ValueLabel]:
        results = {name: self.program.results[result] for name, result in self.take.items()}
        return {name: ValueLabel(result.kind, result.title) for name, result in results.items()}

    def plain(self) -> dict[str, object]:
        return {
            "do": "run",
            "run": self.program.id,
            "given": self.given,
            "take": self.take,
        }


def _given(here: StepCheck, program: Program, name: str, typed: Typed | None) -> Typed | None:
    """Checks the value that a step passes to an input; converts a length to its unit."""
    domain, spot = program.domains.get(name), Spot(here.at("given", name))
    if domain is None:
        inputs = f"the inputs of the procedure '{program.id}'"
        here.findings.unknown(spot, name, program.domains, inputs)
    elif typed and not _fits(typed.kind, domain.kind):
        here.findings.unlike(spot, typed.kind, domain.kind)
    elif typed and isinstance(domain.kind, LengthKind):
        return in_unit(typed, domain.kind) or typed
    return typed


def _fits(kind: Kind, wanted: Kind) -> bool:
    """Tells whether a value of one kind may be passed to an input of the kind `wanted`."""
    if isinstance(kind, ConditionsKind) and isinstance(wanted, ConditionsKind):
        return kind.table == wanted.table and set(kind.keys) <= set(wanted.keys)
    if isinstance(kind, WordKind) and isinstance(wanted, WordKind):
        return set(kind.keys) <= set(wanted.keys)
    return kind.like(wanted)


def _take(here: StepCheck, program: Program, name: str, result: str) -> None:
    """Checks a result of the procedure that is run, and sets a name to it."""
    found, spot = program.results.get(result), Spot(here.at("take", name))
    if found is None:
        here.procedure.sound = False
        results = f"the results of the procedure '{program.id}'"
        here.findings.unknown(spot, result, program.results, results)
    elif found.counts_passes:
        what = f"'{result}' of '{program.id}' counts passes without a bound"
        here.findings.add("R423", what, spot, "a result with a bound")
    here.bind(name, found.kind if found else None, "take", name)
