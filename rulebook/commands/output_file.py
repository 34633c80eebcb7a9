"""The bytes of one file -> where the user wants them, and a line that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from rulebook.problems import Problem, Report, format_report
from rulebook.quantities import join_words

STDOUT = Path("-")

#: The option of every command that writes the one file that it is told to.
out_option = click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    required=True,
    metavar="FILE",
    help="Where to write; '-' for standard output.",
)

#: The option of every command that draws one file.
ink_option = click.option(
    "--ink",
    type=click.Choice(["full", "low"], case_sensitive=False),
    default="full",
    help="Low ink has no tints.  [default: full]",
)


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


def write_file(ctx: click.Context, out: Path, data: bytes) -> None:
    """Write whole or not at all, to standard output for '-'; ends with 1 where it cannot be."""
    from rulebook.build.publish import unwritten, write_whole

    if out == STDOUT:
        click.echo(data, nl=False)
        return
    try:
        write_whole(out, data)
    except OSError as fault:
        tell(replace(unwritten(out, fault), hint="choose another with -o"))
        ctx.exit(1)
    if ctx.obj["verbosity"] >= 0:
        click.echo(f"wrote {out.as_posix()}")


def tell(*problems: Problem) -> None:
    """Faults, on standard error."""
    click.echo(format_report(Report(list(problems))), err=True)
