"""The released editions of a ruleset, and what is printed -> output/<ruleset>/editions.json.

The list is a contract with other programs:

    {"ruleset": "mygame", "title": "...", "authors": ["..."],
     "editions": [{"edition": "1.0", "title": "...", "date": "2026-07-16", "status": "released",
                   "reason": null, "withdrawn": null, "after": null, "summary": null,
                   "changes": [{"title": "...", "class": "rule change"}], "sha256": "..."}]}

Editions are sorted, the oldest first. The date is that which is printed in an edition, else the day
of its release by the notes on it. The status is "working copy", "released" or "withdrawn"; the
reason (why it was withdrawn; `withdrawn` is when, if that is known) and the summary are Markdown.
`after` is the edition from which the changes are counted, `sha256` the checksum in the released
file, null for a working copy. The files of an edition are listed by its manifest.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rulebook.build.publish import (
    MANIFEST,
    Manifest,
    PrintedFile,
    format_json,
    read_manifest,
    write_if_changed,
)
from rulebook.loading.editions import EditionHistory, edition_of, read_history
from rulebook.loading.snapshots import Snapshot, read_snapshot
from rulebook.model.plain_data import Plain
from rulebook.model.revisions import ChangeClass, EditionNotes, EditionStatus
from rulebook.plain_files import read_plain

ARCHIVE = "editions.json"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class ListedChange(_Strict):
    """A change since the edition before, as its author calls it."""

    title: str
    class_: ChangeClass = Field(alias="class")


class ListedEdition(_Strict):
    """An edition in the list; its fields are described above."""

    edition: str
    title: str
    date: str | None
    status: EditionStatus
    reason: str | None = None
    withdrawn: str | None = None
    after: str | None = None
    summary: str | None = None
    changes: tuple[ListedChange, ...] = ()
    sha256: str | None = None


class Archive(_Strict):
    """All editions of a ruleset that were released or are printed."""

    ruleset: str
    title: str
    authors: tuple[str, ...]
    editions: tuple[ListedEdition, ...]


def write_archive(content: Path, out: Path) -> None:
    """Writes the list of a ruleset's editions (`editions.json`) into the output folder `out`.

    It has the released editions, with their authors' notes, and from the manifests those that are
    only printed. `content` is the folder of the ruleset. The file is written only if it changes.
    Writes nothing if there is no edition or the notes have faults. Raises OSError.
    """
    history, printed = read_history(content), out / content.name
    if history.revisions is None:
        return
    snapshots = _snapshots(history)
    listed = [*_released(snapshots, history)]
    known, today = {edition.edition for edition in listed}, edition_of(content)
    copies = {
        manifest.edition: _unreleased(manifest, history)
        for manifest in (folder.manifest for folder in printed_in(printed))
        if manifest.edition not in known
        # a working copy may have been printed under an earlier number than it has now
        and (manifest.status != "working copy" or today in (None, manifest.edition))
    }
    archive = _archive(content.name, [*listed, *copies.values()], _authors(snapshots))
    if archive is not None:
        write_if_changed(printed / ARCHIVE, format_json(archive))


def released_editions(content: Path) -> list[ListedEdition]:
    """Returns the released editions of a ruleset, the oldest first, without unreadable ones.

    `content` is the folder of the ruleset.
    """
    history = read_history(content)
    return [*_released(_snapshots(history), history)]


def _snapshots(history: EditionHistory) -> list[Snapshot]:
    read = (read_snapshot(path)[0] for path in history.releases.values())
    return [snapshot for snapshot in read if snapshot is not None]


@dataclass(frozen=True, slots=True)
class EditionFolder:
    """An edition folder in the output, with its manifest."""

    folder: Path
    manifest: Manifest

    def files(self) -> list[PrintedFile]:
        """Returns those files of the manifest that still exist."""
        return [file for file in self.manifest.files if (self.folder / file.path).is_file()]

    def href(self, entry: PrintedFile) -> str:
        """Returns the address of a file, relative to the index page of its ruleset."""
        return quote(f"{self.folder.name}/{entry.path}")


def printed_in(folder: Path) -> list[EditionFolder]:
    """Returns the editions in a ruleset's output folder: subfolders with a readable manifest."""
    return [
        EditionFolder(path.parent, manifest)
        for path in sorted(folder.glob(f"*/{MANIFEST}"))
        if (manifest := read_manifest(path.parent)) is not None
    ]


