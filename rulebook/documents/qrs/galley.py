"""Panels at a size of type -> their pieces and heights, and the blocks that fill a sheet."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from math import ceil
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from rulebook.cache import NOTHING_KEPT, Cache, digest_of
from rulebook.documents.document_kind import KINDS
from rulebook.documents.parts.tables import fitted_table, with_columns
from rulebook.documents.parts.views import BodyCell, HeadCell, StepsView, TableView, room_of
from rulebook.documents.qrs.arrangement import LEAST_LINES, ColumnArea, MeasuredPanel
from rulebook.documents.qrs.compose import PanelView, PhaseView, QrsView
from rulebook.quantities import MM_PER_POINT
from rulebook.revisions.likeness import LineMarks
from rulebook.typeset.environment import document_styles, render_template
from rulebook.typeset.make_up import TypesetBlock
from rulebook.typeset.pdf import lay_out


@dataclass(frozen=True, slots=True)
class PanelLines:
    """Successive items of a panel: reminders, steps of a procedure, or rows of a table.

    `number` is the index of the procedure or table in its panel, `first` to `last` (exclusive) are
    the items; together they take about `lines` lines of type. If they are `inside`, their list has
    more items before and after them.
    """

    kind: Literal["say", "steps", "tables"]
    number: int
    first: int
    last: int
    lines: int
    inside: bool


@dataclass(frozen=True, slots=True)
class CutPanel:
    """A panel fitted to its width, and the lines of each piece that must stay together."""

    panel: PanelView
    pieces: tuple[tuple[PanelLines, ...], ...]

    def part(self, first: int, last: int) -> PanelView:
        """Returns a panel with only the pieces from first to last (exclusive).

        Pictures are in the first piece, and examples in the last.
        """
        panel = self.panel
        own = [passage for piece in self.pieces[first:last] for passage in piece]
        reminders, steps, rows = (_ranges(own, kind) for kind in ("say", "steps", "tables"))
        shown = reminders.get(0, slice(0, 0))
        return replace(
            panel,
            id=f"{panel.id}.{first}" if first else panel.id,
            say=panel.say[shown],
            marks=_marked(panel.marks, shown),
            procedures=tuple(_steps(panel.procedures[n], among) for n, among in steps.items()),
            tables=tuple(_rows(panel.tables[n], among) for n, among in rows.items()),
            pictures=() if first else panel.pictures,
            examples=panel.examples if last == len(self.pieces) else (),
        )


def _ranges(passages: Iterable[PanelLines], kind: str) -> dict[int, slice]:
    """Returns which items are shown of each list or table of a kind, as a slice by its number.

    `passages` are the shown ones, in order.
    """
    found: dict[int, slice] = {}
    for passage in passages:
        if passage.kind == kind:
            before = found.get(passage.number, slice(passage.first, 0))
            found[passage.number] = slice(before.start, passage.last)
    return found


def _marked(marks: LineMarks | None, among: slice) -> LineMarks | None:
    return replace(marks, was=marks.was[among]) if marks else None


def _steps(procedure: StepsView, among: slice) -> StepsView:
    return replace(
        procedure,
        steps=procedure.steps[among],
        begins=among.start + 1,
        marks=_marked(procedure.marks, among),
    )


def _rows(table: TableView, among: slice) -> TableView:
    """Returns a table with only the rows in a slice; it has notes if its last row is among them."""
    notes = table.notes if among.stop == len(table.body) else ()
    return replace(table, body=table.body[among], notes=notes)


def panels_of(view: QrsView) -> Iterator[PanelView]:
    """Returns the panels of all phases in the order of the turn."""
    return (panel for phase in view.phases for panel in phase.panels)


def fitted(
    view: QrsView, widths: tuple[float, float], type_size: float
) -> Iterator[tuple[PhaseView, list[CutPanel]]]:
    """Yields each phase with its panels, their tables fitted to the width of one or two columns.

    A panel takes two columns if it is marked as wide or its tables need it. Each narrow panel comes
    in the pieces between which it may be broken. `widths` are those of 1 and 2 columns, in mm, and
    `type_size` is in points. A table of a mere sheet, whose phases have no numbers, keeps its rows.
    """
    rooms = (room_of(widths[0], type_size), room_of(widths[1], type_size))

    def cut(panel: PanelView, numbered: bool) -> CutPanel:
        wide = view.columns > 1 and (panel.wide or needed_room(panel) > rooms[0])
        fit = fitted_table if numbered else with_columns
        tables = tuple(fit(table, rooms[wide]) for table in panel.tables)
        return _cut(replace(panel, wide=wide, tables=tables), rooms[wide])

    for phase in view.phases:
        yield phase, [cut(panel, bool(phase.number)) for panel in phase.panels]


def _cut(panel: PanelView, room: float) -> CutPanel:
    """Cuts a panel between its lists and tables and inside them, but leaves no piece too small.

    A wide panel stays whole, since two columns have space for it. `room` is its width in
    characters.
    """
    pieces: list[list[PanelLines]] = [[]]
    lines = LEAST_LINES * bool(panel.pictures)
    for passage in _passages(panel, room):
        small = min(lines, passage.lines) < LEAST_LINES and not passage.inside
        if pieces[-1] and not (panel.wide or small):
            pieces.append([])
            lines = 0
        pieces[-1].append(passage)
        lines += LEAST_LINES if passage.inside else passage.lines
    return CutPanel(panel, tuple(map(tuple, pieces)))


def _passages(panel: PanelView, room: float) -> Iterator[PanelLines]:
    roomy = room * _ROOMY
    yield from _cut_list("say", 0, [_lines(text, roomy) for text in panel.say])
    for number, procedure in enumerate(panel.procedures):
        yield from _cut_list("steps", number, [_lines(text, roomy) for text in procedure.steps])
    for number, table in enumerate(panel.tables):
        whole = table.core or table.form or table.kind == "modifiers"
        begun = [] if whole else _begun(table)
        yield from _cut_list("tables", number, [1] * len(table.body), begun)


def _begun(table: TableView) -> list[int]:
    """Returns the indices of the rows before which a table may be cut.

    These are the rows that have a label in every label column.
    """
    stubs = len(table.stub_heads)
    return [index for index, row in enumerate(table.body) if len(row.labels) == stubs]


def _cut_list(
    kind: Literal["say", "steps", "tables"],
    number: int,
    lines: Sequence[int],
    begun: Iterable[int] | None = None,
) -> Iterator[PanelLines]:
    """Yields the smallest passages into which a list or table may be cut.

    `number` is its index in the panel, and `lines` are the numbers of lines of its items. The first
    and the last passage have at least LEAST_LINES lines and a quarter of all. A passage begins with
    one of the items `begun`, or with any if that is None.
    """
    sums = [0, *accumulate(lines)]
    least = max(LEAST_LINES, sums[-1] / 4)
    edges = [
        index
        for index in (range(len(lines)) if begun is None else begun)
        if min(sums[index], sums[-1] - sums[index]) >= least
    ]
    if lines or kind != "say":
        for first, last in pairwise([0, *edges, len(lines)]):
            inside = first > 0 and last < len(lines)
            yield PanelLines(kind, number, first, last, sums[last] - sums[first], inside)


_WIDTH = re.compile(r'<svg[^<>]* width="([\d.]+)mm"')
_HEIGHT = re.compile(r'<svg[^<>]* height="([\d.]+)mm"')


def pictured(panel: PanelView) -> float:
    """Returns the height of a panel's pictures in mm, which is the same at any size of type."""
    return sum(float(_HEIGHT.findall(picture.full)[0]) for picture in panel.pictures)


