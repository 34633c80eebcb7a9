"""Tables and modifier tables of a ruleset -> `TableView`: labels over labels, cells as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from rulebook import quantities
from rulebook.documents.parts import views
from rulebook.documents.parts.binding import Binder, escape_markdown, plain_text, unbroken
from rulebook.model.cells import Cell, CellType, PrintedTable
from rulebook.model.entities import Status
from rulebook.model.grids import Axis, Grid
from rulebook.model.record_tables import RecordTable, Row, TableOfRows, TableRow
from rulebook.model.ruleset import Address, Ruleset
from rulebook.translation import gettext

#: What the source does not state.
_OURS = (Status.READ, Status.HOUSE)
#: How much larger the figures of core tables are than other type on a sheet, and the cells of one
#: that has only words; see qrs.css.
CORE_TIMES, WORDS_TIMES = 1.45, 1.2
#: How much wider the labels of such words are taken to be, since the box has an edge before them.
_BESIDE_WORDS = 1.1


@dataclass(frozen=True)
class TableComposer:
    """Composes views of the tables of one ruleset.

    `notes` maps addresses to the numbers of designer's notes. On a `sheet` core tables are large,
    and what the source does not state is marked.
    """

    binder: Binder
    notes: Mapping[Address, int] = field(default_factory=dict)
    sheet: bool = False

    @property
    def ruleset(self) -> Ruleset:
        return self.binder.values or self.binder.ruleset

    def view(self, table_id: str, room: int) -> views.TableView:
        """Composes the view of a table for a page that is `room` characters wide.

        A table that only an option adds is composed with that option. Raises TypeError if the table
        is to be computed and has not been.
        """
        ruleset = self.ruleset
        if table_id not in ruleset.all_tables:
            lending = ruleset.lending(table_id)
            if lending is not ruleset:
                binder = replace(self.binder, values=lending)
                return replace(self, binder=binder).view(table_id, room)
        table = ruleset.all_tables[table_id]
        if isinstance(table, Grid):
            view = self._grid(table_id, table)
        elif isinstance(table, TableOfRows):
            view = self._rows(table_id, table)
        else:
            raise TypeError(f"the table '{table_id}' has not been computed")
        phases = ruleset.sequence.values()
        if phases and not any(phase.numbered for phase in phases):
            view = _centred(view)
        return with_columns(replace(view, form=_is_form(view)), room)

    def _view(self, address: Address, table: PrintedTable, **own: Any) -> views.TableView:
        """Makes the view of a table from the fields that all kinds of tables have.

        `own` are the fields that only this kind of table has.
        """
        table_id = str(address[-1])
        return views.TableView(
            id=table_id,
            title=table.title,
            about=self.binder.prose(table.about),
            notes=tuple(map(self.binder.prose, table.notes)),
            note=self.notes.get(address),
            core=self.sheet and table.core,
            ours=self._is_ours(table.status),
            **own,
        )

    def _is_ours(self, status: Status) -> bool:
        """Whether a value of this status is marked: on the sheet, as not stated by the source."""
        return self.sheet and status in _OURS

    def _cell(self, cell: Cell, cell_type: CellType, *address: str | int) -> views.BodyCell:
        text = cell_in_words(self.ruleset, cell, cell_type)
        if isinstance(cell.value, quantities.Chance | quantities.Mean) and not _amount(cell.value):
            text = quantities.format_value(None)
        missing = cell.status is Status.MISSING
        note, ours = self.notes.get(address), self._is_ours(cell.status)
        return views.BodyCell(unbroken(text), missing, note, ours)

    def _grid(self, table_id: str, table: Grid) -> views.TableView:
        align: views.Align = table.cells.kind.align
        rows = row_labels(table.positions("rows"), lambda choice, down: _label(choice.title, down))
        columns = [[unbroken(choice.title) for choice in at] for at in table.positions("columns")]
        body = [
            views.BodyRow(
                labels=tuple(rows[index]),
                cells=tuple(
                    self._cell(cell, table.cells, "tables", table_id, "data", index, column)
                    for column, cell in enumerate(cells)
                ),
            )
            for index, cells in enumerate(table.data)
        ]
        return self._view(
            ("tables", table_id),
            table,
            kind="grid",
            head=tuple(column_heads(columns, list(map(name_over, table.columns)))),
            stub_heads=tuple(axis.title for axis in table.rows),
            body=tuple(body),
            aligns=(align,) * len(columns),
            digits=_digits(body) if table.cells.kind.by_digits else (),
        )

    def _rows(self, table_id: str, table: TableOfRows) -> views.TableView:
        at = self.ruleset.address_of_row(table_id)
        body = [
            views.BodyRow(
                labels=(self._row_label(key, row),),
                cells=tuple(
                    self._cell(row.cells[name], kind, *at, key, name)
                    if name in row.cells
                    else views.BodyCell("")
                    for name, kind in table.types.items()
                ),
                note=self.notes.get((*at, key)),
                ours=self._is_ours(row.status),
            )
            for key, row in table.data.items()
        ]
        heads = tuple(views.HeadCell(table.title_of(name)) for name in table.fields)
        return self._view(
            self.ruleset.address_of_table(table_id),
            table,
            kind=table.printed_as,
            head=(heads,) if self._is_headed(table) else (),
            stub_heads=((isinstance(table, RecordTable) and table.rows) or "",),
            body=tuple(body),
            aligns=tuple(kind.kind.align for kind in table.types.values()),
        )

    def _is_headed(self, table: TableOfRows) -> bool:
        """Whether the columns of a table have heads, which modifiers of one roll do not need."""
        if isinstance(table, RecordTable):
            return bool(table.rows) or any(map(table.title_of, table.fields))
        return len(table.fields) > 1 or any(column.title for column in table.fields.values())

    def _row_label(self, key: str, row: TableRow) -> views.HeadCell:
        """Returns the label of a row: its title or, for a modifier, its condition.

        A condition that may count more than once is followed by "each".
        """
        if isinstance(row, Row):
            return _label(row.heading(key))
        when = self.binder.prose(row.when)
        return views.HeadCell(gettext("%(condition)s, each", condition=when) if row.up_to else when)


def _amount(odds: quantities.Chance | quantities.Mean) -> Fraction:
    return odds.share if isinstance(odds, quantities.Chance) else odds.number


def _digits(body: Sequence[views.BodyRow]) -> tuple[int, ...]:
    """Returns the length of the longest text in each column, dashes aside.

    It is 0 for a column in which all texts are equally long.
    """
    nothing = quantities.format_value(None)
    columns = zip(*(row.cells for row in body), strict=True)
    widths = ({len(cell.text) for cell in column if cell.text != nothing} for column in columns)
    return tuple(max(found) if len(found) > 1 else 0 for found in widths)


def cell_in_words(ruleset: Ruleset, cell: Cell, cell_type: CellType) -> str:
    """Returns the text of a cell; if it names a row of another table, this is that row's label."""
    table = ruleset.tables.get(cell_type.table or "")
    if isinstance(table, RecordTable) and isinstance(cell.value, str):
        return table.data[cell.value].heading(cell.value)
    return str(cell)


