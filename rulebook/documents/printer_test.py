"""A paper and how it is turned -> the PDF of a test print for a home printer, two sides."""

from __future__ import annotations

from fractions import Fraction

from rulebook.cutouts.printer_test import PrinterTest, printer_test
from rulebook.documents.cutouts import draw_sheets
from rulebook.documents.parts.views import CutoutView
from rulebook.imposing import placing
from rulebook.imposing.imposition import impose
from rulebook.paper_and_ink import paper_size
from rulebook.translation import gettext

_NONE = (Fraction(0), Fraction(0))


def printer_test_pdf(
    paper: str,
    *,
    flip: placing.Flip = "long",
    landscape: bool = False,
    offset: tuple[Fraction, Fraction] = _NONE,
) -> bytes:
    """Returns a two-sided test print as PDF, to check how a printer aligns front and back.

    `offset` moves the print on the back, in mm to the right and up; `flip` is the edge over which
    the sheet is turned.
    """
    width, height = map(placing.exact, paper_size(paper, landscape=landscape))
    upright = placing.turned_upright(width, height, flip)
    typed = f"x={float(offset[0]):g}mm,y={float(offset[1]):g}mm" if offset != _NONE else ""
    sides = printer_test(PrinterTest(width, height, flip, upright, typed))
    title = gettext("Printer test: %(how)s", how=gettext(placing.BOTH_SIDES[flip]))
    pages = draw_sheets(CutoutView(title, "en", sides), print_hints=False)
    sheet = placing.PrintedSheet(width, height, placing.SheetSide(()))
    front = placing.Placement(0, sheet.paper, sheet.paper)
    back = placing.behind(front, 1, (width, height), flip).moved(*offset)
    printed = placing.PrintedSheet(
        width, height, placing.SheetSide((front,)), placing.SheetSide((back,))
    )
    return impose(pages, [printed], title=title, flip=flip)
