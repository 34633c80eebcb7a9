"""The roots of all topic files -> one mapping of collections, in which each id stands once.

Files are cut by topic as the author likes, so a collection is gathered from wherever its entities
stand.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.limits import MOST_FAULTS
from rulebook.loading.nodes import (
    Entry,
    MappingNode,
    Node,
    Scalar,
    SequenceNode,
    misshapen,
    taken,
    unknown,
)
from rulebook.model.header import Header
from rulebook.model.ruleset import Collections
from rulebook.problems import Problem, Span

COLLECTION_NAMES = tuple(Collections.model_fields)
#: A name that bindings need for themselves.
RESERVED_ID = "ruleset"


def merge(roots: Iterable[Node], folder: Span) -> tuple[MappingNode, list[Problem]]:
    """All collections of the files in the order given, and the faults of their outer two levels."""
    merged: dict[str, Entry] = {}
    problems: list[Problem] = []
    first: dict[str, tuple[str, Scalar]] = {}
    for root in roots:
        if len(problems) > MOST_FAULTS:
            break
        for name, part in collections_in(root, "in this file", problems).items():
            old = merged.get(name, Entry(part.key, MappingNode({}, part.key.span))).value
            assert isinstance(old, MappingNode) and isinstance(part.value, MappingNode)
            new = {}
            for key, entity in part.value.entries.items():
                if key in first or key == RESERVED_ID:
                    problems.append(_taken(entity.key, name, first.get(key)))
                else:
                    new[key], first[key] = entity, (name, entity.key)
            merged.setdefault(name, part)
            merged[name] = Entry(merged[name].key, MappingNode({**old.entries, **new}, old.span))
    return MappingNode(merged, folder), problems


def _taken(key: Scalar, collection: str, first: tuple[str, Scalar] | None) -> Problem:
    """The fault of an id that the ruleset itself has, or an entity before this one."""
    there = first[1].span if first else None
    same = first is None or first[0] == collection
    hint = "" if same else f"write {key.text:.60}_{collection.removesuffix('s')} here"
    return taken(key.text, key.span, there, hint)


def collections_in(
    node: Node,
    where: str,
    problems: list[Problem],
    *,
    key: Scalar | None = None,
    also: tuple[str, ...] = (),
    lists: bool = False,
) -> dict[str, Entry]:
    """The collections that a mapping holds; those that will not do are faults.

    `where` and `key` say where it stands, `also` is what may stand beside the collections. They
    hold mappings, or `lists` as well.
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
