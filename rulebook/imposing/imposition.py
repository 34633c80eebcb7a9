"""Pages of a PDF and their places on sheets -> a PDF of the sheets, with marks in the margins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from rulebook.drawing import elements
from rulebook.drawing.pdf import pdf
from rulebook.imposing import placing
from rulebook.quantities import MILLIMETRES
from rulebook.text_fitting import text_width
from rulebook.translation import gettext
from rulebook.typefaces import SANS

#: From the bleed to a crop mark, and its length where the margin is wide enough, in mm.
MARK_CLEAR = Fraction(1, 2)
MARK_LENGTH = Fraction(4)
#: How far from the edge of the paper marks end, and the shortest mark that is drawn, in mm.
MARK_EDGE = Fraction(1)
SHORTEST_MARK = Fraction(1)


def crop_marks(
    placements: Iterable[placing.Placement], paper: placing.Rect
) -> tuple[placing.Segment, ...]:
    """Returns crop marks around all pages on a side, in line with every edge of a page's trim.

    Marks for which there is no room on the paper are left out.
    """
    placed = list(placements)
    if not placed:
        return ()
    trims = [placement.trim for placement in placed]
    block = placing.around([*trims, *(placement.shown for placement in placed)])
    across = sorted({edge for trim in trims for edge in (trim.left, trim.right)})
    up = sorted({edge for trim in trims for edge in (trim.bottom, trim.top)})
    below, above = (
        _reach(block.bottom - MARK_CLEAR, paper.bottom + MARK_EDGE, -1),
        _reach(block.top + MARK_CLEAR, paper.top - MARK_EDGE, 1),
    )
    left, right = (
        _reach(block.left - MARK_CLEAR, paper.left + MARK_EDGE, -1),
        _reach(block.right + MARK_CLEAR, paper.right - MARK_EDGE, 1),
    )
    return (
        *(placing.Segment(x, y[0], x, y[1]) for y in (below, above) if y for x in across),
        *(placing.Segment(x[0], y, x[1], y) for x in (left, right) if x for y in up),
    )


def _reach(start: Fraction, limit: Fraction, way: int) -> tuple[Fraction, Fraction] | None:
    """Returns start and end of a crop mark from `start` towards `limit`, in mm.

    `way` is the direction, 1 or -1. Returns None if the mark would be too short.
    """
    room = (limit - start) * way
    return (start, start + way * min(MARK_LENGTH, room)) if room >= SHORTEST_MARK else None


#: The type size of notes in mm, and the height of their line.
SIZE = Fraction(23, 10)
LINE = Fraction(3)
#: From the edge of the paper, where printers print.
EDGE = Fraction(5)
#: Between the words and anything else.
CLEAR = Fraction(1, 2)


def sheet_of(number: int, count: int) -> str:
    """Returns the sentence that says which of how many sheets this is."""
    return gettext("Sheet %(number)s of %(count)s.", number=number, count=count)


def with_note(
    side: placing.SheetSide, paper: placing.Rect, sheet: str, how: str
) -> placing.SheetSide:
    """Returns a side with a note in its margin: which `sheet` it is, and `how` to print or fold it.

    If there is no room for both sentences and the one on the scale, some are left out.
    """
    scale = gettext("Print at 100 %%.")
    for text in (f"{sheet} {scale} {how}".rstrip(), f"{sheet} {how}".rstrip(), sheet):
        note = _placed(text, side, paper)
        if note is not None:
            return replace(side, notes=(*side.notes, note))
    return side


def _placed(text: str, side: placing.SheetSide, paper: placing.Rect) -> placing.Note | None:
    """Returns a note at the first place along the edges where it overlaps nothing, or None."""
    length = placing.exact(round(text_width(text, float(SIZE)), 2))
    taken = [
        *(placement.shown for placement in side.placements),
        *(_room(mark) for mark in side.marks),
    ]
    for box, upward in _boxes(length, side, paper):
        if paper.holds(box) and not any(box.meets(thing) for thing in taken):
            lift = (LINE - SIZE * Fraction(7, 10)) / 2
            if upward:
                return placing.Note(text, box.right - lift, box.bottom, upward=True)
            return placing.Note(text, box.left, box.bottom + lift)
    return None


def _boxes(
    length: Fraction, side: placing.SheetSide, paper: placing.Rect
) -> Iterator[tuple[placing.Rect, bool]]:
    """Yields boxes for a line of text along the edges of a side, best first.

    Each comes with whether the text runs upwards in it. `length` is that of the text in mm.
    """
    seen = [placement.trim for placement in side.placements] or [paper]
    lefts = sorted({max(trim.left, paper.left + EDGE) + CLEAR for trim in seen})
    bottoms = sorted({max(trim.bottom, paper.bottom + EDGE) + CLEAR for trim in seen})
    low, high = paper.bottom + EDGE, paper.top - EDGE - LINE
    near, far = paper.left + EDGE, paper.right - EDGE - LINE
    for y in (low, high):
        yield from ((placing.Rect(x, y, x + length, y + LINE), False) for x in lefts)
    for x in (near, far):
        yield from ((placing.Rect(x, y, x + LINE, y + length), True) for y in bottoms)


def _room(mark: placing.Segment) -> placing.Rect:
    """Returns the rectangle that a mark takes, with clearance around it."""
    return placing.Rect(
        min(mark.x1, mark.x2) - CLEAR,
        min(mark.y1, mark.y2) - CLEAR,
        max(mark.x1, mark.x2) + CLEAR,
        max(mark.y1, mark.y2) + CLEAR,
    )


POINTS_PER_MM = 72 / MILLIMETRES["in"]
#: How much a page may differ from its place, mm: boxes are written with few decimals.
TOLERANCE = Fraction(1, 10)
#: Of crop marks and folds.
LINE_WIDTH = Fraction(1, 10)
#: Of folds: six points and a gap of four, in mm.
DASHES = (6 / float(POINTS_PER_MM), 4 / float(POINTS_PER_MM))
#: Left, bottom, right, top, in points.
PageEdges = tuple[Fraction, Fraction, Fraction, Fraction]


def page_sizes(data: bytes) -> list[tuple[Fraction, Fraction]]:
    """Returns the trimmed width and height of each page of a PDF, in mm."""
    with pikepdf.open(BytesIO(data)) as opened:
        return [_size(_edges(page.trimbox)) for page in opened.pages]


def impose(
    pages: bytes | Sequence[bytes],
    sheets: Iterable[placing.PrintedSheet],
    *,
    title: str,
    language: str = "en",
    flip: placing.Flip | None = None,
    cut_to: tuple[float, float] | None = None,
) -> bytes:
    """Writes a PDF with one page for each side of the sheets, in order, and returns its bytes.

    `pages` are the logical pages in one or more PDFs; placements refer to them by number, and each
    is drawn with its trim box in its place. `flip` is the edge about which printers are asked to
    turn sheets. If `cut_to` is given, pages are first cut to that size in mm, centred, as by
    `on_paper`. Raises ValueError if a page has another size than its place.
    """
    parts = [pages] if isinstance(pages, bytes) else list(pages)
    laid = list(sheets)
    drawings = [
        _drawn(side, float(sheet.width), float(sheet.height))
        for sheet in laid
        for side in sheet.sides
    ]
    with ExitStack() as stack, pikepdf.new() as out:
        documents = [stack.enter_context(pikepdf.open(BytesIO(part))) for part in parts]
        logical = [page for document in documents for page in document.pages]
        if cut_to is not None:
            _cut(logical, *cut_to)
        drawn = stack.enter_context(pikepdf.open(BytesIO(pdf(drawings, title="", language=""))))
        press = _PressPdf(out, logical)
        sides = ((sheet, side) for sheet in laid for side in sheet.sides)
        for (sheet, side), marks in zip(sides, drawn.pages, strict=True):
            press.add(sheet, side, marks)
        _tell_printers(out, title, language, flip)
        packed = pikepdf.ObjectStreamMode.generate
        return _bytes_of(out, compress_streams=True, object_stream_mode=packed)


def _bytes_of(pdf: pikepdf.Pdf, **how: Any) -> bytes:
    """Saves a PDF to bytes; the same objects give the same bytes."""
    result = BytesIO()
    pdf.save(result, deterministic_id=True, fix_metadata_version=False, **how)
    return result.getvalue()


def _tell_printers(pdf: pikepdf.Pdf, title: str, language: str, flip: placing.Flip | None) -> None:
    """Writes into a PDF its title, language and print hints.

    The hints are actual size, paper by the size of the page and, with `flip`, the edge to flip on.
    """
    hints = Dictionary(PrintScaling=Name("/None"), PickTrayByPDFSize=True, DisplayDocTitle=True)
    if flip is not None:
        hints.Duplex = Name(f"/DuplexFlip{flip.capitalize()}Edge")
    pdf.Root.ViewerPreferences = pdf.make_indirect(hints)
    pdf.Root.Lang = pikepdf.String(language)
    pdf.docinfo[Name.Title] = pikepdf.String(title)


def _size(box: PageEdges) -> tuple[Fraction, Fraction]:
    """Returns width and height of a box given in points, in mm."""
    return round((box[2] - box[0]) / POINTS_PER_MM, 3), round((box[3] - box[1]) / POINTS_PER_MM, 3)


def _exact(number: Any) -> Fraction:
    return Fraction(str(number))


def _edges(box: Any) -> PageEdges:
    """Returns a PDF box as left, bottom, right and top, whichever two of its corners it gives."""
    x1, y1, x2, y2 = map(_exact, box)
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _number(value: Fraction) -> Decimal:
    """Rounds a number for a PDF to five decimals, which is finer than any printer resolves."""
    return round(Decimal(value.numerator) / Decimal(value.denominator), 5)


def _written(*values: Fraction) -> str:
    return " ".join(f"{_number(value):f}".rstrip("0").rstrip(".") for value in values)


class _PressPdf:
    """A PDF of sides of sheets, into which each logical page is copied only once."""

    def __init__(self, out: pikepdf.Pdf, pages: Sequence[pikepdf.Page]) -> None:
        self.out = out
        self.pages = pages
        self.taken: dict[int, tuple[pikepdf.Object, PageEdges]] = {}

    def add(
        self, sheet: placing.PrintedSheet, side: placing.SheetSide, marks: pikepdf.Page
    ) -> None:
        """Adds a side of a sheet as a page, with its logical pages, marks and notes.

        `marks` is a page on which its marks and notes are drawn.
        """
        width, height = (sheet.width * POINTS_PER_MM, sheet.height * POINTS_PER_MM)
        forms: dict[str, pikepdf.Object] = {}
        drawn = [line for placement in side.placements for line in self._page(placement, forms)]
        if side.marks or side.notes:
            forms["/Marks"] = self.out.copy_foreign(marks.as_form_xobject())
            drawn.append("/Marks Do")
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, _number(width), _number(height)]),
            Resources=Dictionary(XObject=Dictionary(forms)),
            Contents=self.out.make_stream("\n".join(drawn).encode()),
        )
        if len(side.placements) == 1 and not side.marks:
            # A page by itself, as printing services ask for it: they cut it by this box.
            trim = side.placements[0].trim
            edges = (trim.left, trim.bottom, trim.right, trim.top)
            page.TrimBox = Array([_number(edge * POINTS_PER_MM) for edge in edges])
        self.out.pages.append(pikepdf.Page(self.out.make_indirect(page)))

    def _page(self, placed: placing.Placement, forms: dict[str, pikepdf.Object]) -> Iterator[str]:
        if placed.page is None:
            return
        form, trim = self._form(placed.page)
        found, place = _size(trim), (placed.trim.width, placed.trim.height)
        if max(abs(found[0] - place[0]), abs(found[1] - place[1])) > TOLERANCE:
            sizes = (" x ".join(f"{float(side):.4g}" for side in size) for size in (found, place))
            raise ValueError("page {} is {} mm, its place {} mm".format(placed.page + 1, *sizes))
        name = f"P{placed.page}"
        forms[f"/{name}"] = form
        shown = placed.shown
        window = (shown.left, shown.bottom, shown.width, shown.height)
        clip = _written(*(edge * POINTS_PER_MM for edge in window))
        yield f"q {clip} re W n {_written(*_at_scale_one(placed, trim))} cm /{name} Do Q"

    def _form(self, number: int) -> tuple[pikepdf.Object, PageEdges]:
        if number not in self.taken:
            page = self.pages[number]
            form = page.as_form_xobject()
            form.BBox = Array([_number(edge) for edge in _edges(page.mediabox)])
            self.taken[number] = self.out.copy_foreign(form), _edges(page.trimbox)
        return self.taken[number]


def _at_scale_one(placed: placing.Placement, trim: PageEdges) -> tuple[Fraction, ...]:
    """Returns the matrix that centres a page in its place at scale 1, upside down if need be.

    `trim` is the trim box of the page, in points.
    """
    scale, none = Fraction(-1 if placed.on_its_head else 1), Fraction(0)
    x, y = (trim[0] + trim[2]) / 2, (trim[1] + trim[3]) / 2
    middle_x = (placed.trim.left + placed.trim.right) / 2 * POINTS_PER_MM
    middle_y = (placed.trim.bottom + placed.trim.top) / 2 * POINTS_PER_MM
    return scale, none, none, scale, middle_x - scale * x, middle_y - scale * y


def _drawn(side: placing.SheetSide, width: float, height: float) -> elements.Picture:
    """Returns a picture of the marks and notes of a side, in mm; y runs down from the top."""
    drawn: list[elements.Element] = []
    for mark in side.marks:
        ends = ((float(x), height - float(y)) for x, y in ((mark.x1, mark.y1), (mark.x2, mark.y2)))
        dash = DASHES if mark.dashed else ()
        pen = elements.Paint(None, "#000000", float(LINE_WIDTH), dash=dash)
        drawn.append(elements.Path(f"M{' '.join(map(elements.numbers, ends))}", pen))
    for note in side.notes:
        lettering = elements.Lettering(SANS.name, float(SIZE), "#000000")
        turn = -90 if note.upward else 0
        lies = elements.Placing(float(note.x), height - float(note.y), turn)
        words = elements.Words(note.text, 0, 0, lettering)
        drawn.append(elements.Group((words,), placing=lies))
    return elements.Picture((0, 0, width, height), "", "", tuple(drawn))


def on_paper(data: bytes, width: float, height: float) -> bytes:
    """Returns a PDF whose pages are centred on paper of another size in mm, at scale 1.

    What lies beyond the paper is cut off.
    """
    with pikepdf.open(BytesIO(data)) as opened:
        _cut(opened.pages, width, height)
        return _bytes_of(opened)


def with_bleed(data: bytes, width: float, height: float, bleed: float) -> bytes:
    """Returns a PDF whose pages have the boxes for a printing service that cuts them.

    Each page is cut about its middle to the size in mm with `bleed` on all sides. Links are
    removed, since PDF/X allows none on printed pages.
    """
    with pikepdf.open(BytesIO(data)) as opened:
        _cut(opened.pages, width + 2 * bleed, height + 2 * bleed)
        away = Fraction(str(bleed)) * POINTS_PER_MM
        for page in opened.pages:
            left, bottom, right, top = _edges(page.mediabox)
            trim = (left + away, bottom + away, right - away, top - away)
            page.trimbox = Array([_number(edge) for edge in trim])
            page.obj.BleedBox = page.mediabox
            if "/Annots" in page:
                del page.Annots
        return _bytes_of(opened)


def _cut(pages: Iterable[pikepdf.Page], width: float, height: float) -> None:
    across, up = (Fraction(str(side)) * POINTS_PER_MM for side in (width, height))
    for page in pages:
        left, bottom, right, top = _edges(page.mediabox)
        x, y = (left + right - across) / 2, (bottom + top - up) / 2
        for name in ("/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"):
            if name in page:
                del page[name]
        page.mediabox = Array([_number(edge) for edge in (x, y, x + across, y + up)])
