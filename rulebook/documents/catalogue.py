"""A ruleset -> all its documents; a document -> its files, as its kind has it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import (
    KINDS,
    THUMBNAILS,
    ComposedDocument,
    File,
    Planned,
    Rendered,
)
from rulebook.documents.parts.views import TO_READ, Identity
from rulebook.packaged import LIBRARIES_OF_PAGES
from rulebook.paper_and_ink import PRESS
from rulebook.quantities import format_date
from rulebook.translation import in_language

if TYPE_CHECKING:
    from rulebook.core.compute import Computed
    from rulebook.documents.before import Before
    from rulebook.model.ruleset import Ruleset


def plan(
    ruleset: Ruleset, computed: Computed, before: Before | None, cache: Cache = NOTHING_KEPT
) -> list[Planned]:
    """Plans all documents that a ruleset asks for, such as sheet, booklet, cards and scenarios.

    `computed` is what is computed from the ruleset. Documents mark what changed since the edition
    `before`, or how a variant differs from its base, unless the ruleset turns marks off.
    """
    with in_language(ruleset.header.language):
        return list(_pictured(_planned(ruleset, computed, before, cache)))


def _pictured(everything: list[Planned]) -> Iterator[Planned]:
    """Yields all documents, those that are shown by a picture with the PNG of a thumbnail added.

    This is the first document of each kind and title that has a PDF of unfolded pages. If the
    picture shows a certain page, such as a map, an A5 document is used only if there is no other
    paper, since that page may be sideways on A5.
    """
    shown: dict[tuple[str, str], File] = {}
    for planned in everything:
        document = planned.document
        printed = (file for file in document.files if file.format == "pdf")
        flat = next((file for file in printed if file.imposition != "saddle stitch"), None)
        key = document.kind, document.title
        if flat and (key not in shown or (KINDS[key[0]].face and shown[key].paper == "a5")):
            shown[key] = flat
    for planned in everything:
        document = planned.document
        file = shown.get((document.kind, document.title))
        if file in document.files:
            path = f"{THUMBNAILS}/{file.path.removesuffix('.pdf')}.png"
            files = (*document.files, File(path, "png", title=file.title, shows=file.path))
            yield replace(planned, document=replace(document, files=files))
        else:
            yield planned


def _planned(
    read: Ruleset, computed: Computed, before: Before | None, cache: Cache
) -> list[Planned]:
    from rulebook.documents.at_table import plan_at_table
    from rulebook.documents.cutouts import plan_cutouts
    from rulebook.documents.odds import plan_odds
    from rulebook.documents.revision_documents import revision_documents
    from rulebook.documents.scenario.compose import scenario_documents
    from rulebook.documents.search import plan_search

    ruleset = computed.ruleset
    shown = (before.marked or before) if before and ruleset.header.documents.marks else None
    to_read = list(_to_read(computed, shown))
    made = [*to_read, *plan_at_table(ruleset, identity_of(ruleset)), *plan_cutouts(ruleset)]
    made += plan_odds(ruleset, identity_of(ruleset), before)
    identity = identity_of(ruleset)
    scenarios = list(scenario_documents(computed, identity))
    if before is not None and not before.is_base:
        marked = to_read if shown is before else list(_to_read(computed, before))
        old = list(_cards_of_before(ruleset, before))
        made += revision_documents(
            read, before, identity, marked=marked, old=old, scenarios=scenarios
        )
    return [*made, *scenarios, *plan_search(computed, identity)]


def _cards_of_before(ruleset: Ruleset, before: Before) -> Iterator[Planned]:
    """Plans the cards of the edition before, with editorial changes of the new one applied.

    They can be compared with the new cards, so that editorial changes make no difference.
    """
    from rulebook.documents.cards.compose import plan_cards
    from rulebook.documents.marks import Marks
    from rulebook.documents.parts.binding import Binder

    old = before.computed.ruleset
    binder = Marks(before, Binder(ruleset, references="number")).then_binder
    yield from plan_cards(old, identity_of(old), binder)


def _to_read(computed: Computed, before: Before | None) -> Iterator[Planned]:
    """Plans the quick reference, the booklet and the cards.

    In the former two, changes since the edition `before` are marked.
    """
    from rulebook.documents.booklet.compose import plan_booklet
    from rulebook.documents.cards.compose import plan_cards
    from rulebook.documents.qrs.compose import plan_qrs

    ruleset = computed.ruleset
    identity = identity_of(ruleset)
    yield from plan_qrs(ruleset, identity, before)
    yield from plan_booklet(ruleset, identity, computed.charts, before)
    yield from plan_cards(ruleset, identity)


def identity_of(ruleset: Ruleset) -> Identity:
    """Returns what all documents print about their ruleset, such as its title, edition and date."""
    header = ruleset.header
    return Identity(
        ruleset=ruleset.id,
        title=header.title,
        subtitle=header.subtitle or "",
        edition=ruleset.edition_in_words,
        date=format_date(header.date) if header.date else "",
        language=header.language,
        accent=header.accent,
        edition_given=ruleset.edition_in_words != header.edition or ruleset.has_edition,
        asked=ruleset.asked_of(ruleset.lengths),
        optional=bool(ruleset.chosen),
        withdrawn=ruleset.standing.reason or "",
        to_read=TO_READ if header.documents.booklet and ruleset.chapters else "",
        colours=header.documents.qrs.colours if header.documents.qrs else (),
    )


def render(
    composed: ComposedDocument, templates: Path, wanted: frozenset[str], cache: Cache = NOTHING_KEPT
) -> list[Rendered]:
    """Renders the files of a document whose paths are in `wanted`, with thumbnails last.

    Parts that are slow to make, and that other documents or the next build need too, are kept in
    `cache`. Raises RenderFault if a file cannot be made.
    """
    pictures = [file for file in composed.files if file.shows and file.path in wanted]
    needed = wanted.union(file.shows for file in pictures if file.shows)
    files = [file for file in composed.files if file.path in needed and not file.shows]
    kind = KINDS[composed.kind]
    with in_language(composed.language):
        made = {file.path: file for file in kind.render(composed.view, files, templates, cache)}
    drawn = _drawn(pictures, made, kind.face, cache)
    return [*(file for path, file in made.items() if path in wanted), *drawn]


def _drawn(
    pictures: list[File], made: dict[str, Rendered], face: str, cache: Cache
) -> Iterator[Rendered]:
    """Renders each thumbnail in `pictures` as a PNG of a page of the PDF that it shows.

    `made` has the PDFs by their paths. The page is the one with the id `face`, or else page 1.
    """
    for picture in pictures:
        from rulebook.documents.parts.pages import thumbnail

        shown = made[picture.shows or ""]
        page = shown.stands.get(face, 1)
        yield Rendered(picture.path, thumbnail(shown.data, page, cache), None)


def ingredients(composed: ComposedDocument, templates: Path) -> dict[str, str]:
    """Returns digests of all files besides the view that affect a document, and library versions.

    The keys are the names of templates, styles, page layouts of cards, a colour profile, fonts and
    libraries.
    """
    from rulebook.imposing.layouts import FOLDER
    from rulebook.typefaces import digest
    from rulebook.typeset import pdf, press
    from rulebook.typeset.environment import template_closure

    kind, view = KINDS[composed.kind], composed.view
    names = [
        *template_closure(kind.templates, templates),
        *(f"styles/{name}.css" for name in kind.styles),
        *(f"{FOLDER}/{size}.yaml" for size in kind.sizes(view)),
        *([press.PROFILE] if any(file.ink == PRESS for file in composed.files) else ()),
        # what every page is set with
        *("fonts/fonts.conf", f"styles/{pdf.ELEMENTS}.css"),
    ]
    files = {name: _digest(templates, name) for name in names}
    return {**files, "fonts": digest(), **_versions((*LIBRARIES_OF_PAGES, *kind.libraries(view)))}


def _digest(templates: Path, name: str) -> str:
    from rulebook.typeset.environment import design_faults

    with design_faults(templates, name):
        return hashlib.sha256((templates / name).read_bytes()).hexdigest()


@lru_cache(maxsize=4)
def _versions(names: tuple[str, ...]) -> dict[str, str]:
    return {f"library {name}": version(name) for name in names}


def warm_up(templates: Path) -> None:
    """Loads what a worker process needs to render pages before its first job."""
    from rulebook.typeset import pdf

    pdf.warm_up(templates)
