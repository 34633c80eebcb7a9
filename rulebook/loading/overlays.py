"""Overlays and the nodes of a ruleset -> the nodes with the overlays laid over them.

An overlay works on nodes, before references are followed and anything is typed: so all that comes
of it keeps its place, and is validated like any ruleset. Within one option what it removes goes
first, then it changes, then it adds; so an entity may be removed and added anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as ReadOnlySequence
from dataclasses import dataclass, field
from typing import Any

from rulebook.loading.merging import COLLECTION_NAMES, RESERVED_ID
from rulebook.loading.nodes import Entry, Mapping, Node, Scalar, Sequence, plain, shape
from rulebook.loading.options import Overlay
from rulebook.model.cells import nearest, some_words
from rulebook.model.lookup import KINDS
from rulebook.problems import Problem

#: Keys that lead to a node, its collection first.
Path = tuple[str, ...]
#: How many keys lead to an entity: its collection and its id.
ENTITY = 2
_MERGED = "the keys that change, each with a colon and its value"


def overlaid(
    collections: Mapping, overlays: ReadOnlySequence[Overlay]
) -> tuple[Mapping, list[Problem]]:
    """The collections with the overlays laid over them in order, and what did not fit."""
    problems: list[Problem] = []
    for overlay in overlays:
        others = frozenset(other.root.span.path for other in overlays if other is not overlay)
        laying = _Laying(collections, others)
        laying.remove(overlay.removes)
        laying.change(overlay.changes)
        laying.add(overlay.adds)
        collections = laying.collections
        problems += laying.problems
    return collections, problems


@dataclass(slots=True)
class _Laying:
    """One option laid over the collections; `others` are the files of those chosen beside it.

    A path is the keys that lead to a node, its collection first.
    """

    collections: Mapping
    others: frozenset[str]
    problems: list[Problem] = field(default_factory=list)

    def remove(self, removes: Mapping) -> None:
        for name, entry in removes.entries.items():
            self._put(name, self._without(self._of(name), entry.value, (name,)))

    def change(self, changes: Mapping) -> None:
        for name, entry in changes.entries.items():
            self._put(name, self._changed(self._of(name), entry.value, (name,)))

    def add(self, adds: Mapping) -> None:
        for name, entry in adds.entries.items():
            entities = entry.value.entries if isinstance(entry.value, Mapping) else {}
            free = {key: one for key, one in entities.items() if self._is_free(one.key)}
            old = self._of(name)
            self._put(name, Mapping({**old.entries, **free}, old.span))

    def _of(self, collection: str) -> Mapping:
        found = self.collections.get(collection)
        return found if isinstance(found, Mapping) else Mapping({}, self.collections.span)

    def _put(self, collection: str, entities: Node) -> None:
        entry = self.collections.entries.get(collection)
        key = entry.key if entry else Scalar(collection, True, entities.span)
        self.collections = _replaced(self.collections, collection, Entry(key, entities))

    def _is_free(self, key: Scalar) -> bool:
        """Whether an id is that of no entity yet."""
        taken = self._entity(key.text)
        if taken is None and key.text != RESERVED_ID:
            return True
        self.problems.append(
            Problem(
                "R206",
                f"the id '{key.text[:40]}' is taken",
                key.span,
                expected="an id that nothing in the ruleset has",
                hint="rename it, or put it under 'changes'",
                also=(taken[1].key.span, "it stands here") if taken else None,
            )
        )
        return False

    def _entity(self, name: str) -> tuple[str, Entry] | None:
        """The collection and the entry of an id, or None."""
        for collection in COLLECTION_NAMES:
            if entry := self._of(collection).entries.get(name):
                return collection, entry
        return None

    def _without(self, node: Node, removes: Node, path: Path) -> Node:
        """A node without the parts that a list names, or those named deeper, by a mapping."""
        for name, inner in _named(removes):
            known = _parts(node)
            if not isinstance(name, Scalar):
                message = f"{shape(name)} stands where a name belongs"
                self.problems.append(Problem("R203", message, name.span, "names of what goes"))
                continue
            if name.text not in known:
                self._not_there(node, name, path)
            elif inner is None or (isinstance(inner, Scalar) and inner.nothing):
                node = _taken_out(node, name.text)
            elif isinstance(inner, Scalar):
                message = f"a text stands under '{name.text[:40]}'"
                expected = "a list of the names of what is removed, or ~ for the whole"
                self.problems.append(Problem("R203", message, inner.span, expected))
            else:
                entry = known[name.text]
                below = self._without(entry.value, inner, (*path, name.text))
                node = _replaced(node, name.text, Entry(entry.key, below))
        return node

    def _changed(self, node: Node, changes: Node, path: Path) -> Node:
        """A node with the changes in it: mappings are merged key by key, all else is replaced."""
        if not isinstance(changes, Mapping) or not _has_parts(node):
            if len(path) == ENTITY:
                message = f"{shape(changes)} stands under '{path[-1][:40]}'"
                self.problems.append(Problem("R203", message, changes.span, _MERGED))
                return node
            self._alone(node, changes)
            return changes
        for name, entry in changes.entries.items():
            old = _parts(node).get(name)
            if old is not None:
                value = self._changed(old.value, entry.value, (*path, name))
                key = entry.key if value is entry.value else old.key
                node = _replaced(node, name, Entry(key, value))
            elif isinstance(node, Mapping) and len(path) >= ENTITY:
                node = _replaced(node, name, entry)
            else:
                self._not_there(node, entry.key, path)
        return node

    def _alone(self, old: Node, new: Node) -> None:
        """Two options that replace one thing differently: neither can be obeyed."""
        if old.span.path in self.others and plain(old) != plain(new):
            self.problems.append(
                Problem(
                    "R311",
                    "two options change this, each in its own way",
                    new.span,
                    expected="options that agree, or are not chosen together",
                    also=(old.span, "another option that is chosen says this"),
                )
            )

    def _not_there(self, node: Node, name: Scalar, path: Path) -> None:
        known = list(_parts(node))
        expected, hint = some_words(known), nearest(name.text, known)
        inside, also = f"'{path[-1][:40]}'", None
        message = f"no '{name.text[:40]}' in {inside}"
        if len(path) < ENTITY:
            expected = f"the id of {KINDS[path[0]]} of this ruleset"
            message = f"no {KINDS[path[0]].split(' ', 1)[1]} is called '{name.text[:40]}'"
            if other := self._entity(name.text):
                hint = f"put it under '{other[0]}'"
                also = (other[1].key.span, f"this is {KINDS[other[0]]}")
        elif isinstance(node, Sequence):
            expected = expected or f"the whole of {inside}: its items have no ids"
        self.problems.append(Problem("R309", message, name.span, expected, hint, also))


def _named(removes: Node) -> Iterator[tuple[Node, Node | None]]:
    """The names in a list, or the keys of a mapping with what stands under them."""
    if isinstance(removes, Sequence):
        yield from ((item, None) for item in removes.items)
    elif isinstance(removes, Mapping):
        yield from ((entry.key, entry.value) for entry in removes.entries.values())


def _has_parts(node: Node) -> bool:
    """Whether parts of a node can be named: keys, or items that are mappings, by their ids."""
    if isinstance(node, Sequence):
        return all(isinstance(item, Mapping) for item in node.items)
    return isinstance(node, Mapping)


def _parts(node: Node) -> dict[str, Entry]:
    """The parts of a node by name."""
    if isinstance(node, Mapping):
        return dict(node.entries)
    found: dict[str, Entry] = {}
    for item in node.items if isinstance(node, Sequence) else ():
        name = item.get("id") if isinstance(item, Mapping) else None
        if isinstance(name, Scalar):
            found.setdefault(name.text, Entry(name, item))
    return found


def _replaced(node: Node, name: str, entry: Entry) -> Any:
    """A node of the same shape in which a part stands instead of another, or beside the others."""
    if isinstance(node, Sequence):
        old = _parts(node)[name].value
        items = tuple(entry.value if item is old else item for item in node.items)
        return Sequence(items, node.span)
    entries = node.entries if isinstance(node, Mapping) else {}
    return Mapping({**entries, name: entry}, node.span)


def _taken_out(node: Node, name: str) -> Node:
    if isinstance(node, Sequence):
        old = _parts(node)[name].value
        return Sequence(tuple(item for item in node.items if item is not old), node.span)
    entries = node.entries if isinstance(node, Mapping) else {}
    left = {key: entry for key, entry in entries.items() if key != name}
    return Mapping(left, node.span)
