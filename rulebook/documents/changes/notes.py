"""All changes of an edition, in words -> the notes on it, chapter by chapter, and their pages.

The words are those of `described`, the odds those of `impact`. This module chooses what a player at
the table needs: changed rules and what is printed of them, but not where the source has them, nor
that the sheet and the glossary repeat what a rule says; and what an owner of the old edition must
print again. Sheets are known by the marks of what changed on them, cards by what they said before,
cutouts by their outlines, scenarios by the cards of their units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TypeAlias

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.cards.pieces import CardView, DeckView
from rulebook.documents.changes.described import (
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RuleNumbers,
    RulePlace,
    ThingChange,
    elided,
)
from rulebook.documents.changes.things import THINGS
from rulebook.documents.document_kind import (
    NOTES_PRINT,
    NOTES_SCREEN,
    SCENARIOS,
    ComposedDocument,
    File,
    Rendered,
)
from rulebook.documents.impact.compose import CutoutImpact, Impact
from rulebook.documents.parts.views import Identity, SinceView
from rulebook.documents.qrs.compose import QrsView
from rulebook.frozen_view import fields_of, is_view
from rulebook.model.forces import units_of_side
from rulebook.model.header import ALL_TOGETHER
from rulebook.model.revisions import CLASSES
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import PaperName, paper_size
from rulebook.revisions.revised import BLOCK
from rulebook.translation import gettext
from rulebook.typeset.environment import document_styles, render_template, screen_styles
from rulebook.typeset.pdf import Layout, lay_out

#: The number and title of a chapter, and the changes in it.
ChapterChanges: TypeAlias = "tuple[str, str, tuple[DescribedRevision, ...]]"
#: Of a phase the panels are listed, of a deck the cards.
_BY_PARTS = ("phase", "cards")
#: Parts of things that are no rules: they print among the designer's notes, or nowhere.
_UNPRINTED = (
    *("source", "note", "status", "qrs", "booklet", "wide", "tab", "was", "rule"),
    *("annexes", "appendices", "chapters", "documents", "accent", "cover", "language"),
)
#: Parts of a procedure that are for the program; the odds show what they do in play.
_OF_PROGRAM = frozenset(
    (
        *("inputs", "requires", "result", "set", "given", "take", "plus", "when", "until", "id"),
        *("times", "choose", "again", "sum", "count"),
    )
)
#: Words of a text that did not change that stand before and behind those that did.
AROUND = 12


@dataclass(frozen=True, slots=True)
class ChangesView:
    """The notes on an edition.

    Each of `chapters` is a number, a title and the chapter's revisions; one without a number has
    the revisions that are in no chapter.

    `again` is what an owner of the old edition must print again, with the files for the first of
    the `papers`; `errata` is the file of the slip for the old booklet, if there is one.
    """

    identity: Identity
    since: SinceView
    before_date: str
    summary: str
    counts: tuple[tuple[str, int, str], ...]
    chapters: tuple[ChapterChanges, ...]
    impact: Impact
    again: tuple[PrintAgain, ...]
    papers: tuple[PaperName, ...]
    errata: str
    editorial: tuple[DescribedRevision, ...]
    small: tuple[str, ...]


def compose_changes(
    changes: DescribedChanges,
    impact: Impact,
    new: Ruleset,
    identity: Identity,
    *,
    again: tuple[PrintAgain, ...] = (),
    papers: tuple[PaperName, ...] = (),
    errata: str = "",
) -> ChangesView:
    """Composes the notes on what changed in the edition `new`.

    `impact` is what the changes do in play, `again` what must be printed again, `papers` those for
    which the notes are printed, and `errata` the path of the errata slip, if there is one.
    """
    printed = _NotesPrinter(changes.numbers, {cutout.id: cutout for cutout in impact.cutouts})
    editorial = [revision for revision in changes.revisions if not revision.marked]
    first = len(changes.revisions) - len(editorial) + 1
    return ChangesView(
        identity=identity,
        since=SinceView(changes.new.edition, changes.old.edition),
        before_date=changes.old.date,
        summary=changes.summary,
        counts=tuple(_counts(changes)),
        chapters=tuple(_chapters(changes, new, printed)),
        impact=replace(impact, cutouts=()),
        again=again,
        papers=papers,
        errata=errata,
        editorial=tuple(map(printed.revision, editorial, count(first))),
        small=tuple(
            dict.fromkeys(thing.title for thing in changes.editorial if any(_parts(thing)))
        ),
    )


def _counts(changes: DescribedChanges) -> Iterator[tuple[str, int, str]]:
    for class_, revisions in changes.by_class.items():
        if number := len(revisions):
            yield CLASSES[class_].name(number), number, CLASSES[class_].meaning
    if changes.unclassed:
        grave = gettext("its author has not said how grave it is")
        yield gettext("not classed yet"), len(changes.unclassed), grave


def _chapters(
    changes: DescribedChanges, new: Ruleset, printed: _NotesPrinter
) -> Iterator[ChapterChanges]:
    """Yields the number, title and marked changes of each chapter in the order of the booklet.

    Changes that belong to no chapter follow, and then those without a class. Chapters without
    changes are left out.
    """
    numbers = changes.numbers
    place = {heading: at for at, heading in enumerate(numbers.new)}
    cited = {chapter.title: numbers.cite(RulePlace(heading=chapter.id)) for chapter in new.chapters}
    grave = [revision for revision in changes.revisions if revision.marked]
    grave.sort(key=lambda revision: place.get(revision.standing.heading, len(place)))
    listed = list(map(printed.revision, grave, count(1)))
    for title, number in cited.items():
        if found := tuple(revision for revision in listed if revision.standing.chapter == title):
            yield number, title, found
    if rest := tuple(revision for revision in listed if revision.standing.chapter not in cited):
        yield "", gettext("Title page, cards and sheet"), rest
    if changes.unclassed:
        things = tuple(printed.things(changes.unclassed))
        whole = DescribedRevision(gettext("All of these"), "", "", RulePlace(), things)
        yield "", gettext("Not classed yet"), (whole,)


@dataclass(frozen=True, slots=True)
class _NotesPrinter:
    """Selects what the notes print of changes: the rules, and what is printed of them."""

    numbers: RuleNumbers
    cutouts: Mapping[str, CutoutImpact]

    def revision(self, revision: DescribedRevision, number: int) -> DescribedRevision:
        """Returns a revision reduced to what the notes print of it, with the number of its rule.

        `number` is the number of the revision among all.
        """
        places = ((thing.stood, thing.standing) for thing in revision.things)
        stood = (stood for stood, standing in places if stood and standing == revision.standing)
        cited = self.numbers.cite(revision.standing, next(stood, None))
        things, also = tuple(self.things(revision.things, cited)), tuple(_also(revision.things))
        return replace(revision, number=number, cited=cited, things=things, also=also)

    def things(self, things: Iterable[ThingChange], cited: str = "") -> Iterator[ThingChange]:
        """Yields the things of a revision that the notes print, with only what they print of them.

        Things that only repeat a rule are left out. `cited` is the number of the revision's rule; a
        thing of another rule has the number of that rule as its own `cited`.
        """
        for thing in things:
            cutout = self.cutouts.get(thing.id) if thing.thing.name == "cutout" else None
            drawn = cutout if cutout and cutout.svg else None
            parts = () if drawn else tuple(_parts(thing))
            if not thing.thing.elsewhere and (parts or thing.tables or drawn):
                own = self.numbers.cite(thing.standing, thing.stood)
                own = own if own != cited else ""
                yield replace(thing, parts=parts, cited=own, cutout=drawn)


def _parts(thing: ThingChange) -> Iterator[PartChange]:
    """Yields the differences in a thing that are printed in words, with unchanged text shortened.

    Differences that one of its tables shows are left out.
    """
    for part in thing.parts:
        if not is_printed(thing, part):
            continue
        if thing.tables and part.of_table:
            continue
        if thing.thing.name == "section" and not part.runs and stands_for(part):
            continue
        # Sentences of a procedure are known by their words: steps in print have other numbers.
        alone = part.where == "title" if thing.thing.name == "section" else part.path[-1] == "say"
        where = "" if alone else part.where
        yield replace(part, where=where, runs=elided(part.runs, AROUND, spare=4, between=" "))


def is_printed(thing: ThingChange, part: PartChange) -> bool:
    """Whether a difference in a thing is of what the rules print.

    Notes, sources and the like, and parts of a procedure that are only for the program, are not.
    """
    if set(_UNPRINTED) & set(part.path[1:]):
        return False
    if thing.thing.name == "procedure" and _OF_PROGRAM & set(part.path[3:4] + part.path[-2:]):
        return False
    return thing.thing.name != "section" or part.where in ("", "title")


def stands_for(part: PartChange) -> bool:
    """Whether a changed paragraph only places a table, a figure or the like."""
    return BLOCK.match(part.path[-1]) is not None


def _also(things: Iterable[ThingChange]) -> Iterator[str]:
    """Yields lines on other places that some changed things affect.

    First come texts that print a changed value, then the sheet, cards, glossary and the like, each
    with the titles of the things that changed there.
    """
    listed = list(things)
    for thing in listed:
        for follows in thing.also:
            (change,) = follows.parts
            named = ", ".join(filter(None, (follows.title, change.where)))
            short = len(change.before) + len(change.after) < 60
            yield f"{named}: {change.before} → {change.after}" if short else named
    for kind in THINGS.values():
        of_kind = [thing for thing in listed if thing.thing == kind]
        titles = dict.fromkeys(title for thing in of_kind for title in _titles(thing))
        if kind.elsewhere and titles:
            yield f"{gettext(kind.elsewhere)}: {', '.join(titles)}"


def _titles(thing: ThingChange) -> list[str]:
    """Returns the title of a thing.

    For a phase or a deck that is in both editions, returns the titles of its changed parts.
    """
    if thing.thing.name in _BY_PARTS and thing.kind not in ("added", "removed"):
        return [part.where.partition(", ")[0] for part in thing.parts if part.where]
    return [thing.title]


#: States of cutouts of which the old ones are of no more use.
_OTHER = ("outline", "face", "new")


@dataclass(frozen=True, slots=True)
class PrintAgain:
    """Something to print again: a document or a scenario with its files on one paper.

    For cards and cutouts `names` lists which.
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
    """Yields what an owner of the old edition must print again, with the files on a paper.

    `marked` are sheets and decks of the new edition with changes marked, `old` the decks of the
    edition before, `cutouts` those to print again, and `scenarios` the files of all scenarios. A
    sheet is yielded if it has marks, a deck if some of its cards changed, and a scenario if it uses
    a unit whose card changed. What is not printed on `paper` has its files on another paper.
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
        files = tuple(f"cutouts/{id_}-{on}.pdf" for id_ in ids)
        yield PrintAgain(gettext("Cutouts"), files, tuple(cutout.title for cutout in cutouts))
    for name, scenario in ruleset.scenarios.items():
        units = (units_of_side(ruleset, scenario, side) for side in scenario.sides.values())
        if any(changed & there.keys() for there in units):
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
    """Returns the cutouts to print again: new ones, and those with other outlines or faces.

    Cutouts with only editorial changes are left out.
    """
    changed = [
        (revision, thing.id) for revision, thing in changes.things() if thing.thing.name == "cutout"
    ]
    unlike = {id_ for revision, id_ in changed if not revision or revision.marked}
    serving = {id_ for _, id_ in changed} - unlike
    return [cutout for cutout in cutouts if cutout.state in _OTHER and cutout.id not in serving]


def changed_cards(old: object, new: DeckView) -> list[CardView]:
    """Returns the cards of a deck that must be printed again.

    These are the cards that differ, or all if the backs or sizes of the deck do. `old` is the view
    of that deck in the edition before, if there was one. Rule numbers and numbers of copies are not
    compared.
    """
    if not isinstance(old, DeckView) or (old.backs, old.sizes) != (new.backs, new.sizes):
        return list(new.cards)
    known = {card.id: replace(card, rule="", copies=1) for card in old.cards}
    return [card for card in new.cards if known.get(card.id) != replace(card, rule="", copies=1)]


def is_marked(view: object) -> bool:
    """Whether a view, or any view inside it, is marked as new or changed.

    A tuple of views is marked if one of them is, and anything that is no view is not.
    """
    if isinstance(view, tuple):
        return any(map(is_marked, view))
    if not is_view(view):
        return False
    fields = fields_of(view)
    if any(fields.get(name) for name in ("marks", "marked", "new", "gone")):
        return True
    return fields.get("was") is not None or any(map(is_marked, fields.values()))


def _one_of(papers: Sequence[str], paper: str) -> str:
    """Returns `paper` if it is one of `papers`, else the first of these, or "" if none."""
    return paper if paper in papers else next(iter(papers), "")


def _file(document: ComposedDocument, paper: str) -> str:
    """Returns the path of a PDF of a document, if possible on this paper and then in full ink."""
    files = [file for file in document.files if file.format == "pdf" and file.paper]
    return min(files, key=lambda file: (file.paper != paper, file.ink != "full")).path


_LAID_OUT_ON = "a4"
#: Points, the largest first.
TYPE_SIZES = (9.2, 9.0, 8.8, 8.6)
#: Of the last page so great a part is to be filled.
LEAST_FILLED = 0.35
#: The id of what stands last.
_END = "end"


def changes(
    view: ChangesView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """Renders the files of the notes on changes: PDFs on their papers, and an HTML page."""
    from rulebook.imposing.imposition import on_paper  # here, for it is slow to import

    notes: tuple[bytes, int] | None = None
    for file in files:
        if file.format == "html":
            css = screen_styles(NOTES_SCREEN, view.identity.accent, templates)
            page = render_template("notes-screen.html.j2", view, templates, css=css)
            yield Rendered(file.path, page.encode(), None)
            continue
        assert file.paper is not None
        if notes is None:
            layout = _laid_out(view, templates)
            notes = layout.pdf(print_hints=False), layout.pages
        made, pages = notes
        yield Rendered(file.path, on_paper(made, *paper_size(file.paper)), pages)


def _laid_out(view: ChangesView, templates: Path) -> Layout:
    """Lays out the notes in the largest type in which their last page is not nearly empty.

    If there is no such type, the last page is as full as possible.
    """
    html = render_template("notes.html.j2", view, templates)
    styles = document_styles(NOTES_PRINT, view.identity.accent, templates)
    width, height = paper_size(_LAID_OUT_ON)
    tried: list[tuple[float, Layout]] = []
    for size in TYPE_SIZES:
        page = f"@page{{size:{width}mm {height}mm}}body{{font-size:{size}pt}}"
        layout = lay_out(html, [*styles, page], templates=templates, name="notes on changes")
        tried.append((_end(layout) / height, layout))
        if tried[-1][0] > LEAST_FILLED:
            break
    return max(tried, key=lambda pair: pair[0])[1]


def _end(layout: Layout) -> float:
    """Returns how far down the last page the text ends, in mm; 0 if the end is on another page."""
    end = layout.boxes().get(_END)
    return end.bottom if end and end.page == layout.pages - 1 else 0.0
