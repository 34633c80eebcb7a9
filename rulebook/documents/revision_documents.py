"""An edition and the one before it -> the documents of the revision.

These are the notes on what changed, which say what is to be printed again, and the slip of errata
for those who keep the old booklet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from rulebook.documents.before import Before
from rulebook.documents.changes.described import DescribedChanges
from rulebook.documents.changes.describing import ChangeDescriber
from rulebook.documents.changes.notes import (
    ChangesView,
    changed_cutouts,
    compose_changes,
    print_again,
)
from rulebook.documents.document_kind import ComposedDocument, File, Planned, planned
from rulebook.documents.errata import ErrataView, compose_errata
from rulebook.documents.impact.compose import impact_of
from rulebook.documents.parts.views import Identity
from rulebook.model.ruleset import Ruleset
from rulebook.translation import gettext, gettext_noop

NOTES, ERRATA = gettext_noop("Notes on changes"), gettext_noop("Errata slip")


def revision_documents(
    ruleset: Ruleset,
    before: Before,
    identity: Identity,
    *,
    marked: Sequence[Planned],
    old: Sequence[Planned],
    scenarios: Iterable[Planned],
) -> Iterator[Planned]:
    """Plans the notes on changes and the errata slip, if the ruleset asks for notes on changes.

    `ruleset` is the new edition as it was read; `marked` are its sheets and cards with changes
    marked, `old` the cards of the edition before, and `scenarios` the documents of the scenarios.
    What changed is known only when these are composed: if nothing did, the planned documents
    compose to None.
    """
    spec = ruleset.header.documents.changes
    if spec is None:
        return
    after = before.ruleset.header.edition
    slip = f"errata-for-{after}"

    @cache
    def described() -> DescribedChanges | None:
        """Describes all changes; returns None if there are none."""
        found = ChangeDescriber(before.revised, before.ruleset, ruleset).described()
        return found if any(True for _ in found.things()) else None

    def notes() -> ChangesView | None:
        changes = described()
        if changes is None:
            return None
        impact = impact_of(before.ruleset, ruleset, before.revised.comparison)
        paper = spec.papers[0]
        again = print_again(
            ruleset,
            _composed(marked),
            _composed(old),
            changed_cutouts(impact.cutouts, changes),
            scenarios=[file for scenario in scenarios for file in scenario.document.files],
            paper=paper,
        )
        corrected = any(revision.marked for revision in changes.revisions)
        errata = f"{slip}-{paper}.pdf" if corrected else ""
        return compose_changes(
            changes,
            impact,
            ruleset,
            identity,
            again=tuple(again),
            papers=spec.papers,
            errata=errata,
        )

    def errata() -> ErrataView | None:
        changes = described()
        return compose_errata(changes, identity) if changes else None

    def pdfs(name: str) -> list[File]:
        return [File(f"{name}-{paper}.pdf", "pdf", paper, "full") for paper in spec.papers]

    name = f"changes-from-{after}"
    page = File(f"{name}.html", "html")
    yield planned(ruleset, "changes", name, notes, *pdfs(name), page, title=gettext(NOTES))
    yield planned(ruleset, "errata", slip, errata, *pdfs(slip), title=gettext(ERRATA))


def _composed(documents: Sequence[Planned]) -> list[ComposedDocument]:
    """Composes documents; leaves out those for which there is nothing to say."""
    return [composed for document in documents if (composed := document.compose()) is not None]
