"""The roots of all topic files -> one mapping of collections, in which each id stands once.

Files are cut by topic as the author likes, so a collection is gathered from wherever its entities
stand.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.limits import MOST_FAULTS
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, shape
from rulebook.model.cells import nearest
from rulebook.model.lookup import KINDS
from rulebook.model.ruleset import Collections, Header
from rulebook.problems import Problem, Span

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
        problems.append(
            Problem.of(
                "R203 no collections",
                root.span,
                shape=shape(root),
                known=", ".join(COLLECTION_NAMES),
            )
        )
        return {}
    known = {}
    for name, entry in root.entries.items():
        if name in COLLECTION_NAMES:
            known[name] = entry
            continue
        hint = nearest(name, COLLECTION_NAMES)
        if name in Header.model_fields:
            hint = f"put '{name}' into ruleset.yaml"
        here = entry.key.span
        problems.append(
            Problem.of(
                "R201 collection", here, name=name, known=", ".join(COLLECTION_NAMES), hint=hint
            )
        )
    return known


def _entities_of(entry: Entry, name: str, problems: list[Problem]) -> list[Entry]:
    if isinstance(entry.value, MappingNode):
        return list(entry.value.entries.values())
    problems.append(
        Problem.of("R203 no ids below", entry.key.span, shape=shape(entry.value), name=name)
    )
    return []


#: What may stand behind the id of a thing where the same id without it is taken.
_SUFFIXES = {
    "tables": "table",
    "modifiers": "modifiers",
    "procedures": "roll",
    "examples": "example",
    "sequence": "phase",
    "units": "unit",
    "cards": "cards",
    "cutouts": "cutout",
    "figures": "figure",
    "terms": "term",
    "agreements": "agreement",
    "formations": "formation",
    "scenarios": "scenario",
}


def _take(
    entry: Entry,
    collection: str,
    into: dict[str, Entry],
    seen: dict[str, tuple[str, Scalar]],
    problems: list[Problem],
) -> None:
    name = entry.key.text
    if name == RESERVED_ID:
        problems.append(Problem.of("R206 id of the ruleset", entry.key.span, name=name))
    elif name in seen:
        other, first = seen[name]
        differs = other != collection
        problems.append(
            Problem.of(
                "R206 id twice",
                entry.key.span,
                also=first.span,
                name=name,
                other=f"{name}_{_SUFFIXES[collection]}" if differs else "",
                kind=KINDS[other],
            )
        )
    else:
        seen[name] = (collection, entry.key)
        into[name] = entry
