"""A released edition, frozen in one file -> the ruleset that its folder held when it was released.

A snapshot is canonical JSON of what the folder meant, read by the same model as the folder. Its
checksum proves that nobody has touched it; the number of its format says how it is written. Texts
in it are held to what the files of a folder may hold, and each has its place in its one line.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from rulebook.limits import LARGEST_RELEASE, MOST_VALUES, mebibytes
from rulebook.loading.chapters import DEEPEST_HEADING, cut_chapter
from rulebook.loading.loaded import Loaded, Written, listed_files, put_together
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode, find_node
from rulebook.loading.options import read_options
from rulebook.loading.pictures import picture_of
from rulebook.loading.references import in_lists, referring
from rulebook.loading.safe_text import (
    forbidden_in_scalar,
    html_in,
    html_problem,
    unprintable_characters,
)
from rulebook.loading.structure import read_model
from rulebook.model.canonical import canonical, checksum, read_canonical, written_named
from rulebook.model.lengths import Lengths
from rulebook.model.pictures import InlinePicture
from rulebook.model.plain_data import Named, Plain, frozen_ruleset
from rulebook.model.ruleset import Header, Ruleset
from rulebook.plain_files import read_plain, reason_of
from rulebook.problems import Problem, Report, Span

#: How snapshots are written now. A change of it brings a reader of the format before it.
FORMAT = 1
_KEYS = {"content", "edition", "format", "ruleset", "sha256"}

#: Format -> what makes the content of that format into that of the next.
READERS: dict[int, Callable[[dict[str, Plain]], dict[str, Plain]]] = {}


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A released edition: the ruleset's id, the edition, what it says, and its checksum.

    `written` is the format of its file; the content is in that of today. The same file is the same
    snapshot: what is known of one need not be found out again.
    """

    ruleset: str
    edition: str
    content: dict[str, Plain]
    written: int = FORMAT

    @cached_property
    def sha256(self) -> str:
        return checksum(self._sealed())

    def text(self) -> str:
        """The file in the format of today, byte for byte."""
        return canonical({**self._sealed(), "sha256": self.sha256})

    def _sealed(self) -> dict[str, Plain]:
        return {
            "content": self.content,
            "edition": self.edition,
            "format": str(FORMAT),
            "ruleset": self.ruleset,
        }


def read_snapshot(path: Path) -> tuple[Snapshot | None, list[Problem]]:
    """The snapshot in a file, or None and what is wrong with it.

    The file stands in the folder of its ruleset and is called by its edition.
    """
    span = Span(path.as_posix())
    if path.is_symlink():
        message, hint = "a link stands for a released edition", "bring the file itself here"
        return None, [Problem("R114", message, span, hint=hint)]
    try:
        data = read_plain(path, LARGEST_RELEASE)
    except OSError as fault:
        return None, [Problem("R101", f"this edition cannot be read: {reason_of(fault)}", span)]
    return _of_bytes(data, path)


def _of_bytes(data: bytes, path: Path) -> tuple[Snapshot | None, list[Problem]]:
    """The snapshot in the bytes of a file."""
    span = Span(path.as_posix())
    if len(data) > LARGEST_RELEASE:
        return None, [_too_large(span)]
    snapshot, problems = _unsealed(data, span)
    folder = path.absolute().parent.parent.name
    if snapshot and (snapshot.ruleset, snapshot.edition) != (folder, path.stem):
        named = f"edition {snapshot.edition:.20} of '{snapshot.ruleset:.40}'"
        return None, [_not_as_released(span, f": it is {named}, in the place of another")]
    return snapshot, list(problems)


@lru_cache(maxsize=4)
def _unsealed(data: bytes, span: Span) -> tuple[Snapshot | None, Sequence[Problem]]:
    """The same wherever the file stands; it is read more than once in a build."""
    try:
        found = read_canonical(data.decode())
    except UnicodeDecodeError as error:
        return None, [_not_as_released(span, f": byte {error.start} is no text")]
    except ValueError as error:
        return None, [_not_as_released(span, f": {error}")]
    return _opened(found, span)


