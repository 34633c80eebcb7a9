"""A released edition, frozen in one file -> the ruleset that its folder held when it was released.

A snapshot is canonical JSON of what the folder meant, read by the same model as the folder. Its
checksum proves that nobody has touched it; the number of its format says how it is written.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from rulebook.loading.chapters import cut_chapter
from rulebook.loading.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulebook.loading.options import choose, read_options
from rulebook.loading.places import places_of
from rulebook.loading.rulesets import Loaded, put_together
from rulebook.loading.structure import read_model
from rulebook.loading.variants import Content
from rulebook.model.canonical import canonical, checksum, read_canonical
from rulebook.model.pictures import Picture
from rulebook.model.plain import Named, Plain
from rulebook.model.ruleset import Header, Ruleset
from rulebook.problems import Problem, Report, Span

#: How snapshots are written now. A change of it brings a reader of the format before it.
FORMAT = 1
LARGEST_SNAPSHOT = 16 << 20
_KEYS = ("content", "edition", "format", "ruleset", "sha256")

#: Format -> what makes the content of that format into that of the next.
READERS: dict[int, Callable[[dict[str, Plain]], dict[str, Plain]]] = {}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A released edition: the ruleset's id, the edition, what it says, and its checksum."""

    ruleset: str
    edition: str
    content: dict[str, Plain]

    @property
    def sha256(self) -> str:
        return checksum(self._sealed())

    def text(self) -> str:
        """The file, byte for byte."""
        return canonical({**self._sealed(), "sha256": self.sha256})

    def _sealed(self) -> dict[str, Plain]:
        return {
            "content": self.content,
            "edition": self.edition,
            "format": str(FORMAT),
            "ruleset": self.ruleset,
        }


def read_snapshot(path: Path) -> tuple[Snapshot | None, list[Problem]]:
    """The snapshot in a file, or None and what is wrong with it."""
    span = Span(path.as_posix())
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_SNAPSHOT + 1)
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        return None, [Problem("R101", f"this edition cannot be read: {reason}", span)]
    if len(data) > LARGEST_SNAPSHOT:
        limit = f"up to {LARGEST_SNAPSHOT >> 20} MiB"
        return None, [Problem("R102", "this edition is too large", span, expected=limit)]
    try:
        found = read_canonical(data.decode())
    except ValueError as error:
        return None, [_damaged(span, f"this is no released edition: {error}")]
    return _opened(found, data, span)


def _opened(found: Plain, data: bytes, span: Span) -> tuple[Snapshot | None, list[Problem]]:
    if not isinstance(found, dict) or not set(_KEYS) <= found.keys():
        return None, [_damaged(span, "this is no released edition")]
    number = found["format"]
    if not isinstance(number, str) or number not in map(str, (*READERS, FORMAT)):
        told = f"format {str(number)[:20]}"
        return None, [
            Problem(
                "R802",
                f"this edition is written in {told}, which this rulebook does not read",
                span,
                expected=f"format {', '.join(map(str, sorted((*READERS, FORMAT))))}",
                hint="install a newer rulebook",
            )
        ]
    sealed = {key: one for key, one in found.items() if key != "sha256"}
    if found["sha256"] != checksum(sealed) or canonical(found).encode() != data:
        return None, [_damaged(span, "this edition is not as it was released")]
    content = found["content"]
    if not isinstance(content, dict):
        return None, [_damaged(span, "this edition holds no ruleset")]
    for one in range(int(number), FORMAT):
        content = READERS[one](content)
    return Snapshot(str(found["ruleset"]), str(found["edition"]), content), []


def _damaged(span: Span, message: str) -> Problem:
    return Problem(
        "R801",
        message,
        span,
        expected="the file that 'rulebook release' wrote, unchanged",
        hint="bring the file back from a copy: a released edition never changes",
    )


def load_snapshot(path: Path, options: Iterable[str] = ()) -> Loaded:
    """Read a released edition whole, with some options chosen. No file raises anything."""
    report = Report()
    snapshot, problems = read_snapshot(path)
    report.extend(problems)
    if snapshot is None:
        return Loaded(None, report, 1)
    span = Span(path.as_posix())
    folder = path.absolute().parent.parent.name
    if (snapshot.ruleset, snapshot.edition) != (folder, path.stem):
        named = f"this is edition {snapshot.edition[:20]} of '{snapshot.ruleset[:40]}'"
        report.add(_damaged(span, f"{named}, in a place of another"))
        return Loaded(None, report, 1)
    return Loaded(_read(snapshot, span, tuple(options), report), report, 1)


def _read(
    snapshot: Snapshot, span: Span, options: tuple[str, ...], report: Report
) -> Ruleset | None:
    parts = {key: snapshot.content.get(key, Named()) for key in _PARTS}
    for key, part in parts.items():
        if not isinstance(part, dict):
            report.add(_damaged(span, f"the {key} of this edition cannot be read"))
            return None
    root = cast(Mapping, _node(parts["header"], span))
    header, faults = read_model(Header, root)
    report.extend(faults)
    roots = [(f"options/{name}.yaml", _node(one, span)) for name, one in _items(parts["options"])]
    overlays, faults = read_options(roots)
    report.extend(faults)
    chosen, faults = choose(options, overlays, span)
    report.extend(faults)
    annexes = {*header.annexes, *header.appendices} if header else set()
    cuts = {
        file: cut_chapter(
            _markdown(listed, parts["sections"]), file, span.path, annex=file in annexes
        )
        for file, listed in _items(parts["chapters"])
    }
    for cut in cuts.values():
        report.extend(cut.problems)
    content = Content(
        id=snapshot.ruleset,
        collections=cast(Mapping, _node(parts["collections"], span)),
        overlays=overlays,
        places=places_of(root, ("header",)),
        texts={},
        anchors=tuple(anchor for cut in cuts.values() for anchor in cut.anchors),
        cover=_cover(snapshot.content.get("cover")),
        taken={tuple(at.split("/")): str(path) for at, path in _items(parts["taken"])},
    )
    chapters = {file: cut.chapter for file, cut in cuts.items()}
    return put_together(content, header, chapters, chosen, report)


_PARTS = ("header", "collections", "chapters", "sections", "options", "taken")


def _cover(written: Plain) -> Picture | None:
    if not isinstance(written, dict):
        return None
    return Picture(str(written.get("media")), b64decode(str(written.get("data"))))


def _items(part: Plain) -> Iterable[tuple[str, Plain]]:
    return part.items() if isinstance(part, dict) else ()


def _markdown(listed: Plain, sections: Plain) -> str:
    """The Markdown file of a chapter, by the ids of its sections."""
    texts: list[str] = []
    for id_ in listed if isinstance(listed, list) else ():
        section = sections.get(str(id_)) if isinstance(sections, dict) else None
        if isinstance(section, dict):
            level, parts = str(section.get("level", "1")), section.get("parts")
            texts.append(f"{'#' * int(level)} {section.get('title')} {{#{id_}}}")
            texts += map(str, parts if isinstance(parts, list) else ())
    return "\n\n".join(texts) + "\n"


def _node(value: Plain, span: Span) -> Node:
    """Plain data as nodes, all of which stand in the one file."""
    if value is None:
        return Scalar("~", True, span)
    if isinstance(value, str):
        return Scalar(value, False, span)
    if isinstance(value, list):
        return Sequence(tuple(_node(one, span) for one in value), span)
    return Mapping(
        {key: Entry(Scalar(key, True, span), _node(one, span)) for key, one in value.items()}, span
    )
