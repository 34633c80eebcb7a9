"""What the notes on changes tell, chapter by chapter."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.impact.views import Impact
from rulebook.documents.marks.change_words import ChangedTable, PartChange
from rulebook.documents.parts.views import Identity
from rulebook.documents.reprint.compose import PrintedAgain, ReprintView
from rulebook.revisions.text_marks import SinceView


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
    told: str
    svg: str


@dataclass(frozen=True, slots=True)
class RevisionView:
    """A change as its author tells it, and what it changes; `also` is what follows elsewhere."""

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
    """The whole of the notes on an edition."""

    identity: Identity
    since: SinceView
    before_date: str
    summary: str
    counts: tuple[tuple[str, int, str], ...]
    chapters: tuple[ChapterChanges, ...]
    impact: Impact
    reprint: ReprintView
    editorial: tuple[RevisionView, ...]
    small: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotesView:
    """The notes, and the pages that are to be printed again."""

    changes: ChangesView
    again: PrintedAgain
