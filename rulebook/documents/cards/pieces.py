"""What stands on cards, part by part -> the pieces that are set on cards of some width.

Words are cut into paragraphs, numbers come in rows, tracks with their boxes drawn, tables with
columns for the width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from markupsafe import Markup

from rulebook.documents.parts.tables import with_columns
from rulebook.documents.parts.tick_boxes import draw_boxes, width_in_rows
from rulebook.documents.parts.views import (
    ExampleView,
    Identity,
    PictureView,
    StepsView,
    TableView,
    room_of,
)
from rulebook.drawing.symbols import svg_symbol
from rulebook.imposing.placing import Flip
from rulebook.quantities import MM_PER_POINT, join_words
from rulebook.text_fitting import text_width
from rulebook.typeset import markup
from rulebook.typeset.environment import colours


@dataclass(frozen=True, slots=True)
class BlankPart:
    """Labels with lines to write on, and labels with choices of which one is ticked."""

    labels: tuple[str, ...]
    grades: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: str = "blanks"


@dataclass(frozen=True, slots=True)
class StatView:
    """A labelled value on a card; a missing one is left for the players to fill in."""

    label: str
    value: str
    missing: bool


@dataclass(frozen=True, slots=True)
class StatsPart:
    """Values on a card: `large` ones in large figures, then `stats`; under a `title` or none.

    `across` is how many of `stats` are side by side.
    """

    stats: tuple[StatView, ...]
    large: tuple[StatView, ...] = ()
    title: str = ""
    across: int = 1
    kind: str = "stats"


@dataclass(frozen=True, slots=True)
class TrackPart:
    """Boxes to tick in groups, each with its label (Markdown) or none.

    `count` is their number as text, if that is not seen at a glance. When a card or a roster is
    set, the boxes are drawn in full and in low ink.
    """

    title: str
    count: str
    about: str
    groups: tuple[tuple[str, ...], ...]
    svg: str = ""
    low: str = ""
    kind: str = "track"


@dataclass(frozen=True, slots=True)
class WordsPart:
    """Paragraphs of Markdown; as a piece of a card, the `html` of one paragraph or list of them."""

    markdown: str
    html: Markup | None = None
    kind: str = "words"


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table, laid out for the narrowest width; `titled` unless its title is that of the card."""

    table: TableView
    titled: bool
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class CardSteps:
    """A procedure as numbered steps; `titled` unless its title is that of the card."""

    procedure: StepsView
    titled: bool
    kind: str = "steps"


#: What a card has besides words.
CardBlock = BlankPart | StatsPart | TrackPart | CardTable | PictureView | CardSteps | ExampleView
CardPart = CardBlock | WordsPart


@dataclass(frozen=True, slots=True)
class Whose:
    """The side to which a card belongs in a scenario: its title, number (from 0) and colour.

    `words` name its force and say when that comes.
    """

    title: str
    number: int
    colour: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class CardView:
    """A card, which may take several faces; its `title` is plain text.

    `colour` is that of its kind, empty for that of the ruleset; `symbol` is the name of a built-in
    one or the address of a picture; `back` is the index of its back in the deck; `whose` is given
    in a scenario.
    """

    id: str
    title: str
    kind: str
    rule: str
    copies: int
    parts: tuple[CardPart, ...]
    whose: Whose | None = None
    colour: str = ""
    symbol: str = ""
    back: int = 0


@dataclass(frozen=True, slots=True)
class CardBackView:
    """The back of a card; `text` is Markdown, colour and symbol are as for a card."""

    title: str
    text: str
    whose: Whose | None = None
    kind: str = ""
    colour: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class DeckView:
    """A deck and how its sheets are printed; `sizes` are names of layouts, largest first.

    Every kind of units, or side of a scenario, has a back of its own; `picture` is the address of
    the picture on them. `offset` is no part of a ruleset: it is how far backs are moved for the
    user's printer, right and up, in mm.
    """

    identity: Identity
    id: str
    title: str
    sizes: tuple[str, ...]
    flip: Flip
    gutterfold: bool
    backs: tuple[CardBackView, ...]
    cards: tuple[CardView, ...]
    picture: str = ""
    offset: tuple[float, float] = (0, 0)


