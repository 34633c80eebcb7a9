"""The collections of a ruleset, in the order of its files -> the same in the order of the booklet.

In which file an entity stands, and where in it, means nothing, so nothing that is printed may come
of it. What the prose places is in that order; what it does not place follows by id. Phases, units
and decks of cards are in the order in which their author lists them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.model.prose import BLOCK_KIND_OF, Chapter, placements
from rulebook.model.ruleset import Collections

#: Collections whose order is the author's.
AS_LISTED = ("sequence", "units", "cards")


def in_reading_order(collections: Collections, chapters: Sequence[Chapter]) -> Collections:
    """The same entities, in the order in which a reader of the booklet meets them."""
    places: dict[tuple[str, str], float] = {
        placed: number for number, placed in enumerate(placements(chapters))
    }
    for name, figure in collections.figures.items():
        here = places.get(("figure", name), len(places))
        shown = figure.cutouts
        for at, one in enumerate(shown):
            places.setdefault(("cutout", one), here + at / len(shown))
    ordered = {}
    for name in Collections.model_fields:
        if name not in AS_LISTED:
            entities, kind = getattr(collections, name), BLOCK_KIND_OF.get(name, name)
            ids = sorted(entities, key=lambda id_: (places.get((kind, id_), len(places)), id_))
            ordered[name] = {id_: entities[id_] for id_ in ids}
    return collections.model_copy(update=ordered)
