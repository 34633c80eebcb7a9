"""Folders of content -> rulesets, each with the report of every fault in its files.

The stages are load (bytes to nodes), structure (nodes to the typed model) and resolve (names to
what they name). All faults of a stage are told at once; the next stage does not start after an
error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulebook.loading import nodes
from rulebook.loading.chapters import cut_chapter
from rulebook.loading.folder import HEADER_FILE, MOST_FILES, Files, find_files
from rulebook.loading.merging import merge
from rulebook.loading.nodes import Node, Sequence, shape
from rulebook.loading.options import choose, is_option, option_id, read_options
from rulebook.loading.pictures import read_picture
from rulebook.loading.places import find_node, places_of
from rulebook.loading.reading import Unreadable, forbidden_characters, read_text
from rulebook.loading.structure import read_model
from rulebook.loading.variants import Content, Variants, disagreements, read_collections
from rulebook.loading.yaml_events import read_yaml
from rulebook.model.cells import nearest
from rulebook.model.pictures import Picture
from rulebook.model.prose import Chapter
from rulebook.model.ruleset import Address, Header, Ruleset
from rulebook.problems import Problem, Report, Span

#: Limits of a whole ruleset.
LARGEST_RULESET = 4 << 20
MOST_NODES = 100_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A folder read: the ruleset, unless there was an error, the report, the number of files."""

    ruleset: Ruleset | None
    report: Report
    files: int


@dataclass(slots=True)
class _Sources:
    """The texts and nodes of a folder's files, by their paths relative to it."""

    folder: Path
    texts: dict[str, str] = field(default_factory=dict)
    roots: dict[str, Node] = field(default_factory=dict)

    def shown(self, file: str) -> str:
        return (self.folder / file).as_posix()


def find_rulesets(content: Path) -> list[Path]:
    """The folders in `content` with a ruleset.yaml, sorted; dot folders are passed over."""
    if not content.is_dir():
        return []
    return sorted(
        folder
        for folder in content.iterdir()
        if not folder.name.startswith(".") and (folder / HEADER_FILE).is_file()
    )


def find_options(folder: Path) -> list[str]:
    """The ids of a ruleset's options by the names of their files, which need not be faultless."""
    return sorted({option_id(file) for file in find_files(folder).yaml if is_option(file)})


def load(folder: Path, options: Iterable[str] = ()) -> Loaded:
    """Read a ruleset whole, with some options chosen: hyphen and underscore are one in their names.

    No file, however broken or hostile, raises anything.
    """
    report = Report()
    files = find_files(folder)
    report.extend(files.problems)
    sources = _Sources(folder)
    report.extend(_read(files, sources))
    if not report.ok:
        return Loaded(None, report, len(files))
    return Loaded(_structure(files, sources, tuple(options), report), report, len(files))


def _read(files: Files, sources: _Sources) -> list[Problem]:
    """Stage one: bytes to nodes, for every file."""
    problems: list[Problem] = []
    size = nodes = 0
    for file in (*files.yaml, *files.markdown):
        shown = sources.shown(file)
        try:
            text = read_text(sources.folder / file, shown)
        except Unreadable as error:
            problems.append(error.problem)
            continue
        size += len(text)
        sources.texts[file] = text
        if found := forbidden_characters(text, shown):
            problems += found
        elif file in files.yaml:
            root, faults = read_yaml(text, shown)
            problems += faults
            if root is not None:
                sources.roots[file] = root
                nodes += _count(root)
        if size > LARGEST_RULESET or nodes > MOST_NODES:
            problems.append(
                Problem(
                    "R102",
                    "the ruleset is too large",
                    Span(sources.folder.as_posix()),
                    expected=f"up to {LARGEST_RULESET >> 20} MiB and {MOST_NODES} values in all",
                )
            )
            return problems
    return problems


def _count(root: Node) -> int:
    count, waiting = 0, [root]
    while waiting:
        node = waiting.pop()
        count += 1
        if isinstance(node, nodes.Mapping):
            waiting += [entry.value for entry in node.entries.values()]
        elif isinstance(node, Sequence):
            waiting += node.items
    return count


