"""All changes of an edition, told -> the slip for those who keep the edition before.

A slip is cut out and laid into the book: each rule change, correction and clarification in a
sentence, with its rule and its page in the old booklet. The pages are those on which it was
printed then, as recorded when the edition was released.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rulebook.documents.changes.compose import ELSEWHERE, is_printed, stands_for
from rulebook.documents.marks import change_words
from rulebook.documents.parts.views import Identity
from rulebook.loading.print_records import PrintedBooklet
from rulebook.model.prose import rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import EN_DASH
from rulebook.revisions.text_marks import SinceView

#: So many headings that follow one another are told as one place: § 7–7.8.
RUN = 3
#: Layouts of the booklet -> the papers by which their owners call them.
PAPERS = {"a5": "A5", "large": "A4"}
#: Values before and after are told instead of a reason where there are no more of them.
MOST_VALUES = 3
#: Things of which the record of a booklet has pages of their own, by what it calls them.
_RECORDED = {
    "table": "tables",
    "modifiers": "tables",
    "cutout": "cutouts",
    "example": "examples",
    "procedure": "procedures",
}
#: Sentences that are new are told beside the reason where they have no more words.
MOST_WORDS = 30
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A rule of the old booklet: its number, heading, and pages; what is new stands `behind` it.

    There is a page for each of the papers of the slip, as it is printed. Of several rules that
    follow one another the numbers and pages are those from the first to the last: 7–7.8, 16–20.
    """

    rule: str
    heading: str
    behind: bool
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ErratumView:
    """A change in short: `cells` are what was printed and what it is now.

    `words` are the sentences of the rules that are new, where they are few.
    """

    title: str
    class_: str
    why: str
    places: tuple[PlaceView, ...]
    cells: tuple[tuple[str, str, str], ...]
    words: str


@dataclass(frozen=True, slots=True)
class ErrataView:
    """The slip; `papers` are those of the old booklets, none if their pages are not known."""

    identity: Identity
    since: SinceView
    papers: tuple[str, ...]
    items: tuple[ErratumView, ...]


def compose_errata(
    told: change_words.DescribedChanges,
    old: Ruleset,
    new: Ruleset,
    identity: Identity,
    booklets: Mapping[str, PrintedBooklet],
) -> ErrataView | None:
    """The view of the slip; None where nothing in the old print is to be corrected.

    The changes stand in the order of the old booklet; `booklets` are those that were printed of it,
    by their layouts.
    """
    printed = {paper: booklets[layout] for layout, paper in PAPERS.items() if layout in booklets}
    order = list(rule_numbers(old.chapters))
    items = [
        ErratumView(
            title=one.title,
            class_=change_words.class_name(one.class_, 1),
            why=one.why,
            places=tuple(_places(one, old, new, tuple(printed.values()))),
            cells=tuple(_values(one)),
            words=_new_words(one),
        )
        for one in told.revisions
        if one.class_ != "editorial"
    ]
    if not items:
        return None

    def place(item: ErratumView) -> int:
        first = item.places[0].heading if item.places else None
        return order.index(first) if first in order else len(order)

    since = SinceView(told.new.edition, told.old.edition)
    return ErrataView(identity, since, tuple(printed), tuple(sorted(items, key=place)))


def _places(
    revision: change_words.DescribedRevision,
    old: Ruleset,
    new: Ruleset,
    printed: Sequence[PrintedBooklet],
) -> Iterator[PlaceView]:
    """Where in the old booklet the changed rules stand, or behind which rule new ones belong."""
    numbers = rule_numbers(old.chapters)
    stood = [
        (thing.thing in ELSEWHERE, thing.stood.heading)
        for thing in revision.things
        if thing.stood is not None and thing.stood.heading in numbers
    ]
    # Where a rule changed its examples follow; where none did they are what is to be corrected.
    rules = [heading for elsewhere, heading in stood if not elsewhere]
    found = dict.fromkeys(rules or [heading for _, heading in stood], False)
    if not found:
        for thing in revision.things:
            heading = _before(thing.standing, new, numbers)
            if heading:
                found[heading] = True
                break
    order = list(numbers)
    for _, run in groupby(
        enumerate(sorted(found, key=order.index)), key=lambda one: order.index(one[1]) - one[0]
    ):
        headings = [heading for _, heading in run]
        places = [[heading] for heading in headings] if len(headings) < RUN else [headings]
        for place in places:
            ends = [tuple(_pages(revision, place[at], printed)) for at in (0, -1)]
            pages = tuple(_from_to(first, last) for first, last in zip(*ends, strict=True))
            rule = _from_to(numbers[place[0]], numbers[place[-1]])
            yield PlaceView(rule, place[0], found[place[0]], pages)


def _from_to(first: object, last: object) -> str:
    return str(first) if first == last else f"{first}{EN_DASH}{last}"


def _pages(
    revision: change_words.DescribedRevision, heading: str, printed: Sequence[PrintedBooklet]
) -> Iterator[int]:
    """The pages of what changed under a heading, one for each booklet."""
    things = [one for one in revision.things if one.stood and one.stood.heading == heading]
    told = [one for one in things if one.thing not in ELSEWHERE] or things
    return (_page(booklet, heading, told) for booklet in printed)


def _page(booklet: PrintedBooklet, heading: str, things: Sequence[change_words.ThingChange]) -> int:
    """The page of what changed under a heading: of the heading itself, unless all has its own."""
    found: list[int | None] = [
        getattr(booklet, _RECORDED.get(one.thing, ""), {}).get(one.was or one.id) for one in things
    ]
    pages = [page for page in found if page is not None]
    return min(pages) if pages and len(pages) == len(found) else booklet.headings[heading]


def _before(standing: change_words.RulePlace, new: Ruleset, numbers: dict[str, str]) -> str:
    """The last heading of the old booklet that stands before a place in the new one."""
    last = ""
    for heading in rule_numbers(new.chapters):
        if heading in numbers:
            last = heading
        if heading == standing.heading:
            return last
    return ""


def _values(revision: change_words.DescribedRevision) -> Iterator[tuple[str, str, str]]:
    """What was printed and what it is now, where a few values are all that changed."""
    parts = [
        (thing, part)
        for thing in revision.things
        if thing.thing not in ELSEWHERE
        for part in thing.parts
        if is_printed(thing, part)
    ]
    if len(parts) <= MOST_VALUES and all(_is_cell(thing, part) for thing, part in parts):
        for thing, part in parts:
            yield f"{thing.title}: {part.where}", part.before, part.after


def _new_words(revision: change_words.DescribedRevision) -> str:
    """The sentences that the rules say now and did not say before; nothing where they are many."""
    found: list[str] = []
    for thing in revision.things:
        for part in thing.parts if thing.thing == "section" else ():
            if is_printed(thing, part) and not stands_for(part):
                before = _SENTENCE_END.split(part.before)
                found += [one for one in _SENTENCE_END.split(part.after) if one not in before]
    text = " ".join(filter(None, found))
    return text if len(text.split()) <= MOST_WORDS else ""


def _is_cell(thing: change_words.ThingChange, part: change_words.PartChange) -> bool:
    """Whether a difference is that of a cell which both editions have."""
    of_cell = len(part.path) > 5 and part.path[3] in ("data", "rows")
    both = part.kind == "changed" and part.before and part.after
    return bool(thing.thing in ("table", "modifiers") and of_cell and both)
