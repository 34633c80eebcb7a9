"""A table of the new edition -> what of its rows and cells was otherwise in the edition before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulebook.documents.marks.causes import Causes, EarlierBinder
from rulebook.documents.parts.binding import plain_text
from rulebook.documents.parts.tables import TableComposer
from rulebook.documents.parts.views import BodyRow, TableView
from rulebook.model.modifiers import ModifierTable
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid, RecordTable
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
        path = (*_collection(self.now.ruleset, view.id), view.id)
        was = self.causes.was(*path)
        if not _has(self.then.ruleset, was):
            return None if self.causes.editorial(*path) else TableMarks(new=True)
        old = _Keyed(self.then.ruleset, was, self._earlier.view(was, _ANY_ROOM))
        marks = self._between(path, _Keyed(self.now.ruleset, view.id, view), old)
        return marks if marks.any else None

    def _between(self, path: tuple[str, ...], new: _Keyed, old: _Keyed) -> TableMarks:
        data = (*path, new.data)
        names = {key: self.causes.was(*data, key) for key in new.rows}
        fields = {key: self.causes.was(*path, new.fields, key) for key in new.columns}
        rows = tuple(self._row((*data, key), was, fields, new, old) for key, was in names.items())
        about = None
        if old.view.about != new.view.about and not self.causes.editorial(*path, "about"):
            about = old.view.about
        kept = set(names.values())
        gone = [key for key in old.rows if key not in kept]
        went = [key for key in old.columns if key not in fields.values()]
        return TableMarks(
            new=False,
            about=about,
            rows=rows,
            gone=tuple(
                GoneRow(_behind(old, key, names), old.label(key), old.texts(key, fields.values()))
                for key in gone
                if not self.causes.editorial(*data, key)
            ),
            columns=tuple(
                old.head(key)
                for key in went
                if not self.causes.editorial(*path, new.fields, key) and old.head(key)
            ),
        )

    def _row(
        self,
        path: tuple[str, ...],
        was: str,
        fields: Mapping[str, str],
        new: _Keyed,
        old: _Keyed,
    ) -> RowMarks:
        key = path[-1]
        nothing = (None,) * len(fields)
        if was not in old.rows:
            return RowMarks(not self.causes.editorial(*path), None, nothing)
        label = None
        if old.label(was) != new.label(key) and not self.causes.editorial(*path, new.titled):
            label = old.label(was)
        cells = []
        for field, field_was in fields.items():
            before, after = old.text(was, field_was), new.text(key, field)
            same = before == after or self.causes.editorial(*path, field)
            cells.append(None if same else before or "")
        return RowMarks(False, label, tuple(cells))


def _collection(ruleset: Ruleset, table_id: str) -> tuple[str, str]:
    return ("collections", "modifiers" if table_id in ruleset.modifiers else "tables")


def _has(ruleset: Ruleset, table_id: str) -> bool:
    return table_id in ruleset.tables or table_id in ruleset.modifiers


def _behind(old: _Keyed, key: str, names: Mapping[str, str]) -> int:
    """Behind how many rows of the new edition a row stood that is gone."""
    before = old.rows[: old.rows.index(key)]
    places = {was: place for place, was in enumerate(names.values(), start=1)}
    return max((places[was] for was in before if was in places), default=0)


@dataclass(frozen=True)
class _Keyed:
    """A table as it prints, its rows and columns by their ids."""

    ruleset: Ruleset
    id: str
    view: TableView

    @cached_property
    def table(self) -> object:
        return self.ruleset.modifiers.get(self.id) or self.ruleset.tables[self.id]

    @property
    def data(self) -> str:
        """The key of a table's rows in a snapshot."""
        return "rows" if isinstance(self.table, ModifierTable) else "data"

    @property
    def fields(self) -> str:
        """The key of its columns."""
        if isinstance(self.table, ModifierTable):
            return "changes"
        return "fields" if isinstance(self.table, RecordTable) else "columns"

    @property
    def titled(self) -> str:
        """The key of what a row is labelled with."""
        return "when" if isinstance(self.table, ModifierTable) else "title"

    @cached_property
    def rows(self) -> list[str]:
        table = self.table
        if isinstance(table, Grid):
            return table.keys_along("rows")
        return list(table.rows if isinstance(table, ModifierTable) else table.data)  # type: ignore[attr-defined]

    @cached_property
    def columns(self) -> list[str]:
        table = self.table
        if isinstance(table, Grid):
            return table.keys_along("columns") or [""]
        return list(table.changes if isinstance(table, ModifierTable) else table.fields)  # type: ignore[attr-defined]

    @cached_property
    def _body(self) -> dict[str, BodyRow]:
        return dict(zip(self.rows, self.view.body, strict=True))

    def label(self, row: str) -> str:
        """The innermost label of a row."""
        return " ".join(label.text for label in self._body[row].labels[-1:])

    def text(self, row: str, column: str) -> str | None:
        """What a cell prints, None where there is none."""
        if row not in self._body or column not in self.columns:
            return None
        return self._body[row].cells[self.columns.index(column)].text

    def texts(self, row: str, columns: object) -> tuple[str, ...]:
        return tuple(self._texts(row, columns))

    def _texts(self, row: str, columns: object) -> Iterator[str]:
        for column in columns:  # type: ignore[attr-defined]
            yield self.text(row, column) or ""

    def head(self, column: str) -> str:
        """What stands at the head of a column."""
        last = self.view.head[-1] if self.view.head else ()
        at = self.columns.index(column)
        return plain_text(last[at].text) if len(last) == len(self.columns) else ""
