"""Files -> their checksums, read without leaving a trace, and when somebody looked at them last."""

from __future__ import annotations

import hashlib
from pathlib import Path

from rulebook.plain_files import open_plain


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sha256_of(path: Path) -> str | None:
    """The checksum of a plain file, None where there is none that can be read."""
    try:
        with open_plain(path) as file:
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
