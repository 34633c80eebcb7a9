"""The view of a deck -> its cards as logical pages, a face for each piece; sheets of them."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.cards import views
from rulebook.documents.cards.declaration import SCREEN, SHEETS
from rulebook.documents.document_kind import File, LaidOut, Rendered
from rulebook.documents.parts.pages import laid_out, screen_page
from rulebook.documents.parts.tick_boxes import draw_boxes
from rulebook.documents.parts.views import PictureView, TableView
from rulebook.imposing.arrangements import gutterfold, n_up
from rulebook.imposing.imposition import impose
from rulebook.imposing.layouts import CardLayout, layouts
from rulebook.imposing.placing import BOTH_SIDES, Placement, Sheet, Side, rect
from rulebook.problems import Problem
from rulebook.translation import gettext
from rulebook.typeset import markup
from rulebook.typeset.environment import RenderFault, colours
from rulebook.typeset.pdf import Box, Layout


@dataclass(frozen=True, slots=True)
class WordsPiece:
    """A paragraph or a list."""

    html: Markup
    kind: str = "words"


@dataclass(frozen=True, slots=True)
class DrawnTrack:
    """A track, its boxes drawn for a card in full and in low ink."""

    title: str
    count: str
    about: str
    svg: str
    low: str
    kind: str = "track"


Piece = views.CardBlock | WordsPiece | DrawnTrack


def pieces_of(card: views.CardView) -> list[Piece]:
    """The parts of a card, words cut into paragraphs and lists: none is broken over two faces."""
    pieces: list[Piece] = []
    for part in card.parts:
        if isinstance(part, views.WordsPart):
            pieces += [WordsPiece(Markup(html)) for html in markup.pieces(part.markdown)]
        else:
            pieces.append(part)
    return pieces


def named(piece: Piece) -> str:
    """How a report calls a piece of a card."""
    match piece:
        case WordsPiece():
            words = piece.html.striptags()
            return f"the paragraph “{words[:40]}{' …' if len(words) > 40 else ''}”"
        case views.BlankPart() | views.StatsPart():
            return f"the list of {'blanks' if piece.kind == 'blanks' else 'numbers'}"
        case views.CardTable():
            return f"the table {piece.table.title}"
        case views.CardSteps():
            return f"the steps of {piece.told.title}"
        case PictureView():
            return f"the cutout {piece.title}"
        case _:
            return f"the {piece.kind} {piece.title}"


PieceType = TypeVar("PieceType")

#: Sizes of type in points at which a card is tried on one face, and then on several.
ON_ONE = (9.0, 8.25, 7.5)
ON_SEVERAL = (8.25, 7.5, 7.0)
#: Faces that a card may take: more are a booklet.
MOST_FACES = 20
#: Millimetres by which a face may be too full, which is less than the layout's rounding.
SLACK = 0.05


@dataclass(frozen=True, slots=True)
class Measured:
    """The pieces of a card below one another at one size of type, in millimetres.

    `tops` and `bottoms` are those of the pieces, each of which has `gap` at its head but for the
    first on a face; `room` is how high all that stands on a face may be.
    """

    tops: tuple[float, ...]
    bottoms: tuple[float, ...]
    gap: float
    room: float

    def height(self, first: int, last: int) -> float:
        """Of the pieces from one to another on a face of their own."""
        return self.bottoms[last] - self.tops[first] - (self.gap if first else 0)


@dataclass(frozen=True, slots=True)
class Spread:
    """How a card is set: the size of its type, and how many pieces stand on each of its faces."""

    size: float
    counts: tuple[int, ...]


class TooLarge(Exception):
    """A piece that fits no face even in the smallest type: which one, and its height and room."""

    def __init__(self, piece: int, height: float, room: float) -> None:
        super().__init__(piece, height, room)
        self.piece, self.height, self.room = piece, height, room


def decide(measured: Mapping[float, Measured], sizes: Sequence[float] = ON_ONE) -> Spread | float:
    """The spread of a card, or the size of type at which it is to be measured first.

    The largest of the sizes at which one face holds it; else as few faces as a common size needs.
    Raises TooLarge.
    """
    for size in sizes:
        if size not in measured:
            return size
        found = measured[size]
        if not found.tops or found.height(0, len(found.tops) - 1) <= found.room + SLACK:
            return Spread(size, (len(found.tops),))
    fault: TooLarge | None = None
    for size in ON_SEVERAL:
        if size > sizes[0]:
            continue
        if size not in measured:
            return size
        try:
            return Spread(size, split(measured[size]))
        except TooLarge as too_large:
            fault = too_large
    raise fault or ValueError("no size of type was tried")


def split(measured: Measured) -> tuple[int, ...]:
    """The pieces of each face: as few faces as may be, and these as evenly full as may be.

    Raises TooLarge where one piece is higher than a face.
    """
    fewest = _filled(measured, measured.room + SLACK)
    heights = sorted(
        measured.height(first, last)
        for first in range(len(measured.tops))
        for last in range(first, len(measured.tops))
        if measured.height(first, last) <= measured.room + SLACK
    )
    low, high = 0, len(heights) - 1
    while low < high:
        middle = (low + high) // 2
        try:
            enough = len(_filled(measured, heights[middle])) <= len(fewest)
        except TooLarge:
            enough = False
        low, high = (low, middle) if enough else (middle + 1, high)
    return _filled(measured, heights[low])


def _filled(measured: Measured, room: float) -> tuple[int, ...]:
    """Each face filled before the next is begun."""
    counts: list[int] = []
    first = 0
    for last in range(len(measured.tops)):
        alone = measured.height(last, last)
        if alone > room:
            raise TooLarge(last, alone, measured.room)
        if measured.height(first, last) > room:
            counts.append(last - first)
            first = last
    return (*counts, len(measured.tops) - first)


def dealt(pieces: Sequence[PieceType], counts: Sequence[int]) -> list[list[PieceType]]:
    """The pieces of each face."""
    rest = iter(pieces)
    return [list(islice(rest, count)) for count in counts]


#: Cards of one document.
CHUNK = 60
#: Above each piece, in parts of the size of type, and between the last of them and the foot.
GAP = 0.45
ABOVE_FOOT = 0.6
POINT = 25.4 / 72
#: The title of a card as wide as a poker card, in points; that of others is in proportion.
TITLE, TITLE_WIDTH = 11.5, 63.0
#: A character of a line of text, in parts of the size of type.
CHARACTER = 0.42
#: On a page of this height everything stands below the rest, so that all of it can be measured.
LONG_PAGE = "5000mm"
#: Words are broken in tables that need more than their room, but not if so many times as much.
MOST_BROKEN = 1.6


@dataclass(frozen=True, slots=True)
class CardPages:
    """The logical pages of a deck in one ink.

    `documents` follow one another as one; `faces` are the page numbers of all pieces of card in
    order, each as often as it is copied; `backs` are the pages behind them, or none. `cards` are
    the ids of the cards on the pages of all faces, `words` what stands on these above
    their feet.
    """

    documents: tuple[bytes, ...]
    faces: tuple[int, ...]
    backs: tuple[int, ...]
    cards: tuple[str, ...]
    words: tuple[str, ...]


def card_layout(view: views.DeckView, templates: Path) -> CardLayout:
    """The layout of a deck's size; raises RenderFault (R438) where the templates have none."""
    known = layouts(templates)
    if view.size not in known:
        deck, names = view.title, ", ".join(known)
        fault = Problem.of("R438 size of a deck", deck=deck, size=view.size, known=names)
        raise RenderFault((fault,))
    return known[view.size]


