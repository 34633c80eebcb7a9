"""Many rulesets, of many structures: sound, and built some after others as each alone."""

from dataclasses import replace
from pathlib import Path

from many_rulesets import grow, write_rulesets

from rulebook.build.build_request import BuildRequest
from rulebook.build.rulesets import build_rulesets
from rulebook.checking.all_checks import check
from rulebook.loading.rulesets import load
from rulebook.packaged import templates_folder


def test_a_hundred_games_have_fifty_structures(tmp_path: Path) -> None:
    assert len({grow(tmp_path, f"game-{seed}", seed) for seed in range(100)}) >= 50


def test_what_is_grown_or_varied_has_no_fault(tmp_path: Path) -> None:
    write_rulesets(tmp_path, 16)
    for folder in sorted(tmp_path.iterdir()):
        loaded = load(folder)
        assert loaded.ruleset is not None, loaded.report
        assert not list(check(loaded.ruleset)), folder.name


def test_each_comes_out_as_where_it_is_built_alone(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("rulebook.build.rulesets.TOGETHER", 2)
    folders = []
    for seed in (1, 4, 9):
        grow(tmp_path, f"game-{seed}", seed)
        folders.append(tmp_path / f"game-{seed}")
    together = BuildRequest(
        folders=tuple(folders),
        templates=templates_folder(),
        out=tmp_path / "together",
        only=("qrs-a4*",),
        jobs=1,
    )
    written = build_rulesets(together).written
    assert len(written) >= len(folders)
    alone = replace(together, out=tmp_path / "alone")
    for folder in folders:
        for path in build_rulesets(replace(alone, folders=(folder,))).written:
            assert (alone.out / path).read_bytes() == (together.out / path).read_bytes()