def _opened(found: Plain, span: Span) -> tuple[Snapshot | None, list[Problem]]:
    number = found.get("format") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(number, str):
        return None, [_not_as_released(span)]
    known = [*map(str, sorted(READERS)), str(FORMAT)]
    if number not in known:
        message = f"this rulebook cannot read an edition in format {number:.20}"
        expected, hint = f"format {', '.join(known)}", "install a newer rulebook"
        return None, [Problem("R802", message, span, expected=expected, hint=hint)]
    sealed = {key: one for key, one in found.items() if key != "sha256"}
    if found.keys() != _KEYS or found["sha256"] != checksum(sealed):
        return None, [_not_as_released(span)]
    content, ruleset, edition = found["content"], found["ruleset"], found["edition"]
    if not (isinstance(content, dict) and isinstance(ruleset, str) and isinstance(edition, str)):
        return None, [_not_as_released(span)]
    for one in range(int(number), FORMAT):
        content = READERS[one](content)
    return Snapshot(ruleset, edition, content, int(number)), []


def _too_large(span: Span) -> Problem:
    expected = f"up to {mebibytes(LARGEST_RELEASE)} and {MOST_VALUES} values"
    return Problem("R102", "this edition is too large", span, expected=expected)


def _not_as_released(span: Span, why: str = "") -> Problem:
    return Problem(
        "R801",
        f"this edition is not as it was released{why}",
        span,
        expected="the file that 'rulebook release' wrote, unchanged",
        hint="bring the file back from a copy: a released edition never changes",
    )


def load_snapshot(
    path: Path, options: Iterable[str] = (), lengths: Lengths | None = None
) -> Loaded:
    """Read a released edition whole, with some options chosen. No file raises anything.

    `lengths` is how its lengths are turned beyond what its header says.
    """
    return _loaded(*read_snapshot(path), path, options, lengths)


def load_read(snapshot: Snapshot, path: Path) -> Loaded:
    """The ruleset of a snapshot that was read from a file, without options."""
    return _loaded(snapshot, (), path)


def read_again(snapshot: Snapshot, path: Path) -> Loaded:
    """What would be read of a snapshot once it is written to its place."""
    return _loaded(*_of_bytes(snapshot.text().encode(), path), path)


def _loaded(
    snapshot: Snapshot | None,
    problems: Iterable[Problem],
    path: Path,
    options: Iterable[str] = (),
    lengths: Lengths | None = None,
) -> Loaded:
    report = Report()
    report.extend(problems)
    if snapshot is None:
        return Loaded(None, report, 1)
    span = Span(path.as_posix())
    written = _read(snapshot, span, report)
    if written is None:
        return Loaded(None, report, 1)
    ruleset = put_together(written, options, report, folder=span, lengths=lengths)
    if ruleset is not None and not _says_the_same(ruleset, snapshot):
        report.add(_not_as_released(span))
        return Loaded(None, report, 1)
    return Loaded(ruleset, report, 1)


def _says_the_same(ruleset: Ruleset, snapshot: Snapshot) -> bool:
    """Whether all that the file holds was understood: it would be written as it stands."""
    plain = ruleset.with_options(()).ruleset
    same_edition = ruleset.header.edition == snapshot.edition
    return (
        plain is not None
        and same_edition
        and canonical(frozen_ruleset(plain)) == canonical(snapshot.content)
    )


def written_of(path: Path, report: Report) -> Written | None:
    """What is written in the file of a released edition, or None after faults."""
    snapshot, problems = read_snapshot(path)
    report.extend(problems)
    return _read(snapshot, Span(path.as_posix()), report) if snapshot else None


