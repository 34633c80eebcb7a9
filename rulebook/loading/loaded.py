"""What is written of a ruleset, as nodes and chapters -> the ruleset, and its faults.

A folder, the file of a released edition and a variant laid over its base all come to this: from
here on it is one, where the words stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulebook.loading import nodes
from rulebook.loading.chapters import Cut
from rulebook.loading.folder import MOST_FILES
from rulebook.loading.nodes import places_of
from rulebook.loading.options import OptionOverlay, choose
from rulebook.loading.structure import read_model
from rulebook.loading.variants import Content, Variants, disagreements, read_collections
from rulebook.model.cells import Sought
from rulebook.model.lengths import Lengths
from rulebook.model.pictures import Picture
from rulebook.model.prose import Chapter
from rulebook.model.ruleset import Address, Header, Ruleset
from rulebook.problems import Problem, Report, Span

#: Limit of a whole ruleset.
MOST_NODES = 100_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A folder read: the ruleset, unless there was an error, the report, the number of files."""

    ruleset: Ruleset | None
    report: Report
    files: int


@dataclass(frozen=True, slots=True)
class Written:
    """What is written of a ruleset: its header, collections and options as nodes, its chapters.

    The header is None where its file holds none, which is told. `cuts` are its Markdown files by
    their names; `own` says where those stand that the header must list. `options` are the ids of
    all option files, faulty ones too. Of a variant `differs` leads to all in which it is not as its
    base, and `removed` has the last keys of what it removes, with the places that say so.
    """

    id: str
    header: nodes.MappingNode | None
    collections: nodes.MappingNode
    overlays: Mapping[str, OptionOverlay]
    options: frozenset[str]
    cuts: Mapping[str, Cut]
    cover: Picture | None = None
    own: Mapping[str, Span] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    differs: tuple[Address, ...] = ()
    removed: Mapping[str, Span] = field(default_factory=dict)


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
    header_root = written.header or nodes.MappingNode({}, folder)
    chosen, faults = choose(options, written.options, folder)
    report.extend(faults)
    for cut in written.cuts.values():
        report.extend(cut.problems)
    if header is not None:
        report.extend(chapter_faults(header, header_root, written))
    content = Content(
        id=written.id,
        collections=written.collections,
        overlays=written.overlays,
        places=places_of(header_root, ("header",)),
        texts=written.texts,
        anchors=tuple(anchor for cut in written.cuts.values() for anchor in cut.anchors),
        cover=written.cover,
        differs=written.differs,
        removed=written.removed,
        lengths=lengths,
    )
    report.extend(disagreements(content))
    if header is None or not report.ok:
        sound = tuple(name for name in chosen if name in content.overlays)
        report.extend(read_collections(content, sound).problems)
        return None
    chapters = tuple(_listed_chapters(header, written))
    variant = Variants(content, header, chapters)(chosen)
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


def chapter_faults(header: Header, root: nodes.MappingNode, written: Written) -> Iterator[Problem]:
    """Each Markdown file stands once in the lists of chapters, and each chapter is a file."""
    places = places_of(root)
    seen: dict[str, Span] = {}
    for address, file in listed_files(header)[:MOST_FILES]:
        span = places.get(address, root.span)
        if file in seen:
            yield Problem.of("R216 chapter twice", span, also=seen[file], file=file)
        elif file not in written.cuts:
            yield _no_chapter(file, span, list(written.cuts))
        seen.setdefault(file, span)
    for file, span in written.own.items():
        if file not in seen:
            yield Problem.of("R215 chapter not listed", span, file=file)


def _no_chapter(file: str, span: Span, known: list[str]) -> Problem:
    inside = not (file.startswith(("/", "~")) or ".." in file.split("/") or ":" in file)
    return Problem.of(
        "R216 no such chapter" if inside else "R216 chapter outside", span, file=Sought(file, known)
    )
