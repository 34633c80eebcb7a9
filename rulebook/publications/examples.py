"""Worked examples -> what booklet and sheet print of them: words, dice as thrown, what they give.

What prints is what is played: each run takes its inputs, dice and results from the rules core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from rulebook import quantities as q
from rulebook.core import kinds as k
from rulebook.core.examples import Run, play_step
from rulebook.core.inputs import Domain
from rulebook.core.play import Event
from rulebook.core.procedures import Programs
from rulebook.model.ruleset import Ruleset
from rulebook.model.texts import DICE, Example, ExampleStep
from rulebook.publications.binding import Binder


@dataclass(frozen=True, slots=True)
class ThrowView:
    """Dice that fell together: their sides and what each shows."""

    sides: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """A procedure played: options and inputs that are not as usual, its dice in order, its results.

    `dice` has all faces in words, for those who do not see them drawn.
    """

    inputs: tuple[str, ...]
    throws: tuple[ThrowView, ...]
    dice: str
    results: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ExampleStepView:
    """A step in words (Markdown), and what is thrown in it."""

    markdown: str
    run: RunView | None


@dataclass(frozen=True, slots=True)
class ShortExampleView:
    """An example on the sheet: its title and its runs."""

    id: str
    title: str
    runs: tuple[RunView, ...]


@dataclass(slots=True)
class ExampleComposer:
    """Plays the examples of one ruleset, each run once, and puts them into words."""

    binder: Binder
    _programs: dict[tuple[str, ...], Programs] = field(default_factory=dict)
    _runs: dict[tuple[str, int], Run] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        return self.binder.ruleset

    def steps(self, example_id: str) -> tuple[ExampleStepView, ...]:
        """The steps, their prose bound to what is played."""
        example = self.ruleset.examples[example_id]
        known = self.known(example_id)
        return tuple(
            ExampleStepView(
                self.binder.prose(step.say, known),
                self._view(self._run(example_id, index), step) if step.run else None,
            )
            for index, step in enumerate(example.steps)
        )

    def short(self, example_id: str) -> ShortExampleView:
        """What the sheet prints of an example."""
        example = self.ruleset.examples[example_id]
        return ShortExampleView(
            example_id,
            example.title,
            tuple(
                self._view(self._run(example_id, index), step)
                for index, step in example.runs.items()
            ),
        )

    def known(self, example_id: str) -> Mapping[str, str]:
        """What the prose of an example may bind of its runs, in words: `first.dice` and the like.

        A result goes before an input of the same name.
        """
        example: Example = self.ruleset.examples[example_id]
        found: dict[str, str] = {}
        for index, step in example.runs.items():
            if step.id is None:
                continue
            run = self._run(example_id, index)
            domains = run.program.domains
            found |= {
                f"{step.id}.{name}": _told(domains[name], value)
                for name, value in run.inputs.items()
            }
            found |= {f"{step.id}.{name}": run.told(name) for name in run.played.results}
            found[f"{step.id}.{DICE}"] = _in_words(run)
        return found

    def _run(self, example_id: str, index: int) -> Run:
        key = (example_id, index)
        if key not in self._runs:
            step = self.ruleset.examples[example_id].steps[index]
            self._runs[key] = self._played(example_id, step)
        return self._runs[key]

    def _played(self, example_id: str, step: ExampleStep) -> Run:
        """A run that has been checked, so that it comes to its end."""
        chosen = self.ruleset.options_of(example_id, step)
        if chosen not in self._programs:
            ruleset = self.ruleset.with_options(chosen).ruleset
            if ruleset is None:
                raise ValueError(f"the example '{example_id}' has not been checked")
            self._programs[chosen] = Programs(ruleset)
        program = self._programs[chosen].get(step.run or "")
        run, _ = play_step(program, step) if program else (None, [])
        if run is None:
            raise ValueError(f"the example '{example_id}' has not been checked")
        return run

    def _view(self, run: Run, step: ExampleStep) -> RunView:
        domains = run.program.domains
        unusual = (_named(domains[name], value) for name, value in run.unusual.items())
        return RunView(
            inputs=(*self._options(step), *unusual),
            throws=tuple(throw for event in run.played.events for throw in _together(event)),
            dice=_in_words(run),
            results=tuple((name.replace("_", " "), run.told(name)) for name in step.gives),
        )

    def _options(self, step: ExampleStep) -> Iterator[str]:
        """What the options are called that a step chooses."""
        for name in step.options or ():
            yield self.ruleset.options[name].title


def _together(event: Event) -> Iterator[ThrowView]:
    """The dice of one step of a procedure, those of one kind together."""
    for sides, thrown in groupby(event.thrown, lambda one: one.dice.sides):
        yield ThrowView(sides, tuple(face for one in thrown for face in one.faces))


def _in_words(run: Run) -> str:
    """6, 4, 3 and 1."""
    return q.join_words((str(face) for face in run.played.dice), "and") or "no dice"


def _told(domain: Domain, value: k.Value) -> str:
    """A value of an input as it stands within a sentence."""
    told = domain.told(value)
    return told.lower() if isinstance(value, bool) else told


def _named(domain: Domain, value: k.Value) -> str:
    """An input and its value in a few words: `figures firing 24`, `range 8–16″`, `first volley`."""
    label, told = domain.label, domain.told(value)
    if isinstance(value, bool):
        return label if value else f"{label}: no"
    if domain.several or label.casefold() in told.casefold():
        return told
    return f"{label} {told}"
