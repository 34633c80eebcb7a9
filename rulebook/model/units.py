"""Units and decks of cards: what armies are made of, and a card for each of them.

A unit types no number that a table holds: its rows say where they stand. What players note of it
in play, losses and damage, are its tracks of boxes. A deck makes a card of each unit, of each row
of a table, or of each of a list.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.cells import OrSpreadsheet
from rulebook.model.entities import Entity, FrozenModel
from rulebook.model.procedures import Choices
from rulebook.model.scalars import (
    TABLES,
    HeadingId,
    Id,
    Line,
    Name,
    PassageText,
    ProseText,
    Ref,
    RowName,
    row_name,
)

#: Nobody ticks more boxes on one card.
MOST_BOXES = 200

RowOfTable = Annotated[
    RowName,
    row_name("a row", "a record table and a row of it, such as establishments.infantry"),
]


class UnitBase(FrozenModel):
    """What a figure or a stand of the unit is mounted on: a rectangle or a disc."""

    width: scalars.Length | None = None
    """along the front"""
    depth: scalars.Length | None = None
    """from front to rear"""
    diameter: scalars.Length | None = None
    """of a round base, by itself"""
    number: Annotated[scalars.Count, Field(ge=1, le=MOST_BOXES)] | None = None
    """how many there are; if left out, what the first count of muster says"""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        given = [name for name in ("width", "depth", "diameter") if getattr(self, name) is not None]
        if given not in (["width", "depth"], ["diameter"]):
            expected = "'width' and 'depth', or 'diameter' by itself"
            raise quantities.wrong_keys("R225", "a base", given, expected)
        return self


class TrackMark(FrozenModel):
    """Words in one box of a track: what comes of ticking it, or what it stands for."""

    at: Annotated[scalars.Count, Field(ge=1)]
    """which box, counted from 1"""
    label: ProseText
    """a few letters; {bindings} take a number from a table"""


class Track(FrozenModel):
    """A row of boxes that players tick with a pencil: losses, damage, officers."""

    title: Line
    boxes: Annotated[scalars.Count, Field(ge=1, le=MOST_BOXES)]
    """how many"""
    times: Annotated[scalars.Count, Field(ge=1, le=20)] = 1
    """so many of these tracks, numbered: one for each gun"""
    group: Annotated[scalars.Count, Field(ge=1, le=20)] = 6
    """boxes that stand together"""
    marks: tuple[TrackMark, ...] = ()
    """words in some of the boxes"""
    about: ProseText | None = None
    """what it means to tick a box"""

    @model_validator(mode="after")
    def _within(self) -> Self:
        if self.boxes * self.times > MOST_BOXES:
            count = self.boxes * self.times
            raise quantities.too_many(count, "boxes in one track", MOST_BOXES, at=("boxes",))
        seen: set[int] = set()
        for index, mark in enumerate(self.marks):
            if mark.at > self.boxes or mark.at in seen:
                expected = f"each box from 1 to {self.boxes} once at the most"
                raise quantities.out_of_bounds(
                    "marked box", mark.at, expected, ("marks", index, "at")
                )
            seen.add(mark.at)
        return self


class Figure(FrozenModel):
    """A number in large figures on a card, and what it is, in a word or two."""

    title: Line
    value: ProseText
    """{bindings} take it from a table"""


#: No card has room for more of them side by side.
MOST_LARGE = 3
Figures = Annotated[tuple[Figure, ...], Field(max_length=MOST_LARGE)]


class Unit(Entity):
    """A kind of unit: how it is called, where its numbers stand, what is noted of it in play."""

    title: Line
    kind: Id
    """a word by which units are sorted, such as infantry"""
    symbol: Id | None = None
    """foot, horse, gun, skirmishers ...: a symbol on the card; that of the kind if left out"""
    large: Figures = ()
    """what is asked most in play, in large figures"""
    rows: tuple[RowOfTable, ...] = ()
    """rows of record tables that hold its numbers"""
    rules: tuple[HeadingId, ...] = ()
    """ids of the headings where its rules stand"""
    base: UnitBase | None = None
    """the base of one of its stands, and how many there are"""
    tracks: dict[Id, Track] = Field({})
    """boxes to tick in play, for its card"""
    text: PassageText | None = None
    """Markdown with {bindings} and blocks"""


#: What `size` says where the cards themselves are to decide.
ANY_SIZE = "any"
#: What `from` says for a card of every unit.
ALL_UNITS = "units"
#: Copies of one card.
MOST_COPIES = 100

Copies = Annotated[scalars.Count, Field(ge=1, le=MOST_COPIES)]


class CardBack(FrozenModel):
    """The back of every card of a deck, below the ruleset's name."""

    title: Line | None = None
    """instead of the deck's title"""
    text: ProseText | None = None
    """Markdown below the title of the back"""


class Card(FrozenModel):
    """A card of a list."""

    title: Line
    kind: Id | None = None
    """as of a unit: it has the colour and symbol of these"""
    symbol: Id | None = None
    """foot, horse, gun, skirmishers ...: a symbol on the card; that of the kind if left out"""
    large: Figures = ()
    """what is asked most in play, in large figures"""
    rule: HeadingId | None = None
    """id of the heading where the rule stands in full"""
    text: PassageText | None = None
    """Markdown with {bindings} and blocks"""
    tracks: dict[Id, Track] = Field({})
    """boxes to tick in play"""
    copies: Copies | None = None
    """instead of the deck's"""


#: Fields that only cards made from units or tables have.
_OF_ROWS = ("show", "boxes", "large", "labels")


class Deck(Entity):
    """Cards of one size and one back."""

    title: Line
    size: Name = "poker"
    """poker, tarot ...: a layout in templates/layouts; any takes poker, or mini where poker cards
    would be more than 40 % empty
    """
    made_from: Annotated[Id, Ref(TABLES.collections, also=(ALL_UNITS,))] | None = Field(
        None, alias="from"
    )
    """'units', or a record or modifier table: a card for each row"""
    cards: (
        Annotated[dict[Id, Card], Field(min_length=1, max_length=1_000), OrSpreadsheet()] | None
    ) = None
    """the cards by their ids, where they are not made from anything"""
    show: tuple[Id, ...] | None = None
    """fields of the rows to be printed; all unless given"""
    large: tuple[Id, ...] = ()
    """fields that are asked most: the first three of a card in large figures"""
    labels: dict[Id, Line] = Field({})
    """what fields are called on the cards, where their titles are too short"""
    boxes: tuple[Id, ...] = ()
    """fields that are counts, printed as so many boxes to tick"""
    group: Annotated[scalars.Count, Field(ge=1, le=20)] = 6
    """of these boxes, how many stand together"""
    blanks: tuple[Line, ...] = ()
    """words with a line behind them to write on"""
    grades: Annotated[dict[Line, Choices], Field(max_length=8)] = Field({})
    """words with boxes of which players tick one, one for each row of a record table: {Quality:
    qualities}, or as listed: {Training: [Raw, Steady, Veteran]}
    """
    back: CardBack | None = CardBack()
    """~ prints the cards on one side only"""
    copies: Copies = 1
    """how often each card is printed"""

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        of_rows = [name for name in _OF_ROWS if self.cards and getattr(self, name)]
        origins = {"from": self.made_from, "cards": self.cards}
        given = [name for name, origin in origins.items() if origin is not None]
        if len(given) != 1 or of_rows:
            raise quantities.wrong_keys(
                "R225",
                "a deck",
                [*given, *of_rows],
                "'from' with units or a table, whose fields may be shown; or 'cards', a list",
                tuple(of_rows[:1]),
            )
        return self
