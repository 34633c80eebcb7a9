"""A released edition, frozen in one file -> the ruleset that its folder held when it was released.

A snapshot is canonical JSON of what the folder meant, read by the same model as the folder. Its
checksum proves that nobody has touched it; the number of its format says how it is written. Texts
in it are held to what the files of a folder may hold, and each has its place in its one line.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path

from rulebook.limits import LARGEST_RELEASE, MOST_VALUES, mebibytes
from rulebook.loading.chapters import DEEPEST_HEADING, cut_chapter
from rulebook.loading.loaded import Loaded, Written, listed_files, put_together
from rulebook.loading.nodes import Entry, MappingNode, Node, Scalar, SequenceNode
from rulebook.loading.options import read_options
from rulebook.loading.pictures import SYMBOLS, picture_of, pictures_of_header
from rulebook.loading.references import in_lists, referring
from rulebook.loading.safe_text import Unreadable, faults_of_scalar
from rulebook.loading.structure import read_model
from rulebook.model.header import Header, InlinePicture
from rulebook.model.lengths import Lengths
from rulebook.model.plain_data import (
    Named,
    Plain,
    canonical,
    checksum,
    frozen_ruleset,
    read_canonical,
    written_named,
)
from rulebook.model.ruleset import Address, Ruleset
from rulebook.plain_files import read_plain, reason_of
from rulebook.problems import Problem, Report, Span

#: How snapshots are written.
FORMAT = 1
_KEYS = {"content", "edition", "format", "ruleset", "sha256"}


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A released edition: the ruleset's id, the number of the edition, its content and checksum.

    Snapshots are compared by identity: the same file gives the same object, so what is known of it
    can be cached.
    """

    ruleset: str
    edition: str
    content: dict[str, Plain]

    @cached_property
    def sha256(self) -> str:
        return checksum(self._sealed())

    def text(self) -> str:
        """Returns the text of the snapshot file, just as it is written, with its checksum."""
        return canonical({**self._sealed(), "sha256": self.sha256})

    def _sealed(self) -> dict[str, Plain]:
        return {
            "content": self.content,
            "edition": self.edition,
            "format": str(FORMAT),
            "ruleset": self.ruleset,
        }


def read_snapshot(path: Path) -> tuple[Snapshot | None, list[Problem]]:
    """Reads the snapshot in a file; returns it, or None with the faults if it is not valid.

    The file must be in the folder of its ruleset and be named after its edition.
    """
    try:
        return _from_bytes(_bytes_of(path), path), []
    except Unreadable as fault:
        return None, list(fault.problems)


def _bytes_of(path: Path) -> bytes:
    span = Span(path.as_posix())
    if path.is_symlink():
        message, hint = "a link stands for a released edition", "bring the file itself here"
        raise Unreadable(Problem("R114", message, span, hint=hint))
    try:
        return read_plain(path, LARGEST_RELEASE)
    except OSError as fault:
        message = f"this edition cannot be read: {reason_of(fault)}"
        raise Unreadable(Problem("R101", message, span)) from None


def _from_bytes(data: bytes, path: Path) -> Snapshot:
    """Parses the bytes of the snapshot file at `path`; raises Unreadable.

    It must be of the ruleset and edition that the path says.
    """
    span = Span(path.as_posix())
    if len(data) > LARGEST_RELEASE:
        raise _too_large(span)
    snapshot = _unsealed(data, span)
    if (snapshot.ruleset, snapshot.edition) != (path.absolute().parent.parent.name, path.stem):
        named = f"edition {snapshot.edition:.20} of '{snapshot.ruleset:.40}'"
        raise _not_as_released(span, f": it is {named}, in the place of another")
    return snapshot


@lru_cache(maxsize=4)
def _unsealed(data: bytes, span: Span) -> Snapshot:
    """Parses the bytes of a snapshot file and verifies its checksum; raises Unreadable.

    Results are cached, since a build reads one file several times.
    """
    try:
        found = read_canonical(data.decode())
    except UnicodeDecodeError as error:
        raise _not_as_released(span, f": byte {error.start} is no text") from None
    except ValueError as error:
        raise _not_as_released(span, f": {error}") from None
    number = found.get("format") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(number, str):
        raise _not_as_released(span)
    if number != str(FORMAT):
        message = f"this rulebook cannot read an edition in format {number:.20}"
        hint = "install a newer rulebook"
        raise Unreadable(Problem("R802", message, span, f"format {FORMAT}", hint))
    sealed = {key: value for key, value in found.items() if key != "sha256"}
    if found.keys() != _KEYS or found["sha256"] != checksum(sealed):
        raise _not_as_released(span)
    content, ruleset, edition = found["content"], found["ruleset"], found["edition"]
    if not (isinstance(content, dict) and isinstance(ruleset, str) and isinstance(edition, str)):
        raise _not_as_released(span)
    return Snapshot(ruleset, edition, content)


