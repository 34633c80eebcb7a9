"""The roots of all topic files -> one mapping of collections, in which each id stands once.

Files are cut by topic as the author likes, so a collection is gathered from wherever its entities
stand.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.limits import MOST_FAULTS
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, shape
from rulebook.model.lookup import KINDS
from rulebook.model.ruleset import Collections, Header
from rulebook.problems import Problem, Span
from rulebook.suggestions import nearest

COLLECTION_NAMES = tuple(Collections.model_fields)
#: A name that bindings need for themselves.
RESERVED_ID = "ruleset"


def merge(roots: Iterable[Node], folder: Span) -> tuple[MappingNode, list[Problem]]:
    """All collections of the files in the order given, and the faults of their outer two levels."""
    collections: dict[str, dict[str, Entry]] = {}
    keys: dict[str, Scalar] = {}
    problems: list[Problem] = []
    seen: dict[str, tuple[str, Scalar]] = {}
    for root in roots:
        if len(problems) > MOST_FAULTS:
            break
        for name, entry in _collections_of(root, problems).items():
            keys.setdefault(name, entry.key)
            into = collections.setdefault(name, {})
            for found in _entities_of(entry, name, problems):
                _take(found, name, into, seen, problems)
    merged = {
        name: Entry(keys[name], MappingNode(entities, keys[name].span))
        for name, entities in collections.items()
    }
    return MappingNode(merged, folder), problems


def _collections_of(root: Node, problems: list[Problem]) -> dict[str, Entry]:
    if not isinstance(root, MappingNode):
        message = f"{shape(root)} stands where the file's collections belong"
        expected = f"one or more of {', '.join(COLLECTION_NAMES)}, each with a colon"
        problems.append(Problem("R203", message, root.span, expected=expected))
        return {}
    known = {}
    for name, entry in root.entries.items():
        if name in COLLECTION_NAMES:
            known[name] = entry
            continue
        hint = nearest(name, COLLECTION_NAMES)
        if name in Header.model_fields:
            hint = f"put '{name}' into ruleset.yaml"
        message = f"no collection is called '{name:.40}'"
        expected = ", ".join(COLLECTION_NAMES)
        problems.append(Problem("R201", message, entry.key.span, expected=expected, hint=hint))
    return known


def _entities_of(entry: Entry, name: str, problems: list[Problem]) -> list[Entry]:
    if isinstance(entry.value, MappingNode):
        return list(entry.value.entries.values())
    message = f"{shape(entry.value)} stands under '{name}'"
    expected = "ids, each with what belongs to it indented below"
    problems.append(Problem("R203", message, entry.key.span, expected=expected))
    return []


def _take(
    entry: Entry,
    collection: str,
    into: dict[str, Entry],
    seen: dict[str, tuple[str, Scalar]],
    problems: list[Problem],
) -> None:
    name = entry.key.text
    if name == RESERVED_ID:
        message = f"the id '{name}' is taken by the ruleset itself"
        problems.append(Problem("R206", message, entry.key.span, expected="another id"))
    elif name in seen:
        other, first = seen[name]
        differs = f"write {name:.60}_{collection.removesuffix('s')} here"
        problems.append(
            Problem(
                "R206",
                f"the id '{name:.40}' stands twice in this ruleset",
                entry.key.span,
                expected="each id once in a ruleset, since texts and rules name things by it alone",
                hint="rename one of them" if other == collection else differs,
                also=(first.span, f"the id of {KINDS[other]}"),
            )
        )
    else:
        seen[name] = (collection, entry.key)
        into[name] = entry
