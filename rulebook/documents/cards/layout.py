"""The view of a deck -> its cards as logical pages, one for each face, and sheets of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, count, islice, pairwise
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.cards.pieces import (
    CHARACTER,
    CardBackView,
    CardsView,
    CardTable,
    CardView,
    DeckView,
    Piece,
    TrackPart,
    TrackRow,
    at_size,
    draw_symbol,
    named,
    pieces_of,
    set_pieces,
    table_at,
    tail_of,
)
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.parts.pages import laid_out, screen_page
from rulebook.documents.parts.views import PictureView, TableView
from rulebook.imposing.arrangements import gutterfold, n_up
from rulebook.imposing.imposition import impose
from rulebook.imposing.layouts import CardLayout, layouts
from rulebook.imposing.placing import BOTH_SIDES, Placement, PrintedSheet, SheetSide, rect
from rulebook.maps.names import swatch
from rulebook.problems import Problem
from rulebook.quantities import MM_PER_POINT
from rulebook.translation import gettext
from rulebook.typeset.environment import RenderFault
from rulebook.typeset.make_up import break_blocks
from rulebook.typeset.pdf import Layout, PageBox

#: Sizes of type in points; a deck is set in one of them.
SIZES = (10.0, 9.5, 9.0, 8.5, 8.0)
#: The most faces that a card may take: more would be a booklet.
MOST_FACES = 20
#: Millimetres by which a face may seem too full for rounding alone.
SLACK = 0.05
#: The part of its faces that a deck may leave empty before smaller cards are tried.
MOST_EMPTY = 0.4
#: How many times as many faces smaller cards may take: only a few cards may become two.
MOST_MORE = 1.1
#: Stands for a picture that low ink leaves out.
NOTHING_DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1mm" height="1mm"><title>-</title></svg>'
)
#: The gap above each piece, in ems, and that between the last piece and the foot, in mm.
GAP = 0.4
ABOVE_FOOT = 0.6
#: The size of a title in points on a card of this width in mm; on others it is in proportion.
TITLE, TITLE_WIDTH = 11.5, 63.0
#: A page so high that all pieces stand below one another on it, to be measured.
LONG_PAGE = "9000mm"
#: A table may break words if it needs more room than there is; more than so many times is refused.
MOST_BROKEN = 1.6


@dataclass(frozen=True, slots=True)
class CardPages:
    """The laid-out pages of a deck in one ink.

    `documents` are PDFs whose pages are numbered as if they were one. `faces` are the page numbers
    of all faces, each as often as its card is copied; `backs` are the pages of their backs, or
    none. `size` is that of the type in points, `empty` the unused part of the space on the faces.
    """

    documents: tuple[bytes, ...]
    faces: tuple[int, ...]
    backs: tuple[int, ...]
    layout: CardLayout
    size: float
    empty: float

    @property
    def remark(self) -> str:
        """A remark on the size, the type and the empty space of the cards, for the user."""
        name = self.layout.title.lower()
        return f"{name}, {self.size:g} pt, {round(100 * self.empty)} % empty"


def card_layout(view: DeckView, templates: Path, size: str) -> CardLayout:
    """Returns the layout of a size; raises RenderFault (R438) if the templates have none."""
    known = layouts(templates)
    if size not in known:
        said = f"the deck {view.title}: no layout is called '{size}'"
        raise RenderFault((Problem("R438", said, expected=f"one of {', '.join(known)}"),))
    return known[size]


def card_pages(view: DeckView, inks: Iterable[str], templates: Path) -> dict[str, CardPages]:
    """Lays out all faces of a deck and its backs, in each of the inks: full, low.

    Takes the first size of card whose faces are not too empty, but no smaller one on which more
    than a few cards would take another face. Raises RenderFault: R604 if a table is too wide for a
    card, R607 if a piece is too large.
    """
    chosen = None
    for name in view.sizes:
        try:
            deck = _SetDeck(view, card_layout(view, templates, name), templates)
        except RenderFault:
            if chosen is None:
                raise
            break
        if chosen is None or deck.count <= MOST_MORE * chosen.count:
            chosen = deck
        if deck.empty <= MOST_EMPTY:
            break
    assert chosen is not None, "a deck has a size"
    return chosen.pages(tuple(inks))


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured pieces of a card, one below the other in one size of type, in millimetres.

    `tops` and `bottoms` are those of the pieces. Each has a `gap` above it unless it is the first
    on a face; `room` is the height that a face has for pieces.
    """

    tops: tuple[float, ...]
    bottoms: tuple[float, ...]
    gap: float
    room: float

    def height(self, first: int, last: int) -> float:
        """Returns the height of pieces from first to last (exclusive) on a face of their own."""
        return self.bottoms[last - 1] - self.tops[first] - (self.gap if first else 0)

    def too_high(self) -> int | None:
        """Returns the index of the first piece that is higher than a face, or None."""
        pieces = range(len(self.tops))
        return next((n for n in pieces if self.height(n, n + 1) > self.room + SLACK), None)

    def split(self) -> tuple[int, ...]:
        """Returns how many pieces go on each face: on the fewest faces, as evenly full as possible.

        The sum of the squares of heights is the least, so that no face has only a few lines.
        """
        room = self.room + SLACK
        faces = break_blocks(len(self.tops), self.height, room, lambda _, high: high**2)
        return tuple(map(len, faces))


