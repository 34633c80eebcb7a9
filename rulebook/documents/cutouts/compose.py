"""The cutouts of a ruleset -> view models of the sheets that print them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rulebook.cutouts.packing import Pieces
from rulebook.cutouts.sheets import Imprint, compose_sheets
from rulebook.documents.document_kind import ALL_CUTOUTS, File, Planned, planned
from rulebook.documents.parts.figures import drawing_of, pieces_of, use_of
from rulebook.documents.parts.views import CutoutView, DrawingView
from rulebook.drawing.svg import Look, svg
from rulebook.model.print_settings import ALL_TOGETHER
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import Ink, PaperName
from rulebook.problems import Problem
from rulebook.quantities import QuantityError
from rulebook.translation import gettext


def plan_cutouts(ruleset: Ruleset) -> Iterator[Planned]:
    """The sheets and the drawing of each cutout, if the ruleset asks for them."""
    spec = ruleset.header.documents.cutouts
    if spec is None:
        return
    for cutout_id, cutout in ruleset.cutouts.items():
        name = f"cutouts/{cutout_id.replace('_', '-')}"
        for paper in spec.papers:
            file = File(f"{name}-{paper}.pdf", "pdf", paper, "full")
            sheets = partial(cutout_view, ruleset, cutout_id, paper)
            yield planned(ruleset, "cutout", f"{name}-{paper}", sheets, file, title=cutout.title)
        picture = File(f"{name}.svg", "svg")
        drawing = partial(_drawing_file, ruleset, cutout_id)
        yield planned(ruleset, "drawing", name, drawing, picture, title=cutout.title)
    if len(ruleset.cutouts) < 2 or not spec.together:
        return
    for paper in spec.papers:
        name = f"cutouts/{ALL_TOGETHER}-{paper}"
        file = File(f"{name}.pdf", "pdf", paper, "full")
        sheets = partial(all_cutouts_view, ruleset, paper)
        title = gettext(ALL_CUTOUTS)
        yield planned(ruleset, "cutout", f"cutouts/all-{paper}", sheets, file, title=title)


def _drawing_file(ruleset: Ruleset, cutout_id: str) -> DrawingView:
    return DrawingView(svg(drawing_of(ruleset, cutout_id)))


def cutout_view(
    ruleset: Ruleset,
    cutout_id: str,
    paper: PaperName,
    ink: Ink = "full",
) -> CutoutView:
    """The sheets of a cutout for one paper, or in the view why it is not for that paper."""
    cutout = pieces_of(ruleset, cutout_id)
    use = use_of(ruleset, cutout_id)
    return sheets_view(ruleset, cutout.title, [cutout], paper, ink, use=use)


def all_cutouts_view(ruleset: Ruleset, paper: PaperName) -> CutoutView:
    """All cutouts of the ruleset on as few sheets as they take, each with its name."""
    return some_cutouts_view(ruleset, tuple(ruleset.cutouts), paper, gettext(ALL_CUTOUTS))


def some_cutouts_view(
    ruleset: Ruleset, cutouts: Sequence[str], paper: PaperName, title: str
) -> CutoutView:
    """The cutouts of these ids, together on as few sheets as they take."""
    drawn = [pieces_of(ruleset, cutout_id) for cutout_id in cutouts]
    return sheets_view(ruleset, title, drawn, paper, "full")


def sheets_view(
    ruleset: Ruleset,
    title: str,
    cutouts: Sequence[Pieces],
    paper: PaperName,
    ink: Ink,
    *,
    use: str = "",
) -> CutoutView:
    """Cutouts on as few sheets of a paper as they take, or why they are not for that paper."""
    header = ruleset.header
    look = Look(ink=ink, accent=header.accent)
    imprint = Imprint(header.title, ruleset.edition_in_words, use)
    page_title = f"{title} – {header.title}"
    try:
        sheets = compose_sheets(title, cutouts, paper, imprint, look=look)
    except QuantityError as fault:
        refusal = Problem("R606", fault.message, None, fault.expected, fault.hint)
        return CutoutView(page_title, header.language, (), refusal)
    return CutoutView(page_title, header.language, tuple(sheets))
