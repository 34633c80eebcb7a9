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

    `keys` are the keys under which a snapshot has its rows, its columns and the label of a row.
    `stubs` are the heads over the labels of rows, `over` the names of the axes across.
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
        """Returns the table with the ids of the new edition.

        `path` is the path of the table in the new edition; `new_key` returns the new id at a path.
        """
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
    """Composes a table by its id, with the values and texts of the binder's edition."""
    view = TableComposer(binder, rules={}, notes={}).view(table_id, _ANY_ROOM)
    return keyed_table(binder.ruleset, view)


def keyed_table(ruleset: Ruleset, view: TableView) -> KeyedTable:
    """Indexes a table view by the ids of its rows and columns.

    Raises TypeError if the table has not been computed.
    """
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
    """The text of a cell in both editions; None in an edition that lacks the cell."""

    before: str | None
    after: str | None
    changed: bool = False


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row with all of its labels, those of the new edition if both have the row."""

    labels: Labels
    cells: tuple[ChangedCell, ...]
    kind: Literal["kept", "added", "removed"]

    @property
    def differs(self) -> bool:
        return self.kind != "kept" or any(cell.changed for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ChangedTable:
    """A table with its cells before and after; it has the rows and columns of both editions.

    If only one edition has the table, all cells of the other are None. `columns` are their heads,
    the outermost first, `over` the names of the axes above these.
    """

    stub_heads: Labels
    over: Labels
    columns: tuple[Labels, ...]
    rows: tuple[ChangedRow, ...]

    @property
    def heads(self) -> list[list[str]]:
        """All heads of each column, including those over several columns."""
        levels = [[cell.text for cell in row for _ in range(cell.across)] for row in self.head]
        return [[level[at] for level in levels] for at in range(len(self.columns))]

    @property
    def head(self) -> list[tuple[HeadCell, ...]]:
        """The head rows: for each axis across its name, if it has one, then its heads."""
        return column_heads(self.columns, self.over)

    @property
    def body(self) -> list[tuple[list[HeadCell], ChangedRow]]:
        """The rows with the labels that begin there: an outer label spans several rows."""
        labels = row_labels(
            [row.labels for row in self.rows], lambda text, down: HeadCell(text, down=down)
        )
        return list(zip(labels, self.rows, strict=True))

    @property
    def lines(self) -> Iterator[str]:
        """The rows of a table that only one edition has, as text: + Guard: Move 8″, Men 24."""
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
    """The cells of a table to show as changed, by row and column; "" stands for all of them.

    `itself` tells that the table as a whole is another one.
    """

    cells: frozenset[tuple[str, str]]
    itself: bool = False

    @property
    def many(self) -> bool:
        """Whether there is more than one cell, so that a table shows them best."""
        return len(self.cells) > 1 or any("" in cell for cell in self.cells)

    def has(self, row: str, column: str) -> bool:
        return not self.cells.isdisjoint({("", ""), (row, ""), ("", column), (row, column)})


def changed_cells(changes: Iterable[EditionChange], depth: int, *, whole: bool) -> ChangedCells:
    """Finds the cells of a table that changes affect; the table's path has `depth` keys.

    `whole` tells that the table itself was added, removed or replaced.
    """
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
    """Compares a table in both editions, with the ids of the new edition in both.

    A table that only one edition has is shown whole; one that became another kind is there twice,
    as it was and as it is. Cells outside of `shown` have their new text only.
    """
    if old and new and (shown.itself or old.shape != new.shape):
        return _merged(old, None, shown), _merged(None, new, shown)
    return (_merged(old, new, shown),) if old or new else ()


_NOTHING = KeyedTable(("", "", ""), "", (), (), {}, {}, {})


def _merged(
    before: KeyedTable | None, after: KeyedTable | None, shown: ChangedCells
) -> ChangedTable:
    """Merges a table of both editions into one; None stands for an edition that lacks it."""
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