@dataclass(slots=True)
class _Draft:
    """A card with its pieces distributed to faces: at first all are on one."""

    card: CardView
    pieces: Sequence[Piece]
    size: float
    counts: tuple[int, ...]
    measured: dict[float, Measured] = field(default_factory=dict)

    def faces(self) -> Iterator[list[Piece]]:
        """Yields the pieces of each face."""
        rest = iter(self.pieces)
        for number in self.counts:
            yield list(islice(rest, number))

    def deal(self, size: float) -> None:
        """Distributes the pieces to faces in type of a size; raises RenderFault (R607).

        That is raised if a piece is higher than a face, or if there are more than MOST_FACES faces.
        """
        self.size = size
        measured = self.measured.get(size)
        if measured is None:
            return
        piece = measured.too_high()
        if piece is not None:
            high = f"{named(self.pieces[piece])} is {measured.height(piece, piece + 1):.0f} mm high"
            raise self._too_large(f"{high}, a face has room for {max(0.0, measured.room):.0f} mm")
        self.counts = measured.split()
        if len(self.counts) > MOST_FACES:
            raise self._too_large(f"it takes {len(self.counts)} faces")

    def _too_large(self, said: str) -> RenderFault:
        room = f"up to {MOST_FACES} faces, and pieces that fit on one in type of {SIZES[-1]:g} pt"
        hint = "shorten or split it, leave words to the booklet, or take larger cards"
        fault = Problem("R607", f"the card {self.card.title:.60}: {said}", expected=room, hint=hint)
        return RenderFault((fault,))


def _common_size(drafts: Sequence[_Draft], sizes: Sequence[float]) -> float:
    """Returns the largest size of type in which the cards take the fewest faces.

    Raises RenderFault (R607) if they do not fit in any size.
    """
    counts: dict[float, int] = {}
    for size in sizes:
        measured = [draft.measured[size] for draft in drafts]
        if all(pieces.too_high() is None for pieces in measured):
            counts[size] = sum(len(pieces.split()) for pieces in measured)
    if not counts:
        for draft in drafts:
            draft.deal(sizes[-1])
    return min(counts, key=lambda size: (counts[size], -size))


@dataclass(frozen=True, slots=True)
class FaceView:
    """What is printed on a face: its `parts`, and the `tail` of tracks at its foot.

    `number` is the number of the face, from 1, and `of` how many faces its card has. `size` names
    the size of type.
    """

    card: CardView
    parts: Sequence[Piece]
    tail: Sequence[Piece]
    number: int
    of: int
    size: str
    symbol: Markup


def _size_class(size: float) -> str:
    return f"{round(100 * size)}"


