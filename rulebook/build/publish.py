"""Bytes -> files in the output folder, each whole or not at all, and the manifest of an edition.

output/<ruleset>/<edition>/manifest.json tells what was printed there, from what. It is a contract
with other programs:

    {"ruleset": "mygame", "title": "...", "edition": "1.0", "date": "2026-07-16",
     "status": "released", "reason": null, "options": ["zouaves"], "asked": "with Zouaves",
     "subtitle": null, "summary": "...", "players": "2", "accent": "#7a2b1d",
     "files": [{"path": "qrs-a4.pdf", "kind": "qrs", "title": "...", "format": "pdf", "paper": "a4",
                "ink": "full", "imposition": null, "pages": 2, "bytes": 81234, "sha256": "...",
                "fingerprint": "..."}]}

The status is "working copy", "released" or "withdrawn"; the reason why an edition was withdrawn is
Markdown. The options are those in force; what was asked tells of them, and of lengths that were
turned, in words, and is empty where the edition is printed as it stands. Subtitle, summary,
players and accent are what the ruleset says of itself. Files are sorted by path;
the date, reason, paper, ink, imposition and pages may be null. Where pages have been laid out on
sheets to fold or to cut, the imposition says how, and the pages are sides of sheets. Pictures of
documents, small, are of the format "png". Beside it
`.ledger.json` holds the parts of each fingerprint, for `--explain`, and which source printed each
file: the working copy or a released edition.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES, EEXIST
from pathlib import Path
from stat import S_ISREG
from time import time
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rulebook.build.plan import is_inside
from rulebook.model.revisions import EditionStatus
from rulebook.plain_files import open_plain, read_plain
from rulebook.problems import Problem


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sha256_of(path: Path) -> str | None:
    """Returns the SHA-256 checksum of a plain file; None if it is missing or unreadable."""
    try:
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


#: The name of a file while it is being written.
_BESIDE = re.compile(r"\.rulebook-[0-9a-f]{16}\.part")
#: Seconds after which such a file was left behind: writing takes much less.
_LEFT_BEHIND = 3600


def _beside(path: Path) -> Path:
    return path.with_name(f".rulebook-{secrets.token_hex(8)}.part")


def sweep(folders: Iterable[Path]) -> None:
    """Removes temporary files older than an hour, left by builds that were killed, from folders.

    Faults are ignored.
    """
    for folder in folders:
        with suppress(OSError):
            for path in filter(lambda path: _BESIDE.fullmatch(path.name), folder.iterdir()):
                known = path.lstat()
                if S_ISREG(known.st_mode) and time() - known.st_mtime > _LEFT_BEHIND:
                    path.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file atomically: to a temporary file in its folder, which is then renamed.

    Makes missing folders. The data are flushed to disk before the renaming, so that a loss of power
    leaves the earlier file or the new one. Raises OSError; the earlier file stays in that case.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = _beside(path)
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def settle(folders: Iterable[Path]) -> None:
    """Flushes folders to disk, so that names of new and removed files survive a loss of power."""
    for folder in folders:
        with suppress(OSError):  # not every system lets folders be opened
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def write_once(path: Path, data: bytes) -> None:
    """Writes a new file as `write_whole` does, but never replaces one that exists.

    Raises FileExistsError if there is one, even if it was written at the same time, and OSError.
    """
    beside = _beside(path)
    write_whole(beside, data)
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a disk on which a file has one name only
        if os.path.lexists(path):
            raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path)) from None
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink()


def write_if_changed(path: Path, data: bytes) -> None:
    """Writes a file as `write_whole` does, unless it holds the same bytes already."""
    try:
        if read_plain(path) == data:
            return
    except OSError:
        pass
    write_whole(path, data)


def writable(folder: Path) -> Problem | None:
    """Makes a folder if it is missing; returns a problem if no file can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        return unwritten(folder, fault)
    if not os.access(folder, os.W_OK | os.X_OK):
        return unwritten(folder, PermissionError(EACCES, "permission denied"))
    return None


