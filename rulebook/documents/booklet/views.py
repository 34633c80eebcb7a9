"""What stands in a booklet, chapter by chapter."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.parts.views import (
    BackCoverView,
    CoverView,
    ExampleView,
    Identity,
    SinceView,
    StepsView,
    TableView,
)
from rulebook.drawing.charts import ChartView
from rulebook.drawing.elements import Picture
from rulebook.revisions.likeness import GoneText


@dataclass(frozen=True, slots=True)
class TextPart:
    """A run of Markdown, and what it was in the edition before, if that is not the same."""

    markdown: str
    was: str | None = None
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table with its caption, which marks the designer's notes on the table by their numbers."""

    table: TableView
    caption: str
    notes: tuple[int, ...]
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class TablePairPart:
    """Two narrow tables side by side."""

    tables: tuple[TablePart, TablePart]
    kind: str = "pair"


@dataclass(frozen=True, slots=True)
class PicturePart:
    """A cutout drawn small, or a figure, with its caption and how it is used.

    For a figure, `notes` has the texts for the numbers in it, and `cutouts` the ids of those that
    it shows and that have no picture of their own.
    """

    id: str
    title: str
    picture: Picture
    use: str
    caption: str
    note: int | None
    marked: bool = False
    notes: tuple[str, ...] = ()
    cutouts: tuple[str, ...] = ()
    kind: str = "picture"


@dataclass(frozen=True, slots=True)
class PictureRowPart:
    """Cutouts side by side, up to `room` in a row; `use` is set if it is the same for all."""

    pictures: tuple[PicturePart, ...]
    room: int
    use: str
    kind: str = "pictures"


@dataclass(frozen=True, slots=True)
class ChartPart:
    """A chart under its caption."""

    chart: ChartView
    caption: str
    marked: bool = False
    kind: str = "chart"


@dataclass(frozen=True, slots=True)
class CodePart:
    """Lines that print as they are typed."""

    text: str
    marked: bool = False
    kind: str = "code"


@dataclass(frozen=True, slots=True)
class MarkPart:
    """The mark of a designer's note that has no paragraph before it to be added to."""

    note: int
    kind: str = "mark"


Part = (
    TextPart
    | TablePart
    | TablePairPart
    | PicturePart
    | PictureRowPart
    | ExampleView
    | StepsView
    | ChartPart
    | CodePart
    | MarkPart
)


@dataclass(frozen=True, slots=True)
class SectionView:
    """A numbered rule; `was` is its former title if that differs, `gone` has its removed texts."""

    id: str
    number: str
    level: int
    title: str
    parts: tuple[Part, ...]
    was: str | None = None
    gone: tuple[GoneText, ...] = ()


@dataclass(frozen=True, slots=True)
class ChapterView:
    """A chapter; all rules of an `optional` one are optional."""

    id: str
    number: str
    title: str
    annex: bool
    optional: bool
    sections: tuple[SectionView, ...]


@dataclass(frozen=True, slots=True)
class NoteView:
    """A designer's note: what the source does not plainly state, and the reason for the rule."""

    number: int
    status: str
    title: str
    markdown: str
    source: str
    rule: str
    rule_id: str


@dataclass(frozen=True, slots=True)
class AgreedView:
    """A line to tick, with its rule; `effects` say what an option does to the odds."""

    markdown: str
    rule: str
    rule_id: str
    effects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgreementsView:
    """What players settle before a game: options, how this book plays, and what is to be filled in.

    None of these come from the source.
    """

    options: tuple[AgreedView, ...] = ()
    played: tuple[AgreedView, ...] = ()
    missing: tuple[AgreedView, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.options or self.played or self.missing)


NOTHING_TO_AGREE = AgreementsView()


@dataclass(frozen=True, slots=True)
class TermView:
    """A word of the glossary and of the index."""

    id: str
    title: str
    meaning: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BookletView:
    """The whole booklet; `layout` is None for the page that is read on a screen.

    `since` are the editions between which changes are marked, if there are two. Only what is
    printed has a `back`.
    """

    identity: Identity
    layout: str | None
    cover: CoverView
    summary: str
    scale: tuple[tuple[str, str], ...]
    credits: tuple[tuple[str, str], ...]
    chapters: tuple[ChapterView, ...]
    notes: tuple[NoteView, ...]
    statuses: tuple[tuple[str, str], ...]
    terms: tuple[TermView, ...]
    agreements: AgreementsView
    since: SinceView | None = None
    back: BackCoverView | None = None
