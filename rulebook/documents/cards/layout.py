"""The view of a deck -> its cards as logical pages, a face for each piece; sheets of them."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.cards import views
from rulebook.documents.cards.faces import (
    MOST_FACES,
    SIZES,
    SLACK,
    FaceTooSmall,
    Measured,
    common_size,
    dealt,
    split,
)
from rulebook.documents.cards.pieces import (
    CHARACTER,
    DrawnTrack,
    Piece,
    TrackRow,
    at_size,
    draw_symbol,
    is_table,
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
from rulebook.problems import Problem
from rulebook.quantities import MM_PER_POINT
from rulebook.translation import gettext
from rulebook.typeset.environment import RenderFault
from rulebook.typeset.pdf import Layout, PageBox

#: The part of the room of its faces that a deck may leave empty before it is set on smaller cards.
MOST_EMPTY = 0.4
#: How many times as many faces smaller cards may take: few cards are to become two.
MOST_MORE = 1.1
#: Cards of one document.
CHUNK = 60
#: In the place of a picture that low ink leaves out.
NOTHING_DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1mm" height="1mm"><title>-</title></svg>'
)
#: Above each piece, in parts of the size of type, and between the last of them and the foot.
GAP = 0.4
ABOVE_FOOT = 0.6
#: The title of a card as wide as a poker card, in points; that of others is in proportion.
TITLE, TITLE_WIDTH = 11.5, 63.0
#: On a page of this height everything stands below the rest, so that all of it can be measured.
LONG_PAGE = "9000mm"
#: Words are broken in tables that need more than their room, but not if so many times as much.
MOST_BROKEN = 1.6


@dataclass(frozen=True, slots=True)
class CardPages:
    """The logical pages of a deck in one ink.

    `documents` follow one another as one; `faces` are the page numbers of all pieces of card in
    order, each as often as it is copied; `backs` are the pages behind them, or none. `layout` is
    that of their size, `size` that of their type; of the room on the faces so great a part is
    `empty`.
    """

    documents: tuple[bytes, ...]
    faces: tuple[int, ...]
    backs: tuple[int, ...]
    layout: CardLayout
    size: float
    empty: float

    @property
    def remark(self) -> str:
        """How the deck came out, for whoever builds it."""
        name = self.layout.title.lower()
        return f"{name}, {self.size:g} pt, {round(100 * self.empty)} % empty"


def card_layout(view: views.DeckView, templates: Path, size: str) -> CardLayout:
    """The layout of a size; raises RenderFault (R438) where the templates have none."""
    known = layouts(templates)
    if size not in known:
        said = f"the deck {view.title}: no layout is called '{size}'"
        raise RenderFault((Problem("R438", said, expected=f"one of {', '.join(known)}"),))
    return known[size]


def card_pages(view: views.DeckView, inks: Iterable[str], templates: Path) -> dict[str, CardPages]:
    """All faces of a deck, and its backs, in each of the inks: full, low.

    Of several sizes of card that comes first whose faces are not too empty; a smaller one on which
    more than a few cards become two is not taken. Raises RenderFault: R604 where a table is too
    wide for a card, R607 where a piece is too large.
    """
    wanted, chosen = tuple(inks), None
    for name in view.sizes:
        press = _CardTypesetter(view, card_layout(view, templates, name), templates)
        try:
            deck = _LaidOutDeck(press, wanted)
        except RenderFault:
            if chosen is None:
                raise
            break
        if chosen is None or deck.faces <= MOST_MORE * chosen.faces:
            chosen = deck
        if deck.empty <= MOST_EMPTY:
            break
    assert chosen is not None, "a deck has a size"
    return chosen.pages()


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Cards laid out: their pages by inks, and how many faces each takes.

    `used` is how much of the `room` on the faces is, in mm of height.
    """

    made: Mapping[str, bytes]
    counts: Sequence[int]
    used: float
    room: float


