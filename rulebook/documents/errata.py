"""All changes of an edition, in words -> the slip for those who keep the edition before.

A slip is cut out and laid into the book, several from a sheet: each rule change, correction and
clarification in a sentence, with the number of its rule in the old booklet, and in the new one
where it differs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import groupby
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.changes.described import (
    DescribedChanges,
    DescribedRevision,
    PartChange,
    RuleNumbers,
    RulePlace,
    cited,
)
from rulebook.documents.changes.notes import is_printed, stands_for
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.parts.pages import laid_out
from rulebook.documents.parts.views import Identity, SinceView
from rulebook.imposing.placing import Placement, PrintedSheet, SheetSide, exact, rect
from rulebook.paper_and_ink import paper_size
from rulebook.quantities import EN_DASH
from rulebook.revisions.changes import in_rows
from rulebook.translation import gettext
from rulebook.typeset.pdf import Layout

#: So many headings that follow one another stand as one place: § 7–7.8.
RUN = 3
#: Values before and after stand instead of a reason where there are no more of them.
MOST_VALUES = 3
#: Sentences that are new stand beside the reason where they have no more words.
MOST_WORDS = 30
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A rule of the old booklet by its number, or several that follow one another: 7–7.8.

    If `behind`, the text of the change is new, and belongs after this rule.
    """

    rule: str
    heading: str
    behind: bool


@dataclass(frozen=True, slots=True)
class ErratumView:
    """One change, in short.

    Each of `cells` is what changed, its old value and its new one. `words` are the new sentences of
    the rules, if they are few.
    """

    revision: DescribedRevision
    places: tuple[PlaceView, ...]
    cells: tuple[tuple[str, str, str], ...]
    words: str


@dataclass(frozen=True, slots=True)
class ErrataView:
    """The errata slip."""

    identity: Identity
    since: SinceView
    items: tuple[ErratumView, ...]


def compose_errata(changes: DescribedChanges, identity: Identity) -> ErrataView | None:
    """Composes the errata slip from the changes that are marked with change bars.

    The changes are in the order of the old booklet. Returns None if there are none.
    """
    numbers = changes.numbers
    order = {heading: at for at, heading in enumerate(numbers.old)}
    items = [
        ErratumView(
            replace(revision, things=()),
            tuple(_places(revision, numbers)),
            tuple(_values(revision)),
            _new_words(revision),
        )
        for revision in changes.revisions
        if revision.marked
    ]
    if not items:
        return None

    def place(item: ErratumView) -> int:
        return order.get(item.places[0].heading if item.places else "", len(order))

    since = SinceView(changes.new.edition, changes.old.edition)
    return ErrataView(identity, since, tuple(sorted(items, key=place)))


def _places(revision: DescribedRevision, numbers: RuleNumbers) -> Iterator[PlaceView]:
    """Yields the rules of the old booklet that a revision changes, by their numbers.

    Three or more consecutive rules make one range. Places where examples and the like are printed
    count only if no rule itself changed. If the revision changes nothing in the old booklet, yields
    the rule after which its new text belongs, if there is one.
    """
    stood = [
        (bool(thing.thing.elsewhere), thing.stood.heading)
        for thing in revision.things
        if thing.stood is not None and thing.stood.heading in numbers.old
    ]
    # Where a rule changed its examples follow; where none did they are what is to be corrected.
    rules = {heading for elsewhere, heading in stood if not elsewhere}
    found = rules or {heading for _, heading in stood}
    order = [(at, heading) for at, heading in enumerate(numbers.old) if heading in found]
    for _, run in groupby(enumerate(order), key=lambda pair: pair[1][0] - pair[0]):
        headings = [heading for _, (_, heading) in run]
        for ends in [headings] if len(headings) >= RUN else [[heading] for heading in headings]:
            was = _from_to(*(numbers.old[ends[at]] for at in (0, -1)))
            now = _from_to(*(numbers.now(ends[at]) for at in (0, -1)))
            yield PlaceView(cited(was, now), ends[0], behind=False)
    if not found:
        behind = (_before(thing.standing, numbers) for thing in revision.things)
        if heading := next(filter(None, behind), None):
            yield PlaceView(cited(numbers.old[heading], numbers.now(heading)), heading, behind=True)


def _from_to(first: str, last: str) -> str:
    """Returns the range between two rule numbers, such as 7–7.8, or one number if they are equal.

    Returns an empty text if either is empty because its heading no longer exists.
    """
    if not (first and last):
        return ""
    return first if first == last else f"{first}{EN_DASH}{last}"


def _before(standing: RulePlace, numbers: RuleNumbers) -> str:
    """Returns the id of the old heading that comes last before a place in the new booklet.

    This may be the old heading of that place itself. Returns "" if there is none.
    """
    last = ""
    for heading in numbers.new:
        last = numbers.former[heading] if numbers.former[heading] in numbers.old else last
        if heading == standing.heading:
            return last
    return ""


