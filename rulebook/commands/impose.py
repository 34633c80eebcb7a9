"""`rulebook impose`: a finished PDF -> its pages on sheets, to fold, to cut or to join."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.options import out_option, paper_option
from rulebook.commands.usage_faults import write_file

if TYPE_CHECKING:
    from rulebook.imposing.arrangements import Arrangement


def _finite(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """A range of numbers lets through what is no number."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not in the range 0<=x<=1.")
    return value


@click.command()
@click.argument("pages", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--as",
    "arrangement",
    type=click.Choice(["booklet", "two-up", "twice", "poster"], case_sensitive=False),
    default="booklet",
    help="Folded in the middle; two pages on a side; each twice, to cut; or large pages over "
    "several sheets, to join.  [default: booklet]",
)
@paper_option("Paper of the sheets.")
@click.option(
    "--signature",
    type=click.IntRange(min=1),
    metavar="SHEETS",
    help="Sheets that are folded together, to sew thick booklets.  [default: all]",
)
@click.option(
    "--creep",
    type=click.FloatRange(min=0, max=1),
    callback=_finite,
    metavar="MM",
    help="How far the pages of a sheet move to the fold beyond those around it.  [default: 0.1]",
)
@out_option
@click.pass_context
def impose(
    ctx: click.Context,
    *,
    pages: Path,
    arrangement: Arrangement,
    paper: str,
    signature: int | None,
    creep: float | None,
    out: Path,
) -> None:
    """Put the pages of a PDF on sheets of paper, at their own size.

    \b
    rulebook impose booklet-a5.pdf --signature 4 -o to-sew.pdf
    rulebook impose map.pdf --as poster --paper letter -o map-letter.pdf
    """
    from rulebook.imposing.arrangements import CREEP, arrange
    from rulebook.imposing.placing import exact

    if arrangement != "booklet" and (signature is not None or creep is not None):
        raise click.UsageError("--signature and --creep are for booklets")
    try:
        arranged = arrange(
            pages.read_bytes(),
            arrangement,
            paper,
            title=f"{pages.stem}, {arrangement}",
            sheets_a_signature=signature,
            creep=CREEP if creep is None else exact(creep),
        )
    except (OSError, ValueError) as fault:
        raise click.ClickException(f"{pages.as_posix()}: {fault}") from fault
    write_file(ctx, out, arranged.data)
    if ctx.obj["verbosity"] >= 0:
        sheets = "1 sheet" if arranged.sheets == 1 else f"{arranged.sheets} sheets"
        turned = ", both sides, flipped on the short edge" if arranged.duplex else ""
        click.echo(f"{sheets} of {paper}{turned}", err=True)
