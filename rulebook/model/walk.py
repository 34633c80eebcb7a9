"""A model -> the texts and the names in it, with their addresses; changed parts put in.

Texts are Prose, which is bound where it is printed, and Unbound, which is bound when a ruleset is
put together. Names are ids that are to be those of things elsewhere, as the Ref of a field says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache, wraps
from operator import is_
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from rulebook.model.cells import Cell
from rulebook.model.grids import Axis
from rulebook.model.record_tables import TableRow
from rulebook.model.ruleset import KEY, Address, Collections, Option, Ruleset
from rulebook.model.scalars import Prose, Ref, Unbound
from rulebook.model.sequence_and_examples import ExampleStep
from rulebook.model.units import ALL_UNITS
from rulebook.once import Latest, once_for_each
from rulebook.translation import translations

#: A text, or an id with the Ref of its field, behind the address at which the data writes it. The
#: address of an id that is a key ends with KEY.
_Found: TypeAlias = tuple[Address, Any, Ref | None]
Result = TypeVar("Result")


def prose_of(ruleset: Ruleset) -> Iterator[tuple[Address, Prose]]:
    """Yields every Prose of the header, the options in force and the collections.

    Each comes with its address. Entities that are `unaffected` are left out.
    """
    for address, text in texts_of(ruleset, ruleset.chosen_options):
        if isinstance(text, Prose):
            yield address, text


def texts_of(
    ruleset: Ruleset, options: Mapping[str, Option]
) -> Iterator[tuple[Address, Prose | Unbound]]:
    """Yields every text of the header, of some options and of the collections, with its address.

    Entities that are `unaffected` are left out.
    """
    yield from texts_in(("header",), ruleset.header)
    for things in ({"options": options}, _to_check(ruleset)):
        yield from ((at, text) for at, text, ref in _in_things(things) if ref is None)


def names_of(ruleset: Ruleset) -> Iterator[tuple[Address, str, Ref]]:
    """Yields every id in the collections and options that refers to something.

    Each comes as (address, id, Ref of its field), where Ref says what it may refer to. Entities
    that are `unaffected` are left out.
    """
    for things in (_to_check(ruleset), {"options": ruleset.options}):
        yield from ((at, name, ref) for at, name, ref in _in_things(things) if ref is not None)


def _to_check(ruleset: Ruleset) -> dict[str, Mapping[str, Any]]:
    return {kind: ruleset.to_check(kind) for kind in Collections.model_fields}


def _in_things(things: Mapping[str, Mapping[str, Any]]) -> Iterator[_Found]:
    """Yields all that `_look` finds in entities, given by collection and id."""
    for kind, named in things.items():
        for name, thing in named.items():
            for address, found, ref in _look_once(thing):
                yield (kind, name, *address), found, ref


def texts_in(address: Address, value: object) -> Iterator[tuple[Address, Prose | Unbound]]:
    """Yields every text in a part of a ruleset, with its address, in order.

    `address` is that of the part.
    """
    return ((at, text) for at, text, ref in _look(address, value) if ref is None)


def names_in(address: Address, value: object) -> Iterator[tuple[Address, str, Ref]]:
    """Yields every id in a part of a ruleset that refers to something.

    Each comes as (address, id, Ref of its field). `address` is that of the part.
    """
    return ((at, name, ref) for at, name, ref in _look(address, value) if ref is not None)


#: A Prose as it is represented; the parts of it that name something; words that may be ids.
_PROSE = re.compile(r"(?:Prose|Passage)\(markdown=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\)")
_IN_BRACES = re.compile(r"\{[^{}]*\}")
_ID = re.compile(r"[a-z][a-z0-9_]*")
#: By address of an entity the words of its data, which may be ids, and those bound in its prose.
Words: TypeAlias = Mapping[tuple[str, str], tuple[Set[str], Set[str]]]


def words_of(ruleset: Ruleset) -> Words:
    """Returns for each entity, by (collection, id), the words in it that may be ids of others.

    They are two sets: the words in its data, and those in braces in its prose.
    """
    return {
        (kind, name): _words(thing)
        for kind, things in ruleset.collections
        for name, thing in things.items()
    }


@once_for_each
def _words(thing: object) -> tuple[Set[str], Set[str]]:
    shown = repr(thing)
    bound = _IN_BRACES.findall(" ".join(_PROSE.findall(shown)))
    data, prose = _PROSE.sub("", shown), " ".join(bound)
    return frozenset(_ID.findall(data)), frozenset(_ID.findall(prose))


def unaffected(ruleset: Ruleset, plain: Ruleset, words: Words) -> Set[tuple[str, str]]:
    """Returns the addresses (collection, id) of entities that the options in force do not affect.

    `plain` is the ruleset without options, `words` are those of `plain`. An entity is affected if
    it differs, or names one that is affected. What is bound in prose is only shown there, so
    nothing else is affected by it.
    """
    then, now = plain.collections, ruleset.collections
    every = {(kind, name) for each in (then, now) for kind, things in each for name in things}
    left = {at for at in every & words.keys() if _is_same(_entity(then, at), _entity(now, at))}
    found = every - left
    names = set[str]()
    while found:
        # A deck may be made from all units.
        names |= {name for _, name in found} | {kind for kind, _ in found if kind == ALL_UNITS}
        found = {at for at in left if not words[at][0].isdisjoint(names)}
        left -= found
    return {at for at in left if words[at][1].isdisjoint(names)}


def with_entities(ruleset: Ruleset, source: Ruleset, chosen: Set[tuple[str, str]]) -> Ruleset:
    """Returns a ruleset with some of its entities replaced by those of the ruleset `source`.

    `chosen` has their addresses (collection, id).
    """
    collections = {
        kind: {
            name: getattr(source.collections, kind)[name] if (kind, name) in chosen else thing
            for name, thing in things.items()
        }
        for kind, things in ruleset.collections
    }
    return replace(ruleset, collections=ruleset.collections.model_copy(update=collections))


def _entity(collections: Collections, at: tuple[str, str]) -> object:
    return getattr(collections, at[0]).get(at[1])


def once_for_entities(function: Callable[[Ruleset], Result]) -> Callable[[Ruleset], Result]:
    """Returns `function` with its last results kept for rulesets with the same entities.

    A result is taken again if form, header, options, entities and language are the same; so the
    function must not look at chapters or places.
    """
    known: Latest[tuple[object, ...], tuple[tuple[object, ...], list[object], Result]] = Latest(8)

    @wraps(function)
    def result_for(ruleset: Ruleset) -> Result:
        key, outside = (ruleset.id, ruleset.form, translations()), (ruleset.header, ruleset.options)
        entities = [thing for _, things in ruleset.collections for thing in things.values()]
        found = known.again(key)
        if found is None or found[0] != outside or not _are_same(found[1], entities):
            found = known[key] = outside, entities, function(ruleset)
        return found[2]

    return result_for


def _are_same(first: list[object], second: list[object]) -> bool:
    return len(first) == len(second) and all(map(_is_same, first, second))


def _is_same(first: object, second: object) -> bool:
    """Tells whether two entities are equal, with all mappings in them in the same order."""
    return first is second or repr(first) == repr(second)


#: Most that a ruleset holds, which is neither a text nor a name.
_PLAIN = {str, int, bool, float, Fraction, type(None)}
#: Whether a Ref is of a value itself, of the keys of a mapping or of the items of a list.
_Where: TypeAlias = Literal["value", "keys", "items"]
_Refs: TypeAlias = tuple[tuple[_Where, Ref], ...]


def _look(address: Address, value: object) -> list[_Found]:
    found: list[_Found] = []
    _collect(address, value, (), found)
    return found


@once_for_each
def _look_once(thing: object) -> list[_Found]:
    """Returns what `_look` finds in an entity, each with its address inside the entity."""
    return _look((), thing)


def _collect(address: Address, value: object, refs: _Refs, found: list[_Found]) -> None:
    kind: Any = type(value)
    if not refs and kind in _PLAIN:
        return
    if isinstance(value, Prose | Unbound):
        found.append((address, value, None))
    elif isinstance(value, str | int | None):
        wanted = refs if value is not None else ()
        found += [(address, value, ref) for where, ref in wanted if where == "value"]
    elif isinstance(value, Mapping):
        for key, item in value.items():
            at = (*address, key)
            found += [((*at, KEY), key, ref) for where, ref in refs if where == "keys"]
            _collect(at, item, (), found)
    elif isinstance(value, tuple):
        inner: _Refs = tuple(("value", ref) for where, ref in refs if where == "items")
        for index, item in enumerate(value):
            _collect((*address, index), item, inner, found)
    elif isinstance(value, Axis):  # axes stand in a list, but are written as a mapping
        titles = {choice.key: choice.title for choice in value.choices}
        at = (*address[:-1], value.name)
        _collect(at, value.label, (), found)
        _collect(at, titles, (), found)
    elif isinstance(value, ExampleStep) and value.run is None:
        found.append((address, value.say, None))  # most stand there as mere text
    elif isinstance(value, BaseModel | Cell):
        for name, key, inner in _fields(kind):
            _collect((*address, key) if key else address, getattr(value, name), inner, found)


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, str | None, _Refs], ...]:
    """Returns the fields of a class as (name, key that an author writes, Refs).

    The cells of a row have no key of their own: they are written one level up. A class that is no
    model is that of cells.
    """
    if not issubclass(kind, BaseModel):
        return tuple((name, name, ()) for name in ("value", "note", "source"))
    return tuple(
        (
            name,
            None if name == "cells" and issubclass(kind, TableRow) else info.alias or name,
            tuple(_refs(info.rebuild_annotation())),
        )
        for name, info in kind.model_fields.items()
    )


def _refs(annotation: Any, where: _Where = "value") -> Iterator[tuple[_Where, Ref]]:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from ((where, ref) for ref in inner[1:] if isinstance(ref, Ref))
        yield from _refs(inner[0], where)
    elif origin in (Union, UnionType):
        for alternative in inner:
            yield from _refs(alternative, where)
    elif origin is tuple:
        yield from _refs(inner[0], "items")
    elif origin is dict:
        yield from _refs(inner[0], "keys")


def with_parts(value: Any, change: Callable[[Any], Any]) -> Any:
    """Applies `change` to each part of a mapping, tuple, model or dataclass; returns the new value.

    Returns the same object if no part changes, or it has none.
    """
    if isinstance(value, Mapping):
        items = {key: change(item) for key, item in value.items()}
        return value if all(items[key] is item for key, item in value.items()) else items
    if isinstance(value, tuple):
        parts = tuple([change(item) for item in value])
        return value if all(map(is_, parts, value)) else parts
    if isinstance(value, BaseModel):
        names = list(type(value).model_fields)
    elif is_dataclass(value):
        names = [field.name for field in fields(value)]
    else:
        return value
    old = {name: getattr(value, name) for name in names}
    new = {name: made for name, held in old.items() if (made := change(held)) is not held}
    if not new:
        return value
    return value.model_copy(update=new) if isinstance(value, BaseModel) else replace(value, **new)