class _LaidOutDeck:
    """A deck on cards of one size, chunk by chunk: not all of it is laid out at a time."""

    def __init__(self, press: _CardTypesetter, inks: Sequence[str]) -> None:
        self._press, self._inks = press, inks
        cards = press.view.cards
        press.refuse_wide_tables()
        sizes = press.sizes(cards)
        drafts = [
            [press.draft(card, sizes[0]) for card in cards[start : start + CHUNK]]
            for start in range(0, len(cards), CHUNK)
        ]
        firsts = [self._first(chunk, sizes) for chunk in drafts]
        self.size = _common(sizes, [draft for chunk in drafts for draft in chunk])
        self._chunks = [
            self._painted(chunk, press.settled(chunk, self.size))
            if first is None or self.size != sizes[0]
            else first
            for chunk, first in zip(drafts, firsts, strict=True)
        ]
        room = sum(chunk.room for chunk in self._chunks)
        self.empty = 1 - sum(chunk.used for chunk in self._chunks) / room if room else 0.0

    @property
    def faces(self) -> int:
        """Pieces of card, each as often as it is copied."""
        counts = (count for chunk in self._chunks for count in chunk.counts)
        cards = self._press.view.cards
        return sum(card.copies * count for card, count in zip(cards, counts, strict=True))

    def _first(self, drafts: Sequence[_Draft], sizes: Sequence[float]) -> _Chunk | None:
        """Cards that all fit one face in the largest type: their first layout is the last.

        Of others those that do not fit are measured in all sizes, and nothing is returned.
        """
        laid = self._press.pages_of(drafts)
        waiting = self._press.too_full(drafts, laid)
        if not waiting:
            return self._painted(drafts, laid)
        self._press.measure(waiting, sizes)
        return None

    def _painted(self, drafts: Sequence[_Draft], laid: Layout) -> _Chunk:
        if "low" in self._inks:
            laid = self._press.with_low(laid, _low_drawings(drafts))
        made = {ink: laid.pdf(print_hints=False, ink=ink, tagged=False) for ink in self._inks}
        used, room = _filled_part(drafts, laid.boxes())
        counts = [len(draft.counts) for draft in drafts]
        chunk = _Chunk(made, counts, used, room)
        del laid
        # A document is full of cycles, and a job runs without the collector. Only what is new is
        # gone through: the cards of a large deck would take longer than the document.
        gc.collect(0)
        return chunk

    def pages(self) -> dict[str, CardPages]:
        """The pages in each ink, the backs behind the cards."""
        view = self._press.view
        counts = [count for chunk in self._chunks for count in chunk.counts]
        starts = [0, *accumulate(counts)]
        faces: list[int] = []
        behind: list[int] = []
        for card, start, count in zip(view.cards, starts, counts, strict=False):
            faces += [*range(start, start + count)] * card.copies
            behind += [starts[-1] + card.back] * count * card.copies
        backs = self._press.backs(view.backs, self._inks) if view.backs else {}
        return {
            ink: CardPages(
                (*(one.made[ink] for one in self._chunks), *backs.get(ink, ())),
                tuple(faces),
                tuple(behind if backs else ()),
                self._press.layout,
                self.size,
                self.empty,
            )
            for ink in self._inks
        }


def _common(sizes: Sequence[float], drafts: Sequence[_Draft]) -> float:
    """The size of type of all drafts; raises RenderFault (R607) where none will do."""
    waiting = [draft for draft in drafts if draft.measured]
    counts: dict[float, int] = {}
    for size in sizes:
        try:
            counts[size] = sum(len(split(draft.measured[size])) for draft in waiting)
        except FaceTooSmall:
            continue
    if not counts:
        for draft in waiting:
            draft.deal(sizes[-1])
        raise ValueError("cards of which each fits are too large together")
    return common_size(counts)


@dataclass(frozen=True, slots=True)
class FaceView:
    """What stands on a face, which is one of so many of its card, in type of a `size`.

    Below the `parts`, at the foot of the face, stands the `tail`.
    """

    card: views.CardView
    parts: Sequence[Piece]
    tail: Sequence[Piece]
    number: int
    of: int
    size: str
    symbol: Markup


