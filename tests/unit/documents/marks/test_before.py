"""The edition before, as it is asked for again and again while a watch goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulebook.documents.marks import before as module
from rulebook.documents.marks.before import find_before
from rulebook.loading.releases import find_releases
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset that was released, with its number before it."""
    source = next(path for path in content_folder().iterdir() if len(find_releases(path)) > 1)
    return Path(shutil.copytree(source, tmp_path / source.name))


def ruleset(folder: Path) -> Ruleset:
    found = load(folder).ruleset
    assert found is not None
    return found


def test_it_is_computed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, problems = find_before(folder, ruleset(folder))
    assert first is not None and not problems

    def computed(_: Ruleset) -> None:
        raise AssertionError("the edition before is computed again")

    monkeypatch.setattr(module, "compute", computed)
    again, _ = find_before(folder, ruleset(folder))
    assert again is not None and again.computed is first.computed


def test_a_file_that_changes_is_read_anew(folder: Path) -> None:
    now = ruleset(folder)
    first, _ = find_before(folder, now)
    path = find_releases(folder)[first.ruleset.header.edition]
    data = path.read_bytes()
    for _ in range(2):
        path.write_bytes(data.replace(b"the", b"teh", 1))
        gone, problems = find_before(folder, now)
        assert gone is None
        assert [problem.code for problem in problems] == ["R801"]
        path.write_bytes(data)
        found, problems = find_before(folder, now)
        assert found is not None and not problems
        assert found.revised == first.revised
