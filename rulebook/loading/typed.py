"""The nodes of collections with some options laid over them -> the typed collections.

Most of what an option leaves as it is stands in every variant: it is read once, without any option,
and is the same object in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.loading.grids import in_lists
from rulebook.loading.nodes import Entry, MappingNode
from rulebook.loading.overlays import Laid
from rulebook.loading.references import Followed, follow
from rulebook.loading.removals import with_removals
from rulebook.loading.source_places import places_of, taken_in
from rulebook.loading.structure import read_model
from rulebook.model.ruleset import Address, Collections
from rulebook.problems import Problem, Span

#: A collection and the id of an entity in it.
_Named = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Typed:
    """The collections with some options laid over them, or None, their places, the faults.

    `taken` are the values that are taken from another place, `removed` the last keys of what is not
    there any more, `followed` the nodes that all this was read from.
    """

    collections: Collections | None
    places: Mapping[Address, Span]
    taken: Mapping[Address, str]
    problems: tuple[Problem, ...]
    removed: Mapping[str, Span]
    followed: Followed


def read_typed(laid: Laid, removed: Mapping[str, Span], plain: Typed | None = None) -> Typed:
    """Follow references in what was laid together, and read the model.

    `plain` is what was read without options, of which all is taken over that stands here as well.
    """
    sound = plain is not None and not plain.problems
    followed = follow(in_lists(laid.collections), plain.followed if plain and sound else None)
    gone = {**removed, **laid.removed}
    if plain and sound and not laid.problems and not followed.problems:
        found = _beside(plain, followed, gone)
        if found is not None:
            return found
    read = followed.collections
    collections, faults = read_model(Collections, read, passed_over=followed.failed)
    problems = with_removals((*laid.problems, *followed.problems, *faults), gone)
    taken = _sorted(_taken(followed, _entities(read)))
    return Typed(collections, places_of(read), taken, problems, gone, followed)


def _beside(plain: Typed, followed: Followed, removed: Mapping[str, Span]) -> Typed | None:
    """The same of other nodes without a fault; None where these have one after all."""
    now, then = _entities(followed.collections), _entities(plain.followed.collections)
    changed = {name: one for name, one in now.items() if then.get(name) != one}
    shapely = all(
        isinstance(one.value, MappingNode) for one in followed.collections.entries.values()
    )
    if plain.collections is None or not shapely:
        return None
    read, faults = read_model(Collections, _only(followed.collections, changed))
    if read is None or faults:
        return None
    made = {
        name: {
            key: getattr(read if (name, key) in changed else plain.collections, name)[key]
            for key in collection.value.entries
        }
        for name, collection in followed.collections.entries.items()
        if isinstance(collection.value, MappingNode)
    }
    collections = plain.collections.model_copy(update=made)
    gone = {name: one for name, one in then.items() if name in changed or name not in now}
    places, left = dict(plain.places), set(_places(gone))
    for address in left:
        del places[address]
    for name, entry in followed.collections.entries.items():
        places[(name,)] = entry.key.span
    places |= _places(changed)
    taken = {at: path for at, path in plain.taken.items() if at[:2] not in gone}
    taken = _sorted({**taken, **_taken(followed, changed)})
    return Typed(collections, places, taken, (), removed, followed)


def _entities(collections: MappingNode) -> dict[_Named, Entry]:
    return {
        (name, key): entity
        for name, collection in collections.entries.items()
        if isinstance(collection.value, MappingNode)
        for key, entity in collection.value.entries.items()
    }


def _only(collections: MappingNode, wanted: Mapping[_Named, Entry]) -> MappingNode:
    """The collections with some of their entities."""
    found: dict[str, dict[str, Entry]] = {}
    for (name, key), entity in wanted.items():
        found.setdefault(name, {})[key] = entity
    entries = {
        name: Entry(collections.entries[name].key, MappingNode(some, collections.span))
        for name, some in found.items()
    }
    return MappingNode(entries, collections.span)


def _places(entities: Mapping[_Named, Entry]) -> dict[Address, Span]:
    found: dict[Address, Span] = {}
    for (name, key), entity in entities.items():
        found |= places_of(MappingNode({key: entity}, entity.key.span), (name,))
    return found


def _taken(followed: Followed, entities: Mapping[_Named, Entry]) -> dict[Address, str]:
    """What is taken from elsewhere: it stands only where following has replaced something."""
    written = _entities(followed.written)
    found: dict[Address, str] = {}
    for (name, key), entity in entities.items():
        if written[name, key] is not entity:
            found |= taken_in(MappingNode({key: entity}, entity.key.span), (name,))
    return found


def _sorted(taken: Mapping[Address, str]) -> dict[Address, str]:
    return dict(sorted(taken.items(), key=lambda one: tuple(map(str, one[0]))))
