"""Panels at a size of type -> their pieces and heights, and blocks that a sheet is made up of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.documents.parts.tables import turned, with_columns
from rulebook.documents.parts.views import ShortExampleView, TableView, room_of
from rulebook.documents.qrs.arrangement import Area, Panel
from rulebook.documents.qrs.declaration import SHEET
from rulebook.documents.qrs.views import PanelView, PhaseView, QrsView
from rulebook.frozen_view import fields_of
from rulebook.paper_and_ink import paper_size
from rulebook.typeset.environment import document_styles, render_template
from rulebook.typeset.make_up import Block
from rulebook.typeset.pdf import lay_out


@dataclass(frozen=True, slots=True)
class Captions:
    """Whether each procedure and each table of a panel has a caption, whatever it is called."""

    told: bool
    tables: bool


@dataclass(frozen=True, slots=True)
class PieceView(PanelView):
    """What is not torn of a panel: a part of it that knows which captions it has, or all of it."""

    captions: Captions | None = None


def panels_of(view: QrsView) -> Iterator[PanelView]:
    """The panels of all phases in the order of the turn."""
    return (panel for phase in view.phases for panel in phase.panels)


def fitted(
    view: QrsView, widths: tuple[float, float], type_size: float
) -> Iterator[tuple[PhaseView, list[list[PieceView]]]]:
    """Each phase with the pieces of its panels; `widths` of one column and of two, mm."""
    rooms = (room_of(widths[0], type_size), room_of(widths[1], type_size))

    def pieces_of(panel: PanelView) -> list[PieceView]:
        wide = panel.wide or needed_room(panel) > rooms[0]
        tables = tuple(_fitted(table, rooms[wide]) for table in panel.tables)
        return _pieces(replace(panel, wide=wide, tables=tables))

    for phase in view.phases:
        yield phase, [pieces_of(panel) for panel in phase.panels]


#: As many lines of reminders and steps, and as many rows of a table, do not stand by themselves.
_FEW_LINES, _FEW_ROWS = 3, 2


def _pieces(panel: PanelView) -> list[PieceView]:
    """A panel cut between its tables: none is torn, and nothing small is left by itself.

    A wide one stays whole: two columns have room for it.
    """
    whole = PieceView(**fields_of(panel))
    if panel.wide:
        return [whole]
    parts: list[list[TableView]] = [[]]
    lines = len(panel.say) + sum(len(told.steps) for told in panel.told)
    small = lines <= _FEW_LINES and not panel.pictures
    for table in panel.tables:
        if small or len(table.body) <= _FEW_ROWS:
            parts[-1].append(table)
        else:
            parts.append([table])
        small = False
    whole = replace(whole, captions=Captions(len(panel.told) > 1, len(panel.tables) > 1))
    last = len(parts) - 1
    return [
        replace(
            whole,
            id=f"{panel.id}.{number}" if number else panel.id,
            say=() if number else panel.say,
            told=() if number else panel.told,
            pictures=() if number else panel.pictures,
            tables=tuple(tables),
            examples=panel.examples if number == last else (),
        )
        for number, tables in enumerate(parts)
    ]


_WIDTH = re.compile(r'<svg[^<>]* width="([\d.]+)mm"')
_HEIGHT = re.compile(r'<svg[^<>]* height="([\d.]+)mm"')


def pictured(panel: PanelView) -> float:
    """Millimetres of the pictures of a panel: they are of one size in any type."""
    return sum(float(_HEIGHT.findall(one.full)[0]) for one in panel.pictures)


def picture_width(panel: PanelView) -> float:
    """Millimetres of the widest picture of a panel."""
    return max((float(_WIDTH.findall(one.full)[0]) for one in panel.pictures), default=0.0)


def needed_room(panel: PanelView) -> int:
    """Characters side by side without which a word in a table of the panel is broken."""
    return max((table.least for table in panel.tables), default=0)


def _fitted(table: TableView, room: float) -> TableView:
    """A table in its room: on its side where a line of figures stands there without breaking."""
    line = turned(table)
    fits = line and sum(need.wanted for need in line.needs) <= room
    return with_columns(line if line and fits else table, room)


#: Heights in parts of the size of type, as templates/styles/qrs.css comes to on the whole.
_LINE, _HEADING, _PHASE, _CAPTION, _ROW, _NOTE = 1.3, 1.6, 2.4, 1.6, 1.4, 1.2
#: Characters that hang before a line of a list, those of a gap between columns, those of a die.
_HANGING, _GAP, _DIE = 2, 1.2, 3
MM_PER_POINT = 25.4 / 72


def estimated_heading(type_size: float) -> float:
    return _HEADING * type_size * MM_PER_POINT


def estimated_height(piece: PieceView, room: float, type_size: float, *, opens: bool) -> float:
    """About how high a piece of a panel is in millimetres, its heading and pictures apart.

    Nothing is laid out: it serves to try first that size which is likely to be the one. `room` is
    for how many characters there is; a piece that `opens` a phase stands below its bar.
    """
    captions = piece.captions or Captions(told=False, tables=False)
    height = _PHASE * opens + _LINE * sum(_lines(text, room) for text in piece.say)
    for told in piece.told:
        height += _CAPTION * (captions.told or told.title != piece.title)
        height += _LINE * sum(_lines(text, room) for text in told.steps)
    for table in piece.tables:
        height += _CAPTION * (captions.tables or table.title != piece.title)
        height += _table_height(table, room)
    for example in piece.examples:
        height += _LINE * _lines(_told_of(example), room)
    return height * type_size * MM_PER_POINT


def _lines(text: str, room: float) -> int:
    return ceil((len(text) + _HANGING) / room)


def _told_of(example: ShortExampleView) -> str:
    """As many characters as an example takes."""
    runs = example.runs
    dice = sum(len(throw.faces) for run in runs for throw in run.throws)
    results = (f"{name}: {value}" for run in runs for name, value in run.results)
    inputs = (text for run in runs for text in run.inputs)
    return " ".join([example.title, *inputs, *results, "." * _DIE * dice])


def _table_height(table: TableView, room: float) -> float:
    """Head, body and notes, in parts of the size of type."""
    total = sum(table.weights)
    widths = [max(1.0, weight * room / total - _GAP) for weight in table.weights]
    heads = [*table.stub_heads, *(cell.text for row in table.head[-1:] for cell in row)]
    height = _ROW * max(0, len(table.head) - 1)
    height += _row_height(heads, widths) if any(heads) else 0.0
    for row in table.body:
        labels = [label.text for label in row.labels]
        own = widths[len(table.stub_heads) - len(labels) :]
        height += _row_height([*labels, *(cell.text for cell in row.cells)], own)
    return height + _NOTE * sum(_lines(note, room) for note in table.notes)


def _row_height(texts: Sequence[str], widths: Sequence[float]) -> float:
    """A row as high as its longest cell."""
    lines = (ceil(len(text) / width) for text, width in zip(texts, widths, strict=False))
    return _ROW + _LINE * (max(1, *lines, 1) - 1)


MARGIN = 7.0
GUTTER = 4.5
GAP = 2.6
#: The head with the title and the turn, its distance from the columns included, and the line below
#: them.
HEAD = 10.5
FOOT = 4.0
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
    assert view.columns, "the number of columns is chosen before"
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
        shown["hue"] = self.phase.hue
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
        """The same with heights that are only estimated from how many characters there are."""
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
