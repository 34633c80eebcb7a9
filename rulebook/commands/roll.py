"""`rulebook roll`: a procedure and its inputs -> one play-through, step by step."""

from __future__ import annotations

import json
import random
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import click

from rulebook.commands.arguments import load_ruleset, with_option
from rulebook.commands.procedure_inputs import (
    load_program,
    read_settings,
    settings_text,
)
from rulebook.commands.terminal import TerminalLook, fail, terminal, usage, wrong
from rulebook.core import value_types
from rulebook.core.browser_programs import labels_of
from rulebook.core.input_domains import plain
from rulebook.core.odds import FaultyProcedure, asked
from rulebook.core.play import rolled
from rulebook.core.procedure_faults import FaultAt
from rulebook.core.programs import Event, FallenDice, Played, Program
from rulebook.core.value_types import outcome_text
from rulebook.documents.parts.binding import Binder
from rulebook.model.ruleset import Address, Ruleset

_INDENT = "  "


def play_lines(
    ruleset: Ruleset, program: Program, played: Played, look: TerminalLook
) -> Iterator[str]:
    """Yields the lines about a play of a procedure: its steps in order, then its results.

    Steps of repetitions are indented.
    """
    teller = _Teller(Binder(ruleset), look, _kinds(program))
    yield ""
    yield from teller.steps(played.events, "")
    yield ""
    called = {name: result.called(name) for name, result in program.results.items()}
    width = max(map(len, called.values()), default=0)
    for name, value in played.results.items():
        yield f"{called[name].ljust(width)}  {outcome_text(value, program.results[name].kind)}"


class _Teller:
    """Writes the lines for the steps of one play.

    `kinds` has the kind of each value that steps set, by the step's address and the name.
    """

    def __init__(
        self,
        binder: Binder,
        look: TerminalLook,
        kinds: Mapping[tuple[Address, str], value_types.Kind],
    ) -> None:
        self.binder = binder
        self.look = look
        self.kinds = kinds

    def steps(self, events: Sequence[Event], indent: str) -> Iterator[str]:
        """Yields the lines for some steps and those within them, pass by pass of a repetition.

        A pass has a heading, or is a single line if none of its steps has a sentence.
        """
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
        """Yields the lines for the steps of one pass of a repetition, or of a plain sequence.

        Dice and values of steps without a sentence are joined in a line below the last sentence.
        """
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
        """Returns texts about a step: the dice that it threw, and the values that it set."""
        kinds, mixed = self.kinds, value_types.MixedKind()
        sets = (
            f"{name} = {outcome_text(value, kinds.get((event.address, name), mixed))}"
            for name, value in event.bound.items()
        )
        return [*_dice(event.thrown), *sets]

    def _wrapped(self, text: str, indent: str) -> list[str]:
        """Breaks text into indented lines of the terminal's width, never within `name = value`."""
        lines = textwrap.wrap(
            text.replace(" = ", "\0=\0"),
            self.look.width,
            initial_indent=indent,
            subsequent_indent=indent,
        )
        return [line.replace("\0", " ") for line in lines]


def _pass_of(events: Sequence[Event]) -> Any:
    """Returns a key function by which `groupby` groups events into the passes of a repetition.

    The key is the number of the pass; an event deeper than the first one has that of the step
    around it. Events must be passed in order.
    """
    depth = events[0].depth if events else 0
    number = 0

    def key(event: Event) -> int:
        nonlocal number
        number = event.number if event.depth == depth else number
        return number

    return key


def sentence(binder: Binder, event: Event) -> str:
    """Returns the sentence of a step as plain text for the players; empty if it has none."""
    return binder.plain(event.say)


def _dice(thrown: Sequence[FallenDice]) -> list[str]:
    """Returns texts such as `d6 [3] [5]`, one for consecutive throws of the same dice."""
    texts = []
    for dice, fallen in groupby(thrown, lambda throw: str(throw.dice)):
        faces = (f"[{' '.join(map(str, throw.faces))}]" for throw in fallen)
        texts.append(" ".join([dice, *faces]))
    return texts


#: Random seeds are below this, so that they are short enough to type.
_SEEDS = 1_000_000