@dataclass(slots=True)
class _Draft:
    """A card on its way to its faces: at first it is taken to fit on one."""

    card: views.CardView
    pieces: Sequence[Piece]
    size: float
    counts: tuple[int, ...]
    measured: dict[float, Measured] = field(default_factory=dict)

    def tails(self) -> list[int]:
        """How many tracks stand at the foot of each face."""
        return [tail_of(there) for there in dealt(self.pieces, self.counts)]

    def deal(self, size: float) -> None:
        """Its faces in type of a size; raises RenderFault (R607) where it cannot have them."""
        self.size = size
        if size not in self.measured:
            return
        try:
            self.counts = split(self.measured[size])
        except FaceTooSmall as fault:
            piece, high = named(self.pieces[fault.piece]), f"{fault.height:.0f} mm high"
            has = f"a face has room for {max(0.0, fault.room):.0f} mm"
            raise self._too_large(f"{piece} is {high}, {has}") from fault
        if len(self.counts) > MOST_FACES:
            raise self._too_large(f"it takes {len(self.counts)} faces")

    def _too_large(self, said: str) -> RenderFault:
        room = f"up to {MOST_FACES} faces, and pieces that fit on one in type of {SIZES[-1]:g} pt"
        hint = "shorten or split it, leave words to the booklet, or take larger cards"
        fault = Problem("R607", f"the card {self.card.title:.60}: {said}", expected=room, hint=hint)
        return RenderFault((fault,))

    def narrow(self, over: float) -> None:
        """Count on less room, for the head of a face has taken more than when measured."""
        before = self.measured[self.size]
        self.measured[self.size] = replace(before, room=before.room - over)


def _size_class(size: float) -> str:
    return f"{round(100 * size)}"


@dataclass(frozen=True, slots=True)
class _CardTypesetter:
    """Lays out the cards of one deck on cards of one size, as they are in full ink."""

    view: views.DeckView
    layout: CardLayout
    templates: Path

    def sizes(self, cards: Iterable[views.CardView]) -> list[float]:
        """The sizes of type that break no word in a table; the smallest may have to."""
        tables = [part for card in cards for part in card.parts if is_table(part)]

        def unbroken(size: float) -> bool:
            at_hand = (table_at(table, self._inner, size) for table in tables)
            return all(table.least <= table.room for table in at_hand)

        return [size for size in SIZES if unbroken(size)] or [SIZES[-1]]

    def draft(self, card: views.CardView, size: float) -> _Draft:
        """A card as if it stood on one face."""
        accent = card.colour or self.view.identity.accent
        pieces = set_pieces(card, self._inner, accent)
        return _Draft(card, pieces, size, (len(pieces),))

    @property
    def _inner(self) -> float:
        """Millimetres between the safe zones at both sides."""
        return float(self.layout.width - 2 * self.layout.safe)

    def too_full(self, drafts: Sequence[_Draft], laid: Layout) -> list[_Draft]:
        """Those whose pieces do not all stand above the feet of their faces."""
        return [draft for draft, over in _overs(drafts, laid.boxes()) if over > SLACK]

    def measure(self, drafts: Sequence[_Draft], sizes: Sequence[float]) -> None:
        """Measure cards on long pages in type of some sizes."""
        for size in sizes:
            for draft in drafts:
                draft.size, draft.counts = size, (len(draft.pieces),)
            boxes = self.pages_of(drafts, long=True).boxes()
            for page, draft in enumerate(drafts):
                draft.measured[size] = _measured(boxes, page, len(draft.pieces), size)

    def settled(self, drafts: Sequence[_Draft], size: float) -> Layout:
        """All faces in type of a size; one that is too full for its head is dealt again."""
        for draft in drafts:
            draft.deal(size)
        for _ in range(MOST_FACES):
            laid = self.pages_of(drafts)
            crowded = [
                (draft, over) for draft, over in _overs(drafts, laid.boxes()) if over > SLACK
            ]
            if not crowded:
                return laid
            self.measure([draft for draft, _ in crowded if size not in draft.measured], [size])
            for draft, over in crowded:
                draft.narrow(over)
                draft.deal(size)
        raise ValueError("the faces of a card do not come to rest")

    def pages_of(self, drafts: Sequence[_Draft], *, long: bool = False) -> Layout:
        """The faces of cards; on `long` pages all pieces stand below one another."""
        return self._pages(
            faces=[f for draft in drafts for f in self._faces(draft, long)], long=long
        )

    def _faces(self, draft: _Draft, long: bool) -> Iterator[FaceView]:
        pieces = [at_size(piece, self._inner, draft.size) for piece in draft.pieces]
        there = dealt(pieces, draft.counts)
        symbol = draw_symbol(draft.card)
        for number, here in enumerate(there, start=1):
            cut = len(here) - (0 if long else tail_of(here))
            size = _size_class(draft.size)
            yield FaceView(draft.card, here[:cut], here[cut:], number, len(there), size, symbol)

    def backs(
        self, backs: Sequence[views.CardBackView], inks: Sequence[str]
    ) -> dict[str, list[bytes]]:
        """The pages behind the cards in each ink; in low ink they have no picture."""
        laid = self._pages(backs=[(back, draw_symbol(back)) for back in backs])
        if "low" in inks:
            pictures = (
                drawing
                for back in backs
                for drawing in (
                    *([NOTHING_DRAWN] if self.view.picture and not back.whose else ()),
                    *([draw_symbol(back, "low")] if back.symbol else ()),
                )
            )
            laid = self.with_low(laid, list(pictures))
        return {ink: [laid.pdf(print_hints=False, ink=ink, tagged=False)] for ink in inks}

    def with_low(self, laid: Layout, drawings: Sequence[str]) -> Layout:
        """The same pages, their pictures in low ink these."""
        return laid.with_low(self._pages(drawings=drawings)) if drawings else laid

    def _pages(
        self,
        *,
        faces: Sequence[FaceView] = (),
        backs: Sequence[tuple[views.CardBackView, Markup]] = (),
        drawings: Sequence[str] = (),
        long: bool = False,
    ) -> Layout:
        shown: dict[str, object] = {"faces": faces, "behind": backs, "drawings": drawings}
        name, sizes = f"cards {self.view.title}", self._styles(long=long)
        return laid_out("cards", self.view, self.templates, sizes, name, **shown)

    def _styles(self, *, long: bool) -> str:
        """The page, which is a trimmed card with its bleed, and the sizes of type."""
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

    def refuse_wide_tables(self) -> None:
        """Raise RenderFault (R604) for tables in which hardly a word would stand unbroken."""
        room = int(self._inner / (CHARACTER * SIZES[-1] * MM_PER_POINT))
        problems = [
            _too_wide(card, part.table, room, self.layout)
            for card in self.view.cards
            for part in card.parts
            if is_table(part) and part.table.least > MOST_BROKEN * room
        ]
        if problems:
            raise RenderFault(tuple(problems))


