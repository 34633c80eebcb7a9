"""Examples that run procedures -> the names in them that name nothing, and those that prose binds.

An example is played in the ruleset as it is or with some options, so its names are looked up
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rulebook.loading.options import no_option
from rulebook.model.cells import Sought
from rulebook.model.examples_and_terms import DICE, ExampleStep
from rulebook.model.lookup import KINDS, entity_ids, find_entity
from rulebook.model.paths import LookupFault, Part, parse_path
from rulebook.model.procedures import Procedure, choices_of
from rulebook.model.ruleset import KEY, Address, Ruleset, Variant
from rulebook.problems import Problem, Span


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs in the examples of one ruleset; `structured` gives it with other options."""

    ruleset: Ruleset
    structured: Callable[[tuple[str, ...]], Variant]

    def faults(self) -> Iterator[Problem]:
        """Options, procedures, inputs and results that there are not, and ids that are taken."""
        for example_id, example in self.ruleset.examples.items():
            for index, step in example.runs.items():
                yield from self._faults(step, ("examples", example_id, "steps", index))

    def bound_in(self, address: Address) -> Mapping[str, list[str] | None]:
        """The names that prose at an address may bind: of each run its dice, results and inputs.

        None stands for those of a run that cannot be looked up, which is told as a fault already.
        """
        inside = address[0] == "examples" and address[2] in ("situation", "steps", "outcome")
        name = str(address[1]) if inside else ""
        example = self.ruleset.examples.get(name)
        if example is None:
            return {}
        return {step.id: self._names(step, name) for step in example.runs.values() if step.id}

    def _names(self, step: ExampleStep, example_id: str) -> list[str] | None:
        ruleset = self._where(step, example_id)
        procedure = ruleset.procedures.get(step.run or "") if ruleset else None
        return [DICE, *procedure.result, *_inputs(procedure)] if procedure else None

    def _where(self, step: ExampleStep, example_id: str) -> Ruleset | None:
        """The ruleset that a step is played in; None if its options do not make one."""
        chosen = self.ruleset.options_of(example_id, step)
        if chosen == self.ruleset.chosen:
            return self.ruleset
        if not self.ruleset.options.keys() >= set(chosen):
            return None
        return self.structured(chosen).ruleset

    def _faults(self, step: ExampleStep, at: Address) -> Iterator[Problem]:
        place = self.ruleset.place
        options = list(self.ruleset.options)
        for index, option in enumerate(step.options or ()):
            if option not in options:
                yield no_option(option, options, place(*at, "options", index))
        known = find_entity(self.ruleset, step.id or "")
        if known:
            there = place(known[0], step.id or "")
            yield Problem.of(
                "R206 id of a step", place(*at, "id"), also=there, id=step.id, kind=KINDS[known[0]]
            )
        ruleset = self._where(step, str(at[1]))
        if ruleset is None:
            return
        procedure = ruleset.procedures.get(step.run or "")
        if procedure is None:
            yield _no_procedure(ruleset, step.run or "", place(*at, "run"))
            return
        for key, names, what in (
            ("given", _inputs(procedure), "input"),
            ("gives", list(procedure.result), "result"),
        ):
            for name in getattr(step, key):
                if name not in names:
                    yield Problem.of(
                        "R302 part of what runs",
                        place(*at, key, name, KEY),
                        procedure=step.run,
                        what=what,
                        name=Sought(name, names),
                    )


def _inputs(procedure: Procedure) -> list[str]:
    return [*procedure.inputs, *choices_of(procedure.steps)]


def _no_procedure(ruleset: Ruleset, name: str, span: Span | None) -> Problem:
    known = find_entity(ruleset, name)
    procedures = Sought(name, entity_ids(ruleset, ("procedures",)))
    if known:
        kind = KINDS[known[0]]
        return Problem.of("R305 no procedure", span, name=procedures, kind=kind)
    return Problem.of("R301 procedure", span, name=procedures)


def check_bound(target: str, runs: Mapping[str, list[str] | None]) -> bool:
    """Whether a path binds a name of a run; raises LookupFault if the run has no such name."""
    path = parse_path(target)
    if path.name.text not in runs:
        return False
    names = runs[path.name.text]
    if names is None:
        return True
    name = path.name.text
    if len(path.parts) != 1 or path.keys is not None:
        here = Part(target, 0, len(target))
        raise LookupFault.of("R308 run is no value", here, name=name, dice=DICE, last=names[-1])
    if path.parts[0].text not in names:
        raise LookupFault.of(
            "R302 part of a run", path.parts[0], run=name, part=Sought(path.parts[0].text, names)
        )
    return True
