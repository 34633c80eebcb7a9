"""An expression and some of the names it reads -> what is left of it, to be compared.

An expression of many inputs, such as a score that adds up everything that applies, is filled in
with one input after another. What is left after some of them is the same for all that add up to the
same, so that not every combination of inputs has to be looked at.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rulebook.core.procedure_faults import RunFault
from rulebook.core.value_types import ALL, ANY, CHOICE, Frame, Typed, Value


@dataclass(frozen=True, slots=True)
class Known:
    """All names of it are known."""

    value: Any


@dataclass(frozen=True, slots=True)
class Fails:
    """It has no value; faults that say the same are the same."""

    said: tuple[str, str]
    fault: RunFault = field(compare=False)


@dataclass(frozen=True, slots=True)
class Partly:
    """Made of parts of which not all are known: see `Typed.made`."""

    made: Any
    parts: tuple[Residual, ...]


Residual: TypeAlias = "Known | Fails | Partly | Typed"


def names_in(residual: Residual) -> list[str]:
    """The names that are still to be filled in, those first on which a choice hangs."""
    if isinstance(residual, Typed):
        inner = [name for part in residual.parts for name in names_in(part)]
        return list(dict.fromkeys([*inner, *sorted(residual.names)]))
    parts = residual.parts if isinstance(residual, Partly) else ()
    return list(dict.fromkeys(name for part in parts for name in names_in(part)))


def filled(residual: Residual, name: str, value: Value) -> Residual:
    """What is left when a name has this value."""
    if isinstance(residual, Typed):
        if residual.names and name not in residual.names:
            return residual
        if residual.names <= {name}:
            return _had(residual.bind(Frame({name: value}, {})).run, ())
        return _folded(residual.made, [filled(part, name, value) for part in residual.parts])
    if isinstance(residual, Partly):
        return _folded(residual.made, [filled(part, name, value) for part in residual.parts])
    return residual


def _had(function: Any, *values: Any) -> Residual:
    try:
        return Known(function(*values))
    except RunFault as fault:
        return Fails((fault.code, fault.message), fault)


def _folded(made: Any, parts: list[Residual]) -> Residual:
    if made == CHOICE:
        return _chosen(parts)
    if made in (ANY, ALL):
        return _all_or_any(parts, any_of=made == ANY)
    failed = next((part for part in parts if isinstance(part, Fails)), None)
    if isinstance(made, tuple):  # whether a value is reached, but for a barrier
        if failed is not None and isinstance(failed.fault, made[1]):
            return Known(False)
        known = isinstance(parts[0], Known)
        return failed or (Known(True) if known else Partly(made, tuple(parts)))
    if failed is not None:
        return failed
    if made is operator.add:
        return _sum(parts)
    if all(isinstance(part, Known) for part in parts):
        return _had(made, *(part.value for part in parts if isinstance(part, Known)))
    return Partly(made, tuple(parts))


def _chosen(parts: list[Residual]) -> Residual:
    condition, then, otherwise = parts
    if isinstance(condition, Known):
        return then if condition.value else otherwise
    return condition if isinstance(condition, Fails) else Partly(CHOICE, tuple(parts))


def _all_or_any(parts: list[Residual], *, any_of: bool) -> Residual:
    """Parts after the one that decides are not reckoned."""
    left: list[Residual] = []
    for part in parts:
        decides = isinstance(part, Fails) or (
            isinstance(part, Known) and bool(part.value) is any_of
        )
        if decides and not left:
            return Known(any_of) if isinstance(part, Known) else part
        if decides or not isinstance(part, Known):
            left.append(part)
        if decides:
            break
    return Partly(ANY if any_of else ALL, tuple(left)) if left else Known(not any_of)


def _sum(parts: list[Residual]) -> Residual:
    """What is known of a sum as one number."""
    terms: list[Residual] = []
    known: Any = 0
    for part in parts:
        added = isinstance(part, Partly) and part.made is operator.add
        for term in part.parts if isinstance(part, Partly) and added else (part,):
            if isinstance(term, Known):
                known += term.value
            else:
                terms.append(term)
    return Partly(operator.add, (*terms, Known(known))) if terms else Known(known)
