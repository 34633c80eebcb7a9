"""Names with keys and parts after them -> typed look-ups in tables and cutouts.

Cells are read as the values that expressions calculate with, each column of one kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.procedure_faults import EmptyCell, Findings, NotAllowed, RunFault, Spot
from rulebook.core.value_types import (
    ConditionsKind,
    DiceKind,
    FacesKind,
    FlagKind,
    Kind,
    LengthKind,
    NumberKind,
    TargetKind,
    TextKind,
    Typed,
    Value,
    WordKind,
    applied,
    literal,
)
from rulebook.model.axes import Axis, humanise
from rulebook.model.cells import Cell, CellType, nearest_word, some_words
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.expressions import Call, Constant, LookUp, Name, Part, Piece, Tree
from rulebook.model.lookup import KINDS, LookupFault, find, find_entity
from rulebook.model.modifiers import ModifierTable
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import ComputedTable, Grid, RecordTable


@dataclass(frozen=True, slots=True)
class Empty:
    """What stands in a cell that has no value: to calculate with it is a fault."""

    address: Address
    missing: bool


@dataclass(frozen=True, slots=True)
class Forbidden:
    """What stands in a cell that says `never`: nothing can be made of it."""

    address: Address


CellValue = Value | Empty | Forbidden


@dataclass(frozen=True, slots=True)
class Column:
    """Cells of one type: the kind of their values, and the values by key."""

    kind: Kind
    values: Mapping[object, CellValue]


#: The kinds of cells by the names of their types; and of the values that paths lead to.
_KINDS_OF_CELLS: dict[str, Kind] = {
    "count": NumberKind(),
    "ratio": NumberKind(),
    "modifier": NumberKind(),
    "target": TargetKind(),
    "dice": DiceKind(),
    "flag": FlagKind(),
    "text": TextKind(),
    "faces": FacesKind(),
}
_KINDS_OF_VALUES: dict[type, Kind] = {
    bool: FlagKind(),
    int: NumberKind(),
    Fraction: NumberKind(),
    quantities.Modifier: NumberKind(),
    quantities.RollTarget: TargetKind(),
    quantities.Faces: FacesKind(),
    quantities.Dice: DiceKind(),
    str: TextKind(),
}


def _kind_of(ruleset: Ruleset, cell_type: CellType, cells: Mapping[Any, Cell]) -> Kind | None:
    """The kind of the values of some cells; None for bands and angles."""
    if cell_type.table:
        table = ruleset.tables.get(cell_type.table)
        return rows_of(cell_type.table, table) if isinstance(table, RecordTable) else None
    if cell_type.name in ("length", "length modifier"):
        lengths = (_length_in(cell.value) for cell in cells.values())
        return LengthKind(next((length.unit for length in lengths if length), "in"))
    return _KINDS_OF_CELLS.get(cell_type.name)


def _length_in(value: object) -> quantities.Length | None:
    """The length of a value that is one, or is added to one; None of any other."""
    if isinstance(value, quantities.LengthModifier):
        return value.length
    return value if isinstance(value, quantities.Length) else None


def rows_of(table_id: str, table: RecordTable | ModifierTable) -> WordKind:
    """The rows of a table, one of which something is."""
    if isinstance(table, ModifierTable):
        return WordKind(tuple(table.rows), table_id)
    titles = {key: row.title or humanise(key) for key, row in table.data.items()}
    return WordKind(tuple(table.data), table_id, titles)


def _value_of(value: object, kind: Kind) -> Any:
    """A quantity of the model as expressions calculate with it; None if its unit is another."""
    if isinstance(value, quantities.Modifier):
        return value.amount
    if isinstance(value, quantities.Faces):
        return value.scores
    if length := _length_in(value):
        return value_types.in_unit(length, kind.unit) if isinstance(kind, LengthKind) else None
    if isinstance(value, Fraction):
        return value_types.whole(value)
    return value if type(value) in _KINDS_OF_VALUES else None


def _column(
    ruleset: Ruleset,
    cell_type: CellType,
    cells: Mapping[Any, Cell],
    address: Callable[..., Address],
) -> Column | None:
    """Cells by their keys, with the address of each; None for bands and angles."""
    kind = _kind_of(ruleset, cell_type, cells)
    if kind is None:
        return None

    def value(key: object, cell: Cell) -> CellValue:
        if isinstance(cell.value, quantities.Never):
            return Forbidden(address(key))
        found: CellValue | None = _value_of(cell.value, kind)
        return Empty(address(key), cell.status is Status.MISSING) if found is None else found

    return Column(kind, {key: value(key, cell) for key, cell in cells.items()})


def _grid_column(ruleset: Ruleset, table_id: str, grid: Grid) -> Column | None:
    """All cells of a grid by the positions along its axes, rows first."""
    wide = len(grid.data[0])
    places = list(product(*(range(len(axis.choices)) for axis in grid.axes)))
    keys = [place if len(place) > 1 else place[0] for place in places]
    at = {key: divmod(number, wide) for number, key in enumerate(keys)}
    cells = dict(zip(keys, (cell for line in grid.data for cell in line), strict=True))
    return _column(ruleset, grid.cells, cells, lambda key: ("tables", table_id, "data", *at[key]))


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """The positions along an axis: of values, or of bands and by what numbers are multiplied.

    `at` gives the position of the value of a key, None where it stands on none. Of a band there are
    its position, its ends if it has them, and whether the lower one is in the band before.
    """

    values: Mapping[Any, int] = field(default_factory=dict)
    bands: tuple[tuple[int, Any, Any, bool], ...] = ()
    unit: int | Fraction = 1

    def at(self, value: Any) -> int | None:
        if not self.bands:
            return self.values.get(value)
        number = value * self.unit
        for index, low, high, open_low in self.bands:
            above = low is None or number > low or (number == low and not open_low)
            if above and (high is None or number <= high):
                return index
        return None


def locate_on(axis: Axis, kind: Kind) -> Positions | None:
    """How values of a kind find their place on an axis; None if they never can."""
    places = list(enumerate(axis.choices))
    if isinstance(kind, WordKind):
        positions = {choice.key: index for index, choice in places}
        return Positions(positions) if set(kind.keys) <= positions.keys() else None
    if isinstance(kind, NumberKind) and axis.die:
        scores = ((score, i) for i, one in places if one.faces for score in one.faces.scores)
        return Positions(dict(scores))
    if isinstance(kind, NumberKind) and axis.kind == "numbers":
        return Positions({choice.number: index for index, choice in places})
    bands = [(index, choice.band) for index, choice in places if choice.band]
    if axis.kind != "bands" or not bands:
        return None
    # Bands of lengths are half-open, the lower end in the band before; others hold both ends.
    ends = tuple(
        (
            index,
            None if band.low is None else value_types.whole(band.low),
            None if band.high is None else value_types.whole(band.high),
            band.unit is not None and index > 0,
        )
        for index, band in bands
    )
    unit = bands[0][1].unit
    if isinstance(kind, NumberKind) and unit is None:
        return Positions(bands=ends)
    if isinstance(kind, LengthKind) and unit is not None:
        one = value_types.in_unit(quantities.Length(Fraction(1), kind.unit), unit)
        return None if one is None else Positions(bands=ends, unit=one)
    return None


@dataclass(slots=True)
class Scope:
    """Names that are set wherever the expression is evaluated; `sometimes` those set only perhaps.

    `unread` are names that no expression may read, each with the reason.
    """

    findings: Findings
    names: dict[str, Kind] = field(default_factory=dict)
    sometimes: set[str] = field(default_factory=set)
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        return self.findings.ruleset

    def inner(self) -> Scope:
        """A scope for steps that may not be taken, or not always."""
        return Scope(self.findings, dict(self.names), set(self.sometimes), dict(self.unread))


Steps = Sequence[Part | LookUp]


class Faulty(Exception):
    """A part of an expression has a fault, which has been told."""


@dataclass(frozen=True, slots=True)
class Lookups(ABC):
    """Looks up the names of one expression; whoever checks the whole of it reads the keys."""

    scope: Scope
    spot: Spot

    @abstractmethod
    def read(self, tree: Tree, beside: Kind | None = None) -> Typed:
        """The typed tree; a text is read as of the kind beside it. Raises Faulty."""

    def fault(
        self,
        code: str,
        message: str,
        piece: Piece,
        expected: str = "",
        hint: str = "",
        *,
        also: Address | None = None,
    ) -> Faulty:
        """Tells of a fault; what is given back is to be raised."""
        at = self.spot.of(piece)
        self.scope.findings.add(code, message, at, expected, hint, also=also)
        return Faulty()

    def unlike(self, piece: Piece, kind: object, wanted: object, hint: str = "") -> Faulty:
        """Tells of a value of another kind than belongs where it stands."""
        self.scope.findings.unlike(self.spot.of(piece), kind, wanted, hint)
        return Faulty()

    def unknown(self, piece: Piece, name: str, known: Iterable[str], inside: str) -> Faulty:
        """Tells of a word that is none of those in a table; it stands at the end of the piece."""
        here = Piece(piece.end - len(name), piece.end) if isinstance(piece, Part) else piece
        self.scope.findings.unknown(self.spot.of(here), name, known, inside)
        return Faulty()

    def all_of(self, parts: Iterable[Callable[[], Typed]]) -> list[Typed]:
        """What some parts make; raises Faulty when all have been looked at, if one has a fault."""
        found, faulty = [], False
        for part in parts:
            try:
                found.append(part())
            except Faulty:
                faulty = True
        if faulty:
            raise Faulty
        return found

    def entity(self, base: Name, steps: Steps, beside: Kind | None = None) -> Typed:
        """What an entity of the ruleset holds at some keys and parts."""
        known = find_entity(self.scope.ruleset, base.id)
        if known is None:
            raise self._no_name(base, beside)
        collection, entity = known
        self.scope.findings.looks_up(collection, base.id)
        if isinstance(entity, Grid):
            return self._grid(base, entity, steps)
        by_row = bool(steps) and isinstance(steps[0], LookUp)
        if isinstance(entity, RecordTable) or (isinstance(entity, ModifierTable) and by_row):
            return self._record(base, entity, steps)
        if isinstance(entity, ModifierTable | Cutout):
            return self._fixed(base, steps)
        expected, hint = "a name that is set, a table, a modifier table or a cutout", ""
        if isinstance(entity, ComputedTable):
            hint = f"run the procedure of this computed table instead: run: {entity.computed}"
        what = f"'{base.id}' is {KINDS[collection]}"
        raise self.fault("R305", what, base, expected, hint)

    def _no_name(self, base: Name, beside: Kind | None) -> Faulty:
        ruleset, name = self.scope.ruleset, base.id
        outcomes = [
            f"{table_id}.{name}"
            for table_id, table in ruleset.tables.items()
            if isinstance(table, RecordTable) and not table.fields and name in table.data
        ]
        words = beside.keys if isinstance(beside, WordKind) else ()
        of_game = [*ruleset.tables, *ruleset.modifiers, *ruleset.cutouts]
        meant: Address | None = None
        if word := nearest_word(name, words, least=0.8):
            hint = f"write '{word}', in single quotes"
        elif outcomes:
            hint = f"write {quantities.join_words(outcomes)}"
        elif other := nearest_word(name, [*self.scope.names, *of_game]):
            hint, entity = f"write '{other}'", find_entity(ruleset, other)
            meant = (entity[0], other) if entity and other not in self.scope.names else None
        else:
            # YAML takes away the quotes that a word was given which stands alone.
            hint = f"write \"'{name}'\", with both quotes, if a word is meant"
        expected = "an input, a name that a step before sets, a table, or a word in quotes"
        return self.fault("R301", f"nothing is called '{name}'", base, expected, hint, also=meant)

    def into(self, typed: Typed, step: Part | LookUp) -> Typed:
        """A field of a row that a name holds."""
        kind = typed.kind
        if not isinstance(step, Part) or not isinstance(kind, WordKind) or not kind.table:
            sum_of = isinstance(step, Part) and isinstance(kind, ConditionsKind)
            hint = f"write sum(... .{step.name})" if sum_of and isinstance(step, Part) else ""
            raise self.unlike(step, kind, "a row of a table before a point", hint)
        table = self.scope.ruleset.tables.get(kind.table)
        if not isinstance(table, RecordTable):
            column = self._amounts(kind.table, step.name, step)
        elif step.name not in table.fields:
            raise self.unknown(step, step.name, table.fields, f"the table '{table.title}'")
        else:
            self.scope.findings.looks_up("tables", kind.table)
            cells = {key: row.cells[step.name] for key, row in table.data.items()}
            at, cell_type = ("tables", kind.table, "data"), table.fields[step.name].type
            found = _column(self.scope.ruleset, cell_type, cells, lambda key: (*at, key, step.name))
            if found is None:
                raise self.unlike(step, f"a cell of type {cell_type.name}", "a value")
            column = found
        take = self._taking(column.values, step)
        return applied(column.kind, take, typed, written=("cell", column.values))

    def _taking(self, values: Mapping[object, Any], piece: Piece) -> Callable[[Any], Any]:
        """Takes the value at a key; an empty cell, or one that forbids, is a fault of the play."""
        if not any(isinstance(value, Empty | Forbidden) for value in values.values()):
            return values.__getitem__

        def take(key: object) -> Any:
            value = values[key]
            if isinstance(value, Empty | Forbidden):
                raise self._no_value(value, piece)
            return value

        return take

    def _no_value(self, cell: Empty | Forbidden, piece: Piece) -> RunFault:
        at, place = self.spot.of(piece), self.scope.ruleset.place(*cell.address)
        where = f": {place}" if place else ""
        if isinstance(cell, Forbidden):
            hint = "ask before: ... if allowed(...) else ..."
            never = f"this modifier says never{where}"
            return NotAllowed("R443", never, at, "a modifier that allows it", hint)
        fault, state = (RunFault, "missing") if cell.missing else (EmptyCell, "empty")
        hint = "let the inputs leave it out, or ask before: ... if has(row.field) else ..."
        return fault("R426", f"the cell is {state}{where}", at, "a cell with a value", hint)

    def _grid(self, base: Name, grid: Grid, steps: Steps) -> Typed:
        first = steps[0] if steps else None
        if not isinstance(first, LookUp) or len(first.keys) != len(grid.axes):
            shown = f"{base.id}[{', '.join(axis.name for axis in grid.axes)}]"
            raise self._miskeyed(base, first, shown)
        column = _grid_column(self.scope.ruleset, base.id, grid)
        pairs = zip(grid.axes, first.keys, strict=True)
        parts = [partial(self._key, axis, key) for axis, key in pairs]
        if column is None:
            with suppress(Faulty):
                self.all_of(parts)
            raise self.unlike(first, f"a cell of type {grid.cells.name}", "a value")
        places = self.all_of(parts)
        take = self._taking(column.values, first)
        typed = applied(
            column.kind,
            (lambda *at: take(at)) if len(places) > 1 else take,
            *places,
            written=("grid", column.values),
        )
        return reduce(self.into, steps[1:], typed)

    def _miskeyed(self, base: Name, step: Part | LookUp | None, shown: str) -> Faulty:
        count = len(step.keys) if isinstance(step, LookUp) else 0
        what = f"'{base.id}' with {count} key{'s' * (count != 1)}"
        return self.fault("R307", what, step or base, shown)

    def _key(self, axis: Axis, key: Tree) -> Typed:
        """The position along an axis that a key stands for."""
        text = isinstance(key, Name) or (isinstance(key, Constant) and isinstance(key.value, str))
        typed = self.read(key, WordKind(tuple(axis.keys)) if text else None)
        positions = locate_on(axis, typed.kind)
        known = f"a place on the axis '{axis.name}': {some_words(axis.keys)}"
        if positions is None:
            raise self.unlike(key, typed.kind, known)
        spot = self.spot.of(key)

        def place(value: object) -> int:
            position = positions.at(value)
            if position is None:
                raise RunFault("R425", f"{value} is not on the axis '{axis.name}'", spot, known)
            return position

        return applied(NumberKind(), place, typed, written=("place", positions))

    def _record(self, base: Name, table: RecordTable | ModifierTable, steps: Steps) -> Typed:
        rows = rows_of(base.id, table)
        if not steps:
            such = f"a cell of it, such as {base.id}.{rows.keys[0]}.field or {base.id}[row].field"
            raise self.fault("R308", f"'{base.id}' is a whole table", base, such)
        first = steps[0]
        if isinstance(first, LookUp):
            if len(first.keys) != 1:
                raise self._miskeyed(base, first, f"{base.id}[row]")
            typed = replace(self._one_of(rows, first.keys[0]), kind=rows)
        elif first.name in rows.keys:
            typed = literal(first.name, rows)
        else:
            raise self.unknown(first, first.name, rows.keys, f"the table '{table.title}'")
        return reduce(self.into, steps[1:], typed)

    def _one_of(self, rows: WordKind, key: Tree) -> Typed:
        """What can only be one of some rows."""
        row = self.read(key, rows)
        if not isinstance(row.kind, WordKind) or not set(row.kind.keys) <= set(rows.keys):
            raise self.unlike(key, row.kind, some_words(rows.keys))
        return row

    def _fixed(self, base: Name, steps: Steps) -> Typed:
        """A value of a cutout or of a modifier table, named by a path of words."""
        words = [base.id]
        for step in steps:
            if not isinstance(step, Part):
                raise self._miskeyed(base, step, f"{base.id}.part")
            words.append(step.name)
        try:
            found = find(self.scope.ruleset, ".".join(words))
        except LookupFault as fault:
            start, end = base.start + fault.start, base.start + max(fault.end, fault.start + 1)
            self.scope.findings.pass_on(fault, self.spot.of(Piece(start, end)))
            raise Faulty from fault
        value = found.value if isinstance(found, Cell) else found
        if isinstance(value, quantities.Never):
            barred = Forbidden(("modifiers", base.id, "rows", *words[1:]))

            def refuse() -> None:
                raise self._no_value(barred, base)

            return applied(NumberKind(), refuse, written=("forbidden",))
        length = _length_in(value)
        kind = LengthKind(length.unit) if length else _KINDS_OF_VALUES.get(type(value))
        plain = _value_of(value, kind) if kind else None
        if kind is None or plain is None:
            raise self.unlike(steps[-1], "nothing to calculate with", "a value")
        return literal(plain, kind)

    def asks_conditions(self, call: Call) -> bool:
        """Whether a sum or count is one of conditions; the sum of one thing can be nothing else."""
        alone = len(call.arguments) == 1
        if call.function == "sum":
            return alone
        one_row = len(call.arguments) == 2
        known = call.arguments and self.conditions_of(call.arguments[0])
        return call.function == "count" and (alone or one_row) and bool(known)

    def conditions_of(self, argument: Tree) -> ConditionsKind | None:
        """The kind of an argument, or of what a part is of, if it is one of conditions."""
        inner = _whole(argument)
        kind = self.scope.names.get(inner.id) if isinstance(inner, Name) else None
        return kind if isinstance(kind, ConditionsKind) else None

    def _conditions(self, argument: Tree) -> tuple[ConditionsKind, Typed]:
        kind = self.conditions_of(argument)
        if kind is None:
            such = (
                "conditions and what they change, as in sum(conditions.to_hit), or several numbers"
            )
            raise self.unlike(argument, "no condition", such)
        return kind, self.read(_whole(argument))

    def of_conditions(self, call: Call) -> Typed:
        """`sum(conditions.to_hit)`, `count(conditions)` or `count(conditions, 'lost')`."""
        argument = call.arguments[0]
        kind, conditions = self._conditions(argument)
        if call.function == "count" and len(call.arguments) == 1:
            return applied(NumberKind(), len, conditions, written=("len",))
        if call.function == "count":
            row = self._one_of(WordKind(kind.keys), call.arguments[1])
            times = ("how often",)
            return applied(
                NumberKind(), lambda of, one: of.count(one), conditions, row, written=times
            )
        typed, column = self.sum_of_conditions(argument)
        rows = self.scope.ruleset.modifiers[kind.table].rows
        cells = ((key, rows[key].amounts.get(column[1])) for key in kind.keys)
        never = (key for key, cell in cells if cell and isinstance(cell.value, quantities.Never))
        if forbidding := next(never, ""):
            self.scope.findings.forbidding[column] = self.spot.of(argument), forbidding
        return typed

    def sum_of_conditions(self, argument: Tree) -> tuple[Typed, tuple[str, str]]:
        """What some conditions add to something together, and the column of that modifier table."""
        kind, conditions = self._conditions(argument)
        name = argument.name if isinstance(argument, Part) else ""
        column = self._amounts(kind.table, name, argument)
        amount, total = self._taking(column.values, argument), ("total", column.values)
        typed = applied(column.kind, lambda rows: sum(map(amount, rows)), conditions, written=total)
        return typed, (kind.table, name)

    def _amounts(self, table_id: str, name: str, piece: Piece) -> Column:
        """How much each row of a modifier table changes something.

        What a row leaves out it does not change.
        """
        self.scope.findings.looks_up("modifiers", table_id)
        table = self.scope.ruleset.modifiers[table_id]
        if name not in table.changes:
            raise self.unknown(piece, name, table.changes, f"the table '{table.title}'")
        cells = {k: row.amounts[name] for k, row in table.rows.items() if name in row.amounts}
        at: Address = ("modifiers", table_id, "rows")
        for key, cell in cells.items():
            missing = cell.status is Status.MISSING
            # Before an empty amount was refused it counted for nothing.
            if missing or (cell.value is None and not self.scope.ruleset.frozen):
                what = f"the amount '{name}' of '{key}' is {'missing' if missing else 'empty'}"
                expected = "a number; where the row changes nothing it is left out"
                raise self.fault("R426", what, piece, expected, also=(*at, key, name))
        filled = {key: cell for key, cell in cells.items() if cell.value is not None}
        amount = table.changes[name].amount
        found = _column(self.scope.ruleset, amount, filled, lambda key: (*at, key, name))
        assert found is not None, "amounts are numbers or lengths"
        return Column(found.kind, {key: found.values.get(key, 0) for key in table.rows})


def _whole(tree: Tree) -> Tree:
    return tree.whole if isinstance(tree, Part) else tree
