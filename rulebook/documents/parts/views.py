"""The parts of view models: plain, frozen, without HTML; and how wide the columns of tables are.

What a part was in the edition before stands beside it: None where nothing changed, and empty where
there was nothing. On paper it only becomes a bar in the margin; on a screen the old words can be
shown, struck out. Editorial changes leave no mark: they are made in the old words as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal
from unicodedata import normalize

from rulebook.drawing.elements import Picture
from rulebook.problems import Problem
from rulebook.quantities import MM_PER_INCH
from rulebook.revisions.likeness import LineMarks

#: Characters that the gap between two columns takes: 0.6 of the size of type, and a little. At the
#: left of the first there is but half of it.
_OUTER, _PADDING = 0.8, 1.5
#: The part of the size of type that is a character: the mean of a line of words and spaces.
_CHARACTER = 0.42
#: Words are estimated somewhat wider than they are: if they ask for so many times the room they may
#: still stand in it, so none is cut down.
_GENEROUS = 1.04
#: Semibold letters are wider by so much.
_HEAVIER = 1.05
#: Letters by their widths, in parts of the size of type: IBM Plex Sans Condensed, rounded up.
_LETTERS = {
    0.24: "ijl.,'’‘′ ",
    0.3: "f|[]():;!·",
    0.33: "tr",
    0.38: 'I-/″"',
    0.46: "csvxyzJL?“”*",
    0.5: "aegko",
    0.52: "bdhnpquFTZ",
    0.54: "0123456789−+×=–§",
    0.56: "CEPSVXY",
    0.59: "ABKR",
    0.64: "DGHNOQU&#",
    0.73: "wM¼¾…",
    0.82: "mW%@½⅓⅔⅛⅜⅝⅞—",
}
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """The texts of a column, line by line: its heads and its cells, as plain text.

    Heads are semibold, and so are cells if they are `heavy`; cells are `times` as large as usual.
    """

    heads: tuple[str, ...]
    cells: tuple[str, ...]
    heavy: bool = False
    times: float = 1.0


@dataclass(frozen=True, slots=True)
class OverHead:
    """A head over several columns: the index of the first, how many, its text."""

    first: int
    across: int
    text: str


@dataclass(frozen=True, slots=True)
class ColumnNeed:
    """The width in characters, gap included, that a column needs at least, and that it asks for.

    It needs enough for its longest word.
    """

    least: float
    wanted: float


def needs(columns: Sequence[ColumnTexts], over: Iterable[OverHead] = ()) -> tuple[ColumnNeed, ...]:
    """Returns the width that each column needs at least, and the width that it asks for.

    A column needs room for its longest word, and asks for its longest cell or half of its longest
    head, since heads may take two lines. If the longest word of a head over several columns is
    wider than these need, they are widened equally.
    """
    gaps = [_OUTER if index == 0 else _PADDING for index in range(len(columns))]
    least = [_longest_word(column) + gap for column, gap in zip(columns, gaps, strict=True)]
    for head in over:
        below = range(head.first, head.first + head.across)
        lacking = _longest_word(ColumnTexts((head.text,), ())) + _PADDING - _sum(least, below)
        for index in below:
            least[index] += max(0.0, lacking) / head.across
    return tuple(
        ColumnNeed(round(low, 3), round(max(low, _asked_for(column) + gap), 3))
        for low, column, gap in zip(least, columns, gaps, strict=True)
    )


def _sum(widths: Sequence[float], indices: Iterable[int]) -> float:
    return sum(widths[index] for index in indices)


def least_room(columns: Sequence[ColumnNeed]) -> int:
    """Returns the width in characters that all columns need together so that no word is broken."""
    return ceil(sum(column.least for column in columns))


def is_too_wide(columns: Sequence[ColumnNeed], room: float) -> bool:
    """Whether columns have too little room for their longest words."""
    return sum(column.least for column in columns) > room * _GENEROUS


def share(columns: Sequence[ColumnNeed], room: float) -> tuple[float, ...]:
    """Returns the widths of columns that share `room` characters.

    Each gets what it needs at least, and the rest is divided in proportion to what they ask for
    beyond that. If the room is too small, the widest columns are narrowed.
    """
    least = [column.least for column in columns]
    if is_too_wide(columns, room):
        return _cut_down(least, room)
    asked = sum(column.wanted for column in columns) - sum(least)
    part = max(0.0, min(1.0, (room - sum(least)) / asked)) if asked else 0.0
    widths = (column.least + (column.wanted - column.least) * part for column in columns)
    return tuple(round(width, 1) for width in widths)


def room_of(width: float, type_size: float) -> float:
    """Returns about how many characters fit in a width in mm, in type of `type_size` points."""
    return width * 72 / MM_PER_INCH / (type_size * _CHARACTER)


def _longest_word(column: ColumnTexts) -> float:
    heads = (_HEAVIER * _width(word) for word in _words(column.heads))
    heavier = (_HEAVIER if column.heavy else 1.0) * column.times
    cells = (heavier * _width(word) for word in _words(column.cells))
    return max(1.0, *heads, *cells, 0.0)


def _words(texts: Iterable[str]) -> Iterable[str]:
    """Splits texts at white space into words; a no-break space is part of a word."""
    return (word for text in texts for word in re.split(r"[ \t\n]+", text) if word)


def _asked_for(column: ColumnTexts) -> float:
    heads = (_HEAVIER * _width(text) / 2 + 1 for text in column.heads)
    heavier = (_HEAVIER if column.heavy else 1.0) * column.times
    return max(1.0, *heads, *(heavier * _width(cell) for cell in column.cells), 0.0)


def _cut_down(least: Sequence[float], room: float) -> tuple[float, ...]:
    """Returns widths of columns of which all that are too wide have the same width.

    Narrower columns keep their `least` width. The widths add up to `room`, unless a column would be
    narrower than a gap and a letter.
    """
    left, waiting = room, sorted(least)
    while waiting and waiting[0] * len(waiting) <= left:
        left -= waiting.pop(0)
    level = max(_PADDING + 1, left / len(waiting)) if waiting else max(least)
    return tuple(round(min(width, level), 1) for width in least)


def _width(text: str) -> float:
    """Returns the width of a text, estimated letter by letter, in characters of average width."""
    return sum(map(_part_of_size, text)) / _CHARACTER


def _part_of_size(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    plain = normalize("NFD", letter)[0]
    return _WIDTHS.get(plain, 0.64 if ord(letter) < 0x2300 else 1.0)


@dataclass(frozen=True, slots=True)
class HeadCell:
    """A label at the head of columns or rows, spanning `across` columns and `down` rows."""

    text: str
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True)
class BodyCell:
    """A cell: its text, whether it is left empty for the players, and the number of its note.

    If it is `ours`, the source does not state the value: it is an interpretation, or a house rule.
    If it has changed, `was` is its text in the edition before.
    """

    text: str
    missing: bool = False
    note: int | None = None
    ours: bool = False
    was: str | None = None


@dataclass(frozen=True, slots=True)
class BodyRow:
    """Labels (Markdown) and cells of a row.

    A `new` row was not in the edition before; otherwise `was` is the former last label, if that
    changed.
    """

    labels: tuple[HeadCell, ...]
    cells: tuple[BodyCell, ...]
    note: int | None = None
    ours: bool = False
    new: bool = False
    was: str | None = None

    @property
    def changed(self) -> bool:
        cells = any(cell.was is not None for cell in self.cells)
        return self.new or self.was is not None or cells


@dataclass(frozen=True, slots=True)
class GoneRow:
    """A row that was removed, with its label and cells; it preceded the row with the index `at`."""

    at: int
    label: str
    cells: tuple[str, ...]


Align = Literal["left", "centre"]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it is printed: head rows, body rows, how each column of cells is aligned.

    `stub_heads` are in the last head row above the label columns. `needs` is what each column
    needs, labels first, and `weights` the characters that it has of the `room` on the page: its
    share of the width. If the longest words need more than that (`least`), words are broken.
    `digits` are how many characters a column of odds is wide, so that its last digits are aligned
    in the middle of the column; 0 if all are equally wide, or no odds. Players fill in a `form`. A
    `core` table is large on the sheet. What is `ours` is not stated by the source. A `new` table
    was not in the edition before; otherwise `gone` are removed rows and `gone_columns` heads of
    removed columns. Tables `below` have further columns of a table that is too wide.
    """

    id: str
    kind: Literal["grid", "record", "modifiers"]
    title: str
    about: str
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
    core: bool = False
    ours: bool = False
    new: bool = False
    about_was: str | None = None
    gone: tuple[GoneRow, ...] = ()
    gone_columns: tuple[str, ...] = ()
    below: tuple[TableView, ...] = ()


