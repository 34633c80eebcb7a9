"""What is kept comes back whole or not at all, and belongs to the user alone."""

import os
import stat
from pathlib import Path

import pytest

from rulebook.cache import LAYOUT, NOTHING_KEPT, Cache, digest_of, open_cache

KEY, OTHER = digest_of("one"), digest_of("other")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return open_cache(tmp_path / "cache")


def entry(cache: Cache, stage: str = "stage", key: str = KEY) -> Path:
    assert cache.folder is not None
    return cache.folder / LAYOUT / stage / key[:2] / key[2:]


def test_what_is_kept_comes_back(cache: Cache) -> None:
    assert cache.get("stage", KEY) is None
    cache.put("stage", KEY, b"\x00 bytes")
    assert cache.get("stage", KEY) == b"\x00 bytes"
    assert cache.get("stage", OTHER) is None and cache.get("another", KEY) is None
    cache.put_json("stage", OTHER, {"½″": [1, None, "\ud800"]})
    assert cache.get_json("stage", OTHER) == {"½″": [1, None, "\ud800"]}


def test_nothing_is_kept_without_a_folder(tmp_path: Path) -> None:
    NOTHING_KEPT.put("stage", KEY, b"x")
    assert NOTHING_KEPT.get("stage", KEY) is None
    NOTHING_KEPT.trim()
    (tmp_path / "file").write_text("a file")
    assert open_cache(tmp_path / "file").folder is None
    assert open_cache(tmp_path / "file" / "below").folder is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes() + b"x"),
        lambda path: path.write_bytes(path.read_bytes()[:40] + b"?" + path.read_bytes()[41:]),
        lambda path: path.write_bytes(b"?" + path.read_bytes()[1:]),
        # that of another
        lambda path: path.write_bytes((path.parents[1] / OTHER[:2] / OTHER[2:]).read_bytes()),
    ],
)
def test_a_spoilt_entry_is_none_and_goes(cache: Cache, spoil) -> None:
    for key in (KEY, OTHER):
        cache.put("stage", key, b"x" * 100)
    spoil(entry(cache))
    assert cache.get("stage", KEY) is None
    assert not entry(cache).exists()
    cache.put("stage", KEY, b"again")
    assert cache.get("stage", KEY) == b"again"


def test_links_and_pipes_are_not_followed_or_waited_for(cache: Cache, tmp_path: Path) -> None:
    cache.put("stage", KEY, b"one")
    data = entry(cache).read_bytes()
    (tmp_path / "elsewhere").write_bytes(data)
    entry(cache).unlink()
    entry(cache).symlink_to(tmp_path / "elsewhere")
    assert cache.get("stage", KEY) is None
    entry(cache).unlink()
    os.mkfifo(entry(cache))
    assert cache.get("stage", KEY) is None


def test_it_is_private(cache: Cache, tmp_path: Path) -> None:
    cache.put("stage", KEY, b"one")
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert stat.S_IMODE(entry(cache).stat().st_mode) == 0o600
    entry(cache).chmod(0o666)
    assert cache.get("stage", KEY) is None, "anybody may have written it"
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    assert open_cache(shared).folder is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_belongs_to_somebody_else_is_not_used(cache: Cache, tmp_path: Path) -> None:
    cache.put("stage", KEY, b"one")
    os.chown(entry(cache), 12345, -1)
    assert cache.get("stage", KEY) is None
    os.chown(tmp_path / "cache", 12345, -1)
    assert open_cache(tmp_path / "cache").folder is None


def test_a_full_disk_keeps_nothing_and_leaves_no_rubbish(cache: Cache, monkeypatch) -> None:
    cache.put("stage", OTHER, b"first")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    cache.put("stage", KEY, b"x")
    assert cache.get("stage", KEY) is None
    assert cache.get("stage", OTHER) == b"first"
    assert not list(cache.folder.rglob("*.part"))


def test_what_was_not_used_for_longest_goes_first(cache: Cache) -> None:
    keys = [digest_of(number) for number in range(10)]
    for age, key in enumerate(reversed(keys)):
        cache.put("stage", key, b"x" * 1000)
        os.utime(entry(cache, key=key), (age, age))
    cache.trim(most=5 * 1032)
    left = [key for key in keys if entry(cache, key=key).exists()]
    assert left == keys[:4], "a part of the room is free again"
    assert cache.get("stage", keys[3]) is not None
    assert entry(cache, key=keys[3]).stat().st_mtime > 1000, "what is used is young again"
    cache.trim(most=1 << 20)
    assert all(entry(cache, key=key).exists() for key in keys[:4])


def test_a_folder_that_goes_meanwhile(cache: Cache, tmp_path: Path) -> None:
    cache.put("stage", KEY, b"one")
    for path in sorted((tmp_path / "cache").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (tmp_path / "cache").rmdir()
    assert cache.get("stage", KEY) is None
    cache.trim()
    cache.put("stage", KEY, b"again")
    assert cache.get("stage", KEY) == b"again"


def test_keys_are_the_same_everywhere() -> None:
    assert digest_of({"a": [1, "½", None]}) == digest_of({"a": [1, "½", None]})
    assert digest_of({"a": 1, "b": 2}) != digest_of({"b": 2, "a": 1}), "order is printed"
    for odd in ({1, 2}, float("nan"), object(), "\ud800"):
        with pytest.raises((TypeError, ValueError)):
            digest_of(odd)


def test_what_one_program_keeps_is_nothing_to_another(cache: Cache) -> None:
    cache.salted("one").put("stage", KEY, b"one")
    assert cache.get("stage", KEY) is None
    assert cache.salted("two").get("stage", KEY) is None
    assert cache.salted("one").get("stage", KEY) == b"one"