def _read(snapshot: Snapshot, span: Span, report: Report) -> Written | None:
    start = len('{"content":') + 1 if snapshot.written == FORMAT else None
    try:
        root, faults = nodes_of(snapshot.content, span.path, start, most=MOST_VALUES)
    except TooMuch:
        report.add(_too_large(span))
        return None
    sections = root.get("sections") if isinstance(root, MappingNode) else None
    report.extend(fault for fault in faults if not _found_again(fault, sections))
    parts = {key: _part(root, key) for key in _PARTS}
    header, faults = read_model(Header, parts["header"])
    report.extend(faults)
    listed = [(f"options/{name}.yaml", one.value) for name, one in parts["options"].entries.items()]
    overlays, faults = read_options(listed)
    report.extend(faults)
    cuts = {
        file: cut_chapter(text, file, f"{span.path}#{file}")
        for file, text in _chapters(snapshot.content).items()
    }
    if header is not None and not {file for _, file in listed_files(header)} <= cuts.keys():
        report.add(_not_as_released(span, ": a chapter is not there"))
    cover, symbols, faults = _pictures(snapshot, header, parts["header"])
    report.extend(faults)
    return Written(
        id=snapshot.ruleset,
        header=parts["header"],
        collections=referring(
            in_lists(parts["collections"]), _taken(snapshot.content.get("taken"))
        ),
        overlays=overlays,
        options=frozenset(overlays),
        cuts=cuts,
        cover=cover,
        symbols=symbols,
        differs=_differs(snapshot.content.get("differs")),
        frozen=True,
    )


def _found_again(fault: Problem, sections: Node | None) -> bool:
    """Whether chapters report a fault, if it is one, when they are cut: in code it is none."""
    if fault.code not in ("R113", "R416") or sections is None or fault.span is None:
        return False
    whole, at = sections.span, fault.span
    return 1 < whole.column <= at.column and at.end_column <= whole.end_column


_PARTS = ("header", "collections", "options")


def _part(root: Node, key: str) -> MappingNode:
    """A part of the content; an empty one where it is not there, or is none."""
    part = root.get(key) if isinstance(root, MappingNode) else None
    return part if isinstance(part, MappingNode) else MappingNode({}, root.span)


def _pictures(
    snapshot: Snapshot, header: Header | None, root: MappingNode
) -> tuple[InlinePicture | None, dict[str, InlinePicture], list[Problem]]:
    """The picture of the cover and the symbols by their names, as the folder's may be."""
    if header is None:
        return None, {}, []
    content = snapshot.content
    cover: InlinePicture | None = None
    symbols: dict[str, InlinePicture] = {}
    problems: list[Problem] = []
    if header.cover is not None:
        at = ("cover", "picture")
        cover, problems = _picture(content.get("cover"), header.cover.picture, root, at)
    written = content.get("symbols")
    for name, file in header.symbols.items():
        held = written.get(name) if isinstance(written, dict) else None
        picture, faults = _picture(held, file, root, ("symbols", name))
        symbols |= {name: picture} if picture else {}
        problems += faults
    return cover, symbols, problems


def _picture(
    written: Plain, name: str, root: MappingNode, at: tuple[str, ...]
) -> tuple[InlinePicture | None, list[Problem]]:
    """A picture of the snapshot; its name stands in the header at an address."""
    _, span = find_node(root, at)
    try:
        data = b64decode(str(written["data"]), validate=True) if isinstance(written, dict) else b""
    except (KeyError, ValueError):
        return None, [_not_as_released(span, ": a picture is not there")]
    return picture_of(data, name, f"{span.path}#{name}", span)


def _taken(written: Plain) -> dict[tuple[str | int, ...], str]:
    items = written.items() if isinstance(written, dict) else ()
    return {tuple(at.split("/")): str(path) for at, path in items}


def _differs(written: Plain) -> tuple[tuple[str, ...], ...]:
    paths = written if isinstance(written, list) else ()
    return tuple(tuple(str(path).split("/")) for path in paths)


