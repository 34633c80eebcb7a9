"""The view of a quick-reference sheet at a size of type -> columns of tables, pieces of panels.

How many characters stand on a column of the sheet depends on the paper and on the type, so it is
only here that a table gets its columns, and that a panel with a table too wide for one column of
the sheet goes across two. A panel may go over to the next column between two of its pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from rulebook.documents.parts.column_widths import least_room, room_of, share
from rulebook.documents.parts.views import ShortExampleView, TableView
from rulebook.documents.qrs.views import PanelView, PhaseView, QrsView
from rulebook.views import fields_of


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
        tables = tuple(_with_columns(table, rooms[wide]) for table in panel.tables)
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


_HEIGHT = re.compile(r'<svg[^<>]* height="([\d.]+)mm"')


def pictured(panel: PanelView) -> float:
    """Millimetres of the pictures of a panel: they are of one size in any type."""
    return sum(float(_HEIGHT.findall(one.full)[0]) for one in panel.pictures)


def needed_room(panel: PanelView) -> int:
    """Characters side by side without which a word in a table of the panel is broken."""
    return max((table.least for table in panel.tables), default=0)


def _with_columns(table: TableView, room: float) -> TableView:
    weights, least = share(table.needs, room), least_room(table.needs)
    return replace(table, weights=weights, room=int(room), least=least)


#: Heights in parts of the size of type, as templates/styles/qrs.css comes to on the whole.
_LINE, _HEADING, _PHASE, _CAPTION, _ROW, _NOTE = 1.3, 1.6, 2.4, 1.6, 1.4, 1.2
#: Characters that hang before a line of a list, those of a gap between columns, those of a die.
_HANGING, _GAP, _DIE = 2, 1.2, 3
_MM_PER_POINT = 25.4 / 72


def estimated_heading(type_size: float) -> float:
    return _HEADING * type_size * _MM_PER_POINT


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
    return height * type_size * _MM_PER_POINT


def _lines(text: str, room: float) -> int:
    return ceil((len(text) + _HANGING) / room)


def _told_of(example: ShortExampleView) -> str:
    """As many characters as an example takes."""
    runs = example.runs
    dice = sum(len(throw.faces) for run in runs for throw in run.throws)
    results = (f"{name} {value}" for run in runs for name, value in run.results)
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
