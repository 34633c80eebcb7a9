"""The targets of an edition, the folder of its files -> what is stale, what is recorded.

Two sources may print into one folder: the working copy, and the released edition of its number.
Each file remembers which of them printed it, and neither removes what is the other's.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rulebook.build.plan import Target
from rulebook.build.publish import (
    MANIFEST,
    PARTS,
    SOURCE,
    EditionHeading,
    Manifest,
    Parts,
    PrintedFile,
    alone_in,
    format_manifest,
    format_parts,
    read_manifest,
    read_parts,
    remove_printed,
    settle,
    sha256,
    sha256_of,
    sweep,
    write_if_changed,
    write_whole,
)
from rulebook.build.stale import Fingerprint, why_stale


@dataclass(frozen=True, slots=True)
class PrintedTarget:
    """A target that is to be rendered, and the fingerprint of what it is rendered from."""

    target: Target
    fingerprint: Fingerprint


@dataclass
class EditionFolder:
    """output/<ruleset>/<edition>; its manifest learns of a file when the file is in its place."""

    heading: EditionHeading
    folder: Path
    #: Whether the file of a released edition is printed, and not the working copy.
    frozen: bool = False
    written: dict[str, PrintedFile] = field(default_factory=dict)
    parts: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def _known(self) -> dict[str, PrintedFile]:
        return self._entries_now()

    @cached_property
    def _known_parts(self) -> Parts:
        return read_parts(self.folder)

    @property
    def _source(self) -> str:
        return "released edition" if self.frozen else "working copy"

    def _entries_now(self) -> dict[str, PrintedFile]:
        manifest = read_manifest(self.folder)
        return manifest.by_path() if manifest else {}

    def why_stale(self, target: Target, fingerprint: Fingerprint) -> str:
        """In words, empty where the file is as it should be."""
        path = target.file.path
        return why_stale(
            self._known.get(path), self._known_parts.get(path), fingerprint, self.folder / path
        )

    def is_fresh(self, path: str, digest: str) -> bool:
        """Whether a file is there as it was written, from what has this fingerprint."""
        entry = self._known.get(path)
        if entry is None or entry.fingerprint != digest:
            return False
        return sha256_of(self.folder / path) == entry.sha256

    def put(self, printed: PrintedTarget, data: bytes, pages: int | None) -> PrintedFile:
        """Write a file and note what it is; raises OSError and leaves the earlier file then."""
        file, document = printed.target.file, printed.target.document
        write_whole(self.folder / file.path, data)
        entry = PrintedFile(
            path=file.path,
            kind=document.kind,
            title=file.title or document.title,
            format=file.format,
            paper=file.paper,
            ink=file.ink,
            imposition=file.imposition,
            pages=pages,
            sha256=sha256(data),
            fingerprint=printed.fingerprint.digest,
            bytes=len(data),
        )
        self.written[entry.path] = entry
        self.parts[entry.path] = {**printed.fingerprint.parts, SOURCE: self._source}
        return entry

    def close(self, keep: Container[str] | None) -> list[str]:
        """Write the manifest; raises OSError.

        `keep` names all files that the edition consists of: what the manifest lists beyond them is
        removed, and reported, unless another source printed it. With None everything stays. Another
        build may have written the manifest meanwhile, so it is read again.
        """
        if not self.folder.is_dir():
            return []
        with alone_in(self.folder):
            now = self._entries_now()
            gone = [
                entry
                for path, entry in now.items()
                if keep is not None and path not in keep and self._is_own(path)
            ]
            files = {**now, **self.written}
            for entry in gone:
                del files[entry.path]
            removed = [entry.path for entry in gone if remove_printed(self.folder, entry)]
            if now or files:
                self._write(files, {*self.written, *removed})
            folders = {folder for path in (*now, *files) for folder in Path(path).parents}
            sweep(self.folder / folder for folder in folders)
        return removed

    def _is_own(self, path: str) -> bool:
        """Whether a file was printed from the same source, as far as that is known."""
        source = self._known_parts.get(path, {}).get(SOURCE)
        return source in (None, self._source)

    def _write(self, files: Mapping[str, PrintedFile], touched: Iterable[str]) -> None:
        """Write the manifest when all that it tells of is on the disk: new files, in folders that
        may be new as well, and that others are gone.
        """
        manifest = Manifest(**dict(self.heading), files=tuple(files.values()))
        parts = {**read_parts(self.folder), **self.parts}
        known = {path: parts[path] for path in files if path in parts}
        write_if_changed(self.folder / PARTS, format_parts(known))
        settle({self.folder / folder for path in touched for folder in Path(path).parents})
        write_if_changed(self.folder / MANIFEST, format_manifest(manifest))
