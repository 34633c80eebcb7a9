"""A model -> the prose scalars in it and their addresses in the data."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from rulebook.model.cells import Cell
from rulebook.model.modifiers import ModifierRow
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.model.tables import Row
from rulebook.model.texts import ExampleStep

#: Fields of the model that the data does not write: their contents stand one level up.
UNWRITTEN: set[tuple[type[BaseModel], str]] = {(Row, "cells"), (ModifierRow, "amounts")}


def prose_of(ruleset: Ruleset) -> Iterator[tuple[Address, Prose]]:
    """Every prose scalar of the header, the options chosen and the collections, in this order."""
    yield from _walk(("header",), ruleset.header)
    yield from _walk(("options",), ruleset.chosen_options)
    for name in type(ruleset.collections).model_fields:
        yield from _walk((name,), getattr(ruleset.collections, name))


def _walk(address: Address, value: object) -> Iterator[tuple[Address, Prose]]:
    if isinstance(value, Prose):
        yield address, value
    elif isinstance(value, Cell):
        if value.note:
            yield (*address, "note"), value.note
    elif isinstance(value, ExampleStep) and value.run is None:
        yield address, value.say  # most stand there as mere text
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            inner = address if (type(value), name) in UNWRITTEN else (*address, name)
            yield from _walk(inner, getattr(value, name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _walk((*address, key), item)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _walk((*address, index), item)
