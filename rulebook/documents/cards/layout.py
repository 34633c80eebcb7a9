"""The view of a deck -> its cards as logical pages, one for each face, and sheets of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.cards.pieces import (
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
    is_track,
    named,
    pieces_of,
    set_pieces,
    table_at,
    tail_of,
)
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.parts.pages import laid_out, screen_page
from rulebook.documents.parts.views import PictureView, TableView, room_of
from rulebook.imposing.arrangements import gutterfold, n_up
from rulebook.imposing.imposition import impose
from rulebook.imposing.layouts import CardLayout, layouts
from rulebook.imposing.placing import BOTH_SIDES, Placement, PrintedSheet, SheetSide, rect
from rulebook.maps.names import swatch
from rulebook.problems import Problem, RenderFault
from rulebook.quantities import MM_PER_POINT
from rulebook.translation import gettext
from rulebook.typeset.make_up import fill_pages
from rulebook.typeset.pdf import Layout

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
        """A remark for the user on the kind of card, the size of type and the empty space."""
        name = self.layout.title.lower()
        return f"{name}, {self.size:g} pt, {round(100 * self.empty)} % empty"


def card_layout(view: DeckView, templates: Path, size: str) -> CardLayout:
    """Returns the layout of a size of cards.

    Raises RenderFault (R438) if the templates have none.
    """
    known = layouts(templates)
    if size not in known:
        said = f"the deck {view.title}: no layout is called '{size}'"
        raise RenderFault((Problem("R438", said, expected=f"one of {', '.join(known)}"),))
    return known[size]


def card_pages(view: DeckView, inks: Iterable[str], templates: Path) -> dict[str, CardPages]:
    """Lays out all faces of a deck and its backs, and returns the pages by ink.

    Takes the first of the deck's sizes of card whose faces are not too empty. A smaller size is
    taken only if hardly any card needs another face on it. Raises RenderFault: R604 if a table is
    too wide for a card, R607 if a piece is too large.
    """
    chosen = None
    for name in view.sizes:
        try:
            deck = _MeasuredDeck(view, card_layout(view, templates, name), templates)
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
class MeasuredCard:
    """A card with its pieces, measured in one size of type, in millimetres.

    Each of the `heights` includes the `gap` above the piece. `room` is the height for pieces on the
    only face of a card, `numbered_room` that on one of several, which have numbers in their heads.
    """

    card: CardView
    pieces: Sequence[Piece]
    heights: Sequence[float]
    gap: float
    room: float
    numbered_room: float

    def room_of(self, faces: int) -> float:
        """Returns the height in mm for pieces on each face of a card with `faces` faces."""
        return self.room if faces == 1 else self.numbered_room

    def too_high(self) -> int | None:
        """Returns the index of the first piece that is higher than a face, or None if all fit."""
        most = self.room_of(len(self.pieces)) + self.gap + SLACK
        return next((n for n, height in enumerate(self.heights) if height > most), None)

    def faces(self) -> list[range]:
        """Distributes the pieces over as few faces as possible, so that these are evenly full.

        Returns the indices of the pieces on each face. The gap above the first piece of a face is
        left out, unless that is a track at its foot.
        """
        above = [0.0 if is_track(piece) else -self.gap for piece in self.pieces]
        faces = fill_pages(self.heights, above, self.room + SLACK)
        if len(faces) > 1:
            faces = fill_pages(self.heights, above, self.numbered_room + SLACK)
        return faces or [range(0)]

    def refuse(self) -> None:
        """Raises RenderFault (R607) if a piece is higher than a face, or there are too many faces.

        Returns without effect otherwise.
        """
        piece, faces = self.too_high(), len(self.faces())
        if piece is not None:
            high, room = self.heights[piece] - self.gap, self.room_of(len(self.pieces))
            said = f"{named(self.pieces[piece])} is {high:.0f} mm high"
            said += f", a face has room for {max(0.0, room):.0f} mm"
        elif faces > MOST_FACES:
            said = f"it takes {faces} faces"
        else:
            return
        problem = Problem(
            "R607",
            f"the card {self.card.title:.60}: {said}",
            expected=f"up to {MOST_FACES} faces, "
            f"and pieces that fit on one in type of {SIZES[-1]:g} pt",
            hint="shorten or split it, leave words to the booklet, or take larger cards",
        )
        raise RenderFault((problem,))


@dataclass(frozen=True, slots=True)
class FaceView:
    """What is printed on a face: its `parts`, and the `tail` of tracks at its foot.

    `number` is the number of the face, from 1, and `of` how many faces its card has.
    """

    card: CardView
    parts: Sequence[Piece]
    tail: Sequence[Piece] = ()
    number: int = 1
    of: int = 1


class _MeasuredDeck:
    """A deck on cards of one size, all in type of one `size` in points.

    `cards` are measured in that type; `faces` are those of each, and `empty` is the unused part of
    the space on these.
    """

    def __init__(self, view: DeckView, layout: CardLayout, templates: Path) -> None:
        """Measures all cards of a deck in the type that suits it best.

        Raises RenderFault if a table is too wide for a card (R604), or if a card has a piece that
        is too high or takes too many faces (R607).
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
        self.size, self.cards = self._in_common_size()
        self.faces = [list(_faces(card)) for card in self.cards]
        pairs = list(zip(self.cards, self.faces, strict=True))
        #: The number of printed cards: all faces, times the copies of each.
        self.count = sum(card.card.copies * len(own) for card, own in pairs)
        used = sum(max(0.0, sum(card.heights) - card.gap * len(own)) for card, own in pairs)
        room = sum(card.room_of(len(own)) * len(own) for card, own in pairs)
        self.empty = 1 - used / room if room else 0.0

    def pages(self, inks: Sequence[str]) -> dict[str, CardPages]:
        """Lays out the faces and backs of the cards, and renders them as PDFs in each ink."""
        printed = [face for own in self.faces for face in own]
        laid = self._pages(self.size, faces=printed)
        parts = [self._with_low(laid, inks, _low_drawings(printed))]
        if self.view.backs:
            parts.append(self._backs(inks))
        numbers = iter(range(len(printed)))
        faces: list[int] = []
        backs: list[int] = []
        for card, own in zip(self.view.cards, self.faces, strict=True):
            faces += [next(numbers) for _ in own] * card.copies
            backs += [len(printed) + card.back] * len(own) * card.copies
        return {
            ink: CardPages(
                tuple(layout.pdf(print_hints=False, ink=ink, tagged=False) for layout in parts),
                tuple(faces),
                tuple(backs if self.view.backs else ()),
                self.layout,
                self.size,
                self.empty,
            )
            for ink in inks
        }

    def _sizes(self) -> list[float]:
        """Returns the sizes of type, in points, in which no table must break a word.

        If there is none, returns the smallest size alone.
        """

        def unbroken(size: float) -> bool:
            at_hand = (table_at(part.table, self._inner, size) for _, part in self._tables)
            return all(table.least <= table.room for table in at_hand)

        return [size for size in SIZES if unbroken(size)] or [SIZES[-1]]

    def _in_common_size(self) -> tuple[float, list[MeasuredCard]]:
        """Measures all cards in the largest type in which they take the fewest faces.

        Returns its size in points and the measured cards. Tables that are higher than a face in any
        size are cut. Raises RenderFault (R607) if other pieces are, or a card takes too many faces.
        """
        accent = self.view.identity.accent
        drawn = [set_pieces(card, self._inner, card.colour or accent) for card in self.view.cards]
        every = range(len(drawn))
        #: The cards that need more than one face in the sizes so far. Those that do not are not
        #: measured again until the size is chosen: they take no more faces in smaller type.
        large: Sequence[int] = every
        fewest: tuple[int, float, dict[int, MeasuredCard]] | None = None
        for size in self._sizes():
            cards = self._measured({index: drawn[index] for index in large}, size)
            too_high = {index for index in large if cards[index].too_high() is not None}
            count = len(every) + sum(len(cards[index].faces()) - 1 for index in large)
            if not too_high and (fewest is None or count < fewest[0]):
                fewest = count, size, cards
            large = [index for index in large if index in too_high or len(cards[index].faces()) > 1]
            if not large:
                break
        if fewest is None and self._cut_tables({index: cards[index] for index in large}):
            return self._in_common_size()
        _, size, cards = fewest or (0, size, cards)
        rest = {index: drawn[index] for index in every if index not in cards}
        cards |= self._measured(rest, size)
        for index in every:
            cards[index].refuse()
        return size, [cards[index] for index in every]

    def _cut_tables(self, cards: Mapping[int, MeasuredCard]) -> bool:
        """Cuts each table that is higher than a face in two; returns whether there is any.

        `cards` are measured in the smallest type, by their indices.
        """
        made = list(self.view.cards)
        for index, card in cards.items():
            number = card.too_high()
            high = card.pieces[number] if number is not None else None
            if isinstance(high, CardTable):
                body = high.table.body
                parts = [
                    half
                    for part in made[index].parts
                    for half in (
                        _halves(part)
                        if isinstance(part, CardTable) and part.table.body == body
                        else [part]
                    )
                ]
                made[index] = replace(made[index], parts=tuple(parts))
        cut = made != list(self.view.cards)
        self.view = replace(self.view, cards=tuple(made))
        return cut

    def _measured(
        self, pieces: Mapping[int, Sequence[Piece]], size: float
    ) -> dict[int, MeasuredCard]:
        """Measures the heights of the pieces of cards, and the room for them on a face.

        `pieces` and the result are by the index of the card. All pieces of a card are laid out on
        one long page, in a size of type in points. A card of several pieces has a second face
        without any, to measure the room below a numbered head.
        """
        if not pieces:
            return {}
        faces: list[FaceView] = []
        for index, listed in pieces.items():
            card = self.view.cards[index]
            faces.append(FaceView(card, [at_size(piece, self._inner, size) for piece in listed]))
            if len(listed) > 1:
                faces.append(FaceView(card, (), number=MOST_FACES, of=MOST_FACES))
        laid, gap = self._pages(size, faces=faces, long=True), GAP * size * MM_PER_POINT
        boxes, heights = laid.boxes(), laid.heights()
        rooms = [
            boxes[f"foot-{page}"].top - ABOVE_FOOT - boxes[f"pieces-{page}"].top
            for page in range(len(faces))
        ]
        cards = (
            MeasuredCard(
                face.card,
                face.parts,
                # the first piece on a page has no gap above it
                [height + gap * (not n) for n, height in enumerate(heights[f"piece-{page}"])],
                gap,
                rooms[page],
                rooms[page + (len(face.parts) > 1)],
            )
            for page, face in enumerate(faces)
            if face.of == 1
        )
        return dict(zip(pieces, cards, strict=True))

    def _backs(self, inks: Sequence[str]) -> Layout:
        """Lays out the backs of the deck; `inks` are those in which they are printed.

        For low ink the symbols are drawn anew, and the picture of the deck is left out.
        """
        low: list[str] = []
        for back in self.view.backs:
            low += [NOTHING_DRAWN] if self.view.picture and not back.whose else []
            low += [draw_symbol(back, "low")] if back.symbol else []
        return self._with_low(self._pages(behind=self.view.backs), inks, low)

    def _with_low(self, laid: Layout, inks: Sequence[str], drawings: Sequence[str]) -> Layout:
        """Returns pages in which low ink has `drawings` in place of their pictures, in order.

        The pages are returned as they are if low ink is not wanted or there are no drawings.
        """
        if "low" not in inks or not drawings:
            return laid
        return laid.with_low(self._pages(drawings=drawings))

    def _pages(
        self,
        size: float = SIZES[0],
        *,
        faces: Sequence[FaceView] = (),
        behind: Sequence[CardBackView] = (),
        drawings: Sequence[str] = (),
        long: bool = False,
    ) -> Layout:
        shown: dict[str, object] = {"faces": faces, "behind": behind, "drawings": drawings}
        shown |= {"swatch": swatch, "symbol_of": draw_symbol}
        name, styles = f"cards {self.view.title}", self._styles(size, long=long)
        return laid_out("cards", self.view, self._templates, styles, name, **shown)

    def _styles(self, size: float, *, long: bool) -> str:
        """Returns CSS for the size of the page with its bleed, and for the type (in points).

        A `long` page has room for all pieces of a card.
        """
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
            f"--gap:{GAP}em;--title:{title:.2f}pt}}.front{{font-size:{size}pt}}"
        )

    def _refuse_wide_tables(self) -> None:
        """Raises RenderFault (R604) if a table needs much more room than a card has.

        In such a table almost every word would be broken.
        """
        room = int(room_of(self._inner, SIZES[-1]))
        problems = [
            _too_wide(card, part.table, room, self.layout)
            for card, part in self._tables
            if part.table.least > MOST_BROKEN * room
        ]
        if problems:
            raise RenderFault(tuple(problems))


