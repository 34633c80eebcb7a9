"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rulebook.build.publish import write_if_changed, write_whole


def test_folders_are_made_and_the_old_file_is_replaced(tmp_path):
    path = tmp_path / "a" / "b.pdf"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_the_user_s_mask_decides_who_may_read(tmp_path):
    old = os.umask(0o022)
    try:
        write_whole(tmp_path / "a", b"")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


@pytest.mark.parametrize("fault", [OSError(28, "No space left"), KeyboardInterrupt()])
def test_a_fault_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, fault):
    path = tmp_path / "a"
    write_whole(path, b"one")

    def fail(self: Path, target: Path) -> None:
        raise fault

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(type(fault)):
        write_whole(path, b"two")
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_replaced_and_what_it_led_to_is_left(tmp_path):
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "a").symlink_to(tmp_path / "mine")
    write_whole(tmp_path / "a", b"ours")
    assert (tmp_path / "mine").read_text() == "mine"


def test_the_same_is_not_written_again(tmp_path):
    write_whole(tmp_path / "a", b"one")
    os.utime(tmp_path / "a", (1, 1))
    write_if_changed(tmp_path / "a", b"one")
    assert (tmp_path / "a").stat().st_mtime == 1
