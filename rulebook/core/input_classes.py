"""A part of a program and an input -> classes of its values: all in one class lead to the same.

`sum(conditions.to_hit)` tells 16,384 sets of conditions apart by a dozen sums. What reads an input
is found in the expressions: each part that reads it alone is one thing that a value is asked, and
values that answer everything alike are one class.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from rulebook.core import programs
from rulebook.core.input_domains import Domain
from rulebook.core.procedure_faults import RunFault
from rulebook.core.value_types import ConditionsKind, Frame, Typed, Value
from rulebook.limits import MOST_ITEMS

#: What a value is asked: equal answers mean that it makes no difference.
Question = Callable[[Value], Hashable]


class TooManyClasses(Exception):
    """An input of which too many values differ."""


@dataclass(frozen=True, slots=True)
class Classes:
    """Values by classes: one of each class, and how the class of any other is found.

    `of` has the class of each value that was classed. Sets of conditions are not listed: `rows` has
    a table for each row, `table[state][times]` -> state; the first state is 0, the last the class.
    """

    values: tuple[Value, ...]
    of: tuple[int, ...] = ()
    rows: tuple[tuple[tuple[int, ...], ...], ...] = ()


def classed(values: Sequence[Value], questions: Sequence[Question]) -> Classes:
    """Single values, each of which is asked."""
    known: dict[Hashable, int] = {}
    first: list[Value] = []
    of = []
    for value in values:
        key = tuple([ask(value) for ask in questions])
        if key not in known:
            known[key] = len(known)
            first.append(value)
        of.append(known[key])
    return Classes(tuple(first), tuple(of))


def classed_conditions(domain: Domain, questions: Sequence[Question]) -> Classes:
    """Every set of conditions, row after row.

    Rows are counted and added up one by one, whatever else holds: sets that answer alike still do
    so when the same rows are added to both. Raises TooManyClasses.
    """
    states: list[tuple[str, ...]] = [()]
    tables = []
    for row in map(str, domain.values):
        limit = domain.limits.get(row, 1)
        sets = [(*held, *(row,) * times) for held in states for times in range(limit + 1)]
        found = classed(sets, questions)
        if len(found.values) > MOST_ITEMS:
            raise TooManyClasses(domain.name)
        states = [one for one in found.values if isinstance(one, tuple)]
        width = limit + 1
        tables.append(tuple(found.of[at : at + width] for at in range(0, len(sets), width)))
    return Classes(tuple(states), (), tuple(tables))


def questions_about(
    name: str, steps: Iterable[programs.Step], wanted: Iterable[Typed], *, several: bool
) -> list[Question]:
    """What some steps, and expressions behind them, ask of an input."""
    found: list[Question] = []
    for typed in wanted:
        found += _asked(typed, name, several=several)
    for step in programs.all_steps(tuple(steps)):
        if isinstance(step, programs.Run):
            for inner, typed in step.given.items():
                if typed.names == {name}:
                    found.append(_of_run(step, inner, typed))
                else:
                    found += _asked(typed, name, several=several)
        for typed in typed_in(step):
            found += _asked(typed, name, several=several)
    return found


def typed_in(step: programs.Step) -> Iterator[Typed]:
    """The expressions of a step itself, but for what it gives to a procedure that it runs."""
    for field in fields(step):
        value = getattr(step, field.name)
        for one in value if isinstance(value, tuple) else (value,):
            typed = one.dice if isinstance(one, programs.DiceOf) else one
            if isinstance(typed, Typed):
                yield typed


def _asked(typed: Typed, name: str, *, several: bool) -> Iterator[Question]:
    """The largest parts that read the input alone; of conditions the smallest, which add rows."""
    if name not in typed.names:
        return
    alone = typed.names == {name}
    whole = not several or all(not p.names or _is_name(p) for p in typed.parts)
    if alone and whole:
        yield _answer(typed, name)
        return
    for part in typed.parts:
        yield from _asked(part, name, several=several)


def _is_name(typed: Typed) -> bool:
    return not typed.parts and bool(typed.names)


def _answer(typed: Typed, name: str) -> Question:
    """The value of an expression; one that cannot be had is known by what is wrong."""
    run = typed.bind(Frame({}, {name: 0})).run

    def ask(value: Value) -> Hashable:
        try:
            answer: Hashable = run((value,))
        except RunFault as fault:
            return type(fault), fault.message
        return answer

    return ask


def _of_run(step: programs.Run, inner: str, typed: Typed) -> Question:
    """What a procedure that is run asks of an input that depends on this one alone."""
    program = step.program
    (name,) = typed.names
    given = _answer(typed, name)
    domain = program.domains[inner]
    results = [program.results[one].value for one in step.take.values()]
    wanted = [*results, *(one.that for one in program.requires)]
    several = isinstance(domain.kind, ConditionsKind)
    questions = questions_about(inner, program.steps, wanted, several=several)

    def ask(value: Value) -> Hashable:
        answer: Any = given(value)
        if not domain.holds(answer):
            return "outside", answer
        return tuple([one(answer) for one in questions])

    return ask
