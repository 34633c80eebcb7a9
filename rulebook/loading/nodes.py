"""What the YAML parser saw -> scalars, mappings and sequences that know where they stand.

Nothing is typed here: a scalar is its text, whether `12`, `no` or `+1`; the model reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rulebook.problems import Span

#: Plain data of a node: what the model reads.
Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text; `plain` where it stands without quotes and is no block of text.

    `taken_from` is the path of the value for which this one stands, if it was taken from there.
    """

    text: str
    plain: bool
    span: Span
    taken_from: str = ""

    @property
    def nothing(self) -> bool:
        """Whether this is `~`: it does not apply."""
        return self.plain and self.text == "~"


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of a mapping and what stands under it."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class MappingNode:
    """Entries by the text of their keys, in the order of the file."""

    entries: Mapping[str, Entry]
    span: Span

    def get(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return entry.value if entry else None


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """Items in order."""

    items: tuple[Node, ...]
    span: Span


Node: TypeAlias = Scalar | MappingNode | SequenceNode


def shape(node: Node) -> str:
    """What a report calls a node."""
    if isinstance(node, Scalar):
        return "nothing (~)" if node.nothing else "a text"
    return "a mapping" if isinstance(node, MappingNode) else "a list"


def plain(node: Node) -> Plain:
    """The node without its places; `~` is None. The parser bounds the depth, so it may recurse."""
    if isinstance(node, Scalar):
        return None if node.nothing else node.text
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    return {key: plain(entry.value) for key, entry in node.entries.items()}