def read_archive(printed: Path) -> Archive | None:
    """Reads the list of editions in a ruleset's output folder.

    If that cannot be read, makes one from the manifests there; returns None if there are none.
    """
    try:
        return Archive.model_validate_json(read_plain(printed / ARCHIVE))
    except (OSError, ValidationError):
        manifests = [folder.manifest for folder in printed_in(printed)]
        listed = {manifest.edition: _unreleased(manifest) for manifest in manifests}
        return _archive(printed.name, list(listed.values()), ())


def _archive(name: str, listed: list[ListedEdition], authors: tuple[str, ...]) -> Archive | None:
    if not listed:
        return None
    editions = tuple(sorted(listed, key=lambda edition: order_of(edition.edition)))
    return Archive(ruleset=name, title=editions[-1].title, authors=authors, editions=editions)


def order_of(edition: str) -> list[tuple[int, str]]:
    """Returns a sort key for the name of an edition, by which 2.10 comes after 2.9.

    Any text has such a key.
    """
    return [(int(number or -1), rest) for number, rest in re.findall(r"(\d*)(\D*)", edition)]


def _released(snapshots: list[Snapshot], history: EditionHistory) -> Iterator[ListedEdition]:
    before: str | None = None
    for snapshot in snapshots:
        edition, header = snapshot.edition, snapshot.content.get("header")
        notes = history.notes(edition) or EditionNotes()
        withdrawal = history.revisions.withdrawn.get(edition) if history.revisions else None
        yield ListedEdition(
            edition=edition,
            title=_text(header, "title") or snapshot.ruleset,
            date=_date(header) or _iso(notes.released),
            status="released" if withdrawal is None else "withdrawn",
            reason=None if withdrawal is None else withdrawal.reason.markdown,
            withdrawn=None if withdrawal is None else _iso(withdrawal.date),
            **_said(notes, before),
            sha256=snapshot.sha256,
        )
        before = edition


def _unreleased(manifest: Manifest, history: EditionHistory | None = None) -> ListedEdition:
    """Returns the list entry of an edition that is printed but not released.

    Its fields come from the manifest and, if `history` is given, from the notes in it.
    """
    of_edition = {"edition", "title", "date", "status", "reason"}
    notes = history.notes(manifest.edition) if history else None
    said = _said(notes, None) if notes else {}
    return ListedEdition(**manifest.model_dump(include=of_edition), **said)


def _said(notes: EditionNotes, before: str | None) -> dict[str, Any]:
    """Returns the fields of ListedEdition that come from the notes on an edition.

    These are the summary, the changes, and `after`, the edition with which the changes compare;
    `before` is used where the notes name none.
    """
    changes = (ListedChange(title=change.title, class_=change.class_) for change in notes.changes)
    return {
        "after": notes.after or before,
        "summary": None if notes.summary is None else notes.summary.markdown,
        "changes": tuple(changes),
    }


def _text(part: Plain, key: str) -> str | None:
    value = part.get(key) if isinstance(part, dict) else None
    return value if isinstance(value, str) else None


def _date(header: Plain) -> str | None:
    """Returns the date in a header as ISO text, or None if there is no valid date."""
    try:
        return _iso(datetime.date.fromisoformat(_text(header, "date") or ""))
    except ValueError:
        return None


def _iso(date: datetime.date | None) -> str | None:
    return date.isoformat() if date else None


def _authors(snapshots: list[Snapshot]) -> tuple[str, ...]:
    """Returns the names in the credits of the last of the released editions, without duplicates.

    It is empty if nothing has been released.
    """
    header = snapshots[-1].content.get("header") if snapshots else None
    credits = header.get("credits") if isinstance(header, dict) else None
    names = (_text(credit, "name") for credit in (credits if isinstance(credits, list) else ()))
    return tuple(dict.fromkeys(name for name in names if name))