def card_pages(view: views.DeckView, inks: Iterable[str], templates: Path) -> dict[str, CardPages]:
    """All faces of a deck, and its back, in each of the inks: full, low.

    Raises RenderFault: R604 where a table is too wide for a card, R607 where a piece is too large.
    """
    press = _Press(view, card_layout(view, templates), templates)
    press.refuse_wide_tables()
    backs = backs_of(view)
    documents: dict[str, list[bytes]] = {ink: [] for ink in inks}
    faces: list[int] = []
    owners: list[str] = []
    words: list[str] = []
    sides: list[int] = []
    page = 0
    for start in range(0, len(view.cards), CHUNK):
        cards = view.cards[start : start + CHUNK]
        layout, counts = press.chunk(cards, low="low" in documents)
        for ink, made in documents.items():
            made.append(layout.pdf(print_hints=False, ink=ink, tagged=False))
        words += layout.words(but="foot")
        for card, count in zip(cards, counts, strict=True):
            faces += [*range(page, page + count)] * card.copies
            side = card.whose.number if card.whose else 0
            sides += [side] * count * card.copies
            owners += [card.id] * count
            page += count
        del layout
        # A document is full of cycles, and a job runs without the collector. Only what is new is
        # gone through: the cards of a large deck would take longer than the document.
        gc.collect(0)
    if backs:
        layout = press.backs(backs)
        for ink, made in documents.items():
            made.append(layout.pdf(print_hints=False, ink=ink, tagged=False))
    behind = tuple(page + side for side in sides) if backs else ()
    told = (tuple(faces), behind, tuple(owners), tuple(words))
    return {ink: CardPages(tuple(made), *told) for ink, made in documents.items()}


