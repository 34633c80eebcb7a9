"""What stands on cards, part by part, and how a deck of them is printed."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.parts.views import ExampleView, Identity, PictureView, StepsView, TableView
from rulebook.imposing.placing import Flip


@dataclass(frozen=True, slots=True)
class BlankPart:
    """Words with lines behind them to write on; and words with choices of which one is ticked."""

    labels: tuple[str, ...]
    grades: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: str = "blanks"


@dataclass(frozen=True, slots=True)
class StatView:
    """A number of the card; a missing one is left for the players to fill in."""

    label: str
    value: str
    missing: bool


@dataclass(frozen=True, slots=True)
class StatsPart:
    """Numbers of the card, the first of them in `large` figures; under a `title` or none.

    Of the others so many stand side by side as they are set `across`.
    """

    stats: tuple[StatView, ...]
    large: tuple[StatView, ...] = ()
    title: str = ""
    across: int = 1
    kind: str = "stats"


@dataclass(frozen=True, slots=True)
class TrackPart:
    """Boxes to tick in groups, each with its label (Markdown) or none.

    `count` is how many, where that is not seen at a glance. When a card or a roster is set, the
    boxes are drawn in full and in low ink.
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
    """Paragraphs of Markdown."""

    markdown: str
    kind: str = "words"


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table for rooms of several widths; its title stands above it unless it is the card's."""

    tables: tuple[TableView, ...]
    titled: bool
    kind: str = "table"

    @property
    def table(self) -> TableView:
        """The one for the narrowest room."""
        return self.tables[0]


@dataclass(frozen=True, slots=True)
class CardSteps:
    """A procedure as numbered steps, its title above it unless it is that of the card."""

    procedure: StepsView
    titled: bool
    kind: str = "steps"


#: What a card has besides words.
CardBlock = BlankPart | StatsPart | TrackPart | CardTable | PictureView | CardSteps | ExampleView
CardPart = CardBlock | WordsPart


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose a card is, in a scenario: the title of the side, its number (from 0) and colour.

    `words` say which force it is of, and when that comes.
    """

    title: str
    number: int
    colour: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class CardView:
    """A card, which may take more than one piece of card: `title` in plain letters.

    It has a `colour` of its kind, or none for that of the ruleset, and a `symbol`: the name of one
    of ours or the address of a picture. `back` is which of the deck's stands behind it. `whose` it
    is, is said in a scenario.
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
    """The back of a card; `text` is Markdown, colour and symbol are as of a card."""

    title: str
    text: str
    whose: Whose | None = None
    kind: str = ""
    colour: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class DeckView:
    """A deck and how its sheets are printed; `sizes` are names of layouts, largest first.

    Of several sizes that is taken which the cards fill. Every kind of units, or side of a scenario,
    has a back of its own; `picture` is the address of what is on them. `offset` is no part of a
    ruleset: by how much the backs are moved on the printer of the user, right and up, in mm.
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
