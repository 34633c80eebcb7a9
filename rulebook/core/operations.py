"""Checked expressions, bound to the names at hand -> values: one table of all operations.

A checked expression is a tree of operations. What each does, and how it is written for a page, is
in `OPERATIONS`. An expression is bound to a layout, which says where in a state the values of names
stand; what does not depend on the state is evaluated once, when it is bound.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from operator import itemgetter
from typing import Any, TypeAlias

from rulebook.core.procedure_faults import EmptyCell, NotAllowed, RunFault, Spot
from rulebook.core.value_types import Kind, NoValue, json_value, whole
from rulebook.quantities import RollTarget

Real = int | Fraction
#: The values of names: in the order of a layout, or by name.
State = Sequence[Any] | Mapping[str, Any]
#: The value of an expression in a state.
Run: TypeAlias = Callable[[State], Any]

#: No score, count or loss of a game comes near this; what goes beyond it grows without end.
LARGEST = 10**12


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """An expression that has been checked: an operation on the values of its parts.

    `kind` is the kind of its value, `names` are the names that it reads. `data` is what the
    operation needs besides its parts: a value, a name, the cells of a table. Faults are shown at
    `spot`.
    """

    kind: Kind
    operation: str
    parts: tuple[Typed, ...] = ()
    data: Any = None
    spot: Spot = field(default_factory=lambda: Spot(()))
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        own = (self.data,) if self.operation == "name" else ()
        names = frozenset(own).union(*(part.names for part in self.parts))
        object.__setattr__(self, "names", names)


def literal(value: Any, kind: Kind) -> Typed:
    return Typed(kind, "=", data=value)


@dataclass(frozen=True, slots=True)
class Bound:
    """An expression bound to a layout: `run` evaluates it in a state.

    If it is `constant`, `value` is its value in all states.
    """

    run: Run
    constant: bool = False
    value: Any = None


#: Of the values of the parts that of the operation.
Function: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class OperationKind:
    """What an operation does, and how its data are written for a page.

    `function` makes, from an expression, the function of the values of its parts. An operation that
    does not always evaluate all parts has `lazily` instead, which binds it. `plain` converts its
    data to JSON; they are `shared` if several expressions may have the same.
    """

    function: Callable[[Typed], Function] | None = None
    lazily: Callable[[Sequence[Bound]], Bound] | None = None
    plain: Callable[[Any], object] | None = None
    shared: bool = True


def by_name(typed: Typed) -> Run:
    """Makes a function that evaluates an expression, given the values of names by name.

    The function may raise RunFault.
    """
    return bind(typed, {name: name for name in typed.names}).run


def bind(typed: Typed, layout: Mapping[str, int] | Mapping[str, str]) -> Bound:
    """Returns an expression bound to a layout, with a function that evaluates it in a state.

    `layout` maps each name to the index or key of its value in the state. If the expression has the
    same value in all states, that is computed here, once.
    """
    if typed.operation == "=":
        return _constant(typed.data)
    if typed.operation == "name":
        return Bound(itemgetter(layout[typed.data]))
    operation, parts = OPERATIONS[typed.operation], [bind(part, layout) for part in typed.parts]
    if operation.lazily:
        return operation.lazily(parts)
    assert operation.function is not None
    function = operation.function(typed)
    if all(part.constant for part in parts):
        values = [part.value for part in parts]
        try:
            return _constant(function(*values))
        except RunFault:
            # It may stand where it is never evaluated, so it fails when it is.
            return Bound(lambda state: function(*values))
    return Bound(_applied(function, parts))


def _constant(value: Any) -> Bound:
    return Bound(lambda state: value, True, value)


def _applied(function: Function, parts: Sequence[Bound]) -> Run:
    runs = [part.run for part in parts]
    if len(runs) == 1:
        (only,) = runs
        return lambda state: function(only(state))
    if len(runs) == 2:
        first, second = runs
        if parts[1].constant:
            value = parts[1].value
            return lambda state: function(first(state), value)
        return lambda state: function(first(state), second(state))
    return lambda state: function(*[run(state) for run in runs])


def _choose(parts: Sequence[Bound]) -> Bound:
    """Returns `then if condition else otherwise` bound; of its parts the condition comes first.

    Only the part that the condition chooses is evaluated.
    """
    which, then, otherwise = parts
    if which.constant:
        return then if which.value else otherwise
    holds, run_then, run_otherwise = which.run, then.run, otherwise.run
    return Bound(lambda state: run_then(state) if holds(state) else run_otherwise(state))


def _decided(decide: Callable[[Iterable[Any]], bool]) -> Callable[[Sequence[Bound]], Bound]:
    """Returns the function that binds the parts of `and`, or of `or`.

    For `and`, `decide` is `all`, for `or` it is `any`. Parts are evaluated only until one decides
    the value.
    """

    def lazily(parts: Sequence[Bound]) -> Bound:
        runs = [part.run for part in parts]
        return Bound(lambda state: decide(run(state) for run in runs))

    return lazily


def _had(barrier: type[RunFault]) -> Callable[[Sequence[Bound]], Bound]:
    """Returns the function that binds the part of `has` or `allowed`.

    The value is False where evaluating the part raises `barrier`, and else True.
    """

    def lazily(parts: Sequence[Bound]) -> Bound:
        (part,) = parts
        run = part.run

        def had(state: State) -> bool:
            try:
                run(state)
            except barrier:
                return False
            return True

        return Bound(had)

    return lazily


def _bounded(found: Real, spot: Spot) -> Real:
    """Returns a number unchanged; raises RunFault where it or its denominator is too large."""
    if not -LARGEST <= found <= LARGEST or found.denominator > LARGEST:
        what, expected = "a number grows beyond any of a game", f"numbers up to {LARGEST:,}"
        raise RunFault("R429", what, spot, expected)
    return found


def _divided(typed: Typed) -> Function:
    """Makes the function for `/`, or for `//`, which rounds down to a whole number.

    The function raises RunFault for a division by 0, and where its result is too large.
    """
    down, spot = typed.operation == "//", typed.spot

    def divide(left: Real, right: Real) -> Real:
        if right == 0:
            expected = "another number than 0 below the line"
            raise RunFault("R425", "a division by nothing", spot, expected)
        return _bounded(left // right if down else whole(Fraction(left) / right), spot)

    return divide


def round_up(value: Real) -> int:
    """Rounds away from 0 to a whole number: 1½ is 2, -1½ is -2."""
    return ceil(value) if value >= 0 else floor(value)


def round_half_up(value: Real) -> int:
    """Rounds to the nearest whole number, halves up: 2½ is 3."""
    return floor(value + Fraction(1, 2))


def _total(*values: Real) -> Real:
    return sum(values)


def taken(value: Any, spot: Spot) -> Any:
    """Returns the value of a cell; raises RunFault where it has none.

    That is NotAllowed for a modifier `never`, and EmptyCell for an empty cell.
    """
    if not isinstance(value, NoValue):
        return value
    where = f": {value.place}" if value.place else ""
    if value.why == "never":
        hint = "ask before: ... if allowed(...) else ..."
        never = f"this modifier says never{where}"
        raise NotAllowed("R443", never, spot, "a modifier that allows it", hint)
    fault = RunFault if value.why == "missing" else EmptyCell
    hint = "let the inputs leave it out, or ask before: ... if has(row.field) else ..."
    raise fault("R426", f"the cell is {value.why}{where}", spot, "a cell with a value", hint)


def _cell(typed: Typed) -> Function:
    """Makes the function that looks up a cell by a key, or by its positions along several axes.

    It raises RunFault where the cell has no value.
    """
    cells, spot = typed.data, typed.spot
    bare = not any(isinstance(value, NoValue) for value in cells.values())
    if len(typed.parts) > 1:
        return lambda *at: taken(cells[at], spot)
    found: Function = cells.__getitem__
    return found if bare else lambda key: taken(cells[key], spot)


def _of_conditions(typed: Typed) -> Function:
    """Makes the function that sums the amounts that the given conditions have in a column.

    It raises RunFault where one of them has no value.
    """
    cells, spot = typed.data, typed.spot
    return lambda rows: sum(taken(cells[row], spot) for row in rows)


def _place(typed: Typed) -> Function:
    """Makes the function that finds the position of a value along an axis.

    It raises RunFault where the value has no position there.
    """
    positions, spot = typed.data, typed.spot

    def place(value: object) -> int:
        found: int | None = positions.at(value)
        if found is None:
            what = f"{value} is not on the axis '{positions.axis}'"
            raise RunFault("R425", what, spot, positions.expected)
        return found

    return place


def _passes(typed: Typed) -> Function:
    """Makes the function that tells whether a score reaches a target or is a natural pass.

    Natural scores pass or fail whatever the target. The function raises RunFault for a target that
    takes a second throw.
    """
    natural, spot = typed.data, typed.spot

    def passes(score: int, target: RollTarget) -> bool:
        if len(target.scores) > 1:
            hint = "use a 'test' step, which throws again"
            raise RunFault("R425", f"{target} takes a second throw", spot, "one score", hint)
        reached = bool(target.scores) and score >= target.scores[0]
        return bool(natural.get(score, reached))

    return passes


def _plain_cells(cells: Mapping[Any, Any]) -> object:
    return {key: json_value(value) for key, value in cells.items()}


def _plain_grid(cells: Mapping[Any, Any]) -> object:
    """Returns the cells of a grid, row by row, and the length of each axis as JSON data."""
    last = max(place if isinstance(place, tuple) else (place,) for place in cells)
    return {
        "sizes": [place + 1 for place in last],
        "cells": [json_value(value) for value in cells.values()],
    }


#: Comparisons, and functions of numbers: of one, and of two and more.
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
OF_ONE: dict[str, Function] = {
    "abs": abs,
    "floor": floor,
    "ceil": ceil,
    "round_up": round_up,
    "round_half_up": round_half_up,
}
OF_SEVERAL: dict[str, Function] = {"min": min, "max": max, "sum": _total}
_PURE: dict[str, Function] = {
    **COMPARISONS,
    **OF_ONE,
    **OF_SEVERAL,
    "neg": operator.neg,
    "not": operator.not_,
    # Sums of numbers that are in bounds stay near them; products are looked at.
    "+": operator.add,
    "-": operator.sub,
    "in": lambda item, items: item in items,
    "len": len,
    "count": _total,
    "how often": lambda rows, row: rows.count(row),
}


def _pure(function: Function) -> OperationKind:
    return OperationKind(lambda typed: function)


OPERATIONS: dict[str, OperationKind] = {
    **{name: _pure(function) for name, function in _PURE.items()},
    "*": OperationKind(lambda typed: lambda left, right: _bounded(left * right, typed.spot)),
    "/": OperationKind(_divided),
    "//": OperationKind(_divided),
    "bound": OperationKind(lambda typed: lambda value: _bounded(value, typed.spot)),
    "unit": OperationKind(
        lambda typed: lambda number: whole(Fraction(number) * typed.data),
        plain=json_value,
        shared=False,
    ),
    "cell": OperationKind(_cell, plain=_plain_cells),
    "grid": OperationKind(_cell, plain=_plain_grid),
    "total": OperationKind(_of_conditions, plain=_plain_cells),
    "place": OperationKind(_place, plain=lambda positions: positions.plain()),
    "forbidden": OperationKind(lambda typed: lambda: taken(typed.data, typed.spot)),
    "passes": OperationKind(_passes),
    "if": OperationKind(lazily=_choose),
    "and": OperationKind(lazily=_decided(all)),
    "or": OperationKind(lazily=_decided(any)),
    "has": OperationKind(lazily=_had(EmptyCell)),
    "allowed": OperationKind(lazily=_had(NotAllowed)),
}
