"""The tree of an expression -> a checked expression, or problems: every name and type is checked.

Nothing runs here. A text in quotes is read by what stands beside it: a choice of an axis, a roll
target, a length. Numbers are exact: half a die more is not rounded unless the rule says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import repeat
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.lookups import (
    KINDS_OF_VALUES,
    LOOKED_INTO,
    Column,
    Rows,
    grid_column,
    length_in,
    locate_on,
    places_on,
    rows_of,
    value_of,
)
from rulebook.core.operations import OF_ONE, OF_SEVERAL, Typed, literal
from rulebook.core.procedure_faults import Faulty, Findings, Spot
from rulebook.core.value_types import (
    FACES,
    TARGET,
    UNKNOWN,
    ConditionsKind,
    FlagKind,
    Kind,
    LengthKind,
    MixedKind,
    NoValue,
    NumberKind,
    WordKind,
    whole,
)
from rulebook.model.cells import Cell
from rulebook.model.cutouts import Cutout
from rulebook.model.expressions import (
    Alternatives,
    Call,
    Choose,
    ComparisonChain,
    Constant,
    Expression,
    FieldAccess,
    LookUp,
    Name,
    Operation,
    TextRange,
    Tree,
)
from rulebook.model.grids import Axis, ComputedTable, Grid
from rulebook.model.lookup import KINDS, LookupFault, find, find_entity, nothing_called
from rulebook.model.record_tables import RecordTable
from rulebook.model.ruleset import Address, Ruleset
from rulebook.suggestions import nearest_word, some_words

#: Functions of numbers that are functions of lengths as well.
_OF_LENGTHS = ("abs", *OF_SEVERAL)
#: What is expected in place of a name that only steps set that may be skipped.
SOMETIMES = "a name that is set whichever steps were taken"


@dataclass(slots=True)
class Scope:
    """The names that an expression may read where it is evaluated, with the kinds of their values.

    `unread` maps names that no expression may read to what is expected there; SOMETIMES if they may
    not be set by then.
    """

    findings: Findings
    names: dict[str, Kind] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        return self.findings.ruleset

    def inner(self) -> Scope:
        """Returns a copy of the scope, in which to check steps that may be skipped in a run."""
        return Scope(self.findings, dict(self.names), dict(self.unread))

    def meet(self, inner: Scope, address: Address) -> None:
        """Merges `inner`, the scope within a step that may be skipped, into this scope.

        Names that only the step sets are perhaps unset after it. Kinds of one name that cannot be
        joined are reported at `address`.
        """
        for name, kind in inner.names.items():
            if name in self.names:
                self.names[name] = self.joined(name, self.names[name], kind, address)
            else:
                self.unread[name] = SOMETIMES
        self.unread |= inner.unread

    def joined(self, name: str, before: Kind, behind: Kind, address: Address) -> Kind:
        """Returns the kind of a name that is of one kind before a step and of another after it.

        Reports kinds that cannot be joined, and then returns the first of them.
        """
        both = value_types.joined(before, behind)
        if both is None:
            what = f"'{name}' is {before} at one time and {behind} at another"
            self.findings.add("R421", what, Spot(address), value_types.ONE_KIND)
        return both or before

    def leave(self, names: Iterable[str], why: str) -> None:
        """Records that later steps cannot read names that are set inside a pool or a pass, and why.

        Names that were set before the pool or pass can still be read.
        """
        for name in names:
            if name not in self.names:
                self.unread[name] = f"what is made of the pool: '{name}' {why}"


Steps = Sequence[FieldAccess | LookUp]


def check_expression(
    expression: Expression, scope: Scope, spot: Spot, wanted: Kind | None = None
) -> Typed | None:
    """Checks an expression, and that its value is of the kind `wanted`, if one is given.

    Returns the checked expression with its kind, or None after problems, which are added to the
    findings of the scope.
    """
    checker = _ExpressionChecker(scope, Spot(spot.address, expression))
    with suppress(Faulty):
        typed = checker.read(expression.tree, wanted)
        return typed if wanted is None else checker.expect(typed, expression.tree, wanted)
    return None


def within_bounds(typed: Typed, spot: Spot) -> Typed:
    """Wraps a numeric expression so that running it raises RunFault if its value is too large.

    Other expressions are returned unchanged. This stops numbers that grow from pass to pass.
    """
    if not typed.kind.numeric:
        return typed
    return Typed(typed.kind, "bound", (typed,), spot=spot)


def in_unit(typed: Typed, kind: LengthKind) -> Typed | None:
    """Wraps a length expression so that its value is converted to the unit of `kind`.

    Returns it unchanged if it has this unit, and None if it is no length, or if only one of the two
    units is bases.
    """
    if typed.kind == kind:
        return typed
    if not isinstance(typed.kind, LengthKind):
        return None
    unit = value_types.in_unit(quantities.Length(Fraction(1), typed.kind.unit), kind.unit)
    if unit is None:
        return None
    return Typed(kind, "unit", (typed,), unit)


@dataclass(frozen=True, slots=True)
class _ExpressionChecker:
    """Checks one expression; goes on after a fault, so that all faults are reported."""

    scope: Scope
    spot: Spot

    def read(self, tree: Tree, beside: Kind | None = None) -> Typed:
        """Checks a syntax tree and returns it with its kind; raises Faulty.

        A text literal takes the kind `beside`, that of the value it is compared or combined with.
        """
        match tree:
            case Constant():
                return self._constant(tree, beside)
            case Name() | FieldAccess() | LookUp():
                return self._path(tree, beside)
            case Operation():
                return self._operation(tree)
            case ComparisonChain():
                found = self._each(self._pair, tree.operators, tree.parts, tree.parts[1:])
                return found[0] if len(found) == 1 else Typed(FlagKind(), "and", tuple(found))
            case Choose():
                return self._choose(tree, beside)
            case Call():
                return self._call(tree)
        raise self._unlike(tree, "a list of values", "one value, or several behind 'in'")

    def expect(self, typed: Typed, tree: Tree, wanted: Kind) -> Typed:
        """Returns an expression unchanged if it is of the kind `wanted`.

        Otherwise reports a problem at `tree` and raises Faulty.
        """
        if typed.kind.like(wanted):
            return typed
        raise self._unlike(tree, typed.kind, wanted.wanted)

    def _constant(self, tree: Constant, beside: Kind | None) -> Typed:
        value = tree.value
        if isinstance(value, bool):
            return literal(value, FlagKind())
        if not isinstance(value, str):
            return literal(value, NumberKind())
        if beside is None or isinstance(beside, MixedKind | NumberKind):
            # A length needs nothing beside it to differ from a word; but words may look like one.
            length = None if isinstance(beside, MixedKind) else quantities.read_length(value)
            if length is not None:
                return literal(whole(length.number), LengthKind(length.unit))
            return literal(value, WordKind((value,)))
        with suppress(quantities.QuantityError):
            if (read := beside.quoted(value)) is not None:
                return literal(read, beside)
        if isinstance(beside, WordKind):
            raise self._unknown(tree, value, beside.keys, "the choices")
        raise self._unlike(tree, f"'{value:.40}'", beside.wanted)

    def _path(self, tree: Tree, beside: Kind | None) -> Typed:
        """Checks a name with the keys and fields that follow it; returns it with its kind.

        The name is one that a step or input sets, or the id of a table or cutout. Raises Faulty.
        """
        base = tree
        steps: list[FieldAccess | LookUp] = []
        while isinstance(base, FieldAccess | LookUp):
            steps.insert(0, base)
            base = base.whole if isinstance(base, FieldAccess) else base.table
        if not isinstance(base, Name):
            raise self._unlike(base, "no name", "a name before keys in brackets")
        name = base.id
        if self.scope.names.get(name) == UNKNOWN:
            raise Faulty
        if name in self.scope.names:
            return reduce(self.into, steps, Typed(self.scope.names[name], "name", data=name))
        if expected := self.scope.unread.get(name):
            why = "is read here, and is not always set by then"
            what = f"'{name}' {why if expected == SOMETIMES else 'cannot be read here'}"
            raise self.scope.findings.add("R422", what, self.spot.at(base), expected)
        return self.entity(base, steps, beside)

    def _operation(self, tree: Operation) -> Typed:
        sign, parts = tree.operator, tree.parts
        if sign in ("and", "or", "not"):
            return Typed(FlagKind(), sign, tuple(self._each(self._flag, parts)))
        typed = self._each(self.read, parts)
        kinds = [part.kind for part in typed]
        kind: Kind = NumberKind()
        if not any(isinstance(kind, LengthKind) for kind in kinds):
            self._each(self.expect, typed, parts, repeat(kind))
        elif len(kinds) == 1:
            kind = kinds[0]
        elif all(isinstance(kind, LengthKind) for kind in kinds) and sign != "*":
            typed = self._of_one_unit(typed, parts)
            kind = kind if sign in ("/", "//") else typed[0].kind
        elif sign == "*" and NumberKind in map(type, kinds):
            kind = next(kind for kind in kinds if isinstance(kind, LengthKind))
        elif sign == "/" and isinstance(kinds[1], NumberKind):
            kind = kinds[0]
        else:
            such = "lengths added, taken away or divided, or a length times a number"
            raise self._unlike(tree, f"{kinds[0]} {sign} {kinds[1]}", such)
        operation = sign if len(typed) > 1 else "neg"
        return Typed(kind, operation, tuple(typed), spot=self.spot.at(tree))

    def _of_one_unit(self, typed: Sequence[Typed], trees: Sequence[Tree]) -> list[Typed]:
        """Converts all lengths among some expressions to one unit.

        The unit is that of the first length that is not a literal. If there is a length, a literal
        0 becomes a length as well; other values are unchanged.
        """
        pairs = list(zip(typed, trees, strict=True))
        lengths = [(part.kind, tree) for part, tree in pairs if isinstance(part.kind, LengthKind)]
        written = [kind for kind, tree in lengths if not isinstance(tree, Constant)]
        kind = next(iter(written or (kind for kind, _ in lengths)), None)
        if kind is None:
            return list(typed)
        return self._each(self._as_length, typed, trees, repeat(kind))

    def _as_length(self, typed: Typed, tree: Tree, kind: LengthKind) -> Typed:
        if isinstance(tree, Constant) and tree.value == 0 and not isinstance(tree.value, bool):
            return literal(0, kind)
        found = in_unit(typed, kind) if isinstance(typed.kind, LengthKind) else typed
        if found is None:
            raise self._unlike(tree, typed.kind, kind)
        return found

    def _flag(self, tree: Tree) -> Typed:
        return self.expect(self.read(tree), tree, FlagKind())

    def _pair(self, sign: str, left: Tree, right: Tree) -> Typed:
        if sign in ("in", "not in"):
            return self._within(left, right, negated=sign == "not in")
        first, second = self._two(left, right)
        if sign in ("==", "!=") or first.kind.numeric:
            return Typed(FlagKind(), sign, (first, second))
        raise self._unlike(left, first.kind, f"a number before {sign}")

    def _two(self, left: Tree, right: Tree) -> tuple[Typed, Typed]:
        """Checks two expressions that must be of one kind; returns them, lengths in one unit.

        A text literal on one side is read as a value of the kind of the other side. Raises Faulty
        if the expressions are not of one kind.
        """
        text_first = isinstance(left, Constant) and isinstance(left.value, str)
        first, second = (right, left) if text_first else (left, right)
        try:
            value = self.read(first)
        except Faulty:
            self.read(second)
            raise
        value, beside = self._of_one_unit((value, self.read(second, value.kind)), (first, second))
        kinds = (value.kind, beside.kind)
        alike = value_types.joined(*kinds)
        words = [set(kind.keys) for kind in kinds if isinstance(kind, WordKind)]
        disjoint = len(words) == 2 and not words[0] & words[1]
        if alike is None or disjoint or (isinstance(alike, MixedKind) and alike not in kinds):
            raise self._unlike(second, kinds[1], kinds[0])
        return (beside, value) if text_first else (value, beside)

    def _within(self, left: Tree, right: Tree, *, negated: bool) -> Typed:
        """Checks `x in ('a', 'b')`, `die in faces` and `'row' in conditions`; returns a flag.

        If `negated`, the operator is `not in`. Raises Faulty.
        """
        if isinstance(right, Alternatives) and right.items:
            found = self._each(self._pair, repeat("=="), repeat(left), right.items)
            typed = Typed(FlagKind(), "or", tuple(found))
        else:
            several = self.read(right)
            if several.kind == FACES:
                item = self.expect(self.read(left), left, NumberKind())
            elif isinstance(several.kind, ConditionsKind):
                rows = WordKind(several.kind.keys)
                item = self.expect(self.read(left, rows), left, rows)
            else:
                such = "values in round brackets, faces of a die, or an input of conditions"
                raise self._unlike(right, several.kind, such)
            typed = Typed(FlagKind(), "in", (item, several))
        return Typed(FlagKind(), "not", (typed,)) if negated else typed

    def _choose(self, tree: Choose, beside: Kind | None) -> Typed:
        trees = (tree.condition, tree.then, tree.otherwise)
        condition, then, otherwise = self._each(self.read, trees, (None, beside, beside))
        self.expect(condition, tree.condition, FlagKind())
        then, otherwise = self._of_one_unit((then, otherwise), (tree.then, tree.otherwise))
        kind = value_types.joined(then.kind, otherwise.kind)
        if kind is not None:
            return Typed(kind, "if", (condition, then, otherwise))
        written = (Constant, Choose)
        both = isinstance(tree.then, written) and isinstance(tree.otherwise, written)
        if both and not isinstance(beside, MixedKind):
            # A word that looks like a length, beside one that does not.
            return self._choose(tree, MixedKind())
        what = f"{then.kind} or else {otherwise.kind}"
        raise self._unlike(tree, what, value_types.ONE_KIND)

    def _call(self, tree: Call) -> Typed:
        name, arguments = tree.function, tree.arguments
        if name in ("has", "allowed"):
            return self._reached(tree)
        if name == "passes":
            return self._passes(tree)
        if name == "sum" and len(arguments) == 1:
            return self._sum(arguments[0])
        kind = self.conditions_of(arguments[0]) if arguments else None
        if name == "count" and kind and len(arguments) <= 2:
            return self._count(kind, arguments)
        if name == "count":
            self._expect_arguments(tree, 1)
            return Typed(NumberKind(), "count", tuple(self._each(self._flag, arguments)))
        if name in OF_ONE:
            self._expect_arguments(tree, 1, 1)
        else:
            self._expect_arguments(tree, 2)
        typed = self._each(self.read, arguments)
        wanted: Kind = NumberKind()
        if name in _OF_LENGTHS and any(isinstance(value.kind, LengthKind) for value in typed):
            typed = self._of_one_unit(typed, arguments)
            wanted = next(value.kind for value in typed if isinstance(value.kind, LengthKind))
        self._each(self.expect, typed, arguments, repeat(wanted))
        return Typed(wanted, name, tuple(typed))

    def _expect_arguments(self, tree: Call, least: int, most: int | None = None) -> None:
        """Raises Faulty, and reports a problem, if a function has too few or too many arguments.

        It needs `least` or more, and up to `most`; None sets no limit.
        """
        count = len(tree.arguments)
        if count < least or (most is not None and count > most):
            wanted = f"{least}" if least == most else f"{least} or more"
            raise self._unlike(tree, f"{tree.function}() with {count} values", wanted)

    def _reached(self, tree: Call) -> Typed:
        """Checks `has(cell)` and `allowed(cell)`; returns a flag.

        `has` tells whether a cell holds a value, `allowed` whether a modifier, or a sum of
        modifiers, is not `never`. Raises Faulty.
        """
        self._expect_arguments(tree, 1, 1)
        (asked,) = tree.arguments
        if tree.function == "allowed" and self.conditions_of(asked):
            typed, _, column = self.sum_of_conditions(asked)
            self.scope.findings.asked.add(column)
        else:
            typed = self.read(asked)
        if not isinstance(asked, FieldAccess | LookUp):
            raise self._unlike(asked, typed.kind, "a cell or a modifier, such as weapon.scatter")
        return Typed(FlagKind(), tree.function, (typed,))

    def _passes(self, tree: Call) -> Typed:
        """Checks `passes(die, target)`; returns a flag.

        In a game with natural scores nothing may be added to the die. Raises Faulty.
        """
        self._expect_arguments(tree, 2, 2)
        first, second = tree.arguments
        die, target = self._each(self.read, tree.arguments, (None, TARGET))
        self.expect(die, first, NumberKind())
        self.expect(target, second, TARGET)
        natural = natural_of(self.scope.ruleset)
        if natural and not (isinstance(die.kind, NumberKind) and die.kind.die):
            hint = "use a 'test' step with 'plus'"
            raise self._unlike(first, "more than a die", "the bare die, for natural scores", hint)
        self.scope.findings.looks_up("header", "natural")
        return Typed(FlagKind(), "passes", (die, target), natural, self.spot.at(tree))

    def _unknown(self, piece: TextRange, name: str, known: Iterable[str], inside: str) -> Faulty:
        """Reports a name that is not among those known, and returns the exception to raise.

        `inside` says in the message where the name was looked for. In a field access the fault is
        shown at the last word.
        """
        here = (
            TextRange(piece.end - len(name), piece.end) if isinstance(piece, FieldAccess) else piece
        )
        return self.scope.findings.unknown(self.spot.at(here), name, known, inside)

    def _unlike(self, piece: TextRange, kind: object, wanted: object, hint: str = "") -> Faulty:
        """Reports an expression that is `kind` where `wanted` is expected.

        Returns the exception for the caller to raise.
        """
        return self.scope.findings.unlike(self.spot.at(piece), kind, wanted, hint)

    def _each(self, check: Callable[..., Typed], *arguments: Iterable[Any]) -> list[Typed]:
        """Calls `check` for each set of arguments, and returns the results.

        If some calls raise Faulty, the others are still made, so that all faults are reported, and
        then Faulty is raised.
        """
        found, faulty = [], False
        for each in zip(*arguments, strict=False):
            try:
                found.append(check(*each))
            except Faulty:
                faulty = True
        if faulty:
            raise Faulty
        return found

    def entity(self, base: Name, steps: Steps, beside: Kind | None = None) -> Typed:
        """Checks a path from the id of a table or cutout through keys and fields (`steps`).

        Returns the expression with its kind. `beside` is used only for hints. Raises Faulty.
        """
        known = find_entity(self.scope.ruleset, base.id)
        if known is None:
            raise self._no_name(base, beside)
        collection, entity = known
        self.scope.findings.looks_up(collection, base.id)
        if isinstance(entity, Grid):
            return self._grid(base, entity, steps)
        rows = rows_of(self.scope.ruleset, base.id)
        by_row = bool(steps) and isinstance(steps[0], LookUp)
        if rows and (by_row or not rows.table.conditions):
            return self._record(base, rows, steps)
        if rows or isinstance(entity, Cutout):
            return self._fixed(base, steps)
        expected, hint = "a name that is set, a table, a modifier table or a cutout", ""
        if isinstance(entity, ComputedTable):
            hint = f"run the procedure of this computed table instead: run: {entity.computed}"
        what = f"'{base.id}' is {KINDS[collection]}"
        raise self.scope.findings.add("R305", what, self.spot.at(base), expected, hint)

    def _no_name(self, base: Name, beside: Kind | None) -> Faulty:
        ruleset, name = self.scope.ruleset, base.id
        outcomes = [
            f"{table_id}.{name}"
            for table_id, table in ruleset.tables.items()
            if isinstance(table, RecordTable) and not table.fields and name in table.data
        ]
        words = beside.keys if isinstance(beside, WordKind) else ()
        of_game = [key for kind in LOOKED_INTO for key in getattr(ruleset, kind)]
        meant: Address | None = None
        if word := nearest_word(name, words, least=0.8):
            hint = f"write '{word}', in single quotes"
        elif outcomes:
            hint = f"write {quantities.join_words(outcomes)}"
        elif near := nearest_word(name, [*self.scope.names, *of_game]):
            hint, entity = f"write '{near}'", find_entity(ruleset, near)
            meant = (entity[0], near) if entity and near not in self.scope.names else None
        else:
            # YAML takes away the quotes that a word was given which stands alone.
            hint = f"write \"'{name}'\", with both quotes, if a word is meant"
        expected = "an input, a name that a step before sets, a table, or a word in quotes"
        return self.scope.findings.add(
            "R301", nothing_called(name), self.spot.at(base), expected, hint, also=meant
        )

    def into(self, typed: Typed, step: FieldAccess | LookUp) -> Typed:
        """Checks a field access on an expression whose value is a row of a table.

        Returns an expression for the cell. Raises Faulty for keys in brackets, values that are no
        rows, and unknown fields.
        """
        kind = typed.kind
        if not isinstance(step, FieldAccess) or not isinstance(kind, WordKind) or not kind.table:
            conditions = isinstance(step, FieldAccess) and isinstance(kind, ConditionsKind)
            hint = f"write sum(... .{getattr(step, 'name', '')})" if conditions else ""
            raise self._unlike(step, kind, "a row of a table before a point", hint)
        column = self._column(kind.table, step.name, step)
        return Typed(column.kind, "cell", (typed,), column.values, self.spot.at(step))

    def _grid(self, base: Name, grid: Grid, steps: Steps) -> Typed:
        first = steps[0] if steps else None
        if not isinstance(first, LookUp) or len(first.keys) != len(grid.axes):
            shown = f"{base.id}[{', '.join(axis.name for axis in grid.axes)}]"
            raise self._miskeyed(base, first, shown)
        column = grid_column(self.scope.ruleset, base.id, grid)
        if column is None:
            with suppress(Faulty):
                self._each(self._key, grid.axes, first.keys)
            raise self._unlike(first, f"a cell of type {grid.cells.name}", "a value")
        places = self._each(self._key, grid.axes, first.keys)
        typed = Typed(column.kind, "grid", tuple(places), column.values, self.spot.at(first))
        return reduce(self.into, steps[1:], typed)

    def _miskeyed(self, base: Name, step: FieldAccess | LookUp | None, shown: str) -> Faulty:
        count = len(step.keys) if isinstance(step, LookUp) else 0
        what = f"'{base.id}' with {count} key{'s' * (count != 1)}"
        return self.scope.findings.add("R307", what, self.spot.at(step or base), shown)

    def _key(self, axis: Axis, key: Tree) -> Typed:
        """Checks a key in brackets; returns an expression for its position on the axis.

        Raises Faulty if values of its kind have no position there.
        """
        text = isinstance(key, Name) or (isinstance(key, Constant) and isinstance(key.value, str))
        typed = self.read(key, WordKind(tuple(axis.keys)) if text else None)
        positions = locate_on(axis, typed.kind)
        if positions is None:
            place = key.id if isinstance(key, Name) and key.id in axis.keys else ""
            hint = f"write '{place}' in quotes for the place on the axis" if place else ""
            raise self._unlike(key, typed.kind, places_on(axis), hint)
        return Typed(NumberKind(), "place", (typed,), positions, self.spot.at(key))

    def _record(self, base: Name, table: Rows, steps: Steps) -> Typed:
        rows = table.kind
        if not steps:
            such = f"a cell of it, such as {base.id}.{rows.keys[0]}.field or {base.id}[row].field"
            what = f"'{base.id}' is a whole table"
            raise self.scope.findings.add("R308", what, self.spot.at(base), such)
        first = steps[0]
        if isinstance(first, LookUp):
            if len(first.keys) != 1:
                raise self._miskeyed(base, first, f"{base.id}[row]")
            typed = replace(self._one_of(rows, first.keys[0]), kind=rows)
        elif first.name in rows.keys:
            typed = literal(first.name, rows)
        else:
            raise self._unknown(first, first.name, rows.keys, f"the table '{table.table.title}'")
        return reduce(self.into, steps[1:], typed)

    def _one_of(self, rows: WordKind, key: Tree) -> Typed:
        """Checks a key whose value must be one of the given rows, and returns it with its kind.

        Raises Faulty if it may be another value.
        """
        row = self.read(key, rows)
        if not isinstance(row.kind, WordKind) or not set(row.kind.keys) <= set(rows.keys):
            raise self._unlike(key, row.kind, some_words(rows.keys))
        return row

    def _fixed(self, base: Name, steps: Steps) -> Typed:
        """Checks a path of names to a value of a cutout or modifier table; returns a literal.

        For a modifier `never` it returns an expression that fails when it is evaluated. Raises
        Faulty for keys in brackets, unknown names and values that cannot be calculated with.
        """
        words = [base.id]
        for step in steps:
            if not isinstance(step, FieldAccess):
                raise self._miskeyed(base, step, f"{base.id}.part")
            words.append(step.name)
        try:
            found = find(self.scope.ruleset, ".".join(words))
        except LookupFault as fault:
            start, end = base.start + fault.start, base.start + max(fault.end, fault.start + 1)
            self.scope.findings.pass_on(fault, self.spot.at(TextRange(start, end)))
            raise Faulty from fault
        value = found.value if isinstance(found, Cell) else found
        if isinstance(value, quantities.Never):
            ruleset, at = self.scope.ruleset, self.spot.at(base)
            barred = ruleset.place(*ruleset.address_of_row(base.id, *words[1:3]))
            return Typed(NumberKind(), "forbidden", (), NoValue("never", barred), at)
        length = length_in(value)
        kind = LengthKind(length.unit) if length else KINDS_OF_VALUES.get(type(value))
        plain = value_of(value, kind) if kind else None
        if kind is None or plain is None:
            raise self._unlike(steps[-1], "nothing to calculate with", "a value")
        return literal(plain, kind)

    def conditions_of(self, argument: Tree) -> ConditionsKind | None:
        """Returns the kind of the input of conditions that an argument of a function names.

        Such an argument is the name of the input, or a field access on it. Returns None for any
        other.
        """
        inner = _whole(argument)
        kind = self.scope.names.get(inner.id) if isinstance(inner, Name) else None
        return kind if isinstance(kind, ConditionsKind) else None

    def _count(self, kind: ConditionsKind, arguments: Sequence[Tree]) -> Typed:
        """Checks `count(conditions)` and `count(conditions, 'lost')`; returns a number.

        The first counts all conditions that hold, the second how often one of them holds.
        """
        conditions = self.read(_whole(arguments[0]))
        if len(arguments) == 1:
            return Typed(NumberKind(), "len", (conditions,))
        row = self._one_of(WordKind(kind.keys), arguments[1])
        return Typed(NumberKind(), "how often", (conditions, row))

    def _sum(self, argument: Tree) -> Typed:
        """Checks `sum(conditions.to_hit)`, the only form of `sum` with a single argument.

        Returns the sum. If the amount of a condition is `never`, so that the sum may be forbidden,
        this is recorded in the findings.
        """
        typed, kind, column = self.sum_of_conditions(argument)
        cells = ((key, typed.data[key]) for key in kind.keys)
        never = (key for key, cell in cells if isinstance(cell, NoValue) and cell.why == "never")
        if forbidding := next(never, ""):
            self.scope.findings.forbidding[column] = self.spot.at(argument), forbidding
        return typed

    def sum_of_conditions(self, argument: Tree) -> tuple[Typed, ConditionsKind, tuple[str, str]]:
        """Checks the sum of a column over an input of conditions, as in `sum(conditions.to_hit)`.

        Returns the sum, the kind of the conditions, and the ids of the table and of the column.
        Raises Faulty if `argument` is no column of an input of conditions.
        """
        kind = self.conditions_of(argument)
        if kind is None:
            such = "conditions and what they change, as in sum(conditions.to_hit)"
            raise self._unlike(argument, "no condition", f"{such}, or several numbers")
        conditions = self.read(_whole(argument))
        name = argument.name if isinstance(argument, FieldAccess) else ""
        column, at = self._column(kind.table, name, argument), self.spot.at(argument)
        typed = Typed(column.kind, "total", (conditions,), column.values, at)
        return typed, kind, (kind.table, name)

    def _column(self, table_id: str, name: str, piece: TextRange) -> Column:
        """Returns a column of a table of rows; raises Faulty where it cannot be calculated with.

        That is so if it is unknown, of a type without values, or lacks the amount of a condition.
        """
        rows = rows_of(self.scope.ruleset, table_id)
        assert rows is not None
        self.scope.findings.looks_up(*self.scope.ruleset.address_of_table(table_id))
        if name not in rows.table.fields:
            raise self._unknown(piece, name, rows.table.fields, f"the table '{rows.table.title}'")
        if gap := rows.gap(name):
            what = f"the amount '{name}' of '{gap[0]}' is {gap[1]}"
            expected = "a number; where the row changes nothing it is left out"
            at, also = self.spot.at(piece), rows.ruleset.address_of_row(table_id, gap[0], name)
            raise self.scope.findings.add("R426", what, at, expected, also=also)
        column = rows.column(name)
        if column is None:
            cell_type = rows.table.fields[name].type
            raise self._unlike(piece, f"a cell of type {cell_type.name}", "a value")
        return column


def natural_of(ruleset: Ruleset) -> dict[int, bool]:
    """Maps each natural score of the game to whether it passes (True) or fails (False).

    Natural scores decide a test whatever is added to them.
    """
    return {score: what == "passes" for score, what in ruleset.header.natural.items()}


def _whole(tree: Tree) -> Tree:
    return tree.whole if isinstance(tree, FieldAccess) else tree