def _chapters(content: dict[str, Plain]) -> dict[str, str]:
    """Chapters by their files, each in the Markdown that its sections make."""
    chapters, sections = content.get("chapters"), content.get("sections")
    if not isinstance(chapters, dict) or not isinstance(sections, dict):
        return {}
    return {
        file: "\n\n".join(_section(str(id_), sections.get(str(id_))) for id_ in ids) + "\n"
        for file, ids in chapters.items()
        if isinstance(ids, list)
    }


def _section(id_: str, section: Plain) -> str:
    """The Markdown of a section; one that is none becomes words that will not do."""
    if not isinstance(section, dict):
        return ""
    level, parts = str(section.get("level")), section.get("parts")
    marks = "#" * int(level) if level in _LEVELS else "#"
    heading = f"{marks} {section.get('title')} {{#{id_}}}"
    return "\n\n".join([heading, *map(str, parts if isinstance(parts, list) else ())])


_LEVELS = [str(level) for level in range(1, DEEPEST_HEADING + 1)]


class TooMuch(Exception):
    """More values than any ruleset holds."""


def nodes_of(
    content: Plain, path: str, start: int | None, *, most: int
) -> tuple[Node, list[Problem]]:
    """The nodes, up to so many, and the faults of their texts. Raises TooMuch.

    `start` is the column, from 1, at which the canonical text of the content begins in the file;
    None where the file is written otherwise, in an older format, so that places are not known.
    """
    reader = _Reader(path, start is not None, most)
    node, _ = reader.node(content, start or 1)
    return node, reader.problems


class _Reader:
    """Walks the content in the order in which it is written, and counts the characters."""

    def __init__(self, path: str, exact: bool, most: int) -> None:
        self._path = path
        self._exact = exact
        self._left = most
        self.problems: list[Problem] = []

    def node(self, value: Plain, at: int) -> tuple[Node, int]:
        """The node of a value that begins at a column, and the column behind it."""
        self._left -= 1
        if self._left < 0:
            raise TooMuch
        if value is None:
            return Scalar("~", True, self._span(at, at + 4)), at + 4
        if isinstance(value, str):
            return self._scalar(value, at)
        if isinstance(value, list):
            return self._sequence(value, at)
        if isinstance(value, Named):
            start, end = written_named(value)
            inner, after = self._mapping(value, at + start)
            return MappingNode(inner, self._span(at, after + end)), after + end
        entries, after = self._mapping(value, at)
        return MappingNode(entries, self._span(at, after)), after

    def _scalar(self, text: str, at: int) -> tuple[Scalar, int]:
        after = at + _length(text)
        span = self._span(at, after)
        if found := html_in(text):
            self.problems.append(html_problem(found[0], span))
        if fault := forbidden_in_scalar(text, span):
            self.problems.append(fault)
        else:
            self.problems += unprintable_characters(text, lambda start, end: span)
        return Scalar(text, False, span), after

    def _sequence(self, values: list[Plain], at: int) -> tuple[SequenceNode, int]:
        items, column = [], at + 1
        for value in values:
            item, column = self.node(value, column)
            items.append(item)
            column += 1
        after = max(column, at + 2)
        return SequenceNode(tuple(items), self._span(at, after)), after

    def _mapping(self, parts: dict[str, Plain], at: int) -> tuple[dict[str, Entry], int]:
        """The entries in their own order; they are written in that of their keys."""
        found, column = {}, at + 1
        for key in sorted(parts):
            named, column = self._scalar(key, column)
            value, column = self.node(parts[key], column + 1)
            found[key] = Entry(Scalar(key, True, named.span), value)
            column += 1
        return {key: found[key] for key in parts}, max(column, at + 2)

    def _span(self, start: int, end: int) -> Span:
        return Span(self._path, 1, start, 1, end) if self._exact else Span(self._path)


def _length(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False))
