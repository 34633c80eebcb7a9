"""A table of two editions as it prints -> its cells by their ids, and one table of what changed.

Bars, and notes on changes alike, lay the tables of two editions beside each other by their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
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
from rulebook.revisions.changes import OF_ROW, EditionChange, Path
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
        """The number of labels of a row, and the number of heads of a column."""
        return len(self.stubs), max(map(len, self.columns.values()), default=0)

    def renamed(self, path: Path, new_key: Callable[[Path], str]) -> KeyedTable:
        """Returns this table of the old edition with the new ids of its rows and columns.

        `path` is the path of the table in the new edition. `new_key` returns the new id of a part,
        given its path with the old id at the end.
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
    """Returns a table indexed by the ids of its rows and columns, composed with a binder."""
    view = TableComposer(binder).view(table_id, _ANY_ROOM)
    return keyed_table(binder.ruleset, view)


def keyed_table(ruleset: Ruleset, view: TableView) -> KeyedTable:
    """Returns the texts of a table view, indexed by the ids of its rows and columns.

    Raises TypeError if the table has not been computed.
    """
    table = ruleset.all_tables[view.id]
    labels = [tuple(plain_text(label.text) for label in row.labels) for row in view.body]
    over: Labels = ("",)
    if isinstance(table, Grid):
        keys = ("data", "columns", "title")
        labels = [tuple(choice.title for choice in place) for place in table.positions("rows")]
        rows = table.keys_along("rows")
        across = zip(table.keys_along("columns") or [""], table.positions("columns"), strict=True)
        heads = {key: tuple(choice.title for choice in place) for key, place in across}
        over = tuple(map(name_over, table.columns))
    elif isinstance(table, TableOfRows):
        keys = table.written_keys
        rows = list(table.data)
        heads = {name: (table.title_of(name),) for name in table.fields}
    else:
        raise TypeError(f"the table '{view.id}' has not been computed")
    cells = {
        (key, column): gettext(LEFT_OPEN) if cell.missing else cell.text
        for key, row in zip(rows, view.body, strict=True)
        for column, cell in zip(heads, row.cells, strict=True)
    }
    labelled = dict(zip(rows, labels, strict=True))
    return KeyedTable(keys, view.about, view.stub_heads, over, labelled, heads, cells)


#: Of a table with more rows only those that changed are shown.
MOST_ROWS = 12
#: What a row has that is none of its cells.
_BESIDE_CELLS = (*OF_ROW, "when", "up_to")


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
        """The heads of each column, including those over several columns, the outermost first."""
        levels = [[cell.text for cell in row for _ in range(cell.across)] for row in self.head]
        return [[level[at] for level in levels] for at in range(len(self.columns))]

    @property
    def head(self) -> list[tuple[HeadCell, ...]]:
        """The head rows: for each axis across, its name if it has one, and its heads."""
        return column_heads(self.columns, self.over)

    @property
    def body(self) -> list[tuple[list[HeadCell], ChangedRow]]:
        """The rows, each with the labels that begin in it; an outer label may span several rows."""
        labels = row_labels(
            [row.labels for row in self.rows], lambda text, down: HeadCell(text, down=down)
        )
        return list(zip(labels, self.rows, strict=True))

    @property
    def lines(self) -> Iterator[str]:
        """The rows of a table that only one edition has, as text: "+ Guard: Move 8″, Men 24"."""
        sign = "- " if all(row.kind == "removed" for row in self.rows) else "+ "
        for row in self.rows:
            texts = [cell.before if cell.after is None else cell.after for cell in row.cells]
            named = (
                f"{heads[-1]} {text or ''}" if heads and heads[-1] else text or ""
                for heads, text in zip(self.columns, texts, strict=True)
            )
            yield sign + ": ".join(filter(None, (", ".join(row.labels), ", ".join(named))))


#: Cells of a table to show as changed, by row and column; "" stands for all of them.
CellKeys: TypeAlias = "Set[tuple[str, str]]"
_ALL = {("", "")}


def changed_cells(changes: Iterable[EditionChange], depth: int) -> CellKeys:
    """Returns the rows and columns of the table cells that changes affect.

    An empty row or column stands for all of them. The first `depth` keys of the path of a change
    lead to the table. Returns none if only a single cell is affected, which needs no table.
    """
    cells: set[tuple[str, str]] = set()
    for change in changes:
        part, *keys = change.path[depth:] or ("",)
        of_rows = part == ROWS_AT[change.path[1]]
        if change.kind == "moved":
            continue
        if part in ("rows", "columns") and not of_rows:
            cells |= _ALL if len(keys) == 2 else set()
        elif part in ("fields", "changes") and len(keys) == 1:
            cells.add(("", keys[0]))
        elif of_rows and len(keys) < 2:
            if not keys or change.kind != "renamed":
                cells.add((keys[0] if keys else "", ""))
        elif of_rows and len(keys) == 2 and keys[1] not in _BESIDE_CELLS:
            cells.add((keys[0], keys[1]))
    return cells if len(cells) > 1 or any("" in cell for cell in cells) else set()


def changed_tables(
    old: KeyedTable | None, new: KeyedTable | None, shown: CellKeys | None
) -> tuple[ChangedTable, ...]:
    """Compares a table in both editions; `old` must have the ids of the new edition.

    Returns one table with the cells in `shown` before and after, and the others with their new
    text. If the number of axes differs or `shown` is None, returns the whole old table and the
    whole new one, or just one of them if only one edition has the table.
    """
    if old and new and shown is not None and old.shape == new.shape:
        return (_merged(old, new, shown),)
    went = (_merged(old, _NOTHING, _ALL),) if old else ()
    return (*went, _merged(_NOTHING, new, _ALL)) if new else went


_NOTHING = KeyedTable(("", "", ""), "", (), (), {}, {}, {})


def _merged(old: KeyedTable, new: KeyedTable, shown: CellKeys) -> ChangedTable:
    """Merges a table of both editions into one that shows changes in the cells `shown`.

    Removed rows and columns are included only if they are to be shown. If both editions have the
    table and there are more than MOST_ROWS rows, those without differences are left out.
    """

    def is_shown(row: str, column: str) -> bool:
        return not shown.isdisjoint({("", ""), (row, ""), ("", column), (row, column)})

    heads = {**old.columns, **new.columns}
    # What went is to be seen where the list says that it went.
    across = likeness.together(list(old.columns), list(new.columns))
    columns = [key for key in across if key in new.columns or is_shown("", key)]
    body: list[ChangedRow] = []
    for row in likeness.together(list(old.rows), list(new.rows)):
        kind: Literal["kept", "added", "removed"] = "kept"
        if is_shown(row, "") and (row not in old.rows or row not in new.rows):
            kind = "added" if row in new.rows else "removed"
        elif row not in new.rows:
            continue
        cells = []
        for column in columns:
            was, now = (table.cells.get((row, column)) for table in (old, new))
            changed = (was or "") != (now or "") and is_shown(row, column)
            cells.append(ChangedCell(was, now, True) if changed else ChangedCell(now, now))
        labels = (new if row in new.rows else old).rows[row]
        body.append(ChangedRow(labels, tuple(cells), kind))
    if old.rows and new.rows and len(body) > MOST_ROWS:
        body = [row for row in body if row.differs]
    named = tuple(heads[key] for key in columns)
    return ChangedTable(new.stubs or old.stubs, new.over or old.over, named, tuple(body))
