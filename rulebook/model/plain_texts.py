"""A ruleset -> the plain texts in it that hold bindings, and the ruleset with words in their place.

Titles, headings, labels and cells of type text print as they stand, where no Markdown is read; so
their bindings are replaced once, before anything else is done with the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, TypeVar

from pydantic import BaseModel

from rulebook import quantities
from rulebook.model.axes import Axis, Choice
from rulebook.model.cells import Cell
from rulebook.model.maps import Point
from rulebook.model.prose import Chapter, Section
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose, Unbound
from rulebook.model.walk import UNWRITTEN

Part = TypeVar("Part")


#: The plain texts with bindings of one thing, each with its place.
Texts = tuple[tuple[Address, Unbound], ...]


@dataclass(slots=True)
class PlainTexts:
    """The plain texts with bindings of rulesets that have most of their entities in common.

    Each entity is looked through once, and put into words once for the same words: it is known by
    its identity, and kept so that no other can have the same.
    """

    _found: dict[tuple[Address, int], tuple[object, Texts]] = field(default_factory=dict)
    _worded: dict[tuple[int, tuple[str | None, ...]], object] = field(default_factory=dict)

    def unbound(self, ruleset: Ruleset) -> Iterator[tuple[Address, Unbound]]:
        """Every text with bindings in header, options, collections and headings, with its place.

        The address of a heading is ("prose", its id).
        """
        yield from self._of(("header",), ruleset.header)
        for name, option in ruleset.options.items():
            yield from self._of(("options", name), option)
        for collection in type(ruleset.collections).model_fields:
            for name, entity in getattr(ruleset.collections, collection).items():
                yield from self._of((collection, name), entity)
        for chapter in ruleset.chapters:
            for section in chapter.sections:
                yield from _texts(("prose", section.id), section.title)

    def with_words(self, ruleset: Ruleset, words: Mapping[str, str]) -> Ruleset:
        """The ruleset with these words for its texts with bindings; texts without words stay."""
        collections = {}
        for collection in type(ruleset.collections).model_fields:
            old = getattr(ruleset.collections, collection)
            new = {
                name: self._put(entity, words, (collection, name)) for name, entity in old.items()
            }
            if any(new[name] is not entity for name, entity in old.items()):
                collections[collection] = new
        options = {
            name: self._put(option, words, ("options", name))
            for name, option in ruleset.options.items()
        }
        made = ruleset.collections
        return replace(
            ruleset,
            header=self._put(ruleset.header, words, ("header",)),
            options=options,
            collections=made.model_copy(update=collections) if collections else made,
            chapters=_replaced(ruleset.chapters, words),
        )

    def _of(self, address: Address, value: object) -> Texts:
        key = address, id(value)
        if key not in self._found:
            self._found[key] = value, tuple(_texts(address, value))
        return self._found[key][1]

    def _put(self, value: Part, words: Mapping[str, str], address: Address) -> Part:
        """The thing with words in it; the same object where no text in it has words."""
        texts = self._of(address, value)
        if not texts:
            return value
        key = id(value), tuple(words.get(text) for _, text in texts)
        if key not in self._worded:
            self._worded[key] = _replaced(value, words)
        return self._worded[key]  # type: ignore[return-value]


def _texts(address: Address, value: object) -> Iterator[tuple[Address, Unbound]]:
    if isinstance(value, Unbound):
        yield address, value
        return
    for at, part in _parts(address, value):
        if type(part) not in _NO_TEXTS:
            yield from _texts(at, part)


def _parts(address: Address, value: object) -> Iterator[tuple[Address, object]]:
    """The parts of a value in which texts may stand, each with its place."""
    if isinstance(value, Cell):
        yield (*address, "value"), value.value
        yield (*address, "source"), value.source
    elif isinstance(value, Axis):
        yield (*address, value.name), value.label
        yield from (((*address, value.name, one.key), one.title) for one in value.choices)
    elif isinstance(value, BaseModel):
        for name, info in type(value).model_fields.items():
            written = (type(value), name) not in UNWRITTEN
            yield (*address, info.alias or name) if written else address, getattr(value, name)
    elif isinstance(value, dict):
        yield from (((*address, key), item) for key, item in value.items())
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield address if isinstance(item, Axis) else (*address, index), item


#: What holds no text with bindings, and is most of a ruleset; so it is passed over at once.
_NO_TEXTS = {str, int, bool, Fraction, Status, type(None), quantities.Length, Prose, Point}


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