def picture_width(panel: PanelView) -> float:
    """Returns the width of a panel's widest picture in mm."""
    return max((float(_WIDTH.findall(picture.full)[0]) for picture in panel.pictures), default=0.0)


def needed_room(panel: PanelView) -> int:
    """Returns how many characters wide a panel must be so that no word in its tables is broken."""
    return max((table.least for table in panel.tables), default=0)


#: Heights as multiples of the size of type; about those of templates/styles/qrs.css.
_LINE, _HEADING, _PHASE, _CAPTION, _ROW, _NOTE = 1.3, 1.6, 2.4, 1.6, 1.4, 1.2
#: The room is overestimated by this where a list may be cut: rather too few lines than too many.
_ROOMY = 1.1
#: Characters that hang before a line of a list, and those of a gap between columns.
_HANGING, _GAP = 2, 1.2


def estimated_height(piece: PanelPiece, room: float, type_size: float) -> float:
    """Estimates the height in mm of a piece of a panel, without its heading and pictures.

    It is computed from the lengths of texts, without layout. `room` is how many characters fit on a
    line, and `type_size` is in points.
    """
    view = piece.view
    texts = [*view.say, *(step for procedure in view.procedures for step in procedure.steps)]
    texts += [" ".join([shown.title, *(run.dice for run in shown.runs)]) for shown in view.examples]
    listed: list[StepsView | TableView] = [*view.procedures, *view.tables]
    del listed[: piece.goes_on]
    height = _PHASE * piece.opens + _CAPTION * sum(part.title != view.called for part in listed)
    height += _LINE * sum(_lines(text, room) for text in texts)
    height += sum(_table_height(table, room, headed=table in listed) for table in view.tables)
    return height * type_size * MM_PER_POINT


