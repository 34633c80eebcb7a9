"""Bytes -> files in the output folder, each whole or not at all; what is not printed now goes."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES, EEXIST
from pathlib import Path
from stat import S_ISREG
from time import time

from rulebook.build.checksums import sha256_of
from rulebook.build.ledger import Entry
from rulebook.plain_files import read_plain
from rulebook.problems import Problem

#: What is being written has such a name.
_BESIDE = re.compile(r"\.rulebook-[0-9a-f]{16}\.part")
#: Seconds after which nobody writes it any more: a file is written at once.
_LEFT_BEHIND = 3600


def _beside(path: Path) -> Path:
    return path.with_name(f".rulebook-{secrets.token_hex(8)}.part")


def sweep(folders: Iterable[Path]) -> None:
    """Remove from folders what builds left half-written that were killed long ago."""
    for folder in folders:
        with suppress(OSError):
            for path in filter(lambda path: _BESIDE.fullmatch(path.name), folder.iterdir()):
                known = path.lstat()
                if S_ISREG(known.st_mode) and time() - known.st_mtime > _LEFT_BEHIND:
                    path.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """Write beside the place and rename into it, so that no reader meets half a file.

    Raises OSError; what stood there before stays then. The bytes are on the disk before they have
    the name, so that a loss of power leaves the earlier file or this one.
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
    """Have the names of files in folders on the disk too, before another file tells of them."""
    for folder in folders:
        with suppress(OSError):  # not every system lets folders be opened
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def write_once(path: Path, data: bytes) -> None:
    """As `write_whole`, but never over what stands there, also where another writes it meanwhile.

    Raises FileExistsError then, and OSError.
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
    """As `write_whole`, but leave the file and its time alone where it says the same already."""
    try:
        if read_plain(path) == data:
            return
    except OSError:
        pass
    write_whole(path, data)


def writable(folder: Path) -> Problem | None:
    """Make the folder; the fault where nothing can be written into it, told before rendering."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        return unwritten(folder, fault)
    if not os.access(folder, os.W_OK | os.X_OK):
        return unwritten(folder, PermissionError(EACCES, "permission denied"))
    return None


def unwritten(path: Path, fault: OSError) -> Problem:
    """R702: why a file or folder could not be written."""
    why = (fault.strerror or str(fault) or type(fault).__name__).lower()
    message = f"{path.as_posix()} cannot be written: {why}"
    return Problem("R702", message, hint="choose another with --out")


def remove_printed(folder: Path, entry: Entry) -> bool:
    """Remove a file that we wrote; one that was changed since is the user's and stays."""
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
    """Keep other builds from writing this folder's manifest meanwhile.

    Where the system has no such lock the last writer wins, and the next build finds what is amiss.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
