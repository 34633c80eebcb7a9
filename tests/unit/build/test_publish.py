"""Manifests that are read back, and reasons in words."""

import json
import os
import stat
from dataclasses import replace
from unittest.mock import Mock

import pytest
from beside import beside
from fake_stages import composed

from rulebook.build.plan import gather
from rulebook.build.publish import (
    MANIFEST,
    Manifest,
    PrintedFile,
    format_json,
    read_manifest,
    write_whole,
)
from rulebook.build.stale import Fingerprint, fingerprint, shaping_digest, why_stale
from rulebook.cache import digest_of

ENTRY = PrintedFile(
    path="qrs-a4.pdf",
    kind="qrs",
    title="Quick reference",
    format="pdf",
    paper="a4",
    ink=None,
    pages=2,
    sha256="2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",  # of b"foo"
    fingerprint="abc",
    bytes=3,
)
MANIFEST_OF_ONE = Manifest(
    ruleset="acw", title="Äcw", edition="2.0", date="2010-07-16", files=(ENTRY,)
)


@pytest.mark.parametrize("change", beside(__file__, "a_manifest_that_is_not_ours_is_none"))
def test_a_manifest_that_is_not_ours_is_none(tmp_path, change):
    plain = json.loads(format_json(MANIFEST_OF_ONE))
    plain["files"][0] |= change
    (tmp_path / MANIFEST).write_text(json.dumps(plain))
    assert read_manifest(tmp_path) is None


def test_reasons(tmp_path):
    file = tmp_path / "qrs-a4.pdf"
    file.write_bytes(b"foo")
    same = Fingerprint("abc", {"view": "1"})
    assert why_stale(ENTRY, {"view": "1"}, same, file) == ""
    assert why_stale(None, None, same, file) == "new"
    now = Fingerprint("def", {"view": "2", "rulebook": "1", "qrs.css": "1", "fonts": "1"})
    known = {"view": "1", "rulebook": "2", "parts/table.html.j2": "1", "fonts": "1"}
    assert why_stale(ENTRY, known, now, file) == (
        "view changed, rulebook changed, template changed: parts/table.html.j2, qrs.css"
    )
    assert why_stale(ENTRY, None, now, file) == "fingerprint changed"
    file.write_bytes(b"bar")
    assert why_stale(ENTRY, None, same, file) == "file changed since it was written"


# What a fingerprint holds and what it does not.


def digest(*, ingredients=None, view=None, **changes):
    made = replace(composed("acw", "qrs", "ok"), **changes)
    if view is not None:
        made = replace(made, view=view)
    return fingerprint(gather([made])[0], digest_of(made.view), ingredients or {"a": "1"}).digest


@pytest.mark.parametrize("change", beside(__file__, "whatever_shapes_the_bytes_changes_it"))
def test_whatever_shapes_the_bytes_changes_it(change):
    assert digest(**change) != digest()


def test_each_file_of_a_document_has_its_own():
    made = composed("acw", "qrs", "ok")
    digests = {fingerprint(target, digest_of(made.view), {}).digest for target in gather([made])}
    assert len(digests) == 3


def test_sources_of_the_package_that_shape_bytes_count(tmp_path):
    for folder in beside(__file__, "folders_that_shape_bytes"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("one")
    (tmp_path / "model").mkdir()
    modules = ("quantities", "paper_and_ink", "text_fitting", "translation", "typefaces")
    of_model = ("model/map_features", "model/maps", "model/scenarios")
    for module in (f"{name}.py" for name in (*modules, *of_model)):
        (tmp_path / module).write_text("one")
    before = shaping_digest(tmp_path)
    (tmp_path / "build" / "a.py").write_text("two")
    assert shaping_digest(tmp_path) == before
    (tmp_path / "typeset" / "a.py").write_text("two")
    changed = shaping_digest(tmp_path)
    assert changed != before
    (tmp_path / "markdown_reader.py").write_text("new")
    changed, before = shaping_digest(tmp_path), changed
    assert changed != before
    (tmp_path / "locale" / "rulebook.po").write_text("one")
    assert shaping_digest(tmp_path) != changed


# Files appear whole or not at all.


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
    monkeypatch.setattr(os, "fsync", Mock(side_effect=fault))
    with pytest.raises(type(fault)):
        write_whole(path, b"two")
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_replaced_and_what_it_led_to_is_left(tmp_path):
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "a").symlink_to(tmp_path / "mine")
    write_whole(tmp_path / "a", b"ours")
    assert (tmp_path / "mine").read_text() == "mine"