def _table_height(table: TableView, room: float, *, headed: bool) -> float:
    """Estimates the height of a table and its notes, in multiples of the type size.

    `room` is its width in characters; without `headed` its head rows are not counted.
    """
    widths = [max(1.0, room * weight / sum(table.weights) - _GAP) for weight in table.weights]
    rows: list[Sequence[HeadCell | BodyCell]] = [row for row in table.head if headed]
    rows += [(*row.labels, *row.cells) for row in table.body]
    height = _NOTE * sum(_lines(note, room) for note in table.notes)
    for row in rows:
        # a row without all of its labels has those of the last columns
        cells = zip(reversed(row), reversed(widths), strict=False)
        lines = max((ceil(len(cell.text) / width) for cell, width in cells), default=1)
        height += _ROW + _LINE * (max(1, lines) - 1)
    return height


def _lines(text: str, room: float) -> int:
    """Estimates how many lines a text takes, of which each row of a table is one."""
    return max(ceil((len(text) + _HANGING) / room), 1 + text.count("\n|"))


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
class QrsPage(ColumnArea):
    """The columns of a sheet, and the width and height of its pages in millimetres."""

    paper: tuple[float, float]

    @property
    def column_width(self) -> float:
        room = self.paper[0] - 2 * MARGIN - (self.columns - 1) * GUTTER
        return room / self.columns

    def left(self, column: int) -> float:
        return MARGIN + column * (self.column_width + GUTTER)

    def span_width(self, span: int) -> float:
        """Returns the width in mm of some columns, or of all if there are fewer."""
        span = min(span, self.columns)
        return span * self.column_width + (span - 1) * GUTTER


def sheet_of(view: QrsView) -> QrsPage:
    assert view.paper is not None, "a page for a screen has no columns"
    assert view.columns, "the number of columns is chosen before"
    height = view.size[1] - 2 * MARGIN - HEAD - FOOT
    return QrsPage(view.sides, view.columns, height, GAP, view.size)


@dataclass(frozen=True, slots=True)
class BlockKey:
    """Identifies what is typeset as one block.

    The kinds are: `count` pieces of a panel from `piece` on; the same, `continued` below a repeated
    heading; that `heading` alone; the `picture` with the index `number`, drawn in low ink.
    """

    piece: str
    kind: Literal["whole", "continued", "heading", "picture"] = "whole"
    count: int = 1
    number: int = 0

    def __str__(self) -> str:
        return f"{self.piece} {self.kind} {self.count} {self.number}"


@dataclass(frozen=True, slots=True)
class PanelPiece:
    """A piece of a panel at a size of type; `opens` tells whether it is the first of its phase."""

    number: int
    phase: PhaseView
    opens: bool
    cut: CutPanel

    @property
    def view(self) -> PanelView:
        return self.part(1)

    @property
    def goes_on(self) -> bool:
        """Whether the piece begins inside a list or table, so that its head must be repeated."""
        own = self.cut.pieces[self.number]
        return bool(own) and own[0].first > 0

    def part(self, count: int) -> PanelView:
        """Returns a panel with this piece and those after it, `count` in all."""
        return self.cut.part(self.number, self.number + count)

    @property
    def width(self) -> str:
        return "wide" if self.cut.panel.wide else "narrow"

    def panel(self, height: float, heading: float) -> MeasuredPanel:
        number, panel = self.number, self.cut.panel
        piece = f"{panel.id}.{number}" if number else panel.id
        lines = [part.lines if part.inside else LEAST_LINES for part in self.cut.pieces[number]]
        return MeasuredPanel(
            piece,
            self.phase.number,
            height,
            panel.wide,
            number > 0,
            heading * (number > 0),
            sum(lines) if lines else LEAST_LINES,
        )

    def shown(self, part: BlockKey) -> dict[str, Any]:
        """Returns the variables for the template that renders a block beginning with this piece."""
        view = self.part(part.count)
        shown: dict[str, Any] = {"piece": view, "whole": self.cut.panel, "part": part.kind}
        shown |= {"phase": None, "hue": self.phase.hue, "width": self.width}
        if part.kind == "whole":
            shown["part"] = None if self.number else "opening"
            shown["phase"] = self.phase if self.opens else None
        elif part.kind == "picture":
            shown["picture"] = view.pictures[part.number].low
        return shown