def backs_of(view: views.DeckView) -> Sequence[views.BackView]:
    """The backs of a deck: one for each side of a scenario, one for all cards, or none."""
    shared = () if view.back is None else (view.back,)
    return view.side_backs or shared


@dataclass(frozen=True, slots=True)
class FaceView:
    """What stands on a face, which is one of so many of its card, in type of a `size`."""

    card: views.CardView
    parts: Sequence[Piece]
    number: int
    of: int
    size: str


@dataclass(slots=True)
class _Draft:
    """A card on its way to its faces: at first it is taken to fit on one."""

    card: views.CardView
    pieces: Sequence[Piece]
    spread: Spread
    sizes: Sequence[float]
    measured: dict[float, Measured] = field(default_factory=dict)

    def faces(self) -> Iterator[FaceView]:
        parts = dealt(self.pieces, self.spread.counts)
        for number, here in enumerate(parts, start=1):
            yield FaceView(self.card, here, number, len(parts), _size_class(self.spread.size))

    def decided(self) -> Spread | float:
        """As `decide` has it; raises RenderFault (R607) where nothing will do."""
        try:
            found = decide(self.measured, self.sizes)
        except TooLarge as fault:
            raise RenderFault((_too_large(self, fault),)) from fault
        if isinstance(found, Spread) and len(found.counts) > MOST_FACES:
            raise RenderFault((_too_long(self, len(found.counts)),))
        return found

    def narrow(self, over: float) -> None:
        """Count on less room, for the title of a face has taken more than when measured."""
        size = self.spread.size
        if size in self.measured:
            before = self.measured[size]
            self.measured[size] = replace(before, room=before.room - over)

    def deal_again(self) -> None:
        try:
            self.spread = Spread(self.spread.size, split(self.measured[self.spread.size]))
        except TooLarge as fault:
            raise RenderFault((_too_large(self, fault),)) from fault


def _size_class(size: float) -> str:
    return f"{round(100 * size)}"