#: The page with all rules.
TO_READ = "booklet.html"


@dataclass(frozen=True, slots=True)
class Identity:
    """What every document states of the ruleset it belongs to.

    `edition_given` is false for a sheet whose author gave none: it need not say which it is.
    `asked` says which options are in force (`optional`: some are) and how lengths are converted.
    `withdrawn` is why its edition should no longer be used, in Markdown; empty for any other.
    `colours` are those of the phases, used in turn, if the author gives any, and `to_read` is the
    name of the page with all rules, if there is one.
    """

    ruleset: str
    title: str
    subtitle: str
    edition: str
    date: str
    language: str
    accent: str
    edition_given: bool = True
    asked: str = ""
    optional: bool = False
    withdrawn: str = ""
    colours: tuple[str, ...] = ()
    to_read: str = ""


@dataclass(frozen=True, slots=True)
class SinceView:
    """The edition whose changes are marked, and the one before it.

    For a variant, `base` is the ruleset that it is based on, and `edition` is the sign ≠. With
    other `lengths` every length differs, and what differs in nothing else has no bar.
    """

    edition: str
    before: str
    base: str = ""
    lengths: bool = False


@dataclass(frozen=True, slots=True)
class CutoutView:
    """The sheets of a cutout, or why there are none (R606)."""

    title: str
    language: str
    sheets: tuple[Picture, ...]
    refusal: Problem | None = None


