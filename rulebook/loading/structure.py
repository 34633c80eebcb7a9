"""Nodes -> the typed model; each complaint of the model becomes a fault at the node it is about.

The model speaks to programmers, so none of its wording is passed on but that of its own quantities.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as ReadOnly
from typing import Any, TypeGuard, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rulebook import quantities as q
from rulebook.loading.known_keys import known_keys
from rulebook.loading.nodes import Mapping, Node, Scalar, Sequence, plain, shape
from rulebook.model.cells import nearest
from rulebook.model.ruleset import Address, Collections
from rulebook.problems import Problem, Span

Model = TypeVar("Model", bound=BaseModel)

#: Collections whose entities are of several kinds; the model puts the kind into its addresses.
_OF_KINDS = ("tables", "cutouts")
#: What a field wants, by the complaint of the model.
_SHAPES = {"tuple_type": "a list", "list_type": "a list", "dict_type": "keys, each with its value"}
_BOUNDS = {
    "ge": "{} or more",
    "gt": "more than {}",
    "le": "{} or fewer",
    "lt": "fewer than {}",
}


def read_model(
    model: type[Model], root: Mapping, *, passed_over: frozenset[Span] = frozenset()
) -> tuple[Model | None, list[Problem]]:
    """The model of a mapping, or None and its faults, but for those at the places passed over."""
    try:
        return model.model_validate(plain(root)), []
    except ValidationError as error:
        faults = _Faults(model, root)
        told = [
            faults.problem(details)
            for details in _without_cascades(error.errors(include_url=False))
        ]
        return None, [problem for problem in told if problem.span not in passed_over]


def _without_cascades(errors: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Errors but for those that only say that something below them failed."""
    above = {error["loc"][:depth] for error in errors for depth in range(len(error["loc"]))}
    for error in errors:
        if error["type"] not in ("too_short", "too_long") or error["loc"] not in above:
            yield error


class _Faults:
    """Turns the errors of one model into faults in the words of an author."""

    def __init__(self, model: type[BaseModel], root: Mapping) -> None:
        self.model = model
        self.root = root

    def problem(self, error: ErrorDetails) -> Problem:
        address = self._address(error["loc"])
        kind = error["type"]
        fault = error.get("ctx", {}).get("error")
        if address and address[-1] == "[key]":
            return self._bad_key(address[:-1], fault)
        if kind == "missing":
            return self._missing(address, error["loc"])
        if kind == "extra_forbidden":
            return self._unknown_key(address, error["loc"])
        node, span = find_node(self.root, address)
        if isinstance(fault, q.QuantityError):
            misshapen = isinstance(node, Mapping | Sequence) and "stands here" in fault.message
            code = "R203" if misshapen else "R204"
            return Problem(code, fault.message, span, fault.expected, fault.hint)
        return self._other(error, address, node, span)

    def _address(self, loc: tuple[int | str, ...]) -> Address:
        """The address in the file: without the kinds of tables and cutouts."""
        kinds = self.model is Collections and len(loc) > 2 and loc[0] in _OF_KINDS
        if kinds and loc[2] != "[key]":
            return (*loc[:2], *loc[3:])
        return loc

    def _bad_key(self, address: Address, fault: object) -> Problem:
        span = key_span(self.root, address)
        if isinstance(fault, q.QuantityError):
            return Problem("R205", fault.message, span, fault.expected, fault.hint)
        return Problem("R205", "this is not an id", span)

    def _missing(self, address: Address, raw: Address) -> Problem:
        name = str(address[-1])
        parent, span = find_node(self.root, address[:-1])
        known = known_keys(self.model, raw[:-1])
        strays = [key for key in parent.entries if key not in known] if is_mapping(parent) else []
        return Problem(
            "R202",
            f"'{name}' is not there",
            span,
            expected=f"'{name}', which cannot be left out",
            hint=nearest_stray(name, strays) or f"add '{name}:' below it",
        )

    def _unknown_key(self, address: Address, raw: Address) -> Problem:
        name = str(address[-1])
        known = known_keys(self.model, raw[:-1])
        return Problem(
            "R201",
            f"the key '{name[:40]}' is not known here",
            key_span(self.root, address),
            expected=q.join_words(known),
            hint=nearest(name, known) or "delete it, or look whether it is indented too far",
        )

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
            wanted = str(context.get("expected", "")).replace("'", "")
            known = wanted.replace(" or ", ", ").split(", ")
            return Problem(
                "R204", f"'{text[:40]}' cannot stand here", span, wanted, nearest(text, known)
            )
        if kind in ("too_short", "too_long"):
            return _wrong_count(kind, name, span, context)
        if kind.startswith(("greater_than", "less_than")):
            return _out_of_bounds(name, node, span, context)
        wanted = _SHAPES.get(kind, "keys, each with its value, indented below")
        return Problem(
            "R203",
            f"{here} stands where '{name[:40]}' is to be filled in",
            span,
            expected=wanted,
            hint="begin each item with '- '" if wanted == "a list" else "",
        )


