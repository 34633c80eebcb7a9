"""What is written of a ruleset, as nodes and chapters -> the ruleset with some options, and faults.

A folder, the file of a released edition and a variant laid over its base all come to this: from
here on it is one, where the words stand. All variants of a ruleset share what was read of its
files; each is made when it is first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulebook.limits import MOST_FILES
from rulebook.loading.bindings import bind_texts, heading_id
from rulebook.loading.chapters import Cut
from rulebook.loading.nodes import MappingNode, PlacesInFiles, taken_in, unknown
from rulebook.loading.options import OptionOverlay, choose, in_order, put_in_force, wins_over
from rulebook.loading.overlays import Laid, overlaid
from rulebook.loading.pictures import COVER, SYMBOLS, Pictures
from rulebook.loading.references import follow, in_lists, spelt_out
from rulebook.loading.resolve import resolve
from rulebook.loading.structure import read_model
from rulebook.model.header import Header
from rulebook.model.length_conversion import convert_lengths
from rulebook.model.lengths import Lengths
from rulebook.model.prose import BLOCK_KIND_OF, Block, Chapter, Section, placements
from rulebook.model.ruleset import Address, Collections, Ruleset, Variant, in_reading_order
from rulebook.model.walk import Words, unaffected, with_entities, words_of
from rulebook.problems import Problem, Report, Span


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading: the ruleset (None after errors), the report and the file count."""

    ruleset: Ruleset | None
    report: Report
    files: int


@dataclass(frozen=True, slots=True)
class Written:
    """A ruleset as it is written: header, collections and options as nodes, and its chapters.

    The header is None if its file holds no mapping, which is a fault. `options` are the ids of all
    option files, faulty ones too. `cuts` are the Markdown files by name, `own` the places of those
    that the header must list, `texts` the texts of files by path. In a variant, `differs` has the
    addresses of all that differs from its base, and `removed` the place that removes it by the last
    key of each thing removed. `frozen` is set if it was read from the file of a release, or is a
    variant of one that was.
    """

    id: str
    header: MappingNode | None
    collections: MappingNode
    overlays: Mapping[str, OptionOverlay]
    options: frozenset[str]
    cuts: Mapping[str, Cut]
    pictures: Pictures = field(default_factory=dict)
    own: Mapping[str, Span] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    differs: tuple[Address, ...] = ()
    removed: Mapping[str, Span] = field(default_factory=dict)
    frozen: bool = False


#: Collections with all references followed, and the paths of the values taken, by address.
_Followed = tuple[MappingNode, Mapping[Address, str]]


def read_collections(
    written: Written, chosen: Iterable[str]
) -> tuple[_Followed, Collections | None, tuple[Problem, ...], Mapping[str, Span]]:
    """Lays the options over the collections, resolves references, and reads the model.

    Returns the root node with the paths that its values were taken from, by their addresses; the
    collections (None after faults); the faults; and a mapping from the last key of each removed
    thing to the place that removes it.
    """
    laid = _laid(written, chosen)
    referring = in_lists(spelt_out(laid.collections))
    root, failed, faults = follow(referring)
    collections, misfits = read_model(Collections, root, passed_over=failed)
    removed = {**written.removed, **laid.removed}
    problems = with_removals((*laid.problems, *faults, *misfits), removed)
    taken = sorted(taken_in(root, referring), key=lambda item: tuple(map(str, item[0])))
    return (root, dict(taken)), collections, problems, removed


def _laid(written: Written, chosen: Iterable[str]) -> Laid:
    """Lays the chosen options over the collections in their order; returns both, with faults."""
    overlays = in_order(written.overlays, chosen)
    return overlaid(spelt_out(written.collections), overlays, wins_over(written.overlays))