@dataclass(frozen=True, slots=True)
class DrawingView:
    """An SVG drawing, and the fonts to embed in it."""

    svg: str
    fonts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepsView:
    """A procedure as numbered steps (Markdown); `marks` have what they were before.

    `begins` is the number of the first step, `note` that of the designer's note on the procedure.
    """

    id: str
    title: str
    steps: tuple[str, ...]
    marks: LineMarks | None = None
    begins: int = 1
    note: int | None = None
    kind: str = "steps"


@dataclass(frozen=True, slots=True)
class PictureView:
    """A cutout drawn small, in full and in low ink; `marked` if it differs from before."""

    id: str
    title: str
    full: str
    low: str
    marked: bool = False
    kind: str = "picture"


Lettering = Literal["plain", "label", "light", "dark"]


@dataclass(frozen=True, slots=True)
class SetWords:
    """Text in lines, and its type size in hundredths of the page width."""

    lines: tuple[str, ...]
    size: float


@dataclass(frozen=True, slots=True)
class CoverView:
    """The first page: title and subtitle, and what is behind them.

    `picture` is a data URL, and `alt` describes the picture. Without a picture the lettering is
    plain and `ornament` is the URL of a line drawing of a cutout, or empty for the faces of a die.
    """

    lettering: Lettering
    title: SetWords
    subtitle: SetWords
    picture: str
    alt: str
    ornament: str
    credit: str = ""


@dataclass(frozen=True, slots=True)
class FormsView:
    """What is asked for on the pages of a folded book that players write on.

    `boxes` are the titles of what is ticked off units, `battles` those of the scenarios, `sides`
    those of their sides if all have the same, and `options` the rules to agree on.
    """

    boxes: tuple[str, ...] = ()
    battles: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BackCoverView:
    """The last page: what the book is about, in Markdown as are its `facts`, by their names.

    `needs` are names of symbols and what they show, `turn` the titles of the phases. What is not
    known is empty. `fit` is the type size as a part of the largest, smaller if there is much text.
    """

    title: str
    blurb: str
    facts: tuple[tuple[str, str], ...]
    needs: tuple[tuple[str, str], ...]
    turn: tuple[str, ...]
    licence: str
    fit: float = 1.0
    forms: FormsView = FormsView()


@dataclass(frozen=True, slots=True)
class ThrowView:
    """Dice that were thrown together: how many sides they have, and the face of each."""

    sides: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """A played procedure: unusual options and inputs, its dice in order, its results.

    An input is its label, a colon and its value, unless one of them says it all.

    `dice` has all faces as text, for those who do not see them drawn.
    """

    inputs: tuple[str, ...]
    throws: tuple[ThrowView, ...]
    dice: str
    results: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ExampleStepView:
    """A step as text (Markdown), and what is thrown in it; `was` is its former text, or None."""

    markdown: str
    run: RunView | None
    was: str | None = None


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A worked example as text (Markdown); `note` is the number of the designer's note on it.

    It is `marked` if it is new, or if its text or runs have changed; a new one has no former texts.
    """

    id: str
    title: str
    situation: str
    steps: tuple[ExampleStepView, ...]
    outcome: str
    note: int | None = None
    marked: bool = False
    situation_was: str | None = None
    outcome_was: str | None = None
    kind: str = "example"


@dataclass(frozen=True, slots=True)
class ShortExampleView:
    """An example on the sheet: its title and its runs; `marked` if these have changed."""

    id: str
    title: str
    runs: tuple[RunView, ...]
    marked: bool = False
