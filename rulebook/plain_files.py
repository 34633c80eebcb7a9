"""The one door to files of content and output: plain files are read, and nothing else is opened.

What somebody else put into a folder may be a link to another place, a device, or a pipe that keeps
its reader waiting for ever. So a file is opened without following a link and without waiting, and
what was opened is looked at, rather than its name before.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from errno import EINVAL, ELOOP
from io import BufferedReader
from pathlib import Path

_FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def open_plain(path: Path) -> BufferedReader:
    """Opens a regular file for reading; raises OSError for anything else, also a symbolic link."""
    try:
        handle = os.open(path, os.O_RDONLY | _FLAGS)
    except OSError as fault:
        if fault.errno == ELOOP:
            raise OSError(ELOOP, "it is a link", str(path)) from None
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(EINVAL, "it is no plain file", str(path))
    return os.fdopen(handle, "rb")


def read_plain(path: Path, most: int = -1, *, within: Path | None = None) -> bytes:
    """Returns the bytes of a regular file.

    If it has more than `most` bytes, only one more than that is read, so that the caller can tell;
    -1 reads all. A symbolic link is followed only if it leads to a file in the folder `within`.
    Raises OSError.
    """
    if within is not None and path.is_symlink() and stays_inside(path, within):
        path = path.resolve()
    with open_plain(path) as file:
        return file.read(most + 1) if most >= 0 else file.read()


def stays_inside(link: Path, folder: Path) -> bool:
    """Whether a path, with all symbolic links followed, leads to something that is in a folder.

    True also for the folder itself; False if nothing is there.
    """
    with suppress(OSError, RuntimeError):
        return link.resolve(strict=True).is_relative_to(folder.resolve())
    return False


def is_plain(path: Path) -> bool:
    """Whether a path is that of a file; a name that no file can have is that of none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def reason_of(fault: OSError) -> str:
    """Returns why a file could not be read, as a report says it."""
    return (fault.strerror or "it cannot be opened").lower()
