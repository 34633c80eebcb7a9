"""`rulebook roll`: a procedure and its inputs -> one play-through, every step told."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

import click

from rulebook.commands.running import with_option

if TYPE_CHECKING:
    from rulebook.core.kinds import Value
    from rulebook.core.play import Played
    from rulebook.core.program import Program
    from rulebook.model.ruleset import Ruleset

#: Seeds that are chosen by chance are short enough to be typed again.
_SEEDS = 1_000_000


@click.command()
@click.argument("ruleset")
@click.argument("procedure", required=False, metavar="PROCEDURE")
@click.argument("inputs", nargs=-1, metavar="[INPUT=VALUE]...")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="The same seed throws the same dice.  [default: by chance, and told]",
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
    """Play a procedure once, every step told.

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
    from rulebook.commands.running import load_program, load_ruleset, read_settings, wrong

    faces = None if dice is None else _faces(dice)
    if faces is not None and seed is not None:
        raise wrong("--seed and --dice together", "one of them")
    loaded = load_ruleset(ctx, ruleset, options)
    program = load_program(ctx, loaded, procedure)
    settings = read_settings(program, inputs, sweeps=False)
    if faces is None and seed is None:
        seed = random.SystemRandom().randrange(_SEEDS)
    played = _played(ctx, loaded, program, settings.one(), seed=seed, faces=faces)
    if as_json:
        told = _as_json(loaded, program, settings.one(), seed, played)
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
        return
    from rulebook.commands.columns import terminal
    from rulebook.commands.play_lines import told_play
    from rulebook.commands.running import told_settings

    for line in told_settings(loaded, program, settings):
        click.echo(line)
    if played.dice and faces is None:
        click.echo(f"  --seed {seed} repeats this; so does --dice {_listed(played.dice)}")
    for line in told_play(loaded, program, played, terminal()):
        click.echo(line)


def _faces(text: str) -> list[int]:
    """`3,5,6` or `3 5 6`; nothing is no dice. Raises click.UsageError."""
    from rulebook.commands.running import wrong

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
    inputs: dict[str, Value],
    *,
    seed: int | None,
    faces: list[int] | None,
) -> Played:
    from rulebook.commands.running import fail, wrong
    from rulebook.core.faults import RunFault
    from rulebook.core.odds import FaultyProcedure
    from rulebook.core.play import ScriptFault
    from rulebook.core.rolling import rolled

    try:
        program.admit(inputs)
    except RunFault as fault:
        raise wrong(fault.message) from fault
    try:
        return rolled(ruleset, program, inputs, seed=seed, dice=faces)
    except ScriptFault as fault:
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
    inputs: dict[str, Value],
    seed: int | None,
    played: Played,
) -> dict[str, object]:
    from rulebook.commands.play_lines import kinds_of, sentence
    from rulebook.commands.running import as_json_head
    from rulebook.core.domains import plain_of
    from rulebook.core.kinds import Mixed
    from rulebook.documents.parts.binding import Binder

    binder = Binder(ruleset)
    kinds = kinds_of(program)
    return {
        **as_json_head(ruleset, program, inputs),
        "seed": seed,
        "steps": [
            {
                "say": sentence(binder, event) or None,
                "depth": event.depth,
                "pass": event.number,
                "dice": [{"dice": str(one.dice), "faces": list(one.faces)} for one in event.thrown],
                "sets": {
                    name: plain_of(value, kinds.get((event.address, name), Mixed()))
                    for name, value in event.bound.items()
                },
            }
            for event in played.events
        ],
        "dice": list(played.dice),
        "results": {
            name: plain_of(value, program.results[name].kind)
            for name, value in played.results.items()
        },
    }
