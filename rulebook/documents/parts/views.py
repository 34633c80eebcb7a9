"""The parts of which view models are made: plain, frozen, without HTML.

Text named `markdown` is Markdown with its bindings already replaced; all other text prints as it
stands.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal

from rulebook.documents.parts.column_widths import ColumnNeed
from rulebook.revisions.marked import TableMarks


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
    """The sheets of a cutout: a page and an SVG of its size for each, or why there are none."""

    title: str
    language: str
    sheets: tuple[dict[str, Any], ...]
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class DrawingView:
    """An SVG, and the typefaces that a browser finds in it."""

    svg: str
    fonts: tuple[str, ...] = ()


def as_view(value: Any) -> dict[str, Any]:
    """A view model as plain JSON data."""
    plain: dict[str, Any] = _plain(value)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, str):  # most of a view
        return value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    names = _names(value.__class__)
    return value if names is None else {name: _plain(getattr(value, name)) for name in names}


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass; None for any other type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
