"""A ruleset -> the plain texts in it that hold bindings, and the ruleset with words in their place.

Titles, headings, labels and cells of type text print as they stand, where no Markdown is read; so
their bindings are replaced once, before anything else is done with the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from rulebook.model.axes import Axis, Choice
from rulebook.model.cells import Cell
from rulebook.model.prose import Chapter, Section
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Unbound
from rulebook.model.walk import UNWRITTEN

Part = TypeVar("Part")


def unbound_texts(ruleset: Ruleset) -> Iterator[tuple[Address, Unbound]]:
    """Every plain text with bindings in header, options, collections and headings, with its place.

    The address of a heading is ("prose", its id).
    """
    yield from _texts(("header",), ruleset.header)
    yield from _texts(("options",), ruleset.options)
    for name in type(ruleset.collections).model_fields:
        yield from _texts((name,), getattr(ruleset.collections, name))
    for chapter in ruleset.chapters:
        for section in chapter.sections:
            yield from _texts(("prose", section.id), section.title)


def with_words(ruleset: Ruleset, words: Mapping[str, str]) -> Ruleset:
    """The ruleset with these words for its texts with bindings; texts without words stay."""
    return replace(
        ruleset,
        header=_worded(ruleset.header, words),
        options=_worded(ruleset.options, words),
        collections=_worded(ruleset.collections, words),
        chapters=_worded(ruleset.chapters, words),
    )


def _texts(address: Address, value: object) -> Iterator[tuple[Address, Unbound]]:
    if isinstance(value, Unbound):
        yield address, value
    elif isinstance(value, Cell):
        yield from _texts((*address, "value"), value.value)
        yield from _texts((*address, "source"), value.source)
    elif isinstance(value, Axis):
        yield from _texts((*address, value.name), value.label)
        for choice in value.choices:
            yield from _texts((*address, value.name, choice.key), choice.title)
    elif isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            inner = (*address, field.alias or name)
            written = (type(value), name) not in UNWRITTEN
            yield from _texts(inner if written else address, getattr(value, name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts((*address, key), item)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _texts(address if isinstance(item, Axis) else (*address, index), item)


def _worded(value: Part, words: Mapping[str, str]) -> Part:
    """The same object where no text in it has words."""
    return _replaced(value, words)  # type: ignore[no-any-return]


def _replaced(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, Unbound):
        return words.get(value, value)
    if isinstance(value, Mapping):
        items = {key: _replaced(item, words) for key, item in value.items()}
        return items if any(items[key] is not item for key, item in value.items()) else value
    if isinstance(value, tuple):
        parts = tuple(_replaced(item, words) for item in value)
        same = all(new is old for new, old in zip(parts, value, strict=True))
        return value if same else parts
    if isinstance(value, BaseModel):
        names = tuple(type(value).model_fields)
    elif isinstance(value, Cell | Axis | Choice | Chapter | Section):
        names = tuple(one.name for one in fields(value))
    else:
        return value
    given = {name: getattr(value, name) for name in names}
    changed = {
        name: new for name, old in given.items() if (new := _replaced(old, words)) is not old
    }
    if not changed:
        return value
    if isinstance(value, BaseModel):
        return value.model_copy(update=changed)
    return replace(value, **changed)
