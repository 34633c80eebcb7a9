"""A deck -> its cards, each with its numbers, tracks and words, wherever these stand.

Cards of units, of the rows of a table and of a list are alike from here on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulebook.model.cells import Cell, CellType
from rulebook.model.entities import Status
from rulebook.model.lookup import fields_of
from rulebook.model.record_tables import TableOfRows
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Passage, Prose
from rulebook.model.units import ALL_UNITS, MOST_LARGE, Card, Deck, Figure, Track, Unit, UnitBase


@dataclass(frozen=True, slots=True)
class Field:
    """A number on a card: the name and title of its field, its cell, and the type of the cell."""

    name: str
    title: str
    cell: Cell
    type: CellType

    @property
    def missing(self) -> bool:
        """Whether the source gives no value for the field, so that players fill it in."""
        return self.cell.status is Status.MISSING


@dataclass(frozen=True, slots=True)
class DealtCard:
    """One card of a deck.

    `address` is that of the data that it is made from; `rules` are heading ids. The title of a
    modifier's card is prose; `kind` and `symbol` are words of the data. `shown` are fields that
    print as numbers, `large` fields and `figures` print in large figures, and `boxed` fields print
    as boxes.
    """

    id: str
    title: str | Prose
    address: Address
    copies: int
    kind: str = ""
    symbol: str = ""
    rules: tuple[str, ...] = ()
    base: UnitBase | None = None
    figures: tuple[Figure, ...] = ()
    large: tuple[Field, ...] = ()
    shown: tuple[Field, ...] = ()
    boxed: tuple[Field, ...] = ()
    tracks: tuple[Track, ...] = ()
    text: Passage | None = None

    @property
    def boxes(self) -> int:
        """The number of all boxes on the card: those of its tracks and those of boxed counts."""
        counted = (field.cell.value for field in self.boxed)
        of_tracks = sum(track.boxes * track.times for track in self.tracks)
        return of_tracks + sum(count for count in counted if isinstance(count, int))


def deal(ruleset: Ruleset, deck_id: str) -> tuple[DealtCard, ...]:
    """Makes the cards of a deck, in the order of the units, rows or list that it is made from."""
    deck = ruleset.decks[deck_id]
    if deck.cards is not None:
        return tuple(_listed(deck_id, deck, deck.cards))
    if deck.made_from == ALL_UNITS:
        return tuple(deal_unit(ruleset, deck, *item) for item in ruleset.units.items())
    table_id = deck.made_from or ""
    table = ruleset.all_tables[table_id]
    assert isinstance(table, TableOfRows), "no cards are made of other tables"
    return tuple(
        _of_fields(
            deck,
            [*_fields_of_row(table, key, table.fields)],
            (key, row.heading(key), ruleset.address_of_row(table_id, key)),
        )
        for key, row in table.data.items()
    )


def _listed(deck_id: str, deck: Deck, cards: Mapping[str, Card]) -> Iterator[DealtCard]:
    for key, card in cards.items():
        yield DealtCard(
            key,
            card.title,
            ("cards", deck_id, "cards", key),
            card.copies or deck.copies,
            kind=card.kind or "",
            symbol=card.symbol or card.kind or "",
            figures=card.large,
            rules=(card.rule.replace("-", "_"),) if card.rule else (),
            tracks=tuple(card.tracks.values()),
            text=card.text,
        )


def deal_unit(ruleset: Ruleset, deck: Deck, name: str, unit: Unit) -> DealtCard:
    """Makes the card of one unit, which may be from the ruleset or from a scenario.

    `name` is the id of the unit.
    """
    fields: list[Field] = []
    for field, row in fields_of(ruleset, unit).items():
        table = ruleset.tables[row.table]
        if isinstance(table, TableOfRows):
            fields += _fields_of_row(table, row.row, (field,))
    return _of_fields(
        deck,
        fields,
        (name, unit.title, ("units", name)),
        kind=unit.kind,
        symbol=unit.symbol or unit.kind,
        figures=unit.large,
        rules=tuple(rule.replace("-", "_") for rule in unit.rules),
        base=unit.base,
        tracks=tuple(unit.tracks.values()),
        text=unit.text,
    )


def _of_fields(
    deck: Deck, fields: list[Field], called: tuple[str, str | Prose, Address], **more: Any
) -> DealtCard:
    """Makes a card with these fields; `called` are its id, its title and its address.

    In large figures it shows the first of those under `large` of the deck that the card has. Below
    them it shows the fields under `show`, or else all that are not printed as boxes. A count that
    is printed as boxes may have its number beside them too. `more` are other attributes of the
    card.
    """
    boxed = tuple(field for field in fields if field.name in deck.boxes)
    large = _of_names(fields, deck, deck.large)[:MOST_LARGE]
    known = [field.name for field in fields if field.name not in deck.boxes]
    names = known if deck.show is None else deck.show
    named = {field.name for field in large}
    shown = _of_names(fields, deck, [name for name in names if name not in named])
    return DealtCard(*called, deck.copies, large=large, shown=shown, boxed=boxed, **more)


def _fields_of_row(table: TableOfRows, key: str, names: Iterable[str]) -> Iterator[Field]:
    cells = table.data[key].cells
    for name in names:
        if name in cells:
            yield Field(name, table.title_of(name), cells[name], table.fields[name].type)


def _of_names(fields: list[Field], deck: Deck, names: Sequence[str]) -> tuple[Field, ...]:
    """Returns the fields with these names, in the order of the names, titled as the deck says.

    Unknown names and fields without a value are left out, but not fields whose value is missing.
    """
    by_name = {field.name: field for field in fields}
    found = [by_name[name] for name in names if name in by_name]
    return tuple(
        replace(field, title=deck.labels.get(field.name, field.title))
        for field in found
        if field.missing or field.cell.value is not None
    )