def _label(title: str, down: int = 1) -> views.HeadCell:
    return views.HeadCell(escape_markdown(unbroken(title)), down=down)


Label = TypeVar("Label")


def spans(places: Sequence[Sequence[Label]], depth: int) -> Iterator[tuple[int, Label, int]]:
    """Yields the labels at a depth along the rows or columns of a table.

    Each is yielded with the index of its first place and the number of places that it spans.
    `places` has all labels of each place, and depth 0 is the outermost. Equal outer labels in
    successive places are one label; an innermost label has one place.
    """
    first = 0
    for at, labels in enumerate(places):
        goes_on = at + 1 < len(places) and depth + 1 < len(labels)
        if not (goes_on and places[at + 1][: depth + 1] == labels[: depth + 1]):
            yield first, labels[depth], at + 1 - first
            first = at + 1


def row_labels(
    places: Sequence[Sequence[Label]], cell: Callable[[Label, int], views.HeadCell]
) -> list[list[views.HeadCell]]:
    """Returns, for each row, the head cells that begin in it.

    `places` has the labels of each row, the outermost first. An outer label that successive rows
    share is one head cell. `cell` makes a head cell from a label and the number of rows that it
    spans.
    """
    begun: list[list[views.HeadCell]] = [[] for _ in places]
    for depth in range(len(places[0]) if places else 0):
        for first, label, down in spans(places, depth):
            begun[first].append(cell(label, down))
    return begun


