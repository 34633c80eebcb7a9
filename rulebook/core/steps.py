"""Steps that throw no dice: sentences, decisions, names that are set, blocks, procedures run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulebook.core.engine import NOTHING, Engine, Names, moved_on, reading, run_of
from rulebook.core.input_domains import Domain
from rulebook.core.operations import Typed
from rulebook.core.page_data import PageData, ValueLabel
from rulebook.core.play_state import FallenDice, PlayState
from rulebook.core.procedure_faults import RunFault
from rulebook.core.programs import (
    Program,
    ProgramStep,
    all_steps,
    compiled,
    live_before,
    play_steps,
    written_in,
)
from rulebook.core.value_types import value_text
from rulebook.core.weights import Layout, State, Stepped, Suffixes, Transform, Weights

#: A procedure that is run takes at least as long as so many moves.
MOVES_OF_RUN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(ProgramStep):
    """A step that does nothing but stand among the sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(ProgramStep):
    """A decision of the players: inputs that are asked for here."""

    names: tuple[str, ...]

    def _writes(self) -> Names:
        return NOTHING

    @property
    def shows(self) -> tuple[str, ...]:
        return self.names

    def labels(self, domains: Mapping[str, Domain]) -> dict[str, ValueLabel]:
        return {name: ValueLabel(domains[name].kind, domains[name].label) for name in self.names}

    def plain(self, page: PageData) -> dict[str, object]:
        return {"do": "choose", "sets": self.names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Set(ProgramStep):
    """Sets names one after another, as one step: all of them or none."""

    values: tuple[tuple[str, Typed], ...]

    @property
    def shows(self) -> tuple[str, ...]:
        return tuple(dict(self.values))

    @property
    def _singly(self) -> tuple[Set, ...]:
        return tuple(Set(address=self.address, values=(value,)) for value in self.values)

    def live_before(self, after: Names) -> Names:
        live = after
        for name, value in reversed(self.values):
            live = (live - {name}) | value.names if name in live else live
        return live

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        if len(self.values) > 1:
            return compiled(self._singly, after, engine, layout)
        ((name, value),) = self.values
        run, spot = run_of(value, layout), self.spot()
        pick, behind = moved_on(layout, after, (name,), (name,))

        def transform(weights: Weights) -> Stepped:
            engine.budget.spend(len(weights) + 2, 0, spot)
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

    def labels(self, domains: Mapping[str, Domain]) -> dict[str, ValueLabel]:
        words = "" if self.say and len(self.values) == 1 else None
        return {
            name: ValueLabel(value.kind, words, value.operation == "=")
            for name, value in self.values
        }

    def plain(self, page: PageData) -> dict[str, object]:
        return {"do": "set", "names": {name: page.expression(value) for name, value in self.values}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(ProgramStep):
    """Takes several steps, all of them under its one condition."""

    def _writes(self) -> Names:
        return written_in(self.steps)

    def live_before(self, after: Names) -> Names:
        return live_before(self.steps, after)

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        return compiled(self.steps, after, engine, layout)

    def play(self, state: PlayState) -> list[FallenDice]:
        play_steps(self.steps, state)
        return []

    def plain(self, page: PageData) -> dict[str, object]:
        return {"do": "block"}


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerRun(ProgramStep):
    """Runs another procedure and takes over some of its results."""

    program: Program
    given: Mapping[str, Typed]
    take: Mapping[str, str]

    @property
    def shows(self) -> tuple[str, ...]:
        return tuple(sorted(self.take))

    def _reads(self) -> Names:
        return NOTHING.union(*(value.names for value in self.given.values()))

    def _inputs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All inputs of the procedure; raises RunFault where a value is out of its range."""
        for name, value in given.items():
            domain = self.program.domains[name]
            if not domain.holds(value):
                what = f"{value_text(value)} is no value of the input '{name}'"
                raise RunFault("R425", what, self.spot("given", name), domain.choices())
        return {**self.program.defaults(), **given}

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """The procedure is compiled once, and run once for each set of inputs."""
        runs = {name: run_of(value, layout) for name, value in self.given.items()}
        names = [name for name in self.take if name in after]
        results = tuple(self.take[name] for name in names)
        pick, behind = moved_on(layout, after, tuple(self.take), names)
        spot = self.spot()

        def suffixes(state: State) -> Suffixes:
            given = {name: run(state) for name, run in runs.items()}
            key = (self.program.id, results, *given.items())
            if key not in engine.known:
                engine.budget.spend(MOVES_OF_RUN, 0, spot)
                inputs = self._inputs(given)
                self.program.admit(inputs)
                weights = self.program.reading(engine, results)(inputs)
                engine.known[key] = list(weights.items()), sum(weights.values())
            return engine.known[key]

        return engine.extension(spot, pick, reading(layout, self.reads), suffixes), behind

    def play(self, state: PlayState) -> list[FallenDice]:
        given = {name: state.value(value) for name, value in self.given.items()}
        inner = self.program.play(self._inputs(given), state.source)
        state.take(inner.taken, self.address)
        further = state.depth + 1
        state.events += [replace(event, depth=event.depth + further) for event in inner.events]
        for name, result in self.take.items():
            state.put(name, inner.results[result])
        return []

    def labels(self, domains: Mapping[str, Domain]) -> dict[str, ValueLabel]:
        results = {name: self.program.results[result] for name, result in self.take.items()}
        return {name: ValueLabel(result.kind, result.title) for name, result in results.items()}

    def plain(self, page: PageData) -> dict[str, object]:
        return {
            "do": "run",
            "run": self.program.id,
            "given": {name: page.expression(value) for name, value in self.given.items()},
            "take": dict(sorted(self.take.items())),
        }


def all_read(program: Program) -> set[tuple[str, str]]:
    """Collection and id of all that a program can look up; procedures are read that it runs."""
    found = {("procedures", program.id), *program.looked_up}
    for step in all_steps(program.steps):
        if isinstance(step, InnerRun):
            found |= all_read(step.program)
    return found
