"""What the YAML parser saw -> scalars, mappings and sequences that know where they stand.

Nothing is typed here: a scalar is its text, whether `12`, `no` or `+1`; the model reads it. Any
part is found by its address, and with it its place in the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import TypeAlias

from rulebook.model.ruleset import KEY, Address
from rulebook.once import once_for_each
from rulebook.problems import Problem, Span, second_place
from rulebook.suggestions import nearest, some_words

#: Plain data of a node: what the model reads.
Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text from a file; `plain` if it is unquoted and no block of text.

    `taken_from` is the path of the value that replaced a reference here, empty if none did.
    """

    text: str
    plain: bool
    span: Span
    taken_from: str = ""

    @property
    def nothing(self) -> bool:
        """Whether the scalar is an unquoted `~`, which means that a value does not apply."""
        return self.plain and self.text == "~"


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of a mapping and its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class MappingNode:
    """The entries of a mapping by the text of their keys, in the order of the file."""

    entries: Mapping[str, Entry]
    span: Span

    def get(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return entry.value if entry else None

    def with_value(self, key: str, value: Node) -> MappingNode:
        """Returns the mapping with another value for a key that it has."""
        return self.with_values({key: value})

    def with_values(self, values: Mapping[str, Node]) -> MappingNode:
        """Returns the mapping with other values for some of its keys."""
        changed = {key: Entry(self.entries[key].key, value) for key, value in values.items()}
        return MappingNode({**self.entries, **changed}, self.span) if values else self


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """The items of a list, in order."""

    items: tuple[Node, ...]
    span: Span


Node: TypeAlias = Scalar | MappingNode | SequenceNode


def shape(node: Node) -> str:
    """Returns what reports call a kind of node: a text, a mapping, a list."""
    if isinstance(node, Scalar):
        return "nothing (~)" if node.nothing else "a text"
    return "a mapping" if isinstance(node, MappingNode) else "a list"


def misshapen(
    node: Node | None, where: str, expected: str, span: Span | None = None, hint: str = ""
) -> Problem:
    """Makes the fault of a node of the wrong kind: list, mapping or text.

    `where` says in the message where it stands; `span` is the place of the fault if it is not that
    of the node.
    """
    here = span or (node.span if node else None)
    message = f"{shape(node) if node else 'nothing'} stands {where}"
    return Problem("R203", message, here, expected, hint)


def unknown(
    code: str,
    what: str,
    name: str,
    known: Sequence[str],
    span: Span | None,
    *,
    otherwise: str = "",
    there: Span | None = None,
    hint: str = "",
) -> Problem:
    """Makes the fault of a name that is not among the known ones.

    `what` says what is named. `otherwise` is printed as what is expected if no names are known;
    `there` is the place of the known names; `hint` replaces the nearest known name.
    """
    expected = some_words(known) or otherwise
    message = f"no {what} is called '{name:.60}'"
    also = second_place(there, "known names stand here")
    return Problem(code, message, span, expected, hint or nearest(name, known), also)


def expect_known(
    what: str,
    name: str,
    known: Sequence[str],
    span: Span | None,
    *,
    otherwise: str = "",
    there: Span | None = None,
) -> Iterator[Problem]:
    """Yields a fault if a name is not among the known ones, of which `there` is the place.

    The other parameters are as in `unknown`.
    """
    if name not in known:
        yield unknown("R302", what, name, known, span, otherwise=otherwise, there=there)


def taken(name: str, span: Span | None, there: Span | None, hint: str = "") -> Problem:
    """Makes the fault of an id or title that something else has already, at the place `there`."""
    message = f"'{name:.60}' names something else already"
    also = second_place(there, "this has the name")
    return Problem("R206", message, span, "a name of its own", hint or "rename one of them", also)


def circle(what: str, names: Sequence[str], span: Span | None, code: str = "R303") -> Problem:
    """Makes the fault of things that need each other in a circle.

    `names` lists them from one back to the same one, `what` says what they are.
    """
    named = " -> ".join([*names[:6], *names[6:][-1:]])
    message = f"{what} that lead back to themselves: {named}"
    expected, hint = "one that needs none of the others", "take one of them out of the circle"
    return Problem(code, message, span, expected, hint)


def plain(node: Node) -> Plain:
    """Converts a node to plain data without places; `~` becomes None.

    It recurses, which is safe since the parser bounds the depth.
    """
    if isinstance(node, Scalar):
        return None if node.nothing else node.text
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    return {key: plain(entry.value) for key, entry in node.entries.items()}


@once_for_each
def has_references(node: Node) -> bool:
    """Tells whether any scalar in a node, except keys, is a reference such as `=ranges.long`."""
    inner = (scalar for _, _, scalar in walk(node) if isinstance(scalar, Scalar))
    return any(scalar.text.startswith("=") for scalar in inner)


def find_node(root: Node, address: Address) -> tuple[Node | None, Span]:
    """Returns the node at an address, or None, and its place in the file.

    The place is that of a scalar or list item itself, or of the key of anything else; without a
    node it is that of the nearest thing around.
    """
    node: Node | None = root
    span = root.span
    for part in address:
        if isinstance(node, MappingNode) and str(part) in node.entries:
            entry = node.entries[str(part)]
            node = entry.value
            span = node.span if isinstance(node, Scalar) else entry.key.span
        elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
            span = node.span
        else:
            return None, span
    return node, span


def key_span(root: Node, address: Address) -> Span:
    """Returns the place of the key at an address, or the nearest place if there is none."""
    parent, span = find_node(root, address[:-1])
    if isinstance(parent, MappingNode) and str(address[-1]) in parent.entries:
        return parent.entries[str(address[-1])].key.span
    return span


def walk(root: Node, address: Address = ()) -> Iterator[tuple[Address, Scalar | None, Node]]:
    """Yields every node from a root on with its address and its key, if it has one.

    `address` is that of the root.
    """
    waiting: list[tuple[Address, Scalar | None, Node]] = [(address, None, root)]
    while waiting:
        at, key, node = waiting.pop()
        yield at, key, node
        if isinstance(node, MappingNode):
            waiting += [
                ((*at, name), entry.key, entry.value) for name, entry in node.entries.items()
            ]
        elif isinstance(node, SequenceNode):
            waiting += [((*at, index), None, item) for index, item in enumerate(node.items)]


def with_scalars(node: Node, change: Callable[[Scalar], Scalar]) -> Node:
    """Applies `change` to each scalar in a node, except keys, and returns the new node.

    If none changes, returns the node itself. It recurses, which is safe since the parser bounds the
    depth.
    """
    if isinstance(node, Scalar):
        return change(node)
    if isinstance(node, SequenceNode):
        items = tuple([with_scalars(item, change) for item in node.items])
        return node if all(map(is_, items, node.items)) else SequenceNode(items, node.span)
    made = {key: with_scalars(entry.value, change) for key, entry in node.entries.items()}
    return node.with_values(
        {key: value for key, value in made.items() if value is not node.entries[key].value}
    )


class PlacesInFiles(Mapping[Address, Span]):
    """The place of every part of some mappings: its own if a scalar, else that of its key.

    `roots` are the mappings by their addresses. Places are looked up only when they are asked for.
    """

    def __init__(self, roots: Mapping[Address, MappingNode]) -> None:
        self._roots = roots
        self._longest = max(map(len, roots), default=0)

    def __getitem__(self, address: Address) -> Span:
        for length in range(min(self._longest, len(address) - 1), -1, -1):
            if root := self._roots.get(address[:length]):
                return _place_in(root, address[length:])
        raise KeyError(address)

    def __iter__(self) -> Iterator[Address]:
        for address, root in self._roots.items():
            for at, key, node in walk(root, address):
                if at != address:
                    yield at
                if key is not None and isinstance(node, Scalar):
                    yield (*at, KEY)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _place_in(root: Node, address: Address) -> Span:
    """Returns the place of the part at an address: of a scalar or list item, or else of its key.

    An address that ends in KEY is that of the key of a scalar. Raises KeyError if there is no such
    part.
    """
    node, key, of_key = root, None, address[-1] == KEY
    for part in address[:-1] if of_key else address:
        if isinstance(node, MappingNode) and part in node.entries:
            entry = node.entries[str(part)]
            key, node = entry.key, entry.value
        elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.items):
            key, node = None, node.items[part]
        else:
            raise KeyError(address)
    if of_key and (key is None or not isinstance(node, Scalar)):
        raise KeyError(address)
    return key.span if key and (of_key or not isinstance(node, Scalar)) else node.span


def taken_in(root: Node, written: Node, address: Address = ()) -> Iterator[tuple[Address, str]]:
    """Yields each value that was taken from another place: its address and the path of that place.

    `written` is the node with references, `root` the same with their values in place of them.
    `address` is that of both.
    """
    if root is written:
        return
    if isinstance(root, Scalar):
        yield address, root.taken_from
    elif isinstance(root, MappingNode) and isinstance(written, MappingNode):
        for key, entry in root.entries.items():
            yield from taken_in(entry.value, written.entries[key].value, (*address, key))
    elif isinstance(root, SequenceNode) and isinstance(written, SequenceNode):
        for index, item in enumerate(root.items):
            yield from taken_in(item, written.items[index], (*address, index))


def count_nodes(root: Node) -> int:
    """Counts the nodes below and including the root."""
    return sum(1 for _ in walk(root))


def quoted_in(node: Node, text: str) -> Span | None:
    """Returns the last place of a text among keys and scalars of a node, up to two levels down.

    Returns None if it does not stand there.
    """
    scalars = (part for at, key, inner in walk(node) if len(at) <= 2 for part in (key, inner))
    places = (
        scalar.span for scalar in scalars if isinstance(scalar, Scalar) and scalar.text == text
    )
    return max(places, default=None)
