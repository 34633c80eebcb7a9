"""The view of a slip of errata -> slips to cut out, several on a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.errata.compose import ErrataView
from rulebook.documents.errata.declaration import SLIP
from rulebook.documents.parts.pages import laid_out
from rulebook.imposing.imposition import crop_marks, impose
from rulebook.imposing.placing import Placement, Sheet, Side, exact, rect
from rulebook.paper_and_ink import paper_size
from rulebook.translation import gettext
from rulebook.typeset.pdf import Layout

#: A slip, mm: two stand on a sheet of either paper, and one lies in an A5 booklet folded once.
WIDTH, HEIGHT = 196, 134
#: One that tells little, of which four stand on a sheet.
LOW = 62
#: Points, the largest first.
TYPE_SIZES = (8, 7.6, 7.2, 6.8, 6.5)


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
    """One slip in the largest type that goes on it, or several in good type; its height, mm."""
    good = TYPE_SIZES[0]
    for height, size in ((LOW, good), *((HEIGHT, size) for size in TYPE_SIZES), (HEIGHT, good)):
        page = f"@page{{size:{WIDTH}mm {height}mm}}body{{font-size:{size}pt}}"
        slips = laid_out(SLIP, view, templates, page, "errata slip")
        if slips.pages == 1:
            break
    return slips, height


def _sheets(count: int, high: int, paper: str) -> Iterator[Sheet]:
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
        yield Sheet(width, height, Side(tuple(placed), marks))
