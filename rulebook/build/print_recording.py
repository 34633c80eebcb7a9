"""A released edition, or one about to be released -> the record of how all of it prints today."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import rulebook
from rulebook.build.cache_keys import program_key, templates_key
from rulebook.build.executors import Workers
from rulebook.build.jobs import Job
from rulebook.build.stages import Stages
from rulebook.build.unprinted import Unprinted
from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.booklet.views import BookletView
from rulebook.documents.cards.views import DeckView
from rulebook.documents.document_kind import ComposedDocument, LaidOut, Rendered
from rulebook.documents.qrs.views import QrsView
from rulebook.loading.print_records import (
    FORMAT,
    PrintedBooklet,
    PrintedCard,
    PrintRecord,
    sheet_name,
)
from rulebook.loading.snapshots import Snapshot
from rulebook.model.edition_standing import Standing
from rulebook.model.prose import rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.problems import Problem
from rulebook.typeset.environment import RenderFault

#: What the ids of things in a booklet begin with, before those that their author gave them.
_IN_BOOKLETS = {
    "tables": "table-",
    "cutouts": "cutout-",
    "examples": "example-",
    "procedures": "steps-",
}


def print_and_record(
    snapshot: Snapshot,
    ruleset: Ruleset,
    path: Path,
    templates: Path,
    stages: Stages,
    *,
    cache: Cache = NOTHING_KEPT,
) -> tuple[PrintRecord | None, Unprinted]:
    """Print an edition to nowhere, as it prints from its file once it is released.

    `ruleset` is that of the snapshot, `path` where its file stands or will stand. Where a document
    cannot be printed there is no record, but the faults of all of them. Pages that a build laid out
    are taken from the cache.
    """
    released = replace(ruleset, standing=Standing(frozen=True, released=True))
    before, problems = stages.before(path, released)
    if problems:
        return None, {"": problems}
    made: list[ComposedDocument] = []
    unprinted: dict[str, Sequence[Problem]] = {}
    kept = cache.salted(program_key() + templates_key(templates))

    def jobs() -> Iterator[Job]:
        for one in planned:
            try:
                composed = one.compose()
            except RenderFault as fault:
                unprinted[one.document.name] = fault.problems
                continue
            if composed is not None:
                made.append(composed)
                wanted = frozenset(file.path for file in composed.files if not file.shows)
                yield Job(len(made) - 1, composed, templates, wanted, kept)

    planned = stages.plan(released, stages.compute(released), before)
    files: list[tuple[ComposedDocument, Rendered]] = []
    with Workers(stages.render, stages.warm_up) as workers:
        for result in workers.run(jobs()):
            if result.problems:
                unprinted[made[result.number].name] = result.problems
            files += [(made[result.number], rendered) for rendered in result.rendered]
    if unprinted:
        return None, unprinted
    return print_record(released, snapshot.sha256, files), {}


def print_record(
    ruleset: Ruleset, snapshot: str, files: Iterable[tuple[ComposedDocument, Rendered]]
) -> PrintRecord:
    """The record of an edition; `files` are all of its files, `snapshot` is its checksum."""
    printed = sorted(files, key=lambda one: one[1].path)
    laid_out = [(one, made, made.laid_out) for one, made in printed if made.laid_out]
    headings = rule_numbers(ruleset.chapters)
    booklets = {
        str(one.view.layout): _booklet(found, headings)
        for one, _, found in laid_out
        if isinstance(one.view, BookletView)
    }
    sheets = {
        sheet_name(str(one.view.paper), one.view.number): _sides(found)
        for one, _, found in laid_out
        if isinstance(one.view, QrsView)
    }
    decks: dict[str, dict[str, PrintedCard]] = {}
    for one, made, found in laid_out:
        if isinstance(one.view, DeckView):
            _add_cards(decks.setdefault(one.view.id, {}), made.path, found)
    return PrintRecord(
        format=FORMAT,
        ruleset=ruleset.id,
        edition=ruleset.header.edition,
        rulebook=rulebook.__version__,
        snapshot=snapshot,
        booklets=booklets,
        sheets=sheets,
        decks=decks,
        files={made.path: hashlib.sha256(made.data).hexdigest() for _, made in printed},
    )


def _booklet(found: LaidOut, headings: Iterable[str]) -> PrintedBooklet:
    pages = {name: page for name, (page,) in found.stands.items()}
    things = {
        kind: {
            name.removeprefix(begins): page
            for name, page in pages.items()
            if name.startswith(begins)
        }
        for kind, begins in _IN_BOOKLETS.items()
    }
    stood = {heading: pages[heading] for heading in headings}
    words = found.pages_words
    return PrintedBooklet(pages=found.pages, headings=stood, words=words, **things)


def _sides(found: LaidOut) -> tuple[tuple[str, ...], ...]:
    """The pieces of panels on each side of a sheet, in their order."""
    sides = range(1, found.pages + 1)
    return tuple(
        tuple(name for name, (at,) in found.stands.items() if at == side) for side in sides
    )


def _add_cards(deck: dict[str, PrintedCard], path: str, found: LaidOut) -> None:
    """Note where the cards of a deck stand in one more file."""
    for card, pages in found.stands.items():
        before: Mapping[str, tuple[int, ...]] = deck[card].pages if card in deck else {}
        faces = tuple(hashlib.sha256(one.encode()).hexdigest() for one in found.words[card])
        deck[card] = PrintedCard(faces=faces, pages={**before, path: pages})