@dataclass(frozen=True, slots=True)
class _Press:
    """Lays out the cards of one deck, as they are in full ink."""

    view: views.DeckView
    layout: CardLayout
    templates: Path

    def chunk(self, cards: Sequence[views.CardView], *, low: bool) -> tuple[Layout, list[int]]:
        """The pages of some cards, and how many faces each takes; to be painted in `low` ink too.

        Most fit one face in the largest type; for these the first layout is the last, if nothing of
        a face before them overflows onto theirs.
        """
        drafts = [self._draft(card) for card in cards]
        laid = self._pages_of(drafts)
        waiting = self._too_full(drafts, laid)
        if waiting:
            first = laid
            late = _reached(drafts, waiting, first.boxes())
            self._measure(waiting)
            again = self._settled(late)
            laid = first.gathered(list(_together(drafts, late, first, again)))
        if low and (drawings := _low_drawings(drafts)):
            laid = laid.with_low(self._pages((), (), drawings=drawings))
        return laid, [len(draft.spread.counts) for draft in drafts]

    def _draft(self, card: views.CardView) -> _Draft:
        """A card in the largest type that breaks no word in its tables, on one face."""
        pieces = [self._drawn(piece) for piece in pieces_of(card)]
        rooms = [piece.table.room for piece in pieces if isinstance(piece, views.CardTable)]
        largest = self._inner / (CHARACTER * POINT * max([1, *rooms]))
        sizes = [size for size in ON_ONE if size <= largest] or [ON_ONE[-1]]
        return _Draft(card, pieces, Spread(sizes[0], (len(pieces),)), sizes)

    def _drawn(self, piece: Piece) -> Piece:
        """A track with its boxes drawn; any other piece as it is."""
        if not isinstance(piece, views.TrackPart):
            return piece
        accent = self.view.identity.accent
        full, low = (
            draw_boxes(piece.groups, self._inner, colours(accent, ink), piece.title)
            for ink in ("full", "low")
        )
        return DrawnTrack(piece.title, piece.count, piece.about, full, low)

    @property
    def _inner(self) -> float:
        """Millimetres between the safe zones at both sides."""
        return float(self.layout.width - 2 * self.layout.safe)

    def _too_full(self, drafts: Sequence[_Draft], laid: Layout) -> list[_Draft]:
        """Those whose pieces do not all stand above the feet of their faces."""
        boxes = laid.boxes()
        page = 0
        found = []
        for draft in drafts:
            counts = draft.spread.counts
            over = max(_over(boxes, page + n, count) for n, count in enumerate(counts))
            page += len(counts)
            if over > SLACK:
                draft.narrow(over)
                found.append(draft)
        return found

    def _measure(self, drafts: Sequence[_Draft]) -> None:
        """Find the spread of each card: measure it on a long page at one size after another."""
        waiting = [(draft, draft.sizes[0]) for draft in drafts]
        while waiting:
            for draft, size in waiting:
                draft.spread = Spread(size, (len(draft.pieces),))
            boxes = self._pages_of([draft for draft, _ in waiting], long=True).boxes()
            after = []
            for page, (draft, size) in enumerate(waiting):
                draft.measured[size] = _measured(boxes, page, len(draft.pieces), size)
                found = draft.decided()
                if isinstance(found, Spread):
                    draft.spread = found
                else:
                    after.append((draft, found))
            waiting = after

    def _settled(self, drafts: Sequence[_Draft]) -> Layout:
        """All faces as decided; one that is too full for its title with a number is dealt again."""
        for _ in range(MOST_FACES):
            laid = self._pages_of(drafts)
            crowded = self._too_full(drafts, laid)
            if not crowded:
                return laid
            for draft in crowded:
                draft.deal_again()
        raise ValueError("the faces of a card do not come to rest")

    def _pages_of(self, drafts: Sequence[_Draft], *, long: bool = False) -> Layout:
        return self._pages([face for draft in drafts for face in draft.faces()], (), long=long)

    def backs(self, backs: Sequence[views.BackView]) -> Layout:
        """The pages behind the cards."""
        return self._pages((), backs)

    def _pages(
        self,
        faces: Sequence[FaceView],
        backs: Sequence[views.BackView],
        *,
        drawings: Sequence[str] = (),
        long: bool = False,
    ) -> Layout:
        shown: dict[str, object] = {"faces": faces, "backs": backs, "drawings": drawings}
        name, sizes = f"cards {self.view.title}", self._sizes(long=long)
        return laid_out(SHEETS, self.view, self.templates, sizes, name, **shown)

    def _sizes(self, *, long: bool) -> str:
        """The page, which is a trimmed card with its bleed, and the sizes of type."""
        layout = self.layout
        width, height, bleed, safe = (
            f"{float(length):g}mm"
            for length in (layout.width, layout.height, layout.bleed, layout.safe)
        )
        title = min(16.0, max(9.0, TITLE * float(layout.width) / TITLE_WIDTH))
        sizes = sorted({*ON_ONE, *ON_SEVERAL})
        page = LONG_PAGE if long else height
        return (
            f"@page{{size:{width} {page};margin:0;bleed:{bleed}}}"
            f":root{{--width:{width};--height:{height};--bleed:{bleed};--safe:{safe};"
            f"--gap:{GAP}em;--title:{title:.2f}pt}}"
            + "".join(f".size-{_size_class(size)}{{font-size:{size}pt}}" for size in sizes)
        )

    def refuse_wide_tables(self) -> None:
        """Raise RenderFault (R604) for tables in which hardly a word would stand unbroken."""
        room = int(self._inner / (CHARACTER * ON_SEVERAL[0] * POINT))
        problems = [
            _too_wide(card, part.table, room, self.layout)
            for card in self.view.cards
            for part in card.parts
            if isinstance(part, views.CardTable) and part.table.least > MOST_BROKEN * room
        ]
        if problems:
            raise RenderFault(tuple(problems))


