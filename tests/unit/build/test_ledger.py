"""Manifests that are read back, and reasons in words."""

from __future__ import annotations

import json

import pytest
from beside import beside

from rulebook.build.fingerprints import Fingerprint
from rulebook.build.ledger import (
    MANIFEST,
    Entry,
    Manifest,
    format_manifest,
    read_manifest,
    read_parts,
    why_stale,
)

ENTRY = Entry(
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


def test_round_trip(tmp_path):
    (tmp_path / MANIFEST).write_bytes(format_manifest(MANIFEST_OF_ONE))
    assert read_manifest(tmp_path) == MANIFEST_OF_ONE


def test_files_are_sorted_and_text_is_readable():
    other = ENTRY.model_copy(update={"path": "booklet.pdf"})
    data = format_manifest(MANIFEST_OF_ONE.model_copy(update={"files": (ENTRY, other)}))
    assert [entry["path"] for entry in json.loads(data)["files"]] == ["booklet.pdf", "qrs-a4.pdf"]
    assert "Äcw".encode() in data
    assert data.endswith(b"}\n")


@pytest.mark.parametrize("change", beside(__file__, "a_manifest_that_is_not_ours_is_none"))
def test_a_manifest_that_is_not_ours_is_none(tmp_path, change):
    plain = json.loads(format_manifest(MANIFEST_OF_ONE))
    plain["files"][0] |= change
    (tmp_path / MANIFEST).write_text(json.dumps(plain))
    assert read_manifest(tmp_path) is None


def test_nothing_is_known_where_nothing_is(tmp_path):
    assert read_manifest(tmp_path) is None
    assert read_parts(tmp_path) == {}
    assert read_manifest(tmp_path / "no" / "such") is None


def test_reasons(tmp_path):
    file = tmp_path / "qrs-a4.pdf"
    file.write_bytes(b"foo")
    same = Fingerprint("abc", {"view": "1"})
    assert why_stale(ENTRY, {"view": "1"}, same, file) == ""
    assert why_stale(None, None, same, file) == "new"
    other = Fingerprint("def", {"view": "2", "rulebook": "1", "qrs.css": "1", "fonts": "1"})
    known = {"view": "1", "rulebook": "2", "parts/table.html.j2": "1", "fonts": "1"}
    assert why_stale(ENTRY, known, other, file) == (
        "view changed, rulebook changed, template changed: parts/table.html.j2, qrs.css"
    )
    assert why_stale(ENTRY, None, other, file) == "fingerprint changed"
    file.write_bytes(b"bar")
    assert why_stale(ENTRY, None, same, file) == "file changed since it was written"
    file.unlink()
    assert why_stale(ENTRY, None, same, file) == "file missing"