def name_over(axis: Axis) -> str:
    """Returns the name of an axis to print over its columns.

    Returns an empty text if the heads of the columns need no such name.
    """
    if axis.die:
        return gettext("%(axis)s of %(die)s", axis=axis.title, die=axis.die)
    return axis.title if axis.headed else ""


def column_heads(
    places: Sequence[Sequence[str]], names: Sequence[str]
) -> list[tuple[views.HeadCell, ...]]:
    """Returns the rows at the head of a table, outer heads over inner ones.

    Above the heads of each axis comes its name, if it has one. `places` has the heads of each
    column, and `names` the names of the axes, the outermost first.
    """
    heads: list[tuple[views.HeadCell, ...]] = []
    for depth, name in enumerate(names):
        heads += [(views.HeadCell(name, across=len(places)),)] if name else []
        cells = (views.HeadCell(head, across=many) for _, head, many in spans(places, depth))
        heads.append(tuple(cells))
    return heads


def with_columns(view: views.TableView, room: float) -> views.TableView:
    """Returns a table whose columns share a width of `room` characters."""
    columns = view.needs or views.needs(_texts(view), _over_heads(view))
    return replace(
        view,
        needs=columns,
        weights=views.share(columns, room),
        room=int(room),
        least=views.least_room(columns),
    )


def narrowed(view: views.TableView, room: float) -> views.TableView:
    """Returns a table whose words all have room, with the columns too many set `below` its first.

    Each of these tables has the labels of the rows. Columns below one head stay together.
    """
    labels, wide = len(view.stub_heads), views.is_too_wide(view.needs, room)
    if view.form or not wide or len(view.needs) != labels + len(view.aligns):
        return view
    least = [need.least for need in view.needs]
    own, values = sum(least[:labels]), least[labels:]
    top = view.head[0] if view.head else [views.HeadCell("")] * len(values)
    ends = [*accumulate(cell.across for cell in top)]
    cuts = [0]
    for start, end in pairwise([0, *ends]):
        if start > cuts[-1] and own + sum(values[cuts[-1] : end]) > room:
            cuts.append(start)
    made = [_of_columns(view, slice(*cut), room) for cut in pairwise([*cuts, len(values)])]
    rest = [replace(each, notes=(), gone=(), gone_columns=()) for each in made]
    return replace(rest[0], below=(*rest[1:-1], made[-1])) if len(made) > 1 else view


def _of_columns(view: views.TableView, columns: slice, room: float) -> views.TableView:
    """Returns a table with only some of its columns, besides the labels of the rows."""
    labels = len(view.stub_heads)

    def heads(row: Sequence[views.HeadCell]) -> Iterator[views.HeadCell]:
        starts = accumulate((cell.across for cell in row), initial=0)
        kept = range(columns.start, columns.stop)
        return (cell for cell, start in zip(row, starts, strict=False) if start in kept)

    part = replace(
        view,
        head=tuple(tuple(heads(row)) for row in view.head),
        body=tuple(replace(row, cells=row.cells[columns]) for row in view.body),
        aligns=view.aligns[columns],
        digits=view.digits[columns],
        needs=(*view.needs[:labels], *view.needs[labels:][columns]),
    )
    return with_columns(part, room)


