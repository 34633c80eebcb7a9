"""A table of two editions as it prints -> its cells by their ids, and one table of what changed.

Bars, and notes on changes alike, lay the tables of two editions beside each other by their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.printed_parts import LEFT_OPEN
from rulebook.documents.parts.tables import TableComposer, column_heads, name_over, row_labels
from rulebook.documents.parts.views import HeadCell, TableView
from rulebook.model.grids import Grid
from rulebook.model.record_tables import TableOfRows
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import ROWS_AT
from rulebook.revisions import likeness
from rulebook.revisions.changes import EditionChange, Path
from rulebook.translation import gettext

#: The labels of a row or the heads of a column, the outermost first.
Labels: TypeAlias = "tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class KeyedTable:
    """A table by the ids of its rows and columns, in plain text.

    A snapshot keeps its rows under the first of `keys`, its columns under the second and the label
    of a row under the third. `stubs` stand over the labels of rows, `over` names axes across.
    """

    keys: tuple[str, str, str]
    about: str
    stubs: Labels
    over: Labels
    rows: dict[str, Labels]
    columns: dict[str, Labels]
    cells: dict[tuple[str, str], str]

    @property
    def shape(self) -> tuple[int, int]:
        """How many labels a row has, and how many heads a column."""
        return len(self.stubs), max(map(len, self.columns.values()), default=0)

    def renamed(self, path: Path, new_key: Callable[[Path], str]) -> KeyedTable:
        """The table with the ids of the new edition, in which it stands at a path."""
        data, fields, _ = self.keys
        # The columns of a grid are known by what they are called in its rows.
        rows = {key: new_key((*path, data, key)) for key in self.rows}
        columns = {key: new_key((*path, fields, key)) for key in self.columns}
        return replace(
            self,
            rows={rows[key]: labels for key, labels in self.rows.items()},
            columns={columns[key]: heads for key, heads in self.columns.items()},
            cells={(rows[row], columns[key]): text for (row, key), text in self.cells.items()},
        )


#: The columns of a table are counted in characters; here no column is measured.
_ANY_ROOM = 76


def composed_table(binder: Binder, table_id: str) -> KeyedTable:
    """A table by its id, with the words of an edition."""
    view = TableComposer(binder, rules={}, notes={}).view(table_id, _ANY_ROOM)
    return keyed_table(binder.ruleset, view)


def keyed_table(ruleset: Ruleset, view: TableView) -> KeyedTable:
    """A table by its view; its ruleset has been computed."""
    table = ruleset.all_tables[view.id]
    labels = [tuple(plain_text(label.text) for label in row.labels) for row in view.body]
    over: Labels = ("",)
    if isinstance(table, Grid):
        keys = ("data", "columns", "title")
        labels = [tuple(choice.title for choice in place) for place in table.positions("rows")]
        rows = table.keys_along("rows")
        heads = {
            key: tuple(choice.title for choice in place)
            for key, place in zip(
                table.keys_along("columns") or [""], table.positions("columns"), strict=True
            )
        }
        over = tuple(map(name_over, table.columns))
    elif isinstance(table, TableOfRows):
        keys = table.written_keys
        rows = list(table.data)
        heads = {name: (table.title_of(name),) for name in table.fields}
    else:
        raise TypeError(f"the table '{view.id}' has not been computed")
    return KeyedTable(
        keys,
        view.about,
        view.stub_heads,
        over,
        dict(zip(rows, labels, strict=True)),
        heads,
        {
            (key, column): gettext(LEFT_OPEN) if cell.missing else cell.text
            for key, row in zip(rows, view.body, strict=True)
            for column, cell in zip(heads, row.cells, strict=True)
        },
    )


#: Of a table with more rows only those that changed are shown.
MOST_ROWS = 12
#: What a row says of itself, beside its cells.
_OF_ROW = ("title", "note", "source", "status", "when", "up_to")


@dataclass(frozen=True, slots=True)
class ChangedCell:
    """A cell of both editions; the text of one that has it not is None."""

    before: str | None
    after: str | None
    changed: bool = False


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row with all of its labels, those of the new edition where both have it."""

    labels: Labels
    cells: tuple[ChangedCell, ...]
    kind: Literal["kept", "added", "removed"]

    @property
    def differs(self) -> bool:
        return self.kind != "kept" or any(cell.changed for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ChangedTable:
    """A table with what its cells were and are; rows and columns of either edition stand in it.

    Of a table that only one edition has, all cells of the other are None. `columns` are their
    heads, the outermost first, `over` the names of axes that stand over these.
    """

    stub_heads: Labels
    over: Labels
    columns: tuple[Labels, ...]
    rows: tuple[ChangedRow, ...]

    @property
    def heads(self) -> list[list[str]]:
        """All heads of each column, those over several columns as well."""
        levels = [[cell.text for cell in row for _ in range(cell.across)] for row in self.head]
        return [[level[at] for level in levels] for at in range(len(self.columns))]

    @property
    def head(self) -> list[tuple[HeadCell, ...]]:
        """A head row for each axis across, an outer head over its inner ones, and names of axes."""
        return column_heads(self.columns, self.over)

    @property
    def body(self) -> list[tuple[list[HeadCell], ChangedRow]]:
        """The rows with the labels that begin there: an outer one stands over its inner ones."""
        labels = row_labels(
            [row.labels for row in self.rows], lambda text, down: HeadCell(text, down=down)
        )
        return list(zip(labels, self.rows, strict=True))

    @property
    def lines(self) -> Iterator[str]:
        """The rows of a table that only one edition has, in words: + Guard: Move 8″, Men 24."""
        sign = "- " if all(row.kind == "removed" for row in self.rows) else "+ "
        for row in self.rows:
            texts = [cell.before if cell.after is None else cell.after for cell in row.cells]
            named = (
                f"{heads[-1]} {text or ''}" if heads and heads[-1] else text or ""
                for heads, text in zip(self.columns, texts, strict=True)
            )
            yield sign + ": ".join(filter(None, (", ".join(row.labels), ", ".join(named))))


@dataclass(frozen=True, slots=True)
class ChangedCells:
    """Cells of a table that are shown as changed, by row and column; "" stands for all of them.

    `itself`: it is another table.
    """

    cells: frozenset[tuple[str, str]]
    itself: bool = False

    @property
    def many(self) -> bool:
        """Whether they are more than one cell, so that a table shows them best."""
        return len(self.cells) > 1 or any("" in cell for cell in self.cells)

    def has(self, row: str, column: str) -> bool:
        return not self.cells.isdisjoint({("", ""), (row, ""), ("", column), (row, column)})


def changed_cells(changes: Iterable[EditionChange], depth: int, *, whole: bool) -> ChangedCells:
    """The cells that some changes of a table change; its path has `depth` keys."""
    cells: set[tuple[str, str]] = {("", "")} if whole else set()
    for change in changes:
        part, *keys = change.path[depth:] or ("",)
        of_rows = part == ROWS_AT[change.path[1]]
        if change.kind == "moved":
            continue
        if part in ("rows", "columns") and not of_rows:
            cells |= {("", "")} if len(keys) == 2 else set()
        elif part in ("fields", "changes") and len(keys) == 1:
            cells.add(("", keys[0]))
        elif of_rows and len(keys) < 2:
            if not keys or change.kind != "renamed":
                cells.add((keys[0] if keys else "", ""))
        elif of_rows and len(keys) == 2 and keys[1] not in _OF_ROW:
            cells.add((keys[0], keys[1]))
    return ChangedCells(frozenset(cells), whole)


def changed_tables(
    old: KeyedTable | None, new: KeyedTable | None, shown: ChangedCells
) -> tuple[ChangedTable, ...]:
    """A table as it was and is, with the ids of the new edition in both.

    A table that only one edition has is shown whole; one that became another kind stands there
    twice, as it was and as it is. Cells that are not to be `shown` stand there as they are now.
    """
    if old and new and (shown.itself or old.shape != new.shape):
        return _merged(old, None, shown), _merged(None, new, shown)
    return (_merged(old, new, shown),) if old or new else ()


_NOTHING = KeyedTable(("", "", ""), "", (), (), {}, {}, {})


def _merged(
    before: KeyedTable | None, after: KeyedTable | None, shown: ChangedCells
) -> ChangedTable:
    """One table of both editions; None stands for one that an edition lacks."""
    old, new = before or _NOTHING, after or _NOTHING
    columns = {**old.columns, **new.columns}
    # What went is to be seen where the list says that it went.
    across = likeness.together(list(old.columns), list(new.columns))
    seen = [key for key in across if after is None or key in new.columns or shown.has("", key)]
    body: list[ChangedRow] = []
    for row in likeness.together(list(old.rows), list(new.rows)):
        gone, is_shown = row not in new.rows, shown.has(row, "")
        if after is not None and gone and not is_shown:
            continue
        added = row not in old.rows and (before is None or is_shown)
        cells = []
        for column in seen:
            was, now = (table.cells.get((row, column)) for table in (old, new))
            differs = (was or "") != (now or "")
            changed = differs and (not (before and after) or shown.has(row, column))
            cells.append(ChangedCell(was, now, True) if changed else ChangedCell(now, now))
        labels = (old if gone else new).rows[row]
        kind: Literal["kept", "added", "removed"] = "added" if added else "kept"
        body.append(ChangedRow(labels, tuple(cells), "removed" if gone else kind))
    if before and after and len(body) > MOST_ROWS:
        body = [row for row in body if row.differs]
    named = tuple(columns[key] for key in seen)
    return ChangedTable((after or old).stubs, (after or old).over, named, tuple(body))
