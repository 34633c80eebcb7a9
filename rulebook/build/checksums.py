"""Files -> their checksums."""

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
