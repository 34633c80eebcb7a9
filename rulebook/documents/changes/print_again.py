"""Two editions as they print -> what an owner of the old one must print again, by name and file.

Sheets are known by the marks of what changed on them, cards by what they said before, cutouts by
their outlines, scenarios by the cards of their units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulebook.documents.cards.pieces import CardView, DeckView
from rulebook.documents.changes.described import DescribedChanges
from rulebook.documents.document_kind import SCENARIOS, ComposedDocument, File
from rulebook.documents.impact.views import CutoutImpact
from rulebook.documents.qrs.compose import QrsView
from rulebook.documents.scenario.forces import order_of_battle
from rulebook.frozen_view import fields_of, is_view
from rulebook.model.header import ALL_TOGETHER
from rulebook.model.revisions import CLASSES
from rulebook.model.ruleset import Ruleset
from rulebook.translation import gettext

#: States of cutouts of which the old ones are of no more use.
_OTHER = ("outline", "face", "new")


@dataclass(frozen=True, slots=True)
class PrintAgain:
    """What to print again: a document or a scenario, its files on one paper, and of cards and
    cutouts the names.
    """

    title: str
    files: tuple[str, ...]
    names: tuple[str, ...] = ()


def print_again(
    ruleset: Ruleset,
    marked: Sequence[ComposedDocument],
    old: Iterable[ComposedDocument],
    cutouts: Sequence[CutoutImpact],
    *,
    scenarios: Sequence[File],
    paper: str,
) -> Iterator[PrintAgain]:
    """Sheets, decks, cutouts and scenarios of `ruleset`, as they print on a paper.

    `marked` are sheets and decks of the new edition with what changed marked in them, `old` the
    decks of the edition before; `scenarios` are the files of all scenarios.
    """
    documents = ruleset.header.documents
    former = {deck.name: deck.view for deck in old}
    sheets = documents.qrs.papers if documents.qrs else ()
    changed: set[str] = set()
    for document in marked:
        view = document.view
        if isinstance(view, QrsView) and view.paper == _one_of(sheets, paper):
            if is_marked(view.phases):
                yield PrintAgain(document.title, (_file(document, paper),))
        elif isinstance(view, DeckView):
            cards = changed_cards(former.get(document.name), view)
            changed |= {card.id for card in cards}
            if cards:
                names = tuple(card.title for card in cards)
                yield PrintAgain(document.title, (_file(document, paper),), names)
    if documents.cutouts and cutouts:
        on = _one_of(documents.cutouts.papers, paper)
        ids = [cutout.id.replace("_", "-") for cutout in cutouts]
        if documents.cutouts.together and 2 * len(cutouts) > len(ruleset.cutouts) > 1:
            ids = [ALL_TOGETHER]
        files = tuple(f"cutouts/{one}-{on}.pdf" for one in ids)
        yield PrintAgain(gettext("Cutouts"), files, tuple(cutout.title for cutout in cutouts))
    for name, scenario in ruleset.scenarios.items():
        sides = order_of_battle(ruleset, name)
        if any(unit.id in changed for side in sides for unit in side.units):
            stem = f"{SCENARIOS}/{name.replace('_', '-')}"
            begins = f"{stem}-sheets-", f"{stem}-cards-"
            printed = [file for file in scenarios if file.path.startswith(begins)]
            on = _one_of([file.paper for file in printed if file.paper], paper)
            if printed:
                files = tuple(file.path for file in printed if file.paper == on)
                yield PrintAgain(scenario.title, files)


def changed_cutouts(
    cutouts: Iterable[CutoutImpact], changes: DescribedChanges
) -> list[CutoutImpact]:
    """The cutouts to print again; where all changes are editorial the old ones serve."""
    changed = [
        (revision, one.id) for revision, one in changes.things() if one.thing.name == "cutout"
    ]
    other = {id_ for revision, id_ in changed if not revision or CLASSES[revision.class_].marked}
    serving = {id_ for _, id_ in changed} - other
    return [cutout for cutout in cutouts if cutout.state in _OTHER and cutout.id not in serving]


def changed_cards(old: object, new: DeckView) -> list[CardView]:
    """The cards of a deck that say something else now.

    `old` is the view of that deck in the edition before, if there was one. With another back or
    size all cards do; none does for its rule or its number of copies.
    """
    if not isinstance(old, DeckView) or (old.backs, old.sizes) != (new.backs, new.sizes):
        return list(new.cards)
    known = {card.id: replace(card, rule="", copies=1) for card in old.cards}
    return [card for card in new.cards if known.get(card.id) != replace(card, rule="", copies=1)]


def is_marked(view: object) -> bool:
    """Whether a part of a sheet has a mark in it."""
    if isinstance(view, tuple):
        return any(map(is_marked, view))
    if not is_view(view):
        return False
    fields = fields_of(view)
    if any(fields.get(name) for name in ("marks", "marked", "new", "gone")):
        return True
    return fields.get("was") is not None or any(map(is_marked, fields.values()))


def _one_of(papers: Sequence[str], paper: str) -> str:
    """The paper, if something is printed on it, else the first on which it is."""
    return paper if paper in papers else next(iter(papers), "")


def _file(document: ComposedDocument, paper: str) -> str:
    """The file of a document on a paper, in full ink if there is one, or on another."""
    files = [file for file in document.files if file.format == "pdf" and file.paper]
    return min(files, key=lambda file: (file.paper != paper, file.ink != "full")).path
