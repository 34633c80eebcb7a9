"""`rulebook map`: the map of a scenario -> a drawing, a page, or sheets to join at a scale."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.build.report import counted
from rulebook.commands.arguments import (
    file_option,
    format_of,
    format_option,
    found,
    ink_option,
    load_ruleset,
    paper_option,
    with_option,
)
from rulebook.commands.terminal import printed, say, write_file, wrong
from rulebook.translation import in_language

if TYPE_CHECKING:
    from rulebook.documents.scenario.maps import MapOrder
    from rulebook.model.ruleset import Ruleset
    from rulebook.paper_and_ink import Ink, PaperName

FORMATS = ("pdf", "svg")
#: The ground alone as large as the table.
MAT = "mat"
LEAST_SCALE = Fraction(1, 100)
MOST_SHEETS = 100


@click.command("map")
@click.argument("ruleset")
@click.argument("scenario")
@click.option(
    "--shows",
    type=click.Choice(["battle", "blank"], case_sensitive=False),
    help="To set up and play by, or the ground with its names alone.  [default: battle]",
)
@click.option(
    "--scale",
    metavar="RATIO",
    help="At this scale of the table, such as 1/12, over as many sheets as it takes; 'mat' for "
    "the ground alone as large as the table.  [default: as large as the paper]",
)
@click.option("--terrain", is_flag=True, help="Hills, woods, roads and rivers to cut out instead.")
@paper_option("Paper of the PDF.", booklets=True)
@format_option(FORMATS, "PDF to print, SVG for screens and plotters.")
@ink_option
@with_option
@file_option()
@click.pass_context
def map_command(
    ctx: click.Context,
    *,
    ruleset: str,
    scenario: str,
    shows: str | None,
    scale: str | None,
    terrain: bool,
    paper: PaperName,
    form: str | None,
    ink: Ink,
    options: tuple[str, ...],
    out: Path,
) -> None:
    """Draw the map of one scenario.

    \b
    rulebook map mygame mill -o map.pdf
    rulebook map mygame mill --scale 1/4 --paper a3 -o table.pdf
    rulebook map mygame mill --scale mat -o mat.svg
    """
    from rulebook.documents.scenario.forces import played
    from rulebook.documents.scenario.maps import MapOrder, grounds_of
    from rulebook.maps.drawing import BATTLE, BLANK
    from rulebook.typeset.environment import with_fonts

    form = form or format_of(out, FORMATS)
    if terrain:
        _expect_alone(shows=shows, scale=scale, form=form)
    if shows is not None and scale == MAT:
        raise wrong("--shows with a mat, which is the ground alone", hint="leave one of them out")
    size = _scale_of(scale)
    loaded = load_ruleset(ctx, ruleset, options)
    name = found("scenario", scenario, loaded.scenarios)
    loaded = played(loaded, name)  # by its rules, whose words stand in the legend
    with in_language(loaded.header.language):
        if terrain:
            data = _terrain(ctx, loaded, name, paper, ink)
        else:
            battle = loaded.scenarios[name]
            grounds = grounds_of(loaded, battle)
            what = BLANK if shows == "blank" else BATTLE
            order = MapOrder(battle, grounds, paper, what, ink, size, scale == MAT)
            view = order.drawing() if form == "svg" else None
            data = with_fonts(view.svg, view.fonts).encode() if view else _pdf(ctx, loaded, order)
    write_file(ctx, out, data)


def _expect_alone(*, shows: str | None, scale: str | None, form: str) -> None:
    if shows is not None or scale is not None:
        given = "--shows" if shows is not None else "--scale"
        raise wrong(
            f"{given} with --terrain, which is cut out at true scale", hint=f"leave {given} out"
        )
    if form != "pdf":
        raise wrong("terrain as SVG", "sheets of paper to cut out", "end the name of FILE in .pdf")


def _scale_of(text: str | None) -> Fraction | None:
    """Parses a scale, such as `1/12`, or `mat`, which is 1.

    Returns None without a text: the map is to be fitted to the paper. Raises click.UsageError if it
    is no ratio or out of range.
    """
    from rulebook.quantities import QuantityError, parse_ratio

    if text is None:
        return None
    if text == MAT:
        return Fraction(1)
    expected = f"from {LEAST_SCALE} to 1, such as 1/12, or '{MAT}'"
    try:
        scale = parse_ratio(text.strip().replace(":", "/"))
    except QuantityError as fault:
        raise wrong(f"'{text[:40]}' is no scale", expected) from fault
    if not LEAST_SCALE <= scale <= 1:
        raise wrong(f"a map at a scale of {text.strip()[:40]}", expected)
    return scale


def _terrain(ctx: click.Context, ruleset: Ruleset, name: str, paper: PaperName, ink: Ink) -> bytes:
    from rulebook.documents.cutouts import draw_sheets
    from rulebook.documents.scenario.handouts import terrain_view

    view = terrain_view(ruleset, name, paper, ink)
    if view.sheets:
        say(ctx, f"{counted(len(view.sheets), 'sheet')} of {paper}", err=True)
    return printed(ctx, lambda: draw_sheets(view))


def _pdf(ctx: click.Context, ruleset: Ruleset, order: MapOrder) -> bytes:
    """Returns the map as a PDF; at a given scale, first prints how many sheets it takes."""
    from rulebook.documents.cutouts import draw_sheets
    from rulebook.documents.scenario.maps import tiled_pdf

    if order.scale is not None:
        _tell_sheets(ctx, order, order.scale)
    view = order.sheets(ruleset)
    draw = draw_sheets if order.scale is None else partial(tiled_pdf, paper=order.paper)
    return printed(ctx, lambda: draw(view))


def _tell_sheets(ctx: click.Context, order: MapOrder, scale: Fraction) -> None:
    from rulebook.documents.scenario.maps import count_sheets

    table = f"a table of {order.scenario.table.width} by {order.scenario.table.depth}"
    try:
        count = count_sheets(*order.size(scale), order.paper)
    except ValueError as fault:
        raise wrong(
            f"{table} at this scale is {fault}",
            f"up to {MOST_SHEETS} sheets",
            "choose a larger paper or a smaller scale, or have its SVG plotted in one piece",
        ) from fault
    say(ctx, f"{table} takes {counted(count, 'sheet')} of {order.paper}", err=True)
