"""Files -> their checksums, read without leaving a trace of having been looked at."""

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
