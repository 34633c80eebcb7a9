"""Nodes -> the typed model; each complaint of the model becomes a fault at the node it is about.

The model speaks to programmers, so none of its wording is passed on but that of its own quantities.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rulebook import quantities
from rulebook.limits import MOST_FAULTS
from rulebook.loading.nodes import (
    MappingNode,
    Node,
    Plain,
    Scalar,
    SequenceNode,
    find_node,
    key_span,
    misshapen,
    plain,
    quoted_in,
    shape,
    unknown,
)
from rulebook.model.cells import Cell
from rulebook.model.entities import Entity, meanings, written_fields
from rulebook.model.expressions import ExpressionFault
from rulebook.model.ruleset import Address, Collections
from rulebook.once import MOST_KEPT, Latest
from rulebook.problems import Problem, Span
from rulebook.suggestions import nearest, some_words

_CELL_KEYS = ["value", "status", "note", "source"]


def known_keys(model: type[BaseModel], loc: Address) -> list[str]:
    """Lists the keys that a model allows at an address in the model (`loc`)."""
    keys = [key for kind in _kinds_at(model, loc) for key in _keys(kind)]
    # Cells are read by their tables, so their keys cannot be found by walking the model.
    return list(dict.fromkeys(keys)) or _CELL_KEYS


def _kinds_at(model: type[BaseModel], loc: Address) -> list[Any]:
    """Lists the types that a model allows at an address in the model (`loc`)."""
    at: list[Any] = [model]
    for part in loc:
        at = [found for kind in at for found in _below(kind, part)] or _of_kind(at, part)
    return at


def _meaning(model: type[BaseModel], loc: Address) -> str:
    """Returns the words that the field at an address allows, or its description in the model.

    Returns an empty text if there is no such field.
    """
    for kind in _kinds_at(model, loc[:-1]):
        if name := written_fields(kind).get(str(loc[-1])):
            annotation = kind.model_fields[name].annotation
            literals = [part for part in _flat(annotation) if get_origin(part) is Literal]
            words = [word for literal in literals for word in get_args(literal)]
            if meaning := quantities.join_words(words) or meanings(kind)[name]:
                return meaning
    return ""


def _keys(kind: Any) -> list[str]:
    if kind is Cell:
        return _CELL_KEYS
    return sorted(written_fields(kind), key=lambda key: key in Entity.model_fields)


def _of_kind(at: list[Any], part: str | int) -> list[Any]:
    """Returns the types in `at` whose class name begins with `part`: 'grid' or '[fromtable]'."""
    name = str(part).strip("[]")
    return [kind for kind in at if getattr(kind, "__name__", "").lower().startswith(name)]


def _below(kind: Any, part: str | int) -> Iterator[Any]:
    """Yields the types that a type allows for the part of it with this key or index.

    These are the types of a field, of the values of a mapping or of the items of a list.
    """
    if name := written_fields(kind).get(str(part)):
        yield from _flat(kind.model_fields[name].annotation)
    elif get_origin(kind) is dict:
        yield from _flat(get_args(kind)[1])
    elif get_origin(kind) in (tuple, list) and isinstance(part, int):
        yield from _flat(get_args(kind)[0])


def _flat(annotation: Any) -> Iterator[Any]:
    """Yields the alternatives of a type annotation, without the metadata of Annotated."""
    if get_origin(annotation) is Annotated:
        yield from _flat(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for alternative in get_args(annotation):
            yield from _flat(alternative)
    else:
        yield annotation


Model = TypeVar("Model", bound=BaseModel)

#: Kinds of tables, of marks and of steps, which the model puts into its addresses.
_KIND = re.compile(r"\[(?!key\])[a-z]+\]")
#: What a field wants, by the complaint of the model.
_SHAPES = {
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "names, each with a colon and its value",
}
#: What a value may be, by the name of its bound in the complaint of the model.
_BOUNDS = {"ge": "{} or more", "gt": "more than {}", "le": "{} or fewer", "lt": "fewer than {}"}


#: Entities by collection, id, and the text of the data that they were read from.
_ENTITIES: Latest[tuple[str, str, str], Any] = Latest(MOST_KEPT)


def read_model(
    model: type[Model],
    root: MappingNode,
    *,
    passed_over: frozenset[Span] = frozenset(),
) -> tuple[Model | None, list[Problem]]:
    """Validates a mapping; returns its model, or None and the faults.

    Faults at the places in `passed_over` are left out. An entity of the same data as one that was
    read before is that one.
    """
    data, new = _data_of_entities(root) if model is Collections else (plain(root), [])
    try:
        made = model.model_validate(data)
    except ValidationError as error:
        faults = _Complaints(model, root)
        problems = [
            problem
            for details in islice(_without_cascades(error), MOST_FAULTS)
            if (problem := faults.problem(details))
        ]
        return None, [problem for problem in problems if problem.span not in passed_over]
    for name, id_, written in new:
        _ENTITIES[name, id_, written] = getattr(made, name)[id_]
    return made, []


def _data_of_entities(root: MappingNode) -> tuple[Plain, list[tuple[str, str, str]]]:
    """Converts collections to plain data, with the entities that are in `_ENTITIES` in it.

    Returns it, and the keys in `_ENTITIES` of all others.
    """
    data: dict[str, Any] = {}
    new = []
    for name, entry in root.entries.items():
        part = entry.value
        data[name] = {} if isinstance(part, MappingNode) else plain(part)
        for id_, entity in part.entries.items() if isinstance(part, MappingNode) else ():
            written = plain(entity.value)
            key = name, id_, repr(written)
            known = _ENTITIES.again(key)
            if known is None:
                new.append(key)
            data[name][id_] = written if known is None else known
    return data, new


def _without_cascades(error: ValidationError) -> Iterator[ErrorDetails]:
    """Yields the errors without those that only follow from a fault below them.

    These say that a list or mapping is too short or too long, since faulty items were left out.
    """
    errors = error.errors(include_url=False, include_input=False)
    above = {error["loc"][:depth] for error in errors for depth in range(len(error["loc"]))}
    for details in errors:
        if details["type"] not in ("too_short", "too_long") or details["loc"] not in above:
            yield details


class _Complaints:
    """Converts the errors of one model to faults in the words of an author."""

    def __init__(self, model: type[BaseModel], root: MappingNode) -> None:
        self.model = model
        self.root = root

    def problem(self, error: ErrorDetails) -> Problem | None:
        """Converts an error of pydantic to a fault.

        Returns None if another error describes the same mistake better.
        """
        address = self._address(error["loc"])
        kind = error["type"]
        fault = error.get("ctx", {}).get("error")
        if address and address[-1] == "[key]":
            return self._bad_key(address[:-1], fault)
        if kind == "missing":
            return self._missing(address, error["loc"])
        if kind == "extra_forbidden":
            return self._unknown_key(address, error["loc"])
        if isinstance(fault, quantities.QuantityError):
            return self._quantity((*address, *fault.at), fault)
        node, span = find_node(self.root, address)
        return self._other(error, address, node, span)

    def _quantity(self, address: Address, fault: quantities.QuantityError) -> Problem | None:
        """Converts an error whose message is already written for authors to a fault.

        `address` is its place in the file. Returns None if a misspelt key explains it, which is
        reported as unknown.
        """
        node, span = find_node(self.root, address)
        code = fault.code or "R204"
        if code == "R201":
            if fault.choices and self._misspelt((*address[:-3], *fault.choices), fault.choices):
                return None
            span = key_span(self.root, address)
        elif fault.choices:
            if self._misspelt(address, fault.choices):
                return None
            if cell := self._empty_cell(address, span):
                hint = "write a value, or ~ where nothing applies"
                return _not_there(str(address[-1]), cell, "in every row", hint)
        elif isinstance(fault, ExpressionFault) and isinstance(node, Scalar):
            span = node.span.within(node.text, fault.start, fault.end)
        elif isinstance(node, MappingNode | SequenceNode):
            quoted = re.match(r"'([^']+)'", fault.message)
            span = (quoted_in(node, quoted[1]) if quoted else None) or span
        return Problem(code, fault.message, span, fault.expected, fault.hint)

    def _empty_cell(self, address: Address, row: Span) -> Span | None:
        """Returns the place of the missing cell if `row` is the place of a row of a spreadsheet.

        Returns None in other files, and if no other row has this cell.
        """
        rows, _ = find_node(self.root, address[:-2])
        if row.cell is None or not isinstance(rows, MappingNode):
            return None
        for entry in rows.entries.values():
            beside = entry.value
            if isinstance(beside, MappingNode) and str(address[-1]) in beside.entries:
                column = beside.entries[str(address[-1])].key.span.column
                return Span(row.path, row.line, column, row.line, column + 1, "")
        return None

    def _misspelt(self, address: Address, known: Iterable[str]) -> bool:
        """Tells whether a key that is missing at an address stands there with a similar spelling.

        `known` are the keys that are allowed there.
        """
        parent, _ = find_node(self.root, address[:-1])
        keys = parent.entries if isinstance(parent, MappingNode) else ()
        strays = [key for key in keys if key not in set(known)]
        return bool(nearest(str(address[-1]), strays))

    def _address(self, loc: tuple[int | str, ...]) -> Address:
        """Converts an address in the model to one in the file.

        Kinds of tables, cutouts, marks and steps, which pydantic inserts, are removed.
        """
        if self.model is Collections and len(loc) > 2 and loc[0] == "cutouts" and loc[2] != "[key]":
            loc = (*loc[:2], *loc[3:])
        return tuple(part for part in loc if not _KIND.fullmatch(str(part)))

    def _bad_key(self, address: Address, fault: object) -> Problem:
        span = key_span(self.root, address)
        if isinstance(fault, quantities.QuantityError):
            return Problem("R205", fault.message, span, fault.expected, fault.hint)
        return Problem("R205", "this is not an id", span)

    def _missing(self, address: Address, raw: Address) -> Problem | None:
        name = str(address[-1])
        _, span = find_node(self.root, address[:-1])
        if not address[:-1]:
            span = Span(span.path, span.line, span.column, span.line, span.column + 1)
        if self._misspelt(address, known_keys(self.model, raw[:-1])):
            return None
        return _not_there(name, span, _meaning(self.model, raw), f"add '{name}:' here")

    def _unknown_key(self, address: Address, raw: Address) -> Problem:
        name = str(address[-1])
        known = known_keys(self.model, raw[:-1])
        hint = nearest(name, known) or "delete it, or look whether it is indented too far"
        message = f"the key '{name:.40}' is not known here"
        return Problem("R201", message, key_span(self.root, address), some_words(known), hint)

    def _other(
        self, error: ErrorDetails, address: Address, node: Node | None, span: Span
    ) -> Problem:
        kind, context = error["type"], error.get("ctx", {})
        name = str(address[-1]) if address else "the file"
        here = shape(node) if node is not None else "nothing"
        if kind.startswith("union_tag"):
            return _no_shape(node, span, context)
        if kind in ("literal_error", "enum"):
            text = node.text if isinstance(node, Scalar) else here
            words = str(context.get("expected", "")).replace("'", "")
            hint = nearest(text, words.replace(" or ", ", ").split(", "))
            return Problem("R204", f"'{text:.40}' cannot stand here", span, words, hint)
        if kind in ("too_short", "too_long"):
            return _wrong_count(name, node, span, context)
        if kind.startswith(("greater_than", "less_than")):
            # A value that stands for a whole entity is written one step higher.
            written = node or find_node(self.root, address[:-1])[0]
            text = written.text if isinstance(written, Scalar) else "it"
            bound = next(
                words.format(context[key]) for key, words in _BOUNDS.items() if key in context
            )
            return Problem("R204", f"'{text:.40}' is out of bounds for '{name:.40}'", span, bound)
        wanted = _SHAPES.get(kind)
        if wanted is None:
            keys = some_words(known_keys(self.model, error["loc"]))
            wanted = f"{keys}, each with a colon and its value"
        hint = "begin each item with '- '" if wanted == "a list" else ""
        typed = node.text if isinstance(node, Scalar) else ""
        if wanted == "a list" and "," in typed:
            hint = f"write [{typed:.60}]"
        elif kind == "dict_type" and re.fullmatch(r"\w+", typed):
            named = "die" if re.fullmatch("[0-9]*d[0-9]+", typed) else typed
            hint = f"write {{{named:.40}: {typed:.40}}}"
        return misshapen(node, _called(address), wanted, span, hint)


def _not_there(name: str, span: Span, meaning: str, hint: str) -> Problem:
    expected = f"'{name:.40}', which cannot be left out" + (f": {meaning}" if meaning else "")
    return Problem("R202", f"'{name:.40}' is not there", span, expected, hint)


def _called(address: Address) -> str:
    """Says in words where an address is, for a report: under its last key, or in a list."""
    if address and not isinstance(address[-1], int):
        return f"under '{address[-1][:40]}'"
    names = [part for part in address if isinstance(part, str)]
    return f"in the list of '{names[-1][:40]}'" if names else "here"


def _no_shape(node: Node | None, span: Span, context: dict[str, Any]) -> Problem:
    tags = str(context.get("expected_tags", "cone, burst")).split(",")
    known = [word.strip(" '") for word in tags]
    given = node.get("shape") if isinstance(node, MappingNode) else None
    if isinstance(given, Scalar):
        return unknown("R207", "shape of a cutout", given.text, known, given.span)
    return Problem("R207", "a cutout without a shape", span, f"'shape': {some_words(known)}")


def _wrong_count(name: str, node: Node | None, span: Span, context: dict[str, Any]) -> Problem:
    least, most = context.get("min_length", 0), context.get("max_length")
    # What stops counting at the limit does not say how many there are.
    inside = node.entries if isinstance(node, MappingNode) else getattr(node, "items", ())
    actual = context.get("actual_length") or len(inside)
    expected = f"{least} or more" if most is None else f"{least} to {most}"
    return Problem("R214", f"'{name:.40}' holds {actual}", span, expected)
