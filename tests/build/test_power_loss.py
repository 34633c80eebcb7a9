"""What is on the disk when the power is lost, or the process ended, in the midst of a build."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rulebook.packaged import content_folder

#: A file by its number, a folder, or nothing any more.
Node = int | str | None
FOLDER = "folder"
HEARD = {
    "os.rename": "rename",
    "os.link": "link",
    "os.remove": "take away",
    "os.rmdir": "take away",
    "os.mkdir": "mkdir",
}


class Operation(NamedTuple):
    """`create`, `rename`, `link`, `take away`, `mkdir` or `sync`, with the data of a file."""

    name: str
    path: str
    target: str = ""
    data: bytes | None = None


#: What is done below each of these folders, in order.
_recorded: dict[str, list[Operation]] = {}


def _record(path: str, *operation: Any) -> None:
    for root, operations in _recorded.items():
        if path.startswith(root):
            operations.append(Operation(operation[0], path, *operation[1:]))


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook, which stays to the end of the process."""
    if _recorded and (event in HEARD or event == "open") and not isinstance(arguments[0], int):
        path, *target = [os.fspath(one) for one in arguments[:2] if isinstance(one, str | Path)]
        if event in HEARD:
            _record(path, HEARD[event], *target)
        elif arguments[2] & os.O_CREAT and not os.path.lexists(path):
            _record(path, "create")


@contextmanager
def recorded(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Operation]]:
    """All that is done to files below a folder meanwhile, in order."""
    if not hasattr(sys, "_lost_power_hears"):
        sys.addaudithook(_hear)
        sys._lost_power_hears = True  # type: ignore[attr-defined]
    sync = os.fsync

    def fsync(handle: int) -> None:
        sync(handle)
        path = Path(f"/proc/self/fd/{handle}").readlink()
        _record(str(path), "sync", "", path.read_bytes() if path.is_file() else None)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        _recorded[str(root)] = []
        try:
            yield _recorded[str(root)]
        finally:
            del _recorded[str(root)]


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
        elif one.name == "take away" and here is not None and not self._holds_anything(one.path):
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


OWN = ("qrs|ok", "cone|ok|cutouts/cone.pdf", "stick|ok|old/stick.pdf", "booklet|ok|booklet.pdf")
NEXT = ("qrs|ok", "cone|fine|cutouts/cone.pdf", "disc|ok|new/disc.pdf", "booklet|ok|booklet.pdf")


@pytest.mark.parametrize("first", [True, False], ids=["the first build", "a build after another"])
def test_a_cut_at_any_moment_leaves_each_file_as_it_was_or_as_it_is(bench, monkeypatch, first):
    """A manifest tells of no file but as it stands there, or stood there before this build."""
    bench.out.mkdir()
    if not first:
        bench.ruleset("acw", *OWN)
        bench.build()
    before = contents(bench.out)
    bench.ruleset("acw", *NEXT)
    with recorded(bench.out, monkeypatch) as operations:
        bench.build()
    after = contents(bench.out)
    assert len(operations) > (30 if first else 20)
    disk = Disk(bench.out, before)
    found = {}
    for number, operation in enumerate(operations):
        disk.do(operation)
        for state in disk.after_a_cut():
            whole = {path: data for path, data in state.items() if not path.endswith(".part")}
            told = f"cut after {number}: {operation}"
            for path in {*whole, *before, *after}:
                assert whole.get(path) in (before.get(path), after.get(path)), (path, told)
            manifest = str(bench.out / "acw/2.0/manifest.json")
            if whole.get(manifest) == after[manifest]:
                assert _printed(whole, manifest) == _printed(after, manifest), told
            found[frozenset(state.items())] = told
    assert {path: disk.safe[node] for path, node in disk.live.items() if node in disk.safe} == after
    _assert_each_is_mended(bench, found, after)


def _printed(files, manifest):
    """The files beside a manifest and below, by their paths: those that it lists, and any other."""
    folder = manifest.removesuffix("manifest.json")
    listed = {entry["path"] for entry in json.loads(files[manifest])["files"]}
    there = {path for path in files if path.startswith(folder) and path.endswith("pdf")}
    return {path: files.get(path) for path in {*there, *(folder + path for path in listed)}}


def _assert_each_is_mended(bench, states, wanted):
    """The next build makes of every state that was found what an undisturbed one makes."""
    for state, told in states.items():
        shutil.rmtree(bench.out)
        for path, data in state:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_bytes(data)
        bench.build()
        left = contents(bench.out)
        assert {path: left[path] for path in left if not path.endswith(".part")} == wanted, told


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_build_that_is_asked_to_end_records_what_it_has_written(tmp_path):
    arguments = ("--content", content_folder(), "--cache", tmp_path / "cache")
    command = ("build", "acw", "--only", "*/cutouts/*", "--out", tmp_path / "out")
    process = subprocess.Popen(
        [sys.executable, "-m", "rulebook", *map(str, (*arguments, *command))],
        stdout=subprocess.PIPE,
        text=True,
    )
    first = process.stdout.readline().split()[1]
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130
    edition = first.split("/")[1]
    files = json.loads((tmp_path / f"out/acw/{edition}/manifest.json").read_text())["files"]
    assert first in {f"acw/{edition}/{entry['path']}" for entry in files}
    assert len(files) < 50
