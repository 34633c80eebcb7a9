"""An address in the model -> the keys that may stand there, for hints about those that may not."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from rulebook.model.cells import Cell
from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Address

_CELL_KEYS = ["value", "status", "note", "source"]


def known_keys(model: type[BaseModel], loc: Address) -> list[str]:
    """The keys at an address as the model tells it: a kind of table or cutout may stand in it."""
    at: list[Any] = [model]
    for part in loc:
        at = [found for kind in at for found in _below(kind, part)] or _of_kind(at, part)
    keys = [key for kind in at for key in _keys(kind)]
    # Cells are read by their tables, so their keys cannot be found by walking the model.
    return list(dict.fromkeys(keys)) or _CELL_KEYS


def _keys(kind: Any) -> list[str]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        names = {name: field.alias or name for name, field in kind.model_fields.items()}
        own = [key for name, key in names.items() if name not in Entity.model_fields]
        return own + [key for name, key in names.items() if name in Entity.model_fields]
    return _CELL_KEYS if kind is Cell else []


def _of_kind(at: list[Any], part: str | int) -> list[Any]:
    """The models called by a kind, such as Grid by 'grid' and FromTable by '[fromtable]'."""
    name = str(part).strip("[]")
    return [kind for kind in at if getattr(kind, "__name__", "").lower().startswith(name)]


def _below(kind: Any, part: str | int) -> Iterator[Any]:
    """What stands under a key or in a list."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        field = kind.model_fields.get(str(part))
        if field is not None:
            yield from _flat(field.annotation)
    elif get_origin(kind) is dict:
        yield from _flat(get_args(kind)[1])
    elif get_origin(kind) in (tuple, list) and isinstance(part, int):
        yield from _flat(get_args(kind)[0])


def _flat(annotation: Any) -> Iterator[Any]:
    """The alternatives of an annotation, without what pydantic hangs on them."""
    if get_origin(annotation) is Annotated:
        yield from _flat(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for alternative in get_args(annotation):
            yield from _flat(alternative)
    else:
        yield annotation
