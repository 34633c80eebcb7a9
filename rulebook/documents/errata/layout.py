"""The view of a slip of errata -> slips to cut out, several on a sheet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.errata.compose import ErrataView
from rulebook.documents.parts.pages import laid_out
from rulebook.imposing.imposition import crop_marks, impose
from rulebook.imposing.placing import Placement, PrintedSheet, SheetSide, exact, rect
from rulebook.paper_and_ink import paper_size
from rulebook.translation import gettext
from rulebook.typeset.pdf import Layout

#: A slip, mm: two stand on a sheet of either paper, and one lies in an A5 booklet folded once.
WIDTH, HEIGHT = 200, 136
#: One that tells little, of which four stand on a sheet.
LOW = 62
#: Points, in quarters, the smallest first: 8 to 12.
TYPE_SIZES = tuple(size / 4 for size in range(32, 49))


def errata(
    view: ErrataView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """The files of the slip."""
    slips, height = _laid_out(view, templates)
    data = slips.pdf(print_hints=False)
    title = gettext(
        "%(title)s – errata for edition %(edition)s",
        title=view.identity.title,
        edition=view.since.before,
    )
    for file in files:
        sheets = list(_sheets(slips.pages, height, file.paper or "a4"))
        made = impose(data, sheets, title=title, language=view.identity.language)
        yield Rendered(file.path, made, len(sheets))


def _laid_out(view: ErrataView, templates: Path) -> tuple[Layout, int]:
    """As few slips as hold all in the smallest type, in the largest that goes on them; and how
    high they are, mm.
    """

    @cache
    def slips(height: int, size: float, breaks: str = "auto") -> Layout:
        page = f"@page{{size:{WIDTH}mm {height}mm}}body{{font-size:{size}pt}}"
        whole = f".item{{break-inside:{breaks}}}"
        return laid_out("errata", view, templates, page + whole, "errata slip")

    height = LOW if slips(LOW, TYPE_SIZES[0]).pages == 1 else HEIGHT
    # What stands on two slips, which are cut apart, is whole on one of them.
    breaks = "auto" if slips(height, TYPE_SIZES[0]).pages == 1 else "avoid"
    least = slips(height, TYPE_SIZES[0], breaks).pages
    fitting = bisect_right(TYPE_SIZES, least, key=lambda size: slips(height, size, breaks).pages)
    return slips(height, TYPE_SIZES[fitting - 1], breaks), height


def _sheets(count: int, high: int, paper: str) -> Iterator[PrintedSheet]:
    """As many slips on a sheet as go on it; a single one fills it, since others play as well."""
    width, height = map(exact, paper_size(paper))
    there = int(height // high)
    slips = [0] * there if count == 1 else list(range(count))
    left, room = (width - WIDTH) / 2, (height - there * high) / Fraction(there + 1)
    for first in range(0, len(slips), there):
        placed = []
        for place, page in enumerate(slips[first : first + there]):
            bottom = height - (place + 1) * (high + room)
            trim = rect(left, bottom, WIDTH, high)
            placed.append(Placement(page, trim, trim))
        marks = crop_marks(placed, rect(0, 0, width, height))
        yield PrintedSheet(width, height, SheetSide(tuple(placed), marks))
