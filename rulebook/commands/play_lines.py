"""A play-through -> the lines that `rulebook roll` prints: every step, its dice, what it sets."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rulebook.commands.columns import Look
from rulebook.core import kinds as k
from rulebook.core.odds import told_outcome
from rulebook.core.play import Event, Played, Thrown
from rulebook.core.program import Assign, Chosen, Program, Run, all_steps
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.model.ruleset import Address, Ruleset

_INDENT = "  "


def told_play(ruleset: Ruleset, program: Program, played: Played, look: Look) -> Iterator[str]:
    """The steps in order, what stands in repetitions further in; then the results."""
    teller = _Teller(Binder(ruleset), look, kinds_of(program))
    yield ""
    yield from teller.steps(played.events, "")
    yield ""
    width = max(map(len, played.results), default=0)
    for name, value in played.results.items():
        yield f"{name.ljust(width)}  {told_outcome(value, program.results[name].kind)}"


class _Teller:
    """Tells the steps of one play."""

    def __init__(
        self, binder: Binder, look: Look, kinds: Mapping[tuple[Address, str], k.Kind]
    ) -> None:
        self.binder = binder
        self.look = look
        self.kinds = kinds

    def steps(self, events: Sequence[Event], indent: str) -> Iterator[str]:
        """Steps of one depth, each with the deeper ones that follow it; passes have a head."""
        for number, several in groupby(events, _pass_of(events)):
            passed = list(several)
            if not number:
                yield from self._passed(passed, indent)
            elif any(event.say or event.depth > passed[0].depth for event in passed):
                yield f"{indent}pass {number}"
                yield from self._passed(passed, indent + _INDENT)
            else:
                facts = "; ".join(fact for event in passed for fact in self._facts(event))
                yield from self._wrapped(f"pass {number}: {facts or 'nothing'}", indent)

    def _passed(self, events: Sequence[Event], indent: str) -> Iterator[str]:
        """Steps of one pass; those without a sentence share a line below the sentence before."""
        depth = events[0].depth
        starts = [index for index, event in enumerate(events) if event.depth == depth]
        below = indent
        quiet: list[str] = []
        for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
            event, inside = events[start], events[start + 1 : end]
            said = sentence(self.binder, event)
            if said or inside:
                yield from self._wrapped("; ".join(quiet), below)
                quiet = []
            if said:
                yield from self._wrapped(said, indent)
                below = indent + _INDENT
            if inside:
                yield from self.steps(inside, indent + _INDENT if said else indent)
            quiet += self._facts(event)
            if inside:
                yield from self._wrapped("; ".join(quiet), below)
                quiet = []
        yield from self._wrapped("; ".join(quiet), below)

    def _facts(self, event: Event) -> list[str]:
        """The dice that fell and the names that were set."""
        sets = (
            f"{name} = {told_value(value, self.kinds.get((event.address, name), k.Mixed()))}"
            for name, value in event.bound.items()
        )
        return [*_dice(event.thrown), *sets]

    def _wrapped(self, text: str, indent: str) -> list[str]:
        """Lines as wide as the terminal; a name and its value stay together."""
        lines = textwrap.wrap(
            text.replace(" = ", "\0=\0"),
            self.look.width,
            initial_indent=indent,
            subsequent_indent=indent,
        )
        return [line.replace("\0", " ") for line in lines]


def _pass_of(events: Sequence[Event]) -> Any:
    """For each event the number of its pass, deeper ones counting with the step around them."""
    depth = events[0].depth if events else 0
    number = 0

    def key(event: Event) -> int:
        nonlocal number
        number = event.number if event.depth == depth else number
        return number

    return key


def sentence(binder: Binder, event: Event) -> str:
    """What the players are told, as plain text; nothing of a step without a sentence."""
    return plain_text(binder.prose(event.say))


def _dice(thrown: Sequence[Thrown]) -> list[str]:
    """`d6 [3] [5]`: like dice together, each throw in brackets."""
    told = []
    for dice, fallen in groupby(thrown, lambda one: str(one.dice)):
        told.append(" ".join([dice, *(f"[{' '.join(map(str, one.faces))}]" for one in fallen)]))
    return told


def told_value(value: Any, kind: k.Kind) -> str:
    """A value of any kind, as a player reads it."""
    if isinstance(value, tuple | frozenset):
        return ", ".join(told_value(one, kind) for one in sorted(value)) or "none"
    return told_outcome(value, kind)


def kinds_of(program: Program) -> dict[tuple[Address, str], k.Kind]:
    """By step and name: what kind of value it sets, where that is seen in how it is told."""
    return dict(_kinds(program))


def _kinds(program: Program) -> Iterator[tuple[tuple[Address, str], k.Kind]]:
    for step in all_steps(program.steps):
        if isinstance(step, Assign):
            yield (step.address, step.name), step.value.kind
        elif isinstance(step, Chosen):
            yield from (((step.address, name), program.domains[name].kind) for name in step.names)
        elif isinstance(step, Run):
            yield from _kinds(step.program)
            for name, result in step.take.items():
                yield (step.address, name), step.program.results[result].kind
