"""The parts of which view models are made: plain, frozen, without HTML.

Text named `markdown` is Markdown with its bindings already replaced; all other text prints as it
stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulebook.documents.parts.column_widths import ColumnNeed
from rulebook.drawing.elements import SheetView
from rulebook.revisions.text_marks import ExampleMarks, LineMarks, TableMarks


@dataclass(frozen=True, slots=True)
class HeadCell:
    """A label at the head of columns or rows, over so many of them."""

    text: str
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True)
class BodyCell:
    """A cell: its text, whether it is left empty for the players, and the number of its note."""

    text: str
    missing: bool = False
    note: int | None = None


@dataclass(frozen=True, slots=True)
class BodyRow:
    """Labels (Markdown; the stub) and cells of a row."""

    labels: tuple[HeadCell, ...]
    cells: tuple[BodyCell, ...]
    note: int | None = None


Align = Literal["left", "centre"]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it is printed: head rows, body rows, how each column of cells is set.

    `stub_heads` stand in the last head row above the label columns. `needs` tells what each column
    needs, labels first, and `weights` the characters that it has of the `room` on the page: its
    share of the width. Where the longest words need more than that (`least`), words are broken.
    `digits` are how many characters a column of odds is wide, so that its last digits stand below
    one another in the middle of the column; 0 where all are alike, or no odds. A `form` is there
    for its players to write in. `marks` tell what was otherwise in the edition before.
    """

    id: str
    kind: Literal["grid", "record", "modifiers"]
    title: str
    about: str
    rule: str
    head: tuple[tuple[HeadCell, ...], ...]
    stub_heads: tuple[str, ...]
    body: tuple[BodyRow, ...]
    aligns: tuple[Align, ...]
    notes: tuple[str, ...]
    note: int | None = None
    needs: tuple[ColumnNeed, ...] = ()
    weights: tuple[float, ...] = ()
    room: int = 0
    least: int = 0
    digits: tuple[int, ...] = ()
    form: bool = False
    marks: TableMarks | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """What every document says of the ruleset it belongs to.

    `asked` tells which options are in force (`optional`: some are) and how lengths are turned.
    `withdrawn` is why its edition is not to be used any more, in Markdown; empty of any other.
    """

    ruleset: str
    title: str
    subtitle: str
    edition: str
    date: str
    language: str
    accent: str
    asked: str = ""
    optional: bool = False
    withdrawn: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a document is not to be printed as it is asked for: it fails when it is rendered."""

    message: str
    expected: str
    hint: str


@dataclass(frozen=True, slots=True)
class CutoutView:
    """The sheets of a cutout, or why there are none."""

    title: str
    language: str
    sheets: tuple[SheetView, ...]
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class DrawingView:
    """An SVG, and the typefaces that a browser finds in it."""

    svg: str
    fonts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldView:
    """A procedure told as numbered steps (Markdown); `marks` tell what they were before."""

    id: str
    title: str
    steps: tuple[str, ...]
    marks: LineMarks | None = None


@dataclass(frozen=True, slots=True)
class PictureView:
    """A cutout drawn small, in full and in low ink; `marked` where it was otherwise."""

    id: str
    title: str
    full: str
    low: str
    marked: bool = False
    kind: str = "picture"


Lettering = Literal["plain", "label", "light", "dark"]


@dataclass(frozen=True, slots=True)
class SetWords:
    """Words in lines, and their size in hundredths of the width of the page."""

    lines: tuple[str, ...]
    size: float


@dataclass(frozen=True, slots=True)
class CoverView:
    """The first page: title and subtitle, and what they stand on.

    `picture` is an address that holds the picture itself, told by `alt`. Without one the lettering
    is plain and `ornament` the address of a cutout in lines, or empty for the faces of a die.
    """

    lettering: Lettering
    title: SetWords
    subtitle: SetWords
    picture: str
    alt: str
    ornament: str
    credit: str = ""


@dataclass(frozen=True, slots=True)
class ThrowView:
    """Dice that fell together: their sides and what each shows."""

    sides: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """A procedure played: options and inputs that are not as usual, its dice in order, its results.

    An input is its label, a colon and its value, unless one of them says it all.

    `dice` has all faces in words, for those who do not see them drawn.
    """

    inputs: tuple[str, ...]
    throws: tuple[ThrowView, ...]
    dice: str
    results: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ExampleStepView:
    """A step in words (Markdown), and what is thrown in it."""

    markdown: str
    run: RunView | None


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A worked example in words (Markdown); `note` is the number of the designer's note on it."""

    id: str
    title: str
    situation: str
    steps: tuple[ExampleStepView, ...]
    outcome: str
    note: int | None = None
    marks: ExampleMarks | None = None
    kind: str = "example"


@dataclass(frozen=True, slots=True)
class ShortExampleView:
    """An example on the sheet: its title and its runs; `marked` where these were otherwise."""

    id: str
    title: str
    runs: tuple[RunView, ...]
    marked: bool = False