def _too_large(span: Span) -> Unreadable:
    expected = f"up to {mebibytes(LARGEST_RELEASE)} and {MOST_VALUES} values"
    return Unreadable(Problem("R102", "this edition is too large", span, expected))


def _not_as_released(span: Span, why: str = "") -> Unreadable:
    message = f"this edition is not as it was released{why}"
    expected = "the file that 'rulebook release' wrote, unchanged"
    hint = "bring the file back from a copy: a released edition never changes"
    return Unreadable(Problem("R801", message, span, expected, hint))


def load_snapshot(
    path: Path,
    options: Iterable[str] = (),
    lengths: Lengths | None = None,
    *,
    unwritten: Snapshot | None = None,
) -> Loaded:
    """Loads a released edition with some options chosen.

    Returns the ruleset, or None after faults, with a report. `lengths` says how to convert lengths
    after the conversion that the header asks for. If `unwritten` is given, loads that snapshot as
    if its file had been written. All faults are in the report: no file makes this raise anything.
    """
    report, span = Report(), Span(path.as_posix())
    ruleset: Ruleset | None = None
    try:
        data = unwritten.text().encode() if unwritten else _bytes_of(path)
        snapshot = _from_bytes(data, path)
        written = _read(snapshot, span, report)
        ruleset = put_together(written, options, report, folder=span, lengths=lengths)
        if ruleset is not None and not _says_the_same(ruleset, snapshot):
            raise _not_as_released(span)
    except Unreadable as fault:
        report.extend(fault.problems)
        ruleset = None
    return Loaded(ruleset, report, 1)


def _says_the_same(ruleset: Ruleset, snapshot: Snapshot) -> bool:
    """Tells whether freezing the ruleset gives exactly the content of the snapshot.

    If so, nothing in the snapshot was skipped when it was read.
    """
    plain = ruleset.with_options(()).ruleset
    same_edition = ruleset.header.edition == snapshot.edition
    return (
        plain is not None
        and same_edition
        and canonical(frozen_ruleset(plain)) == canonical(snapshot.content)
    )


def _read(snapshot: Snapshot, span: Span, report: Report) -> Written:
    """Reads what is written in a snapshot: header, collections, options, chapters and pictures.

    Faults go to `report`. Raises Unreadable if it is too large.
    """
    reader = _NodeReader(span.path)
    root = reader.node(snapshot.content, len('{"content":') + 1)
    sections = root.get("sections") if isinstance(root, MappingNode) else None
    report.extend(fault for fault in reader.problems if not _found_again(fault, sections))
    parts = {key: _part(root, key) for key in ("header", "collections", "options")}
    header, faults = read_model(Header, parts["header"])
    report.extend(faults)
    listed = [
        (f"options/{name}.yaml", entry.value) for name, entry in parts["options"].entries.items()
    ]
    overlays, faults = read_options(listed)
    report.extend(faults)
    cuts = {
        file: cut_chapter(text, file, f"{span.path}#{file}")
        for file, text in _chapters(snapshot.content).items()
    }
    if header is not None and not {file for _, file in listed_files(header)} <= cuts.keys():
        report.extend(_not_as_released(span, ": a chapter is not there").problems)
    pictures, faults = pictures_of_header(parts["header"], partial(_picture, snapshot.content))
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
        pictures=pictures,
        differs=_differs(snapshot.content.get("differs")),
        frozen=True,
    )


def _found_again(fault: Problem, sections: Node | None) -> bool:
    """Tells whether a fault stands in the text of a chapter, so that cutting it finds it again.

    Only faults of HTML and of unprintable characters are found again.
    """
    if fault.code not in ("R113", "R416") or sections is None or fault.span is None:
        return False
    whole, at = sections.span, fault.span
    return 1 < whole.column <= at.column and at.end_column <= whole.end_column


