"""A table of two editions -> one table whose cells show what they were and what they are.

It has the rows and columns of both editions in the order of the new one; those that were removed
stand where they stood. Of a long table only the rows with a change are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rulebook.documents.marks.change_words import ChangedCell, ChangedRow, ChangedTable, RowKind
from rulebook.documents.parts.printed_parts import Printed, Step
from rulebook.documents.parts.views import HeadCell
from rulebook.model.axes import Axis
from rulebook.model.modifiers import ModifierTable
from rulebook.model.tables import Grid, RecordTable
from rulebook.revisions.changes import Change, Ordered, Path, Renamed

#: A table with more rows is told by those that changed.
MOST_ROWS = 12

Labels = tuple[str, ...]
#: What a row says of itself, beside its cells.
_OF_ROW = ("title", "note", "source", "status", "when", "up_to")


@dataclass(frozen=True, slots=True)
class ChangedCells:
    """Rows, columns and cells of a table that are told as changed; `itself`: it is another one."""

    whole: bool
    rows: frozenset[str]
    columns: frozenset[str]
    cells: frozenset[tuple[str, str]]
    itself: bool = False

    @property
    def many(self) -> bool:
        """Whether they are more than one cell, so that a table tells them best."""
        return self.whole or bool(self.rows or self.columns) or len(self.cells) > 1

    def has(self, row: str, column: str) -> bool:
        return (
            self.whole or row in self.rows or column in self.columns or (row, column) in self.cells
        )

    @classmethod
    def of(cls, changes: Iterable[Change], depth: int, *, whole: bool) -> ChangedCells:
        """Those of some changes of a table, whose path is so many keys long."""
        rows: set[str] = set()
        columns: set[str] = set()
        cells: set[tuple[str, str]] = set()
        itself = whole
        for change in changes:
            part, *keys = (*change.path[depth:], "")[:-1] or ("",)
            if isinstance(change, Ordered):
                continue
            if part in ("rows", "columns") and not _is_of_modifiers(change):
                whole = whole or len(keys) == 2
            elif part in ("fields", "changes") and len(keys) == 1:
                columns.add(keys[0])
            elif part in ("data", "rows"):
                whole = whole or not keys
                if len(keys) == 1 and not isinstance(change, Renamed):
                    rows.add(keys[0])
                elif len(keys) == 2 and keys[1] not in _OF_ROW:
                    cells.add((keys[0], keys[1]))
        return cls(whole, frozenset(rows), frozenset(columns), frozenset(cells), itself)


def _is_of_modifiers(change: Change) -> bool:
    return change.path[1] == "modifiers"


@dataclass(frozen=True)
class _Laid:
    """A table of one edition: labels of rows and of columns by their keys, and its cells.

    Keys are those of the new edition. `heads` names the axes across that do not tell themselves.
    """

    stubs: Labels
    rows: Mapping[str, Labels]
    columns: Mapping[str, Labels]
    heads: Labels
    cells: Mapping[tuple[str, str], str]


def changed_tables(
    old: Printed, new: Printed, path: Path, told: ChangedCells
) -> tuple[ChangedTable, ...]:
    """A table as it was and is, by its path; nothing for a table that is computed.

    A table that only one edition has is told whole; one that became another kind stands there
    twice, as it was and as it is. Cells that are not among those `told` stand there as they are
    now.
    """
    before, after = (_laid(edition, path) for edition in (old, new))
    if before is None or after is None:
        found = [(before, None)] if before else [(None, after)] if after else []
        return tuple(_merged(was, now, told) for was, now in found)
    if told.itself or _shape(before) != _shape(after):
        return _merged(before, None, told), _merged(None, after, told)
    return (_merged(before, after, told),)


def _shape(table: _Laid) -> tuple[int, int]:
    depths = {len(labels) for labels in table.columns.values()}
    return len(table.stubs), max(depths, default=0)


def _laid(edition: Printed, path: Path) -> _Laid | None:
    step = edition.parts.at(path)
    if step is None:
        return None
    if isinstance(step.value, Grid):
        return _of_grid(edition, step, step.value, path)
    if isinstance(step.value, RecordTable | ModifierTable):
        return _of_records(edition, step, path)
    return None


def _of_grid(edition: Printed, step: Step, grid: Grid, path: Path) -> _Laid:
    now = _new_keys(edition, path)
    down, across = (grid.positions(side) for side in ("rows", "columns"))
    rows: dict[str, Labels] = {}
    columns: dict[str, Labels] = {}
    cells: dict[tuple[str, str], str] = {}
    (data,) = (one for one in step.inside() if one.key == "data")
    for row, place in zip(data.inside(), down, strict=True):
        key = now((*path, "data"), row.key)
        rows[key] = tuple(choice.title for choice in place)
        inner = row.inside() if grid.columns else [row]
        for cell, places in zip(inner, across, strict=True):
            name = now((*path, "data", key), cell.key) if grid.columns else ""
            columns[name] = tuple(choice.title for choice in places)
            cells[key, name] = edition.told(cell)
    heads = tuple(_head_of(axis) for axis in grid.columns)
    return _Laid(tuple(axis.title for axis in grid.rows), rows, columns, heads, cells)


def _head_of(axis: Axis) -> str:
    if axis.die:
        return f"{axis.title} of {axis.die}"
    return axis.title if axis.headed else ""


def _of_records(edition: Printed, step: Step, path: Path) -> _Laid:
    now = _new_keys(edition, path)
    parts = {one.key: one for one in step.inside()}
    fields, data = ("fields", "data") if "fields" in parts else ("changes", "rows")
    names = {one.key: now((*path, fields), one.key) for one in parts[fields].inside()}
    columns = {now_: (edition.column_title(step.value, was),) for was, now_ in names.items()}
    rows: dict[str, Labels] = {}
    cells: dict[tuple[str, str], str] = {}
    for row in parts[data].inside():
        key = now((*path, data), row.key)
        rows[key] = (edition.row_label(row),)
        for name, text in edition.cells_of(row).items():
            cells[key, names[name]] = text
    return _Laid(("",), rows, columns, ("",), cells)


def _new_keys(edition: Printed, path: Path) -> Callable[[Path, str], str]:
    """A key of this edition under a path -> the key that the new edition has for it."""
    names: dict[tuple[Path, str], str] = {}
    for at, was in edition.parts.names.items():
        if at[: len(path)] == path:
            names[at[:-1], was] = at[-1]
    return lambda parent, key: names.get((parent, key), key)


def _merged(before: _Laid | None, after: _Laid | None, told: ChangedCells) -> ChangedTable:
    """One table of both editions; one that an edition has not is None there."""
    nothing = _Laid((), {}, {}, (), {})
    old, new, one = before or nothing, after or nothing, after or before or nothing
    rows, columns = _together(old.rows, new.rows), _together(old.columns, new.columns)
    # What went is to be seen where it is told that it went.
    seen = [
        key
        for key in columns
        if after is None or key in new.columns or told.whole or key in told.columns
    ]
    body: list[tuple[Labels, ChangedRow]] = []
    for row, labels in rows.items():
        gone, is_told = row not in new.rows, told.whole or row in told.rows
        if after is not None and gone and not is_told:
            continue
        added = row not in old.rows and (before is None or is_told)
        cells = []
        for column in seen:
            was, now = old.cells.get((row, column)), new.cells.get((row, column))
            changed = not (before and after) or told.has(row, column)
            same = was == now or not changed
            cells.append(ChangedCell(now, now) if same else ChangedCell(was, now, changed=True))
        kind: RowKind = "removed" if gone else "added" if added else "kept"
        body.append((labels, ChangedRow((), tuple(cells), kind)))
    if before and after and len(body) > MOST_ROWS:
        body = [(labels, row) for labels, row in body if _differs(row)]
    spanned = _spanned([labels for labels, _ in body])
    return ChangedTable(
        head=_heads([columns[key] for key in seen], one.heads),
        stub_heads=one.stubs,
        rows=tuple(
            replace(row, labels=found) for found, (_, row) in zip(spanned, body, strict=True)
        ),
    )


def _together(old: Mapping[str, Labels], new: Mapping[str, Labels]) -> dict[str, Labels]:
    """Rows or columns of both, those that went behind the one that they stood behind."""
    order = list(new)
    last: str | None = None
    for key in old:
        if key not in new:
            order.insert(order.index(last) + 1 if last is not None else 0, key)
        last = key
    return {key: new[key] if key in new else old[key] for key in order}


def _differs(row: ChangedRow) -> bool:
    return row.kind != "kept" or any(cell.changed for cell in row.cells)


def _heads(columns: Sequence[Labels], names: Labels) -> tuple[tuple[HeadCell, ...], ...]:
    """A head row for each axis across, an outer label over its inner ones, and names of axes."""
    heads: list[tuple[HeadCell, ...]] = []
    for depth, name in enumerate(names):
        if name:
            heads.append((HeadCell(name, across=len(columns)),))
        heads.append(
            tuple(HeadCell(label, across=many) for _, label, many in _runs(columns, depth))
        )
    return tuple(heads)


def _spanned(rows: Sequence[Labels]) -> list[tuple[HeadCell, ...]]:
    """The labels that begin in each row: an outer label stands once over all its inner ones."""
    found: list[list[HeadCell]] = [[] for _ in rows]
    for depth in range(max(map(len, rows), default=0)):
        for first, label, many in _runs(rows, depth):
            found[first].append(HeadCell(label, down=many))
    return [tuple(labels) for labels in found]


def _runs(lines: Sequence[Labels], depth: int) -> list[tuple[int, str, int]]:
    """Labels at a depth: the first line of each, and over how many it stands, the innermost one."""
    found: list[tuple[int, str, int]] = []
    for index, labels in enumerate(lines):
        same = index and lines[index - 1][: depth + 1] == labels[: depth + 1]
        if same and depth + 1 < len(labels):
            first, label, many = found[-1]
            found[-1] = first, label, many + 1
        else:
            found.append((index, labels[depth], 1))
    return found