def _halves(part: CardTable) -> list[CardTable]:
    """Cuts a table in two before the row nearest to its middle that has all labels, if any has."""
    table = part.table
    begun = [
        index
        for index, row in enumerate(table.body)
        if index and len(row.labels) == len(table.stub_heads)
    ]
    if not begun:
        return [part]
    at = min(begun, key=lambda index: abs(2 * index - len(table.body)))
    first, second = replace(table, body=table.body[:at], notes=()), table.body[at:]
    return [
        replace(part, table=first),
        CardTable(replace(table, body=second, about=""), titled=False),
    ]


def _faces(card: MeasuredCard) -> Iterator[FaceView]:
    """Yields what is printed on each face of a card.

    The tracks at the end of the pieces on a face are at its foot.
    """
    faces = card.faces()
    for number, face in enumerate(faces, start=1):
        pieces = card.pieces[face.start : face.stop]
        tail = len(pieces) - tail_of(pieces)
        yield FaceView(card.card, pieces[:tail], pieces[tail:], number, len(faces))


def _low_drawings(faces: Iterable[FaceView]) -> list[str]:
    """Returns the low-ink drawings of all symbols, tracks and cutouts on faces, in order."""
    found: list[str] = []
    for face in faces:
        found += [draw_symbol(face.card, "low")] if face.card.symbol else []
        for piece in (*face.parts, *face.tail):
            drawn = piece.tracks if isinstance(piece, TrackRow) else (piece,)
            found += [part.low for part in drawn if isinstance(part, TrackPart | PictureView)]
    return found


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
    """Renders the given PDFs of a deck: sheets of cards on a paper, or single cards.

    Raises RenderFault if the cards cannot be laid out, or have no sheet of a paper.
    """
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
    """Arranges the cards of a deck on sheets of a paper, or one by one if `paper` is None.

    Returns the sheets, and in words how they are printed. Raises RenderFault (R608) if there is no
    sheet of that paper for the cards.
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
    """Places each face on a page of the size of a card with bleed, with its back on the other side.

    Copies of a card are left out.
    """
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
    """Renders all decks as one HTML page for a screen."""
    return screen_page("cards-screen", view, templates, pieces_of=pieces_of, symbol_of=draw_symbol)
