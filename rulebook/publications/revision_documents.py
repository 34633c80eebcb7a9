"""An edition and the one before it -> the publications of the revision.

These are the notes on what changed with all that is to be printed again, and the slip of errata for
those who keep the old booklet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulebook.loading.print_records import PrintRecord
from rulebook.model.ruleset import CardsSpec, CutoutsSpec, Ruleset
from rulebook.paper import PaperName
from rulebook.publications.before import Before
from rulebook.publications.change_words import ToldChanges
from rulebook.publications.changes import compose_changes
from rulebook.publications.errata import compose_errata
from rulebook.publications.impact import impact_of
from rulebook.publications.publication import Artefact, Publication
from rulebook.publications.reprint import (
    changed_cards,
    changed_cutouts,
    cutout_sheets,
    is_marked,
    reprint_view,
)
from rulebook.publications.telling import tell
from rulebook.publications.views import Identity, as_view

NOTES, ERRATA, REPRINT = "Notes on changes", "Errata slip", "To print again"
#: The layout of the booklet whose pages are printed again one by one.
_PAGES = "booklet-large"

View = Mapping[str, Any]


def revision_publications(
    ruleset: Ruleset,
    before: Before,
    identity: Identity,
    *,
    marked: Sequence[Publication],
    old: Sequence[Publication],
) -> Iterator[Publication]:
    """The notes on changes with what is to be printed again, and the errata.

    `ruleset` is the new edition as it was read; `marked` are its sheet, booklet and cards with what
    changed marked in them, `old` the cards of the edition before. Where nothing is told there are
    none.
    """
    documents = ruleset.header.documents
    spec = documents.changes
    told = tell(before.revised, before.ruleset, ruleset)
    if spec is None or not any(True for _ in told.things()):
        return
    after = before.ruleset.header.edition
    views, old_cards = ({one.name: one.view for one in listed} for listed in (marked, old))
    impact = impact_of(before.ruleset, ruleset, before.revised.comparison)
    decks = list(_decks(marked, old_cards))
    cutouts = changed_cutouts(impact) if documents.cutouts else ()
    booklet = views.get(_PAGES) if is_marked(views.get(_PAGES)) else None
    sheets = {
        paper: view
        for paper in spec.papers
        if (view := views.get(f"qrs-{paper}")) and is_marked(view["phases"])
    }
    sheet = next(iter(sheets.values()), None)
    again = reprint_view(sheet, booklet, decks, cutouts=cutouts, impact=impact)
    view = {
        **as_view(compose_changes(told, impact, ruleset, identity, again)),
        "papers": list(spec.papers),
        "booklet": booklet,
        "sheets": sheets,
        "sides_before": _sides(before.printed, sheets),
        "decks": decks,
        "deck_papers": _both(spec.papers, documents.cards),
        "cutouts": dict(_cutouts(ruleset, cutouts, _both(spec.papers, documents.cutouts))),
    }
    name = f"changes-from-{after}"
    files = [Artefact(f"{name}-{paper}.pdf", "pdf", paper, "full") for paper in spec.papers]
    files.append(Artefact(f"{name}.html", "html"))
    if again.any:
        files += [
            Artefact(f"reprint-from-{after}-{paper}.pdf", "pdf", paper, "full", title=REPRINT)
            for paper in spec.papers
        ]
    yield Publication(ruleset.id, ruleset.form, "changes", name, NOTES, view, tuple(files))
    yield from _errata(ruleset, before, identity, told)


def _both(papers: Sequence[PaperName], spec: CardsSpec | CutoutsSpec | None) -> list[PaperName]:
    """The papers of the notes on which a document is printed as well."""
    return [paper for paper in papers if spec is not None and paper in spec.papers]


def _cutouts(
    ruleset: Ruleset, cutouts: Sequence[str], papers: Sequence[PaperName]
) -> Iterator[tuple[PaperName, View]]:
    """The sheets of cutouts for each paper that they go on together."""
    for paper in papers if cutouts else ():
        view = cutout_sheets(ruleset, cutouts, paper)
        if view["refusal"] is None:
            yield paper, view


def _decks(marked: Sequence[Publication], old: Mapping[str, View]) -> Iterator[View]:
    """The decks with the cards alone that say something else now."""
    for one in marked:
        if one.kind == "cards":
            deck = changed_cards(old.get(one.name), one.view)
            if deck["cards"]:
                yield deck


def _sides(
    printed: PrintRecord | None, papers: Iterable[PaperName]
) -> dict[PaperName, list[list[str]]]:
    """The pieces of panels on each side of the old sheets, for each paper that is recorded."""
    sheets = printed.sheets if printed else {}
    return {paper: [list(side) for side in sheets[paper]] for paper in papers if paper in sheets}


def _errata(
    ruleset: Ruleset, before: Before, identity: Identity, told: ToldChanges
) -> Iterator[Publication]:
    spec = ruleset.header.documents.changes
    booklets = before.printed.booklets if before.printed else {}
    errata = compose_errata(told, before.ruleset, ruleset, identity, booklets)
    if errata is None or spec is None:
        return
    after = before.ruleset.header.edition
    name = f"errata-for-{after}"
    files = tuple(Artefact(f"{name}-{paper}.pdf", "pdf", paper, "full") for paper in spec.papers)
    yield Publication(ruleset.id, ruleset.form, "errata", name, ERRATA, as_view(errata), files)
