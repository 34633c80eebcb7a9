"""What is kept comes back whole or not at all, and belongs to the user alone."""

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


def test_what_one_program_keeps_is_nothing_to_another(cache: Cache) -> None:
    cache.salted("one").put("stage", KEY, b"one")
    assert cache.get("stage", KEY) is None
    assert cache.salted("two").get("stage", KEY) is None
    assert cache.salted("one").get("stage", KEY) == b"one"
