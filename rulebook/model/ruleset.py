"""What a ruleset is: its header, its entities by id, its chapters, and where each stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Discriminator, Field, Tag

from rulebook.model.cells import OrSpreadsheet, PrintedTable
from rulebook.model.cutouts import Arc, Burst, Cone, Cutout, Disc, Markers, StandBase, Tray
from rulebook.model.entities import Entity, FrozenModel
from rulebook.model.figures import RuleFigure
from rulebook.model.grids import ComputedTable, Grid
from rulebook.model.header import Header, InlinePicture
from rulebook.model.lengths import Lengths
from rulebook.model.procedures import Procedure
from rulebook.model.prose import BLOCK_KIND_OF, Chapter, Section, placements
from rulebook.model.record_tables import ModifierTable, RecordTable
from rulebook.model.revisions import Standing
from rulebook.model.scalars import ROWS_AT, HeadingId, Id, Line, or_alone
from rulebook.model.scenarios import Formation, Scenario
from rulebook.model.sequence_and_examples import Agreement, Example, ExampleStep, Phase, Term
from rulebook.model.sticks import Sleeve, Stick
from rulebook.model.units import Deck, Unit
from rulebook.problems import Problem, Span
from rulebook.quantities import join_words
from rulebook.translation import gettext, ngettext


class Option(Entity):
    """An optional rule; its id is the name of its file.

    Its overlays are plain data here: they are read with what they lie over.
    """

    title: Line
    rule: HeadingId | None = None
    """id of the heading where it stands in full; what it adds prints there"""
    belongs: Id | None = None
    """id of the heading behind which its rule prints while it is in force; if left out, that of the
    first thing that it changes
    """
    after: Annotated[tuple[Id, ...], or_alone(tuple[Id, ...] | Id)] = ()
    """options over which it wins where they change the same thing"""
    adds: Any = None
    changes: Any = None
    removes: Any = None


#: Where a part of a ruleset stands in its data: ("tables", "musketry", "data", 1, 2).
Address = tuple[str | int, ...]
#: At the end of an address: the key itself, where the address is that of the scalar under it.
KEY = "[key]"


OneT = TypeVar("OneT")


AnyCutout = Annotated[
    Cone | Burst | Disc | Arc | Stick | Sleeve | StandBase | Tray | Markers,
    Field(discriminator="shape"),
]


def _table_kind(value: object) -> str:
    """Returns the tag for the kind of a table, given as an author writes it or as a model.

    A table with `computed` is a computed table; one with `fields`, or with data by name and no
    axes, is a record table. Anything else is read as a grid.
    """
    if isinstance(value, dict):
        if "computed" in value:
            return "[computed]"
        of_grid = value.keys() & {"rows", "columns", "cells"}
        outcomes = isinstance(value.get("data"), dict) and not of_grid
        return "[record]" if "fields" in value or outcomes else "[grid]"
    if isinstance(value, ComputedTable):
        return "[computed]"
    return "[record]" if isinstance(value, RecordTable) else "[grid]"


AnyTable = Annotated[
    Annotated[Grid, Tag("[grid]")]
    | Annotated[RecordTable, Tag("[record]")]
    | Annotated[ComputedTable, Tag("[computed]")],
    Discriminator(_table_kind),
]


class Collections(FrozenModel):
    """The collections that any other YAML file of a ruleset may hold."""

    tables: dict[Id, AnyTable] = Field({})
    """tables by their ids: grids, record tables and computed ones"""
    modifiers: dict[Id, ModifierTable] = Field({})
    """modifier tables by their ids: conditions, and what they add"""
    procedures: dict[Id, Procedure] = Field({})
    """rules that run, by their ids"""
    examples: dict[Id, Example] = Field({})
    """worked examples by their ids"""
    sequence: dict[Id, Phase] = Field({})
    """the turn: its phases in order"""
    units: Annotated[dict[Id, Unit], OrSpreadsheet()] = Field({})
    """units by their ids"""
    cards: dict[Id, Deck] = Field({})
    """decks of cards by their ids"""
    cutouts: dict[Id, AnyCutout] = Field({})
    """what is cut out and used on the table, by its id"""
    figures: dict[Id, RuleFigure] = Field({})
    """pictures that explain rules, by their ids"""
    terms: dict[Id, Term] = Field({})
    """words of the game for glossary and index, by their ids"""
    agreements: dict[Id, Agreement] = Field({})
    """what players settle before a game, by their ids"""
    formations: dict[Id, Formation] = Field({})
    """units and formations put together, by their ids"""
    scenarios: dict[Id, Scenario] = Field({})
    """battles by their ids"""


@dataclass(frozen=True, slots=True)
class Variant:
    """A ruleset with some options in force, and the faults of this choice.

    The ruleset is None if it cannot be made.
    """

    ruleset: Ruleset | None
    problems: tuple[Problem, ...] = ()


#: Options, sorted -> the ruleset with these and no others.
Variants = Callable[[tuple[str, ...]], Variant]


class _Collection(Generic[OneT]):
    """A descriptor for a collection of a ruleset: the entities by their ids."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, ruleset: Ruleset, owner: type[Ruleset]) -> Mapping[str, OneT]:
        found: Mapping[str, OneT] = getattr(ruleset.collections, self.name)
        return found


