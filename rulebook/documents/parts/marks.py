"""What has changed since the edition before, for templates: in a table, an example, a document.

These marks go with what is printed now. On paper they only become a bar in the margin; on a screen
the words of the edition before can be shown, struck out. Editorial changes leave no mark: the words
of the edition before are taken with all editorial changes already made.

A text of the edition before is None where nothing changed, and empty where there was none.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SinceView:
    """The edition whose changes are marked, and the one before it.

    Of a variant `base` is the ruleset that it is based on, from which it differs, and the edition
    is a sign. With other `lengths` every length of it differs, and what differs in nothing else has
    no bar.
    """

    edition: str
    before: str
    base: str = ""
    lengths: bool = False


@dataclass(frozen=True, slots=True)
class RowMarks:
    """Of a row what its label and each of its cells was; a `new` row was not there."""

    new: bool
    label: str | None
    cells: tuple[str | None, ...]

    @property
    def any(self) -> bool:
        return self.new or self.label is not None or any(one is not None for one in self.cells)


@dataclass(frozen=True, slots=True)
class GoneRow:
    """A row of the edition before, in front of the row at this place: its label and cells."""

    at: int
    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableMarks:
    """Of a table what changed in it; all of a `new` one is new. `columns` are those that went."""

    new: bool
    about: str | None = None
    rows: tuple[RowMarks, ...] = ()
    gone: tuple[GoneRow, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        changed = any(row.any for row in self.rows)
        return self.new or changed or self.about is not None or bool(self.gone or self.columns)


@dataclass(frozen=True, slots=True)
class ExampleMarks:
    """Of a worked example what its words were; all of a `new` one is new."""

    new: bool
    situation: str | None = None
    steps: tuple[str | None, ...] = ()
    outcome: str | None = None
