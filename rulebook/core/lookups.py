"""Names with keys and parts after them -> typed look-ups in tables and cutouts.

Cells are read as the values that expressions reckon with, each column of one kind.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial, reduce
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
from rulebook.model.cells import Cell, CellType, Sought, nearest_word, some_words
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.expressions import Call, Constant, LookUp, Name, Part, Piece, Tree
from rulebook.model.lookup import KINDS, LookupFault, find, find_entity
from rulebook.model.modifiers import ModifierTable
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.tables import ComputedTable, Grid, RecordTable


@dataclass(frozen=True, slots=True)
class Empty:
    """What stands in a cell that has no value: reckoning with it is a fault."""

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


def kind_of_cells(ruleset: Ruleset, cell_type: CellType, cells: Iterable[Cell]) -> Kind | None:
    """The kind of the values of some cells; None for bands and angles."""
    simple: dict[str, Kind] = {
        "count": NumberKind(),
        "ratio": NumberKind(),
        "modifier": NumberKind(),
        "target": TargetKind(),
        "dice": DiceKind(),
        "flag": FlagKind(),
        "text": TextKind(),
        "faces": FacesKind(),
    }
    if cell_type.table:
        table = ruleset.tables.get(cell_type.table)
        return rows_of(cell_type.table, table) if isinstance(table, RecordTable) else None
    if cell_type.name in ("length", "length modifier"):
        lengths = (length_in(cell.value) for cell in cells)
        return LengthKind(next((length.unit for length in lengths if length), "in"))
    return simple.get(cell_type.name)


def length_in(value: quantities.Value | None) -> quantities.Length | None:
    """The length of a value that is one, or is added to one; None of any other."""
    if isinstance(value, quantities.LengthModifier):
        return value.length
    return value if isinstance(value, quantities.Length) else None


def rows_of(table_id: str, table: RecordTable) -> WordKind:
    """The rows of a record table, one of which something is."""
    titles = {key: row.title or humanise(key) for key, row in table.data.items()}
    return WordKind(tuple(table.data), table_id, titles)


def value_of(value: quantities.Value, kind: Kind) -> Value | None:
    """A quantity of the model as expressions reckon with it; None if its unit is another."""
    if isinstance(value, quantities.Modifier):
        return value.amount
    if isinstance(value, quantities.Faces):
        return value.scores
    if length := length_in(value):
        return value_types.in_unit(length, kind.unit) if isinstance(kind, LengthKind) else None
    if isinstance(value, Fraction):
        return value_types.whole(value)
    return None if isinstance(value, _NO_VALUES) else value  # type: ignore[return-value]


#: What no rule reckons with.
_NO_VALUES = (
    quantities.Band,
    quantities.Angle,
    quantities.Chance,
    quantities.Mean,
    quantities.Never,
    quantities.LengthModifier,
)


def kind_of_value(value: object) -> Kind | None:
    """The kind of a quantity that a path names."""
    if isinstance(value, bool):
        return FlagKind()
    if isinstance(value, int | Fraction | quantities.Modifier):
        return NumberKind()
    if length := length_in(value):  # type: ignore[arg-type]
        return LengthKind(length.unit)
    known: dict[type, Kind] = {
        quantities.RollTarget: TargetKind(),
        quantities.Faces: FacesKind(),
        quantities.Dice: DiceKind(),
        str: TextKind(),
    }
    return known.get(type(value))


def _cell(cell: Cell, kind: Kind, address: Address) -> CellValue:
    if isinstance(cell.value, quantities.Never):
        return Forbidden(address)
    value = None if cell.value is None else value_of(cell.value, kind)
    if value is None:
        return Empty(address, cell.status is Status.MISSING)
    return value


def grid_column(ruleset: Ruleset, table_id: str, grid: Grid) -> Column | None:
    """All cells of a grid by the positions along its axes, rows first."""
    cells = [cell for line in grid.data for cell in line]
    kind = kind_of_cells(ruleset, grid.cells, cells)
    if kind is None:
        return None
    wide = len(grid.data[0])
    places = _places([len(axis.choices) for axis in grid.axes])
    values: dict[object, CellValue] = {}
    for number, (place, cell) in enumerate(zip(places, cells, strict=True)):
        address: Address = ("tables", table_id, "data", *divmod(number, wide))
        values[place if len(place) > 1 else place[0]] = _cell(cell, kind, address)
    return Column(kind, values)


def _places(sizes: list[int]) -> list[tuple[int, ...]]:
    places: list[tuple[int, ...]] = [()]
    for size in sizes:
        places = [(*place, index) for place in places for index in range(size)]
    return places


def field_column(ruleset: Ruleset, table_id: str, table: RecordTable, name: str) -> Column | None:
    """A field of a record table by the keys of its rows."""
    cells = {key: row.cells[name] for key, row in table.data.items()}
    kind = kind_of_cells(ruleset, table.fields[name].type, cells.values())
    if kind is None:
        return None
    values: dict[object, CellValue] = {
        key: _cell(cell, kind, ("tables", table_id, "data", key, name))
        for key, cell in cells.items()
    }
    return Column(kind, values)


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """The positions along an axis: of values, or of bands and by what numbers are multiplied.

    `at` gives the position of the value of a key, None where it stands on none.
    """

    values: Mapping[Any, int] = field(default_factory=dict)
    bands: tuple[_Ends, ...] = ()
    unit: int | Fraction = 1

    def at(self, value: Any) -> int | None:
        if self.bands:
            return _in_bands(self.bands, value * self.unit)
        return self.values.get(value)


def locate_on(axis: Axis, kind: Kind) -> Positions | None:
    """How values of a kind find their place on an axis; None if they never can."""
    if isinstance(kind, WordKind):
        positions = {choice.key: index for index, choice in enumerate(axis.choices)}
        return Positions(positions) if set(kind.keys) <= positions.keys() else None
    if isinstance(kind, NumberKind) and axis.die:
        faces = {
            score: index
            for index, choice in enumerate(axis.choices)
            for score in (choice.faces.scores if choice.faces else ())
        }
        return Positions(faces)
    if isinstance(kind, NumberKind) and axis.kind == "numbers":
        return Positions({choice.number: index for index, choice in enumerate(axis.choices)})
    bands = [choice.band for choice in axis.choices]
    first = bands[0]
    if axis.kind != "bands" or first is None:
        return None
    ends = _ends(bands)
    if isinstance(kind, NumberKind) and first.unit is None:
        return Positions(bands=ends)
    if isinstance(kind, LengthKind) and first.unit is not None:
        one = value_types.in_unit(quantities.Length(Fraction(1), kind.unit), first.unit)
        return None if one is None else Positions(bands=ends, unit=one)
    return None


#: Where a band begins and ends if it does, and whether its lower end is in the band before.
_Ends = tuple[int, Any, Any, bool]


def _ends(bands: Iterable[quantities.Band | None]) -> tuple[_Ends, ...]:
    """Bands of lengths are half-open, the lower end in the band before; others hold both ends."""
    return tuple(
        (
            index,
            None if band.low is None else value_types.whole(band.low),
            None if band.high is None else value_types.whole(band.high),
            band.unit is not None and index > 0,
        )
        for index, band in enumerate(bands)
        if band is not None
    )


def _in_bands(ends: Iterable[_Ends], number: Any) -> int | None:
    for index, low, high, open_low in ends:
        above = low is None or number > low or (number == low and not open_low)
        if above and (high is None or number <= high):
            return index
    return None


@dataclass(slots=True)
class Scope:
    """Names that are set wherever the expression is reckoned; `sometimes` those set only perhaps.

    `unread` are names that no expression may read, each with the reason.
    """

    findings: Findings
    names: dict[str, Kind] = field(default_factory=dict)
    sometimes: set[str] = field(default_factory=set)
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        return self.findings.ruleset

    @property
    def natural(self) -> Callable[[object], bool | None]:
        """Whether a natural score passes or fails by itself; None if it does neither."""
        decided = {score: what == "passes" for score, what in self.ruleset.header.natural.items()}
        return decided.get  # type: ignore[return-value]

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

    def fault(self, key: str, piece: Piece, /, **values: Any) -> Faulty:
        """Tells of a fault; what is given back is to be raised."""
        self.scope.findings.add(key, self.spot.of(piece), **values)
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
        if isinstance(entity, ComputedTable):
            raise self.fault("R305 computed table", base, name=base.id, procedure=entity.computed)
        raise self.fault("R305 kind in an expression", base, name=base.id, kind=KINDS[collection])

    def _no_name(self, base: Name, beside: Kind | None) -> Faulty:
        ruleset = self.scope.ruleset
        of_game = [*ruleset.tables, *ruleset.modifiers, *ruleset.cutouts]
        word = self._as_word(base, beside)
        name = "" if word else nearest_word(base.id, [*self.scope.names, *of_game])
        meant = find_entity(ruleset, name) if name else None
        # YAML takes away the quotes that a word was given which stands alone.
        alone = self.spot.expression is not None and self.spot.expression.text.strip() == base.id
        quotes = f"write \"'{base.id}'\", with both quotes, if a word is meant"
        return self.fault(
            "R301 name in an expression",
            base,
            also=(meant[0], name) if meant and name not in self.scope.names else None,
            name=base.id,
            word=word,
            hint=f"write '{name}'" if name else "",
            whole_word=quotes if alone else "",
            other=name,
        )

    def _as_word(self, base: Name, beside: Kind | None) -> str:
        """The hint for a name that can only be meant as a word, a flag or dice."""
        known = beside.keys if isinstance(beside, WordKind) else ()
        near = nearest_word(base.id, known, least=0.8)
        if near:
            return f"write '{near}', in single quotes"
        if base.id in ("yes", "no"):
            return f"write {'true' if base.id == 'yes' else 'false'}"
        if re.fullmatch(r"d[0-9]+", base.id):
            return "throw dice in a 'roll' step, and use the name of the throw here"
        tables = self.scope.ruleset.tables.items()
        rows = [
            f"{name}.{base.id}"
            for name, table in tables
            if isinstance(table, RecordTable) and not table.fields and base.id in table.data
        ]
        return f"write {quantities.join_words(rows)}" if rows else ""

    def into(self, typed: Typed, step: Part | LookUp) -> Typed:
        """A field of a row that a name holds."""
        kind = typed.kind
        if isinstance(step, Part) and isinstance(kind, WordKind) and kind.table:
            table = self.scope.ruleset.tables.get(kind.table)
            if isinstance(table, RecordTable):
                return self._field(kind.table, table, typed, step)
            amounts, kind_of_amounts = self._amounts(kind.table, step.name, step)
            amount = self._taking(amounts, step)
            return applied(kind_of_amounts, amount, typed, written=("cell", amounts))
        if isinstance(step, Part) and isinstance(kind, ConditionsKind):
            raise self.fault("R421 any conditions", step, name=step.name)
        what = f"'.{step.name[:40]}'" if isinstance(step, Part) else "keys in brackets"
        raise self.fault("R421 part after a kind", step, what=what, kind=kind)

    def _field(self, table_id: str, table: RecordTable, row: Typed, step: Part) -> Typed:
        if step.name not in table.fields:
            here = Piece(step.end - len(step.name), step.end)
            name = Sought(step.name, list(table.fields))
            raise self.fault("R302 field of a table", here, name=name, table=table.title)
        self.scope.findings.looks_up("tables", table_id)
        column = field_column(self.scope.ruleset, table_id, table, step.name)
        if column is None:
            raise self.fault("R421 cells", step, what=table.fields[step.name].type.name)
        take = self._taking(column.values, step)
        return applied(column.kind, take, row, written=("cell", column.values))

    def _taking(self, values: Mapping[object, Any], piece: Piece) -> Callable[[Any], Any]:
        """Takes the value at a key; an empty cell, or one that forbids, is a fault of the play."""
        if not any(isinstance(value, Empty | Forbidden) for value in values.values()):
            return values.__getitem__
        spot = self.spot.of(piece)

        def take(key: object) -> Any:
            value = values[key]
            if isinstance(value, Empty):
                raise _empty(value, spot, self.scope)
            if isinstance(value, Forbidden):
                raise _forbidden(value, spot, self.scope)
            return value

        return take

    def _grid(self, base: Name, grid: Grid, steps: Steps) -> Typed:
        first = steps[0] if steps else None
        if not isinstance(first, LookUp) or len(first.keys) != len(grid.axes):
            given = len(first.keys) if isinstance(first, LookUp) else 0
            shown = f"{base.id}[{', '.join(axis.name for axis in grid.axes)}]"
            if not given:
                raise self.fault("R307 without keys", first or base, name=base.id, shown=shown)
            axes = f"{len(grid.axes)} ax{'i' if len(grid.axes) == 1 else 'e'}s"
            keyed = f"{given} key{'s' * (given > 1)}"
            raise self.fault(
                "R307 keys of a grid", first or base, given=keyed, axes=axes, shown=shown
            )
        column = grid_column(self.scope.ruleset, base.id, grid)
        pairs = zip(grid.axes, first.keys, strict=True)
        parts = [partial(self._key, axis, key) for axis, key in pairs]
        if column is None:
            with suppress(Faulty):
                self.all_of(parts)
            raise self.fault("R421 cells", first, what=grid.cells.name)
        places = self.all_of(parts)
        take = self._taking(column.values, first)
        several = len(places) > 1
        typed = applied(
            column.kind,
            (lambda *at: take(at)) if several else take,
            *places,
            written=("grid", column.values),
        )
        return reduce(self.into, steps[1:], typed)

    def _key(self, axis: Axis, key: Tree) -> Typed:
        """The position along an axis that a key stands for."""
        text = isinstance(key, Name) or (isinstance(key, Constant) and isinstance(key.value, str))
        typed = self.read(key, WordKind(tuple(axis.keys)) if text else None)
        positions = locate_on(axis, typed.kind)
        known = some_words(axis.keys)
        if positions is None:
            raise self.fault(
                "R421 kind on an axis", key, kind=typed.kind, axis=axis.name, known=known
            )
        spot = self.spot.of(key)

        def place(value: object) -> int:
            position = positions.at(value)
            if position is None:
                raise RunFault.of(
                    "R425 not on the axis", spot, value=value, axis=axis.name, known=known
                )
            return position

        return applied(NumberKind(), place, typed, written=("place", positions))

    def _record(self, base: Name, table: RecordTable | ModifierTable, steps: Steps) -> Typed:
        if isinstance(table, RecordTable):
            rows, fields = rows_of(base.id, table), list(table.fields)
        else:
            rows, fields = WordKind(tuple(table.rows), base.id), list(table.changes)
        if not steps:
            raise self.fault(
                "R308 whole table",
                base,
                name=base.id,
                row=rows.keys[0],
                field=f".{fields[0]}" if fields else "",
            )
        first = steps[0]
        if isinstance(first, LookUp):
            if len(first.keys) != 1:
                raise self.fault("R307 keys for rows", first, count=len(first.keys))
            key = first.keys[0]
            row = self.read(key, rows)
            if not _is_one_of(row.kind, rows):
                known = some_words(rows.keys)
                raise self.fault(
                    "R421 names no row", key, kind=row.kind, table=table.title, known=known
                )
            typed = replace(row, kind=rows)
        elif first.name in rows.keys:
            typed = literal(first.name, rows)
        else:
            here = Piece(first.end - len(first.name), first.end)
            name = Sought(first.name, rows.keys)
            raise self.fault("R302 row in an expression", here, name=name, table=table.title)
        return reduce(self.into, steps[1:], typed)

    def _fixed(self, base: Name, steps: Steps) -> Typed:
        """A value of a cutout or of a modifier table, named by a path of words."""
        words = [base.id]
        for step in steps:
            if not isinstance(step, Part):
                raise self.fault("R307 no axes", step, name=base.id)
            words.append(step.name)
        start = base.start
        try:
            found = find(self.scope.ruleset, ".".join(words))
        except LookupFault as fault:
            piece = Piece(start + fault.start, start + max(fault.end, fault.start + 1))
            self.scope.findings.pass_on(fault, self.spot.of(piece))
            raise Faulty from fault
        value = found.value if isinstance(found, Cell) else found
        if isinstance(value, quantities.Never):
            barred, spot = Forbidden(("modifiers", base.id, "rows", *words[1:])), self.spot.of(base)
            refuse = partial(_refuse, barred, spot, self.scope)
            return applied(NumberKind(), refuse, written=("forbidden",))
        kind = TextKind() if value is None else kind_of_value(value)
        plain = value_of(value, kind) if value is not None and kind else None  # type: ignore[arg-type]
        if kind is None or plain is None:
            raise self.fault("R421 not a value", steps[-1], path=".".join(words))
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

    def _no_conditions(self, argument: Tree) -> Faulty:
        """A sum of what is none; where a modifier table stands, its input is meant."""
        table = _whole(argument)
        meant = [
            f"write sum({name}.{argument.name})"
            for name, kind in self.scope.names.items()
            if isinstance(argument, Part) and isinstance(table, Name)
            if isinstance(kind, ConditionsKind) and kind.table == table.id
        ]
        return self.fault("R421 sum of no conditions", argument, hint="".join(meant[:1]))

    def of_conditions(self, call: Call) -> Typed:
        """`sum(conditions.to_hit)`, `count(conditions)` or `count(conditions, 'lost')`."""
        argument = call.arguments[0]
        kind = self.conditions_of(argument)
        if kind is None:
            raise self._no_conditions(argument)
        conditions = self.read(_whole(argument))
        if call.function == "count" and len(call.arguments) == 1:
            return applied(NumberKind(), len, conditions, written=("len",))
        if call.function == "count":
            rows, key = WordKind(kind.keys), call.arguments[1]
            row = self.read(key, rows)
            if not _is_one_of(row.kind, rows):
                wanted = some_words(rows.keys)
                raise self.fault("R421 no condition", key, kind=row.kind, wanted=wanted)
            times = ("how often",)
            return applied(
                NumberKind(), lambda of, one: of.count(one), conditions, row, written=times
            )
        typed, column = self.sum_of_conditions(argument)
        if forbidding := self._forbidding(kind, column[1]):
            self.scope.findings.forbidding[column] = self.spot.of(argument), forbidding
        return typed

    def sum_of_conditions(self, argument: Tree) -> tuple[Typed, tuple[str, str]]:
        """What some conditions add to something together, and the column of that modifier table."""
        kind = self.conditions_of(argument)
        if kind is None:
            raise self._no_conditions(argument)
        name = argument.name if isinstance(argument, Part) else ""
        amounts, kind_of_amounts = self._amounts(kind.table, name, argument)
        amount = self._taking(amounts, argument)
        typed = applied(
            kind_of_amounts,
            lambda rows: sum(map(amount, rows)),
            self.read(_whole(argument)),
            written=("total", amounts),
        )
        return typed, (kind.table, name)

    def _forbidding(self, kind: ConditionsKind, name: str) -> str:
        """The first of some conditions that says `never` in a column; nothing if none does."""
        rows = self.scope.ruleset.modifiers[kind.table].rows
        cells = ((key, rows[key].amounts.get(name)) for key in kind.keys)
        never = (key for key, cell in cells if cell and isinstance(cell.value, quantities.Never))
        return next(never, "")

    def _amounts(
        self, table_id: str, name: str, piece: Piece
    ) -> tuple[Mapping[object, CellValue], Kind]:
        """How much each row of a modifier table changes something, and the kind of these amounts.

        What a row leaves out it does not change.
        """
        self.scope.findings.looks_up("modifiers", table_id)
        table = self.scope.ruleset.modifiers[table_id]
        if name not in table.changes:
            raise self.fault(
                "R302 changes nothing",
                Piece(piece.end - len(name), piece.end) if name else piece,
                table=table.title,
                name=Sought(name, list(table.changes)),
            )
        cells = {k: row.amounts[name] for k, row in table.rows.items() if name in row.amounts}
        for key, cell in cells.items():
            missing = cell.status is Status.MISSING
            # Before an empty amount was refused it counted for nothing.
            if missing or (cell.value is None and not self.scope.ruleset.frozen):
                there = ("modifiers", table_id, "rows", key, name)
                raise self.fault(
                    "R426 amount missing" if missing else "R426 amount empty",
                    piece,
                    also=there,
                    name=name,
                    key=key,
                )
        kind = kind_of_cells(self.scope.ruleset, table.changes[name].amount, cells.values())
        assert kind is not None, "amounts are numbers or lengths"
        at: Address = ("modifiers", table_id, "rows")

        def filled(key: str) -> bool:
            return key in cells and cells[key].value is not None

        amounts: dict[object, CellValue] = {
            key: _cell(cells[key], kind, (*at, key, name)) if filled(key) else 0
            for key in table.rows
        }
        return amounts, kind


def _is_one_of(kind: Kind, rows: WordKind) -> bool:
    return isinstance(kind, WordKind) and set(kind.keys) <= set(rows.keys)


def _whole(tree: Tree) -> Tree:
    return tree.whole if isinstance(tree, Part) else tree


def _forbidden(cell: Forbidden, spot: Spot, scope: Scope) -> NotAllowed:
    where = _place_told(cell.address, scope)
    fault = NotAllowed.of("R443 not allowed", spot, where=where)
    fault.cell = where
    return fault


def _refuse(cell: Forbidden, spot: Spot, scope: Scope) -> None:
    raise _forbidden(cell, spot, scope)


def _empty(cell: Empty, spot: Spot, scope: Scope) -> RunFault:
    where = _place_told(cell.address, scope)
    kind = RunFault if cell.missing else EmptyCell
    fault = kind.of("R426 missing" if cell.missing else "R426 empty", spot, where=where)
    fault.cell = where
    return fault


def _place_told(address: Address, scope: Scope) -> str:
    place = scope.ruleset.place(*address)
    return f": {place}" if place else ""
