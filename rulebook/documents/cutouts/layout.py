"""Full-size drawings of sheets of paper -> one PDF, a page each, in true millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulebook.cache import Cache
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.parts.views import CutoutView, DrawingView
from rulebook.drawing.pdf import MissingGlyphs, pdf
from rulebook.typeset.environment import RenderFault, no_glyphs
from rulebook.typeset.fonts import in_svg


def cutout_files(view: CutoutView, files: Sequence[File], _: Path, __: Cache) -> Iterator[Rendered]:
    """The sheets of a cutout."""
    for file in files:
        yield Rendered(file.path, draw_sheets(view), len(view.sheets))


def drawing_files(
    view: DrawingView, files: Sequence[File], _: Path, __: Cache
) -> Iterator[Rendered]:
    """A drawing with the fonts of its words."""
    for file in files:
        yield Rendered(file.path, in_svg(view.svg, view.fonts).encode(), None)


def draw_sheets(view: CutoutView, *, print_hints: bool = True) -> bytes:
    """The pages of the sheets of a cutout or a map.

    `print_hints` asks the viewer to print at actual size, on the paper of the page's size. Raises
    RenderFault where the cutout takes too many sheets of its paper (R606), or where it has
    characters that are in none of the fonts (R603).
    """
    if view.refusal:
        raise RenderFault((view.refusal,))
    try:
        return pdf(view.sheets, title=view.title, language=view.language, print_hints=print_hints)
    except MissingGlyphs as fault:
        raise RenderFault((no_glyphs(view.title, map(_code_point, fault.characters)),)) from fault


def _code_point(character: str) -> str:
    return f'"{character}" (U+{ord(character):04X})'
