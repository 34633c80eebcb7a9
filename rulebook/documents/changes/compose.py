"""All changes of an edition, in words -> what the notes on it print, chapter by chapter.

The words are those of `described`, the odds those of `impact.views`. This module chooses what a
player at the table needs: changed rules and what is printed of them, but not where the source has
them, nor that the sheet and the glossary repeat what a rule says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulebook.documents.changes.changed_tables import ChangedTable
from rulebook.documents.changes.described import (
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RulePlace,
    ThingChange,
    elided,
)
from rulebook.documents.changes.print_again import PrintAgain
from rulebook.documents.changes.rule_numbers import RuleNumbers
from rulebook.documents.changes.things import THINGS, KindOfThing
from rulebook.documents.impact.views import CutoutImpact, Impact
from rulebook.documents.parts.marks import SinceView
from rulebook.documents.parts.views import Identity
from rulebook.model.revisions import CLASSES
from rulebook.model.ruleset import Ruleset
from rulebook.paper_and_ink import PaperName
from rulebook.revisions.classes import BLOCK
from rulebook.translation import gettext, gettext_noop

_STATES = {"added": gettext_noop("new"), "removed": gettext_noop("gone")}
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
class ThingView:
    """What changed in one thing: its kind and title, parts, tables before and after, a picture.

    `rule` is given where it is not that of the revision, `state` where all of it is new or gone.
    """

    kind: str
    title: str
    rule: str
    state: str
    parts: tuple[PartChange, ...]
    tables: tuple[ChangedTable, ...]
    text: str
    svg: str


@dataclass(frozen=True, slots=True)
class RevisionView:
    """A change as its author tells it, and what it changes; `also` is what follows elsewhere.

    `number` is its place among all changes; what has no class has none.
    """

    number: int
    id: str
    rule: str
    title: str
    class_: str
    why: str
    things: tuple[ThingView, ...]
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChapterChanges:
    """The changes of a chapter; one without a number holds those that stand in none."""

    number: str
    title: str
    revisions: tuple[RevisionView, ...]


@dataclass(frozen=True, slots=True)
class ChangesView:
    """The whole of the notes on an edition.

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
    editorial: tuple[RevisionView, ...]
    small: tuple[str, ...]


def compose_changes(
    changes: DescribedChanges,
    impact: Impact,
    new: Ruleset,
    identity: Identity,
    numbers: RuleNumbers,
    *,
    again: tuple[PrintAgain, ...] = (),
    papers: tuple[PaperName, ...] = (),
    errata: str = "",
) -> ChangesView:
    """The view of the notes on the edition `new`."""
    cutouts = {one.id: one for one in impact.cutouts}
    editorial = [one for one in changes.revisions if not CLASSES[one.class_].marked]
    return ChangesView(
        identity=identity,
        since=SinceView(changes.new.edition, changes.old.edition),
        before_date=changes.old.date,
        summary=changes.summary,
        counts=tuple(_counts(changes)),
        chapters=tuple(_chapters(changes, new, numbers, cutouts)),
        impact=replace(impact, cutouts=()),
        again=again,
        papers=papers,
        errata=errata,
        editorial=tuple(
            _revision(one, number, numbers, cutouts)
            for number, one in enumerate(
                editorial, start=len(changes.revisions) - len(editorial) + 1
            )
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
    changes: DescribedChanges,
    new: Ruleset,
    numbers: RuleNumbers,
    cutouts: Mapping[str, CutoutImpact],
) -> Iterator[ChapterChanges]:
    """Chapters in the order of the booklet, then what stands in none, then what has no class."""
    place = {heading: at for at, heading in enumerate(numbers.new)}
    cited = {one.title: numbers.cite(RulePlace(heading=one.id)) for one in new.chapters}
    grave = [one for one in changes.revisions if CLASSES[one.class_].marked]
    listed = sorted(grave, key=lambda one: place.get(one.standing.heading, len(place)))
    views = [
        (one.standing.chapter, _revision(one, number, numbers, cutouts))
        for number, one in enumerate(listed, start=1)
    ]
    for title, number in cited.items():
        found = tuple(view for chapter, view in views if chapter == title)
        if found:
            yield ChapterChanges(number, title, found)
    rest = tuple(view for chapter, view in views if chapter not in cited)
    if rest:
        yield ChapterChanges("", gettext("Title page, cards and sheet"), rest)
    if changes.unclassed:
        things = tuple(_things(changes.unclassed, "", numbers, cutouts))
        title, class_ = gettext("All of these"), gettext("not classed")
        view = RevisionView(0, "unclassed", "", title, class_, "", things, ())
        yield ChapterChanges("", gettext("Not classed yet"), (view,))


def _revision(
    revision: DescribedRevision,
    number: int,
    numbers: RuleNumbers,
    cutouts: Mapping[str, CutoutImpact],
) -> RevisionView:
    stood = (
        one.stood for one in revision.things if one.stood and one.standing == revision.standing
    )
    rule = numbers.cite(revision.standing, next(stood, None))
    return RevisionView(
        number=number,
        id=f"change-{number}",
        rule=rule,
        title=revision.title,
        class_=CLASSES[revision.class_].name(),
        why=revision.why,
        things=tuple(_things(revision.things, rule, numbers, cutouts)),
        also=tuple(_also(revision.things)),
    )


def _things(
    things: Iterable[ThingChange],
    rule: str,
    numbers: RuleNumbers,
    cutouts: Mapping[str, CutoutImpact],
) -> Iterator[ThingView]:
    """What prints of the things of a revision, whose own rule is `rule`."""
    for one in things:
        if one.thing.elsewhere:
            continue
        cutout = cutouts.get(one.id) if one.thing.name == "cutout" else None
        drawn = cutout is not None and bool(cutout.svg)
        own = numbers.cite(one.standing, one.stood)
        view = ThingView(
            kind=gettext(one.thing.noun) if one.thing.noun else "",
            title=one.title,
            rule=own if own != rule else "",
            state=gettext(_STATES[one.kind]) if one.kind in _STATES else "",
            parts=() if drawn else tuple(_parts(one)),
            tables=one.tables,
            text=cutout.text if cutout and drawn and cutout.state != "new" else "",
            svg=cutout.svg if cutout else "",
        )
        if view.parts or view.tables or view.svg or view.text:
            yield view


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
            change = follows.change
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