@dataclass(slots=True)
class Variants:
    """Makes and caches the rulesets that result from different chosen options."""

    written: Written
    header: Header
    chapters: tuple[Chapter, ...]
    #: How all lengths are converted, after what the header says.
    lengths: Lengths | None = None
    #: Whether references are checked; if not, every ruleset is as `structured` returns it.
    resolving: bool = True
    _removed: dict[tuple[str, ...], Mapping[str, Span]] = field(default_factory=dict)
    _structured: dict[tuple[str, ...], Variant] = field(default_factory=dict)
    _resolved: dict[tuple[str, ...], Variant] = field(default_factory=dict)
    #: The ruleset without options before its texts are bound, and the words in its entities.
    _unbound: Ruleset | None = None
    _words: Words = field(default_factory=dict)

    def __call__(self, chosen: tuple[str, ...]) -> Variant:
        """Returns the ruleset with these options in force, its references checked, and the faults.

        After faults there is no ruleset. References are left unchecked if `resolving` is not set.
        """
        if not self.resolving:
            return self.structured(chosen)
        if chosen not in self._resolved:
            self._resolved[chosen] = self._resolve(self.structured(chosen))
        return self._resolved[chosen]

    def _resolve(self, variant: Variant) -> Variant:
        ruleset = variant.ruleset
        if ruleset is None:
            return variant
        if () not in self._resolved or self._resolved[()].problems:
            ruleset = replace(ruleset, unaffected=frozenset())
        anchors = [anchor for cut in self.written.cuts.values() for anchor in cut.anchors]
        faults = resolve(ruleset, anchors, self.written.texts, self.structured)
        found = with_removals(faults, self._removed[ruleset.chosen])
        problems = (*variant.problems, *found)
        return Variant(None if problems else ruleset, problems)

    def structured(self, chosen: tuple[str, ...]) -> Variant:
        """Returns the ruleset with these options, values filled into its plain texts, and faults.

        Its other references are not checked yet. There may be faults and a ruleset at the same
        time.
        """
        if chosen not in self._structured:
            self._structured[chosen] = self._structure(chosen)
        return self._structured[chosen]

    def _structure(self, chosen: tuple[str, ...]) -> Variant:
        written, header = self.written, self.header
        plain = self.structured(()).ruleset if chosen else None
        (root, taken), collections, faults, removed = read_collections(written, chosen)
        self._removed[chosen] = removed
        if faults or collections is None:
            return Variant(None, faults)
        overlays = written.overlays
        roots: dict[Address, MappingNode] = {(): root}
        roots |= {("header",): written.header} if written.header else {}
        roots |= {("options", name): overlay.root for name, overlay in overlays.items()}
        ruleset = Ruleset(
            written.id,
            header,
            in_reading_order(collections, self.chapters),
            self.chapters,
            PlacesInFiles(roots),
            {name: overlay.option for name, overlay in sorted(overlays.items())},
            chosen,
            written.pictures.get(COVER),
            self,
            taken,
            differs=written.differs,
            frozen=written.frozen,
            symbols={str(at[1]): pic for at, pic in written.pictures.items() if at[0] == SYMBOLS},
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
        if not chosen:
            self._unbound = ruleset
        elif plain is not None and self._unbound is not None:
            self._words = self._words or words_of(self._unbound)
            same = unaffected(ruleset, self._unbound, self._words)
            ruleset = replace(with_entities(ruleset, plain, same), unaffected=same)
        bound, problems = bind_texts(ruleset, written.texts)
        return Variant(replace(bound, written=unconverted), problems)


def check_references(ruleset: Ruleset) -> tuple[Problem, ...]:
    """Checks the references of a ruleset that was loaded without this; returns the faults.

    From now on they are checked in its variants too. A ruleset without variants has no faults.
    """
    variants = ruleset.variants
    if not isinstance(variants, Variants):
        return ()
    variants.resolving = True
    return variants(ruleset.chosen).problems


def _with_blocks(ruleset: Ruleset, overlay: OptionOverlay) -> Ruleset:
    """Appends what an option adds to the section of its rule, unless a chapter prints it.

    Returns the same ruleset if nothing is appended.
    """
    rule, blocks = heading_id(overlay.option.rule or ""), tuple(_blocks(ruleset, overlay))

    def with_blocks(section: Section) -> Section:
        parts = (*section.parts, *blocks)
        return replace(section, parts=parts) if section.id == rule else section

    chapters = (
        replace(chapter, sections=tuple(map(with_blocks, chapter.sections)))
        for chapter in ruleset.chapters
    )
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
    """Adds to each fault about a name that was removed the place that removes it.

    `removed` has that place by the last key of each removed thing. Other faults are unchanged.
    """

    def with_removal(problem: Problem) -> Problem:
        names = (match[1] for match in _QUOTED.finditer(problem.message) if match[1] in removed)
        name = next(names, None)
        if name is None or problem.code not in _NOT_THERE or problem.also is not None:
            return problem
        also = (removed[name], f"'{name}' is removed here")
        return replace(problem, hint="name something else there, or leave it in", also=also)

    return tuple(map(with_removal, problems))


def put_together(
    written: Written,
    options: Iterable[str],
    report: Report,
    *,
    folder: Span,
    lengths: Lengths | None = None,
    resolving: bool = True,
) -> Ruleset | None:
    """Makes the ruleset with the given options; after faults, which go to `report`, returns None.

    Lengths are converted as the header says, and then as `lengths` says. `folder` is the place of
    faults that have none of their own. Unless `resolving`, references are not checked.
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
    # Options that no order keeps apart are at fault even while they are not chosen together.
    laid = _laid(written, written.overlays)
    report.extend(misfit for misfit in laid.problems if misfit.code == "R311")
    if header is None or not report.ok:
        sound = tuple(name for name in chosen if name in written.overlays)
        report.extend(read_collections(written, sound)[2])
        return None
    chapters = tuple(_listed_chapters(header, written))
    variant = Variants(written, header, chapters, lengths, resolving)(chosen)
    report.extend(variant.problems)
    return None if variant.problems else variant.ruleset


def _listed_chapters(header: Header, written: Written) -> Iterator[Chapter]:
    for (kind, _), file in listed_files(header):
        chapter = written.cuts[file].chapter if file in written.cuts else None
        if chapter is not None:
            appendix = kind == "appendices"
            yield replace(chapter, annex=appendix or kind == "annexes", appendix=appendix)


def listed_files(header: Header) -> list[tuple[tuple[str, int], str]]:
    """Lists the Markdown files that a header names, each after its address in the header."""
    return [
        ((name, index), file)
        for name in ("chapters", "annexes", "appendices")
        for index, file in enumerate(getattr(header, name))
    ]


def chapter_faults(header: Header, root: MappingNode, written: Written) -> Iterator[Problem]:
    """Yields faults of Markdown files that are listed twice, missing, or not listed in the header.

    `root` is the node of the header.
    """
    places = PlacesInFiles({(): root})
    seen: dict[str, Span] = {}
    for address, file in listed_files(header)[:MOST_FILES]:
        span = places.get(address, root.span)
        if file in seen:
            message, hint = f"the chapter '{file:.60}' is listed twice", "delete it here"
            expected = "each file once, over chapters, annexes and appendices"
            also = (seen[file], "it stands here first")
            yield Problem("R216", message, span, expected, hint, also)
        elif file not in written.cuts:
            what, otherwise = "Markdown file of this ruleset", "such a file, as musketry.md is"
            known, (name, _, ending) = list(written.cuts), file.rpartition(".")
            hint = f"save it as {name:.60}.md" if name and ending != "md" else ""
            yield unknown("R216", what, file, known, span, otherwise=otherwise, hint=hint)
        seen.setdefault(file, span)
    for file, span in written.own.items():
        if file not in seen:
            message = "this file is no chapter of the ruleset"
            expected = "every Markdown file to be listed in ruleset.yaml"
            hint = f"add '{file}' to chapters, or delete the file"
            yield Problem("R215", message, span, expected, hint)
