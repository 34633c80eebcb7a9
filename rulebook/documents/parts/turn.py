"""The turn of a ruleset -> in words: its phases, who acts in them, what is gone through again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulebook.documents.parts.binding import Binder, escape_markdown
from rulebook.documents.parts.views import StepsView
from rulebook.model.ruleset import Ruleset
from rulebook.model.sequence_and_examples import SEQUENCE, Phase, Repeat, Step, numbers_of, turn_of
from rulebook.quantities import EN_DASH
from rulebook.translation import gettext, gettext_noop

_ACTING = {
    "active": gettext_noop("by the active side"),
    "other": gettext_noop("by the other side"),
    "together": gettext_noop("by both sides together"),
    "in turn": gettext_noop("by one side after the other"),
    "alternating": gettext_noop("by the sides alternately, a unit at a time"),
}
TITLE = gettext_noop("The turn")


def steps_of(binder: Binder, name: str) -> StepsView:
    """Returns the steps that `{steps: name}` in a text places.

    These are the sentences of a procedure or, if `name` is SEQUENCE, a line for each phase.
    """
    if name != SEQUENCE or name in binder.ruleset.procedures:
        return binder.steps(name)
    return StepsView(name, gettext(TITLE), tuple(TurnWords(binder).phases()))


def of_half_turns(ruleset: Ruleset) -> bool:
    """Whether some phases of the turn are played once for each side, one side after the other."""
    return any(phase.repeat and phase.repeat.each == "side" for phase in ruleset.sequence.values())


@dataclass(frozen=True)
class TurnWords:
    """Describes the turn of the binder's ruleset, in Markdown."""

    binder: Binder

    @property
    def _sequence(self) -> Mapping[str, Phase]:
        return self.binder.ruleset.sequence

    @cached_property
    def _numbers(self) -> dict[str, str]:
        return numbers_of(self._sequence)

    def panel(self, phase_id: str, step_id: str) -> list[str]:
        """Returns the lines of the panel for a step: who acts, what is repeated, and its reminders.

        The panel of the first step of a phase begins with such lines on the whole phase.
        """
        phase = self._sequence[phase_id]
        step = phase.steps[step_id]
        opens = step_id == next(iter(phase.steps))
        sentences = [
            *([gettext(_ACTING[phase.by])] if opens and phase.by else ()),
            *(self._phases_again(phase_id, gettext("this phase")) if opens else ()),
            *([gettext(_ACTING[step.by])] if step.by else ()),
            *self._steps_again(phase, step_id, gettext("this step")),
        ]
        lines = (f"**{_sentence(sentence)}**" for sentence in sentences)
        return [*lines, *map(self.binder.prose, step.say)]

    def _phases_again(self, phase_id: str, alone: str = "") -> Iterator[str]:
        """Yields a phrase on how the phases from this one on are repeated, if they are.

        `alone` is what a single phase is called in it; by default that is its number.
        """
        repeat, first = self._sequence[phase_id].repeat, self._numbers[phase_id]
        if repeat is not None:
            which = alone or gettext("phase %(number)s", number=first)
            if repeat.to not in (None, phase_id):
                last = self._numbers[repeat.to or ""]
                which = gettext("phases %(first)s to %(last)s", first=first, last=last)
            yield self._again(which, repeat)

    def _steps_again(self, phase: Phase, step_id: str, alone: str = "") -> Iterator[str]:
        repeat, first = phase.steps[step_id].repeat, _quoted(phase.steps[step_id])
        if repeat is not None:
            which = alone or first
            if repeat.to not in (None, step_id):
                last = _quoted(phase.steps[repeat.to or ""])
                which = gettext("%(first)s to %(last)s", first=first, last=last)
            yield self._again(which, repeat)

    def _again(self, which: str, repeat: Repeat) -> str:
        if repeat.until is not None:
            until = self.binder.prose(repeat.until).rstrip(".")
            return gettext("%(phases)s again until %(until)s", phases=which, until=until)
        if repeat.times:
            return gettext("%(phases)s %(times)s times in all", phases=which, times=repeat.times)
        if repeat.each == "side":
            return gettext("%(phases)s once for each side", phases=which)
        return gettext("%(phases)s once for each unit", phases=which)

    def phases(self) -> Iterator[str]:
        """Yields a line for each phase of the turn.

        It has the title, who acts, the steps with their rules, and what is repeated.
        """
        for phase_id, phase in turn_of(self._sequence).items():
            acting = f", {gettext(_ACTING[phase.by])}" if phase.by else ""
            steps = ", ".join(self._step(step) for step in phase.steps.values())
            again = [*self._phases_again(phase_id)]
            again += [
                sentence
                for step_id in phase.steps
                for sentence in self._steps_again(phase, step_id)
            ]
            title = escape_markdown(phase.title)
            yield " ".join((f"**{title}**{acting}: {steps}.", *map(_sentence, again)))

    def _step(self, step: Step) -> str:
        place = f"§\u00a0{self.binder.numbers()[step.rule]}" if step.rule else ""
        if place and self.binder.references == "full":
            place = f"[{place}](#{step.rule})"
        acting = f", {gettext(_ACTING[step.by])}" if step.by else ""
        return f"{escape_markdown(step.title)}{acting}{f' ({place})' if place else ''}"

    def line(self) -> str:
        """Describes the turn in one line: its phases, who acts in each, and which are repeated.

        Returns an empty text if the ruleset does not say who acts or what is repeated.
        """
        phases = turn_of(self._sequence)
        if not any(phase.by or phase.repeat for phase in phases.values()):
            return ""
        acting_phases = []
        for name, phase in phases.items():
            acting = f" ({gettext(_ACTING[phase.by])})" if phase.by else ""
            acting_phases.append(
                f"{self._numbers[name]}\u00a0{escape_markdown(phase.title)}{acting}"
            )
        again = (sentence for name in phases for sentence in self._phases_again(name))
        return " ".join(_sentence(sentence) for sentence in ("; ".join(acting_phases), *again))

    def loops(self) -> dict[str, tuple[str, ...]]:
        """Returns, by the last phase of each loop, what is repeated after it: `2–4 each side`.

        An inner loop comes before the outer ones that end with the same phase.
        """
        found: dict[str, tuple[str, ...]] = {}
        for name, phase in self._sequence.items():
            repeat = phase.repeat
            if repeat is None:
                continue
            last = repeat.to or name
            first, end = self._numbers[name], self._numbers[last]
            which = first if name == last else f"{first}{EN_DASH}{end}"
            found[last] = (f"{which} {_shortly(repeat)}", *found.get(last, ()))
        return found


def _shortly(repeat: Repeat) -> str:
    if repeat.times:
        return f"× {repeat.times}"
    if repeat.until is not None:
        return gettext("again")
    return gettext("each side") if repeat.each == "side" else gettext("each unit")


def _quoted(step: Step) -> str:
    return f"“{escape_markdown(step.title)}”"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