def _low_drawings(drafts: Iterable[_Draft]) -> list[str]:
    """What the pictures on the faces of cards are in low ink."""
    found: list[str] = []
    for draft in drafts:
        for here in dealt(draft.pieces, draft.counts):
            found += [draw_symbol(draft.card, "low")] if draft.card.symbol else []
            for piece in here:
                drawn = piece.tracks if isinstance(piece, TrackRow) else (piece,)
                found += [one.low for one in drawn if isinstance(one, DrawnTrack | PictureView)]
    return found


def _measured(boxes: Mapping[str, PageBox], page: int, count: int, size: float) -> Measured:
    pieces = [boxes[f"piece-{page}-{index}"] for index in range(count)]
    return Measured(
        tuple(piece.top for piece in pieces),
        tuple(piece.bottom for piece in pieces),
        gap=GAP * size * MM_PER_POINT,
        room=boxes[f"foot-{page}"].top - ABOVE_FOOT - boxes[f"pieces-{page}"].top,
    )


def _overs(
    drafts: Sequence[_Draft], boxes: Mapping[str, PageBox]
) -> Iterator[tuple[_Draft, float]]:
    """Each card with how much too full its fullest face is, in mm."""
    page = 0
    for draft in drafts:
        faces = list(zip(draft.counts, draft.tails(), strict=True))
        overs = [_over(boxes, page + n, count, tail) for n, (count, tail) in enumerate(faces)]
        yield draft, max(overs)
        page += len(faces)


def _over(boxes: Mapping[str, PageBox], page: int, count: int, tail: int) -> float:
    """By how much the pieces of a face come too near to the tail, or to the foot.

    What does not fit its page at all has been put on the next, or nowhere.
    """
    foot = boxes[f"foot-{page}"]
    end = boxes[f"piece-{page}-{count - tail}"].top if tail else foot.top - ABOVE_FOOT
    if count == tail:
        return boxes[f"pieces-{page}"].top - end if tail else 0.0
    last = boxes.get(f"piece-{page}-{count - tail - 1}")
    if last is None or last.page != foot.page:
        return foot.height
    return last.bottom - end


def _filled_part(drafts: Sequence[_Draft], boxes: Mapping[str, PageBox]) -> tuple[float, float]:
    """How many mm of height the pieces of all faces take, and how many there are."""
    used = whole = 0.0
    page = 0
    for draft in drafts:
        for count, tail in zip(draft.counts, draft.tails(), strict=True):
            top, bottom = boxes[f"pieces-{page}"].top, boxes[f"foot-{page}"].top - ABOVE_FOOT
            whole += bottom - top
            if count > tail:
                used += boxes[f"piece-{page}-{count - tail - 1}"].bottom - top
            if tail:
                used += boxes[f"piece-{page}-{count - 1}"].bottom
                used -= boxes[f"piece-{page}-{count - tail}"].top
            page += 1
    return used, whole


