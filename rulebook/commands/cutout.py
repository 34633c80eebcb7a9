"""`rulebook cutout`: one cutout of a ruleset -> a PDF, SVG or DXF file at true scale."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

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
from rulebook.commands.terminal import printed, usage, write_file
from rulebook.translation import in_language

if TYPE_CHECKING:
    from rulebook.model.ruleset import Ruleset
    from rulebook.paper_and_ink import Ink, PaperName

FORMATS = ("pdf", "svg", "dxf")


@click.command()
@click.argument("ruleset")
@click.argument("cutout")
@paper_option("Paper of the PDF; a large cutout is tiled over sheets.")
@format_option(FORMATS, "PDF to print, SVG or DXF for cutters.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another length or number, such as length=28in or zones.near.to=6in.",
)
@click.option(
    "--scale",
    metavar="RATIO",
    help="For other figures, such as 1/2: lengths of the game times this, after --set; rods and "
    "the width of sticks stay. What no ruler shows is given to a hundredth.",
)
@ink_option
@with_option
@file_option()
@click.pass_context
def cutout(
    ctx: click.Context,
    *,
    ruleset: str,
    cutout: str,
    paper: PaperName,
    form: str | None,
    settings: tuple[str, ...],
    scale: str | None,
    ink: Ink,
    options: tuple[str, ...],
    out: Path,
) -> None:
    """Draw one cutout at true scale.

    \b
    rulebook cutout mygame grapeshot -o cone.pdf
    rulebook cutout mygame grapeshot --set length=12in -o cone.svg
    rulebook cutout mygame grapeshot --scale 1/2 -o cone.pdf
    """
    form = form or format_of(out, FORMATS)
    loaded = load_ruleset(ctx, ruleset, options)
    cutout_id = found("cutout", cutout, loaded.cutouts)
    if settings or scale:
        loaded = _changed(loaded, cutout_id, settings, scale)
    with in_language(loaded.header.language):
        if form == "pdf":
            from rulebook.documents.cutouts import cutout_view, draw_sheets

            data = printed(ctx, lambda: draw_sheets(cutout_view(loaded, cutout_id, paper, ink)))
        else:
            data = printed(ctx, lambda: _drawn(loaded, cutout_id, form, ink))
    write_file(ctx, out, data)


def _changed(
    ruleset: Ruleset, cutout_id: str, settings: tuple[str, ...], scale: str | None
) -> Ruleset:
    """Returns a copy of the ruleset with one cutout changed, and the changes named in its title.

    `settings` has parameters as texts such as `length=12in`; `scale` is a factor for all lengths.
    Returns the ruleset itself if nothing changes. Raises click.UsageError if a value is wrong or a
    text has no room on the cutout any more.
    """
    from rulebook.cutouts.changed_parameters import scaled, set_parameters
    from rulebook.cutouts.shapes import pieces
    from rulebook.documents.parts.figures import ROOM_EXPECTED, ROOM_HINT
    from rulebook.model.lengths import parse_scale
    from rulebook.model.sticks import with_marks
    from rulebook.quantities import QuantityError

    values = _values(settings)
    before = with_marks(ruleset.collections.cutouts[cutout_id], ruleset.tables)
    changed = []
    with usage():
        after = set_parameters(before, values)
        if after != before:
            changed += [f"{name} {_as_printed(value)}" for name, value in values.items()]
        if scale is not None and (factor := parse_scale(scale)) != 1:
            after = scaled(after, factor)
            changed.append(f"scale {factor}")
        for words in (words for piece in pieces(after) for words in piece.unset):
            said = f"'{words.words}' has no room on this cutout"
            raise QuantityError(said, expected=ROOM_EXPECTED, hint=ROOM_HINT)
    if not changed:
        return ruleset
    named = after.model_copy(update={"title": f"{before.title} ({', '.join(changed)})"})
    cutouts = {**ruleset.collections.cutouts, cutout_id: named}
    collections = ruleset.collections.model_copy(update={"cutouts": cutouts})
    return replace(ruleset, collections=collections)


def _values(settings: tuple[str, ...]) -> dict[str, str]:
    """Parses texts such as `length=12in` into a mapping from names to values.

    Raises click.UsageError for a text that is not of this form, or a name that is given twice.
    """
    values: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"'{setting}' sets nothing\nwrite --set NAME=VALUE")
        if name.strip() in values:
            raise click.UsageError(f"'{name.strip()}' is set twice")
        values[name.strip()] = value.strip()
    return values


def _as_printed(value: str) -> str:
    """Returns a length such as `28in` as it is printed, 28″; any other value unchanged."""
    from rulebook.quantities import QuantityError, parse_length

    try:
        return str(parse_length(value))
    except QuantityError:
        return value


def _drawn(ruleset: Ruleset, cutout_id: str, form: str, ink: Ink) -> bytes:
    """Draws all pieces of a cutout in one file for a cutting machine; returns its bytes.

    `form` is "svg" or "dxf". Raises click.ClickException if DXF cannot be written.
    """
    from rulebook.documents.parts.figures import drawing_of
    from rulebook.drawing.dxf import DxfUnavailable, dxf
    from rulebook.drawing.layers import Look, cutter_picture, svg

    drawing = drawing_of(ruleset, cutout_id)
    if form == "svg":
        look = Look(ink=ink, accent=ruleset.header.accent, lines="hairline")
        return svg(drawing, look).encode()
    try:
        return dxf(cutter_picture(drawing))
    except DxfUnavailable as fault:
        raise click.ClickException(str(fault)) from fault