class _SetDeck:
    """A deck laid out on cards of one size, all in one size of type, in full ink.

    `drafts` are the cards with their faces, `laid` the pages of these, `empty` the unused part of
    the space on them.
    """

    def __init__(self, view: DeckView, layout: CardLayout, templates: Path) -> None:
        """Lays out all cards; raises RenderFault (R604, R607).

        At first each card has one face in the largest type. Cards that do not fit on it are
        measured in all sizes, and distributed to several faces. If the heads of faces then take
        more space than was measured, their cards are distributed again.
        """
        self.view, self.layout, self._templates = view, layout, templates
        #: Millimetres between the safe zones at both sides.
        self._inner = float(layout.width - 2 * layout.safe)
        self._tables = [
            (card, part)
            for card in view.cards
            for part in card.parts
            if isinstance(part, CardTable)
        ]
        self._refuse_wide_tables()
        sizes = self._sizes()
        self.size, self.drafts = sizes[0], [self._draft(card, sizes[0]) for card in view.cards]
        for number in range(MOST_FACES):
            self.laid = self._pages_of(self.drafts)
            crowded = self._crowded()
            if not crowded:
                return
            if not number:
                waiting = [draft for draft, _ in crowded]
                self._measure(waiting, sizes)
                self.size = _common_size(waiting, sizes)
                for draft in self.drafts:
                    draft.deal(self.size)
                continue
            unmeasured = [draft for draft, _ in crowded if self.size not in draft.measured]
            self._measure(unmeasured, [self.size])
            for draft, over in crowded:
                before = draft.measured[self.size]
                # the head of a face has taken more than when it was measured
                draft.measured[self.size] = replace(before, room=before.room - over)
                draft.deal(self.size)
        raise ValueError("the faces of a card do not come to rest")

    def _crowded(self) -> list[tuple[_Draft, float]]:
        """Returns the cards with a face that is too full, and by how many mm.

        Sets `empty` to the unused part of the space on all faces.
        """
        boxes, pages = self.laid.boxes(), count()
        faces = [
            [_measured_face(boxes, next(pages), len(here), tail_of(here)) for here in draft.faces()]
            for draft in self.drafts
        ]
        used = sum(face[1] for listed in faces for face in listed)
        room = sum(face[2] for listed in faces for face in listed)
        self.empty = 1 - used / room if room else 0.0
        fullest = (max(over for over, _, _ in listed) for listed in faces)
        overs = zip(self.drafts, fullest, strict=True)
        return [(draft, over) for draft, over in overs if over > SLACK]

    @property
    def count(self) -> int:
        """The number of printed cards: all faces, times the copies of each."""
        return sum(draft.card.copies * len(draft.counts) for draft in self.drafts)

    def pages(self, inks: Sequence[str]) -> dict[str, CardPages]:
        """Renders the pages in each ink, with the backs of the cards."""
        ends = [0, *accumulate(len(draft.counts) for draft in self.drafts)]
        faces: list[int] = []
        behind: list[int] = []
        for draft, (start, end) in zip(self.drafts, pairwise(ends), strict=True):
            faces += [*range(start, end)] * draft.card.copies
            behind += [ends[-1] + draft.card.back] * (end - start) * draft.card.copies
        laid = [self._with_low(self.laid, inks, _low_drawings(self.drafts))]
        laid += [self._backs(inks)] if self.view.backs else []
        return {
            ink: CardPages(
                tuple(layout.pdf(print_hints=False, ink=ink, tagged=False) for layout in laid),
                tuple(faces),
                tuple(behind if self.view.backs else ()),
                self.layout,
                self.size,
                self.empty,
            )
            for ink in inks
        }

    def _sizes(self) -> list[float]:
        """Returns the sizes of type in which no word of a table is broken, else the smallest."""

        def unbroken(size: float) -> bool:
            at_hand = (table_at(table, self._inner, size) for _, table in self._tables)
            return all(table.least <= table.room for table in at_hand)

        return [size for size in SIZES if unbroken(size)] or [SIZES[-1]]

    def _draft(self, card: CardView, size: float) -> _Draft:
        """Makes the draft of a card with all its pieces on one face."""
        accent = card.colour or self.view.identity.accent
        pieces = set_pieces(card, self._inner, accent)
        return _Draft(card, pieces, size, (len(pieces),))

    def _measure(self, drafts: Sequence[_Draft], sizes: Sequence[float]) -> None:
        """Measures the pieces of cards on long pages in these sizes of type."""
        for size in sizes if drafts else ():
            for draft in drafts:
                draft.size, draft.counts = size, (len(draft.pieces),)
            boxes = self._pages_of(drafts, long=True).boxes()
            for page, draft in enumerate(drafts):
                pieces = [boxes[f"piece-{page}-{n}"] for n in range(len(draft.pieces))]
                draft.measured[size] = Measured(
                    tuple(piece.top for piece in pieces),
                    tuple(piece.bottom for piece in pieces),
                    gap=GAP * size * MM_PER_POINT,
                    room=boxes[f"foot-{page}"].top - ABOVE_FOOT - boxes[f"pieces-{page}"].top,
                )

    def _pages_of(self, drafts: Sequence[_Draft], *, long: bool = False) -> Layout:
        """Lays out the faces of cards; on `long` pages all pieces of a card are on one."""
        faces = [face for draft in drafts for face in self._faces(draft, long)]
        return self._pages(faces=faces, long=long)

    def _faces(self, draft: _Draft, long: bool) -> Iterator[FaceView]:
        symbol, size, count = draw_symbol(draft.card), _size_class(draft.size), len(draft.counts)
        for number, pieces in enumerate(draft.faces(), start=1):
            here = [at_size(piece, self._inner, draft.size) for piece in pieces]
            cut = len(here) - (0 if long else tail_of(here))
            yield FaceView(draft.card, here[:cut], here[cut:], number, count, size, symbol)

    def _backs(self, inks: Sequence[str]) -> Layout:
        """Lays out the backs once for the inks asked for.

        If `inks` has low, the symbols are drawn for it as well, and the picture of the deck
        is left out there.
        """
        backs, low = self.view.backs, []
        for back in backs:
            low += [NOTHING_DRAWN] if self.view.picture and not back.whose else []
            low += [draw_symbol(back, "low")] if back.symbol else []
        laid = self._pages(backs=[(back, draw_symbol(back)) for back in backs])
        return self._with_low(laid, inks, low)

    def _with_low(self, laid: Layout, inks: Sequence[str], drawings: Sequence[str]) -> Layout:
        """Returns the pages with these drawings in place of their pictures in low ink."""
        if "low" not in inks or not drawings:
            return laid
        return laid.with_low(self._pages(drawings=drawings))

    def _pages(
        self,
        *,
        faces: Sequence[FaceView] = (),
        backs: Sequence[tuple[CardBackView, Markup]] = (),
        drawings: Sequence[str] = (),
        long: bool = False,
    ) -> Layout:
        shown: dict[str, object] = {"faces": faces, "behind": backs, "drawings": drawings}
        shown["swatch"] = swatch
        name, sizes = f"cards {self.view.title}", self._styles(long=long)
        return laid_out("cards", self.view, self._templates, sizes, name, **shown)

    def _styles(self, *, long: bool) -> str:
        """Returns the styles for the page, a trimmed card with bleed, and for the sizes of type."""
        layout = self.layout
        width, height, bleed, safe = (
            f"{float(length):g}mm"
            for length in (layout.width, layout.height, layout.bleed, layout.safe)
        )
        title = min(16.0, max(9.0, TITLE * float(layout.width) / TITLE_WIDTH))
        page = LONG_PAGE if long else height
        return (
            f"@page{{size:{width} {page};margin:0;bleed:{bleed}}}"
            f":root{{--width:{width};--height:{height};--bleed:{bleed};--safe:{safe};"
            f"--gap:{GAP}em;--title:{title:.2f}pt}}"
            + "".join(f".size-{_size_class(size)}{{font-size:{size}pt}}" for size in SIZES)
        )

    def _refuse_wide_tables(self) -> None:
        """Raises RenderFault (R604) for tables in which almost every word would be broken."""
        room = int(self._inner / (CHARACTER * SIZES[-1] * MM_PER_POINT))
        problems = [
            _too_wide(card, part.table, room, self.layout)
            for card, part in self._tables
            if part.table.least > MOST_BROKEN * room
        ]
        if problems:
            raise RenderFault(tuple(problems))


