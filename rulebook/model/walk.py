"""A model -> the texts and the names in it, with their addresses; changed parts put in.

Texts are Prose, which is bound where it is printed, and Unbound, which is bound when a ruleset is
put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import is_
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel

from rulebook.model.axes import Axis
from rulebook.model.cells import Cell
from rulebook.model.examples_and_terms import ExampleStep
from rulebook.model.modifiers import ModifierRow
from rulebook.model.ruleset import KEY, Address, Option, Ruleset
from rulebook.model.scalars import Prose, Ref, Unbound
from rulebook.model.tables import Row

#: Fields of the model that the data does not write: their contents stand one level up.
UNWRITTEN: set[tuple[type[BaseModel], str]] = {(Row, "cells"), (ModifierRow, "amounts")}

#: A text with the address at which it stands.
Found: TypeAlias = tuple[Address, Prose | Unbound]


def prose_of(ruleset: Ruleset) -> Iterator[tuple[Address, Prose]]:
    """Every prose scalar of the header, the options chosen and the collections, in this order."""
    for address, text in texts_of(ruleset, ruleset.chosen_options):
        if isinstance(text, Prose):
            yield address, text


def texts_of(ruleset: Ruleset, options: Mapping[str, Option]) -> Iterator[Found]:
    """Every text of the header, of some options and of the collections, in this order."""
    yield from texts_in(("header",), ruleset.header)
    for name, things in (("options", options), *ruleset.collections):
        yield from texts_in((name,), things)


def names_of(ruleset: Ruleset) -> Iterator[tuple[Address, str, Ref]]:
    """Every id of the collections and options that is to be that of a thing elsewhere."""
    for name, things in (*ruleset.collections, ("options", ruleset.options)):
        yield from names_in((name,), things)


def texts_in(address: Address, value: object) -> list[Found]:
    """Every text of a part of a ruleset, in order."""
    found: list[Found] = []
    _look(address, value, found)
    return found


def _look(address: Address, value: object, found: list[Found]) -> None:
    # most that a ruleset holds is plain texts and numbers
    if isinstance(value, Prose | Unbound):
        found.append((address, value))
    elif value is None or isinstance(value, str | int):
        return
    elif isinstance(value, Mapping | tuple):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            _look((*address, key), item, found)
    elif isinstance(value, Cell):
        for name in ("value", "note", "source"):
            _look((*address, name), getattr(value, name), found)
    elif isinstance(value, Axis):  # axes stand in a list, but are written as a mapping
        at = (*address[:-1], value.name)
        _look(at, value.label, found)
        for choice in value.choices:
            _look((*at, choice.key), choice.title, found)
    elif isinstance(value, ExampleStep) and value.run is None:
        found.append((address, value.say))  # most stand there as mere text
    elif isinstance(value, BaseModel):
        for name, key in _keys_of(type(value)):
            _look((*address, key) if key else address, getattr(value, name), found)


@cache
def _keys_of(kind: type[BaseModel]) -> tuple[tuple[str, str | None], ...]:
    """Fields of a model, each with the key under which the data writes it, if it does."""
    return tuple(
        (name, None if (kind, name) in UNWRITTEN else info.alias or name)
        for name, info in kind.model_fields.items()
    )


def names_in(address: Address, value: object) -> Iterator[tuple[Address, str, Ref]]:
    """Every id in a part of a ruleset that is to be that of a thing elsewhere, by its field's Ref.

    The address of an id that is a key ends with KEY.
    """
    if isinstance(value, BaseModel):
        for name, key, refs in _refs_of(type(value)):
            held, at = getattr(value, name), (*address, key)
            for where, ref in refs:
                if where == "keys":
                    yield from (((*at, id_, KEY), id_, ref) for id_ in held or ())
                elif where == "items":
                    yield from (((*at, index), id_, ref) for index, id_ in enumerate(held or ()))
                elif held is not None:
                    yield at, held, ref
            if not isinstance(held, str):
                yield from names_in(at, held)
    elif isinstance(value, Mapping | tuple):
        parts = value.items() if isinstance(value, Mapping) else enumerate(value)
        for part, item in parts:
            yield from names_in((*address, part), item)


#: Whether a Ref is of a value itself, of the keys of a mapping or of the items of a list.
_Where: TypeAlias = Literal["value", "keys", "items"]


@cache
def _refs_of(kind: type[BaseModel]) -> tuple[tuple[str, str, tuple[tuple[_Where, Ref], ...]], ...]:
    """Fields of a model, each with the key under which the data writes it, and its Refs."""
    return tuple(
        (name, info.alias or name, tuple(_refs(info.rebuild_annotation())))
        for name, info in kind.model_fields.items()
    )


def _refs(annotation: Any, where: _Where = "value") -> Iterator[tuple[_Where, Ref]]:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from ((where, one) for one in inner[1:] if isinstance(one, Ref))
        yield from _refs(inner[0], where)
    elif origin in (Union, UnionType):
        for alternative in inner:
            yield from _refs(alternative, where)
    elif origin is tuple:
        yield from _refs(inner[0], "items")
    elif origin is dict:
        yield from _refs(inner[0], "keys")


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