@dataclass(frozen=True, slots=True)
class CardsView:
    """All decks, for the page that is read on a screen."""

    identity: Identity
    decks: tuple[DeckView, ...]


#: The widths in characters for which tables are laid out, from small cards to large.
ROOMS = (28, 33, 38, 40, 42, 45, 48, 54, 60, 72)
#: The size of type, in points, for which it is decided what stands side by side.
TYPICAL = 9.0
#: What a value alone in its row may take of the width, and the space beside it, in em; see
#: cards.css.
VALUE, BESIDE_VALUE = 0.32, 0.3
#: Up to so many numbers stand below one another; more stand in pairs, if label and value take no
#: more than these parts of the width.
MOST_ALONE, PAIR = 4, (0.34, 0.14)
#: The gap between two tracks side by side, and a width that any row of boxes fits in, in mm.
TRACK_GAP, LONGEST_ROW = 2.5, 10_000.0
#: The side of a symbol at the head of a card, and on its back, in mm.
HEAD_SYMBOL, BACK_SYMBOL = 8.5, 11.0


@dataclass(frozen=True, slots=True)
class TrackRow:
    """Short tracks side by side."""

    tracks: tuple[TrackPart, ...]
    kind: str = "tracks"

    @property
    def title(self) -> str:
        return join_words((track.title for track in self.tracks), "and")


Piece = CardPart | TrackRow


def pieces_of(card: CardView) -> list[Piece]:
    """Splits the parts of a card into pieces, each of which must stay whole on one face.

    Text is split into paragraphs and lists.
    """
    pieces: list[Piece] = []
    for part in card.parts:
        if isinstance(part, WordsPart):
            pieces += [replace(part, html=Markup(html)) for html in markup.pieces(part.markdown)]
        else:
            pieces.append(part)
    return pieces


#: What a fault calls the kinds of pieces.
_KINDS = {
    "words": "paragraph",
    "blanks": "list of blanks",
    "stats": "list of numbers",
    "picture": "cutout",
    "steps": "steps of",
}


def named(piece: Piece) -> str:
    """Returns what a fault calls a piece of a card, such as "the table Ranges"."""
    if isinstance(piece, WordsPart) and piece.html:
        words = piece.html.striptags()
        title = f"“{words[:40]}{' …' if len(words) > 40 else ''}”"
    else:
        within = getattr(piece, "table", None) or getattr(piece, "procedure", piece)
        title = getattr(within, "title", "")
    return f"the {_KINDS.get(piece.kind, piece.kind)} {title}".rstrip()


def set_pieces(card: CardView, width: float, accent: str) -> list[Piece]:
    """Returns the pieces of a card for a width in mm, with tracks drawn in the colour `accent`.

    Short tracks that follow one another are grouped in rows.
    """
    found: list[Piece] = []
    pieces = (one for piece in pieces_of(card) for one in _with_long_values_apart(piece, width))
    for short, some in groupby(pieces, lambda piece: _is_short(piece, width)):
        drawn = [_drawn(piece, width, accent) for piece in some]
        tracks = [piece for piece in drawn if isinstance(piece, TrackPart)]
        found += _in_rows(tracks, width) if short else drawn
    return found


def _with_long_values_apart(piece: Piece, width: float) -> Iterator[Piece]:
    """Yields a piece; values too long for their column are paragraphs of their own below the rest.

    `width` is that of the card's inside, in mm.
    """
    if isinstance(piece, WordsPart) and piece.html:
        room = room_of(width, TYPICAL)
        piece = replace(piece, html=Markup(markup.with_narrow_tables(piece.html, room)))
    if not isinstance(piece, StatsPart):
        yield piece
        return
    size = TYPICAL * MM_PER_POINT
    room = VALUE * width - 2 * BESIDE_VALUE * size
    short: list[StatView] = []
    long: list[StatView] = []
    for stat in piece.stats:
        (long if text_width(stat.value, size) > room else short).append(stat)
    if short or piece.large or not long:
        yield replace(piece, stats=tuple(short))
    for stat in long:
        html = Markup("<p><b>{}</b> {}</p>").format(stat.label, stat.value)
        yield WordsPart("", html)


