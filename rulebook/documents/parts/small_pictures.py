"""A cutout -> a drawing of it that is small enough for a panel of the sheet or for a card."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulebook.documents.parts.cutout_drawings import drawing_of
from rulebook.drawing.shapes import Drawing
from rulebook.drawing.svg import svg_miniature
from rulebook.drawing.svg_elements import Look
from rulebook.model.ruleset import InkName, Ruleset


@dataclass(frozen=True, slots=True)
class Widths:
    """Of the drawings of long cutouts and of all others, in millimetres."""

    long: float
    square: float


QRS_PICTURE = Widths(60.0, 34.0)
CARD_PICTURE = Widths(56.0, 36.0)


def is_long(drawing: Drawing) -> bool:
    """Whether it is at least twice as wide as it is high."""
    shown = drawing.picture or drawing
    return shown.height * 2 <= shown.width


def small_picture(ruleset: Ruleset, widths: Widths, cutout_id: str, ink: InkName) -> str:
    """A long cutout with its measures; a square one smaller and without, to save room."""
    drawing = drawing_of(ruleset, cutout_id)
    look = Look(ink=ink, accent=ruleset.header.accent)
    if is_long(drawing):
        return svg_miniature(drawing, widths.long, look)
    return svg_miniature(replace(drawing, measures=()), widths.square, look)
