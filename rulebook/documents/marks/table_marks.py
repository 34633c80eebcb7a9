"""A table of the new edition -> which of its rows and cells changed since the one before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulebook.documents.marks.causes import Causes, EarlierBinder
from rulebook.documents.parts.binding import plain_text
from rulebook.documents.parts.tables import TableComposer
from rulebook.documents.parts.views import TableView
from rulebook.model.modifiers import ModifierTable
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.revisions.changes import Path
from rulebook.revisions.text_marks import GoneRow, RowMarks, TableMarks

#: The columns of a table are counted in characters; here no column is measured.
_ANY_ROOM = 76


@dataclass(frozen=True)
class TableMarker:
    """Lays tables of two editions beside each other, rows and columns by their ids.

    `then` binds the texts of the edition before, `now` those of the new one, with the values of the
    edition before; see `causes`.
    """

    causes: Causes
    then: EarlierBinder
    now: EarlierBinder

    @cached_property
    def _earlier(self) -> TableComposer:
        return TableComposer(self.then, rules={}, notes={})

    def marks(self, view: TableView) -> TableMarks | None:
        """The marks of a table, None where nothing but words changed in it."""
        kind = "modifiers" if view.id in self.now.ruleset.modifiers else "tables"
        path = ("collections", kind, view.id)
        was, then = self.causes.was(*path), self.then.ruleset
        if was not in then.tables and was not in then.modifiers:
            return None if self.causes.editorial(*path) else TableMarks(new=True)
        new = _Keyed.of(self.now.ruleset, view)
        marks = self._between(path, new, _Keyed.of(then, self._earlier.view(was, _ANY_ROOM)))
        return marks if marks.any else None

    def _between(self, path: Path, new: _Keyed, old: _Keyed) -> TableMarks:
        editorial, was = self.causes.editorial, self.causes.was
        data = (*path, new.data)
        names = {key: was(*data, key) for key in new.rows}
        fields = {key: was(*path, new.fields, key) for key in new.columns}
        rows = (self._row((*data, key), was, fields, new, old) for key, was in names.items())
        reworded = old.view.about != new.view.about and not editorial(*path, "about")
        gone = [key for key in old.rows if key not in names.values()]
        went = [key for key in old.columns if key not in fields.values()]
        return TableMarks(
            new=False,
            about=old.view.about if reworded else None,
            rows=tuple(rows),
            gone=tuple(
                GoneRow(_behind(old, key, names), old.label(key), old.texts(key, fields.values()))
                for key in gone
                if not editorial(*data, key)
            ),
            columns=tuple(
                old.head(key)
                for key in went
                if not editorial(*path, new.fields, key) and old.head(key)
            ),
        )

    def _row(
        self, path: Path, was: str, fields: Mapping[str, str], new: _Keyed, old: _Keyed
    ) -> RowMarks:
        key, editorial = path[-1], self.causes.editorial
        if was not in old.rows:
            return RowMarks(not editorial(*path), None, (None,) * len(fields))
        same_label = old.label(was) == new.label(key) or editorial(*path, new.titled)
        cells = []
        for field, field_was in fields.items():
            before, after = old.text(was, field_was), new.text(key, field)
            same = before == after or editorial(*path, field)
            cells.append(None if same else before or "")
        return RowMarks(False, None if same_label else old.label(was), tuple(cells))


def _behind(old: _Keyed, key: str, names: Mapping[str, str]) -> int:
    """Behind how many rows of the new edition a row stood that is gone."""
    before = old.rows[: old.rows.index(key)]
    places = {was: place for place, was in enumerate(names.values(), start=1)}
    return max((places[was] for was in before if was in places), default=0)


@dataclass(frozen=True, slots=True)
class _Keyed:
    """A table as it prints, its rows and columns by their ids.

    `data`, `fields` and `titled` are what a snapshot calls its rows, its columns, and the label of
    a row.
    """

    view: TableView
    data: str
    fields: str
    titled: str
    rows: list[str]
    columns: list[str]

    @classmethod
    def of(cls, ruleset: Ruleset, view: TableView) -> _Keyed:
        table = ruleset.modifiers.get(view.id) or ruleset.tables[view.id]
        if isinstance(table, ModifierTable):
            rows, columns = list(table.rows), list(table.changes)
            return cls(view, "rows", "changes", "when", rows, columns)
        if isinstance(table, RecordTable):
            rows, columns = list(table.data), list(table.fields)
            return cls(view, "data", "fields", "title", rows, columns)
        if not isinstance(table, Grid):
            raise TypeError(f"the table '{view.id}' has not been computed")
        rows, columns = table.keys_along("rows"), table.keys_along("columns") or [""]
        return cls(view, "data", "columns", "title", rows, columns)

    def label(self, row: str) -> str:
        """The innermost label of a row."""
        return " ".join(one.text for one in self.view.body[self.rows.index(row)].labels[-1:])

    def text(self, row: str, column: str) -> str | None:
        """What a cell prints, None where there is none."""
        if row not in self.rows or column not in self.columns:
            return None
        return self.view.body[self.rows.index(row)].cells[self.columns.index(column)].text

    def texts(self, row: str, columns: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.text(row, column) or "" for column in columns)

    def head(self, column: str) -> str:
        """What stands at the head of a column."""
        last = self.view.head[-1] if self.view.head else ()
        at = self.columns.index(column)
        return plain_text(last[at].text) if len(last) == len(self.columns) else ""
