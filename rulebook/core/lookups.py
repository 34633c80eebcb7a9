"""Names of entities with keys and parts after them -> typed look-ups in tables and cutouts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.faults import EmptyCell, Findings, RunFault, Spot
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
from rulebook.model import expressions
from rulebook.model.axes import Axis, humanise
from rulebook.model.cells import Cell, CellType, Sought, nearest, some_words
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.expressions import Tree
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


CellValue = Value | Empty


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
    if cell_type.name == "length":
        units = (cell.value.unit for cell in cells if isinstance(cell.value, quantities.Length))
        return LengthKind(next(units, "in"))
    return simple.get(cell_type.name)


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
    if isinstance(value, quantities.Length):
        return value_types.in_unit(value, kind.unit) if isinstance(kind, LengthKind) else None
    if isinstance(value, Fraction):
        return value_types.whole(value)
    return (
        None
        if isinstance(value, quantities.Band | quantities.Angle | quantities.Reckoned)
        else value
    )


def kind_of_value(value: object) -> Kind | None:
    """The kind of a quantity that a path names."""
    if isinstance(value, bool):
        return FlagKind()
    if isinstance(value, int | Fraction | quantities.Modifier):
        return NumberKind()
    if isinstance(value, quantities.Length):
        return LengthKind(value.unit)
    known: dict[type, Kind] = {
        quantities.RollTarget: TargetKind(),
        quantities.Faces: FacesKind(),
        quantities.Dice: DiceKind(),
        str: TextKind(),
    }
    return known.get(type(value))


def _cell(cell: Cell, kind: Kind, address: Address) -> CellValue:
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


#: From the value of a key to its position on an axis; None where it stands on none.
Locate = Callable[[object], int | None]


def locate_on(axis: Axis, kind: Kind) -> Locate | None:
    """How values of a kind find their place on an axis; None if they never can."""
    positions = {choice.key: index for index, choice in enumerate(axis.choices)}
    if isinstance(kind, WordKind):
        return positions.get if set(kind.keys) <= positions.keys() else None  # type: ignore[return-value]
    if isinstance(kind, NumberKind) and axis.die:
        faces = {
            score: index
            for index, choice in enumerate(axis.choices)
            for score in (choice.faces.scores if choice.faces else ())
        }
        return faces.get  # type: ignore[return-value]
    if isinstance(kind, NumberKind) and axis.kind == "numbers":
        numbers = {choice.number: index for index, choice in enumerate(axis.choices)}
        return numbers.get  # type: ignore[return-value]
    bands = [choice.band for choice in axis.choices]
    first = bands[0]
    if axis.kind != "bands" or first is None:
        return None
    ends = _ends(bands)
    if isinstance(kind, NumberKind) and first.unit is None:
        return lambda value: _in_bands(ends, value)
    if isinstance(kind, LengthKind) and first.unit is not None:
        one = value_types.in_unit(quantities.Length(Fraction(1), kind.unit), first.unit)
        return (lambda value: _in_bands(ends, value * one)) if one is not None else None  # type: ignore[operator]
    return None


#: Where a band begins and ends if it does, and whether its lower end is in the band before.
_Ends = tuple[int, Any, Any, bool]


def _ends(bands: Iterable[quantities.Band | None]) -> list[_Ends]:
    """Bands of lengths are half-open, the lower end in the band before; others hold both ends."""
    return [
        (
            index,
            None if band.low is None else value_types.whole(band.low),
            None if band.high is None else value_types.whole(band.high),
            band.unit is not None and index > 0,
        )
        for index, band in enumerate(bands)
        if band is not None
    ]


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


#: Reads a tree, a text by the kind beside it.
Read = Callable[[Tree, Kind | None], Typed | None]
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
        self, base: expressions.Name, steps: Steps, beside: Kind | None = None
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

    def _no_name(self, base: expressions.Name, collection: str | None, beside: Kind | None) -> None:
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

    def _as_word(self, base: expressions.Name, beside: Kind | None) -> str:
        """The hint for a name that can only be meant as a word, a flag or dice."""
        known = beside.keys if isinstance(beside, WordKind) else ()
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
        if isinstance(step, expressions.Part) and isinstance(kind, WordKind) and kind.table:
            table = self.scope.ruleset.tables.get(kind.table)
            if isinstance(table, RecordTable):
                return self._field(kind.table, table, typed, step)
            amounts = self._amounts(kind.table, step.name, step)
            if amounts is None:
                return None
            return applied(NumberKind(), lambda row: amounts.get(row, 0), typed)
        if isinstance(step, expressions.Part) and isinstance(kind, ConditionsKind):
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
        column = field_column(self.scope.ruleset, table_id, table, step.name)
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
        if not any(isinstance(value, Empty) for value in values.values()):
            return values.__getitem__
        spot = self.spot.of(piece)

        def take(key: object) -> Any:
            value = values[key]
            if isinstance(value, Empty):
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
        column = grid_column(self.scope.ruleset, base.id, grid)
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
        as_word = WordKind(tuple(axis.keys))
        text = isinstance(key, expressions.Name) or (
            isinstance(key, expressions.Constant) and isinstance(key.value, str)
        )
        typed = self.read(key, as_word if text else None)
        if typed is None:
            return None
        locate = locate_on(axis, typed.kind)
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

        return applied(NumberKind(), place, typed)

    def _record(
        self, base: expressions.Name, table: RecordTable | ModifierTable, steps: Steps
    ) -> Typed | None:
        data = table.data if isinstance(table, RecordTable) else table.rows
        if isinstance(table, RecordTable):
            rows = rows_of(base.id, table)
        else:
            rows = WordKind(tuple(data), base.id)
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
        self,
        table: RecordTable | ModifierTable,
        rows: WordKind,
        step: expressions.LookUp,
    ) -> Typed | None:
        if len(step.keys) != 1:
            self._fault("R307 keys for rows", step, count=len(step.keys))
            return None
        typed = self.read(step.keys[0], rows)
        if typed is None:
            return None
        if not isinstance(typed.kind, WordKind) or not set(typed.kind.keys) <= set(rows.keys):
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
            findings.pass_on(fault, here)
            return None
        value = found.value if isinstance(found, Cell) else found
        kind = TextKind() if value is None else kind_of_value(value)
        plain = value_of(value, kind) if value is not None and kind else None  # type: ignore[arg-type]
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

    def _conditions(self, call: expressions.Call) -> ConditionsKind | None:
        """The kind of the first argument, or of what a part is of, if it is one of conditions."""
        inner = _whole(call.arguments[0])
        kind = self.scope.names.get(inner.id) if isinstance(inner, expressions.Name) else None
        return kind if isinstance(kind, ConditionsKind) else None

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
            return applied(NumberKind(), len, conditions)
        if call.function == "count":
            return self._times(conditions, WordKind(kind.keys), call.arguments[1])
        name = argument.name if isinstance(argument, expressions.Part) else ""
        amounts = self._amounts(kind.table, name, argument)
        if amounts is None:
            return None
        return applied(
            NumberKind(),
            lambda rows: sum(amounts.get(row, 0) for row in rows),
            conditions,
        )

    def _times(self, conditions: Typed, rows: WordKind, row: Tree) -> Typed | None:
        """How often one of some conditions holds."""
        typed = self.read(row, rows)
        if typed is None:
            return None
        if not isinstance(typed.kind, WordKind) or not set(typed.kind.keys) <= set(rows.keys):
            self._fault("R421 no condition", row, kind=typed.kind, wanted=some_words(rows.keys))
            return None
        return applied(NumberKind(), lambda of, one: of.count(one), conditions, typed)

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


def _empty(cell: Empty, spot: Spot, scope: Scope) -> RunFault:
    place = scope.ruleset.place(*cell.address)
    where = f": {place}" if place else ""
    kind = RunFault if cell.missing else EmptyCell
    return kind.of("R426 missing" if cell.missing else "R426 empty", spot, where=where)
