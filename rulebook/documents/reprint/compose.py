"""Two editions as they print -> what an owner of the old one must print again.

A document that is new for the most part is printed whole, from its own file. Of others some pages
are replaced: a sheet of the quick reference if anything on it changed or has moved since it was
recorded, a leaf of the booklet if it does not say what it said in the record. Both are only known
when they are laid out (`documents.reprint.layout`); cards and cutouts are known here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulebook.documents.booklet.views import BookletView
from rulebook.documents.cards.views import DeckView
from rulebook.documents.cutouts.compose import some_cutouts_view
from rulebook.documents.impact.views import Impact
from rulebook.documents.parts.views import CutoutView, Identity
from rulebook.documents.qrs.views import QrsView
from rulebook.documents.scenario.forces import FOLDER, order_of_battle
from rulebook.frozen_view import fields_of, is_view
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import PaperName
from rulebook.revisions.text_marks import SinceView
from rulebook.translation import gettext, gettext_noop

QUICK_REFERENCE = gettext_noop("Quick reference")
SECOND_SHEET = gettext_noop("Quick reference, second sheet")
BOOKLET, CUTOUTS = gettext_noop("Booklet"), gettext_noop("Cutouts")
#: States of cutouts of which the old ones are of no more use.
_OTHER = ("outline", "face", "new")


@dataclass(frozen=True, slots=True)
class ReprintView:
    """What is to be printed again, in words: panels of the sheet, rules, cards by deck, cutouts.

    `rare` are the panels of the second sheet. Of cards and cutouts `new` are those that the old
    edition does not have, and `gone` those that are no longer used, by what they belong to.
    `scenarios` are those whose rosters and cards show units that changed, each with the titles of
    these units and what the names of its files begin with.
    """

    panels: tuple[str, ...]
    rare: tuple[str, ...]
    rules: tuple[str, ...]
    cards: tuple[tuple[str, tuple[str, ...]], ...]
    cutouts: tuple[str, ...]
    new: Mapping[str, tuple[str, ...]]
    gone: Mapping[str, tuple[str, ...]]
    scenarios: tuple[tuple[str, tuple[str, ...], str], ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """The titles of what is to be printed again, in part or whole."""
        there = (
            (gettext(QUICK_REFERENCE), self.panels),
            (gettext(SECOND_SHEET), self.rare),
            *self.cards,
            (gettext(CUTOUTS), self.cutouts),
            (gettext(BOOKLET), self.rules),
        )
        return tuple(title for title, what in there if what)


@dataclass(frozen=True, slots=True)
class PrintedAgain:
    """What may have to be printed again on the papers of the notes, as it is laid out for them.

    Sheets, second ones in `rare`, and cutouts stand by their papers, and the pieces of panels on
    each side of the old sheets, where they are recorded, by the names of these. Of each deck there
    are the cards alone that changed. The `booklet` is there if anything in it is marked, and
    `words` are the sha256 of those on each page of the old one, if they are recorded.

    `files` are those of whole documents, by their names and papers, `folded` those of the booklet
    on sheets to fold, and `errata` the slip for the old one, by papers; `all_cutouts` are to be
    printed. `printed_before` are the files of the old edition, if they are recorded.
    """

    identity: Identity
    since: SinceView
    papers: tuple[PaperName, ...]
    booklet: BookletView | None
    words: tuple[str, ...]
    sheets: Mapping[str, QrsView]
    rare: Mapping[str, QrsView]
    sides_before: Mapping[str, tuple[tuple[str, ...], ...]]
    decks: tuple[DeckView, ...]
    deck_papers: tuple[PaperName, ...]
    cutouts: Mapping[str, CutoutView]
    files: Mapping[str, Mapping[str, str]]
    folded: Mapping[str, str]
    errata: Mapping[str, str]
    all_cutouts: bool
    printed_before: tuple[str, ...]


def reprint_view(
    sheet: QrsView | None,
    rare: QrsView | None,
    booklet: BookletView | None,
    decks: Sequence[DeckView],
    *,
    cutouts: Sequence[str],
    impact: Impact,
    old_decks: Sequence[DeckView] = (),
    scenarios: tuple[tuple[str, tuple[str, ...], str], ...] = (),
) -> ReprintView:
    """The list in words. Sheets and booklet are those with marks, None where there are none.

    Of `decks` there are all, those without a change as well.
    """
    chapters = booklet.chapters if booklet else ()
    sections = [section for chapter in chapters for section in chapter.sections]
    old, new = (
        {(one.title, card.title) for one in listed for card in (*one.cards, *one.others)}
        for listed in (old_decks, decks)
    )
    for cutout in impact.cutouts:
        of = {"new": new, "gone": old}.get(cutout.state, set())
        of.add((gettext(CUTOUTS), cutout.title))
    return ReprintView(
        panels=_marked_panels(sheet),
        rare=_marked_panels(rare),
        rules=tuple(one.number for one in sections if is_marked(one)),
        cards=tuple((one.title, tuple(c.title for c in one.cards)) for one in decks if one.cards),
        cutouts=tuple(one.title for one in impact.cutouts if one.id in cutouts),
        new=_by_document(new - old),
        gone=_by_document(old - new),
        scenarios=scenarios,
    )


def _by_document(titles: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """What belongs to each document, by their titles."""
    listed = sorted(titles)
    return {
        document: tuple(title for of, title in listed if of == document)
        for document in dict.fromkeys(document for document, _ in listed)
    }


def _marked_panels(sheet: QrsView | None) -> tuple[str, ...]:
    panels = [panel for phase in sheet.phases for panel in phase.panels] if sheet else []
    return tuple(one.title for one in panels if is_marked(one))


def changed_units(
    ruleset: Ruleset, decks: Sequence[DeckView]
) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Each scenario with the titles of its units whose cards are among those that changed.

    Behind them stands what the names of its files begin with.
    """
    changed = {card.id for deck in decks for card in deck.cards}
    for name, scenario in ruleset.scenarios.items():
        sides = order_of_battle(ruleset, name)
        units = [unit for side in sides for unit in side.units if unit.id in changed]
        if units:
            titles = tuple(dict.fromkeys(unit.title for unit in units))
            yield scenario.title, titles, f"{FOLDER}/{name.replace('_', '-')}"


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


def changed_cutouts(impact: Impact, editorial: Collection[str] = ()) -> tuple[str, ...]:
    """The ids of the cutouts to print again; of those that are `editorial` the old ones serve."""
    return tuple(
        one.id for one in impact.cutouts if one.state in _OTHER and one.id not in editorial
    )


def cutout_sheets(ruleset: Ruleset, cutouts: Sequence[str], paper: PaperName) -> CutoutView:
    """The view of the sheets with some cutouts of a ruleset."""
    return some_cutouts_view(ruleset, cutouts, paper, gettext(CUTOUTS))


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