def tail_of(pieces: Sequence[Piece]) -> int:
    """Returns how many tracks are at the end of `pieces`, to be printed at the foot of a face."""
    return sum(1 for _ in takewhile(is_track, reversed(pieces)))


def is_track(piece: Piece) -> bool:
    """Whether a piece is a track or a row of tracks side by side."""
    return isinstance(piece, TrackPart | TrackRow)


def _drawn(piece: Piece, width: float, accent: str) -> Piece:
    """Returns a track with its boxes drawn, or values with how many of them are side by side.

    Other pieces are returned as they are. `width` is in mm, and `accent` is the colour of boxes.
    """
    if isinstance(piece, StatsPart):
        return replace(piece, across=_across(piece.stats, width))
    if not isinstance(piece, TrackPart):
        return piece
    room = _width_of(piece) if _is_short(piece, width) else width
    full, low = (
        draw_boxes(piece.groups, room, colours(accent, ink), piece.title) for ink in ("full", "low")
    )
    return replace(piece, svg=full, low=low)


def _across(stats: Sequence[StatView], width: float) -> int:
    """Returns in how many columns values are printed: 2 if they are many and short, else 1.

    `width` is that of both columns, in mm.
    """
    size = TYPICAL * MM_PER_POINT
    short = all(
        text_width(stat.label, size) <= PAIR[0] * width
        and text_width(stat.value, size) <= PAIR[1] * width
        for stat in stats
    )
    return 2 if short and len(stats) > MOST_ALONE else 1


def _is_short(piece: Piece, width: float) -> bool:
    """Whether a piece is a track without explanation that takes less than half of a width in mm."""
    if not isinstance(piece, TrackPart) or piece.about:
        return False
    return _width_of(piece) + TRACK_GAP <= width / 2


def _in_rows(tracks: Sequence[TrackPart], width: float) -> Iterator[Piece]:
    """Groups short tracks into rows of as many as fit side by side in a width in mm.

    A track that is alone in its row is yielded as it is.
    """
    row: list[TrackPart] = []
    for track in tracks:
        room = width / (len(row) + 1) - TRACK_GAP
        if row and max(map(_width_of, (*row, track))) > room:
            yield TrackRow(tuple(row)) if len(row) > 1 else row[0]
            row = []
        row.append(track)
    if row:
        yield TrackRow(tuple(row)) if len(row) > 1 else row[0]


def _width_of(track: TrackPart) -> float:
    """Returns the width of a track in mm: its boxes in one row, or its title if that is wider."""
    boxes = width_in_rows(track.groups, LONGEST_ROW)
    return max(boxes, text_width(track.title, TYPICAL * MM_PER_POINT))


def draw_symbol(card: CardView | CardBackView, ink: str = "full") -> Markup:
    """Returns the symbol for the head of a card, or for a back, as HTML; empty if it has none.

    A built-in symbol is an SVG, black if `ink` is low, and a picture is an `<img>` with its data
    URL.
    """
    if not card.symbol:
        return Markup()
    if card.symbol.startswith("data:"):
        return Markup('<img src="{}" alt="{}"/>').format(card.symbol, card.kind)
    side = HEAD_SYMBOL if isinstance(card, CardView) else BACK_SYMBOL
    colour = card.whose.colour if card.whose and card.whose.number else "#ffffff"
    colour = "#000000" if ink == "low" else colour
    return Markup(svg_symbol(card.symbol, side, colour, card.kind or card.title))


def table_at(table: TableView, width: float, size: float) -> TableView:
    """Returns a table with its columns fitted to a width in mm, in type of a size in points.

    Widths are rounded down to one of ROOMS.
    """
    room = room_of(width, size)
    return with_columns(table, max((most for most in ROOMS if most <= room), default=ROOMS[0]))


def at_size(piece: Piece, width: float, size: float) -> Piece:
    """Returns a piece for a width in mm and a size of type in points.

    If it has a table, the columns are fitted to that width; other pieces are returned as they are.
    """
    if not isinstance(piece, CardTable):
        return piece
    return replace(piece, table=table_at(piece.table, width, size))