def _structure(
    files: Files, sources: _Sources, options: tuple[str, ...], report: Report
) -> Ruleset | None:
    """Stages two and three: nodes and Markdown to the model, then names to what they name."""
    folder = Span(sources.folder.as_posix())
    root = sources.roots[HEADER_FILE]
    header_root = root if isinstance(root, nodes.Mapping) else nodes.Mapping({}, root.span)
    header: Header | None = None
    if isinstance(root, nodes.Mapping):
        header, faults = read_model(Header, root)
        report.extend(faults)
    else:
        report.add(_no_header(root))
    topics = [file for file in files.yaml if file != HEADER_FILE and not is_option(file)]
    merged, faults = merge((sources.roots[file] for file in topics), folder)
    report.extend(faults)
    listed = [(file, sources.roots[file]) for file in files.yaml if is_option(file)]
    overlays, faults = read_options(listed)
    report.extend(faults)
    chosen, faults = choose(options, {option_id(file) for file, _ in listed}, folder)
    report.extend(faults)
    annexes = {*header.annexes, *header.appendices} if header else set()
    cuts = {
        file: cut_chapter(sources.texts[file], file, sources.shown(file), annex=file in annexes)
        for file in files.markdown
    }
    for cut in cuts.values():
        report.extend(cut.problems)
    if header:
        report.extend(_chapter_faults(header, header_root, files, sources))
    cover, faults = _cover(header, header_root, sources)
    report.extend(faults)
    content = Content(
        id=sources.folder.name or sources.folder.resolve().name,
        collections=merged,
        overlays=overlays,
        places=places_of(header_root, ("header",)),
        texts={sources.shown(file): text for file, text in sources.texts.items()},
        anchors=tuple(anchor for cut in cuts.values() for anchor in cut.anchors),
        cover=cover,
    )
    chapters = {file: cut.chapter for file, cut in cuts.items()}
    return put_together(content, header, chapters, chosen, report)


def put_together(
    content: Content,
    header: Header | None,
    chapters: Mapping[str, Chapter | None],
    chosen: tuple[str, ...],
    report: Report,
) -> Ruleset | None:
    """What was read of a ruleset -> the ruleset with the options chosen, or None and the faults."""
    report.extend(disagreements(content))
    if header is None or not report.ok:
        sound = tuple(name for name in chosen if name in content.overlays)
        report.extend(read_collections(content, sound).problems)
        return None
    listed = ((chapters[file], address[0] == "appendices") for address, file in _listed(header))
    numbered = (replace(one, appendix=appendix) for one, appendix in listed if one is not None)
    variant = Variants(content, header, tuple(numbered))(chosen)
    report.extend(variant.problems)
    return variant.ruleset


def _cover(
    header: Header | None, root: nodes.Mapping, sources: _Sources
) -> tuple[Picture | None, list[Problem]]:
    """The picture of the cover, if the header names one."""
    if header is None or header.cover is None:
        return None, []
    _, span = find_node(root, ("cover", "picture"))
    return read_picture(sources.folder, header.cover.picture, span)


def _no_header(root: Node) -> Problem:
    return Problem(
        "R203",
        f"{shape(root)} stands where title, edition and chapters belong",
        root.span,
        expected="keys, each with a colon and its value",
    )


def _chapter_faults(
    header: Header, root: nodes.Mapping, files: Files, sources: _Sources
) -> list[Problem]:
    """Each Markdown file stands once in the lists of chapters, and each chapter is a file."""
    problems: list[Problem] = []
    places = places_of(root)
    seen: dict[str, Span] = {}
    for address, file in _listed(header)[:MOST_FILES]:
        span = places.get(address, Span(sources.shown(HEADER_FILE)))
        if file in seen:
            problems.append(
                Problem(
                    "R216",
                    f"the chapter '{file[:60]}' is listed twice",
                    span,
                    expected="each file once, over chapters, annexes and appendices",
                    hint="delete it here",
                    also=(seen[file], "it stands here first"),
                )
            )
        elif file not in files.markdown:
            problems.append(_no_chapter(file, span, files.markdown))
        seen.setdefault(file, span)
    for file in files.markdown:
        if file not in seen:
            problems.append(
                Problem(
                    "R215",
                    "this file is no chapter of the ruleset",
                    Span(sources.shown(file)),
                    expected="every Markdown file to be listed in ruleset.yaml",
                    hint=f"add '{file}' to chapters, or delete the file",
                )
            )
    return problems


def _listed(header: Header) -> list[tuple[Address, str]]:
    lists = {
        "chapters": header.chapters,
        "annexes": header.annexes,
        "appendices": header.appendices,
    }
    return [
        ((name, index), file) for name, files in lists.items() for index, file in enumerate(files)
    ]


def _no_chapter(file: str, span: Span, known: list[str]) -> Problem:
    inside = not (file.startswith(("/", "~")) or ".." in file.split("/") or ":" in file)
    return Problem(
        "R216",
        f"there is no file '{file[:60]}'"
        if inside
        else f"'{file[:60]}' leads out of the ruleset's folder",
        span,
        expected="a Markdown file of this ruleset, such as musketry.md",
        hint=nearest(file, known) if inside else "",
    )