def _low_drawings(drafts: Iterable[_Draft]) -> list[str]:
    """Returns the pictures on the faces of cards in low ink, in the order of the pages."""
    found: list[str] = []
    for draft in drafts:
        for pieces in draft.faces():
            found += [draw_symbol(draft.card, "low")] if draft.card.symbol else []
            for piece in pieces:
                drawn = piece.tracks if isinstance(piece, TrackRow) else (piece,)
                found += [part.low for part in drawn if isinstance(part, TrackPart | PictureView)]
    return found


def _measured_face(
    boxes: Mapping[str, PageBox], page: int, count: int, tail: int
) -> tuple[float, float, float]:
    """Measures a face in mm: by how much it is too full, the height of its pieces, and its space.

    A last piece that is not on the page of its foot did not fit at all.
    """
    foot, top = boxes[f"foot-{page}"], boxes[f"pieces-{page}"].top
    limit = foot.top - ABOVE_FOOT
    room, used, bottom = limit - top, 0.0, top
    if tail:
        limit = boxes[f"piece-{page}-{count - tail}"].top
        used = boxes[f"piece-{page}-{count - 1}"].bottom - limit
    if count > tail:
        last = boxes.get(f"piece-{page}-{count - tail - 1}")
        if last is None or last.page != foot.page:
            return foot.height, used, room
        bottom = last.bottom
    return bottom - limit, bottom - top + used, room


