"""A table of one edition as it prints -> its labels, heads and cells by their ids.

So the tables of two editions are laid beside each other, for bars and for notes on changes alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.printed_parts import LEFT_OPEN
from rulebook.documents.parts.tables import TableComposer
from rulebook.documents.parts.views import TableView
from rulebook.model.grids import Axis, Grid
from rulebook.model.record_tables import ModifierTable, RecordTable
from rulebook.model.ruleset import Ruleset
from rulebook.revisions.changes import Path
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
        """The same with the ids of the new edition, in which the table stands at a path."""
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
    """A table with the words of an edition, as wide as it is."""
    view = TableComposer(binder, rules={}, notes={}).view(table_id, _ANY_ROOM)
    return keyed_table(binder.ruleset, view)


def keyed_table(ruleset: Ruleset, view: TableView) -> KeyedTable:
    """A table of a ruleset that has been computed, by its view."""
    table = ruleset.modifiers.get(view.id) or ruleset.tables[view.id]
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
        over = tuple(map(_over, table.columns))
    elif isinstance(table, ModifierTable):
        keys, rows = ("rows", "changes", "when"), list(table.rows)
        heads = {name: (table.title_of(name),) for name in table.changes}
    elif isinstance(table, RecordTable):
        keys, rows = ("data", "fields", "title"), list(table.data)
        heads = {name: (cell.text,) for name, cell in zip(table.fields, view.head[-1], strict=True)}
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


def _over(axis: Axis) -> str:
    """What stands over the columns of an axis that do not say themselves what they are."""
    if axis.die:
        return gettext("%(axis)s of %(die)s", axis=axis.title, die=axis.die)
    return axis.title if axis.headed else ""
