"""What a fingerprint holds and what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from beside import beside
from fake_stages import composed

from rulebook.build.fingerprints import fingerprint, sources_digest, view_digest
from rulebook.build.targets import gather


def digest(*, ingredients=None, view=None, **changes):
    made = replace(composed("acw", "qrs", "ok"), **changes)
    if view is not None:
        made = replace(made, view=view)
    return fingerprint(gather([made])[0], view_digest(made), ingredients or {"a": "1"}).digest


def test_the_same_is_the_same():
    assert digest() == digest()
    assert digest(ingredients={"a": "1", "b": "2"}) == digest(ingredients={"b": "2", "a": "1"})


@pytest.mark.parametrize("change", beside(__file__, "whatever_shapes_the_bytes_changes_it"))
def test_whatever_shapes_the_bytes_changes_it(change):
    assert digest(**change) != digest()


def test_each_file_of_a_document_has_its_own():
    made = composed("acw", "qrs", "ok")
    digests = {fingerprint(target, view_digest(made), {}).digest for target in gather([made])}
    assert len(digests) == 3


def test_sources_of_the_package_that_shape_bytes_count(tmp_path):
    for folder in (
        "cutouts",
        "drawing",
        "maps",
        "documents",
        "typeset",
        "imposing",
        "locale",
        "build",
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("one")
    (tmp_path / "model").mkdir()
    modules = ("model/maps.py", "model/scenarios.py")
    for module in (
        "quantities.py",
        "paper_and_ink.py",
        "text_fitting.py",
        "translation.py",
        *modules,
    ):
        (tmp_path / module).write_text("one")
    before = sources_digest(tmp_path)
    (tmp_path / "build" / "a.py").write_text("two")
    assert sources_digest(tmp_path) == before
    (tmp_path / "typeset" / "a.py").write_text("two")
    changed = sources_digest(tmp_path)
    assert changed != before
    (tmp_path / "locale" / "rulebook.po").write_text("one")
    assert sources_digest(tmp_path) != changed