def _reached(
    drafts: Sequence[_Draft], waiting: Sequence[_Draft], boxes: Mapping[str, Box]
) -> list[_Draft]:
    """Those that have to wait, on a page each, and those on whose pages what overflows goes on."""
    full = {id(draft) for draft in waiting}
    found = []
    end = -1
    for page, draft in enumerate(drafts):
        if id(draft) in full:
            pieces = (boxes.get(f"piece-{page}-{index}") for index in range(len(draft.pieces)))
            end = max(end, page + 1, *(piece.page for piece in pieces if piece))
        elif page > end:
            continue
        found.append(draft)
    return found


def _together(
    drafts: Sequence[_Draft], waiting: Sequence[_Draft], first: Layout, again: Layout
) -> Iterator[tuple[Layout, int]]:
    """The pages of all drafts in order: of those that had to wait as they were laid out again."""
    page = 0
    late = {id(draft) for draft in waiting}
    for number, draft in enumerate(drafts):
        if id(draft) not in late:
            yield first, number
            continue
        for _ in draft.spread.counts:
            yield again, page
            page += 1


def _low_drawings(drafts: Iterable[_Draft]) -> list[str]:
    """What the pictures on the faces of cards are in low ink."""
    pieces = (piece for draft in drafts for piece in draft.pieces)
    return [piece.low for piece in pieces if isinstance(piece, DrawnTrack | PictureView)]


def _measured(boxes: Mapping[str, Box], page: int, count: int, size: float) -> Measured:
    pieces = [boxes[f"piece-{page}-{index}"] for index in range(count)]
    return Measured(
        tuple(piece.top for piece in pieces),
        tuple(piece.bottom for piece in pieces),
        gap=GAP * size * POINT,
        room=boxes[f"foot-{page}"].top - ABOVE_FOOT - boxes[f"pieces-{page}"].top,
    )


def _over(boxes: Mapping[str, Box], page: int, count: int) -> float:
    """By how much the last piece of a face comes too near to the foot.

    What does not fit its page at all has been put on the next, or nowhere.
    """
    if not count:
        return 0.0
    foot, last = boxes[f"foot-{page}"], boxes.get(f"piece-{page}-{count - 1}")
    if last is None or last.page != foot.page:
        return foot.height
    return last.bottom - (foot.top - ABOVE_FOOT)


def _too_wide(card: views.CardView, table: TableView, room: int, layout: CardLayout) -> Problem:
    return Problem.of(
        "R604 card table too wide",
        table=table.title,
        least=table.least,
        card=card.title,
        room=room,
        cards=layout.title.lower(),
    )


def _too_large(draft: _Draft, fault: TooLarge) -> Problem:
    return Problem.of(
        "R607 piece too high",
        piece=named(draft.pieces[fault.piece]),
        height=fault.height,
        card=draft.card.title,
        room=max(0.0, fault.room),
        size=ON_SEVERAL[-1],
    )


def _too_long(draft: _Draft, faces: int) -> Problem:
    return Problem.of("R607 too many faces", card=draft.card.title, faces=faces, most=MOST_FACES)


