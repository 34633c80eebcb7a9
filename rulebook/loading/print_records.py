"""A released edition as it was printed <-> the record of that, which stands beside its file.

A released edition keeps its content for ever, but its page numbers are those of the version of
rulebook that printed it. Errata cite pages to those who own the print, and take them from this
record, never from a later layout.

A record is JSON with sorted keys and no spaces; a checksum seals it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rulebook.loading.snapshots import Snapshot
from rulebook.model.prose import rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.plain_files import read_plain, reason_of
from rulebook.problems import Problem, Span

#: How records are written now. Those of format 1 do not have the words of pages.
FORMAT: Literal[2] = 2
LARGEST_RECORD = 4 << 20
MOST_PAGES = 9999

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
Page = Annotated[int, Field(ge=1, le=MOST_PAGES)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PrintedBooklet(_Strict):
    """A booklet in one layout: its pages, and that on which each thing begins, by its id.

    Tables are those of all kinds, with the modifiers; procedures are told step by step. `words` are
    the sha256 of what each page says between its margins; a record of format 1 has none.
    """

    pages: Page
    headings: dict[Name, Page]
    tables: dict[Name, Page]
    cutouts: dict[Name, Page]
    examples: dict[Name, Page]
    procedures: dict[Name, Page]
    words: tuple[Digest, ...] = ()

    def things(self) -> tuple[Mapping[str, int], ...]:
        """The pages of all things, kind by kind."""
        return self.headings, self.tables, self.cutouts, self.examples, self.procedures


class PrintedCard(_Strict):
    """A card: the sha256 of the words on each of its faces, and its pages in each file."""

    faces: tuple[Digest, ...]
    pages: dict[Name, tuple[Page, ...]]


class PrintRecord(_Strict):
    """Where everything stood in the print of an edition, and the checksums of its files.

    `rulebook` is the version that printed it and `snapshot` the checksum of what was released.
    Booklets are listed by their layouts; sheets of the quick reference by their `sheet_name`, each
    with the pieces of panels on its sides in their order; decks by their ids, each with its cards.
    """

    format: Literal[1, 2]
    ruleset: Name
    edition: Name
    rulebook: Name
    snapshot: Digest
    booklets: dict[Name, PrintedBooklet]
    sheets: dict[Name, tuple[tuple[Name, ...], ...]]
    decks: dict[Name, dict[Name, PrintedCard]]
    files: dict[Name, Digest]

    def text(self) -> str:
        """The file, byte for byte."""
        unknown = {"booklets": {"__all__": {"words"}}} if self.format == 1 else None
        plain = self.model_dump(mode="json", exclude=unknown)
        return _canonical({**plain, "sha256": _checksum(plain)})


def sheet_name(paper: str, number: int) -> str:
    """`a4`, or `a4-2` for a second sheet, which records of earlier versions leave out."""
    return paper if number == 1 else f"{paper}-{number}"


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def _checksum(value: Any) -> str:
    return hashlib.sha256(_canonical(value).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RecordOf:
    """What a record must be of: a ruleset and edition, the checksum of it, and its headings."""

    ruleset: str
    edition: str
    snapshot: str
    headings: Collection[str]


def record_of(snapshot: Snapshot, ruleset: Ruleset) -> RecordOf:
    """What the record of a released edition, whose ruleset is known, must be of."""
    headings = rule_numbers(ruleset.chapters)
    return RecordOf(snapshot.ruleset, snapshot.edition, snapshot.sha256, headings)


def read_print_record(path: Path, of: RecordOf) -> tuple[PrintRecord | None, list[Problem]]:
    """The record in a file, or None and what is wrong with it; both are empty if there is none."""
    span = Span(path.as_posix())
    if not path.exists() and not path.is_symlink():
        return None, []
    if path.is_symlink() or not path.is_file():
        return None, [Problem.of("R101 record is no file", span)]
    try:
        data = read_plain(path, LARGEST_RECORD)
    except OSError as fault:
        reason = reason_of(fault)
        return None, [Problem.of("R101 record unread", span, reason=reason)]
    return record_of_bytes(data, path, of)


def record_of_bytes(
    data: bytes, path: Path, of: RecordOf
) -> tuple[PrintRecord | None, list[Problem]]:
    """The record in the bytes of a file, or None and what is wrong with it."""
    span = Span(path.as_posix())
    if len(data) > LARGEST_RECORD:
        mib = LARGEST_RECORD >> 20
        return None, [Problem.of("R102 record too large", span, mib=mib)]
    try:
        found = json.loads(data.decode())
    except UnicodeDecodeError as error:
        return None, [_damaged(span, f"it is no text at byte {error.start}")]
    except json.JSONDecodeError as error:
        return None, [_damaged(span, f"it breaks off, or is no JSON, at character {error.pos + 1}")]
    except (RecursionError, ValueError):  # of numbers with thousands of digits
        return None, [_damaged(span, "it holds what no record does")]
    number = found.get("format") if isinstance(found, dict) else None
    if type(number) is int and not 1 <= number <= FORMAT:
        known = f"1 or {FORMAT}"
        format_ = Problem.of("R802 format of a record", span, number=str(number), format=known)
        return None, [format_]
    sealed = found.pop("sha256", None) if isinstance(found, dict) else None
    try:
        # In the mode of JSON, a list is a tuple too.
        record = PrintRecord.model_validate_json(json.dumps(found))
    except (ValidationError, RecursionError, ValueError) as error:
        return None, [_damaged(span, _first_fault(error))]
    if sealed != _checksum(found) or record.text().encode() != data:
        return None, [_damaged(span, "it is not as it was written")]
    fault = _of_another(record, of)
    return (None, [_damaged(span, fault)]) if fault else (record, [])


def _first_fault(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "it holds what no record does"
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))[:80]
    shown = place.encode("ascii", "backslashreplace").decode() if place.isprintable() else ""
    return f"{shown}: {first['msg'].lower()}" if shown else first["msg"].lower()


def _of_another(record: PrintRecord, of: RecordOf) -> str:
    """Why a record is not of an edition; empty if it is."""
    if (record.ruleset, record.edition) != (of.ruleset, of.edition):
        named = f"edition {record.edition[:20]} of '{record.ruleset[:40]}'"
        return f"it is of {named}, and stands in the place of another"
    if record.snapshot != of.snapshot:
        return "it is of other content than that of this edition"
    for layout, booklet in record.booklets.items():
        if booklet.headings.keys() != set(of.headings):
            return f"booklets.{layout}.headings: other headings than those of this edition"
        if any(page > booklet.pages for pages in booklet.things() for page in pages.values()):
            return f"booklets.{layout}: a page behind the last one"
        if len(booklet.words) != (0 if record.format == 1 else booklet.pages):
            return f"booklets.{layout}.words: not those of all pages"
    return ""


def _damaged(span: Span, fault: str) -> Problem:
    return Problem.of("R807 record broken", span, fault=fault)