@click.command()
@click.argument("ruleset")
@click.argument("procedure", required=False, metavar="PROCEDURE")
@click.argument("inputs", nargs=-1, metavar="[INPUT=VALUE]...")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="The same seed throws the same dice.  [default: by chance, and shown]",
)
@click.option("--dice", metavar="3,5,6", help="These dice instead, in the order of the play.")
@click.option("--json", "as_json", is_flag=True, help="For programs; the form is stable.")
@with_option
@click.pass_context
def roll(
    ctx: click.Context,
    *,
    ruleset: str,
    procedure: str | None,
    inputs: tuple[str, ...],
    options: tuple[str, ...],
    seed: int | None,
    dice: str | None,
    as_json: bool,
) -> None:
    """Play a procedure once, step by step.

    \b
    rulebook roll mygame shots range=6-12in
    rulebook roll mygame shots figures=3 conditions=moved --dice 6,3,5

    \b
    The JSON form is stable:
      {"ruleset", "edition", "procedure", "inputs": {name: value}, "seed": N or null,
       "steps": [{"say", "depth", "pass", "dice": [{"dice": "d6", "faces": [3]}],
         "sets": {name: value}}],
       "dice": [3, ...], "results": {name: value}}
    With options there is "options": [id].
    """

    faces = None if dice is None else _faces(dice)
    if faces is not None and seed is not None:
        raise wrong("--seed and --dice together", "one of them")
    loaded = load_ruleset(ctx, ruleset, options)
    program = load_program(ctx, loaded, procedure)
    settings = read_settings(program, inputs, sweeps=False)
    (given,) = settings.sets()
    if faces is None and seed is None:
        seed = random.SystemRandom().randrange(_SEEDS)
    played = _played(ctx, loaded, program, given, seed=seed, faces=faces)
    if as_json:
        played_json = _as_json(loaded, program, given, seed, played)
        click.echo(json.dumps(played_json, ensure_ascii=False, indent=1))
        return

    for line in settings_text(loaded, program, settings):
        click.echo(line)
    if played.dice and faces is None:
        click.echo(f"  --seed {seed} repeats this; so does --dice {_listed(played.dice)}")
    for line in play_lines(loaded, program, played, terminal()):
        click.echo(line)


def _faces(text: str) -> list[int]:
    """Parses the faces of thrown dice, `3,5,6` or `3 5 6`. Raises click.UsageError."""

    faces = []
    for part in re.split(r"\s*,\s*|\s+", text.strip()) if text.strip() else ():
        if not re.fullmatch(r"[0-9]{1,6}", part):
            raise wrong(
                f"'{part[:40]}' is no face of a die" if part else "no face between two commas",
                "numbers with commas, such as --dice 3,5,6",
            )
        faces.append(int(part))
    return faces


def _played(
    ctx: click.Context,
    ruleset: Ruleset,
    program: Program,
    inputs: dict[str, value_types.Value],
    *,
    seed: int | None,
    faces: list[int] | None,
) -> Played:
    with usage():
        program.admit(inputs)
    try:
        return rolled(ruleset, program, inputs, seed=seed, dice=faces)
    except FaultAt as fault:
        raise wrong(
            fault.message, fault.expected, "roll once without --dice to see which dice fall"
        ) from fault
    except FaultyProcedure as faulty:
        fail(ctx, faulty.problems)


def _listed(dice: tuple[int, ...]) -> str:
    return ",".join(map(str, dice[:20])) + (",..." if len(dice) > 20 else "")


def _as_json(
    ruleset: Ruleset,
    program: Program,
    inputs: dict[str, value_types.Value],
    seed: int | None,
    played: Played,
) -> dict[str, object]:
    binder = Binder(ruleset)
    kinds = _kinds(program)
    return {
        **asked(ruleset, program, inputs),
        "seed": seed,
        "steps": [
            {
                "say": sentence(binder, event) or None,
                "depth": event.depth,
                "pass": event.number,
                "dice": [
                    {"dice": str(throw.dice), "faces": list(throw.faces)} for throw in event.thrown
                ],
                "sets": {
                    name: plain(value, kinds.get((event.address, name)))
                    for name, value in event.bound.items()
                },
            }
            for event in played.events
        ],
        "dice": list(played.dice),
        "results": {
            name: plain(value, program.results[name].kind) for name, value in played.results.items()
        },
    }


def _kinds(program: Program) -> dict[tuple[Address, str], value_types.Kind]:
    """Returns the kind of each value that steps set, by the address of the step and the name."""
    return {key: label.kind for key, label in labels_of(program).items()}
