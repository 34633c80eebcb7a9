"""Pieces of panels at a size of type -> their heights, and blocks that a sheet is made up of.

A piece is set in type once for a size: that tells its height, and if the sheet is printed at this
size the same block is moved to its place. Heights are kept under a digest of all that they come
from, so that what changed in one panel has only that panel set again to know where all stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.documents.parts.column_widths import room_of
from rulebook.documents.qrs.arrangement import Area, Panel
from rulebook.documents.qrs.declaration import SHEET
from rulebook.documents.qrs.fitting import (
    PieceView,
    estimated_heading,
    estimated_height,
    fitted,
    pictured,
)
from rulebook.documents.qrs.views import PhaseView, QrsView
from rulebook.paper import paper_size
from rulebook.typeset.environment import render_template
from rulebook.typeset.make_up import Block
from rulebook.typeset.pdf import lay_out
from rulebook.typeset.styles import document_styles

MARGIN = 7.0
GUTTER = 4.5
GAP = 2.6
#: The strip of tabs above the columns, and the line of edition and date below them.
HEAD = 7.5
FOOT = 4.5
NAME = "quick reference"
#: The stage of which the cache keeps heights.
STAGE = "qrs-height"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page of a side and the columns on it, in millimetres."""

    width: float
    height: float
    columns: int
    sides: int

    @property
    def column_width(self) -> float:
        return (self.width - 2 * MARGIN - (self.columns - 1) * GUTTER) / self.columns

    @property
    def area(self) -> Area:
        height = self.height - 2 * MARGIN - HEAD - FOOT
        return Area(self.sides, self.columns, height, GAP)

    def left(self, column: int) -> float:
        return MARGIN + column * (self.column_width + GUTTER)

    def span_width(self, span: int) -> float:
        return span * self.column_width + (span - 1) * GUTTER


def sheet_of(view: QrsView) -> Sheet:
    assert view.paper is not None, "a page for a screen has no columns"
    width, height = paper_size(view.paper, landscape=True)
    return Sheet(width, height, view.columns, view.sides)


@dataclass(frozen=True, slots=True)
class Part:
    """What is set as one block: a `whole` piece of a panel, one `continued` below the heading of
    its panel, that `heading` alone, or the `picture` of a number in low ink.
    """

    piece: str
    kind: Literal["whole", "continued", "heading", "picture"] = "whole"
    number: int = 0

    def __str__(self) -> str:
        return f"{self.piece} {self.kind} {self.number}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a panel at a size, by its number in the panel; `opens` its phase, or not."""

    number: int
    phase: PhaseView
    opens: bool
    view: PieceView

    @property
    def width(self) -> str:
        return "wide" if self.view.wide else "narrow"

    def parts(self) -> list[Part]:
        """What has to be measured to place it."""
        whole = Part(self.view.id)
        return [whole, Part(whole.piece, "heading")] if self.number else [whole]

    def panel(self, height: float, heading: float = 0.0) -> Panel:
        number, view = self.phase.number, self.view
        return Panel(view.id, number, height, view.wide, self.number > 0, heading)

    def shown(self, part: Part) -> dict[str, Any]:
        """What the template of a block shows of it."""
        shown: dict[str, Any] = {"piece": self.view, "part": part.kind, "phase": None}
        shown["width"] = self.width
        if part.kind == "whole":
            shown["part"] = None if self.number else "opening"
            shown["phase"] = self.phase if self.opens else None
        elif part.kind == "picture":
            shown["picture"] = self.view.pictures[part.number].low
        return shown


@dataclass(frozen=True)
class Galleys:
    """What is set in type for one sheet, at each of the sizes that are tried.

    `cache` keeps the heights of blocks, in millimetres, from one build to the next.
    """

    view: QrsView
    templates: Path
    cache: Cache = NOTHING_KEPT
    _sizes: dict[float, Galley] = field(default_factory=dict)

    @property
    def sheet(self) -> Sheet:
        return sheet_of(self.view)

    def at(self, size: float) -> Galley:
        """What is set at a size of type in points."""
        if size not in self._sizes:
            self._sizes[size] = Galley(self, size)
        return self._sizes[size]


