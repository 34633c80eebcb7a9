"""The cutouts of a ruleset -> the sheets that print them, at true scale, and a drawing of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rulebook.cutouts.packing import Pieces
from rulebook.cutouts.sheets import Imprint, compose_sheets
from rulebook.documents.document_kind import ALL_CUTOUTS, File, Planned, Rendered, planned
from rulebook.documents.parts.figures import drawing_of, pieces_of, use_of
from rulebook.documents.parts.views import CutoutView, DrawingView
from rulebook.drawing.layers import Look, svg
from rulebook.drawing.pdf import MissingGlyphs, pdf
from rulebook.model.header import ALL_TOGETHER
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import Ink, PaperName
from rulebook.problems import Problem, RenderFault
from rulebook.quantities import QuantityError
from rulebook.translation import gettext
from rulebook.typeset.environment import no_glyphs, with_fonts


def plan_cutouts(ruleset: Ruleset) -> Iterator[Planned]:
    """Plans the printed sheets and the SVG drawing of each cutout, if the ruleset asks for cutouts.

    There is a document of sheets for each paper. If there are several cutouts and the ruleset asks
    for them together, documents with the sheets of all cutouts follow, also one for each paper.
    """
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
        drawing = partial(_drawing, ruleset, cutout_id)
        yield planned(ruleset, "drawing", name, drawing, picture, title=cutout.title)
    if len(ruleset.cutouts) < 2 or not spec.together:
        return
    title = gettext(ALL_CUTOUTS)
    for paper in spec.papers:
        file = File(f"cutouts/{ALL_TOGETHER}-{paper}.pdf", "pdf", paper, "full")
        sheets = partial(cutouts_view, ruleset, tuple(ruleset.cutouts), paper, title)
        yield planned(ruleset, "cutout", f"cutouts/all-{paper}", sheets, file, title=title)


def _drawing(ruleset: Ruleset, cutout_id: str) -> DrawingView:
    return DrawingView(svg(drawing_of(ruleset, cutout_id)))


def cutout_view(
    ruleset: Ruleset, cutout_id: str, paper: PaperName, ink: Ink = "full"
) -> CutoutView:
    """Composes the sheets of one cutout on a paper, with how it is used.

    If the cutout cannot be printed on that paper, the view has no sheets and its `refusal` says
    why.
    """
    cutout = pieces_of(ruleset, cutout_id)
    use = use_of(ruleset, cutout_id)
    return sheets_view(ruleset, cutout.title, [cutout], paper, ink, use=use)


def cutouts_view(
    ruleset: Ruleset, cutouts: Sequence[str], paper: PaperName, title: str
) -> CutoutView:
    """Composes several cutouts, given by their ids, on as few sheets of a paper as possible.

    If they cannot be printed on that paper, the view has no sheets and its `refusal` says why.
    """
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
    """Composes cutouts on as few sheets of a paper as possible.

    `use` says how the cutouts are used. If they cannot be printed on that paper, the view has no
    sheets and its `refusal` says why.
    """
    header = ruleset.header
    imprint = Imprint(header.title, ruleset.edition_in_words, use)
    page_title = f"{title} – {header.title}"
    look = Look(ink=ink, accent=header.accent)
    try:
        sheets = compose_sheets(title, cutouts, paper, imprint, look=look)
    except QuantityError as fault:
        refusal = Problem("R606", fault.message, None, fault.expected, fault.hint)
        return CutoutView(page_title, header.language, (), refusal)
    return CutoutView(page_title, header.language, tuple(sheets))


def cutout_files(view: CutoutView, files: Sequence[File], *_: object) -> Iterator[Rendered]:
    """Renders the PDF of the sheets of cutouts for each of the files; raises RenderFault."""
    for file in files:
        yield Rendered(file.path, draw_sheets(view), len(view.sheets))


def drawing_svg(view: DrawingView, *_: object) -> str:
    """Returns a drawing as SVG with the fonts of its text embedded."""
    return with_fonts(view.svg, view.fonts)


def draw_sheets(view: CutoutView, *, print_hints: bool = True) -> bytes:
    """Draws the sheets of cutouts or of a map as a PDF.

    `print_hints` asks the viewer to print at actual size, on paper of the page's size. Raises
    RenderFault if a cutout takes too many sheets of its paper (R606), or if it has characters that
    none of the fonts has (R603).
    """
    if view.refusal:
        raise RenderFault((view.refusal,))
    try:
        return pdf(view.sheets, title=view.title, language=view.language, print_hints=print_hints)
    except MissingGlyphs as fault:
        characters = (f'"{letter}" (U+{ord(letter):04X})' for letter in fault.characters)
        raise RenderFault((no_glyphs(view.title, characters),)) from fault
