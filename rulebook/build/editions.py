"""The targets of an edition, the folder of its files -> what is stale, what is recorded."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rulebook.build import ledger
from rulebook.build.fingerprints import Fingerprint, sha256
from rulebook.build.ledger import Entry, Manifest
from rulebook.build.publish import alone_in, remove_printed, write_if_changed, write_whole
from rulebook.build.targets import Target
from rulebook.model.standing import Status


@dataclass(frozen=True, slots=True)
class Heading:
    """What the manifest of an edition says about it.

    `reason` is why it was withdrawn, in Markdown. `options` are in force, `asked` tells of them and
    of how lengths are turned, and `form` is the name of the folder.
    """

    ruleset: str
    title: str
    edition: str
    date: str | None
    status: Status = "working copy"
    reason: str | None = None
    options: tuple[str, ...] = ()
    asked: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Printed:
    """A target that is to be rendered, what it is rendered from, and why, in words."""

    target: Target
    fingerprint: Fingerprint
    reason: str


@dataclass
class EditionFolder:
    """output/<ruleset>/<edition>; its manifest learns of a file when the file is in its place."""

    heading: Heading
    folder: Path
    written: dict[str, Entry] = field(default_factory=dict)
    parts: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def _known(self) -> dict[str, Entry]:
        return self._entries_now()

    @cached_property
    def _known_parts(self) -> ledger.Parts:
        return ledger.read_parts(self.folder)

    def _entries_now(self) -> dict[str, Entry]:
        manifest = ledger.read_manifest(self.folder)
        return manifest.by_path() if manifest else {}

    def why_stale(self, target: Target, fingerprint: Fingerprint) -> str:
        """In words, empty where the file is as it should be."""
        path = target.artefact.path
        return ledger.why_stale(
            self._known.get(path), self._known_parts.get(path), fingerprint, self.folder / path
        )

    def put(self, printed: Printed, data: bytes, pages: int | None) -> Entry:
        """Write a file and note what it is; raises OSError and leaves the earlier file then."""
        artefact, publication = printed.target.artefact, printed.target.publication
        write_whole(self.folder / artefact.path, data)
        entry = Entry(
            path=artefact.path,
            kind=publication.kind,
            title=artefact.title or publication.title,
            format=artefact.format,
            paper=artefact.paper,
            ink=artefact.ink,
            imposition=artefact.imposition,
            pages=pages,
            sha256=sha256(data),
            fingerprint=printed.fingerprint.digest,
            bytes=len(data),
        )
        self.written[entry.path] = entry
        self.parts[entry.path] = printed.fingerprint.parts
        return entry

    def close(self, keep: Container[str] | None) -> list[str]:
        """Write the manifest; raises OSError.

        `keep` names all files that the edition consists of: what the manifest lists beyond them is
        removed, and told. With None everything stays. Another build may have written the manifest
        meanwhile, so it is read again.
        """
        if not self.folder.is_dir():
            return []
        with alone_in(self.folder):
            now = self._entries_now()
            gone = (
                [] if keep is None else [entry for path, entry in now.items() if path not in keep]
            )
            files = {**now, **self.written}
            for entry in gone:
                del files[entry.path]
            removed = [entry.path for entry in gone if remove_printed(self.folder, entry)]
            if now or files:
                self._write(files)
        return removed

    def _write(self, files: Mapping[str, Entry]) -> None:
        heading = self.heading
        manifest = Manifest(
            ruleset=heading.ruleset,
            title=heading.title,
            edition=heading.edition,
            date=heading.date,
            status=heading.status,
            reason=heading.reason,
            options=heading.options,
            asked=heading.asked,
            files=tuple(files.values()),
        )
        parts = {**ledger.read_parts(self.folder), **self.parts}
        known = {path: parts[path] for path in files if path in parts}
        write_if_changed(self.folder / ledger.PARTS, ledger.format_parts(known))
        write_if_changed(self.folder / ledger.MANIFEST, ledger.format_manifest(manifest))
