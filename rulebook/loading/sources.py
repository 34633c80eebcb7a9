"""An edition's folder or file -> a digest of every file that reading it may open.

The same digest means the same ruleset, report and documents. The digest may cover more files than
are read, never fewer: the whole folder of a ruleset, or the released editions alone where one of
them is read, and the same of every ruleset or released edition that it is based on.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rulebook.limits import LARGEST_RELEASE, MOST_ITEMS
from rulebook.loading.folder import HEADER_FILE, REVISIONS_FILE
from rulebook.loading.releases import RELEASES_FOLDER, folder_of, is_release
from rulebook.plain_files import read_plain

#: `based_on: mygame@1.0` in a header, or the same in the JSON of a released edition.
_BASED_ON = re.compile(rb"based_on[\"']?\s*:\s*[\"']?([a-z0-9][a-z0-9-]{0,63})(@?)")


def sources_digest(source: Path) -> str | None:
    """sha256 over paths and bytes of all that reading an edition may open.

    Paths count as they are written in reports. None where that is too much, or no plain files.
    """
    whole = hashlib.sha256()
    frozen = is_release(source)
    first = folder_of(source), frozen
    waiting, known = [first], {first}
    whole.update(f"{source.as_posix()}\n".encode(errors="surrogateescape"))
    count = 0
    while waiting:
        folder, released = waiting.pop()
        for path in _files(folder, released=released):
            count += 1
            data = _read(path)
            if data is None or count > MOST_ITEMS:
                return None
            name = path.as_posix().encode(errors="surrogateescape")
            whole.update(b"%d %b %d\n" % (len(name), name, len(data)))
            whole.update(data)
            if path.name == HEADER_FILE or path.parent.name == RELEASES_FOLDER:
                for name, at in sorted(set(_BASED_ON.findall(data))):
                    base = folder.parent / name.decode(), frozen or bool(at)
                    if base not in known:
                        known.add(base)
                        waiting.append(base)
        whole.update(b"end of folder\n")
    return whole.hexdigest()


def _files(folder: Path, *, released: bool) -> Iterator[Path]:
    """The files of a folder in a fixed order; dot files and dot folders are never read."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        here = Path(place)
        passed_over = released and here == folder
        if passed_over:
            folders[:] = [name for name in folders if name == RELEASES_FOLDER]
        for name in sorted(names):
            if not name.startswith(".") and (name == REVISIONS_FILE or not passed_over):
                yield here / name


def _read(path: Path) -> bytes | None:
    """The bytes of a plain file; None for anything else, which is never waited for."""
    with suppress(OSError, RuntimeError):  # a link may lead to itself
        data = read_plain(path.resolve(), LARGEST_RELEASE)
        if len(data) <= LARGEST_RELEASE:
            return data
    return None
