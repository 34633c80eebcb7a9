"""What is on the disk when the power is lost, or the process ended, in the midst of a build."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lost_power import Disk, contents, recorded

from rulebook.packaged import content_folder


def test_a_file_is_on_the_disk_before_its_name_and_the_manifest_after_all_names(bench, monkeypatch):
    """So that a cut leaves each file as it was or as it is, and no manifest tells of another."""
    done: list[tuple[str, Path]] = []
    sync, rename = os.fsync, Path.replace

    def recorded_sync(handle: int) -> None:
        done.append(("sync", Path(f"/proc/self/fd/{handle}").readlink()))
        sync(handle)

    def recorded_rename(path: Path, target: Path) -> Path:
        done.append(("from", path))
        done.append(("to", Path(target)))
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", recorded_sync)
    monkeypatch.setattr(Path, "replace", recorded_rename)
    bench.ruleset("acw", "qrs|ok", "cone|ok|cutouts/cone.pdf")
    written = bench.build().written
    folder = bench.out / "acw" / "2.0"
    manifest = done.index(("to", folder / "manifest.json"))
    listed = json.loads((folder / "manifest.json").read_text())["files"]
    assert len(listed) == len(written) == 4
    for file in (folder / entry["path"] for entry in listed):
        renamed = done.index(("to", file))
        beside = done[renamed - 1][1]
        assert done.index(("sync", beside)) < renamed
        assert renamed < done.index(("sync", file.parent), renamed) < manifest


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