def _too_wide(card: CardView, table: TableView, room: int, layout: CardLayout) -> Problem:
    return Problem(
        "R604",
        f"the table {table.title} needs {table.least} characters side by side, "
        f"the card {card.title:.60} has room for {room}",
        expected=f"columns wide enough for the longest word in each, on {layout.title.lower()}",
    )


def card_sheets(
    view: DeckView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """Renders the files of a deck in their order; raises RenderFault with what is wrong."""
    pages = card_pages(view, dict.fromkeys(file.ink or "full" for file in files), templates)
    for file in files:
        yield _imposed(view, pages[file.ink or "full"], file)


def _imposed(view: DeckView, pages: CardPages, file: File) -> Rendered:
    sheets, how = _sheets(view, pages, file.paper)
    titles = {"title": view.identity.title, "deck": view.title}
    title = gettext("%(title)s – %(deck)s: %(how)s", **titles, how=how)
    two_sided = file.paper is not None and any(sheet.back for sheet in sheets)
    data = impose(
        pages.documents,
        sheets,
        title=title,
        language=view.identity.language,
        flip=view.flip if two_sided else None,
    )
    count = sum(len(sheet.sides) for sheet in sheets)
    return Rendered(file.path, data, count, pages.remark)


def _sheets(view: DeckView, pages: CardPages, paper: str | None) -> tuple[list[PrintedSheet], str]:
    """Arranges a deck on sheets of a paper, or card by card if `paper` is None.

    Also returns, in words, how the sheets are printed. Raises RenderFault (R608) if the cards have
    no sheet of that paper.
    """
    layout = pages.layout
    if paper is None:
        return singly(pages), gettext("single cards")
    if view.gutterfold and pages.backs:
        try:
            folded: Any = paper
            return gutterfold(pages.faces, pages.backs, layout, folded), gettext("fold, glue, cut")
        except ValueError as fault:
            raise _no_sheet(view, layout, paper, "cards that half a sheet has room for") from fault
    if paper not in layout.sheets:
        raise _no_sheet(view, layout, paper, f"one of {', '.join(layout.sheets)}")
    sheet = layout.sheets[paper]
    if not pages.backs:
        return n_up(pages.faces, sheet), gettext("printed on one side")
    placed = n_up(pages.faces, sheet, backs=pages.backs, flip=view.flip, offset=view.offset)
    return placed, gettext(BOTH_SIDES[view.flip])


def singly(pages: CardPages) -> list[PrintedSheet]:
    """Places each face once on a page of its own size and bleed, followed by its back."""
    layout = pages.layout
    width, height = layout.width + 2 * layout.bleed, layout.height + 2 * layout.bleed
    trim = rect(layout.bleed, layout.bleed, layout.width, layout.height)

    def side(page: int) -> SheetSide:
        return SheetSide((Placement(page, trim, rect(0, 0, width, height)),))

    behind = dict(zip(pages.faces, pages.backs, strict=False))
    return [
        PrintedSheet(width, height, side(page), side(behind[page]) if behind else None)
        for page in dict.fromkeys(pages.faces)
    ]


def _no_sheet(view: DeckView, layout: CardLayout, paper: str, expected: str) -> RenderFault:
    said = f"the deck {view.title}: {layout.title.lower()} have no sheet of {paper}"
    hint = "leave the paper out of 'documents: cards', or add a sheet to the layout"
    return RenderFault((Problem("R608", said, expected=expected, hint=hint),))


def cards_page(view: CardsView, templates: Path, _: object) -> str:
    """Renders all decks as one page for a screen."""
    return screen_page("cards-screen", view, templates, pieces_of=pieces_of, symbol_of=draw_symbol)
