"""Two editions as they print -> what an owner of the old one must print again.

A sheet of the quick reference is printed again if anything on it changed or has moved since it was
recorded, a page of the booklet if it has a bar in its margin. Both are only known when they are
laid out (`documents.reprint.layout`); cards and cutouts are known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulebook.documents.booklet.views import BookletView
from rulebook.documents.cards.views import DeckView
from rulebook.documents.cutouts.compose import all_cutouts_view
from rulebook.documents.impact.views import Impact
from rulebook.documents.parts.views import CutoutView
from rulebook.documents.qrs.views import QrsView
from rulebook.documents.scenario.forces import order_of_battle
from rulebook.frozen_view import fields_of, is_view
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import PaperName

#: States of cutouts of which the old ones are of no more use.
_OTHER = ("outline", "face", "new")


@dataclass(frozen=True, slots=True)
class ReprintView:
    """What is to be printed again, in words: panels of the sheet, rules, cards by deck, cutouts.

    `rare` are the panels of the second sheet. `scenarios` are those whose rosters and cards show
    units that changed, each with the titles of these units.
    """

    panels: tuple[str, ...]
    rare: tuple[str, ...]
    rules: tuple[str, ...]
    cards: tuple[tuple[str, tuple[str, ...]], ...]
    cutouts: tuple[str, ...]
    gone: tuple[str, ...]
    scenarios: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def any(self) -> bool:
        return bool(self.panels or self.rare or self.rules or self.cards or self.cutouts)


@dataclass(frozen=True, slots=True)
class PrintedAgain:
    """What may have to be printed again on the papers of the notes, as it is laid out for them.

    Sheets, second ones in `rare`, and cutouts stand by their papers, and so do the pieces of panels
    on each side of the old sheets, where they are recorded. Of each deck there are the cards alone
    that changed.
    """

    papers: tuple[PaperName, ...]
    booklet: BookletView | None
    sheets: Mapping[str, QrsView]
    rare: Mapping[str, QrsView]
    sides_before: Mapping[str, tuple[tuple[str, ...], ...]]
    decks: tuple[DeckView, ...]
    deck_papers: tuple[PaperName, ...]
    cutouts: Mapping[str, CutoutView]


def reprint_view(
    sheet: QrsView | None,
    rare: QrsView | None,
    booklet: BookletView | None,
    decks: Sequence[DeckView],
    *,
    cutouts: Sequence[str],
    impact: Impact,
    scenarios: tuple[tuple[str, tuple[str, ...]], ...] = (),
) -> ReprintView:
    """The list in words. Sheets and booklet are those with marks, None where there are none."""
    chapters = booklet.chapters if booklet else ()
    sections = [section for chapter in chapters for section in chapter.sections]
    return ReprintView(
        panels=_marked_panels(sheet),
        rare=_marked_panels(rare),
        rules=tuple(one.number for one in sections if is_marked(one)),
        cards=tuple((deck.title, tuple(card.title for card in deck.cards)) for deck in decks),
        cutouts=tuple(one.title for one in impact.cutouts if one.id in cutouts),
        gone=tuple(one.title for one in impact.cutouts if one.state == "gone"),
        scenarios=scenarios,
    )


def _marked_panels(sheet: QrsView | None) -> tuple[str, ...]:
    panels = [panel for phase in sheet.phases for panel in phase.panels] if sheet else []
    return tuple(one.title for one in panels if is_marked(one))


def changed_units(
    ruleset: Ruleset, decks: Sequence[DeckView]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each scenario with the titles of its units whose cards are among those that changed."""
    changed = {card.id for deck in decks for card in deck.cards}
    for name, scenario in ruleset.scenarios.items():
        sides = order_of_battle(ruleset, name)
        units = [unit for side in sides for unit in side.units if unit.id in changed]
        if units:
            yield scenario.title, tuple(dict.fromkeys(unit.title for unit in units))


def changed_cards(old: object, new: DeckView) -> DeckView:
    """The view of a deck with the cards alone that say something else now.

    `old` is the view of that deck in the edition before, if there was one. With another back or
    size all cards do; none does for its rule or its number of copies.
    """
    if not isinstance(old, DeckView) or (old.backs, old.sizes) != (new.backs, new.sizes):
        return new
    known = {card.id: replace(card, rule="", copies=1) for card in old.cards}
    same = {card for card in new.cards if known.get(card.id) == replace(card, rule="", copies=1)}
    changed, others = (
        tuple(card for card in new.cards if (card in same) is kept) for kept in (False, True)
    )
    return replace(new, cards=changed, others=others)


def changed_cutouts(impact: Impact) -> tuple[str, ...]:
    """The ids of the cutouts to print again."""
    return tuple(one.id for one in impact.cutouts if one.state in _OTHER)


def cutout_sheets(ruleset: Ruleset, cutouts: Sequence[str], paper: PaperName) -> CutoutView:
    """The view of the sheets with some cutouts of a ruleset."""
    listed = {name: ruleset.cutouts[name] for name in cutouts}
    collections = ruleset.collections.model_copy(update={"cutouts": listed})
    return all_cutouts_view(replace(ruleset, collections=collections), paper)


def is_marked(view: object) -> bool:
    """Whether a part of a booklet or of a sheet has a mark in it."""
    if isinstance(view, tuple):
        return any(map(is_marked, view))
    if not is_view(view):
        return False
    told = fields_of(view)
    if any(told.get(name) for name in ("marks", "marked", "new", "gone")):
        return True
    return told.get("was") is not None or any(map(is_marked, told.values()))
