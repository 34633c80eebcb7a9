"""What the notes on changes tell, chapter by chapter."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.marks.change_words import ChangedTable, Run
from rulebook.documents.parts.views import Identity
from rulebook.documents.reprint.views import PrintedAgain, ReprintView
from rulebook.revisions.text_marks import SinceView


@dataclass(frozen=True, slots=True)
class LineView:
    """One difference: `runs` for words, else what was there and what is, either may be empty."""

    where: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class ThingView:
    """What changed in one thing: its kind and title, lines, tables before and after, a picture.

    `rule` is given where it is not that of the revision, `state` where all of it is new or gone.
    """

    kind: str
    title: str
    rule: str
    state: str
    lines: tuple[LineView, ...]
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
class OddsRow:
    """What is asked, and its odds in both editions."""

    asked: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ProcedureView:
    """What becomes of a procedure in play; `heads` stand over the odds before and after."""

    title: str
    reached: str
    heads: tuple[str, str]
    rows: tuple[OddsRow, ...]
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionView:
    """What an option does in play that is new, or that changed."""

    title: str
    state: str
    play: tuple[ProcedureView, ...]
    same: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangesView:
    """The whole of the notes on an edition."""

    identity: Identity
    since: SinceView
    before_date: str
    working: bool
    summary: str
    counts: tuple[tuple[str, int, str], ...]
    chapters: tuple[ChapterChanges, ...]
    play: tuple[ProcedureView, ...]
    same: tuple[str, ...]
    options: tuple[OptionView, ...]
    reprint: ReprintView
    editorial: tuple[RevisionView, ...]
    small: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotesView:
    """The notes, and the pages that are to be printed again."""

    changes: ChangesView
    again: PrintedAgain
