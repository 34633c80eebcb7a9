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
class GoneRow:
    """A row of the edition before, in front of the row at this place: its label and cells."""

    at: int
    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExampleMarks:
    """Of a worked example what its words were; all of a `new` one is new."""

    new: bool
    situation: str | None = None
    steps: tuple[str | None, ...] = ()
    outcome: str | None = None
