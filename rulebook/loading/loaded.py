"""What is written of a ruleset, as nodes and chapters -> the ruleset with some options, and faults.

A folder, the file of a released edition and a variant laid over its base all come to this: from
here on it is one, where the words stand. All variants of a ruleset share what was read of its
files; each is made when it is first asked for, and what options leave as it is, is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulebook.limits import MOST_FILES
from rulebook.loading.chapters import Cut
from rulebook.loading.nodes import Entry, MappingNode, places_of, taken_in, unknown
from rulebook.loading.options import OptionOverlay, choose, in_order, wins_over
from rulebook.loading.options_in_force import put_in_force
from rulebook.loading.overlays import Laid, overlaid
from rulebook.loading.plain_texts import bind_texts
from rulebook.loading.prose import heading_id
from rulebook.loading.references import Followed, entities_of, follow, in_lists, spelt_out
from rulebook.loading.resolve import resolve
from rulebook.loading.structure import read_model
from rulebook.model.length_conversion import convert_lengths
from rulebook.model.lengths import Lengths
from rulebook.model.pictures import InlinePicture
from rulebook.model.prose import BLOCK_KIND_OF, Block, Chapter, placements
from rulebook.model.ruleset import Address, Collections, Header, Ruleset, Variant, in_reading_order
from rulebook.problems import Problem, Report, Span


@dataclass(frozen=True, slots=True)
class Loaded:
    """A folder read: the ruleset, unless there was an error, the report, the number of files."""

    ruleset: Ruleset | None
    report: Report
    files: int


@dataclass(frozen=True, slots=True)
class Written:
    """What is written of a ruleset: its header, collections and options as nodes, its chapters.

    The header is None where its file holds none, which is a fault. `cuts` are its Markdown files by
    their names; `own` says where those stand that the header must list. `options` are the ids of
    all option files, faulty ones too. Of a variant `differs` leads to all in which it is not as its
    base, and `removed` has the last keys of what it removes, with the places that say so. `frozen`
    is what was read from the file of a release, and a variant of that.
    """

    id: str
    header: MappingNode | None
    collections: MappingNode
    overlays: Mapping[str, OptionOverlay]
    options: frozenset[str]
    cuts: Mapping[str, Cut]
    cover: InlinePicture | None = None
    symbols: Mapping[str, InlinePicture] = field(default_factory=dict)
    own: Mapping[str, Span] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    differs: tuple[Address, ...] = ()
    removed: Mapping[str, Span] = field(default_factory=dict)
    frozen: bool = False


#: A collection and the id of an entity in it.
_Named = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TypedContent:
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


def read_typed(
    laid: Laid, removed: Mapping[str, Span], plain: TypedContent | None = None
) -> TypedContent:
    """Follow references in what was laid together, and read the model.

    `plain` is what was read without options, of which all is taken over that stands here as well.
    """
    sound = plain is not None and not plain.problems
    read = in_lists(spelt_out(laid.collections))
    followed = follow(read, plain.followed if plain and sound else None)
    gone = {**removed, **laid.removed}
    if plain and sound and not laid.problems and not followed.problems:
        found = _beside(plain, followed, gone)
        if found is not None:
            return found
    read = followed.collections
    collections, faults = read_model(Collections, read, passed_over=followed.failed)
    problems = with_removals((*laid.problems, *followed.problems, *faults), gone)
    taken = _sorted(_taken(followed, entities_of(read)))
    return TypedContent(collections, places_of(read), taken, problems, gone, followed)


def _beside(
    plain: TypedContent, followed: Followed, removed: Mapping[str, Span]
) -> TypedContent | None:
    """The same of other nodes without a fault; None where these have one after all."""
    now, then = entities_of(followed.collections), entities_of(plain.followed.collections)
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
    return TypedContent(collections, places, taken, (), removed, followed)


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
    written = entities_of(followed.written)
    found: dict[Address, str] = {}
    for (name, key), entity in entities.items():
        if written[name, key] is not entity:
            found |= taken_in(MappingNode({key: entity}, entity.key.span), (name,))
    return found


def _sorted(taken: Mapping[Address, str]) -> dict[Address, str]:
    return dict(sorted(taken.items(), key=lambda one: tuple(map(str, one[0]))))


def read_collections(
    written: Written, chosen: tuple[str, ...], plain: TypedContent | None = None
) -> TypedContent:
    """Lay the options over the collections, follow references, and read the model.

    `plain` is the same without any option: what these leave as it was is not read again.
    """
    overlays = in_order(written.overlays, chosen)
    laid = overlaid(spelt_out(written.collections), overlays, wins_over(written.overlays))
    return read_typed(laid, written.removed, plain)


def disagreements(written: Written) -> Iterator[Problem]:
    """Options that could not be played together, since they change one thing, and no order says
    which of them wins.
    """
    overlays = in_order(written.overlays, written.overlays)
    laid = overlaid(spelt_out(written.collections), overlays, wins_over(written.overlays))
    yield from (misfit for misfit in laid.problems if misfit.code == "R311")


@dataclass(slots=True)
class Variants:
    """The rulesets that one content makes, by the options chosen."""

    written: Written
    header: Header
    chapters: tuple[Chapter, ...]
    #: How all lengths are converted, after what the header says.
    lengths: Lengths | None = None
    #: Whether a variant takes over what it has in common with the plain ruleset.
    sharing: bool = True
    _typed: dict[tuple[str, ...], TypedContent] = field(default_factory=dict)
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
        anchors = [anchor for cut in self.written.cuts.values() for anchor in cut.anchors]
        faults = resolve(ruleset, anchors, self.written.texts, self.structured)
        found = with_removals(faults, self._typed[ruleset.chosen].removed)
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
        written, header = self.written, self.header
        plain = self.structured(()).ruleset if chosen else None
        shared = self._typed[()] if chosen and self.sharing else None
        typed = self._typed[chosen] = read_collections(written, chosen, shared)
        if typed.problems or typed.collections is None:
            return Variant(None, typed.problems)
        overlays = written.overlays
        roots = [(("options", name), overlay.root) for name, overlay in overlays.items()]
        places = dict(typed.places)
        for at, root in ((("header",), written.header), *roots):
            places |= places_of(root, at) if root else {}
        ruleset = Ruleset(
            written.id,
            header,
            in_reading_order(typed.collections, self.chapters),
            self.chapters,
            places,
            {name: overlay.option for name, overlay in sorted(overlays.items())},
            chosen,
            written.cover,
            self,
            typed.taken,
            differs=written.differs,
            frozen=written.frozen,
            symbols=written.symbols,
        )
        unconverted = ruleset
        for lengths in (header.lengths, self.lengths):
            if lengths is not None:
                ruleset, faults = convert_lengths(ruleset, lengths)
                if faults:
                    return Variant(None, faults)
        for name in chosen:
            ruleset = _with_blocks(ruleset, overlays[name])
        if plain is not None:
            ruleset = put_in_force(ruleset, plain, in_order(overlays, chosen))
        bound, problems = bind_texts(ruleset, written.texts)
        return Variant(replace(bound, written=unconverted), problems)


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
    for collection, kind in BLOCK_KIND_OF.items():
        added = overlay.adds.get(collection) if collection != "procedures" else None
        for name, entry in added.entries.items() if isinstance(added, MappingNode) else ():
            entity = getattr(ruleset.collections, collection)[name]
            if getattr(entity, "booklet", True) and (kind, name) not in placed:
                yield Block(kind, name, entry.key.span)  # type: ignore[arg-type]


#: Of what is not there: a field, an entity, a part of one, a heading.
_NOT_THERE = ("R201", "R301", "R302", "R304")
_QUOTED = re.compile(r"'([a-z][a-z0-9_]*)'")


def with_removals(problems: Iterable[Problem], removed: Mapping[str, Span]) -> tuple[Problem, ...]:
    """The faults; those of a name that was removed say where. `removed` has the last key of each
    thing that was.
    """
    return tuple(_with_removal(problem, removed) for problem in problems)


def _with_removal(problem: Problem, removed: Mapping[str, Span]) -> Problem:
    if problem.code not in _NOT_THERE or problem.also is not None:
        return problem
    names = [match[1] for match in _QUOTED.finditer(problem.message) if match[1] in removed]
    if not names:
        return problem
    also = (removed[names[0]], f"'{names[0]}' is removed here")
    return replace(problem, hint="name something else there, or leave it in", also=also)


def put_together(
    written: Written,
    options: Iterable[str],
    report: Report,
    *,
    folder: Span,
    lengths: Lengths | None = None,
) -> Ruleset | None:
    """The ruleset with these options, its lengths turned as the header says and then by `lengths`.

    None after faults, which are in the report.
    """
    header: Header | None = None
    if written.header is not None:
        header, faults = read_model(Header, written.header)
        report.extend(faults)
    header_root = written.header or MappingNode({}, folder)
    chosen, faults = choose(options, written.options, folder)
    report.extend(faults)
    for cut in written.cuts.values():
        report.extend(cut.problems)
    if header is not None:
        report.extend(chapter_faults(header, header_root, written))
    report.extend(disagreements(written))
    if header is None or not report.ok:
        sound = tuple(name for name in chosen if name in written.overlays)
        report.extend(read_collections(written, sound).problems)
        return None
    chapters = tuple(_listed_chapters(header, written))
    variant = Variants(written, header, chapters, lengths)(chosen)
    report.extend(variant.problems)
    return variant.ruleset


def _listed_chapters(header: Header, written: Written) -> Iterator[Chapter]:
    for (kind, _), file in listed_files(header):
        chapter = written.cuts[file].chapter if file in written.cuts else None
        if chapter is not None:
            appendix = kind == "appendices"
            yield replace(chapter, annex=appendix or kind == "annexes", appendix=appendix)


def listed_files(header: Header) -> list[tuple[tuple[str, int], str]]:
    """The Markdown files that a header lists, each with its address in it."""
    lists = {
        "chapters": header.chapters,
        "annexes": header.annexes,
        "appendices": header.appendices,
    }
    return [
        ((name, index), file) for name, files in lists.items() for index, file in enumerate(files)
    ]


def chapter_faults(header: Header, root: MappingNode, written: Written) -> Iterator[Problem]:
    """Each Markdown file stands once in the lists of chapters, and each chapter is a file."""
    places = places_of(root)
    seen: dict[str, Span] = {}
    for address, file in listed_files(header)[:MOST_FILES]:
        span = places.get(address, root.span)
        if file in seen:
            yield Problem(
                "R216",
                f"the chapter '{file:.60}' is listed twice",
                span,
                expected="each file once, over chapters, annexes and appendices",
                hint="delete it here",
                also=(seen[file], "it stands here first"),
            )
        elif file not in written.cuts:
            yield _no_chapter(file, span, list(written.cuts))
        seen.setdefault(file, span)
    for file, span in written.own.items():
        if file not in seen:
            yield Problem(
                "R215",
                "this file is no chapter of the ruleset",
                span,
                expected="every Markdown file to be listed in ruleset.yaml",
                hint=f"add '{file}' to chapters, or delete the file",
            )


def _no_chapter(file: str, span: Span, known: list[str]) -> Problem:
    expected = "a Markdown file of this ruleset, such as musketry.md"
    return unknown("R216", "Markdown file of this ruleset", file, known, span, otherwise=expected)
