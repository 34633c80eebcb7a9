"""Results of a stage <-> files of the user's own, each under the digest of all that the stage read.

What has not changed is not done again: a stage asks for its result by a key before it begins and
keeps it when it is done. Everything here may be lost, spoilt or deleted at any moment; then the
stage runs again and gives the same result. Nothing that is kept is ever executed: results are
bytes, JSON or pages, never pickled objects.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulebook.frozen_view import canonical

#: The layout of the folder: a program that keeps files in another way uses another folder.
LAYOUT = "1"
#: Bytes of all entries together, and what is left of them when they are too many.
MOST_BYTES = 1 << 30
_KEPT_PART = 0.8
#: Bytes of one entry; a larger one is not worth its room.
LARGEST_ENTRY = 64 << 20
#: Seconds after which an entry that is used is marked as used again.
_MARKED_AGAIN = 3600
_DIGEST = hashlib.sha256().digest_size


def digest_of(value: object) -> str:
    """Returns the SHA-256 digest, in hexadecimal, of a value: views and plain JSON data.

    It is the same on every machine. Raises ValueError or TypeError for anything else.
    """
    return hashlib.sha256(canonical(value)).hexdigest()


@dataclass(frozen=True, slots=True)
class Cache:
    """Stores results of stages by key in a folder.

    Without a `folder` nothing is stored, as for workers that render on other machines. The `salt`
    becomes part of all keys, so that programs with different salts do not read each other's
    entries.
    """

    folder: Path | None = None
    salt: str = ""

    def salted(self, salt: str) -> Cache:
        """Returns a cache in the same folder that has only results stored with this `salt`."""
        return Cache(self.folder, salt)

    def get(self, stage: str, key: str) -> bytes | None:
        """Returns what a stage stored under a key; None if there is no entry or it is damaged.

        A damaged entry is removed; the time of an entry is renewed when it is read.
        """
        path = self._path(stage, key)
        if path is None:
            return None
        try:
            handle = os.open(path, os.O_RDONLY | _NO_LINK | _NO_WAIT)
            with os.fdopen(handle, "rb") as file:
                known = os.fstat(file.fileno())
                if not stat.S_ISREG(known.st_mode) or not _own(known):
                    return None
                data = file.read(LARGEST_ENTRY + _DIGEST + 1)
            if time.time() - known.st_mtime > _MARKED_AGAIN:
                os.utime(path)
        except OSError:
            return None
        payload = data[_DIGEST:]
        if data[:_DIGEST] != _sealed(stage, key, payload):
            with suppress(OSError):
                path.unlink()
            return None
        return payload

    def put(self, stage: str, key: str, data: bytes) -> None:
        """Stores data as the result of a stage under a key.

        Does nothing if they are too large or cannot be written, or if the cache has no folder.
        """
        path = self._path(stage, key)
        if path is None or len(data) > LARGEST_ENTRY:
            return
        beside = path.with_name(f".{secrets.token_hex(8)}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(_sealed(stage, key, data))
                file.write(data)
            beside.replace(path)
        except OSError:
            with suppress(OSError):
                beside.unlink()

    def get_json(self, stage: str, key: str) -> Any:
        """Returns the JSON data that a stage stored under a key; None if there is no entry."""
        data = self.get(stage, key)
        return None if data is None else json.loads(data)

    def put_json(self, stage: str, key: str, value: Any) -> None:
        self.put(stage, key, json.dumps(value).encode("ascii"))

    def trim(self, most: int = MOST_BYTES) -> None:
        """Deletes the least recently used entries if all together have more than `most` bytes.

        It goes on until they have a certain part of that.
        """
        if self.folder is None:
            return
        found: list[tuple[float, int, Path]] = []
        for path in (self.folder / LAYOUT).rglob("*"):
            with suppress(OSError):
                known = path.lstat()
                if not stat.S_ISDIR(known.st_mode):
                    found.append((known.st_mtime, known.st_size, path))
        size = sum(entry_size for _, entry_size, _ in found)
        if size <= most:
            return
        for _, entry_size, path in sorted(found):
            with suppress(OSError):
                path.unlink()
                size -= entry_size
            if size <= most * _KEPT_PART:
                return

    def _path(self, stage: str, key: str) -> Path | None:
        if self.folder is None:
            return None
        if self.salt:
            key = hashlib.sha256(f"{self.salt} {key}".encode()).hexdigest()
        return self.folder / LAYOUT / stage / key[:2] / key[2:]


#: A cache that keeps nothing.
NOTHING_KEPT = Cache()


def open_cache(folder: Path | None) -> Cache:
    """Opens the cache in a folder, which is made if it does not exist.

    Without a folder, or if it cannot be made, belongs to another user or is writable by others, the
    cache stores nothing: such a folder may hold anybody's data.
    """
    if folder is None:
        return Cache(None)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        known = folder.stat()
    except OSError:
        return Cache(None)
    return Cache(folder.resolve() if _own(known) else None)


_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


def _own(known: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user, and nobody else may write into it.

    `known` is its status. On Windows this is not checked, and True is returned.
    """
    if sys.platform == "win32":
        return True
    return known.st_uid == os.geteuid() and not known.st_mode & 0o022


def _sealed(stage: str, key: str, data: bytes) -> bytes:
    """Returns the digest stored with an entry, computed over its stage, key and data."""
    return hashlib.sha256(f"{stage}/{key}\n".encode() + data).digest()
