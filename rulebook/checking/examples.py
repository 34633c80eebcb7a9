"""Worked examples -> faults where they are not true: each is played with its own dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulebook.checking.beside import Beside
from rulebook.checking.choices import in_option
from rulebook.checking.sound import Sound
from rulebook.core.examples import Slip, play_step
from rulebook.core.faults import place_of
from rulebook.core.procedures import Programs
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.texts import ExampleStep
from rulebook.problems import Problem


def check_examples(
    ruleset: Ruleset, beside: Beside | None = None, sound: Sound | None = None
) -> Iterator[Problem]:
    """Every fault of every run of every example.

    Faults of the procedures themselves are told as such, so their examples are passed over; but
    those that only several options together bring are told here, since only examples choose them.
    An example that options leave as it is, is played without them: see `Ruleset.options_of`. What
    is known to be `sound` is not played.
    """
    tables = _Tables(ruleset, sound or Sound())
    for example_id, example in ruleset.examples.items():
        if beside and beside.plain.examples.get(example_id) == example:
            continue
        for index, step in example.runs.items():
            yield from tables.faults(step, ("examples", example_id, "steps", index))


@dataclass(slots=True)
class _Tables:
    """The rulesets in which examples are played, by their options."""

    ruleset: Ruleset
    sound: Sound
    programs: dict[tuple[str, ...], Programs | None] = field(default_factory=dict)

    def faults(self, step: ExampleStep, at: Address) -> Iterator[Problem]:
        chosen = self.ruleset.options_of(str(at[1]), step)
        if chosen not in self.programs:
            yield from self._choose(chosen)
        programs = self.programs[chosen]
        if programs is None:
            return
        played_in = programs.ruleset
        key = None
        if step.run is not None and step.run in played_in.procedures:
            key = self.sound.key(played_in, step.run, f"played {step!r}")
            if self.sound.moves(key) is not None:
                return
        before = len(programs.problems)
        program = programs.get(step.run or "")
        if program is None:
            if self._only_here(chosen):
                found = programs.problems[before:]
                yield from (in_option(problem, self.ruleset, chosen) for problem in found)
            return
        slips = play_step(program, step)[1]
        if key is not None and not slips:
            self.sound.add(key)
        for slip in slips:
            yield self._problem(slip, at, played_in)

    def _only_here(self, chosen: tuple[str, ...]) -> bool:
        """Whether nobody but an example chooses these options."""
        return len(chosen) > 1 and chosen != self.ruleset.chosen

    def _choose(self, chosen: tuple[str, ...]) -> Iterator[Problem]:
        variant = self.ruleset.with_options(chosen)
        self.programs[chosen] = Programs(variant.ruleset) if variant.ruleset else None
        if not self._only_here(chosen):
            return
        told = {
            problem for name in chosen for problem in self.ruleset.with_options([name]).problems
        }
        for problem in variant.problems:
            if problem not in told:
                yield in_option(problem, self.ruleset, chosen)

    def _problem(self, slip: Slip, at: Address, played_in: Ruleset) -> Problem:
        there = place_of(played_in, slip.where) if slip.where else None
        return Problem(
            slip.code,
            slip.message,
            self.ruleset.place(*at, *slip.at),
            slip.expected,
            slip.hint,
            (there, "the procedure stops here") if there else None,
        )
