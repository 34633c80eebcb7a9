"""Released editions on the command line: mygame@0.1, and all of them where none is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from beside import beside
from frozen import SMALL_WARS

pytestmark = pytest.mark.usefixtures("unprinted")

ONLY = ("--only", "qrs.html")


@pytest.fixture
def two(released: Path) -> Path:
    """The starter with an edition released, and a working copy with the next number."""
    header = released / "ruleset.yaml"
    header.write_text(header.read_text("utf-8").replace('"0.1"', '"0.2"'), "utf-8")
    return released


def bare(folder: Path) -> None:
    """Leave nothing but what was released."""
    for path in folder.iterdir():
        if path.name != "releases":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_all_editions_are_checked_and_built(run, two):
    output = run("check").output
    assert "mygame 0.2: " in output and "mygame@0.1 0.1: " in output
    result = run("build", *ONLY, exits=0)
    assert Path("output/mygame/0.1/qrs.html").is_file()
    assert Path("output/mygame/0.2/qrs.html").is_file()
    assert "2 written" in result.output
    assert "0 written, 2 unchanged" in run("build", *ONLY).output


def test_what_is_amiss_with_all_editions_is_told_once(run, two):
    (two / "revisions.yaml").write_text('withdrawn: {"7": A slip.}\n', "utf-8")
    assert run("check").output.count("edition 7 is withdrawn, and was not released") == 1
    assert run("build", *ONLY).output.count("edition 7 is withdrawn, and was not released") == 1


def test_a_name_means_the_working_copy(run, two):
    assert "mygame@0.1" not in run("check", "mygame").output
    run("build", "mygame", *ONLY)
    assert not Path("output/mygame/0.1").exists()


def test_an_edition_by_its_name(run, two):
    assert run("build", "mygame@0.1", *ONLY).exit_code == 0
    assert not Path("output/mygame/0.2").exists()
    manifest = json.loads(Path("output/mygame/0.1/manifest.json").read_text("utf-8"))
    assert (manifest["edition"], manifest["status"], manifest["reason"]) == (
        "0.1",
        "released",
        None,
    )


def test_what_is_released_under_the_number_of_the_working_copy_is_not_built_twice(run, two):
    (two / "ruleset.yaml").write_text(
        (two / "ruleset.yaml").read_text("utf-8").replace('"0.2"', '"0.1"'), "utf-8"
    )
    assert "1 written" in run("build", *ONLY).output
    manifest = json.loads(Path("output/mygame/0.1/manifest.json").read_text("utf-8"))
    assert manifest["status"] == "released"
    result = run("build", "mygame", "mygame@0.1", exits=2)
    assert "'mygame' and 'mygame@0.1' are both edition 0.1" in result.output


def test_a_working_copy_with_faults_leaves_what_was_released(run, two):
    (two / "ruleset.yaml").write_text("title: [")
    result = run("build", *ONLY, exits=1)
    assert Path("output/mygame/0.1/qrs.html").is_file()


def test_a_damaged_release_is_told_and_costs_no_other(run, two):
    path = two / "releases" / "0.1.json"
    path.write_bytes(path.read_bytes().replace(b"Mygame", b"Ourgame"))
    result = run("check", "--format", "short", exits=1)
    assert "content/mygame/releases/0.1.json:1:1: error[R801]" in result.output
    result = run("build", *ONLY, exits=1)
    assert Path("output/mygame/0.2/qrs.html").is_file()


def test_nothing_but_releases(run, two):
    bare(two)
    assert run("check").exit_code == 0
    assert run("build", *ONLY).exit_code == 0
    assert Path("output/mygame/0.1/qrs.html").is_file()
    result = run("build", "mygame", exits=2)
    assert "'mygame' has no ruleset.yaml\nthere are: mygame@0.1" in result.output
    assert run("odds", "mygame@0.1", "shots").exit_code == 0


@pytest.mark.parametrize(("name", "told"), beside(__file__, "no_such_edition"))
def test_no_such_edition(name, told, run, two):
    assert told in run("build", name, exits=2).output


def test_a_withdrawn_edition_is_marked(run, two):
    (two / "revisions.yaml").write_text('withdrawn: {"0.1": The *cone* is short.}\n', "utf-8")
    assert run("build", "mygame@0.1", "--only", "*.html", "--only", "*.svg").exit_code == 0
    for name in ("booklet", "qrs"):
        page = Path(f"output/mygame/0.1/{name}.html").read_text("utf-8")
        assert "<b>This edition is withdrawn.</b> The <em>cone</em> is short." in page
        assert "dition 0.1 (withdrawn)" in page
    assert "0.1 (withdrawn)" in Path("output/mygame/0.1/cutouts/grapeshot.svg").read_text("utf-8")
    manifest = json.loads(Path("output/mygame/0.1/manifest.json").read_text("utf-8"))
    assert (manifest["status"], manifest["reason"]) == ("withdrawn", "The *cone* is short.")
    (two / "revisions.yaml").unlink()
    assert "0 unchanged" in run("build", "mygame@0.1", "--only", "*.html", "--only", "*.svg").output
    assert "is withdrawn" not in Path("output/mygame/0.1/booklet.html").read_text("utf-8")


def test_an_edition_gives_the_bytes_that_its_folder_gave(run, here):
    """Every document, from a content folder that holds nothing but the release.

    What is told beside them of how they were made says what they were printed from.
    """
    folder = here / "content" / "small-wars"
    shutil.copytree(SMALL_WARS, folder)
    few = ("--paper", "a4", "--ink", "full", "--jobs", "1")
    rest = ("--only", "*.html", "--only", "*.svg", "--jobs", "1")
    assert run("release", "small-wars").exit_code == 0
    for some in (few, rest):
        assert run("build", "small-wars", *some).exit_code == 0
    bare(folder)
    for some in (few, rest):
        assert run("build", "small-wars@1.0", *some, "--out", "again").exit_code == 0
    made, again = (
        {
            path.relative_to(out).as_posix(): path.read_bytes()
            for path in Path(out).rglob("*")
            if path.is_file() and path.name != ".ledger.json"
        }
        for out in ("output", "again")
    )
    assert len([name for name in made if name.endswith((".pdf", ".html", ".svg"))]) > 20
    assert made == again