def _part(root: Node, key: str) -> MappingNode:
    """Returns the mapping under a key, or an empty one if there is none."""
    part = root.get(key) if isinstance(root, MappingNode) else None
    return part if isinstance(part, MappingNode) else MappingNode({}, root.span)


def _picture(content: dict[str, Plain], at: Address, name: str, span: Span) -> InlinePicture:
    """Returns the picture that a snapshot holds for an address of the header.

    `name` is its file name in the header. Raises Unreadable.
    """
    held = content.get(str(at[0]))
    if at[0] == SYMBOLS:
        held = held.get(str(at[1])) if isinstance(held, dict) else None
    try:
        data = b64decode(str(held["data"]), validate=True) if isinstance(held, dict) else b""
    except (KeyError, ValueError):
        raise _not_as_released(span, ": a picture is not there") from None
    return picture_of(data, name, f"{span.path}#{name}", span)


def _taken(written: Plain) -> dict[tuple[str | int, ...], str]:
    items = written.items() if isinstance(written, dict) else ()
    return {
        tuple(int(part) if part.isdecimal() else part for part in at.split("/")): str(path)
        for at, path in items
    }


def _differs(written: Plain) -> tuple[tuple[str, ...], ...]:
    paths = written if isinstance(written, list) else ()
    return tuple(tuple(str(path).split("/")) for path in paths)


def _chapters(content: dict[str, Plain]) -> dict[str, str]:
    """Returns the Markdown of the chapters by their files, joined from their sections."""
    chapters, sections = content.get("chapters"), content.get("sections")
    if not isinstance(chapters, dict) or not isinstance(sections, dict):
        return {}
    return {
        file: "\n\n".join(_section(str(id_), sections.get(str(id_))) for id_ in ids) + "\n"
        for file, ids in chapters.items()
        if isinstance(ids, list)
    }


def _section(id_: str, section: Plain) -> str:
    """Returns the Markdown of a section, its heading with the id first.

    For a malformed section it is Markdown that will be refused.
    """
    if not isinstance(section, dict):
        return ""
    level, parts = str(section.get("level")), section.get("parts")
    marks = "#" * int(level) if level in _LEVELS else "#"
    heading = f"{marks} {section.get('title')} {{#{id_}}}"
    return "\n\n".join([heading, *map(str, parts if isinstance(parts, list) else ())])


_LEVELS = [str(level) for level in range(1, DEEPEST_HEADING + 1)]


class _NodeReader:
    """Converts content to nodes, each with its place in the single line of the snapshot file.

    It walks the content in the order in which it is written and counts the characters.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._left = MOST_VALUES
        self.problems: list[Problem] = []

    def node(self, value: Plain, at: int) -> Node:
        """Converts plain data that begins at a column of the file to a node with places.

        Raises Unreadable if there are too many values.
        """
        self._left -= 1
        if self._left < 0:
            raise _too_large(Span(self._path))
        if value is None:
            return Scalar("~", True, self._span(at, at + len("null")))
        if isinstance(value, str):
            return self._scalar(value, at)
        if isinstance(value, dict):
            return self._mapping(value, at)
        items, column = [], at + 1
        for item in value:
            items.append(self.node(item, column))
            column = items[-1].span.end_column + 1
        return SequenceNode(tuple(items), self._span(at, max(column, at + 2)))

    def _mapping(self, parts: dict[str, Plain], at: int) -> MappingNode:
        """Converts a mapping that begins at a column of the file to a node with places.

        The file has the keys sorted, so places are counted in that order; the entries keep their
        own.
        """
        before, behind = written_named(parts) if isinstance(parts, Named) else (0, 0)
        found, start = {}, at + before
        column = start + 1
        for key in sorted(parts):
            named = self._scalar(key, column)
            value = self.node(parts[key], named.span.end_column + 1)
            found[key] = Entry(replace(named, plain=True), value)
            column = value.span.end_column + 1
        end = max(column, start + 2) + behind
        return MappingNode({key: found[key] for key in parts}, self._span(at, end))

    def _scalar(self, text: str, at: int) -> Scalar:
        span = self._span(at, at + len(json.dumps(text, ensure_ascii=False)))
        self.problems += faults_of_scalar(text, span, lambda start, end: span)
        return Scalar(text, False, span)

    def _span(self, start: int, end: int) -> Span:
        return Span(self._path, 1, start, 1, end)