@dataclass(frozen=True)
class Galleys:
    """What is typeset for one sheet, at each of the sizes of type that are tried.

    `cache` keeps the heights of blocks, in millimetres, from one build to the next. `times` maps
    ids of panels to the last measured height divided by the estimated one: it corrects the
    estimates for other sizes and widths.
    """

    view: QrsView
    templates: Path
    cache: Cache = NOTHING_KEPT
    times: dict[str, float] = field(default_factory=dict)
    _sizes: dict[float, Galley] = field(default_factory=dict)

    @property
    def sheet(self) -> QrsPage:
        return sheet_of(self.view)

    def at(self, size: float) -> Galley:
        """Returns the galley for a size of type in points, which is made at the first call."""
        if size not in self._sizes:
            self._sizes[size] = Galley(self, size)
        return self._sizes[size]


class Galley:
    """What is typeset at one size: each part when it is first needed, and only once."""

    def __init__(self, galleys: Galleys, size: float) -> None:
        self._galleys = galleys
        self._size = size
        sheet = galleys.sheet
        self._widths = {"narrow": sheet.span_width(1), "wide": sheet.span_width(2)}
        widths = (self._widths["narrow"], self._widths["wide"])
        self._cuts = [
            (cut, [PanelPiece(n, phase, first == n == 0, cut) for n in range(len(cut.pieces))])
            for phase, cuts in fitted(galleys.view, widths, size)
            for first, cut in enumerate(cuts)
        ]
        #: The pieces of all panels by their ids, in the order of the turn.
        self.pieces = {piece.view.id: piece for _, pieces in self._cuts for piece in pieces}
        self._blocks: dict[BlockKey, TypesetBlock] = {}
        self._measured: dict[BlockKey, list[float]] = {}
        self._settings = 0
        self._panels: list[MeasuredPanel] = []

    def panels(self) -> list[MeasuredPanel]:
        """Returns the pieces of all panels with their heights, which the first call measures.

        Measuring also updates the factors that correct estimates at other sizes of type.
        """
        if not self._panels:
            self._panels = self._measured_panels()
            self._galleys.times.update(self._times())
        return self._panels

    def _times(self) -> dict[str, float]:
        """Returns how many times as high as estimated each panel was measured to be, by its id."""
        measured: dict[str, float] = defaultdict(float)
        estimated: dict[str, float] = defaultdict(float)
        pieces = zip(self.pieces.values(), self._panels, self._estimates(), strict=True)
        for piece, panel, guess in pieces:
            measured[piece.cut.panel.id] += panel.height
            estimated[piece.cut.panel.id] += guess.height
        return {panel: measured[panel] / estimated[panel] for panel in measured}

    def _measured_panels(self) -> list[MeasuredPanel]:
        wholes = [BlockKey(cut.panel.id, count=len(pieces)) for cut, pieces in self._cuts]
        headings = [BlockKey(part.piece, "heading") for part in wholes if part.count > 1]
        self._measure([*wholes, *headings])
        return [
            piece.panel(height, heading + above)
            for (_, pieces), part in zip(self._cuts, wholes, strict=True)
            for heading in self._measured.get(BlockKey(part.piece, "heading"), [0.0])
            for piece, height, above in zip(
                pieces,
                self._measured[part][: part.count],
                self._measured[part][part.count :],
                strict=True,
            )
        ]

    def estimated(self) -> list[MeasuredPanel]:
        """Returns the pieces of all panels, with estimated heights until they are measured."""
        times = self._galleys.times
        return self._panels or [
            replace(panel, height=panel.height * times.get(piece.cut.panel.id, 1.0))
            for piece, panel in zip(self.pieces.values(), self._estimates(), strict=True)
        ]

    def _estimates(self) -> list[MeasuredPanel]:
        return [piece.panel(*self._estimate(piece)) for piece in self.pieces.values()]

    def _estimate(self, piece: PanelPiece) -> tuple[float, float]:
        """Estimates the height of a piece in mm, and that of the headings repeated above it.

        The latter are printed if the piece begins a column.
        """
        room = room_of(self._widths[piece.width], self._size)
        height = estimated_height(piece, room, self._size)
        heading = _HEADING * self._size * MM_PER_POINT
        above = heading * (1 + piece.goes_on)
        return height + pictured(piece.view) + heading * (piece.number == 0), above

    def blocks(self, parts: Iterable[BlockKey]) -> dict[BlockKey, TypesetBlock]:
        """Returns the typeset blocks for the given keys, and typesets those that are missing."""
        wanted = list(parts)
        self._set({part: self._html(part) for part in wanted if part not in self._blocks})
        return {part: self._blocks[part] for part in wanted}

    def _measure(self, parts: Iterable[BlockKey]) -> None:
        """Finds the heights of blocks that are not known yet, in the cache or by typesetting them.

        New heights are kept here and in the cache.
        """
        cache, styles = self._galleys.cache, self._styles()
        unknown = {part: self._html(part) for part in parts if part not in self._measured}
        keys = {part: digest_of([html, *styles]) for part, html in unknown.items()}
        kept = {part: cache.get_json(STAGE, key) for part, key in keys.items()}
        self._measured |= {
            part: found
            for part, found in kept.items()
            if isinstance(found, list) and len(found) == _measures(part)
        }
        new = {part: html for part, html in unknown.items() if part not in self._measured}
        self._set(new)
        for part in new:
            cut = self.pieces[part.piece].cut
            block = self._blocks[part]
            self._measured[part] = (
                [block.height] if part.kind == "heading" else _heights(block, cut)
            )
            cache.put_json(STAGE, keys[part], self._measured[part])

    def _html(self, part: BlockKey) -> str:
        shown = self.pieces[part.piece].shown(part)
        shown |= {"name": str(part), "since": self._galleys.view.since}
        return render_template("parts/qrs-block.html.j2", shown, self._galleys.templates)

    def _set(self, blocks: Mapping[BlockKey, str]) -> None:
        """Typesets blocks, given as HTML, together on one long page, and keeps the results."""
        if not blocks:
            return
        self._settings += 1
        since, identity = self._galleys.view.since, self._galleys.view.identity
        shown = {"identity": identity, "blocks": map(Markup, blocks.values())}
        galley = lay_out(
            render_template("qrs-galley.html.j2", shown, self._galleys.templates),
            self._styles(),
            templates=self._galleys.templates,
            name=NAME,
            edition=since.edition if since else None,
            galley=f"{self._settings}.",
        ).blocks()
        self._blocks |= {part: galley[str(part)] for part in blocks}

    def _styles(self) -> list[str]:
        page = f"@page{{size:{self._widths['wide'] + 1:.3f}mm 20000mm;margin:0}}"
        accent = self._galleys.view.identity.accent
        styles = document_styles(KINDS["qrs"].styles, accent, self._galleys.templates)
        return [*styles, page + block_styles(self._widths, self._size)]