def unwritten(path: Path, fault: OSError) -> Problem:
    """Returns the problem R702, about a file or folder that could not be written."""
    why = (fault.strerror or str(fault) or type(fault).__name__).lower()
    message = f"{path.as_posix()} cannot be written: {why}"
    return Problem("R702", message, hint="choose another with --out")


def remove_printed(folder: Path, entry: PrintedFile) -> bool:
    """Removes a printed file, and its folders if they are then empty.

    `folder` is that of the edition. A file that was changed since it was printed is kept. Returns
    whether the file was removed.
    """
    file = folder / entry.path
    if file.is_symlink() or sha256_of(file) != entry.sha256:
        return False
    try:
        file.unlink()
    except OSError:
        return False
    with suppress(OSError):
        for parent in Path(entry.path).parents[:-1]:
            (folder / parent).rmdir()  # only where nothing is left in it
    return True


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Locks a folder within the context, so that other builds wait before writing its manifest.

    On systems without such locks nothing is locked: the last manifest written stays, and the next
    build corrects it.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


MANIFEST = "manifest.json"
PARTS = ".ledger.json"
#: What is made of the site in each folder.
INDEX, FEED = "index.html", "feed.atom"
MADE = (INDEX, "editions.json", FEED)

Parts = Mapping[str, Mapping[str, str]]


def _inside(path: str) -> str:
    if not is_inside(path):
        raise ValueError("a path that leaves the folder")
    return path


class PrintedFile(BaseModel):
    """One printed file; `path` is relative to the manifest's folder."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    path: Annotated[str, AfterValidator(_inside)]
    kind: str
    title: str
    format: Literal["pdf", "html", "svg", "png", "json", "js"]
    paper: str | None
    ink: str | None
    imposition: str | None = None
    pages: int | None
    sha256: str
    fingerprint: str
    bytes: int


class EditionHeading(BaseModel):
    """What the manifest of an edition says about it.

    `reason` is why it was withdrawn, in Markdown. `options` are in force, `asked` tells of them and
    of how lengths are turned.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    ruleset: str
    title: str
    edition: str
    date: str | None
    status: EditionStatus = "working copy"
    reason: str | None = None
    options: tuple[str, ...] = ()
    asked: str = ""
    subtitle: str | None = None
    summary: str | None = None
    players: str | None = None
    accent: str = Field("#3a3a3a", pattern="^#[0-9a-fA-F]{6}$")


class Manifest(EditionHeading):
    """What a folder of one edition holds."""

    files: tuple[PrintedFile, ...]


def read_manifest(folder: Path) -> Manifest | None:
    """Reads the manifest in an edition's folder; returns None if it is missing or broken."""
    try:
        return Manifest.model_validate_json(read_plain(folder / MANIFEST))
    except (OSError, ValidationError):
        return None


def read_entries(folder: Path) -> dict[str, PrintedFile]:
    """Returns the files that a folder's manifest lists, by path; {} if it is missing or broken."""
    manifest = read_manifest(folder)
    return {entry.path: entry for entry in manifest.files} if manifest else {}


def read_parts(folder: Path) -> Parts:
    """Reads the ledger in an edition's folder: by path, the parts of a printed file's fingerprint.

    Empty if the ledger is missing or broken.
    """
    try:
        return TypeAdapter(dict[str, dict[str, str]]).validate_json(read_plain(folder / PARTS))
    except (OSError, ValidationError):
        return {}


def format_json(value: object) -> bytes:
    """Formats plain data or a pydantic model as the bytes of a JSON file.

    Keys are sorted in plain data; a model keeps the order of its fields.
    """
    plain = value.model_dump(mode="json", by_alias=True) if isinstance(value, BaseModel) else value
    in_order = not isinstance(value, BaseModel)
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=in_order) + "\n").encode()
