"""Names of entities with keys and parts after them -> typed look-ups in tables and cutouts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from rulebook.core import cells, value_types
from rulebook.core.binding import Typed, applied, literal
from rulebook.core.faults import EmptyCell, RunFault, Spot
from rulebook.core.scope import Scope
from rulebook.model import expressions
from rulebook.model.cells import Cell, Sought, nearest, some_words
from rulebook.model.computed import ComputedTable
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.expressions import Tree
from rulebook.model.lookup import KINDS, find, find_entity
from rulebook.model.modifiers import ModifierTable
from rulebook.model.paths import LookupFault
from rulebook.model.provenance import Status
from rulebook.model.tables import Grid, RecordTable

#: Reads a tree, a text by the kind beside it.
Read = Callable[[Tree, value_types.Kind | None], Typed | None]
Steps = Sequence[expressions.Part | expressions.LookUp]


@dataclass(frozen=True, slots=True)
class Lookups:
    """Looks up the names of one expression; `read` reads the keys."""

    scope: Scope
    spot: Spot
    read: Read

    def _fault(self, key: str, piece: expressions.Piece, /, **values: Any) -> None:
        self.scope.findings.add(key, self.spot.of(piece), **values)

    def entity(
        self, base: expressions.Name, steps: Steps, beside: value_types.Kind | None = None
    ) -> Typed | None:
        """What an entity of the ruleset holds at some keys and parts."""
        ruleset = self.scope.ruleset
        known = find_entity(ruleset, base.id)
        entity = known[1] if known else None
        if known:
            self.scope.findings.looks_up(known[0], base.id)
        if isinstance(entity, Grid):
            return self._grid(base, entity, steps)
        if isinstance(entity, RecordTable):
            return self._record(base, entity, steps)
        if isinstance(entity, ModifierTable) and steps and isinstance(steps[0], expressions.LookUp):
            return self._record(base, entity, steps)
        if isinstance(entity, ModifierTable | Cutout):
            return self._fixed(base, steps)
        if isinstance(entity, ComputedTable):
            self._fault("R305 computed table", base, name=base.id, procedure=entity.computed)
            return None
        self._no_name(base, known[0] if known else None, beside)
        return None

    def _no_name(
        self, base: expressions.Name, collection: str | None, beside: value_types.Kind | None
    ) -> None:
        ruleset = self.scope.ruleset
        if collection:
            self._fault("R305 kind in an expression", base, name=base.id, kind=KINDS[collection])
            return
        of_game = [*ruleset.tables, *ruleset.modifiers, *ruleset.cutouts]
        word = self._as_word(base, beside)
        hint = "" if word else nearest(base.id, [*self.scope.names, *of_game])
        name = hint.split("'")[1] if hint else ""
        meant = find_entity(ruleset, name) if name else None
        self._fault(
            "R301 name in an expression",
            base,
            also=(meant[0], name) if meant and name not in self.scope.names else None,
            name=base.id,
            word=word,
            hint=hint,
            whole_word=self._whole_word(base),
            other=name,
        )

    def _as_word(self, base: expressions.Name, beside: value_types.Kind | None) -> str:
        """The hint for a name that can only be meant as a word, a flag or dice."""
        known = beside.keys if isinstance(beside, value_types.Word) else ()
        near = get_close_matches(base.id, known, n=1, cutoff=0.8)
        if near:
            return f"write '{near[0]}', in single quotes"
        if base.id in ("yes", "no"):
            return f"write {'true' if base.id == 'yes' else 'false'}"
        if re.fullmatch(r"d[0-9]+", base.id):
            return "throw dice in a 'roll' step, and reckon with the name of the throw"
        return ""

    def _whole_word(self, base: expressions.Name) -> str:
        """The hint for a name alone: YAML takes away the quotes that a word was given."""
        whole = self.spot.expression is not None and self.spot.expression.text.strip() == base.id
        return f"write \"'{base.id}'\", with both quotes, if a word is meant" if whole else ""

    def into(self, typed: Typed, step: expressions.Part | expressions.LookUp) -> Typed | None:
        """A field of a row that a name holds."""
        kind = typed.kind
        if isinstance(step, expressions.Part) and isinstance(kind, value_types.Word) and kind.table:
            table = self.scope.ruleset.tables.get(kind.table)
            if isinstance(table, RecordTable):
                return self._field(kind.table, table, typed, step)
            amounts = self._amounts(kind.table, step.name, step)
            if amounts is None:
                return None
            return applied(value_types.Number(), lambda row: amounts.get(row, 0), typed)
        if isinstance(step, expressions.Part) and isinstance(kind, value_types.Conditions):
            self._fault("R421 any conditions", step, name=step.name)
            return None
        what = f"'.{step.name[:40]}'" if isinstance(step, expressions.Part) else "keys in brackets"
        self._fault("R421 part after a kind", step, what=what, kind=kind)
        return None

    def _field(
        self, table_id: str, table: RecordTable, row: Typed, step: expressions.Part
    ) -> Typed | None:
        if step.name not in table.fields:
            here = expressions.Piece(step.end - len(step.name), step.end)
            name = Sought(step.name, list(table.fields))
            self._fault("R302 field of a table", here, name=name, table=table.title)
            return None
        self.scope.findings.looks_up("tables", table_id)
        column = cells.field_column(self.scope.ruleset, table_id, table, step.name)
        if column is None:
            self._not_reckoned(table.fields[step.name].type.name, step)
            return None
        return applied(column.kind, self._taking(column.values, step), row)

    def _not_reckoned(self, what: str, piece: expressions.Piece) -> None:
        self._fault("R421 cells", piece, what=what)

    def _taking(
        self, values: Mapping[object, Any], piece: expressions.Piece
    ) -> Callable[[Any], Any]:
        """Takes the value at a key; where the cell is empty, that is a fault of the play."""
        if not any(isinstance(value, cells.Empty) for value in values.values()):
            return values.__getitem__
        spot = self.spot.of(piece)

        def take(key: object) -> Any:
            value = values[key]
            if isinstance(value, cells.Empty):
                raise _empty(value, spot, self.scope)
            return value

        return take

    def _grid(self, base: expressions.Name, grid: Grid, steps: Steps) -> Typed | None:
        first = steps[0] if steps else None
        if not isinstance(first, expressions.LookUp) or len(first.keys) != len(grid.axes):
            given = len(first.keys) if isinstance(first, expressions.LookUp) else 0
            shown = f"{base.id}[{', '.join(axis.name for axis in grid.axes)}]"
            if given:
                axes = f"{len(grid.axes)} ax{'i' if len(grid.axes) == 1 else 'e'}s"
                keyed = f"{given} key{'s' * (given > 1)}"
                self._fault(
                    "R307 keys of a grid", first or base, given=keyed, axes=axes, shown=shown
                )
            else:
                self._fault("R307 without keys", first or base, name=base.id, shown=shown)
            return None
        keys = [self._key(grid, number, key) for number, key in enumerate(first.keys)]
        column = cells.grid_column(self.scope.ruleset, base.id, grid)
        if column is None:
            self._not_reckoned(grid.cells.name, first)
            return None
        places = [place for place in keys if place is not None]
        if len(places) < len(keys):
            return None
        take = self._taking(column.values, first)
        typed: Typed | None = (
            applied(column.kind, take, *places)
            if len(places) == 1
            else applied(column.kind, lambda *at: take(at), *places)
        )
        for step in steps[1:]:
            typed = self.into(typed, step) if typed else None
        return typed

    def _key(self, grid: Grid, number: int, key: Tree) -> Typed | None:
        """The position along an axis that a key stands for."""
        axis = grid.axes[number]
        as_word = value_types.Word(tuple(axis.keys))
        text = isinstance(key, expressions.Name) or (
            isinstance(key, expressions.Constant) and isinstance(key.value, str)
        )
        typed = self.read(key, as_word if text else None)
        if typed is None:
            return None
        locate = cells.locate_on(axis, typed.kind)
        if locate is None:
            known = some_words(axis.keys)
            self._fault("R421 kind on an axis", key, kind=typed.kind, axis=axis.name, known=known)
            return None
        spot = self.spot.of(key)

        def place(value: object) -> int:
            position = locate(value)
            if position is None:
                known = some_words(axis.keys)
                raise RunFault.of(
                    "R425 not on the axis", spot, value=value, axis=axis.name, known=known
                )
            return position

        return applied(value_types.Number(), place, typed)

    def _record(
        self, base: expressions.Name, table: RecordTable | ModifierTable, steps: Steps
    ) -> Typed | None:
        data = table.data if isinstance(table, RecordTable) else table.rows
        if isinstance(table, RecordTable):
            rows = cells.rows_of(base.id, table)
        else:
            rows = value_types.Word(tuple(data), base.id)
        if not steps:
            fields = list(table.fields if isinstance(table, RecordTable) else table.changes)
            self._fault("R308 whole table", base, name=base.id, row=rows.keys[0], field=fields[0])
            return None
        first = steps[0]
        if isinstance(first, expressions.LookUp):
            typed = self._row(table, rows, first)
        elif first.name in data:
            typed = literal(first.name, rows)
        else:
            here = expressions.Piece(first.end - len(first.name), first.end)
            name = Sought(first.name, rows.keys)
            self._fault("R302 row in an expression", here, name=name, table=table.title)
            return None
        for step in steps[1:]:
            typed = self.into(typed, step) if typed else None
        return typed

    def _row(
        self, table: RecordTable | ModifierTable, rows: value_types.Word, step: expressions.LookUp
    ) -> Typed | None:
        if len(step.keys) != 1:
            self._fault("R307 keys for rows", step, count=len(step.keys))
            return None
        typed = self.read(step.keys[0], rows)
        if typed is None:
            return None
        if not isinstance(typed.kind, value_types.Word) or not set(typed.kind.keys) <= set(
            rows.keys
        ):
            here = step.keys[0]
            known = some_words(rows.keys)
            self._fault("R421 names no row", here, kind=typed.kind, table=table.title, known=known)
            return None
        return applied(rows, lambda key: key, typed)

    def _fixed(self, base: expressions.Name, steps: Steps) -> Typed | None:
        """A value of a cutout or of a modifier table, named by a path of words."""
        words = [base.id]
        for step in steps:
            if not isinstance(step, expressions.Part):
                self._fault("R307 no axes", step, name=base.id)
                return None
            words.append(step.name)
        start = base.start
        try:
            found = find(self.scope.ruleset, ".".join(words))
        except LookupFault as fault:
            piece = expressions.Piece(start + fault.start, start + max(fault.end, fault.start + 1))
            findings, here = self.scope.findings, self.spot.of(piece)
            findings.pass_on(fault.code, fault.message, here, fault.expected, fault.hint)
            return None
        value = found.value if isinstance(found, Cell) else found
        kind = value_types.Words() if value is None else cells.kind_of_value(value)
        plain = cells.value_of(value, kind) if value is not None and kind else None  # type: ignore[arg-type]
        if kind is None or plain is None:
            self._fault("R421 not a value", steps[-1], path=".".join(words))
            return None
        return literal(plain, kind)

    def asks_conditions(self, call: expressions.Call) -> bool:
        """Whether a sum or count is one of conditions; the sum of one thing can be nothing else."""
        alone = len(call.arguments) == 1
        if call.function == "sum":
            return alone
        one_row = len(call.arguments) == 2
        return call.function == "count" and (alone or one_row) and bool(self._conditions(call))

    def _conditions(self, call: expressions.Call) -> value_types.Conditions | None:
        """The kind of the first argument, or of what a part is of, if it is one of conditions."""
        inner = _whole(call.arguments[0])
        kind = self.scope.names.get(inner.id) if isinstance(inner, expressions.Name) else None
        return kind if isinstance(kind, value_types.Conditions) else None

    def of_conditions(self, call: expressions.Call) -> Typed | None:
        """`sum(conditions.to_hit)`, `count(conditions)` or `count(conditions, 'lost')`."""
        argument = call.arguments[0]
        kind = self._conditions(call)
        if kind is None:
            self._fault("R421 sum of no conditions", argument)
            return None
        conditions = self.read(_whole(argument), None)
        if conditions is None:
            return None
        if call.function == "count" and len(call.arguments) == 1:
            return applied(value_types.Number(), len, conditions)
        if call.function == "count":
            return self._times(conditions, value_types.Word(kind.keys), call.arguments[1])
        name = argument.name if isinstance(argument, expressions.Part) else ""
        amounts = self._amounts(kind.table, name, argument)
        if amounts is None:
            return None
        return applied(
            value_types.Number(), lambda rows: sum(amounts.get(row, 0) for row in rows), conditions
        )

    def _times(self, conditions: Typed, rows: value_types.Word, row: Tree) -> Typed | None:
        """How often one of some conditions holds."""
        typed = self.read(row, rows)
        if typed is None:
            return None
        if not isinstance(typed.kind, value_types.Word) or not set(typed.kind.keys) <= set(
            rows.keys
        ):
            self._fault("R421 no condition", row, kind=typed.kind, wanted=some_words(rows.keys))
            return None
        return applied(value_types.Number(), lambda of, one: of.count(one), conditions, typed)

    def _amounts(self, table_id: str, name: str, piece: expressions.Piece) -> dict[str, int] | None:
        """How much each row of a modifier table changes something; others change nothing."""
        self.scope.findings.looks_up("modifiers", table_id)
        table = self.scope.ruleset.modifiers[table_id]
        if name in table.changes:
            return self._reckoned(table_id, table, name, piece)
        self._fault(
            "R302 changes nothing",
            expressions.Piece(piece.end - len(name), piece.end) if name else piece,
            table=table.title,
            name=Sought(name, list(table.changes)),
        )
        return None

    def _reckoned(
        self, table_id: str, table: ModifierTable, name: str, piece: expressions.Piece
    ) -> dict[str, int] | None:
        """The amounts that a column of a modifier table has; None after one that is missing."""
        amounts: dict[str, int] = {}
        for key, row in table.rows.items():
            cell = row.amounts.get(name)
            if cell is not None and cell.status is Status.MISSING:
                there = ("modifiers", table_id, "rows", key, name)
                self._fault("R426 amount missing", piece, also=there, name=name, key=key)
                return None
            amounts[key] = row.amount(name) or 0
        return amounts


def _whole(tree: Tree) -> Tree:
    return tree.whole if isinstance(tree, expressions.Part) else tree


def _empty(cell: cells.Empty, spot: Spot, scope: Scope) -> RunFault:
    place = scope.ruleset.place(*cell.address)
    where = f": {place}" if place else ""
    kind = RunFault if cell.missing else EmptyCell
    return kind.of("R426 missing" if cell.missing else "R426 empty", spot, where=where)
