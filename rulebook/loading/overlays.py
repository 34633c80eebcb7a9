"""Overlays and the nodes of a ruleset -> the nodes with the overlays laid over them.

An overlay works on nodes, before references are followed and anything is typed: so all that comes
of it keeps its place, and is validated like any ruleset. What an option removes goes first, then it
changes, then it adds; so an entity may be removed and added anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal

from rulebook.loading.nodes import (
    Entry,
    MappingNode,
    Node,
    Scalar,
    SequenceNode,
    misshapen,
    plain,
    taken,
    unknown,
)
from rulebook.loading.references import keyed
from rulebook.model.header import Header
from rulebook.model.lookup import KINDS
from rulebook.model.ruleset import Collections
from rulebook.problems import Problem, Span
from rulebook.suggestions import some_words

COLLECTION_NAMES = tuple(Collections.model_fields)
#: A name that bindings need for themselves.
RESERVED_ID = "ruleset"

#: What an overlay does.
OVERLAYS = ("adds", "changes", "removes")


@dataclass(frozen=True, slots=True)
class Overlay:
    """What an option, or a file of a variant, adds, changes and removes in the collections."""

    kind: Literal["option", "file"]
    id: str
    adds: MappingNode
    changes: MappingNode
    removes: MappingNode


def read_overlay(
    kind: Literal["option", "file"],
    name: str,
    root: MappingNode,
    problems: list[Problem],
    removed: tuple[str, ...] = (),
) -> Overlay:
    """Reads what a file adds, changes and removes; faults are appended to `problems`.

    `kind` and `name` say what file it is, and `root` is its root node. `removed` are the keys
    allowed below `removes` beside the collections. That the file changes nothing is a fault too.
    """

    def under(key: str) -> MappingNode:
        entry = root.entries.get(key)
        if entry is None:
            return MappingNode({}, root.span)
        also, lists = (removed, True) if key == "removes" else ((), False)
        where = f"under '{key}'"
        found = collections_in(entry.value, where, problems, key=entry.key, also=also, lists=lists)
        return MappingNode(found, entry.key.span)

    overlay = Overlay(kind, name, *map(under, OVERLAYS))
    if not any(getattr(overlay, key).entries for key in OVERLAYS) and not problems:
        here = Span(root.span.path, root.span.line, 1, root.span.line, 2)
        expected = f"{some_words(OVERLAYS)}, with collections below"
        problems.append(Problem("R202", "a file that changes nothing", here, expected))
    return overlay


def collections_in(
    node: Node,
    where: str,
    problems: list[Problem],
    *,
    key: Scalar | None = None,
    also: tuple[str, ...] = (),
    lists: bool = False,
) -> dict[str, Entry]:
    """Returns the valid collections in a mapping; faults are appended to `problems`.

    `where` and `key` say in reports where the mapping stands, `also` are keys allowed beside the
    collections. A collection is a mapping or, with `lists`, may be a list too.
    """
    if not isinstance(node, MappingNode):
        here = key.span if key else None
        problems.append(misshapen(node, where, "collections, such as tables:", here))
        return {}
    known = (*COLLECTION_NAMES, *also)
    found: dict[str, Entry] = {}
    for name, collection in node.entries.items():
        if name not in known:
            hint = f"put '{name}' into ruleset.yaml" if name in Header.model_fields else ""
            here = collection.key.span
            problems.append(unknown("R201", "collection", name, known, here, hint=hint))
        elif isinstance(collection.value, (MappingNode, SequenceNode) if lists else MappingNode):
            found[name] = collection
        else:
            expected = "ids, in a list if they go, or each with what belongs to it"
            here = collection.key.span
            problems.append(misshapen(collection.value, f"under '{name}'", expected, here))
    return found


#: Keys that lead to a node, its collection first.
Path = tuple[str, ...]
#: How many keys lead to an entity: its collection and its id.
ENTITY = 2


@dataclass(frozen=True, slots=True)
class Touched:
    """A record that an overlay wrote or removed something: its id, and the place where it says so.

    `same` is set if the value stayed the same.
    """

    overlay: str
    span: Span
    removed: bool = False
    same: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """The collections after overlays have been laid over them, and the faults.

    `changed` are the paths of all that differs; `removed` has the place that removes it by the last
    key of each thing removed.
    """

    collections: MappingNode
    problems: tuple[Problem, ...]
    changed: tuple[Path, ...]
    removed: Mapping[str, Span]


def overlaid(
    collections: MappingNode,
    overlays: Sequence[Overlay],
    before: Mapping[str, frozenset[str]] | None = None,
) -> Laid:
    """Lays overlays over the collections in order; returns the result, faults, and what changed.

    `before` has for each overlay the ids of those over which it wins. Two overlays that give one
    value differently, without one winning, are a fault.
    """
    laying = _Laying(collections, before or {})
    turns = [(overlay, does) for overlay in overlays for does in _TURNS]
    if any(overlay.kind == "file" for overlay in overlays):
        turns.sort(key=lambda turn: _TURNS.index(turn[1]))
    for overlay, does in turns:
        laying.lay(overlay, does)
    written = laying.at.items()
    changed = tuple(path for path, touched in written if not touched.same)
    removed = {path[-1]: touched.span for path, touched in written if touched.removed}
    return Laid(laying.collections, tuple(laying.problems), changed, removed)


#: In this order an option does what it does; and of all files of a variant first all removes.
_TURNS = ("removes", "changes", "adds")


@dataclass(slots=True)
class _Laying:
    """Lays overlays over the collections, one by one; `overlay` is the current one.

    `at` has what was written or removed last by path; `below` has for each path what each overlay
    did last below it. `wins_over` has for each overlay the ids of those over which it wins.
    """

    collections: MappingNode
    wins_over: Mapping[str, frozenset[str]]
    overlay: Overlay = field(init=False)
    at: dict[Path, Touched] = field(default_factory=dict)
    below: dict[Path, dict[str, Touched]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def lay(self, overlay: Overlay, does: str) -> None:
        """Applies what an overlay adds, changes or removes to the collections; `does` says which.

        Faults are added to `problems`.
        """
        self.overlay = overlay
        part: MappingNode = getattr(overlay, does)
        for name, entry in part.entries.items():
            if name not in COLLECTION_NAMES:
                continue
            old = self._of(name)
            if does == "removes":
                made = self._without(old, entry.value, (name,))
            elif does == "changes":
                made = self._changed(old, entry.value, (name,))
            else:
                made = self._with_added(old, entry.value, name)
            key = self.collections.entries[name].key if name in self.collections.entries else None
            place = Entry(key or Scalar(name, True, made.span), made)
            self.collections = _replaced(self.collections, name, place)

    def _with_added(self, old: MappingNode, adds: Node, collection: str) -> Node:
        entities = adds.entries if isinstance(adds, MappingNode) else {}
        free = {key: entry for key, entry in entities.items() if self._is_free(entry.key)}
        for key, entry in free.items():
            self._write((collection, key), entry.value)
        return MappingNode({**old.entries, **free}, old.span)

    def _near(self, path: Path) -> Iterator[Touched]:
        """Yields what overlays have done so far to the part at a path, above it or below it."""
        for depth in range(ENTITY, len(path) + 1):
            if found := self.at.get(path[:depth]):
                yield found
        yield from self.below.get(path, {}).values()

    def _touch(self, path: Path, span: Span, *, removed: bool = False, same: bool = False) -> None:
        """Records that the current overlay changes or removes the part at a path.

        Reports a fault if another overlay, over which it does not win, has touched the part. `same`
        is set if the value stays the same.
        """
        mine = {self.overlay.id, *self.wins_over.get(self.overlay.id, ())}
        # Of a variant all that goes has gone before anything is added: it may be added anew.
        anew = self.overlay.kind == "file" and not removed
        near = (touched for touched in self._near(path) if not (anew and touched.removed))
        against = next((touched for touched in near if touched.overlay not in mine), None)
        if against:
            self._disagree(span, against)
        self.at[path] = touched = Touched(self.overlay.id, span, removed, same)
        for depth in range(ENTITY, len(path)):
            self.below.setdefault(path[:depth], {})[self.overlay.id] = touched

    def _write(self, path: Path, node: Node) -> None:
        """Records that the current overlay writes the value at a path, or each value below it."""
        if isinstance(node, MappingNode) and node.entries:
            for key, entry in node.entries.items():
                self._write((*path, key), entry.value)
        else:
            self._touch(path, node.span)

    def _of(self, collection: str) -> MappingNode:
        found = self.collections.get(collection)
        return found if isinstance(found, MappingNode) else MappingNode({}, self.collections.span)

    def _is_free(self, key: Scalar) -> bool:
        """Tells whether a new entity may have an id; if it is taken or reserved, reports that."""
        known = self._entity(key.text)
        if known is None and key.text != RESERVED_ID:
            return True
        there = known[1].key.span if known else None
        hint = "rename it, or put it under 'changes'"
        self.problems.append(taken(key.text, key.span, there, hint))
        return False

    def _entity(self, name: str) -> tuple[str, Entry] | None:
        """Returns the collection and the entry of the entity that has this id, or None."""
        for collection in COLLECTION_NAMES:
            if entry := self._of(collection).entries.get(name):
                return collection, entry
        return None

    def _without(self, node: Node, removes: Node, path: Path) -> Node:
        """Returns a node without the parts that a list names, or those that a mapping names deeper.

        `path` is the path of the node. Reports names of parts that do not exist.
        """
        for name, inner in named_in(removes):
            known = _parts(node)
            if not isinstance(name, Scalar):
                self.problems.append(misshapen(name, "where a name belongs", "names of what goes"))
                continue
            below = (*path, name.text)
            if name.text not in known:
                if not self._gone(below):
                    self._not_there(node, name, path)
            elif inner is None or (isinstance(inner, Scalar) and inner.nothing):
                self._touch(below, name.span, removed=True)
                node = _replaced(node, name.text, None)
            elif isinstance(inner, Scalar):
                expected = "a list of the names of what is removed, or ~ for the whole"
                self.problems.append(misshapen(inner, f"under '{name.text:.40}'", expected))
            else:
                entry = known[name.text]
                rest = self._without(entry.value, inner, below)
                node = _replaced(node, name.text, Entry(entry.key, rest))
        return node

    def _changed(self, node: Node, changes: Node, path: Path) -> Node:
        """Returns a node with changes applied: mappings are merged, any other value is replaced.

        `path` is the path of the node. A new key may be added within an entity. Reports changes to
        what does not exist, or was removed by another overlay.
        """
        if not isinstance(changes, MappingNode) or not _has_parts(node):
            if len(path) == ENTITY:
                expected = "the keys that change, each with a colon and its value"
                self.problems.append(misshapen(changes, f"under '{path[-1]:.40}'", expected))
                return node
            if plain(node) != plain(changes):
                self._write(path, changes)
            elif path not in self.at:
                self._touch(path, changes.span, same=True)
            return changes
        for name, entry in changes.entries.items():
            below = (*path, name)
            old = _part_to_change(node, name, entry.value, path)
            if old is not None:
                value = self._changed(old.value, entry.value, below)
                key = entry.key if value is entry.value else old.key
                node = _replaced(node, name, Entry(key, value))
            elif isinstance(node, MappingNode) and len(path) >= ENTITY:
                self._write(below, entry.value)
                node = _replaced(node, name, entry)
            elif gone := self._gone(below):
                self._disagree(entry.key.span, gone, gone=True)
            else:
                self._not_there(node, entry.key, path)
        return node

    def _gone(self, path: Path) -> Touched | None:
        """Returns what another overlay removed at a path or above it, or None."""
        for depth in range(ENTITY, len(path) + 1):
            found = self.at.get(path[:depth])
            if found and found.removed and found.overlay != self.overlay.id:
                return found
        return None

    def _disagree(self, span: Span, before: Touched, *, gone: bool = False) -> None:
        """Reports that two overlays do different things to the same part.

        `span` is where the current one says so, `before` what the other did. `gone` is set if the
        other removed what the current one would change.
        """
        winner, loser = self.overlay.id, before.overlay
        if gone:  # were it laid later, there would be nothing left for it to change
            winner, loser = loser, winner
        hint = "delete one of them"
        if self.overlay.kind == "option":
            hint += f", or add 'after: {loser}' to '{winner}' if that one is to win"
        message = f"two {self.overlay.kind}s change this, each in its own way"
        also = (
            before.span,
            f"another {self.overlay.kind} {'removes' if before.removed else 'sets'} it",
        )
        self.problems.append(Problem("R311", message, span, "each thing set once", hint, also))

    def _not_there(self, node: Node, name: Scalar, path: Path) -> None:
        known = list(_parts(node))
        if len(path) >= ENTITY:
            what, otherwise = f"part of '{path[-1]:.40}'", f"the whole of '{path[-1]:.40}'"
        else:
            kind = KINDS[path[0]]
            what, otherwise = kind.split(" ", 1)[1], f"the id of {kind} of this ruleset"
        problem = unknown("R309", what, name.text, known, name.span, otherwise=otherwise)
        if len(path) < ENTITY and (elsewhere := self._entity(name.text)):
            also = (elsewhere[1].key.span, f"this is {KINDS[elsewhere[0]]}")
            problem = replace(problem, hint=f"put it under '{elsewhere[0]}'", also=also)
        self.problems.append(problem)


def named_in(removes: Node | None) -> Iterator[tuple[Node, Node | None]]:
    """Yields the names in a list, each with None, or the keys of a mapping with their values.

    Yields nothing for a text or None.
    """
    if isinstance(removes, SequenceNode):
        yield from ((item, None) for item in removes.items)
    elif isinstance(removes, MappingNode):
        yield from ((entry.key, entry.value) for entry in removes.entries.values())


def _has_parts(node: Node) -> bool:
    """Tells whether the parts of a node have names: it is a mapping, or a list of mappings only."""
    if isinstance(node, SequenceNode):
        return all(isinstance(item, MappingNode) for item in node.items)
    return isinstance(node, MappingNode)


def _parts(node: Node) -> dict[str, Entry]:
    """Returns the parts of a node by name: values of a mapping, or items of a list by their ids.

    Items without an id are left out; a text has no parts.
    """
    if isinstance(node, MappingNode):
        return dict(node.entries)
    found: dict[str, Entry] = {}
    for item in node.items if isinstance(node, SequenceNode) else ():
        name = item.get("id") if isinstance(item, MappingNode) else None
        if isinstance(name, Scalar):
            found.setdefault(name.text, Entry(name, item))
    return found


def _part_to_change(node: Node, name: str, change: Node, path: Path) -> Entry | None:
    """Returns the part of a node that has the name `name`, or None.

    The data of a grid is returned by keys, not in lists, if `change` names its cells by keys.
    """
    old = _parts(node).get(name)
    of_table = len(path) == ENTITY and path[0] == "tables" and name == "data"
    if old and of_table and isinstance(node, MappingNode) and isinstance(change, MappingNode):
        return Entry(old.key, keyed(node) or old.value)
    return old


def _replaced(node: Node, name: str, entry: Entry | None) -> Any:
    """Returns a node with its part `name` replaced by `entry`, or removed if that is None.

    To a mapping the part may also be new.
    """
    if isinstance(node, SequenceNode):
        old, new = _parts(node)[name].value, [entry.value] if entry else []
        pieces = ([item] if item is not old else new for item in node.items)
        return SequenceNode(tuple(chain.from_iterable(pieces)), node.span)
    entries = dict(node.entries) if isinstance(node, MappingNode) else {}
    if entry is None:
        del entries[name]
    else:
        entries[name] = entry
    return MappingNode(entries, node.span)
