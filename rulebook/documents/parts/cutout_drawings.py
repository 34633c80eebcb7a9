"""The cutouts of a ruleset -> their drawings, with the ruleset's imprint and their use on them.

They are drawn at true scale, or small for a panel of the sheet or for a card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulebook.cutouts.parts import Pieces
from rulebook.cutouts.shapes import draw, pieces
from rulebook.cutouts.sheets import Imprint
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.drawing.inks import Look
from rulebook.drawing.shapes import Drawing
from rulebook.drawing.svg import svg_miniature
from rulebook.model.cutouts.marks import with_marks
from rulebook.model.ruleset import InkName, Ruleset


def drawing_of(ruleset: Ruleset, cutout_id: str) -> Drawing:
    """The drawing of a cutout with the ruleset's imprint and the cutout's use on it."""
    cutout = with_marks(ruleset.cutouts[cutout_id], ruleset.tables)
    return draw(cutout, imprint=_imprint(ruleset), use=use_of(ruleset, cutout_id))


def pieces_of(ruleset: Ruleset, cutout_id: str) -> Pieces:
    """The same cutout piece by piece."""
    cutout = with_marks(ruleset.cutouts[cutout_id], ruleset.tables)
    drawn = pieces(cutout, imprint=_imprint(ruleset), use=use_of(ruleset, cutout_id))
    return Pieces(cutout.title, drawn)


def _imprint(ruleset: Ruleset) -> str:
    return str(Imprint(ruleset.header.title, ruleset.edition_told))


def use_of(ruleset: Ruleset, cutout_id: str) -> str:
    """What a cutout is used for, as plain text."""
    return plain_text(Binder(ruleset).prose(ruleset.cutouts[cutout_id].use))


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