@dataclass(frozen=True)
class Ruleset:
    """A ruleset that has been read completely.

    `cover` and `symbols` are the pictures that the header names, `options` are all its options, and
    `chosen` those in force, which are applied to the collections. `places` maps addresses to places
    in the content files, `variants` returns the ruleset with other options, and `standing` is the
    state of the edition; none of these is content.

    `taken` maps addresses to paths for the values that are taken from elsewhere in the ruleset. For
    a variant, `differs` lists the paths in which it differs from its base; each starts with a
    collection or `sections`. `lengths` are the conversions of lengths that were made, in order;
    `written` is the ruleset with its lengths and texts as they are written. If it is `frozen` in a
    release, or a variant of such an edition, it need not follow later rules of writing.

    `unaffected` are the entities that are the same with the chosen options as without any, with all
    that they name: they were checked without options, and need not be checked again.
    """

    id: str
    header: Header
    collections: Collections
    chapters: tuple[Chapter, ...]
    places: Mapping[Address, Span] = field(default_factory=dict, compare=False, repr=False)
    options: Mapping[str, Option] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()
    cover: InlinePicture | None = field(default=None, repr=False)
    variants: Variants | None = field(default=None, compare=False, repr=False)
    taken: Mapping[Address, str] = field(default_factory=dict)
    standing: Standing = field(default=Standing(), compare=False, repr=False)
    differs: tuple[Address, ...] = ()
    frozen: bool = field(default=False, compare=False, repr=False)
    lengths: tuple[Lengths, ...] = ()
    written: Ruleset | None = field(default=None, compare=False, repr=False)
    symbols: Mapping[str, InlinePicture] = field(default_factory=dict, repr=False)
    unaffected: Set[tuple[str, str]] = field(default=frozenset(), compare=False, repr=False)

    tables = _Collection[Grid | RecordTable | ComputedTable]("tables")
    modifiers = _Collection[ModifierTable]("modifiers")
    procedures = _Collection[Procedure]("procedures")
    examples = _Collection[Example]("examples")
    sequence = _Collection[Phase]("sequence")
    units = _Collection[Unit]("units")
    decks = _Collection[Deck]("cards")
    cutouts = _Collection[Cutout]("cutouts")
    figures = _Collection[RuleFigure]("figures")
    terms = _Collection[Term]("terms")
    agreements = _Collection[Agreement]("agreements")
    formations = _Collection[Formation]("formations")
    scenarios = _Collection[Scenario]("scenarios")

    @property
    def all_tables(self) -> Mapping[str, PrintedTable]:
        """All tables of the ruleset by their ids, modifier tables included."""
        return {**self.tables, **self.modifiers}

    def to_check(self, collection: str) -> Mapping[str, Any]:
        """Returns the entities of a collection by id, without those marked as `unaffected`.

        The options in force do not change these.
        """
        every = getattr(self.collections, collection).items()
        return {name: thing for name, thing in every if (collection, name) not in self.unaffected}

    def address_of_table(self, table_id: str) -> tuple[str, str]:
        """Returns the address of the table or modifier table with this id, which need not exist."""
        return ("modifiers" if table_id in self.modifiers else "tables", table_id)

    def address_of_row(self, table_id: str, *inside: str | int) -> Address:
        """Returns the address of all rows of a table, or of what is `inside` them.

        `inside` is the key of a row and may go on to a part of it.
        """
        collection, _ = self.address_of_table(table_id)
        return (collection, table_id, ROWS_AT[collection], *inside)

    @property
    def sections(self) -> Iterator[Section]:
        """The sections of all chapters in order."""
        return chain.from_iterable(chapter.sections for chapter in self.chapters)

    @property
    def has_edition(self) -> bool:
        """Whether the author wrote an edition; the one that a sheet has by default has no place."""
        place = self.place("header", "edition")
        return place is None or place != Span(place.path)

    @property
    def edition_in_words(self) -> str:
        """The edition as documents name it: `2.0`, `2.0 (withdrawn)`, `2.0 with Zouaves`.

        Conversions of lengths that were asked for follow, in short. `asked` is a longer form, for a
        line of its own.
        """
        edition = self.header.edition
        if self.standing.status == "withdrawn":
            edition = gettext("%(edition)s (withdrawn)", edition=edition)
        titles = [option.title for option in self.chosen_options.values()]
        if titles:
            count = len(titles)
            edition = ngettext(
                "%(edition)s with %(option)s",
                "%(edition)s with %(number)s options",
                count,
                edition=edition,
                option=titles[0],
            )
        return ", ".join([edition, *(length.briefly for length in self.asked_lengths)])

    @property
    def asked(self) -> str:
        """The options and lengths asked for, in words: `with Zouaves, at ½ of the lengths`."""
        return self.asked_of(self.asked_lengths)

    def asked_of(self, lengths: Iterable[Lengths]) -> str:
        """Returns the options in force and the given conversions of lengths, in words."""
        titles = [option.title for option in self.chosen_options.values()]
        chosen = [gettext("with %(options)s", options=join_words(titles, "and"))] if titles else []
        return ", ".join([*chosen, *(length.in_words for length in lengths)])

    @property
    def asked_lengths(self) -> tuple[Lengths, ...]:
        """The conversions of lengths that were asked for, without the one of the header."""
        own = self.header.lengths
        return self.lengths[1:] if own is not None and not own.idle else self.lengths

    @property
    def form(self) -> str:
        """The edition with the options and lengths asked for, as a folder's name: `2.0+zouaves`."""
        options = [name.replace("_", "-") for name in self.chosen]
        return "+".join(
            [self.header.edition, *options, *(length.slug for length in self.asked_lengths)]
        )

    @property
    def chosen_options(self) -> Mapping[str, Option]:
        return {name: self.options[name] for name in self.chosen}

    def with_options(self, names: Iterable[str]) -> Variant:
        """Returns the ruleset with exactly these options in force, and its faults.

        Each choice of options is loaded only once. Raises KeyError for an unknown option.
        """
        chosen = tuple(sorted(set(names)))
        if chosen == self.chosen:
            return Variant(self)
        if self.variants is None or not self.options.keys() >= set(chosen):
            raise KeyError(chosen)
        return self.variants(chosen)

    def options_of(self, example_id: str, step: ExampleStep) -> tuple[str, ...]:
        """Returns the ids of the options with which a step of an example is played.

        They are those that the step names. If it names none, they are the options in force if these
        have added or changed the example, and none if they have not.
        """
        if step.options is not None:
            return tuple(sorted(set(step.options)))
        plain = self.with_options(()).ruleset if self.chosen else None
        left = plain and plain.examples.get(example_id) == self.examples.get(example_id)
        return () if left else self.chosen

    def adding(self, name: str) -> str | None:
        """Returns the id of an option, not in force, that adds an entity with this id, or None."""
        for option_id, option in self.options.items():
            added = option.adds if isinstance(option.adds, Mapping) else {}
            if option_id not in self.chosen and any(name in (new or ()) for new in added.values()):
                return option_id
        return None

    def lending(self, name: str) -> Ruleset:
        """Returns the ruleset with that option in force which adds an entity with this id.

        The option is one that is not yet in force; without such an option, returns this ruleset.
        The chapter of an optional rule shows the entities that the rule adds although it is not in
        force.
        """
        option = self.adding(name)
        found = self.with_options((option,)).ruleset if option else None
        return found or self

    def place(self, *address: str | int) -> Span | None:
        """Returns the place of the thing at an address in the files, or of the nearest around it.

        Returns None if neither is known.
        """
        while address:
            if (span := self.places.get(address)) is not None:
                return span
            address = address[:-1]
        return None


#: Collections whose order is the author's.
AS_LISTED = ("sequence", "units", "cards")


def in_reading_order(collections: Collections, chapters: Sequence[Chapter]) -> Collections:
    """Sorts entities into the order in which a reader of the booklet meets them.

    Cutouts stand with the first figure that shows them, if the prose does not place them itself.
    Entities that the prose does not place follow, sorted by id. Collections whose order has a
    meaning keep it.
    """
    places: dict[tuple[str, str], float] = {
        placed: number for number, placed in enumerate(placements(chapters))
    }
    for name, figure in collections.figures.items():
        here = places.get(("figure", name), len(places))
        shown = figure.cutouts
        for at, cutout in enumerate(shown):
            places.setdefault(("cutout", cutout), here + at / len(shown))
    ordered = {}
    for name, entities in collections:
        if name not in AS_LISTED:
            kind = BLOCK_KIND_OF.get(name, name)
            ids = sorted(entities, key=lambda id_: (places.get((kind, id_), len(places)), id_))
            ordered[name] = {id_: entities[id_] for id_ in ids}
    return collections.model_copy(update=ordered)
