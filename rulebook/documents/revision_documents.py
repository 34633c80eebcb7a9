"""An edition and the one before it -> the publications of the revision.

These are the notes on what changed with all that is to be printed again, and the slip of errata for
those who keep the old booklet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulebook.documents.booklet.views import BookletView
from rulebook.documents.cards.views import DeckView
from rulebook.documents.changes.compose import compose_changes
from rulebook.documents.changes.summary import Telling
from rulebook.documents.changes.views import NotesView
from rulebook.documents.errata.compose import ErrataView, compose_errata
from rulebook.documents.impact.compose import impact_of
from rulebook.documents.marks.before import Before
from rulebook.documents.marks.change_words import ToldChanges
from rulebook.documents.parts.publication import Artefact, Document, Planned, Publication
from rulebook.documents.parts.views import CutoutView, Identity
from rulebook.documents.qrs.views import QrsView
from rulebook.documents.reprint.compose import (
    PrintedAgain,
    changed_cards,
    changed_cutouts,
    cutout_sheets,
    is_marked,
    reprint_view,
)
from rulebook.loading.print_records import PrintRecord
from rulebook.model.ruleset import CardsSpec, CutoutsSpec, Ruleset
from rulebook.paper import PaperName
from rulebook.views import View

NOTES, ERRATA, REPRINT = "Notes on changes", "Errata slip", "To print again"
#: The layout of the booklet whose pages are printed again one by one.
_PAGES = "booklet-large"


def revision_documents(
    ruleset: Ruleset,
    before: Before,
    identity: Identity,
    *,
    marked: Sequence[Planned],
    old: Sequence[Planned],
) -> Iterator[Planned]:
    """The notes on changes with what is to be printed again, and the errata.

    `ruleset` is the new edition as it was read; `marked` are its sheet, booklet and cards with what
    changed marked in them, `old` the cards of the edition before. What changed is only known when
    they are composed: where nothing is told there are none.
    """
    spec = ruleset.header.documents.changes
    if spec is None:
        return
    made = _Revision(ruleset, before, identity, marked, old)
    edition = (ruleset.id, ruleset.form)
    after = before.ruleset.header.edition
    name = f"changes-from-{after}"
    files = [Artefact(f"{name}-{paper}.pdf", "pdf", paper, "full") for paper in spec.papers]
    files.append(Artefact(f"{name}.html", "html"))
    files += [
        Artefact(f"reprint-from-{after}-{paper}.pdf", "pdf", paper, "full", title=REPRINT)
        for paper in spec.papers
    ]
    yield _planned(Document(*edition, "changes", name, NOTES, tuple(files)), made.notes)
    name = f"errata-for-{after}"
    files = [Artefact(f"{name}-{paper}.pdf", "pdf", paper, "full") for paper in spec.papers]
    yield _planned(Document(*edition, "errata", name, ERRATA, tuple(files)), made.errata)


def _planned(document: Document, composed: Callable[[], tuple[View, bool] | None]) -> Planned:
    """A document whose `composed` view tells whether anything is to be printed again."""

    def publication() -> Publication | None:
        found = composed()
        if found is None:
            return None
        view, again = found
        kept = tuple(one for one in document.artefacts if again or one.title != REPRINT)
        called = (document.kind, document.name, document.title)
        return Publication(document.ruleset, document.edition, *called, view, kept)

    return Planned(document, publication)


@dataclass(frozen=True)
class _Revision:
    """Composes the documents of a revision; `marked` and `old` are composed where they are used."""

    ruleset: Ruleset
    before: Before
    identity: Identity
    marked: Sequence[Planned]
    old: Sequence[Planned]

    @cached_property
    def _told(self) -> ToldChanges | None:
        """All changes; None where nothing is told."""
        told = Telling(self.before.revised, self.before.ruleset, self.ruleset).told()
        return told if any(True for _ in told.things()) else None

    def notes(self) -> tuple[NotesView, bool] | None:
        """The view of the notes, and whether anything is to be printed again."""
        documents, spec = self.ruleset.header.documents, self.ruleset.header.documents.changes
        told = self._told
        if told is None or spec is None:
            return None
        marked = _views(self.marked)
        booklet = marked.get(_PAGES)
        sheets: dict[str, QrsView] = {}
        for paper in spec.papers:
            sheet = marked.get(f"qrs-{paper}")
            if isinstance(sheet, QrsView) and is_marked(sheet.phases):
                sheets[paper] = sheet
        impact = impact_of(self.before.ruleset, self.ruleset, self.before.revised.comparison)
        cutouts = changed_cutouts(impact) if documents.cutouts else ()
        on = _both(spec.papers, documents.cutouts)
        again = PrintedAgain(
            papers=spec.papers,
            booklet=booklet if isinstance(booklet, BookletView) and is_marked(booklet) else None,
            sheets=sheets,
            sides_before=_sides(self.before.printed, sheets),
            decks=tuple(_decks(marked, _views(self.old))),
            deck_papers=_both(spec.papers, documents.cards),
            cutouts=dict(_cutouts(self.ruleset, cutouts, on)),
        )
        sheet = next(iter(sheets.values()), None)
        listed = reprint_view(sheet, again.booklet, again.decks, cutouts=cutouts, impact=impact)
        changes = compose_changes(told, impact, self.ruleset, self.identity, listed)
        return NotesView(changes, again), listed.any

    def errata(self) -> tuple[ErrataView, bool] | None:
        """The view of the slip; None where nothing in the old print is to be corrected."""
        if self._told is None:
            return None
        old, printed = self.before.ruleset, self.before.printed
        booklets = printed.booklets if printed else {}
        found = compose_errata(self._told, old, self.ruleset, self.identity, booklets)
        return None if found is None else (found, False)


def _views(listed: Sequence[Planned]) -> dict[str, View]:
    """The views of documents by their names."""
    composed = (planned.compose() for planned in listed)
    return {one.name: one.view for one in composed if one is not None}


def _both(
    papers: Sequence[PaperName], spec: CardsSpec | CutoutsSpec | None
) -> tuple[PaperName, ...]:
    """The papers of the notes on which a document is printed as well."""
    return tuple(paper for paper in papers if spec is not None and paper in spec.papers)


def _cutouts(
    ruleset: Ruleset, cutouts: Sequence[str], papers: Sequence[PaperName]
) -> Iterator[tuple[PaperName, CutoutView]]:
    """The sheets of cutouts for each paper that they go on together."""
    for paper in papers if cutouts else ():
        view = cutout_sheets(ruleset, cutouts, paper)
        if view.refusal is None:
            yield paper, view


def _decks(marked: Mapping[str, View], old: Mapping[str, View]) -> Iterator[DeckView]:
    """The decks with the cards alone that say something else now."""
    for name, view in marked.items():
        if isinstance(view, DeckView):
            before = old.get(name)
            deck = changed_cards(before if isinstance(before, DeckView) else None, view)
            if deck.cards:
                yield deck


def _sides(
    printed: PrintRecord | None, papers: Iterable[str]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The pieces of panels on each side of the old sheets, for each paper that is recorded."""
    sheets = printed.sheets if printed else {}
    return {paper: sheets[paper] for paper in papers if paper in sheets}
