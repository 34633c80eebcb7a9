"""All changes of an edition, in words -> what the notes on it print, chapter by chapter.

The words are those of `described`, the odds those of `impact.views`. This module chooses what a
player at the table needs: changed rules and what is printed of them, but not where the source has
them, nor that the sheet and the glossary repeat what a rule says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from rulebook.documents.changes.described import (
    DescribedChanges,
    DescribedRevision,
    PartChange,
    ThingChange,
    elided,
)
from rulebook.documents.changes.print_again import PrintAgain
from rulebook.documents.changes.rule_numbers import RuleNumbers, RulePlace
from rulebook.documents.changes.things import THINGS, KindOfThing
from rulebook.documents.impact.views import CutoutImpact, Impact
from rulebook.documents.parts.marks import SinceView
from rulebook.documents.parts.views import Identity
from rulebook.model.revisions import CLASSES
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import PaperName
from rulebook.revisions.classes import BLOCK
from rulebook.translation import gettext

#: The number and title of a chapter, and the changes in it.
ChapterChanges: TypeAlias = "tuple[str, str, tuple[DescribedRevision, ...]]"
#: Of a phase the panels are listed, of a deck the cards.
_BY_PARTS = ("phase", "cards")
#: Parts of things that are no rules: they print among the designer's notes, or nowhere.
_UNPRINTED = (
    *("source", "note", "status", "qrs", "booklet", "wide", "tab", "was", "rule"),
    *("annexes", "appendices", "chapters", "documents", "accent", "cover", "language"),
)
#: Parts of a procedure that are for the program: what they do to play, the odds tell.
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
    """The whole of the notes on an edition.

    `chapters` are their numbers and titles, each with its revisions; one without a number holds
    those that stand in none.

    `again` is what an owner of the old one must print again, with the files for the first of the
    `papers`; `errata` is the file of the slip for the old booklet, if there is one.
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
    """The view of the notes on the edition `new`."""
    printed = _NotesPrinter(changes.numbers, {cutout.id: cutout for cutout in impact.cutouts})
    editorial = [revision for revision in changes.revisions if not CLASSES[revision.class_].marked]
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
        editorial=tuple(
            printed.revision(one, number) for number, one in enumerate(editorial, start=first)
        ),
        small=tuple(dict.fromkeys(one.title for one in changes.editorial if any(_parts(one)))),
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
    """Chapters in the order of the booklet, then what stands in none, then what has no class."""
    numbers = changes.numbers
    place = {heading: at for at, heading in enumerate(numbers.new)}
    cited = {chapter.title: numbers.cite(RulePlace(heading=chapter.id)) for chapter in new.chapters}
    grave = [revision for revision in changes.revisions if CLASSES[revision.class_].marked]
    grave.sort(key=lambda one: place.get(one.standing.heading, len(place)))
    listed = [printed.revision(one, number) for number, one in enumerate(grave, start=1)]
    for title, number in cited.items():
        if found := tuple(one for one in listed if one.standing.chapter == title):
            yield number, title, found
    if rest := tuple(one for one in listed if one.standing.chapter not in cited):
        yield "", gettext("Title page, cards and sheet"), rest
    if changes.unclassed:
        things = tuple(printed.things(changes.unclassed))
        whole = DescribedRevision(gettext("All of these"), "", "", RulePlace(), things)
        yield "", gettext("Not classed yet"), (whole,)


@dataclass(frozen=True, slots=True)
class _NotesPrinter:
    """Chooses what prints of changes: the rules, and what is printed of them."""

    numbers: RuleNumbers
    cutouts: Mapping[str, CutoutImpact]

    def revision(self, revision: DescribedRevision, number: int) -> DescribedRevision:
        """What prints of a change, which is the one of this number among all."""
        places = ((one.stood, one.standing) for one in revision.things)
        stood = (stood for stood, standing in places if stood and standing == revision.standing)
        cited = self.numbers.cite(revision.standing, next(stood, None))
        things, also = tuple(self.things(revision.things, cited)), tuple(_also(revision.things))
        return replace(revision, number=number, cited=cited, things=things, also=also)

    def things(self, things: Iterable[ThingChange], cited: str = "") -> Iterator[ThingChange]:
        """What prints of the things of a revision; rules are cited that are not its own."""
        for one in things:
            cutout = self.cutouts.get(one.id) if one.thing.name == "cutout" else None
            drawn = cutout if cutout and cutout.svg else None
            parts = () if drawn else tuple(_parts(one))
            if not one.thing.elsewhere and (parts or one.tables or drawn):
                own = self.numbers.cite(one.standing, one.stood)
                own = own if own != cited else ""
                yield replace(one, parts=parts, cited=own, cutout=drawn)


def _parts(one: ThingChange) -> Iterator[PartChange]:
    """The differences in a thing that print in the rules and do not stand in one of its tables."""
    for part in one.parts:
        if not is_printed(one, part):
            continue
        if one.tables and part.of_table:
            continue
        if one.thing.name == "section" and not part.runs and stands_for(part):
            continue
        # Sentences of a procedure are known by their words: steps in print have other numbers.
        alone = part.where == "title" if one.thing.name == "section" else part.path[-1] == "say"
        where = "" if alone else part.where
        yield replace(part, where=where, runs=elided(part.runs, AROUND, spare=4, between=" "))


def is_printed(one: ThingChange, part: PartChange) -> bool:
    """Whether a difference in a thing is one of the rules as they print, and no note on them."""
    if set(_UNPRINTED) & set(part.path[1:]):
        return False
    if one.thing.name == "procedure" and _OF_PROGRAM & set(part.path[3:4] + part.path[-2:]):
        return False
    return one.thing.name != "section" or part.where in ("", "title")


def stands_for(part: PartChange) -> bool:
    """Whether a part of a section only says that a table or figure stands there."""
    return BLOCK.match(part.path[-1]) is not None


def _also(things: Iterable[ThingChange]) -> Iterator[str]:
    """What follows elsewhere, and where else the same is said."""
    listed = list(things)
    for one in listed:
        for follows in one.also:
            (change,) = follows.parts
            named = ", ".join(filter(None, (follows.title, change.where)))
            short = len(change.before) + len(change.after) < 60
            yield f"{named}: {change.before} → {change.after}" if short else named
    for kind in THINGS.values():
        titles = dict.fromkeys(title for one in listed for title in _titles(one, kind))
        if kind.elsewhere and titles:
            yield f"{gettext(kind.elsewhere)}: {', '.join(titles)}"


def _titles(one: ThingChange, thing: KindOfThing) -> Iterator[str]:
    """What a thing that tells the rule again is called: of the sheet the panels."""
    if one.thing != thing:
        return
    if thing.name in _BY_PARTS and one.kind not in ("added", "removed"):
        yield from (part.where.partition(", ")[0] for part in one.parts if part.where)
    else:
        yield one.title
