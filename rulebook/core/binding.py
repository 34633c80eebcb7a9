"""A typed expression and the names at hand -> a function from a state to the expression's value.

A state is a tuple of the values of some names; the layout says which stands where. What does not
depend on the state is reckoned once, when the expression is bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from rulebook.core.faults import EmptyCell, RunFault
from rulebook.core.value_types import Kind

#: The values of names in the order of a layout.
State = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """What is known of names where an expression is bound: values, or places in the state."""

    constants: Mapping[str, Any]
    layout: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Bound:
    """An expression bound to a layout; `value` is that of all states if it is `constant`."""

    run: Callable[[State], Any]
    constant: bool = False
    value: Any = None


def constant(value: Any) -> Bound:
    return Bound(lambda state: value, True, value)


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression that has been checked: the kind of its value, the names that it reads."""

    kind: Kind
    names: frozenset[str]
    bind: Callable[[Frame], Bound]


def literal(value: Any, kind: Kind) -> Typed:
    bound = constant(value)
    return Typed(kind, frozenset(), lambda frame: bound)


def named(name: str, kind: Kind) -> Typed:
    def bind(frame: Frame) -> Bound:
        if name in frame.constants:
            return constant(frame.constants[name])
        return Bound(itemgetter(frame.layout[name]))

    return Typed(kind, frozenset((name,)), bind)


def applied(kind: Kind, function: Callable[..., Any], *parts: Typed) -> Typed:
    """A function of the values of some parts, all of which are always reckoned."""
    names = frozenset().union(*(part.names for part in parts))

    def bind(frame: Frame) -> Bound:
        bounds = [part.bind(frame) for part in parts]
        if all(bound.constant for bound in bounds):
            return _folded(function, bounds)
        return Bound(_closure(function, bounds))

    return Typed(kind, names, bind)


def _folded(function: Callable[..., Any], bounds: Sequence[Bound]) -> Bound:
    values = [bound.value for bound in bounds]
    try:
        return constant(function(*values))
    except RunFault:
        # It may stand where it is never reckoned, so it fails when it is.
        return Bound(lambda state: function(*values))


def _closure(function: Callable[..., Any], bounds: Sequence[Bound]) -> Callable[[State], Any]:
    runs = [bound.run for bound in bounds]
    if len(runs) == 1:
        (only,) = runs
        return lambda state: function(only(state))
    if len(runs) == 2:
        first, second = runs
        if bounds[1].constant:
            value = bounds[1].value
            return lambda state: function(first(state), value)
        if bounds[0].constant:
            value = bounds[0].value
            return lambda state: function(value, second(state))
        return lambda state: function(first(state), second(state))
    return lambda state: function(*[run(state) for run in runs])


def chosen(kind: Kind, condition: Typed, then: Typed, otherwise: Typed) -> Typed:
    """`then if condition else otherwise`: only one of the two is reckoned."""

    def bind(frame: Frame) -> Bound:
        which, yes, no = (part.bind(frame) for part in (condition, then, otherwise))
        if which.constant:
            return yes if which.value else no
        holds, run_yes, run_no = which.run, yes.run, no.run
        return Bound(lambda state: run_yes(state) if holds(state) else run_no(state))

    return Typed(kind, condition.names | then.names | otherwise.names, bind)


def reached(kind: Kind, part: Typed) -> Typed:
    """Whether a value is there: false where a cell on the way to it is empty."""

    def bind(frame: Frame) -> Bound:
        bound = part.bind(frame)
        if bound.constant:
            return constant(True)
        run = bound.run

        def there(state: State) -> bool:
            try:
                run(state)
            except EmptyCell:
                return False
            return True

        if any(name not in frame.constants for name in part.names):
            return Bound(there)
        try:
            return constant(there(()))
        except RunFault:
            return Bound(there)

    return Typed(kind, part.names, bind)


def all_or_any(kind: Kind, parts: Sequence[Typed], *, any_of: bool) -> Typed:
    """`and` (or with `any_of` `or`): parts after the one that decides are not reckoned."""
    names = frozenset().union(*(part.names for part in parts))

    def bind(frame: Frame) -> Bound:
        bounds = []
        for part in parts:
            bound = part.bind(frame)
            if not bound.constant:
                bounds.append(bound.run)
            elif bool(bound.value) is any_of and not bounds:
                return constant(any_of)
            elif bool(bound.value) is any_of:
                bounds.append(bound.run)
                break
        if not bounds:
            return constant(not any_of)
        runs = tuple(bounds)
        if any_of:
            return Bound(lambda state: any(run(state) for run in runs))
        return Bound(lambda state: all(run(state) for run in runs))

    return Typed(kind, names, bind)
