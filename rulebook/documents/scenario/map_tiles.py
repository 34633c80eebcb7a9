"""A map on a page as large as it takes -> sheets of one paper that show a part of it each.

Its legend follows, on pages that are sheets already. Nothing is scaled: what is 1 ft on the page
is 1 ft on the sheets, over every joint.
"""

from __future__ import annotations

from rulebook.documents.cutouts.layout import draw_sheets
from rulebook.documents.parts.views import CutoutView
from rulebook.imposing.imposition import impose, page_sizes
from rulebook.imposing.placing import Placement, Sheet, Side, rect
from rulebook.imposing.poster import poster


def count_sheets(width_mm: float, height_mm: float, paper: str) -> int:
    """How many sheets a page of this size takes.

    Raises ValueError where these are more than a poster may have.
    """
    return len(poster((width_mm, height_mm), paper))


def tiled_pdf(view: CutoutView, paper: str) -> bytes:
    """The first page over as many sheets as it takes, the others as they are.

    Raises ValueError for a page that takes too many, RenderFault for what cannot be drawn.
    """
    data = draw_sheets(view)
    large, *others = page_sizes(data)
    sheets = poster((large.width, large.height), paper)
    for number, size in enumerate(others, 1):
        whole = rect(0, 0, size.width, size.height)
        sheets.append(Sheet(size.width, size.height, Side((Placement(number, whole, whole),))))
    return impose(data, sheets, title=view.title, language=view.language)
