"""The digest of an edition's sources covers every file that reading it opens."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from beside import beside
from frozen import RELEASED, change

from rulebook.loading.folder import sources_digest


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "content" / "mygame"
    (folder / "releases").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text("title: My game\nedition: '1.1'\n")
    (folder / "fire.yaml").write_text("tables: {}\n")
    (folder / "releases" / "1.0.json").write_text('{"header": {}}')
    return folder


def changed(source: Path, path: Path, text: str = "other") -> bool:
    """Whether another text in a file is seen."""
    before = sources_digest(source)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return sources_digest(source) != before


def test_whatever_is_read_changes_it(game: Path) -> None:
    assert changed(game, game / "fire.yaml")
    assert changed(game, game / "options" / "rain.yaml"), "a new file"
    assert changed(game, game / "releases" / "1.0.json")
    assert changed(game, game / "revisions.yaml")
    assert changed(game, game / "cover.svg")
    before = sources_digest(game)
    (game / "fire.yaml").rename(game / "volley.yaml")
    assert sources_digest(game) != before


def test_what_is_not_read_does_not(game: Path) -> None:
    assert not changed(game, game / ".git" / "HEAD")
    assert not changed(game, game / ".draft.yaml")
    assert not changed(game, game.parent / "another" / "ruleset.yaml")
    before = sources_digest(game)
    os.utime(game / "fire.yaml", (1, 1))
    assert sources_digest(game) == before


def test_two_files_are_not_one(game: Path) -> None:
    (game / "a.md").write_text("one")
    (game / "b.md").write_text("two")
    before = sources_digest(game)
    (game / "a.md").write_text("onetwo")
    (game / "b.md").write_text("")
    assert sources_digest(game) != before


def test_a_released_edition_needs_nothing_but_what_was_released(game: Path) -> None:
    released = game / "releases" / "1.0.json"
    assert not changed(released, game / "fire.yaml")
    assert changed(released, game / "revisions.yaml")
    assert changed(released, game / "releases" / "0.9.json")
    assert sources_digest(released) != sources_digest(game)


def test_a_base_counts_and_the_base_of_that(game: Path) -> None:
    for name, base in (("first", "mygame"), ("second", "first"), ("circle", "circle")):
        (game.parent / name).mkdir()
        (game.parent / name / "ruleset.yaml").write_text(f"based_on: {base}\n")
    assert changed(game.parent / "first", game / "fire.yaml", "1")
    assert changed(game.parent / "second", game / "fire.yaml", "2")
    assert not changed(game.parent / "circle", game / "fire.yaml", "3")
    assert changed(game.parent / "second", game.parent / "first" / "ruleset.yaml", "based_on: x")


def test_a_released_base_needs_nothing_but_what_was_released(game: Path) -> None:
    variant = game.parent / "variant"
    variant.mkdir()
    (variant / "ruleset.yaml").write_text("based_on: mygame@1.0\n")
    assert not changed(variant, game / "fire.yaml", "1")
    assert changed(variant, game / "releases" / "1.0.json", "2")
    (variant / "ruleset.yaml").write_text("# based_on: mygame@1.0\nbased_on: mygame\n")
    assert changed(variant, game / "fire.yaml", "3")


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_plain_file_is_never_waited_for(game: Path, make) -> None:
    make(game / "revisions.yaml")
    assert sources_digest(game) is None


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert sources_digest(tmp_path / "none") is not None


_OPENED = textwrap.dedent(beside(__file__, "opened"))


@pytest.mark.parametrize("source", ["small-wars", "small-wars-cm", "small-wars/releases/1.0.json"])
def test_reading_opens_no_other_file(source: str, tmp_path: Path) -> None:
    content = shutil.copytree(RELEASED, tmp_path / "content")
    shutil.copytree(content / "1/small-wars/releases", content / "small-wars/releases")
    variant = content / "small-wars-cm" / "ruleset.yaml"
    change(variant, "based_on: small-wars", "based_on: small-wars@1.0")
    (tmp_path / "opened.py").write_text(_OPENED)
    subprocess.run(
        [sys.executable, str(tmp_path / "opened.py"), str(content), str(content / source)],
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
