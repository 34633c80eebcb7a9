"""The units of a scenario -> a deck with one card for each of them, and a back for each side.

The cards are those of the ruleset's own deck of units, with what the scenario adds: the name of the
unit, its side, its force, and when this comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rulebook.documents.cards.compose import CardComposer
from rulebook.documents.cards.views import BackView, BlankPart, CardView, DeckView, Whose
from rulebook.documents.parts.binding import Binder, escape_markdown
from rulebook.documents.parts.cutout_drawings import CARD_PICTURE, small_picture
from rulebook.documents.parts.document import File, Imposition, Planned
from rulebook.documents.scenario.forces import PlayedScenario, SideLook, groups_of, side_looks, when
from rulebook.maps.marks import swatch
from rulebook.model.cards import deal_unit
from rulebook.model.forces import units_known
from rulebook.model.ruleset import CardsSpec, Ruleset
from rulebook.model.units import ALL_UNITS, Deck
from rulebook.translation import gettext, gettext_noop

#: How the line is called on which players write the name of a unit that has none.
NAME = gettext_noop("Name")
#: Of the hatching at the head of a card and on its back, mm: enough for cards of any size.
_STRIP, _PITCH, _PEN = (170.0, 6.0), 1.8, 0.45
_FIELD, _FIELD_PITCH, _FIELD_PEN = (170.0, 230.0), 3.2, 0.5


def card_documents(scenario: PlayedScenario) -> Iterator[Planned]:
    """The sheets of the deck on each paper, but on none that the ruleset leaves out for cards."""
    cards = scenario.ruleset.header.documents.cards or CardsSpec()
    papers = [paper for paper in scenario.spec.sheets or () if paper in cards.papers]
    if not papers:
        return
    how: Imposition = "gutterfold" if cards.gutterfold else "n-up"
    sheets = (
        File(f"{scenario.stem}-cards-{paper}.pdf", "pdf", paper, "full", how) for paper in papers
    )
    view = partial(compose_unit_cards, scenario)
    yield scenario.planned("cards", "-cards", gettext("Unit cards"), view, *sheets)


def unit_deck(ruleset: Ruleset) -> Deck:
    """The ruleset's own deck of units; a plain one where it has none."""
    for deck in ruleset.decks.values():
        if deck.made_from == ALL_UNITS:
            return deck
    return Deck.model_validate({"title": gettext("Unit cards"), "from": ALL_UNITS})


def compose_unit_cards(scenario: PlayedScenario) -> DeckView:
    """The deck: force by force as they come, units alike once with their number of copies."""
    ruleset, told = scenario.ruleset, scenario.scenario
    deck, spec = unit_deck(ruleset), ruleset.header.documents.cards or CardsSpec()
    sides = side_looks(told)
    dealer = _Dealer(scenario, deck)
    cards: dict[CardView, int] = {}
    for key, side in sides.items():
        for card in dealer.of_side(key, side):
            cards[card] = cards.get(card, 0) + 1
    return DeckView(
        identity=scenario.identity,
        id=scenario.id,
        title=told.title,
        size=deck.size,
        flip=spec.flip,
        gutterfold=spec.gutterfold,
        back=None,
        cards=tuple(replace(card, copies=number) for card, number in cards.items()),
        side_backs=tuple(_back(told.title, side) for side in sides.values()),
    )


class UnitKinds:
    """The cards that all units of a kind have in common, made when they are asked for."""

    def __init__(self, scenario: PlayedScenario) -> None:
        self._ruleset = scenario.ruleset
        self._deck = unit_deck(scenario.ruleset)
        self._known = units_known(scenario.ruleset, scenario.scenario)
        binder = Binder(scenario.ruleset, references="number")
        self._composer = CardComposer(
            binder, partial(small_picture, scenario.ruleset, CARD_PICTURE)
        )
        self._made: dict[str, CardView] = {}

    def card(self, unit: str) -> CardView:
        """Without lines to write on: these depend on the name."""
        if unit not in self._made:
            dealt = replace(deal_unit(self._ruleset, self._deck, unit, self._known[unit]), copies=1)
            self._made[unit] = self._composer.card(dealt, (), self._deck.group)
        return self._made[unit]


class _Dealer:
    """Makes the cards of one scenario."""

    def __init__(self, scenario: PlayedScenario, deck: Deck) -> None:
        self._ruleset, self._scenario = scenario.ruleset, scenario.scenario
        self._deck = deck
        self._kinds = UnitKinds(scenario)

    def of_side(self, key: str, side: SideLook) -> Iterator[CardView]:
        """A card for each unit of a side, in the order in which its forces come."""
        forces = self._scenario.sides[key].forces.values()
        for force in sorted(forces, key=lambda one: one.turn):
            whose = _whose(side, f"{force.title} · {when(self._scenario, force.turn)}")
            for group in groups_of(self._ruleset, self._scenario, force):
                for unit in group.units:
                    yield self._card(unit.id, unit.name, whose)

    def _card(self, unit: str, name: str, whose: Whose) -> CardView:
        plain = self._kinds.card(unit)
        labels = [label for label in self._deck.blanks if label not in (NAME, gettext(NAME))]
        blanks = [BlankPart(tuple(labels if name else (gettext(NAME), *labels)))]
        return replace(
            plain,
            title=name or plain.title,
            kind=plain.title if name else plain.kind,
            parts=(*(blank for blank in blanks if blank.labels), *plain.parts),
            whose=whose,
        )


def _whose(side: SideLook, words: str) -> Whose:
    pattern = swatch(side.number, side.colour, _STRIP, pitch=_PITCH, pen=_PEN)
    return Whose(side.title, side.number, side.colour, words, pattern)


def _back(title: str, side: SideLook) -> BackView:
    lines = side.colour if side.number else "#ffffff"
    pattern = swatch(side.number, lines, _FIELD, pitch=_FIELD_PITCH, pen=_FIELD_PEN)
    whose = Whose(side.title, side.number, side.colour, "", pattern)
    return BackView(side.title, escape_markdown(title), whose)
