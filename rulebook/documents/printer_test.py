"""A paper and how it is turned -> the PDF of a test print for a home printer, two sides."""

from __future__ import annotations

from fractions import Fraction

from rulebook.cutouts.printer_test import PrinterTest, printer_test
from rulebook.documents.cutouts.layout import draw_sheets
from rulebook.documents.parts.views import CutoutView
from rulebook.imposing.imposition import impose
from rulebook.imposing.placing import (
    BOTH_SIDES,
    Flip,
    Placement,
    Sheet,
    Side,
    behind,
    exact,
    turned_upright,
)
from rulebook.paper import paper_size
from rulebook.translation import gettext

_NONE = (Fraction(0), Fraction(0))


def printer_test_pdf(
    paper: str,
    *,
    flip: Flip = "long",
    landscape: bool = False,
    offset: tuple[Fraction, Fraction] = _NONE,
) -> bytes:
    """Front and back; what stands on the back is moved by the offset, to see whether it is right.

    The offset is in millimetres, to the right and up.
    """
    width, height = map(exact, paper_size(paper, landscape=landscape))
    upright = turned_upright(width, height, flip)
    told = f"x={float(offset[0]):g}mm,y={float(offset[1]):g}mm" if offset != _NONE else ""
    sides = printer_test(PrinterTest(width, height, flip, upright, told))
    title = gettext("Printer test: %(how)s", how=gettext(BOTH_SIDES[flip]))
    pages = draw_sheets(CutoutView(title, "en", sides), print_hints=False)
    sheet = Sheet(width, height, Side(()))
    front = Placement(0, sheet.paper, sheet.paper)
    back = behind(front, 1, (width, height), flip).moved(*offset)
    printed = Sheet(width, height, Side((front,)), Side((back,)))
    return impose(pages, [printed], title=title, flip=flip)
