"""What stands on the slip of errata."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.parts.views import Identity
from rulebook.revisions.text_marks import SinceView


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A rule of the old booklet: its number, heading, and pages; what is new stands `behind` it.

    There is a page for each of the papers of the slip.
    """

    rule: str
    heading: str
    behind: bool
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ErratumView:
    """A change in short: `cells` are what was printed and what it is now."""

    title: str
    class_: str
    why: str
    places: tuple[PlaceView, ...]
    cells: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ErrataView:
    """The slip; `papers` are those of the old booklets, none if their pages are not known."""

    identity: Identity
    since: SinceView
    papers: tuple[str, ...]
    items: tuple[ErratumView, ...]