def _values(revision: DescribedRevision) -> Iterator[tuple[str, str, str]]:
    """Yields each cell that a revision changed, with its old and its new value.

    Yields nothing if more than MOST_VALUES parts changed, or if any of them is not a cell.
    """
    parts = [
        (thing, part)
        for thing in revision.things
        if not thing.thing.elsewhere
        for part in thing.parts
        if is_printed(thing, part)
    ]
    if len(parts) <= MOST_VALUES and all(_is_cell(part) for _, part in parts):
        for thing, part in parts:
            yield f"{thing.title}: {part.where}", part.before, part.after


def _new_words(revision: DescribedRevision) -> str:
    """Returns the new sentences in sections that a revision changed, joined by spaces.

    Returns "" if they have more than MOST_WORDS words.
    """
    found: list[str] = []
    for thing in revision.things:
        for part in thing.parts if thing.thing.name == "section" else ():
            if is_printed(thing, part) and not stands_for(part):
                before, after = map(_SENTENCE_END.split, (part.before, part.after))
                found += [sentence for sentence in after if sentence not in before]
    text = " ".join(filter(None, found))
    return text if len(text.split()) <= MOST_WORDS else ""


def _is_cell(part: PartChange) -> bool:
    """Whether a change is of the value of a table cell that both editions have."""
    both = part.kind == "changed" and part.before and part.after
    return bool(both) and len(in_rows(part.path)) > 1


#: A slip, mm: two stand on a sheet of either paper, and one lies in an A5 booklet folded once.
WIDTH, HEIGHT = 200, 136
#: One with few changes, of which four stand on a sheet.
LOW = 62
#: Points, in quarters, the smallest first: 8 to 12.
TYPE_SIZES = tuple(size / 4 for size in range(32, 49))


def errata(
    view: ErrataView, files: Sequence[File], templates: Path, _: Cache = NOTHING_KEPT
) -> Iterator[Rendered]:
    """Renders the PDFs of the errata slip, with as many slips as fit on each sheet of paper."""
    from rulebook.imposing.imposition import impose  # here, for it is slow to import

    slips, height = _laid_out(view, templates)
    data = slips.pdf(print_hints=False)
    title = gettext(
        "%(title)s – errata for edition %(edition)s",
        title=view.identity.title,
        edition=view.since.before,
    )
    for file in files:
        sheets = list(_sheets(slips.pages, height, file.paper or "a4"))
        made = impose(data, sheets, title=title, language=view.identity.language)
        yield Rendered(file.path, made, len(sheets))


def _laid_out(view: ErrataView, templates: Path) -> tuple[Layout, int]:
    """Lays out the errata on as few slips as possible, in the largest type that still fits on them.

    Returns the laid-out slips and the height of a slip in mm: LOW if one such slip is enough, or
    else HEIGHT.
    """

    @cache
    def slips(height: int, size: float, breaks: str = "auto") -> Layout:
        page = f"@page{{size:{WIDTH}mm {height}mm}}body{{font-size:{size}pt}}"
        whole = f".item{{break-inside:{breaks}}}"
        return laid_out("errata", view, templates, page + whole, "errata slip")

    height = LOW if slips(LOW, TYPE_SIZES[0]).pages == 1 else HEIGHT
    # What stands on two slips, which are cut apart, is whole on one of them.
    breaks = "auto" if slips(height, TYPE_SIZES[0]).pages == 1 else "avoid"
    least = slips(height, TYPE_SIZES[0], breaks).pages
    fitting = bisect_right(TYPE_SIZES, least, key=lambda size: slips(height, size, breaks).pages)
    return slips(height, TYPE_SIZES[fitting - 1], breaks), height


def _sheets(count: int, high: int, paper: str) -> Iterator[PrintedSheet]:
    """Yields sheets of a paper with as many slips on each as fit, and with crop marks.

    `count` is the number of slips, and `high` the height of a slip in mm. If there is only one
    slip, it is repeated until its sheet is full.
    """
    from rulebook.imposing.imposition import crop_marks

    width, height = map(exact, paper_size(paper))
    there = int(height // high)
    slips = [0] * there if count == 1 else list(range(count))
    left, room = (width - WIDTH) / 2, (height - there * high) / Fraction(there + 1)
    for first in range(0, len(slips), there):
        placed = []
        for place, page in enumerate(slips[first : first + there]):
            bottom = height - (place + 1) * (high + room)
            trim = rect(left, bottom, WIDTH, high)
            placed.append(Placement(page, trim, trim))
        marks = crop_marks(placed, rect(0, 0, width, height))
        yield PrintedSheet(width, height, SheetSide(tuple(placed), marks))
