"""The cutouts of a ruleset -> their drawings, with the ruleset's imprint and their use on them."""

from __future__ import annotations

from rulebook.cutouts.parts import Pieces
from rulebook.cutouts.shapes import draw, pieces
from rulebook.cutouts.sheets import Imprint
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.drawing.shapes import Drawing
from rulebook.model.cutouts.marks import with_marks
from rulebook.model.ruleset import Ruleset


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
