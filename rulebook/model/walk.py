"""A model -> the prose scalars in it and their addresses in the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from pydantic import BaseModel

from rulebook.model.cells import Cell
from rulebook.model.examples_and_terms import ExampleStep
from rulebook.model.modifiers import ModifierRow
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.tables import Row

#: Fields of the model that the data does not write: their contents stand one level up.
UNWRITTEN: set[tuple[type[BaseModel], str]] = {(Row, "cells"), (ModifierRow, "amounts")}


#: Fields of a model, each with whether the data writes it.
_Names = tuple[tuple[str, bool], ...]
#: Prose with the address at which it stands.
Found = list[tuple[Address, Prose]]
_Walk = Callable[[Address, Any, Found], None]


def prose_of(ruleset: Ruleset) -> Iterator[tuple[Address, Prose]]:
    """Every prose scalar of the header, the options chosen and the collections, in this order."""
    yield from prose_in(("header",), ruleset.header)
    yield from prose_in(("options",), ruleset.chosen_options)
    for name in type(ruleset.collections).model_fields:
        yield from prose_in((name,), getattr(ruleset.collections, name))


def prose_in(address: Address, value: object) -> Found:
    """Every prose scalar of a part of a ruleset, in order."""
    found: Found = []
    walk = _WALKS[type(value)]
    if walk is not None:
        walk(address, value, found)
    return found


def _prose(address: Address, value: Prose, found: Found) -> None:
    found.append((address, value))


def _cell(address: Address, value: Cell, found: Found) -> None:
    if value.note:
        found.append(((*address, "note"), value.note))


def _step(names: _Names, address: Address, value: ExampleStep, found: Found) -> None:
    if value.run is None:
        found.append((address, value.say))  # most stand there as mere text
    else:
        _model(names, address, value, found)


def _model(names: _Names, address: Address, value: BaseModel, found: Found) -> None:
    for name, written in names:
        item: object = getattr(value, name)
        walk = _WALKS[type(item)]
        if walk is not None:
            walk((*address, name) if written else address, item, found)


def _mapping(address: Address, value: dict[Any, object], found: Found) -> None:
    for key, item in value.items():
        walk = _WALKS[type(item)]
        if walk is not None:
            walk((*address, key), item, found)


def _tuple(address: Address, value: tuple[object, ...], found: Found) -> None:
    for index, item in enumerate(value):
        walk = _WALKS[type(item)]
        if walk is not None:
            walk((*address, index), item, found)


class _ByType(dict[type, _Walk | None]):
    """How to walk through values of a type; None where they hold no prose, as most do not.

    A ruleset has ten thousands of values of a few types, so it is found out once for each of these.
    """

    def __missing__(self, kind: type) -> _Walk | None:
        walk = next(
            (self[known] for known in (Prose, Cell, dict, tuple) if known in kind.__mro__), None
        )
        if issubclass(kind, BaseModel):
            names = tuple((name, (kind, name) not in UNWRITTEN) for name in kind.model_fields)
            walk = partial(_step if issubclass(kind, ExampleStep) else _model, names)
        return self.setdefault(kind, walk)


_WALKS = _ByType({Prose: _prose, Cell: _cell, dict: _mapping, tuple: _tuple})