def side_by_side(title: str, tables: Sequence[views.TableView], room: float) -> views.TableView:
    """Joins tables of which each row has one label into one table with the columns of all.

    There is a row for each label. If a table lacks such a row, its cells are empty. The title of
    each table is above its columns. `title` is that of the whole, and `room` its width in
    characters.
    """
    rows = [_places_by_name(table) for table in tables]
    names = list(dict.fromkeys(name for table in rows for name in table))

    def row_of(name: _Name) -> views.BodyRow:
        found = [
            (table, table.body[places[name]] if name in places else None)
            for table, places in zip(tables, rows, strict=True)
        ]
        cells = (cell for table, row in found for cell in _cells_beside(table, row))
        own = [(table, row) for table, row in found if row]
        return views.BodyRow(
            (views.HeadCell(name[0]),),
            tuple(cells),
            new=all(table.new or row.new for table, row in own),
            was=next((row.was for _, row in own if row.was), None),
        )

    heads = [table.head[-1] if table.head else (views.HeadCell(""),) for table in tables]
    titles = tuple(
        views.HeadCell(table.title + "*" * table.ours, across=len(table.aligns)) for table in tables
    )
    named = any(cell.text for head in heads for cell in head)
    whole = replace(
        tables[0],
        id="+".join(table.id for table in tables),
        title=title,
        about="",
        head=(titles, tuple(cell for head in heads for cell in head)) if named else (titles,),
        body=tuple(map(row_of, names)),
        aligns=tuple(align for table in tables for align in table.aligns),
        notes=tuple(note for table in tables for note in table.notes),
        needs=(),
        digits=(),
        form=any(table.form for table in tables),
        core=any(table.core for table in tables),
        ours=False,
        new=all(table.new for table in tables),
        about_was=None,
        gone=tuple(replace(row, at=len(names)) for table in tables for row in table.gone),
        gone_columns=tuple(head for table in tables for head in table.gone_columns),
    )
    return with_columns(whole, room)


def _cells_beside(table: views.TableView, row: views.BodyRow | None) -> Iterator[views.BodyCell]:
    """Yields the cells of a row of a table, or empty cells for all its columns if `row` is None."""
    if row is None:
        yield from (views.BodyCell(""),) * len(table.aligns)
    else:
        yield from (replace(cell, ours=cell.ours or row.ours) for cell in row.cells)


#: What a row is called, and how many before it are called the same.
_Name = tuple[str, int]


def _places_by_name(table: views.TableView) -> dict[_Name, int]:
    places: dict[_Name, int] = {}
    for index, row in enumerate(table.body):
        text = row.labels[0].text
        before = sum(name == text for name, _ in places)
        places[text, before] = index
    return places


#: Texts with no more letters, such as 4.5 or D6, are set in the middle like values on a mere sheet,
#: whose author states no types.
_SHORT = 8


def _centred(view: views.TableView) -> views.TableView:
    """Returns a table with each column of nothing but short texts set in the middle."""
    columns = zip(*(row.cells for row in view.body), strict=True)
    aligns = tuple(
        "centre" if all(len(cell.text) <= _SHORT for cell in cells) else align
        for cells, align in zip(columns, view.aligns, strict=True)
    )
    return replace(view, aligns=aligns)


#: More rows than this are not laid side by side: a line of figures is soon hard to follow.
_MOST_TURNED = 6


def turned(view: views.TableView) -> views.TableView | None:
    """Returns a table with one column of values as a table with a column for each row.

    The labels of rows become heads, with one line of values below, and each column asks for enough
    width to keep its head on one line. Returns None if the table has another form, is a core table
    or a form to fill in, or has labels that are more than plain text.
    """
    rows = view.body
    heads = [cell.text for row in view.head for cell in row]
    labels = [plain_text(row.labels[0].text) for row in rows]
    simple = (
        not (view.form or view.core)
        and view.aligns == ("centre",)
        and len(view.stub_heads) == 1
        and 2 <= len(rows) <= _MOST_TURNED
        and len(rows) + any((*heads, *view.stub_heads)) > 2
        and all(len(row.labels) == 1 for row in rows)
        and all(
            escape_markdown(plain) == row.labels[0].text
            for plain, row in zip(labels, rows, strict=True)
        )
    )
    if not simple:
        return None
    cells = tuple(
        replace(
            row.cells[0],
            ours=row.ours or row.cells[0].ours,
            was=(row.cells[0].was or "") if row.changed else None,
        )
        for row in rows
    )
    stub = (view.stub_heads[0], heads[-1] if heads else "")
    texts = [stub, *((label, f"{cell.text} *") for label, cell in zip(labels, cells, strict=True))]
    return replace(
        view,
        head=(tuple(map(views.HeadCell, labels)),),
        body=(views.BodyRow((views.HeadCell(escape_markdown(stub[1])),), cells),),
        aligns=view.aligns * len(rows),
        digits=(),
        needs=views.needs([views.ColumnTexts((), both, heavy=True) for both in texts]),
    )


