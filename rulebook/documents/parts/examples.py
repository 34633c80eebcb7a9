"""Worked examples -> what booklet and sheet print of them: words, dice as thrown, what they give.

What prints is what is played: each run takes its inputs, dice and results from the rules core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TypeVar

from rulebook import quantities
from rulebook.core.input_domains import row_texts
from rulebook.core.play import PlayedExample, play_step
from rulebook.core.procedures import Programs
from rulebook.core.programs import Event
from rulebook.core.value_types import ConditionsKind, FlagKind, WordKind
from rulebook.documents.parts import views
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.charts import CONDITIONS
from rulebook.model.ruleset import Ruleset
from rulebook.model.sequence_and_examples import DICE, Example, ExampleStep
from rulebook.translation import gettext


@dataclass(slots=True)
class ExampleComposer:
    """Plays the examples of one ruleset, each run once, and puts them into words."""

    binder: Binder
    _programs: dict[tuple[str, ...], Programs] = field(default_factory=dict)
    _runs: dict[tuple[str, int], PlayedExample] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        return self.binder.ruleset

    def whole(self, example_id: str) -> views.ExampleView:
        """Composes a whole example, with the values that were played in place of bindings.

        Its runs are played first; raises ValueError if one has faults.
        """
        example, known = self.ruleset.examples[example_id], self.known(example_id)
        binder = self._teller(example_id)
        steps = (
            views.ExampleStepView(
                binder.prose(step.say, known), self._view(example_id, index) if step.run else None
            )
            for index, step in enumerate(example.steps)
        )
        return views.ExampleView(
            example_id,
            example.title,
            binder.prose(example.situation, known),
            tuple(steps),
            binder.prose(example.outcome, known),
        )

    def short(self, example_id: str) -> views.ShortExampleView:
        """Composes what the sheet prints of an example: its title and its runs."""
        example = self.ruleset.examples[example_id]
        return views.ShortExampleView(
            example_id,
            example.title,
            tuple(self._view(example_id, index) for index in example.runs),
        )

    def known(self, example_id: str) -> Mapping[str, str]:
        """Returns the values to which the text of an example can refer, by names like `first.dice`.

        These are the inputs, results and dice of its runs that have an id. A result takes
        precedence over an input of the same name.
        """
        example: Example = self.ruleset.examples[example_id]
        found: dict[str, str] = {}
        for index, step in example.runs.items():
            if step.id is None:
                continue
            run = self._run(example_id, index)
            words = _RunWords(run, self._binder(example_id, step))
            found |= {f"{step.id}.{name}": words.value(name) for name in run.inputs}
            found |= {f"{step.id}.{name}": run.text(name) for name in run.played.results}
            found[f"{step.id}.{DICE}"] = words.dice()
        return found

    def _run(self, example_id: str, index: int) -> PlayedExample:
        key = (example_id, index)
        if key not in self._runs:
            step = self.ruleset.examples[example_id].steps[index]
            self._runs[key] = self._played(example_id, step)
        return self._runs[key]

    def _binder(self, example_id: str, step: ExampleStep) -> Binder:
        """Returns a binder for the ruleset with the options with which a step is played."""
        ruleset = self.ruleset.with_options(self.ruleset.options_of(example_id, step)).ruleset
        return replace(self.binder, ruleset=_sound(ruleset, example_id))

    def _teller(self, example_id: str) -> Binder:
        """Returns the binder for the text of an example.

        If all runs of the example have the same options, it shows values with these in force.
        """
        example = self.ruleset.examples[example_id]
        played = {self.ruleset.options_of(example_id, step) for step in example.runs.values()}
        if len(played) != 1 or played == {self.ruleset.chosen}:
            return self.binder
        values = self.ruleset.with_options(*played).ruleset
        return replace(self.binder, values=_sound(values, example_id))

    def _played(self, example_id: str, step: ExampleStep) -> PlayedExample:
        """Plays the run of a step with its options; raises ValueError if it has faults."""
        chosen = self.ruleset.options_of(example_id, step)
        if chosen not in self._programs:
            self._programs[chosen] = Programs(self._binder(example_id, step).ruleset)
        program = self._programs[chosen].get(step.run or "")
        return _sound(play_step(program, step)[0] if program else None, example_id)

    def _view(self, example_id: str, index: int) -> views.RunView:
        run, step = self._run(example_id, index), self.ruleset.examples[example_id].steps[index]
        words = _RunWords(run, self._binder(example_id, step))
        return views.RunView(
            inputs=(*self._options(step), *map(words.input, run.unusual(step.gives))),
            throws=tuple(throw for event in run.played.events for throw in _together(event)),
            dice=words.dice(),
            results=tuple((run.title(name), run.text(name)) for name in step.gives),
        )

    def _options(self, step: ExampleStep) -> Iterator[str]:
        """Yields the titles of the options that a step chooses."""
        for name in step.options or ():
            yield self.ruleset.options[name].title


def _together(event: Event) -> Iterator[views.ThrowView]:
    """Yields the dice thrown in an event, grouped where successive ones have equally many sides."""
    for sides, thrown in groupby(event.thrown, lambda throw: throw.dice.sides):
        yield views.ThrowView(sides, tuple(face for throw in thrown for face in throw.faces))


Found = TypeVar("Found")


def _sound(found: Found | None, example_id: str) -> Found:
    if found is None:
        raise ValueError(f"the example '{example_id}' has not been checked")
    return found


@dataclass(frozen=True, slots=True)
class _RunWords:
    """Puts a run into words."""

    run: PlayedExample
    binder: Binder

    def dice(self) -> str:
        """Returns the faces that were thrown as text, "6, 4, 3 and 1", or "no dice"."""
        return quantities.join_words(
            (str(face) for face in self.run.played.dice), "and"
        ) or gettext("no dice")

    def value(self, name: str) -> str:
        """Returns the value of an input as text that can stand inside a sentence."""
        domain, value = self.run.program.domains[name], self.run.inputs[name]
        if isinstance(domain.kind, ConditionsKind):
            return quantities.join_words(self.conditions(name), "and") or gettext("none")
        text = domain.title_of(value)
        return text.lower() if isinstance(value, bool) else text

    def conditions(self, name: str) -> list[str]:
        """Returns the texts of the modifiers that the value of an input names.

        Returns none if the input is not one of conditions.
        """
        kind, value = self.run.program.domains[name].kind, self.run.inputs[name]
        if not isinstance(kind, ConditionsKind) or not isinstance(value, tuple):
            return []
        rows = self.binder.ruleset.modifiers[kind.table].data
        return row_texts(value, lambda row: self.binder.plain(rows[row].when))

    def input(self, name: str) -> str:
        """Returns the label and value of an input as text: `Figures firing: 24`.

        The label stands alone if it is a condition that holds, as in `First volley`, and the value
        if it contains the label.
        """
        domain, text = self.run.program.domains[name], self.value(name)
        if isinstance(domain.kind, FlagKind) and self.run.inputs[name]:
            return domain.label
        if isinstance(domain.kind, WordKind) and domain.label.casefold() in text.casefold():
            return text
        return f"{domain.label}: {CONDITIONS.join(self.conditions(name)) or text}"