def _too_wide(card: views.CardView, table: TableView, room: int, layout: CardLayout) -> Problem:
    return Problem(
        "R604",
        f"the table {table.title} needs {table.least} characters side by side, "
        f"the card {card.title:.60} has room for {room}",
        expected=f"columns wide enough for the longest word in each, on {layout.title.lower()}",
    )


def card_sheets(
    view: views.DeckView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """The files of a deck in their order; raises RenderFault with what is wrong."""
    pages = card_pages(view, dict.fromkeys(_ink(file) for file in files), templates)
    for file in files:
        yield _imposed(view, pages[_ink(file)], file)


def _ink(file: File) -> str:
    return file.ink or "full"


def _imposed(view: views.DeckView, pages: CardPages, file: File) -> Rendered:
    paper = file.paper
    sheets, how = _sheets(view, pages, paper)
    titles = {"title": view.identity.title, "deck": view.title}
    title = gettext("%(title)s – %(deck)s: %(how)s", **titles, how=how)
    two_sided = paper is not None and any(sheet.back for sheet in sheets)
    data = impose(
        pages.documents,
        sheets,
        title=title,
        language=view.identity.language,
        flip=view.flip if two_sided else None,
    )
    count = sum(len(sheet.sides) for sheet in sheets)
    return Rendered(file.path, data, count, pages.remark)


def _sheets(
    view: views.DeckView, pages: CardPages, paper: str | None
) -> tuple[list[PrintedSheet], str]:
    """The sheets of a deck, and how they are printed."""
    if paper is None:
        return singly(pages, pages.layout), gettext("single cards")
    if view.gutterfold and pages.backs:
        return _folded(view, pages, pages.layout, paper), gettext("fold, glue, cut")
    return _duplex(view, pages, pages.layout, paper)


def singly(pages: CardPages, layout: CardLayout) -> list[PrintedSheet]:
    """Each face once, on a page of its size and bleed, the back behind it as the next page."""
    width, height = layout.width + 2 * layout.bleed, layout.height + 2 * layout.bleed
    trim = rect(layout.bleed, layout.bleed, layout.width, layout.height)

    def side(page: int) -> SheetSide:
        return SheetSide((Placement(page, trim, rect(0, 0, width, height)),))

    if not pages.backs:
        return [
            PrintedSheet(width, height, side(page), None) for page in dict.fromkeys(pages.faces)
        ]
    pairs = dict(zip(pages.faces, pages.backs, strict=True))
    return [PrintedSheet(width, height, side(page), side(back)) for page, back in pairs.items()]


def _duplex(
    view: views.DeckView, pages: CardPages, layout: CardLayout, paper: str
) -> tuple[list[PrintedSheet], str]:
    if paper not in layout.sheets:
        raise _no_sheet(view, layout, paper, f"one of {', '.join(layout.sheets)}")
    sheet = layout.sheets[paper]
    if not pages.backs:
        return n_up(pages.faces, sheet), gettext("printed on one side")
    how = gettext(BOTH_SIDES[view.flip])
    placed = n_up(pages.faces, sheet, backs=pages.backs, flip=view.flip, offset=view.offset)
    return placed, how


def _folded(
    view: views.DeckView, pages: CardPages, layout: CardLayout, paper: Any
) -> list[PrintedSheet]:
    try:
        return gutterfold(pages.faces, pages.backs, layout, paper)
    except ValueError as fault:
        raise _no_sheet(view, layout, paper, "cards that half a sheet has room for") from fault


def _no_sheet(view: views.DeckView, layout: CardLayout, paper: str, expected: str) -> RenderFault:
    said = f"the deck {view.title}: {layout.title.lower()} have no sheet of {paper}"
    hint = "leave the paper out of 'documents: cards', or add a sheet to the layout"
    return RenderFault((Problem("R608", said, expected=expected, hint=hint),))


def cards_page(view: views.CardsView, templates: Path, _: object) -> str:
    """All decks on one page for a screen."""
    return screen_page("cards-screen", view, templates, pieces_of=pieces_of, symbol_of=draw_symbol)
