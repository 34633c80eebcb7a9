"""Folders of content -> rulesets, each with the report of every fault in its files.

The stages are load (bytes to nodes), structure (nodes to the typed model) and resolve (names to
what they name). All faults of a stage are told at once; the next stage does not start after an
error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulebook.loading import nodes
from rulebook.loading.bases import BASED_ON, Chain, find_base, laid_over, read_files
from rulebook.loading.chapters import cut_chapter
from rulebook.loading.folder import HEADER_FILE, Files, find_files
from rulebook.loading.loaded import MOST_NODES, Loaded, Written, put_together
from rulebook.loading.merging import merge
from rulebook.loading.nodes import Node, count_nodes, find_node, shape
from rulebook.loading.options import is_option, option_id, read_options
from rulebook.loading.pictures import read_picture
from rulebook.loading.safe_text import Unreadable, forbidden_characters, read_text
from rulebook.loading.sheet_nodes import with_sheets
from rulebook.loading.spreadsheets import Sheet, read_spreadsheet
from rulebook.loading.structure import read_model
from rulebook.loading.yaml_reader import read_yaml
from rulebook.markdown_reader import SIGNS
from rulebook.model.lengths import Lengths
from rulebook.model.pictures import Cover, Picture, picture_name
from rulebook.problems import Problem, Report, Span
from rulebook.quantities import QuantityError

#: Limits of a whole ruleset: characters, lines of prose, signs of Markdown in it, and links in all.
LARGEST_RULESET = 4 << 20
MOST_LINES = 30_000
MOST_SIGNS = 50_000
MOST_LINKS = 2_000
#: Values of a ruleset by its options and itself: it is read again with each option.
MOST_VALUES_READ = 300_000
#: Characters of prose that take as long as a value.
_CHARACTERS_OF_A_VALUE = 20


@dataclass(slots=True)
class _Sources:
    """The texts and nodes of a folder's files, by their paths relative to it."""

    folder: Path
    texts: dict[str, str] = field(default_factory=dict)
    roots: dict[str, Node] = field(default_factory=dict)

    def shown(self, file: str) -> str:
        return (self.folder / file).as_posix()


@dataclass(slots=True)
class _Held:
    """How much a ruleset holds: what of it takes time to read is counted before it is read."""

    size: int = 0
    values: int = 0
    prose: int = 0
    lines: int = 0
    signs: int = 0
    links: int = 0

    def add(self, text: str, *, values: int | None = None) -> None:
        """A file with so many values, or of prose."""
        self.links += text.count("](")
        self.values += values or 0
        if values is None:
            self.prose += len(text)
            self.lines += len(text.splitlines())
            self.signs += sum(map(text.count, SIGNS))

    def too_much(self, folder: Path) -> Iterator[Problem]:
        limits = [
            (self.size, LARGEST_RULESET, "characters"),
            (self.values, MOST_NODES, "values"),
            (self.lines, MOST_LINES, "lines of prose"),
            (self.signs, MOST_SIGNS, "signs such as * _ [ in prose"),
            (self.links, MOST_LINKS, "links"),
        ]
        for count, most, of in limits:
            if count > most:
                here = Span(folder.as_posix())
                yield Problem.of("R102 ruleset too large", here, most=most, of=of)


def find_options(folder: Path) -> list[str]:
    """The ids of a ruleset's options by the names of their files, which need not be faultless."""
    return sorted({option_id(file) for file in find_files(folder).yaml if is_option(file)})


def load(folder: Path, options: Iterable[str] = (), lengths: Lengths | None = None) -> Loaded:
    """Read a ruleset whole, with some options chosen: hyphen and underscore are one in their names.

    `lengths` is how lengths are turned beyond what the header says. No file, however broken or
    hostile, raises anything.
    """
    report = Report()
    files = find_files(folder)
    written = _written(folder, files, report, ())
    if written is None:
        return Loaded(None, report, len(files))
    span = Span(folder.as_posix())
    ruleset = put_together(written, options, report, folder=span, lengths=lengths)
    return Loaded(ruleset, report, len(files))


