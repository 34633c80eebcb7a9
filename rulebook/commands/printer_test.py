"""`rulebook printer-test`: a paper -> a test print that shows how far a printer errs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.arguments import Pair, file_option, offset_option, paper_option
from rulebook.commands.terminal import write_file

if TYPE_CHECKING:
    from rulebook.imposing.placing import Flip


@click.command("printer-test")
@paper_option("Paper of the test.")
@click.option(
    "--flip",
    type=click.Choice(["long", "short"], case_sensitive=False),
    default="long",
    help="Edge about which your printer turns the sheet.  [default: long, as for cards]",
)
@click.option("--landscape", is_flag=True, help="For cards whose sheets lie landscape.")
@offset_option(
    "What the first test said, such as x=1mm,y=-0.5mm, to see whether it is right.",
)
@file_option(
    "Where to write; '-' for standard output.  [default: printer-test-PAPER.pdf]", default=None
)
@click.pass_context
def printer_test(
    ctx: click.Context,
    *,
    paper: str,
    flip: Flip,
    landscape: bool,
    offset: Pair | None,
    out: Path | None,
) -> None:
    """Find out how far your printer errs, before you print cards and cutouts.

    Two pages for both sides of a sheet: bars of 100 mm and 4 in, and crosses on the back that shine
    through to scales on the front. The sheet says how it is read and what to type then.
    """
    from rulebook.documents.printer_test import printer_test_pdf

    given = {} if offset is None else {"offset": offset}
    data = printer_test_pdf(paper, flip=flip, landscape=landscape, **given)
    write_file(ctx, out or Path(f"printer-test-{paper}.pdf"), data)
