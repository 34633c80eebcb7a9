"""Files -> their checksums, read without leaving a trace, and when somebody looked at them last."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sha256_of(path: Path) -> str | None:
    """The checksum of a plain file, None where there is none that can be read.

    The time of the last look stays that of the user, where the system allows it.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
    try:
        try:
            handle = os.open(path, flags | getattr(os, "O_NOATIME", 0))
        except PermissionError:
            handle = os.open(path, flags)
        with os.fdopen(handle, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def looked_at(path: Path) -> int:
    """When a file was read last after it was written, in ns; 0 if it was not, as far as is told."""
    try:
        known = path.stat()
    except OSError:
        return 0
    return known.st_atime_ns if known.st_atime_ns > known.st_mtime_ns else 0
