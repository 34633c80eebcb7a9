"""A model -> the texts in it that may hold bindings, with their addresses; changed parts put in.

Texts are Prose, which is bound where it is printed, and Unbound, which is bound when a ruleset is
put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from operator import is_
from typing import Any, TypeAlias

from pydantic import BaseModel

from rulebook.model.axes import Axis
from rulebook.model.cells import Cell
from rulebook.model.examples_and_terms import ExampleStep
from rulebook.model.modifiers import ModifierRow
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose, Unbound
from rulebook.model.tables import Row

#: Fields of the model that the data does not write: their contents stand one level up.
UNWRITTEN: set[tuple[type[BaseModel], str]] = {(Row, "cells"), (ModifierRow, "amounts")}

#: Fields of a model, each with the key under which the data writes it, if it does.
_Names: TypeAlias = tuple[tuple[str, str | None], ...]
#: Texts with the addresses at which they stand.
Found: TypeAlias = list[tuple[Address, Prose | Unbound]]
_Walk: TypeAlias = Callable[[Address, Any, Found], None]


def prose_of(ruleset: Ruleset) -> Iterator[tuple[Address, Prose]]:
    """Every prose scalar of the header, the options chosen and the collections, in this order."""
    parts = [(("header",), ruleset.header), (("options",), ruleset.chosen_options)]
    for name in type(ruleset.collections).model_fields:
        parts.append(((name,), getattr(ruleset.collections, name)))
    for address, part in parts:
        yield from ((at, text) for at, text in texts_in(address, part) if isinstance(text, Prose))


def texts_in(address: Address, value: object) -> Found:
    """Every text of a part of a ruleset, in order."""
    found: Found = []
    walk = _WALKS[type(value)]
    if walk is not None:
        walk(address, value, found)
    return found


def _text(address: Address, value: Prose | Unbound, found: Found) -> None:
    found.append((address, value))


def _cell(address: Address, value: Cell, found: Found) -> None:
    for name in ("value", "note", "source"):
        item = getattr(value, name)
        if isinstance(item, Prose | Unbound):
            found.append(((*address, name), item))


def _axis(address: Address, value: Axis, found: Found) -> None:
    """Axes stand in a list, but are written as a mapping."""
    at = (*address[:-1], value.name)
    named = [(at, value.label), *(((*at, one.key), one.title) for one in value.choices)]
    found += [(where, text) for where, text in named if isinstance(text, Unbound)]


def _step(names: _Names, address: Address, value: ExampleStep, found: Found) -> None:
    if value.run is None:
        found.append((address, value.say))  # most stand there as mere text
    else:
        _model(names, address, value, found)


def _model(names: _Names, address: Address, value: BaseModel, found: Found) -> None:
    for name, key in names:
        item: object = getattr(value, name)
        walk = _WALKS[type(item)]
        if walk is not None:
            walk((*address, key) if key else address, item, found)


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
    """How to walk through values of a type; None where they hold no text, as most do not.

    A ruleset has ten thousands of values of a few types, so it is found out once for each of these.
    """

    def __missing__(self, kind: type) -> _Walk | None:
        walk = next((self[known] for known in tuple(self) if known in kind.__mro__), None)
        if issubclass(kind, BaseModel):
            names = tuple(
                (name, None if (kind, name) in UNWRITTEN else info.alias or name)
                for name, info in kind.model_fields.items()
            )
            walk = partial(_step if issubclass(kind, ExampleStep) else _model, names)
        return self.setdefault(kind, walk)


_WALKS = _ByType(
    {Prose: _text, Unbound: _text, Cell: _cell, Axis: _axis, dict: _mapping, tuple: _tuple}
)


def with_parts(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value of the model with each of its parts changed; the same object where all stay."""
    if isinstance(value, Mapping):
        items = {key: change(item) for key, item in value.items()}
        return value if all(items[key] is item for key, item in value.items()) else items
    if isinstance(value, tuple):
        parts = tuple([change(item) for item in value])
        return value if all(map(is_, parts, value)) else parts
    if isinstance(value, BaseModel):
        names = list(type(value).model_fields)
    elif is_dataclass(value):
        names = [one.name for one in fields(value)]
    else:
        return value
    old = {name: getattr(value, name) for name in names}
    new = {name: made for name, one in old.items() if (made := change(one)) is not one}
    if not new:
        return value
    return value.model_copy(update=new) if isinstance(value, BaseModel) else replace(value, **new)
