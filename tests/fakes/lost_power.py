"""What a program does to files, recorded -> what may be on the disk when the power is lost.

A disk keeps what a program had it keep: the bytes of a file when the file was synced, a name when
its folder was. Of the rest it may keep nothing, all, or any part, and of a file that was never
synced the name without the bytes.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

#: A file by its number, a folder, or nothing any more.
Node = int | str | None
FOLDER = "folder"


@dataclass(frozen=True)
class Operation:
    """`create`, `rename`, `link`, `unlink`, `mkdir`, `rmdir` or `sync`, with the data of a file."""

    name: str
    path: str
    target: str = ""
    data: bytes | None = None


_recorders: list[_Recorder] = []


@dataclass
class _Recorder:
    root: str
    operations: list[Operation] = field(default_factory=list)

    def heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        paths = [os.fspath(one) for one in arguments[:2] if isinstance(one, str | os.PathLike)]
        if not paths or not str(paths[0]).startswith(self.root):
            return
        if event == "open":
            if arguments[2] & os.O_CREAT and not os.path.lexists(paths[0]):
                self.operations.append(Operation("create", paths[0]))
        elif event in _HEARD:
            self.operations.append(Operation(_HEARD[event], *paths))

    def synced(self, handle: int) -> None:
        path = str(Path(f"/proc/self/fd/{handle}").readlink())
        if path.startswith(self.root):
            plain = stat.S_ISREG(os.fstat(handle).st_mode)
            data = Path(path).read_bytes() if plain else None
            self.operations.append(Operation("sync", path, data=data))


_HEARD = {
    "os.rename": "rename",
    "os.link": "link",
    "os.remove": "unlink",
    "os.mkdir": "mkdir",
    "os.rmdir": "rmdir",
}


_TAKE_AWAY = ("unlink", "rmdir")


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    for recorder in _recorders:
        recorder.heard(event, arguments)


@contextmanager
def recorded(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Operation]]:
    """All that is done to files below a folder meanwhile, in order."""
    if not hasattr(sys, "_lost_power_hears"):
        sys.addaudithook(_hear)  # it stays to the end of the process
        sys._lost_power_hears = True  # type: ignore[attr-defined]
    recorder = _Recorder(str(root))
    sync = os.fsync

    def fsync(handle: int) -> None:
        sync(handle)
        recorder.synced(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        _recorders.append(recorder)
        try:
            yield recorder.operations
        finally:
            _recorders.remove(recorder)


def contents(root: Path) -> dict[str, bytes]:
    """All files below a folder by their paths."""
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


class Disk:
    """A disk with some files on it, all of them safe, on which operations are done."""

    def __init__(self, root: Path, files: Mapping[str, bytes]) -> None:
        self.root = str(root)
        #: What was synced of each file.
        self.safe: dict[int, bytes] = {}
        #: What a name stands for now, and what it will at least stand for after a cut.
        self.live: dict[str, Node] = {self.root: FOLDER}
        for path, data in files.items():
            self.live[path] = self._new(data)
            for parent in Path(path).parents:
                if str(parent).startswith(self.root):
                    self.live[str(parent)] = FOLDER
        self.durable = dict(self.live)
        #: By folder, the changes of its names since it was synced.
        self.pending: dict[str, list[dict[str, Node]]] = defaultdict(list)

    def _new(self, data: bytes = b"") -> int:
        self.safe[len(self.safe)] = data
        return len(self.safe) - 1

    def do(self, one: Operation) -> None:
        here = self.live.get(one.path)
        if one.name == "sync" and one.data is None:
            for change in self.pending.pop(one.path, ()):
                self.durable |= change
        elif one.name == "sync":
            assert isinstance(here, int)
            self.safe[here] = one.data or b""
        elif one.name == "create":
            self._name({one.path: self._new()})
        elif one.name == "mkdir" and here is None:
            self._name({one.path: FOLDER})
        elif one.name == "rename" and here is not None:
            self._name({one.path: None, one.target: here})
        elif one.name == "link" and here is not None:
            self._name({one.target: here})
        elif one.name in _TAKE_AWAY and here is not None and not self._holds_anything(one.path):
            self._name({one.path: None})

    def _holds_anything(self, folder: str) -> bool:
        return any(
            node is not None and path.startswith(folder + os.sep)
            for path, node in self.live.items()
        )

    def _name(self, change: dict[str, Node]) -> None:
        self.live |= change
        self.pending[str(Path(next(iter(change))).parent)].append(change)

    def after_a_cut(self) -> Iterator[dict[str, bytes]]:
        """Each state that may be found: of what is not safe nothing, all, a folder or a name."""
        yield self._found([])
        yield self._found([one for changes in self.pending.values() for one in changes])
        for changes in self.pending.values():
            yield self._found(changes)
            yield from (self._found([one]) for one in changes)

    def _found(self, kept: list[dict[str, Node]]) -> dict[str, bytes]:
        names = dict(self.durable)
        for change in kept:
            names |= change
        return {
            path: self.safe[node]
            for path, node in names.items()
            if isinstance(node, int) and self._is_reached(path, names)
        }

    def _is_reached(self, path: str, names: Mapping[str, Node]) -> bool:
        parents = (str(parent) for parent in Path(path).parents)
        return all(names.get(one) == FOLDER for one in parents if one.startswith(self.root))
