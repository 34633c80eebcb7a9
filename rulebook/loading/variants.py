"""The nodes and chapters of a ruleset, options chosen -> the ruleset with these options.

All variants of a ruleset share what was read of its files; only the collections differ. Each is
made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulebook.loading import nodes
from rulebook.loading.grids import in_lists
from rulebook.loading.in_force import put_in_force
from rulebook.loading.options import OptionOverlay, in_order, wins_over
from rulebook.loading.overlays import overlaid
from rulebook.loading.places import places_of, taken_in
from rulebook.loading.plain_texts import bind_texts
from rulebook.loading.prose import Anchor, heading_id
from rulebook.loading.references import follow
from rulebook.loading.removals import with_removals
from rulebook.loading.resolve import resolve
from rulebook.loading.structure import read_model
from rulebook.model.lengths import Lengths
from rulebook.model.pictures import Picture
from rulebook.model.prose import Block, Chapter, placements
from rulebook.model.reading_order import in_reading_order
from rulebook.model.ruleset import Address, Collections, Header, Ruleset, Variant
from rulebook.model.turning import turned
from rulebook.problems import Problem, Span

#: Collections whose entities stand in the prose, each with the kind of block that places them.
_PLACED = {"tables": "table", "modifiers": "table", "cutouts": "cutout", "examples": "example"}


@dataclass(frozen=True, slots=True)
class Content:
    """What was read of a folder: collections and overlays as nodes, places, texts by their paths.

    `places` are those of the header, `anchors` the links in chapters, `cover` is its picture.
    `differs` leads to all in which a variant is not as its base, `removed` has the last key of each
    thing of the base that it removes, with the place. `lengths` is how all lengths are
    turned, after what the header says.
    """

    id: str
    collections: nodes.Mapping
    overlays: Mapping[str, OptionOverlay]
    places: Mapping[Address, Span]
    texts: Mapping[str, str]
    anchors: tuple[Anchor, ...]
    cover: Picture | None = None
    differs: tuple[Address, ...] = ()
    removed: Mapping[str, Span] = field(default_factory=dict)
    lengths: Lengths | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """The collections with some options laid over them, or None, their places, the faults.

    `taken` are the values that are taken from another place, `removed` the last keys of what is not
    there any more.
    """

    collections: Collections | None
    places: Mapping[Address, Span]
    taken: Mapping[Address, str]
    problems: tuple[Problem, ...]
    removed: Mapping[str, Span]


def read_collections(content: Content, chosen: tuple[str, ...]) -> Typed:
    """Lay the options over the collections, follow references, and read the model."""
    overlays = in_order(content.overlays, chosen)
    laid = overlaid(content.collections, overlays, wins_over(content.overlays))
    followed = follow(in_lists(laid.collections))
    collections, faults = read_model(Collections, followed.collections, passed_over=followed.failed)
    removed = {**content.removed, **laid.removed}
    problems = with_removals((*laid.problems, *followed.problems, *faults), removed)
    places, taken = places_of(followed.collections), taken_in(followed.collections)
    return Typed(collections, places, taken, problems, removed)


def disagreements(content: Content) -> Iterator[Problem]:
    """Options that could not be played together, since they change one thing, and no order says
    which of them wins.
    """
    overlays = in_order(content.overlays, content.overlays)
    laid = overlaid(content.collections, overlays, wins_over(content.overlays))
    yield from (misfit for misfit in laid.problems if misfit.code == "R311")


@dataclass(slots=True)
class Variants:
    """The rulesets that one content makes, by the options chosen."""

    content: Content
    header: Header
    chapters: tuple[Chapter, ...]
    _removed: dict[tuple[str, ...], Mapping[str, Span]] = field(default_factory=dict)
    _structured: dict[tuple[str, ...], Variant] = field(default_factory=dict)
    _resolved: dict[tuple[str, ...], Variant] = field(default_factory=dict)

    def __call__(self, chosen: tuple[str, ...]) -> Variant:
        """The ruleset with these options, its references resolved."""
        if chosen not in self._resolved:
            self._resolved[chosen] = self._resolve(self.structured(chosen))
        return self._resolved[chosen]

    def _resolve(self, variant: Variant) -> Variant:
        ruleset = variant.ruleset
        if ruleset is None:
            return variant
        content = self.content
        faults = resolve(ruleset, content.anchors, content.texts, self.structured)
        found = with_removals(faults, self._removed[ruleset.chosen])
        problems = (*variant.problems, *found)
        return Variant(None if problems else ruleset, problems)

    def structured(self, chosen: tuple[str, ...]) -> Variant:
        """The ruleset with these options, typed, its plain texts bound.

        Other references have not been looked at; the ruleset may be there in spite of faults.
        """
        if chosen not in self._structured:
            self._structured[chosen] = self._structure(chosen)
        return self._structured[chosen]

    def _structure(self, chosen: tuple[str, ...]) -> Variant:
        content = self.content
        typed = read_collections(content, chosen)
        self._removed[chosen] = typed.removed
        if typed.problems or typed.collections is None:
            return Variant(None, typed.problems)
        overlays = content.overlays
        places = {**content.places, **typed.places}
        for name, overlay in overlays.items():
            places |= places_of(overlay.root, ("options", name))
        ruleset = Ruleset(
            content.id,
            self.header,
            in_reading_order(typed.collections, self.chapters),
            self.chapters,
            places,
            {name: overlay.option for name, overlay in sorted(overlays.items())},
            chosen,
            content.cover,
            self,
            typed.taken,
            differs=content.differs,
        )
        written = ruleset
        for lengths in (self.header.lengths, content.lengths):
            if lengths is not None:
                ruleset, faults = turned(ruleset, lengths)
                if faults:
                    return Variant(None, faults)
        for name in chosen:
            ruleset = _with_blocks(ruleset, overlays[name])
        plain = self.structured(()).ruleset if chosen else None
        if plain is not None:
            ruleset = put_in_force(ruleset, plain, in_order(overlays, chosen))
        bound, problems = bind_texts(ruleset, content.texts)
        return Variant(replace(bound, written=written), problems)


def _with_blocks(ruleset: Ruleset, overlay: OptionOverlay) -> Ruleset:
    """The ruleset with what an option adds printed at the end of the section of its rule."""
    rule = heading_id(overlay.option.rule or "")
    blocks = tuple(_blocks(ruleset, overlay))
    chapters = []
    for chapter in ruleset.chapters:
        sections = tuple(
            replace(section, parts=(*section.parts, *blocks)) if section.id == rule else section
            for section in chapter.sections
        )
        chapters.append(replace(chapter, sections=sections))
    return replace(ruleset, chapters=tuple(chapters)) if blocks else ruleset


def _blocks(ruleset: Ruleset, overlay: OptionOverlay) -> Iterator[Block]:
    placed = placements(ruleset.chapters)
    for collection, kind in _PLACED.items():
        added = overlay.adds.get(collection)
        for name, entry in added.entries.items() if isinstance(added, nodes.Mapping) else ():
            entity = getattr(ruleset.collections, collection)[name]
            if getattr(entity, "booklet", True) and (kind, name) not in placed:
                yield Block(kind, name, entry.key.span)  # type: ignore[arg-type]
