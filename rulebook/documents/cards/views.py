"""What stands on cards, part by part, and how a deck of them is printed."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.parts.views import ExampleView, Identity, TableView, ToldView
from rulebook.imposing.placing import Flip


@dataclass(frozen=True, slots=True)
class BlankPart:
    """Words with lines behind them to write on."""

    labels: tuple[str, ...]
    kind: str = "blanks"


@dataclass(frozen=True, slots=True)
class StatView:
    """A number of the card; a missing one is left for the players to fill in."""

    label: str
    value: str
    missing: bool


@dataclass(frozen=True, slots=True)
class StatsPart:
    """The numbers of the card."""

    stats: tuple[StatView, ...]
    kind: str = "stats"


@dataclass(frozen=True, slots=True)
class TrackPart:
    """Boxes to tick in groups, each with its label (Markdown) or none."""

    title: str
    count: str
    about: str
    groups: tuple[tuple[str, ...], ...]
    kind: str = "track"


@dataclass(frozen=True, slots=True)
class WordsPart:
    """Paragraphs of Markdown."""

    markdown: str
    kind: str = "words"


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table, its title above it unless it is that of the card."""

    table: TableView
    titled: bool
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class CardPicture:
    """A cutout drawn small, in full and in low ink."""

    id: str
    title: str
    full: str
    low: str
    kind: str = "picture"


@dataclass(frozen=True, slots=True)
class CardSteps:
    """A procedure told as numbered steps, its title above it unless it is that of the card."""

    told: ToldView
    titled: bool
    kind: str = "steps"


#: What a card has besides words.
CardBlock = BlankPart | StatsPart | TrackPart | CardTable | CardPicture | CardSteps | ExampleView
CardPart = CardBlock | WordsPart


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose a card is, in a scenario: the title of the side, its number (from 0) and colour.

    `words` tell the force, and when it comes; `pattern` is the hatching of the side.
    """

    title: str
    number: int
    colour: str
    words: str
    pattern: str


@dataclass(frozen=True, slots=True)
class CardView:
    """A card, which may take more than one piece of card: `title` in plain letters.

    `whose` it is tells also which of the deck's backs stands behind it.
    """

    id: str
    title: str
    kind: str
    rule: str
    copies: int
    parts: tuple[CardPart, ...]
    whose: Whose | None = None


@dataclass(frozen=True, slots=True)
class BackView:
    """The back of a card; `text` is Markdown."""

    title: str
    text: str
    whose: Whose | None = None


@dataclass(frozen=True, slots=True)
class DeckView:
    """A deck and how its sheets are printed; `size` is the name of a layout.

    All cards share one back, unless the sides of a scenario have each a back of its own. `offset`
    is no part of a ruleset: by how much the backs are moved on the printer of the user, right and
    up, in mm.
    """

    identity: Identity
    id: str
    title: str
    size: str
    flip: Flip
    gutterfold: bool
    back: BackView | None
    cards: tuple[CardView, ...]
    side_backs: tuple[BackView, ...] = ()
    offset: tuple[float, float] = (0, 0)


@dataclass(frozen=True, slots=True)
class CardsView:
    """All decks, for the page that is read on a screen."""

    identity: Identity
    decks: tuple[DeckView, ...]