def _no_shape(node: Node | None, span: Span, context: dict[str, Any]) -> Problem:
    known = [
        word.strip(" '") for word in str(context.get("expected_tags", "cone, burst")).split(",")
    ]
    given = node.get("shape") if isinstance(node, Mapping) else None
    if isinstance(given, Scalar):
        return Problem(
            "R207",
            f"no cutout has the shape '{given.text[:40]}'",
            given.span,
            expected=q.join_words(known),
            hint=nearest(given.text, known),
        )
    return Problem(
        "R207",
        "a cutout without a shape",
        span,
        f"'shape': {q.join_words(known)}",
        "add 'shape:' below it",
    )


def _wrong_count(kind: str, name: str, span: Span, context: dict[str, Any]) -> Problem:
    least, most = context.get("min_length"), context.get("max_length")
    actual = context.get("actual_length", 0)
    expected = f"{least} or more" if kind == "too_short" else f"{most} or fewer"
    few = "none" if not actual else str(actual)
    return Problem("R214", f"{few} in '{name[:40]}'", span, expected=expected)


def _out_of_bounds(name: str, node: Node | None, span: Span, context: dict[str, Any]) -> Problem:
    text = node.text if isinstance(node, Scalar) else ""
    expected = next(
        (words.format(context[key]) for key, words in _BOUNDS.items() if key in context), ""
    )
    return Problem("R204", f"'{text[:40]}' will not do for '{name}'", span, expected=expected)


def nearest_stray(name: str, strays: list[str]) -> str:
    """The hint where an unknown key stands that is nearly the missing one."""
    close = nearest(name, strays)
    return f"{close} as '{name}'".replace("write", "spell") if close else ""


def is_mapping(node: Node | None) -> TypeGuard[Mapping]:
    return isinstance(node, Mapping)


def find_node(root: Node, address: Address) -> tuple[Node | None, Span]:
    """The node at an address, or None, and the nearest place: of a key, or of the scalar itself."""
    node: Node | None = root
    span = root.span
    for part in address:
        if isinstance(node, Mapping) and str(part) in node.entries:
            entry = node.entries[str(part)]
            node = entry.value
            span = node.span if isinstance(node, Scalar) else entry.key.span
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
            span = node.span
        else:
            return None, span
    return node, span


def key_span(root: Node, address: Address) -> Span:
    """The place of the key at an address."""
    parent, span = find_node(root, address[:-1])
    if isinstance(parent, Mapping) and str(address[-1]) in parent.entries:
        return parent.entries[str(address[-1])].key.span
    return span


def places_of(root: Mapping, address: Address = ()) -> ReadOnly[Address, Span]:
    """The place of every part of a mapping: scalars where they stand, the rest by their keys."""
    places: dict[Address, Span] = {}
    waiting: list[tuple[Address, Node]] = [(address, root)]
    while waiting:
        at, node = waiting.pop()
        if isinstance(node, Mapping):
            for key, entry in node.entries.items():
                scalar = isinstance(entry.value, Scalar)
                places[(*at, key)] = entry.value.span if scalar else entry.key.span
                waiting.append(((*at, key), entry.value))
        elif isinstance(node, Sequence):
            for index, item in enumerate(node.items):
                places[(*at, index)] = item.span
                waiting.append(((*at, index), item))
    return places
