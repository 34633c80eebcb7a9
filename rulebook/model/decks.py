"""Decks of cards: one card for each unit, each row of a table, or each of a list."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.provenance import Entity
from rulebook.model.scalars import FrozenModel, Id, Line, Name, PassageText, ProseText
from rulebook.model.units import Track

#: What `from` says for a card of every unit.
ALL_UNITS = "units"
#: Cards in a deck, each as often as it is copied; and copies of one card.
MOST_CARDS = 5_000
MOST_COPIES = 100

Copies = Annotated[scalars.Count, Field(ge=1, le=MOST_COPIES)]


class CardBack(FrozenModel):
    """The back of every card of a deck, below the ruleset's name."""

    title: Line | None = Field(None, description="instead of the deck's title")
    text: ProseText | None = None


class Card(FrozenModel):
    """A card of a list."""

    title: Line
    rule: Id | None = Field(None, description="id of the heading where the rule stands in full")
    text: PassageText | None = Field(None, description="Markdown with {bindings} and blocks")
    tracks: dict[Id, Track] = Field({}, description="boxes to tick in play")
    copies: Copies | None = Field(None, description="instead of the deck's")


#: Fields that only cards made from units or tables have.
_OF_ROWS = ("show", "boxes")


class Deck(Entity):
    """Cards of one size and one back."""

    title: Line
    size: Name = Field("poker", description="poker, tarot ...: a layout in templates/layouts")
    made_from: Id | None = Field(
        None,
        alias="from",
        description="'units', or a record or modifier table: a card for each row",
    )
    cards: Annotated[dict[Id, Card], Field(min_length=1, max_length=1_000)] | None = Field(
        None, description="the cards by their ids, where they are not made from anything"
    )
    show: tuple[Id, ...] | None = Field(
        None, description="fields of the rows to be printed; all unless given"
    )
    boxes: tuple[Id, ...] = Field(
        (), description="fields that are counts, printed as so many boxes to tick"
    )
    group: Annotated[scalars.Count, Field(ge=1, le=20)] = Field(
        6, description="of these boxes, how many stand together"
    )
    blanks: tuple[Line, ...] = Field((), description="words with a line behind them to write on")
    back: CardBack | None = Field(CardBack(), description="~ prints the cards on one side only")
    copies: Copies = Field(1, description="how often each card is printed")

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if (self.made_from is None) == (self.cards is None):
            raise quantities.QuantityError.of(
                "R225 from and cards" if self.cards else "R225 deck of nothing"
            )
        given = [name for name in _OF_ROWS if self.cards and getattr(self, name)]
        if given:
            raise quantities.QuantityError.of("R225 not with a list", at=(given[0],), name=given[0])
        return self