class Galley:
    """All that is set at one size of type: each part when it is first asked for, and only once."""

    def __init__(self, galleys: Galleys, size: float) -> None:
        self._of = galleys
        self._size = size
        sheet = galleys.sheet
        self._widths = {"narrow": sheet.span_width(1), "wide": sheet.span_width(2)}
        widths = (self._widths["narrow"], self._widths["wide"])
        #: The pieces of all panels by their ids, in the order of the turn.
        self.pieces = {
            piece.id: Piece(number, phase, first == number == 0, piece)
            for phase, panels in fitted(galleys.view, widths, size)
            for first, pieces in enumerate(panels)
            for number, piece in enumerate(pieces)
        }
        self._blocks: dict[Part, Block] = {}
        self._heights: dict[Part, float] = {}
        self._settings = 0

    def panels(self) -> list[Panel]:
        """The pieces of all panels with their heights."""
        parts = {piece: self.pieces[piece].parts() for piece in self.pieces}
        self._measure([part for both in parts.values() for part in both])
        return [
            self.pieces[piece].panel(*(self._heights[part] for part in both))
            for piece, both in parts.items()
        ]

    def estimated(self) -> list[Panel]:
        """The same with heights that are only reckoned from how many characters there are."""
        return [
            piece.panel(*self._estimate(piece)[: 1 + (piece.number > 0)])
            for piece in self.pieces.values()
        ]

    def _estimate(self, piece: Piece) -> tuple[float, float]:
        """Height of a piece, and of the heading that it has where it begins a column."""
        room = room_of(self._widths[piece.width], self._size)
        height = estimated_height(piece.view, room, self._size, opens=piece.opens)
        heading = estimated_heading(self._size)
        return height + pictured(piece.view) + heading * (piece.number == 0), heading

    def blocks(self, parts: Iterable[Part]) -> dict[Part, Block]:
        """Parts as blocks that may be moved."""
        wanted = list(parts)
        self._set({part: self._html(part) for part in wanted if part not in self._blocks})
        return {part: self._blocks[part] for part in wanted}

    def _measure(self, parts: Iterable[Part]) -> None:
        """Learn the heights of parts: kept ones, or those of blocks that are set now."""
        cache, styles = self._of.cache, self._styles()
        unknown = {part: self._html(part) for part in parts if part not in self._heights}
        keys = {part: digest_of([html, *styles]) for part, html in unknown.items()}
        kept = {part: cache.get_json(STAGE, key) for part, key in keys.items()}
        self._heights |= {part: kept[part] for part in kept if isinstance(kept[part], float)}
        new = {part: html for part, html in unknown.items() if part not in self._heights}
        self._set(new)
        for part in new:
            self._heights[part] = self._blocks[part].height
            cache.put_json(STAGE, keys[part], self._heights[part])

    def _html(self, part: Part) -> str:
        shown = self.pieces[part.piece].shown(part)
        shown |= {"name": str(part), "since": self._of.view.since}
        return render_template("parts/qrs-block.html.j2", shown, self._of.templates)

    def _set(self, blocks: Mapping[Part, str]) -> None:
        """Set blocks of one galley: what the page maker learns of one serves for all."""
        if not blocks:
            return
        self._settings += 1
        since, identity = self._of.view.since, self._of.view.identity
        shown = {"identity": identity, "blocks": map(Markup, blocks.values())}
        galley = lay_out(
            render_template("qrs-galley.html.j2", shown, self._of.templates),
            self._styles(),
            templates=self._of.templates,
            name=NAME,
            edition=since.edition if since else None,
            galley=f"{self._settings}.",
        ).blocks()
        self._blocks |= {part: galley[str(part)] for part in blocks}

    def _styles(self) -> list[str]:
        page = f"@page{{size:{self._widths['wide'] + 1:.3f}mm 20000mm;margin:0}}"
        accent = self._of.view.identity.accent
        styles = document_styles(SHEET.styles, accent, "full", self._of.templates)
        return [*styles, page + block_styles(self._widths, self._size)]


def block_styles(widths: Mapping[str, float], size: float) -> str:
    """The size of type, and the widths of panels by their classes, in millimetres."""
    classes = "".join(f".{name}{{width:{width:.3f}mm}}" for name, width in widths.items())
    return f"body{{font-size:{size}pt}}{classes}"