def fitted_table(view: views.TableView, room: float) -> views.TableView:
    """Returns a table whose columns share a width of `room` characters.

    A table with one column of values is first turned on its side (see `turned`), if its heads then
    fit in that width.
    """
    line = turned(view)
    fits = line and sum(need.wanted for need in line.needs) <= room
    return with_columns(line if line and fits else view, room)


def _texts(view: views.TableView) -> list[views.ColumnTexts]:
    """Returns the texts of each column, which decide on its width, labels first.

    Values in centred columns are bold, except in a record table that is no core table, and those of
    a core table are larger. If it has no centred column, all its cells are.
    """
    stubs = [False] * len(view.stub_heads)
    words = view.core and "centre" not in view.aligns
    centred = [align == "centre" for align in view.aligns]
    heavy = [
        *stubs,
        *(words or (is_centred and (view.kind != "record" or view.core)) for is_centred in centred),
    ]
    larger = WORDS_TIMES if words else CORE_TIMES
    times = [
        *(_BESIDE_WORDS if words else 1.0 for _ in stubs),
        *(larger if view.core and (words or is_centred) else 1.0 for is_centred in centred),
    ]
    return [
        views.ColumnTexts(tuple(heads), tuple(cells), bold, size)
        for heads, cells, bold, size in zip(
            _head_texts(view), _body_texts(view), heavy, times, strict=True
        )
    ]


def _head_texts(view: views.TableView) -> list[list[str]]:
    """Returns the heads of each column, those of the label columns first.

    Heads over several columns are left out.
    """
    columns = [[head] for head in view.stub_heads] + [[] for _ in view.aligns]
    for head in view.head:
        if len(head) == len(view.aligns):
            for offset, cell in enumerate(head, start=len(view.stub_heads)):
                columns[offset].append(cell.text)
    return columns


def _over_heads(view: views.TableView) -> Iterator[views.OverHead]:
    """Yields the heads over several columns, with the first column and the number of columns."""
    for head in view.head:
        first = len(view.stub_heads)
        for cell in head:
            if cell.across > 1:
                yield views.OverHead(first, cell.across, cell.text)
            first += cell.across


def _body_texts(view: views.TableView) -> list[list[str]]:
    """Returns the texts in each column as plain text, those of the label columns first.

    Marks of notes, and of what is not stated by the source, are included; a missing value is a
    blank.
    """
    stubs = len(view.stub_heads)
    columns: list[list[str]] = [[] for _ in (*view.stub_heads, *view.aligns)]
    for row in view.body:
        for offset, label in enumerate(reversed(row.labels), start=1):
            note = row.note if offset == 1 else None
            ours = "*" * (row.ours and offset == 1)
            columns[stubs - offset].append(f"{plain_text(label.text)}{_mark(note)}{ours}")
        for offset, cell in enumerate(row.cells, start=stubs):
            text = _BLANK if cell.missing else cell.text
            columns[offset].append(f"{text}{_mark(cell.note)}{'*' * cell.ours}")
    return columns


def _is_form(view: views.TableView) -> bool:
    """Whether a table has cells and at least half of them are left to the players to fill in."""
    cells = [cell for row in view.body for cell in row.cells]
    return 0 < len(cells) <= 2 * sum(cell.missing for cell in cells)


#: As wide as the line that is printed for a missing value.
_BLANK = "00000"


def _mark(note: int | None) -> str:
    return "" if note is None else str(note)
