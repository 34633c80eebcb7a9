"""Folders of content -> rulesets, each with the report of every fault in its files.

The stages are load (bytes to nodes), structure (nodes to the typed model) and resolve (names to
what they name). All faults of a stage are reported at once; the next stage does not start after an
error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulebook.limits import LARGEST_RULESET, MOST_FAULTS, MOST_VALUES, MOST_WORK, beyond
from rulebook.loading import nodes
from rulebook.loading.bases import BASED_ON, Chain, find_base, laid_over, read_files
from rulebook.loading.chapters import cut_chapter
from rulebook.loading.folder import HEADER_FILE, SHEET_FILE, Files, find_files, header_file
from rulebook.loading.loaded import Loaded, Written, put_together
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, count_nodes, misshapen, taken
from rulebook.loading.options import is_option, option_id, read_options
from rulebook.loading.overlays import RESERVED_ID, collections_in
from rulebook.loading.pictures import pictures_of_header, read_picture
from rulebook.loading.safe_text import Unreadable, read_text
from rulebook.loading.sheet_file import COLLECTIONS, HEADER, read_sheet
from rulebook.loading.spreadsheets import Sheet, read_spreadsheet, with_sheets
from rulebook.loading.yaml_reader import read_yaml
from rulebook.markdown_reader import SIGNS
from rulebook.model.lengths import Lengths
from rulebook.problems import Problem, Report, Span, second_place

_HINT = "cut it in two, or make options of it"


@dataclass(slots=True)
class _Sources:
    """The texts and root nodes of a folder's files by relative path, and their total size.

    `size` counts characters; `values` counts nodes of data, and lines and signs of prose. Both are
    compared with the limits before anything takes time.
    """

    folder: Path
    options: int
    texts: dict[str, str] = field(default_factory=dict)
    roots: dict[str, Node] = field(default_factory=dict)
    size: int = 0
    values: int = 0

    def path(self, file: str) -> Path:
        """Returns the path of a file; a sheet may be all of a ruleset, without a folder."""
        alone = header_file(self.folder) if file == SHEET_FILE else None
        return alone or self.folder / file

    def shown(self, file: str) -> str:
        return self.path(file).as_posix()

    def too_much(self) -> Iterator[Problem]:
        here = Span(self.folder.as_posix())
        if self.size > LARGEST_RULESET:
            yield beyond(LARGEST_RULESET, "characters in a ruleset", here, _HINT)
        if self.values > MOST_VALUES:
            of = "values, lines of prose and signs such as * _ [ in it"
            yield beyond(MOST_VALUES, of, here, _HINT)
        elif self.values * (1 + self.options) > MOST_WORK:
            of = f"values, again for each of {self.options} options"
            yield beyond(MOST_WORK, of, here, _HINT)


def find_options(folder: Path) -> list[str]:
    """Lists the ids of a ruleset's options, from the names of their files."""
    return sorted({option_id(file) for file in find_files(folder).yaml if is_option(file)})


def load(
    folder: Path,
    options: Iterable[str] = (),
    lengths: Lengths | None = None,
    *,
    resolving: bool = True,
) -> Loaded:
    """Loads the ruleset in a folder with some options chosen.

    Returns the ruleset, or None after faults, with a report and the number of files. Names of
    options may have hyphens or underscores. `lengths` says how to convert lengths after the
    conversion that the header asks for. All faults are in the report, those of references only if
    `resolving`: no file, however broken or hostile, makes this raise anything.
    """
    report = Report()
    files = find_files(folder)
    written = _written(folder, report, (), files)
    if written is None:
        return Loaded(None, report, len(files))
    span = Span(folder.as_posix())
    ruleset = put_together(
        written, options, report, folder=span, lengths=lengths, resolving=resolving
    )
    return Loaded(ruleset, report, len(files))


def _written(
    folder: Path, report: Report, chain: Chain, files: Files | None = None
) -> Written | None:
    """Reads all files of a ruleset's folder; a variant is laid over its base.

    Faults go to `report`; returns None if files cannot be read. `chain` are the folders of variants
    that lead to this one, and `files` its files if they have been found already.
    """
    files = files or find_files(folder)
    report.extend(files.problems)
    sources = _Sources(folder, sum(map(is_option, files.yaml)))
    report.extend(_read(files, sources))
    _put_sheets_in(sources, report)
    if not report.ok:
        return None
    root = sources.roots[HEADER_FILE]
    header = root if isinstance(root, nodes.MappingNode) else None
    if header is None:
        expected = "keys such as title and edition, each with a colon"
        report.add(misshapen(root, "where the header belongs", expected))
    chapters = [file for file in files.markdown if file not in sources.roots]
    listed = [(file, sources.roots[file]) for file in files.yaml if is_option(file)]
    overlays, faults = read_options(listed)
    report.extend(faults)
    pictures, faults = pictures_of_header(
        root, lambda _, name, span: read_picture(folder, name, span)
    )
    report.extend(faults)
    own = Written(
        id=folder.name or folder.resolve().name,
        header=header,
        collections=nodes.MappingNode({}, Span(folder.as_posix())),
        overlays=overlays,
        options=frozenset(option_id(file) for file, _ in listed),
        cuts={},
        pictures=pictures,
        own={file: Span(sources.shown(file)) for file in chapters},
        texts={sources.shown(file): text for file, text in sources.texts.items()},
    )
    topics = {
        file: root
        for file, root in sources.roots.items()
        if file != HEADER_FILE and not is_option(file)
    }
    based_on = header.get(BASED_ON) if header else None
    if based_on is None:
        merged, faults = merge(topics.values(), Span(folder.as_posix()))
        report.extend(faults)
        cuts = {f: cut_chapter(sources.texts[f], f, sources.shown(f)) for f in chapters}
        return replace(own, collections=merged, cuts=cuts)
    try:
        base = find_base(based_on, folder, chain, _written)
    except Unreadable as fault:
        report.extend(fault.problems)
        return None
    markdown = {file: sources.texts[file] for file in chapters}
    return laid_over(base, own, read_files(topics, report), markdown, report)