def block_styles(widths: Mapping[str, float], size: float) -> str:
    """Returns CSS for the size of type in points and for classes of widths in millimetres."""
    classes = "".join(f".{name}{{width:{width:.3f}mm}}" for name, width in widths.items())
    return f"body{{font-size:{size}pt}}{classes}"


def _measures(part: BlockKey) -> int:
    """Returns how many heights `_heights` returns for a block, or 1 for a heading."""
    return 1 if part.kind == "heading" else 2 * part.count


def _heights(block: TypesetBlock, cut: CutPanel) -> list[float]:
    """Returns the heights in mm of all pieces of a whole panel, then what is needed above each.

    The latter are the heights of the caption and head that are repeated if a list or table
    continues at the top of a column.
    """
    lists = iter(block.lists())
    places = {("say", 0): next(lists)} if cut.panel.say else {}
    places |= {("steps", number): next(lists) for number in range(len(cut.panel.procedures))}
    places |= {("tables", number): next(lists) for number in range(len(cut.panel.tables))}
    tops, above = [0.0], [0.0]
    for begun, *_ in cut.pieces[1:]:
        place = places[begun.kind, begun.number]
        tops.append(place.lines[begun.first] if begun.first else place.top)
        above.append(place.lines[0] - place.top if begun.first else 0.0)
    heights = [below - top for top, below in pairwise([*tops, block.height])]
    return [round(height, 6) for height in (*heights, *above)]
