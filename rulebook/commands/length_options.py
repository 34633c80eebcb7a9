"""`--scale 1/2 --read in=cm --round 0.5cm` -> how all lengths are turned, or a fault of usage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulebook.commands.procedure_inputs import wrong

if TYPE_CHECKING:
    from rulebook.model.lengths import Lengths

Command = TypeVar("Command", bound=Callable[..., Any])


def length_options(command: Command) -> Command:
    """`--scale`, `--read` and `--round`, as `scale`, `read` and `steps`."""
    for option in (
        click.option(
            "--round",
            "steps",
            multiple=True,
            metavar="STEP",
            help="Lengths of its unit to the nearest step, halves up: 0.5cm.",
        ),
        click.option(
            "--read",
            multiple=True,
            metavar="UNIT=LENGTH",
            help="Read each inch as a centimetre, in=cm, or as so many, in=2.5cm.",
        ),
        click.option(
            "--scale",
            metavar="RATIO",
            help="For other figures: all lengths of the game times this, such as 1/2. Wood, card "
            "and markers stay.",
        ),
    ):
        command = option(command)
    return command


def read_lengths(scale: str | None, read: Sequence[str], steps: Sequence[str]) -> Lengths | None:
    """How lengths are turned; None where they stay. Raises click.UsageError."""
    if scale is None and not read and not steps:
        return None
    from rulebook.model.lengths import Lengths, parse_read, parse_scale, parse_step
    from rulebook.quantities import QuantityError

    given: dict[str, Any] = {}
    try:
        if scale is not None:
            parse_scale(scale)
            given["scale"] = scale
        for text in _listed(read):
            unit, equals, length = (part.strip() for part in text.partition("="))
            if not equals:
                raise wrong(f"'{text[:40]}' reads nothing", "UNIT=LENGTH, such as in=cm")
            if unit in given.setdefault("read", {}):
                raise wrong(f"'{unit}' is read twice", "each length unit once")
            parse_read(unit, length)
            given["read"][unit] = length
        units: set[str] = set()
        for text in _listed(steps):
            step = parse_step(text)
            if step.unit in units:
                raise wrong(f"two steps in {step.unit}", "one for each length unit")
            units.add(step.unit)
            given.setdefault("round", []).append(text)
    except QuantityError as fault:
        raise wrong(fault.message, fault.expected, fault.hint) from fault
    lengths = Lengths.model_validate(given)
    return None if lengths.idle else lengths


def _listed(texts: Sequence[str]) -> list[str]:
    """`a,b` is two."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]
