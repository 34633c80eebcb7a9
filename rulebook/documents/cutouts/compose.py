"""The cutouts of a ruleset -> view models of the sheets that print them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulebook.cutouts.parts import PRINTS_TRUE, Correction, Pieces
from rulebook.cutouts.sheets import Imprint, compose_sheets
from rulebook.documents.cutouts.declaration import ALL_CUTOUTS
from rulebook.documents.parts.figures import pieces_of, use_of
from rulebook.documents.parts.views import CutoutView, Refusal
from rulebook.drawing.svg import Look
from rulebook.model.ruleset import InkName, Ruleset
from rulebook.paper import PaperName
from rulebook.quantities import QuantityError
from rulebook.translation import gettext


def cutout_view(
    ruleset: Ruleset,
    cutout_id: str,
    paper: PaperName,
    ink: InkName = "full",
    read: tuple[Fraction, Fraction] | None = None,
) -> CutoutView:
    """The sheets of a cutout for one paper, or in the view why it is not for that paper.

    `read` is what a ruler read on the bars x and y of the printer, in mm, where it is off.
    """
    cutout = pieces_of(ruleset, cutout_id)
    correction = Correction(*read) if read else PRINTS_TRUE
    use = use_of(ruleset, cutout_id)
    return _view(ruleset, cutout.title, [cutout], paper, ink, use=use, correction=correction)


def all_cutouts_view(ruleset: Ruleset, paper: PaperName) -> CutoutView:
    """All cutouts of the ruleset on as few sheets as they take, each with its name."""
    return some_cutouts_view(ruleset, tuple(ruleset.cutouts), paper, gettext(ALL_CUTOUTS))


def some_cutouts_view(
    ruleset: Ruleset, cutouts: Sequence[str], paper: PaperName, title: str
) -> CutoutView:
    """The cutouts of these ids, together on as few sheets as they take."""
    drawn = [pieces_of(ruleset, cutout_id) for cutout_id in cutouts]
    return _view(ruleset, title, drawn, paper, "full")


def _view(
    ruleset: Ruleset,
    title: str,
    cutouts: Sequence[Pieces],
    paper: PaperName,
    ink: InkName,
    *,
    use: str = "",
    correction: Correction = PRINTS_TRUE,
) -> CutoutView:
    header = ruleset.header
    look = Look(ink=ink, accent=header.accent)
    imprint = Imprint(header.title, ruleset.edition_told, use)
    page_title = f"{title} – {header.title}"
    try:
        sheets = compose_sheets(title, cutouts, paper, imprint, look=look, correction=correction)
    except QuantityError as fault:
        refusal = Refusal(fault.message, fault.expected, fault.hint)
        return CutoutView(page_title, header.language, (), refusal)
    return CutoutView(page_title, header.language, tuple(sheets))