def _written(folder: Path, files: Files, report: Report, chain: Chain) -> Written | None:
    """What is written in a folder, of a variant laid over its base; None after faults of reading.

    `chain` leads to the folder from a variant that is based on it.
    """
    report.extend(files.problems)
    sources = _Sources(folder)
    report.extend(_read(files, sources))
    _put_sheets_in(sources, report)
    if not report.ok:
        return None
    root = sources.roots[HEADER_FILE]
    header = root if isinstance(root, nodes.MappingNode) else None
    if header is None:
        report.add(_no_header(root))
    listed = [(file, sources.roots[file]) for file in files.yaml if is_option(file)]
    overlays, faults = read_options(listed)
    report.extend(faults)
    cover, faults = _cover(root, sources)
    report.extend(faults)
    symbols, faults = _symbols(root, sources)
    report.extend(faults)
    own = Written(
        id=folder.name or folder.resolve().name,
        header=header,
        collections=nodes.MappingNode({}, Span(folder.as_posix())),
        overlays=overlays,
        options=frozenset(option_id(file) for file, _ in listed),
        cuts={},
        cover=cover,
        symbols=symbols,
        own={file: Span(sources.shown(file)) for file in files.markdown},
        texts={sources.shown(file): text for file, text in sources.texts.items()},
    )
    topics = {
        file: sources.roots[file]
        for file in files.yaml
        if file != HEADER_FILE and not is_option(file)
    }
    based_on = header.get(BASED_ON) if header else None
    if based_on is None:
        merged, faults = merge(topics.values(), Span(folder.as_posix()))
        report.extend(faults)
        cuts = {f: cut_chapter(sources.texts[f], f, sources.shown(f)) for f in files.markdown}
        return replace(own, collections=merged, cuts=cuts)
    base = find_base(based_on, folder, chain, report, _written_below)
    if base is None:
        return None
    markdown = {file: sources.texts[file] for file in files.markdown}
    return laid_over(base, own, read_files(topics, report), markdown, report)


def _put_sheets_in(sources: _Sources, report: Report) -> None:
    """The rows of spreadsheets in the place of their names, in every file but the header."""
    held = _Held(
        sum(map(len, sources.texts.values())), sum(map(count_nodes, sources.roots.values()))
    )

    def read(name: str, here: Span) -> Sheet | None:
        sheet, problems = read_spreadsheet(sources.folder, name, here)
        report.extend(problems)
        if sheet is not None:
            held.size += sum(len(cell) for row in sheet.rows for cell in row)
        return sheet

    for file, root in sources.roots.items():
        if file == HEADER_FILE:
            continue
        problems: list[Problem] = []
        made = with_sheets(root, read, problems)
        report.extend(problems)
        if made is not root:
            held.values += count_nodes(made) - count_nodes(root)
            sources.roots[file] = made
    report.extend(held.too_much(sources.folder))


def _written_below(folder: Path, report: Report, chain: Chain) -> Written | None:
    return _written(folder, find_files(folder), report, chain)


def _read(files: Files, sources: _Sources) -> list[Problem]:
    """Stage one: bytes to nodes, for every file."""
    problems: list[Problem] = []
    held = _Held()
    for file in (*files.yaml, *files.markdown):
        shown = sources.shown(file)
        try:
            text = read_text(sources.folder / file, shown, within=sources.folder)
        except Unreadable as error:
            problems.append(error.problem)
            continue
        held.size += len(text)
        sources.texts[file] = text
        if found := forbidden_characters(text, shown):
            problems += found
        elif file in files.yaml:
            root, faults = read_yaml(text, shown)
            problems += faults
            if root is not None:
                sources.roots[file] = root
            held.add(text, values=0 if root is None else count_nodes(root))
        else:
            held.add(text)
        if too_much := list(held.too_much(sources.folder)):
            return problems + too_much
    options = sum(map(is_option, files.yaml))
    read = held.values + held.prose // _CHARACTERS_OF_A_VALUE
    if options and read * (1 + options) > MOST_VALUES_READ:
        here = Span(sources.folder.as_posix())
        most = max(MOST_VALUES_READ // read - 1, 0)
        problems.append(Problem.of("R102 many options", here, count=options, most=most))
    return problems


def _cover(root: Node, sources: _Sources) -> tuple[Picture | None, list[Problem]]:
    """The picture of the cover, if the header names one; other faults are those of the header."""
    node, _ = find_node(root, ("cover",))
    cover = read_model(Cover, node)[0] if isinstance(node, nodes.MappingNode) else None
    if cover is None:
        return None, []
    _, span = find_node(root, ("cover", "picture"))
    return read_picture(sources.folder, cover.picture, span)


def _symbols(root: Node, sources: _Sources) -> tuple[dict[str, Picture], list[Problem]]:
    """The symbols that the header brings; names of files that are none are faults of the header."""
    node, _ = find_node(root, ("symbols",))
    found: dict[str, Picture] = {}
    problems: list[Problem] = []
    for name, entry in node.entries.items() if isinstance(node, nodes.MappingNode) else ():
        if not isinstance(entry.value, nodes.Scalar):
            continue
        with suppress(QuantityError):
            file = picture_name(entry.value.text)
            picture, faults = read_picture(sources.folder, file, entry.value.span)
            found |= {name: picture} if picture else {}
            problems += faults
    return found, problems


def _no_header(root: Node) -> Problem:
    return Problem.of("R203 header is no mapping", root.span, shape=shape(root))
