"""Options that several commands have -> what was typed in them, or a fault of usage."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulebook.commands.usage_faults import wrong
from rulebook.paper_and_ink import PAPERS
from rulebook.quantities import MILLIMETRES, QuantityError, join_words, parse_number

if TYPE_CHECKING:
    from rulebook.model.lengths import Lengths

Command = TypeVar("Command", bound=Callable[..., Any])
#: Across and up, in millimetres.
Pair = tuple[Fraction, Fraction]
MOST_OFFSET = 10
METAVAR = "x=..,y=.."
STDOUT = Path("-")

with_option = click.option(
    "--with",
    "options",
    multiple=True,
    metavar="OPTION",
    help="With this optional rule, as often as wanted.",
)
#: Of every command that draws one file.
ink_option = click.option(
    "--ink",
    type=click.Choice(["full", "low"], case_sensitive=False),
    default="full",
    help="Low ink has no tints.  [default: full]",
)


def output_option(what: str) -> Callable[[Command], Command]:
    """`--out`: the output folder."""
    folder = click.Path(path_type=Path)
    text = f"{what}  [default: ./output]"
    return click.option("--out", type=folder, default=Path("output"), help=text)


def file_option(
    what: str = "Where to write; '-' for standard output.", **more: Any
) -> Callable[[Command], Command]:
    """`-o`: the one file that a command writes; without more it has to be given."""
    file = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
    more = more or {"required": True}
    return click.option("-o", "--out", type=file, metavar="FILE", help=what, **more)


def paper_option(what: str, *, booklets: bool = False) -> Callable[[Command], Command]:
    """`--paper`, A4 by default; those of small `booklets` only where it says so."""
    names = [name for name, paper in PAPERS.items() if booklets or paper.booklet != "a5"]
    papers = click.Choice(names, case_sensitive=False)
    return click.option("--paper", type=papers, default="a4", help=f"{what}  [default: a4]")


def format_option(formats: Sequence[str], what: str) -> Callable[[Command], Command]:
    """`--format`, as `form`; `format_of` tells it where it is not given."""
    choice = click.Choice(formats, case_sensitive=False)
    text = f"{what}  [default: by the ending of FILE]"
    return click.option("--format", "form", type=choice, help=text)


def format_of(out: Path, formats: Sequence[str]) -> str:
    """What the name of a file ends in; SVG for standard output.

    Raises click.UsageError where it is none of the formats.
    """
    ending = out.suffix.lower().removeprefix(".")
    if out == STDOUT:
        return "svg"
    if ending not in formats:
        endings = join_words((f".{one}" for one in formats), "or")
        raise click.UsageError(
            f"'{out}' does not say which format is meant\n"
            f"end its name in {endings}, or give --format"
        )
    return ending


def verbosity_options(command: Command) -> Command:
    """`-q` and `-v` after a command: the same as before it, where most people write them last."""
    verbose = click.option(
        "-v", "--verbose", count=True, expose_value=False, callback=_set, help="Tell more."
    )
    quiet = click.option(
        "-q", "--quiet", is_flag=True, expose_value=False, callback=_set, help="Tell faults only."
    )
    return quiet(verbose(command))


def _set(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    """What is given after the command adds to what is given before it; quiet beats verbose."""
    if not value:
        return
    quiet = parameter.name == "quiet" or ctx.obj["verbosity"] < 0
    ctx.obj["verbosity"] = -1 if quiet else ctx.obj["verbosity"] + value


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

    given: dict[str, Any] = {}
    try:
        if scale is not None:
            parse_scale(scale)
            given["scale"] = scale
        for text in listed(read):
            unit, equals, length = (part.strip() for part in text.partition("="))
            if not equals:
                raise wrong(f"'{text[:40]}' reads nothing", "UNIT=LENGTH, such as in=cm")
            if unit in given.setdefault("read", {}):
                raise wrong(f"'{unit}' is read twice", "each length unit once")
            parse_read(unit, length)
            given["read"][unit] = length
        units: set[str] = set()
        for text in listed(steps):
            step = parse_step(text)
            if step.unit in units:
                raise wrong(f"two steps in {step.unit}", "one for each length unit")
            units.add(step.unit)
            given.setdefault("round", []).append(text)
    except QuantityError as fault:
        raise wrong(fault.message, fault.expected, fault.hint) from fault
    lengths = Lengths.model_validate(given)
    return None if lengths.idle else lengths


def listed(texts: Sequence[str]) -> list[str]:
    """What an option is given, one by one: `a,b` is two."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


_ON_AXIS = re.compile(r"([xy]) ?= ?([-+−]?)([0-9./ ]*[0-9]) ?(mm|cm|in)")


class Offset(click.ParamType):  # type: ignore[type-arg]  # not generic in every click
    """`x=1mm,y=-0.5mm` -> how far what stands on a back is moved to the right and up, exactly."""

    name = METAVAR

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Pair:
        parts = [_ON_AXIS.fullmatch(part.strip()) for part in value.lower().split(",")]
        lengths = {match[1]: _signed_length(match) for match in parts if match}
        x, y = lengths.get("x"), lengths.get("y")
        if len(parts) != len(lengths) or x is None or y is None:
            raise click.BadParameter(f"'{value[:40]}' is no offset\nwrite it as x=1mm,y=-0.5mm")
        if max(abs(x), abs(y)) > MOST_OFFSET:
            raise click.BadParameter(f"that is more than any printer errs, {MOST_OFFSET} mm")
        return x, y


def _signed_length(match: re.Match[str]) -> Fraction | None:
    """Millimetres; None where the number is none."""
    number = parse_number(match[3].strip())
    if number is None:
        return None
    length = number * MILLIMETRES[match[4]]
    return -length if match[2] in ("-", "−") else length


OFFSET = Offset()