def _put_sheets_in(sources: _Sources, report: Report) -> None:
    """Replaces the names of spreadsheets by their rows in every file but the header.

    The files in `sources` are changed; faults go to `report`.
    """

    def read(name: str, here: Span) -> Sheet | None:
        try:
            sheet = read_spreadsheet(sources.folder, name, here)
        except Unreadable as fault:
            report.extend(fault.problems)
            return None
        sources.size += sum(len(cell) for row in sheet.rows for cell in row)
        return sheet

    for file, root in sources.roots.items():
        if file == HEADER_FILE:
            continue
        problems: list[Problem] = []
        made = with_sheets(root, read, problems)
        report.extend(problems)
        if made is not root:
            sources.values += count_nodes(made) - count_nodes(root)
            sources.roots[file] = made
    report.extend(sources.too_much())


def _read(files: Files, sources: _Sources) -> list[Problem]:
    """Reads every file into `sources`, YAML as nodes and Markdown as text; returns the faults.

    Stops early if the files together are too large.
    """
    problems: list[Problem] = []
    for file in (*files.yaml, *files.markdown):
        shown = sources.shown(file)
        try:
            path = sources.path(file)
            within = sources.folder if sources.folder.is_dir() else path.parent
            text = read_text(path, shown, within=within)
        except Unreadable as error:
            problems += error.problems
            continue
        sources.size += len(text)
        sources.texts[file] = text
        if file in files.yaml:
            root, faults = read_yaml(text, shown)
            problems += faults
            if root is not None:
                sources.roots[file] = root
                sources.values += count_nodes(root)
        elif file == SHEET_FILE and HEADER_FILE not in files.yaml:
            made, faults = read_sheet(text, shown, sources.folder.name)
            problems += faults
            sources.roots |= {HEADER_FILE: made[HEADER], SHEET_FILE: made[COLLECTIONS]}
            sources.values += sum(map(count_nodes, made.values()))
        else:
            sources.values += len(text.splitlines()) + sum(map(text.count, SIGNS))
        if too_much := list(sources.too_much()):
            return problems + too_much
    return problems


def merge(roots: Iterable[Node], folder: Span) -> tuple[MappingNode, list[Problem]]:
    """Merges the collections of all files into one mapping.

    Returns it, and the faults: keys that are no collections, and ids that stand twice or are
    reserved. `folder` is the place of the mapping.
    """
    merged: dict[str, Entry] = {}
    problems: list[Problem] = []
    first: dict[str, tuple[str, Scalar]] = {}
    for root in roots:
        if len(problems) > MOST_FAULTS:
            break
        collections = collections_in(root, "in this file", problems)
        ids = [entry.key for part in collections.values() for entry in _entries(part)]
        if len(ids) > 1 and {key.text for key in ids} <= first.keys():
            problems.append(_copy(ids[0], first[ids[0].text][1]))
            continue
        for name, part in collections.items():
            old = merged.get(name, Entry(part.key, MappingNode({}, part.key.span))).value
            assert isinstance(old, MappingNode) and isinstance(part.value, MappingNode)
            new = {}
            for key, entity in part.value.entries.items():
                if key in first or key == RESERVED_ID:
                    problems.append(_taken(entity.key, name, first.get(key)))
                else:
                    new[key], first[key] = entity, (name, entity.key)
            merged.setdefault(name, part)
            merged[name] = Entry(merged[name].key, MappingNode({**old.entries, **new}, old.span))
    return MappingNode(merged, folder), problems


def _entries(part: Entry) -> Iterable[Entry]:
    return part.value.entries.values() if isinstance(part.value, MappingNode) else ()


def _copy(key: Scalar, other: Scalar) -> Problem:
    """Makes the fault of a file of which others have all ids; `key` and `other` are the first.

    It is reported at the file with the longer name, as a copy has.
    """
    here, there = sorted((key.span, other.span), key=lambda span: -len(span.path))
    message = f"all ids of this file, such as '{key.text:.40}', stand in another file too"
    also = second_place(there, "this has the name")
    return Problem(
        "R206", message, here, "ids of its own", "delete this file if it is a copy", also
    )


def _taken(key: Scalar, collection: str, first: tuple[str, Scalar] | None) -> Problem:
    """Makes the fault of an id that another entity (`first`) has, or that is reserved."""
    there = first[1].span if first else None
    same = first is None or first[0] == collection
    hint = "" if same else f"write {key.text:.60}_{collection.removesuffix('s')} here"
    return taken(key.text, key.span, there, hint)