def card_sheets(
    view: views.DeckView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """The files of a deck in their order; raises RenderFault with what is wrong."""
    layout = card_layout(view, templates)
    pages = card_pages(view, dict.fromkeys(_ink(file) for file in files), templates)
    for file in files:
        yield _imposed(view, pages[_ink(file)], layout, file)


def _ink(file: File) -> str:
    return file.ink or "full"


def _imposed(view: views.DeckView, pages: CardPages, layout: CardLayout, file: File) -> Rendered:
    paper = file.paper
    if paper is None:
        sheets, how = singly(pages, layout), gettext("single cards")
    elif view.gutterfold and pages.backs:
        sheets, how = _folded(view, pages, layout, paper), gettext("fold, glue, cut")
    else:
        sheets, how = _duplex(view, pages, layout, paper)
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
    laid_out = LaidOut(count, _stands(pages, sheets), _words(pages))
    return Rendered(file.path, data, count, laid_out)


def _stands(pages: CardPages, sheets: Sequence[Sheet]) -> dict[str, tuple[int, ...]]:
    """The pages on which the faces of each card stand, from 1, by its id."""
    found: dict[str, dict[int, None]] = {}
    sides = [side for sheet in sheets for side in sheet.sides]
    for number, side in enumerate(sides, start=1):
        for placement in side.placements:
            page = placement.page
            # The pages behind those of the faces are backs.
            if page is not None and page < len(pages.cards):
                found.setdefault(pages.cards[page], {})[number] = None
    return {card: tuple(numbers) for card, numbers in found.items()}


def _words(pages: CardPages) -> dict[str, tuple[str, ...]]:
    """The words on each face of a card, by its id."""
    found: dict[str, tuple[str, ...]] = {}
    for card, words in zip(pages.cards, pages.words, strict=True):
        found[card] = (*found.get(card, ()), words)
    return found


def singly(pages: CardPages, layout: CardLayout) -> list[Sheet]:
    """Each face once, on a page of its size and bleed, the back behind it as the next page."""
    width, height = layout.width + 2 * layout.bleed, layout.height + 2 * layout.bleed
    trim = rect(layout.bleed, layout.bleed, layout.width, layout.height)

    def side(page: int) -> Side:
        return Side((Placement(page, trim, rect(0, 0, width, height)),))

    if not pages.backs:
        return [Sheet(width, height, side(page), None) for page in dict.fromkeys(pages.faces)]
    pairs = dict(zip(pages.faces, pages.backs, strict=True))
    return [Sheet(width, height, side(page), side(back)) for page, back in pairs.items()]


def _duplex(
    view: views.DeckView, pages: CardPages, layout: CardLayout, paper: str
) -> tuple[list[Sheet], str]:
    if paper not in layout.sheets:
        raise RenderFault((_no_sheet(view, layout, paper, tuple(layout.sheets)),))
    sheet = layout.sheets[paper]
    if not pages.backs:
        return n_up(pages.faces, sheet), gettext("printed on one side")
    how = gettext(BOTH_SIDES[view.flip])
    placed = n_up(pages.faces, sheet, backs=pages.backs, flip=view.flip, offset=view.offset)
    return placed, how


def _folded(view: views.DeckView, pages: CardPages, layout: CardLayout, paper: Any) -> list[Sheet]:
    try:
        return gutterfold(pages.faces, pages.backs, layout, paper)
    except ValueError as fault:
        raise RenderFault((_no_sheet(view, layout, paper, ()),)) from fault


def _no_sheet(
    view: views.DeckView, layout: CardLayout, paper: str, others: Sequence[str]
) -> Problem:
    cards = layout.title.lower()
    papers = ", ".join(others)
    return Problem.of("R608 no sheet", deck=view.title, cards=cards, paper=paper, papers=papers)


def cards_page(view: views.CardsView, templates: Path, _: object) -> str:
    """All decks on one page for a screen."""
    return screen_page(SCREEN, view, templates, pieces_of=pieces_of)
