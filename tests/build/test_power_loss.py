"""What is on the disk when the power is lost, or the process ended, in the midst of a build."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_build_that_is_asked_to_end_records_what_it_has_written(tmp_path):
    arguments = ("--content", content_folder(), "--cache", tmp_path / "cache")
    command = ("build", "acw", "--only", "*/cutouts/*", "--out", tmp_path / "out")
    process = subprocess.Popen(
        [sys.executable, "-m", "rulebook", *map(str, (*arguments, *command))],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline().split()[1]
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130
    files = json.loads((tmp_path / "out/acw/2.0/manifest.json").read_text())["files"]
    assert first in {f"acw/2.0/{entry['path']}" for entry in files}
    assert len(files) < 50
