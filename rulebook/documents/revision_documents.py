"""An edition and the one before it -> the documents of the revision.

These are the notes on what changed with all that is to be printed again, and the slip of errata for
those who keep the old booklet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rulebook.documents.booklet.views import BookletView
from rulebook.documents.cards.views import DeckView
from rulebook.documents.changes.compose import NotesView, compose_changes
from rulebook.documents.changes.summary import ChangeDescriber
from rulebook.documents.document_kind import File, Planned, planned
from rulebook.documents.errata.compose import ErrataView, compose_errata
from rulebook.documents.impact.compose import impact_of
from rulebook.documents.marks.before import Before
from rulebook.documents.marks.change_words import DescribedChanges, Thing
from rulebook.documents.parts.views import Identity
from rulebook.documents.qrs.views import QrsView
from rulebook.documents.reprint.compose import (
    PrintedAgain,
    changed_cards,
    changed_cutouts,
    changed_units,
    cutout_sheets,
    is_marked,
    reprint_view,
)
from rulebook.frozen_view import View
from rulebook.model.print_settings import ALL_TOGETHER, CardsSpec, CutoutsSpec
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import PaperName
from rulebook.revisions.text_marks import SinceView
from rulebook.translation import gettext, gettext_noop

NOTES, ERRATA = gettext_noop("Notes on changes"), gettext_noop("Errata slip")
REPRINT = gettext_noop("To print again")
#: The layout of the booklet whose pages are printed again one by one.
_LARGE = "large"
#: The booklets, that one first.
_BOOKLETS = (f"booklet-{_LARGE}", "booklet-a5")


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
    after = before.ruleset.header.edition
    errata: dict[str, str] = {paper: f"errata-for-{after}-{paper}.pdf" for paper in spec.papers}
    revision = _Revision(ruleset, before, identity, spec.papers, marked, errata)

    def pdfs(name: str, title: str | None = None) -> tuple[File, ...]:
        papers = ((f"{name}-{paper}.pdf", paper) for paper in spec.papers)
        return tuple(File(path, "pdf", paper, "full", title=title) for path, paper in papers)

    name = f"changes-from-{after}"
    again = pdfs(f"reprint-from-{after}", gettext(REPRINT))
    files = (*pdfs(name), File(f"{name}.html", "html"), *again)
    notes = planned(
        ruleset,
        "changes",
        name,
        gettext(NOTES),
        lambda: revision.notes(_views(marked), _views(old)),
        *files,
    )
    yield replace(notes, has=lambda view, file: view.changes.reprint.documents or file not in again)
    name = f"errata-for-{after}"
    yield planned(ruleset, "errata", name, gettext(ERRATA), revision.errata, *pdfs(name))


def _views(listed: Sequence[Planned]) -> dict[str, View]:
    """The views of documents by their names."""
    composed = (planned.compose() for planned in listed)
    return {one.name: one.view for one in composed if one is not None}


@dataclass(frozen=True)
class _Revision:
    """Composes the documents of a revision; `papers` are those of the notes, `slips` of errata.

    `documents` are those of the edition that may have to be printed again.
    """

    ruleset: Ruleset
    before: Before
    identity: Identity
    papers: tuple[PaperName, ...]
    documents: Sequence[Planned]
    slips: Mapping[str, str]

    @cached_property
    def _told(self) -> DescribedChanges | None:
        """All changes; None where nothing is told."""
        told = ChangeDescriber(self.before.revised, self.before.ruleset, self.ruleset).told()
        return told if any(True for _ in told.things()) else None

    def notes(self, marked: Mapping[str, View], old: Mapping[str, View]) -> NotesView | None:
        """The notes, with what is to be printed again."""
        if self._told is None:
            return None
        impact = impact_of(self.before.ruleset, self.ruleset, self.before.revised.comparison)
        cutouts: tuple[str, ...] = ()
        if self.ruleset.header.documents.cutouts:
            cutouts = changed_cutouts(impact, self._editorial("cutout"))
        decks = [
            changed_cards(old.get(name), view)
            for name, view in marked.items()
            if isinstance(view, DeckView)
        ]
        again = self._again(marked, decks, cutouts)
        sheet = next(iter(again.sheets.values()), None)
        rare = next(iter(again.rare.values()), None)
        listed = reprint_view(
            sheet,
            rare,
            again.booklet,
            decks,
            cutouts=cutouts,
            impact=impact,
            old_decks=[view for view in old.values() if isinstance(view, DeckView)],
            scenarios=tuple(changed_units(self.ruleset, again.decks)),
        )
        changes = compose_changes(self._told, impact, self.ruleset, self.identity, listed)
        return NotesView(changes, again)

    def _editorial(self, thing: Thing) -> set[str]:
        """The ids of things of which only editorial changes are told."""
        assert self._told is not None
        listed = [
            (one.id, revision.class_ if revision else "")
            for revision, one in self._told.things()
            if one.thing == thing
        ]
        return {id_ for id_, _ in listed} - {id_ for id_, class_ in listed if class_ != "editorial"}

    def _again(
        self, marked: Mapping[str, View], decks: Sequence[DeckView], cutouts: Sequence[str]
    ) -> PrintedAgain:
        """What is to be printed again on the papers of the notes on which it is printed at all."""
        documents, printed = self.ruleset.header.documents, self.before.printed
        booklet = next((marked[name] for name in _BOOKLETS if name in marked), None)
        spec = documents.cutouts
        most = 2 * len(cutouts) > len(self.ruleset.cutouts) > 1
        all_cutouts = bool(spec and spec.together) and most
        of_cutouts = {
            paper: cutout_sheets(self.ruleset, cutouts, paper)
            for paper in self._both(spec)
            if cutouts and not all_cutouts
        }
        files, folded = self._files()
        files["cutouts"] = {
            paper: f"cutouts/{ALL_TOGETHER}-{paper}.pdf"
            if all_cutouts
            else ", ".join(f"cutouts/{one.replace('_', '-')}-{paper}.pdf" for one in cutouts)
            for paper in (spec.papers if spec else ())
        }
        recorded = printed.booklets.get(_LARGE) if printed else None
        return PrintedAgain(
            identity=self.identity,
            since=SinceView(self.ruleset.header.edition, self.before.ruleset.header.edition),
            papers=self.papers,
            booklet=booklet if isinstance(booklet, BookletView) and is_marked(booklet) else None,
            words=recorded.words if recorded else (),
            sheets=dict(self._sheets(marked, "qrs")),
            rare=dict(self._sheets(marked, "qrs-2")),
            sides_before=dict(printed.sheets) if printed else {},
            decks=tuple(deck for deck in decks if deck.cards),
            deck_papers=self._both(documents.cards),
            cutouts={paper: one for paper, one in of_cutouts.items() if one.refusal is None},
            files=files,
            folded=folded,
            errata=self.slips if self._errata() else {},
            all_cutouts=all_cutouts,
            printed_before=tuple(printed.files) if printed else (),
        )

    def _files(self) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
        """The files of whole documents by their names and papers, and those to fold."""
        found: dict[str, dict[str, str]] = {}
        folded: dict[str, str] = {}
        for document in (one.document for one in self.documents):
            for file in document.files:
                if file.format == "pdf" and file.paper and file.imposition == "saddle stitch":
                    folded.setdefault(file.paper, file.path)
                elif file.format == "pdf" and file.paper:
                    found.setdefault(document.name, {}).setdefault(file.paper, file.path)
        return found, folded

    def _errata(self) -> bool:
        """Whether there is a slip."""
        told = self._told
        return told is not None and any(one.class_ != "editorial" for one in told.revisions)

    def _sheets(self, marked: Mapping[str, View], name: str) -> Iterator[tuple[PaperName, QrsView]]:
        """The sheets of a name on which anything is marked, by their papers."""
        for paper in self.papers:
            sheet = marked.get(f"{name}-{paper}")
            if isinstance(sheet, QrsView) and is_marked(sheet.phases):
                yield paper, sheet

    def _both(self, spec: CardsSpec | CutoutsSpec | None) -> tuple[PaperName, ...]:
        """The papers of the notes on which a document is printed as well."""
        return tuple(paper for paper in self.papers if spec is not None and paper in spec.papers)

    def errata(self) -> ErrataView | None:
        """The slip; None where nothing in the old print is to be corrected."""
        if self._told is None:
            return None
        booklets = self.before.printed.booklets if self.before.printed else {}
        return compose_errata(
            self._told, self.before.ruleset, self.ruleset, self.identity, booklets
        )
